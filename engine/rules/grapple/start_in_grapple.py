"""A fight that begins in the middle of a grapple (srd35.grapple.*, futurepath.grapple.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import refuse_down
from affray.engine.rules.grapple.holds import opponents, refuse_too_many, take_hold
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple that could not be: with a friend, the fallen, one too many.

    srd35.grapple.start, srd35.grapple.pin, futurepath.grapple.start.replaces-attack,
    futurepath.grapple.option.pin.
    """
    target, rule = fight.combatant(act.grapples), fight.rule("grapple.start")
    if act.sheet is None:
        return  # an entry without a sheet is refused anyway
    refuse_no_opponent(fight, act, target, rule)
    if act.grip == "pinned" and any("pinned" in other.conditions for other in opponents(fight, target)):
        raise Refusal(f"{target.id} pins another already", fight.rule("grapple.pin"))
    refuse_too_many(fight, newcomer(fight, act, act.sheet), target)


def refuse_no_opponent(fight: Fight, act: acts.Enter, target: Combatant, rule: str) -> None:
    """Refuse to enter on a mount in a grapple, or in one with a friend or with a combatant that is down."""
    if act.riding:
        raise Refusal(f"{act.id} cannot ride {act.riding} and be in a grapple", rule)
    if target.side == act.side:
        raise Refusal(f"{target.id} is no opponent for {act.id} to grapple with", rule)
    refuse_down(fight, target, "be in a grapple")


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer grapple with its opponent, in whose space it stands."""
    yield from take_hold(fight, fight.combatant(act.id), fight.combatant(act.grapples))
