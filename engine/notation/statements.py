"""The lines of the notation read: tags, the map, declarations with dice and answers, and all else.

The grammar is a page of the docs (docs/notation.md).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NoReturn

import msgspec
from msgspec import NODEFAULT, UNSET, Struct, field

from affray.engine.dice import ImpossibleFaces, Notation, Source, rethrow, throw
from affray.engine.dice.notation import count_dice
from affray.engine.dice.sources import Answer
from affray.engine.fight.fight import Fight
from affray.engine.notation.tokens import (
    NotationError,
    Tokens,
    UnclearSentence,
    expected_by,
    field_of,
    is_one_square,
    written,
)
from affray.engine.steps import Choice
from affray.engine.table.policies import Answers
from affray.events.codec import FACTS
from affray.events.errors import counted, did_you_mean
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Sheet
from affray.projections.state import Encounter

# --- What a line of the notation says, of each kind (docs/notation.md)


class Item(Struct, gc=False):
    """A throw or an answer at one moment of a declaration.

    `kind`: "faces", "answer", "unknown" (`?`), "moot" (`-`: it was not asked for then) or "open": the fight
        still waits. `wait`: it waited for this first.
    """

    kind: str
    line: int
    column: int
    faces: tuple[int, ...] = ()
    answer: str = ""
    by: str | None = None
    wait: bool = False


class Verdict(Struct):
    """The result of a declaration that was not decided: "void" or "refused", the reason, and the rule."""

    word: str
    reason: str
    rule: str = ""


class DeclarationStatement(Struct):
    """A declaration: who, in what words, its items and the verdict. `columns` has those of its fields.

    `text` is the declaration as written. With a `fault` it is not of the notation's form; the short language
    may understand it.
    """

    line: int
    column: int
    actor: str = ""
    by: str = ""
    id: str = ""
    word: str = ""
    fields: JsonObject = field(default_factory=dict)
    places: list[object] = field(default_factory=list)
    columns: dict[str, int] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    verdict: Verdict | None = None
    comment: str = ""
    text: str = ""
    fault: NotationError | None = None


class FactStatement(Struct):
    """A fact that no rule decides; `follows` if it belongs to an earlier fact, otherwise it is separate."""

    line: int
    column: int
    follows: bool
    said: DeclarationStatement


class Marker(Struct):
    """A check of the round, and of the turn, at this place."""

    line: int
    column: int
    round: int
    turn: str | None = None
    comment: str = ""


class Variation(Struct):
    """A branch begins: its name, the line that it leaves, and after which event or declaration."""

    line: int
    column: int
    name: str
    of: str = ""
    after: int | str = ""
    comment: str = ""


class Back(Struct):
    """A branch ends; the line around it goes on."""

    line: int
    column: int
    comment: str = ""


class End(Struct):
    """How many events a line of play has, and the digest of the last."""

    line: int
    column: int
    events: int
    digest: str
    comment: str = ""


class Tag(Struct):
    """A name and values of the header."""

    line: int
    column: int
    name: str
    values: list[Any]
    columns: list[int]
    comment: str = ""


class Row(Struct):
    """A row of the map, so often in succession."""

    line: int
    column: int
    text: str
    times: int = 1


class Packed(Struct):
    """A line of what is packed: how the log differs from what the rules make of it today."""

    line: int
    column: int
    text: str


class Comment(Struct):
    """A line that only people read."""

    line: int
    column: int
    text: str


Statement = (
    DeclarationStatement | FactStatement | Marker | Variation | Back | End | Tag | Row | Packed | Comment
)


# --- Rounds and turns in a text, checked against the fight


def check_marker(one: Marker, state: Encounter) -> None:
    """Raise NotationError unless the round, and the turn, are those of a marker."""
    if state.round != one.round:
        raise NotationError(one.line, one.column, f"round {state.round}", f"round {one.round}")
    if one.turn is not None and state.active != one.turn:
        raise NotationError(one.line, one.column, f"the turn of {state.active or 'nobody'}", one.turn)


MAGIC = "affray notation"
VERSION = 1
LONGEST_LINE = 10_000_000
"""As the longest line of JSON Lines: it has room for everything in a log."""
_ROWS = re.compile(r"([0-9]{1,4})\|")
"""The prefix of a row that is repeated."""


def statements(text: str, first: int = 1, *, sentences: bool = False) -> Iterator[Statement]:
    """Yield the statements of a text's lines, in order; `first` is the number of the first. Raises
    NotationError.

    With `sentences` a declaration of another form is no error but has a `fault`. O(characters): each is read
    about once.
    """
    for number, line in enumerate(text.split("\n"), first):
        line = line.removesuffix("\r")
        if len(line) > LONGEST_LINE:
            raise NotationError(number, LONGEST_LINE, "a line of at most ten million characters")
        bare = line.lstrip(" \t")
        if bare:
            yield statement(line, number, len(line) - len(bare), sentences=sentences)


def statement(line: str, number: int, start: int = 0, *, sentences: bool = False) -> Statement:
    """Return the statement of a line that is not blank; its words begin behind `start` characters."""
    sign, column = line[start], start + 1
    if sign == "#":
        return Comment(number, column, line[start:])
    if sign == "|":
        return Row(number, column, line[start + 1 :])
    if found := _ROWS.match(line, start):
        return Row(number, column, line[found.end() :], int(found[1]))
    if sign == "%":
        return Packed(number, column, line[start + 1 :].strip(" \t"))
    try:
        tokens = Tokens(line, number, start)
        made = _BY_SIGN.get(sign, _said)(tokens)
    except NotationError as error:
        if not sentences or sign in _BY_SIGN or {";", "#"} & {*line}:
            raise
        return DeclarationStatement(number, column, text=line.strip(), fault=error)
    if not isinstance(made, FactStatement):
        made.comment = tokens.comment
    return made


def _back(tokens: Tokens) -> Back:
    made = Back(tokens.line, tokens.column)
    tokens.advance()
    tokens.end()
    return made


def _beside(tokens: Tokens) -> FactStatement:
    line, column, follows = tokens.line, tokens.column, tokens.value == "+"
    tokens.advance()
    said = DeclarationStatement(line, tokens.column)
    _words(tokens, said, "the type of an event")
    tokens.end()
    said.comment = tokens.comment
    return FactStatement(line, column, follows, said)


def _tag(tokens: Tokens) -> Tag:
    made = Tag(tokens.line, tokens.column, "", [], [])
    tokens.advance()
    made.name = tokens.name("the name of a tag")
    while not tokens.sign("]"):
        made.columns.append(tokens.column)
        made.values.append(tokens.value_here("a value or ']'"))
    tokens.end()
    return made


def _marker(tokens: Tokens) -> Marker | End:
    line, column = tokens.line, tokens.column
    tokens.advance()
    if tokens.sign("="):
        if tokens.kind != "word" or tokens.value != "round":
            tokens.fail("'round'")
        tokens.advance()
        made = Marker(line, column, tokens.count("the number of the round"))
        if tokens.kind != "end":
            made.turn = tokens.name("whose turn it is")
        tokens.end()
        return made
    events = tokens.count("'=' or the number of events")
    where = tokens.column
    digest = tokens.name("the digest of the last event")
    if len(digest) != 64 or digest.strip("0123456789abcdef"):
        raise NotationError(line, where, "64 lower-case hexadecimal digits in quotes", digest)
    tokens.end()
    return End(line, column, events, digest)


def _variation(tokens: Tokens) -> Variation:
    made = Variation(tokens.line, tokens.column, "")
    tokens.advance()
    made.name = tokens.name("the name of a variation")
    for word in ("of", "after"):
        if tokens.kind == "word" and tokens.value == word:
            tokens.advance()
            if word == "of":
                made.of = tokens.name("the name of a line")
            elif tokens.kind == "number":
                made.after = tokens.count("the number of an event")
            else:
                made.after = tokens.name("the number of an event, or the id of a declaration")
    tokens.end()
    return made


def _said(tokens: Tokens) -> DeclarationStatement:
    made = DeclarationStatement(tokens.line, tokens.column)
    made.columns["@"] = tokens.column
    if tokens.sign("@"):
        made.id = tokens.name("the id of the declaration")
    start = tokens.start
    who = tokens.name("a declaration: an actor or an act")
    if tokens.kind == "sign" and tokens.value in "(:":
        made.actor = who
        if tokens.sign("("):
            made.by = tokens.name("the name of the declarer")
            tokens.want(")")
        tokens.want(":")
    else:
        tokens.back_to(start)
    start = tokens.start
    _words(tokens, made, "an act")
    made.text = tokens.text[start : tokens.start].strip()
    while made.verdict is None and tokens.sign(";"):
        if tokens.kind == "word" and tokens.value in ("void", "refused"):
            if made.items:
                tokens.fail("dice and answers, or a verdict: what is not decided throws nothing")
            made.verdict = _verdict(tokens)
        else:
            made.items.append(_item(tokens))
    if tokens.kind != "end":
        tokens.fail("a field, ';' or the end of the line" if made.verdict is None else "the end of the line")
    return made


def _words(tokens: Tokens, made: DeclarationStatement, expected: str) -> None:
    """Read a word and its fields: those without a name first."""
    made.column = tokens.column
    made.word = tokens.name(expected)
    while tokens.kind != "end" and not (tokens.kind == "sign" and tokens.value not in "[{"):
        column, kind, name = tokens.column, tokens.kind, tokens.value
        value = tokens.value_here("a field")
        if kind == "word" and tokens.kind == "sign" and tokens.value == "=":
            tokens.advance()
            if name in made.fields:
                raise NotationError(made.line, column, "each field once", name)
            made.columns[name] = column
            made.fields[name] = tokens.value_here("the value of the field")
        elif made.fields:
            raise NotationError(made.line, column, "a field with its name: fields without a name come first")
        else:
            made.columns[f"#{len(made.places)}"] = column
            made.places.append(value)


def _verdict(tokens: Tokens) -> Verdict:
    made = Verdict(tokens.value, "")
    tokens.advance()
    made.reason = tokens.name("why, in quotes")
    if tokens.kind != "end":
        made.rule = tokens.name("the id of a rule")
    return made


def _item(tokens: Tokens) -> Item:
    made = Item("open", tokens.line, tokens.column)
    if tokens.kind == "word" and tokens.value == "wait":
        made.wait = True
        tokens.advance()
        if tokens.kind == "end" or (tokens.kind == "sign" and tokens.value == ";"):
            return made
    if tokens.sign("?"):
        made.kind = "unknown"
    elif tokens.sign("-"):
        made.kind = "moot"
    elif tokens.sign("="):
        made.kind = "answer"
        column = tokens.column
        made.answer = _as_answer(tokens.value_here("an answer"), tokens.line, column)
    elif tokens.kind == "word" and tokens.value == "none":
        made.kind = "faces"
        tokens.advance()
    elif tokens.kind == "number":
        made.kind = "faces"
        faces = []
        while tokens.kind == "number":
            faces.append(tokens.count("a face"))
        made.faces = tuple(faces)
    else:
        tokens.fail("faces, '=' and an answer, '?', '-', 'wait', 'void' or 'refused'")
    if tokens.sign("("):
        made.by = tokens.name("who threw or answered")
        tokens.want(")")
    return made


def _as_answer(value: object, line: int, column: int) -> str:
    """Return an answer as a text: a number or a square needs no quotes."""
    if isinstance(value, str):
        return value
    plain = written(value)
    if isinstance(value, dict | list) and (plain[0] in "[{" or ">" in plain):
        raise NotationError(line, column, "an answer in quotes", plain)
    return plain


_BY_SIGN = {"[": _tag, "=": _marker, "(": _variation, ")": _back, "*": _beside, "+": _beside}


# --- The dice and answers on a line of the notation, in the order in which the rules ask for them

MOST_MOOT = 1000
"""The most moot throws of one line: tied rolls could be repeated without end."""


class DiceAndAnswers:
    """Dice and answers of one line. Missing ones come from `dice` and `answers`, if given.

    `faces_by` and `answers_by` are the default throwers and answerers.
    """

    def __init__(
        self,
        said: DeclarationStatement,
        dice: Source | None = None,
        answers: Answers | None = None,
        faces_by: str = "imported",
        answers_by: str = "person",
        faces: Sequence[int] = (),
    ) -> None:
        """Use the items of a line, or else the `faces` at the end of a sentence."""
        self.said, self._dice, self._answers = said, dice, answers
        self._typed_faces, self.faces = tuple(faces), list(faces)
        self.faces_by, self._answers_by = faces_by, answers_by
        self._items: Sequence[Item] = said.items
        self._at = 0
        self._waited: set[int] = set()
        self.goes_on = False
        """Whether the line's next item is what the fight waits for now."""
        self._line_end = said.items[-1].column if said.items else said.column

    @property
    def waits(self) -> bool:
        """Return whether the fight waited for any of it."""
        return any(one.wait for one in self._items)

    def again(self) -> None:
        """Begin from the first item again; the items that the fight has waited for are available now."""
        self._at, self.goes_on = 0, False
        self.faces = list(self._typed_faces)

    def throw(self, key: str, notation: Notation) -> Answer | None:
        """Return the next faces. Raises NotationError if they are none of these dice."""
        item, expected = self._next(), f"the faces of {notation} for {key}"
        if item is None and self.faces:
            many = count_dice(notation)
            thrown, self.faces = self.faces[:many], self.faces[many:]
            item = Item("faces", self.said.line, self.said.column, tuple(thrown))
            self._at -= 1
        if item is None or item.kind == "unknown":
            if self._dice is None:
                self._fail(item, f"{expected}; there are no dice to throw them")
            found = self._dice.throw(key, notation)
        elif item.kind == "open" or self._waits(item):
            return None
        elif item.kind == "moot":
            if self._at > MOST_MOOT:
                self._fail(item, "fewer moot throws")
            found = throw(notation, lambda sides, count: (sides,) * count), "imported"
        elif item.kind != "faces":
            self._fail(item, expected)
        else:
            try:
                found = rethrow(notation, item.faces), item.by or self.faces_by
            except ImpossibleFaces as error:
                raise NotationError(item.line, item.column, f"{expected}: {error}") from None
        self._at += 1
        return found

    def answer(self, fight: Fight, key: str, choice: Choice) -> tuple[str, str] | None:
        """Return the next answer. Raises NotationError if it is none to this question."""
        item = self._next()
        expected = f"one of {', '.join(choice.options[:20])} for {key}"
        if item is None or item.kind == "unknown":
            if self._answers is None:
                self._fail(item, f"{expected}; there is no one to answer")
            found = self._answers(fight, key, choice)
        elif item.kind == "open" or self._waits(item):
            return None
        elif item.kind == "moot":
            found = choice.options[0], "moot"
        elif item.kind != "answer" or item.answer not in choice.options:
            self._fail(item, expected)
        else:
            found = item.answer, self._answers_by if item.by is None else item.by
        self._at += 1
        return found

    def check_empty(self, why: str = "the rules ask for nothing more") -> None:
        """Raise NotationError, with the reason, if the rules asked for less than is on the line."""
        if self.faces:
            many = f"{counted(len(self.faces), 'die', 'dice')} too many: {', '.join(map(str, self.faces))}"
            raise UnclearSentence(self.said.line, self.said.column, many)
        if self._at < len(self._items) and self._items[self._at].kind != "open":
            item = self._items[self._at]
            raise NotationError(item.line, item.column, f"the end of the line: {why}")

    def _next(self) -> Item | None:
        return self._items[self._at] if self._at < len(self._items) else None

    def _waits(self, item: Item) -> bool:
        """Return whether the fight has to wait for an item, the first time it is asked for."""
        if not item.wait or self._at in self._waited:
            return False
        self._waited.add(self._at)
        self.goes_on = True
        return True

    def _fail(self, item: Item | None, expected: str) -> NoReturn:
        if item is None:
            raise NotationError(self.said.line, self._line_end, expected, "nothing more on the line")
        found = {
            "faces": " ".join(map(str, item.faces)),
            "answer": f"={item.answer}",
            "unknown": "?",
            "moot": "-",
        }
        raise NotationError(item.line, item.column, expected, found.get(item.kind, item.kind))


# --- Acts and facts as words of the notation, and back

SheetNamed = Callable[[str], Sheet | None]
"""Returns the sheet of a name, None for an unknown one."""


@cache
def act_kinds() -> Mapping[str, type[Struct]]:
    """Return every kind of act by its word."""
    found = msgspec.inspect.type_info(AnyAct)
    kinds = found.types if isinstance(found, msgspec.inspect.UnionType) else (found,)
    return {str(one.tag): one.cls for one in kinds if isinstance(one, msgspec.inspect.StructType)}


@cache
def fact_kinds() -> Mapping[str, type[Struct]]:
    """Return every kind of fact by its type."""
    return {str(kind.__struct_config__.tag): kind for kind in FACTS}


@cache
def _field_names(kind: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in kind.__struct_encode_fields__ if name not in ("actor", "cites"))


def act_of(said: DeclarationStatement, sheet_named: SheetNamed) -> Any:
    """Return the act that a line declares. Raises NotationError."""
    if said.fault is not None:
        raise said.fault
    values = _values(said, act_kinds(), "an act")
    kind = act_kinds()[said.word]
    name = values.get("sheet")
    if said.word == "enter" and isinstance(name, str):
        sheet = sheet_named(name)
        if sheet is None:
            raise NotationError(said.line, _column(said, kind, "sheet"), "the name of a sheet", name)
        values["sheet"] = sheet
    values["actor"] = said.actor
    return _made(said, kind, values, "act")


def fact_of_words(said: DeclarationStatement) -> object:
    """Return the fact written on a line. Raises NotationError."""
    kinds = fact_kinds()
    values = _values(said, kinds, "the type of an event")
    kind = kinds[said.word]
    if said.word in ("declared", "encounter.opened"):
        raise NotationError(
            said.line, said.column, "an event that no other line of the notation makes", said.word
        )
    if "cites" in kind.__struct_encode_fields__:
        values.setdefault("cites", [])
    return _made(said, kind, values, "type")


def _values(
    said: DeclarationStatement, kinds: Mapping[str, type[Struct]], expected: str
) -> dict[str, object]:
    kind = kinds.get(said.word)
    if kind is None:
        meant = did_you_mean(said.word, kinds)
        raise NotationError(said.line, said.column, expected, f"{said.word}{meant}")
    names = _field_names(kind)
    if len(said.places) > len(names):
        column = said.columns[f"#{len(names)}"]
        raise NotationError(said.line, column, f"at most {len(names)} fields of {said.word!r}")
    values = dict(zip(names, said.places, strict=False))
    for name, value in said.fields.items():
        if name not in kind.__struct_encode_fields__ or name == "actor":
            meant = did_you_mean(name, names)
            raise NotationError(said.line, said.columns[name], f"a field of {said.word!r}", f"{name}{meant}")
        if name in values:
            raise NotationError(said.line, said.columns[name], "each field once", name)
        values[name] = value
    return values


def _column(said: DeclarationStatement, kind: type[Struct], name: str) -> int:
    if name in said.columns:
        return said.columns[name]
    names = _field_names(kind)
    return said.columns.get(f"#{names.index(name)}", said.column) if name in names else said.column


def _made(said: DeclarationStatement, kind: type[Struct], values: JsonObject, tag: str) -> object:
    values[tag] = said.word
    try:
        return msgspec.convert(values, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        name = field_of(error)
        if is_one_square(error, values.get(name)):
            return _made(said, kind, values | {name: [values[name]]}, tag)
        expected, found = expected_by(error, values, kind, repr(said.word))
        raise NotationError(said.line, _column(said, kind, name), expected, found) from None


def trimmed(value: object) -> Any:
    """Return a struct as plain data without fields at their defaults, and nested structs likewise."""
    if isinstance(value, Struct):
        made: JsonObject = {}
        config = value.__struct_config__
        if config.tag is not None:
            made[config.tag_field or "type"] = config.tag
        kind = type(value)
        defaults = _defaults(kind)
        for name, key in zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True):
            one = getattr(value, name)
            if one is UNSET or (key in defaults and _is_default(one, defaults[key], config.omit_defaults)):
                continue
            made[key] = trimmed(one)
        return made
    if isinstance(value, dict):
        return {str(name): trimmed(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [trimmed(one) for one in value]
    return value


def _is_default(value: object, default: object, omitted: bool) -> bool:
    """Return whether a value need not be written: without it the encoded bytes are the same.

    If defaults are omitted, a struct that only equals the default is encoded nevertheless.
    """
    if omitted and isinstance(value, Struct):
        return value is default
    return type(value) is type(default) and bool(value == default)


@cache
def _defaults(kind: type[Struct]) -> Mapping[str, object]:
    found = {}
    for one in msgspec.structs.fields(kind):
        if one.default is not NODEFAULT:
            found[one.encode_name] = one.default
        elif one.default_factory is not NODEFAULT:
            found[one.encode_name] = one.default_factory()
    return found


def words_of(value: Struct, changed: Mapping[str, object] | None = None) -> str:
    """Return an act or a fact in words: its fields without a name as far as they are consecutive.

    `changed` has plain data in place of some fields.
    """
    plain = trimmed(value) | dict(changed or {})
    kind = type(value)
    word = str(kind.__struct_config__.tag)
    plain.pop(kind.__struct_config__.tag_field or "type", None)
    plain.pop("actor", None)
    if plain.get("cites") == []:
        del plain["cites"]
    told = [word]
    for name in _field_names(kind):
        # A map or a list is clearer with its name, and null or a flag says nothing without.
        if name not in plain or isinstance(plain[name], dict | bool | None):
            break
        told.append(written(plain.pop(name)))
    told += [f"{name}={written(one)}" for name, one in plain.items()]
    return " ".join(told)
