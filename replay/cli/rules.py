"""`affray rules`: the rule catalogues, compared with each other and with what logs cite."""

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from textwrap import shorten

import click
from msgspec import structs

from affray.engine.book import (
    PRINTED,
    Book,
    Rule,
    card,
    card_rows,
    coverage,
    dialects,
    read_tables,
    search,
    table_texts,
)
from affray.engine.book import contested as contested_in
from affray.engine.book import diff as compare
from affray.engine.book.card import not_read_yet, wrapped
from affray.events.errors import AffrayError
from affray.events.files import folder_made
from affray.events.wording import counted, shell_command
from affray.replay.cli.base import as_json, width
from affray.replay.cli.cited import cited_by_logs, cited_by_scenarios, dialect_of
from affray.replay.cli.precedence import print_tree
from affray.replay.cli.printing import print_json, put, put_all
from affray.replay.cli.vocabulary import show_vocabulary
from affray.replay.opened_log import where_log_is

HOW_NAMED = {"pattern": " (by a pattern)", "precedence": " (by a rule that excludes it: see --tree)"}
MOST_SCENARIOS = 10
"""Scenarios that the card of a rule lists."""


@click.command(
    epilog="\b\nExamples:\n  affray rules srd35 --search flanking\n  affray rules --id srd35.flank.bonus\n"
    "  affray rules srd35 --coverage fight.db\n  affray rules diff srd35 pf1\n"
    "  affray rules woa --tables --out my-campaign\n  affray rules srd35 --points attacks.miss_chance\n"
    "  affray rules diff srd35 pf1 --points\n  affray rules futurepath --tree futurepath.round.duration\n"
    "  affray rules srd35 --page --out srd35.html"
)
@click.argument("words", nargs=-1, metavar="[DIALECT | diff A B] [LOG]...")
@click.option("--id", "id", default="", help="Show the rule of this id.")
@click.option("--search", "wanted", default="", help="List the rules with all of these words.")
@click.option("--contested", is_flag=True, help="List the contested rules and their readings.")
@click.option("--coverage", "covering", is_flag=True, help="Which rules the given logs cite.")
@click.option("--tables", is_flag=True, help="List the tables that a campaign can replace.")
@click.option("--vocabulary", "words_too", is_flag=True, help="List what the dialect reads, rolls and asks.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="With --tables a new folder, with --page a file."
)
@click.option(
    "--points",
    "point",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="What stands at each point of a dialect, at those of a chapter, or at one; after diff: who differs.",
)
@click.option(
    "--tree",
    "contest",
    is_flag=False,
    flag_value="",
    metavar="[ID]",
    help="Which rules take precedence over others and why: all, or those on what one rule is about.",
)
@click.option("--page", is_flag=True, help="The rulebook as one HTML page: rules, code, scenarios, readings.")
@click.option("--house-rules", multiple=True, help="With those of an installed package; repeat it.")
@as_json
def rules(
    words: tuple[str, ...],
    id: str,
    wanted: str,
    contested: bool,
    covering: bool,
    tables: bool,
    words_too: bool,
    out: Path | None,
    point: str | None,
    contest: str | None,
    page: bool,
    house_rules: tuple[str, ...],
    json: bool,
) -> None:
    """Look rules up, compare dialects, measure which rules a log cites.

    --coverage without logs plays the dialect's scenarios of the checkout, if this is one. --tables lists what
    the rule text names and does not print; a fight is opened with other ones by affray new --tables.
    --vocabulary lists the words that a dialect reads: fields of declarations, feats, conditions, rolls.
    """
    if out is not None and not (tables or page):
        raise click.UsageError("--out goes with --tables or --page")
    if words and words[0] == "diff":
        _diff(words[1:], point, json)
        return
    dialect = words[0] if words and words[0] in dialects() else ""
    rest = words[1:] if dialect else words
    if covering:
        _coverage(dialect, tuple(map(where_log_is, rest)), json)
        return
    if rest:
        # Either a misspelt dialect, which the book knows how to report, or a log without --coverage.
        Book.load(rest[0])
        raise click.UsageError(f"unexpected {rest[0]!r}")
    if (point is not None or contest is not None or page) and not dialect:
        raise click.UsageError(f"name a dialect: {', '.join(dialects())}")
    if point is not None:
        _points(dialect, point, house_rules, json)
    elif page:
        write_page(dialect, out)
    elif contest is not None:
        print_tree(dialect, contest, json)
    elif id:
        _card(_book(dialect or id.partition(".")[0], house_rules), id, json)
    elif not dialect:
        _dialects(json)
    elif words_too:
        show_vocabulary(dialect, json)
    elif tables:
        _tables(dialect, out, json)
    elif contested:
        _contested(dialect, json)
    else:
        _list(search(_book(dialect, house_rules), wanted), json)


def _dialects(json: bool) -> None:
    books = [Book.load(name) for name in dialects()]
    if json:
        print_json([{"dialect": b.dialect, "rules": len(b), "contested": len(b.contested)} for b in books])
        return
    for book in books:
        put(f"{book.dialect:<12} {len(book):>4} rules, {len(book.contested)} contested")


def _list(found: tuple[Rule, ...], json: bool) -> None:
    if json:
        print_json(found)
        return
    wide = max((len(rule.id) for rule in found), default=0)
    for section, rules in groupby(found, key=lambda rule: rule.section):
        put(section)
        for rule in rules:
            put(f"  {rule.id:<{min(wide, 44)}}  {rule.title}")
    if not found:
        put("no rule has all of these words")


def _card(book: Book, id: str, json: bool) -> None:
    """Print a rule, and where code and scenarios name it. Raises UnknownRule."""
    from affray.replay.rulebook.places import code_places, scenario_places

    shown = card(book, id)
    code, scenarios = code_places(book, id), scenario_places(book.dialect, id)
    if json:
        print_json({**structs.asdict(shown), "code": code, "scenarios": scenarios})
        return
    put_all(card_rows(shown, width()))
    put()
    put(f"code{'' if code else ': none names this rule, by its id or by a topic'}")
    for place in code:
        how = HOW_NAMED.get(place.how, "")
        put(f"  {place.file}:{place.line}  {place.name}{how}")
    if scenarios is None:
        put()
        put("scenarios: this is no checkout of affray, which holds them")
        return
    put()
    put(f"scenarios{'' if scenarios else ': none names this rule'}")
    for place in scenarios[:MOST_SCENARIOS]:
        put(f"  {place.file}:{place.line}  {place.name}")
    if len(scenarios) > MOST_SCENARIOS:
        put(f"  and {len(scenarios) - MOST_SCENARIOS} more (--json lists all)")


def _contested(dialect: str, json: bool) -> None:
    found = contested_in(dialect)
    if json:
        print_json(found)
        return
    for entry in found:
        put(f"{entry.option}: {entry.title}")
        for row in wrapped(entry.question, width(), "  "):
            put(row)
        for reading in entry.readings:
            mark = "*" if reading.name == entry.default else "-"
            text = f"{mark} {reading.name}: {reading.meaning}"
            for row in wrapped(text, width(), "  ", "      "):
                put(row)
        if entry.awaits:
            put(f"  {not_read_yet(dialect, entry)}")
        if entry.since:
            put(f"  logs recorded before it was an option are decided by {entry.before}")
        put()
    put("* holds unless a fight chooses another (affray new --option OPTION=READING)")


def _tables(dialect: str, out: Path | None, json: bool) -> None:
    found = read_tables(dialect)
    if out is not None and found:
        try:
            with folder_made(out) as beside:
                for name, text in table_texts(dialect).items():
                    (beside / name).write_text(text, encoding="utf-8")
        except OSError as fault:
            raise AffrayError(f"{out}: {fault.strerror}") from fault
    if json:
        print_json(list(found.values()))
        return
    for table in found.values():
        cells = [cell for row in table.row for cell in row.values() if isinstance(cell, str | int)]
        printed = sum(isinstance(cell, str) and cell.startswith(PRINTED) for cell in cells)
        size = f"{counted(len(table.row), 'row')}, {counted(printed, 'printed cell')}"
        put(f"{table.title}: {size}  {table.rule}")
    if not found:
        put(f"{dialect} has no tables that a campaign could replace")
    elif out is not None:
        written = f"{counted(len(found), 'table')} written to {out}"
        put(f"{written}; change what you like, then: {shell_command('new', '--tables', out)}")


def _coverage(dialect: str, logs: tuple[Path, ...], json: bool) -> None:
    dialect = dialect or (dialect_of(logs[0]) if logs else "")
    if not dialect:
        raise click.UsageError(f"name a dialect: {', '.join(dialects())}")
    ids = cited_by_logs(logs) if logs else cited_by_scenarios(dialect)
    found = coverage(Book.load(dialect), ids)
    if json:
        print_json(found)
        return
    for missing in found.missing:
        put(missing)
    percent = len(found.covered) * 100 // max(1, found.rules)
    others = ", the others above" if found.missing else ""
    put(f"{dialect}: {len(found.covered)} of {counted(found.rules, 'rule')} cited ({percent}%){others}")


def _book(dialect: str, house_rules: tuple[str, ...]) -> Book:
    """Return the catalogue of a dialect, with what house rules add. Raises MissingPackage, BadPackage."""
    if not house_rules:
        return Book.load(dialect)
    from affray.engine.dialects import load, packages_for

    return load(dialect, packages=packages_for(dialect, house_rules)).book


def _points(dialect: str, name: str, house_rules: tuple[str, ...], json: bool) -> None:
    # Only here are the rules themselves needed, which take longer to import than the catalogue.
    from affray.replay.cli.points import print_points

    print_points(dialect, name, house_rules, json)


def write_page(dialect: str, out: Path | None) -> None:
    """Write a dialect's rules, woven with its code and its scenarios, as one HTML page."""
    from affray.engine.dialects import load
    from affray.replay.cli.output import output
    from affray.replay.rulebook.woven import woven
    from affray.replay.rulebook.woven_page import rulebook

    many = len(Book.load(dialect))
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
    with output(out, None) as file:
        with click.progressbar(length=many, label=f"weaving {dialect}", file=sys.stderr) as bar:
            found = woven(dialect, lambda: bar.update(1))
        file.write(rulebook(dialect, load(dialect).title, found).encode())


def _diff(words: tuple[str, ...], point: str | None, json: bool) -> None:
    if len(words) != 2:
        raise click.UsageError("write it as: affray rules diff A B")
    if point is not None:
        from affray.replay.cli.points import print_difference

        print_difference(*words, point, json)
        return
    found = compare(Book.load(words[0]), Book.load(words[1]))
    if json:
        print_json(found)
        return
    put(f"{counted(len(found.same), 'topic is', 'topics are')} the same, {len(found.differing)} differ")
    put()
    for topic in found.differing:
        put(topic.topic)
        for rule in (topic.a, topic.b):
            for row in _compared(rule):
                put(row)
    for book, only in ((found.a, found.only_a), (found.b, found.only_b)):
        put()
        put(f"only in {book}: {len(only)}")
        for row in wrapped(", ".join(only), width(), "  "):
            put(row)


def _compared(rule: Rule) -> Iterator[str]:
    text = shorten(rule.text, 3 * width(), placeholder=" ...")
    yield from wrapped(text, width(), f"  {rule.id}: ", " " * 6)
