"""The grammar on the page of the notation is that of the notation: lines that are written by it are read."""

import re
from pathlib import Path
from random import Random

import pytest

from affray.engine.notation import statements as notation_statements
from affray.engine.notation.statements import statements
from affray.engine.notation.tokens import NotationError

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
MANY = 100
KINDS = {
    "tag": notation_statements.Tag,
    "row": notation_statements.Row,
    "said": notation_statements.DeclarationStatement,
    "beside": notation_statements.FactStatement,
    "marker": notation_statements.Marker,
    "begins": notation_statements.Variation,
    "ends": notation_statements.Back,
    "end": notation_statements.End,
    "packed": notation_statements.Packed,
}
IN_WORDS = {
    "letter": ("abcxyzäß日", 1),
    "digit": ("0123456789", 1),
    "character": ("aZ é#;=(", 1),
    "any character": ("aZ é#;=(", 1),
    "hexadecimal": ("0123456789abcdef", 64),
    "newline": ("\n", 1),
}
"""What the page says in words: the signs of each, and how many there are."""
TIGHT = {"word", "number", "quoted", "path", "square", "row", "digest"}
"""What has no blanks inside."""


def rules() -> dict[str, list[str]]:
    """Return the tokens of each rule of the page."""
    block = PAGE.partition("\n## Grammar\n")[2].partition("\nA `letter`")[0]
    told = re.findall(r"^    (\w+) +=(.*) ;$", block, re.MULTILINE)
    token = re.compile(r"""[a-z]+(?: [a-z]+)*|"[^"]+"|'[^']+'|[][(){}|]""")
    return {name: token.findall(body) for name, body in told}


class Writer:
    """Writes what a rule allows, at random."""

    def __init__(self, random: Random) -> None:
        self.random, self.rules, self.deep = random, rules(), 0

    def write(self, name: str) -> str:
        """Return a text of a rule, or of what the page says of it in words."""
        if name in IN_WORDS:
            signs, many = IN_WORDS[name]
            return "".join(self.random.choice(signs) for _ in range(many))
        self.deep += 1
        parts = self._either(list(self.rules[name]), name)
        self.deep -= 1
        return ("" if name in TIGHT else " ").join(parts)

    def _either(self, tokens: list[str], name: str) -> list[str]:
        """Return what one of several alternatives comes to."""
        found, level = [[]], 0
        for token in tokens:
            level += (token in "[({") - (token in "])}")
            if token == "|" and not level:
                found.append([])
            else:
                found[-1].append(token)
        shallow = found[:3] if name == "value" and self.deep > 9 else found
        return self._all(self.random.choice(shallow), name)

    def _all(self, tokens: list[str], name: str) -> list[str]:
        made: list[str] = []
        while tokens:
            token = tokens.pop(0)
            if token not in "[({":
                made += [token[1:-1]] if token[0] in "\"'" else [self.write(token)]
                continue
            inner, level = [], 1
            while level:
                inner.append(tokens.pop(0))
                level += (inner[-1] in "[({") - (inner[-1] in "])}")
            times = {"(": 1, "[": self.random.randint(0, 1), "{": self.random.randint(0, 3)}[token]
            times = min(times, 2) if name == "number" else times
            for _ in range(times):
                made += self._either(inner[:-1], name)
        return made


@pytest.mark.parametrize("seed", range(MANY // len(KINDS) + 1))
@pytest.mark.parametrize("kind", KINDS)
def test_what_the_grammar_allows_is_read(kind: str, seed: int) -> None:
    """Each kind of line, written at random by its rule, is read as that kind."""
    writer = Writer(Random(f"{kind} {seed}"))
    line = writer.write(kind)
    (found,) = statements(line)
    assert type(found) is KINDS[kind], line


def test_every_kind_of_line_and_value_has_a_rule() -> None:
    """No rule names one that the page does not say, and each kind of line is among those of a text."""
    said = rules()
    named = {token for body in said.values() for token in body if token[0].isalpha()}
    assert named - said.keys() == IN_WORDS.keys()
    assert set(KINDS) <= set(said["line"])


@pytest.mark.parametrize("line", ["ogre: attack; =[a b]", "ogre: move 1,2>3,4>", '= 3 "abc"', "[name [a}]"])
def test_what_it_does_not_allow_is_not_read(line: str) -> None:
    """An answer is no list, a path ends once, a digest is whole, and brackets fit."""
    with pytest.raises(NotationError):
        list(statements(line))
