// Tokens on the map: place, shape and name of each combatant.

import { healthClass, healthText, hueClass, isDead, isKnown, isOut, nameOf, refill, s, sideClass, visible } from "./dom.js";
import { beside, CELL, NAME, onMap } from "./map.js";
import { app } from "./state.js";

/** Keep existing tokens, so that they glide to their new places. */
export function drawTokens(layer, /** @type {State} */ state, focus, live) {
  const known = new Map([...layer.children].map((token) => [token.dataset.id, token]));
  const shown = onMap(state).sort((a, b) => isDead(b) - isDead(a));
  for (const one of shown) {
    const token = known.get(one.id) ?? newToken(one.id, live);
    fillToken(token, one, state, focus);
    if (!known.has(one.id)) layer.append(token);
    known.delete(one.id);
  }
  for (const gone of known.values()) gone.remove();
}

/** Animate a token along its path, square by square, when its movement is first shown. */
export function walkOnce(host, layer, /** @type {LogRecord} */ record, /** @type {State} */ state) {
  const walked = record?.type === "moved" ? `${record.stream}#${record.seq}` : "";
  const again = host.dataset.walked === walked;
  host.dataset.walked = walked;
  const one = walked ? state.c.get(record.fact.who) : null;
  if (!one?.at || again || !record.fact.path?.length || !record.fact.start || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const token = [...layer.children].find((other) => other.dataset.id === one.id);
  const half = one.space / 2;
  const steps = [record.fact.start, ...record.fact.path].map(([x, y]) => ({ transform: `translate(${(x + half) * CELL}px, ${(y + half) * CELL}px)` }));
  token?.animate(steps, { duration: Math.min(1200, 160 * steps.length), easing: "linear" });
}

/** Names above all tokens, so that none hides another's. */
export function drawNames(layer, /** @type {State} */ state, focus) {
  const known = new Map([...layer.children].map((label) => [label.dataset.id, label]));
  const spots = namePlaces(state);
  for (const one of onMap(state)) {
    const called = nameOf(one.id);
    const name = called.length > 14 ? `${called.slice(0, 13)}…` : called;
    const label = known.get(one.id) ?? s("g", { "data-id": one.id, "aria-hidden": "true" }, s("text", { class: "name", y: one.space * 20 + 9 }, name));
    const kinds = ["label-of", state.g.active === one.id && "active", focus === one.id && "focus", isDead(one) && "dead"];
    label.setAttribute("class", kinds.filter(Boolean).join(" "));
    const [x, y] = spots.get(one.id);
    label.style.transform = `translate(${x}px, ${y}px)`;
    if (!known.has(one.id)) layer.append(label);
    known.delete(one.id);
  }
  for (const gone of known.values()) gone.remove();
}

/** Positions of the names: below their tokens, lowered by rows while another name is in the way. */
function namePlaces(/** @type {State} */ state) {
  const placed = [];
  const spots = new Map();
  const all = onMap(state).map((one) => ({ one, ...beside(state, one) }));
  for (const { one, x, y } of all.sort((a, b) => a.y + a.one.space * 20 - b.y - b.one.space * 20)) {
    const half = (Math.min(14, nameOf(one.id).length) * NAME.letter) / 2;
    const below = one.space * 20;
    let at = y;
    while (placed.some((other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.at - at - below) < NAME.row)) at += NAME.row;
    placed.push({ x, half, at: at + below });
    spots.set(one.id, [x, at]);
  }
  return spots;
}

function newToken(id, live) {
  if (!live) return s("g", { "data-id": id });
  return s("g", {
    "data-id": id,
    role: "button",
    tabindex: 0,
    onpointerenter: () => app.look(id),
    onpointerleave: () => app.look(""),
    onfocus: () => app.look(id),
    onblur: () => app.look(""),
    onclick: () => app.pin(id),
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      app.pin(id);
    },
  });
}

function fillToken(token, one, /** @type {State} */ state, focus) {
  const radius = one.space * 20 - 4;
  const active = state.g.active === one.id;
  const kinds = ["token", one.thing && "thing", sideClass(state, one.side), hueClass(one.id), active && "active", isOut(one) && "out", isDead(one) && "dead"];
  token.setAttribute("class", [...kinds, focus === one.id && "focus"].filter(Boolean).join(" "));
  const spot = beside(state, one);
  token.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
  token.setAttribute("aria-label", visible(tokenLabel(one, active)));
  const parts = [one.hp, one.max, radius, one.conditions.join(), active].join("|");
  if (token.dataset.parts === parts) return;
  token.dataset.parts = parts;
  refill(
    token,
    s("title", null, tokenLabel(one, active)),
    one.thing ? slab(one, radius) : disc(one, radius),
    s("text", { class: "letter", y: 5 * Math.min(one.space, 2) + 1, "font-size": one.space > 1 ? 26 : 17 }, app.log.letters.get(one.id) ?? "?"),
    isDead(one) && s("path", { class: "cross", d: `M${-radius / 2} ${-radius / 2}L${radius / 2} ${radius / 2}M${radius / 2} ${-radius / 2}L${-radius / 2} ${radius / 2}` }),
    conditionBadge(one, radius),
  );
}

function disc(one, radius) {
  return [
    s("circle", { class: "halo", r: radius + 7 }),
    s("circle", { class: "disc", r: radius }),
    s("circle", { class: "ring", r: radius + 1.5 }),
    s("circle", { class: "rim", r: radius - 1 }),
    healthArc(one, radius - 1),
  ];
}

/** An object is square, cracked after losing hit points, in pieces when destroyed. */
function slab(one, r) {
  const square = (kind, half) => s("rect", { class: kind, x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 3 });
  const share = isKnown(one) ? Math.max(0, Math.min(1, one.hp / Math.max(1, one.max))) : 1;
  const cracks = ["M0 -1L-.2 -.35L.15 0L-.1 .4L.1 1", "M-1 .2L-.45 .05L-.1 .4L-.5 .7", "M1 -.3L.5 -.2L.15 0L.55 .45L.4 1"];
  const shown = share === 1 ? [] : cracks.slice(0, share > 0.5 ? 1 : share > 0.25 ? 2 : 3);
  const drawn = (d) => d.replace(/-?[\d.]+/g, (part) => (Number(part) * r).toFixed(1));
  return [
    square("halo", r + 5),
    square("disc", r),
    square("ring", r + 1.5),
    square("rim", r - 1),
    isKnown(one) && share > 0 && s("path", { class: `arc ${healthClass(one)}`, d: `M${1 - r} ${r - 1}h${2 * (r - 1) * share}` }),
    ...shown.map((d) => s("path", { class: "crack", d: drawn(d) })),
  ];
}

function healthArc(one, r) {
  if (!isKnown(one)) return null;
  const share = Math.max(0, Math.min(1, one.hp / Math.max(1, one.max)));
  if (!share) return null;
  const around = 2 * Math.PI * r;
  return s("circle", { class: `arc ${healthClass(one)}`, r, "stroke-dasharray": `${share * around} ${around}`, transform: "rotate(-90)" });
}

function conditionBadge(one, radius) {
  const count = one.conditions.length;
  if (!count || isDead(one)) return null;
  const at = radius * 0.74;
  return s("g", { class: "badge", transform: `translate(${-at} ${-at})` }, s("circle", { r: 7 }), s("text", { y: 3.2 }, String(count)));
}

function tokenLabel(one, active) {
  const notes = [...one.conditions.map(([name]) => name), active && "acting now"].filter(Boolean);
  const size = one.space > 1 ? `, ${one.size}, ${one.space} squares wide` : "";
  const reach = Number.isFinite(one.reach) ? `, reach ${one.reach} feet` : "";
  return `${nameOf(one.id)} of the ${one.side}${size}, ${healthText(one)}, at ${one.at.join(",")}${reach}${notes.length ? `: ${notes.join(", ")}` : ""}`;
}
