package store

import "encoding/hex"

// parseUUID reads a UUID in the one form that formatUUID writes.
func parseUUID(s string) (u [16]byte, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return u, false
	}
	for i, at := range uuidDigits {
		hi, lo := hexValues[s[at]], hexValues[s[at+1]]
		if hi|lo > 15 {
			return u, false
		}
		u[i] = hi<<4 | lo
	}
	return u, true
}

// formatUUID writes 16 bytes in lower case.
func formatUUID(u []byte) string {
	var b [36]byte
	for i, at := range uuidDigits {
		hex.Encode(b[at:at+2], u[i:i+1])
	}
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}

// uuidDigits are where the bytes' digits stand.
var uuidDigits = [16]byte{0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34}

// hexValues are the values of lower-case digits, 255 for all else.
var hexValues = func() (values [256]byte) {
	for i := range values {
		values[i] = 255
	}
	for i, c := range "0123456789abcdef" {
		values[c] = byte(i)
	}
	return values
}()
