"""Objects: unattended objects, doors, hardness, and attacks on held or worn items."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from affray.engine.fight.fight import WALL, Fight
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import refuse_apart, squares_of
from affray.engine.modifiers import Tally, effect_parts
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.attacks.attack_roll import reaches_or_natural
from affray.engine.rules.classes.abilities import lowered
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import ability, size_step
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.damage.damage import (
    ENERGY,
    amount_dealt,
    damage_bonus,
    energies_of,
    minimum_is_nonlethal,
    strength_shifts,
)
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps, judged
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, DamagePart, DoorMoved, ItemStruck
from affray.events.facts.sheet import SIZES, Modifier, Sheet, Thing, Weapon, Worn
from affray.projections.state import Combatant

# --- Doors between squares, as the map has them, and combatants that can open and close them
# srd35.move-action.item, pf1.move.item, futurepath.action.manipulate-objects, woa.items.manipulate-move.

#: The acts that open or close a door, and whether it is open then.
MOVING: Final = {"open": True, "open-stuck": True, "close": False}


def find_doors_between(fight: Fight) -> dict[str, list[tuple[Square, Square]]]:
    """Return the doors between squares, each with the pairs of squares that it separates."""
    found: dict[str, list[tuple[Square, Square]]] = {}
    for one in fight.state.barriers:
        if one.door and one.cover == WALL:
            found.setdefault(one.door, []).append((one.here, one.there))
    return found


def is_open(fight: Fight, door: str) -> bool:
    """Return whether a door between squares is open."""
    return any(one.open for one in fight.state.barriers if one.door == door)


def is_at_door(fight: Fight, combatant: Combatant, door: str) -> bool:
    """Return whether a combatant is in one of the squares that a door separates."""
    own = set(squares_of(combatant))
    return any(not own.isdisjoint(pair) for pair in find_doors_between(fight).get(door, ()))


def refuse_door_between(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> None:
    """Refuse a door that is not next to the actor, is already in the wanted state, or is occupied."""
    pairs = find_doors_between(fight).get(act.item)
    if pairs is None or act.what not in MOVING:
        return
    if not is_at_door(fight, actor, act.item):
        raise Refusal(f"{actor.id} is not at the {act.item}", rule)
    if is_open(fight, act.item) == MOVING[act.what]:
        raise Refusal(f"the {act.item} is {'open' if MOVING[act.what] else 'closed'} already", rule)
    if act.what == "close":
        for one in fight.state.combatants.values():
            own = set(squares_of(one))
            if "dead" not in one.conditions and any(own.issuperset(pair) for pair in pairs):
                raise Refusal(f"{one.id} is in the {act.item}", rule)


def make_door_fact(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> tuple[DoorMoved, ...]:
    """Return the fact that a door between squares is open now, or closed; () for any other object."""
    if act.what not in MOVING or act.item not in find_doors_between(fight):
        return ()
    return (DoorMoved(who=actor.id, door=act.item, open=MOVING[act.what], cites=(rule,)),)


# --- Objects: hardness and hit points
# srd35.sunder.table-hardness-hp, srd35.object.*, pf1.object.tables-ref.

ITEM_HARDNESS_MEDIUM = SIZES.index("medium")


class Durability(Struct, frozen=True, gc=False):
    """Hardness and hit points of an object, and their rules."""

    hardness: int
    hp: int
    cites: tuple[str, ...]


def shield_of(holder: Combatant, item: str) -> bool:
    """Return whether an item is the shield of a combatant."""
    return any(bonus.kind == "shield" and (bonus.source or "shield") == item for bonus in holder.sheet.armor)


def weapon_row(weapon: Weapon) -> str:
    """Return the row of the table for a weapon: by handling, and by the trait "hafted" or "metal-hafted"."""
    if weapon.wield == "projectile":
        return "Projectile weapon"
    hands = {"two-handed": "Two-handed", "one-handed": "One-handed"}.get(weapon.wield, "Light")
    if "metal-hafted" in weapon.traits and hands != "Two-handed":
        return f"{hands} metal-hafted weapon"
    hafted = "hafted" in weapon.traits or "metal-hafted" in weapon.traits
    return f"{hands} hafted weapon" if hafted else f"{hands} blade"


def shield_row(name: str) -> str:
    """Return the row of the table for a shield by its name; steel unless the name says wooden."""
    if "buckler" in name:
        return "Buckler"
    if "tower" in name:
        return "Tower shield"
    weight = "Light" if "light" in name else "Heavy"
    return f"{weight} {'wooden' if 'wooden' in name else 'steel'} shield"


def kind_worn(holder: Combatant, item: str) -> str:
    """Return the kind of a worn item by its row of the armor table, its own name if it has none."""
    return next((one.table for one in holder.sheet.worn if one.name == item and one.table), item)


def is_held(holder: Combatant, item: str) -> bool:
    """Return whether an item is in its bearer's hands or on its arm, and not merely worn."""
    return item in holder.held or shield_of(holder, item)


def durability(fight: Fight, holder: Combatant, item: str) -> Durability | None:
    """Return hardness and hit points of a weapon or shield of a combatant, None for other items.

    Hit points are those of Medium items: half for each size smaller, double for each size larger. An
    enhancement adds to both (srd35.sunder.table-hardness-hp, srd35.sunder.size-hp-scaling,
    srd35.object.enhancement, pf1.object.tables-ref).
    """
    weapon = next((one for one in holder.sheet.weapons if one.name == item), None)
    if weapon is not None:
        name, enhanced = weapon_row(weapon), [one.value for one in weapon.attack if one.kind == "enhancement"]
    elif shield_of(holder, item):
        name, enhanced = shield_row(kind_worn(holder, item)), enhancements_of(holder, item, "shield")
    else:
        return None
    rows = {row["item"]: row for row in fight.figure("sunder.table-hardness-hp", "rows")}
    row = rows[name]
    cites = fight.rules("sunder.table-hardness-hp")
    hp, hardness = int(row["hp"]), int(row["hardness"])
    steps = SIZES.index(holder.sheet.size) - ITEM_HARDNESS_MEDIUM
    if steps:
        factor = fight.figure(
            "sunder.size-hp-scaling", "per_size_larger" if steps > 0 else "per_size_smaller"
        )
        for _ in range(abs(steps)):
            hp = int(hp * factor)
        cites += fight.rules("sunder.size-hp-scaling")
    harder, more, magic = by_enhancement(fight, enhanced)
    return Durability(hardness + harder, max(1, hp + more), cites + magic)


def durability_of_armor(fight: Fight, holder: Combatant, armor: Worn) -> Durability:
    """Return hardness and hit points of armor, by its bonus and its material.

    Five hit points for each point of bonus (srd35.sunder.armor-hardness-material, pf1.object.tables-ref).
    """
    topic = "sunder.armor-hardness-material"
    soft = any(word in (armor.table or armor.name) for word in ("padded", "leather", "hide"))
    cloth = "padded" in (armor.table or armor.name)
    of = armor.material or ("paper or cloth" if cloth else "leather or hide" if soft else "iron or steel")
    rows = {row["substance"]: row for row in fight.figure("object.substance-table")}
    hardness = int(rows.get(of, rows["iron or steel"])["hardness"])
    hp = fight.formula(topic, "hp") * armor.bonus
    cites = fight.rules(topic, "object.substance-table")
    harder, more, magic = by_enhancement(fight, enhancements_of(holder, armor.name, "armor"))
    return Durability(hardness + harder, max(1, hp + more), cites + magic)


def enhancements_of(holder: Combatant, item: str, kind: str) -> list[int]:
    """Return the enhancement bonuses of a piece of armor or a shield, by its kind."""
    raising = (bonus for bonus in holder.sheet.armor if bonus.kind == f"enhancement to {kind}")
    found = [bonus.value for bonus in raising if bonus.source in (item, f"enhancement to {kind}", "")]
    return found + [one.enhancement for one in holder.sheet.worn if one.name == item]


def by_enhancement(fight: Fight, enhanced: list[int]) -> tuple[int, int, tuple[str, ...]]:
    """Return the bonuses of enhancements to hardness and hit points, and the rule if there are any.

    The best of several counts (srd35.object.enhancement, pf1.object.tables-ref).
    """
    topic, plus = "object.enhancement", max(enhanced, default=0)
    if not plus:
        return 0, 0, ()
    harder, more = (plus * int(fight.figure(topic, name)) for name in ("hardness", "hp"))
    return harder, more, fight.rules(topic)


# --- Unattended objects: doors, chests, walls (srd35.object.*, pf1.object.*)
# An object is a combatant whose sheet has a `thing`: it never acts, is attacked at a separate AC, and is
# destroyed at 0 hit points.

THINGS: Final = "object.things-table"
SUBSTANCES: Final = "object.substance-table"
BREAKING: Final = "object.break-table"
#: Damage from a distance that is no energy.
MISSILE: Final = "ranged_weapon"
#: Damage that objects divide before hardness.
DIVIDED: Final = ENERGY | {MISSILE}
OBJECT_CREATURE_MEDIUM: Final = SIZES.index("medium")


def of_substance(fight: Fight, thing: Thing, table: str) -> tuple[int, int]:
    """Return the hardness and the hit points of a substance of the object's thickness. Refuses unknown
    substances.

    srd35.object.substance-table, pf1.object.tables-ref, futurepath.table.substance-hardness-hp.
    """
    row = next((one for one in fight.figure(table) if one["substance"] == thing.substance), None)
    if row is None:
        raise Refusal(f"no table has a substance {thing.substance!r}", fight.rule(table))
    return int(row["hardness"]), int(row["hp_per_inch"]) * thing.inches


def doors_on_map(fight: Fight) -> list[Combatant]:
    """Return the doors on the map: objects by a door's row of the table.

    srd35.object.things-table, pf1.object.tables-ref.
    """
    return [
        one
        for one in fight.state.combatants.values()
        if one.sheet.thing is not None and "door" in one.sheet.thing.table and "dead" not in one.conditions
    ]


def thing_from_table(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet of an object with hardness, hit points and breaking DC, and their rules.

    By the table of things, or by its substance and thickness. Hit points other than 1 are the sheet's own
    (srd35.object.things-table, srd35.object.substance-table, pf1.object.tables-ref).
    """
    thing = sheet.thing
    if thing is None:
        return sheet, ()
    topics: list[str] = []
    hardness, hp = thing.hardness, 0
    dc: int | str = thing.break_dc
    if thing.table:
        row = next((one for one in fight.figure(THINGS) if one["object"] == thing.table), None)
        if row is not None:
            topics.append(THINGS)
            hardness, hp, dc = row["hardness"], row["hp"], row["break_dc"]
        elif thing.table in fight.figure(BREAKING):
            dc = thing.table
        else:
            raise Refusal(f"no table of things has a {thing.table!r}", fight.rule(THINGS))
        if isinstance(dc, str):  # it is an entry of the table of breaking DCs
            topics.append(BREAKING)
            dc = fight.figure(BREAKING, dc)
    if thing.substance:
        topics.append(SUBSTANCES)
        hardness, hp = of_substance(fight, thing, SUBSTANCES)
    thing = Thing(**{**asdict(thing), "hardness": hardness, "break_dc": dc})
    if hp and sheet.hp not in (1, hp):
        raise Refusal(f"{sheet.name} has {counted(hp, 'hit point')}, not {sheet.hp}", fight.rule(topics[0]))
    return replace(sheet, kind="object", hp=hp or sheet.hp, thing=thing), fight.rules(*topics)


def defense_parts(fight: Fight, blow: Blow, detail: str) -> list[Modifier]:
    """Return the defense of an object: no Dexterity and no motion (srd35.object.ac, pf1.object.ac)."""
    if blow.target.sheet.thing is None:
        return []
    return [
        fight.modifier("object.ac", "dexterity", kind="ability", source="Dexterity 0"),
        fight.modifier("object.ac", "inert", kind="penalty", source="inanimate"),
    ]


def reduce_by_hardness(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage left after an object's nature and hardness, and what absorbed the rest.

    Energy and missiles are divided before hardness is taken off; adamantine ignores hardness below its own,
    a ruling may ignore all of it.
    There is no nonlethal damage (srd35.object.*, srd35.energy.vs-objects-order, pf1.object.energy,
    pf1.object.tables-ref, pf1.nonlethal.immune).
    """
    thing = harm.target.sheet.thing
    assert thing is not None
    if harm.nonlethal:
        harm.reduced_by += fight.rules("object.immunities")
        return 0, "no nonlethal damage to things"
    amount, said = harm.amount, []
    kinds = energies_of(harm)
    physical = amount - sum(kinds.values())
    if harm.ranged and physical:
        kinds = {**kinds, MISSILE: physical}
    for kind, dealt in kinds.items():
        if kind not in DIVIDED:
            continue
        harm.reduced_by += fight.rules("object.energy")
        left = share_on_thing(fight, kind, dealt)
        if left != dealt:
            amount -= dealt - left
            said.append(f"{kind.replace('_', ' ')} against a thing: {left}")
            if thing.hardness:
                harm.reduced_by += fight.rules("energy.vs-objects-order") if kind != MISSILE else ()
    hardness = thing.hardness
    if hardness and harm.past_hardness:
        harm.reduced_by += fight.rules("object.immunities")
        hardness = 0
    if hardness and cuts_through(fight, harm.weapon, hardness):
        harm.reduced_by += fight.rules("weapons.special-materials")
        hardness = 0
    if hardness:
        harm.reduced_by += fight.rules("object.hardness")
        said.append(f"hardness {hardness}")
    return max(0, amount - hardness), "; ".join(said)


def share_on_thing(fight: Fight, kind: str, amount: int) -> int:
    """Return an object's share of an energy, or of a missile's damage, before hardness.

    srd35.object.energy, pf1.object.energy.
    """
    return int(amount * fight.figure("object.energy", kind)) if kind in DIVIDED else amount


def cuts_through(fight: Fight, weapon: Weapon | None, hardness: int) -> bool:
    """Return whether a weapon of adamantine ignores a hardness (srd35.weapons.special-materials).

    pf1.object.tables-ref.
    """
    if weapon is None or "adamantine" not in (weapon.material, *weapon.traits):
        return False
    return bool(hardness < fight.figure("weapons.special-materials", "adamantine", "ignores_hardness_below"))


def ruin(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Return the steps that destroy an object at 0 hit points.

    srd35.object.hardness, pf1.object.ac, futurepath.assumed.destroyed.
    """
    return change_health(fight, target, "dead", "ruined", "object.ruined")


def burst(fight: Fight, act: acts.Burst) -> Steps[None]:
    """Break an object with sudden force: a Strength check as a standard action.

    Size counts four a category, tools and one helper two; the loss of half its hit points makes it easier,
    the stronger spell upon it harder (srd35.object.break-table, srd35.object.break-size,
    pf1.object.tables-ref).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule, size = fight.rule(BREAKING), "object.break-size"
    thing = target.sheet.thing
    if thing is None or not thing.break_dc or "dead" in target.conditions:
        raise Refusal(f"{target.id} cannot be broken by force", rule)
    refuse_apart(actor, target, rule)
    dc, cites = thing.break_dc, [rule]
    if target.hp * 2 <= target.max_hp:
        dc += fight.figure(BREAKING, "damaged")
    spells = (spell for spell in ("hold portal", "arcane lock") if spell in target.sheet.traits)
    dc += max((fight.figure(BREAKING, spell) for spell in spells), default=0)
    parts = [Modifier(ability(actor.sheet, "str"), "ability", "Strength", rule)]
    parts += lowered(fight, actor, "str")
    steps = size_step(actor) - OBJECT_CREATURE_MEDIUM
    if steps:
        per = fight.figure(size, "per_category")
        parts.append(Modifier(per * steps, "size", actor.sheet.size, fight.rule(size)))
    if act.tool:
        parts.append(fight.modifier(size, act.tool, kind="circumstance", source=act.tool))
        parts += fight.dialect.gear.tool_parts(fight, actor, act.tool)
    if act.helpers > 0:
        parts.append(fight.modifier(size, "helper", kind="circumstance", source="a second pair of hands"))
    yield spending(fight, actor, "standard", "burst", rule)
    if (yield from check(fight, actor, "strength", parts, dc, *cites, why=f"to break {target.id}")):
        yield from change_health(fight, target, "dead", f"broken by {actor.id}", BREAKING)


# --- A weapon's damage to a held or worn item (srd35.sunder.success, pf1.sunder)


class Battering(Struct, frozen=True, gc=False):
    """The damage of a blow to an object: its dice and flat parts, the total, the part that passes hardness.

    `before` are the hit points that the object had, `through` may be more; `cites` are the rules.
    """

    dice: tuple[DamagePart, ...]
    tally: Tally
    total: int
    hardness: int
    before: int
    through: int
    cites: tuple[str, ...]

    @property
    def dealt(self) -> int:
        """Return the hit points that the object loses."""
        return min(self.before, self.through)

    @property
    def left(self) -> int:
        """Return the hit points that the object has then."""
        return self.before - self.dealt


def batter(
    fight: Fight, blow: Blow, item: str, thing: Durability, own: Iterable[Modifier] = ()
) -> Steps[Battering]:
    """Roll a weapon's damage to an object; hardness is taken off, for energy after the object's share.

    `own` are further flat parts. There are no critical hits against an object, and no nonlethal damage
    (srd35.damage.minimum, srd35.object.immunities, srd35.object.hardness, srd35.object.energy,
    pf1.nonlethal.immune, pf1.object.tables-ref, pf1.object.energy).
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    parts = [*damage_bonus(fight, blow), *condition_parts(fight, attacker, "damage")]
    parts += [*effect_parts(attacker, "damage", target.id), *strength_shifts(fight, blow), *own]
    tally = fight.stack(parts)
    rolled = yield Roll(attacker.id, "damage", weapon.damage)
    least = fight.figure("damage.minimum", "min")
    total = rolled.total + tally.total
    harmless = blow.intent.nonlethal or (total < least and minimum_is_nonlethal(fight))
    total = max(least, total)
    dice = [DamagePart(weapon.damage, rolled.key, rolled.total, weapon.damage_type, weapon.name)]
    through, topics = total, list[str]()
    for extra in weapon.extra:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        dice.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
        through += share_on_thing(fight, extra.kind, rolled.total)
        topics += ["object.energy"] if extra.kind in ENERGY else []
    hardness = 0 if cuts_through(fight, weapon, thing.hardness) else thing.hardness
    topics = (["object.hardness"] if hardness else []) + topics
    topics += ["weapons.special-materials"] if hardness != thing.hardness else []
    topics += ["object.immunities"] if harmless else []
    before = thing.hp - target.resources.get(f"damage to {item}", 0)
    through = 0 if harmless else max(0, through - hardness)
    return Battering(tuple(dice), tally, total, hardness, before, through, fight.rules(*topics))


def item_struck(blow: Blow, item: str, found: Battering, dealt: int, *cites: str) -> ItemStruck:
    """Return the fact of the hit points that an object lost by a blow."""
    return ItemStruck(
        attacker=blow.attacker.id,
        bearer=blow.target.id,
        item=item,
        weapon=blow.weapon.name,
        dice=found.dice,
        modifiers=found.tally.parts,
        total=found.total,
        hardness=found.hardness,
        dealt=dealt,
        left=found.before - dealt,
        cites=tuple(dict.fromkeys((*cites, *found.cites))),
    )


def carry_over(fight: Fight, blow: Blow, item: str, amount: int, rule: str) -> Steps[None]:
    """Deal the damage in excess of an object's hit points to its bearer, by a rule.

    woa.maneuver.sunder.improved-sunder-overflow, pf1.feat.maneuver-greater.
    """
    weapon = blow.weapon
    nonlethal = weapon.wield == "unarmed" or "nonlethal" in weapon.traits
    harm = Harm(blow.target, amount, weapon.damage_type, weapon.name, blow.attacker, weapon, nonlethal)
    yield amount_dealt(fight, harm, (), rule, why=f"through the {item}")
    yield from fight.dialect.damage.suffer(fight, harm)


def roll_blow_at_item(
    fight: Fight, blow: Blow, item: str, defense: Iterable[Modifier], *cites: str
) -> Steps[bool]:
    """Roll a blow against the defense of its target's item; return whether it hits.

    srd35.sunder.carried-object, futurepath.object.defense.held-carried-worn.
    """
    attacks = fight.dialect.attacks
    parts = [
        *attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *attacks.attack_situation(fight, blow),
    ]
    bonus, against = attacks.stack(fight, parts), attacks.stack(fight, list(defense))

    def judge(key: str, natural: int) -> AttackResolved:
        total, needed = natural + bonus.total, against.total
        hit = reaches_or_natural(fight, natural, total, needed)
        return AttackResolved(
            attacker=blow.attacker.id,
            target=blow.target.id,
            weapon=blow.weapon.name,
            mode="melee",
            against=f"the {item}",
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if hit else "miss",
            why=f"{total} against {needed}",
            attack=bonus.parts,
            defense=against.parts,
            cites=tuple(dict.fromkeys((*cites, *bonus.cites, *against.cites))),
        )

    fact: AttackResolved = yield from judged(
        blow.attacker.id, "attack", judge, fight.dialect.attacks.test_dice(fight, blow.attacker, "attack")
    )
    return fact.result == "hit"
