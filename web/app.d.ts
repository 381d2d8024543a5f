// What the web app has beside the JSON of /v1, which types.d.ts declares. Global on
// purpose: every module may say Nod.Request without an import that would be shipped.
declare namespace Nod {
  type AgentState = Agent["state"];
  type WhenBusy = NonNullable<Message["when_busy"]>;
  type Reply = NonNullable<Answer["answers"]>[string];
  /** The hub renders turns only in lists (DrawnTurn); the page keeps those of events beside them. */
  interface Turn { html?: string }

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
