// Package sir is the structured intermediate representation: what a document
// of a conversation is made of. It holds turns, elements, evidence,
// provenance, the log of mutations and the folds over it, as plain data and
// pure functions. It knows no database, no clock and no domain.
//
// # Guarantees
//
//   - An element's evidence is exact: for every [Evidence] e of a turn t,
//     t.Content[e.Bytes[0]:e.Bytes[1]] == e.Quote.
//   - State is a fold over [Mutation] records: [Document.Apply], and
//     [ApplyElement] for one element, are the only way anything changes, and
//     applying the same log gives the same elements.
//   - Numbers are integers inside ([Confidence] counts ten-thousandths), so
//     that comparisons are the same on every machine.
//   - Encoding is canonical: the same values give the same bytes.
package sir
