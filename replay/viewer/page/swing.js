// Win chances through the fight, if calculated: a strip under the scrubber, a chart, the largest changes.

import { curves } from "./charts.js";
import { goTo, h, s, sideClass } from "./dom.js";
import { capital, stateAt } from "./log.js";
import { hits } from "./luck.js";
import { app } from "./state.js";

const TURNED_BY = [["choice", "by declarations"], ["luck", "by dice"], ["ruling", "by rulings"]];
const MOST_TURNS = 3;

/** The chances of the line, null for a line without. */
function swingOf(/** @type {Line} */ line) {
  const swing = app.log.swing;
  return swing && swing.branch === line.name ? swing : null;
}

/** For each side its chances as points: [[event, percent], ...]. */
function chancesOf(/** @type {Line} */ line, swing) {
  const end = stateAt(line, line.last);
  const start = line.marks[0]?.seq ?? 1;
  return swing.sides.map((side) => ({
    id: side, kind: sideClass(end, side),
    points: [[start, swing.start[side]], ...swing.turns.map((turn) => [turn.seq, turn.chance[side]])],
  }));
}

/** The chances as a strip as wide as the scrubber: each side's share of the height, event by event. */
export function swingStrip(/** @type {Line} */ line) {
  const swing = swingOf(line);
  if (!swing) return null;
  let below = null;
  const areas = chancesOf(line, swing).map(({ kind, points }) => {
    const top = points.map(([seq, chance], at) => [seq, chance + (below?.[at][1] ?? 0)]);
    const d = `${stripSteps(top, line.last)}V${below ? 100 - below.at(-1)[1] : 100}${below ? stripBack(below) : `H${top[0][0]}`}Z`;
    below = top;
    return s("path", { class: `share ${kind}`, d });
  });
  return s(
    "svg",
    { class: "swing", viewBox: `0 0 ${Math.max(1, line.last)} 100`, preserveAspectRatio: "none", role: "img", "aria-label": swingSummary(swing), onclick: (event) => goToShare(event, line) },
    areas,
    s("path", { class: "half", d: `M0 50H${line.last}` }),
  );
}

function stripSteps(points, last) {
  return points.map(([seq, sum], at) => (at ? `H${seq}V${100 - sum}` : `M${seq} ${100 - sum}`)).join("") + `H${last}`;
}

/** The same steps from the end to the beginning. */
function stripBack(points) {
  return points.map(([seq, sum]) => `V${100 - sum}H${seq}`).reverse().join("");
}

function goToShare(event, /** @type {Line} */ line) {
  const box = event.currentTarget.getBoundingClientRect();
  app.go(Math.round(((event.clientX - box.left) / box.width) * line.last));
}

function swingSummary(swing) {
  const end = swing.turns.at(-1).chance;
  const ranges = swing.sides.map((side) => `${side} from ${percentOf(swing.start[side])} to ${percentOf(end[side])}`);
  return `Chance of winning: ${ranges.join("; ")}`;
}

function percentOf(value) {
  return `${Math.round(value)} %`;
}

/** The chart of the chances, with the choices, dice and rulings that changed them most. */
export function swingFigure(/** @type {Line} */ line) {
  const swing = swingOf(line);
  if (!swing) return null;
  const series = chancesOf(line, swing);
  const chart = curves(line, series, { low: 0, high: 100, ticks: [0, 50, 100], summary: swingSummary(swing), shown: (value) => String(Math.round(value)) });
  return h(
    "figure",
    { class: "swings" },
    h("figcaption", null, "Chance of winning, in percent"),
    chart,
    h("p", { class: "quiet" }, `${swing.runs} simulated fights from each moment, accurate within ${swing.margin} points. Automatic play decides in them; choices are compared with it.`),
    TURNED_BY.map(([part, told]) => turningPoints(swing, part, told)),
  );
}

function turningPoints(swing, part, label) {
  const side = swing.sides[0];
  const turned = swing.turns.filter((turn) => Math.abs(turn[part][side]) >= swing.margin).sort((one, other) => Math.abs(other[part][side]) - Math.abs(one[part][side]));
  if (!turned.length) return null;
  const items = turned.slice(0, MOST_TURNS).map((turn) =>
    h("li", null, goTo(turn.seq, `#${turn.seq}`), ` ${turn.told} `, h("strong", null, hits(turn[part][side]))));
  return [h("h3", null, `${capital(part)}: ${label}, for ${side}`), h("ul", null, items)];
}
