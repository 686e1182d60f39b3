// Ids of documents, derived from their contents: two clients cannot make the same document twice.
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 16;
const PRIME = 0x1000000000000000000013bn; // FNV-1a of 128 bits
const BASIS = 0x6c62272e07bb014262b821756295c58dn;
const MASK = (1n << 128n) - 1n;
/** The document id of a text: the same for equal texts, different for others. */
export function documentId(text) {
    let hash = BASIS;
    for (const byte of new TextEncoder().encode(text))
        hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
    let made = "";
    for (; made.length < LENGTH; hash /= 62n)
        made += LETTERS.charAt(Number(hash % 62n));
    return made;
}
