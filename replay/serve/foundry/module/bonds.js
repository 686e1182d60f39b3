// Links of combatants to actors and tokens: set by the game master, at first guessed by name.
/** The scene of the fight: the named one, else the active one. */
export function sceneOf(settings) {
    const named = settings.scene.trim();
    return game.scenes?.find((one) => one.id === named || one.name === named) ?? game.scenes?.active ?? null;
}
/** Find the linked documents: `Actor.ID` with its token on the scene of the fight, or one `Scene.ID.Token.ID`. */
export function boundTo(uuid, settings) {
    const [kind = "", id = "", , tokenId = ""] = (uuid ?? "").split(".");
    if (kind === "Scene") {
        const token = game.scenes?.get(id)?.tokens.get(tokenId) ?? null;
        return { actor: token?.actor ?? null, token };
    }
    const actor = kind === "Actor" ? (game.actors?.get(id) ?? null) : null;
    const token = actor && (sceneOf(settings)?.tokens.find((one) => one.actorId === actor.id) ?? null);
    return { actor: token?.actor ?? actor, token };
}
/** The combatant of a token or actor, "" for none. */
export function combatantOf(token, settings) {
    const found = Object.entries(settings.bonds).find(([, uuid]) => boundTo(uuid, settings).token?.uuid === token.uuid);
    return found?.[0] ?? "";
}
function plain(name) {
    return name.trim().toLowerCase();
}
/** Guess missing links by name: first a token of the scene, then an actor. */
export function guessed(names, settings) {
    const found = { ...settings.bonds };
    const taken = new Set(Object.values(found));
    const tokens = sceneOf(settings)?.tokens.contents ?? [];
    const actors = game.actors?.contents ?? [];
    for (const [id, name] of Object.entries(names)) {
        if (found[id])
            continue;
        const called = (one) => plain(one.name ?? "") === plain(name);
        const choices = [...tokens.filter(called), ...actors.filter(called)].map((one) => one.uuid);
        const uuid = choices.find((one) => !taken.has(one));
        if (!uuid)
            continue;
        found[id] = uuid;
        taken.add(uuid);
    }
    return found;
}
