// The page's state, and its subscribers.
import { apply, empty, restart } from "./state.js";
import { Live } from "./live.js";

/** @typedef {"state" | "event" | "link" | "me"} Topic */

/** @type {Map<Topic, Set<(x: any) => void>>} */
const ears = new Map();
let frame = 0;

export const store = {
  state: empty(),
  link: /** @type {Nod.Link} */ ("connecting"),
  /** When the connection was last good; what is on the screen is of then. */
  goodAt: 0,
  me: /** @type {Nod.Me | undefined} */ (undefined),

  /**
   * @param {Topic} topic
   * @param {(x: any) => void} f
   * @returns {() => void} ends it
   */
  on(topic, f) {
    const set = ears.get(topic) ?? new Set();
    ears.set(topic, set.add(f));
    return () => set.delete(f);
  },

  /** @param {Nod.Me | undefined} me */
  setMe(me) {
    store.me = me;
    tell("me", me);
  },

  /** @param {string} right */
  may: (right) => store.me?.rights.includes(right) ?? false,

  /** Adds what a response of the hub contained before the log did. @param {Nod.Request} r */
  learn(r) {
    store.state = { ...store.state, requests: new Map(store.state.requests).set(r.id, r) };
    changed();
  },
};

export const live = new Live({
  seq: () => store.state.seq,
  snapshot(snap) {
    store.state = restart(store.state, snap);
    changed();
  },
  event(e) {
    store.state = apply(store.state, e);
    tell("event", e);
    changed();
  },
  link(link) {
    if (link === "live") store.goodAt = Date.now();
    if (link === store.link) return;
    if (store.link === "live") store.goodAt = Date.now();
    store.link = link;
    if (link === "signedout") { // taken away: what it knew is not its any more
      store.state = empty();
      changed();
    }
    tell("link", link);
  },
});

/** However many events come at once, the page is drawn once. */
function changed() {
  if (frame) return;
  // A hidden page has no frames; it must not fall behind.
  frame = document.hidden ? Number(setTimeout(draw, 50)) : requestAnimationFrame(draw);
}

function draw() {
  frame = 0;
  tell("state", store.state);
}

/**
 * @param {Topic} topic
 * @param {unknown} x
 */
function tell(topic, x) {
  for (const f of ears.get(topic) ?? []) f(x);
}
