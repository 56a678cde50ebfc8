// Package bench measures Speckl beside a reference in the same process and
// reports the ratio, which means the same on a slow and on a fast machine:
//
//		go test -run '^$' -bench . ./internal/bench/...
//
//	  - BenchmarkExtract: a chat of 10 MB read by the facade, against the
//	    domain's phrases as plain Go regexps over the same lines. The aim is
//	    30 times as fast; matching alone (BenchmarkMatch) 80 times.
//	  - BenchmarkTurn: one turn's cost in a document of 100,000 elements
//	    against one of 10. The aim is at most 1.3.
//	  - BenchmarkStart: the program's start against a Go program that prints
//	    one line. The aim is at most 5.
//	  - BenchmarkRead: each format of conversation against a scan for lines.
//
// Both sides take turns, times are processor time where the system tells it,
// and each figure is a median: what else the machine does counts little. Nothing here fails for being slow: tests assert
// that the two sides do comparable work, benchmarks only report.
package bench
