// The time controls: buttons, the scrubber with its rounds, playback.

import { byId, h, s, visible } from "./dom.js";
import { placeOf } from "./log.js";
import { app } from "./state.js";
import { swingStrip } from "./swing.js";

const ICONS = {
  round: "M5 5v14M19 6v12l-9 -6z", turn: "M11 6v12l-8 -6zM20 6v12l-8 -6z", event: "M16 6v12l-9 -6z",
  play: "M8 5v14l11 -7z", pause: "M8 5v14M16 5v14",
};
export const SPEEDS = [["slow", 1600], ["normal", 800], ["fast", 300]];

/** An icon of the controls; those for "forward" are those for "back", mirrored. */
export function icon(name, mirrored = false) {
  return s("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" }, s("path", { d: ICONS[name], transform: mirrored ? "matrix(-1 0 0 1 24 0)" : null }));
}

export function drawTransport(host, /** @type {Line} */ line) {
  const button = (id, label, sign, act, keys) =>
    h("button", { type: "button", id, "aria-label": label, title: `${label} (${keys})`, onclick: act }, sign);
  host.replaceChildren(
    h(
      "div",
      { class: "buttons", role: "group", "aria-label": "Step" },
      button("round-back", "Round back", icon("round"), () => app.step("round", -1), "↑"),
      button("turn-back", "Turn back", icon("turn"), () => app.step("turn", -1), "Shift ←"),
      button("event-back", "Event back", icon("event"), () => app.step("event", -1), "←"),
      button("play", "Play", icon("play"), () => app.play(), "Space"),
      button("event-on", "Event on", icon("event", true), () => app.step("event", 1), "→"),
      button("turn-on", "Turn on", icon("turn", true), () => app.step("turn", 1), "Shift →"),
      button("round-on", "Round on", icon("round", true), () => app.step("round", 1), "↓"),
    ),
    h(
      "div",
      { class: "scrub" },
      rounds(line),
      h("input", { type: "range", id: "scrubber", min: 0, max: line.last, value: 0, "aria-label": "Event", oninput: (event) => app.go(Number(event.target.value)) }),
      swingStrip(line),
    ),
    h(
      "div",
      { class: "settings" },
      h("label", null, h("span", { class: "hidden" }, "Speed"), h("select", { id: "speed" }, SPEEDS.map(([name]) => h("option", { value: name, selected: name === "normal" }, name)))),
      h("output", { id: "position", for: "scrubber" }),
    ),
  );
}

/** Extend the controls to the end of a grown line. */
export function growTransport(host, /** @type {Line} */ line) {
  byId("scrubber").max = line.last;
  host.querySelector(".rounds").replaceWith(rounds(line));
}

/** The rounds above the scrubber, as wide as they are long. */
function rounds(/** @type {Line} */ line) {
  const marks = line.marks.filter((mark) => !mark.turn);
  const all = [{ seq: 0, round: null }, ...marks];
  const each = Math.ceil(marks.length / 24);
  const cells = all.map((mark, at) => {
    const to = all[at + 1]?.seq ?? line.last;
    const label = mark.round === null ? "" : at % each === 0 ? String(mark.round) : "";
    const title = mark.round === null ? "Before the fight" : `Round ${mark.round}`;
    return h("button", { type: "button", tabindex: -1, title, "--share": Math.max(0.01, to - mark.seq), "data-from": mark.seq, "data-to": to, onclick: () => app.go(mark.seq) }, label);
  });
  return h("div", { class: marks.length > 16 ? "rounds dense" : "rounds", "aria-hidden": "true" }, cells);
}

export function showPosition(/** @type {Line} */ line, /** @type {number} */ seq) {
  const scrubber = byId("scrubber");
  scrubber.value = seq;
  scrubber.style.setProperty("--share", `${(100 * seq) / Math.max(1, line.last)}%`);
  scrubber.setAttribute("aria-valuetext", `event ${seq} of ${line.last}, ${placeOf(line, seq)}`);
  byId("position").textContent = visible(`${seq} / ${line.last}`);
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rounds button"))) {
    one.classList.toggle("here", seq >= Number(one.dataset.from) && (seq < Number(one.dataset.to) || seq === line.last && Number(one.dataset.to) === line.last));
  }
}

/** The event to step to: one event, turn or round from `seq`; the first or last where there is none. */
export function stepFrom(/** @type {Line} */ line, /** @type {number} */ seq, what, by) {
  if (what === "event") return Math.max(0, Math.min(line.last, seq + by));
  const marks = line.marks.filter((mark) => (mark.turn > 0) === (what === "turn"));
  const found = by > 0 ? marks.find((mark) => mark.seq > seq) : marks.findLast((mark) => mark.seq < seq);
  return found ? found.seq : by > 0 ? line.last : 0;
}
