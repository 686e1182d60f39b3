// Which actor and which token are a combatant's: what the game master said, and a guess by name to begin with.
/** The scene that the fight is on: the one that was named, else the active one. */
export function sceneOf(settings) {
    const named = settings.scene.trim();
    return game.scenes?.find((one) => one.id === named || one.name === named) ?? game.scenes?.active ?? null;
}
/** Find what is bound: `Actor.ID` with its token on the scene of the fight, or one token as `Scene.ID.Token.ID`. */
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
/** Whose token or actor that is, "" for nobody's. */
export function combatantOf(token, settings) {
    const found = Object.entries(settings.bonds).find(([, uuid]) => boundTo(uuid, settings).token?.uuid === token.uuid);
    return found?.[0] ?? "";
}
function plain(name) {
    return name.trim().toLowerCase();
}
/** Guess by name who belongs to whom, where nothing was said: a token of the scene first, then an actor. */
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
