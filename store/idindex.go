package store

import "hash/maphash"

// idIndex finds a turn's ordinal by its packed id: open addressing over
// ordinals and parts of hashes, without the ids themselves.
type idIndex struct {
	seed  maphash.Seed
	slots []uint64 // hash<<32 | ordinal+1; 0 is free
	n     int
}

// hash is the part of an id's hash that the index works with.
func (x *idIndex) hash(id []byte) uint32 { return uint32(maphash.Bytes(x.seed, id)) }

// find returns the ordinal of the id; is tells whether a turn has it.
func (x *idIndex) find(hash uint32, is func(ordinal int) bool) (ordinal int, ok bool) {
	if len(x.slots) == 0 {
		return 0, false
	}
	mask := uint32(len(x.slots) - 1)
	for i := hash & mask; x.slots[i] != 0; i = (i + 1) & mask {
		if n := int(uint32(x.slots[i])) - 1; uint32(x.slots[i]>>32) == hash && is(n) {
			return n, true
		}
	}
	return 0, false
}

// add enters the next turn.
func (x *idIndex) add(hash uint32) {
	if 4*(x.n+1) > 3*len(x.slots) {
		x.grow()
	}
	x.n++
	x.place(uint64(hash)<<32 | uint64(x.n))
}

// grow doubles the slots. Turns are entered again in their order, which
// removeLast relies on.
func (x *idIndex) grow() {
	old := x.slots
	hashes := make([]uint32, x.n)
	for _, s := range old {
		if s != 0 {
			hashes[uint32(s)-1] = uint32(s >> 32)
		}
	}
	x.slots = make([]uint64, max(16, 2*len(old)))
	for n, h := range hashes {
		x.place(uint64(h)<<32 | uint64(n+1))
	}
}

func (x *idIndex) place(slot uint64) {
	mask := uint32(len(x.slots) - 1)
	i := uint32(slot>>32) & mask
	for x.slots[i] != 0 {
		i = (i + 1) & mask
	}
	x.slots[i] = slot
}

// removeLast takes out the turn that was added last: nothing was placed
// behind it, so that its slot is simply free again.
func (x *idIndex) removeLast(hash uint32) {
	mask := uint32(len(x.slots) - 1)
	i := hash & mask
	for uint32(x.slots[i]) != uint32(x.n) {
		i = (i + 1) & mask
	}
	x.slots[i] = 0
	x.n--
}
