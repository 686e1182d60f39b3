"""Big and little creatures: what their size does to space, reach and opportunities (srd35.size.*)."""

from collections.abc import Sequence
from math import ceil

from affray.engine.dialects.srd35.position.pass_through import size_row, very_small
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.record.blow import Blow
from affray.engine.rules.conditions.condition_rules import can_react
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant


def space_and_reach_by_size(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side and the natural reach in feet of a creature.

    A space of part of a square takes up the whole (srd35.size.table-space-reach, srd35.grid.square).
    """
    row = size_row(fight, sheet)
    feet = sheet.space if sheet.space is not None else row["space_ft"]
    side = max(1, ceil(feet / fight.figure("srd35.grid.square", "square_ft")))
    return side, int(sheet.reach if sheet.reach is not None else row["reach_ft"])


def rules_on_place(fight: Fight, sheet: Sheet, side: int, reach: int) -> tuple[str, ...]:
    """Return the rules that space and reach of a creature follow from (srd35.size.special-position-rules)."""
    topics = ["srd35.grid.square"]
    if sheet.size not in ("small", "medium"):
        topics.append("srd35.size.special-position-rules")
    if side > 1 and sheet.size.capitalize() in fight.figure("srd35.size.large-multi-square"):
        topics.append("size.large-multi-square")
        if reach >= fight.figure("srd35.size.large-reach", "min_reach_ft"):
            topics.append("size.large-reach")
    if very_small(fight, sheet) and reach == fight.figure("srd35.size.tiny-reach-zero", "reach_ft"):
        topics.append("size.tiny-reach-zero")
    return fight.rules(*topics)


def note_passed_enemies(fight: Fight, combatant: Combatant, path: Sequence[Square]) -> Steps[None]:
    """Note the enemies without reach whom a move leads past: it provokes nothing from them.

    srd35.size.tiny-no-threat.
    """
    left = (combatant.at, *path[:-1])
    for enemy in fight.enemies(combatant):
        if (
            not enemy.reach
            and fight.dialect.position.reach_bands(fight, enemy)
            and not can_react(fight, enemy)
        ):
            near = (distance_ft(enemy.at, at, enemy.space, combatant.space) for at in left)
            if SQUARE_FT in near:
                yield RuleApplied(
                    who=combatant.id,
                    what=f"moving past {enemy.id} provokes nothing: it has no reach",
                    cites=fight.rules("srd35.size.tiny-no-threat"),
                )


def cite_place(fight: Fight, blow: Blow) -> None:
    """Cite what lets a blow reach its target: one's own square may be attacked (.attack-own-square)."""
    if blow.melee and not blow.distance and "grappling" not in blow.attacker.conditions:
        blow.cites.append(fight.rule("srd35.size.attack-own-square"))
