"""What is noted of every block: fields that no sheet has a place for, and which notes hold in a dialect."""

from collections.abc import Collection, Iterator
from typing import Final

from affray.engine.dialects import load
from affray.engine.fight.fight import Dialect
from affray.engine.statblock.defences import NO_RULE, nature_of
from affray.engine.statblock.fields import Field
from affray.engine.statblock.lines import Grade, Note, shown
from affray.engine.table.remarks import is_read

#: Fields that no sheet has a place for.
HOMELESS: Final[dict[str, tuple[str, Grade]]] = {
    "challenge": ("the sheet has no challenge rating", "harmless"),
    "alignment": ("the sheet has no alignment", "harmless"),
    "languages": ("the sheet has no languages", "harmless"),
    "ecology": ("the sheet has nothing of where and how it lives", "harmless"),
    "gear": ("gear is not read: what it changes is in the printed figures", "harmless"),
    "tactics": ("tactics are not read", "harmless"),
    "spells": ("spells are not read: add them to the sheet", "unplayed"),
    "senses": ("senses are not read, but for traits that a rule knows", "unplayed"),
    "aura": ("auras are not read", "unplayed"),
    "massive damage": ("worked out by the engine from the score", "harmless"),
    "damage": ("belongs to no attack that is printed", "unread"),
    "attack options": ("kept nowhere: the feats say it", "harmless"),
    "too long": ("the line is too long: its end is not read", "unread"),
}


def note_homeless(fields: list[Field], notes: list[Note]) -> None:
    """Note each field that no sheet has a place for, with the reason."""
    for field in fields:
        if field.name in HOMELESS and field.value.strip(" -"):
            notes.append(Note(field.line, shown(f"{field.name}: {field.value}"), *HOMELESS[field.name]))


def still_true(notes: list[Note], dialect: str, traits: Collection[str]) -> Iterator[Note]:
    """Yield the notes, but for those on traits of the sheet that a rule of this dialect reads after all."""
    of = load(dialect)
    known = of.classes.sheet_names.traits
    for note in notes:
        name = note.text.lower().removeprefix("and ")
        nature = nature_of(name)
        kept = nature or (name if name in traits else f"immunity to {name}")
        if (
            note.reason != NO_RULE
            or kept not in traits
            or not (plays_nature(of, nature) if nature else is_read(of, kept, known))
        ):
            yield note


def plays_nature(of: Dialect, nature: str) -> bool:
    """Say whether a dialect has rules on all traits of a kind of creature."""
    rules = {"swarm": "swarm", "incorporeal": "cond.incorporeal"}
    return nature in of.conditions.immune_natures or (nature in rules and of.book.has(rules[nature]))
