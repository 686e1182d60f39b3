// Pointing on the map: by keys, hovering or dragging a token.

import { actAs, acting, isAtEnd, isMine, placesInReach, turnTo } from "./acting.js";
import { byId, s, visible } from "./dom.js";
import { tookSquare } from "./entering.js";
import { stateAt } from "./log.js";
import { CELL } from "./map.js";
import { ARROWS, goOwnWay, isDrawing, leadTo, onWayKey, ownway, switchDrawing, tapWay } from "./ownway.js";
import { goToPlace, pointAt, reach, takeSquare } from "./reach.js";
import { mayMove } from "./rolling.js";
import { app } from "./state.js";

const DRAGGED = 6; // pixels; a shorter move is a click

/** @type {{ on: boolean, drag: any, dragged: boolean, tapped: Square | null }} */
const cursor = { on: false, drag: null, dragged: false, tapped: null };

export function wireMap() {
  const host = byId("map");
  host.addEventListener("keydown", onMapKey);
  host.addEventListener("pointermove", (event) => (cursor.drag ? dragOn(event) : event.pointerType !== "touch" && hover(event)));
  host.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && !cursor.drag && !cursor.on && pointAt(null));
  host.addEventListener("pointerdown", dragFrom);
  host.addEventListener("pointerup", dragTo);
  host.addEventListener("pointercancel", dropped);
  // A finger on one's own token drags it instead of scrolling the page.
  host.addEventListener("touchmove", (event) => cursor.drag && event.cancelable && event.preventDefault(), { passive: false });
  host.addEventListener("focusout", () => { cursor.on = false; drawCursor(); });
  // The click event after a drag does not count as a click on the token.
  host.addEventListener("click", (event) => {
    if (cursor.dragged) event.stopPropagation();
    else if (tookSquare(squareUnder(event))) event.stopPropagation();
    else if (isDrawing() && event.detail && !event.target.closest(".token") && squareUnder(event)) tapWay(squareUnder(event)), event.stopPropagation();
    else if (event.target.closest(".in-reach")) tapped(event);
    cursor.dragged = false;
  }, true);
}

/** A click goes there; a finger cannot hover, so its first tap points and its second goes. */
function tapped(event) {
  const at = squareUnder(event);
  if (event.pointerType !== "touch" || String(cursor.tapped) === String(at)) {
    cursor.tapped = null;
    pointAt(null);
    takeSquare(at);
    return;
  }
  cursor.tapped = at;
  pointAt(at);
  byId("square").append(" Tap again to confirm.");
}

/** Let keys point on the board of the map. */
export function readyBoard() {
  const board = byId("map").querySelector(".board");
  if (!board || board.hasAttribute("tabindex")) return;
  byId("map").style.setProperty("--columns", mapSize()[0] + 1);
  for (const [name, value] of Object.entries({ tabindex: "0", role: "application", "aria-roledescription": "map", "data-key": "board", "aria-describedby": "square" })) board.setAttribute(name, value);
  board.setAttribute("aria-label", visible(`${board.getAttribute("aria-label")}. Arrow keys point at squares; Enter goes there or selects the combatant there.`));
}

/** Scroll to the acting combatant on a narrow screen, where the map is wider. */
export function showActor(/** @type {State} */ state) {
  const host = byId("map");
  const board = host.querySelector(".board");
  const one = state.c.get(state.g.active) ?? state.c.get(acting.who);
  const key = [state.g.round, state.g.turn, state.g.active, one?.at].join();
  if (cursor.drag || !board || !one?.at || host.dataset.around === key || host.scrollWidth <= host.clientWidth) return;
  host.dataset.around = key;
  host.scrollTo({ left: (board.clientWidth * (one.at[0] + one.space / 2 + 0.5)) / (mapSize()[0] + 0.5) - host.clientWidth / 2, behavior: mayMove() ? "smooth" : "instant" });
}

function mapSize() {
  const { terrain = [] } = stateAt(app.line, app.seq).g;
  return [terrain[0]?.length ?? 0, terrain.length];
}

/** The square of the map under the pointer, null outside. */
function squareUnder({ clientX, clientY }) {
  const board = byId("map").querySelector(".board");
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(board.getScreenCTM().inverse());
  const at = [Math.floor(x / CELL), Math.floor(y / CELL)];
  const [width, height] = mapSize();
  return at[0] >= 0 && at[1] >= 0 && at[0] < width && at[1] < height ? at : null;
}

function hover(event) {
  if (!byId("map").querySelector(".board")) return;
  cursor.on = false;
  pointAt(squareUnder(event), false);
}

export function drawCursor() {
  const layer = byId("map").querySelector(".layer-way");
  if (!layer) return;
  let mark = byId("map").querySelector(".cursor-square");
  if (!cursor.on || !reach.at) return mark?.remove();
  if (!mark) layer.after(mark = s("rect", { class: "cursor-square", width: CELL, height: CELL, rx: 4 }));
  mark.setAttribute("x", reach.at[0] * CELL);
  mark.setAttribute("y", reach.at[1] * CELL);
}

/** Put the cursor on the map: where it was, or on the acting combatant. */
export function enterMap() {
  const board = byId("map").querySelector(".board");
  if (!board) return;
  board.focus();
  cursor.on = true;
  const at = reach.at ?? stateAt(app.line, app.seq).c.get(acting.who)?.at ?? [0, 0];
  reach.at = null;
  pointAt(at);
}

function onMapKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const board = event.target.closest(".board");
  if (!board) return;
  const token = event.target.closest(".token");
  const by = !event.shiftKey && ARROWS[event.key];
  if (isDrawing() && onWayKey(event)) {
    if (token) board.focus();
  } else if (by) {
    const from = (token && stateAt(app.line, app.seq).c.get(token.dataset.id)?.at) ?? (cursor.on && reach.at) ?? null;
    if (token) board.focus();
    if (!from) enterMap();
    else {
      cursor.on = true;
      const [width, height] = mapSize();
      pointAt([Math.min(width - 1, Math.max(0, from[0] + by[0])), Math.min(height - 1, Math.max(0, from[1] + by[1]))]);
    }
  } else if ((event.key === "Enter" || event.key === " ") && !token && cursor.on && reach.at) takeSquare(reach.at);
  else if (event.key === "Escape") {
    dropped();
    cursor.on = false;
    pointAt(null);
    turnTo("");
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function dragFrom(event) {
  cursor.dragged = false;
  const id = event.target.closest?.(".token")?.dataset.id;
  if (event.button !== 0 || !id || !isMine(id) || !isAtEnd()) return;
  cursor.drag = { id, from: [event.clientX, event.clientY], pointer: event.pointerId, trail: [], moving: false, draws: isDrawing() || event.shiftKey };
}

function dragOn(event) {
  const { drag } = cursor;
  if (event.pointerId !== drag.pointer) return;
  if (!drag.moving) {
    if (Math.hypot(event.clientX - drag.from[0], event.clientY - drag.from[1]) < DRAGGED) return;
    drag.moving = true;
    byId("map").setPointerCapture(drag.pointer);
    byId("map").classList.add("dragging");
    if (drag.id !== acting.who) actAs(drag.id);
    drag.once = drag.draws && !ownway.on;
    if (drag.draws) switchDrawing(true);
  }
  const one = stateAt(app.line, app.seq).c.get(drag.id);
  const at = squareUnder(event);
  if (!at || !one?.at) return;
  // A big token is held by the square where it was grabbed.
  drag.grip ??= gripOf(one, drag.from);
  const to = [at[0] - drag.grip[0], at[1] - drag.grip[1]];
  if (String(drag.trail.at(-1)) !== String(to)) drag.trail.push(to);
  if (drag.draws) leadTo(to);
  else pointAt(to, false);
}

function gripOf(one, [clientX, clientY]) {
  const at = squareUnder({ clientX, clientY }) ?? one.at;
  return [0, 1].map((axis) => Math.max(0, Math.min(one.space - 1, at[axis] - one.at[axis])));
}

function dragTo(event) {
  const { drag } = cursor;
  if (!drag || event.pointerId !== drag.pointer) return;
  const place = drag.moving && reach.at && !drag.draws ? placesInReach().get(reach.at.join()) : null;
  cursor.dragged = drag.moving;
  dropped();
  pointAt(null);
  if (place) goToPlace(place, drag.trail);
  else if (drag.draws && drag.moving) goOwnWay().then(() => drag.once && !ownway.path.length && switchDrawing(false));
}

function dropped() {
  cursor.drag = null;
  byId("map").classList.remove("dragging");
}
