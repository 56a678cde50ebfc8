// Package engine turns a turn into mutations, as stages over plain data:
//
//	turn -> annotate -> match -> score -> conflicts -> ambiguities -> decide
//
// [Domain.Propose] reads the turn alone and says what it needs to see of the
// document; [Domain.Settle] gets that slice and returns what changes, with a
// result that tells what was done and what was left out. The engine knows no
// clock, no database and no domain by name, and never changes what it is
// given.
package engine
