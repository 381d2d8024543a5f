package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// period is the time, in microseconds, within which a hub gets its share: short, so
// that it never waits long for the next one.
const period = 10_000

// confine gives each hub a share of one processor, by a control group of its own;
// false where that cannot be done.
func (s *several) confine(b *testing.B, share float64) bool {
	b.Helper()
	for i, h := range s.hubs {
		name := fmt.Sprintf("nod-bench-%d-%d", os.Getpid(), i)
		quota := int(share * period)
		dir, limits := filepath.Join("/sys/fs/cgroup", name), map[string]string{"cpu.max": fmt.Sprint(quota, " ", period)}
		if old := "/sys/fs/cgroup/cpu"; exists(filepath.Join(old, "cpu.cfs_quota_us")) {
			dir, limits = filepath.Join(old, name), map[string]string{"cpu.cfs_period_us": strconv.Itoa(period), "cpu.cfs_quota_us": strconv.Itoa(quota)}
		}
		if err := os.Mkdir(dir, 0o755); err != nil && !os.IsExist(err) {
			return false
		}
		b.Cleanup(func() {
			h.kill()
			_ = os.Remove(dir)
		})
		for file, text := range limits {
			if os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644) != nil {
				return false
			}
		}
		if os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(h.cmd.Process.Pid)), 0o644) != nil {
			return false
		}
	}
	return true
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
