// Rolling dice: they tumble and stop on the faces that the server sent.

import { byId, h, nameOf, number, s } from "./dom.js";
import { parseDice } from "./notation.js";
import { goal } from "./why.js";

const TUMBLE = 720; // milliseconds
const MOST_ROLLS = 6;
const SHAPES = {
  4: "20,3 38,35 2,35", 6: "5,5 35,5 35,35 5,35", 8: "20,1 38,20 20,39 2,20", 10: "20,1 38,15 38,25 20,39 2,25 2,15", 12: "20,1 38,14 31,37 9,37 2,14", 20: "20,1 37,10.5 37,29.5 20,39 3,29.5 3,10.5",
};

/** Whether this user allows animations. */
export function mayMove() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Show the rolls among some events and wait until they have landed; at once without animations. */
export async function throwDiceOf(records) {
  const rolls = records.filter((one) => one.type === "rolled" && one.fact.faces?.length).slice(-MOST_ROLLS);
  const tray = byId("tray");
  if (!rolls.length) {
    if (records.some((one) => one.cause === one.seq)) tray.replaceChildren();
    return;
  }
  const moving = mayMove() && document.visibilityState === "visible";
  tray.replaceChildren(...rolls.map((one) => rollShown(one, records, moving)));
  if (!moving) return;
  await new Promise((done) => setTimeout(done, TUMBLE));
  for (const hidden of tray.querySelectorAll(".sum-of")) hidden.classList.remove("waiting");
}

function rollShown({ fact }, records, moving) {
  const sides = sidesOf(fact);
  const lost = new Set([...(fact.dropped ?? []), ...(fact.rerolled ?? [])]);
  const dice = fact.faces.slice(0, 12).map((face, at) => dieShown(face, sides[at] ?? sides[0] ?? 6, lost.has(at), moving));
  return h("div", { class: "roll" }, h("span", { class: "dice" }, dice), h("span", { class: moving ? "sum-of waiting" : "sum-of" }, h("strong", null, sumOf(fact, records)), h("span", { class: "quiet" }, ` ${nameOf(fact.who)}`)));
}

/** The sides of each die of a roll, as far as its notation tells. */
function sidesOf({ notation, faces }) {
  try {
    const dice = parseDice(notation).filter((term) => term.sides);
    const each = dice.flatMap((term) => Array.from({ length: term.count }, () => term.sides));
    return dice.length === 1 ? faces.map(() => dice[0].sides) : each;
  } catch {
    return [];
  }
}

function dieShown(face, sides, lost, moving) {
  const shape = SHAPES[sides] ?? (sides > 20 ? SHAPES[10] : SHAPES[6]);
  const number = s("text", { x: 20, y: sides === 4 ? 30 : 25.5 }, String(face));
  const die = s("svg", { viewBox: "0 0 40 40", class: lost ? "fallen lost" : "fallen", role: "img", "aria-label": `d${sides}: ${face}${lost ? ", does not count" : ""}` }, s("polygon", { points: shape }), number);
  if (moving) tumble(die, number, face, sides);
  return die;
}

/** Let a die tumble: intermediate faces are random, the final one is the actual result. */
function tumble(die, number, face, sides) {
  const turn = 360 * (1 + Math.round(Math.random())) * (Math.random() < 0.5 ? -1 : 1);
  die.animate([{ transform: `translate(${-30 - 40 * Math.random()}px, -26px) rotate(${turn}deg)`, opacity: 0.2 }, { opacity: 1, offset: 0.2 }, { transform: "none" }], { duration: TUMBLE, easing: "cubic-bezier(.2,.7,.3,1)" });
  const until = performance.now() + TUMBLE * 0.8;
  const next = () => {
    const resting = performance.now() >= until;
    number.textContent = String(resting ? face : 1 + Math.floor(Math.random() * sides));
    if (!resting) setTimeout(next, 70);
  };
  next();
}

/** The total of a roll: die and modifiers if told, else its own sum. */
function sumOf(fact, records) {
  const harm = records.find((one) => one.type === "damage.resolved" && one.fact.dice?.some((die) => die.key === fact.key));
  if (harm && harm.fact.dice.length === 1 && Number.isInteger(harm.fact.total)) return `${fact.total} dice, ${harm.fact.total} damage`;
  const used = records.find((one) => one.fact.key === fact.key && one.type !== "rolled" && Number.isInteger(one.fact.natural));
  const parts = used && (used.fact.attack ?? used.fact.parts);
  if (!Array.isArray(parts)) return `= ${number(fact.total)}`;
  const added = parts.reduce((all, one) => all + (one.denied ? 0 : one.value), 0);
  return `${fact.total} ${added < 0 ? "−" : "+"} ${Math.abs(added)} = ${number(fact.total + added)}${goal(used.fact)}`;
}
