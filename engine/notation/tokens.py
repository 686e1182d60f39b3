"""The words of one line of the notation, each with its column, and the values that they make."""

import json
import re
from typing import Any, NoReturn

from affray.engine.notation.errors import NotationError

DEEPEST = 20
"""Values stand within each other at most so deep."""

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
"""What needs no quotes."""
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
        """Read once more from the token that begins behind so many characters."""
        self.stop = start
        self.advance()

    @property
    def column(self) -> int:
        """The column of the token, from 1."""
        return self.start + 1

    @property
    def comment(self) -> str:
        """The comment at the end of the line, "" without one."""
        return self.value if self.kind == "end" else ""

    def fail(self, expected: str) -> NoReturn:
        """Raise NotationError at this token."""
        found = "the end of the line" if self.kind == "end" else self.value
        raise NotationError(self.line, self.column, expected, found)

    def sign(self, sign: str) -> bool:
        """Step over a sign if it stands here."""
        if self.kind == "sign" and self.value == sign:
            self.advance()
            return True
        return False

    def want(self, sign: str, expected: str = "") -> None:
        """Step over a sign that must stand here."""
        if not self.sign(sign):
            self.fail(expected or f"{sign!r}")

    def end(self) -> None:
        """Raise NotationError unless the line ends here, but for a comment."""
        if self.kind != "end":
            self.fail("the end of the line")

    def name(self, expected: str) -> str:
        """Return a word or a quoted text that must stand here, and step over it."""
        if self.kind == "word":
            value = self.value
        elif self.kind == "text":
            value = self._quoted()
        else:
            self.fail(expected)
        self.advance()
        return value

    def count(self, expected: str) -> int:
        """Return a number that must stand here, and step over it."""
        if self.kind != "number":
            self.fail(expected)
        value = int(self.value)
        self.advance()
        return value

    def value_here(self, expected: str = "a value", deep: int = 0) -> Any:
        """Return the value that must stand here, as plain data, and step over it."""
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
            fields: dict[str, Any] = {}
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


def written(value: Any) -> str:
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


def _is_square(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(type(one) is int and abs(one) < 10**9 for one in value)
    )
