// Generated from the types of the HTTP API, like openapi.json:
// go test ./internal/surface/api -run TestTypes -update
declare namespace Nod {
  interface Act {
    kind: string; // What a press does: decide, say, stop, background, page or open. Newer hubs may know more; leave out buttons that you cannot do.
    request?: string; // decide, open: which request
    answer?: Answer; // decide: what is answered
    text?: string; // say: what the agent is told
    page?: number; // page: which one to show
  }
  interface Actor {
    kind: "person" | "device" | "agent" | "policy" | "system";
    name: string; // for display: "anna at desk", "kitchen phone"
    via?: string; // the surface it came through: "terminal", "api", "watch"
    id?: string; // for searching logs: a token's id, "pid 4711"
    room?: string; // the only room it has access to; empty: all of them
  }
  interface Advice {
    suggestions: Button[];
  }
  interface Agent {
    id: string;
    kind: string; // the program: "claude"
    name: string;
    host: string;
    hub?: string; // with several hubs, the one on the agent's machine: only its drivers reach the agent
    cwd: string;
    state: "idle" | "working" | "waiting" | "limited" | "error" | "ended";
    since: string; // when it entered this state
    tool?: string; // current activity: "Bash: go test ./..."
    mode?: string; // permission mode, in the agent's own term
    model?: string; // in the agent's own term
    prompt?: string;
    subagents?: Subagent[];
    until?: string; // limited: when it may continue, if known
    problem?: string; // limited, error, ended: why
    needs_you?: string;
    process?: Process;
    conversation?: Conversation; // set if it has no terminal: nod runs its program
    context?: Context; // how full its context is, as far as it has reported
    can?: Array<"say" | "interrupt" | "background" | "mode">; // what its driver can do with it
    stopping?: Stopping; // a stop was requested and has not taken effect yet
    started_at: string;
    seen_at: string;
  }
  interface AgentList {
    agents: Agent[];
  }
  interface AgentRef {
    id: string;
    name: string;
    host: string;
    cwd: string;
    kind: string;
    subagent?: Subagent; // the subagent that asks
  }
  interface Answer {
    verdict: "allow" | "deny" | "answer";
    input?: unknown; // edited: an object replaces the input, a string its main text
    answers?: Record<string, { notes?: string; picked?: string[]; text?: string }>; // to questions, by question
    remember?: string | boolean; // id of the option that makes it a rule; true means the first
    message?: string; // text for the agent
    stop?: boolean; // with deny: also stop the whole turn
    mode?: string; // with an approved plan: how to continue
    lease?: Terms; // with allow: also allow things of this kind for a while
  }
  interface Assistant {
    name: string;
    about?: string; // one line to help people choose
    kind: string; // the program: "claude"
    model?: string;
    host?: string;
    cwd?: string;
    language?: string; // its default language
  }
  interface AssistantList {
    assistants: Assistant[];
  }
  interface Attachment {
    id: string;
    name: string;
    path: string;
    size: number;
  }
  interface Button {
    id: string; // its name in this row
    label: string; // at most ten cells of a screen; a kanji takes two
    detail?: string; // the same in full, where there is room for it
    emoji?: string;
    hold?: boolean; // only a long press may do it
    do: Act;
  }
  interface Card {
    parts: CardPart[];
  }
  interface Checkpoint {
    seq: number;
    hash: string;
    at: string; // when it was pruned
    state: unknown; // a State at Seq
    key: string;
    signature: string;
  }
  interface Choice {
    label: string;
    description?: string;
    preview?: string;
  }
  interface Context {
    tokens: number;
    window?: number; // the total; 0: unknown
  }
  interface Conversation {
    assistant: string;
    folder?: string; // where it works, if not in its assistant's folder
    session?: string; // the program's own session id, needed to resume it
    room?: string; // where it takes place, if that matters: "kitchen"
    user?: string; // the person, if known: "anna"
    language?: string; // its language: "pl"
    hints?: string; // what the client wants the assistant to know; sent once, at the beginning
    context?: number; // seconds of silence after which it ends; 0: never
    until?: string; // when it ends if no one speaks; none while it works
    turns?: number; // questions answered so far
    warm?: boolean; // its program is running, so the next answer starts at once
  }
  interface Decision {
    verdict: "allow" | "deny" | "answer";
    input?: unknown; // edited: an object replaces the input, a string its main text
    answers?: Record<string, { notes?: string; picked?: string[]; text?: string }>; // to questions, by question
    remember?: string | boolean; // id of the option that makes it a rule; true means the first
    message?: string; // text for the agent
    stop?: boolean; // with deny: also stop the whole turn
    mode?: string; // with an approved plan: how to continue
    lease?: Terms; // with allow: also allow things of this kind for a while
    by: string;
    via: string;
    at: string;
    under?: string; // the lease that decided
  }
  interface Draft {
    agent: string;
    message?: string; // what it answers
    at: number; // offset of Text in bytes
    text?: string;
    over?: boolean; // nothing more follows: the answer is in the log, or there is none
  }
  interface DrawnTurn {
    agent: string;
    role: "person" | "agent" | "tool" | "system";
    text: string;
    tool?: string; // with Acted: which tool; with Noted: which key
    cut?: number; // bytes left out of Text, never silently
    subagent?: Subagent;
    message?: string; // the message that was read, or that this turn answers, if known
    trouble?: string; // with Noted: To was read, and gets no answer
    at: string;
    seq: number; // its position in the log; set when it is recorded
    html?: string;
  }
  interface Event {
    seq: number;
    at: string;
    kind: string; // What happened. Newer hubs may know more kinds than this list: agent.changed, request.raised, request.decided, request.withdrawn, request.expired, request.receipt, turn.taken, message.said, message.typed, message.delivered, message.failed, lease.granted, lease.ended, stop.pressed, key.pressed, access.refused, hub.started.
    agent_id?: string;
    request_id?: string;
    by?: Actor;
    agent?: Agent;
    request?: Request;
    decision?: Decision;
    withdrawal?: Withdrawal;
    receipt?: Receipt;
    turn?: Turn;
    message?: Message;
    lease?: Lease;
    host?: Host;
    note?: string;
  }
  interface Failure {
    error: { code: "invalid" | "unauthorized" | "forbidden" | "proof_needed" | "not_found" | "conflict" | "unreachable" | "unprocessable" | "too_large" | "gone" | "unavailable" | "internal"; message: string };
    request?: Request; // with conflict: how it was settled
  }
  interface FreshToken {
    id: string;
    name: string;
    rights: string;
    room?: string;
    created_at: string;
    expires_at?: string;
    used_at?: string;
    token?: string;
    key?: string; // instead of the token, for a browser: the half that its pages send as Nod-Key
  }
  interface Health {
    ok: boolean;
    status: string;
    version: string;
    request_timeout_ms?: number; // for clients of Prompt Relay: how long a request waits
    you?: Actor;
    rights?: string;
    pid?: number;
    started_at?: string;
    now?: string;
    seq?: number;
    hash?: string;
    data?: string; // only on this machine
    listen?: string; // only on this machine
    pending?: number;
    agents?: number;
    viewers?: number;
    sse_connections?: number; // open event streams
    active_sessions?: number; // conversations without a terminal
    claude_path?: string; // their program on the hub's machine
    problems?: Array<{ adapter: string; text: string }>; // of adapters, for those who may administer
  }
  interface History {
    requests: Request[];
    next?: number; // where to go on; none: there is no more
  }
  interface Host {
    name: string;
    hub?: string; // set if it has no link: the name of this hub among those that share the log
    version?: string;
    up: boolean;
    since: string; // when it connected or disconnected
    log?: string;
    heard: number;
    visit?: string; // its current connection; a late disconnect of an older one is ignored
    assistants?: Assistant[]; // available for conversations there, under the host's own names
  }
  interface Lease {
    id: string;
    rules: string[]; // in Claude Code's syntax: "Bash(go test:*)"
    agent?: string; // only this session
    folder?: string; // only agents that work in or below it
    host?: string; // only agents on this machine
    until: string;
    limit: number; // total number of uses
    used: number;
    by: string;
    via: string;
    granted_at: string;
    request?: string; // the request it was granted with
    end?: LeaseEnd;
  }
  interface LeaseEnd {
    reason: "expired" | "used_up" | "revoked" | "stopped" | "ended";
    by?: string;
    via?: string;
    at: string;
  }
  interface LeaseList {
    leases: Lease[];
  }
  interface LogEntry {
    hash: string;
    event: unknown;
  }
  interface LogList {
    checkpoint?: Checkpoint; // at the start of a log that was pruned
    entries: LogEntry[];
  }
  interface Me {
    kind: "person" | "device" | "agent" | "policy" | "system";
    name: string;
    via: string;
    id?: string;
    rights: string[];
    version: string;
    demo: boolean; // everything here is made up
    open: boolean; // there is an assistant, and you may open a conversation with it
  }
  interface Message {
    id: string;
    agent: string;
    text: string;
    hint?: string; // text for the agent that the person did not write: how to answer
    files?: Attachment[];
    when_busy: "queue" | "interrupt" | "wait";
    by: string;
    via: string;
    at: string;
    status: "queued" | "typed" | "delivered" | "failed";
    problem?: string; // failed: why
    trouble?: string; // failed: the same as a code, if there is one
  }
  interface NewConversation {
    id?: string; // 8 to 64 letters, digits and dashes; without it the hub chooses
    assistant?: string; // without it the first one
    name?: string; // for people to read
    room?: string; // where it is held
    user?: string; // with whom
    language?: string; // what it is held in, such as pl
    context?: number; // seconds of silence after which it is over; 0: it stays
  }
  interface NewKey {
    key: string; // "background" or "mode"
  }
  interface NewLease {
    rules: string[]; // in Claude Code's syntax
    minutes: number;
    times?: number; // 0: 30
    agent?: string;
    folder?: string;
    host?: string;
  }
  interface NewMessage {
    id: string;
    text: string;
    when_busy?: "queue" | "interrupt" | "wait";
    files?: string[]; // ids of attachments
  }
  interface NewPairing {
    rights?: string; // none: view,answer
  }
  interface NewToken {
    name: string;
    rights: string;
    room?: string;
  }
  interface Option {
    id: string;
    kind: "always" | "mode" | "lease";
    label: string; // its exact meaning: a rule, a mode
    detail?: string; // where it is kept, how far it reaches
    rules?: string[]; // a lease: what it would allow
    update?: unknown; // the driver's own words for it, echoed as they came
  }
  interface Pairing {
    code: string;
    link: string;
    expires_at: string;
    qr: string[]; // the link as a QR code: rows of 1 (dark) and 0
  }
  interface CardPart {
    kind: string;
    title: string;
    html: string;
  }
  interface Process {
    pid?: number;
    start?: number; // with PID: tells a reused pid from the old process
    local?: boolean; // on the hub's own machine
    pane?: string; // tmux pane
    tmux?: string; // socket of the tmux server that owns the pane
    run?: string; // socket of nod run
    status?: string; // the file with its live status, if it has one
  }
  interface Question {
    id?: string; // name of a form field; questions are identified by their text
    question: string;
    header?: string;
    options?: Choice[];
    multi_select?: boolean;
    free_text?: boolean; // a free-text answer is accepted too
    type?: string; // of a form field: string, number, integer, boolean
    optional?: boolean;
  }
  interface Receipt {
    step: "raised" | "stored" | "told" | "shown" | "decided" | "delivered" | "applied" | "doubted" | "held" | "overruled";
    by?: string;
    via?: string;
    proof?: string; // the evidence: "PostToolUse"
    at: string;
  }
  interface Redemption {
    code: string;
    name: string;
    cookie?: boolean; // a browser: half of the token goes into a cookie
  }
  interface Request {
    id: string;
    agent: AgentRef;
    kind: "approval" | "question" | "plan" | "elicitation";
    tool?: string;
    title: string; // one line: what is asked
    display?: string; // what to read before answering; drawn with Visible
    input?: unknown; // exactly what the agent will run
    risk?: Risk;
    questions?: Question[];
    options?: Option[];
    suggestions?: Suggestion[];
    link?: string; // elicitation: a page to open
    can_edit: boolean;
    edit_field?: string; // the input's main text, which a plain edit replaces
    can_always: boolean;
    one_tap: boolean; // safe to allow or deny without opening it
    unsure?: boolean; // the dialog may be about something else than the input: only a person who reads it may answer
    dialog: string;
    asked_at: string;
    expires_at?: string;
    status: "pending" | "decided" | "expired" | "withdrawn";
    decision?: Decision;
    withdrawal?: Withdrawal;
    receipts?: Receipt[];
    call?: string; // the agent's own id of the tool call, if known
    seq: number; // its position in the log; lists are paged by it
  }
  interface RequestList {
    requests: Request[];
  }
  interface Risk {
    level: string;
    reason?: string;
  }
  interface Standing {
    ok: boolean;
    status: string; // live, ready or away
    reason?: string; // why it is away
  }
  interface Snapshot {
    seq: number;
    agents: Agent[];
    requests: Request[];
    leases: Lease[];
    messages: Message[];
    hosts?: Host[]; // other machines, if any
  }
  interface Stopped {
    leases: number;
    requests: number;
    agents: number; // those that were at work and have to stop
  }
  interface Stopping {
    by: string;
    via: string;
    at: string;
  }
  interface Subagent {
    id: string;
    type?: string;
    since: string;
  }
  interface Suggestion {
    label: string;
    emoji?: string;
    answer: Answer;
  }
  interface Terms {
    option?: string; // the offered lease; empty: the first
    minutes: number;
    times?: number; // 0: DefaultTimes
    where?: "session" | "folder" | "host"; // empty: this session
  }
  interface Token {
    id: string;
    name: string;
    rights: string;
    room?: string;
    created_at: string;
    expires_at?: string;
    used_at?: string;
  }
  interface TokenList {
    tokens: Token[];
  }
  interface Turn {
    agent: string;
    role: "person" | "agent" | "tool" | "system";
    text: string;
    tool?: string; // with Acted: which tool; with Noted: which key
    cut?: number; // bytes left out of Text, never silently
    subagent?: Subagent;
    message?: string; // the message that was read, or that this turn answers, if known
    trouble?: string; // with Noted: To was read, and gets no answer
    at: string;
    seq: number; // its position in the log; set when it is recorded
  }
  interface TurnList {
    turns: DrawnTurn[];
  }
  interface Withdrawal {
    reason: "terminal" | "host" | "ended" | "superseded" | "handed_back" | "lost";
    outcome?: string; // if known: allowed, denied, answered
    detail?: string;
    answers?: Record<string, { notes?: string; picked?: string[]; text?: string }>;
    at: string;
  }
}
