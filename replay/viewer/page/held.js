// Players' declarations held for the game master: refused for reasons hidden from the players.

import { actAs, isMaster } from "./acting.js";
import { showTab } from "./app.js";
import { field, openDialog } from "./dialogs.js";
import { byId, h, nameOf } from "./dom.js";
import { perform, ruleWords } from "./perform.js";
import { app } from "./state.js";
import { teller } from "./told.js";

/** @type {{ all: any[], answering: string }} */
const held = { all: [], answering: "" };

/** Show the held declarations: to the game master those to decide, to a player those that wait. */
export function showHeld(all) {
  held.all = all;
  if (!all.some((one) => one.id === held.answering && one.status === "waiting")) held.answering = "";
  for (const old of [...byId("notes")?.querySelectorAll('[data-note^="held-"]') ?? []]) {
    if (!all.some((one) => `held-${one.who}` === old.dataset.note)) old.remove();
  }
  for (const one of all) isMaster() ? drawToDecide(one) : teller.note(heldWords(one), `held-${one.who}`, one.status === "declined" ? "bad" : "");
}

function heldWords({ label, who, status, words }) {
  const what = `${nameOf(who)}: ${app.log.prose(label)}`;
  if (status === "waiting") return `Waiting for the game master. ${what}`;
  const came = status === "declared" ? "The game master decided" : "The game master rejected it";
  return `${came}${words ? `: ${words}` : "."} (${what})`;
}

/** Tell the game master what a player declared and why the rules refuse it, with two buttons. */
function drawToDecide(one) {
  const name = `held-${one.who}`;
  if (one.status !== "waiting") return teller.note("", name);
  const mine = held.answering === one.id;
  teller.note(`${one.by} declares for ${nameOf(one.who)}: ${app.log.prose(one.label)}. The rules refuse it for a reason that only you may know: ${app.log.prose(one.reason)}${ruleWords(one.rule)}. `, name, "bad");
  byId("notes").querySelector(`[data-note="${CSS.escape(name)}"]`).append(
    h("button", { type: "button", "aria-pressed": String(mine), onclick: () => declareFor(one) }, mine ? "Choose its act" : "Declare for them"), " ",
    h("button", { type: "button", onclick: () => turnDown(one) }, "Reject"),
  );
}

/** Act as the combatant: its next declaration is the answer. */
function declareFor(one) {
  held.answering = held.answering === one.id ? "" : one.id;
  if (held.answering) {
    actAs(one.who);
    showTab("act");
  }
  showHeld(held.all);
}

function turnDown(one) {
  const input = h("input", { id: "held-words", autocomplete: "off", maxlength: "2000", "data-first": true });
  const form = h("form", { class: "faces-form", onsubmit: async (event) => {
    event.preventDefault();
    byId("choice").close();
    await perform("/held", { held: one.id, words: input.value.trim() }, `rejecting: ${one.label}`);
  } }, field("Message to the player", input, "It is not recorded."), h("button", { type: "submit", class: "main" }, "Reject"));
  openDialog("choice", `${nameOf(one.who)}: ${app.log.prose(one.label)}`, [form]);
}

/** Path and body of the game master's declaration: it may answer a held one. */
export function whereDeclared(act) {
  const one = held.all.find(({ id }) => id === held.answering);
  return one && one.who === act.actor ? ["/held", { held: one.id }] : ["/declarations", {}];
}
