package demo

// Props: the longer texts of the story.
const (
	totalBefore = `func (b Basket) Total() Money {
	total := Money(0)
	for _, item := range b.Items {
		total += item.Price * Money(item.Count)
	}
	return total - b.Voucher
}
`
	totalAfter = `func (b Basket) Total() Money {
	total := Money(0)
	for _, item := range b.Items {
		total += item.Price * Money(item.Count)
	}
	// A voucher pays for the basket, never the other way round.
	return max(0, total-b.Voucher)
}
`
	shopFixed = "A voucher that was worth more than the basket made the total **negative**. It is bounded now:\n\n" +
		"```go\nreturn max(0, total-b.Voucher)\n```\n\n| basket | voucher | before | now |\n|---|---|---|---|\n| 20.00 | 5.00 | 15.00 | 15.00 |\n| 4.00 | 5.00 | **-1.00** | 0.00 |"
	shopTests = `ok   demo/web-shop/basket    0.031s
ok   demo/web-shop/checkout  0.214s
ok   demo/web-shop/search    0.087s`
	shopBuild = `dist/app.js      84 kB
dist/app.css     12 kB
built in 2.9s`
	infraPlan = `# Replace the pod that restarts

The pod **web-7c** has restarted 14 times since this morning.

| step | command | changes something |
|---|---|---|
| 1 | look at the pods | no |
| 2 | delete **web-7c** | yes, one pod |
| 3 | wait for its successor | no |

` + "```sh\nkubectl get pods -n web\nkubectl delete pod web-7c -n web\n```" + `

The other two pods carry the load meanwhile. To go back there is nothing to do: Kubernetes starts a new pod by itself.
`
	infraPods = `NAME     READY   STATUS             RESTARTS   AGE
web-7a   1/1     Running            0          9d
web-7b   1/1     Running            0          9d
web-7c   0/1     CrashLoopBackOff   14         9d`
	infraHealed = `NAME     READY   STATUS    RESTARTS   AGE
web-7a   1/1     Running   0          9d
web-7b   1/1     Running   0          9d
web-7d   1/1     Running   0          12s`
	docsPage = `# Getting started

1. Start the hub.
2. Pair your phone.
3. Answer the first question.

> That is all. You can close the laptop now.
`
)
