// What a game system keeps apart from hit points: counters, levels of conditions, what is left of resources.

import { plainCondition } from "./conditions.js";
import type { Combatant, FoundryPaths } from "./told.js";

const LEVEL = / (\d+)$/;

/** The values of a combatant by their paths under `system`; none without paths, and for one whose numbers are hidden. */
export function valuesOf(one: Combatant, paths: FoundryPaths | null): Record<string, number> {
  const found: Record<string, number> = {};
  if (!paths || one.hp === null) return found;
  for (const [name, path] of Object.entries(paths.counters)) found[path] = one.counters?.[name] ?? 0;
  for (const [name, path] of Object.entries(paths.conditions)) {
    const words = one.conditions.map(([each]) => each).find((each) => plainCondition(each) === name);
    found[path] = words === undefined ? 0 : Number(LEVEL.exec(words)?.[1] ?? 1);
  }
  for (const [name, left] of one.pools ?? []) {
    const path = paths.pools[name];
    if (path) found[path] = left;
  }
  return found;
}
