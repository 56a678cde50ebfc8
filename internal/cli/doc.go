// Package cli is the command line: one file a command, over the root package.
//
// [Main] runs one command and returns its exit code; it touches nothing but
// the streams it is given, the files that it is told to read, and the
// environment (SPECKL_*, NO_COLOR, COLUMNS). Results go to stdout, everything
// else to stderr. [Commands] lists what there is.
//
// # Exit codes
//
//	0  done
//	1  findings: eval below a bar, an example of a domain fails
//	2  usage: an unknown command, flag, domain or format; a wrong value
//	3  bad input: what was read is at fault, or not there
//	4  unavailable: what the command needs could not be had
//
// A closed pipe is no error: the command ends, quietly, with 0.
package cli
