"""Implement objects in futurepath: handling them, doors, Defense, damage.

futurepath.action.manipulate-objects
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import asdict, replace

from affray.engine.dialects.futurepath.conditions import DEGREES, OF_HELD
from affray.engine.dialects.futurepath.contested import in_force, old_only
from affray.engine.dialects.futurepath.defense import AJAR, CARRIED, COVERS, NONE, OPEN, is_closed
from affray.engine.dialects.futurepath.turns.flow import provokes_by_row
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.places import distance, refuse_apart
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.abilities import ability_now, lowered
from affray.engine.rules.classes.checks import check
from affray.engine.rules.classes.sheets import (
    ability,
    has_feat,
    has_trait,
    trait_detail,
    wielded_in_two_hands,
)
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.damage.damage import energies_of
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.gear.handling import HELD as shared_HELD
from affray.engine.rules.gear.handling import refuse_to_handle
from affray.engine.rules.gear.objects import make_door_fact, of_substance, refuse_door_between
from affray.engine.rules.gear.others_things import pick_up
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.position.places import holders_of
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SIZES, Modifier, Sheet, Thing, Weapon
from affray.projections.state import Combatant

# --- Doors on the map: opened and closed, passable or not
#
# futurepath.action.manipulate-objects, futurepath.action.open-door-slowly.

#: The suffix of the rows of doors in the table of objects, and the trait of other objects that open and
#: close.
DOOR: Final = "door"


def door_named(fight: Fight, name: str) -> Combatant | None:
    """Return the door on the map with that name; None for other objects and doors that are not on it."""
    thing = fight.state.combatants.get(name)
    if thing is None or thing.sheet.thing is None or trait_detail(thing, "carried by"):
        return None
    return thing if has_trait(thing, DOOR) or thing.sheet.thing.table.endswith(DOOR) else None


def doors_on_map(fight: Fight) -> list[Combatant]:
    """Return the doors on the map, open or closed, except broken ones."""
    named = (door_named(fight, id) for id in fight.state.combatants)
    return [one for one in named if one is not None and "dead" not in one.conditions]


def refuse_door(fight: Fight, actor: Combatant, act: acts.Handle, rule: str) -> None:
    """Refuse a door that is out of reach, broken, already in the wanted state, or occupied."""
    door = door_named(fight, act.item)
    if door is None or act.what not in ("open", "close"):
        return
    if "dead" in door.conditions:
        raise Refusal(f"the {door.id} is in pieces: there is nothing to {act.what}", rule)
    if distance(actor, door) > SQUARE_FT:
        raise Refusal(f"{actor.id} does not stand next to the {door.id}", rule)
    if act.what == "open" and OPEN in door.conditions:
        raise Refusal(f"the {door.id} is open already", rule)
    if act.what == "close" and not {OPEN, AJAR}.intersection(door.conditions):
        raise Refusal(f"the {door.id} is closed already", rule)
    for one in holders_of(fight, door, door.at, door.space, door.space):
        if act.what == "close":
            raise Refusal(f"{one.id} stands in the {door.id}", rule)


def swing(
    door: Combatant, actor: Combatant, what: str, rule: str
) -> Iterator[ConditionGained | ConditionLost]:
    """Yield that a door is open, or that it is no longer open or ajar."""
    for name in (AJAR, OPEN):
        if name in door.conditions:
            yield ConditionLost(who=door.id, condition=name, why=f"{actor.id} moves it", cites=(rule,))
    if what == "open":
        yield ConditionGained(who=door.id, condition=OPEN, source=actor.id, cites=(rule,))


def refuse_closed(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Sequence[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a square with a closed door, which blocks the way (futurepath.assumed.ground)."""
    for one in others:
        if is_closed(fight, one):
            reason = f"the {one.id} bars the way at {at[0]},{at[1]}"
            raise Refusal(reason, fight.rule("futurepath.assumed.ground"))


def without_open_doors(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    how: str,
    found: list[Combatant],
) -> list[Combatant]:
    """Return the creatures in the way, without open doors, which block none (futurepath.assumed.ground)."""
    return [one for one in found if not stands_open(one)]


def stands_open(thing: Combatant) -> bool:
    """Return whether a thing is an open door, which others may pass and stay in."""
    return thing.sheet.thing is not None and OPEN in thing.conditions


# --- The Defense of objects: by size, and of those held, carried or worn (futurepath.object.defense.*)

OBJECT_DEFENSE_TABLE: Final = "futurepath.table.object-size-defense"
SIZE: Final = "futurepath.assumed.weapon-size"
HELD: Final = "futurepath.object.defense.held-carried-worn"


def get_size_trait_of(weapon: Weapon) -> str:
    """Return the size of a weapon in its traits, "" if they name none."""
    return next((one for one in weapon.traits if one in SIZES), "")


def rules_of_sizes(*weapons: Weapon) -> tuple[str, ...]:
    """Return the topic of the rule for inferring sizes from how weapons are wielded, if any size
    is inferred.
    """
    return () if all(get_size_trait_of(one) for one in weapons) else (SIZE,)


def weapon_size(fight: Fight, wielder: Combatant, weapon: Weapon) -> str:
    """Return the size of a weapon itself: from its traits ("tiny"), otherwise from how it is wielded.

    futurepath.assumed.weapon-size: a light weapon is one size smaller than its intended wielder.
    """
    if told := get_size_trait_of(weapon):
        return told
    how: str = weapon.wield
    if how == "projectile":
        how = "projectile, two hands" if wielded_in_two_hands(weapon) else "projectile, one hand"
    made_for = SIZES.index(weapon.size or wielder.sheet.size)
    step = int(fight.figure(SIZE, how))
    return SIZES[min(max(made_for + step, 0), len(SIZES) - 1)]


def base_defense(fight: Fight, size: str) -> Modifier:
    """Return the Defense of an unattended object of a size (futurepath.table.object-size-defense)."""
    return fight.modifier(
        OBJECT_DEFENSE_TABLE, f"size={size}", "defense", kind="base", source=f"{size} object"
    )


def defense_of_carried(fight: Fight, holder: Combatant, size: str) -> list[Modifier]:
    """Return the Defense of an object of a size that a combatant holds, carries or wears.

    futurepath.object.defense.held-carried-worn: the table's Defense and 5, the holder's Dexterity, any
    modifier that the game master has declared for it, and the class bonus.
    """
    rule = fight.rule(HELD)
    parts = [base_defense(fight, size), fight.modifier(HELD, "added", kind="held", source=f"of {holder.id}")]
    dexterity = ability_now(fight, holder, "dex")
    if dexterity:
        parts.append(Modifier(dexterity, "ability", f"Dexterity of {holder.id}", rule))
    parts += condition_parts(fight, holder, OF_HELD)
    parts += [
        Modifier(bonus.value, "class", bonus.source or "class", rule)
        for bonus in holder.sheet.armor
        if bonus.kind == "class"
    ]
    return parts


#: What can be done with an object, by its row in the table of move actions.
ROWS = {
    "pick-up": "pick up an object",
    "retrieve": "retrieve a stored object",
    "move": "use a piece of equipment",
    "move-heavy": "move a heavy object",
    "open": "open a door slowly",
    "close": "open a door slowly",
}
#: Names of rows in the old rules that differ.
OLD_ROWS = {"open": "open a door", "close": "open a door"}
#: Words for handling an object that does not change hands.
DONE = {"move": "handles", "move-heavy": "moves", "open": "opens", "close": "closes"}
OBJECTS = "futurepath.action.manipulate-objects"


def handle(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Pick up, retrieve, use, move, open or close an object: a move action that may provoke, by the table.

    A door on the map is then open or closed (futurepath.action.manipulate-objects,
    futurepath.action.open-door-slowly, futurepath.table.actions.move).
    """
    actor = fight.combatant(act.actor)
    rule = in_force(fight, OBJECTS, {"what is done": act.what})
    refuse_to_handle(fight, actor, act, fight.rule(OBJECTS))
    refuse_door(fight, actor, act, rule)
    refuse_door_between(fight, actor, act, rule)
    row = OLD_ROWS.get(act.what, ROWS[act.what]) if old_only(fight) else ROWS[act.what]
    provokes, table = provokes_by_row(fight, "futurepath.table.actions.move", row)
    yield spending(fight, actor, "move", f"{act.what}: {act.item}", rule, table)
    if provokes:
        opportunity = f"handle:{fight.declaration}"
        why = f"handles the {act.item}"
        yield from fight.dialect.opportunity.provoke(
            fight, actor, threatening(fight, actor), why, opportunity, rule, table
        )
    if is_down(fight, actor):
        return
    if act.what == "pick-up":
        yield from pick_up(fight, actor, act.item, shared_HELD, (rule,))
    elif act.what == "retrieve":
        yield ItemChanged(who=actor.id, item=act.item, state=shared_HELD, cites=(rule,))
    else:
        yield RuleApplied(who=actor.id, what=f"{DONE[act.what]} the {act.item}", cites=(rule,))
        door = door_named(fight, act.item)
        if door is not None and act.what in ("open", "close"):
            yield from swing(door, actor, act.what, rule)
        yield from make_door_fact(fight, actor, act, rule)


# --- The sheets of objects, with hardness, hit points and break DC of the tables (futurepath.object.*)

SHEETS_OF_THINGS_TABLE: Final = "futurepath.table.object-hardness-hp-break"
SUBSTANCES: Final = "futurepath.table.substance-hardness-hp"
LEAST: Final = "futurepath.object.manufactured-minimum-values"
#: The name in the table for a manufactured object, before its size.
MADE: Final = "manufactured"
#: The figures of an object in words.
WORDS: Final = {"hardness": "a hardness", "hp": "hit points", "break_dc": "a break DC"}


def thing_from_table(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet of an object with hardness, hit points and break DC, and their rules.

    They come from its row, its size as "manufactured", or its substance and thickness. Figures of
    manufactured objects are minimums: the sheet may give higher ones (futurepath.object.hit-points.source,
    futurepath.object.manufactured-minimum-values, futurepath.table.object-hardness-hp-break,
    futurepath.table.substance-hardness-hp).
    """
    thing = sheet.thing
    refuse_unknown_degree(fight, sheet)
    if thing is None:
        return sheet, ()
    topics: list[str] = []
    hardness, hp, dc = thing.hardness, 0, thing.break_dc
    if thing.table:
        row = row_of_thing(fight, thing.table, sheet.size)
        said = {"hardness": hardness, "hp": sheet.hp if sheet.hp > 1 else 0, "break_dc": dc}
        topics.append(SHEETS_OF_THINGS_TABLE)
        if row["object"].startswith(MADE):
            more = [most(fight, sheet.name, word, figure, int(row[word])) for word, figure in said.items()]
            topics += [LEAST] if more != [row[word] for word in said] else []
            hardness, hp, dc = more
        else:
            hardness, hp, dc = (
                agreed(fight, sheet.name, word, figure, int(row[word])) for word, figure in said.items()
            )
    if thing.substance:
        topics.append(SUBSTANCES)
        hardness, hp = of_substance(fight, thing, SUBSTANCES)
    if topics:
        topics.append("futurepath.object.hit-points.source")
    made = Thing(**{**asdict(thing), "hardness": hardness, "break_dc": dc})
    return replace(sheet, kind="object", hp=hp or sheet.hp, thing=made), fight.rules(*topics)


def refuse_unknown_degree(fight: Fight, sheet: Sheet) -> None:
    """Refuse a trait "covers (DEGREE)" on a creature, or with an unknown degree.

    futurepath.cover.degree-assessment
    """
    for told in details_of(COVERS, sheet.traits):
        if sheet.thing is None or told not in (*DEGREES, NONE):
            trait, rule = f"covers ({told})", fight.rule("futurepath.cover.degree-assessment")
            if sheet.thing is None:
                raise Refusal(f"{sheet.name} is not a thing and cannot have the trait {trait!r}", rule)
            meant = did_you_mean(told, (*DEGREES, NONE))
            raise Refusal(
                f"{sheet.name} cannot have the trait {trait!r}: things cover by degree{meant}", rule
            )


def row_of_thing(fight: Fight, name: str, size: str) -> JsonObject:
    """Return the row of an object in the table; "manufactured" ones have a row by size.

    Refuse unknown ones.
    """
    wanted = f"{MADE}, {size}" if name == MADE else name
    row: JsonObject | None = next(
        (one for one in fight.figure(SHEETS_OF_THINGS_TABLE) if one["object"] == wanted), None
    )
    if row is None:
        known = (str(one["object"]) for one in fight.figure(SHEETS_OF_THINGS_TABLE))
        raise unknown_word("thing in the table of objects", wanted, known, fight.rule(SHEETS_OF_THINGS_TABLE))
    return row


def most(fight: Fight, name: str, word: str, said: int, least: int) -> int:
    """Return the sheet's figure, or the table's. Refuse less than the minimum for manufactured objects."""
    if said and said < least:
        raise Refusal(f"{name} has {WORDS[word]} of at least {least}, not {said}", fight.rule(LEAST))
    return max(said, least)


def agreed(fight: Fight, name: str, word: str, said: int, figure: int) -> int:
    """Return a figure of the table. Refuse a sheet that contradicts it."""
    if said not in (0, figure):
        raise Refusal(f"{name} has {WORDS[word]} of {figure}, not {said}", fight.rule(SHEETS_OF_THINGS_TABLE))
    return figure


# --- Objects: doors, locks, things lying or standing about, or carried (futurepath.object.*)
# An object is a combatant whose sheet has a `thing`. One with the trait "carried by (NAME)" is held, carried
# or worn by that combatant.

#: The rules that divide the damage of an energy to objects, and the energies that are not divided.
DIVIDED: Final = {
    "electricity": "futurepath.object.energy.electricity-fire",
    "fire": "futurepath.object.energy.electricity-fire",
    "cold": "futurepath.object.energy.cold",
}
WHOLE: Final = ("acid", "sonic", "concussion")


def bearer_of(fight: Fight, thing: Combatant) -> Combatant | None:
    """Return the combatant that holds, carries or wears a thing; None if there is none."""
    return fight.state.combatants.get(trait_detail(thing, CARRIED))


def defense_of_thing(fight: Fight, blow: Blow, parts: Sequence[Modifier]) -> tuple[Modifier, ...]:
    """Return the Defense of a thing: from its size, and from its bearer.

    futurepath.object.defense.base, futurepath.table.object-size-defense,
    futurepath.object.defense.held-carried-worn, futurepath.size.categories-differ-for-objects
    """
    thing = blow.target
    topics = [
        "futurepath.object.attack-breaking",
        "futurepath.object.defense.base",
        "futurepath.size.categories-differ-for-objects",
    ]
    bearer = bearer_of(fight, thing)
    blow.cites += [rule for rule in fight.rules(*topics) if rule not in blow.cites]
    if bearer is not None:
        return tuple(defense_of_carried(fight, bearer, thing.sheet.size))
    return (base_defense(fight, thing.sheet.size),)


def provoke_bearer(fight: Fight, blow: Blow, declaration: str, delivering: Steps[bool]) -> Steps[bool]:
    """Let the bearer of a thing strike an attacker without the feat Sunder first.

    futurepath.object.attack.held-provokes, futurepath.action.attack-object.provokes-if-attended
    """
    bearer = bearer_of(fight, blow.target)
    attacker = blow.attacker
    if bearer is not None and threatens(fight, bearer, attacker) and not has_feat(attacker, "sunder"):
        cites = fight.rules(
            "futurepath.object.attack.held-provokes", "futurepath.action.attack-object.provokes-if-attended"
        )
        why = f"strikes at the {blow.target.id} of {bearer.id}"
        yield from fight.dialect.opportunity.provoke(
            fight, attacker, [bearer], why, f"object:{declaration}", *cites
        )
        if is_down(fight, attacker):
            return False
    return (yield from delivering)


def no_threat_to_things(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return that hits on a thing never threaten a critical hit (futurepath.object.immunities)."""
    if natural >= blow.weapon.threat:
        blow.cites.append(fight.rule("futurepath.object.immunities"))
    return False


def deal_to_thing(fight: Fight, blow: Blow, critical: bool, dealing: Steps[None]) -> Steps[None]:
    """Deal a hit's damage to a thing, if the game master finds the weapon effective.

    futurepath.object.ineffective-weapons
    """
    if (yield from is_effective(fight, blow.weapon, blow.target.id)):
        yield from dealing


def is_effective(fight: Fight, weapon: Weapon, thing: str) -> Steps[bool]:
    """Ask the game master whether a weapon can damage a thing; an ineffective one is reported.

    futurepath.object.ineffective-weapons
    """
    rule = fight.rule("futurepath.object.ineffective-weapons")
    question = f"a {weapon.damage_type} {weapon.name} against the {thing}: does it do damage?"
    if (yield Choice("", "effective", question, ("effective", "ineffective"), rule)) == "effective":
        return True
    yield RuleApplied(who="", what=f"the {weapon.name} can do nothing to the {thing}", cites=(rule,))
    return False


def through_hardness(
    fight: Fight, amount: int, energies: dict[str, int], hardness: int, said: list[str]
) -> tuple[int, list[str]]:
    """Return the damage to a thing after hardness, and the topics of the rules that applied.

    Electricity and fire are halved, cold is quartered, before hardness; the reasons are added to `said`
    (futurepath.object.energy.electricity-fire, .cold, .acid-sonic, futurepath.object.hardness).
    """
    topics: list[str] = []
    for kind, dealt in energies.items():
        if kind in DIVIDED:
            left = dealt // int(fight.figure(DIVIDED[kind], "divisor"))
            topics.append(DIVIDED[kind])
            said.append(f"{kind} against a thing: {left}")
            amount -= dealt - left
        elif kind in WHOLE:
            topics.append("futurepath.object.energy.acid-sonic")
    if hardness:
        topics.append("futurepath.object.hardness")
        said.append(f"hardness {hardness}")
    return max(0, amount - hardness), topics


def reduce_to_thing(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return the damage that a thing's nature and hardness leave, and what reduced it.

    futurepath.object.immunities, futurepath.object.hardness, futurepath.object.energy.acid-sonic
    """
    thing = harm.target.sheet.thing
    assert thing is not None
    if harm.nonlethal:
        harm.reduced_by += fight.rules("futurepath.object.immunities")
        return 0, "no nonlethal damage to things"
    energies = energies_of(harm)
    if harm.damage_type in WHOLE:
        energies = {harm.damage_type: harm.amount, **energies}
    said: list[str] = []
    left, topics = through_hardness(fight, harm.amount, energies, thing.hardness, said)
    harm.reduced_by += fight.rules(*topics)
    return left, "; ".join(said)


def save_of_thing(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; an attended thing saves as its bearer does.

    futurepath.object.saves.attended
    """
    bearer = bearer_of(fight, combatant)
    if bearer is None:
        return parts
    rule = fight.rule("futurepath.object.saves.attended")
    own = fight.dialect.classes.save_bonus(fight, bearer, kind)
    return [*own, Modifier(0, "untyped", f"as {bearer.id}", rule)]


def never_saves(fight: Fight, combatant: Combatant) -> str:
    """Return the topic by which a saving throw fails without a roll: for unattended things.

    futurepath.object.saves.unattended
    """
    if combatant.sheet.thing is None or bearer_of(fight, combatant) is not None:
        return ""
    return "futurepath.object.saves.unattended"


def break_by_force(fight: Fight, act: acts.Burst) -> Steps[None]:
    """Break a thing with sudden force: a Strength check against its break DC, an attack action.

    It is easier by 2 once the thing has lost half of its hit points (futurepath.object.break,
    .damaged-easier, futurepath.object.attack-breaking).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule, easier = fight.rule("futurepath.object.break"), "futurepath.object.break.damaged-easier"
    thing = target.sheet.thing
    if thing is None or not thing.break_dc or "dead" in target.conditions:
        raise Refusal(f"{target.id} cannot be broken by force", rule)
    refuse_apart(actor, target, rule)
    dc = thing.break_dc
    cites: tuple[str, ...] = (rule,)
    if target.hp * 2 <= target.max_hp:
        dc += int(fight.figure(easier, "dc_modifier"))
        cites = (rule, fight.rule(easier))
    breaking = fight.rules("futurepath.object.attack-breaking", "futurepath.action.attack.definition")
    yield spending(fight, actor, "standard", "break", rule, *breaking)
    parts = [
        Modifier(ability(actor.sheet, "str"), "ability", "Strength", rule),
        *lowered(fight, actor, "str"),
    ]
    if (yield from check(fight, actor, "strength", parts, dc, *cites, why=f"to break {target.id}")):
        yield from change_health(fight, target, "dead", f"broken by {actor.id}", "futurepath.object.break")
