package policy

import (
	"encoding/json"
	"slices"
	"testing"
	"time"
)

// typicalLines are what agents run all day.
func typicalLines() []string {
	return []string{
		"ls -la",
		"pwd && ls",
		"cat package.json",
		"git status",
		"git status --porcelain && git diff --stat",
		"git log --oneline -20",
		"git diff HEAD~1 -- src/main.go",
		"git add -A && git commit -m 'Fix the parser'",
		"cd src && grep -rn 'func main' --include='*.go' . 2>/dev/null | head -20",
		"grep -rn \"TODO\" internal | head -50",
		"rg -n 'useState' -g '*.tsx' src",
		"find . -type f -name '*.ts' -not -path '*/node_modules/*' | head -30",
		"sed -n '1,120p' internal/policy/line.go",
		"head -50 README.md; tail -n 20 CHANGELOG.md",
		"wc -l internal/*.go | sort -rn | head",
		"go test ./... 2>&1 | tail -20",
		"cd /home/ann/src/app && go build ./... && go vet ./...",
		"npm run build",
		"npx tsc --noEmit 2>&1 | head -40",
		"python3 -m pytest tests/test_api.py -x -q",
		"make test",
		"kubectl get pods -n web -o wide | grep -v Running",
		"docker ps --format '{{.Names}}'",
		"mkdir -p build/out && cp dist/app.js build/out/",
		"rm -rf node_modules/.cache",
		"curl -s https://example.org/api/health | jq -r '.status'",
		"git commit -m \"$(cat <<'EOF'\nFix the parser\n\nIt lost a word.\nEOF\n)\"",
	}
}

func bashSubject(line string) Subject {
	s := ann()
	s.Input, _ = json.Marshal(map[string]string{"command": line, "description": "what an agent says about it"})
	return s
}

func benchPolicy(b *testing.B) *Policy {
	return must(b, Config{ReadOnly: true,
		Allow: []string{"Bash(npm run test:*)", "Bash(go test:*)", "Bash(make test)", "Edit(src/**)"},
		Ask:   []string{"Bash(git push:*)"},
		Deny:  []string{"Bash(rm -rf /)", "Read(secrets/**)"}})
}

// BenchmarkJudge reports the median line of a table, and the slowest.
func BenchmarkJudge(b *testing.B) {
	p := benchPolicy(b)
	var subjects []Subject
	for _, l := range typicalLines() {
		subjects = append(subjects, bashSubject(l))
	}
	b.ReportAllocs()
	took := make([]time.Duration, len(subjects))
	n := 0
	for b.Loop() {
		n++
		for i, s := range subjects {
			start := time.Now()
			p.Judge(s)
			took[i] += time.Since(start)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/float64(n)/1e3, "µs/median-line")
	b.ReportMetric(float64(took[len(took)-1].Nanoseconds())/float64(n)/1e3, "µs/slowest-line")
}
