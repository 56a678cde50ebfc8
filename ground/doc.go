// Package ground finds quotes in texts. It is for whoever is told "the source
// says so" by a language model, or by a person from memory, and wants to see
// where.
//
// [New] makes an index over the parts of a source: the turns of a
// conversation, or one text. [Source.Find] looks for one quote,
// [Source.FindAll] for many, whose order then helps with repeated mentions.
// A [Match] is a range of bytes of one part and one of five kinds:
//
//   - [Verbatim]: the bytes are equal.
//   - [Normalized]: equal after folding: normal form (NFC), case, white
//     space, curly and straight quotes, dashes, soft hyphens, zero-width and
//     bidi marks, full-width forms, ligatures, points and tatweel of Arabic,
//     digits of any script, marks of Markdown.
//   - [Approximate]: the same words with a slip that a person would pass
//     over: punctuation, a filler, a stutter, a contraction, a function word,
//     a letter in a long word, a word of the source left out.
//   - [Altered]: found, but changed in a way that is never evidence, whatever
//     the score: a negation, a number, an amount, a unit, a date, a name, a
//     hedge, or a content word that the source lacks. The edits say which.
//   - [None]: not there. A quote of which only a fragment is there is None.
//
// [Match.Accepted] is true for the first three.
//
// [Unsupported] asks the same of a value that was made from quotes: which of
// its numbers, amounts, dates, names and negations do the quotes not support?
//
// # Guarantees
//
// A span lies within its part, on rune boundaries, and never between a letter
// and its combining marks; a quote never spans two parts. The end of a span
// never cuts a word or a number: "Napro" is not found in "Naprosyn", nor
// "cost 5" in "cost 5.5". Scripts without spaces (Chinese, Japanese, Korean,
// Thai and their like) are matched by characters. Equal input gives equal
// output. A Source may be used by several goroutines at once.
//
// # Cost
//
// The index is linear in the source and is made once. A quote then costs
// about its own length times the places it might stand at, which are bounded:
// a quote that is not there costs no more than one that is, and neither long
// repetitions in the source nor long quotes make it quadratic.
//
// # Limits
//
// At most [MaxPlaces] other occurrences are listed. Of a quote that occurs more
// than 4,096 times the first ones are looked at, or those in the part that the
// hint names. A quote that is altered is reported at the likeliest place, and
// not every place where it might be meant is tried. Quotes of more than 1,000
// words are found verbatim or normalized, never approximately. The closed
// classes (negations, fillers, function words, number words, months, units …)
// are data files, one a language; for a language that has none, every word is
// a content word, and its numbers are those in digits.
package ground
