"""What the tab key completes besides commands and options: ids, branches, sheets."""

import os
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import click
from click.shell_completion import CompletionItem


def complete_branches(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the branches of the log that stands before on the line; none where there is no log."""
    from affray.replay.opened_log import open_log

    db = log_on_line(ctx)
    if db is None:
        return []
    with open_log(db, readonly=True) as store:
        return beginning(incomplete, ((one.name, "") for one in store.branches()))


def complete_combatants(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the ids of the combatants, each with its name."""
    from affray.projections.fold import fold
    from affray.replay.opened_log import open_log

    db = log_on_line(ctx)
    if db is None:
        return []
    with open_log(db, readonly=True) as store:
        state = fold(store.read(ctx.params.get("branch") or store.main_line()))
    return beginning(incomplete, ((one.id, one.sheet.name) for one in state.combatants.values()))


def complete_outcomes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return outcomes that `affray pivots` understands, of those who are in the fight."""
    from affray.events.sqlite import SqliteStore
    from affray.projections.fold import fold
    from affray.replay.fight_over import fight_over
    from affray.replay.predicates import continued

    db = log_on_line(ctx)
    if db is None:
        return []
    with SqliteStore(db, readonly=True) as store:
        fight = fight_over(fold(store.read(store.main_line())), None)
    return beginning(incomplete, ((one, "") for one in continued(fight, incomplete)))


def log_on_line(ctx: click.Context) -> Path | None:
    """Return the log that the line names, None where it names none that can be read."""
    from affray.events.address import is_address
    from affray.events.errors import AffrayError
    from affray.replay.opened_log import open_log, where_log_is

    one: click.Context | None = ctx
    while one is not None and not one.params.get("db"):
        one = one.parent
    # An option that still lacks its value keeps click from reading the words before it.
    typed = os.environ.get("COMP_WORDS", "").split()
    for word in (one.params["db"],) if one is not None else typed:
        try:
            place = word if isinstance(word, Path) else where_log_is(word)
            if place.is_file() or is_address(str(place)):
                with open_log(place, readonly=True):
                    return place
        except AffrayError:
            continue
    return None


def option_on_line(ctx: click.Context, name: str, *spelt: str) -> Path | None:
    """Return the file that an option of the line names, None where it is not there."""
    given = ctx.params.get(name)
    # An option that still lacks its value keeps click from reading the words before it.
    typed = os.environ.get("COMP_WORDS", "").split()
    after = (word for before, word in pairwise(typed) if before in spelt)
    found = given or next(after, None)
    return None if found is None else Path(found)


def beginning(incomplete: str, found: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    """Return those of the words, each with what it is, that begin with what was typed.

    A name that would steer the terminal is left out.
    """
    from affray.events.errors import printable

    return [
        CompletionItem(name, help=printable(told))
        for name, told in found
        if name.startswith(incomplete) and name.isprintable()
    ]
