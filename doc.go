// Package nod holds the domain types that every other package uses, and the rules that apply to them everywhere.
//
// An Agent asks; that is a Request. A person answers through some surface; that is a Decision. Everything that
// happens is an Event in one gap-free, hash-chained log, and a State is what the log says so far.
//
// The rules in one place:
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
