package sir

// CharCounter turns byte offsets of one text into code points. It counts
// once, and remembers the count at every 1024th byte. The zero value is
// ready; it must always be given the same text.
type CharCounter struct{ marks []int }

const charStep = 1024

// Before returns how many code points of the text, which is UTF-8, stand
// before a byte offset.
func (c *CharCounter) Before(text string, offset int) int {
	for len(c.marks) <= offset/charStep {
		n := len(c.marks)
		if n == 0 {
			c.marks = append(c.marks, 0)
			continue
		}
		c.marks = append(c.marks, c.marks[n-1]+codePoints(text[(n-1)*charStep:n*charStep]))
	}
	n := offset / charStep
	return c.marks[n] + codePoints(text[n*charStep:offset])
}

// codePoints counts the bytes that begin a code point of UTF-8.
func codePoints(s string) int {
	n := 0
	for i := range len(s) {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}
