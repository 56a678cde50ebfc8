// Package cli is the command line: one file a command, over the root package.
//
// [Main] runs one command and returns its exit code; it touches nothing but
// the streams it is given, the files and the database that it is told to use,
// temporary files for streams that must be read twice, and the environment
// (SPECKL_*, NO_COLOR, COLUMNS). Results go to stdout, everything else to
// stderr. [Commands] lists what there is.
//
// How a command comes to its document is the same everywhere: place opens a
// database, library adds domains and settings, extraction adds conversations,
// viewing finds the document that an argument names, and deed the elements of
// an act.
//
// # Exit codes
//
//	0  done
//	1  findings: a log that does not verify, eval below a bar, an example of
//	   a domain fails
//	2  usage: an unknown command, flag, domain or format; a wrong value
//	3  bad input: what was read is at fault, or not there
//	4  unavailable: what the command needs could not be had
//	130 interrupted, as shells have it; --follow ends with 0
//
// A closed pipe is no error: the command ends, quietly, with 0.
package cli
