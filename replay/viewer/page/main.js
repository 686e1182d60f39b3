// The page of a saved fight: it reads, shows and checks the log.

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
    // The page does not match its log: the check tells where the log is broken.
    showBroken(file);
    return;
  }
  app.line = /** @type {Line} */ (app.log.lines.get(app.log.show));
  setTheme(storedTheme());
  drawTabs();
  wireHeader();
  byId("save").addEventListener("click", () => saveLog(file.text));
  drawHeader();
  KEYS.splice(-1, 0, ["c", "browser checks"]);
  COMMANDS.c = () => byId("check").showModal();
  drawKeys();
  drawLine();
  app.seq = app.line.marks[0]?.seq ?? app.line.last;
  if (!readHash()) render();
  addEventListener("hashchange", readHash);
  addEventListener("keydown", onKey);
  document.documentElement.dataset.ready = "yes";
  // Show the fight first; the check follows once the browser has drawn it.
  setTimeout(() => checkOwn(file), 50);
}

/** The log exactly as exported, with its transport escaping undone. */
function logText() {
  return unescaped(byId("log").textContent.slice(1));
}

/** The dialog of the check and its button, which shows the verdict; a broken log opens the dialog. */
function drawCheckDialog() {
  const dialog = byId("check");
  const button = byId("checked");
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  drawCheck(dialog, h("header", null, h("h2", { id: "check-title" }, "Browser checks"), close), (kind, words) => {
    button.textContent = visible(words);
    button.className = `checked ${kind}`;
    button.title = kind === "open" ? "No fault found; some checks need the secret seed of the dice (c)" : "Browser checks (c)";
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
  // A valid log under another log's sentences is not the page's own either.
  if (!report.first) {
    verdict("bad", "BROKEN: the page does not match its log");
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
