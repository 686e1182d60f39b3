"""Initiative: the roll, what adds to it, and the order that comes of it."""

from collections.abc import Callable, Sequence

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.features import roll_parts
from affray.engine.rules.conditions.condition_rules import condition_parts, effect_parts, ruled_out
from affray.engine.steps import MOST_TIES, EndlessTie, Roll, Steps
from affray.events.facts.flow import InitiativeRolled, OrderSet
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def roll_initiative(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Roll initiative: d20 + Dexterity modifier + what the sheet adds (srd35.initiative.check).

    futurepath.initiative.order-persists, pf1.initiative.persists, srd35.initiative.kept.
    """
    parts = initiative_parts(fight, combatant)
    tally = fight.dialect.attacks.stack(fight, ruled_out(combatant, "initiative", parts))
    if combatant.fixed_initiative is not None:
        yield InitiativeRolled(
            who=combatant.id,
            key="",
            natural=0,
            total=combatant.fixed_initiative,
            modifier=tally.total,
            parts=tally.parts,
            cites=(fight.rule("initiative.kept"),),
        )
        return
    rolled = yield Roll(combatant.id, "initiative", "1d20")
    yield InitiativeRolled(
        who=combatant.id,
        key=rolled.key,
        natural=rolled.faces[0],
        total=rolled.faces[0] + tally.total,
        modifier=tally.total,
        parts=tally.parts,
        cites=(fight.rule("initiative.check"),),
    )


def initiative_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of an initiative check (futurepath.initiative.check, pf1.initiative.check).

    futurepath.initiative.misc-bonus
    """
    rule = fight.rule("initiative.check")
    parts = [Modifier(ability(combatant.sheet, "dex"), "ability", "Dexterity", rule)]
    misc = fight.rule("initiative.misc-bonus")
    for bonus in combatant.sheet.initiative:
        parts.append(Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, misc))
    parts += lowered(fight, combatant, "dex")
    parts += condition_parts(fight, combatant, "initiative")
    parts += effect_parts(combatant, "initiative", "")
    return parts + roll_parts(fight, combatant, "initiative", "")


def set_order(fight: Fight, ids: Sequence[str]) -> Steps[None]:
    """Set the order: highest result first, ties by the higher modifier, then by a roll-off.

    srd35.initiative.ties, pf1.initiative.tie-by-modifier, pf1.initiative.tie-roll-off,
    futurepath.initiative.tie-break.legacy, woa.resolve.ties.
    """
    topics = ["initiative.kept"]
    combatants = [fight.state.combatants[id] for id in ids]
    why = []
    groups: dict[tuple[int, int], list[Combatant]] = {}
    for one in combatants:
        groups.setdefault((one.initiative, one.initiative_modifier), []).append(one)
    result: list[str] = []
    totals = [one.initiative for one in combatants]
    for rank in sorted(groups, reverse=True):
        tied = groups[rank]
        if totals.count(rank[0]) > len(tied):
            why.append(f"{', '.join(one.id for one in tied)} at {rank[0]} by modifier {rank[1]:+d}")
            topics.append("initiative.tie-by-modifier")
        result += yield from roll_off([one.id for one in tied])
        if len(tied) > 1:
            why.append(f"{', '.join(result[-len(tied) :])} at {rank[0]} by a roll-off")
            topics.append("initiative.tie-roll-off")
    yield OrderSet(order=tuple(result), why="; ".join(why), cites=fight.rules(*topics))


def roll_off(
    ids: Sequence[str], purpose: str = "roll-off", bonus: Callable[[str], int] = lambda _id: 0
) -> Steps[list[str]]:
    """Return tied combatants in the order of a roll-off, rolling again while any are level.

    The `bonus` of each is added to its roll. Raises EndlessTie.
    """
    order: list[str] = []
    waiting = [(list(ids), 0)]
    while waiting:
        tied, ties = waiting.pop()
        if len(tied) < 2:
            order += tied
            continue
        if ties == MOST_TIES:
            raise EndlessTie(*tied)
        by_total: dict[int, list[str]] = {}
        for id in tied:
            rolled = yield Roll(id, purpose, "1d20")
            by_total.setdefault(rolled.total + bonus(id), []).append(id)
        again = ties + 1 if len(by_total) == 1 else 0
        waiting += [(by_total[total], again) for total in sorted(by_total)]
    return order
