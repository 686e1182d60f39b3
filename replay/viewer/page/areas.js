// Areas on the map: squares of a burst or a sweep of fire, and the path of a thrown object.

import { h, s } from "./dom.js";
import { CELL, cell, centre } from "./map.js";
import { part } from "./why.js";

const ENDS = ["turn.began", "turn.ended", "moved"];

/**
 * The area of an event: { squares, corner, aimed, from }, null if it has none.
 *
 * An area stays during its saves and damage. A declaration with several shows one after another.
 */
export function areaOf(/** @type {Line} */ line, /** @type {LogRecord} */ record) {
  if (!record?.cause || record.cause === record.seq) return null;
  /** @type {{ from: string, aimed: Square | null, corner: Square | null, squares: Square[] }} */
  const found = { from: "", aimed: null, corner: null, squares: [] };
  for (let at = record.cause - 1; at < record.seq; at++) {
    const { type, fact, area } = line.records[at];
    if (ENDS.includes(type)) Object.assign(found, { from: "", aimed: null, corner: null, squares: [] });
    if (type === "refused") return null;
    if (area) Object.assign(found, { from: fact.act?.actor ?? "", squares: area });
    if (type !== "rule.applied") continue;
    if (fact.aimed) Object.assign(found, { from: fact.who, aimed: fact.aimed, corner: fact.corner, squares: [] });
    if (fact.squares) Object.assign(found, { from: fact.who, squares: fact.squares });
    if (fact.squares && fact.corner?.join() !== found.corner?.join()) Object.assign(found, { aimed: null, corner: fact.corner ?? null });
  }
  return found.aimed || found.corner || found.squares.length ? found : null;
}

/** The layer below the tokens: the squares, and the sides of a sweep from the shooter's square. */
export function areaSquares(area, /** @type {State} */ state) {
  if (!area) return [];
  const from = state.c.get(area.from);
  const sides = from?.at && area.squares.length && !area.corner ? [fan(centre(from), area.squares)] : [];
  return [...sides, ...area.squares.map((at) => cell(at, "struck"))];
}

/** The layer above the tokens: the path of a throw, and its burst. */
export function areaMarks(area, /** @type {State} */ state) {
  if (!area) return [];
  const way = area.aimed && area.corner ? flight(area, state.c.get(area.from)) : [];
  return area.corner ? [...way, blast(area.corner.map((part) => part * CELL), area.squares.length > 0)] : way;
}

/** The path of a throw: to the marked target square, and on to where it landed. */
function flight({ aimed, corner }, thrower) {
  const middle = aimed.map((part) => (part + 0.5) * CELL);
  const [x, y] = middle;
  const rest = corner.map((part) => part * CELL);
  const astray = Math.max(Math.abs(rest[0] - x), Math.abs(rest[1] - y)) > CELL / 2;
  const line = (kind, /** @type {Square} */ [x1, y1], /** @type {Square} */ [x2, y2], more = {}) => s("line", { class: kind, x1, y1, x2, y2, ...more });
  return [
    thrower?.at && line("flight", centre(thrower), middle),
    s("circle", { class: "aimed", cx: x, cy: y, r: CELL * 0.47 }),
    s("path", { class: "aimed", d: `M${x - CELL * 0.62} ${y}h10m${CELL * 1.24 - 20} 0h10M${x} ${y - CELL * 0.62}v10m0 ${CELL * 1.24 - 20}v10` }),
    astray && line("astray", middle, rest, { "marker-end": "url(#astray)" }),
  ].filter(Boolean);
}

/** The burst: a star on the grid corner, hollow until it happens. */
function blast([x, y], bursts) {
  const point = (turn) => {
    const far = turn % 2 ? 5 : 12;
    return `${(x + far * Math.sin((turn * Math.PI) / 8)).toFixed(1)},${(y - far * Math.cos((turn * Math.PI) / 8)).toFixed(1)}`;
  };
  return s("polygon", { class: bursts ? "blast" : "blast unburst", points: Array.from({ length: 16 }, (_, turn) => point(turn)).join(" ") });
}

/** The sides of a sweep of fire: from the shooter to the two farthest corners of the area. */
function fan(/** @type {Square} */ [x, y], squares) {
  const corners = squares.flatMap(([cx, cy]) => [[cx, cy], [cx + 1, cy], [cx, cy + 1], [cx + 1, cy + 1]]).map(([cx, cy]) => [cx * CELL, cy * CELL]);
  const middle = Math.atan2(corners.reduce((all, at) => all + at[1] - y, 0), corners.reduce((all, at) => all + at[0] - x, 0));
  const aside = ([cx, cy]) => Math.atan2(Math.sin(Math.atan2(cy - y, cx - x) - middle), Math.cos(Math.atan2(cy - y, cx - x) - middle));
  const ordered = corners.sort((one, other) => aside(one) - aside(other));
  return s("polygon", { class: "fan", points: [[x, y], ordered[0], ordered.at(-1)].map((at) => at.join()).join(" ") });
}

/** The area in words, for the explanation: its size, and how far from the target it landed. */
export function areaText(area) {
  if (!area) return null;
  const said = [];
  if (area.aimed && area.corner) {
    const [dx, dy] = area.corner.map((part, at) => Math.abs(part - area.aimed[at] - 0.5) - 0.5);
    const off = Math.max(dx, dy);
    const far = off > 0 ? `, ${off} square${off > 1 ? "s" : ""} off` : ", a corner of it";
    said.push(`Thrown at square ${area.aimed.join(",")}; it lands at corner ${area.corner.join(",")}${far}.`);
  }
  if (area.squares.length) said.push(`It covers ${area.squares.length} square${area.squares.length > 1 ? "s" : ""}${area.corner && !area.aimed ? ` around corner ${area.corner.join(",")}` : ""}.`);
  return part("Area", h("p", null, said.join(" ")));
}
