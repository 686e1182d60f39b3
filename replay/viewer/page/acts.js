// The panel of acts: the actor, its acts and their targets, and refused acts with reason and rule.

import { leftChips } from "./left.js";
import { actAs, acting, declare, isMaster, isPlaying, kindWords, modesOf, ownOnes, squareOf, stateNow, turnTo } from "./acting.js";
import { renderMap, TABS } from "./app.js";
import { choose } from "./dialogs.js";
import { byId, h, hueClass, keepingFocus, nameOf } from "./dom.js";
import { enteringForm } from "./entering.js";
import { live } from "./live.js";
import { perform } from "./perform.js";
import { SAID_SO, wordsField } from "./saying.js";
import { keep, kept } from "./session.js";
import { app } from "./state.js";
import { ruleId } from "./why.js";

const FIRST = ["end-turn"]; // kinds with their own button at the top
const USUAL = ["attack", "full-attack", "cast", "charge", "stand", "touch", "draw", "handle", "total-defense"]; // kinds listed first
const MOST_SHOWN = 60; // buttons of a kind; the filter finds the others

/** Make the panel; `drawActing` fills it. */
export function makeActing() {
  TABS.unshift(["act", "Act"]);
  const filter = h("input", { type: "search", id: "act-filter", placeholder: "Filter: attack, gharm, longsword …", "aria-label": "Filter acts", autocomplete: "off", oninput: drawActing });
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") byId("act-list").querySelector("button[data-act]")?.click();
    if (event.key === "Escape" && filter.value) { filter.value = ""; drawActing(); event.stopPropagation(); }
  });
  byId("panel").querySelector("[role=tabpanel]").before(
    h("section", { role: "tabpanel", id: "act", "aria-labelledby": "tab-act", tabindex: 0 },
      h("div", { id: "act-head" }), h("div", { id: "act-modes" }), filter, h("div", { id: "act-list" }), wordsField(), h("div", { id: "act-closed" }), isMaster() && enteringForm(), h("div", { id: "act-master" })),
  );
}

export function drawActing() {
  const host = byId("act");
  if (!host) return;
  const { g } = stateNow();
  const open = Boolean(acting.legal);
  host.setAttribute("aria-busy", String(!open && Boolean(acting.who && g.begun && !g.ask && !g.closed)));
  keepingFocus(host, () => {
    byId("act-head").replaceChildren(...actHead(g));
    byId("act-modes").replaceChildren(...modeButtons());
    byId("act-list").replaceChildren(...actGroups());
    byId("act-closed").replaceChildren(...closedKinds());
    byId("act-master").replaceChildren(...masterButtons(g));
  });
  byId("act-filter").hidden = !open;
  byId("act-words").hidden = !isPlaying();
  host.dataset.position = acting.legal?.position ?? "";
}

function actHead(g) {
  const own = ownOnes();
  if (!isPlaying()) return [h("p", { class: "quiet" }, "You are watching. Events are shown next to the map.")];
  if (!own.length) return [h("p", { class: "quiet" }, isMaster() ? "No combatants yet." : "None of your combatants is in this fight yet.")];
  const select = h("select", { id: "actor", "data-key": "actor", onchange: (event) => actAs(event.target.value) }, own.map((id) => h("option", { value: id, selected: id === acting.who }, `${nameOf(id)}${id === g.active ? " (its turn)" : ""}`)));
  const end = acting.legal?.acts.find((one) => FIRST.includes(one.kind));
  const stands = acting.who === g.active ? "" : g.active && !g.closed ? `It is ${nameOf(g.active)}'s turn.` : "";
  return [
    h("div", { class: "acting-as" }, h("label", null, "Acting as ", select), end && h("button", { type: "button", class: "main", "data-key": "end-turn", title: "End the turn (e)", onclick: endTurn }, "End turn")),
    stands && h("p", { class: "quiet" }, stands),
    acting.legal?.left?.length > 0 && leftChips(acting.legal.left.map(({ name, amount, most, unit }) => [name, amount, most, unit])),
    !live.following && h("p", { class: "quiet" }, "You are viewing the past; declarations take effect now."),
    g.ask && h("p", { class: "quiet" }, "Waiting for an answer first."),
    acting.aim && h("p", { class: "aim" }, "First: acts on ", h("strong", { class: hueClass(acting.aim) }, nameOf(acting.aim)), " ", h("button", { type: "button", class: "link", "data-key": "no-aim", onclick: () => turnTo("") }, "all")),
  ].filter(Boolean);
}

export function endTurn() {
  if (acting.who) declare({ act: "end-turn", actor: acting.who }, `${nameOf(acting.who)} ends the turn`);
}

/** Choose the kind of movement or aiming that the map shows. */
function modeButtons() {
  const modes = [...modesOf()];
  if (!modes.length) return [];
  const choose = (name) => {
    Object.assign(acting, { mode: acting.mode === name ? "" : name, places: null });
    drawActing();
    renderMap();
  };
  return [
    h("h3", { id: "modes-title" }, "On the map"),
    h("div", { class: "modes", role: "group", "aria-labelledby": "modes-title" }, modes.map(([name, all]) =>
      h("button", { type: "button", "data-key": `mode ${name}`, "aria-pressed": String(acting.mode === name), onclick: () => choose(name) }, `${kindWords(name)} `, h("span", { class: "quiet" }, String(new Set(all.map(({ act }) => String(squareOf(act)))).size)))))
  ];
}

/** The possible acts by kind; first those aimed at the chosen target. */
function actGroups() {
  const words = byId("act-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (one) => words.every((word) => actTold(one).toLowerCase().includes(word));
  const listed = (acting.legal?.acts ?? []).filter((one) => !FIRST.includes(one.kind) && (one.target || !squareOf(one.act)) && fits(one));
  const toThem = acting.aim ? listed.filter((one) => one.target === acting.aim) : [];
  const rest = listed.filter((one) => !toThem.includes(one));
  const kinds = Map.groupBy ? Map.groupBy(rest, (one) => one.kind) : grouped(rest);
  const first = acting.aim ? [actGroup(`To ${nameOf(acting.aim)}`, toThem, "aimed")] : [];
  if (acting.aim && !toThem.length) first[0] = h("p", { class: "quiet" }, `${nameOf(acting.who)} has no act against ${nameOf(acting.aim)} now.`);
  if (!acting.legal && byId("act").getAttribute("aria-busy") === "true") return [h("p", { class: "quiet" }, "Loading acts …")];
  const none = acting.legal && !listed.length && words.length > 0;
  const place = (/** @type {any} */ [kind]) => (USUAL.indexOf(kind) + 1 || USUAL.length + 1);
  const inOrder = [...kinds].sort((one, other) => place(one) - place(other)); // the rest in the order of the rulebook
  return [...first, ...inOrder.map(([kind, all]) => actGroup(kindWords(kind), all)), none && h("p", { class: "quiet", role: "status" }, "No matching act.")].filter(Boolean);
}

function grouped(entries) {
  const found = new Map();
  for (const one of entries) found.set(one.kind, [...found.get(one.kind) ?? [], one]);
  return found;
}

/** A declaration in words: its kind (unless `said`), then the target and the rest. */
function actTold({ kind, label, target, act }, said = false) {
  const there = act.path?.length ? `to ${act.path.at(-1)}` : "";
  const how = [label && app.log.prose(label), there].filter(Boolean).join(" ");
  const rest = [target && target.split(", ").map(nameOf).join(", "), how].filter(Boolean).join(": ");
  return said && rest ? rest : [kindWords(kind), rest].filter(Boolean).join(" ");
}

function actGroup(title, all, kind = "") {
  const buttons = all.slice(0, MOST_SHOWN).map((one) =>
    h("button", { type: "button", class: one.target ? hueClass(one.target) : null, "data-act": one.kind, "data-target": one.target || null, "data-key": JSON.stringify(one.act), onclick: () => declare(one.act, `${nameOf(acting.who)}: ${actTold(one)}`) }, kind === "aimed" ? actTold({ ...one, target: "" }) : actTold(one, true)));
  const more = all.length > MOST_SHOWN && h("p", { class: "quiet" }, `${all.length - MOST_SHOWN} more: filter to find them.`);
  return h("section", { class: `kind ${kind}` }, h("h3", null, title), h("div", { class: "acts" }, buttons), more);
}

/** The refused kinds of acts, each with reason and rule. */
function closedKinds() {
  const { closed = [], more = [] } = acting.legal ?? {};
  const said = more.length > 0 && h("p", { class: "quiet" }, `Type further acts in words: ${more.join(", ")}. Examples: ${SAID_SO}`);
  if (!closed.length) return said ? [said] : [];
  const title = h("summary", null, `Unavailable (${closed.length})`);
  const box = h("details", { class: "rule", id: "closed-kinds" }, title, h("dl", { class: "closed" }, closed.map(({ kind, reason, rule }) => [
    h("dt", null, kindWords(kind)),
    h("dd", null, app.log.prose(reason), rule && h("span", { class: "quiet" }, " ", app.log.rules.get(rule)?.[0] ?? "", " ", ruleId(rule, stateNow().g.dialect))),
  ])));
  box.open = byId("closed-kinds")?.open ?? false;
  return [said, box].filter(Boolean);
}

/** The game master's buttons for the whole fight, and the choice of physical dice. */
function masterButtons(g) {
  if (!isPlaying()) return [];
  const button = (key, label, act, title = "") => h("button", { type: "button", "data-key": key, title, onclick: act }, label);
  const own = h("input", { type: "checkbox", id: "own-dice", "data-key": "own-dice", checked: kept("affray-dice") === "own", onchange: (event) => keep("affray-dice", event.target.checked ? "own" : "") });
  const fight = [
    !g.begun && !g.closed && button("begin", "Begin the fight", () => declare({ act: "begin" }, "the fight begins")),
    button("undo", "Undo", () => perform("/undo", { count: 1 }, "undo"), "Undo the last declaration (u)"),
    button("redo", "Redo", () => perform("/redo", {}, "redo"), "Redo what was undone (Shift u)"),
    g.begun && !g.closed && button("close", "Close the fight", closeFight),
  ];
  return [
    h("label", { class: "own-dice" }, own, " Roll physical dice and type the results"),
    isMaster() && h("div", { class: "actions", role: "group", "aria-label": "The fight" }, fight.filter(Boolean)),
  ].filter(Boolean);
}

async function closeFight() {
  const sure = await choose("Close the fight?", "The fight ends, and the seed of its dice is revealed.", [["close", "Close", "main"], ["stay", "Keep playing"]]);
  if (sure === "close") declare({ act: "close" }, "the fight is closed");
}
