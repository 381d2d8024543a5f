// Package nod is the dictionary of the house: the nouns that every room uses
// and the laws that hold for them wherever they are.
//
// An Agent asks; that is a Request. A person answers through some door; that
// is a Decision. Everything that happens is an Event in one gap-free,
// hash-chained log, and a State is what the log says so far.
//
// The laws in one place:
//
//   - The first answer wins, once. A settled Request stays settled.
//   - Silence is never consent: only a Decision by an Actor who may answer can
//     allow anything.
//   - To raise, to view, to answer and to administer are four separate Rights.
//   - What was recorded is what runs: an allow carries the recorded input, or
//     an edit that is recorded too.
//
// Nothing here does I/O, reads a clock, starts a goroutine or takes a lock.
package nod
