// Package sqlstore keeps documents in SQLite (a file) or PostgreSQL (a URL):
// the two engines of [store.Store] that last.
//
// Both share the queries (queries.go) and the code around them; a dialect
// says what differs: how a database is opened and locked, how rows go in, and
// what its errors mean. The tables are in migrations.
//
// # Guarantees
//
//   - The log is the truth: turns and mutations. Elements, evidence, what
//     waits and the indexes fold from it in the transaction that appends to
//     it; store.Verify compares both.
//   - One document is written by one transaction at a time: SQLite has one
//     writer for the file, PostgreSQL locks the document's row. Writers wait
//     for each other, also across processes, up to Config.Busy.
//   - A reader sees one state of the document, and keeps no writer waiting.
//   - Every statement names the organisation. PostgreSQL's row-level security
//     stands behind that, unless the user is a superuser.
//   - A committed transaction survives the end of the process, however it
//     ends. SQLite may lose the newest ones if the machine loses power
//     (synchronous=NORMAL), never their order or parts of them.
package sqlstore
