// The page of a saved fight: its log read, shown and checked.

import { COMMANDS, drawHeader, drawKeys, drawLine, drawTabs, KEYS, onKey, readHash, render, setTheme, storedTheme, wireHeader } from "./app.js";
import { checking, checkOwn, drawCheck, verdict, VERDICTS } from "./checking.js";
import { byId, h, visible } from "./dom.js";
import { readLog } from "./log.js";
import { readRows, unescaped } from "./rows.js";
import { app } from "./state.js";

function main() {
  const file = readRows(logText());
  drawCheckDialog();
  try {
    app.log = readLog(file);
  } catch {
    // What the page shows does not fit its log: the check says where that is broken.
    showBroken(file);
    return;
  }
  app.line = /** @type {Line} */ (app.log.lines.get(app.log.show));
  setTheme(storedTheme());
  drawTabs();
  wireHeader();
  byId("save").addEventListener("click", () => saveLog(file.text));
  drawHeader();
  KEYS.splice(-1, 0, ["c", "what was checked"]);
  COMMANDS.c = () => byId("check").showModal();
  drawKeys();
  drawLine();
  app.seq = app.line.marks[0]?.seq ?? app.line.last;
  if (!readHash()) render();
  addEventListener("hashchange", readHash);
  addEventListener("keydown", onKey);
  document.documentElement.dataset.ready = "yes";
  // What is shown comes first; the check follows as soon as the browser has drawn it.
  setTimeout(() => checkOwn(file), 50);
}

/** The log exactly as exported, with its transport escaping undone. */
function logText() {
  return unescaped(byId("log").textContent.slice(1));
}

/** The dialog of the check behind its button, which says how the log stands; a broken one opens it. */
function drawCheckDialog() {
  const dialog = byId("check");
  const button = byId("checked");
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  drawCheck(dialog, h("header", null, h("h2", { id: "check-title" }, "What your browser checked"), close), (kind, words) => {
    button.textContent = visible(words);
    button.className = `checked ${kind}`;
    button.title = kind === "open" ? "No fault was found; what still needs the secret seed of the dice is left open (c)" : "What your browser checked (c)";
    document.documentElement.dataset.checked = kind;
    if (kind === "bad" && !dialog.open) dialog.showModal();
  });
  button.addEventListener("click", () => dialog.showModal());
}

async function showBroken(file) {
  setTheme(storedTheme());
  byId("name").textContent = "This log cannot be shown";
  byId("save").addEventListener("click", () => saveLog(file.text));
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main, footer, .pick, #help"))) part.hidden = true;
  const report = await checkOwn(file);
  // A log that is good by itself under sentences of another one is not the page's own either.
  if (!report.first) {
    verdict("bad", "BROKEN: what the page tells does not fit the log that it carries");
    checking.tell("bad", VERDICTS.bad);
  }
  document.documentElement.dataset.ready = "yes";
}

function saveLog(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  h("a", { href: url, download: "fight.jsonl" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

main();
