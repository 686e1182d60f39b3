// The order of turns as Foundry has it: it sorts combatants by their initiative, the highest first.
/** Say what initiative each has, so that sorting by it gives the order of the fight. */
export function initiatives(world) {
    const found = new Map([...world.combatants.keys()].map((id) => [id, null]));
    let last = Infinity;
    for (const id of world.encounter.order) {
        const own = world.combatants.get(id)?.initiative ?? 0;
        // Ties, and whoever waited or acts on another's count: a little below the one before, as people write it.
        last = own < last ? own : Math.round((last - 0.01) * 100) / 100;
        found.set(id, last);
    }
    return found;
}
