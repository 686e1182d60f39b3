// Branches: the tree of lines, and a comparison of two.

import { byId, h, healthBar, keepingFocus, nameOf, sideClass, visible } from "./dom.js";
import { placeOf, stateAt } from "./log.js";
import { drawMap } from "./map.js";
import { app } from "./state.js";

export function drawBranches(host, log, current) {
  const roots = [...log.lines.values()].filter((line) => !line.parent);
  const many = "Every line of play leaves its parent at an event.";
  const one = "This fight has only one line. Make a branch with affray fork or affray whatif.";
  const intro = h("p", { class: "quiet" }, log.lines.size > 1 ? many : one);
  keepingFocus(host, () => host.replaceChildren(intro, tree(roots, log, current), ...rulings(log)));
}

/** Rulings and disputes of all lines, each once, as links to their events. */
function rulings(log) {
  const found = new Map();
  for (const line of log.lines.values()) {
    for (const record of line.records) {
      const { type, fact } = record;
      const key = `${type} ${fact.id || `${line.name} ${record.seq}`}`;
      if ((type === "disputed" || type === "ruled" && fact.verdict !== "ends") && !found.has(key)) found.set(key, { line, record });
    }
  }
  if (!found.size) return [];
  const items = [...found.values()].map(({ line, record }) =>
    h("li", null, h("button", { type: "button", class: "link", onclick: () => app.follow(line.name, record.seq) }, record.text), h("span", { class: "quiet" }, ` ${line.name} #${record.seq}`)));
  return [h("h3", null, "Rulings and disputes"), h("ul", { class: "rulings" }, items)];
}

function tree(lines, log, current) {
  return h("ul", { class: "tree" }, lines.map((line) => {
    const below = [...log.lines.values()].filter((one) => one.parent === line.name);
    return h("li", null, branchRow(line, current), below.length > 0 && tree(below, log, current));
  }));
}

function branchRow(/** @type {Line} */ line, current) {
  const here = line.name === current.name;
  const left = line.parent ? `leaves ${line.parent} after #${line.at} (${placeOf(line, line.at)}), ` : "";
  const own = line.last - line.at;
  return h(
    "div",
    { class: here ? "branch here" : "branch", "aria-current": here ? "true" : null },
    h("strong", null, line.name, line.main && h("span", { class: "chip" }, "main line")),
    h("span", { class: "quiet" }, `${left}${own} ${line.parent ? "own events" : "events"}, ends ${placeOf(line, line.last)}`),
    line.merged && h("p", { class: "merged" }, `Merged from ${line.merged.branches.join(", ")}.`),
    line.parted && h("p", null, line.parted),
    h(
      "span",
      { class: "actions" },
      !here && h("button", { type: "button", "data-follow": line.name, onclick: () => app.follow(line.name) }, "Follow"),
      !here && h("button", { type: "button", "data-compare": line.name, onclick: () => openCompare(line, current) }, `Compare with ${current.name}`),
      line.parent && h("button", { type: "button", onclick: () => app.follow(line.name, line.at) }, "Where it leaves"),
    ),
  );
}

/** The last event that two lines share. */
export function parting(a, b) {
  let at = 0;
  while (at < a.last && at < b.last && a.records[at] === b.records[at]) at++;
  return at;
}

function openCompare(other, current) {
  const dialog = byId("compare");
  const lines = [current, other];
  const parted = parting(...lines);
  dialog.replaceChildren(
    h("header", null, h("h2", { id: "compare-title" }, `${current.name} and ${other.name}`), h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close")),
    h("p", { class: "quiet" }, `They separate after event ${parted} (${placeOf(current, parted)}). Below: how each of them ends, each step to that end, and the decisions.`),
    ...stepper(lines, stops(lines, parted)),
    h("h3", null, "Declaration by declaration"),
    declarations(lines, parted),
  );
  dialog.showModal();
}

/** The state of both lines after each declaration since they separated: [{ text, at: [event, event] }, ...]. */
function stops(lines, parted) {
  const both = lines.map((line) => told(line, parted));
  const found = [{ text: "Where they separate", at: [parted, parted] }];
  for (const id of new Set(both.flatMap((one) => [...one.keys()]))) {
    const here = both.map((one) => one.get(id));
    const text = [...new Set(here.filter(Boolean).map((one) => one.first.text))].join(" / ");
    found.push({ text, at: here.map((one, at) => Math.max(one?.last ?? 0, found[found.length - 1].at[at])) });
  }
  return [...found, { text: "The end", at: lines.map((line) => line.last) }];
}

/** Both lines side by side at one of the stops, with a slider over all stops. */
function stepper(lines, all) {
  const pair = h("div", { class: "pair" });
  const said = h("output", { for: "compare-step" });
  const slider = h("input", { type: "range", id: "compare-step", min: 0, max: all.length - 1, value: all.length - 1, "aria-label": "Declaration", oninput: () => show(Number(slider.value)) });
  function show(step) {
    const { text, at } = all[step];
    const states = lines.map((line, which) => stateAt(line, at[which]));
    pair.replaceChildren(...lines.map((line, which) => ending(line, states[which], states[1 - which], at[which])));
    said.textContent = visible(`${step} of ${all.length - 1}: ${text}`);
    slider.setAttribute("aria-valuetext", visible(said.textContent));
  }
  show(all.length - 1);
  return [h("div", { class: "step" }, slider, said), pair];
}

function ending(/** @type {Line} */ line, /** @type {State} */ state, others, /** @type {number} */ seq) {
  const map = h("div", { class: "small-map" });
  drawMap(map, state, { live: false });
  const rows = [...state.c.values()].map((one) => {
    const twin = others.c.get(one.id);
    const same = twin && outcome(one) === outcome(twin);
    return h("li", { class: same ? sideClass(state, one.side) : `${sideClass(state, one.side)} differs` }, h("strong", null, nameOf(one.id)), healthBar(one), h("span", { class: "quiet" }, one.conditions.map(([name]) => name).join(", ") || "\u00a0"));
  });
  const end = state.g.closed ? `over: ${state.g.closed}` : `#${seq}, ${placeOf(line, seq)}`;
  return h("section", null, h("h3", null, line.name, h("span", { class: "quiet" }, ` ${end}`)), map, h("ul", { class: "standing" }, rows));
}

function outcome(one) {
  return `${one.hp}/${one.max} ${one.conditions.map(([name]) => name).sort().join()}`;
}

/** The events after the separation, by declaration: Map(id -> { first, events, last }), `last` its final event. */
function told(/** @type {Line} */ line, parted) {
  const all = new Map();
  const from = Math.min(parted, (line.records[parted]?.cause ?? parted + 1) - 1);
  for (const record of line.records.slice(Math.max(0, from))) {
    if (record.type === "declared") all.set(record.fact.id ?? `#${record.seq}`, { first: record, events: [] });
    if (all.size) [...all.values()].at(-1).last = record.seq;
    if (record.type === "declared") continue;
    if (all.size && !["rolled", "action.spent", "budget.renewed"].includes(record.type)) [...all.values()].at(-1).events.push(record);
  }
  return all;
}

function declarations(lines, parted) {
  const both = lines.map((line) => told(line, parted));
  const ids = [...new Set(both.flatMap((one) => [...one.keys()]))];
  const words = (one) => one?.events.map((event) => event.text).join("\n") ?? "";
  const rows = ids.map((id) => {
    const [a, b] = both.map((one) => one.get(id));
    if (words(a) === words(b) && a?.first.text === b?.first.text) return h("tr", { class: "same" }, h("td", { colspan: 2 }, a.first.text, h("span", { class: "quiet" }, " the same in both")));
    return h("tr", { class: "differs" }, [a, b].map((one, at) => h("td", null, one ? side(one, at ? a : b, lines[at]) : h("span", { class: "quiet" }, "not declared"))));
  });
  return h("table", { class: "twins" }, h("thead", null, h("tr", null, lines.map((line) => h("th", { scope: "col" }, line.name)))), h("tbody", null, rows));
}

function side(one, twin, /** @type {Line} */ line) {
  const theirs = new Set(twin?.events.map((event) => event.text));
  const go = (record) => h("button", { type: "button", class: "link", onclick: () => { byId("compare").close(); app.follow(line.name, record.seq); } }, record.text);
  return [h("p", null, go(one.first)), h("ul", null, one.events.map((event) => h("li", { class: theirs.has(event.text) ? null : "only" }, go(event))))];
}
