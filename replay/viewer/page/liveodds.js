// Odds of rolls on the live page: fetched for the event that the game master views, once an event.

import { isMaster } from "./acting.js";
import { byId } from "./dom.js";
import { stateAt } from "./log.js";
import { mainline } from "./mainline.js";
import { ask, Denied, Lost, session } from "./session.js";
import { drawSettling } from "./settling.js";
import { app } from "./state.js";
import { drawWhy, oddsBeside } from "./why.js";

const MOST_ODDS_ASKED = 2000;

/** Fetch the odds of the explained event, if dice decided it and they were not fetched yet. */
export async function wantOdds() {
  const { line, seq } = app;
  const record = line?.records[seq - 1];
  if (app.tab !== "why" || !isMaster() || line !== mainline.line || !record || !(record.fact.key || record.fact.dice?.length)) return;
  // A newly loaded fight has no odds yet.
  const oddsAsked = app.log.oddsAsked ??= new Set();
  const { log } = app, asked = `${session.epoch}:${seq}`;
  if (oddsAsked.has(asked) || oddsAsked.size > MOST_ODDS_ASKED) return;
  oddsAsked.add(asked);
  let found;
  try {
    found = await ask(`/why/${seq}`);
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
    if (error instanceof Lost) oddsAsked.delete(asked);
    return;
  }
  const known = log.odds[line.name] ??= [];
  const places = new Set(known.map(([at, key]) => key || at));
  known.push(...found.odds.filter((one) => !places.has(one.key || one.seq)).map((one) => [one.seq, one.key, `${one.outcome}: ${shareOf(one)}`]));
  oddsBeside.line = null;
  if (app.line !== line || app.seq !== seq) return;
  drawWhy(byId("why"), line, seq, stateAt(line, seq));
  drawSettling();
}

/** A chance in percent with one decimal, never rounded to 0 or 100. */
function shareOf({ favourable, possible }) {
  const tenths = Math.round((1000 * favourable) / possible);
  const shown = favourable > 0 && favourable < possible ? Math.min(999, Math.max(1, tenths)) : tenths;
  return `${Math.floor(shown / 10)}.${shown % 10} %`;
}
