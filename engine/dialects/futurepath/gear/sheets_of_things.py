"""The sheets of things, with hardness, hit points and break DC of the tables (futurepath.object.*)."""

from typing import Any, Final

from msgspec.structs import asdict, replace

from affray.engine.dialects.futurepath.conditions.degrees import DEGREES
from affray.engine.dialects.futurepath.defense.things_as_cover import COVERS, NONE
from affray.engine.fight.fight import Fight
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.gear.object_creature import of_substance
from affray.engine.steps import Refusal, unknown_word
from affray.events.errors import did_you_mean
from affray.events.facts.sheet import Sheet, Thing

TABLE: Final = "futurepath.table.object-hardness-hp-break"
SUBSTANCES: Final = "futurepath.table.substance-hardness-hp"
LEAST: Final = "futurepath.object.manufactured-minimum-values"
#: What a thing made by somebody is called in the table, before its size.
MADE: Final = "manufactured"
#: The figures of a thing in words.
WORDS: Final = {"hardness": "a hardness", "hp": "hit points", "break_dc": "a break DC"}


def thing_from_table(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet of a thing with hardness, hit points and break DC, and the rules they come from.

    By its row, by its size as something "manufactured", or by its substance and thickness. Figures of what is
    manufactured are the least: the sheet may say more (futurepath.object.hit-points.source,
    futurepath.object.manufactured-minimum-values, futurepath.table.object-hardness-hp-break,
    futurepath.table.substance-hardness-hp).
    """
    thing = sheet.thing
    refuse_unknown_degree(fight, sheet)
    if thing is None:
        return sheet, ()
    topics: list[str] = []
    hardness, hp, dc = thing.hardness, 0, thing.break_dc
    if thing.table:
        row = row_of_thing(fight, thing.table, sheet.size)
        said = {"hardness": hardness, "hp": sheet.hp if sheet.hp > 1 else 0, "break_dc": dc}
        topics.append(TABLE)
        if row["object"].startswith(MADE):
            more = [most(fight, sheet.name, word, figure, int(row[word])) for word, figure in said.items()]
            topics += [LEAST] if more != [row[word] for word in said] else []
            hardness, hp, dc = more
        else:
            hardness, hp, dc = (
                agreed(fight, sheet.name, word, figure, int(row[word])) for word, figure in said.items()
            )
    if thing.substance:
        topics.append(SUBSTANCES)
        hardness, hp = of_substance(fight, thing, SUBSTANCES)
    if topics:
        topics.append("futurepath.object.hit-points.source")
    made = Thing(**{**asdict(thing), "hardness": hardness, "break_dc": dc})
    return replace(sheet, kind="object", hp=hp or sheet.hp, thing=made), fight.rules(*topics)


def refuse_unknown_degree(fight: Fight, sheet: Sheet) -> None:
    """Refuse a trait "covers (DEGREE)" of what is no thing, or with a degree that there is not.

    futurepath.cover.degree-assessment.
    """
    for told in details_of(COVERS, sheet.traits):
        if sheet.thing is None or told not in (*DEGREES, NONE):
            trait, rule = f"covers ({told})", fight.rule("futurepath.cover.degree-assessment")
            if sheet.thing is None:
                raise Refusal(f"{sheet.name} is no thing and cannot have the trait {trait!r}", rule)
            meant = did_you_mean(told, (*DEGREES, NONE))
            raise Refusal(
                f"{sheet.name} cannot have the trait {trait!r}: things cover by degree{meant}", rule
            )


def row_of_thing(fight: Fight, name: str, size: str) -> dict[str, Any]:
    """Return the row of a thing in the table; what is "manufactured" has one by its size. Refuses others."""
    wanted = f"{MADE}, {size}" if name == MADE else name
    row: dict[str, Any] | None = next((one for one in fight.figure(TABLE) if one["object"] == wanted), None)
    if row is None:
        known = (str(one["object"]) for one in fight.figure(TABLE))
        raise unknown_word("thing in the table of objects", wanted, known, fight.rule(TABLE))
    return row


def most(fight: Fight, name: str, word: str, said: int, least: int) -> int:
    """Return a figure as the sheet has it, or the table's. Refuses less than that of what is manufactured."""
    if said and said < least:
        raise Refusal(f"{name} has {WORDS[word]} of at least {least}, not {said}", fight.rule(LEAST))
    return max(said, least)


def agreed(fight: Fight, name: str, word: str, said: int, figure: int) -> int:
    """Return a figure of the table. Refuses a sheet that says otherwise."""
    if said not in (0, figure):
        raise Refusal(f"{name} has {WORDS[word]} of {figure}, not {said}", fight.rule(TABLE))
    return figure
