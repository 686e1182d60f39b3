// The history of a combatant's values: for each the events that changed it, back to the sheet, as links.

import { showTab } from "./app.js";
import { byId, h, isKnown, nameOf, number, signed } from "./dom.js";
import { placeOf, stateAt, UNTOLD } from "./log.js";
import { app } from "./state.js";

const MOST_MAKERS = 40;
/** Kinds of modifiers that depend on positions, not on a sheet. */
const BY_PLACE = ["cover", "concealment", "flanking"];
const UNMADE = ["rolled", "action.spent", "budget.renewed", "turn.began"];

/** The values of a combatant with a history: { key, title, value, read(view) }, `read` null for none now. */
function figuresOf(one) {
  const plain = (key, title, value) => ({ key, title, value, read: (view) => view[key] ?? null });
  const named = (list, title, name, call) => ({ key: `${list}:${name}`, title, value: name, read: (view) => view[list].find((entry) => call(entry) === name) ?? null });
  return [
    isKnown(one) && plain("hp", "Hit points", `${number(one.hp)} of ${one.max}`),
    one.nonlethal > 0 && plain("nonlethal", "Nonlethal damage", String(one.nonlethal)),
    one.temporary > 0 && plain("temporary", "Temporary hit points", String(one.temporary)),
    ...one.conditions.map(([name]) => named("conditions", "Condition", name, (entry) => entry[0])),
    ...one.effects.map((text) => named("effects", "Effect", text, (entry) => entry)),
    ...one.injuries.map((name) => named("injuries", "Injury", name, (entry) => entry)),
    one.at && plain("at", "Square", one.at.join(",")),
    one.held.length > 0 && plain("held", "In hand", one.held.join(", ")),
    Number.isFinite(one.initiative) && plain("initiative", "Initiative", String(one.initiative)),
  ].filter(Boolean);
}

/** The events up to `seq` that changed a value since it first existed: [{ record, value }], latest first. */
function makersOf(/** @type {Line} */ line, /** @type {number} */ seq, id, read) {
  let [view, before, made] = [/** @type {any} */ (UNTOLD), "null", /** @type {any[]} */ ([])];
  for (const record of line.records.slice(0, seq)) {
    const fields = record.change?.c?.[id];
    if (!fields) continue;
    view = { ...view, ...fields };
    const value = read(view);
    const now = JSON.stringify(value);
    if (now === before) continue;
    before = now;
    made = value === null ? [] : [...made, { record, value }];
  }
  return made.reverse();
}

/** The event that entered a combatant with its sheet. */
function enteredAt(/** @type {Line} */ line, id) {
  return line.records.find((one) => one.type === "combatant.entered" && one.fact.id === id);
}

/** Open the history of a combatant at one of its values. */
export function showBlame(id, key = "hp") {
  const { line, seq } = app;
  const one = stateAt(line, seq).c.get(id);
  if (!one) return;
  const dialog = byId("blame");
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const sums = [sumBlamed(line, seq, one, "target", "defense", "Defense"), sumBlamed(line, seq, one, "attacker", "attack", "Attack")];
  const figures = figuresOf(one).map((figure) => figureBlamed(line, seq, id, figure, figure.key === key));
  dialog.replaceChildren(
    h("header", null, h("h2", { id: "blame-title" }, `History of ${nameOf(id)}`), close),
    h("p", { class: "quiet" }, seq ? `After event #${seq}, ${placeOf(line, seq)}. Latest first, sheet last.` : "Before the first event."),
    ...[...figures, ...sums].filter(Boolean),
  );
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector("details[open] summary") ?? dialog.querySelector("summary"))?.focus();
}

function figureBlamed(line, seq, id, { key, title, value, read }, open) {
  const made = makersOf(line, seq, id, read);
  const shown = made.length > MOST_MAKERS ? [...made.slice(0, MOST_MAKERS - 1), made.at(-1)] : made;
  const rows = shown.map((one) => makerRow(line, one.record, key === "hp" || key === "at" ? number(String(one.value)) : ""));
  if (shown.length < made.length) rows.splice(-1, 0, h("li", { class: "quiet" }, `and ${made.length - shown.length} between`));
  return h("details", { class: "figure", "data-figure": key, open }, h("summary", null, `${title}: `, h("strong", null, value)), h("ol", { class: "makers" }, rows));
}

/** An event that changed the value, with its causes. */
function makerRow(/** @type {Line} */ line, /** @type {LogRecord} */ record, value) {
  const way = record.chain.map((at) => line.records[at - 1]).filter((one) => one && !one.hidden && !UNMADE.includes(one.type));
  return h(
    "li",
    null,
    blameLink(record, h("span", { class: "seq" }, `#${record.seq}`), h("span", null, value && h("strong", null, `${value} `), record.text)),
    way.length > 0 && wayOf("by", way),
  );
}

function wayOf(word, records) {
  return h("ul", { class: "way quiet" }, records.map((one, at) => h("li", null, at ? "" : `${word} `, blameLink(one, `#${one.seq} ${one.text}`))));
}

function blameLink(/** @type {LogRecord} */ record, ...children) {
  const plain = children.length === 1 && typeof children[0] === "string";
  const go = () => {
    byId("blame").close();
    app.go(record.seq);
    showTab("why");
  };
  return h("button", { type: "button", class: plain ? "link" : "event", "data-made-by": record.seq, onclick: go }, ...children);
}

/** The last computed attack or defense, each modifier with its origin; null if there was none. */
function sumBlamed(/** @type {Line} */ line, /** @type {number} */ seq, one, role, side, title) {
  const blow = line.records.slice(0, seq).findLast((record) => record.type === "attack.resolved" && record.fact[role] === one.id && Array.isArray(record.fact[side]));
  if (!blow) return null;
  const parts = blow.fact[side];
  const total = parts.reduce((all, part) => all + (part.denied ? 0 : part.value), 0);
  const rows = parts.map((part) => h(
    "li",
    { class: part.denied ? "denied" : null },
    h("p", null, h("span", { class: "value" }, signed(part.value)), h("span", { class: "source" }, app.log.prose(part.source || part.kind)), part.denied && h("span", { class: "reason" }, `does not count: ${app.log.prose(part.denied)}`)),
    wayOf("from", bringersOf(line, blow, one.id, part)),
  ));
  const summary = h("summary", null, `${title}, as last computed in #${blow.seq}: `, h("strong", null, number(total)));
  return h("details", { class: "figure", "data-figure": side }, summary, h("p", null, blameLink(blow, `#${blow.seq} ${blow.text}`)), h("ol", { class: "makers" }, rows));
}

/** The origin of a modifier: an effect, a condition, the positions; else the sheet. */
function bringersOf(/** @type {Line} */ line, blow, id, part) {
  const both = [...new Set([id, blow.fact.attacker, blow.fact.target])];
  const before = line.records.slice(0, blow.seq);
  const words = `${part.source} ${part.denied ?? ""}`;
  const effect = before.findLast(({ type, fact }) => type === "effect.gained" && both.includes(fact.who) && fact.modifier?.source === part.source && fact.modifier.kind === part.kind);
  if (effect) return [effect];
  const state = stateAt(line, blow.seq);
  const condition = both.flatMap((who) => (state.c.get(who)?.conditions ?? []).map(([name]) => [who, name])).find(([, name]) => words.includes(name));
  const gained = condition && before.findLast(({ type, fact }) => type === "condition.gained" && fact.who === condition[0] && condition[1].startsWith(fact.condition));
  if (gained) return [gained];
  if (BY_PLACE.some((kind) => part.kind === kind || words.includes(kind))) {
    return both.map((who) => before.findLast(({ type, fact }) => type === "moved" && fact.who === who) ?? enteredAt(line, who)).filter(Boolean);
  }
  return [enteredAt(line, id)].filter(Boolean);
}
