// The panel of the check: results, seals, a seal to compare, another log to check.

import { audited } from "./audit.js";
import { lineDigests } from "./chain.js";
import { byId, h, visible } from "./dom.js";
import { carriedLog, readRows } from "./rows.js";
import { comparedSeal, parseSeal, sealText } from "./sealed.js";

const MARKS = { good: "ok", open: "partly", bad: "BROKEN" };
export const VERDICTS = { good: "Verified", open: "Partly verified", bad: "Log is broken" };
const NOT_CHECKED = "Not checked here: whether the rules decide each declaration the same way again, and the digests of states. Use affray verify for those.";
const OF_THE_PAGE = "The program that wrote this page also made its sentences, map, hit points and this check. To be sure, open this file in a checker from another source (affray checker makes one).";
const MOST_BYTES = 300_000_000;

/** @type {{ host: any, own: any, report: any, name: string, tell: (kind: string, words: string) => void }} */
export const checking = { host: null, own: null, report: null, name: "", tell: () => {} };

/** Put the panel into `host`; `tell(kind, words)` gets the verdict on the page's own log. */
export function drawCheck(host, heading, tell = () => {}) {
  Object.assign(checking, { host, tell });
  const load = h("input", { type: "file", id: "check-file", accept: ".jsonl,.html,.htm", onchange: chooseFile });
  const seal = h("input", { type: "text", id: "check-seal", autocomplete: "off", spellcheck: "false", placeholder: "main:246:XXXX-XXXX-…" });
  host.replaceChildren(
    heading,
    h("p", { class: "verdict", role: "status", id: "check-verdict" }, "Not checked yet."),
    h("ul", { class: "checks", id: "check-list" }),
    h("div", { id: "check-seals" }),
    h("form", { onsubmit: compareSeal }, h("label", { for: "check-seal" }, "Compare with a seal that you noted"), h("span", { class: "row" }, seal, h("button", { type: "submit" }, "Compare")), h("p", { role: "status", id: "check-compared" })),
    h("div", { class: "load" }, h("label", { for: "check-file" }, "Check another log: choose or drop an export, a players' copy or a page."), load),
    h("p", { class: "quiet", id: "check-not" }, NOT_CHECKED),
  );
  host.addEventListener("dragover", (event) => event.preventDefault());
  host.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) checkFile(file);
  });
}

/** Check the page's own log, `file` as `readRows` read it. */
export async function checkOwn(file) {
  checking.own = file;
  checking.tell("", "Checking …");
  return check(file, "");
}

/** Check the chosen file; the same one can be chosen again after a change. */
function chooseFile({ target }) {
  const [file] = target.files;
  if (file) checkFile(file).finally(() => { target.value = ""; });
}

export async function checkFile(chosen) {
  const told = (words) => verdict("bad", `${clean(chosen.name)}: ${words}`);
  if (chosen.size > MOST_BYTES) return told("it is too large to be checked here");
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await chosen.arrayBuffer());
  } catch {
    return told("it cannot be read as text");
  }
  await check(readRows(carriedLog(text)), chosen.name);
}

async function check(file, name) {
  const progress = (count) => verdict("", `Checking ${file === checking.own ? "" : clean(name)} … ${count.toLocaleString("en")} events`);
  progress(0);
  byId("check-list").replaceChildren();
  byId("check-seals").replaceChildren();
  byId("check-compared").textContent = "";
  const report = await audited(file, progress);
  Object.assign(checking, { report, name });
  showReport(report, name);
  return report;
}

function kindOf(report) {
  return report.first ? "bad" : [...report.checks.values()].some((one) => one.open && one.name !== "salts") ? "open" : "good";
}

function showReport(report, name) {
  const kind = kindOf(report);
  const count = `${report.events.toLocaleString("en")} events${report.hidden ? `, ${report.hidden.toLocaleString("en")} of them hidden` : ""}`;
  const of = name ? `${clean(name)}: ` : "";
  verdict(kind, kind === "bad" ? `${of}BROKEN at ${clean(report.first)}` : `${of}No fault found in ${count} (${Math.ceil(report.took)} ms)`);
  byId("check-list").replaceChildren(...[...report.checks.values()].map(checkRow));
  byId("check-seals").replaceChildren(...sealRows(report));
  byId("check-not").textContent = visible([NOT_CHECKED, report.hidden && "Hidden events are only known to be in their places.", checking.own && !name && OF_THE_PAGE].filter(Boolean).join(" "));
  if (!name) checking.tell(kind, VERDICTS[kind]);
}

export function verdict(kind, words) {
  const place = byId("check-verdict");
  place.className = `verdict ${kind}`;
  place.textContent = visible(words);
}

function checkRow({ name, unit, asks, count, problems, problem, note, open }) {
  const kind = problems ? "bad" : open ? "open" : "good";
  const counted = `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
  const more = problems > 1 ? ` (and ${problems - 1} more)` : "";
  // An open check shows its note alone; that of the dice also shows what was checked of every roll.
  const held = kind === "good" || name === "dice" ? `${asks}${note && ` (${note})`}` : note;
  const told = problems ? h("em", null, `${clean(problem)}${more}`) : `${counted}: ${clean(held)}`;
  return h("li", { class: kind, "data-check": name }, h("strong", null, name, h("span", { class: "mark" }, MARKS[kind])), h("span", null, told));
}

/** The seal of one line with a choice of lines; none for a broken log, whose digests do not match its bytes. */
function sealRows(report) {
  const names = report.first ? [] : [...report.lines.keys()];
  if (!names.length) return [];
  const shown = report.lines.has(report.shows) ? report.shows : names[0];
  const code = h("code", { id: "check-code" });
  const show = (name) => { code.textContent = clean(sealText({ ...report.lines.get(name), branch: name })); };
  const select = h("select", { id: "check-line", "aria-label": "Line of play", onchange: (event) => show(event.target.value) }, names.map((name) => h("option", { value: name, selected: name === shown }, clean(name))));
  show(shown);
  return [h("p", null, h("strong", null, "Seal "), names.length > 1 && select, " ", code), h("p", { class: "quiet" }, "Note it: later it shows whether the log is unchanged. A remade log has no faults either, but another seal.")];
}

/** Tell how a line changed since the noted seal. */
function compareSeal(event) {
  event.preventDefault();
  const place = byId("check-compared");
  const said = (kind, words) => {
    place.className = kind;
    place.textContent = visible(words);
  };
  const { report } = checking;
  const seal = parseSeal(byId("check-seal").value);
  if (!report) return said("bad", "There is no log to compare it with yet.");
  if (!seal) return said("bad", "This is not a seal. Write one like main:246:XXXX-XXXX-… with eight groups of four.");
  if (seal.branch && !report.lines.has(seal.branch)) return said("bad", `OTHER: the seal is of ${clean(seal.branch)}, but this log has no such line.`);
  const name = seal.branch || byId("check-line")?.value || report.lines.keys().next().value;
  if (name === undefined) return said("bad", "OTHER: this log has no line of play.");
  const { outcome, told } = comparedSeal(seal, name, lineDigests(report.lines, name));
  if (report.first) return said("bad", `The log is broken, so its seal proves nothing: ${clean(report.first)}`);
  return said(outcome === "same" || outcome === "grown" ? "good" : "bad", `${outcome.toUpperCase()}: ${clean(told)}.`);
}

/** A text without control, direction or hiding characters, shortened to 400 characters. */
function clean(text) {
  const plainText = visible(text).replace(/[\n\t]/g, "?");
  return plainText.length > 400 ? `${plainText.slice(0, 400)}…` : plainText;
}
