"""Attacks at a place instead of a creature: what they take, what they provoke, the roll, if there is one."""

from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import (
    FIREARMS,
    HOPELESS,
    told_hopeless,
)
from affray.engine.dialects.futurepath.attacks.defensively import fight_defensively
from affray.engine.dialects.futurepath.attacks.ranged_attacks import prone_weapons
from affray.engine.dialects.futurepath.defense.things_as_cover import is_walled_off, things_at
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.line import line_of_effect
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.declared_blow import refuse_empty
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import footprint
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon


def prepared_at(
    fight: Fight, act: acts.Attack, weapon: Weapon, squares: tuple[Square, ...], *cites: str
) -> Blow:
    """Return an attack with a weapon at some squares. Refuses what cannot be tried.

    Its distance is that to the nearest of them; what cannot be used lying down is not from the ground
    (futurepath.attack.ranged.max-range, futurepath.attack.ranged.line-of-sight,
    futurepath.modifier.attacker-prone-ranged-weapons).
    """
    attacker = fight.combatant(act.actor)
    refuse_empty(fight, attacker, weapon)
    feet = min(distance_ft(attacker.at, square, attacker.space, 1) for square in squares)
    kind = "thrown" if weapon.thrown else "projectile"
    most = weapon.range * fight.figure("futurepath.attack.ranged.max-range", kind)
    if feet > most:
        reason = f"the nearest square is {feet} ft. away, out of the {weapon.name}'s range of {most} ft."
        raise Refusal(reason, fight.rule("futurepath.attack.ranged.max-range"))
    inside = fight.field.holds
    if not any(
        inside(one)
        and line_of_effect(fight.field, attacker.at, attacker.space, one, 1)
        and not is_walled_off(fight, footprint(attacker), (one, 1, (0, 0)), *things_at(fight, one))
        for one in squares
    ):
        reason = f"{attacker.id} has no line of sight to any of the squares"
        raise Refusal(reason, fight.rule("futurepath.attack.ranged.line-of-sight"))
    blow = Blow(attacker, attacker, weapon, False, feet, cites=list(cites))
    if "prone" in attacker.conditions:
        why, topic = prone_weapons(fight, blow)
        if why:
            raise Refusal(why, fight.rule(topic))
    return blow


def refuse_hopeless_roll(fight: Fight, blow: Blow) -> None:
    """Refuse a roll at a place whose penalties are so great that it may not be tried.

    futurepath.disadvantage.no-attack-at-minus-20.
    """
    parts = (
        *fight.dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *fight.dialect.gear.corner_situation(fight, blow),
    )
    if fight.stack(parts).burden <= fight.figure(HOPELESS, "total"):
        raise Refusal(told_hopeless(fight), fight.rule(HOPELESS))


def begin_attack(fight: Fight, act: acts.Attack, blow: Blow, what: str) -> Steps[bool]:
    """Spend the attack action, and let those who threaten strike; return whether the attack goes on.

    futurepath.action.attack.definition, futurepath.aoo.distracting-action,
    futurepath.attack.firearm.provokes.
    """
    attacker = blow.attacker
    definition = fight.rule("futurepath.action.attack.definition")
    yield spending(fight, attacker, "standard", what, definition, *blow.cites)
    if act.defensively:
        yield from fight_defensively(fight, attacker, "ranged")
    yield from triggered(fight, attacker, "attacks")
    if is_down(fight, attacker):
        return False
    firearm = ("futurepath.attack.firearm.provokes",) if blow.weapon.family in FIREARMS else ()
    shot = fight.rules("attack-action.ranged", "actions-table.standard", *firearm)
    yield from fight.dialect.opportunity.provoke(
        fight,
        attacker,
        threatening(fight, attacker),
        "shoots while threatened",
        f"shot:{fight.declaration}",
        *shot,
    )
    return not is_down(fight, attacker)


#: Why an attack has no use for what a declaration says beside.
SAID: Final = {
    "target": "names no target",
    "thrown": "is not thrown",
    "nonlethal": "leaves no choice of nonlethal damage",
    "bullets": "says no number of bullets",
    "autofire": "is no automatic fire",
}


def refuse_said(act: acts.Attack | acts.Strike, what: str, rule: str, *names: str) -> None:
    """Refuse what a declaration says beside and this attack has no use for."""
    plain = acts.Attack()
    for name in names:
        if getattr(act, name) != getattr(plain, name):
            raise Refusal(f"{what} {SAID[name]}", rule)
