// Orders to the server: each is sent once, and its result is shown.

import { askWhatWaits, showQuestion } from "./asked.js";
import { choose } from "./dialogs.js";
import { byId, h, visible } from "./dom.js";
import { leaveTable } from "./live.js";
import { capital } from "./log.js";
import { mainline, readPosition } from "./mainline.js";
import { answeredIfShown, carry, Denied, order, session, unsentOrder } from "./session.js";
import { app } from "./state.js";
import { SILENT, teller } from "./told.js";

let performed = ""; // the position after the last order
const CAUGHT_UP = 3000; // milliseconds for the feed to bring events that came between

/**
 * Send an order; `label` names it if the user must confirm it again.
 *
 * Returns the answer, null if it failed, after showing a message.
 */
export async function perform(path, what, label) {
  await answeredIfShown();
  // The answer gives the position of the last order: the feed may lag behind it.
  await caughtUp(performed);
  const since = { position: session.position, line: mainline.line, seq: mainline.line.last };
  try {
    return answered(await order(path, what));
  } catch (error) {
    return failed(error, { path, what, label }, since);
  }
}

/** Resend the order that was under way when the page was closed. */
export async function performUnsent() {
  const unsent = unsentOrder();
  if (!unsent) return;
  const since = { position: unsent.body.expected, line: mainline.line, seq: Number(String(unsent.body.expected).split(":")[2] ?? 0) };
  const { expected, request, ...what } = unsent.body;
  try {
    answered(await carry(unsent));
  } catch (error) {
    failed(error, { path: unsent.path, what, label: "the previous order" }, since);
  }
}

function answered(answer) {
  if (!answer) {
    teller.note("Wait for the answer to your last order.", "refused", "bad");
    return null;
  }
  performed = answer.position;
  const { refused } = answer;
  if (answer.held) teller.note("", "refused");
  else if (refused) teller.note(`Not allowed: ${app.log.prose(refused.reason)}${ruleWords(refused.rule)}`, "refused", "bad");
  else teller.note(answer.told ? `${capital(answer.told)}.` : "", "refused");
  if (answer.question) showQuestion(answer.question);
  return answer;
}

/** Show the refusal in the dialog that hides the note about it. */
export function tellInDialog(id) {
  const words = byId("notes").querySelector('[data-note="refused"]')?.textContent ?? "";
  if (byId(id)) byId(id).textContent = visible(words);
}

export function ruleWords(id) {
  if (!id) return "";
  const found = app.log.rules.get(id);
  return found ? ` (${found[0]}, ${id})` : ` (${id})`;
}

async function failed(error, order, since) {
  if (!(error instanceof Denied)) throw error;
  if (error.status === 401) {
    leaveTable(error.message);
    return null;
  }
  if (error.status !== 409 || error.code !== "stale_position") {
    teller.note(`${capital(error.message)}${ruleWords(error.rule)}`, "refused", "bad");
    if (error.code === "waiting") await askWhatWaits();
    return null;
  }
  await caughtUp(error.position);
  return (await meanwhile(order, since)) ? perform(order.path, order.what, order.label) : null;
}

/** Wait until the feed has caught up with the server. */
async function caughtUp(position) {
  const until = Date.now() + CAUGHT_UP;
  while (isBehind(position) && Date.now() < until) await new Promise((done) => setTimeout(done, 20));
}

/** Whether the page has not reached a position yet ("" for none). */
function isBehind(position) {
  if (!position) return false;
  const [now, own] = [readPosition(position), readPosition(session.position)];
  return own.epoch < now.epoch || (own.epoch === now.epoch && own.seq < now.seq);
}

/** Show the events since the user's decision; true if the order is to be sent again. */
async function meanwhile({ label }, { line, seq }) {
  const same = line === mainline.line;
  const fresh = same ? mainline.line.records.slice(seq).filter((one) => !SILENT.includes(one.type)) : [];
  const list = fresh.length > 0 && h("ol", { class: "steps" }, fresh.slice(-12).map((one) => h("li", null, one.text)));
  const text = same ? "Events before yours arrived:" : "The fight continues on another line of play now.";
  const again = await choose("Meanwhile", [h("p", null, text), list, h("p", null, "Not done yet:  ", h("strong", null, label), ".")], [
    ["again", "Do it anyway", "main"],
    ["leave", "Drop it"],
  ]);
  return again === "again";
}
