// A make-believe hub for people who work on the page: node web/dev/mock.mjs
// [--port 8750] [--turns 5000] [--slow 60] [--scene busy|quiet|empty|unpaired|view] [--still]. Nothing of it is shipped.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import * as data from "./data.mjs";

const option = (name, spare) => (process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : spare);
const scene = option("scene", "busy"), port = Number(option("port", 8750)), still = process.argv.includes("--still");
const here = fileURLToPath(new URL("..", import.meta.url));
const TYPES = { ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".html": "text/html", ".webmanifest": "application/manifest+json" };
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types nod";

let seq = 10_000, paired = scene !== "unpaired";
const world = data.world(scene);
const followers = new Set();

function tell(event) {
  const e = { seq: ++seq, at: new Date().toISOString(), ...event };
  for (const f of followers) f.write(`id: ${e.seq}\ndata: ${JSON.stringify(e)}\n\n`);
}

/** A conversation; --turns 5000 makes those of the first agent long. */
const spoken = new Map();
function talks(id) {
  if (!spoken.has(id)) spoken.set(id, data.turns(id, id === world.agents[0]?.id ? Number(option("turns", 0)) : 0));
  return spoken.get(id);
}

function said(id, role, text) {
  const turn = { agent: id, role, text, at: new Date().toISOString(), seq: seq + 1 };
  talks(id).push({ ...turn, html: data.drawn(text) });
  seq = Math.max(seq, turn.seq - 1);
  tell({ kind: "turn.taken", agent_id: id, turn });
}

/** Answers that are being written, and who reads them. */
const drafts = new Map(), readers = new Map();
function piece(id, p) {
  for (const res of readers.get(id) ?? []) res.write(`event: piece\ndata: ${JSON.stringify({ agent: id, ...p })}\n\n`);
}

/** An assistant answers slowly, word by word. --slow MS between words. */
async function converse(agent, message) {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const turn = (role, more) => {
    const t = { agent: agent.id, role, message: message.id, at: new Date().toISOString(), seq: seq + 1, text: "", ...more };
    talks(agent.id).push({ ...t, html: data.drawn(t.text) });
    tell({ kind: "turn.taken", agent_id: agent.id, turn: t });
  };
  const change = (more) => { Object.assign(agent, { since: new Date().toISOString() }, more); tell({ kind: "agent.changed", agent_id: agent.id, agent: { ...agent } }); };
  tell({ kind: "message.typed", message: { ...message, status: "typed" } });
  await pause(300);
  tell({ kind: "message.delivered", message: { ...message, status: "delivered" } });
  turn("person", { text: message.text });
  change({ state: "working", conversation: { ...agent.conversation, warm: true, until: undefined } });
  if (/trouble/.test(message.text)) {
    await pause(400);
    turn("system", { text: "Please run /login", trouble: "login" });
    return change({ state: "idle" });
  }
  const whole = data.answer(message.text);
  let text = "";
  for (const word of whole.match(/\S+\s*/g)) {
    await pause(Number(option("slow", 60)));
    piece(agent.id, { message: message.id, at: Buffer.byteLength(text), text: word });
    drafts.set(agent.id, { message: message.id, at: 0, text: text += word });
  }
  turn("agent", { text: whole });
  change({ state: "idle" });
  drafts.delete(agent.id);
  piece(agent.id, { message: message.id, at: Buffer.byteLength(text), over: true });
}

/** The words, straight from the Go source. */
function words(lang) {
  const dir = join(here, "../internal/present/words"), book = {}, L = lang.toUpperCase();
  for (const name of readdirSync(dir).filter((n) => /^web_\w+\.go$/.test(n) && !n.endsWith("_test.go"))) {
    for (const line of readFileSync(join(dir, name), "utf8").split("\n")) {
      const key = line.match(/^\t\{"([^"]+)", (Message|Plural)/);
      if (!key) continue;
      const value = line.match(key[2] === "Message" ? new RegExp(`${L}: ("(?:[^"\\\\]|\\\\.)*")`) : new RegExp(`${L}: (?:\\[\\d\\]string\\{([^}]*)\\}|("(?:[^"\\\\]|\\\\.)*"))`));
      if (key[2] === "Message") book[key[1]] = JSON.parse(value[1]);
      else {
        const forms = JSON.parse(`[${value[1] ?? value[2]}]`);
        book[key[1]] = { one: forms[0], few: forms[1], many: forms[2] ?? forms[1], other: forms.at(-1) };
      }
    }
  }
  return book;
}

const json = (res, status, body) => { res.writeHead(status, { "Content-Type": "application/json" }); res.end(body === undefined ? "" : JSON.stringify(body)); };
const fail = (res, status, code, message, more = {}) => json(res, status, { error: { code, message }, ...more });

async function file(res, name) {
  try {
    let body = await readFile(join(here, normalize(name)));
    if (["index.html", "sw.js", "manifest.webmanifest"].includes(name)) body = body.toString().replaceAll("@version", "dev");
    res.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "text/plain", "Cache-Control": "no-store", "Content-Security-Policy": CSP });
    res.end(body);
  } catch {
    fail(res, 404, "not_found", "there is no such file");
  }
}

function settle(r, decision) {
  const d = { by: "Pixel, Chrome", via: "web", at: new Date().toISOString(), ...decision };
  Object.assign(r, { status: "decided", decision: d });
  tell({ kind: "request.decided", request_id: r.id, decision: d });
  const receipt = (step, ms) => setTimeout(() => tell({ kind: "request.receipt", request_id: r.id, receipt: { step, by: "hook", at: new Date().toISOString() } }), ms);
  receipt("delivered", 500);
  receipt(r.doubt ? "doubted" : "applied", 1400);
  if (d.lease) {
    const lease = { ...data.lease(r, d.lease) };
    world.leases.push(lease);
    tell({ kind: "lease.granted", lease });
  }
  return d;
}

async function body(req) {
  let text = "";
  for await (const chunk of req) text += chunk;
  return text ? JSON.parse(text) : {};
}

/** @type {[string, RegExp, Function][]} */
const routes = [
  ["GET", /^\/v1\/me$/, (_, res) => json(res, 200, { ...data.me, rights: scene === "view" ? ["view"] : data.me.rights, open: scene !== "view" && scene !== "empty" })],
  ["GET", /^\/v1\/state$/, (_, res) => json(res, 200, { seq, agents: world.agents, requests: world.requests.filter((r) => r.status === "pending"), leases: world.leases, messages: [], hosts: world.hosts ?? [] })],
  ["GET", /^\/v1\/events$/, (req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.write(": hello\n\n");
    followers.add(res);
    const beat = setInterval(() => res.write(": still here\n\n"), 15_000);
    req.on("close", () => { followers.delete(res); clearInterval(beat); });
  }],
  ["GET", /^\/v1\/requests\/([^/]+)\/card$/, (_, res, id) => json(res, 200, { parts: data.parts(world.requests.find((r) => r.id === id)) })],
  ["POST", /^\/v1\/requests\/([^/]+)\/shown$/, (_, res) => { res.writeHead(204); res.end(); }],
  ["GET", /^\/v1\/requests\/([^/]+)$/, (_, res, id) => json(res, 200, world.requests.find((r) => r.id === id))],
  ["POST", /^\/v1\/requests\/([^/]+)\/decision$/, async (req, res, id) => {
    const r = world.requests.find((x) => x.id === id), answer = await body(req);
    console.log("decision", id, JSON.stringify(answer));
    if (!r) return fail(res, 404, "not_found", "there is no such request");
    if (r.status !== "pending") return fail(res, 409, "conflict", "someone was first", { request: r });
    await new Promise((done) => setTimeout(done, 250));
    return json(res, 200, settle(r, answer));
  }],
  ["POST", /^\/v1\/stop$/, (_, res) => {
    for (const r of world.requests.filter((x) => x.status === "pending")) settle(r, { verdict: "deny", stop: true });
    for (const lease of world.leases.splice(0)) tell({ kind: "lease.ended", lease });
    for (const agent of world.agents) tell({ kind: "agent.changed", agent: Object.assign(agent, { state: "idle" }) });
    json(res, 200, {});
  }],
  ["POST", /^\/v1\/agents\/([^/]+)\/interrupt$/, (_, res, id) => {
    const agent = world.agents.find((a) => a.id === id);
    tell({ kind: "agent.changed", agent: Object.assign(agent, { stopping: { by: "you", via: "web", at: new Date().toISOString() } }) });
    json(res, 202, {});
  }],
  ["DELETE", /^\/v1\/leases\/([^/]+)$/, (_, res, id) => {
    const [lease] = world.leases.splice(world.leases.findIndex((l) => l.id === id), 1);
    tell({ kind: "lease.ended", lease });
    res.writeHead(204).end();
  }],
  ["GET", /^\/v1\/agents\/([^/]+)\/turns$/, (req, res, id) => {
    const q = new URL(req.url, "http://x").searchParams, before = Number(q.get("before") ?? 0) || Infinity;
    json(res, 200, { turns: talks(id).filter((x) => x.seq < before).slice(-(Number(q.get("limit")) || 100)).reverse() });
  }],
  ["POST", /^\/v1\/agents\/([^/]+)\/turns$/, async (req, res, id) => {
    const m = await body(req);
    console.log("say", id, JSON.stringify(m));
    const message = { ...m, agent: id, by: data.me.name, via: "web", at: new Date().toISOString(), status: "queued", files: (m.files ?? []).map((f) => ({ id: f, name: f, size: 1 })) };
    tell({ kind: "message.said", agent_id: id, message });
    const agent = world.agents.find((a) => a.id === id);
    if (agent?.conversation) {
      void converse(agent, message);
      return json(res, 202, message);
    }
    const later = (ms, f) => setTimeout(f, ms);
    if (/lose/.test(m.text)) return req.socket.destroy();
    if (/fail/.test(m.text)) later(900, () => tell({ kind: "message.failed", message: { ...message, status: "failed", problem: "The session was closed before it could hear this." } }));
    else if (!/late/.test(m.text)) later(700, () => { tell({ kind: "message.delivered", message: { ...message, status: "delivered" } }); said(id, "person", m.text); later(900, () => said(id, "agent", `You said **${m.text}**.`)); });
    return json(res, 202, message);
  }],
  ["GET", /^\/v1\/assistants$/, (_, res) => json(res, 200, { assistants: data.assistants })],
  ["POST", /^\/v1\/agents$/, async (req, res) => {
    const o = await body(req), now = new Date().toISOString();
    const agent = { id: o.id, kind: "claude", name: o.name ?? o.assistant, host: "desk", cwd: "", state: "idle", since: now, started_at: now, seen_at: now, can: ["say", "interrupt"], conversation: { assistant: o.assistant } };
    world.agents.push(agent);
    spoken.set(agent.id, []);
    tell({ kind: "agent.changed", agent_id: agent.id, agent });
    json(res, 201, agent);
  }],
  ["DELETE", /^\/v1\/agents\/([^/]+)$/, (_, res, id) => {
    tell({ kind: "agent.changed", agent_id: id, agent: Object.assign(world.agents.find((a) => a.id === id), { state: "ended", problem: "ended by you" }) });
    res.writeHead(204).end();
  }],
  ["GET", /^\/v1\/agents\/([^/]+)\/draft$/, (req, res, id) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.write("retry: 2000\n\n");
    readers.set(id, (readers.get(id) ?? new Set()).add(res));
    if (drafts.has(id)) res.write(`event: piece\ndata: ${JSON.stringify({ agent: id, ...drafts.get(id) })}\n\n`);
    req.on("close", () => readers.get(id).delete(res));
  }],
  ["POST", /^\/v1\/attachments$/, async (req, res) => {
    let size = 0;
    for await (const chunk of req) size += chunk.length;
    json(res, 201, { id: `f${size}`, name: new URL(req.url, "http://x").searchParams.get("name"), size });
  }],
  ["GET", /^\/v1\/history$/, (_, res) => json(res, 200, { requests: [] })],
  ["POST", /^\/v1\/pair$/, async (req, res) => {
    const { code } = await body(req);
    if (code === "WRONG") return fail(res, 401, "unauthorized", "wrong code");
    paired = true;
    return json(res, 201, { id: "d1", name: "x", rights: "view,answer", key: "half" });
  }],
];

createServer(async (req, res) => {
  const { pathname } = new URL(req.url, "http://x");
  const language = pathname.match(/^\/app\/words\/(en|pl|ja)\.json$/);
  if (language) return json(res, 200, words(language[1]));
  if (pathname === "/sw.js" || pathname === "/manifest.webmanifest") return file(res, pathname.slice(1));
  if (pathname.startsWith("/app/dev/")) return file(res, pathname.slice(9));
  if (!pathname.startsWith("/v1/")) return file(res, "index.html");
  if (!paired && pathname !== "/v1/pair") return fail(res, 401, "unauthorized", "who are you?");
  for (const [method, path, handle] of routes) {
    const found = pathname.match(path);
    if (found && method === req.method) return handle(req, res, decodeURIComponent(found[1] ?? ""));
  }
  return fail(res, 404, "not_found", "the mock does not know this");
}).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}`));

if (!still && scene === "busy") {
  setInterval(() => {
    const agent = world.agents[0];
    tell({ kind: "agent.changed", agent: Object.assign(agent, { tool: data.pick(["Bash: go test ./...", "Read: internal/hub/writer.go", "Edit: web/app.js", "Grep: TODO"]) }) });
  }, 3000);
  setInterval(() => {
    if (world.requests.filter((r) => r.status === "pending").length > 8) return;
    const request = data.fresh();
    world.requests.push(request);
    tell({ kind: "request.raised", request });
  }, 12_000);
}
