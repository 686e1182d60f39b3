"""Unarmed Strikes: Damage, Grapple or Shove, and escaping from a grapple."""

from typing import Final, Literal

from affray.engine.dialects.srd52 import test
from affray.engine.dialects.srd52.attacks import spend_attack
from affray.engine.dialects.srd52.classes import difficulty, save_parts
from affray.engine.dialects.srd52.conditions import gain, incapacitating
from affray.engine.dialects.srd52.features import Strike
from affray.engine.dialects.srd52.gear import UNARMED, hands_free
from affray.engine.dialects.srd52.movement import held_by
from affray.engine.dialects.srd52.position import distance, push_away, size_of
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.combat import ConditionLost
from affray.projections.state import Combatant


class Grapple(acts.Act, frozen=True, gc=False, tag="srd52.grapple"):
    """Grab a creature with an Unarmed Strike.

    target: the creature.
    """

    target: Name = ""


class Shove(acts.Act, frozen=True, gc=False, tag="srd52.shove"):
    """Push a creature away, or make it prone, with an Unarmed Strike.

    target: the creature.
    to: where it goes.
    """

    target: Name = ""
    to: Literal["away", "prone"] = "prone"


class Escape(acts.Act, frozen=True, gc=False, tag="srd52.escape"):
    """Try to escape from a grapple.

    skill: Athletics or Acrobatics.
    """

    skill: Literal["athletics", "acrobatics"] = "athletics"


class Release(acts.Act, frozen=True, gc=False, tag="srd52.release"):
    """Let go of a grappled creature.

    target: the creature.
    """

    target: Name = ""


def refuse_target(fight: Fight, actor: Combatant, target: Combatant, topic: str) -> None:
    """Refuse a target of a Grapple or Shove that is out of reach, or more than one size larger."""
    reach = fight.figure("maneuvers.unarmed-strike", "reach_ft")
    if target is actor or distance(actor, target) > max(reach, actor.reach):
        raise Refusal(
            f"{target.id} is out of the reach of {actor.id}", fight.rule("maneuvers.unarmed-strike")
        )
    if size_of(target) - size_of(actor) > fight.figure(topic, "max_size_above"):
        raise Refusal(f"{target.id} is too large for {actor.id}", fight.rule(topic))


def resists(fight: Fight, actor: Combatant, target: Combatant, what: str, *topics: str) -> Steps[bool]:
    """Let the target make a Strength or Dexterity save, as it chooses; return whether it succeeds."""
    cites = fight.rules(*topics, "maneuvers.unarmed-no-roll")

    def bonus(name: str) -> int:
        return sum(one.value for one in save_parts(fight, target, name))

    options = tuple(sorted(("str", "dex"), key=lambda name: -bonus(name)))
    question = f"{actor.id} tries to {what} {target.id}: which save does it make?"
    name = yield Choice(target.id, "save", question, options, cites[0])
    return (yield from test.save(fight, target, name, difficulty(fight, actor, "str"), why=what, cites=cites))


def grapple(fight: Fight, act: Grapple) -> Steps[None]:
    """Grapple a creature: one attack of the Attack action, a free hand, and a failed save."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    check_turn(fight, actor)
    refuse_target(fight, actor, target, "grapple.size")
    if hands_free(actor) - len(held_by(fight, actor)) < fight.figure("grapple.free-hand", "free_hands"):
        raise Refusal(f"{actor.id} has no hand free", fight.rule("grapple.free-hand"))
    if "grappled" in target.conditions:
        raise Refusal(f"{target.id} is grappled already", fight.rule("conditions.no-stack"))
    yield from spend_attack(fight, Strike(actor, target, UNARMED, True, "str"))
    if not (yield from resists(fight, actor, target, "grapple", "grapple.start-save", "grapple.dc")):
        yield from gain(fight, target, "grappled", actor.id)


def shove(fight: Fight, act: Shove) -> Steps[None]:
    """Push a creature away or make it prone: one attack of the Attack action and a failed save."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    check_turn(fight, actor)
    refuse_target(fight, actor, target, "maneuvers.shove-size")
    yield from spend_attack(fight, Strike(actor, target, UNARMED, True, "str"))
    if (yield from resists(fight, actor, target, "shove", "maneuvers.shove-save", "maneuvers.shove-dc")):
        return
    if act.to == "prone":
        yield from gain(fight, target, "prone", f"the shove of {actor.id}")
    else:
        feet = fight.figure("maneuvers.shove-effect", "push_ft")
        yield from push_away(fight, actor, target, feet, "maneuvers.shove-effect")


def escape(fight: Fight, act: Escape) -> Steps[None]:
    """End a grapple by an action and a check against the grappler's DC."""
    actor, rule = fight.combatant(act.actor), fight.rule("grapple.escape")
    held = actor.conditions.get("grappled")
    grappler = fight.state.combatants.get(held.source) if held is not None else None
    if grappler is None:
        raise Refusal(f"nobody grapples {actor.id}", rule)
    yield spend(fight, actor, "action", "escape", rule)
    number, cites = difficulty(fight, grappler, "str"), fight.rules("grapple.escape", "grapple.dc")
    if (yield from test.check(fight, actor, act.skill, number, why="escape", cites=cites)):
        yield ConditionLost(who=actor.id, condition="grappled", why="it escapes", cites=(rule,))


def release(fight: Fight, act: Release) -> Steps[None]:
    """Let go of a grappled creature, at any time and for nothing."""
    actor, target, rule = (
        fight.combatant(act.actor),
        fight.combatant(act.target),
        fight.rule("grapple.release"),
    )
    if target.id not in held_by(fight, actor):
        raise Refusal(f"{actor.id} does not grapple {target.id}", rule)
    yield ConditionLost(who=target.id, condition="grappled", why=f"{actor.id} lets go", cites=(rule,))


@per_company()
def grapples_that_end(fight: Fight) -> tuple[ConditionLost, ...]:
    """Return the facts that grapples end whose grappler is Incapacitated or too far away."""
    made = []
    for one in fight.state.combatants.values():
        held = one.conditions.get("grappled")
        grappler = fight.state.combatants.get(held.source) if held is not None else None
        if grappler is None:
            continue
        name = incapacitating(grappler)
        if name or distance(grappler, one) > max(grappler.reach, REACH_FT):
            topic = "grapple.ends-incapacitated" if name else "grapple.ends-distance"
            why = f"{grappler.id} is {name}" if name else f"{grappler.id} is too far away"
            made.append(ConditionLost(who=one.id, condition="grappled", why=why, cites=fight.rules(topic)))
    return tuple(made)


REACH_FT: Final = 5
