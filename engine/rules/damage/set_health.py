"""Hit points and states of health by the game master's word, where hit points decide the state."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.rules.damage.injury import (
    BY_HIT_POINTS,
    change_health,
    settle_loss,
    state_of,
)
from affray.engine.steps import Refusal, Steps
from affray.events.wording import counted
from affray.projections.state import Combatant

BY_WORD: Final = "hit points by the game master's word"
"""The source of what follows from hit points that the game master has set."""


def settle(fight: Fight, target: Combatant, before: int) -> Steps[None]:
    """Give a combatant the state that hit points call for which the game master has set.

    That is no harm: nothing is rolled for a great loss. A thing comes to nothing at 0; the dead stay dead.
    """
    if "dead" in target.conditions:
        return
    if target.sheet.thing is None:
        yield from settle_loss(fight, target, before, BY_WORD)
    elif target.hp <= 0:
        yield from change_health(fight, target, "dead", "ruined", "object.ruined")


def set_state(fight: Fight, target: Combatant, state: str, why: str) -> Steps[bool]:
    """Change to a state of health that hit points allow; return whether it is one of these."""
    if state not in BY_HIT_POINTS or state not in fight.dialect.conditions.table:
        return False
    yield from change_health(fight, target, state, why, rule_of(fight, state).topic)
    return True


def refuse_state(fight: Fight, target: Combatant, hp: int, state: str, *, ends: bool) -> None:
    """Refuse to begin a state of health that so many hit points do not allow, or to end one they call for.

    srd35.cond.dead, pf1.cond.dead, futurepath.injury.dead-at-minus-10.
    """
    if state not in fight.dialect.conditions.table:
        return
    called_for = state_with(fight, target, hp)
    damage, rule = fight.dialect.damage, fight.rule(rule_of(fight, state).topic)
    if ends:
        if state == called_for:
            reason = f"{target.id} is {state} by its {counted(hp, 'hit point')}: set these"
            raise Refusal(reason, rule)
        return
    below = damage.dying_from(fight)
    highest = {"dying": below, "stable": below, "disabled": damage.disabled_from(fight)}
    if hp > highest.get(state, hp) or (state in BY_HIT_POINTS and called_for == "dead"):
        raise Refusal(f"{target.id} cannot be {state} at {counted(hp, 'hit point')}", rule)


def state_with(fight: Fight, target: Combatant, hp: int) -> str:
    """Return the state that the target would have with so many hit points, were it not dead."""
    conditions = {name: held for name, held in target.conditions.items() if name != "dead"}
    return state_of(fight, replace(target, hp=hp, conditions=conditions))[0]
