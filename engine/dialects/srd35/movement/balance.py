"""Balancing on what is narrow or uneven, by the skill of that name (srd35.skill.balance)."""

from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement.balance import Balance, keep_balance_when_hurt, off_balance
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

TOPIC: Final = "srd35.skill.balance"
SURFACES: Final = ("7-12 in", "2-6 in", "under 2 in")


def balance(fight: Fight, act: acts.Move) -> Steps[None]:
    """Balance along a narrow way (srd35.skill.balance)."""
    return balancing.balance(fight, act, BALANCE)


def ground_of(fight: Fight, act: acts.Move) -> str:
    """Return the surface that one balances on; refuses one that the rule does not know."""
    if act.surface not in SURFACES:
        rule = fight.rule(TOPIC)
        raise Refusal(f"one balances on a surface of {', '.join(SURFACES)}, not {act.surface!r}", rule)
    return act.surface


def is_sure_footed(fight: Fight, mover: Combatant) -> bool:
    """Say whether somebody is good enough at it not to be flat-footed meanwhile."""
    return bool(mover.sheet.ranks.get("balance", 0) >= fight.figure(TOPIC, "ranks"))


def keeps_balance(fight: Fight, mover: Combatant, surface: str, fast: bool) -> Steps[bool]:
    """Check whether somebody keeps its balance: by 4 or less it gets nowhere, by 5 or more it falls."""
    rule = fight.rule(TOPIC)
    parts = skill_parts(fight, mover, "balance", "dex", rule)
    if fast:
        parts.append(fight.modifier(TOPIC, "full_speed", kind="penalty", source="at full speed"))
    margin = yield from check_by(
        fight, mover, "balance", parts, fight.figure(TOPIC, surface), rule, why=f"on {surface}"
    )
    if margin <= -fight.figure(TOPIC, "fall_by") and not is_down(fight, mover):
        yield from off_balance(fight, mover)
    return bool(margin >= 0)


BALANCE: Final = Balance(ground_of, keeps_balance, is_sure_footed)


def check_balance_when_hurt(fight: Fight, mover: Combatant) -> Steps[None]:
    """Check the balance of somebody who was hurt while balancing.

    Who is said to balance, without a word on what, has the broadest surface underfoot.
    """
    return keep_balance_when_hurt(
        fight, mover, BALANCE, lambda told: told if told in SURFACES else SURFACES[0]
    )
