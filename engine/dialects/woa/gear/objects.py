"""Objects: what they stand, what cannot harm them, what a damaged one is good for (woa.object.*)."""

from msgspec import Struct

from affray.engine.dialects.woa.damage.fallen import die
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.gear.item_hardness import shield_of, shield_row, weapon_row
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TABLE = "woa.object.durability-source"
#: What a weapon may do to an object, the gentlest last.
EFFECTS = ("full damage", "half damage", "no damage")
#: Materials that the rule speaks of by name; everything else is softer.
MATERIALS = ("wood", "metal", "stone")


class Object(Struct, frozen=True, gc=False):
    """How sturdy a thing is: hardness, full hit points, what it is made of, and the rules that say so."""

    hardness: int
    hp: int
    material: str
    cites: tuple[str, ...]


def sturdiness(fight: Fight, holder: Combatant, item: str) -> Object | None:
    """Return how sturdy a weapon or shield is by the table, None for what it does not know.

    woa.object.durability-source.
    """
    weapon = next((one for one in holder.sheet.weapons if one.name == item), None)
    if weapon is not None:
        row = weapon_row(weapon).lower()
    elif shield_of(holder, item):
        row = shield_row(item).lower()
    else:
        return None
    hardness, hp = (cell(fight, TABLE, f"object={row}", column) for column in ("hardness", "hp"))
    if hardness is None or hp is None:
        return None
    material = str(fight.figure(TABLE, f"object={row}", "material"))
    return Object(hardness.value, hp.value, material, (hardness.rule,))


def effect_on(fight: Fight, weapon: Weapon, thing: Object) -> Steps[str]:
    """Return what a weapon does to a material: "full damage", "half damage" or "no damage".

    Where the rule doubts it, the game master decides; what it says goes first
    (woa.maneuver.sunder.ineffective-weapons).
    """
    topic = "woa.maneuver.sunder.ineffective-weapons"
    material = thing.material if thing.material in MATERIALS else "most softer materials"
    rows = fight.figure(topic)
    same = (row for row in rows if (row["weapon_type"], row["material"]) == (weapon.damage_type, material))
    said = str(next(same, {"effect": "full"})["effect"])
    usual = next((one for one in EFFECTS[1:] if one in said), EFFECTS[0])
    if usual == EFFECTS[0]:
        return usual
    options = (usual, *(one for one in EFFECTS if one != usual))
    question = f"a {weapon.damage_type} {weapon.name} against {thing.material}: what does it do?"
    return str((yield Choice("", "effective", question, options, fight.rule(topic))))


def is_damaged(fight: Fight, left: int, full: int) -> bool:
    """Say whether an object has half of its hit points or less (woa.object.state.damaged)."""
    above, below = str(fight.figure("woa.object.state.damaged", "threshold")).split()[2].split("/")
    return left * int(below) <= full * int(above)


def is_broken(fight: Fight, left: int) -> bool:
    """Say whether an object has come to the hit points at which it is useless (woa.object.state.broken)."""
    return left <= int(str(fight.figure("woa.object.state.broken", "threshold")).split()[-1])


def damaged_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty on an attack with a damaged weapon (woa.object.state.damaged)."""
    if not blow.attacker.resources:
        return []
    attacker, name = blow.attacker, blow.weapon.name
    if not attacker.resources.get(f"damage to {name}"):
        return []
    thing = sturdiness(fight, attacker, name)
    if thing is None or not is_damaged(fight, thing.hp - attacker.resources[f"damage to {name}"], thing.hp):
        return []
    topic = "woa.object.state.damaged"
    return [fight.modifier(topic, "use_penalty", kind="penalty", source=f"the {name} is damaged")]


def burst(fight: Fight, act: acts.Burst) -> Steps[None]:
    """Break a thing by force as a standard action: a Strength check, easier when it is damaged.

    woa.object.state.damaged, .broken.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    broken, damaged = "object.state.broken", "woa.object.state.damaged"
    thing = target.sheet.thing
    if thing is None or not thing.break_dc or "dead" in target.conditions:
        raise Refusal(f"{target.id} is nothing to be broken by force", fight.rule(broken))
    refuse_apart(actor, target, fight.rule(broken))
    dc, cites = thing.break_dc, fight.rules(broken)
    if is_damaged(fight, target.hp, target.max_hp):
        dc += fight.figure(damaged, "break_dc_change")
        cites = fight.rules(broken, damaged)
    yield spending(fight, actor, "standard", "burst", *cites)
    parts = [Modifier(ability_now(fight, actor, "str"), "ability", "Strength", fight.rule(broken))]
    if (yield from check(fight, actor, "strength", parts, dc, *cites, why=f"to break {target.id}")):
        yield from die(fight, target, f"broken by {actor.id}", fight.rule(broken))
