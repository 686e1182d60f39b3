// The state of the fight as sent by the server: read whole, or updated event by event.

import type { Change, CloudEvent, Combatant, Encounter, FoundryPaths, State } from "./told.js";

/** The fight after event `seq` of the main line `line`. */
export interface World {
  line: string;
  seq: number;
  encounter: Encounter;
  combatants: Map<string, Combatant>;
  paths: FoundryPaths | null;
}

const ENTERING: Combatant = {
  side: "", thing: false, at: null, space: 1, hp: null, nonlethal: 0, temporary: 0, initiative: null, conditions: [],
};

export function worldOf(state: State, line: string): World {
  return { line, seq: state.seq, encounter: state.encounter, combatants: new Map(Object.entries(state.combatants)), paths: state.foundry };
}

/** Update a world by the next event. */
export function brought(world: World, event: CloudEvent): World {
  const change: Change = event.data.frame?.[2] ?? {};
  const combatants = new Map(world.combatants);
  for (const [id, fields] of Object.entries(change.c ?? {})) {
    combatants.set(id, { ...(combatants.get(id) ?? ENTERING), ...fields });
  }
  return { line: world.line, seq: event.data.seq, encounter: { ...world.encounter, ...change.g }, combatants, paths: world.paths };
}
