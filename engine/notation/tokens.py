"""The words of one line of the notation, each with its column, and the values that they make."""

import json
import re
from collections.abc import Mapping
from typing import NoReturn

from affray.events.errors import AffrayError, counted
from affray.events.facts.base import JsonObject
from affray.events.validation import invalid_value_message, meant

# --- What is wrong with a text of the notation, and where

LONGEST_FOUND = 60


class NotationError(AffrayError):
    """A text of the notation that cannot be read: line, column (both from 1), and the expected text there."""

    def __init__(self, line: int, column: int, expected: str, found: str = "", file: str = "") -> None:
        where = f"{file}: " if file else ""
        shown = found if len(found) <= LONGEST_FOUND else f"{found[: LONGEST_FOUND - 3]}..."
        but = f", found {shown}" if shown else ""
        super().__init__(f"{where}line {line}, column {column}: expected {expected}{but}")
        self.line, self.column, self.expected, self.found = line, column, expected, found

    def in_file(self, file: str) -> "NotationError":
        """Return the same error with the name of the file before it."""
        return NotationError(self.line, self.column, self.expected, self.found, file)


class UnclearSentence(NotationError):
    """A line that is no sentence of the short language either; the reason is that of the language."""

    def __init__(self, line: int, column: int, reason: str, file: str = "") -> None:
        where = f"{file}: " if file else ""
        AffrayError.__init__(self, f"{where}line {line}, column {column}: {reason}")
        self.line, self.column, self.expected, self.found = line, column, reason, ""

    def in_file(self, file: str) -> "UnclearSentence":
        """Return the same error with the name of the file before it."""
        return UnclearSentence(self.line, self.column, self.expected, file)


DEEPEST = 20
"""The deepest nesting of values."""

_SQUARE = r"-?[0-9]{1,9},-?[0-9]{1,9}"
_TOKEN = re.compile(
    rf"""[ \t]*(?:
    (?P<text>"(?:[^"\\\x00-\x1f]|\\.)*")
  | (?P<path>{_SQUARE}(?:>{_SQUARE})+|{_SQUARE}>?)
  | (?P<number>-?[0-9]{{1,18}})(?![\w.])
  | (?P<word>[^\W\d][\w.'/+-]*)
  | (?P<sign>[\[\]{{}}():;=?@*+-])
  | (?P<end>\#.*|$)
  )""",
    re.VERBOSE,
)
WORD = re.compile(r"[^\W\d][\w.'/+-]*")
"""A text that needs no quotes."""
CONSTANTS = {"true": True, "false": False, "null": None}


class Tokens:
    """The tokens of one line, read from the left."""

    def __init__(self, text: str, line: int, column: int = 0) -> None:
        self.text, self.line, self.at = text, line, column
        self.kind = self.value = ""
        self.start = self.stop = column
        self.advance()

    def advance(self) -> None:
        """Go on to the next token. Raises NotationError where there is none."""
        found = _TOKEN.match(self.text, self.stop)
        if found is None:
            at = self.stop
            while at < len(self.text) and self.text[at] in " \t":
                at += 1
            self.start = at
            raise NotationError(
                self.line, at + 1, "a word, a number, a quoted text or a sign", self.text[at:]
            )
        self.kind = found.lastgroup or "end"
        self.start, self.stop = found.start(self.kind), found.end()
        self.value = found[self.kind]

    def back_to(self, start: int) -> None:
        """Read again from the token that begins behind `start` characters."""
        self.stop = start
        self.advance()

    @property
    def column(self) -> int:
        """Return the column of the token, from 1."""
        return self.start + 1

    @property
    def comment(self) -> str:
        """Return the comment at the end of the line, "" without one."""
        return self.value if self.kind == "end" else ""

    def fail(self, expected: str) -> NoReturn:
        """Raise NotationError at this token."""
        found = "the end of the line" if self.kind == "end" else self.value
        raise NotationError(self.line, self.column, expected, found)

    def sign(self, sign: str) -> bool:
        """Step over a sign if it is the current token."""
        if self.kind == "sign" and self.value == sign:
            self.advance()
            return True
        return False

    def want(self, sign: str, expected: str = "") -> None:
        """Step over a required sign."""
        if not self.sign(sign):
            self.fail(expected or f"{sign!r}")

    def end(self) -> None:
        """Raise NotationError unless the line ends here, a comment aside."""
        if self.kind != "end":
            self.fail("the end of the line")

    def name(self, expected: str) -> str:
        """Return a required word or quoted text, and step over it."""
        if self.kind == "word":
            value = self.value
        elif self.kind == "text":
            value = self._quoted()
        else:
            self.fail(expected)
        self.advance()
        return value

    def count(self, expected: str) -> int:
        """Return a required number, and step over it."""
        if self.kind != "number":
            self.fail(expected)
        value = int(self.value)
        self.advance()
        return value

    def value_here(self, expected: str = "a value", deep: int = 0) -> object:
        """Return a required value, as plain data, and step over it."""
        kind, text = self.kind, self.value
        if kind == "word":
            self.advance()
            return CONSTANTS.get(text, text)
        if kind == "number":
            self.advance()
            return int(text)
        if kind == "text":
            found = self._quoted()
            self.advance()
            return found
        if kind == "path":
            self.advance()
            squares = [[int(one) for one in square.split(",")] for square in text.split(">") if square]
            return squares if ">" in text else squares[0]
        if deep >= DEEPEST:
            self.fail(f"values within each other at most {DEEPEST} deep")
        if self.sign("["):
            made = []
            while not self.sign("]"):
                made.append(self.value_here("a value or ']'", deep + 1))
            return made
        if self.sign("{"):
            fields: JsonObject = {}
            while not self.sign("}"):
                column = self.column
                name = self.name("a name or '}'")
                if name in fields:
                    raise NotationError(self.line, column, "each name once", name)
                self.want(":")
                fields[name] = self.value_here(deep=deep + 1)
            return fields
        self.fail(expected)

    def _quoted(self) -> str:
        try:
            found: str = json.loads(self.value)
            found.encode()
        except ValueError:
            self.fail("a quoted text as JSON has it")
        return found


def written(value: object) -> str:
    """Return plain data as a value of the notation: what `value_here` reads back."""
    if isinstance(value, str):
        plain = WORD.fullmatch(value) and value not in CONSTANTS
        return value if plain else quoted(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list | tuple):
        if _is_square(value):
            return f"{value[0]},{value[1]}"
        if value and all(map(_is_square, value)):
            squares = ">".join(f"{x},{y}" for x, y in value)
            return squares if len(value) > 1 else f"{squares}>"
        return f"[{' '.join(map(written, value))}]"
    if isinstance(value, dict):
        return "{" + " ".join(f"{written(str(name))}:{written(one)}" for name, one in value.items()) + "}"
    return str(value)


def quoted(text: str) -> str:
    """Return a text in quotes, on one line."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _is_square(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(type(one) is int and abs(one) < 10**9 for one in value)
    )


# --- What was expected of a value that does not fit its field, in the words of the notation

_KINDS = {
    "int": "a whole number",
    "str": "a word or a text in quotes",
    "array": "a list",
    "object": "a map",
    "bool": "true or false",
}
_WRONG = re.compile(r"Expected `(?P<kinds>[^`]+)`, got `\w+`(?: - at `\$\.(?P<name>\w+)(?P<within>.*)`)?")
_MISSING = re.compile(r"Object missing required field `(?P<name>[^`]+)`(?: - at `\$\.(?P<name_of>\w+).*`)?")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`(?: - at `\$\.(?P<name_of>\w+).*`)?")
_NO_WORD = re.compile(
    r"Invalid (?:enum )?value '?(?P<word>[^']*?)'?(?: - at `\$(?:\.(?P<name>\w+))?(?P<within>.*)`)?"
)
_LENGTH = re.compile(r"Expected `array` of length (?P<many>\d+).*?(?: - at `\$\.(?P<name>\w+).*`)?")
_FIELD = re.compile(r"`\$\.(?P<name>\w+)")


def field_of(error: Exception) -> str:
    """Return the name of the field that does not fit, "" if it is none of them."""
    found = _FIELD.search(str(error))
    return found["name"] if found else ""


def expected_by(error: Exception, values: Mapping[str, object], kind: type, of: str) -> tuple[str, str]:
    """Return the expected form of the fields `values` of `of`, and the text found there, "" if unknown."""
    if isinstance(error, RecursionError):
        return f"values less deep within each other in {of}", ""
    if found := _WRONG.fullmatch(str(error)):
        kinds = " or ".join(_KINDS.get(one, one) for one in found["kinds"].split(" | "))
        name = found["name"]
        if name is None:
            return f"{kinds} for {of}", ""
        return f"{kinds} {'within' if found['within'] else 'for'} {name!r} of {of}", written(values.get(name))
    if found := _MISSING.fullmatch(str(error)):
        within = f"{found['name_of']!r} of " if found["name_of"] else ""
        return f"the field {found['name']!r} of {within}{of}", ""
    if found := _UNKNOWN.fullmatch(str(error)):
        where = f"{found['name_of']!r} of {of}" if found["name_of"] else of
        return f"a field of {where}", f"{found['name']}{meant(error, kind, values)}"
    if found := _NO_WORD.fullmatch(str(error)):
        where = f"{found['name']!r} of {of}" if found["name"] else of
        return f"a known word for {where}", f"{found['word']}{meant(error, kind, values)}"
    if found := _LENGTH.fullmatch(str(error)):
        where = f"{found['name']!r} of {of}" if found["name"] else of
        return f"{counted(int(found['many']), 'value')} for {where}", written(values.get(found["name"] or ""))
    reason = invalid_value_message(error, values)
    return f"what {of} takes{f': {reason}' if '`' not in reason else ''}", ""


def is_one_square(error: Exception, value: object) -> bool:
    """Return whether a list of squares is expected, and there is a single square."""
    return (
        str(error).startswith("Expected `array`, got `int` - at `$.")
        and str(error).endswith("[0]`")
        and isinstance(value, list)
        and len(value) == 2
        and all(type(one) is int for one in value)
    )
