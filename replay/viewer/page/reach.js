// Squares in reach: drawn with cost and path, marked if the path provokes.

import { acting, declare, placesInReach } from "./acting.js";
import { drawCursor } from "./cursor.js";
import { choose } from "./dialogs.js";
import { byId, isDead, nameOf, s, visible } from "./dom.js";
import { drawEntering } from "./entering.js";
import { stateAt } from "./log.js";
import { CELL, cell, centre, TERRAIN, TERRAIN_TOLD } from "./map.js";
import { drawOwnWay } from "./ownway.js";
import { app } from "./state.js";

/** @type {{ key: string, at: Square | null }} */
export const reach = { key: "", at: null };

/** Draw the squares of the kind of act chosen in the panel; none while the page shows the past. */
export function drawReach(/** @type {State} */ state) {
  const layer = byId("map").querySelector(".layer-reach");
  if (!layer) return;
  const places = placesInReach();
  const key = [places.size && acting.legal?.position, acting.mode, acting.who, [...places.keys()].length].join("|");
  if (layer.dataset.key !== key || (places.size > 0 && !layer.childElementCount)) {
    layer.dataset.key = key;
    layer.replaceChildren(...[...places.values()].map(reachSquare));
  }
  byId("map").classList.toggle("reaching", places.size > 0);
  drawCursor();
  drawWay(state, reach.at && places.get(reach.at.join()));
  drawOwnWay();
  drawEntering();
}

function reachSquare({ to: [x, y], feet, past }) {
  const kinds = ["in-reach", past.length > 0 && "struck-at"].filter(Boolean).join(" ");
  const text = past.length ? `${feet ?? ""}!` : String(feet ?? "");
  return s("g", { class: kinds, "data-square": `${x},${y}` }, cell([x, y], "square"), text && s("text", { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL + 4 }, text));
}

/** Draw the path to a place, and the mover's space there. */
function drawWay(/** @type {State} */ state, place, path = place?.path) {
  const layer = byId("map").querySelector(".layer-way");
  if (!layer) return;
  const one = place && state.c.get(acting.who);
  if (!one?.at) return layer.replaceChildren();
  const half = one.space / 2;
  const points = [one.at, ...path ?? []].map(([x, y]) => [(x + half) * CELL, (y + half) * CELL]);
  const [x, y] = place.to;
  const size = place.one ? one.space * CELL : CELL;
  layer.replaceChildren(
    ...(path?.length ? [s("polyline", { class: place.past.length && path === place.path ? "going struck-at" : "going", points: points.map((at) => at.join()).join(" ") })] : []),
    s("rect", { class: "goal", x: x * CELL + 2, y: y * CELL + 2, width: size - 4, height: size - 4, rx: 5 }),
    ...place.past.flatMap((id) => {
      const other = state.c.get(id);
      return other?.at ? [s("circle", { class: "striker", cx: centre(other)[0], cy: centre(other)[1], r: other.space * 20 + 4 })] : [];
    }),
  );
}

/** Describe a square: position, occupant, ground, and the act that leads there. */
function squareTold(state, [x, y]) {
  const who = [...state.c.values()].find((one) => covers(one, [x, y]));
  const ground = TERRAIN_TOLD[TERRAIN[state.g.terrain[y]?.[x]]] ?? "";
  const place = placesInReach().get(`${x},${y}`);
  const parts = [`${x},${y}`, who && `${nameOf(who.id)}${who.conditions.length ? `, ${who.conditions.map(([name]) => name).join(", ")}` : ""}`, ground, placeTold(place)];
  return parts.filter(Boolean).join("; ");
}

function placeTold(place) {
  if (!place) return "";
  const cost = Number.isFinite(place.feet) ? `${place.what} ${place.feet} feet` : place.what;
  const past = place.past.length ? `, provokes from ${place.past.map(nameOf).join(" and ")}${place.around ? ", a safe path exists" : ""}` : "";
  return `${cost}${past}`;
}

function covers(one, [x, y]) {
  return Boolean(one.at) && x >= one.at[0] && y >= one.at[1] && x < one.at[0] + one.space && y < one.at[1] + one.space;
}

/** Point at a square, null for none: draw its path and describe it. */
export function pointAt(at, aloud = true) {
  if (String(at) === String(reach.at)) return;
  reach.at = at;
  const state = stateAt(app.line, app.seq);
  drawCursor();
  drawWay(state, at && placesInReach().get(at.join()));
  const words = at && (aloud || placesInReach().has(at.join())) ? squareTold(state, at) : "";
  byId("square").textContent = visible(words);
}

/** Use a square: go there, or select the combatant there. */
export async function takeSquare(at) {
  const state = stateAt(app.line, app.seq);
  const place = placesInReach().get(at.join());
  if (place) return goToPlace(place);
  const who = [...state.c.values()].find((one) => covers(one, at) && !isDead(one)) ?? [...state.c.values()].find((one) => covers(one, at));
  if (who) app.pin(who.id);
}

/** Go to a place; ask first if the path provokes. */
export async function goToPlace(place, trail = []) {
  if (!place.past.length || !place.around) {
    if (!place.past.length || (await choose(...askedFirst(place))) === "go") await declare(place.act, placeTold(place));
    return;
  }
  const went = new Set(trail.map(String));
  const dragged = went.size > 1 && place.around.every((at) => went.has(String(at)));
  const way = dragged ? "around" : await choose(...askedFirst(place));
  if (way === "around") await declare({ ...place.act, path: place.around }, `${place.what} by the safe path`);
  else if (way === "go") await declare(place.act, placeTold(place));
}

export function askedFirst(place) {
  const names = place.past.map(nameOf).join(" and ");
  const feet = place.around ? ` (${place.around.length} squares)` : "";
  return [
    "This path provokes",
    `${place.own ? "Your" : "The shortest"} path leaves squares that ${names} threaten${place.past.length === 1 ? "s" : ""}: ${names} may attack.`,
    [place.around && ["around", `Take the safe path${feet}`, "main"], ["go", `Go anyway${Number.isFinite(place.feet) ? ` (${place.feet} feet)` : ""}`], ["stay", "Stay", place.around ? "" : "main"]].filter(Boolean),
  ];
}
