"""A fight that one side has won goes on until the game master closes it."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.conditions.condition_rules import is_decided
from affray.events.facts.flow import EncounterDecided


def turns_are_over(fight: Fight) -> bool:
    """Say whether no further turn comes, though the fight is not closed.

    So it was in the fights of old once one side at most had somebody standing, and they are decided so again.
    """
    return not fight.state.until_closed and is_decided(fight)


def announcement(fight: Fight) -> EncounterDecided | None:
    """Return what is told as one side at most is left standing: that the fight may be closed now.

    Nothing comes to be refused by it: turns go on, and the dying bleed and are tended (srd35.flow.sequence,
    woa.flow.repeat-until-resolved, pf1.flow.step-repeat, futurepath.flow.end-of-combat). None before the
    fight has begun, once it is closed, and in a fight of old.
    """
    state = fight.state
    if not state.until_closed or not state.begun or state.closed:
        return None
    standing = [one for one in state.combatants.values() if not is_down(fight, one)]
    return EncounterDecided(
        side=standing[0].side if standing else "",
        standing=tuple(one.id for one in standing),
        cites=(fight.rule("encounter.decided"),),
    )
