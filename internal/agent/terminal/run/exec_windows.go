package run

// Exec is not possible on Windows.
func Exec(string, []string, []string) (exit int, err error) { return 0, ErrUnsupported }
