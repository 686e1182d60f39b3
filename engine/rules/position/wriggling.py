"""Getting into a space that is too tight to squeeze into, one step, as a full-round action.

pf1.squeeze, srd35.squeeze.escape-artist.
"""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.movement.movement import refuse_after_step, refuse_prone
from affray.engine.rules.position.squeezing import Form, settle_in
from affray.engine.rules.position.tight_form import tight_form
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import Moved
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant


def form_to_wriggle(fight: Fight, mover: Combatant, act: acts.Move, rule: str) -> tuple[Square, Form]:
    """Return the square that a mover tries to get into, and what it would take up there.

    Refuses who has not the full round, lies prone or has taken a 5-foot step, and any way but one step.
    """
    refuse_unless_allowed(fight, mover, "full-round")
    refuse_after_step(fight, mover)
    refuse_prone(fight, mover)
    if len(act.path) != 1:
        raise Refusal("one wriggles one square at a time", rule)
    there = act.path[0]
    if max(abs(there[0] - mover.at[0]), abs(there[1] - mover.at[1])) != 1:
        raise Refusal(f"no step leads to {there[0]},{there[1]}", rule)
    return there, tight_form(fight, mover, there, act.wide)


def spent_on_wriggling(mover: Combatant, rule: str) -> ActionSpent:
    """Return the fact that a full round goes into the attempt."""
    return ActionSpent(who=mover.id, kind="full-round", what="wriggle into a tight space", cites=(rule,))


def get_through(fight: Fight, mover: Combatant, there: Square, form: Form, rule: str) -> Steps[None]:
    """Let a mover into the tight space, where it takes up what there is."""
    yield Moved(
        who=mover.id,
        start=mover.at,
        path=(there,),
        feet=SQUARE_FT,
        diagonals=0,
        how="wriggle",
        space=form.side,
        stretch=form.stretch,
        cites=(rule,),
    )
    yield from settle_in(fight, mover, form)
