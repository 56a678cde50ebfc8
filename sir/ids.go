package sir

import (
	"crypto/sha1" //nolint:gosec // RFC 9562, version 5
	"strconv"

	"github.com/google/uuid"
)

// namespace is Speckl's own; every id derives from it.
var namespace = uuid.UUID{0x5b, 0x0c, 0x3e, 0x1a, 0x7d, 0x42, 0x5f, 0x6e, 0x9a, 0x31, 0x2c, 0x84, 0xd0, 0x6b, 0xe7, 0x15}

// The spaces in which ids of one kind are unique.
var (
	turnSpace       = v5(namespace, []byte("turn"))
	elementSpace    = v5(namespace, []byte("element"))
	extractionSpace = v5(namespace, []byte("extraction"))
	derivedSpace    = v5(namespace, []byte("derived"))
)

// DocumentID is the id of an organisation's document: the UUIDv5 of its name
// in the organisation's own space.
func DocumentID(organization, name string) string {
	return v5(v5(namespace, []byte(organization)), []byte(name)).String()
}

// TurnID is the id of a turn whose source has none. n counts, from 0, the
// turns before it in the session that are equal in all else. The turn's
// position is no part of it, so that a longer or an overlapping export of the
// same conversation adds only what is new.
func TurnID(session string, timestamp *int64, speakerName *string, content string, n int) string {
	var space [512]byte
	b := appendPart(space[:0], session)
	if timestamp != nil {
		b = strconv.AppendInt(b, *timestamp, 10)
	}
	b = append(b, ';')
	if speakerName != nil {
		b = appendPart(b, *speakerName)
	}
	b = append(b, ';')
	b = appendPart(b, content)
	b = strconv.AppendInt(b, int64(n), 10)
	return v5(turnSpace, b).String()
}

// ElementID is the id of an element, minted once: birthKey is its identity
// key when it was created, generation counts the earlier elements of that
// key that are no longer live.
func ElementID(document, domain, elementType, birthKey string, generation int) string {
	b := appendParts(nil, document, domain, elementType, birthKey)
	return v5(elementSpace, strconv.AppendInt(b, int64(generation), 10)).String()
}

// ExtractionID is the id of one extraction's result; docVersion is the
// document's version after it.
func ExtractionID(document string, mode Mode, turnIDs []string, docVersion int) string {
	b := appendParts(nil, document, string(mode))
	b = append(strconv.AppendInt(b, int64(len(turnIDs)), 10), ';')
	b = appendParts(b, turnIDs...)
	return v5(extractionSpace, strconv.AppendInt(b, int64(docVersion), 10)).String()
}

// DerivedID is the id of anything that its parts make unique: different
// lists of parts give different ids. By convention the first part is the
// kind ("candidate", "clarification", "interpretation"), the second the
// document.
func DerivedID(parts ...string) string {
	return v5(derivedSpace, appendParts(nil, parts...)).String()
}

// v5 is the UUID of version 5 (SHA-1) of data in a space. It does not
// allocate for data of up to half a kilobyte.
func v5(space uuid.UUID, data []byte) uuid.UUID {
	var room [560]byte
	sum := sha1.Sum(append(append(room[:0], space[:]...), data...)) //nolint:gosec // an id, not a seal
	var id uuid.UUID
	copy(id[:], sum[:])
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

// appendPart writes a part behind its length, so that no two lists of parts
// are written alike.
func appendPart(b []byte, part string) []byte {
	b = append(strconv.AppendInt(b, int64(len(part)), 10), ':')
	return append(b, part...)
}

func appendParts(b []byte, parts ...string) []byte {
	for _, p := range parts {
		b = appendPart(b, p)
	}
	return b
}
