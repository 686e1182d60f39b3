"""Monsters that hold what they hit: improved grab (srd35.improved-grab).

The sheet says so by the trait "improved grab" of a natural weapon.
"""

from typing import Final

from affray.engine.dialects.srd35.grapple.grapple_state import grapple_check
from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.classes.ability_modifiers import has_trait, size_step
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.grapple.constrict import constrict
from affray.engine.rules.grapple.holds import BETWEEN, holds_nothing_out_of_turn, opponents, take_hold
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import ActionSpent

GRAB: Final = "improved-grab"


def grab(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit start a grapple, free, without touch or opening, with all of the body or one limb at -20.

    Only foes at least one size smaller (srd35.improved-grab).
    """
    attacker, target = blow.attacker, blow.target
    smaller = size_step(attacker) - size_step(target) >= fight.figure(GRAB, "min_size_difference")
    if (
        not smaller
        or has_trait(target, swarm_prohibitions.TOPIC)
        or "dead" in target.conditions
        or opponents(fight, attacker)
        or target in opponents(fight, attacker)
        or holds_nothing_out_of_turn(fight, blow)
    ):
        return
    rule = fight.rule(GRAB)
    question = f"the {blow.weapon.name} has hit: does {attacker.id} grab {target.id}?"
    how = yield Choice(attacker.id, "grab", question, ("grab", "hold with one limb", "decline"), rule)
    if how == "decline":
        return
    one_limb = how == "hold with one limb"
    extra = (
        (fight.modifier(GRAB, "hold_penalty", kind="penalty", source="with one limb"),) if one_limb else ()
    )
    contest = yield from beats_opposed(
        fight,
        "grapple",
        grapple_check(fight, attacker, target, *extra),
        grapple_check(fight, target, attacker),
        rule,
        *fight.rules("srd35.grapple.check"),
        holding=True,
    )
    if not contest.won:
        return
    yield ActionSpent(who=attacker.id, kind="grab", what=f"takes hold of {target.id}", cites=(rule,))
    if one_limb:
        yield ConditionGained(who=attacker.id, condition="holding", source=target.id, cites=(rule,))
        held = BETWEEN.join(dict.fromkeys([*(one.id for one in opponents(fight, target)), attacker.id]))
        fact = ConditionGained(who=target.id, condition="grappling", source=held, cites=(rule,))
        yield from come_over(fight, fact)
    else:
        yield from take_hold(fight, attacker, target, rule)
    yield from constrict(fight, attacker, target, contest.won)
