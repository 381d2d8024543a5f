// The JSON of /v1, as the root package of nod defines it. Global on purpose:
// every module may say Nod.Request without an import that would be shipped.
declare namespace Nod {
  type AgentState = "idle" | "working" | "waiting" | "limited" | "error" | "ended";

  interface Agent {
    id: string; kind: string; name: string; host: string; hub?: string; cwd: string; state: AgentState; since: string;
    tool?: string; mode?: string; model?: string; prompt?: string;
    subagents?: Subagent[]; until?: string; problem?: string; needs_you?: string;
    can?: string[]; stopping?: { by: string; via: string; at: string };
    context?: { tokens: number; window?: number }; cost_usd?: number; conversation?: Conversation;
    started_at: string; seen_at: string;
  }
  /** An agent without a terminal: nod keeps its program. */
  interface Conversation { assistant: string; room?: string; user?: string; language?: string; context?: number; until?: string; turns?: number; warm?: boolean }
  interface Assistant { name: string; about?: string; kind: string; model?: string; host?: string; cwd?: string; language?: string }
  /** A piece of an answer that is being written; at counts bytes. */
  interface Draft { agent: string; message?: string; at: number; text?: string; over?: boolean }
  interface Subagent { id: string; type?: string; since: string }
  interface AgentRef { id: string; name: string; host: string; cwd: string; kind: string; subagent?: Subagent }

  interface Request {
    id: string; agent: AgentRef; kind: "approval" | "question" | "plan" | "elicitation";
    tool?: string; title: string; display?: string; input?: Record<string, unknown>;
    risk?: { level: string; reason?: string };
    questions?: Question[]; options?: Option[]; suggestions?: Suggestion[];
    link?: string; can_edit: boolean; edit_field?: string; can_always: boolean; one_tap: boolean;
    dialog: "beside" | "after" | "never"; asked_at: string; expires_at?: string;
    status: "pending" | "decided" | "expired" | "withdrawn";
    decision?: Decision; withdrawal?: Withdrawal; receipts?: Receipt[]; seq: number;
  }
  interface Question {
    id?: string; question: string; header?: string; options?: Choice[];
    multi_select?: boolean; free_text?: boolean; type?: string; optional?: boolean;
  }
  interface Choice { label: string; description?: string; preview?: string }
  interface Option { id: string; kind: "always" | "mode" | "lease"; label: string; detail?: string; rules?: string[] }
  interface Suggestion { label: string; emoji?: string; answer: Answer }
  interface Reply { picked?: string[]; text?: string; notes?: string }
  interface Answer {
    verdict: "allow" | "deny" | "answer";
    input?: unknown; answers?: Record<string, Reply>; remember?: string;
    lease?: { option: string; minutes: number; times: number; where: "session" | "folder" | "host" };
    message?: string; stop?: boolean; mode?: string;
  }
  interface Decision extends Answer { by: string; via: string; at: string; under?: string }
  interface Withdrawal { reason: string; outcome?: string; detail?: string; at: string }
  interface Receipt { step: string; by?: string; via?: string; proof?: string; at: string }

  interface Lease {
    id: string; rules: string[]; agent?: string; folder?: string; host?: string;
    until: string; limit: number; used: number; by: string; via: string; granted_at: string;
    request?: string; end?: { reason: string; by?: string; via?: string; at: string };
  }
  type WhenBusy = "queue" | "interrupt" | "wait";
  interface Attachment { id: string; name: string; size: number }
  interface Message {
    id: string; agent: string; text: string; by: string; via: string; at: string;
    files?: Attachment[]; when_busy?: WhenBusy;
    status: "queued" | "typed" | "delivered" | "failed"; problem?: string;
  }
  interface Turn {
    agent: string; role: "person" | "agent" | "tool" | "system"; text: string; html?: string;
    tool?: string; cut?: number; subagent?: Subagent; message?: string; trouble?: string; at: string; seq: number;
  }
  /** Another machine: one with a link, or one of several hubs. */
  interface Host { name: string; hub?: string; up: boolean; since: string; version?: string }
  interface Actor { kind: string; name: string; via?: string; id?: string }

  interface Event {
    seq: number; at: string; kind: string; agent_id?: string; request_id?: string; by?: Actor;
    agent?: Agent; request?: Request; decision?: Decision; withdrawal?: Withdrawal; receipt?: Receipt;
    turn?: Turn; message?: Message; lease?: Lease; host?: Host; note?: string;
  }
  interface Snapshot { seq: number; agents: Agent[]; requests: Request[]; leases?: Lease[]; messages?: Message[]; hosts?: Host[] }

  interface Me { kind: string; name: string; via?: string; id?: string; rights: string[]; version: string; demo?: boolean; open?: boolean }
  interface CardPart { kind: string; title?: string; html: string }

  /** What the page knows; made by state.js, never changed in place. */
  interface State {
    seq: number;
    agents: Map<string, Agent>;
    requests: Map<string, Request>;   // pending, and settled ones that are still of interest
    leases: Map<string, Lease>;
    messages: Map<string, Message>;
    hosts: Map<string, Host>;
    lastTurn: Map<string, number>;    // by agent: its newest answer
  }

  /** connecting: first try · live · waiting: broken, trying again · signedout: nobody knows this browser */
  type Link = "connecting" | "live" | "waiting" | "signedout";

  /** A screen is one module with one function. */
  interface Screen {
    element: HTMLElement;
    title: string;
    /** Called after every change of the state, at most once a frame. */
    update?(state: State): void;
    /** Called for every event as it comes, before update. */
    event?(e: Event): void;
    /** A shortcut that the shell does not know; true when it was used. */
    key?(key: string): boolean;
    leave?(): void;
  }
  type MakeScreen = (params: Record<string, string>) => Screen;
}

interface TrustedTypesWindow { createPolicy(name: string, rules: Record<string, (s: string) => string>): { createHTML(s: string): string; createScriptURL(s: string): string } }
interface Window { trustedTypes?: TrustedTypesWindow }
interface HTMLElementTagNameMap {
  "nod-card": import("./js/elements/card.js").NodCard;
  "nod-hold": import("./js/elements/hold.js").NodHold;
  "nod-badge": import("./js/elements/badge.js").NodBadge;
  "nod-time": import("./js/elements/clock.js").NodTime;
}
