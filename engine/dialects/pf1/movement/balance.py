"""Balancing on what is narrow or uneven, by Acrobatics (pf1.skill.acrobatics-balance)."""

from collections.abc import Mapping
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement.balance import Balance, keep_balance_when_hurt, off_balance
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

TOPIC: Final = "pf1.skill.acrobatics-balance"
#: How wide a surface is, and the figure of its DC.
SURFACES: Final[Mapping[str, str]] = {"7-11 in": "7-11", "2-6 in": "2-6", "under 2 in": "under_2"}
OTHER: Final = "what takes DC "


def balance(fight: Fight, act: acts.Move) -> Steps[None]:
    """Balance along a narrow way, flat-footed (pf1.skill.acrobatics-balance)."""
    return balancing.balance(fight, act, BALANCE)


def ground_of(fight: Fight, act: acts.Move) -> str:
    """Return what one balances on: a narrow surface, or another of which the game master says the DC."""
    if bool(act.surface) == bool(act.dc):
        told = ", ".join(SURFACES)
        raise Refusal(f"one balances on a surface of {told}, or of a DC", fight.rule(TOPIC))
    return act.surface or f"{OTHER}{act.dc}"


def never_sure(fight: Fight, mover: Combatant) -> bool:
    """Say that everybody is flat-footed while balancing."""
    return False


def keeps_balance(fight: Fight, mover: Combatant, ground: str, fast: bool) -> Steps[bool]:
    """Check whether somebody keeps its balance, without which it falls."""
    rule = fight.rule(TOPIC)
    dc = fight.figure(TOPIC, SURFACES[ground]) if ground in SURFACES else int(ground.removeprefix(OTHER))
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    kept = yield from check(fight, mover, "acrobatics", parts, dc, rule, why=f"on {ground}")
    if not kept and not is_down(fight, mover):
        yield from off_balance(fight, mover)
    return kept


BALANCE: Final = Balance(ground_of, keeps_balance, never_sure)


def check_balance_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check the balance of somebody who was hurt while balancing; one that enters so has broad ground."""
    broadest = next(iter(SURFACES))

    def known(told: str) -> str:
        return told if told in SURFACES or told.startswith(OTHER) else broadest

    return keep_balance_when_hurt(fight, mover, BALANCE, known)
