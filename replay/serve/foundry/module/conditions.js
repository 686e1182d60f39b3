// Conditions of the rules as status effects of the game system, by their ids.
/** Other names of conditions in game systems, tried after the condition's own name. */
const ALSO = {
    asleep: ["sleep", "sleeping", "unconscious"],
    blinded: ["blind"],
    burning: ["onFire"],
    dead: ["defeated"],
    deafened: ["deaf"],
    destroyed: ["dead", "defeated"],
    frightened: ["fear"],
    grappled: ["grappling", "restrain"],
    grappling: ["grappled"],
    invisible: ["invisibility"],
    paralyzed: ["paralysis"],
    petrified: ["petrify"],
    poisoned: ["poison"],
    silenced: ["silence"],
    stunned: ["stun"],
};
const LEVEL = / -?\d+(?: ft\. up)?$/;
/** A condition without its level or height. */
export function plainCondition(words) {
    return words.replace(LEVEL, "");
}
/** The ids under which a system may have a condition. */
function candidates(condition) {
    const words = condition.split(/[\s-]+/);
    const camel = words.map((word, place) => (place ? word.charAt(0).toUpperCase() + word.slice(1) : word)).join("");
    return [condition, words.join("-"), words.join(""), camel, ...(ALSO[condition] ?? [])];
}
/**
 * The status effect of a condition, "" if the system has none. `given` maps conditions to the status effects
 * set by the game master; `known` are the existing ids.
 */
export function statusOf(words, given, known) {
    const condition = plainCondition(words);
    const own = given[condition];
    if (own !== undefined)
        return known.has(own) ? own : "";
    return candidates(condition).find((id) => known.has(id)) ?? "";
}
/** Read lines such as "flat-footed = flatFooted". */
export function readStatuses(text) {
    const found = {};
    for (const line of text.split(/[\n;]/)) {
        const [condition, status] = line.split("=").map((part) => part.trim());
        if (condition && status)
            found[condition] = status;
    }
    return found;
}
