// Package transcript reads conversations: files and streams of many formats
// come in, turns ([sir.Turn]) come out.
//
// [Read] is what most callers need. It finds the format by content ([Detect]
// does that alone), never by a file's ending, and gives the turns one by one.
// [EncodeJSONL] writes turns as Speckl's own format, which Read reads again.
// [Formats] lists what it reads.
//
// # Guarantees
//
// Content is UTF-8 without U+0000, as the source has it. What is not part of
// anybody's words is left out: labels, the space behind them, blank lines
// around a turn. In formats of lines a line end within a turn is "\n", so that
// one conversation saved with CRLF and with LF gives the same turns and ids;
// in JSONL the string is kept as it is. A byte-order mark is skipped.
//
// A turn keeps its source's id. Else its id derives from what it says
// ([sir.TurnID]), not from where it stands: a longer export of the same
// conversation has the ids of the shorter one. Equal turns are counted,
// exactly for 1.5 million different turns of a file; beyond that ids are
// still unique, and those of a file's beginning still do not depend on its
// end, but a file that begins elsewhere may give a repeated turn another id.
//
// The same bytes and options give the same turns. Memory does not grow with
// the file: it takes some turns of the greatest length (MaxTurn) and at most
// 32 MiB to count.
//
// # Mistakes
//
// Invalid UTF-8, U+0000, a line that is no JSON, a turn above MaxTurn: each is
// an [*Error] with line, column and offset in the file. It ends the reading,
// after the turns before it were given; a caller that wants all or nothing
// writes nothing before the end. With Lenient the record, which is the whole
// turn or cue, is skipped and reported instead. The last line of a JSONL file
// that was cut off while it was written is skipped and reported always.
//
// # Who speaks
//
// A label counts as a name by its form: at most six words that begin in
// capitals or in a script without them. Handles in small letters count where
// they recur. Never a name: a marker ("spec:"), a list item, what ends in a
// cue noun ("Idle state:", "Next steps:") or begins like a sentence. What is
// no name stays in the turn above. Words before the first name are a turn of
// nobody's. Names of assistants and bots are agents; where a name could be
// either, it is an agent's, whose words weigh less.
//
// # Time
//
// A turn has a time only where the source has a date for it. Offsets in
// captions are none, nor is "(09:12)" without a dated heading. Where clock
// times pass midnight, the date is unknown until the next heading.
package transcript
