// Package prompt says what a model is asked, and reads what it answers.
//
// A [Prompt] is made of a domain's data and a versioned asset. [Prompt.Ask]
// makes a request for one chunk of a conversation: the stable part first, so
// that providers can cache it, the chunk last, fenced as data, private values
// hidden. [Ask.Read] takes the reply apart: each item must quote words of the
// chunk, and each number, name, date and negation in its data must stand in
// them, else it is dropped with the reason.
package prompt
