// Package redact replaces what is private in a text by placeholders before the
// text leaves for a model, and puts it back into what comes home.
//
// Private are e-mail addresses, phone numbers, IBANs, payment cards, keys and
// tokens that have a known shape, and credentials: what stands after a word
// such as "password", or before the host in a URL. Dates, amounts, versions,
// addresses of machines, hashes, and the numbers of a business (orders,
// invoices, customers, tickets) are not. A number that has the shape of a phone
// number is one unless the word before it says otherwise ("order 0912 345 678");
// one that has not is none unless the word before it says so ("Zalo 90123456").
//
// It guarantees:
//
//   - [Vault.Reveal] of [Vault.Hide] gives the text back, byte for byte, for
//     any text: a placeholder never has a name that stands in the texts.
//   - The same value has the same placeholder in one vault, and the placeholders
//     follow from the order of the calls alone.
//   - Zero-width characters, soft hyphens, combining marks, full-width forms
//     and the digits of other scripts hide nothing from it.
//   - Spans begin and end between characters. Time and memory are linear in the
//     text.
//
// It can't know a password that nothing announces, nor tell a phone number
// written like any other number. The words it goes by are data: one file a
// language in labels, and the shapes of keys, phone numbers, cards and IBANs in
// shapes.
package redact
