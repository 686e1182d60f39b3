"""Things that stand by themselves: doors, chests, walls (srd35.object.*, pf1.object.*).

A thing takes the place of a combatant whose sheet has a `thing`: it acts never, is hit at an AC of its own,
and comes to nothing at 0 hit points.
"""

from typing import Final

from msgspec.structs import asdict, replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.ability_modifiers import ability, size_step
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.damage.energies import ENERGY, energies_of
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SIZES, Sheet, Thing, Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

THINGS: Final = "object.things-table"
SUBSTANCES: Final = "object.substance-table"
BREAKING: Final = "object.break-table"
#: What is done from afar by no energy.
MISSILE: Final = "ranged_weapon"
#: What things take a share of, before hardness.
DIVIDED: Final = ENERGY | {MISSILE}
MEDIUM: Final = SIZES.index("medium")


def of_substance(fight: Fight, thing: Thing, table: str) -> tuple[int, int]:
    """Return the hardness and the hit points of so many inches of what a thing is made of. Refuses others.

    srd35.object.substance-table, pf1.object.tables-ref, futurepath.table.substance-hardness-hp.
    """
    row = next((one for one in fight.figure(table) if one["substance"] == thing.substance), None)
    if row is None:
        raise Refusal(f"no table has a substance {thing.substance!r}", fight.rule(table))
    return int(row["hardness"]), int(row["hp_per_inch"]) * thing.inches


def doors_on_map(fight: Fight) -> list[Combatant]:
    """Return the doors that stand on the map: things by a row of the table that is a door's.

    srd35.object.things-table, pf1.object.tables-ref.
    """
    return [
        one
        for one in fight.state.combatants.values()
        if one.sheet.thing is not None and "door" in one.sheet.thing.table and "dead" not in one.conditions
    ]


def thing_from_table(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet of a thing with hardness, hit points and breaking DC, and the rules they come from.

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
        if isinstance(dc, str):  # the entry of the table of breaking DCs that it is
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
    """Return what makes a thing easy to hit: no Dexterity and no motion (srd35.object.ac, pf1.object.ac)."""
    if blow.target.sheet.thing is None:
        return []
    return [
        fight.modifier("object.ac", "dexterity", kind="ability", source="Dexterity 0"),
        fight.modifier("object.ac", "inert", kind="penalty", source="inanimate"),
    ]


def reduce_by_hardness(fight: Fight, harm: Harm) -> tuple[int, str]:
    """Return what a thing's nature and hardness leave of damage, and what took the rest.

    Energy and missiles are divided before hardness is taken off; adamantine cuts through hardness below its
    own. Nonlethal damage is none (srd35.object.*, srd35.energy.vs-objects-order, pf1.object.energy,
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
    if hardness and cuts_through(fight, harm.weapon, hardness):
        harm.reduced_by += fight.rules("weapons.special-materials")
        hardness = 0
    if hardness:
        harm.reduced_by += fight.rules("object.hardness")
        said.append(f"hardness {hardness}")
    return max(0, amount - hardness), "; ".join(said)


def share_on_thing(fight: Fight, kind: str, amount: int) -> int:
    """Return what a thing takes of so much energy of a kind, or of a missile, before hardness.

    srd35.object.energy, pf1.object.energy.
    """
    return int(amount * fight.figure("object.energy", kind)) if kind in DIVIDED else amount


def cuts_through(fight: Fight, weapon: Weapon | None, hardness: int) -> bool:
    """Say whether a weapon of adamantine ignores a hardness (srd35.weapons.special-materials).

    pf1.object.tables-ref.
    """
    if weapon is None or "adamantine" not in (weapon.material, *weapon.traits):
        return False
    return bool(hardness < fight.figure("weapons.special-materials", "adamantine", "ignores_hardness_below"))


def ruin(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Return what makes a ruin of a thing at 0 hit points.

    srd35.object.hardness, pf1.object.ac, futurepath.assumed.destroyed.
    """
    return change_health(fight, target, "dead", "ruined", "object.ruined")


def burst(fight: Fight, act: acts.Burst) -> Steps[None]:
    """Break a thing with sudden force: a Strength check as a standard action.

    Size counts four a category, tools and one helper two; half its hit points gone makes it easier, the
    stronger spell upon it harder (srd35.object.break-table, srd35.object.break-size, pf1.object.tables-ref).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule, size = fight.rule(BREAKING), "object.break-size"
    thing = target.sheet.thing
    if thing is None or not thing.break_dc or "dead" in target.conditions:
        raise Refusal(f"{target.id} is nothing to be broken by force", rule)
    refuse_apart(actor, target, rule)
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
        parts += fight.dialect.gear.tool_parts(fight, actor, act.tool)
    if act.helpers > 0:
        parts.append(fight.modifier(size, "helper", kind="circumstance", source="a second pair of hands"))
    yield spending(fight, actor, "standard", "burst", rule)
    if (yield from check(fight, actor, "strength", parts, dc, *cites, why=f"to break {target.id}")):
        yield from change_health(fight, target, "dead", f"broken by {actor.id}", BREAKING)
