// Command empty is the least that a Go program can be.
package main

func main() {}
