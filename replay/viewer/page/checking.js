// The panel of the check: what was found, the seals, a seal to compare with, another log to check.

import { audited } from "./audit.js";
import { lineDigests } from "./chain.js";
import { byId, h, visible } from "./dom.js";
import { carriedLog, readRows } from "./rows.js";
import { comparedSeal, parseSeal, sealText } from "./sealed.js";

const MARKS = { good: "ok", open: "in part", bad: "BROKEN" };
export const VERDICTS = { good: "Checked", open: "Checked in part", bad: "Log is broken" };
const NOT_CHECKED = "Not checked here: whether the rules decide every declaration so again, and the digests of states; affray verify does that.";
const OF_THE_PAGE = "Sentences, map and hit points of this page were worked out by the program that wrote it, and so was this check. To be sure, let a checker that you have from elsewhere look at this very file (affray checker makes one).";
const MOST_BYTES = 300_000_000;

/** @type {{ host: any, own: any, report: any, name: string, tell: (kind: string, words: string) => void }} */
export const checking = { host: null, own: null, report: null, name: "", tell: () => {} };

/** Put the panel into `host`; `tell(kind, words)` is told how the page's own log stands. */
export function drawCheck(host, heading, tell = () => {}) {
  Object.assign(checking, { host, tell });
  const load = h("input", { type: "file", id: "check-file", accept: ".jsonl,.html,.htm", onchange: chooseFile });
  const seal = h("input", { type: "text", id: "check-seal", autocomplete: "off", spellcheck: "false", placeholder: "main:246:XXXX-XXXX-…" });
  host.replaceChildren(
    heading,
    h("p", { class: "verdict", role: "status", id: "check-verdict" }, "Nothing is checked yet."),
    h("ul", { class: "checks", id: "check-list" }),
    h("div", { id: "check-seals" }),
    h("form", { onsubmit: compareSeal }, h("label", { for: "check-seal" }, "A seal that you noted earlier"), h("span", { class: "row" }, seal, h("button", { type: "submit" }, "Compare")), h("p", { role: "status", id: "check-compared" })),
    h("div", { class: "load" }, h("label", { for: "check-file" }, "Check another log: an export, a players' copy, a page. Choose a file or drop it here."), load),
    h("p", { class: "quiet", id: "check-not" }, NOT_CHECKED),
  );
  host.addEventListener("dragover", (event) => event.preventDefault());
  host.addEventListener("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) checkFile(file);
  });
}

/** Check the log that the page itself carries, `file` as `readRows` read it. */
export async function checkOwn(file) {
  checking.own = file;
  checking.tell("", "Checking …");
  return check(file, "");
}

/** Check the chosen file; the same one can be chosen again when it has changed. */
function chooseFile({ target }) {
  const [file] = target.files;
  if (file) checkFile(file).finally(() => { target.value = ""; });
}

export async function checkFile(chosen) {
  const told = (words) => verdict("bad", `${clean(chosen.name)}: ${words}`);
  if (chosen.size > MOST_BYTES) return told("it is too large to be checked in here");
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
  byId("check-not").textContent = visible([NOT_CHECKED, report.hidden && "Nothing can be said of hidden events but that they are in their places.", checking.own && !name && OF_THE_PAGE].filter(Boolean).join(" "));
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
  // The note of what is open says how far it goes; of dice it holds all the same what each roll says for itself.
  const held = kind === "good" || name === "dice" ? `${asks}${note && ` (${note})`}` : note;
  const told = problems ? h("em", null, `${clean(problem)}${more}`) : `${counted}: ${clean(held)}`;
  return h("li", { class: kind, "data-check": name }, h("strong", null, name, h("span", { class: "mark" }, MARKS[kind])), h("span", null, told));
}

/** The seal of one line, and which line that is; none of a broken log, whose digests say nothing of its bytes. */
function sealRows(report) {
  const names = report.first ? [] : [...report.lines.keys()];
  if (!names.length) return [];
  const shown = report.lines.has(report.shows) ? report.shows : names[0];
  const code = h("code", { id: "check-code" });
  const show = (name) => { code.textContent = clean(sealText({ ...report.lines.get(name), branch: name })); };
  const select = h("select", { id: "check-line", "aria-label": "Line of play", onchange: (event) => show(event.target.value) }, names.map((name) => h("option", { value: name, selected: name === shown }, clean(name))));
  show(shown);
  return [h("p", null, h("strong", null, "Seal "), names.length > 1 && select, " ", code), h("p", { class: "quiet" }, "Note it: it tells later whether the log is still this one. A log that was made anew is free of faults too, but has another seal.")];
}

/** Tell what became of a line since the seal that was noted. */
function compareSeal(event) {
  event.preventDefault();
  const place = byId("check-compared");
  const said = (kind, words) => {
    place.className = kind;
    place.textContent = visible(words);
  };
  const { report } = checking;
  const seal = parseSeal(byId("check-seal").value);
  if (!report) return said("bad", "There is no log yet to compare it with.");
  if (!seal) return said("bad", "This is no seal: one looks like main:246:XXXX-XXXX-…, eight groups of four.");
  if (seal.branch && !report.lines.has(seal.branch)) return said("bad", `OTHER: the seal is of ${clean(seal.branch)}, which this log does not have.`);
  const name = seal.branch || byId("check-line")?.value || report.lines.keys().next().value;
  if (name === undefined) return said("bad", "OTHER: there is no line of play in this log.");
  const { outcome, told } = comparedSeal(seal, name, lineDigests(report.lines, name));
  if (report.first) return said("bad", `The log is broken, so its seal says nothing: ${clean(report.first)}`);
  return said(outcome === "same" || outcome === "grown" ? "good" : "bad", `${outcome.toUpperCase()}: ${clean(told)}.`);
}

/** A text without what would steer, turn around or hide it; not endless. */
function clean(text) {
  const plainText = visible(text).replace(/[\n\t]/g, "?");
  return plainText.length > 400 ? `${plainText.slice(0, 400)}…` : plainText;
}
