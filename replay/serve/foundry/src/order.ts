// The order of turns in Foundry, which sorts combatants by initiative, highest first.

import type { World } from "./world.js";

/** Return the initiative of each combatant, so that sorting gives the order of the fight. */
export function initiatives(world: World): Map<string, number | null> {
  const found = new Map<string, number | null>([...world.combatants.keys()].map((id) => [id, null]));
  let last = Infinity;
  for (const id of world.encounter.order) {
    const own = world.combatants.get(id)?.initiative ?? 0;
    // Ties, delayed turns and shared counts: a little below the previous combatant.
    last = own < last ? own : Math.round((last - 0.01) * 100) / 100;
    found.set(id, last);
  }
  return found;
}
