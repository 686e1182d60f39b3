// The initiative rail: all combatants in order, with health and effects.

import { showBlame } from "./blame.js";
import { h, healthBar, hueClass, isOut, keepingFocus, nameOf, sideClass } from "./dom.js";
import { leftChips } from "./left.js";
import { app } from "./state.js";

export function drawRail(host, /** @type {State} */ state) {
  const order = [...state.g.order ?? []].filter((id) => state.c.has(id));
  const rest = [...state.c.keys()].filter((id) => !order.includes(id));
  const rows = [...order, ...rest].map((id) => railRow(state.c.get(id), state));
  const title = h("h2", null, order.length ? "Initiative" : "Combatants");
  const list = h("ol", null, rows.length ? rows : h("li", { class: "empty" }, "No combatants yet."));
  keepingFocus(host, () => host.replaceChildren(title, list));
  const active = host.querySelector(".active");
  if (active && list.scrollWidth > list.clientWidth) {
    list.scrollLeft = active.offsetLeft - list.offsetLeft - 14;
  }
}

function railRow(one, /** @type {State} */ state) {
  const active = state.g.active === one.id;
  const kinds = ["one", one.thing && "thing", sideClass(state, one.side), hueClass(one.id), active && "active", isOut(one) && "out", app.focus() === one.id && "focus"];
  return h(
    "li",
    { class: kinds.filter(Boolean).join(" "), "aria-current": active ? "true" : null },
    h(
      "button",
      {
        type: "button",
        class: "who",
        "data-key": one.id,
        "aria-pressed": String(app.pinned === one.id),
        title: "Show threatened squares",
        onclick: () => app.pin(one.id),
        onpointerenter: () => app.look(one.id),
        onpointerleave: () => app.look(""),
      },
      h("span", { class: "seal", "aria-hidden": "true" }, app.log.letters.get(one.id) ?? "?"),
      h("span", { class: "called" }, nameOf(one.id)),
      state.g.order?.length > 0 && Number.isFinite(one.initiative) && h("span", { class: "count", title: "Initiative" }, String(one.initiative)),
    ),
    healthBar(one, () => showBlame(one.id, "hp")),
    notes(one),
    active && (state.g.left ?? one.pools) && leftChips([...(state.g.left ?? []), ...(one.pools ?? [])]),
  );
}

function notes(one) {
  const chip = (text, kind, title) => h("li", { class: `chip ${kind}`, title }, text);
  const pressed = (text, kind, title, key) =>
    h("li", null, h("button", { type: "button", class: `chip ${kind}`, title, "data-key": `${one.id}/${key}`, "aria-label": `${text}: history`, onclick: () => showBlame(one.id, key) }, text));
  const all = [
    ...one.conditions.map(([name, why]) => pressed(name, "condition", why, `conditions:${name}`)),
    one.nonlethal && pressed(`${one.nonlethal} nonlethal`, "", "Nonlethal damage", "nonlethal"),
    one.temporary && pressed(`${one.temporary} temporary`, "", "Temporary hit points", "temporary"),
    one.waits && chip(one.waits, "", "Delays its turn"),
    one.readied && chip("readied", "", `Ready: ${one.readied}`),
    ...one.injuries.map((name) => pressed(name, "condition", "A lasting injury", `injuries:${name}`)),
    ...one.effects.map((text) => pressed(text, "effect", "A temporary modifier", `effects:${text}`)),
    one.plan.length > 0 && chip(`plans to ${one.plan.join(", then ")}`, "plan", "Declared for this round"),
  ].filter(Boolean);
  return all.length ? h("ul", { class: "chips", "aria-label": `Effects on ${nameOf(one.id)}` }, all) : null;
}
