// Luck: hits compared with the expected number, and the results of the d20.

import { curves } from "./charts.js";
import { h, nameOf, s, signed } from "./dom.js";

const FACES = { width: 340, height: 92, left: 30, right: 8, top: 8, bottom: 18 };

export function luckFigures(/** @type {Line} */ line, series) {
  const { combatants = [], dice = [] } = line.luck ?? {};
  const attackers = combatants.filter((one) => one.attacks);
  const d20 = dice.find((one) => one.sides === 20);
  const curved = running(line, series);
  return [
    curved.length > 0 && h("figure", null, h("figcaption", null, "Luck: hits above expectation"), luckChart(line, curved)),
    attackers.length > 0 && h("figure", null, h("figcaption", null, "Hits and damage vs. average"), luckTable(attackers, series)),
    d20 && h("figure", null, h("figcaption", null, "Results of the d20"), facesChart(d20), h("p", { class: "note" }, fairness(d20))),
  ].filter(Boolean);
}

/** For each attacker the hits above expectation after each attack: [[seq, hits], ...]. */
function running(/** @type {Line} */ line, series) {
  const sums = new Map();
  for (const { seq, type, fact, chance } of line.records) {
    if (type !== "attack.resolved" || chance === null || !fact.result) continue;
    if (!sums.has(fact.attacker)) sums.set(fact.attacker, [[line.marks[0]?.seq ?? 1, 0]]);
    const points = sums.get(fact.attacker);
    points.push([seq, points.at(-1)[1] + (fact.result === "miss" ? 0 : 1) - chance / 100]);
  }
  return series.filter((one) => sums.has(one.id)).map((one) => ({ ...one, points: sums.get(one.id) }));
}

function luckChart(/** @type {Line} */ line, series) {
  const far = Math.max(1, ...series.flatMap((one) => one.points.map(([, value]) => Math.abs(value))));
  const sums = series.map((one) => `${nameOf(one.id)} ${hits(one.points.at(-1)[1])}`);
  const summary = `Hits above expectation: ${sums.join("; ")}`;
  return curves(line, series, { low: -far, high: far, ticks: [-far, 0, far], summary, shown: hits });
}

export function hits(value) {
  return Math.abs(value) < 0.05 ? "0" : signed(Math.round(value * 10) / 10);
}

function luckTable(attackers, series) {
  const kind = new Map(series.map((one) => [one.id, one.kind]));
  const rows = attackers.map((one) =>
    h(
      "tr",
      { class: kind.get(one.who) ?? "" },
      h("th", { scope: "row" }, nameOf(one.who)),
      h("td", null, `${one.hits} of ${one.attacks}`, h("span", { class: "amount" }, `(${one.expected_hits.toFixed(1)})`)),
      h("td", null, String(one.damage), h("span", { class: "amount" }, `(${one.expected_damage.toFixed(1)})`)),
    ),
  );
  const heads = ["", "Hits", "Damage"].map((text) => h(text ? "th" : "td", { scope: text && "col" }, text));
  return h("table", { class: "luck" }, h("thead", null, h("tr", null, heads)), h("tbody", null, rows));
}

function facesChart(die) {
  const { width, height, left, right, top, bottom } = FACES;
  const counts = Object.entries(die.counts).map(([face, count]) => [Number(face), count]);
  const even = die.thrown / die.sides;
  const most = Math.max(even, ...counts.map(([, count]) => count));
  const step = (width - left - right) / die.sides;
  const y = (count) => height - bottom - (count / most) * (height - top - bottom);
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "faces", role: "img", "aria-label": `Results rolled: ${counts.map(([face, count]) => `${face}: ${count}`).join(", ")}` },
    counts.map(([face, count]) => [
      s("rect", { class: "face", x: left + (face - 1) * step + 1, y: y(count), width: step - 2, height: height - bottom - y(count) }),
      (face === 1 || face % 5 === 0) && s("text", { class: "axis middle", x: left + (face - 0.5) * step, y: height - 5 }, String(face)),
    ]),
    s("path", { class: "even", d: `M${left} ${y(even)}H${width - right}` }),
    [0, most].map((count) => s("text", { class: "axis end", x: left - 5, y: y(count) + 3.5 }, String(Math.round(count)))),
  );
}

function fairness(die) {
  const judged = die.enough ? `p = ${die.p_value.toFixed(2)}` : "too few to judge";
  return `${die.thrown} rolled, average ${die.mean.toFixed(1)} (fair: ${((die.sides + 1) / 2).toFixed(1)}); chi-square ${die.chi_square.toFixed(1)}, ${judged}.`;
}
