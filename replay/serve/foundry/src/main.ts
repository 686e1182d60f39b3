// The module: hooks for Foundry, and an API for macros.

import { askBonds, keepBonds } from "./binding.js";
import { combatantOf, guessed } from "./bonds.js";
import { controls } from "./controls.js";
import { Follower } from "./follower.js";
import { declareMove, squareAt } from "./moves.js";
import { MODULE, readSettings, registerSettings } from "./settings.js";

/** The API for macros: `game.modules.get("affray").api`. */
export interface Api {
  /** Step to a position in the fight: 17, "r3", "r3.t2". */
  seek(at: string | number): Promise<number>;
  /** Step one turn back (-1) or forward (1). */
  turn(direction: 1 | -1): Promise<void>;
  /** Return to the live end. */
  live(): Promise<void>;
  /** Link ids of combatants to actors (`Actor.ID`) or tokens (`Scene.ID.Token.ID`). */
  bind(bonds: Record<string, string>): Promise<void>;
  /** Guess missing links by name. */
  guess(): Record<string, string>;
  /** Ask for the links in a dialog. */
  ask(): Promise<void>;
  /** Declare a token's move. Returns the reason if it failed, else "". */
  move(token: TokenDocument.Implementation, x: number, y: number): Promise<string>;
  /** The feed's position, "" while no fight is followed. */
  position(): string;
  settled(): Promise<void>;
}

let follower: Follower | null = null;
let led = false;

const teller = {
  info: (text: string) => void ui.notifications?.info(text),
  warn: (text: string) => void ui.notifications?.warn(text),
};

/** Only one client updates the world: the active game master's. */
function leads(): boolean {
  return game.user !== null && game.users?.activeGM?.id === game.user?.id;
}

/** Start, stop or restart following, according to settings and present users. */
function follow(): void {
  const before = follower;
  before?.stop();
  follower = null;
  led = leads();
  const settings = readSettings();
  if (!led || !settings.following || !settings.address) return;
  if (!settings.token) {
    teller.info("Affray: enter the game master's link in this browser's settings first.");
    return;
  }
  const next = new Follower(settings, teller);
  follower = next;
  // Let the previous follower finish first: two must not write at once.
  void (before?.settled() ?? Promise.resolve()).then(() => next.run());
}

function followed(): Follower {
  if (!follower) throw new Error("Affray follows no fight in this browser");
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

// The active game master may have changed.
Hooks.on("userConnected", () => {
  if (leads() !== led) follow();
});

// A dragged token stays in place until the fight has moved it.
Hooks.on("preUpdateToken", (token, changes, options) => {
  if ("affray" in options || follower === null || !follower.settings.moves) return;
  const x = changes.x ?? token._source.x, y = changes.y ?? token._source.y;
  if (x === token._source.x && y === token._source.y) return;
  if (!combatantOf(token, follower.settings)) return;
  if (follower.held !== null) {
    teller.warn("Affray: this is a past state. Return to the live end to move.");
    return false;
  }
  void move(token, x, y).then((reason) => reason && teller.warn(`Affray: ${token.name}: ${reason}`));
  return false;
});

// Turns are ended in Affray; Foundry only steps through them.
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

// All links open in one window beside Foundry, which keeps its user.
Hooks.on("renderChatMessageHTML", (message, html) => {
  if (!message.flags.affray) return;
  html.querySelector<HTMLAnchorElement>("a.affray-why")?.addEventListener("click", (event) => {
    event.preventDefault();
    window.open((event.currentTarget as HTMLAnchorElement).href, MODULE);
  });
});
