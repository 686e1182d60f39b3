"""Opportunity: threatened squares, what provokes, attacks and reactions out of turn."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.contested import in_force
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import distance
from affray.engine.rules.gear.hands import strikes_in_melee
from affray.engine.steps import Choice, Steps, altered
from affray.events.facts.combat import Provoked
from affray.events.facts.flow import ReactionSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- The butt of a ranged weapon, used to strike adjacent enemies that provoke

BUTT: Final = "futurepath.aoo.improvised-gun-butt"
DAMAGE: Final = "futurepath.assumed.gun-butt"
MELEE_ONLY: Final = "futurepath.aoo.melee-only"
#: The traits of ranged weapons without a butt: explosives and splash weapons.
WITHOUT_BUTT: Final = frozenset({"explosive", "splash"})
#: The suffix that names a butt, after its weapon.
CALLED: Final = " (butt)"


def is_butt(weapon: Weapon) -> bool:
    """Return whether a weapon is the butt of another one."""
    return weapon.name.endswith(CALLED)


def butts_of(fight: Fight, holder: Combatant) -> list[Weapon]:
    """Return the butts of the ranged weapons that a combatant holds, if the rules allow striking with them.

    A butt is an improvised weapon, always without proficiency; grenades and flasks have none
    (futurepath.aoo.improvised-gun-butt, futurepath.assumed.gun-butt, futurepath.aoo.melee-only).
    """
    if in_force(fight, MELEE_ONLY, {"weapon in hand": "ranged"}) != BUTT:
        return []
    return [
        butt(fight, weapon)
        for weapon in holder.sheet.weapons
        if weapon.name in holder.held
        and weapon.wield != "natural"
        and not strikes_in_melee(weapon)
        and not WITHOUT_BUTT.intersection(weapon.traits)
    ]


def butt(fight: Fight, weapon: Weapon) -> Weapon:
    """Return the butt of a ranged weapon as an improvised weapon."""
    hands = "two" if weapon.hands > 1 else "one"
    return Weapon(
        name=f"{weapon.name}{CALLED}",
        damage=str(fight.figure(DAMAGE, f"{hands}_handed")),
        damage_type="bludgeoning",
        wield="two-handed" if weapon.hands > 1 else "one-handed",
        hands=weapon.hands,
        proficient=False,
    )


def at_hand(fight: Fight, holder: Combatant, target: Combatant, found: list[Weapon]) -> list[Weapon]:
    """Return the weapons usable against a target out of turn: a butt, if there is no other.

    futurepath.aoo.improvised-gun-butt
    """
    return found if found or distance(holder, target) > reach_of_butt(fight) else butts_of(fight, holder)


def reach_of_butt(fight: Fight) -> int:
    """Return the reach of a butt: targets less than 5 feet away are those in adjacent squares."""
    return int(fight.book.figure(BUTT, "max_distance_ft_exclusive"))


def bands_with_butts(
    fight: Fight, holder: Combatant, found: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens, including adjacent squares with a butt."""
    if found or not butts_of(fight, holder):
        return found
    return ((0, reach_of_butt(fight)),)


# --- Attacks of opportunity in Futurepath: the rules behind opportunities and the attacks themselves

TRIGGERS: Final = "futurepath.aoo.two-triggers"
SQUARES: Final = "futurepath.threat.threatened-squares"
RANGE: Final = "futurepath.threat.range-5-ft"
#: Movement with actions that themselves provoke nothing.
ON_ACTIONS: Final = ("charge", "withdraw", "climb", "crawl", "swim")


def name_rules(fight: Fight, steps: Steps[None]) -> Steps[None]:
    """Run a declaration and cite the rules on attacks of opportunity where they occur.

    One may be declined; it is made at the full attack bonus, regardless of earlier attacks
    (futurepath.aoo.optional, futurepath.aoo.attack-bonus, futurepath.aoo.definition,
    futurepath.aoo.concept.legacy).
    """

    def named(step: Any) -> object:
        kind = type(step)
        if kind is Choice and step.purpose == "take":
            return replace(step, rule=fight.rule("futurepath.aoo.optional"))
        if kind is Provoked:
            return replace(step, cites=(*step.cites, *rules_of_opening(fight, step)))
        if kind is ReactionSpent and step.kind == "opportunity":
            return replace(
                step,
                cites=(*step.cites, *fight.rules("futurepath.aoo.definition", "futurepath.aoo.attack-bonus")),
            )
        return step

    return altered(steps, named)


def rules_of_opening(fight: Fight, fact: Provoked) -> tuple[str, ...]:
    """Return the rules by which a combatant has an opportunity: what provokes, and how far it threatens.

    futurepath.aoo.trigger-action, futurepath.aoo.trigger-movement, futurepath.aoo.two-triggers,
    futurepath.threat.range-5-ft, futurepath.threat.reach-weapons, futurepath.threat.threatened-squares
    """
    moving = fight.rule("aoo.triggers") in fact.cites
    trigger = in_force(fight, TRIGGERS, {"what provokes": "movement" if moving else "action"})
    feet = distance(fight.combatant(fact.by), fight.combatant(fact.who))
    near = feet <= fight.book.figure(RANGE, "default_threat_range_ft")
    threat = in_force(fight, SQUARES, {"threat range": "5 feet" if near else "longer"})
    return tuple(one for one in (trigger, threat) if one not in fact.cites)


def rules_of_way(
    fight: Fight, mover: Combatant, enemy: Combatant, here: Square, there: Square, how: str
) -> Sequence[str]:
    """Return the rules of leaving an enemy's range on a path: with a safe action, or having entered it.

    futurepath.aoo.column-excludes-movement, futurepath.action.withdraw.other-squares,
    futurepath.action.tactical-retreat, futurepath.aoo.trigger-on-exit,
    futurepath.aoo.entering-threatened-square
    """
    topics = []
    if how in ON_ACTIONS:
        topics.append("futurepath.aoo.column-excludes-movement")
    if how == "withdraw":
        topics.append("futurepath.action.withdraw.other-squares")
    if mover.spent.get("feet"):
        topics.append("futurepath.aoo.entering-threatened-square")
    return fight.rules(*topics)


def rules_of_weapon(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics that let a weapon strike out of turn.

    futurepath.aoo.must-be-able-to-melee, futurepath.aoo.melee-only, futurepath.aoo.weapon-type,
    futurepath.aoo.improvised-gun-butt, futurepath.assumed.gun-butt
    """
    if is_butt(weapon):
        return (BUTT, DAMAGE)
    return ("futurepath.aoo.must-be-able-to-melee", "futurepath.aoo.weapon-type")
