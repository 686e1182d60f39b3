"""An attack from outside into a grapple, at whichever of those who grapple it strikes."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.grapple.holds import opponents
from affray.engine.steps import Roll, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def those_in_grapple(fight: Fight, blow: Blow) -> list[Combatant]:
    """Return all whom an attack from outside may strike instead of its target, it too; nobody from inside."""
    together = [blow.target, *opponents(fight, blow.target)]
    if blow.attacker in together or len(together) < 2:
        return []
    return sorted(together, key=lambda one: list(fight.state.combatants).index(one.id))


def strike_at_random(fight: Fight, blow: Blow, together: list[Combatant], reading: str) -> Steps[None]:
    """Let a die say who is struck at (srd35.ac-mod.grappling-random-target).

    futurepath.modifier.defender-grappling-random-target.
    """
    rolled = yield Roll(blow.attacker.id, "grappler", f"1d{len(together)}")
    blow.target = together[rolled.total - 1]
    yield RuleApplied(
        who=blow.attacker.id,
        what=f"into a grapple: {blow.target.id} is struck at ({reading})",
        cites=fight.rules("ac-mod.grappling-random-target"),
    )
