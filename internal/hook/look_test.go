package hook

import "time"

// waitLooks lets the hook look at the status file a few times. It works with
// real files and a real socket, so made-up time is no help.
func waitLooks() { <-time.After(4 * lookEvery) }
