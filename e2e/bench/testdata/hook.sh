#!/bin/bash
# What `nod hook` does for an event nobody waits for, as people write it by hand.
payload=$(cat)
read -r event session < <(jq -r '[.hook_event_name, .session_id] | @tsv' <<<"$payload")
[ -n "$event" ] && [ -n "$session" ] || exit 0
curl --silent --noproxy '*' --max-time 1 --unix-socket "$NOD_DATA/nod.sock" \
	-H 'Content-Type: application/json' -H "Nod-Host: $HOSTNAME" -H "Nod-Pid: $CLAUDE_PID" \
	--data-binary @- http://nod/v1/hooks/claude <<<"$payload"
exit 0
