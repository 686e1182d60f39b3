// What a combatant has left: actions and movement of its turn, spell slots, uses.

import { h } from "./dom.js";

/** Chips for [name, amount, most, unit] of each; what is used up is struck out. */
export function leftChips(/** @type {[string, number, number, string][]} */ left) {
  const chip = ([name, amount, most, unit]) =>
    h("li", { class: amount > 0 ? "chip" : "chip spent", title: amount > 0 ? null : "Used up" }, most === 1 && !unit ? name : `${name} ${amount}/${most}${unit && ` ${unit}`}`);
  return h("ul", { class: "chips left", "aria-label": "Left" }, left.map(chip));
}
