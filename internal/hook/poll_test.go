package hook

import "time"

// waitPolls lets the hook read the status file a few times. It works with real
// files and a real socket, so made-up time is no help.
func waitPolls() { <-time.After(4 * pollEvery) }
