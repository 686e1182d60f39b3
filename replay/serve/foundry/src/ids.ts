// Ids of documents that follow from what they stand for: nothing can be made twice, whoever makes it.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 16;
const PRIME = 0x1000000000000000000013bn; // FNV-1a of 128 bits
const BASIS = 0x6c62272e07bb014262b821756295c58dn;
const MASK = (1n << 128n) - 1n;

/** The id of the document that stands for something; the same for the same text, and for no other one. */
export function documentId(text: string): string {
  let hash = BASIS;
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  let made = "";
  for (; made.length < LENGTH; hash /= 62n) made += LETTERS.charAt(Number(hash % 62n));
  return made;
}
