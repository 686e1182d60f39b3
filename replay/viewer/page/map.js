// The map: terrain, tokens, and what the current event does on it.

import { areaMarks, areaSquares } from "./areas.js";
import { h, isDead, s, sideClass, signed } from "./dom.js";
import { app } from "./state.js";
import { drawNames, drawTokens, walkOnce } from "./tokens.js";

export const CELL = 40;
const SHORTEST_BLOW = 22;
export const NAME = { row: 13, letter: 6.6 };
export const TERRAIN_TOLD = {
  wall: "Wall", low: "Low wall: costs double, gives cover", rough: "Difficult terrain: costs double", high: "High ground",
  void: "Void", fog: "Fog or foliage: conceals", pillar: "Pillar or tree: gives cover",
};
export const TERRAIN = { "#": "wall", "=": "low", "~": "rough", "^": "high", " ": "void", "%": "fog", T: "pillar" };

/** Draw a whole map into `host`. `focus` shows one combatant's threatened squares, `event` the current event. */
export function drawMap(host, state, { focus = "", event = /** @type {any} */ (null), live = true } = {}) {
  const rows = state.g.terrain ?? [];
  if (!rows.length) {
    host.dataset.terrain = "";
    host.replaceChildren(h("p", { class: "empty" }, state.g.dialect ? "There is no map in this fight." : ""));
    return;
  }
  const key = `${rows.join("\n")}${app.log?.picture ? " over a picture" : ""}`;
  if (host.dataset.terrain !== key) {
    host.replaceChildren(board(rows, live));
    host.dataset.terrain = key;
  }
  const layer = (name) => host.querySelector(`.layer-${name}`);
  layer("sides").replaceChildren(...sideMarks(state.g.sides ?? []));
  layer("threat").replaceChildren(...threatSquares(state, focus));
  layer("area").replaceChildren(...areaSquares(event?.area, state));
  layer("cover").replaceChildren(...coverSquares(event, state), ...sightLines(event?.attack));
  layer("lines").replaceChildren(...eventLines(event, state));
  drawTokens(layer("tokens"), state, focus, live);
  if (live) walkOnce(host, layer("tokens"), event?.record, state);
  drawNames(layer("names"), state, focus);
}

function board(rows, live) {
  const [width, height] = [rows[0].length, rows.length];
  const squares = rows.flatMap((row, y) => [...row].map((kind, x) => terrainSquare(kind, x, y)));
  const layers = ["sides", "threat", "reach", "area", "cover", "tokens", "names", "lines", "way", "own", "entering"].map((name) => s("g", { class: `layer-${name}` }));
  const margin = live ? 18 : 2;
  const box = [-margin, -margin, width * CELL + margin + 4, height * CELL + margin + 4].join(" ");
  return s(
    "svg",
    { viewBox: box, role: "group", "aria-label": `Map, ${width} by ${height} squares of 5 feet`, class: "board" },
    patterns(),
    s("rect", { class: "floor", width: width * CELL, height: height * CELL, rx: 3 }),
    underlay(),
    s("g", { "aria-hidden": "true" }, squares, gridLines(width, height), live && coordinates(width, height)),
    layers,
  );
}

/** The picture of a map, stretched over the squares that it shows. */
function underlay() {
  const { href, width, height } = /** @type {any} */ (app.log?.picture ?? {});
  if (!href) return null;
  return s("image", { href, width: width * CELL, height: height * CELL, preserveAspectRatio: "none", class: "picture", "aria-hidden": "true" });
}

const SIDES_TOLD = { wall: "Wall", door: "Closed door", open: "Open door", low: "Low obstacle: gives cover", high: "Obstacle or window: gives cover", fence: "Obstacle" };

/** Walls, doors and obstacles between squares, each on a light background. */
function sideMarks(sides) {
  const marks = (part) => sides.map(([upright, line, begins, kind, name]) => {
    const [x, y] = upright ? [line, begins] : [begins, line];
    const told = s("title", null, name ? `${SIDES_TOLD[kind]}: ${name}` : SIDES_TOLD[kind]);
    return s("path", { d: `M${x * CELL} ${y * CELL}${upright ? "v" : "h"}${CELL}`, class: `side side-${kind} ${part}` }, told);
  });
  return [...marks("under"), ...marks("over")];
}

function patterns() {
  const line = (d) => s("path", { d });
  const made = (id, size, ...marks) =>
    s("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, marks);
  return s(
    "defs",
    null,
    made("p-wall", 10, line("M0 10 10 0M-2 2 2 -2M8 12 12 8")),
    made("p-rough", 20, line("M3 8q3 -5 6 0M12 17q3 -5 6 0")),
    made("p-high", 20, line("M4 14 10 7 16 14")),
    made("p-fog", 14, s("circle", { cx: 4, cy: 4, r: 1.6 }), s("circle", { cx: 11, cy: 11, r: 1.6 })),
    s(
      "marker",
      { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" },
      s("path", { d: "M0 0 8 4 0 8z" }),
    ),
    s(
      "marker",
      { id: "astray", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 4, markerHeight: 4, orient: "auto" },
      s("path", { d: "M0 0 8 4 0 8z" }),
    ),
  );
}

function terrainSquare(kind, x, y) {
  const name = TERRAIN[kind];
  if (!name) return null;
  const place = { x: x * CELL, y: y * CELL, width: CELL, height: CELL };
  const base = s("rect", { ...place, class: `t-${name}` }, s("title", null, TERRAIN_TOLD[name]));
  if (name === "pillar") return [base, s("circle", { cx: (x + 0.5) * CELL, cy: (y + 0.5) * CELL, r: 15, class: "trunk" })];
  if (name === "low") return [base, s("rect", { ...place, y: y * CELL + 13, height: 14, class: "parapet" })];
  return name === "void" ? base : [base, s("rect", { ...place, class: "texture", fill: `url(#p-${name})` })];
}

function gridLines(width, height) {
  const across = Array.from({ length: height + 1 }, (_, y) => `M0 ${y * CELL}H${width * CELL}`);
  const down = Array.from({ length: width + 1 }, (_, x) => `M${x * CELL} 0V${height * CELL}`);
  return s("path", { class: "grid", d: [...across, ...down].join("") });
}

function coordinates(width, height) {
  const mark = (x, y, text) => s("text", { x, y, class: "coordinate" }, String(text));
  return [
    Array.from({ length: width }, (_, x) => mark((x + 0.5) * CELL, -6, x)),
    Array.from({ length: height }, (_, y) => mark(-9, (y + 0.5) * CELL + 3.5, y)),
  ];
}

/** The combatants with a known place on the map. */
export function onMap(/** @type {State} */ state) {
  return [...state.c.values()].filter((one) => one.at);
}

export function centre(one) {
  return [(one.at[0] + one.space / 2) * CELL, (one.at[1] + one.space / 2) * CELL];
}

/** The offset of a combatant that shares its center with others (grapplers, riders, swarms): its place in their row. */
export function beside(/** @type {State} */ state, one) {
  const [x, y] = centre(one);
  const together = onMap(state).filter((other) => !isDead(other) && centre(other).join() === `${x},${y}`);
  const index = Math.max(0, together.indexOf(one));
  return { x: x + (index - (together.length - 1) / 2) * 16, y, index };
}

export function cell([x, y], kind) {
  return s("rect", { class: kind, x: x * CELL + 1, y: y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 3 });
}

function threatSquares(/** @type {State} */ state, focus) {
  const one = state.c.get(focus);
  if (!one?.at) return [];
  const [height, width] = [state.g.terrain.length, state.g.terrain[0].length];
  const squares = new Map();
  for (const shape of one.threat) {
    for (const [dx, dy] of app.log.shapes[shape] ?? []) {
      const at = [one.at[0] + dx, one.at[1] + dy];
      if (at[0] >= 0 && at[1] >= 0 && at[0] < width && at[1] < height) squares.set(at.join(), at);
    }
  }
  return [...squares.values()].map((at) => cell(at, `threat ${sideClass(state, one.side)}`));
}

function coverSquares(event, /** @type {State} */ state) {
  const sight = event?.attack?.sight;
  if (!sight) return [];
  const behind = (sight.creatures ?? []).flatMap((id) => {
    const one = state.c.get(id);
    return one?.at ? s("circle", { class: "in-the-way", cx: centre(one)[0], cy: centre(one)[1], r: one.space * 20 + 3 }) : [];
  });
  return [...(sight.squares ?? []).map((at) => cell(at, "gives-cover")), ...behind];
}

function eventLines(event, /** @type {State} */ state) {
  if (!event) return [];
  return [...path(event.record), ...areaMarks(event.area, state), ...blow(event.attack, state), ...harm(event.record, state, event.attack)];
}

function sightLines(attack) {
  return (attack?.sight?.lines ?? []).map(([x1, y1, x2, y2, stopped]) =>
    s("line", { class: stopped ? "sight stopped" : "sight", x1: x1 * CELL, y1: y1 * CELL, x2: x2 * CELL, y2: y2 * CELL }),
  );
}

function path(/** @type {LogRecord} */ record) {
  if (record?.type !== "moved" || !record.fact.path?.length || !record.fact.start) return [];
  const places = [record.fact.start, ...record.fact.path].map(([x, y]) => [(x + 0.5) * CELL, (y + 0.5) * CELL]);
  return [
    s("polyline", { class: "path", points: places.map((at) => at.join()).join(" ") }),
    ...places.slice(0, -1).map(([cx, cy]) => s("circle", { class: "footstep", cx, cy, r: 3.2 })),
  ];
}

function blow(attack, /** @type {State} */ state) {
  const [one, other] = [state.c.get(attack?.fact.attacker), state.c.get(attack?.fact.target)];
  if (!one?.at || !other?.at || one === other) return [];
  const [[ax, ay], [bx, by]] = [centre(one), centre(other)];
  const far = Math.hypot(bx - ax, by - ay) || 1;
  const [ux, uy] = [(bx - ax) / far, (by - ay) / far];
  const kind = attack.fact.result === "miss" ? "blow miss" : "blow";
  const [near, end] = [one.space * 19, other.space * 19 + 2];
  if (far - near - end < SHORTEST_BLOW) return [s("path", { class: kind, d: overhand([ax, ay], [bx, by], [ux, uy], near, end), "marker-end": "url(#arrow)" })];
  return [s("line", { class: kind, x1: ax + ux * near, y1: ay + uy * near, x2: bx - ux * end, y2: by - uy * end, "marker-end": "url(#arrow)" })];
}

/** Adjacent tokens leave no room for a straight arrow: draw an arc over them, bent upwards if possible. */
function overhand([ax, ay], [bx, by], [ux, uy], near, end) {
  const [px, py] = ux > 0 || (ux === 0 && uy < 0) ? [uy, -ux] : [-uy, ux];
  const lean = Math.SQRT1_2;
  const from = [ax + (ux + px) * near * lean, ay + (uy + py) * near * lean];
  const to = [bx + (px - ux) * end * lean, by + (py - uy) * end * lean];
  const top = Math.max(near, end) + 24;
  const bend = [(from[0] + to[0]) / 2 + px * (top - near * lean), (from[1] + to[1]) / 2 + py * (top - near * lean)];
  return `M${from.join(" ")}Q${bend.join(" ")} ${to.join(" ")}`;
}

/** Hit points lost or regained, next to the token on the side away from the blow. */
function harm(/** @type {LogRecord} */ record, /** @type {State} */ state, attack) {
  if (record?.type !== "hit-points.changed" || !record.fact.change) return [];
  const one = state.c.get(record.fact.who);
  if (!one?.at) return [];
  const [x, y] = centre(one);
  const from = state.c.get(attack?.fact.attacker);
  const aside = from?.at && centre(from)[0] > x ? -1 : 1;
  const kind = record.fact.change < 0 ? "harm" : "harm heal";
  return [s("text", { class: kind, x: x + aside * (one.space * 20 + 8), y: y - one.space * 10 }, signed(record.fact.change))];
}
