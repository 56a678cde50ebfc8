// Package consult asks a model about turns: it cuts a conversation into
// chunks, leaves out what the rules have read well enough, keeps to the
// budget, sends what is left, and hands back by turn what can be used.
//
// A chunk that fails leaves the others as they are. What it costs and what
// went wrong stands in the metadata of its first turn, so that the result of
// that turn, or of its batch, tells it.
package consult
