"""`affray rules DIALECT --vocabulary`: the words that a dialect reads."""

from collections.abc import Iterator
from textwrap import wrap

import click

from affray.engine.vocabulary import Vocabulary, vocabulary
from affray.replay.cli.base import print_json, width

LISTS = {
    "feats": "feats",
    "traits": "traits",
    "weapon_traits": "traits of weapons",
    "features": "features that add to rolls, among feats, traits and classes",
    "conditions": "conditions",
    "bonus_kinds": "kinds of bonus",
    "families": "families of weapons",
    "materials": "materials",
}


def show_vocabulary(dialect: str, json: bool) -> None:
    """Print what a dialect reads of declarations and sheets, and what it rolls and asks."""
    found = vocabulary(dialect)
    if json:
        print_json(found)
        return
    for row in rows(found, width()):
        click.echo(row)


def rows(found: Vocabulary, wide: int) -> Iterator[str]:
    """Yield the lines of a vocabulary: declarations, lists of names, rolls, questions."""
    yield "declarations, with their fields and the words of these"
    for act in found.acts:
        fields = (f"{name} ({', '.join(words)})" if words else name for name, words in act.fields.items())
        refused = f"; refuses {', '.join(act.refused)}" if act.refused else ""
        yield from _row(act.name, f"{', '.join(fields) or '-'}{refused}", wide)
    for name, title in LISTS.items():
        yield f"\n{title}"
        yield from _row("", ", ".join(getattr(found, name)) or "-", wide)
    if found.unread:
        yield "\nfields of sheets that no rule reads"
        for kind, names in found.unread.items():
            yield from _row(kind.lower(), ", ".join(names), wide)
    yield "\nrolls, with their dice where these are always the same"
    rolls = (f"{name} ({dice})" if dice else name for name, dice in found.rolls.items())
    yield from _row("", ", ".join(rolls), wide)
    yield "\nquestions, with what can be answered"
    for name, options in found.questions.items():
        yield from _row(name, ", ".join(options), wide)


def _row(name: str, text: str, wide: int) -> list[str]:
    head = f"  {name:<16} " if name else "  "
    return wrap(text, wide, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False)
