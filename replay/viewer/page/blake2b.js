// BLAKE2b (RFC 7693), keyed and personal, for the dice: browsers have none. Each 64-bit word is two of 32, low first.

const BLAKE_IV = new Int32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);
const BLAKE_ORDER = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4], [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13], [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11], [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5], [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const BLAKE_MIX = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const BLAKE_V = new Int32Array(32);
const BLAKE_M = new Int32Array(32);

/** The BLAKE2b digest of `size` bytes over `message`, with a key of at most 64 bytes and a personal text of at most 16. */
export function blake2b(message, key = new Uint8Array(), size = 64, person = "") {
  const state = BLAKE_IV.slice();
  state[0] ^= 0x01010000 ^ (key.length << 8) ^ size;
  const personal = new Uint8Array(16);
  new TextEncoder().encodeInto(person, personal);
  const words = new DataView(personal.buffer);
  for (let at = 0; at < 4; at++) state[12 + at] ^= words.getInt32(4 * at, true);
  const keyed = key.length ? 128 : 0;
  const whole = new Uint8Array(Math.max(128, Math.ceil((keyed + message.length) / 128) * 128));
  whole.set(key);
  whole.set(message, keyed);
  const length = keyed + message.length;
  for (let at = 0; at < whole.length; at += 128) {
    const last = at + 128 >= whole.length;
    blakeBlock(state, whole, at, last ? length : at + 128, last);
  }
  const out = new DataView(new ArrayBuffer(64));
  for (let at = 0; at < 16; at++) out.setInt32(4 * at, state[at], true);
  return new Uint8Array(out.buffer, 0, size);
}

function blakeBlock(state, bytes, from, count, last) {
  const v = BLAKE_V;
  const words = new DataView(bytes.buffer, bytes.byteOffset + from, 128);
  for (let at = 0; at < 32; at++) BLAKE_M[at] = words.getInt32(4 * at, true);
  v.set(state);
  v.set(BLAKE_IV, 16);
  v[24] ^= count; // messages in here are far below 4 GB: the upper words of the count are 0
  if (last) {
    v[28] = ~v[28];
    v[29] = ~v[29];
  }
  for (let round = 0; round < 12; round++) {
    const order = BLAKE_ORDER[round % 10];
    for (let at = 0; at < 8; at++) blakeMix(v, BLAKE_MIX[at], 2 * order[2 * at], 2 * order[2 * at + 1]);
  }
  for (let at = 0; at < 16; at++) state[at] ^= v[at] ^ v[at + 16];
}

function blakeMix(v, /** @type {number[]} */ [one, two, three, four], x, y) {
  const a = 2 * one, b = 2 * two, c = 2 * three, d = 2 * four;
  blakeAdd(v, a, v[b], v[b + 1]);
  blakeAdd(v, a, BLAKE_M[x], BLAKE_M[x + 1]);
  let low = v[d] ^ v[a];
  v[d] = v[d + 1] ^ v[a + 1];
  v[d + 1] = low;
  blakeAdd(v, c, v[d], v[d + 1]);
  low = v[b] ^ v[c];
  let high = v[b + 1] ^ v[c + 1];
  v[b] = (low >>> 24) | (high << 8);
  v[b + 1] = (high >>> 24) | (low << 8);
  blakeAdd(v, a, v[b], v[b + 1]);
  blakeAdd(v, a, BLAKE_M[y], BLAKE_M[y + 1]);
  low = v[d] ^ v[a];
  high = v[d + 1] ^ v[a + 1];
  v[d] = (low >>> 16) | (high << 16);
  v[d + 1] = (high >>> 16) | (low << 16);
  blakeAdd(v, c, v[d], v[d + 1]);
  low = v[b] ^ v[c];
  high = v[b + 1] ^ v[c + 1];
  v[b] = (high >>> 31) | (low << 1);
  v[b + 1] = (low >>> 31) | (high << 1);
}

/** Add a number of 64 bits to the word at `at`. */
function blakeAdd(v, at, low, high) {
  const sum = (v[at] >>> 0) + (low >>> 0);
  v[at] = sum;
  v[at + 1] = v[at + 1] + high + (sum > 0xffffffff ? 1 : 0);
}
