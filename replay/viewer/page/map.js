// The map: terrain, tokens, and what the event in question does on it.

const CELL = 40;
const SHORTEST_BLOW = 22;
const NAME = { row: 13, letter: 6.6 };
const TERRAIN_TOLD = {
  wall: "Wall", low: "Low wall: costs double, gives cover", rough: "Difficult terrain: costs double", high: "High ground",
  void: "Void", fog: "Fog or foliage: conceals", pillar: "Pillar or tree: gives cover",
};
const TERRAIN = { "#": "wall", "=": "low", "~": "rough", "^": "high", " ": "void", "%": "fog", T: "pillar" };

/** Draw a whole map into `host`. `focus` shows one combatant's threatened squares, `event` what happens. */
function drawMap(host, state, { focus = "", event = null, live = true } = {}) {
  const rows = state.g.terrain ?? [];
  if (!rows.length) {
    host.dataset.terrain = "";
    host.replaceChildren(h("p", { class: "empty" }, state.g.dialect ? "There is no map in this fight." : ""));
    return;
  }
  const key = rows.join("\n");
  if (host.dataset.terrain !== key) {
    host.replaceChildren(board(rows, live));
    host.dataset.terrain = key;
  }
  const layer = (name) => host.querySelector(`.layer-${name}`);
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
  const layers = ["threat", "reach", "area", "cover", "tokens", "names", "lines", "way"].map((name) => s("g", { class: `layer-${name}` }));
  const margin = live ? 18 : 2;
  const box = [-margin, -margin, width * CELL + margin + 4, height * CELL + margin + 4].join(" ");
  return s(
    "svg",
    { viewBox: box, role: "group", "aria-label": `Map, ${width} by ${height} squares of 5 feet`, class: "board" },
    patterns(),
    s("rect", { class: "floor", width: width * CELL, height: height * CELL, rx: 3 }),
    s("g", { "aria-hidden": "true" }, squares, gridLines(width, height), live && coordinates(width, height)),
    layers,
  );
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

/** Those who stand on the map as far as it is known. */
function onMap(state) {
  return [...state.c.values()].filter((one) => one.at);
}

function centre(one) {
  return [(one.at[0] + one.space / 2) * CELL, (one.at[1] + one.space / 2) * CELL];
}

/** Who shares its centre with others (grapplers, riders, swarms) is drawn beside them: its place in that row. */
function beside(state, one) {
  const [x, y] = centre(one);
  const together = onMap(state).filter((other) => !isDead(other) && centre(other).join() === `${x},${y}`);
  const index = Math.max(0, together.indexOf(one));
  return { x: x + (index - (together.length - 1) / 2) * 16, y, index };
}

function cell([x, y], kind) {
  return s("rect", { class: kind, x: x * CELL + 1, y: y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 3 });
}

function threatSquares(state, focus) {
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

function coverSquares(event, state) {
  const sight = event?.attack?.sight;
  if (!sight) return [];
  const behind = (sight.creatures ?? []).flatMap((id) => {
    const one = state.c.get(id);
    return one?.at ? s("circle", { class: "in-the-way", cx: centre(one)[0], cy: centre(one)[1], r: one.space * 20 + 3 }) : [];
  });
  return [...(sight.squares ?? []).map((at) => cell(at, "gives-cover")), ...behind];
}

function eventLines(event, state) {
  if (!event) return [];
  return [...path(event.record), ...areaMarks(event.area, state), ...blow(event.attack, state), ...harm(event.record, state, event.attack)];
}

function sightLines(attack) {
  return (attack?.sight?.lines ?? []).map(([x1, y1, x2, y2, stopped]) =>
    s("line", { class: stopped ? "sight stopped" : "sight", x1: x1 * CELL, y1: y1 * CELL, x2: x2 * CELL, y2: y2 * CELL }),
  );
}

function path(record) {
  if (record?.type !== "moved" || !record.fact.path?.length || !record.fact.start) return [];
  const places = [record.fact.start, ...record.fact.path].map(([x, y]) => [(x + 0.5) * CELL, (y + 0.5) * CELL]);
  return [
    s("polyline", { class: "path", points: places.map((at) => at.join()).join(" ") }),
    ...places.slice(0, -1).map(([cx, cy]) => s("circle", { class: "footstep", cx, cy, r: 3.2 })),
  ];
}

function blow(attack, state) {
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

/** Between neighbours there is no room for a straight arrow: it goes over them in an arc, bent upwards where it can. */
function overhand([ax, ay], [bx, by], [ux, uy], near, end) {
  const [px, py] = ux > 0 || (ux === 0 && uy < 0) ? [uy, -ux] : [-uy, ux];
  const lean = Math.SQRT1_2;
  const from = [ax + (ux + px) * near * lean, ay + (uy + py) * near * lean];
  const to = [bx + (px - ux) * end * lean, by + (py - uy) * end * lean];
  const top = Math.max(near, end) + 24;
  const bend = [(from[0] + to[0]) / 2 + px * (top - near * lean), (from[1] + to[1]) / 2 + py * (top - near * lean)];
  return `M${from.join(" ")}Q${bend.join(" ")} ${to.join(" ")}`;
}

/** What somebody lost or got back, beside its token on the side from which no blow came. */
function harm(record, state, attack) {
  if (record?.type !== "hit-points.changed" || !record.fact.change) return [];
  const one = state.c.get(record.fact.who);
  if (!one?.at) return [];
  const [x, y] = centre(one);
  const from = state.c.get(attack?.fact.attacker);
  const aside = from?.at && centre(from)[0] > x ? -1 : 1;
  const kind = record.fact.change < 0 ? "harm" : "harm heal";
  return [s("text", { class: kind, x: x + aside * (one.space * 20 + 8), y: y - one.space * 10 }, signed(record.fact.change))];
}

/** Keep the tokens that are there, so that they glide to their new places. */
function drawTokens(layer, state, focus, live) {
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

/** Let a token go along its path, square by square, the first time that its movement is shown. */
function walkOnce(host, layer, record, state) {
  const walked = record?.type === "moved" ? `${record.stream}#${record.seq}` : "";
  const again = host.dataset.walked === walked;
  host.dataset.walked = walked;
  const one = walked && state.c.get(record.fact.who);
  if (!one?.at || again || !record.fact.path?.length || !record.fact.start || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const token = [...layer.children].find((other) => other.dataset.id === one.id);
  const half = one.space / 2;
  const steps = [record.fact.start, ...record.fact.path].map(([x, y]) => ({ transform: `translate(${(x + half) * CELL}px, ${(y + half) * CELL}px)` }));
  token?.animate(steps, { duration: Math.min(1200, 160 * steps.length), easing: "linear" });
}

/** Names above all tokens, so that none hides another's. */
function drawNames(layer, state, focus) {
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

/** Where names stand: below their tokens, and a row lower for as long as another name is in the way. */
function namePlaces(state) {
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

function fillToken(token, one, state, focus) {
  const radius = one.space * 20 - 4;
  const active = state.g.active === one.id;
  const kinds = ["token", one.thing && "thing", sideClass(state, one.side), hueClass(one.id), active && "active", isOut(one) && "out", isDead(one) && "dead"];
  token.setAttribute("class", [...kinds, focus === one.id && "focus"].filter(Boolean).join(" "));
  const spot = beside(state, one);
  token.style.transform = `translate(${spot.x}px, ${spot.y}px)`;
  token.setAttribute("aria-label", tokenLabel(one, active));
  const parts = [one.hp, one.max, radius, one.conditions.join(), active].join("|");
  if (token.dataset.parts === parts) return;
  token.dataset.parts = parts;
  token.replaceChildren(
    s("title", null, tokenLabel(one, active)),
    ...(one.thing ? slab(one, radius) : disc(one, radius)),
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

/** A thing is square, cracked once it has lost hit points, in pieces when it is destroyed. */
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
  ].filter(Boolean);
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
