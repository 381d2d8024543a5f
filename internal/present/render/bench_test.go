package render

import (
	"strings"
	"testing"
)

func BenchmarkCommandCard(b *testing.B) {
	r := approval("Bash", `{"command":"cd /srv/app && go test ./... -run 'TestHub' 2>&1 | tail -40","description":"Run the hub's tests","timeout":120000}`)
	b.ReportAllocs()
	for b.Loop() {
		Request(&r)
	}
}

func BenchmarkEditCard(b *testing.B) {
	before := strings.Repeat("\tif err := f(ctx, name); err != nil {\n\t\treturn err // why\n\t}\n", 20)
	r := approval("Edit", `{"file_path":"/a/b.go","old_string":`+quoted(before)+`,"new_string":`+quoted(strings.Replace(before, "name", "title", 3))+`}`)
	b.ReportAllocs()
	for b.Loop() {
		Request(&r)
	}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace(s) + `"`
}

func BenchmarkReply(b *testing.B) {
	text := strings.Join(replies, "\n\n")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Markdown(text)
	}
}

func BenchmarkFile(b *testing.B) {
	text := strings.Repeat("func (h *Hub) Decide(ctx context.Context, id string) (Decision, error) {\n\treturn h.write(\"x\", 42) // one writer\n}\n", 200)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Code("hub.go", text)
	}
}
