// Charts: hit points through the fight, damage dealt and taken, luck.

import { h, hueClass, nameOf, number, s, sideClass } from "./dom.js";
import { stateAt } from "./log.js";
import { luckFigures } from "./luck.js";
import { pivotFigure } from "./pivots.js";
import { app } from "./state.js";
import { swingFigure } from "./swing.js";

const CHART = { width: 340, height: 210, left: 30, right: 84, top: 10, bottom: 22 };

export function drawCharts(host, /** @type {Line} */ line) {
  const series = hitPoints(line);
  if (!series.length) {
    host.replaceChildren(h("p", { class: "empty" }, stateAt(line, line.last).c.size ? "Nothing to show yet." : "No combatants yet."));
    return;
  }
  const swing = swingFigure(line);
  const turning = pivotFigure(line);
  host.replaceChildren(
    ...(turning ? [turning] : []),
    ...(swing ? [swing] : []),
    h("figure", null, h("figcaption", null, "Hit points"), healthChart(line, series)),
    h("figure", null, h("figcaption", null, "Damage"), damageChart(line, series)),
    ...luckFigures(line, series),
  );
}

/** For each combatant the events at which its hit points changed: [[seq, hp], ...]. */
function hitPoints(/** @type {Line} */ line) {
  const all = new Map();
  for (const { seq, change } of line.records) {
    for (const [id, fields] of Object.entries(change?.c ?? {})) {
      if (!all.has(id)) all.set(id, { id, max: fields.max ?? 0, points: [] });
      if (Number.isFinite(fields.max)) all.get(id).max = fields.max;
      if (Number.isFinite(fields.hp)) all.get(id).points.push([seq, fields.hp]);
    }
  }
  const end = stateAt(line, line.last);
  // Combatants with hidden hit points get no curve.
  const shown = [...all.values()].filter((one) => one.points.length && end.c.has(one.id));
  return shown.map((one) => ({ ...one, kind: `${sideClass(end, end.c.get(one.id).side)} ${hueClass(one.id)}` }));
}

function healthChart(/** @type {Line} */ line, series) {
  const values = series.flatMap((one) => [one.max, ...one.points.map(([, hp]) => hp)]);
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  return curves(line, series, { low, high, ticks: [0, high], summary: healthSummary(series), shown: number });
}

/** Values of combatants through the fight as stepped curves; a click goes to that event. */
export function curves(line, series, { low, high, ticks, summary, shown }) {
  const { width, height, left, right, top, bottom } = CHART;
  const start = line.marks[0]?.seq ?? 1;
  const x = (seq) => left + ((Math.max(seq, start) - start) / Math.max(1, line.last - start)) * (width - left - right);
  const y = (value) => height - bottom - ((value - low) / (high - low)) * (height - top - bottom);
  const svg = s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": summary },
    roundMarks(line, x),
    s("path", { class: "zero", d: `M${left} ${y(0)}H${width - right}` }),
    ticks.map((value) => s("text", { class: "axis end", x: left - 5, y: y(value) + 3.5 }, shown(value))),
    series.map((one) => s("path", { class: `curve ${one.kind}`, d: steps(one.points, x, y, line.last) })),
    endLabels(series, y, shown),
    s("line", { class: "cursor", y1: top, y2: height - bottom, x1: left, x2: left }),
  );
  svg.place = x;
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * width - left) / (width - left - right);
    app.go(Math.round(start + Math.max(0, Math.min(1, share)) * (line.last - start)));
  });
  return svg;
}

function roundMarks(/** @type {Line} */ line, x) {
  const { height, top, bottom } = CHART;
  const rounds = line.marks.filter((mark) => !mark.turn);
  const each = Math.ceil(rounds.length / 10);
  return rounds.filter((_, at) => at % each === 0).map((mark) => [
    s("path", { class: "tick", d: `M${x(mark.seq)} ${top}V${height - bottom}` }),
    s("text", { class: "axis", x: x(mark.seq) + 2, y: height - 8 }, `r${mark.round}`),
  ]);
}

function steps(points, x, y, last) {
  return points.map(([seq, hp], at) => (at ? `H${x(seq)}V${y(hp)}` : `M${x(seq)} ${y(hp)}`)).join("") + `H${x(last)}`;
}

/** Names at the ends of the curves, pushed apart where they would overlap. */
function endLabels(series, y, shown) {
  const labels = series.map((one) => ({ one, at: y(one.points.at(-1)[1]) })).sort((a, b) => a.at - b.at);
  for (let at = 1; at < labels.length; at++) labels[at].at = Math.max(labels[at].at, labels[at - 1].at + 12);
  const over = Math.max(0, (labels.at(-1)?.at ?? 0) - (CHART.height - 8));
  return labels.map(({ one, at }) => {
    const name = nameOf(one.id);
    return s("text", { class: `label ${one.kind}`, x: CHART.width - CHART.right + 5, y: at - over + 3.5 }, `${name.slice(0, 9)} ${shown(one.points.at(-1)[1])}`);
  });
}

function healthSummary(series) {
  const ranges = series.map((one) => `${nameOf(one.id)} from ${one.points[0][1]} to ${one.points.at(-1)[1]}`);
  return `Hit points through the fight: ${ranges.join("; ")}`;
}

function damageChart(/** @type {Line} */ line, series) {
  const sums = new Map(series.map((one) => [one.id, { dealt: 0, taken: 0 }]));
  for (const { type, fact } of line.records) {
    if (type === "damage.resolved" && sums.has(fact.attacker) && Number.isFinite(fact.total)) sums.get(fact.attacker).dealt += fact.total - (fact.reduced ?? 0);
    if (type === "hit-points.changed" && fact.change < 0 && sums.has(fact.who)) sums.get(fact.who).taken -= fact.change;
  }
  const most = Math.max(1, ...[...sums.values()].flatMap((one) => [one.dealt, one.taken]));
  const bar = (value, kind) => {
    const parts = [h("span", { class: "amount" }, String(value)), h("span", { class: "beam", "--share": `${(100 * value) / most}%` })];
    return h("td", { class: kind }, kind === "dealt" ? parts.reverse() : parts);
  };
  const rows = series.map((one) =>
    h("tr", { class: one.kind }, bar(sums.get(one.id).taken, "taken"), h("th", { scope: "row" }, nameOf(one.id)), bar(sums.get(one.id).dealt, "dealt")),
  );
  const heads = ["Taken", "", "Dealt"].map((text) => h(text ? "th" : "td", { scope: text && "col", class: text.toLowerCase() }, text));
  return h("table", { class: "damage" }, h("thead", null, h("tr", null, heads)), h("tbody", null, rows));
}

export function moveCursor(host, /** @type {number} */ seq) {
  for (const chart of host.querySelectorAll("svg.chart")) {
    const cursor = chart.querySelector(".cursor");
    cursor.setAttribute("x1", chart.place(seq));
    cursor.setAttribute("x2", chart.place(seq));
  }
}
