// What the game master has of players' declarations: refused by what they cannot know.

import { actAs, isMaster } from "./acting.js";
import { showTab } from "./app.js";
import { field, openDialog } from "./dialogs.js";
import { byId, h, nameOf } from "./dom.js";
import { perform, ruleWords } from "./perform.js";
import { app } from "./state.js";
import { teller } from "./told.js";

/** @type {{ all: any[], answering: string }} */
const held = { all: [], answering: "" };

/** Show what is held now: to the game master what it has to decide, to a player what it waits for. */
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
  if (status === "waiting") return `The game master has it. ${what}`;
  const came = status === "declared" ? "The game master has decided" : "The game master turned it down";
  return `${came}${words ? `: ${words}` : "."} (${what})`;
}

/** The line that tells the game master what a player declared, why the rules refuse it, and two ways to go on. */
function drawToDecide(one) {
  const name = `held-${one.who}`;
  if (one.status !== "waiting") return teller.note("", name);
  const mine = held.answering === one.id;
  teller.note(`${one.by} declares for ${nameOf(one.who)}: ${app.log.prose(one.label)}. The rules refuse it by what only you know: ${app.log.prose(one.reason)}${ruleWords(one.rule)}. `, name, "bad");
  byId("notes").querySelector(`[data-note="${CSS.escape(name)}"]`).append(
    h("button", { type: "button", "aria-pressed": String(mine), onclick: () => declareFor(one) }, mine ? "Choose what it does" : "Declare for them"), " ",
    h("button", { type: "button", onclick: () => turnDown(one) }, "Turn it down"),
  );
}

/** Act as the combatant: what is declared next for it is the answer. */
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
    await perform("/held", { held: one.id, words: input.value.trim() }, `turning down: ${one.label}`);
  } }, field("What the player is told", input, "It stands in no log."), h("button", { type: "submit", class: "main" }, "Turn it down"));
  openDialog("choice", `${nameOf(one.who)}: ${app.log.prose(one.label)}`, [form]);
}

/** Where a declaration of the game master goes, and with what: it may be the answer to what is held. */
export function whereDeclared(act) {
  const one = held.all.find(({ id }) => id === held.answering);
  return one && one.who === act.actor ? ["/held", { held: one.id }] : ["/declarations", {}];
}
