// The dice of a log: commitment and seed, players' contributions, totals, and all faces derived from a seed.

import { begins } from "./audit.js";
import { drawAudit } from "./draws.js";
import { jointSeed, KEYED_ALGORITHM, keyedDice, seedOf } from "./keyed.js";
import { beginLinks, copiedLinks, DRAWN, linkEvent, newLinks } from "./links.js";
import { parseDice, rethrowDice, throwDice } from "./notation.js";
import { foresight } from "./origin.js";
import { hex, sha256 } from "./sha256.js";

const REFUSED = "x"; // prefix of the ids of refused declarations
const MAIN_LINE = "main"; // name of the first line of play
const BY_HAND = { physical: "thrown by hand", scripted: "scripted", imported: "from elsewhere", overridden: "changed for a what-if" };

/** The state of a line's dice: commitment, contributions, declarations, and the declaration under way. */
export function newDice() {
  return { commitment: null, contributions: [], declared: new Set(), counted: 0, gaps: false, group: "", keys: new Set(), before: "", links: newLinks() };
}

export function copiedDice(dice) {
  return { ...dice, declared: new Set(dice.declared), keys: new Set(dice.keys), links: copiedLinks(dice.links) };
}

/** The audit of the dice of all lines; `bad(check, event, reason)` gets the faults. */
export function diceAudit(bad) {
  const rolls = [];
  const draws = drawAudit((event, reason) => bad("dice", event, reason));
  const closings = [];
  const seeds = new Map(); // commitment -> the revealed seed that opens it
  const counts = { commitments: 0, contributed: 0, compared: 0, joint: 0, links: 0, others: new Map(), open: new Map() };
  const more = (map, name) => map.set(name, (map.get(name) ?? 0) + 1);

  function event(line, one) {
    const { dice } = line;
    const { fact, type } = one;
    if (begins(one, dice.before)) {
      dice.group = type === "declared" ? String(fact.id) : "";
      dice.keys = new Set();
      beginLinks(dice.links);
    }
    dice.before = type;
    if (linkEvent(dice.links, one, (event, reason) => bad("dice", event, reason))) counts.links++;
    draws.event(line, one);
    if (type === "encounter.opened") {
      dice.commitment = fact.commitment;
      counts.commitments++;
    } else if (type === "seed.contributed") {
      if (dice.declared.size) bad("seed", one, "words were added to the seed when their effect could be known");
      dice.contributions = [...dice.contributions, [String(fact.by), String(fact.words)]];
      counts.contributed++;
    } else if (type === "declared") {
      if (dice.declared.has(fact.id)) bad("dice", one, `declaration ${fact.id} occurs twice`);
      dice.declared.add(fact.id);
      const refused = String(fact.id).startsWith(REFUSED);
      // A branch may use its parent's numbers, and inserted declarations have their own.
      if (one.stream === MAIN_LINE && !dice.gaps && !refused && fact.id !== `d${dice.counted + 1}`) {
        bad("dice", one, `declaration ${fact.id} comes where d${dice.counted + 1} was expected`);
      }
      if (!refused) dice.counted++;
    } else if (type === "rolled") {
        // Branches that were decided again may contain such earlier rolls.
      const seeded = fact.provenance === "seeded" && [...dice.links.chains.keys()].some(Boolean);
      if (one.stream === MAIN_LINE && seeded) bad("dice", one, `${fact.key} is rolled without links, though the dice follow from them`);
      if (one.stream === MAIN_LINE && dice.group.startsWith(REFUSED)) bad("dice", one, `dice are rolled for ${dice.group}, which was refused`);
      rolls.push({ event: one, commitment: dice.commitment, contributions: dice.contributions, group: dice.group, drawn: dice.links.drawn, twice: dice.keys.has(fact.key) });
      dice.keys.add(fact.key);
    } else if (type === "encounter.closed" && fact.seed) {
      const seed = seedOf(fact.seed);
      closings.push({ event: one, commitment: dice.commitment, opens: seed !== null && hex(sha256(seed)) === dice.commitment });
      if (closings.at(-1).opens) seeds.set(dice.commitment, seed);
    }
  }

  /**
   * The seed of a roll's declaration, as { seed } or { open: why it cannot be compared here }.
   *
   * Dice of every other origin are handled here: an unknown provenance never passes.
   */
  function seedOfRoll({ event: { fact }, commitment, contributions, drawn }, hidden) {
    if (Object.hasOwn(DRAWN, fact.provenance)) {
      if (fact.algorithm !== KEYED_ALGORITHM) return { fault: `rolled by an unknown algorithm (${fact.algorithm})` };
      if (!drawn && hidden) return { open: "by links that are left out" };
      if (drawn?.provenance !== fact.provenance) return { fault: "the links that it depends on were not given" };
      return { seed: drawn.seed };
    }
    if (fact.provenance !== "seeded") return { open: `of a kind unknown to this page (${fact.provenance})` };
    if (fact.algorithm !== KEYED_ALGORITHM) return { open: `rolled by an algorithm unknown to this page (${fact.algorithm})` };
    if (hidden) return { open: "seeded ones cannot be checked: events are left out" };
    const secret = seeds.get(commitment);
    if (!secret) return { open: "seeded ones cannot be checked until the seed is revealed" };
    let joint = seedOfRoll.joint.get(contributions);
    if (!joint) seedOfRoll.joint.set(contributions, joint = jointSeed(secret, contributions));
    return { seed: joint };
  }
  seedOfRoll.joint = new Map();

  function checkRoll(roll, hidden) {
    const { event: one, group, twice } = roll;
    const { fact } = one;
    if (one.version !== 1) return more(counts.open, "written by a newer Affray");
    let terms, thrown;
    try {
      terms = parseDice(fact.notation);
      thrown = rethrowDice(terms, fact.faces);
    } catch (error) {
      return bad("dice", one, `${fact.key}: ${error.message}`);
    }
    const marks = ["dropped", "rerolled", "exploded"];
    if (fact.total !== thrown.total || marks.some((name) => String(fact[name] ?? []) !== String(thrown[name]))) {
      bad("dice", one, `${fact.key}: the faces ${fact.faces.join(", ")} total ${thrown.total}, not ${fact.total}`);
    }
    if (!hidden && (twice || !group || !String(fact.key).startsWith(`${group}/`))) {
      bad("dice", one, twice ? `key ${fact.key} occurs twice` : `key ${fact.key} belongs to another declaration`);
    }
    const given = Object.hasOwn(BY_HAND, fact.provenance) ? BY_HAND[fact.provenance] : (String(fact.provenance).startsWith("ruling:") && "given by a ruling");
    if (given) return more(counts.others, given);
    const { seed, open, fault } = seedOfRoll(roll, hidden);
    if (fault) return bad("dice", one, `${fact.key}: ${fault}`);
    if (open) return more(counts.open, open);
    const { faces } = throwDice(terms, keyedDice(seed, fact.key));
    const joint = Object.hasOwn(DRAWN, fact.provenance);
    counts[joint ? "joint" : "compared"]++;
    if (String(faces) !== String(fact.faces)) bad("dice", one, `${fact.key}: it shows ${fact.faces.join(", ")}, the ${joint ? "links say" : "seed says"} ${faces.join(", ")}`);
  }

  /** Check all rolls that depend on the seed; `hidden` if events are left out, `rest` lets the browser draw. */
  async function finished(hidden, lines, rest) {
    for (const one of closings) {
      if (!one.opens && one.commitment !== null) bad("seed", one.event, "the revealed seed does not open the commitment");
    }
    for (let at = 0; at < rolls.length; at++) {
      checkRoll(rolls[at], hidden);
      if (at % 100 === 99) await rest();
    }
    if (!hidden) draws.finished(seeds, lines);
  }

  function told({ checks }) {
    const seed = checks.get("seed");
    const known = closings.some((one) => one.opens);
    seed.count = counts.commitments;
    seed.open = !known;
    const given = counts.contributed ? `${known ? "" : "; "}players contributed ${counts.contributed} ${counts.contributed === 1 ? "time" : "times"}` : "";
    seed.note = (known ? "" : "the seed is not revealed here yet") + given;
    const dice = checks.get("dice");
    dice.count = rolls.length;
    dice.open = counts.open.size > 0;
    const listed = [...counts.others, ...counts.open].map(([what, count]) => `${count} ${what}`);
    if (counts.compared) listed.unshift(`${counts.compared} seeded compared with the seed`);
    if (counts.joint) listed.unshift(`${counts.joint} compared with ${counts.links} links`);
    if (rolls.length) listed.push(foresight(rolls.map(({ event }) => event.fact.provenance)));
    dice.note = listed.filter(Boolean).join("; ");
  }

  return { event, finished, told };
}
