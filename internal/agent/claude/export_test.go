package claude

import "time"

// SetTiming says how long hooks on this machine and elsewhere may be away.
func (d *Driver) SetTiming(local, remote time.Duration) { d.timing = timing{local, remote} }
