// Questions: a dialog for those who may answer, a line for those who wait; physical dice are typed.

import { stateNow } from "./acting.js";
import { choices, field, openDialog } from "./dialogs.js";
import { byId, h, nameOf, visible } from "./dom.js";
import { goLive } from "./live.js";
import { capital } from "./log.js";
import { parseDice, rethrowDice } from "./notation.js";
import { perform, tellInDialog } from "./perform.js";
import { ask, Denied, Lost, session } from "./session.js";
import { app } from "./state.js";
import { teller } from "./told.js";

/** @type {{ question: any, later: string, players: Set<string> }} */
export const asked = { question: null, later: "", players: new Set() };

/** The state tells what the fight waits for; the server tells whether this user may answer. */
export async function askWhatWaits() {
  const { g } = stateNow();
  if (!g.ask) return showQuestion(null);
  try {
    const { question, position } = await ask("/state?at=end");
    if (position === session.position || stateNow().g.ask) showQuestion(question);
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
    teller.note(`Waiting: ${g.ask}`, "waiting");
    if (error instanceof Lost) setTimeout(askWhatWaits, 2000);
  }
}

export function showQuestion(question) {
  const before = asked.question;
  asked.question = question;
  if (!question) {
    teller.note("", "waiting");
    asked.later = "";
    if (byId("question").open) byId("question").close();
    return;
  }
  drawWaiting(question);
  // The game master may answer for a player, but is not asked first.
  if (!question.yours || asked.players.has(question.who)) return;
  if (before?.key === question.key && (byId("question").open || asked.later === question.key)) return;
  openQuestion(question);
}

/** The line that names the combatant waited for; whoever may answer can reopen the question from it. */
function drawWaiting(question) {
  const name = question.name || nameOf(question.who) || "somebody";
  const mine = question.yours;
  teller.note(mine ? `${name}: ${questionText(question)}` : `Waiting for ${name}`, "waiting");
  const line = byId("notes").querySelector('[data-note="waiting"]');
  if (mine) line.append(" ", h("button", { type: "button", id: "answer", onclick: () => openQuestion(question) }, "Answer"));
}

function questionText({ question, notation }) {
  return app.log.prose(question || (notation ? `roll ${notation}` : ""));
}

export function openQuestion(question) {
  asked.later = "";
  const name = nameOf(question.who);
  const body = question.notation ? rollForm(question) : question.options?.length
    ? choices(question.options.map((one) => [one, app.log.prose(one)]), (answer) => giveAnswer(question, answer))
    : wordsForm(question);
  openDialog("question", name, [h("p", { class: "asked" }, questionText(question)), body, h("p", { id: "question-told", role: "alert" })], () => {
    // Left without an answer: the line next to the map reopens it.
    if (asked.question?.key === question.key) asked.later = question.key;
  });
}

function rollForm(question) {
  const input = h("input", { id: "faces", inputmode: "decimal", autocomplete: "off", "data-first": true, "aria-describedby": "question-told", placeholder: diceHint(question.notation) });
  const form = h("form", { class: "faces-form", onsubmit: (event) => {
    event.preventDefault();
    const faces = input.value.split(/\D+/).filter(Boolean).map(Number);
    try {
      rethrowDice(parseDice(question.notation), faces);
    } catch (error) {
      byId("question-told").textContent = visible(capital(error.message));
      return;
    }
    giveAnswer(question, faces.join(","));
  } }, field(`Results of your ${question.notation}`, input), h("button", { type: "submit", class: "main" }, "Submit"));
  const here = question.rollable
    ? h("button", { type: "button", id: "roll-here", onclick: () => giveAnswer(question, "roll") }, "Let the server roll")
    : h("p", { class: "quiet" }, "These dice depend on players' links: the server cannot roll them alone.");
  return h("div", { class: "rolling" }, form, here);
}

function diceHint(notation) {
  try {
    const count = parseDice(notation).reduce((all, term) => all + (term.count ?? 0), 0);
    return count > 1 ? `${count} results, e.g. 4 6` : "the result, e.g. 14";
  } catch {
    return "the results, e.g. 4 6";
  }
}

function wordsForm(question) {
  const input = h("input", { id: "faces", autocomplete: "off", "data-first": true });
  const send = (event) => { event.preventDefault(); giveAnswer(question, input.value.trim()); };
  return h("form", { class: "faces-form", onsubmit: send }, field("Answer", input), h("button", { type: "submit", class: "main" }, "Answer"));
}

async function giveAnswer(question, answer) {
  asked.question = { ...question, answered: true };
  // Further dice of the same declaration are rolled in the same way.
  const given = await perform("/choices", question.notation && answer !== "roll" ? { answer, manual: true } : { answer }, `the answer ${answer}`);
  if (given && !given.refused) {
    if (!given.question) showQuestion(null);
    goLive();
    return;
  }
  asked.question = question;
  tellInDialog("question-told");
}
