// The log and its frames: events, lines of play, rounds and turns, the state after any event.

import { PLAIN_WORDS } from "./plainwords.js";

const KEYFRAME = 64; // events between two stored states
/** A combatant of which nothing is known. */
export const UNTOLD = {
  side: "", size: "", thing: false, at: null, space: 1, reach: null, hp: null, max: null, nonlethal: 0, temporary: 0, held: [], initiative: null,
  conditions: [], effects: [], injuries: [], plan: [], waits: "", readied: "", threat: [],
};

/**
 * Both data blocks as { about, names, rules, lines: Map(name -> line) }; `file` is the log as `readRows` read it.
 *
 * Lines, events and dice are those of the log; the frames add sentences, states and sight. Throws an error if
 * the two do not match.
 */
export function readLog(file) {
  if (file.problem) throw new Error(file.problem);
  const frames = JSON.parse(document.getElementById("frames")?.textContent ?? "");
  const told = new Map(frames.lines.map((line) => [line.name, line]));
  const promoted = file.events.findLast((event) => event.type === "branch.promoted")?.stream ?? file.branches[0].name;
  const own = new Map(file.branches.map(({ name, parent, at }) => [name, { ...told.get(name), name, parent, at, main: name === promoted, events: [] }]));
  const log = { ...frames, names: new Map(Object.entries(frames.names)), lines: new Map() };
  log.contributed = file.events.some((event) => event.type === "seed.contributed");
  log.prose = proseWith(log.names);
  const called = [...log.names.values()];
  for (const event of file.events) {
    const line = own.get(event.stream);
    line.events.push(fromBranch(line, record(event, line.frames[event.seq - line.at - 1], called)));
  }
  log.letters = new Map(Object.entries(frames.letters));
  log.rules = new Map(Object.entries(frames.rules));
  for (const line of own.values()) {
    if (line.events.length !== line.frames.length) throw new Error(`${line.name}: it has more frames than events`);
    log.lines.set(line.name, wholeLine(line, log.lines.get(line.parent)));
  }
  return log;
}

export function record(event, [text, chain = [], change = null, sight = null, chance = null, area = null], called) {
  // A sentence begins with a capital, a name as it is spelled.
  const said = called.some((name) => text.startsWith(name)) ? text : capital(text);
  return { ...event, text: said, chain, change, sight, chance, area };
}

/** A record of a line, with its source branches if the line was merged. */
export function fromBranch({ merged }, made) {
  const from = merged?.events[made.seq];
  return from ? { ...made, from } : made;
}

/** A function that replaces ids with names in a text of the log, except for ids that are plain words. */
export function proseWith(names) {
  const ids = [...names.keys()].filter((id) => id.length > 2 && names.get(id) !== id && !PLAIN_WORDS.has(id.toLowerCase())).sort((a, b) => b.length - a.length);
  if (!ids.length) return (text) => text;
  const escaped = ids.map((id) => id.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w/:])(${escaped.join("|")})(?![\\w/])`, "g");
  return (text) => text.replace(pattern, (id) => names.get(id));
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A line of play from its first event: the events shared with its parent, then its own. */
export function wholeLine(own, /** @type {Line | null | undefined} */ parent) {
  const records = parent ? [...parent.records.slice(0, own.at), ...own.events] : own.events;
  const line = { ...own, records, last: records.length, keyframes: new Map() };
  line.marks = marksOf(records);
  return line;
}

/** Append events to a line. */
export function growLine(/** @type {Line} */ line, /** @type {LogRecord[]} */ records) {
  line.records.push(...records);
  line.last = line.records.length;
  line.marks.push(...marksOf(records, line.marks.at(-1)?.round ?? 0));
}

/** The events with which rounds (turn 0) and turns begin; `round` is the one under way before them. */
function marksOf(/** @type {LogRecord[]} */ records, round = 0) {
  const marks = [];
  for (const { seq, type, fact } of records) {
    if (type === "round.began") {
      round = fact.number;
      marks.push({ seq, round, turn: 0, who: "" });
    } else if (type === "turn.began") marks.push({ seq, round, turn: fact.number, who: fact.who });
  }
  return marks;
}

/** The state after event `seq`: { g: encounter, c: Map(id -> combatant) }, not to be changed. */
export function stateAt(/** @type {Line} */ line, /** @type {number} */ seq) {
  const start = Math.floor(seq / KEYFRAME) * KEYFRAME;
  let state = line.keyframes.get(start);
  if (!state) {
    state = start ? copyState(stateAt(line, start - 1)) : { g: { round: 0, turn: 0, terrain: [] }, c: new Map() };
    if (start) applyChange(state, line.records[start - 1].change);
    line.keyframes.set(start, state);
  }
  if (seq === start) return state;
  state = copyState(state);
  for (let at = start; at < seq; at++) applyChange(state, line.records[at].change);
  return state;
}

function copyState(/** @type {State} */ state) {
  return { g: { ...state.g }, c: new Map(state.c) };
}

function applyChange(/** @type {State} */ state, /** @type {LogRecord["change"]} */ change) {
  if (!change) return;
  if (change.g) Object.assign(state.g, change.g);
  for (const [id, fields] of Object.entries(change.c ?? {})) {
    state.c.set(id, { ...(state.c.get(id) ?? UNTOLD), ...fields, id });
  }
}

export function markAt(/** @type {Line} */ line, seq) {
  return line.marks.findLast((mark) => mark.seq <= seq);
}

/** "r3.t2", "r3" before its first turn, "r0" before all events. */
export function placeOf(/** @type {Line} */ line, seq) {
  const mark = markAt(line, seq);
  if (!mark) return "r0";
  return mark.turn ? `r${mark.round}.t${mark.turn}` : `r${mark.round}`;
}

/** The event at a position (17, r3, r3.t2, start, end), null if there is none. */
export function seqOf(/** @type {Line} */ line, /** @type {string} */ text) {
  const found = /^(?:#?(\d{1,9})|r(\d{1,9})(?:\.t(\d{1,9}))?|(start|end))$/.exec(text.trim().toLowerCase());
  if (!found) return null;
  const [, seq, round, turn, word] = found;
  if (word) return word === "end" ? line.last : 0;
  if (seq !== undefined) return Number(seq) <= line.last ? Number(seq) : null;
  const wanted = line.marks.find((mark) => mark.round === Number(round) && mark.turn === Number(turn ?? 0));
  return wanted ? wanted.seq : null;
}
