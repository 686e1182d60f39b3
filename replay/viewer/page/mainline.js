// The growing main line: the server's page of the fight, then the feed, event by event.

import { followFeed } from "./feed.js";
import { growLine } from "./log.js";
import { ask, askOn, Denied, Lost, pause, session } from "./session.js";
import { app } from "./state.js";
import { cutLine, learnFrom, newNames, newRules, teller, toldLog, toldRecord } from "./told.js";

const GATHERED = 40; // milliseconds; events that arrive within them are shown together
const LEARNED_AFTER = 200, AT_MOST_EVERY = 5000; // milliseconds

/** @type {{ line: Line, branch: string, epoch: number, view: number, pending: any[], timer: any, unknown: Set<string>, learning: number, learned: number, wordings: boolean, known: string, tell: any, picture?: any }} */
export const mainline = { line: /** @type {any} */ (null), branch: "", epoch: 0, view: 0, pending: [], timer: 0, unknown: new Set(), learning: 0, learned: 0, wordings: false, known: "", tell: null };

/**
 * Load the fight and follow it. `tell` has `loaded()` for a new fight or line, `grown(records)` when the line has
 * grown, `cut(at)` when it continues differently after an event, `learned()` for new names or wordings.
 *
 * Throws Denied if the server refuses.
 */
export async function followFight(tell) {
  mainline.tell = tell;
  await loadFight();
  followFeed(session.position, {
    state: (kind, text) => teller.wire(kind, text),
    take: takeEvent,
    refused: async (error) => {
      if (error.status === 401) {
        tell.refused(error);
        return "";
      }
      await pause(1000);
      await loadFight();
      return session.position;
    },
  });
}

export async function loadFight() {
  const page = await askOn("/page");
  [mainline.pending, mainline.timer] = [[], clearTimeout(mainline.timer)];
  app.log = toldLog(page);
  app.log.picture = await mapPicture();
  mainline.line = [...app.log.lines.values()].find((one) => one.main) ?? [...app.log.lines.values()][0];
  standAt(page.position);
  mainline.known = page.position;
  mainline.tell.loaded();
}

/** The picture under the map, fetched once; null for none. */
async function mapPicture() {
  if (mainline.picture === undefined) {
    const found = await askOn("/picture");
    mainline.picture = found.href ? found : null;
  }
  return mainline.picture;
}

function standAt(position) {
  session.position = position;
  Object.assign(mainline, readPosition(position));
  session.epoch = mainline.epoch;
}

/** Read a position: its line, and the view of the fight that its number counts in. */
export function readPosition(position) {
  const [branch, turn, seq] = position.split(":");
  const [epoch, view = 0] = turn.split(".").map(Number);
  return { branch, epoch, view, seq: Number(seq) };
}

/** Process an event of the feed; returns the position to continue from, if it differs from the event's. */
async function takeEvent({ id, type, data }) {
  if (/\.held\.v\d+$/.test(type)) {
    flushEvents();
    mainline.tell.held?.(data.held);
    return "";
  }
  if (/\.(rebase|view)\.v\d+$/.test(type)) {
    flushEvents();
    return otherLine(id, type, data);
  }
  const next = mainline.line.last + mainline.pending.length + 1;
  const { branch, epoch, view, seq } = readPosition(id);
  const same = branch === mainline.branch && epoch === mainline.epoch && view === mainline.view;
  if (epoch < mainline.epoch || (same && seq < next)) return "";
  if (!same || seq > next) {
    await loadFight(); // events were missed
    return session.position;
  }
  mainline.pending.push({ id, data });
  if (!mainline.timer) mainline.timer = setTimeout(flushEvents, GATHERED);
  return "";
}

function flushEvents() {
  mainline.timer = clearTimeout(mainline.timer);
  if (!mainline.pending.length) return;
  const called = [...app.log.names.values()];
  const records = mainline.pending.map(({ data }) => toldRecord(data, null, called));
  session.position = mainline.pending.at(-1).id;
  mainline.pending = [];
  growLine(mainline.line, records);
  mainline.tell.grown(records);
  learnLater(records);
}

/** Switch to the current main line. */
async function otherLine(id, type, { seq }) {
  // A user with one line sees it continue differently; with several the tree of lines has changed. A user
  // with another view of the past, or one that returned, loads again.
  if (!type.includes("rebase") || session.role === "game master" || readPosition(id).view !== mainline.view) {
    await loadFight();
    return session.position;
  }
  const old = mainline.line;
  const [branch] = id.split(":");
  mainline.line = cutLine(old, Math.min(seq, old.last), branch);
  app.log.lines.delete(old.name);
  app.log.lines.set(branch, mainline.line);
  standAt(id);
  mainline.tell.cut(seq);
  return id;
}

/** Fetch unknown names and shapes soon, wordings of rules when they are shown. */
function learnLater(records) {
  const fresh = (names) => names.filter((name) => !mainline.unknown.has(name));
  const rules = fresh(records.flatMap((one) => newRules(app.log, one)));
  const names = fresh(records.flatMap((one) => newNames(app.log, one)));
  for (const name of [...rules, ...names]) mainline.unknown.add(name);
  mainline.wordings ||= rules.length > 0;
  if (names.length) learnIn(LEARNED_AFTER);
}

export function wantWordings() {
  if (mainline.wordings) learnIn(Math.max(LEARNED_AFTER, mainline.learned + AT_MOST_EVERY - Date.now()));
}

function learnIn(time) {
  clearTimeout(mainline.learning);
  mainline.learning = setTimeout(async () => {
    Object.assign(mainline, { wordings: false, learned: Date.now() });
    try {
      const found = await ask(`/names?after=${encodeURIComponent(mainline.known)}`);
      learnFrom(app.log, found);
      mainline.known = found.position;
      mainline.tell.learned();
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Denied)) throw error;
      mainline.unknown.clear();
    }
  }, time);
}
