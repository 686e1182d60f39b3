"""Chances in percent: a hundred-sided die that shows at most a number."""

from affray.engine.steps import Steps, judged
from affray.events.facts.combat import CheckResolved, MissChanceResolved
from affray.projections.state import Combatant

HUNDRED = "1d100"


def percent_roll(
    combatant: Combatant,
    name: str,
    percent: int,
    why: str,
    *cites: str,
    hoped: bool = True,
    purpose: str = "",
) -> Steps[bool]:
    """Roll a chance as the check `name` and return whether it occurred.

    That is a success, unless it is not `hoped` for; `purpose` names the roll if it is not `name`.
    """

    def judge(key: str, shown: int) -> CheckResolved:
        return CheckResolved(
            who=combatant.id,
            check=name,
            key=key,
            natural=shown,
            total=shown,
            dc=percent,
            success=(shown <= percent) is hoped,
            parts=(),
            why=why,
            cites=cites,
        )

    fact: CheckResolved = yield from judged(combatant.id, purpose or name.replace(" ", "-"), judge, HUNDRED)
    return fact.success is hoped


def is_missed(
    attacker: Combatant, target: Combatant, percent: int, why: str, *cites: str, purpose: str = "miss-chance"
) -> Steps[bool]:
    """Roll the miss chance of a blow that hits, and return whether it misses."""

    def judge(key: str, shown: int) -> MissChanceResolved:
        return MissChanceResolved(
            attacker=attacker.id,
            target=target.id,
            percent=percent,
            key=key,
            rolled=shown,
            missed=shown <= percent,
            why=why,
            cites=cites,
        )

    fact: MissChanceResolved = yield from judged(attacker.id, purpose, judge, HUNDRED)
    return fact.missed
