// The origin of a die in a word or two, and who could predict it.

const ORIGINS = { joint: "joint", alone: "seeded", seeded: "seeded", physical: "thrown by hand", imported: "imported", scripted: "scripted", overridden: "ruled" };
const FOREKNOWN = { joint: "nobody could know it beforehand", physical: "nobody could know it beforehand", seeded: "the game master could know it beforehand", alone: "the game master could know it beforehand" };

/** The word for a roll; `contributed`: whether players contributed to the seed. */
export function originOf({ provenance }, contributed) {
  if (String(provenance).startsWith("ruling:")) return "ruled";
  if (provenance === "seeded" && contributed) return "joint";
  return Object.hasOwn(ORIGINS, provenance) ? ORIGINS[provenance] : String(provenance);
}

export function foreknown({ provenance }) {
  return Object.hasOwn(FOREKNOWN, provenance) ? FOREKNOWN[provenance] : "";
}

/** Who can predict the dice of a fight. */
export function foresight(provenances) {
  const known = new Set(provenances.map((provenance) => foreknown({ provenance })));
  known.delete("");
  if (known.has(FOREKNOWN.seeded)) return "the game master can know the dice beforehand";
  return known.size ? "nobody could know the dice beforehand" : "";
}
