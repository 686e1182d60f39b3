"""`affray statblock`, `map`: read printed stat blocks and drawn maps, and report what was not understood."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap

import click

from affray.engine.maps import OBJECTS, PORTALS, DrawnMap, Finding, plan_of, plan_text, read_map
from affray.engine.record.blocks import OwnBlock
from affray.engine.rules.classes.sheets import ability
from affray.engine.stat_blocks import read_block, readable
from affray.engine.statblock import Block, Routine, StatBlockError
from affray.engine.statblock.armory import play
from affray.engine.statblock.paste import LONGEST_TEXT
from affray.engine.text.map import draw_rows
from affray.events.errors import counted, did_you_mean, shell_command
from affray.events.facts.sheet import Bonus, Sheet
from affray.events.files import is_found
from affray.replay.cli.terminal.base import as_json, width
from affray.replay.cli.terminal.output import output
from affray.replay.cli.terminal.printing import print_found, put

# --- Printed stat blocks from a file, from pasted text, or by name from a folder


def make_sheet_of_block(dialect: str, place: Path, use: str, accept_unread: bool) -> Sheet:
    """Return the sheet of a printed stat block; print what was not understood.

    The place is a file, - for standard input, or a folder in which `use` names one. Raises UsageError if it
    names none, StatBlockError for an unreadable block, and for unread parts that matter unless they are
    accepted.
    """
    file = place
    if str(place) != "-" and place.is_dir():
        file = choose_block_file(place, use, dialect)
    block = read_file(file, dialect)
    if block.unread and not accept_unread:
        said = "; ".join(f"line {one.line}: {one.reason}" for one in block.unread[:3])
        more = f" and {len(block.unread) - 3} more" if len(block.unread) > 3 else ""
        raise StatBlockError(f"{file}: {said}{more} (accept it with --accept-unread)")
    if block.notes:
        remarks = counted(len(block.notes), "remark")
        put(f"{remarks} on the stat block; see: {shell_command('statblock', file)}", err=True)
    return block.sheet


def choose_block_file(folder: Path, use: str, dialect: str) -> Path:
    """Return the file in a folder of blocks that `use` names: by file name, with or without suffix, or by
    creature.

    Case does not matter. Raises UsageError if it names none, or several.
    """
    files = list_block_files(folder)
    if not files:
        raise click.UsageError(f"{folder} contains no stat block")
    wanted = use.casefold()
    for known in ([(one.name, one) for one in files], [(one.stem, one) for one in files]):
        if found := [file for name, file in known if name.casefold() == wanted]:
            return _only(found, use, folder)
    printed = list(_printed(files, dialect))
    if found := [file for name, file in printed if name.casefold() == wanted]:
        return _only(found, use, folder)
    if not use:
        raise click.UsageError(f"{folder} is a folder; choose a block with --use: {_listed(files, printed)}")
    meant = did_you_mean(use, [*(one.stem for one in files), *(name for name, _ in printed)])
    raise click.UsageError(f"{folder} contains no block {use!r}{meant}")


def list_block_files(folder: Path) -> list[Path]:
    """Return the files of a folder of blocks, without hidden ones, ordered by name."""
    return sorted(one for one in folder.iterdir() if is_found(one, folder) and not one.name.startswith("."))


def _printed(files: list[Path], dialect: str) -> Iterator[tuple[str, Path]]:
    """Yield the name of each creature in its block, if it can be read."""
    for file in files:
        try:
            yield read_file(file, dialect).sheet.name, file
        except StatBlockError:
            continue


def _listed(files: list[Path], printed: list[tuple[str, Path]]) -> str:
    """Return the contents of a folder: each file, and the name of its creature if it differs."""
    names = {file: name for name, file in printed if name.casefold() != file.stem.casefold()}
    stems = [one.stem for one in files]
    shown = {one: one.stem if stems.count(one.stem) == 1 else one.name for one in files}
    return ", ".join(shown[one] + (f" ({names[one]})" if one in names else "") for one in files)


def _only(found: list[Path], use: str, folder: Path) -> Path:
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        raise click.UsageError(f"{use!r} is in {folder} more than once; choose with --use one of {names}")
    return found[0]


def read_file(file: Path, dialect: str) -> Block | OwnBlock:
    """Return the block in a file, "-" being standard input. Raises StatBlockError, OSError."""
    data = sys.stdin.buffer.read(4 * LONGEST_TEXT + 1) if str(file) == "-" else _bytes(file)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StatBlockError(f"{file}: not UTF-8 text") from None
    try:
        return read_block(text, dialect=dialect)
    except StatBlockError as error:
        raise StatBlockError(f"{file}: {error}") from None


def _bytes(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(4 * LONGEST_TEXT + 1)


# --- `affray statblock`: the contents of a printed stat block, and what was not understood

#: Grades of notes on a stat block.
GRADES = {
    "unread": "unread, and it matters",
    "unplayed": "no rule plays it as printed",
    "harmless": "not on the sheet, or not as printed",
}


@click.command(
    epilog="\b\nExamples:\n  affray statblock ogre.txt\n  affray statblock - --json < pasted.txt\n"
    "  affray add fight.db --id ogre --side monsters --at 8,3 --statblock ogre.txt"
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--dialect",
    help="The dialect whose form or arithmetic to use; default: from the block.",
)
@as_json
def statblock(file: Path, dialect: str | None, json: bool) -> None:
    """Parse a printed stat block (3.5, Pathfinder, modern, or a dialect's own) and report what was not read.

    FILE is a text pasted from a book or a page; - is standard input.
    """
    if dialect and dialect not in readable():
        raise click.UsageError(f"no stat blocks for {dialect!r}; there are: {', '.join(readable())}")
    block = read_file(file, dialect or "")
    print_found(block, _block_rows(block), json)


def _block_rows(block: Block | OwnBlock) -> Iterator[str]:
    if isinstance(block, OwnBlock):
        yield f"{block.sheet.name}, in the form of {block.dialect}"
        yield ""
        yield from _table(("read", "as"), [(name, text) for name, text in block.facts if text])
    else:
        yield from _figure_rows(block)
    if not block.notes:
        yield from ("", "every part was read")
    for grade, heading in GRADES.items():
        notes = [(str(one.line), one.text or "-", one.reason) for one in block.notes if one.grade == grade]
        if notes:
            yield ""
            yield from _table(("line", heading, "why"), notes)


def _figure_rows(block: Block) -> Iterator[str]:
    yield f"{block.sheet.name}, with the arithmetic of {block.dialect}"
    yield ""
    yield from _table(("read", "as"), [(name, text) for name, text in _facts(block) if text])
    parts = {weapon.name: _bonuses((*weapon.attack, *weapon.bonus_damage)) for weapon in block.sheet.weapons}
    strikes = [(one.attack.text, one.weapon, parts[one.weapon]) for one in block.strikes]
    yield ""
    yield from _table(("attack", "weapon", "parts"), strikes)
    if block.routines:
        yield ""
        routines = [tuple(_routine(block, routine)) for routine in block.routines]
        yield from _table(("one full attack", "as played", "printed"), routines)
    shares = block.shares
    many = counted(shares.printed, "figure")
    yield ""
    yield f"{many}: {shares.agree} as printed, {shares.explained} by named parts alone"


def _facts(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the fields of the sheet, by name."""
    sheet, printed = block.sheet, block.printed
    yield "kind", " ".join([sheet.size, sheet.kind, *(f"{name} {n}" for name, n in sheet.classes.items())])
    yield "hit points", f"{sheet.hp}, {sheet.hit_dice} Hit Dice"
    dexterity = ability(sheet, "dex")
    cap = "" if sheet.max_dex is None else f" (of {dexterity:+d})"
    counted = dexterity if sheet.max_dex is None else min(dexterity, sheet.max_dex)
    yield (
        "armor class",
        f"{printed.ac}: 10, {_bonuses(sheet.armor)}, Dexterity {counted:+d}{cap}, {sheet.size}",
    )
    totals = (("touch", printed.touch), ("flat-footed", printed.flat_footed))
    known = [(name, total) for name, total in totals if total is not None]
    yield ", ".join(name for name, _ in known), ", ".join(str(total) for _, total in known)
    scores = ((name.strip("_"), getattr(sheet.abilities, name)) for name in sheet.abilities.__struct_fields__)
    yield "abilities", ", ".join(f"{name} {'-' if score is None else score}" for name, score in scores)
    yield "saves", ", ".join(f"{kind} {total:+d}" for kind, total in printed.saves.items())
    yield "base attack", f"{sheet.base_attack:+d}"
    yield "initiative", "" if printed.initiative is None else f"{printed.initiative:+d}"
    grade = f" ({sheet.maneuver})" if sheet.maneuver else ""
    ways = (("fly", sheet.fly, grade), ("swim", sheet.swim, ""), ("climb", sheet.climb, ""))
    others = "".join(f", {name} {feet} ft.{more}" for name, feet, more in ways if feet)
    yield "speed", f"{sheet.speed} ft.{others}"
    feet = [
        f"{name} {value} ft." for name, value in (("space", sheet.space), ("reach", sheet.reach)) if value
    ]
    yield "space, reach", ", ".join(feet)
    yield (
        "reduction",
        "; ".join(f"{one.amount}/{' or '.join(one.bypass) or '-'}" for one in sheet.reductions),
    )
    yield "resistance", ", ".join(f"{name} {amount}" for name, amount in sheet.resistances.items())
    yield "spell resistance", str(sheet.spell_resistance or "")
    for one in block.worked_out:
        if one.parts:
            ten = "10, " if one.name == "CMD" else ""
            yield one.name, f"{one.given:+d}: {ten}{_bonuses(part for part in one.parts if part.value)}"
    yield "feats", ", ".join(sheet.feats)
    yield "skills", ", ".join(f"{name} {total:+d}" for name, total in sheet.skills.items())
    yield "traits", ", ".join(sheet.traits)


def _routine(block: Block, routine: Routine) -> Iterator[str]:
    """Yield a routine's declaration, its attack bonuses as played, and those printed."""
    strikes = [
        (one.weapon + " (off hand)" * one.off_hand + " (thrown)" * one.thrown) for one in routine.strikes
    ]
    words = [f"{name} x{many}" if many > 1 else name for name, many in Counter(strikes).items()]
    words += ["flurry"] * routine.flurry + ["Rapid Shot"] * routine.rapid_shot
    yield ", ".join(words)
    played = play(block.sheet, routine, block.dialect)
    yield played if isinstance(played, str) else " ".join(f"{one.bonus:+d}" for one in played)
    yield " ".join(f"{bonus:+d}" for bonus in routine.bonuses)


def _bonuses(parts: Iterable[Bonus]) -> str:
    texts = (
        # The printed Dexterity bonus beyond the score is not a dodge bonus, though it is lost like one.
        f"{part.value:+d} Dexterity ({part.source.partition(' ')[2]})"
        if part.source.startswith("Dexterity ") and part.kind in ("dodge", "penalty")
        else f"{part.value:+d} {part.kind}"
        + (f" ({part.source})" if part.source not in ("", part.kind) else "")
        for part in parts
    )
    return ", ".join(dict.fromkeys(texts))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows of a table within the width of the terminal, wrapping long cells."""
    columns = width()
    free = columns - 2 * (len(heads) - 1)
    wide = [max(len(row[at]) for row in [heads, *rows]) for at in range(len(heads))]
    while sum(wide) > free:
        widest = max(range(len(wide)), key=lambda at: wide[at])
        wide[widest] -= 1
    for row in [heads, ["-" * size for size in wide], *rows]:
        cells = [wrap(cell, max(8, size)) or [""] for cell, size in zip(row, wide, strict=True)]
        for at in range(max(map(len, cells))):
            texts = (cell[at] if at < len(cell) else "" for cell in cells)
            yield "  ".join(f"{text:<{size}}" for text, size in zip(texts, wide, strict=True)).rstrip()


# --- `affray map`: convert a drawn map into squares, with a report of ambiguities

MAP_GRADES = {
    "ambiguous": "several readings possible",
    "approximated": "off the grid",
    "outside": "outside the map",
    "unused": "has no effect",
}
"""Grade of a finding -> its heading."""


def _portal(text: str) -> tuple[int, str]:
    number, equals, kind = text.partition("=")
    if not (equals and number.isdecimal() and len(number) < 10 and kind):
        raise click.UsageError(f"--portal {text}: write it as NUMBER=KIND, such as 3=window")
    return int(number), kind


@click.command(
    "map",
    epilog="\b\nExamples:\n  affray map cellar.dd2vtt\n"
    "  affray map cellar.dd2vtt --portal 3=open --into cellar.toml\n"
    "  affray new fight.db --dialect srd35 --map cellar.toml\n  affray map cellar.uvtt --json",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--portal", "said", multiple=True, help=f"The kind of a portal: NUMBER={'|'.join(PORTALS)}; repeat it."
)
@click.option(
    "--objects", type=click.Choice(tuple(OBJECTS)), default="pillar", help="How to read outlines of objects."
)
@click.option("--into", type=click.Path(path_type=Path), help="Write the map here, as TOML.")
@as_json
def map_(file: Path, said: tuple[str, ...], objects: str, into: Path | None, json: bool) -> None:
    """Convert a Universal VTT file (.dd2vtt, .uvtt, .df2vtt): walls, doors, windows, pillars.

    Prints the map and a report: ambiguous parts, parts off the grid and how they were read, parts outside the
    map, and parts of the file without effect. The output of --into, and FILE itself, can be used as the map
    of `affray new` and of a scenario.
    """
    found = read_map(file, dict(map(_portal, said)), objects)
    if into is not None:
        with output(into, None) as out:
            out.write(plan_text(plan_of(found), f"Read from {file.name}").encode())
    print_found(_as_json(found), _map_rows(found), json)


def _map_rows(found: DrawnMap) -> Iterator[str]:
    yield from draw_rows(found.map, found.barriers)
    yield ""
    parts = [
        f"squares: {len(found.map[0])} by {len(found.map)}",
        f"{counted(found.sides, 'side')} of squares walled off",
        counted(len(found.doors), "door"),
        counted(len(found.windows), "window"),
    ]
    yield ", ".join(parts)
    for grade, heading in MAP_GRADES.items():
        told = [one for one in found.findings if one.grade == grade]
        if told:
            yield from ("", f"{heading}:")
        for one in told:
            yield from wrap(_finding_line(one), width(), initial_indent="  ", subsequent_indent="    ")


def _finding_line(one: Finding) -> str:
    many = f"{one.count} " if one.count > 1 or one.what in ("walls", "objects", "lights") else ""
    where = " ".join(f"{x},{y}" for x, y in one.where[:6])
    more = " ..." if len(one.where) > 6 or (one.where and one.count > len(one.where)) else ""
    return f"{many}{one.what}: {one.text}{f' ({where}{more})' if where else ''}"


def _as_json(found: DrawnMap) -> dict[str, object]:
    picture = found.picture
    return {
        "map": found.map,
        "barriers": found.barriers,
        "sides": found.sides,
        "doors": found.doors,
        "windows": found.windows,
        "findings": found.findings,
        "picture": picture
        and {
            "kind": picture.kind,
            "bytes": len(picture.data),
            "width": picture.width,
            "height": picture.height,
        },
    }
