"""`affray statblock`: what a printed stat block says, and what of it was not understood."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap

import click

from affray.engine.rules.classes.sheets import ability
from affray.engine.statblock import PRINTED_FOR, Block, Routine
from affray.engine.statblock.armory import play
from affray.events.facts.sheet_parts import Bonus
from affray.events.wording import counted
from affray.replay.cli.base import as_json, width
from affray.replay.cli.blocks import read_file
from affray.replay.cli.printing import print_json, put

#: What remarks are, by their grade.
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
@click.option("--dialect", type=click.Choice(PRINTED_FOR), help="Whose arithmetic; else as it is printed.")
@as_json
def statblock(file: Path, dialect: str | None, json: bool) -> None:
    """Read a printed stat block (3.5, Pathfinder, modern); show what was read and what was not.

    FILE is a text as it is pasted from a book or a page; - is standard input.
    """
    block = read_file(file, dialect or "")
    if json:
        print_json(block)
        return
    put(f"{block.sheet.name}, by the arithmetic of {block.dialect}")
    put()
    for row in _table(("read", "as"), [(name, text) for name, text in _facts(block) if text]):
        put(row)
    rows = [(strike.attack.text, strike.weapon) for strike in block.strikes]
    parts = {weapon.name: _bonuses((*weapon.attack, *weapon.bonus_damage)) for weapon in block.sheet.weapons}
    put()
    for row in _table(("attack", "weapon", "parts"), [(*row, parts[row[1]]) for row in rows]):
        put(row)
    if block.routines:
        put()
        routines = [tuple(_routine(block, routine)) for routine in block.routines]
        for row in _table(("one full attack", "comes to", "printed"), routines):
            put(row)
    shares = block.shares
    many = counted(shares.printed, "figure")
    put()
    put(f"{many}: {shares.agree} as printed, {shares.explained} by named parts alone")
    if not block.notes:
        put()
        put("nothing was left out")
    for grade, heading in GRADES.items():
        notes = [(str(one.line), one.text or "-", one.reason) for one in block.notes if one.grade == grade]
        if notes:
            put()
            for row in _table(("line", heading, "why"), notes):
                put(row)


def _facts(block: Block) -> Iterator[tuple[str, str]]:
    """Yield what stands on the sheet, by name."""
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
    """Yield how a routine is declared, what it comes to, and what is printed."""
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
        # What Dexterity is printed beyond the score is no dodging, though it is lost like that.
        f"{part.value:+d} Dexterity ({part.source.partition(' ')[2]})"
        if part.source.startswith("Dexterity ") and part.kind in ("dodge", "penalty")
        else f"{part.value:+d} {part.kind}"
        + (f" ({part.source})" if part.source not in ("", part.kind) else "")
        for part in parts
    )
    return ", ".join(dict.fromkeys(texts))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows of a table, long cells wrapped, within the width of the terminal."""
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
