// The game master's settings: the server, links to actors, messages and moves.
export const MODULE = "affray";
const D20 = { hp: "attributes.hp.value", temporary: "attributes.hp.temp", nonlethal: "attributes.hp.nonlethal" };
const PATHS = { D35E: D20, pf1: D20, dnd5e: { ...D20, nonlethal: "" } };
/** Register the settings with Foundry. `changed` is called when one of them changes. */
export function registerSettings(changed) {
    const world = { scope: "world", config: true, onChange: changed };
    game.settings?.register(MODULE, "address", {
        ...world, name: "AFFRAY.Address", hint: "AFFRAY.AddressHint", type: String, default: "http://127.0.0.1:8417",
    });
    // World settings are sent to all users; client settings stay in this browser.
    game.settings?.register(MODULE, "token", {
        scope: "client", config: true, onChange: changed, name: "AFFRAY.Token", hint: "AFFRAY.TokenHint", type: String, default: "",
    });
    game.settings?.register(MODULE, "following", { ...world, name: "AFFRAY.Following", hint: "AFFRAY.FollowingHint", type: Boolean, default: true });
    game.settings?.register(MODULE, "moves", { ...world, name: "AFFRAY.Moves", hint: "AFFRAY.MovesHint", type: Boolean, default: false });
    game.settings?.register(MODULE, "numbers", {
        ...world, name: "AFFRAY.Numbers", hint: "AFFRAY.NumbersHint", type: String, default: "own",
        choices: { own: "AFFRAY.NumbersOwn", all: "AFFRAY.NumbersAll" },
    });
    game.settings?.register(MODULE, "scene", { ...world, name: "AFFRAY.Scene", hint: "AFFRAY.SceneHint", type: String, default: "" });
    game.settings?.register(MODULE, "origin", { ...world, name: "AFFRAY.Origin", hint: "AFFRAY.OriginHint", type: String, default: "0,0" });
    game.settings?.register(MODULE, "paths", { ...world, name: "AFFRAY.Paths", hint: "AFFRAY.PathsHint", type: String, default: "" });
    game.settings?.register(MODULE, "statuses", { ...world, name: "AFFRAY.Statuses", hint: "AFFRAY.StatusesHint", type: String, default: "" });
    game.settings?.register(MODULE, "bonds", { scope: "world", config: false, onChange: changed, type: Object, default: {} });
}
export function readSettings() {
    const get = (key) => game.settings.get(MODULE, key);
    const [x = 0, y = 0] = get("origin").split(",").map((part) => Math.trunc(Number(part)) || 0);
    return {
        address: get("address").trim().replace(/\/+$/, ""),
        token: tokenOf(get("token")),
        following: get("following"),
        moves: get("moves"),
        numbers: get("numbers") === "all" ? "all" : "own",
        scene: get("scene"),
        origin: [x, y],
        paths: pathsOf(get("paths"), game.system?.id ?? ""),
        statuses: get("statuses"),
        bonds: get("bonds"),
    };
}
/** The token of a link, or the given text as token. */
export function tokenOf(text) {
    return text.trim().replace(/^.*#t=/, "");
}
/** The paths of hit points, temporary and nonlethal ones: as given ("a, b, c") or those of the system. */
export function pathsOf(given, system) {
    if (!given.trim())
        return PATHS[system] ?? { hp: D20.hp, temporary: "", nonlethal: "" };
    const [hp = "", temporary = "", nonlethal = ""] = given.split(",").map((part) => part.trim().replace(/^system\./, ""));
    return { hp, temporary, nonlethal };
}
