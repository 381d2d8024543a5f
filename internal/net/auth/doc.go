// Package auth turns a credential into a nod.Actor: a token, a one-time pairing
// code, or the process at the other end of the local socket. It knows neither HTTP
// nor the operating system.
package auth
