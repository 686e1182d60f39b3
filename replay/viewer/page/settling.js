// Dispute an event, rule on it, undo, fork a line, and promote a line.

import { acting, isMaster, isPlaying, stateNow } from "./acting.js";
import { field, openDialog } from "./dialogs.js";
import { byId, h } from "./dom.js";
import { goLive } from "./live.js";
import { capital } from "./log.js";
import { loadFight, mainline } from "./mainline.js";
import { perform, tellInDialog } from "./perform.js";
import { Denied } from "./session.js";
import { app } from "./state.js";
import { teller } from "./told.js";

const SCOPES = [["event", "for this declaration"], ["onward", "from it on"], ["fight", "for the whole fight"]];
const VERDICTS_OF_RULING = [["amend", "Amend: apply the effects below"], ["overturn", "Overturn: void unless effects are given"], ["uphold", "Uphold: no change"]];

/** Buttons under the event that is shown; placed in the panel with its explanation. */
export function drawSettling() {
  const { line, seq } = app;
  const record = line.records[seq - 1];
  const host = byId("why");
  host.querySelector(".settling")?.remove();
  if (!record || !isPlaying()) return;
  const button = (key, label, act, title) => h("button", { type: "button", "data-key": key, title, onclick: act }, label);
  const main = line === mainline.line;
  const all = [
    main && button("contest", "Dispute this", openDispute, "Record that you disagree (d)"),
    isMaster() && button("rule", "Rule on this", openRuling, "Make a ruling (g)"),
    isMaster() && button("fork", "Fork here", openFork, "Start another line after this event (b)"),
    isMaster() && !main && button("promote", `Make ${line.name} the main line`, () => promoteLine(line.name)),
  ].filter(Boolean);
  host.querySelector(".said")?.after(h("div", { class: "settling actions", role: "group", "aria-label": "This event" }, all));
}

function shownRecord() {
  const record = app.line.records[app.seq - 1];
  if (!record) teller.note("Step to an event first.", "refused", "bad");
  return record;
}

export function openDispute() {
  const record = isPlaying() && shownRecord();
  if (!record) return;
  const claim = h("textarea", { id: "claim", rows: 3, required: true, "data-first": true, placeholder: "Skit stands behind the wall: that is cover." });
  const send = async (event) => {
    event.preventDefault();
    if (!claim.value.trim()) return claim.focus();
    const done = await perform("/disputes", { at: record.seq, text: claim.value.trim() }, `the dispute of #${record.seq}`);
    if (done) finishSettling("Dispute recorded.");
    else tellInDialog("settle-told");
  };
  openDialog("settle", "Dispute this", [shownQuote(record), h("form", { class: "settle-form", onsubmit: send }, field("What is wrong?", claim), h("p", { id: "settle-told", role: "alert" }), h("button", { type: "submit", class: "main" }, "Record dispute"))]);
}

function shownQuote(/** @type {LogRecord} */ record) {
  return h("blockquote", null, h("span", { class: "quiet" }, `#${record.seq} `), record.text);
}

export function openRuling() {
  const shown = isMaster() && shownRecord();
  if (!shown) return;
  // On a dispute, rule on the disputed event.
  const dispute = shown.type === "disputed" ? shown.fact.id : "";
  const record = (dispute && app.line.records[shown.fact.event - 1]) || shown;
  const words = h("textarea", { id: "ruling-text", rows: 2, required: true, "data-first": true, placeholder: "She had cover behind the pillar." });
  const effects = h("textarea", { id: "ruling-effects", rows: 3, placeholder: "one per line", spellcheck: "false" });
  const verdict = h("select", { id: "ruling-verdict" }, VERDICTS_OF_RULING.map(([value, text]) => h("option", { value }, text)));
  const scope = h("select", { id: "ruling-scope" }, SCOPES.map(([value, text]) => h("option", { value }, text)));
  const main = h("input", { type: "checkbox", id: "ruling-main", checked: true });
  const add = (text) => { effects.value = [effects.value.trim(), text].filter(Boolean).join("\n"); effects.focus(); };
  const examples = h("p", { class: "examples" }, effectExamples(record).map(([text, meaning]) => h("button", { type: "button", title: meaning, onclick: () => add(text) }, h("code", null, text))));
  const send = async (event) => {
    event.preventDefault();
    if (!words.value.trim()) return words.focus();
    const lines = effects.value.split("\n").map((one) => one.trim()).filter(Boolean);
    const body = { at: record.seq, text: words.value.trim(), effects: lines, scope: scope.value, verdict: verdict.value, promote: main.checked, dispute };
    const done = await perform("/rulings", body, `the ruling on #${record.seq}`);
    if (!done) return tellInDialog("settle-told");
    finishSettling(`Ruled: ${done.told || "recorded"}`);
    await reloadLines();
    if (main.checked) goLive();
  };
  openDialog("settle", dispute ? `Rule on ${dispute}` : "Rule on this", [dispute && shownQuote(shown), shownQuote(record), h("form", { class: "settle-form", onsubmit: send },
    field("In words", words), field("Verdict", verdict), field("Effects", effects), examples, field("Scope", scope),
    h("label", { class: "own-dice" }, main, " Continue on the resulting line"), h("p", { id: "settle-told", role: "alert" }), h("button", { type: "submit", class: "main" }, "Apply ruling"))]);
}

/** Examples of effects, with the combatant and rolls of the event. */
function effectExamples({ fact, chain }) {
  const about = [fact.target, fact.who, fact.attacker, fact.act?.target, fact.act?.actor, acting.who].find((id) => id && app.log.names.has(id)) ?? [...app.log.names.keys()][0] ?? "WHO";
  const records = [...chain.map((at) => app.line.records[at - 1]), { fact }];
  const key = records.map((one) => one?.fact.key).findLast(Boolean);
  const roll = records.find((one) => one?.type === "rolled" && one.fact.key === key);
  const tested = fact.attacker && fact.natural ? `${fact.attacker}.attack` : fact.check ? `${fact.who}.${fact.check}` : "";
  return [
    ["void", "The declaration never happened"],
    [`${about}.defense+4:cover`, "A modifier of a kind"],
    [`${about}.hp=9`, "Correct hit points"],
    [`${about}+prone`, "A condition gained; with - lost"],
    [`${about}.at=4,1`, "A square"],
    ...(tested && Object.keys(stateNow().g.modes ?? {}).flatMap((mode) => [[`${tested} with ${mode}`, `Roll with ${mode}`], [`${tested} without ${mode}`, `Roll without ${mode}`]]) || []),
    ...(key && (roll?.fact.faces?.length ?? 0) > 1 ? [[`${key} die 2=14`, "Result of one of the dice"]] : []),
    ...(key ? [[`${key}=14`, "Result of a die"], [`${key}=miss`, "Outcome of a roll: hit, miss, success, failure"]] : []),
  ];
}

async function promoteLine(name) {
  const done = await perform("/promotions", { branch: name }, `${name} as the main line`);
  if (!done) return;
  teller.note(`${capital(name)} is the main line now.`, "refused");
  await reloadLines();
  goLive();
}

export function openFork() {
  const record = isMaster() && shownRecord();
  if (!record) return;
  const name = h("input", { id: "fork-name", required: true, maxlength: 64, pattern: "[A-Za-z0-9][A-Za-z0-9._\\-]*", autocomplete: "off", "data-first": true, placeholder: "what-if-she-had-run" });
  const send = async (event) => {
    event.preventDefault();
    const done = await perform("/forks", { at: String(record.seq), name: name.value.trim() }, `a line after #${record.seq}`);
    if (!done) return tellInDialog("settle-told");
    finishSettling(`${name.value.trim()} starts after #${record.seq}. Under Branches you can follow it or make it the main line.`);
    await reloadLines();
  };
  openDialog("settle", "Fork here", [shownQuote(record), h("form", { class: "settle-form", onsubmit: send }, field("Name of the line", name), h("p", { id: "settle-told", role: "alert" }), h("button", { type: "submit", class: "main" }, "Fork"))]);
}

function finishSettling(words) {
  byId("settle").close();
  teller.note(words, "refused");
}

/** Fetch all lines again: the feed follows the main line and does not tell of other lines. */
async function reloadLines() {
  try {
    await loadFight();
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    teller.note(capital(error.message), "refused", "bad");
  }
}
