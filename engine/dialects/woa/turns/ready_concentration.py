"""Staying ready: what breaks the concentration on a trigger, and watching for long (woa.ready.*)."""

from affray.engine.dialects.woa.magic import concentration
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ReadyEnded
from affray.projections.state import Combatant

WATCHING = "readying"
"""The condition of whoever has an act ready and watches for its trigger."""


def check_readied(fight: Fight, combatant: Combatant, damage: int) -> Steps[None]:
    """Check the concentration of somebody attacked while readying; failure ends the readied state.

    The DC is 10 + the damage taken, none of it for a blow that missed (woa.ready.concentration-broken).
    """
    if combatant.readied is None or WATCHING not in combatant.conditions or is_down(fight, combatant):
        return
    topic = "woa.ready.concentration-broken"
    dc = fight.formula(topic, "dc") + damage
    yield from keeps_watch(fight, combatant, topic, dc, "attacked while readying")


def shake_readied(fight: Fight, blow: Blow) -> Steps[None]:
    """Shake the target of a blow or maneuver that did no damage (woa.ready.concentration-broken)."""
    return check_readied(fight, blow.target, 0)


def keeps_watch(fight: Fight, combatant: Combatant, topic: str, dc: int, why: str) -> Steps[None]:
    """Make a concentration check to stay ready; failure ends the readied state."""
    rule = fight.rule(topic)
    bonus = concentration.concentration_parts(fight, combatant)
    if not (yield from check(fight, combatant, "concentration", bonus, dc, rule, why=why)):
        yield ReadyEnded(who=combatant.id, how="lapsed", cites=(rule,))


def long_watch(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Ask the game master whether to stay ready so long takes a check (woa.ready.extended-watch).

    Its DC is that of a distraction without damage.
    """
    topic = "woa.ready.extended-watch"
    question = f"{combatant.id} has been ready for rounds: does that take a concentration check?"
    answer = yield Choice("", "extended-watch", question, ("no check", "check"), fight.rule(topic))
    if answer == "check":
        dc = fight.formula("woa.ready.concentration-broken", "dc")
        yield from keeps_watch(fight, combatant, topic, dc, "watching for long")


def check_readied_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a blow that hit, shake whoever watches for a trigger (woa.ready.concentration-broken)."""
    target = blow.target
    return check_readied(fight, target, before[0] - target.hp)
