// Win chances on the live page: calculated when the game master asks for them, then drawn.

import { isMaster } from "./acting.js";
import { drawCharts, moveCursor } from "./charts.js";
import { byId, h, visible } from "./dom.js";
import { capital } from "./log.js";
import { mainline } from "./mainline.js";
import { ask, Denied, Lost } from "./session.js";
import { app } from "./state.js";
import { drawTransport, showPosition } from "./transport.js";

const SWING_RUNS = 100;
const SWING_LOOKED = 1000; // milliseconds

const liveswing = { told: null, timer: 0, since: "" };

/** The line above the charts that starts the calculation and shows its progress. */
function swingBar() {
  const host = byId("charts");
  if (!host || byId("swing-bar")) return;
  host.before(h("div", { id: "swing-bar", class: "settle-form", hidden: true }, h("p", { id: "swing-told", role: "status", class: "quiet" })));
  if (!isMaster()) return;
  byId("swing-told").before(h("button", { type: "button", id: "swing-go", onclick: () => wantSwing({ runs: SWING_RUNS, for_all: byId("swing-all").checked }) }, "Calculate win chances"));
  byId("swing-told").after(h("label", { class: "own-dice" }, h("input", { type: "checkbox", id: "swing-all", onchange: (event) => wantSwing({ for_all: event.target.checked }) }), " Show to all while no combatant is hidden"));
}

export function showSwingBar() {
  swingBar();
  byId("swing-bar").hidden = app.tab !== "charts";
  if (app.tab === "charts") lookAtSwing();
}

async function wantSwing(body) {
  try {
    takeSwing(await ask("/swing", { body }));
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
    byId("swing-told").textContent = visible(capital(error.message));
  }
}

async function lookAtSwing() {
  clearTimeout(liveswing.timer);
  try {
    takeSwing(await ask("/swing"));
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
    if (!isMaster()) byId("swing-bar").hidden = true;
  }
}

function takeSwing(told) {
  const { working, done, of, fault, swing, for_all: all } = told;
  if (isMaster()) {
    byId("swing-go").disabled = working;
    byId("swing-all").checked = all;
  }
  const behind = swing && mainline.line ? mainline.line.records.slice(swing.turns.at(-1).seq).filter((one) => one.type === "declared").length : 0;
  byId("swing-told").textContent = visible(working ? `Simulated fights: ${of ? `${done} of ${of}` : "starting"} …` : fault ? capital(fault) : behind ? `Not included: ${behind} later declaration${behind > 1 ? "s" : ""}.` : "");
  const since = swing ? JSON.stringify([swing.branch, swing.turns.length, swing.start]) : "";
  if (since !== liveswing.since) {
    liveswing.since = since;
    app.log.swing = swing;
    drawTransport(byId("transport"), app.line);
    drawCharts(byId("charts"), app.line);
    moveCursor(byId("charts"), app.seq);
    showPosition(app.line, app.seq);
  }
  clearTimeout(liveswing.timer);
  if (working && app.tab === "charts") liveswing.timer = setTimeout(lookAtSwing, SWING_LOOKED);
}
