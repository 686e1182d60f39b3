// Turn the server's events into records of the page, and show notes to the user.

import { byId, h, visible } from "./dom.js";
import { fromBranch, proseWith, record, wholeLine } from "./log.js";

const LISTED = ["conditions", "effects", "injuries", "plan", "threat", "held"];
const MOST_SAID = 30;
export const SILENT = ["rolled", "action.spent", "budget.renewed", "round.ended", "link.given", "hidden"];

export const teller = {
  /** Show a note next to the map, under a name, until it is replaced; "" removes it. */
  note(text, name = "note", kind = "") {
    const host = byId("notes");
    if (!host) return;
    const old = host.querySelector(`[data-note="${name}"]`);
    if (!text) return old?.remove();
    const made = h("p", { class: `note-line ${kind}`, "data-note": name }, text);
    if (old) old.replaceWith(made);
    else host.append(made);
  },

  /** Show the state of the connection. */
  wire(kind, text) {
    const host = byId("wire");
    if (kind === "lost" && byId("sign")?.hidden === false) byId("sign-told").textContent = "The server does not answer. Trying again.";
    document.documentElement.dataset.wire = kind;
    if (host && host.textContent !== visible(text)) host.textContent = visible(text);
  },

  /** Announce events to screen readers, one message for each declaration. */
  aloud(records) {
    const groups = new Map();
    for (const one of records) {
      if (SILENT.includes(one.type) || !one.text || isVague(one)) continue;
      groups.set(one.cause, [...groups.get(one.cause) ?? [], one.text]);
    }
    const host = byId("said");
    for (const texts of groups.values()) host.append(h("p", null, texts.join(". ")));
    while (host.childElementCount > MOST_SAID) host.firstElementChild.remove();
  },
};

/** Whether a record tells only that a combatant has changed. */
export function isVague(/** @type {LogRecord} */ { type, glimpsed }) {
  return glimpsed && ["hit-points.changed", "damage.resolved"].includes(type);
}

/** Make a record of the page from an event of the server: whole, partial or no longer shown. */
export function toldRecord(data, frame, called) {
  const fact = data.fact ?? data.seen ?? {};
  const hidden = !data.fact && !data.seen;
  const [text, chain, change, sight, chance, area] = frame ?? data.frame ?? [];
  const event = {
    stream: data.branch, seq: data.seq, type: data.type || fact.type || "hidden", version: 0, round: data.round ?? 0, turn: data.turn ?? 0,
    actor: data.actor ?? "", cause: data.cause ?? 0, digest: data.digest ?? "", salt: "", data: "", fact, hidden, glimpsed: Boolean(data.seen),
  };
  const words = text || data.text || (hidden ? "No longer shown" : event.type.replaceAll(/[.-]/g, " "));
  return record(event, [words, chain ?? [], withLists(change), sight ?? null, chance ?? null, area ?? null], called);
}

function withLists(change) {
  for (const fields of Object.values(change?.c ?? {})) {
    for (const name of LISTED) if (fields[name] === null) fields[name] = [];
  }
  return change ?? null;
}

/** Make the page's log from the server's page of a fight. */
export function toldLog(page) {
  const log = { ...page, lines: new Map(), swing: page.swing ?? null, odds: page.odds ?? {}, rulebook: "/rulebook", contested: page.contested ?? [] };
  log.names = new Map(Object.entries(page.names));
  log.letters = new Map(Object.entries(page.letters));
  log.rules = new Map(Object.entries(page.rules ?? {}));
  log.shapes = page.shapes ?? {};
  log.prose = proseWith(log.names);
  log.contributed = false;
  const called = [...log.names.values()];
  for (const { events, frames, ...line } of page.lines) {
    const records = events.map((data, at) => fromBranch(line, toldRecord(data, frames?.[at], called)));
    log.contributed ||= records.some((one) => one.type === "seed.contributed");
    log.lines.set(line.name, wholeLine({ ...line, events: records }, log.lines.get(line.parent)));
  }
  return log;
}

/** Add new names, wordings and shapes from a newly fetched page. */
export function learnFrom(log, page) {
  for (const [mine, theirs] of [[log.names, page.names], [log.letters, page.letters], [log.rules, page.rules]]) {
    for (const [id, value] of Object.entries(theirs ?? {})) mine.set(id, value);
  }
  Object.assign(log.shapes, page.shapes);
  const fresh = (page.contested ?? []).filter((one) => !log.contested.some((known) => JSON.stringify(known) === JSON.stringify(one)));
  log.contested.push(...fresh);
  log.prose = proseWith(log.names);
}

/** The rules that a record cites and whose wording the page lacks. */
export function newRules(log, { fact }) {
  return (fact.cites ?? []).filter((id) => !log.rules.has(id) && !id.startsWith("ruling:"));
}

/** The ids, and the shapes of threatened squares, that a record mentions and the page lacks. */
export function newNames(log, { change }) {
  const people = Object.entries(change?.c ?? {});
  const shapes = people.flatMap(([, { threat }]) => threat ?? []).filter((shape) => !log.shapes[shape]);
  return [...shapes, ...people.map(([id]) => id).filter((id) => !log.letters.has(id))];
}

/** A line cut after an event, where another line continues. */
export function cutLine(/** @type {Line} */ line, at, name) {
  return wholeLine({ ...line, name, at: 0, parent: "", events: line.records.slice(0, at) }, null);
}
