// The acting combatant and its possible acts: the server lists them, the page knows no rules.

import { drawActing } from "./acts.js";
import { renderMap } from "./app.js";
import { byId } from "./dom.js";
import { whereDeclared } from "./held.js";
import { goLive } from "./live.js";
import { stateAt } from "./log.js";
import { mainline } from "./mainline.js";
import { freshWay } from "./ownway.js";
import { perform } from "./perform.js";
import { mayMove } from "./rolling.js";
import { ask, Denied, kept, Lost, session } from "./session.js";
import { app } from "./state.js";

const ASKED_AFTER = 60; // milliseconds; events arrive in groups

/** @type {{ who: string, chosen: boolean, legal: any, aim: string, mode: string, timer: number, wanted: string, places: any, active?: string }} */
export const acting = { who: "", chosen: false, legal: null, aim: "", mode: "", timer: 0, wanted: "", places: null };

export function isMaster() {
  return session.role === "game master";
}

/** Whether this user plays a combatant. */
export function isMine(id) {
  return isMaster() || session.combatants.includes(id);
}

export function isPlaying() {
  return isMaster() || session.combatants.length > 0;
}

/** Whether the page shows the current state. */
export function isAtEnd() {
  return app.line === mainline.line && app.seq === app.line.last;
}

export function stateNow() {
  return stateAt(mainline.line, mainline.line.last);
}

/** The combatants that this user may act for, in initiative order. */
export function ownOnes() {
  const { c, g } = stateNow();
  const all = [...new Set([...g.order ?? [], ...c.keys()])];
  return all.filter((id) => c.has(id) && isMine(id));
}

/** Act as a combatant from now on, in any turn. */
export function actAs(id) {
  acting.chosen = true;
  if (acting.who === id) return;
  Object.assign(acting, { who: id, legal: null, places: null, aim: "", mode: "" });
  drawActing();
  renderMap();
  askLegal();
}

/** List the acts aimed at a combatant first from now on; "" for none. */
export function turnTo(id) {
  if (acting.aim === id) return;
  acting.aim = id;
  drawActing();
}

/** After events: act as the combatant whose turn it is, and fetch the possible acts again. */
export function nowActing() {
  const { g, c } = stateNow();
  const own = ownOnes();
  const turned = acting.active !== g.active;
  acting.active = g.active;
  if (turned && own.includes(g.active)) acting.chosen = false;
  const wanted = !acting.chosen && own.includes(g.active) ? g.active : own.includes(acting.who) ? acting.who : own[0] ?? "";
  if (wanted !== acting.who) Object.assign(acting, { who: wanted, legal: null, places: null, mode: "" });
  if (acting.aim && (!c.has(acting.aim) || turned)) acting.aim = "";
  drawActing();
  askLegal();
}

function askLegal() {
  clearTimeout(acting.timer);
  acting.timer = setTimeout(async () => {
    const { g } = stateNow();
    const wanted = `${acting.who} ${session.position}`;
    if (!acting.who || !g.begun || g.closed || g.ask) {
      Object.assign(acting, { legal: null, places: null });
      drawActing();
      renderMap();
      return;
    }
    acting.wanted = wanted;
    let found = null;
    try {
      found = await ask(`/legal/${encodeURIComponent(acting.who)}`);
    } catch (error) {
      if (!(error instanceof Denied || error instanceof Lost)) throw error;
      if (error instanceof Lost) setTimeout(() => acting.wanted === wanted && askLegal(), 2000);
    }
    if (acting.wanted !== wanted || acting.who !== wanted.split(" ")[0]) return;
    Object.assign(acting, { legal: found, places: null });
    const modes = modesOf();
    if (!modes.has(acting.mode)) acting.mode = modes.has("move") ? "move" : [...modes.keys()][0] ?? "";
    drawActing();
    renderMap();
    freshWay();
  }, ASKED_AFTER);
}

/** The square that an act leads to or is aimed at, if any. */
export function squareOf({ path, to, at }) {
  if (Array.isArray(path) && path.length) return path.at(-1);
  return [to, at].find((one) => Array.isArray(one) && one.length === 2 && one.every(Number.isInteger)) ?? null;
}

/** The kinds of acts that lead to squares, by a name for each: Map(name -> [entry, ...]). */
export function modesOf() {
  const modes = new Map();
  for (const one of acting.legal?.acts ?? []) {
    if (one.target || !squareOf(one.act)) continue;
    const name = [one.kind, one.act.spell, one.act.item].filter(Boolean).join(" ");
    modes.set(name, [...modes.get(name) ?? [], one]);
  }
  return modes;
}

/** The squares that the chosen kind leads to: Map("x,y" -> { to, feet, path, past, around, act, what, one }). */
export function placesInReach() {
  if (!acting.legal || !isAtEnd()) return new Map();
  if (acting.places?.mode === acting.mode) return acting.places.found;
  const found = new Map();
  const ways = new Map((acting.mode === "move" ? acting.legal.ways : []).map((way) => [String(way.to), way]));
  for (const { act, kind } of modesOf().get(acting.mode) ?? []) {
    const to = squareOf(act);
    const way = ways.get(String(to));
    if (found.has(String(to)) || (way && String(way.path) !== String(act.path))) continue;
    const path = act.path?.length ? act.path : null;
    found.set(String(to), { to, feet: way?.feet, path, past: way?.past ?? [], around: way?.around ?? null, act, what: kindWords(kind), one: Boolean(path) });
  }
  acting.places = { mode: acting.mode, found };
  return found;
}

export function kindWords(kind) {
  return kind.replaceAll("-", " ");
}

/** Declare an act; `label` names it if other events happen before it arrives. */
export async function declare(act, label) {
  const manual = kept("affray-dice") === "own";
  const [path, more] = /** @type {[string, object]} */ (whereDeclared(act));
  const answer = await perform(path, manual ? { act, manual, ...more } : { act, ...more }, label);
  if (!answer || answer.refused) return;
  goLive();
  showPart("stage");
}

/** Scroll to a part of the page on a narrow screen, where the parts are stacked. */
export function showPart(id) {
  if (matchMedia("(max-width: 760px)").matches) byId(id).scrollIntoView({ behavior: mayMove() ? "smooth" : "instant" });
}
