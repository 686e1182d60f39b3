"""Where a rule is used: the lines of code that name it, and the scenarios that play it.

This reads the text of the installed sources, without importing or running them.
"""

import ast
import inspect
import os
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Final, TypeAlias

from msgspec import Struct, structs

import affray.engine.book
from affray.engine.book import BadPackage, Book
from affray.engine.book.card import topics
from affray.engine.book.packages import (
    DEEPEST,
    installed,
    offered_dialects,
    offered_house_rules,
    package_place,
    scenarios_of,
    shipped,
)
from affray.events.facts.sheet import Package

# --- The rules that a function's source names: topics in its calls and texts, ids in its docstring

CALLS: Final = frozenset({"rule", "rules", "figure", "formula", "modifier"})
"""The calls whose first text is a topic; all texts of `rules` are."""

FIGURES: Final = frozenset({"figure", "formula", "modifier"})
"""Those that ask for a figure of the topic, by the path that follows."""

DOTTED: Final = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")

STATS: Final = frozenset(
    {
        "no.defense",
        *(f"{roll}.{way}" for roll in ("attack", "defense") for way in ("melee", "ranged")),
        *("attack.dexterity", "attack.strength", "damage.strength", "save.ref", "save.fort", "save.will"),
    }
)
"""Names of numbers, which look like topics."""


class SourceNames(Struct, frozen=True):
    """The names in a source, in order: topics, figures as (topic, key), names in its docstring."""

    topics: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]
    named: tuple[str, ...]


class Cited(Struct, frozen=True):
    """A rule that a source names, and the topic by which it does; "" if it gives the id itself."""

    rule: str
    topic: str = ""


def literals(node: ast.AST) -> list[str]:
    """Return the possible texts of an expression: itself, or either branch of a choice."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


def yield_topics_of_call(node: ast.AST) -> Iterator[str]:
    """Yield the topics that a call to one of CALLS names; nothing for anything else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
        for argument in node.args if node.func.attr == "rules" else node.args[:1]:
            yield from literals(argument)


def yield_figures_of_call(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the figures (topic, key) that a call asks for with one key; nothing for anything else."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    if node.func.attr in FIGURES and len(node.args) == 2:
        yield from ((topic, key) for topic in literals(node.args[0]) for key in literals(node.args[1]))


def _functions_of(file: str) -> dict[int, list[ast.AST]]:
    about = os.stat(file)
    return _functions_in(file, about.st_mtime_ns, about.st_size)


@cache
def _functions_in(file: str, changed: int, size: int) -> dict[int, list[ast.AST]]:
    """Return the functions of a file by their first line, that of the first decorator."""
    found: dict[int, list[ast.AST]] = {}
    with open(file, encoding="utf-8") as source:
        tree = ast.parse(source.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            line = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            node.decorator_list = []  # cache decorators are not rules
            found.setdefault(line, []).append(node)
        elif isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


@cache
def tree_of(function: FunctionType) -> ast.AST:
    """Return the syntax tree of a function."""
    there = _functions_of(function.__code__.co_filename).get(function.__code__.co_firstlineno, ())
    if len(there) == 1:
        return there[0]
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


@cache
def spoken_of(function: FunctionType) -> SourceNames:
    """Return the names in a function's source."""
    topics: dict[str, None] = {}
    asked: set[str] = set()
    figures: dict[tuple[str, str], None] = {}
    nodes = [node for node in ast.walk(tree_of(function)) if isinstance(node, ast.expr)]
    for node in sorted(nodes, key=lambda one: (one.lineno, one.col_offset)):
        texts = (text for text in literals(node) if DOTTED.fullmatch(text) and text not in STATS)
        topics.update(dict.fromkeys(texts))
        topics.update(dict.fromkeys(called := tuple(yield_topics_of_call(node))))
        asked.update(called)
        figures.update(dict.fromkeys(yield_figures_of_call(node)))
    named = (match.group() for match in DOTTED.finditer(function.__doc__ or ""))
    checks = {one for one in topics if one.startswith("save.")} - asked
    told = tuple(one for one in topics if one not in checks)
    return SourceNames(told, tuple(figures), tuple(dict.fromkeys(named)))


def cited_by(book: Book, function: Callable[..., object]) -> tuple[Cited, ...]:
    """Return the rules of a book that a function's source names, each once, in the source's order.

    A topic that the book does not have is ignored: shared functions serve several dialects.
    """
    if not isinstance(function, FunctionType):
        return ()
    spoken = spoken_of(function)
    found = {id: Cited(id) for id in spoken.named if id in book}
    for topic, key in spoken.figures:
        if f"{topic}/{key}" in book.figure_topics:
            found.setdefault(book.place(topic, key)[0], Cited(book.place(topic, key)[0], f"{topic}/{key}"))
    for topic in spoken.topics:
        if topic in book:
            found.setdefault(topic, Cited(topic))
        elif book.has(topic):
            found.setdefault(book.topic_id(topic), Cited(book.topic_id(topic), topic))
    return tuple(found.values())


PATTERN: Final = re.compile(r"\bf\"([^\"\n]*\{[^\"\n]*)\"")
"""A text with placeholders that may become a topic: f"cond.{name}"."""
BEGINS: Final = re.compile(
    r"^\[(?:\[scenario\]|scenario\.(?P<name>\"(?:[^\"\\]|\\.)*\"|'[^']*'|[\w-]+))\]$", re.MULTILINE
)
"""The beginning of a scenario in a table, with its name if that is the table's."""


class SourcePlace(Struct, frozen=True):
    """A line of a file, relative to the root of the sources, and the function or scenario there.

    `how` is the way the rule is named: by its "id", by a "topic", by a "pattern" that becomes it, or by its
    "precedence": the code asks for a rule that takes precedence over it, or over which it does.
    """

    file: str
    line: int
    name: str
    how: str = "id"


class Names(Struct, frozen=True):
    """All names that code may use for a rule: its id, topics, and figures stored with it as (topic, key)."""

    id: str
    topics: tuple[str, ...]
    figures: tuple[tuple[str, str], ...]


def names_of(book: Book, id: str) -> Names:
    """Return the names that code may use for a rule. Raises UnknownRule."""
    own = book[id].id
    kept = (address.split("/") for address, to in book.figure_topics.items() if to.partition("/")[0] == own)
    return Names(
        own,
        tuple(topic for topic, rule in topics(book).items() if rule == own and book.topic_id(topic) == own),
        tuple((address[0], address[1]) for address in kept if len(address) == 2),
    )


def root() -> Path:
    """Return the folder of the sources: the checkout, or the installed package."""
    # The package may be a tree of links to the checkout; follow the file itself.
    return Path(affray.engine.book.__file__).resolve().parents[2]


def find_code_places(book: Book, id: str, house_rules: tuple[str, ...] = ()) -> tuple[SourcePlace, ...]:
    """Return where code names a rule, one place per function, in the order of the files.

    The code is that of the engine, of the dialect's package and of packages with `house_rules`. Code of other
    dialects is left out, unless the package imports it. For a rule that nothing else names, patterns are
    used, or else the code of the rules that exclude it. Raises UnknownRule.
    """
    texts = sources(book.dialect, house_rules)
    found = _naming(book, id, texts) or _loosely(texts, names_of(book, id))
    for mate in () if found else mates(book, id):
        found += [structs.replace(place, how="precedence") for place in _naming(book, mate, texts)]
    return tuple(found)


def mates(book: Book, id: str) -> tuple[str, ...]:
    """Return the rules over which one takes precedence or which do over it, those next to it first."""
    exceptions = book.precedence.said.exceptions
    found = [book[id].id]
    for known in found:
        for one in exceptions:
            found += [
                mate for mate in (one.over, one.rule) if known in (one.over, one.rule) and mate not in found
            ]
    return tuple(found[1:])


Sources: TypeAlias = tuple[tuple[str, str], ...]
"""Files with their texts, each by its path from `root` or from the folder around its package."""


def _naming(book: Book, id: str, texts: Sources) -> list[SourcePlace]:
    names = names_of(book, id)
    finders = _finders(names)
    tokens = (names.id, *names.topics, *(topic for topic, _ in names.figures))
    short = [token for token in tokens if not DOTTED.fullmatch(token)]
    dotted = set().union(*(words_of(texts).get(token, ()) for token in tokens))
    found: list[SourcePlace] = []
    for number, (file, text) in enumerate(texts):
        if number in dotted or any(token in text for token in short):
            lines: dict[int, str] = {}
            for how, finder in finders:
                for match in finder.finditer(text):
                    lines.setdefault(text.count("\n", 0, match.start("name")) + 1, how)
            found += _by_function(file, text, lines)
    return found


def _loosely(texts: Sources, names: Names) -> list[SourcePlace]:
    """Return where a text may be one of a rule's topics: one without a dot, or one with placeholders."""
    found: list[SourcePlace] = []
    for file, text in texts:
        lines = {
            text.count("\n", 0, at) + 1: "pattern"
            for pattern, at in patterns(text)
            if fills(pattern, names.topics)
        }
        for topic in names.topics:
            if "-" in topic and f'"{topic}"' in text:
                lines.setdefault(text.count("\n", 0, text.index(f'"{topic}"')) + 1, "topic")
        found += _by_function(file, text, lines)
    return found


@cache
def patterns(text: str) -> tuple[tuple[str, int], ...]:
    """Return the texts with placeholders in a source that may become a topic, each with its place."""
    return tuple((match.group(1), match.start()) for match in PATTERN.finditer(text))


def find_ids_not_in_code(book: Book, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of a book that the code nowhere gives in full, nor those that exclude them."""
    whole: set[str] = set()
    for _, text in sources(book.dialect):
        whole.update(re.findall(rf"(?<![\w.-]){book.dialect}(?:\.[a-z0-9-]+)+", text))
    return tuple(id for id in ids if whole.isdisjoint((id, *mates(book, id))))


def fills(pattern: str, wanted: tuple[str, ...]) -> bool:
    """Return whether a text with placeholders can become one of the wanted; one that begins with a
    placeholder cannot.
    """
    if not DOTTED.match(pattern.split("{")[0] + "x"):
        return False
    written = "[a-z0-9.-]+".join(map(re.escape, re.split(r"\{[^{}]*\}", pattern)))
    return any(re.fullmatch(written, one) for one in wanted)


def scenario_folder(dialect: str) -> Path | None:
    """Return the folder of a dialect's scenario tables, None if it has none here.

    Those of dialects that ship are in a checkout of affray only. Raises BadPackage.
    """
    if dialect not in shipped():
        return scenarios_of(dialect)
    folder = root() / "tests" / "scenarios" / dialect
    return folder if folder.is_dir() else None


def find_scenario_places(dialect: str, id: str) -> tuple[SourcePlace, ...] | None:
    """Return the scenarios that name a rule; None without the scenarios of the dialect.

    These are the scenarios that expect it; if none does, those with a comment above that names it.
    """
    if scenario_folder(dialect) is None:
        return None
    expected: list[SourcePlace] = []
    spoken: list[SourcePlace] = []
    for where, text, words in load_scenario_tables(dialect):
        if id in words:
            expected += yield_scenarios_naming(where, text, rf'"{re.escape(id)}"', after=False)
            spoken += yield_scenarios_naming(
                where, text, rf"(?<![\w.\"-]){re.escape(id)}(?![\w\"-]|\.\w)", after=True
            )
    return tuple(expected or spoken)


def yield_scenarios_naming(file: str, text: str, pattern: str, *, after: bool) -> Iterator[SourcePlace]:
    """Yield the scenarios of a table that contain a pattern, or that come `after` it, each once."""
    starts = find_scenario_starts(text)
    told = set()
    for match in re.finditer(pattern, text):
        at = match.start()
        if after:
            start = next((one for one in starts if one > at), starts[-1] if starts else 0)
        else:
            start = max((one for one in starts if one < at), default=0)
        if start not in told:
            told.add(start)
            yield SourcePlace(file, text.count("\n", 0, at) + 1, _title_at(text, start))


def _title_at(text: str, start: int) -> str:
    """Return the name of the scenario that begins at a place, or after it."""
    begin = BEGINS.search(text, start)
    if begin and begin["name"]:
        return begin["name"].strip("\"'")
    title = re.compile(r'^name = "(.*)"', re.MULTILINE).search(text, start)
    return title.group(1) if title else ""


@cache
def find_scenario_starts(text: str) -> tuple[int, ...]:
    """Return where the scenarios of a table begin."""
    return tuple(match.start() for match in BEGINS.finditer(text))


def sources(dialect: str, house_rules: tuple[str, ...] = ()) -> Sources:
    """Return the files of a dialect with their texts: its own, the shared ones, those of `house_rules`.

    Raises MissingPackage, BadPackage.
    """
    packages = (*(() if dialect in shipped() else (dialect,)), *house_rules)
    return _sources(root(), dialect, tuple(installed(name) for name in packages))


@cache
def _sources(top: Path, dialect: str, packages: tuple[Package, ...]) -> Sources:
    engine = top / "engine"
    others = [one for one in (engine / "dialects").iterdir() if one.is_dir() and one.name != dialect]
    others.append(engine / "book")  # the catalogue itself, which describes its own lookup
    found = {
        file.relative_to(top).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(engine.rglob("*.py"))
        if not any(file.is_relative_to(other) for other in others)
    }
    for package in packages:
        place = package_place(package.name)
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            found[file.relative_to(place.parent).as_posix()] = file.read_text(encoding="utf-8")
    for file in _imported([*found.values()]) if packages else ():
        found[file.relative_to(top).as_posix()] = file.read_text(encoding="utf-8")
    return tuple(found.items())


DIALECT_MODULE: Final = "affray.engine.dialects."


def _imported(texts: list[str]) -> list[Path]:
    """Return the files of dialects that ship and that these sources import, directly or through others."""
    found: dict[Path, None] = {}
    for text in texts:
        for name in _imports(text):
            path = root().joinpath(*name.split(".")[1:])
            file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            if file.is_file() and file not in found:
                found[file] = None
                texts.append(file.read_text(encoding="utf-8"))
    return sorted(found)


def _imports(text: str) -> Iterator[str]:
    """Yield the modules of dialects that ship and that a source imports; of a package, also the package."""
    for node in ast.walk(ast.parse(text)) if DIALECT_MODULE in text else ():
        names = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        yield from (name for name in names if name.startswith(DIALECT_MODULE))


def path_of(file: str) -> Path:
    """Return where a file of a SourcePlace is: below the sources of affray, or around a package."""
    places = [root()]
    for name in (*offered_dialects(), *offered_house_rules()):
        with suppress(BadPackage):
            places += package_place(name).parents[:DEEPEST]
    return next((place / file for place in places if (place / file).is_file()), root() / file)


@cache
def words_of(texts: Sources) -> dict[str, set[int]]:
    """Return for each dotted word the numbers of the sources that contain it."""
    found: dict[str, set[int]] = {}
    for number, (_, text) in enumerate(texts):
        for match in DOTTED.finditer(text):
            found.setdefault(match.group(), set()).add(number)
    return found


def load_scenario_tables(dialect: str) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """Return the scenario tables of a dialect with their texts and the dotted words in them."""
    folder = scenario_folder(dialect)
    if folder is None:
        return ()
    if dialect in shipped():
        return _tables_in(folder, root(), 0)
    newest = max((file.stat().st_mtime_ns for file in folder.rglob("*.toml")), default=0)
    return _tables_in(folder, folder.parent.parent, newest)


@cache
def _tables_in(folder: Path, around: Path, newest: int) -> tuple[tuple[str, str, frozenset[str]], ...]:
    files = sorted(folder.rglob("*.toml"))
    texts = ((file.relative_to(around).as_posix(), file.read_text(encoding="utf-8")) for file in files)
    return tuple(
        (name, text, frozenset(match.group() for match in DOTTED.finditer(text))) for name, text in texts
    )


def _finders(names: Names) -> list[tuple[str, re.Pattern[str]]]:
    """Return the patterns that find each of a rule's names in a source, at their group "name"."""
    found = [("id", re.compile(rf"(?<![\w.-])(?P<name>{re.escape(names.id)})(?![\w-]|\.\w)"))]
    for topic in names.topics:
        text = rf"(?P<name>[\"']{re.escape(topic)}[\"'])"
        plain = DOTTED.fullmatch(topic) and topic not in STATS
        called = rf"\.(?:{'|'.join(sorted(CALLS))})\([^()]*{text}"
        found.append(("topic", re.compile(text if plain else called)))
    for topic, key in names.figures:
        asked = (
            rf"\.(?:{'|'.join(sorted(FIGURES))})\(\s*(?P<name>\"{re.escape(topic)}\"),\s*\"{re.escape(key)}\""
        )
        found.append(("topic", re.compile(asked)))
    return found


def _by_function(file: str, text: str, lines: dict[int, str]) -> list[SourcePlace]:
    """Return the lines with the functions around them, the first line of each function."""
    if not lines:
        return []
    spans, prose = _structure(text)
    found: dict[str, SourcePlace] = {}
    for line, how in sorted(lines.items()):
        if how != "id" and any(start <= line <= end for start, end in prose):
            continue  # a topic as an example
        around = [name for start, end, name in spans if start <= line <= end]
        name = around[-1] if around else "(module)"
        found.setdefault(name, SourcePlace(file, line, name, how))
    return list(found.values())


@cache
def _structure(text: str) -> tuple[list[tuple[int, int, str]], list[tuple[int, int]]]:
    """Return the named definitions of a source with first and last lines, and the lines of its prose."""
    spans: list[tuple[int, int, str]] = []

    def visit(node: ast.AST, prefix: str) -> None:
        for one in ast.iter_child_nodes(node):
            name = getattr(one, "name", "") if isinstance(one, ast.FunctionDef | ast.ClassDef) else ""
            if not name and isinstance(node, ast.Module) and isinstance(one, ast.Assign | ast.AnnAssign):
                target = one.targets[0] if isinstance(one, ast.Assign) else one.target
                name = target.id if isinstance(target, ast.Name) else ""
            if name and isinstance(one, ast.stmt):
                spans.append((one.lineno, one.end_lineno or one.lineno, prefix + name))
            if isinstance(one, ast.FunctionDef | ast.ClassDef):
                visit(one, f"{prefix}{one.name}.")

    tree = ast.parse(text)
    visit(tree, "")
    return spans, _prose(tree)


def _prose(tree: ast.Module) -> list[tuple[int, int]]:
    """Return the lines, first and last, of standalone texts: docstrings."""
    alone = (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return [(one.lineno, one.end_lineno or one.lineno) for one in alone if isinstance(one, ast.Constant)]
