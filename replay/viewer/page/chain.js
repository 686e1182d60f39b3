// The chain of digests: the bytes that an event's digest covers, and the lines of play.

import { digestOf, sameBytes, sha256, unhex } from "./sha256.js";

export const ENCODER = new TextEncoder();
export const GENESIS = sha256(ENCODER.encode("affray log 1"));
let framed = new Uint8Array(1 << 16);

/** The digest of an event that follows the digest `previous`, or a promise of it. */
export function digestAfter(previous, e) {
  const frame = `${e.seq}:${sized(e.type)}${e.version}:${e.round}:${e.turn}:${sized(e.actor)}${e.cause}:${e.data}`;
  const head = `${e.salt ? "*" : ""}${sized(e.stream)}`;
  const most = 48 + 3 * (head.length + frame.length);
  if (framed.length < most) framed = new Uint8Array(2 * most);
  framed.set(previous);
  let length = 32 + ENCODER.encodeInto(head, framed.subarray(32)).written;
  if (e.salt) {
    framed.set(/** @type {Uint8Array} */ (unhex(e.salt)), length);
    length += 16;
  }
  length += ENCODER.encodeInto(frame, framed.subarray(length)).written;
  return digestOf(framed, length);
}

/** A text with its length in bytes before it. */
export function sized(text) {
  // Most texts are ASCII: as many bytes as characters.
  const size = /^[\x00-\x7f]*$/.test(text) ? text.length : ENCODER.encode(text).length;
  return `${size}:${text}`;
}

/**
 * The lines of play of a file by name, each with its own head, and the events where lines leave others.
 *
 * Impossible branches are reported to `bad(event, reason)` and skipped.
 */
export function chainsOf(branches, bad) {
  const lines = new Map();
  const places = new Map();
  for (const { name, parent, at, digest } of branches) {
    const root = !lines.size;
    const from = lines.get(parent);
    if (lines.has(name) || (root ? parent || at : !from)) {
      bad({ stream: name, seq: at }, "the branch is in an impossible place");
      continue;
    }
    const line = { name, parent, at, seq: at, last: unhex(digest), tree: null, dice: null, place: "", digests: [] };
    if (at) {
      let holder = from;
      while (holder.at >= at) holder = lines.get(holder.holder);
      line.holder = holder.name;
      line.place = placeKey(holder.name, at);
      if (!places.has(line.place)) places.set(line.place, { leaving: [], kept: null });
      places.get(line.place).leaving.push(line);
    } else if (!sameBytes(line.last, GENESIS)) bad({ stream: name, seq: 0 }, "the branch lacks the digest of its beginning");
    lines.set(name, line);
  }
  return { lines, places };
}

export function placeKey(stream, seq) {
  return `${seq} ${stream}`;
}

/** The digests of a whole line, including those shared with its parents. */
export function lineDigests(lines, name) {
  const parts = [];
  for (let line = lines.get(name), upto = Infinity; line; upto = Math.min(upto, line.at), line = lines.get(line.parent)) {
    parts.unshift(line.digests.slice(0, Math.max(0, upto - line.at)));
  }
  return parts.flat();
}
