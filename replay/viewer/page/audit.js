// The check of a log in the browser: chain, salts, dice and seals of each line, from the stored rows only.

import { chainsOf, digestAfter, placeKey } from "./chain.js";
import { copiedDice, diceAudit, newDice } from "./dice.js";
import { COPY_FORMAT } from "./rows.js";
import { grown, NO_TREE, sealCode, sealText } from "./sealed.js";
import { digestOf, hex, sameBytes, unhex } from "./sha256.js";

const GROUPS = ["encounter.opened", "seed.contributed", "chain.begun", "declared", "options.changed", "branch.promoted", "disputed", "ruled"];
/** Whether an event opens a group; a player may leave a chain at any time, even while its link is awaited. */
export function begins({ type, seq, cause }, before) {
  if (type === "chain.left") return cause === seq;
  return GROUPS.includes(type) && !(type === "ruled" && before === "asked");
}

const STRIDE = 250; // events whose digests are computed together
const ASKED = {
  file: ["event", "the rows are complete and unchanged"],
  chain: ["event", "each digest covers its event and the previous one"],
  salts: ["event", "events left out of a copy cannot be guessed"],
  seed: ["commitment", "the revealed seed opens it"],
  dice: ["roll", "each shows what its notation can, and adds up"],
};

/**
 * Check the result of `readRows`; `tell` is called with the number of events checked.
 *
 * The report has the `checks` by name, the `first` fault in the order of the file, how long it `took` in
 * milliseconds, and the `lines` with digests, size and code of the seal.
 */
export async function audited(file, tell = (/** @type {number} */ _events) => {}) {
  const began = performance.now();
  const copy = file.format === COPY_FORMAT;
  const report = { file, copy, events: 0, hidden: 0, shows: "", checks: new Map(), first: "", lines: new Map() };
  for (const [name, [unit, asks]] of Object.entries(ASKED)) report.checks.set(name, { name, unit, asks, count: 0, problems: 0, problem: "", note: "", open: false });
  const faults = [];
  const bad = (name, event, reason) => faults.push({ name, event, reason });
  const { lines, places } = chainsOf(file.branches, (event, reason) => bad("chain", event, reason));
  report.lines = lines;
  const dice = diceAudit(bad);
  const rest = breaks();
  let asked = [];
  for (const event of file.events) {
    const line = lines.get(copy ? file.branches[0].name : event.stream);
    if (!line) bad("chain", event, `there is no branch ${event.stream}`);
    else chained(line, event, places, dice, bad, asked);
    report.hidden += event.hidden ? 1 : 0;
    if (event.type === "branch.promoted") report.shows = event.stream;
    if (++report.events % STRIDE === 0) {
      await answered(asked, bad);
      asked = [];
      tell(report.events);
      await rest();
    }
  }
  await answered(asked, bad);
  // After an unreadable row nothing counts as missing: that row is the first fault.
  if (file.problem) bad("file", { index: file.events.length + 1 }, file.problem);
  for (const { leaving, kept } of file.problem ? [] : places.values()) {
    if (!kept) for (const line of leaving) bad("chain", { stream: line.name, seq: line.at }, "the branch leaves a missing event");
  }
  for (const line of lines.values()) {
    line.tree ??= places.get(line.place)?.kept?.tree ?? NO_TREE;
    line.size = line.tree.size;
    line.code = sealCode(line.name, line.tree);
  }
  await ended(report, bad);
  saltsTold(report);
  await dice.finished(report.hidden > 0, lines, rest);
  dice.told(report);
  blame(report, faults);
  report.took = performance.now() - began;
  return report;
}

/** Return a function to await now and then: it lets the browser draw at intervals. */
function breaks() {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < 40) return;
    await new Promise((go) => setTimeout(go));
    last = performance.now();
  };
}

/** Put the faults into their checks; the first one in the file is named. */
function blame(report, faults) {
  const order = ({ event }) => event.index ?? Infinity;
  faults.sort((one, other) => (order(one) < order(other) ? -1 : order(one) > order(other) ? 1 : 0));
  for (const { name, event: { stream, seq }, reason } of faults) {
    const told = `${seq ? `${stream || report.file.branches[0].name}#${seq}: ` : ""}${reason}`;
    const check = report.checks.get(name);
    if (!check.problems++) check.problem = told;
    report.first ||= told;
  }
}

/** Compare the computed digests. */
async function answered(asked, bad) {
  const digests = await Promise.all(asked.map((one) => one.wanted));
  asked.forEach(({ event, digest }, at) => {
    if (!sameBytes(digests[at], digest)) bad("chain", event, "its digest does not match its bytes and the previous event");
  });
}

/** Begin a line with its first own event: from its parent's event, else from the genesis digest. */
function begin(line, places, bad) {
  const kept = places.get(line.place)?.kept;
  line.tree = kept?.tree ?? NO_TREE;
  line.dice = kept ? copiedDice(kept.dice) : newDice();
  if (line.place && !kept) bad("chain", { stream: line.name, seq: line.at }, "the branch comes before the event where it leaves");
}

function chained(line, event, places, dice, bad, asked) {
  if (!line.tree) begin(line, places, bad);
  if (event.seq !== line.seq + 1) bad("chain", event, `it is in the place of event ${line.seq + 1}`);
  const digest = unhex(event.digest);
  if (event.hidden) line.dice.gaps = true;
  else {
    asked.push({ event, digest, wanted: digestAfter(line.last, event) });
    if (event.fact.type !== event.type) bad("chain", event, `its type is ${event.type}, but its data is of another type`);
    dice.event(line, event);
  }
  line.seq = event.seq;
  line.last = digest;
  line.digests.push(digest);
  line.tree = grown(line.tree, digest);
  const place = places.get(placeKey(line.name, event.seq));
  if (!place) return;
  place.kept = { tree: line.tree, dice: copiedDice(line.dice) };
  for (const one of place.leaving) {
    if (one.digests.length || !sameBytes(digest, one.last)) bad("chain", event, `branch ${one.name} leaves a different event here`);
  }
}

/** Compare the last row with the rows before it: this detects a file cut off after a row. */
async function ended(report, bad) {
  const { file } = report;
  const check = report.checks.get("file");
  check.count = report.checks.get("chain").count = file.events.length;
  if (file.problem) return;
  const bytes = new TextEncoder().encode(file.text);
  const found = hex(await digestOf(bytes, bytes.length - new TextEncoder().encode(file.text.slice(-file.end.from)).length));
  if (file.end.sha256 !== found) bad("file", {}, "the hash in the last row does not match the rows before it");
  if (file.end.events !== file.events.length) bad("file", {}, `the last row says ${file.end.events} events, but there are ${file.events.length}`);
  if (report.copy) {
    const [line] = report.lines.values();
    if (file.end.hidden !== report.hidden) bad("file", {}, "the last row has another number of hidden events");
    if (file.seal !== sealText({ branch: line.name, size: line.size, code: line.code })) bad("file", {}, "the seal in the file does not match its digests");
  }
}

function saltsTold(report) {
  const check = report.checks.get("salts");
  const shown = report.file.events.filter((event) => !event.hidden);
  check.count = shown.filter((event) => event.salt).length;
  check.open = check.count < shown.length;
  if (!check.count) check.note = "none: this log is older than salts, so hidden events can be guessed";
  else if (check.open) check.note = `${shown.length - check.count} of ${shown.length} events have none`;
}
