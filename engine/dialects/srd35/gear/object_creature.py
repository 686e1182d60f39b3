"""Things that stand by themselves: doors, chests, walls (srd35.object.*).

A thing takes the place of a combatant whose sheet has a `thing`: it acts never, is hit at an AC of its own,
and comes to nothing at 0 hit points.
"""

from typing import Any, Final

from msgspec.structs import asdict, replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import ability, size_step, trait_detail
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.position.place import next_to
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SIZES, Sheet, Thing
from affray.projections.state import Combatant

THINGS: Final = "srd35.object.things-table"
SUBSTANCES: Final = "srd35.object.substance-table"
BREAKING: Final = "srd35.object.break-table"
MEDIUM: Final = SIZES.index("medium")


def thing_from_table(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet of a thing with hardness, hit points and breaking DC, and the rules they come from.

    By the table of things, or by its substance and thickness. Hit points other than 1 are the sheet's own.
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
        if isinstance(dc, str):  # the entry of the table of breaking DCs that it is
            topics.append(BREAKING)
            dc = fight.figure(BREAKING, dc)
    if thing.substance:
        substances = {one["substance"]: one for one in fight.figure(SUBSTANCES)}
        if thing.substance not in substances:
            raise Refusal(f"no table has a substance {thing.substance!r}", fight.rule(SUBSTANCES))
        row = substances[thing.substance]
        topics.append(SUBSTANCES)
        hardness, hp = row["hardness"], row["hp_per_inch"] * thing.inches
    thing = Thing(**{**asdict(thing), "hardness": hardness, "break_dc": dc})
    if hp and sheet.hp not in (1, hp):
        raise Refusal(f"{sheet.name} has {hp} hit points, not {sheet.hp}", fight.rule(topics[0]))
    return replace(sheet, kind="object", hp=hp or sheet.hp, thing=thing), fight.rules(*topics)


def defense_parts(fight: Fight, blow: Blow, detail: str) -> list[Modifier]:
    """Return what makes a thing easy to hit: no Dexterity and no motion (srd35.object.ac)."""
    if blow.target.sheet.thing is None:
        return []
    return [
        fight.modifier("srd35.object.ac", "dexterity", kind="ability", source="Dexterity 0"),
        fight.modifier("srd35.object.ac", "inert", kind="penalty", source="inanimate"),
    ]


def reduce_by_hardness(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what a thing's nature and hardness leave of damage, and what took the rest.

    Energy and missiles are divided before hardness is taken off; adamantine cuts through hardness below its
    own. Nonlethal damage is none (srd35.object.*, srd35.energy.vs-objects-order).
    """
    thing = harm.target.sheet.thing
    assert thing is not None
    if harm.nonlethal:
        harm.reduced_by += fight.rules("srd35.object.immunities")
        return 0, "no nonlethal damage to things"
    amount, said = harm.amount, []
    kind = harm.damage_type if harm.energy else "ranged_weapon" if harm.ranged else ""
    parts = fight.figure("srd35.object.energy")
    if kind in parts:
        harm.reduced_by += fight.rules("srd35.object.energy")
        if parts[kind] != 1:
            amount = int(amount * parts[kind])
            said.append(f"{kind.replace('_', ' ')} against a thing: {amount}")
            if thing.hardness:
                harm.reduced_by += fight.rules("srd35.energy.vs-objects-order") if harm.energy else ()
    hardness = thing.hardness
    if hardness and cuts_through(fight, harm.weapon, hardness):
        harm.reduced_by += fight.rules("srd35.weapons.special-materials")
        hardness = 0
    if hardness:
        harm.reduced_by += fight.rules("srd35.object.hardness")
        said.append(f"hardness {hardness}")
    return max(0, amount - hardness), "; ".join(said)


def cuts_through(fight: Fight, weapon: Any, hardness: int) -> bool:
    """Say whether a weapon of adamantine ignores a hardness (srd35.weapons.special-materials)."""
    if weapon is None or weapon.material != "adamantine":
        return False
    return bool(
        hardness < fight.figure("srd35.weapons.special-materials", "adamantine", "ignores_hardness_below")
    )


def ruin(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Return what makes a ruin of a thing at 0 hit points (srd35.object.hardness)."""
    return change_health(fight, target, "dead", "ruined", "srd35.object.hardness")


def object_save(fight: Fight, combatant: Combatant, kind: str, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a saving throw; a thing's are its bearer's, or those of its magic if better.

    srd35.object.saves.
    """
    thing = combatant.sheet.thing
    if thing is None:
        return parts
    ways = []
    bearer = fight.state.combatants.get(trait_detail(combatant, "carried by"))
    if bearer is not None:
        ways.append(fight.dialect.classes.save_bonus(fight, bearer, kind))
    if thing.caster_level:
        base = fight.formula("srd35.object.saves", "magic_save")
        value = base + thing.caster_level // 2
        ways.append([Modifier(value, "base", "magic item", fight.rule("srd35.object.saves"))])
    return max(ways, key=lambda parts: sum(part.value for part in parts), default=[])


def saves_never(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the rule by which a saving throw fails unrolled: for mundane things."""
    thing = combatant.sheet.thing
    if thing is None or thing.caster_level or trait_detail(combatant, "carried by"):
        return ""
    return "srd35.object.saves"


def burst(fight: Fight, act: acts.Burst) -> Steps[None]:
    """Break a thing with sudden force: a Strength check as a standard action.

    Size counts four a category, tools and one helper two; half its hit points gone makes it easier, the
    stronger spell upon it harder (srd35.object.break-table, srd35.object.break-size).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule, size = fight.rule(BREAKING), "srd35.object.break-size"
    thing = target.sheet.thing
    if thing is None or not thing.break_dc or "dead" in target.conditions:
        raise Refusal(f"{target.id} is nothing to be broken by force", rule)
    if not next_to(actor, target):
        raise Refusal(f"{actor.id} does not stand next to {target.id}", rule)
    dc, cites = thing.break_dc, [rule]
    if target.hp * 2 <= target.max_hp:
        dc += fight.figure(BREAKING, "damaged")
    spells = (spell for spell in ("hold portal", "arcane lock") if spell in target.sheet.traits)
    dc += max((fight.figure(BREAKING, spell) for spell in spells), default=0)
    parts = [Modifier(ability(actor.sheet, "str"), "ability", "Strength", rule)]
    parts += lowered(fight, actor, "str")
    steps = size_step(actor) - MEDIUM
    if steps:
        per = fight.figure(size, "per_category")
        parts.append(Modifier(per * steps, "size", actor.sheet.size, fight.rule(size)))
    if act.tool:
        parts.append(fight.modifier(size, act.tool, kind="circumstance", source=act.tool))
    if act.helpers > 0:
        parts.append(fight.modifier(size, "helper", kind="circumstance", source="a second pair of hands"))
    yield spending(fight, actor, "standard", "burst", rule)
    if (yield from check(fight, actor, "strength", parts, dc, *cites, why=f"to break {target.id}")):
        yield from change_health(fight, target, "dead", f"broken by {actor.id}", BREAKING)
