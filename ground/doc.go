// Package ground finds quotes in a source: where the words stand that
// somebody, most often a model, says were said.
//
//	source := ground.New(ground.Part{Text: text})
//	m := source.Find(ground.Quote{Text: "the words"})
//
// Each step is looser than the one before, and none guesses: the same bytes
// ([Verbatim]); the same text but for case, white space, kinds of quotes and
// dashes, invisible characters, markdown and the like ([Normalized]); the same
// words but for slips, such as a filler, a stutter, a contraction, a typing
// error, a function word ([Approximate]). A quote that changes what was said
// (a number, a name, a date, a unit, a negation, a bound, a hedge, another
// content word) is [Altered] and never evidence, however much of it agrees.
//
// A span is always a stretch of one part's bytes, on whole characters.
// [Unsupported] looks the other way: what in a value do its words not say.
package ground
