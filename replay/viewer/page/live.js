// The page of a live fight: joining, following events, looking back while the fight continues.

import { actAs, acting, isAtEnd, isMaster, isMine, isPlaying, nowActing, ownOnes, showPart, stateNow, turnTo } from "./acting.js";
import { drawActing, endTurn, makeActing } from "./acts.js";
import { COMMANDS, drawHeader, drawKeys, drawLine, drawTabs, hooks, KEYS, onKey, readHash, render, setTheme, showTab, storedTheme, wireHeader } from "./app.js";
import { asked, askWhatWaits, openQuestion, showQuestion } from "./asked.js";
import { drawBranches } from "./branches.js";
import { drawCharts, moveCursor } from "./charts.js";
import { enterMap, readyBoard, showActor, wireMap } from "./cursor.js";
import { byId, h, visible } from "./dom.js";
import { growEvents, markEvent } from "./events.js";
import { showHeld } from "./held.js";
import { wantOdds } from "./liveodds.js";
import { showSwingBar } from "./liveswing.js";
import { capital, stateAt } from "./log.js";
import { followFight, mainline, wantWordings } from "./mainline.js";
import { isDrawing, switchDrawing } from "./ownway.js";
import { perform, performUnsent } from "./perform.js";
import { drawReach } from "./reach.js";
import { throwDiceOf } from "./rolling.js";
import { askOn, Denied, keep, session, takeToken, TOKEN, tokenOf } from "./session.js";
import { drawSettling, openDispute, openFork, openRuling } from "./settling.js";
import { askPlayers, openGuests, ROLE_WORDS } from "./sharing.js";
import { drawRail } from "./sidebar.js";
import { app } from "./state.js";
import { isVague, SILENT, teller } from "./told.js";
import { growTransport, showPosition } from "./transport.js";

const KEYS_OFF = "affray-keys-off";
const STALE = new Set(["events", "charts", "branches"]);
const MORE_KEYS = [
  ["l", "go to now"], ["a", "show acts"], ["f", "filter acts"], ["m", "point on the map: arrows move, Enter goes, Esc leaves"], ["n", "act as your next combatant"],
  ["w", "plot a path: arrows, Home, End, PgUp, PgDn extend, Backspace removes, Enter goes, Esc cancels"],
  ["e", "end the turn"], ["r", "answer the question"], ["1 to 9", "in a dialog: choose"], ["d", "dispute the event"],
];
const MASTER_KEYS = [["g", "rule on the event"], ["b", "fork here"], ["u  Shift u", "undo, redo"], ["i", "guests and their links"]];

/** @type {{ following: boolean, held: number, keysOff: boolean | null, stale: Set<string>, settling: Promise<void> }} */
export const live = { following: true, held: -1, keysOff: null, stale: new Set(), settling: Promise.resolve() };

function main() {
  setTheme(storedTheme());
  byId("sign-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sitDown(tokenOf(byId("sign-link").value));
  });
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#t=")) takeToken(), location.reload();
    else if (app.log) readHash();
  });
  if (takeToken()) sitDown(session.token);
  else showSign("");
}

function showSign(words) {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("header.top, main, #transport"))) part.hidden = true;
  byId("sign").hidden = false;
  byId("sign-told").textContent = visible(words);
  byId("sign-link").focus();
  document.documentElement.dataset.ready = "sign";
}

/** Leave the table: its link is invalid or withdrawn. */
export function leaveTable(words) {
  keep(TOKEN, "");
  session.token = "";
  for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"))) dialog.close();
  showSign(`${capital(words || "this link is unknown here")}. Ask the game master for another link.`);
}

async function sitDown(token) {
  if (!token) return showSign("This is not a link to a table: a link ends in #t= and a token.");
  session.token = token;
  byId("sign-told").textContent = "One moment …";
  try {
    Object.assign(session, await askOn("/session"));
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    return error.status === 401 ? leaveTable(error.message.replace(/\.$/, "")) : showSign(capital(error.message));
  }
  keep(TOKEN, token);
  byId("sign").hidden = true;
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("header.top, main, #transport"))) part.hidden = false;
  setTable();
  await followFight({ loaded: loadedFight, grown: grownFight, cut: cutFight, learned: redraw, held: showHeld, refused: (error) => leaveTable(error.message) });
  askPlayers();
  performUnsent();
}

/** Make the parts that every fight has. */
function setTable() {
  if (byId("act")) return;
  makeActing();
  byId("caption").append(
    h("div", { id: "live-bar" }, h("button", { type: "button", id: "now-button", onclick: goLive, hidden: true }, "Live")),
    h("div", { id: "tray", role: "group", "aria-label": "Dice" }), h("div", { id: "notes", role: "status" }),
    h("p", { id: "square", role: "status", class: "quiet" }),
    h("div", { id: "way-bar", hidden: true, role: "group", "aria-label": "Plotted path" }, h("p", { id: "way-told", role: "status" }), h("div", { id: "way-switches" })),
  );
  byId("role").textContent = visible([ROLE_WORDS[session.role] ?? session.role, session.name].filter(Boolean).join(": "));
  byId("share").hidden = !isMaster();
  byId("share").addEventListener("click", openGuests);
  Object.assign(hooks, { map: shownMap, stand: shownPlace, pick: picked, tab: freshen, headline: lastTold, place: (hash) => (live.following ? "" : hash) });
  Object.assign(COMMANDS, {
    l: goLive, a: () => showTab("act"), f: () => { showTab("act"); byId("act-filter").focus(); }, m: enterMap, w: drawByKeys, n: nextActor, e: endTurn, d: openDispute,
    r: () => asked.question?.yours && openQuestion(asked.question),
  });
  if (isMaster()) Object.assign(COMMANDS, { g: openRuling, b: openFork, u: () => perform("/undo", { count: 1 }, "undo"), U: () => perform("/redo", {}, "redo"), i: openGuests });
  KEYS.splice(-1, 0, ...(isPlaying() ? MORE_KEYS : MORE_KEYS.slice(0, 1)), ...(isMaster() ? MASTER_KEYS : []));
  wireMap();
  wireHeader();
  drawTabs();
  drawKeys();
  if (!isPlaying()) showTab("why");
  byId("keys").append(keysSwitch());
  addEventListener("keydown", (event) => (event.key.length > 1 || keysWork()) && onKey(event));
}

function keysWork() {
  try {
    live.keysOff ??= localStorage.getItem(KEYS_OFF) === "yes";
  } catch {
    live.keysOff ??= false;
  }
  return !live.keysOff;
}

/** Single keys can be disabled, for speech input or accidental presses. */
function keysSwitch() {
  const box = h("input", { type: "checkbox", id: "keys-on", checked: keysWork(), onchange: () => {
    live.keysOff = !box.checked;
    try {
      localStorage.setItem(KEYS_OFF, live.keysOff ? "yes" : "");
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  } });
  return h("label", { class: "own-dice" }, box, " Enable these single-key shortcuts");
}

/** Show a newly loaded fight at the same event, else at its end. */
function loadedFight() {
  const before = app.line;
  const again = before && !live.following ? app.log.lines.get(before.name) : null;
  app.line = again ?? mainline.line;
  app.seq = again ? Math.min(app.seq, again.last) : app.line.last;
  drawHeader();
  drawLine();
  if (before || !readHash()) render();
  document.documentElement.dataset.ready = "yes";
  happened();
}

/** The main line has grown: a user at its end follows once the dice have landed. */
function grownFight(records) {
  for (const tab of STALE) live.stale.add(tab);
  teller.aloud(records);
  if (app.line === mainline.line) {
    growTransport(byId("transport"), app.line);
    showPosition(app.line, app.seq);
  }
  if (live.following && live.held < 0) live.held = app.seq;
  live.settling = live.settling.then(() => settle(records));
  happened();
}

async function settle(records) {
  if (live.following) await throwDiceOf(records);
  live.held = -1;
  if (!live.following) {
    freshen(app.tab);
    return drawLive();
  }
  const { line } = app;
  app.seq = line.last;
  if (records.some((one) => one.type === "encounter.opened" || one.change?.g?.name)) drawHeader();
  else byId("about").textContent = visible(byId("about").textContent.replace(/\d+ events/, `${line.last} events`));
  render();
  freshen(app.tab);
}

/** The main line continues differently after an event. */
function cutFight(at) {
  const there = !live.following && app.seq <= at;
  app.line = mainline.line;
  if (!there) app.seq = app.line.last;
  drawHeader();
  drawLine();
  render();
  teller.note(`The fight was reset to #${at} and continues from there.`, "rebase");
  setTimeout(() => teller.note("", "rebase"), 8000);
  happened();
}

/** Update the question and the actor from the state. */
function happened() {
  const { g } = stateNow();
  document.title = visible(`${!isMaster() && isMine(g.active) && !g.closed ? "Your turn: " : ""}${g.name || "Fight"} · Affray`);
  if (g.ask) askWhatWaits();
  else showQuestion(null);
  nowActing();
}

function redraw() {
  drawRail(byId("rail"), stateAt(app.line, app.seq));
  render();
  drawActing();
}

export function goLive() {
  if (app.line !== mainline.line) {
    app.line = mainline.line;
    drawLine();
  }
  app.go(app.line.last);
}

function shownMap(/** @type {State} */ state) {
  // A following user hears each declaration once, complete; a stepping user hears each step.
  byId("now").setAttribute("aria-live", isAtEnd() || app.timer ? "off" : "polite");
  readyBoard();
  for (const token of byId("map").querySelectorAll(".layer-tokens .token")) token.classList.toggle("mine", isMine(token.dataset.id));
  drawReach(state);
  showActor(state);
}

function shownPlace() {
  const before = live.following;
  // While dice roll the page still shows the state before them.
  live.following = isAtEnd() || (app.line === mainline.line && app.seq === live.held);
  drawLive();
  drawSettling();
  if (app.tab === "why") wantWordings(), wantOdds();
  if (before !== live.following) drawActing();
}

/** The line below the map: a following user reads the last event apart from bookkeeping. */
function lastTold(/** @type {Line} */ line, /** @type {number} */ seq) {
  let at = seq;
  if (isAtEnd() || seq === live.held) while (at > 1 && (SILENT.includes(line.records[at - 1].type) || isVague(line.records[at - 1]))) at--;
  return line.records[at - 1];
}

/** The button to the current event, with the number of unseen events. */
function drawLive() {
  const button = byId("now-button");
  const fresh = app.line === mainline.line ? mainline.line.last - app.seq : 0;
  button.hidden = live.following;
  const words = fresh ? `Live: ${fresh} new event${fresh > 1 ? "s" : ""}` : "Live";
  if (button.textContent !== visible(words)) button.textContent = visible(words);
}

/** Redraw a tab that shows the whole line when it is opened. */
function freshen(tab) {
  if (tab === "why") wantWordings(), wantOdds();
  showSwingBar();
  if (!live.stale.delete(tab) || !app.line) return;
  if (tab === "events") {
    growEvents(byId("events"), app.line);
    if (live.following) markEvent(byId("events"), app.seq);
    else byId("events").querySelector(`[data-seq="${app.seq}"]`)?.setAttribute("aria-current", "true");
  }
  if (tab === "charts") drawCharts(byId("charts"), app.line), moveCursor(byId("charts"), app.seq);
  if (tab === "branches") drawBranches(byId("branches"), app.log, app.line);
}

/** A combatant was picked: act as one's own, target any other. */
function picked(id) {
  if (!isPlaying() || !stateNow().c.has(id)) return;
  const { g } = stateNow();
  const own = isMaster() ? id === g.active || stateNow().c.get(id).side === stateNow().c.get(acting.who)?.side : isMine(id);
  if (own && id !== acting.who) actAs(id);
  else turnTo(id !== acting.who && app.pinned === id ? id : "");
  showTab("act");
  if (acting.aim === id) showPart("panel");
}

function drawByKeys() {
  switchDrawing();
  if (isDrawing()) byId("map").querySelector(".board")?.focus();
}

function nextActor() {
  const own = ownOnes();
  if (own.length) actAs(own[(own.indexOf(acting.who) + 1) % own.length]);
}

main();
