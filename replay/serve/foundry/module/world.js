// The state of the fight as sent by the server: read whole, or updated event by event.
const ENTERING = {
    side: "", thing: false, at: null, space: 1, hp: null, nonlethal: 0, temporary: 0, initiative: null, conditions: [],
};
export function worldOf(state, line) {
    return { line, seq: state.seq, encounter: state.encounter, combatants: new Map(Object.entries(state.combatants)), paths: state.foundry };
}
/** Update a world by the next event. */
export function brought(world, event) {
    const change = event.data.frame?.[2] ?? {};
    const combatants = new Map(world.combatants);
    for (const [id, fields] of Object.entries(change.c ?? {})) {
        combatants.set(id, { ...(combatants.get(id) ?? ENTERING), ...fields });
    }
    return { line: world.line, seq: event.data.seq, encounter: { ...world.encounter, ...change.g }, combatants, paths: world.paths };
}
