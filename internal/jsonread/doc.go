// Package jsonread reads what a model sent when it was asked for JSON: fenced
// or not, with prose and thoughts around it, with the slips that models make,
// or cut off in the middle.
//
// It is one recursive descent over the reply that knows three ends of a value:
// whole, cut (the reply ended inside it) and broken. Whole values come back as
// strict JSON, slips mended; the others are losses, each with its reason and
// the place. Nothing is closed that the model left open, so a cut item can't
// pass for a whole one; this is why no general repairer of JSON stands behind
// it: those close what is cut, and don't say so.
//
// It guarantees:
//
//   - A valid item comes back byte for byte. Valid JSON is never taken for a
//     slip: mending begins where a strict reader would give up.
//   - Of any prefix of a valid reply every item that ended inside the prefix
//     comes back unchanged, and at most one loss is told.
//   - Strings keep their content. What stands between straight double quotes is
//     never touched, but for what JSON does not allow there.
//   - Time and memory are linear in the reply; values nest 200 deep at most.
//
// It mends: trailing, doubled and missing commas; single and typographic quotes
// as delimiters; quotes inside a string that nobody escaped; raw line breaks,
// tabs and bytes that are not UTF-8 in strings; wrong escapes; keys without
// quotes; None, True, False; NaN, Infinity and undefined (null); comments;
// numbers that JSON does not know (1.2.3 and 007 become strings). It does not
// guess words without quotes into strings: braces in prose look the same.
package jsonread
