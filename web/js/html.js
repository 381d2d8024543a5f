// Builds the page. Everything is made of elements and text, so a text of an
// agent can never become markup. The one exception, what the hub has rendered
// and cleaned, goes through trusted() and is looked over once more there.

/** @typedef {Node | string | number | null | undefined | false} Piece */
/** @typedef {Piece | Piece[]} Child */

import { visible } from "./visible.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * h("button", {class: "primary", onclick: f}, "Allow")
 * Properties: on… are listeners, class, dataset and style are what they are
 * called, true and false set and leave out, everything else is an attribute.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  set(el, props);
  add(el, children);
  return /** @type {HTMLElementTagNameMap[K]} */ (el);
}

/**
 * The same for drawings.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  set(el, props);
  add(el, children);
  return /** @type {SVGElement} */ (el);
}

/**
 * @param {HTMLElement | SVGElement} el
 * @param {Record<string, any> | null | undefined} props
 */
export function set(el, props) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) {
      if (!name.startsWith("on")) el.removeAttribute(name);
    } else if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "dataset") Object.assign(el.dataset, value);
    else if (name === "style") for (const [k, v] of Object.entries(value)) el.style.setProperty(k, String(v));
    else el.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Node} el
 * @param {Child[]} children
 */
function add(el, children) {
  for (const c of children.flat()) {
    if (c === null || c === undefined || c === false) continue;
    el.appendChild(c instanceof Node ? c : document.createTextNode(visible(String(c))));
  }
}

/**
 * Replaces what is inside.
 * @template {Element | DocumentFragment} E
 * @param {E} el
 * @param {...Child} children
 * @returns {E}
 */
export function fill(el, ...children) {
  el.replaceChildren();
  add(el, children);
  return el;
}

/**
 * Writes a text only when it changed: nothing moves unless something happened.
 * @param {Node} el
 * @param {string} text
 */
export function say(el, text) {
  const seen = visible(text);
  if (el.textContent !== seen) el.textContent = seen;
}

/**
 * Brings the children of a list into the order of items without touching those
 * that stay: focus, drafts and scroll positions live in them.
 * @template T
 * @template {HTMLElement} E
 * @param {Element} list
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => E} make
 * @param {(el: E, item: T) => void} [update]
 */
export function keyed(list, items, key, make, update) {
  /** @type {Map<string, E>} */
  const there = new Map();
  for (const el of /** @type {Iterable<E>} */ (list.children)) there.set(el.dataset.key ?? "", el);
  let at = list.firstElementChild;
  for (const item of items) {
    const k = key(item);
    let el = there.get(k);
    there.delete(k);
    if (!el) {
      el = make(item);
      el.dataset.key = k;
    }
    if (el === at) at = at.nextElementSibling;
    else list.insertBefore(el, at);
    update?.(el, item);
  }
  for (const el of there.values()) el.remove();
}

const policy = globalThis.window?.trustedTypes?.createPolicy("nod", {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (url !== "/sw.js") throw new TypeError("only the service worker is loaded by address");
    return url;
  },
});

const TAGS = new Set(("A ABBR B BLOCKQUOTE BR CODE DEL DETAILS DIV EM H1 H2 H3 H4 H5 H6 HR I INS KBD LI OL P PRE S SAMP SPAN STRONG SUB SUMMARY SUP " +
  "TABLE TBODY TD TH THEAD TR UL").split(" "));
const ATTRIBUTES = new Set(["class", "title", "start", "colspan", "rowspan", "lang", "dir", "open", "aria-label", "aria-hidden", "role", "tabindex", "data-line"]);

/**
 * HTML that the hub has rendered, as nodes. Its own cleaning is the wall; this
 * is the fence before it.
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function trusted(html) {
  const t = document.createElement("template");
  t.innerHTML = policy ? policy.createHTML(html) : html;
  for (const el of [...t.content.querySelectorAll("*")]) {
    if (!TAGS.has(el.tagName)) {
      el.remove();
      continue;
    }
    for (const { name } of [...el.attributes]) if (!ATTRIBUTES.has(name) && name !== "href") el.removeAttribute(name);
    if (el instanceof HTMLAnchorElement) outward(el);
  }
  return t.content;
}

/** @param {HTMLAnchorElement} a */
function outward(a) {
  if (!["https:", "http:", "mailto:"].includes(a.protocol)) a.removeAttribute("href");
  a.rel = "noopener noreferrer nofollow";
  a.target = "_blank";
}

/** @param {string} url @returns {string} */
export const trustedScript = (url) => (policy ? policy.createScriptURL(url) : url);
