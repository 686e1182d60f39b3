"""The rulebook of a dialect as one HTML file, without script or network: every rule has an address."""

import ast
import gzip
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby

from msgspec import Struct

from affray.engine.book import Book, Contested, Rule
from affray.engine.book.card import figure_rows, provenance
from affray.engine.book.clauses import Clause, explain_proof, read_clauses
from affray.engine.book.packages import packages_named
from affray.engine.book.rules import Exceptional, parsed
from affray.engine.chapters import CHAPTERS
from affray.engine.table.scenario_parts import Opening
from affray.events.errors import counted
from affray.replay.rulebook.places import (
    SourcePlace,
    find_code_places,
    find_scenario_places,
    find_scenario_starts,
    path_of,
)
from affray.replay.text.html import framed, strip_markup

# --- A dialect's rules by chapter, each with its readings, its code and its scenarios

OTHER = "outside the chapters"
"""The chapter of rules that no code and no scenario of a chapter names."""

MOST = 8
"""Most scenarios shown for one rule; of more, the number is given."""


class Woven(Struct, frozen=True):
    """A rule with everything related to it.

    `code` is where it is applied; `scenarios` are those that expect it, None without a checkout; `clauses`
    are what it consists of, none if they are not stated yet; `over` are the rules that it takes precedence
    over, `under` those that take precedence over it.
    """

    rule: Rule
    chapter: str
    contested: tuple[Contested, ...]
    code: tuple[SourcePlace, ...]
    scenarios: tuple[SourcePlace, ...] | None
    clauses: tuple[Clause, ...]
    over: tuple[Exceptional, ...]
    under: tuple[Exceptional, ...]


def woven(dialect: str, told: Callable[[], object] = lambda: None) -> list[Woven]:
    """Return the rules of a dialect in the order of its chapters, within each in that of the catalogue.

    Some 5 ms per rule; `told` is called after each. Raises UnknownDialect.
    """
    book = Book.load(dialect)
    contested = tuple(book.contested.values())
    exceptions = book.precedence.said.exceptions
    clauses = read_clauses(dialect)
    found = []
    for rule in book:
        code, scenarios = find_code_places(book, rule.id), find_scenario_places(dialect, rule.id)
        found.append(
            Woven(
                rule,
                chapter_of(code, scenarios or ()),
                tuple(entry for entry in contested if rule.id in entry.rules),
                code,
                scenarios,
                clauses.get(rule.id, ()),
                tuple(one for one in exceptions if one.rule == rule.id),
                tuple(one for one in exceptions if one.over == rule.id),
            )
        )
        told()
    places = {chapter: number for number, chapter in enumerate((*CHAPTERS, OTHER))}
    return sorted(found, key=lambda one: places[one.chapter])


def chapter_of(code: tuple[SourcePlace, ...], scenarios: tuple[SourcePlace, ...]) -> str:
    """Return the chapter of a rule: the one with most of its code, or else most of its scenarios."""
    for places in (code, scenarios):
        named = Counter(part for place in places for part in place.file.split("/") if part in CHAPTERS)
        if named:
            most = max(named.values())
            return next(chapter for chapter in CHAPTERS if named[chapter] == most)
    return OTHER


def source_of(place: SourcePlace) -> str:
    """Return the whole function, class or table at a place; else its one line."""
    lines = _rows_of(place.file)
    spans = [span for span in _spans(place.file) if span[0] <= place.line <= span[1]]
    start, end = spans[-1] if spans else (place.line, place.line)
    return "\n".join(lines[start - 1 : end])


def read_scenario_at(place: SourcePlace) -> str:
    """Return the scenario at a place of a table with the comment above it, after the keys that it shares."""
    lines = _rows_of(place.file)
    text = "\n".join(lines)
    heads = [text.count("\n", 0, start) + 1 for start in find_scenario_starts(text)]
    start = max((head for head in heads if head <= place.line), default=1)
    end = next((head for head in heads if head > start), len(lines) + 1)
    told = lines[start - 1 : end - 1]
    while told and (told[-1].startswith("#") or not told[-1].strip()):
        told.pop()
    while start > 1 and lines[start - 2].startswith("#"):
        start -= 1
        told.insert(0, lines[start - 1])
    shared = _shared_lines("\n".join(lines[: heads[0] - 1]), "\n".join(told)) if heads else ()
    return "\n".join((*shared, *told))


STATEMENT = re.compile(r"^(\w+) = .*(?:\n[ \]].*)*", re.MULTILINE)
"""A key with its value, which may take several lines."""


def _shared_lines(file: str, scenario: str) -> Iterator[str]:
    """Yield the keys that a scenario takes from its file and from its opening, then a line between."""
    scenarios = parsed(scenario)["scenario"]
    own = scenarios[0] if isinstance(scenarios, list) else next(iter(scenarios.values()))
    keys = {*Opening.__struct_fields__} - own.keys()
    if any(isinstance(one, str) for one in own.get("combatants", ())):
        keys.add("combatants")
    opening = own.get("opening", "")
    top, *tables = re.split(r"^(?=\[)", file, flags=re.MULTILINE)
    heads = (f"[openings.{opening}]\n", f'[openings."{opening}"]\n')
    opened = next((table for table in tables if opening and table.startswith(heads)), "")
    of_opening = {found[1]: found[0] for found in STATEMENT.finditer(opened) if found[1] in keys}
    of_file = {
        found[1]: found[0] for found in STATEMENT.finditer(top) if found[1] in keys - of_opening.keys()
    }
    yield from of_file.values()
    if of_opening:
        yield opened.partition("\n")[0]
        yield from of_opening.values()
    if of_file or of_opening:
        yield ""


@cache
def _rows_of(file: str) -> list[str]:
    return path_of(file).read_text(encoding="utf-8").splitlines()


@cache
def _spans(file: str) -> list[tuple[int, int]]:
    """Return the first and last lines of the definitions in a source, outer before inner."""

    def of(node: ast.AST) -> Iterator[tuple[int, int]]:
        for one in ast.iter_child_nodes(node):
            plain = isinstance(node, ast.Module) and isinstance(one, ast.Assign | ast.AnnAssign)
            if isinstance(one, ast.FunctionDef | ast.ClassDef) or plain:
                assert isinstance(one, ast.stmt)
                first = min([one.lineno, *(each.lineno for each in getattr(one, "decorator_list", ()))])
                yield first, one.end_lineno or one.lineno
                yield from of(one)

    return list(of(ast.parse("\n".join(_rows_of(file)))))


FEW = 8
"""Most rows of figures shown at once; longer tables are folded."""

STYLE = """<style>
body { max-width: 62rem }
nav li { display: inline-block; margin-right: 1rem }
h2 { border-bottom: 2px solid #8886; margin-top: 3rem }
article { border-top: 1px solid #8886; padding: .5rem 0 .8rem; scroll-margin-top: 1rem }
article:target { background: #fc03 }
h3 { margin: .2rem 0 }
h3 a { color: inherit; text-decoration: none }
summary { cursor: pointer }
small.at { display: inline }
pre { white-space: pre-wrap }
.played { color: green }
.unplayed { color: #b50 }
</style>"""


def rulebook(dialect: str, title: str, rules: list[Woven]) -> str:
    """Return the page of a dialect's rules: contents by chapter, each rule, then its code and scenarios.

    Functions and scenarios are shown once, after the chapter in which a rule first names them.
    """
    chapters = [(name, list(found)) for name, found in groupby(rules, key=lambda one: one.chapter)]
    played = sum(bool(one.scenarios) for one in rules)
    links = "".join(
        f'<li><a href="#chapter-{slug(name)}">{name}</a> ({len(found)})</li>' for name, found in chapters
    )
    known = bool(rules) and rules[0].scenarios is not None
    proven = (
        f", {played} of them named by scenarios" if known else "; scenarios are only available in a checkout"
    )
    body = [
        STYLE,
        f"<p>{counted(len(rules), 'rule')}{proven}. The wording is our own. "
        f"The address of a rule is this page with <code>#{dialect}.…</code> after it.</p>",
        f"<nav><ul>{links}</ul></nav>",
    ]
    excerpts = Excerpts()
    for name, found in chapters:
        body.append(f'<h2 id="chapter-{slug(name)}">{name.capitalize()}</h2>')
        body += [_article(one, excerpts) for one in found]
        body += excerpts.told(name)
    return framed(f"{title}: the rules as they are played", body)


def slug(chapter: str) -> str:
    """Return a chapter's name as part of an address."""
    return chapter.replace(" ", "-")


class Excerpts:
    """Functions and scenarios by their texts, each with an address; those not shown yet wait."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, str], str] = {}
        self.waiting: list[tuple[str, SourcePlace, str]] = []

    def link(self, place: SourcePlace, text: str) -> str:
        """Return a link to the excerpt at a place, which the chapter will show if no earlier one does."""
        address = self.known.get((place.file, text))
        if address is None:
            address = self.known[place.file, text] = f"excerpt-{len(self.known) + 1}"
            self.waiting.append((address, place, text))
        return f'<a href="#{address}">{strip_markup(place.name)}</a> {_at(place)}'

    def told(self, chapter: str) -> Iterator[str]:
        """Yield the waiting excerpts: the code of a chapter, then its scenarios."""
        for name, ends in (("Code", ".py"), ("Scenarios", ".toml")):
            found = [one for one in self.waiting if one[1].file.endswith(ends)]
            if found:
                yield f"<h3>{name}: {chapter}</h3>"
            for address, place, text in found:
                shown = "\n".join(map(strip_markup, text.split("\n")))
                head = f"{strip_markup(place.name)} {_at(place)}"
                yield f'<details id="{address}"><summary>{head}</summary><pre>{shown}</pre></details>'
        self.waiting.clear()


def _article(one: Woven, excerpts: Excerpts) -> str:
    rule = one.rule
    id = strip_markup(rule.id)
    told = " · ".join(map(strip_markup, (rule.section, rule.kind, rule.tier, provenance(rule))))
    rows = [
        f'<article id="{id}">',
        f'<h3><a href="#{id}">{strip_markup(rule.title)}</a></h3>',
        f"<small><code>{id}</code> · {told}</small>",
        f"<p>{strip_markup(rule.text)}</p>",
        *_figures(rule.figures),
        *_precedence(one),
        *_readings(one),
        *_clauses(one),
        *_code(one, excerpts),
        *_scenarios(one, excerpts),
        "</article>",
    ]
    return "\n".join(rows)


def _figures(figures: object) -> Iterator[str]:
    if figures is not None:
        rows = figure_rows(figures)
        shown = "\n".join(map(strip_markup, rows))
        opened = " open" if len(rows) <= FEW else ""
        yield f"<details{opened}><summary>Figures</summary><pre>{shown}</pre></details>"


def _precedence(one: Woven) -> Iterator[str]:
    told = [("Takes precedence over", each.over, each) for each in one.over]
    told += [("Is overridden by", each.rule, each) for each in one.under]
    for said, id, each in told:
        when = " and ".join(f"{name} = {' or '.join(values)}" for name, values in each.when.items())
        part = f" for {strip_markup(each.part)}" if each.part else ""
        case = part + (f" while {strip_markup(when)}" if when else "")
        link = f'<a href="#{strip_markup(id)}"><code>{strip_markup(id)}</code></a>'
        yield f"<p>{said} {link}{case}: {strip_markup(each.why)}</p>"


def _readings(one: Woven) -> Iterator[str]:
    for entry in one.contested:
        title, option = strip_markup(entry.title), strip_markup(entry.option)
        yield f"<details><summary>Contested: {title} (option <code>{option}</code>)</summary>"
        yield f"<p>{strip_markup(entry.question)}</p><ul>"
        for reading in entry.readings:
            default = " (the default)" if reading.name == entry.default else ""
            name, meaning = strip_markup(reading.name), strip_markup(reading.meaning)
            yield f"<li><code>{name}</code>{default}: {meaning}</li>"
        yield "</ul></details>"


def _clauses(one: Woven) -> Iterator[str]:
    if one.clauses:
        yield f"<details><summary>{counted(len(one.clauses), 'clause')}</summary><ol>"
        for clause in one.clauses:
            proof = strip_markup(explain_proof(clause))
            yield f"<li>{clause.kind}: {strip_markup(clause.text)}<br><small>{proof}</small></li>"
        yield "</ol></details>"


def _code(one: Woven, excerpts: Excerpts) -> Iterator[str]:
    if not one.code:
        yield '<p class="unplayed">No code names this rule.</p>'
        return
    links = "; ".join(excerpts.link(place, source_of(place)) for place in one.code)
    through = " through a rule that excludes it" if one.code[0].how == "precedence" else ""
    yield f"<p>Played{through} by {links}</p>"


def _scenarios(one: Woven, excerpts: Excerpts) -> Iterator[str]:
    if one.scenarios is None:
        return
    if not one.scenarios:
        yield '<p class="unplayed">No scenario names this rule.</p>'
        return
    links = "; ".join(excerpts.link(place, read_scenario_at(place)) for place in one.scenarios[:MOST])
    more = len(one.scenarios) - MOST
    yield f'<p class="played">Tested by {links}{f", and {more} more" if more > 0 else ""}</p>'


def _at(place: SourcePlace) -> str:
    return f'<small class="at">{strip_markup(place.file)}:{place.line}</small>'


# --- Making a rulebook in a separate process: python -m affray.replay.rulebook.page DIALECT [FOLDER]...
#
# It writes the page, compressed with gzip. A reader waits for it: it runs at normal priority.


def woven_packed(dialect: str) -> bytes:
    """Return the page of a dialect's rules, compressed; the same bytes each time. Raises UnknownDialect."""
    from affray.engine.dialects import load

    return gzip.compress(rulebook(dialect, load(dialect).title, woven(dialect)).encode(), 6, mtime=0)


if __name__ == "__main__":
    for folder in sys.argv[2:]:
        packages_named(folder)
    sys.stdout.buffer.write(woven_packed(sys.argv[1]))
