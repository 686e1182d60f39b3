// A new combatant, entered by the game master: a built-in sheet or a printed block, a side, a square.

import { showPart, stateNow } from "./acting.js";
import { field } from "./dialogs.js";
import { byId, h, s, visible } from "./dom.js";
import { goLive } from "./live.js";
import { capital } from "./log.js";
import { CELL } from "./map.js";
import { perform, tellInDialog } from "./perform.js";
import { ask, Denied, Lost } from "./session.js";

/** @type {{ picking: boolean, at: Square | null, sheets: any, found: any, of: string }} */
const entering = { picking: false, at: null, sheets: null, found: null, of: "" };

/** The form, made once: below the game master's other buttons. */
export function enteringForm() {
  const input = (id, more = {}) => h("input", { id: `enter-${id}`, autocomplete: "off", ...more });
  const use = h("select", { id: "enter-use", onchange: showBlock }, h("option", { value: "" }, "A printed stat block"));
  const block = h("textarea", { id: "enter-block", rows: 6, spellcheck: "false", placeholder: "Paste a stat block", oninput: forgetFound });
  const square = input("at", { placeholder: "8,3", inputmode: "text", oninput: () => pickedSquare(typedSquare()) });
  const pick = h("button", { type: "button", id: "enter-pick", "aria-pressed": "false", onclick: () => pickSquare(!entering.picking) }, "Pick on map");
  const form = h("form", { class: "settle-form", onsubmit: (event) => { event.preventDefault(); bringIn(); } },
    field("Sheet", use), h("div", { id: "enter-printed" }, field("Stat block", block)),
    field("Id, used in declarations", input("id", { maxlength: 60, placeholder: "wolf" })),
    field("Side", input("side", { maxlength: 60, list: "enter-sides" })), h("datalist", { id: "enter-sides" }),
    h("div", { class: "square-field" }, field("Square (upper left one of a big combatant)", square), pick),
    field("Initiative (empty: roll)", input("initiative", { inputmode: "numeric" })),
    h("label", { class: "own-dice" }, input("hidden", { type: "checkbox" }), " Hidden from players"),
    h("div", { id: "enter-notes" }), h("p", { id: "enter-told", role: "alert" }),
    h("button", { type: "submit", class: "main" }, "Add to fight"));
  return h("details", { id: "entering", class: "rule", ontoggle: openEntering }, h("summary", null, "New combatant"), form);
}

/** Fetch the list of built-in sheets when the form is first opened. */
async function openEntering() {
  if (!byId("entering").open) return pickSquare(false);
  byId("enter-sides").replaceChildren(...[...new Set([...stateNow().c.values()].map((one) => one.side))].map((side) => h("option", { value: side })));
  if (entering.sheets) return;
  try {
    entering.sheets = (await ask("/sheets")).sheets;
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
    return tellEntering(error.message);
  }
  const options = Object.entries(entering.sheets).sort().map(([name, called]) => h("option", { value: name }, called === name ? name : `${name}: ${called}`));
  byId("enter-use").prepend(...options);
  byId("enter-use").selectedIndex = 0;
  showBlock();
}

function showBlock() {
  byId("enter-printed").hidden = Boolean(byId("enter-use").value);
  forgetFound();
}

function forgetFound() {
  Object.assign(entering, { found: null, of: "" });
  byId("enter-notes").replaceChildren();
  tellEntering("");
}

function tellEntering(words) {
  byId("enter-told").textContent = visible(capital(words));
}

function typedSquare() {
  const found = /^\s*(\d{1,3})\s*,\s*(\d{1,3})\s*$/.exec(byId("enter-at").value);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

/** Let the next click on the map choose the square. */
function pickSquare(on) {
  entering.picking = on;
  byId("enter-pick").setAttribute("aria-pressed", String(on));
  byId("map").classList.toggle("picking", on);
  if (on) showPart("stage");
  else drawEntering();
}

function pickedSquare(at) {
  entering.at = at;
  drawEntering();
}

/** Handle a click on the map while a square is being picked; true if it was used. */
export function tookSquare(at) {
  if (!entering.picking || !at) return false;
  byId("enter-at").value = at.join();
  pickSquare(false);
  pickedSquare(at);
  showPart("entering");
  return true;
}

export function drawEntering() {
  const layer = byId("map").querySelector(".layer-entering");
  if (!layer) return;
  const at = byId("entering")?.open ? entering.at : null;
  layer.replaceChildren(...(at ? [s("rect", { class: "goal entering", x: at[0] * CELL + 2, y: at[1] * CELL + 2, width: CELL - 4, height: CELL - 4, rx: 5 })] : []));
}

/** Fetch the sheet of the form from the server; null, with a message, if there is none. */
async function sheetWanted() {
  const use = byId("enter-use").value, block = byId("enter-block").value;
  const of = use ? `use ${use}` : block;
  if (entering.of === of && entering.found) return entering.found;
  if (!of.trim()) return tellEntering("paste a stat block, or choose a sheet"), null;
  try {
    entering.found = await ask("/sheets", { body: use ? { use } : { block } });
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
    return tellEntering(error.message), null;
  }
  entering.of = of;
  drawUnheld(entering.found.notes);
  return entering.found;
}

/** List what the sheet lacks of the block; the user must accept gaps that matter. */
function drawUnheld(notes) {
  const grades = { unread: "not read, but relevant", unplayed: "read, but without a rule", harmless: "left out" };
  const list = Object.entries(grades).flatMap(([grade, words]) => notes.filter((one) => one.grade === grade).map((one) => h("li", null, h("strong", null, `Line ${one.line}, ${words}: `), one.reason, one.text && [" ", h("q", null, one.text)])));
  const accept = notes.some((one) => one.grade === "unread") && h("label", { class: "own-dice" }, h("input", { type: "checkbox", id: "enter-accept" }), " Accept anyway");
  byId("enter-notes").replaceChildren(...[list.length > 0 && h("ul", { class: "unheld" }, list), accept].filter(Boolean));
}

async function bringIn() {
  const value = (id) => byId(`enter-${id}`).value.trim();
  const [id, side, at, initiative] = [value("id"), value("side"), typedSquare(), value("initiative")];
  tellEntering("");
  if (!id || !side || !at) return tellEntering(`still missing: ${[!id && "an id", !side && "a side", !at && "a square"].filter(Boolean).join(", ")}`);
  if (initiative && !/^-?\d{1,3}$/.test(initiative)) return tellEntering("initiative must be a number");
  const seen = entering.found;
  const found = await sheetWanted();
  if (!found) return;
  if (found.notes.some((one) => one.grade === "unread") && !byId("enter-accept")?.checked) return tellEntering("relevant lines were not read: see above");
  if (found.notes.length && found !== seen) return tellEntering("the sheet lacks the lines above: press again to add it anyway");
  if (byId("enter-hidden").checked) {
    // Hide it first, so that players do not see it enter.
    try {
      await ask("/hidden", { body: { combatant: id, hidden: true } });
    } catch (error) {
      if (!(error instanceof Denied || error instanceof Lost)) throw error;
      return tellEntering(error.message);
    }
  }
  const act = { act: "enter", id, side, at, sheet: found.sheet, ...(initiative ? { initiative: Number(initiative) } : {}) };
  const answer = await perform("/declarations", { act }, `${id} enters`);
  if (!answer || answer.refused) return tellInDialog("enter-told");
  byId("enter-id").value = byId("enter-at").value = "";
  forgetFound();
  pickedSquare(null);
  goLive();
}
