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
// Beyond the design it reads, as each would else become a part of a name: an
// event after a colon (a -> b: GO), "if CONDITION" and "after 5s" after a
// target, any state for *, NAME: DESCRIPTION after state and event, and a key
// alone for true ({ initial }). A full stop after a name, an event or an action
// is not part of it. A constraint's text stays whole; its kind, state and event
// are taken out of its words where they say them.
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
// States do not nest by braces; parent: says where a state belongs. A
// statement declares one state. Brackets nest up to 200 deep. A quotation and a
// guard end in their line, and so does what a comment hides.
package syntax
