// The state of a page: its log, the current line and event, the selected combatants.

/**
 * `log` and `line` are set before anything is drawn; app.js adds the methods.
 *
 * @type {App}
 */
export const app = /** @type {any} */ ({ log: null, line: null, seq: 0, pinned: "", looked: "", tab: "why", timer: 0 });
