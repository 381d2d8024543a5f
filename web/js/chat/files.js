// Files that will go with the next message: each a small tile with its way.
import { draft } from "../drafts.js";
import { h, keyed, say } from "../html.js";
import { icon } from "../icons.js";
import { explain, notice } from "../notice.js";
import { store } from "../store.js";
import { t } from "../words.js";
import { MOST_BYTES, MOST_FILES, upload } from "./upload.js";

/** @typedef {{key: string, file: File, part: number, phase: "up" | "done" | "failed", got?: Nod.Attachment, problem?: string, stop: AbortController}} Piece */

let count = 0;

/** @param {number} n */
export const size = (n) => (n < 1000 ? `${n} B` : n < 1e6 ? `${Math.round(n / 1000)} kB` : `${(n / 1e6).toFixed(1)} MB`);

export class Files {
  /**
   * @param {string} agent
   * @param {() => void} changed
   */
  constructor(agent, changed) {
    this.agent = agent;
    this.changed = changed;
    this.element = h("ul", { class: "box-files", "aria-label": t("chat.files"), hidden: true });
    this.draw();
  }

  /** @returns {Piece[]} they stay when one looks at another agent meanwhile */
  get list() { return draft(`chat-files ${this.agent}`, () => /** @type {Piece[]} */ ([])); }

  get ready() { return this.list.every((p) => p.phase === "done"); }
  get busy() { return this.list.some((p) => p.phase === "up"); }

  /** @param {Iterable<File>} files */
  add(files) {
    for (const file of files) {
      if (this.list.length >= MOST_FILES) {
        notice(t("chat.files.most", MOST_FILES), { kind: "bad" });
        break;
      }
      if (file.size > MOST_BYTES) {
        notice(t("chat.files.large", file.name), { kind: "bad" });
        continue;
      }
      /** @type {Piece} */
      const p = { key: `f${++count}`, file, part: 0, phase: "up", stop: new AbortController() };
      this.list.push(p);
      void this.bring(p);
    }
    this.draw();
  }

  /** @param {Piece} p */
  async bring(p) {
    Object.assign(p, { phase: "up", part: 0, problem: undefined });
    this.draw();
    try {
      if (store.link !== "live") throw new Error(t("offline.refused"));
      p.got = await upload(p.file, (part) => { p.part = part; this.draw(); }, p.stop.signal);
      p.phase = "done";
    } catch (e) {
      Object.assign(p, { phase: "failed", problem: explain(e) });
    }
    this.draw();
  }

  /** @param {Piece} p */
  remove(p) {
    p.stop.abort();
    const at = this.list.indexOf(p);
    if (at >= 0) this.list.splice(at, 1);
    this.draw();
  }

  /** What was brought; the tiles go. @returns {Nod.Attachment[]} */
  take() {
    const got = this.list.splice(0).flatMap((p) => (p.got ? [p.got] : []));
    this.draw();
    return got;
  }

  draw() {
    this.element.hidden = this.list.length === 0;
    keyed(this.element, this.list, (p) => p.key, (p) => this.tile(p), (el, p) => {
      el.dataset.phase = p.phase;
      el.style.setProperty("--part", p.phase === "up" ? p.part.toFixed(3) : "1");
      const words = el.querySelector("small");
      if (words) say(words, p.phase === "up" ? `${Math.round(100 * p.part)}%` : p.phase === "failed" ? t("chat.files.failed") : size(p.file.size));
      el.title = p.problem ?? p.file.name;
      el.querySelector(".file-again")?.toggleAttribute("hidden", p.phase !== "failed");
    });
    this.changed();
  }

  /** @param {Piece} p */
  tile(p) {
    const picture = h("span", { class: "file-picture" }, icon("file", { size: 22 }));
    if (p.file.type.startsWith("image/")) void preview(p.file, picture);
    return h("li", { class: "file" }, picture,
      h("span", { class: "file-text" }, h("span", { class: "file-name" }, p.file.name || t("chat.files.picture")), h("small", { role: "status" })),
      h("button", { type: "button", class: "plain round file-again", "aria-label": t("chat.files.again", p.file.name), onclick: () => void this.bring(p) }, icon("again", { size: 20 })),
      h("button", { type: "button", class: "plain round", "aria-label": t("chat.files.remove", p.file.name), onclick: () => this.remove(p) }, icon("cross", { size: 20 })));
  }
}

/**
 * A small picture, drawn: the policy of the page allows no address of a blob.
 * @param {File} file
 * @param {HTMLElement} place
 */
async function preview(file, place) {
  try {
    const image = await createImageBitmap(file, { resizeHeight: 96, resizeQuality: "medium" });
    const canvas = h("canvas", { width: 96, height: 96, "aria-hidden": "true" });
    const side = Math.min(image.width, image.height);
    canvas.getContext("2d")?.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, 96, 96);
    image.close();
    place.replaceChildren(canvas);
  } catch {
    // Not a picture that this browser can draw: the shape of a file stays.
  }
}
