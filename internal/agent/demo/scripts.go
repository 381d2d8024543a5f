package demo

import (
	"time"

	"nod"
)

// The scripts. Steps are in step.go, the requests in call.go, plan.go and question.go.

func scripts() []script { return []script{webShop(), infra(), docs()} }

func webShop() script {
	tests := bash("go test ./...", "Bash(go test:*)", "")
	tests.terminal = 75 * time.Second
	again := bash("go test ./...", "Bash(go test:*)", "All **42** tests pass:\n\n"+fence("text", shopTests))
	return script{name: "web-shop", model: "make-believe-large", tasks: []task{
		{prompt: "The total in the basket is wrong when a voucher is used. Please fix it.", steps: []step{
			together(
				later(300*time.Millisecond, approve(edit("/demo/web-shop/basket/total.go", totalBefore, totalAfter, ""))),
				inSubagent("test-runner", later(900*time.Millisecond, approve(tests))),
			),
			reply(shopFixed),
		}},
		{prompt: "Build the shop for the release.", steps: []step{
			work(3*time.Second, "Read", "/demo/web-shop/package.json"),
			approve(bash("npm run build", "Bash(npm run build:*)", "")),
			reply("The build is ready:\n\n" + fence("text", shopBuild)),
		}},
		{prompt: "Tidy up the history of the branch and publish it.", steps: []step{
			work(4*time.Second, "Bash", "git log --oneline -5"),
			approve(bash("git push --force origin checkout", "", "")),
			reply("The branch `checkout` is published with **one** commit instead of five. (Nothing left this machine: it is a demo.)"),
		}},
		{prompt: "Run the tests once more.", steps: []step{think(2 * time.Second), approve(again)}},
	}}
}

func infra() script {
	remove := bash("kubectl delete pod web-7c -n web", "Bash(kubectl delete pod:*)", "")
	remove.doubt = true
	pods := bash("kubectl get pods -n web", "Bash(kubectl get:*)", fence("text", infraPods))
	return script{name: "infra", model: "make-believe-large", tasks: []task{
		{prompt: "One of the web pods restarts all the time. Make a plan first.", mode: "plan", steps: []step{
			think(800 * time.Millisecond),
			proposePlan(infraPlan),
			approve(pods),
			approve(remove),
			reply("Kubernetes has started a new pod in its place, and it stays up:\n\n" + fence("text", infraHealed)),
		}},
		{prompt: "How are the pods now?", steps: []step{
			think(2 * time.Second),
			approve(pods),
			trouble(nod.AgentLimited, 45*time.Second, wishLimit),
			reply("My make-believe limit is over. All pods are **Running**; there is nothing to do."),
		}},
		{prompt: "Does the load balancer see all of them?", steps: []step{
			work(4*time.Second, "Bash", "kubectl get endpoints -n web"),
			reply("Yes, three addresses:\n\n| pod | address | ready |\n|---|---|---|\n| web-7a | 10.0.0.4 | yes |\n| web-7b | 10.0.0.5 | yes |\n| web-7d | 10.0.0.9 | yes |"),
		}},
	}}
}

func docs() script {
	page := write("/demo/docs/getting-started.md", docsPage, "")
	return script{name: "docs", model: "make-believe-small", tasks: []task{
		{prompt: "Write a first page for newcomers. Ask me what you do not know.", steps: []step{
			think(1200 * time.Millisecond),
			together(
				questions(choice("Reader", "Whom is the page for?",
					nod.Choice{Label: "Newcomers", Description: "Short steps, no terms, one picture"},
					nod.Choice{Label: "Administrators", Description: "Every option, with its default"},
					nod.Choice{Label: "Both", Description: "Two pages that link to each other"},
				)),
				later(20*time.Second, docsForm()),
			),
			approve(page),
			reply("The page is written. It has three steps and ends with a smile."),
		}},
		{prompt: "Now the style guide.", steps: []step{
			work(3*time.Second, "Read", "/demo/docs/style.md"),
			questions(
				choice("Tone", "How should the pages sound?",
					nod.Choice{Label: "Friendly", Description: "“You can now open the app.”"},
					nod.Choice{Label: "Formal", Description: "“The application may now be opened.”"},
				),
				several(choice("Languages", "Which languages come first?",
					nod.Choice{Label: "English"}, nod.Choice{Label: "Polski"}, nod.Choice{Label: "日本語"},
				)),
				nod.Question{Header: "Words", Text: "Which word should never appear?", FreeText: true},
			),
			reply("I have put that into the style guide:\n\n```md\n- Say what to do, then why.\n- One thought per sentence.\n```"),
		}},
		{prompt: "Check all links.", steps: []step{
			work(3*time.Second, "Grep", "https?://"),
			trouble(nod.AgentError, 25*time.Second, wishProblem),
			reply("It works again: **118** links checked, none is broken."),
		}},
		{prompt: "Publish the page.", steps: []step{think(2 * time.Second), docsForm(), approve(page), reply("Published, as far as a demo can.")}},
	}}
}

func docsForm() step {
	return form("demo-publisher", "The publishing server (make-believe) needs a few details", patience{deadline: 10 * time.Minute},
		field("address", "string", "Address of the page"),
		field("version", "number", "Version"),
		field("public", "boolean", "Visible to everybody"),
		field("channel", "string", "Channel", nod.Choice{Label: "stable"}, nod.Choice{Label: "beta"}, nod.Choice{Label: "nightly"}),
	)
}
