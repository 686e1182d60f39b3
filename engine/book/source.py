"""Reading the data files of a dialect: rules, contested readings, precedence, topics and tables."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from affray.engine.book.errors import UnknownDialect
from affray.engine.book.packages import dialect_folder, offered_dialects
from affray.engine.book.precedence import PrecedenceFile
from affray.engine.book.rule import Contested, Prerequisites, Rule
from affray.engine.book.tables import TableFile, parse_table


class _ContestedFile(msgspec.Struct, forbid_unknown_fields=True):
    contested: list[Contested] = []


class _PrerequisitesFile(msgspec.Struct, forbid_unknown_fields=True):
    feat: list[Prerequisites] = []


class Seen(msgspec.Struct, frozen=True):
    """The names of what was seen to be rolled and asked with a declaration."""

    rolls: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


MEANWHILE = ("attack of opportunity", "readied act")
"""What may come in the midst of any declaration, and is told apart from it."""

_RULES = msgspec.json.Decoder(Rule)


def _shelf() -> Traversable:
    return resources.files("affray.engine").joinpath("dialects")


def dialects() -> tuple[str, ...]:
    """The names of the dialects that have a rule catalogue, in alphabetical order; those of packages too."""
    return tuple(sorted({*shipped(), *offered_dialects()}))


@cache
def shipped() -> tuple[str, ...]:
    """The names of the dialects that ship with the engine."""
    folders = (entry for entry in _shelf().iterdir() if entry.is_dir())
    return tuple(sorted(folder.name for folder in folders if folder.joinpath("rules.jsonl").is_file()))


def _folder(dialect: str) -> Traversable:
    """The folder of a dialect's data: the one that ships, or a package's; raises UnknownDialect."""
    if dialect in shipped():
        return _shelf().joinpath(dialect)
    if dialect in offered_dialects():
        return dialect_folder(dialect)
    raise UnknownDialect(dialect, dialects())


def _text(dialect: str, name: str) -> str | None:
    file = _folder(dialect).joinpath(name)
    return file.read_text(encoding="utf-8") if file.is_file() else None


def read_rules(dialect: str) -> tuple[Rule, ...]:
    """The rules of a dialect in the order of its catalogue; UnknownDialect when there is none."""
    return tuple(_RULES.decode_lines(_text(dialect, "rules.jsonl") or ""))


def read_contested(dialect: str) -> tuple[Contested, ...]:
    """The contested rules of a dialect in the order of its file, none when it has no such file."""
    text = _text(dialect, "contested.toml") or ""
    return tuple(msgspec.toml.decode(text, type=_ContestedFile).contested)


@cache
def read_prerequisites(dialect: str) -> Mapping[str, Prerequisites]:
    """What the feats of a dialect ask for, by their names, from prerequisites.toml; none without the file."""
    text = _text(dialect, "prerequisites.toml") or ""
    return {one.name: one for one in msgspec.toml.decode(text, type=_PrerequisitesFile).feat}


def read_precedence(dialect: str) -> PrecedenceFile:
    """Which rules of a dialect take precedence over others, from precedence.toml; none without the file."""
    return msgspec.toml.decode(_text(dialect, "precedence.toml") or "", type=PrecedenceFile)


def read_seen(dialect: str) -> dict[str, Seen]:
    """What declarations were seen to roll and ask, by their names; nothing without such a file."""
    return msgspec.toml.decode(_text(dialect, "seen_in_play.toml") or "", type=dict[str, Seen])


def table_texts(dialect: str) -> dict[str, str]:
    """The files of the dialect's tables by name, as text, in alphabetical order; UnknownDialect for none."""
    folder = _folder(dialect).joinpath("tables")
    files = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
    return {file.name: file.read_text(encoding="utf-8") for file in files if file.name.endswith(".toml")}


@cache
def read_tables(dialect: str) -> dict[str, TableFile]:
    """Rule id -> the table that the rule names, for the tables that the dialect's text does not print."""
    found = (parse_table(text, name) for name, text in table_texts(dialect).items())
    return {table.rule: table for table in found}


def read_aliases(dialect: str) -> dict[str, str]:
    """Topic -> rule id from the dialect's topics.toml (table `[topics]`), empty without the file."""
    return _names(dialect, "topics")


def read_figure_aliases(dialect: str) -> dict[str, str]:
    """Address "topic/path" -> "rule-id/path" from topics.toml (table `[figures]`), empty without the file."""
    return _names(dialect, "figures")


def read_equals(dialect: str) -> dict[str, str]:
    """Topic -> id of another dialect's rule with the same figures, from topics.toml (table `[equal]`)."""
    return _names(dialect, "equal")


def _names(dialect: str, table: str) -> dict[str, str]:
    text = _text(dialect, "topics.toml") or ""
    return msgspec.convert(tomllib.loads(text).get(table, {}), dict[str, str])
