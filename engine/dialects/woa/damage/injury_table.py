"""The table of injuries (woa.injury.table): printed entries as printed, all others flagged as assumed."""

from typing import Any

from msgspec import Struct

from affray.engine.book import PRINTED
from affray.engine.book.figures import split
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.projections.state import Combatant

LOWEST = -1_000_000
ANATOMY = "woa.called-shot.nonhumanoid-anatomy"


class Injury(Struct, frozen=True):
    """One row: the entries from `entry` to the next row's, the body part, and what the injury does.

    `conditions` gives rounds by name, 0 for lasting; it may take consciousness; `bleeding` is the severity
    of a wound that it opens; `unfit` names causes from which it would make no sense. `assumed` marks a row
    that the text does not print; the effects of every row are assumed.
    """

    entry: int
    name: str
    part: str
    conditions: dict[str, int]
    unconscious: bool
    bleeding: str
    unfit: tuple[str, ...]
    assumed: bool


@per_fight()
def injury_rows(fight: Fight) -> tuple[Injury, ...]:
    """Return the rows in ascending order; the first one is that of all lower numbers too."""
    read = [injury_row(fight, row) for row in fight.figure("woa.injury.table")]
    return tuple(sorted(read, key=lambda row: row.entry))


def injury_row(fight: Fight, row: dict[str, Any]) -> Injury:
    """Return a row of the file; an entry that refers to a printed figure makes it a printed one."""
    entry, printed = row.get("entry", LOWEST), False
    if isinstance(entry, str) and entry.startswith(PRINTED):
        rule, _, path = entry.removeprefix(PRINTED).partition("/")
        entry, printed = fight.book.figure(rule, *split(path)), True
    assumed = not printed and fight.book[fight.rule("woa.injury.table")].provenance == "assumed"
    return Injury(
        int(entry),
        row["name"],
        row["part"],
        dict(row.get("conditions", {})),
        bool(row.get("unconscious")),
        row.get("bleeding", ""),
        tuple(row.get("unfit", ())),
        assumed,
    )


def entry_for(fight: Fight, number: int) -> Injury | None:
    """Return the row of an entry.

    None for a row that the text does not print, if only what is printed counts (`unprinted_tables`).
    """
    rows = injury_rows(fight)
    row = next((one for one in reversed(rows) if one.entry <= number), rows[0])
    return None if is_left_to_gm(fight, row) else row


def is_left_to_gm(fight: Fight, row: Injury) -> bool:
    """Say whether a row is left to the game master, since the text does not print it."""
    return row.assumed and fight.option("unprinted_tables") == "printed-only"


def row_named(fight: Fight, name: str) -> Injury | None:
    """Return the row of an injury's name, None without one."""
    return next((row for row in injury_rows(fight) if row.name.casefold() == name.casefold()), None)


def closest_row(
    fight: Fight, number: int, part: str = "", cause: str = "", body: Combatant | None = None
) -> Injury:
    """Return the row closest to a number that fits the body part, the cause and the body.

    Of two as close the lower one (woa.injury.random-body-part, woa.injury.random-nonsense).
    """
    rows = injury_rows(fight)
    spans = zip(rows, [*(row.entry - 1 for row in rows[1:]), -LOWEST], strict=True)
    fitting = [
        (max(row.entry - number, number - last, 0), row.entry, row)
        for row, last in spans
        if (not part or row.part == part)
        and injury_fits(fight, row, cause, body)
        and not is_left_to_gm(fight, row)
    ]
    if not fitting:
        return closest_row(fight, number)
    return min(fitting, key=lambda one: one[:2])[2]


def injury_fits(fight: Fight, row: Injury, cause: str, body: Combatant | None) -> bool:
    """Say whether an injury makes sense from that cause on that body."""
    return cause not in row.unfit and (body is None or row.part not in parts_lacking(fight, body))


def parts_of(fight: Fight) -> tuple[str, ...]:
    """Return the parts of the body that the table knows, in its order."""
    return tuple(dict.fromkeys(row.part for row in injury_rows(fight)))


@per_fight(Same("combatant.sheet"))
def parts_lacking(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the parts of a humanoid body that a creature does not have (.nonhumanoid-anatomy).

    By its kind, its legs, and traits such as "no neck".
    """
    sheet = combatant.sheet
    kinds = {row["body"]: row["lacks"] for row in fight.figure(ANATOMY)}
    names = [*kinds.get(sheet.kind, ()), *(() if sheet.legs else ("leg",))]
    names += [part for part in parts_of(fight) if has_trait(combatant, f"no {part}")]
    return tuple(dict.fromkeys(names))
