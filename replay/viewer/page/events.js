// The list of events, by round, and the search through it.

import { byId, h, keepingFocus, visible } from "./dom.js";
import { placeOf } from "./log.js";
import { app } from "./state.js";

const MOST_FOUND = 200;

export function drawEvents(host, /** @type {Line} */ line) {
  const search = h("input", { type: "search", id: "search", placeholder: "Search events: a name, a rule, miss …", "aria-label": "Search events", autocomplete: "off" });
  const status = h("p", { class: "quiet", role: "status" });
  const list = h("div", { class: "list" });
  search.addEventListener("input", () => showFound(list, status, line, search.value));
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("[data-seq]")?.click();
  });
  host.replaceChildren(h("div", { class: "searching" }, search, status), list);
  showRounds(list, line);
}

/** List the new events of a line too; search results and open rounds stay visible. */
export function growEvents(host, /** @type {Line} */ line) {
  const list = host.querySelector(".list");
  if (byId("search").value.trim()) return;
  const open = [...list.querySelectorAll(".round[open]")].map((box) => box.dataset.from);
  const top = list.scrollTop;
  keepingFocus(host, () => showRounds(list, line));
  for (const box of list.querySelectorAll(".round")) {
    if (!open.includes(box.dataset.from)) continue;
    box.fill();
    box.open = true;
  }
  list.scrollTop = top;
}

/** The events of each round under its heading, made when it is opened. */
function showRounds(list, /** @type {Line} */ line) {
  const rounds = [{ round: -1, title: "Before the fight", from: 1 }];
  for (const mark of line.marks) {
    if (!mark.turn) rounds.push({ round: mark.round, title: mark.round ? `Round ${mark.round}` : "Surprise round", from: mark.seq });
  }
  const made = rounds.map((one, at) => ({ ...one, to: (rounds[at + 1]?.from ?? line.last + 1) - 1 }));
  list.replaceChildren(...made.filter((one) => one.to >= one.from).map((one) => roundOf(line, one)));
}

function roundOf(line, { title, from, to }) {
  const body = h("ol");
  const fill = () => body.childElementCount || body.append(...line.records.slice(from - 1, to).map((one) => eventRow(line, one)));
  const box = h("details", { class: "round", "data-from": from, "data-to": to }, h("summary", null, title, h("span", { class: "quiet" }, ` ${to - from + 1} events`)), body);
  box.fill = fill;
  box.addEventListener("toggle", () => box.open && fill());
  return box;
}

function eventRow(/** @type {Line} */ line, /** @type {LogRecord} */ record) {
  const kind = record.type === "turn.began" ? "turn" : record.cause === record.seq ? "declaration" : "";
  const mark = kind === "turn" ? placeOf(line, record.seq) : `#${record.seq}`;
  return h(
    "li",
    { class: kind },
    h("button", { type: "button", class: "event", "data-seq": record.seq, onclick: () => app.go(record.seq) }, h("span", { class: "seq" }, mark), h("span", null, record.text, record.from && h("span", { class: "chip from" }, `from ${record.from.join(", ")}`))),
  );
}

function showFound(list, status, /** @type {Line} */ line, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) {
    status.textContent = "";
    showRounds(list, line);
    markEvent(byId("events"), app.seq);
    return;
  }
  const found = line.records.filter((one) => {
    const all = `${one.text} ${one.type} ${(one.fact.cites ?? []).join(" ")} ${placeOf(line, one.seq)}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const more = found.length > MOST_FOUND ? `, the first ${MOST_FOUND} shown` : "";
  status.textContent = visible(`${found.length} ${found.length === 1 ? "event" : "events"} found${more}`);
  list.replaceChildren(h("ol", null, found.slice(0, MOST_FOUND).map((one) => eventRow(line, one))));
}

/** Mark the current event and open its round. */
export function markEvent(host, /** @type {number} */ seq) {
  for (const old of host.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  if (host.hidden) return;
  for (const box of host.querySelectorAll(".round")) {
    if (seq >= Number(box.dataset.from) && seq <= Number(box.dataset.to)) {
      box.fill();
      box.open = true;
    }
  }
  const row = host.querySelector(`[data-seq="${seq}"]`);
  if (!row) return;
  row.setAttribute("aria-current", "true");
  const list = host.querySelector(".list");
  const [box, view] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  if (list.scrollHeight > list.clientHeight) list.scrollTop += box.top - view.top - view.height / 2;
}
