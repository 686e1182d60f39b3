"""Raking whom one has held since before one's turn (pf1.constrict-rend-rake)."""

from affray.engine.dialects.pf1.grapple.hold import GRAPPLED, opponent_of
from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.rend import HOLDS
from affray.engine.rules.grapple import rake as shared_rake
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def rake(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Rake a grappled opponent with the claws that only rake: free, once a turn, beside all else.

    Not in the turn in which the grapple began.
    """
    rule = fight.rule(HOLDS)
    shared_rake.refuse_rake(fight, grappler)
    if opponent_of(fight, grappler) is not target or GRAPPLED not in target.conditions:
        raise Refusal(f"{grappler.id} rakes only whom it grapples", rule)
    yield spending(fight, grappler, "free", "grapple: rake", rule)
    yield from shared_rake.rake(fight, grappler, target)


def note_fresh_hold(grappler: Combatant, target: Combatant, rule: str) -> Steps[None]:
    """Note that a creature that rakes has taken hold of its target only now: it does not rake this turn."""
    if any(shared_rake.raking_claws(grappler)):
        yield ActionSpent(who=grappler.id, kind="grab", what=f"takes hold of {target.id}", cites=(rule,))
