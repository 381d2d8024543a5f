package datadir

import "testing"

func TestFind(t *testing.T) {
	for _, c := range []struct {
		os   string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": "/home/anna"}, "/home/anna/.local/share/nod"},
		{"linux", map[string]string{"HOME": "/home/anna", "XDG_DATA_HOME": "/data"}, "/data/nod"},
		{"darwin", map[string]string{"HOME": "/Users/anna"}, "/Users/anna/Library/Application Support/nod"},
		{"linux", map[string]string{"NOD_DATA": "/srv/nod", "HOME": "/home/anna"}, "/srv/nod"},
		{"linux", nil, ""},
	} {
		got, err := Find(func(name string) string { return c.env[name] }, c.os)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%v: %q, %v", c, got, err)
		}
	}
}
