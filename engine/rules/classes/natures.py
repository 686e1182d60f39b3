"""What a creature is by nature: its kind, its race, a trait on its sheet, or a condition it is under now.

A printed creature is incorporeal by its kind or its subtype, another becomes so by a spell: to the rules that
is the same. They ask `is_a`; a stage says it with `natured`: `when(natured("target", INCORPOREAL), stage)`.
"""

from collections.abc import Collection
from typing import Final

from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant

ETHEREAL: Final = "ethereal"
FLYING: Final = "flying"
INCORPOREAL: Final = "incorporeal"
UNDEAD: Final = "undead"
#: Who is hampered by no ground: by nature it flies, or has no body, or is on another plane.
CLEAR_OF_GROUND: Final = frozenset({ETHEREAL, FLYING, INCORPOREAL})


def is_printed_as(sheet: Sheet, nature: str) -> bool:
    """Say whether a sheet is that of such a creature, by kind, race or trait."""
    return nature in (sheet.kind, sheet.race) or nature in sheet.traits


def is_a(combatant: Combatant, nature: str) -> bool:
    """Say whether a combatant is by nature such a creature, by kind, race, trait or condition."""
    return is_printed_as(combatant.sheet, nature) or nature in combatant.conditions


def natures_of(combatant: Combatant) -> tuple[str, ...]:
    """Return all that a combatant is by nature: its kind, race, traits and conditions, in this order."""
    sheet = combatant.sheet
    return (sheet.kind, sheet.race, *sheet.traits, *combatant.conditions)


def nature_among(combatant: Combatant, natures: Collection[str]) -> str:
    """Return the first of a combatant's natures that is one of these, "" for none."""
    sheet = combatant.sheet
    for one in (sheet.kind, sheet.race, *sheet.traits, *combatant.conditions):
        if one in natures:
            return one
    return ""


def is_mindless(combatant: Combatant) -> bool:
    """Say whether a combatant has no mind: no Intelligence score, or the trait."""
    return combatant.sheet.abilities.int_ is None or is_a(combatant, "mindless")


def natured(asked: str, nature: str) -> str:
    """Return the condition of a stage: what a point calls `asked` is by nature such a creature."""
    return (
        f"('{nature}' in ({asked}.sheet.kind, {asked}.sheet.race) or '{nature}' in {asked}.sheet.traits"
        f" or '{nature}' in {asked}.conditions)"
    )
