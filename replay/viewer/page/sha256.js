// SHA-256 (FIPS 180-4): the browser's own if available, and a synchronous one for trees of small hashes.

const SHA_K = new Int32Array(64);
const SHA_START = new Uint32Array(8);
{
  // The constants are the first bits of the roots of primes, as the standard defines them.
  const bits = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32);
  let found = 0;
  for (let number = 2; found < 64; number++) {
    let prime = true;
    for (let by = 2; by * by <= number; by++) if (number % by === 0) prime = false;
    if (!prime) continue;
    if (found < 8) SHA_START[found] = bits(Math.sqrt(number));
    SHA_K[found++] = bits(Math.cbrt(number));
  }
}
const SHA_W = new Int32Array(64);
const SHA_TAIL = new Uint8Array(128);

/** The 32 bytes of SHA-256 over the first `length` bytes of `bytes`. */
export function sha256(bytes, length = bytes.length) {
  const state = Int32Array.from(SHA_START);
  const whole = length - (length % 64);
  for (let at = 0; at < whole; at += 64) shaBlock(state, bytes, at);
  const rest = length - whole;
  const size = rest < 56 ? 64 : 128;
  SHA_TAIL.fill(0);
  SHA_TAIL.set(bytes.subarray(whole, length));
  SHA_TAIL[rest] = 0x80;
  const ends = new DataView(SHA_TAIL.buffer);
  ends.setUint32(size - 8, Math.floor(length / 2 ** 29));
  ends.setUint32(size - 4, (length << 3) >>> 0);
  for (let at = 0; at < size; at += 64) shaBlock(state, SHA_TAIL, at);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (let at = 0; at < 8; at++) out.setInt32(4 * at, state[at]);
  return digest;
}

function shaBlock(state, bytes, from) {
  const w = SHA_W;
  for (let t = 0, at = from; t < 16; t++, at += 4) {
    w[t] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15], y = w[t - 2];
    const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = (w[t - 16] + low + w[t - 7] + high) | 0;
  }
  const k = SHA_K;
  let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (let t = 0; t < 64; t++) {
    const high = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + high + ((e & f) ^ (~e & g)) + k[t] + w[t]) | 0;
    const low = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** SHA-256 over the first `length` bytes, or a promise of it: the bytes may be overwritten at once. */
export function digestOf(bytes, length = bytes.length) {
  const subtle = globalThis.crypto?.subtle; // a page that comes by plain http has none
  return subtle ? subtle.digest("SHA-256", bytes.subarray(0, length)).then((digest) => new Uint8Array(digest)) : sha256(bytes, length);
}

export function hex(bytes) {
  let text = "";
  for (const byte of bytes) text += (byte < 16 ? "0" : "") + byte.toString(16);
  return text;
}

/** The bytes of hexadecimal digits, null for any other text. */
export function unhex(text) {
  if (typeof text !== "string" || text.length % 2 || !/^[0-9a-fA-F]*$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  // The last four bits of the character, plus nine for a letter.
  const value = (at) => { const code = text.charCodeAt(at); return (code & 15) + (code > 57 ? 9 : 0); };
  for (let at = 0; at < bytes.length; at++) bytes[at] = (value(2 * at) << 4) | value(2 * at + 1);
  return bytes;
}

export function sameBytes(one, other) {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
