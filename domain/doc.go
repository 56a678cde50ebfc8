// Package domain says what a domain is: the types of its elements, how to
// spot them, when two are the same, and what must hold. A domain is data
// plus small optional hooks; the engine knows none by name.
//
// Most of a domain is a YAML file (see [Load]), the built-in ones included.
// What data cannot say are hooks: small interfaces that [Domain.Hooks] may
// satisfy, found by type assertion. Hooks get read-only views and return
// candidates or diagnostics; they never change a document.
package domain
