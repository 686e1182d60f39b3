// A plotted path: drawn square by square, by pointer, finger or keys. The server tells its cost, blocked steps and
// who may strike; this page knows no rules.

import { acting, declare, isAtEnd, isPlaying, kindWords, stateNow } from "./acting.js";
import { choose } from "./dialogs.js";
import { byId, h, keepingFocus, nameOf, s, visible } from "./dom.js";
import { CELL, centre } from "./map.js";
import { ruleWords } from "./perform.js";
import { askedFirst } from "./reach.js";
import { ask, Denied, Lost } from "./session.js";
import { app } from "./state.js";

const WAY_KINDS = ["move", "withdraw", "run", "step", "charge"];
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEPS = { ...ARROWS, Home: [-1, -1], PageUp: [1, -1], End: [-1, 1], PageDown: [1, 1] };

/** @type {{ on: boolean, kind: string, target: string, path: Square[], answer: any, asking: string | Promise<void>, key: string }} */
export const ownway = { on: false, kind: "move", target: "", path: [], answer: null, asking: "", key: "" };

/** The possible kinds of movement with a free choice of squares. */
function wayKinds() {
  const open = new Set((acting.legal?.acts ?? []).map((one) => one.kind));
  return WAY_KINDS.filter((kind) => open.has(kind));
}

export function isDrawing() {
  return ownway.on && isAtEnd() && wayKinds().length > 0;
}

/** Switch between plotted and best paths. */
export function switchDrawing(on = !ownway.on) {
  Object.assign(ownway, { on, path: [], answer: null, key: "" });
  if (on) wayStarts();
  drawOwnWay();
}

/** Choose the kind of movement of the plotted path. */
function drawAs(kind, target = ownway.target) {
  Object.assign(ownway, { kind, target, answer: null, key: "" });
  wayStarts();
  drawOwnWay();
}

/** Drop the path after new events, or for another combatant. */
export function freshWay() {
  const kinds = wayKinds();
  Object.assign(ownway, { path: [], answer: null, key: "", kind: kinds.includes(ownway.kind) ? ownway.kind : kinds[0] ?? "move" });
  if (isDrawing()) wayStarts();
  drawOwnWay();
}

function wayTargets() {
  return [...new Set((acting.legal?.acts ?? []).filter((one) => one.kind === "charge").map((one) => one.target))];
}

function wayStarts() {
  const targets = wayTargets();
  if (!targets.includes(ownway.target)) ownway.target = targets.includes(acting.aim) ? acting.aim : targets[0] ?? "";
  askWay();
}

function wayHead() {
  return ownway.path.at(-1) ?? stateNow().c.get(acting.who)?.at;
}

/** Extend the path to a square at any distance; back over the previous square removes the last. */
export function leadTo(to) {
  for (let from = wayHead(), left = 64; from && String(from) !== String(to) && left; left--) {
    const next = [0, 1].map((axis) => from[axis] + Math.sign(to[axis] - from[axis]));
    if (!leadOn(next)) return;
    from = next;
  }
}

/** Extend the path by one square; false if the server has answer that no step leads there. */
function leadOn(square) {
  const { path, answer } = ownway;
  const before = path.length > 1 ? path.at(-2) : stateNow().c.get(acting.who)?.at;
  if (path.length && String(before) === String(square)) path.pop();
  else if (answer?.for === wayKey() && answer.shut.some((at) => String(at) === String(square))) {
    tellWay(`No step leads into ${square.join()}.`);
    return false;
  } else if (ownway.kind === "step" && path.length) path.splice(0, path.length, square);
  else path.push(square);
  askWay();
  drawOwnWay();
  return true;
}

function takeBack() {
  ownway.path.pop();
  askWay();
  drawOwnWay();
}

/** The query to the server; its answer holds for this query only. */
function wayKey() {
  const { kind, path, target } = ownway;
  const words = { act: kind === "step" && !path.length ? "move" : kind, path: path.map((at) => at.join()).join(";"), ...(kind === "charge" ? { target } : {}) };
  return `/legal/${encodeURIComponent(acting.who)}/way?${new URLSearchParams(words)}`;
}

/** Fetch the cost of the path: one request at a time, the next one for the path at that time. */
async function askWay() {
  if (ownway.asking || !acting.who) return ownway.asking;
  const key = wayKey();
  ownway.asking = (async () => {
    try {
      ownway.answer = { ...(await ask(key)), for: key };
    } catch (error) {
      if (!(error instanceof Denied || error instanceof Lost)) throw error;
      ownway.answer = { for: key, feet: null, left: null, past: [], shut: [], depends: "", refused: { reason: error.message, rule: "" } };
    }
  })();
  await ownway.asking;
  ownway.asking = "";
  if (key !== wayKey() && ownway.on) return askWay();
  drawOwnWay();
}

/** Declare exactly the plotted path; ask first if it provokes. */
export async function goOwnWay() {
  if (!ownway.path.length) return;
  const key = wayKey();
  while (ownway.answer?.for !== key && key === wayKey()) await askWay();
  const { answer } = ownway;
  if (answer?.for !== key) return;
  if (answer.refused) {
    tellWay(`Not allowed: ${wayRefusal(answer)}.`);
    return;
  }
  const what = `${kindWords(ownway.kind)} ${answer.feet ?? ""} feet`;
  if (answer.past.length && (await choose(...askedFirst({ past: answer.past, feet: answer.feet, around: null, own: true }))) !== "go") return;
  ownway.path = [];
  drawOwnWay();
  await declare(answer.act, `${nameOf(acting.who)}: ${what} to ${answer.path.at(-1).join()}`);
}

function wayRefusal({ refused }) {
  return `${app.log.prose(refused.reason)}${ruleWords(refused.rule)}`;
}

/** The result of the path, in one line. */
function wayTold() {
  const { path, answer } = ownway;
  if (!path.length) return ownway.kind === "step" ? "Drag the token one step, or tap a square." : "Drag the token along, or tap square after square.";
  if (answer?.for !== wayKey()) return `${path.length} ${path.length > 1 ? "squares" : "square"} …`;
  const parts = [
    answer.feet !== null && `${answer.feet} feet`,
    answer.left !== null && (answer.left < 0 ? `${-answer.left} too many` : `${answer.left} left`),
    answer.past.length > 0 && `${answer.past.map(nameOf).join(" and ")} may attack`,
    answer.depends && `the rest depends on: ${app.log.prose(answer.depends)}`,
    answer.refused && `not allowed: ${wayRefusal(answer)}`,
  ];
  return `To ${path.at(-1)?.join()}: ${parts.filter(Boolean).join(", ")}.`;
}

function tellWay(words) {
  const line = byId("way-told");
  if (line && line.textContent !== visible(words)) line.textContent = visible(words);
}

/** Draw the path on the map and its result below. */
export function drawOwnWay() {
  drawWayBar();
  const layer = byId("map").querySelector(".layer-own");
  if (!layer) return;
  const one = isDrawing() && stateNow().c.get(acting.who);
  byId("map").classList.toggle("drawing", Boolean(one?.at));
  if (!one?.at) return layer.replaceChildren();
  const { path, answer } = ownway;
  const known = answer?.for === wayKey();
  const half = one.space / 2;
  const points = [one.at, ...path].map(([x, y]) => [(x + half) * CELL, (y + half) * CELL]);
  const bad = known && path.length > 0 && (answer.refused || answer.past.length > 0);
  const [x, y] = wayHead();
  layer.replaceChildren(
    ...(known ? answer.shut : []).flatMap(([a, b]) => ["no-entry under", "no-entry"].map((kind) => s("path", { class: kind, d: `M${a * CELL + 11} ${b * CELL + 11}l18 18m0 -18l-18 18` }))),
    s("polyline", { class: bad ? "going struck-at" : "going", points: points.map((at) => at.join()).join(" ") }),
    ...points.slice(1).map(([cx, cy]) => s("circle", { class: "footstep", cx, cy, r: 4 })),
    s("rect", { class: "goal", x: x * CELL + 2, y: y * CELL + 2, width: one.space * CELL - 4, height: one.space * CELL - 4, rx: 5 }),
    ...(known ? answer.past : []).flatMap((id) => {
      const other = stateNow().c.get(id);
      return other?.at ? [s("circle", { class: "striker", cx: centre(other)[0], cy: centre(other)[1], r: other.space * 20 + 4 })] : [];
    }),
  );
}

/** Draw the switch, the kind of movement and the result, with buttons for users who do not drag. */
function drawWayBar() {
  const bar = byId("way-bar");
  if (!bar) return;
  const kinds = isPlaying() && isAtEnd() ? wayKinds() : [];
  bar.hidden = !kinds.length;
  if (!kinds.length) return;
  const button = (key, label, act, more = {}) => h("button", { type: "button", "data-key": `way ${key}`, onclick: act, ...more }, label);
  const drawing = isDrawing();
  tellWay(drawing ? wayTold() : "");
  const shown = JSON.stringify([kinds, drawing, ownway.kind, ownway.target, wayTargets(), ownway.path.length > 0]);
  if (bar.dataset.shown === shown) return;
  bar.dataset.shown = shown;
  keepingFocus(bar, () => byId("way-switches").replaceChildren(...[
    button("switch", "Plot path", () => switchDrawing(), { "aria-pressed": String(drawing), title: "Plot a path (w, or drag with Shift)" }),
    drawing && kinds.length > 1 && h("select", { "data-key": "way kind", "aria-label": "Kind of movement", onchange: (event) => drawAs(event.target.value) }, kinds.map((kind) => h("option", { value: kind, selected: kind === ownway.kind }, kindWords(kind)))),
    drawing && ownway.kind === "charge" && h("select", { "data-key": "way target", "aria-label": "Target", onchange: (event) => drawAs("charge", event.target.value) }, wayTargets().map((id) => h("option", { value: id, selected: id === ownway.target }, nameOf(id)))),
    drawing && ownway.path.length > 0 && button("go", "Go", goOwnWay, { class: "main" }),
    drawing && ownway.path.length > 0 && button("back", "Remove last", takeBack),
    drawing && ownway.path.length > 0 && button("drop", "Cancel", dropWay),
  ].filter(Boolean)));
}

function dropWay() {
  ownway.path = [];
  askWay();
  drawOwnWay();
}

/** Handle keys while a path is plotted; true for keys that were used. */
export function onWayKey({ key, shiftKey }) {
  if (!isDrawing()) return false;
  if (STEPS[key] && !shiftKey) {
    const head = wayHead();
    if (head) leadOn([head[0] + STEPS[key][0], head[1] + STEPS[key][1]]);
  } else if (key === "Enter" && ownway.path.length) goOwnWay();
  else if (key === "Backspace") takeBack();
  else if (key === "Escape") ownway.path.length ? dropWay() : switchDrawing(false);
  else return false;
  return true;
}

/** A tap extends the path to that square; a tap on its end goes there. */
export function tapWay(at) {
  if (String(at) === String(ownway.path.at(-1))) goOwnWay();
  else leadTo(at);
}
