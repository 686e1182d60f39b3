// The whole page: current event, tabs, keys, links.

import { areaOf } from "./areas.js";
import { showBlame } from "./blame.js";
import { drawBranches, parting } from "./branches.js";
import { drawCharts, moveCursor } from "./charts.js";
import { byId, h, nameOf, visible } from "./dom.js";
import { drawEvents, markEvent } from "./events.js";
import { markAt, placeOf, seqOf, stateAt } from "./log.js";
import { drawMap } from "./map.js";
import { drawRail } from "./sidebar.js";
import { app } from "./state.js";
import { drawTransport, icon, showPosition, SPEEDS, stepFrom } from "./transport.js";
import { drawWhy } from "./why.js";

export const TABS = [["why", "Why"], ["events", "Events"], ["charts", "Charts"], ["branches", "Branches"]];
export const KEYS = [
  ["← →", "one event"], ["Shift ← →", "one turn"], ["↑ ↓", "one round"], ["Home End", "first and last event"],
  ["Space", "play and pause"], ["/", "search"], ["1 2 3 …", "the tabs"], ["w", "history of a combatant"], ["t", "dark or light"], ["?", "this list"],
];
/** The keys apart from time controls and tabs. */
export const COMMANDS = {
  Home: () => app.go(0),
  End: () => app.go(app.line.last),
  "/": () => { showTab("events"); byId("search").focus(); },
  w: () => showBlame(blamed()),
  t: () => toggleTheme(),
  "?": () => byId("keys").showModal(),
};
/**
 * Extra work of a live page after showing the map, an event, a combatant or a tab.
 *
 * @type {Hooks}
 */
export const hooks = { map() {}, stand() {}, pick() {}, tab() {}, headline: (line, seq) => line.records[seq - 1], place: (hash) => hash };

/**
 * The methods of `app`: go to another event or line, select a combatant.
 *
 * @type {Partial<App> & ThisType<App>}
 */
const controls = {
  /** Go to the state after event `seq` of the current line. */
  go(seq) {
    this.seq = Math.max(0, Math.min(this.line.last, seq));
    render();
    replaceHash();
  },

  step(what, by) {
    this.go(stepFrom(this.line, this.seq, what, by));
  },

  /** Switch to another line: to `seq` if given, else to the same event if shared. */
  follow(name, seq) {
    const line = /** @type {Line} */ (this.log.lines.get(name));
    const shared = parting(this.line, line);
    this.line = line;
    drawLine();
    this.go(seq ?? Math.min(this.seq, Math.max(shared, Math.min(this.seq, line.last))));
  },

  /** The combatant whose threatened squares are shown: the one pointed at, else the one picked. */
  focus() {
    return this.looked || this.pinned;
  },

  look(id) {
    this.looked = id;
    renderMap();
  },

  pin(id) {
    this.pinned = this.pinned === id ? "" : id;
    renderMap();
    drawRail(byId("rail"), stateAt(this.line, this.seq));
    hooks.pick(id);
  },

  play() {
    if (this.timer) return this.pause();
    if (this.seq >= this.line.last) this.go(0);
    const button = byId("play");
    button.replaceChildren(icon("pause"));
    button.setAttribute("aria-label", "Pause");
    // Do not interrupt a screen reader; the last event is announced.
    byId("now").setAttribute("aria-live", "off");
    this.tick();
  },

  tick() {
    const [, wait] = /** @type {[string, number]} */ (SPEEDS.find(([name]) => name === byId("speed").value));
    this.timer = setTimeout(() => {
      this.step("event", 1);
      if (this.seq >= this.line.last) this.pause();
      else this.tick();
    }, wait);
  },

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    byId("play").replaceChildren(icon("play"));
    byId("play").setAttribute("aria-label", "Play");
    byId("now").setAttribute("aria-live", "polite");
  },
};
Object.assign(app, controls);

/** Draw the parts that depend on the line but not on the event. */
export function drawLine() {
  byId("branch").value = app.line.name;
  drawTransport(byId("transport"), app.line);
  drawEvents(byId("events"), app.line);
  drawCharts(byId("charts"), app.line);
  drawBranches(byId("branches"), app.log, app.line);
}

export function render() {
  const { line, seq } = app;
  const state = stateAt(line, seq);
  renderMap();
  drawRail(byId("rail"), state);
  drawWhy(byId("why"), line, seq, state);
  byId("place").textContent = visible(standing(line, seq, state));
  const now = state.g.ask && seq === line.last ? `Waiting for ${state.g.ask}` : hooks.headline(line, seq)?.text ?? "Before the first event";
  if (byId("now").textContent !== visible(now)) byId("now").textContent = visible(now);
  showPosition(line, seq);
  markEvent(byId("events"), seq);
  moveCursor(byId("charts"), seq);
  hooks.stand(state);
}

export function renderMap() {
  const { line, seq } = app;
  const record = line.records[seq - 1];
  const attack = record && attackOf(line, record);
  const event = record ? { record, attack, area: areaOf(line, record) } : null;
  const state = stateAt(line, seq);
  drawMap(byId("map"), state, { focus: app.focus(), event });
  hooks.map(state);
}

/** The attack that an event is or results from: its lines stay while its damage is shown. */
function attackOf(/** @type {Line} */ line, /** @type {LogRecord} */ record) {
  if (record.type === "attack.resolved") return record;
  const before = record.chain.map((at) => line.records[at - 1]).findLast((one) => one.type === "attack.resolved");
  return before ?? null;
}

function standing(line, seq, { g }) {
  if (!seq) return "Before the fight";
  if (g.closed) return `Over after round ${g.round}: ${g.closed}`;
  if (!markAt(line, seq)) return "Before the fight";
  const round = g.round ? `Round ${g.round}` : "Surprise round";
  if (g.active) return `${round}, turn ${g.turn}: ${nameOf(g.active)}`;
  return g.phase && g.phase !== "turns" ? `${round}, ${g.phase} phase` : round;
}

export function wireHeader() {
  byId("branch").addEventListener("change", (event) => app.follow(event.target.value));
  byId("link").addEventListener("click", copyLink);
  byId("theme").addEventListener("click", toggleTheme);
  byId("help").addEventListener("click", () => byId("keys").showModal());
}

/** The combatant whose history the key opens: the one picked, else the one acting, else the first. */
function blamed() {
  const state = stateAt(app.line, app.seq);
  return [app.focus(), state.g.active, ...state.c.keys()].find((id) => state.c.has(id)) ?? "";
}

export function drawHeader() {
  const { g } = stateAt(app.line, app.line.last);
  byId("name").textContent = visible(g.name || "Fight");
  const count = app.log.lines.size;
  byId("about").textContent = visible(`${g.dialect ?? ""} · ${app.line.last} events${count > 1 ? ` · ${count} branches` : ""}`);
  byId("branch").replaceChildren(...[...app.log.lines.keys()].map((name) => h("option", { value: name, selected: name === app.line.name }, name)));
  byId("branch-pick").hidden = count < 2;
}

export function drawTabs() {
  byId("tabs").replaceChildren(...TABS.map(([id, title]) =>
    h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": id, onclick: () => showTab(id), onkeydown: tabKey }, title)));
  showTab(TABS[0][0]);
}

export function showTab(wanted) {
  app.tab = wanted;
  for (const [id] of TABS) {
    byId(id).hidden = id !== wanted;
    byId(`tab-${id}`).setAttribute("aria-selected", String(id === wanted));
    byId(`tab-${id}`).tabIndex = id === wanted ? 0 : -1;
  }
  hooks.tab(wanted);
  if (app.line && wanted === "events") markEvent(byId("events"), app.seq);
}

function tabKey(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const at = TABS.findIndex(([id]) => id === app.tab);
  const [next] = TABS[(at + by + TABS.length) % TABS.length];
  showTab(next);
  byId(`tab-${next}`).focus();
  event.preventDefault();
  event.stopPropagation();
}

export function drawKeys() {
  const dialog = byId("keys");
  dialog.append(
    h("header", null, h("h2", { id: "keys-title" }, "Keys"), h("button", { type: "button", onclick: () => dialog.close() }, "Close")),
    h("dl", null, KEYS.flatMap(([keys, what]) => [h("dt", null, h("kbd", null, keys)), h("dd", null, what)])),
    h("p", { class: "quiet" }, "A link with #17, #r3 or #r3.t2 at its end opens the page there; #17@name opens it on that branch."),
  );
}

/** @type {Record<string, [string, number]>} */
const MOVES = {
  ArrowRight: ["event", 1], ArrowLeft: ["event", -1], "Shift+ArrowRight": ["turn", 1], "Shift+ArrowLeft": ["turn", -1],
  ArrowDown: ["round", 1], ArrowUp: ["round", -1],
};

export function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const { target, key } = event;
  if (target.matches("select, textarea, input:not([type=range])")) {
    if (key === "Escape") target.blur();
    return;
  }
  const move = MOVES[event.shiftKey ? `Shift+${key}` : key];
  if (move) app.step(...move);
  else if (key === " " && !target.matches("button, summary, [role=button]")) app.play();
  else if (Object.hasOwn(COMMANDS, key)) COMMANDS[key]();
  else if (TABS[Number(key) - 1]) showTab(TABS[Number(key) - 1][0]);
  else return;
  event.preventDefault();
}

/** Go to the event in the address; false if this fight has no such event. */
export function readHash() {
  let hash = location.hash.slice(1);
  try {
    hash = decodeURIComponent(hash);
  } catch {
    return false;
  }
  const at = hash.indexOf("@");
  const [place, name] = at < 0 ? [hash, app.line.name] : [hash.slice(0, at), hash.slice(at + 1)];
  const line = app.log.lines.get(name);
  const seq = line ? seqOf(line, place) : null;
  if (!line || seq === null) return false;
  if (line !== app.line) {
    app.line = line;
    drawLine();
  }
  app.seq = seq;
  render();
  return true;
}

/** The end of an address that opens the current event. */
function placeHash() {
  const { line, seq, log } = app;
  const mark = line.marks.findLast((one) => one.seq === seq);
  const place = mark ? placeOf(line, seq) : String(seq);
  return hooks.place(`#${place}${line.name === log.show ? "" : `@${encodeURIComponent(line.name)}`}`);
}

/** Write the current event into the address without an entry in the browser's history. */
function replaceHash() {
  clearTimeout(replaceHash.timer);
  // Browsers limit how often the address may change.
  replaceHash.timer = setTimeout(() => writeHash(placeHash()), 150);
}
replaceHash.timer = 0;

/** Copy an address that opens the page here; without a clipboard show it in a box. */
async function copyLink() {
  const address = location.href.replace(/#.*$/, "") + placeHash();
  const button = byId("link");
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy link"; }, 1500);
  } catch {
    prompt("The address of this event", address);
  }
}

function writeHash(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    // A sandboxed page has no address to write to.
  }
}

export function storedTheme() {
  try {
    return localStorage.getItem("affray-theme") ?? "";
  } catch {
    return "";
  }
}

export function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("affray-theme", root.dataset.theme);
  } catch {
    // A page opened from a file may have no storage: then the choice lasts until it is closed.
  }
}
