// Acts in words: a typed line for acts that cannot be listed.

import { acting, declare } from "./acting.js";
import { field } from "./dialogs.js";
import { byId, h } from "./dom.js";
import { app } from "./state.js";
import { teller } from "./told.js";

export const SAID_SO = "speak Stand back! · ready moves gharm then attack gharm · plan standard:attack:gharm · cast spell=fireball at=6,3";

export function wordsField() {
  const input = h("input", { id: "act-said", autocomplete: "off", autocapitalize: "none", placeholder: "speak Stand back!" });
  return h("form", { id: "act-words", onsubmit: sayAct }, field("In words", input), h("button", { type: "submit" }, "Declare"));
}

/** Declare the typed line: a kind, then `name=value` words; after "speak" the rest is the spoken text. */
async function sayAct(event) {
  event.preventDefault();
  const input = byId("act-said");
  let act = null;
  try {
    act = actOfWords(input.value, acting.who);
  } catch (error) {
    teller.note(error.message, "refused", "bad");
  }
  if (act) await declare(act, input.value);
  if (act && !byId("notes").querySelector('[data-note="refused"]')) input.value = "";
}

/** The act of a line: a kind, then `name=value` words and the target; some kinds have their own words. */
function actOfWords(text, actor) {
  if (text.trim().startsWith("{")) return { actor, ...JSON.parse(text) };
  const [, kind, rest] = /^\s*([\w-]+)\s*(.*?)\s*$/.exec(text) ?? [];
  if (!kind) return null;
  if (kind === "speak") return { act: kind, actor, words: rest };
  if (kind === "plan") return { act: kind, actor, actions: rest.split(/\s+/).filter(Boolean).map(intentOf) };
  if (kind === "ready") {
    const [when, then = ""] = rest.split(/\s*\bthen\b\s*/);
    const { bare, named } = wordsOf(when);
    const [what, who] = bare;
    return { act: kind, actor, trigger: { what, ...(who === undefined ? {} : { who }), ...named }, then: actOfWords(then, actor) };
  }
  const { bare, named } = wordsOf(rest);
  return { act: kind, actor, ...(bare.length ? { target: idCalled(bare.join(" ")) ?? bare.join(" ") } : {}), ...named };
}

/** An action planned for a round: `standard:attack:gharm`. */
function intentOf(word) {
  const [type, what = "", target = ""] = word.split(":");
  return { type, what, ...(target ? { target: idCalled(target) ?? target } : {}) };
}

function wordsOf(text) {
  /** @type {{ bare: any[], named: Record<string, any> }} */
  const found = { bare: [], named: {} };
  for (const [, name, quoted, value] of text.matchAll(/(?:(\w+)=)?(?:"([^"]*)"|(\S+))/g)) {
    const given = quoted ?? valueOfWord(value);
    if (name) found.named[name] = given;
    else found.bare.push(given);
  }
  return found;
}

function valueOfWord(word) {
  if (/^-?\d+$/.test(word)) return Number(word);
  if (/^-?\d+(,-?\d+)+$/.test(word)) return word.split(",").map(Number);
  if (word === "true" || word === "false") return word === "true";
  return idCalled(word) ?? word;
}

function idCalled(word) {
  const low = word.toLowerCase();
  return [...app.log.names].find(([id, name]) => id.toLowerCase() === low || name.toLowerCase() === low)?.[0];
}
