"""Ways that lead into somebody whom the mover does not perceive: it goes as far as it can, and stops.

What is declared is judged by what the mover knows; what comes of it, by who is there. No text says in so many
words that one runs into the unseen: it follows from what nobody may pass or stand in, and from the mover not
being able to know (srd35.pass.*, srd35.special-move.illegal-space, pf1.pass.*, futurepath.movement.*,
woa.movement.pass-through.*).
"""

from collections.abc import Iterable, Sequence

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.rules.movement.noticed import Met, knows_of, noticed
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.senses.hidden import HIDDEN, knowledge_of_square
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import EffectEnded
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def known_occupants(fight: Fight, mover: Combatant, at: Square) -> list[Combatant]:
    """Return those in whose space a mover would stand at `at`, as far as it knows."""
    others = occupants(fight, mover, at)
    return noticed(fight, mover, others) if others else others


def met_at_end(fight: Fight, mover: Combatant, at: Square, others: Sequence[Combatant]) -> Met | None:
    """Return who unseen is in the place where a leap or a flight would end, None if nobody is."""
    unseen = [one for one in others if not knows_of(fight, mover, one)]
    return Met(unseen, at, fight.rule("pass.ending-movement")) if unseen else None


def run_into(fight: Fight, mover: Combatant, met: Met, how: str) -> Steps[None]:
    """Tell that a way ends before somebody unseen, and what follows from it."""
    what = "charge" if how == "charge" else "way"
    where = f"{met.at[0]},{met.at[1]}"
    reason = f"the {what} of {mover.id} ends: somebody whom it has not perceived is at {where}"
    yield RuleApplied(who=mover.id, what=reason, cites=(met.rule,))
    for one in met.those:
        yield from fight.dialect.movement.after_running_into(fight, mover, one, how)


def stop_short(fight: Fight, mover: Combatant, met: Met, how: str, legal: Square, moved: bool) -> Steps[None]:
    """End a way on foot before somebody unseen, where the mover may stand; `moved` if it left its square."""
    if moved:
        yield from fight.dialect.movement.after_movement(fight, mover)
    yield from run_into(fight, mover, met, how)
    yield from fight.dialect.movement.step_aside(fight, mover, legal)


def no_longer_hides(fight: Fight, mover: Combatant, other: Combatant, how: str) -> Steps[None]:
    """End that somebody hides from a mover that has run into it.

    srd35.skill.hide, pf1.skill.stealth, woa.cover.stealth.
    """
    for effect in other.effects:
        if effect.stat == HIDDEN and effect.against == mover.id:
            cites = fight.rules("skill.hide")
            yield EffectEnded(who=other.id, id=effect.id, why=f"{mover.id} has run into it", cites=cites)


def know_square(fight: Fight, mover: Combatant, other: Combatant, how: str) -> Steps[None]:
    """Let a mover know the square of somebody unseen whom it has run into, until that one moves.

    srd35.invisibility.grope, pf1.invisibility.perception-table, futurepath.concealment.total-guess-location.
    """
    if not fight.dialect.senses.locates(fight, mover, other):
        yield knowledge_of_square(fight, mover, other, "invisibility.grope")


def refuse_charge_through(
    fight: Fight,
    mover: Combatant,
    at: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a charge through anybody but the helpless, friends too.

    srd35.charge.clear-path, pf1.charge, futurepath.action.charge.straight-line.
    """
    for other in others:
        if how == "charge" and not is_helpless(fight, other):
            raise Refusal(f"{other.id} stands in the way of the charge", fight.rule("charge.clear-path"))
