// The module: what Foundry calls, and what it offers to macros.

import { askBonds, keepBonds } from "./binding.js";
import { combatantOf, guessed } from "./bonds.js";
import { controls } from "./controls.js";
import { Follower } from "./follower.js";
import { declareMove, squareAt } from "./moves.js";
import { MODULE, readSettings, registerSettings } from "./settings.js";

/** What `game.modules.get("affray").api` has, for macros. */
export interface Api {
  /** Step to a place of the fight: 17, "r3", "r3.t2". */
  seek(at: string | number): Promise<number>;
  /** Step a turn back (-1) or forth (1). */
  turn(direction: 1 | -1): Promise<void>;
  /** Go on with what happens now. */
  live(): Promise<void>;
  /** Say which actor (`Actor.ID`) or token (`Scene.ID.Token.ID`) is whose, by the ids of combatants. */
  bind(bonds: Record<string, string>): Promise<void>;
  /** Guess that by name, where nothing was said. */
  guess(): Record<string, string>;
  /** Ask for it in a dialog. */
  ask(): Promise<void>;
  /** Declare a token's move. Returns why nothing came of it, "" where it did. */
  move(token: TokenDocument.Implementation, x: number, y: number): Promise<string>;
  /** Where the feed has come to, "" while nothing is followed. */
  position(): string;
  settled(): Promise<void>;
}

let follower: Follower | null = null;
let led = false;

const teller = {
  info: (text: string) => void ui.notifications?.info(text),
  warn: (text: string) => void ui.notifications?.warn(text),
};

/** One client alone brings the world on: the active game master's. */
function leads(): boolean {
  return game.user !== null && game.users?.activeGM?.id === game.user?.id;
}

/** Begin, end or begin anew to follow, as the settings and who is there say. */
function follow(): void {
  const before = follower;
  before?.stop();
  follower = null;
  led = leads();
  const settings = readSettings();
  if (!led || !settings.following || !settings.address) return;
  if (!settings.token) {
    teller.info("Affray: the settings of this browser hold no link of the game master yet.");
    return;
  }
  const next = new Follower(settings, teller);
  follower = next;
  // What the one before is about is done first: no two write at once.
  void (before?.settled() ?? Promise.resolve()).then(() => next.run());
}

function followed(): Follower {
  if (!follower) throw new Error("Affray follows no fight here");
  return follower;
}

function move(token: TokenDocument.Implementation, x: number, y: number): Promise<string> {
  const { settings } = followed();
  const { size } = token.parent!.grid;
  const from = squareAt(token._source.x, token._source.y, size, settings.origin);
  const to = squareAt(x, y, size, settings.origin);
  return declareMove(followed(), combatantOf(token, settings), from, to);
}

const api: Api = {
  seek: (at) => followed().seek(at),
  turn: (direction) => followed().turn(direction),
  live: () => followed().live(),
  bind: (bonds) => keepBonds(bonds),
  guess: () => guessed(followed().names, followed().settings),
  ask: () => askBonds(followed().names, followed().settings),
  move,
  position: () => follower?.position ?? "",
  settled: () => followed().settled(),
};

Hooks.once("init", () => {
  registerSettings(() => follow());
  const own = game.modules?.get(MODULE);
  if (own) own.api = api;
});

Hooks.once("ready", () => follow());

// The active game master may be another one now.
Hooks.on("userConnected", () => {
  if (leads() !== led) follow();
});

// A token that is dragged stays where it is until the fight has moved it.
Hooks.on("preUpdateToken", (token, changes, options) => {
  if ("affray" in options || follower === null || !follower.settings.moves) return;
  const x = changes.x ?? token._source.x, y = changes.y ?? token._source.y;
  if (x === token._source.x && y === token._source.y) return;
  if (!combatantOf(token, follower.settings)) return;
  if (follower.held !== null) {
    teller.warn("Affray: this is not what happens now. Go on with what happens now to move.");
    return false;
  }
  void move(token, x, y).then((reason) => reason && teller.warn(`Affray: ${token.name}: ${reason}`));
  return false;
});

// Turns are ended in Affray; in Foundry they are stepped through.
Hooks.on("preUpdateCombat", (combat, changes, options) => {
  const affray = combat.flags.affray;
  if (!affray || "affray" in options || (changes.turn === undefined && changes.round === undefined)) return;
  if (follower === null || combat.id !== follower.combatId) return;
  const round = changes.round ?? combat.round, turn = changes.turn ?? combat.turn ?? 0;
  const back = round < combat.round || (round === combat.round && turn < (combat.turn ?? 0));
  void follower.turn(back ? -1 : 1);
  return false;
});

Hooks.on("renderCombatTracker", (_app, html) => {
  if (follower) controls(html, api, follower.held);
});

// All links lead to one window beside Foundry, which so keeps who sits there.
Hooks.on("renderChatMessageHTML", (message, html) => {
  if (!message.flags.affray) return;
  html.querySelector<HTMLAnchorElement>("a.affray-why")?.addEventListener("click", (event) => {
    event.preventDefault();
    window.open((event.currentTarget as HTMLAnchorElement).href, MODULE);
  });
});
