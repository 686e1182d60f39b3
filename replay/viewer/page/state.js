// What a page shows: a log, one of its lines of play, an event of that; who is picked and pointed at.

/**
 * The log and the line are there before anything is drawn; the methods come from app.js.
 *
 * @type {App}
 */
export const app = /** @type {any} */ ({ log: null, line: null, seq: 0, pinned: "", looked: "", tab: "why", timer: 0 });
