"""`affray rules`: the rule catalogues, compared with each other and with the citations in logs."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from textwrap import shorten

import click
from msgspec import Struct, structs
from msgspec.json import encode

from affray.engine.book import (
    PRINTED,
    Book,
    Rule,
    card,
    card_rows,
    contested,
    coverage,
    dialects,
    diff,
    read_tables,
    search,
    table_texts,
)
from affray.engine.book.card import explain_unread_option, wrapped
from affray.engine.book.clauses import count_clauses, explain_proof, read_clauses
from affray.engine.book.packages import shipped
from affray.engine.book.rules import Exceptional
from affray.engine.chapters import tables_in
from affray.engine.dialects import load, packages_for
from affray.engine.record.acts import purpose
from affray.engine.table import scenario as scenarios
from affray.engine.testing import cited_in_text
from affray.engine.vocabulary import Act, Field, Vocabulary, vocabulary
from affray.events.codec import check_fact, decode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, NotALog, counted, shell_command
from affray.events.files import atomic_folder
from affray.events.stores.memory import MemoryStore
from affray.replay.cli.terminal.base import as_json, packages, watched, width
from affray.replay.cli.terminal.printing import exit_unless, print_found
from affray.replay.log_files import open_any, parse_log_location
from affray.replay.rulebook.lacks import Lack, find_lacks, find_unread_fields
from affray.replay.rulebook.places import scenario_folder
from affray.replay.rulebook.points import PointDifference, PointInfo, StageInfo, compare_points, points

# --- `affray rules --points`: the contents of each point of a dialect

_ASKED = {
    "*": "while any effect lasts on a combatant",
    "+": "for riders, mounts and combatants that lost one",
}
_SHORT = "affray.engine."


def print_points(dialect: str, name: str, house_rules: tuple[str, ...], json: bool) -> None:
    """Print the points of a dialect: all, those of a chapter, or those of one name. Raises UnknownPoint."""
    rules = load(dialect, packages=packages_for(dialect, house_rules))
    found = points(rules, name)

    def rows() -> Iterator[str]:
        for chapter, some in groupby(found, key=lambda one: one.chapter):
            yield f"{chapter}: {purpose(type(getattr(rules, chapter)))}"
            for point in some:
                yield from _point(point)
            yield ""
        plain = sum(point.plain for point in found)
        many = counted(len(found), "point")
        yield f"{dialect}: {many}, {plain} of them with the chapter's default (plain)"

    print_found({"dialect": dialect, "points": found}, rows(), json)


def print_difference(a: str, b: str, name: str, json: bool) -> None:
    """Print the differences between the records of two dialects. Raises UnknownPoint."""
    found = compare_points(load(a), load(b), name)
    wide = max(len(a), len(b))
    alike = sum(one.same for one in found)
    total = f"{a} and {b}: {alike} of {len(found)} points are the same, the others are listed above"
    differing = (_difference(one, a.ljust(wide), b.ljust(wide)) for one in found if not one.same)
    print_found({"a": a, "b": b, "points": found}, chain(*differing, [total]), json)


def _point(point: PointInfo) -> Iterator[str]:
    plain = ", plain" if point.plain else ""
    yield from wrapped(f"{point.name} ({point.kind}{plain}): {point.purpose}", width(), "  ", "      ")
    if point.value is not None:
        yield f"    {point.value!r}"
    marked = point.kind in ("acts", "list") and not point.plain
    for stage in point.stages:
        yield from _stage(stage, "    ", marked)


def _stage(stage: StageInfo, indent: str, marked: bool = False) -> Iterator[str]:
    """Yield the rows of a stage; with `marked`, entries that are plain are marked."""
    head = ": ".join(filter(None, (stage.label, _short(stage.function))))
    if stage.fields:
        head += f" reads {', '.join(stage.fields)}"
    if stage.when:
        head += f" {_asked(stage.when)}"
    if marked and stage.plain:
        head += " (plain)"
    yield from wrapped(head, width(), indent, indent + "  ")
    if stage.cites:
        ids = ", ".join(f"{one.rule} ({one.topic})" if _elsewhere(one) else one.rule for one in stage.cites)
        yield from wrapped(ids, width(), indent + "    ", indent + "    ")
    for one in stage.made_of:
        yield from _stage(one, indent + "  ")


def _difference(one: PointDifference, a: str, b: str) -> Iterator[str]:
    yield f"{one.chapter}.{one.name}"
    sides = ((a, one.a, one.only_a), (b, one.b, one.only_b))
    for name, point, only in sides:
        plain = " (plain)" if point.plain else ""
        if point.kind == "value":
            yield f"  {name}  {point.value!r}{plain}"
        elif point.kind in ("acts", "list"):
            if only:
                labels = ", ".join(dict.fromkeys(stage.label for stage in only))
                yield from _row(f"only in {name.strip()}: {labels}")
        elif len(point.stages) == 1:
            yield f"  {name}  {_in_a_line(point.stages[0])}{plain}"
        else:
            kept = len(point.stages) - len(only)
            order = ", in another order" if not one.only_a and not one.only_b else ""
            told = f"{point.kind} of {len(point.stages)} stages, {kept} of them in both{order}"
            yield f"  {name}  {told}{plain}"
            for stage in only:
                yield f"  {' ' * len(name)}    {_in_a_line(stage)}"
    if one.differing:
        yield from _row(f"differing: {', '.join(one.differing)}")


def _row(text: str, hanging: str = "    ") -> list[str]:
    return wrapped(text, width(), "  ", hanging)


def _in_a_line(stage: StageInfo) -> str:
    inner = f" ({', '.join(map(_in_a_line, stage.made_of))})" if stage.made_of else ""
    when = f"  {_asked(stage.when)}" if stage.when else ""
    return f"{_short(stage.function)}{inner}{when}"


def _asked(when: tuple[str, ...]) -> str:
    return " or ".join(
        _ASKED.get(place, f"while {place}" if index == 0 else place) for index, place in enumerate(when)
    )


def _short(function: str) -> str:
    return function.removeprefix(_SHORT)


def _elsewhere(one: object) -> bool:
    """Return whether a topic is more than the id without its dialect."""
    topic, rule = getattr(one, "topic", ""), getattr(one, "rule", "")
    return bool(topic) and rule.partition(".")[2] != topic


# --- `affray rules DIALECT --tree`: which rules take precedence over others, and why

MOST_FIGURES = 60
"""Most characters of figures shown next to a rule; longer ones are tables."""


class Contest(Struct, frozen=True):
    """The rules with one base, and the winner by default and under the other edition.

    If it depends on the situation, this is the winner while nothing is known of it. `exceptions` are those to
    the base and to each other, each with its depth.
    """

    base: str
    exceptions: tuple[tuple[int, Exceptional], ...]
    in_force: str
    otherwise: str


def print_tree(dialect: str, id: str, json: bool) -> None:
    """Print the trees of a dialect, or the one that contains a rule. Raises UnknownRule."""
    book = Book.load(dialect)
    tree = book.precedence
    bases = tree.bases
    if id:
        rule = book[id].id
        bases = tuple(
            base for base in bases if rule == base or any(one.rule == rule for _, one in tree.walk(base))
        )
    edition, another = tree.said.edition, ""
    if edition:
        entry = book.contested[edition]
        another = next(one.name for one in entry.readings if one.name != entry.default)
    chosen = {edition: another} if edition else {}
    found = [
        Contest(base, tuple(tree.walk(base)), tree.in_force(base, {}), tree.in_force(base, chosen))
        for base in bases
    ]

    def rows() -> Iterator[str]:
        for one in found:
            yield from _rows(book, one, f"{edition} = {another}")
            yield ""
        if not found:
            alone = f"{id} has no exceptions" if id else f"{dialect} is one text"
            yield f"{alone}: no rule takes precedence over another"
        elif not id:
            yield f"{dialect}: {counted(len(found), 'rule')} with exceptions"
            yield "* is in force unless the fight chooses otherwise (affray new --option OPTION=READING)"

    told = {"dialect": dialect, "edition": edition, "otherwise": another, "trees": found}
    print_found(told, rows(), json)


def _rows(book: Book, contest: Contest, other: str) -> Iterator[str]:
    yield from _contestant(book, contest.base, contest, other, 0)
    for depth, one in contest.exceptions:
        yield from _contestant(book, one.rule, contest, other, depth)
        said = " and ".join(f"{name} = {' or '.join(values)}" for name, values in one.when.items())
        held = f"while {said}" if said else f"unless {other}"
        part = f", of {one.part}" if one.part else ""
        yield from wrapped(f"{held}{part}: {one.why}", width(), "    " * depth + "  ")


def _contestant(book: Book, id: str, contest: Contest, other: str, depth: int) -> Iterator[str]:
    mark = "*" if id == contest.in_force else "-"
    figures = encode(book[id].figures).decode()
    shown = f" {figures}" if book[id].figures is not None and len(figures) <= MOST_FIGURES else ""
    marked = f" (in force under {other})" if id == contest.otherwise != contest.in_force else ""
    indent = "    " * depth
    yield from wrapped(f"{mark} {id}{shown}{marked}", width(), indent, indent + "  ")


# --- `affray rules DIALECT --vocabulary`: the words that a dialect reads, by chapter


def show_vocabulary(dialect: str, json: bool) -> None:
    """Print the words that a dialect reads in declarations and sheets, its rolls and its questions."""
    found = vocabulary(dialect)
    print_found(found, rows(found, width()), json)


def rows(found: Vocabulary, wide: int) -> Iterator[str]:
    """Yield the lines of a vocabulary: declarations and lists of names by chapter, rolls, questions."""
    yield "declarations with their fields: allowed words and defaults"
    for chapter in found.chapters:
        if chapter.acts or chapter.words:
            yield from ("", chapter.name)
        for act in chapter.acts:
            yield from _vocabulary_row(act.name, _fields(act), wide)
            yield from _heard(act.rolls, act.asks, wide)
        for one in chapter.words:
            yield f"  {one.name}: {one.meaning}"
            yield from _vocabulary_row("", ", ".join(one.words), wide)
    if found.unread:
        yield ""
        yield "fields of sheets that no rule reads"
        for kind, names in found.unread.items():
            yield from _vocabulary_row(kind.lower(), ", ".join(names), wide)
    for name, seen in found.meanwhile.items():
        yield from ("", name)
        yield from _heard(seen.rolls, seen.asks, wide)
    yield ""
    yield "rolls, with their dice if these are always the same"
    for chapter in found.chapters:
        rolls = (f"{name} ({dice})" if dice else name for name, dice in chapter.rolls.items())
        if chapter.rolls:
            yield from _vocabulary_row(chapter.name, ", ".join(rolls), wide)
    yield ""
    yield "questions, with their answers"
    for chapter in found.chapters:
        for name, options in chapter.questions.items():
            yield from _vocabulary_row(name, ", ".join(options), wide)


def _heard(rolls: Sequence[str], asks: Sequence[str], wide: int) -> Iterator[str]:
    for does, names in (("rolls", rolls), ("asks", asks)):
        if names:
            yield from _vocabulary_row("", f"{does} {', '.join(names)}", wide)


def _fields(act: Act) -> str:
    refused = f"; refuses {', '.join(act.refused)}" if act.refused else ""
    return f"{', '.join(map(_field, act.fields)) or '-'}{refused}"


def _field(field: Field) -> str:
    words = f" ({', '.join(field.words)})" if field.words else ""
    plain = field.default in (None, "", (), False, 0, "required")
    return f"{field.name}{words}" if plain else f"{field.name}{words} = {json.dumps(field.default)}"


def _vocabulary_row(name: str, text: str, wide: int) -> list[str]:
    head = f"  {name:<16} " if name else " " * 19
    return wrapped(text, wide, head, " " * len(head))


# --- The rule ids that logs cite: in outcomes and in every modifier of them


def cited_by(events: Iterable[Event]) -> set[str]:
    """Return the ids that events cite. O(bytes)."""
    found: set[str] = set()
    for event in events:
        check_fact(event)
        found.update(cited_in_text(event.data))
    return found


def find_rules_cited_by_logs(logs: Iterable[Path]) -> set[str]:
    """Return the ids that all branches of these logs cite."""
    found: set[str] = set()
    for log in logs:
        with open_any(log) as store:
            found |= cited_by(store.read_all())
    return found


def dialect_of(log: Path) -> str:
    """Return the dialect of a log. Raises NotALog for one without an encounter."""
    with open_any(log) as store:
        for event in store.read("main", upto=1):
            dialect = getattr(decode(event), "dialect", "")
            if dialect:
                return str(dialect)
    raise NotALog(f"{log}: the log contains no encounter")


def tables_of(dialect: str) -> Path:
    """Return the folder of the dialect's scenario tables. Raises AffrayError if there is none."""
    folder = scenario_folder(dialect)
    if folder is not None:
        return folder
    if dialect not in shipped():
        raise AffrayError(
            f"the package of {dialect} has no scenarios: scenarios/CHAPTER/*.toml in its folder or next to "
            "its pyproject.toml; name logs instead to count their citations"
        )
    raise AffrayError(
        "the scenarios that measure coverage are in a checkout of affray, not in the package; "
        "name logs instead to count their citations"
    )


def find_rules_cited_by_scenarios(dialect: str) -> set[str]:
    """Return the ids that the dialect's scenario tables cite when played; the same every time."""
    found: set[str] = set()
    folder = tables_of(dialect)
    for file in tables_in(folder):
        for scenario in scenarios.read_scenarios(file, within=folder):
            store = MemoryStore()
            scenarios.play(scenario, store, seed=scenarios.fixed_seed(scenario), strict=True)
            found |= cited_by(store.read("main"))
    return found


HOW_NAMED = {"pattern": " (by a pattern)", "precedence": " (by a rule that excludes it: see --tree)"}
MOST_SCENARIOS = 10
"""Most scenarios that the card of a rule lists."""


@click.command(
    epilog="\b\nExamples:\n  affray rules srd35 --search flanking\n  affray rules --id srd35.flank.bonus\n"
    "  affray rules srd35 --coverage fight.db\n  affray rules diff srd35 pf1\n"
    "  affray rules woa --tables --out my-campaign\n  affray rules srd35 --points attacks.miss_chance\n"
    "  affray rules diff srd35 pf1 --points\n  affray rules futurepath --tree futurepath.round.duration\n"
    "  affray rules srd35 --page --out srd35.html\n  affray rules my-dialect --check\n"
    "  affray rules my-dialect --conformance --package ."
)
@click.argument("words", nargs=-1, metavar="[DIALECT | diff A B] [LOG]...")
@click.option("--id", "id", default="", help="Show the rule with this id.")
@click.option("--search", "wanted", default="", help="List the rules that contain all of these words.")
@click.option("--contested", is_flag=True, help="List the contested rules and their readings.")
@click.option("--coverage", "covering", is_flag=True, help="Measure which rules the given logs cite.")
@click.option("--tables", is_flag=True, help="List the tables that a campaign can replace.")
@click.option("--vocabulary", "words_too", is_flag=True, help="List what the dialect reads, rolls and asks.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="With --tables: a new folder; with --page: a file; with --conformance: a folder for logs.",
)
@click.option(
    "--points",
    "point",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Show the points of a dialect, of a chapter, or one; after diff: the differences.",
)
@click.option(
    "--tree",
    "contest",
    is_flag=False,
    flag_value="",
    metavar="[ID]",
    help="Show which rules take precedence over others and why: all, or those around one rule.",
)
@click.option(
    "--check", "checking", is_flag=True, help="List the topics and figures that the code needs and lacks."
)
@click.option("--conformance", "conforming", is_flag=True, help="Run every check that a dialect has to pass.")
@click.option("--only", default="", help="With --conformance: the fights with this text in their titles.")
@click.option(
    "--page", is_flag=True, help="Write the rulebook as one HTML page: rules, code, scenarios, readings."
)
@click.option("--house-rules", multiple=True, help="Include house rules of an installed package; repeat it.")
@packages
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
    checking: bool,
    conforming: bool,
    only: str,
    page: bool,
    house_rules: tuple[str, ...],
    json: bool,
) -> None:
    """Look up rules, compare dialects, measure which rules a log cites.

    --coverage without logs plays the dialect's scenarios, those of the checkout or of its package. --tables
    lists tables that the rules name and do not print; affray new --tables opens a fight with your own.
    --vocabulary lists the words that a dialect reads: fields of declarations, feats, conditions, rolls.
    --check reads the code that the acts of a dialect can reach, and exits with 1 if it needs a rule that the
    catalogue does not have. --conformance runs every check that a dialect has to pass, --check included, and
    exits with 1 if one fails; --out keeps the logs of fights in which something failed.
    """
    if out is not None and not (tables or page or conforming):
        raise click.UsageError("--out needs --tables, --page or --conformance")
    if only and not conforming:
        raise click.UsageError("--only needs --conformance")
    if conforming and house_rules:
        raise click.UsageError("--conformance checks a dialect without house rules: leave out --house-rules")
    if words and words[0] == "diff":
        _diff(words[1:], point, json)
        return
    dialect = words[0] if words and words[0] in dialects() else ""
    rest = words[1:] if dialect else words
    if covering:
        _coverage(dialect, tuple(map(parse_log_location, rest)), json)
        return
    if rest:
        # Either a misspelt dialect, which the book reports, or a log without --coverage.
        Book.load(rest[0])
        raise click.UsageError(f"unexpected argument {rest[0]!r}")
    if (point is not None or contest is not None or page or checking or conforming) and not dialect:
        raise click.UsageError(f"name a dialect: {', '.join(dialects())}")
    if point is not None:
        print_points(dialect, point, house_rules, json)
    elif page:
        write_page(dialect, out)
    elif checking:
        _check(dialect, json)
    elif conforming:
        _conform(dialect, only, out, json)
    elif contest is not None:
        print_tree(dialect, contest, json)
    elif id:
        _card(_book(dialect or id.partition(".")[0], house_rules), id, house_rules, json)
    elif not dialect:
        _dialects(json)
    elif words_too:
        show_vocabulary(dialect, json)
    elif tables:
        _tables(dialect, out, json)
    elif contested:
        _contested(dialect, json)
    else:
        found = search(_book(dialect, house_rules), wanted)
        print_found(found, _list_rows(found), json)


def _check(dialect: str, json: bool) -> None:
    """Print the topics and figures that a dialect lacks; exit with 1 if there are any."""
    found, unread = find_lacks(load(dialect)), find_unread_fields(load(dialect))
    lines = [f"{_missing(one)}, needed by {one.function}" for one in found]
    lines += [f"no rule reads {one.field!r} of the condition {one.condition!r}" for one in unread]
    total = f"{dialect}: {counted(len(found), 'missing topic or figure', 'missing topics and figures')}"
    total += f", {counted(len(unread), 'unread field')} of conditions" if unread else ""
    print_found({"dialect": dialect, "missing": found, "unread": unread}, chain(lines, [total]), json)
    exit_unless(not found and not unread)


def _conform(dialect: str, only: str, out: Path | None, json: bool) -> None:
    """Run every check of a dialect and print the results; exit with 1 if one fails."""
    from affray.replay.rulebook.conformance import conformance

    with watched(f"checking {dialect}") as progress:
        found = conformance(dialect, only=only, out=out, progress=progress)
    print_found({"ok": found.ok, **structs.asdict(found)}, found.lines(), json)
    exit_unless(found.ok)


def _missing(lack: Lack) -> str:
    return f"no figure {lack.figure!r} of {lack.topic}" if lack.figure else f"no rule for {lack.topic}"


def _dialects(json: bool) -> None:
    books = [Book.load(name) for name in dialects()]
    print_found(
        [{"dialect": b.dialect, "rules": len(b), "contested": len(b.contested)} for b in books],
        (f"{book.dialect:<12} {len(book):>4} rules, {len(book.contested)} contested" for book in books),
        json,
    )


def _list_rows(found: tuple[Rule, ...]) -> Iterator[str]:
    wide = max((len(rule.id) for rule in found), default=0)
    for section, rules in groupby(found, key=lambda rule: rule.section):
        yield section
        yield from (f"  {rule.id:<{min(wide, 44)}}  {rule.title}" for rule in rules)
    if not found:
        yield "no rule has all of these words"


def _card(book: Book, id: str, house_rules: tuple[str, ...], json: bool) -> None:
    """Print a rule, and where code and scenarios name it. Raises UnknownRule."""
    from affray.replay.rulebook.places import find_code_places, find_scenario_places

    shown = card(book, id)
    code = find_code_places(book, id, house_rules)
    scenarios = find_scenario_places(book.dialect, id)
    clauses = read_clauses(book.dialect).get(id, ())
    of_package = book.dialect not in shipped()

    def rows() -> Iterator[str]:
        yield from card_rows(shown, width())
        yield ""
        if clauses:
            yield "clauses, with the scenarios that fail without them"
        for clause in clauses:
            yield from wrapped(f"{clause.n} {clause.kind}: {clause.text}", width(), "  ", "    ")
            yield from wrapped(explain_proof(clause), width(), "      ", "      ")
        if clauses:
            yield ""
        yield f"code{'' if code else ': none names this rule by its id or by a topic'}"
        for place in code:
            yield f"  {place.file}:{place.line}  {place.name}{HOW_NAMED.get(place.how, '')}"
        yield ""
        if scenarios is None:
            where = "the package has none" if of_package else "available in a checkout of affray only"
            yield f"scenarios: {where}"
            return
        yield f"scenarios{'' if scenarios else ': none names this rule'}"
        for place in scenarios[:MOST_SCENARIOS]:
            yield f"  {place.file}:{place.line}  {place.name}"
        if len(scenarios) > MOST_SCENARIOS:
            yield f"  and {len(scenarios) - MOST_SCENARIOS} more (--json lists all)"

    print_found(
        {**structs.asdict(shown), "clauses": clauses, "code": code, "scenarios": scenarios}, rows(), json
    )


def _contested(dialect: str, json: bool) -> None:
    found = contested(dialect)

    def rows() -> Iterator[str]:
        for entry in found:
            yield f"{entry.option}: {entry.title}"
            yield from wrapped(entry.question, width(), "  ")
            for reading in entry.readings:
                mark = "*" if reading.name == entry.default else "-"
                yield from _row(f"{mark} {reading.name}: {reading.meaning}", "      ")
            if entry.awaits:
                yield f"  {explain_unread_option(dialect, entry)}"
            if entry.since:
                yield f"  older logs without this option use {entry.before}"
            yield ""
        yield "* is in force unless the fight chooses another (affray new --option OPTION=READING)"

    print_found(found, rows(), json)


def _tables(dialect: str, out: Path | None, json: bool) -> None:
    found = read_tables(dialect)
    if out is not None and found:
        try:
            with atomic_folder(out) as beside:
                for name, text in table_texts(dialect).items():
                    (beside / name).write_text(text, encoding="utf-8")
        except OSError as fault:
            raise AffrayError(f"{out}: {fault.strerror}") from fault

    def rows() -> Iterator[str]:
        for table in found.values():
            cells = [cell for row in table.row for cell in row.values() if isinstance(cell, str)]
            printed = sum(cell.startswith(PRINTED) for cell in cells)
            size = f"{counted(len(table.row), 'row')}, {counted(printed, 'printed cell')}"
            yield f"{table.title}: {size}  {table.rule}"
        if not found:
            yield f"{dialect} has no tables that a campaign can replace"
        elif out is not None:
            written = f"{counted(len(found), 'table')} written to {out}"
            yield f"{written}; edit them, then: {shell_command('new', '--tables', out)}"

    print_found(list(found.values()), rows(), json)


def _coverage(dialect: str, logs: tuple[Path, ...], json: bool) -> None:
    dialect = dialect or (dialect_of(logs[0]) if logs else "")
    if not dialect:
        raise click.UsageError(f"name a dialect: {', '.join(dialects())}")
    ids = find_rules_cited_by_logs(logs) if logs else find_rules_cited_by_scenarios(dialect)
    found = coverage(Book.load(dialect), ids)
    percent = len(found.covered) * 100 // max(1, found.rules)
    others = ", the others above" if found.missing else ""
    total = f"{dialect}: {len(found.covered)} of {counted(found.rules, 'rule')} cited ({percent}%){others}"
    if logs:
        print_found(found, (*found.missing, total), json)
        return
    stated = read_clauses(dialect)
    count = count_clauses(stated.values())
    rows = [*found.missing, total]
    if stated:
        rest = [
            f"{many} {what}"
            for many, what in (
                (count.unproven, "that no scenario can notice"),
                (count.no_effect, "without effect on a fight"),
                (count.open, "open"),
            )
            if many
        ]
        said = ", ".join((f"{count.proven} proven by a scenario that fails without it", *rest))
        rows.append(f"{counted(count.clauses, 'clause')} of {counted(count.rules, 'rule')}: {said}")
    print_found({**structs.asdict(found), "clauses": count}, rows, json)


def _book(dialect: str, house_rules: tuple[str, ...]) -> Book:
    """Return the catalogue of a dialect, including house rules. Raises MissingPackage, BadPackage."""
    if not house_rules:
        return Book.load(dialect)
    return load(dialect, packages=packages_for(dialect, house_rules)).book


def write_page(dialect: str, out: Path | None) -> None:
    """Write a dialect's rules, with its code and its scenarios, as one HTML page."""
    from affray.replay.cli.terminal.output import output
    from affray.replay.rulebook.page import rulebook, woven

    many = len(Book.load(dialect))
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
    with output(out, None) as file:
        with click.progressbar(length=many, label=f"writing {dialect}", file=sys.stderr) as bar:
            found = woven(dialect, lambda: bar.update(1))
        file.write(rulebook(dialect, load(dialect).title, found).encode())


def _diff(words: tuple[str, ...], point: str | None, json: bool) -> None:
    if len(words) != 2:
        raise click.UsageError("usage: affray rules diff A B")
    if point is not None:
        print_difference(*words, point, json)
        return
    found = diff(Book.load(words[0]), Book.load(words[1]))

    def rows() -> Iterator[str]:
        yield f"{counted(len(found.same), 'topic is', 'topics are')} the same, {len(found.differing)} differ"
        yield ""
        for topic in found.differing:
            yield topic.topic
            for rule in (topic.a, topic.b):
                text = shorten(rule.text, 3 * width(), placeholder=" ...")
                yield from wrapped(text, width(), f"  {rule.id}: ", " " * 6)
        for book, only in ((found.a, found.only_a), (found.b, found.only_b)):
            yield from ("", f"only in {book}: {len(only)}")
            yield from wrapped(", ".join(only), width(), "  ")

    print_found(found, rows(), json)
