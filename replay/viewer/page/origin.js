// How a die came about, in one word, and who could know it before it fell.

const ORIGINS = { joint: "joint", alone: "seeded", seeded: "seeded", physical: "thrown by hand", imported: "imported", scripted: "scripted", overridden: "ruled" };
const FOREKNOWN = { joint: "nobody could know it beforehand", physical: "nobody could know it beforehand", seeded: "the game master could know it beforehand", alone: "the game master could know it beforehand" };

/** The word for a roll; `contributed` says whether players gave to the seed. */
export function originOf({ provenance }, contributed) {
  if (String(provenance).startsWith("ruling:")) return "ruled";
  if (provenance === "seeded" && contributed) return "joint";
  return Object.hasOwn(ORIGINS, provenance) ? ORIGINS[provenance] : String(provenance);
}

export function foreknown({ provenance }) {
  return Object.hasOwn(FOREKNOWN, provenance) ? FOREKNOWN[provenance] : "";
}

/** What is to be said of all dice of a fight. */
export function foresight(provenances) {
  const known = new Set(provenances.map((provenance) => foreknown({ provenance })));
  known.delete("");
  if (known.has(FOREKNOWN.seeded)) return "the game master can know the dice beforehand";
  return known.size ? "nobody could know the dice beforehand" : "";
}
