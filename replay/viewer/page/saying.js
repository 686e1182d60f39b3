// A typed line: the server reads it, as it reads what is typed at the prompt.

import { acting, declare } from "./acting.js";
import { showTab } from "./app.js";
import { choose, field } from "./dialogs.js";
import { byId, h } from "./dom.js";
import { goLive } from "./live.js";
import { perform } from "./perform.js";
import { kept } from "./session.js";
import { app } from "./state.js";

export const SAID_SO = "a gharm 17 · m 5,3 · c fireball 6,3 · speak Stand back! · ready moves gharm then attack gharm · skit hp 9 · rule cover +4 · u";

export function wordsField() {
  const input = h("input", { id: "act-said", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 2000, placeholder: "a gharm 17" });
  return h("form", { id: "act-words", onsubmit: say }, field("In words", input), h("button", { type: "submit" }, "Do"));
}

/** Send the typed line; where it has several meanings, ask which. */
async function say(event) {
  event.preventDefault();
  const input = byId("act-said");
  const text = input.value.trim();
  if (!text) return;
  const manual = kept("affray-dice") === "own";
  const answer = await perform("/say", { text, actor: acting.who, ...(manual ? { manual } : {}) }, text);
  if (!answer || answer.refused) return;
  input.value = "";
  if (answer.look) {
    app.go(answer.look);
    showTab("why");
  } else if (answer.choices?.length) await chooseMeaning(answer, text);
  else goLive();
}

async function chooseMeaning({ told, choices }, text) {
  const buttons = choices.map(({ label }, at) => /** @type {any} */ ([String(at), label, at ? "" : "main"]));
  const chosen = choices[Number(await choose(text, app.log.prose(told), [...buttons, ["none", "Cancel"]]) ?? NaN)];
  if (chosen) await declare(chosen.act, text);
}
