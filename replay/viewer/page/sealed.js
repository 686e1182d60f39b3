// Seals: the Merkle tree over the digests of a line (RFC 6962), and its 32-character code.

import { joinedBytes } from "./keyed.js";
import { sha256 } from "./sha256.js";

const SEAL_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const SEAL_TEXT = /^(?:([A-Za-z0-9][A-Za-z0-9._-]{0,63}):([0-9]{1,15}):)?([^:]+)$/;
const NODE = new Uint8Array(65);

/**
 * The tree over some digests: their number, and the roots of its full subtrees, largest first. Immutable.
 *
 * @type {{ size: number, peaks: any[] }}
 */
export const NO_TREE = { size: 0, peaks: [] };

export function grown({ size, peaks }, digest) {
  NODE[0] = 0;
  NODE.set(digest, 1);
  let found = sha256(NODE, 33);
  const rest = [...peaks];
  for (let left = size; left % 2; left = (left - 1) / 2) found = treeNode(rest.pop(), found);
  return { size: size + 1, peaks: [...rest, found] };
}

function treeNode(left, right) {
  NODE[0] = 1;
  NODE.set(left, 1);
  NODE.set(right, 33);
  return sha256(NODE);
}

function treeRoot({ peaks }) {
  return peaks.length ? peaks.reduceRight((right, left) => treeNode(left, right)) : sha256(new Uint8Array());
}

/** The 32-character code of a line of play up to event `tree.size`. */
export function sealCode(branch, tree) {
  const encoder = new TextEncoder();
  const name = encoder.encode(branch);
  const head = encoder.encode(`affray seal 1\0${name.length}:`);
  const digest = sha256(joinedBytes([head, name, encoder.encode(`${tree.size}:`), treeRoot(tree)]));
  let code = "";
  for (let bits = 0, held = 0, at = 0; at < 20; at++) {
    held = ((held << 8) | digest[at]) & 0xffff;
    for (bits += 8; bits >= 5; bits -= 5) code += SEAL_LETTERS[(held >> (bits - 5)) & 31];
  }
  return code;
}

export function sealText({ branch, size, code }) {
  return `${branch}:${size}:${code.match(/.{4}/g).join("-")}`;
}

/** Parse a seal: { branch, size, code }, with branch "" and size -1 for a bare code; null if it is not one. */
export function parseSeal(text) {
  const found = SEAL_TEXT.exec(text.trim());
  const code = found ? found[3].replace(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1") : "";
  if (!found || code.length !== 32 || [...code].some((letter) => !SEAL_LETTERS.includes(letter))) return null;
  return { branch: found[1] ?? "", size: found[2] === undefined ? -1 : Number(found[2]), code };
}

/** How a line changed since its seal: { outcome: same | grown | shorter | other, told }. */
export function comparedSeal(seal, branch, digests) {
  const size = digests.length;
  if (seal.branch && seal.branch !== branch) return { outcome: "other", told: `the seal is of ${seal.branch}, this is ${branch}` };
  let tree = NO_TREE;
  let hit = seal.code === sealCode(branch, tree) && seal.size <= 0 ? 0 : -1;
  for (const digest of digests) {
    tree = grown(tree, digest);
    // Without a position in the seal every prefix is a candidate.
    if ((seal.size < 0 || seal.size === tree.size) && sealCode(branch, tree) === seal.code) hit = tree.size;
  }
  if (hit === size) return { outcome: "same", told: `${branch}: ${size} events, as they were sealed` };
  if (hit >= 0) return { outcome: "grown", told: `events 1 to ${hit} are as they were sealed, ${size - hit} more follow` };
  if (seal.size > size) return { outcome: "shorter", told: `it ends at event ${size}, but ${seal.size} were sealed` };
  if (seal.size >= 0) return { outcome: "other", told: `the first ${seal.size} events are not those that were sealed` };
  return { outcome: "other", told: `other or fewer events: no prefix of the ${size} on ${branch} has this seal` };
}
