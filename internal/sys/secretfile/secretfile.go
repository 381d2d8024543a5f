// Package secretfile reads files that hold a password or a token.
package secretfile

import (
	"os"
	"strings"
)

// Read returns the first line of a file, without blanks around it.
func Read(file string) (string, error) {
	text, err := os.ReadFile(file)
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(first), err
}
