// Detect chosen links of the game master: changed links, links left out, or a chain not from the seed.

import { blake2b } from "./blake2b.js";
import { ENCODER } from "./chain.js";
import { hex, sha256 } from "./sha256.js";

const LONGEST_CHAIN = 65_536;

/** The anchor, derived from the seed, of the game master's chain begun after `begun` declarations. */
function mastersAnchor(seed, begun, length) {
  let found = blake2b(ENCODER.encode(String(begun)), seed, 32, "affray chain");
  for (let step = 0; step < length; step++) found = sha256(found);
  return hex(found);
}

/** The audit of all draws; `bad(event, reason)` gets the faults. */
export function drawAudit(bad) {
  const draws = [];
  const chains = [];

  /** Record a link of the game master, or the beginning of the chain, on its line. */
  function event({ name, dice }, one) {
    if (one.fact.by !== "") return;
    if (one.type === "chain.begun") chains.push({ event: one, commitment: dice.commitment, count: dice.counted });
    else if (one.type === "link.given") draws.push({ event: one, stream: name, ...dice.links.drawn });
  }

  /** Compare chains with the known seeds, and draws with each other. */
  function finished(seeds, lines) {
    let spare = 4; // chains that are recomputed: a file may have any number
    for (const { event: one, commitment, count } of chains) {
      // A line that was decided again uses its parent's chain, possibly after more declarations.
      if (chains.some(({ event: other }) => other.stream !== one.stream && other.data === one.data && other.index < one.index)) continue;
      const seed = seeds.get(commitment);
      if (!seed || !(one.fact.length <= LONGEST_CHAIN) || spare-- <= 0) continue;
      if (mastersAnchor(seed, count, one.fact.length) !== one.fact.anchor) bad(one, "the game master's chain does not follow from the seed");
    }
    const together = new Map(); // players' links -> the first game master's link with them
    const stood = new Map(); // both together -> on which streams
    const spans = new Map(); // stream -> its first and last draw
    const both = ({ number, players }) => `${number}\n${players}`;
    for (const draw of draws) {
      const { event: one, stream, players, number } = draw;
      if (!together.has(players)) together.set(players, number);
      if (players && together.get(players) !== number) bad(one, `the same links of players come with another link of the game master: ${together.get(players)}`);
      if (!stood.has(both(draw))) stood.set(both(draw), new Set());
      stood.get(both(draw)).add(stream);
      if (!spans.has(stream)) spans.set(stream, { first: one.seq, last: one.seq });
      spans.get(stream).last = one.seq;
    }
    for (const draw of draws) {
      // A line that was decided again uses its parent's links, possibly fewer of them.
      if (!draw.passed || stood.get(both(draw)).size > 1) continue;
      const { parent } = lines.get(draw.stream);
      if (!parent || spans.get(parent)?.last >= spans.get(draw.stream).first) bad(draw.event, `the game master's links before ${draw.number} were left out`);
    }
  }

  return { event, finished };
}
