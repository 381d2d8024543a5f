package run

// Exec fails: there is no such thing here.
func Exec(string, []string, []string) (exit int, err error) { return 0, ErrUnsupported }
