"""Unarmed Strikes: Damage, Grapple or Shove, and escaping from a grapple."""

from typing import Final, Literal

from msgspec.structs import replace

from affray.engine.dialects.srd52 import test
from affray.engine.dialects.srd52.attacks import ability_for, spend_attack
from affray.engine.dialects.srd52.classes import DIFFICULTY, difficulty, save_parts, skill_parts
from affray.engine.dialects.srd52.conditions import gain, incapacitating, refuse_charmer
from affray.engine.dialects.srd52.features import Strike, steps_of
from affray.engine.dialects.srd52.gear import UNARMED, grappled_by, hands_free, hands_grappling
from affray.engine.dialects.srd52.position import displaced, distance, others_at, push_away, size_of
from affray.engine.dialects.srd52.printed import actions_of
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.steps import Choice, Refusal, Steps, reciting
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.base import Square as ActSquare
from affray.events.facts.combat import CheckResolved, ConditionLost
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant, Effect


class Grapple(acts.Act, frozen=True, gc=False, tag="srd52.grapple"):
    """Grab a creature with an Unarmed Strike.

    target: the creature.
    """

    target: Name = ""


class Shove(acts.Act, frozen=True, gc=False, tag="srd52.shove"):
    """Push a creature away, or make it prone, with an Unarmed Strike.

    target: the creature.
    to: where it goes.
    at: the square to which it is pushed; straight away if left out.
    """

    target: Name = ""
    to: Literal["away", "prone"] = "prone"
    at: ActSquare | None = None


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
    refuse_charmer(fight, actor, target)
    reach = fight.figure("maneuvers.unarmed-strike", "reach_ft")
    if target is actor or distance(actor, target) > max(reach, actor.reach):
        raise Refusal(
            f"{target.id} is out of the reach of {actor.id}", fight.rule("maneuvers.unarmed-strike")
        )
    if size_of(target) - size_of(actor) > fight.figure(topic, "max_size_above"):
        raise Refusal(f"{target.id} is too large for {actor.id}", fight.rule(topic))


def resists(fight: Fight, actor: Combatant, target: Combatant, what: str, *topics: str) -> Steps[bool]:
    """Let the target make a Strength or Dexterity save, as it chooses; return whether it succeeds."""
    if fight.option("grapple_test") == CONTEST:
        cites = fight.rules(*topics)
        number = yield from test.total_of_check(
            fight, actor, "athletics", 0, why=what, against=target.id, cites=cites
        )
        skill = better_skill(fight, target)
        return (yield from test.check(fight, target, skill, number, why=what, against=actor.id, cites=cites))
    cites = fight.rules(*topics, "maneuvers.unarmed-no-roll", *DIFFICULTY)

    def bonus(name: str) -> int:
        return sum(one.value for one in save_parts(fight, target, name))

    options: tuple[str, ...] = tuple(sorted(("str", "dex"), key=lambda name: -bonus(name)))
    if fight.option("voluntary_fail_grapple") == "yes":
        options = (*options, "none")
    question = f"{actor.id} tries to {what} {target.id}: which save does it make?"
    name = yield Choice(target.id, "save", question, options, cites[0])
    willing, number = (
        name == "none",
        unarmed_difficulty(fight, actor, "grapple.dc" if what == "grapple" else "maneuvers.shove-dc"),
    )
    saved = yield from test.save(
        fight, target, options[0] if willing else name, number, why=what, willing=willing, cites=cites
    )
    yield from steps_of(fight, actor, "forces_save")
    return saved


CONTEST: Final = "contest"
"""The reading by which checks of both decide a Grapple, a Shove and an escape."""


def better_skill(fight: Fight, combatant: Combatant) -> str:
    """Return the skill with which a combatant gets free: Athletics or Acrobatics, the higher of both."""
    return max(
        ("athletics", "acrobatics"),
        key=lambda skill: sum(one.value for one in skill_parts(fight, combatant, skill)),
    )


def unarmed_difficulty(fight: Fight, actor: Combatant, topic: str) -> int:
    """Return the DC of a combatant's Grapples and Shoves: by Strength, or as a feature allows."""
    return difficulty(fight, actor, ability_for(fight, actor, UNARMED), topic, "dc")


def refuse_grapple(fight: Fight, actor: Combatant, target: Combatant) -> None:
    """Refuse a grapple out of reach, of a target too large or grappled already, or without a free hand."""
    refuse_target(fight, actor, target, "grapple.size")
    if hands_free(actor) - hands_grappling(fight, actor) < fight.figure("grapple.free-hand", "free_hands"):
        topic = "grapple.one-per-hand" if grappled_by(fight, actor) else "grapple.free-hand"
        raise Refusal(f"{actor.id} has no hand free", fight.rule(topic))
    if "grappled" in target.conditions:
        raise Refusal(f"{target.id} is grappled already", fight.rule("conditions.no-stack"))


def grapple(fight: Fight, act: Grapple) -> Steps[None]:
    """Grapple a creature: one attack of the Attack action, a free hand, and a failed save."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    check_turn(fight, actor)
    refuse_grapple(fight, actor, target)
    yield from spend_attack(fight, Strike(actor, target, UNARMED, True, "str"))
    yield from seize(fight, actor, target)


def seize(fight: Fight, actor: Combatant, target: Combatant) -> Steps[None]:
    """Grapple a creature that fails its save."""
    topics = ("grapple.start-save", "grapple.dc", "grapple.size", "grapple.free-hand")
    if not (yield from resists(fight, actor, target, "grapple", *topics)):
        yield from gain(fight, target, "grappled", actor.id)


def shove(fight: Fight, act: Shove) -> Steps[None]:
    """Push a creature away or make it prone: one attack of the Attack action and a failed save."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    check_turn(fight, actor)
    refuse_target(fight, actor, target, "maneuvers.shove-size")
    if act.at is not None:
        refuse_direction(fight, actor, target, act.at)
    yield from spend_attack(fight, Strike(actor, target, UNARMED, True, "str"))
    yield from thrust(fight, actor, target, act.to, act.at)


def refuse_direction(fight: Fight, actor: Combatant, target: Combatant, at: Square) -> None:
    """Refuse a square to which a shove does not lead: not next to the target, or not farther away."""
    rule = fight.rule("maneuvers.shove-effect")
    if fight.option("push_direction") == "straight-line":
        raise Refusal("a shove pushes straight away", rule)
    feet = fight.figure("maneuvers.shove-effect", "push_ft")
    beside = max(abs(at[0] - target.at[0]), abs(at[1] - target.at[1])) * SQUARE_FT == feet
    if not beside or distance(target, actor, at) <= distance(target, actor):
        raise Refusal(f"{at[0]},{at[1]} is not {feet} ft. farther away", rule)
    if obstructed(fight.field, target.at, at, target.space) or others_at(fight, target, at):
        raise Refusal(f"{target.id} has no room at {at[0]},{at[1]}", rule)


def thrust(
    fight: Fight, actor: Combatant, target: Combatant, to: str, at: Square | None = None
) -> Steps[None]:
    """Push a creature that fails its save, straight away or to a square, or make it prone."""
    topics = ("maneuvers.shove-save", "maneuvers.shove-dc", "maneuvers.shove-no-hand")
    if (yield from resists(fight, actor, target, "shove", *topics)):
        return
    if to == "prone":
        yield from gain(fight, target, "prone", f"the shove of {actor.id}")
    elif at is not None:
        cites = fight.rules("maneuvers.shove-effect", "opportunity.forced-movement")
        how = f"pushed by {actor.id}"
        yield displaced(target, (at,), how, cites)
    else:
        feet = fight.figure("maneuvers.shove-effect", "push_ft")
        yield from push_away(fight, actor, target, feet, "maneuvers.shove-effect")


# --- In place of an Opportunity Attack

OPTIONS: Final = ("grapple", "shove prone", "shove away")
"""The options of an Unarmed Strike other than damage (srd52.opportunity.unarmed-options)."""


def can_try(fight: Fight, actor: Combatant, target: Combatant, option: str) -> bool:
    """Return whether no rule forbids a Grapple or a Shove."""
    try:
        if option == "grapple":
            refuse_grapple(fight, actor, target)
        else:
            refuse_target(fight, actor, target, "maneuvers.shove-size")
    except Refusal:
        return False
    return True


def attempt(fight: Fight, actor: Combatant, target: Combatant, option: str) -> Steps[None]:
    """Grapple or shove a creature that leaves the reach."""
    kind, _, to = option.partition(" ")
    steps = seize(fight, actor, target) if kind == "grapple" else thrust(fight, actor, target, to)
    yield from reciting(steps, CheckResolved, fight.rule("opportunity.unarmed-options"))


# --- Ending a grapple


def escape(fight: Fight, act: Escape) -> Steps[None]:
    """End a grapple by an action and a check against the grappler's DC."""
    actor, rule = fight.combatant(act.actor), fight.rule("grapple.escape")
    held = actor.conditions.get("grappled")
    grappler = fight.state.combatants.get(held.source) if held is not None else None
    if grappler is None:
        raise Refusal(f"nobody grapples {actor.id}", rule)
    yield spend(fight, actor, "action", "escape", rule)
    number, cites = (
        difficulty(fight, grappler, "str", "grapple.dc", "dc"),
        fight.rules("grapple.escape", "grapple.dc"),
    )
    against = ""
    if fight.option("grapple_test") == CONTEST:
        cites = fight.rules("grapple.escape")
        # A tie changes nothing: the grappler keeps its hold.
        held_by = yield from test.total_of_check(
            fight, grappler, "athletics", 0, why="hold", against=actor.id, cites=cites
        )
        number, against = held_by + 1, grappler.id
    parts: list[Modifier] = []
    for effect in actor.effects:
        printed = printed_escape(fight, effect)
        if effect.against == grappler.id and printed:
            number, cites = printed, (*fight.rules("grapple.escape"), effect.modifier.rule)
            against = ""
            parts += [replace(effect.modifier, value=0)] if effect.stat == "escape" else []
    if (
        yield from test.check(
            fight, actor, act.skill, number, *parts, why="escape", against=against, cites=cites
        )
    ):
        yield ConditionLost(who=actor.id, condition="grappled", why="it escapes", cites=(rule,))


def printed_escape(fight: Fight, effect: Effect) -> int:
    """Return the DC that a stat block prints for the escape from a grip; 0 for none."""
    if effect.stat == "escape":
        return effect.modifier.value
    owner = fight.state.combatants.get(effect.against)
    if effect.stat != "action" or owner is None:
        return 0
    action = actions_of(fight, owner).get(effect.modifier.source)
    return action.escape if action is not None else 0


def release(fight: Fight, act: Release) -> Steps[None]:
    """Let go of a grappled creature, at any time and for nothing."""
    actor, target, rule = (
        fight.combatant(act.actor),
        fight.combatant(act.target),
        fight.rule("grapple.release"),
    )
    if target.id not in grappled_by(fight, actor):
        raise Refusal(f"{actor.id} does not grapple {target.id}", rule)
    yield ConditionLost(who=target.id, condition="grappled", why=f"{actor.id} lets go", cites=(rule,))


@per_company()
def grapples_that_end(fight: Fight) -> tuple[ConditionLost, ...]:
    """Return the facts that grapples end whose grappler is Incapacitated."""
    made = []
    for one in fight.state.combatants.values():
        held = one.conditions.get("grappled")
        grappler = fight.state.combatants.get(held.source) if held is not None else None
        if grappler is None:
            continue
        if name := incapacitating(grappler):
            cites, why = fight.rules("grapple.ends-incapacitated"), f"{grappler.id} is {name}"
            made.append(ConditionLost(who=one.id, condition="grappled", why=why, cites=cites))
    return tuple(made)
