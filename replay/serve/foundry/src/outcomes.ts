// Outcomes as messages: the sentence, the finished roll, its readers, and a link to the explanation.

import { documentId } from "./ids.js";
import { rollsOf } from "./rolls.js";
import type { CloudEvent, Fact, Rolled } from "./told.js";

/** The types of events that are posted in the chat. */
export const OUTCOMES: ReadonlySet<string> = new Set([
  "initiative.rolled", "attack.resolved", "confirmation.resolved", "miss-chance.resolved", "damage.resolved",
  "check.resolved", "contest.resolved", "turning.resolved", "item.struck", "injury.suffered",
]);

/** A message's data about its event. `gone` ones are struck out: the event is not on the main line. */
export interface Remembered {
  source: string;
  digest: string;
  seq: number;
  off: boolean;
  gone: boolean;
}

/** Readers of messages. */
export interface Readers {
  masters: string[];
  hidden: ReadonlySet<string>;
  /** Whether a combatant's numbers are public. */
  open: (id: string) => boolean;
  name: (id: string) => string;
}

export interface Outcome {
  _id: string;
  content: string;
  rolls: string[];
  whisper: string[];
  flavor: string;
  speaker: { alias: string };
  flags: { affray: Remembered };
}

export function messageId(source: string, digest: string): string {
  return documentId(`${source} ${digest}`);
}

function field(fact: Fact, name: string): string {
  return typeof fact[name] === "string" ? fact[name] : "";
}

/** The roller and the other combatants of an outcome. */
function people(fact: Fact): { by: string; others: string[] } {
  const by = field(fact, "attacker") || field(fact, "who");
  const others = ["target", "bearer", "against", "by", "who"].map((name) => field(fact, name)).filter((id) => id && id !== by);
  return { by, others };
}

/** The sentence without other combatants' numbers. */
function openly(fact: Fact, name: (id: string) => string): string {
  const by = name(field(fact, "attacker") || field(fact, "who")), target = name(field(fact, "target") || field(fact, "bearer"));
  switch (fact.type) {
    case "attack.resolved":
      return `${by} attacks ${target} with ${field(fact, "weapon")}: ${field(fact, "result")}`;
    case "confirmation.resolved":
      return `${by} ${fact["confirmed"] ? "confirms" : "does not confirm"} the critical against ${target}`;
    case "miss-chance.resolved":
      return `${by} ${fact["missed"] ? "misses" : "finds"} ${target}, who is hard to see`;
    case "damage.resolved":
    case "item.struck":
      return `${by} hits ${target} with ${field(fact, "weapon")}`;
    case "check.resolved":
      return `${by} ${fact["success"] ? "succeeds" : "fails"} at ${field(fact, "check")}`;
    case "contest.resolved":
      return `${by} ${fact["won"] ? "wins" : "loses"} the contest: ${field(fact, "contest")}`;
    default:
      return `${by}: ${fact.type.replace(/[.-]/g, " ")}`;
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The HTML of an outcome: struck out if it is gone. */
export function drawn(inner: string, gone: boolean): string {
  return `<div class="affray${gone ? " affray-gone" : ""}">${inner}</div>`;
}

/** The same HTML, struck out or not. */
export function redrawn(content: string, gone: boolean): string {
  return content.replace(/^<div class="affray(?: affray-gone)?">/, drawn("", gone).replace("</div>", ""));
}

/** The message of an outcome. `address` is the server's, `rolled` the outcome's dice. */
export function outcomeOf(event: CloudEvent, fact: Fact, rolled: ReadonlyMap<string, Rolled>, readers: Readers, address: string): Outcome {
  const { source, data: { seq, digest = "", text = "" } } = event;
  const { by, others } = people(fact);
  const hidden = [by, ...others].some((id) => readers.hidden.has(id)) || [...readers.hidden].some((id) => text.includes(readers.name(id)));
  const secret = hidden || !readers.open(by);
  const words = secret || others.every((id) => readers.open(id)) ? text : openly(fact, readers.name);
  const link = `<a class="affray-why" href="${escaped(`${address}/#${seq}`)}" target="affray">why</a>`;
  const rolls = rollsOf(fact, rolled).map((roll) => JSON.stringify(roll));
  return {
    _id: messageId(source, digest),
    content: drawn(`${escaped(words)} ${link}${hidden && rolls.length ? dicePlain(fact, rolled) : ""}`, false),
    // Foundry announces even whispered rolls to all users: rolls of hidden combatants must not be announced.
    rolls: hidden ? [] : rolls,
    whisper: secret ? readers.masters : [],
    flavor: "",
    speaker: { alias: readers.name(by) },
    flags: { affray: { source, digest, seq, off: false, gone: false } },
  };
}

function dicePlain(fact: Fact, rolled: ReadonlyMap<string, Rolled>): string {
  return rollsOf(fact, rolled).map((roll) => `<p>${escaped(`${roll.formula} = ${roll.total}`)}</p>`).join("");
}
