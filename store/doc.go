// Package store says how documents are kept. [Store] is the contract that
// every engine fulfils and storetest.Exercise tests; [Memory] is the engine
// that keeps nothing beyond the process.
//
// # Guarantees
//
//   - A transaction is all or nothing: an error or a panic leaves nothing.
//   - One document is written by one transaction at a time; different
//     documents never wait for each other.
//   - A turn is stored once, and processed once for each domain, in order.
//   - The log is sealed as it is written: [sir.Verify] holds at any moment,
//     and folding it gives the stored elements.
//   - What a turn loads depends on what it asks for, not on the document.
//   - An organisation sees its own documents and no others.
package store
