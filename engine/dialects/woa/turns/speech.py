"""Speaking: free and at any time, or for a declared round (woa.speak.*)."""

from affray.engine.dialects.woa.turns import free_actions
from affray.engine.dialects.woa.turns.declared_actions import keeping
from affray.engine.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts import acts


def speak(fight: Fight, act: acts.Speak) -> Steps[None]:
    """Say something: free and at any time, or a declared round of speaking (woa.speak.*)."""
    yield from (
        _planned_speech(fight, act) if free_actions.is_long(fight, act) else free_actions.speak(fight, act)
    )


_planned_speech = keeping(free_actions.speak)
