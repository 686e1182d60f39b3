"""Tight spaces: squeezing, and by Escape Artist into what is less than half as wide (pf1.squeeze)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.position.squeezing import full_side, narrowest, settle_in, taken_up
from affray.engine.rules.position.tight_form import WRIGGLING
from affray.engine.rules.position.wriggling import form_to_wriggle, get_through, spent_on_wriggling
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.projections.state import Combatant

TOPIC: Final = "pf1.squeeze"


def wriggle(fight: Fight, act: acts.Move) -> Steps[None]:
    """Get into a tight space, one step, as a full-round action and by Escape Artist.

    It is DC 30 unless the game master says otherwise (`dc`). Whoever is in it, or has tried this turn, takes
    -4 to AC, has no Dexterity bonus to it and makes no attacks.
    """
    mover = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    there, form = form_to_wriggle(fight, mover, act, rule)
    dc = act.dc or int(fight.figure(TOPIC, "dc"))
    yield spent_on_wriggling(mover, rule)
    parts = skill_parts(fight, mover, "escape artist", "dex", rule)
    through = yield from check(fight, mover, "escape artist", parts, dc, rule)
    until = Until() if through else Until("turn-start", mover.id, fight.state.round + 1)
    # Whoever is in it stays so, also if it gets no further.
    if WRIGGLING not in mover.conditions:
        yield ConditionGained(
            who=mover.id, condition=WRIGGLING, source="a tight space", until=until, cites=(rule,)
        )
    if through:
        yield from get_through(fight, mover, there, form, rule)


def settle_after_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Let squeezing begin or end with a step, and the tight space be left behind."""
    form = taken_up(fight, mover, here, there, how)
    if WRIGGLING in mover.conditions and form.side >= narrowest(fight, full_side(fight, mover)):
        yield ConditionLost(
            who=mover.id, condition=WRIGGLING, why="out of the tight space", cites=fight.rules(TOPIC)
        )
    yield from settle_in(fight, mover, form)


def refuse_attack(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse attacks to whoever is in a tight space."""
    raise Refusal(f"{actor.id} is in a tight space and cannot attack", fight.rule(TOPIC))
