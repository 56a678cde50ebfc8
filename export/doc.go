// Package export writes documents: for programs as JSON, JSONL and CSV, for
// people as text, Markdown and one self-contained HTML page. All writers take
// the same [Document], a view over wherever a document is kept.
//
// # Guarantees
//
//   - Turns and results are streamed: a writer holds the elements and what it
//     must look up about the turns that they quote, never the conversation.
//   - The same document gives the same bytes. No output holds the time of
//     day, a path, a host or a locale.
//   - Quotes are printed as they stand in the turn. In the outputs for
//     people, control characters and bidirectional overrides are spelled out
//     (\x1b, \u202e), so that words cannot rewrite the screen; JSON keeps
//     them. CSV cells that a spreadsheet would run as a formula start with an
//     apostrophe.
//   - The HTML page loads nothing and runs no script but its own.
//
// # Limits
//
// The outputs for people show live elements only. Markdown and text show the
// first few quotes of an element and count the rest.
package export
