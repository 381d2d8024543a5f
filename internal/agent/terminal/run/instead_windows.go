package run

// Instead fails: there is no such thing here.
func Instead(string, []string, []string) (exit int, err error) { return 0, ErrUnsupported }
