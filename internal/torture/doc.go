// Package torture tries to break the stores from outside: its test binary
// starts itself as worker processes that post turns, and
//
//   - kills them, or the PostgreSQL server, at random points: what they had
//     acknowledged is in the document, nothing is in it by halves, and
//     reading on gives the bytes of a run that nobody killed;
//   - lets eight of them work at once: on the same turns, on the same new
//     document, on the same empty database;
//   - takes from them the disk, the permissions, the lock, the connection
//     and the file's contents: each ends in an error with a name, with
//     nothing half done.
//
// The tests do a few rounds each; "make torture" does hundreds:
//
//	go test ./internal/torture -run TestCrash -runs 500
//
// A round that fails prints its seed: -runs 1 -seed N does it again, as far
// as the machine's own timing lets it.
package torture
