// Links of chains, which make dice unpredictable: each is compared with the previous one.

import { blake2b } from "./blake2b.js";
import { ENCODER, sized } from "./chain.js";
import { joinedBytes } from "./keyed.js";
import { hex, sha256, unhex } from "./sha256.js";

export const DRAWN = { joint: true, alone: true };
const MOST_HASHES = 524_288; // for the links of a line and its branches: a file may demand any number

/** The state of a line's chains by owner, and the links given for the declaration under way. */
export function newLinks() {
  return { chains: new Map(), given: [], drawn: null, budget: { hashes: MOST_HASHES } };
}

export function copiedLinks(links) {
  return { ...links, chains: new Map(links.chains), given: [...links.given] };
}

/** Begin another declaration. */
export function beginLinks(links) {
  links.given = [];
  links.drawn = null;
}

/** Process an event; `bad(event, reason)` gets the faults. Returns whether it was a link. */
export function linkEvent(links, event, bad) {
  const { fact, type } = event;
  if (type === "chain.begun") {
    links.chains.delete(fact.by);
    links.chains.set(fact.by, { length: fact.length, number: 0, last: fact.anchor });
  } else if (type === "chain.left") {
    links.chains.delete(fact.by);
  } else if (type === "link.given") {
    linkGiven(links, event, bad);
    return true;
  }
  return false;
}

function linkGiven(links, event, bad) {
  const { by, number, link } = event.fact;
  const chain = links.chains.get(by);
  const bytes = hashOf(link);
  const passed = number - (chain?.number ?? 0) - 1;
  if (!chain || !bytes || !followsOn(chain, number, link, links.budget)) bad(event, `that is not link ${number} of ${by || "the game master"}`);
  else if (number > chain.number) links.chains.set(by, { ...chain, number, last: link });
  if (by) {
    links.given.push([by, number, bytes ?? new Uint8Array()]);
    return;
  }
  for (const name of links.chains.keys()) {
    if (name && !links.given.some(([one]) => one === name)) bad(event, `${name} has given no link for these dice, and has not left`);
  }
  const players = links.given.map(([name, , one]) => `${name} ${hex(one)}`).join("\n");
  links.drawn = { seed: drawnSeed(bytes ?? new Uint8Array(), links.given), provenance: players ? "joint" : "alone", players, number, passed };
  links.given = [];
}

/** Whether this is link `number` of a chain: hashing it must give the earlier link. */
function followsOn(chain, number, link, budget) {
  if (!(Number.isInteger(number) && number >= 1 && number <= chain.length)) return false;
  const steps = number - chain.number;
  budget.hashes -= Math.abs(steps);
  if (budget.hashes < 0) return false;
  const [later, earlier] = steps > 0 ? [link, chain.last] : [chain.last, link];
  let at = hashOf(later);
  for (let step = 0; at && step < Math.abs(steps); step++) at = sha256(at);
  return at !== null && hex(at) === earlier;
}

function hashOf(text) {
  const bytes = unhex(String(text));
  return bytes && bytes.length === 32 ? bytes : null;
}

/** The seed of a declaration's dice: players' links in order, hashed with the game master's link as key. */
function drawnSeed(master, given) {
  const parts = given.flatMap(([by, number, link]) => [ENCODER.encode(`${sized(by)}${number}:`), link]);
  return blake2b(joinedBytes(parts), master, 32, "affray links");
}
