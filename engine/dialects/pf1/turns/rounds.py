"""Rounds, order and turns in pf1: the rules of the text that each of their facts comes of.

pf1.flow.*, pf1.round.*, pf1.initiative.*.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps, altered, reciting
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, InitiativeChanged, OrderSet, RoundBegan, TurnEnded
from affray.projections.state import Combatant, Effect


def set_order_by_result(fight: Fight, ids: Sequence[str], ordering: Steps[None]) -> Steps[None]:
    """Set the order of turns, the highest result first.

    pf1.initiative.order, pf1.flow.step-initiative-order.
    """
    return reciting(
        ordering, OrderSet, *fight.rules("pf1.initiative.order", "pf1.flow.step-initiative-order")
    )


def open_normal_round(fight: Fight, number: int, opening: Steps[None]) -> Steps[None]:
    """Begin a round in which everybody has a turn: the first, or one more.

    pf1.round.everyone-acts, pf1.flow.step-first-normal-round, pf1.flow.cyclic-rounds.
    """
    which = "cyclic-rounds" if number > 1 else "step-first-normal-round"
    return reciting(opening, RoundBegan, *fight.rules("pf1.round.everyone-acts", f"pf1.flow.{which}"))


def keep_initiative_when_idle(fight: Fight, combatant: Combatant, closing: Steps[None]) -> Steps[None]:
    """End a turn; whoever could not act in it stays in the order (pf1.initiative.kept-when-unable-to-act)."""
    rule = fight.rule("pf1.initiative.kept-when-unable-to-act")

    def cited(step: Any) -> Any:
        if not isinstance(step, TurnEnded) or not step.skipped:
            return step
        return replace(step, cites=(*step.cites, rule))

    return altered(closing, cited)


def change_place_by_resuming(fight: Fight, act: acts.Resume, resuming: Steps[None]) -> Steps[None]:
    """Take a delayed turn, by which the place in the order changes (pf1.initiative.changed-by-action)."""
    return reciting(resuming, InitiativeChanged, fight.rule("pf1.initiative.changed-by-action"))


def change_place_by_readying(
    fight: Fight, combatant: Combatant, other: Combatant, plan: acts.Ready, taking: Steps[None]
) -> Steps[None]:
    """Take a readied action, by which the place in the order changes (pf1.initiative.changed-by-action)."""
    return reciting(taking, InitiativeChanged, fight.rule("pf1.initiative.changed-by-action"))


def full_round_over(fight: Fight, condition: str, effect: Effect | None, rule: str) -> str:
    """Return the rule by which something is over: of what lasts from one turn to the next, the full round's.

    pf1.round.full-round-span.
    """
    to_next_turn = effect is not None and effect.until.when == "turn-start"
    return fight.rule("pf1.round.full-round-span") if to_next_turn else rule


def split_in_restricted_turn(fight: Fight, act: acts.Split, splitting: Steps[None]) -> Steps[None]:
    """Split a full-round action: the one way to it in a turn that allows less (pf1.action.restricted)."""
    if fight.dialect.turns.allowance(fight, fight.combatant(act.actor)).full:
        return splitting
    return reciting(splitting, ActionSpent, fight.rule("pf1.action.restricted"))
