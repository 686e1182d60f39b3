// The documents of the world, updated to the state of the fight: only differences are changed.

import { boundTo, type Bound } from "./bonds.js";
import { plainCondition, readStatuses, statusOf } from "./conditions.js";
import { documentId } from "./ids.js";
import { initiatives } from "./order.js";
import type { Settings } from "./settings.js";
import { valuesOf } from "./paths.js";
import type { Combatant as Fighter, FoundryPaths } from "./told.js";
import type { World } from "./world.js";

/** Data in addition to the state. */
export interface Around {
  position: string;
  resume: string;
  hidden: ReadonlySet<string>;
  names: Readonly<Record<string, string>>;
  /** Whether this is the live end of the fight, not a past state. */
  forward: boolean;
}

const FALLEN = new Set(["dead", "destroyed"]);
const UNKNOWN_ICON = "icons/svg/aura.svg";

/** Marks our own updates, so that they are not handled as a user's. */
export const OWN = { affray: true };

type Kept = Combatant.Implementation;

export class Tabletop {
  private readonly said = new Set<string>();
  readonly combatId: string;

  constructor(private readonly source: string, private readonly settings: Settings, private readonly tell: (text: string) => void) {
    this.combatId = documentId(source);
  }

  get combat(): Combat.Implementation | undefined {
    return game.combats?.get(this.combatId);
  }

  /** Update all documents to the state of the fight. Warns once of each value without a place in Foundry. */
  async show(world: World, around: Around): Promise<void> {
    const combat = await this.opened(around);
    await this.combatants(combat, world, around);
    await this.turn(combat, world, around);
    await this.tokens(combat, world, around);
    for (const [id, fighter] of world.combatants) {
      const { actor } = this.bound(id);
      if (actor) await this.actor(actor, id, fighter, world.paths?.system === game.system?.id ? world.paths : null);
    }
    const kept = { source: this.source, position: around.position, resume: around.resume };
    if (combat.flags.affray?.position !== kept.position) await combat.update({ flags: { affray: kept } }, own({}));
  }

  private async opened(around: Around): Promise<Combat.Implementation> {
    if (this.combat) return this.combat;
    const kept = { source: this.source, position: around.resume, resume: around.resume };
    const made = await Combat.create({ _id: this.combatId, round: 0, flags: { affray: kept } }, { keepId: true });
    if (!made) throw new Error("Foundry made no encounter");
    await made.activate();
    return made;
  }

  actorOf(id: string): Actor.Implementation | null {
    return this.bound(id).actor;
  }

  private bound(id: string): Bound {
    return boundTo(this.settings.bonds[id], this.settings);
  }

  private async combatants(combat: Combat.Implementation, world: World, around: Around): Promise<void> {
    const counts = initiatives(world);
    const create = [], update = [], gone = [];
    for (const [id, fighter] of world.combatants) {
      const { actor, token } = this.bound(id);
      const wanted = {
        name: around.names[id] ?? id,
        actorId: token?.actorId ?? actor?.id ?? null,
        tokenId: token?.id ?? null,
        sceneId: token?.parent?.id ?? null,
        initiative: counts.get(id) ?? null,
        hidden: around.hidden.has(id),
        defeated: fighter.conditions.some(([words]) => FALLEN.has(words)),
      };
      const kept = this.kept(combat, id);
      if (!kept) {
        create.push({ _id: this.combatantId(id), ...wanted, flags: { affray: { id, statuses: [] } } });
        continue;
      }
      const now: Record<string, unknown> = { ...kept._source };
      const changed = Object.entries(wanted).filter(([name, value]) => (now[name] ?? null) !== value);
      if (changed.length) update.push({ _id: kept.id, ...Object.fromEntries(changed) });
    }
    for (const one of combat.combatants) {
      const id = one.flags.affray?.id;
      if (id === undefined || world.combatants.has(id)) continue;
      const { actor } = this.bound(id);
      await this.statuses(actor, one, new Set());
      if (actor) await this.effects(actor, new Set());
      if (one.id) gone.push(one.id);
    }
    if (create.length) await combat.createEmbeddedDocuments("Combatant", create, own({ keepId: true }));
    if (update.length) await combat.updateEmbeddedDocuments("Combatant", update, own({}));
    if (gone.length) await combat.deleteEmbeddedDocuments("Combatant", gone, own({}));
  }

  private kept(combat: Combat.Implementation, id: string): Kept | undefined {
    return combat.combatants.get(this.combatantId(id));
  }

  private combatantId(id: string): string {
    return documentId(`${this.source} ${id}`);
  }

  private async turn(combat: Combat.Implementation, world: World, { forward }: Around): Promise<void> {
    const { round, active } = world.encounter;
    const place = combat.setupTurns().findIndex((one) => active && one.flags.affray?.id === active);
    const turn = place < 0 ? null : place;
    if (combat._source.round === round && combat._source.turn === turn) return;
    await combat.update({ round, turn }, own({ turnEvents: forward, direction: forward ? (1 as const) : (-1 as const) }));
  }

  private async tokens(combat: Combat.Implementation, world: World, around: Around): Promise<void> {
    const updates = new Map<Scene.Implementation, Record<string, unknown>[]>();
    for (const [id, fighter] of world.combatants) {
      const { token } = this.bound(id);
      if (!token?.parent || !token.id) continue;
      const changed = this.place(token, fighter);
      // A token is hidden and shown with its combatant; a token that the game master hid stays hidden.
      const hidden = around.hidden.has(id);
      if (hidden !== token.hidden && (hidden || this.wasHidden(combat, id))) changed["hidden"] = hidden;
      if (Object.keys(changed).length) updates.set(token.parent, [...(updates.get(token.parent) ?? []), { _id: token.id, ...changed }]);
      if (hidden) this.hiddenHere.add(id);
      else this.hiddenHere.delete(id);
    }
    for (const [parent, changes] of updates) await parent.updateEmbeddedDocuments("Token", changes, own({ animate: around.forward }));
  }

  private readonly hiddenHere = new Set<string>();

  private wasHidden(combat: Combat.Implementation, id: string): boolean {
    return this.hiddenHere.has(id) || this.kept(combat, id)?.hidden === true;
  }

  private place(token: TokenDocument.Implementation, fighter: Fighter): Record<string, unknown> {
    const changed: Record<string, unknown> = {};
    if (!fighter.at) return changed;
    const { size } = token.parent!.grid;
    const [x, y] = fighter.at.map((square, axis) => (square + this.settings.origin[axis as 0 | 1]) * size) as [number, number];
    if (token._source.x !== x) changed["x"] = x;
    if (token._source.y !== y) changed["y"] = y;
    // Tokens smaller than a square keep their size: the fight counts whole squares.
    if (Math.ceil(token._source.width ?? 1) !== fighter.space) changed["width"] = fighter.space;
    if (Math.ceil(token._source.height ?? 1) !== fighter.space) changed["height"] = fighter.space;
    return changed;
  }

  private async actor(actor: Actor.Implementation, id: string, fighter: Fighter, paths: FoundryPaths | null): Promise<void> {
    const update: Record<string, unknown> = {};
    for (const name of ["hp", "temporary", "nonlethal"] as const) {
      const path = this.settings.paths[name], value = fighter[name];
      if (!path || value === null) continue;
      const now: unknown = foundry.utils.getProperty(actor, `system.${path}`);
      if (now === undefined) this.once(`${actor.name} has no system.${path}: its ${name} are not updated.`);
      else if (now !== value) update[`system.${path}`] = value;
    }
    for (const [path, value] of Object.entries(valuesOf(fighter, paths))) {
      // Not every kind of actor has all of them: a monster has no inspiration.
      const now: unknown = foundry.utils.getProperty(actor, `system.${path}`);
      const wanted = typeof now === "boolean" ? value > 0 : value;
      if (now !== undefined && now !== wanted) update[`system.${path}`] = wanted;
    }
    if (Object.keys(update).length) await actor.update(update as Actor.UpdateData, own({}));
    const kept = this.combat && this.kept(this.combat, id);
    if (kept) await this.conditions(actor, kept, fighter, paths);
  }

  private async conditions(actor: Actor.Implementation, kept: Kept, fighter: Fighter, paths: FoundryPaths | null): Promise<void> {
    const known = new Set((CONFIG.statusEffects as { id: string }[]).map((one) => one.id));
    const given = readStatuses(this.settings.statuses);
    const wanted = new Set<string>(), others = new Set<string>();
    for (const [words] of fighter.conditions) {
      if (paths && plainCondition(words) in paths.conditions) continue; // the system shows it by its level
      const status = statusOf(words, given, known);
      if (status) wanted.add(status);
      else others.add(words);
      if (!status) this.once(`This game system has no status for "${plainCondition(words)}": it is shown as a plain effect.`);
    }
    await this.statuses(actor, kept, wanted);
    await this.effects(actor, others);
  }

  /** Add and remove status effects; effects added by others stay. */
  private async statuses(actor: Actor.Implementation | null, kept: Kept, wanted: ReadonlySet<string>): Promise<void> {
    if (!actor) return;
    const ours = new Set(kept.flags.affray?.statuses ?? []);
    const id = kept.flags.affray?.id ?? "";
    const remember = async (statuses: Set<string>) => {
      if (statuses.size !== ours.size || [...statuses].some((one) => !ours.has(one))) await kept.update({ flags: { affray: { id, statuses: [...statuses] } } }, own({}));
    };
    const on = [...wanted].filter((one) => !actor.statuses.has(one));
    const off = [...ours].filter((one) => !wanted.has(one) && actor.statuses.has(one));
    // Stored before the change and removed after it: an interrupted change is found by the next update.
    if (on.length) await remember(new Set([...ours, ...on]));
    for (const status of on) await actor.toggleStatusEffect(status, { active: true });
    for (const status of off) await actor.toggleStatusEffect(status, { active: false });
    await remember(new Set([...wanted].filter((one) => ours.has(one) || on.includes(one))));
  }

  /** Show conditions without a status in the system as separate effects. */
  private async effects(actor: Actor.Implementation, wanted: ReadonlySet<string>): Promise<void> {
    const ours = [...actor.effects].filter((one) => one.flags.affray !== undefined);
    const there = new Set(ours.map((one) => one.flags.affray?.condition ?? ""));
    const gone = ours.filter((one) => !wanted.has(one.flags.affray?.condition ?? "")).map((one) => one.id!);
    const fresh = [...wanted].filter((one) => !there.has(one));
    if (gone.length) await actor.deleteEmbeddedDocuments("ActiveEffect", gone, own({}));
    const made = fresh.map((condition) => ({
      _id: documentId(`${this.source} ${condition}`), name: condition, img: UNKNOWN_ICON, flags: { affray: { condition } },
    }));
    if (made.length) await actor.createEmbeddedDocuments("ActiveEffect", made as ActiveEffect.CreateData[], own({ keepId: true }));
  }

  private once(text: string): void {
    if (this.said.has(text)) return;
    this.said.add(text);
    this.tell(text);
  }
}

/** The options of our updates, which Foundry passes to every hook. */
function own<T extends object>(options: T): T {
  return { ...options, ...OWN };
}
