"""Diehard: on one's feet below 0 hit points, or stable without a roll."""

from collections.abc import Callable
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.damage.injury import change_health
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

TOPIC: Final = "feat.diehard"
SOURCE: Final = "Diehard"


def acts_on(combatant: Combatant, state: str) -> bool:
    """Say whether Diehard keeps a combatant on its feet, in a state of health that allows it to act."""
    return state in combatant.conditions and combatant.conditions[state].source == SOURCE


def last_stand(state: str) -> Callable[[Fight, Combatant, str], Steps[bool]]:
    """Return the steps by which Diehard keeps somebody from dying: it acts on in the `state`, or falls.

    It decides at once: to act on, each standard action at the price of a hit point, or to fall, stable by
    itself. They say whether that settled it (srd35.feat.endurance-diehard, pf1.feat.diehard).
    """

    def stand(fight: Fight, target: Combatant, source: str) -> Steps[bool]:
        """Act on in that state, or fall and be stable, as the target decides."""
        if not has_feat(target, "diehard"):
            return False
        if acts_on(target, state):
            return True
        rule = fight.rule(TOPIC)
        question = f"{target.id} is at {target.hp} hit points: does it act on?"
        if (yield Choice(target.id, "diehard", question, ("act", "fall"), rule)) == "act":
            yield from change_health(fight, target, state, SOURCE, TOPIC)
            return True
        yield RuleApplied(who=target.id, what="stabilizes by itself", cites=(rule,))
        yield from change_health(fight, target, "unconscious", source, "injury.dying")
        yield from change_health(fight, target, "stable", SOURCE, TOPIC)
        return True

    return stand
