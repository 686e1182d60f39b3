// Seeded dice: every face follows from the seed, the roll's key and the die's index (algorithm "blake2b-1").

import { blake2b } from "./blake2b.js";
import { unhex } from "./sha256.js";

export const KEYED_ALGORITHM = "blake2b-1";

/** A function `draw(sides, count)` that gives the faces of a key one by one. */
export function keyedDice(seed, key) {
  const text = new TextEncoder().encode(key);
  const message = new Uint8Array(text.length + 8);
  message.set(text);
  const suffix = new DataView(message.buffer, text.length);
  const blocks = new Map();
  const value = (index, attempt) => {
    const number = Math.floor(index / 16);
    const at = `${number}/${attempt}`;
    if (!blocks.has(at)) {
      suffix.setUint32(0, number, true);
      suffix.setUint32(4, attempt, true);
      blocks.set(at, new DataView(blake2b(message, seed).buffer));
    }
    return blocks.get(at).getUint32(4 * (index % 16), true);
  };
  let thrown = 0;
  return (sides, count) => {
    const limit = 2 ** 32 - (2 ** 32 % sides);
    return Array.from({ length: count }, () => {
      let attempt = 0;
      let found = value(thrown, attempt);
      while (found >= limit) found = value(thrown, ++attempt);
      thrown++;
      return (found % sides) + 1;
    });
  };
}

/** The seed of the dice: the game master's secret with the players' contributions [by, words]. */
export function jointSeed(secret, contributions) {
  if (!contributions.length) return secret;
  const encoder = new TextEncoder();
  const parts = contributions.flat().flatMap((text) => {
    const bytes = encoder.encode(text);
    return [encoder.encode(`${bytes.length}:`), bytes];
  });
  return blake2b(joinedBytes(parts), secret, 32, "affray joint");
}

export function joinedBytes(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The revealed seed as bytes, null if the text is not one. */
export function seedOf(text) {
  const seed = unhex(text);
  return seed && seed.length >= 1 && seed.length <= 64 ? seed : null;
}
