// Types of this module's data in documents and settings, added to Foundry's published types.

import type { Remembered } from "./outcomes.js";
import type { Api } from "./main.js";

declare module "fvtt-types/configuration" {
  interface FlagConfig {
    ChatMessage: { affray?: Remembered };
    Combat: { affray?: { source: string; position: string; resume: string } };
    Combatant: { affray?: { id: string; statuses: string[] } };
    ActiveEffect: { affray?: { condition: string } };
  }

  interface SettingConfig {
    "affray.address": string;
    "affray.token": string;
    "affray.following": boolean;
    "affray.moves": boolean;
    "affray.numbers": string;
    "affray.scene": string;
    "affray.origin": string;
    "affray.paths": string;
    "affray.statuses": string;
    "affray.bonds": Record<string, string>;
  }

  interface ModuleConfig {
    affray: { api: Api };
  }
}
