// Single changes that would change an outcome, if calculated: as a list, and with the events concerned.

import { goTo, h } from "./dom.js";
import { app } from "./state.js";
import { part } from "./why.js";

const SORTS = [["die", "Dice, likeliest first"], ["choice", "Answers"], ["modifier", "Removed modifiers"], ["reading", "Readings of contested rules"]];

/** The pivots of the line, null for a line without. */
function pivotsOf(/** @type {Line} */ line) {
  const found = app.log.pivots;
  return found && found.branch === line.name ? found : null;
}

/** All pivots by kind, each with a link to its event. */
export function pivotFigure(/** @type {Line} */ line) {
  const found = pivotsOf(line);
  if (!found) return null;
  const title = `Single changes that would change it: ${found.outcome}`;
  const so = found.holds ? "It happened" : "It did not happen";
  const told = found.pivots.length
    ? `${so}. Of ${found.tried} single changes, each of these ${found.pivots.length} would change it, all else equal.`
    : `${so}. None of ${found.tried} single changes would change it.`;
  const lists = SORTS.map(([kind, words]) => {
    const some = found.pivots.filter((one) => one.kind === kind);
    return some.length > 0 && [h("h3", null, words), h("ul", { class: "pivots" }, some.map((one) => pivotRow(one, true)))];
  });
  return h("figure", { class: "pivoting" }, h("figcaption", null, title), h("p", { class: "quiet" }, told), lists.filter(Boolean));
}

function pivotRow(one, linked) {
  const chance = one.percent !== null && h("strong", { class: "likely" }, pivotChance(one));
  const lost = one.impossible.map(([id, reason]) => h("span", { class: "reason" }, `impossible then: ${id}, as ${app.log.prose(reason)}`));
  return h("li", { "data-pivot": one.key }, chance, linked && one.kind !== "reading" && [goTo(one.seq, `#${one.seq}`), " "], one.told, lost);
}

function pivotChance({ ways, possible, percent }) {
  return `${Math.max(0.1, percent).toFixed(1)} % (${ways}/${possible}) `;
}

/** For the current event: those of its dice, answers and modifiers that alone would change the outcome. */
export function pivotsHere(/** @type {Line} */ line, chain) {
  const found = pivotsOf(line);
  const seqs = chain.map((one) => one.seq);
  const here = found?.pivots.filter((one) => one.kind !== "reading" && seqs.includes(one.seq)) ?? [];
  return here.length ? part(`This alone would change it: ${found.outcome}`, h("ul", { class: "pivots" }, here.map((one) => pivotRow(one, one.seq !== seqs.at(-1))))) : null;
}
