"""Somebody unaware whom an attacker steps up to: helpless, if the game master says so."""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.position.place import next_to
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

UNAWARE: Final = "futurepath.condition.helpless.unaware-target"
#: What the game master may find instead, and the rule that keeps the target from being helpless.
UNCAUGHT: Final = {
    "alert": "futurepath.condition.helpless.not-if-alert",
    "precautions": "futurepath.condition.helpless.not-if-precautions",
}
CAUGHT: Final = "helpless"


def may_be_caught(fight: Fight, blow: Blow) -> bool:
    """Say whether a target might be taken for helpless because it knows nothing of its attacker.

    The attacker stands next to it, the target has been surprised and is in no combat yet, and it cannot use
    its Dexterity bonus (futurepath.condition.helpless.unaware-target, .not-if-alert).
    """
    target = blow.target
    if fight.state.round or target.aware or is_helpless(fight, target):
        return False
    return next_to(blow.attacker, target) and bool(fight.dialect.defense.dexterity_denied(fight, blow)[0])


def catch_unaware(fight: Fight, blow: Blow) -> Steps[bool]:
    """Ask the game master whether a surprised target is at the attacker's mercy, and return what is found.

    A tense situation or any reasonable precaution keeps it from being so
    (futurepath.condition.helpless.unaware-target, .not-if-alert, .not-if-precautions).

    futurepath.condition.helpless.not-if-alert, futurepath.condition.helpless.not-if-precautions.
    """
    attacker, target = blow.attacker.id, blow.target.id
    rule = fight.rule(UNAWARE)
    question = f"is {target}, unaware of {attacker} beside it, at its mercy?"
    found = yield Choice("", "caught", question, (*UNCAUGHT, CAUGHT), rule)
    if found == CAUGHT:
        source = f"unaware of {attacker}"
        fact = ConditionGained(who=target, condition=CAUGHT, source=source, cites=(rule,))
        yield from fight.dialect.conditions.gain(fight, fact)
        return True
    cites = (rule, fight.rule(UNCAUGHT[found]))
    yield RuleApplied(who=target, what=f"{found}: {target} is not helpless", cites=cites)
    return False


def no_longer_unaware(fight: Fight, target: Combatant, why: str) -> Iterator[ConditionLost]:
    """Yield that who was caught unaware is at nobody's mercy any more."""
    held = target.conditions.get(CAUGHT)
    if held is not None and held.source.startswith("unaware of "):
        yield ConditionLost(who=target.id, condition=CAUGHT, why=why, cites=fight.rules(UNAWARE))
