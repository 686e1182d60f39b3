"""A fight that begins in the middle of a grapple (srd35.grapple.*, futurepath.grapple.*)."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.grapple.holds import opponents, refuse_too_many, take_hold
from affray.engine.rules.turns.start_states import newcomer
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple that could not be: with a friend, the fallen, one too many.

    srd35.grapple.start, srd35.grapple.pin, futurepath.grapple.start.replaces-attack,
    futurepath.grapple.option.pin.
    """
    target, rule = fight.combatant(act.grapples), fight.rule("grapple.start")
    if act.sheet is None:
        return  # an entry without a sheet is refused anyway
    if act.riding or target.side == act.side or is_down(fight, target):
        raise Refusal(f"{act.id} cannot be in a grapple with {target.id}", rule)
    if act.grip == "pinned" and any("pinned" in other.conditions for other in opponents(fight, target)):
        raise Refusal(f"{target.id} pins another already", fight.rule("grapple.pin"))
    refuse_too_many(fight, newcomer(fight, act, act.sheet), target)


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a newcomer grapple with its opponent, in whose space it stands."""
    yield from take_hold(fight, fight.combatant(act.id), fight.combatant(act.grapples))
