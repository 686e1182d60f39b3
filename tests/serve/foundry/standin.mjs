// What of Foundry the module asks for: documents of an encounter, scenes, actors and the chat; settings, hooks.

import { Collection, counts, Document, Hooks, hooks } from "./documents.mjs";

class Combatant extends Document {
  static documentName = "Combatant";
  static defaults = { name: "", initiative: null, hidden: false, defeated: false, actorId: null, tokenId: null, sceneId: null, flags: {} };
}

class Combat extends Document {
  static documentName = "Combat";
  static defaults = { round: 0, turn: null, active: false, scene: null, flags: {} };
  static collection = () => game.combats;
  combatants = new Collection();
  turns = [];

  embedded(name) {
    return name === "Combatant" ? [this.combatants, Combatant] : super.embedded(name);
  }

  /** As Foundry sorts: by initiative, who has none last, and by id where they are the same. */
  setupTurns() {
    const value = (one) => one.initiative ?? -Infinity;
    this.turns = this.combatants.contents.sort((a, b) => (value(a) === value(b) ? (a.id > b.id ? 1 : -1) : value(b) - value(a)));
    return this.turns;
  }

  async activate() {
    for (const one of game.combats) if (one.active && one !== this) await one.update({ active: false });
    return this.update({ active: true });
  }

  /** What the buttons of the list of turns do. */
  async nextTurn() {
    return this.update({ round: this.round, turn: (this.turn ?? -1) + 1 }, { direction: 1 });
  }

  async previousTurn() {
    const turn = this.turn ?? 0;
    return turn > 0 ? this.update({ round: this.round, turn: turn - 1 }, { direction: -1 }) : this.update({ round: Math.max(0, this.round - 1), turn: 0 }, { direction: -1 });
  }
}

class ActiveEffect extends Document {
  static documentName = "ActiveEffect";
  static defaults = { name: "", img: null, statuses: [], flags: {} };
}

class Actor extends Document {
  static documentName = "Actor";
  static collection = () => game.actors;
  effects = new Collection();

  embedded(name) {
    return name === "ActiveEffect" ? [this.effects, ActiveEffect] : super.embedded(name);
  }

  static validate(data, where) {
    for (const [name, value] of Object.entries(data)) {
      if (!["_id", "name", "system", "flags"].includes(name)) throw new Error(`${where}: there is no field ${name}`);
      if (name === "system") whole(value, where);
    }
  }

  get uuid() {
    return `Actor.${this.id}`;
  }

  get system() {
    return this._source.system;
  }

  get name() {
    return this._source.name;
  }

  get hasPlayerOwner() {
    return this._source.player === true;
  }

  get statuses() {
    return new Set(this.effects.contents.flatMap((one) => [...one.statuses]));
  }

  async toggleStatusEffect(id, { active }) {
    if (!CONFIG.statusEffects.some((one) => one.id === id)) throw new Error(`there is no status ${id}`);
    counts.status++;
    const found = this.effects.filter((one) => one.statuses.length === 1 && one.statuses[0] === id);
    if (!active) return void (await this.deleteEmbeddedDocuments("ActiveEffect", found.map((one) => one.id)));
    if (found.length) return undefined;
    const [made] = await this.createEmbeddedDocuments("ActiveEffect", [{ name: id, statuses: [id] }]);
    return made;
  }
}

function whole(value, where) {
  for (const one of Object.values(value)) {
    if (typeof one === "object" && one !== null) whole(one, where);
    else if (one !== null && typeof one !== "boolean" && !Number.isInteger(one)) throw new Error(`${where}: ${JSON.stringify(one)} is no number of a system`);
  }
}

class Token extends Document {
  static documentName = "Token";
  static schemaName = "TokenDocument";
  static defaults = { name: "", x: 0, y: 0, width: 1, height: 1, hidden: false, actorId: null, flags: {} };

  get actor() {
    return game.actors.get(this.actorId) ?? null;
  }

  get uuid() {
    return `Scene.${this.parent.id}.Token.${this.id}`;
  }
}

class Scene extends Document {
  static documentName = "Scene";
  static collection = () => game.scenes;
  tokens = new Collection();
  grid = { size: 100 };

  embedded(name) {
    return name === "Token" ? [this.tokens, Token] : super.embedded(name);
  }

  get name() {
    return this._source.name;
  }
}

class ChatMessage extends Document {
  static documentName = "ChatMessage";
  static defaults = { content: "", rolls: [], whisper: [], flavor: "", flags: {} };
  static collection = () => game.messages;
}

class Settings {
  registered = new Map();
  kept = new Map();

  register(module, key, data) {
    this.registered.set(`${module}.${key}`, data);
  }

  of(module, key) {
    const found = this.registered.get(`${module}.${key}`);
    if (!found) throw new Error(`there is no setting ${module}.${key}`);
    return found;
  }

  get(module, key) {
    const { default: given } = this.of(module, key);
    return this.kept.get(`${module}.${key}`) ?? given;
  }

  async set(module, key, value) {
    const { onChange } = this.of(module, key);
    this.kept.set(`${module}.${key}`, value);
    onChange?.(value);
    return value;
  }
}

export const told = [];

/** Put a world without anything in it in place of Foundry. `statuses` are the ids that its game system has. */
export function setUp({ system = "D35E", statuses = [] }) {
  const master = { id: "MASTER0000000000", isGM: true }, player = { id: "PLAYER0000000000", isGM: false };
  const users = new Collection([[master.id, master], [player.id, player]]);
  users.activeGM = master;
  Object.assign(globalThis, {
    Hooks, Combat, ChatMessage,
    CONFIG: { statusEffects: statuses.map((id) => ({ id })) },
    foundry: { utils: { getProperty: (from, path) => path.split(".").reduce((one, name) => one?.[name], from) } },
    ui: { notifications: { info: (text) => told.push(text), warn: (text) => told.push(text) } },
    game: {
      combats: new Collection(), actors: new Collection(), scenes: new Collection(), messages: new Collection(),
      modules: new Map([["affray", {}]]), settings: new Settings(), system: { id: system }, user: master, users,
    },
  });
}

export async function place({ scene, actors }) {
  const made = await Scene.create({ name: scene, _id: "SCENE00000000000" }, { keepId: true });
  game.scenes.active = made;
  for (const [index, { name, system, player = false }] of actors.entries()) {
    const _id = `ACTOR${String(index).padStart(11, "0")}`;
    const actor = new Actor({ _id, name, system, player, flags: {} });
    game.actors.set(_id, actor);
    await made.createEmbeddedDocuments("Token", [{ _id: `TOKEN${String(index).padStart(11, "0")}`, name, actorId: _id }], { keepId: true });
  }
  return made;
}

/** All documents, as they are kept. */
export function dumped() {
  const [scene] = game.scenes.contents;
  return {
    combats: game.combats.contents.map((one) => ({ ...one._source, combatants: one.setupTurns().map((each) => each._source) })),
    tokens: scene.tokens.contents.map((one) => one._source),
    actors: game.actors.contents.map((one) => ({ ...one._source, effects: one.effects.contents.map((each) => each._source) })),
    messages: game.messages.contents.map((one) => one._source),
    counts, told,
  };
}

/** Let all that holds the module go, so that it can be loaded as another client would. */
export function forget() {
  hooks.clear();
}
