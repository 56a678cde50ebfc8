// Package syntax reads and prints the state-machine micro-syntax: the text
// after spec: and after a type marker, in a speckl block, and in specification
// blocks without a marker.
//
//	state idle { isInitial: true, entry: [hideSpinner], timeout: 120s, onTimeout: -> error }
//	transition idle -> loading on SEARCH [query != ""] / showSpinner, log(query)
//	event USER_LOGIN { payload: { userId } }
//	invariant loading: spinner is visible
//	constraint no transition from shutdown to any state
//	guard query is not empty
//	action showSpinner { when: entry, state: loading }
//
// A statement takes a line; several are separated by ";", and a brace may span
// lines. The arrows are ->, -->, → and =>. Comments run from // or # to the
// end of the line; both must follow white space or begin a line, and # before
// a digit is text ("ticket #12"). A name or text that holds one of the marks
// of the syntax is quoted: "a: b".
//
// # Guarantees
//
// Every span is a range of bytes of the text that was given, and holds the
// words that the field says, without their quotes. A field that the text does
// not say is absent. No input panics, and the time is linear in its length.
// [Parse] of what [Print] gives for statements it has read gives the same
// statements. What does not parse is reported with line, column and what was
// expected; the statements that do parse are kept.
//
// # Limits
//
// States do not nest by braces; parent: says where a state belongs. Braces
// nest up to 200 deep.
package syntax
