"""The lines of the notation read: tags, the map, declarations with dice and answers, and all else.

The grammar is a page of the docs (docs/notation.md).
"""

import re
from collections.abc import Iterator
from typing import Any

from affray.engine.notation.errors import NotationError
from affray.engine.notation.lines import (
    Back,
    Beside,
    Comment,
    End,
    Item,
    Marker,
    Packed,
    Row,
    Said,
    Statement,
    Tag,
    Variation,
    Verdict,
)
from affray.engine.notation.tokens import Tokens, written

MAGIC = "affray notation"
VERSION = 1
LONGEST_LINE = 10_000_000
"""As the longest line of JSON Lines: whatever a log holds has room."""
_ROWS = re.compile(r"([0-9]{1,4})\|")
"""What a row begins with that stands so often in succession."""


def statements(text: str, first: int = 1) -> Iterator[Statement]:
    """Yield what the lines of a text say, in order; `first` is the number of the first. Raises NotationError.

    O(characters): each is looked at about once.
    """
    for number, line in enumerate(text.split("\n"), first):
        line = line.removesuffix("\r")
        if len(line) > LONGEST_LINE:
            raise NotationError(number, LONGEST_LINE, "a line of at most ten million characters")
        bare = line.lstrip(" \t")
        if bare:
            yield statement(line, number, len(line) - len(bare))


def statement(line: str, number: int, start: int = 0) -> Statement:
    """Return what one line says that is not blank; its words begin behind `start` characters."""
    sign, column = line[start], start + 1
    if sign == "#":
        return Comment(number, column, line[start:])
    if sign == "|":
        return Row(number, column, line[start + 1 :])
    if found := _ROWS.match(line, start):
        return Row(number, column, line[found.end() :], int(found[1]))
    if sign == "%":
        return Packed(number, column, line[start + 1 :].strip(" \t"))
    tokens = Tokens(line, number, start)
    made = _BY_SIGN.get(sign, _said)(tokens)
    if not isinstance(made, Beside):
        made.comment = tokens.comment
    return made


def _back(tokens: Tokens) -> Back:
    made = Back(tokens.line, tokens.column)
    tokens.advance()
    tokens.end()
    return made


def _beside(tokens: Tokens) -> Beside:
    line, column, follows = tokens.line, tokens.column, tokens.value == "+"
    tokens.advance()
    said = Said(line, tokens.column)
    _words(tokens, said, "the type of an event")
    tokens.end()
    said.comment = tokens.comment
    return Beside(line, column, follows, said)


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


def _said(tokens: Tokens) -> Said:
    made = Said(tokens.line, tokens.column)
    made.columns["@"] = tokens.column
    if tokens.sign("@"):
        made.id = tokens.name("the id of the declaration")
    start = tokens.start
    who = tokens.name("a declaration: an actor or an act")
    if tokens.kind == "sign" and tokens.value in "(:":
        made.actor = who
        if tokens.sign("("):
            made.by = tokens.name("by whom it was declared")
            tokens.want(")")
        tokens.want(":")
    else:
        tokens.back_to(start)
    _words(tokens, made, "an act")
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


def _words(tokens: Tokens, made: Said, expected: str) -> None:
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
            raise NotationError(made.line, column, "a field with its name: those without stand first")
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


def _as_answer(value: Any, line: int, column: int) -> str:
    """Return an answer as a text: a number or a square needs no quotes."""
    if isinstance(value, str):
        return value
    plain = written(value)
    if isinstance(value, dict | list) and (plain[0] in "[{" or ">" in plain):
        raise NotationError(line, column, "an answer in quotes", plain)
    return plain


_BY_SIGN = {"[": _tag, "=": _marker, "(": _variation, ")": _back, "*": _beside, "+": _beside}
