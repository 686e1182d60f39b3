// Plays the module against the stand-in: one order a line on standard input, one answer a line.

import { createInterface } from "node:readline";
import { Hooks } from "./documents.mjs";
import { dumped, forget, place, setUp } from "./standin.mjs";

let loads = 0;

function api() {
  return game.modules.get("affray").api;
}

/** Load the module as a browser does that opens the world. */
async function load({ module, settings }) {
  forget();
  // Another query is another module: nothing is remembered of the one before.
  await import(`${module}/main.js?${++loads}`);
  Hooks.call("init");
  for (const [key, value] of Object.entries(settings)) game.settings.kept.set(`affray.${key}`, value);
  Hooks.call("ready");
}

async function until(position) {
  for (let left = 2000; left && api().position() !== position; left--) await new Promise((done) => setTimeout(done, 5));
  await api().settled();
  return api().position();
}

const orders = {
  setUp: async (given) => void (setUp(given), await place(given)),
  load,
  until: async ({ position }) => until(position),
  // By name, once the module knows who there is.
  bind: async () => {
    for (let left = 400; left && !Object.keys(api().guess()).length; left--) await new Promise((done) => setTimeout(done, 5));
    await api().bind(api().guess());
  },
  seek: async ({ at }) => api().seek(at),
  turn: async ({ by }) => api().turn(by),
  live: async () => api().live(),
  next: async () => (await [...game.combats][0].nextTurn(), await new Promise((done) => setTimeout(done, 50)), api().settled()),
  previous: async () => (await [...game.combats][0].previousTurn(), await new Promise((done) => setTimeout(done, 50)), api().settled()),
  drag: async ({ name, x, y }) => void (await game.scenes.active.tokens.find((one) => one.name === name).update({ x, y })),
  move: async ({ name, x, y }) => api().move(game.scenes.active.tokens.find((one) => one.name === name), x, y),
  set: async ({ key, value }) => void (await game.settings.set("affray", key, value)),
  // The next write of a token fails, as one that another module does not like.
  fail: async () => {
    let failed = false;
    Hooks.on("preUpdateToken", () => {
      if (failed) return true;
      failed = true;
      throw new Error("another module does not like that");
    });
  },
  // Another game master is the active one, or this one is again.
  lead: async ({ mine }) => {
    game.users.activeGM = mine ? game.user : { id: "OTHER00000000000", isGM: true };
    Hooks.call("userConnected", game.users.activeGM, true);
  },
  dump: async () => dumped(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: order, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { done: (await orders[order](given)) ?? null };
  } catch (error) {
    answer = { failed: String(error?.stack ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit(0);
