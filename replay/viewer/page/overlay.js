// The overlay: initiative order and last outcome, large and transparent, for a stream or a screen at the table.

import { byId, h, healthBar, hueClass, isOut, nameOf, sideClass, visible } from "./dom.js";
import { stateAt } from "./log.js";
import { followFight, mainline } from "./mainline.js";
import { askOn, Denied, session, takeToken } from "./session.js";
import { app } from "./state.js";
import { isVague } from "./told.js";

const OUTCOMES = [
  "attack.resolved", "confirmation.resolved", "miss-chance.resolved", "damage.resolved", "hit-points.changed", "condition.gained", "check.resolved",
  "contest.resolved", "turning.resolved", "item.struck", "injury.suffered", "casting.began", "encounter.decided", "encounter.closed",
];

async function main() {
  document.documentElement.dataset.ready = "sign";
  addEventListener("hashchange", () => location.hash.startsWith("#t=") && (takeToken(), location.reload()));
  if (!takeToken()) return tellOverlay("The address of this page ends in #t= and the token of a link.");
  try {
    Object.assign(session, await askOn("/session"));
    await followFight({ loaded: drawOverlay, grown: drawOverlay, cut: drawOverlay, learned: drawOverlay, refused: (error) => tellOverlay(error.message) });
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    tellOverlay(error.message);
  }
}

function tellOverlay(words) {
  byId("sign-told").textContent = visible(words);
}

function drawOverlay() {
  const { line } = mainline;
  app.line = line;
  const state = stateAt(line, line.last);
  const order = (state.g.order ?? []).filter((id) => state.c.has(id));
  const all = order.length ? order : [...state.c.keys()];
  byId("order").replaceChildren(...all.map((id) => orderRow(state.c.get(id), state)));
  const words = state.g.ask ? `Waiting for ${state.g.ask}` : lastOutcome(line);
  if (byId("outcome").textContent !== visible(words)) byId("outcome").textContent = visible(words);
  document.documentElement.dataset.ready = "yes";
}

function orderRow(one, /** @type {State} */ state) {
  const active = state.g.active === one.id;
  const kinds = ["one", sideClass(state, one.side), hueClass(one.id), active && "active", isOut(one) && "out"].filter(Boolean).join(" ");
  const held = one.conditions.map(([name]) => name).join(", ");
  return h("li", { class: kinds, "aria-current": active ? "true" : null },
    h("span", { class: "seal", "aria-hidden": "true" }, app.log.letters.get(one.id) ?? "?"), h("span", { class: "called" }, nameOf(one.id)),
    healthBar(one), held && h("span", { class: "held" }, held));
}

/** The last outcome of an act, with the attack that caused it. */
function lastOutcome(/** @type {Line} */ line) {
  const one = line.records.findLast((record) => OUTCOMES.includes(record.type) && !isVague(record));
  if (!one) return line.records.findLast((record) => record.type === "turn.began")?.text ?? "";
  if (one.type === "attack.resolved" || !one.cause) return one.text;
  const struck = line.records.slice(one.cause - 1, one.seq - 1).findLast((record) => record.type === "attack.resolved");
  return struck ? `${struck.text}. ${one.text}` : one.text;
}

main();
