// Making elements. Text always becomes text: nothing here parses HTML.

import { app } from "./state.js";

const HUES = 10;
const SVG = "http://www.w3.org/2000/svg";

/** Attributes that are shown or read out; all others are for programs and stay unchanged. */
const READ_OUT = new Set(["aria-label", "aria-valuetext", "aria-description", "title", "placeholder", "label"]);

/** Characters that could steer, reverse or hide text: controls, direction marks, zero-width ones. */
const STEERING = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Right-to-left letters, with the blanks between them. */
const RTL = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]+";
const LEFTWARD = new RegExp(`${RTL}(?: +${RTL})*`, "gu");
const SET_APART = new RegExp(`\u2068(${LEFTWARD.source})\u2069`, "gu");

/** A user's text made safe to show: nothing in it is hidden, and right-to-left text stays isolated. */
export function visible(text) {
  return String(text).replace(SET_APART, "$1").replace(STEERING, "?").replace(LEFTWARD, "\u2068$&\u2069");
}

/**
 * The element of that id, of the kind that the caller knows.
 *
 * @returns {any}
 */
export function byId(id) {
  return document.getElementById(id);
}

/** An HTML element with attributes, `on...` listeners and children (nodes, texts, lists; falsy ones are left out). */
export function h(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element, made like `h`. */
export function s(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : READ_OUT.has(name) ? visible(value) : value);
  }
  element.append(...shownOf(children));
  return element;
}

/** Replace the children of an element; falsy ones are left out, as in `h`. */
export function refill(element, ...children) {
  element.replaceChildren(...shownOf(children));
}

function shownOf(children) {
  const shown = children.flat(Infinity).filter((child) => child || child === 0);
  return shown.map((child) => (typeof child === "string" ? visible(child) : child));
}

/** Rebuild `host`; the focus stays on the same element (by data-key) or else on the host. */
export function keepingFocus(host, rebuild) {
  const inside = host.contains(document.activeElement) && document.activeElement !== host;
  const held = /** @type {any} */ (document.activeElement);
  const key = inside ? held.dataset.key : "";
  rebuild();
  if (!inside || held.isConnected) return;
  const again = [...host.querySelectorAll("[data-key]")].find((one) => key && one.dataset.key === key);
  (again ?? host).focus({ preventScroll: true });
}

/** A button that goes to an event. */
export function goTo(/** @type {number} */ seq, ...children) {
  return h("button", { type: "button", class: "link", onclick: () => app.go(seq) }, ...children);
}

export function signed(value) {
  return value < 0 ? `−${-value}` : `+${value}`;
}

export function nameOf(id) {
  return id ? app.log.names.get(id) ?? id : "the game master";
}

/** A number with a true minus sign. */
export function number(value) {
  return String(value).replace("-", "−");
}

/** The color of a combatant, the same everywhere: by order of entry, repeated after ten. */
export function hueClass(id) {
  const order = [...app.log.letters.keys()];
  return `hue-${Math.max(0, order.indexOf(id)) % HUES}`;
}

/** The color of a combatant's side: "a" for the first side that entered, "b" for the next. */
export function sideClass(/** @type {State} */ state, side) {
  const sides = [...new Set([...state.c.values()].map((one) => one.side))];
  return `side-${"abcd"[Math.min(3, Math.max(0, sides.indexOf(side)))]}`;
}

const OUT = ["dead", "destroyed", "dying", "unconscious", "stable", "petrified"];

export function isOut(one) {
  return one.conditions.some(([name]) => OUT.includes(name.split(" ")[0]));
}

export function isDead(one) {
  return one.conditions.some(([name]) => /^(dead|destroyed)/.test(name));
}

/** Whether this user may see a combatant's hit points. */
export function isKnown(one) {
  return Number.isFinite(one.hp) && Number.isFinite(one.max);
}

export function healthClass(one) {
  if (one.hp <= 0) return "none";
  const share = one.hp / one.max;
  return share > 0.5 ? "good" : share > 0.25 ? "fair" : "poor";
}

export function healthText(one) {
  if (!isKnown(one)) return "hit points not shown";
  const more = [one.nonlethal && `${one.nonlethal} nonlethal`, one.temporary && `${one.temporary} temporary`];
  return [`${number(one.hp)} of ${one.max} hit points`, ...more.filter(Boolean)].join(", ");
}

/** Hit points as a bar and in figures, which open their history if `press` is given. */
export function healthBar(one, press) {
  if (!isKnown(one)) return null;
  const share = Math.max(0, Math.min(100, (100 * one.hp) / Math.max(1, one.max)));
  return h(
    "div",
    { class: "health" },
    h(
      "div",
      { class: "bar", role: "img", "aria-label": healthText(one) },
      h("span", { class: `fill ${healthClass(one)}`, "--share": `${share}%` }),
    ),
    press
      ? h("button", { type: "button", class: "points", "data-key": `${one.id}/hp`, "aria-label": `${healthText(one)}: history`, title: "History", onclick: press }, `${number(one.hp)}/${one.max}`)
      : h("span", { class: "points", "aria-hidden": "true" }, `${number(one.hp)}/${one.max}`),
  );
}
