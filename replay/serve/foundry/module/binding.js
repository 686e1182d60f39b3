// The dialog in which the game master links combatants to actors or tokens.
import { guessed, sceneOf } from "./bonds.js";
import { MODULE } from "./settings.js";
function escaped(text) {
    return foundry.utils.escapeHTML(text);
}
function choices(settings) {
    const tokens = sceneOf(settings)?.tokens.contents ?? [];
    const actors = game.actors?.contents ?? [];
    return [
        ...tokens.map((one) => [one.uuid, `${one.name} (${game.i18n?.localize("DOCUMENT.Token") ?? "Token"})`]),
        ...actors.map((one) => [one.uuid, one.name]),
    ];
}
/** Ask for the links, starting with the stored ones and guesses by name. */
export async function askBonds(names, settings) {
    const begun = guessed(names, settings);
    const offered = choices(settings);
    const rows = Object.entries(names).map(([id, name]) => {
        const options = offered.map(([uuid, called]) => `<option value="${escaped(uuid)}"${begun[id] === uuid ? " selected" : ""}>${escaped(called)}</option>`);
        return `<div class="form-group"><label>${escaped(name)}</label><div class="form-fields"><select name="${escaped(id)}"><option value=""></option>${options.join("")}</select></div></div>`;
    });
    const answer = await foundry.applications.api.DialogV2.input({
        window: { title: game.i18n?.localize("AFFRAY.Bonds") ?? "" },
        content: rows.join(""),
        rejectClose: false,
        ok: { label: game.i18n?.localize("AFFRAY.BondsKeep") ?? "" },
    });
    if (answer && typeof answer === "object")
        await keepBonds(answer);
}
/** Store the links. Throws if an actor or token is linked to several combatants. */
export async function keepBonds(bonds) {
    const given = Object.entries(bonds).filter(([, uuid]) => uuid);
    const twice = given.find(([, uuid], place) => given.findIndex(([, other]) => other === uuid) !== place);
    if (twice) {
        ui.notifications?.warn("AFFRAY.BoundTwice", { localize: true });
        throw new Error(`${twice[1]} cannot belong to two combatants`);
    }
    await game.settings?.set(MODULE, "bonds", Object.fromEntries(given));
}
