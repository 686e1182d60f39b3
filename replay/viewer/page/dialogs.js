// Dialogs: one decision or one form each.

import { byId, h } from "./dom.js";

/** Fill a dialog with a heading and a close button and open it; `closed` is called when it closes in any way. */
export function openDialog(id, title, children, closed) {
  const dialog = byId(id);
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(h("header", null, h("h2", { id: `${id}-title` }, title), close), ...[children].flat(Infinity).filter(Boolean));
  dialog.onclose = () => {
    dialog.onclose = null;
    closed?.();
  };
  dialog.onkeydown = (event) => {
    const button = /^[1-9]$/.test(event.key) && !event.target.matches("input, textarea, select") ? dialog.querySelectorAll("[data-choice]")[Number(event.key) - 1] : null;
    if (!button) return;
    event.preventDefault();
    button.click();
  };
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector("[data-first]") ?? dialog.querySelector("[data-choice].main") ?? dialog.querySelector("[data-choice]"))?.focus();
  return dialog;
}

/** Offer a choice: `options` are [value, words, kind]. Returns the value, null if the dialog is closed. */
export function choose(title, text, options) {
  return new Promise((done) => {
    let chosen = null;
    const take = (value) => {
      chosen = value;
      byId("choice").close();
    };
    openDialog("choice", title, [h("div", null, text), choices(options, take)], () => done(chosen));
  });
}

/** Buttons that the keys 1 to 9 press. */
export function choices(options, take) {
  return h("div", { class: "choices" }, options.map(([value, words, kind = ""], at) =>
    h("button", { type: "button", class: kind, "data-choice": value, onclick: () => take(value) }, at < 9 && h("kbd", { "aria-hidden": "true" }, String(at + 1)), h("span", null, words))));
}

/** A form field with its label. */
export function field(label, input, note = "") {
  return h("label", { class: "field" }, h("span", null, label), input, note && h("span", { class: "quiet" }, note));
}
