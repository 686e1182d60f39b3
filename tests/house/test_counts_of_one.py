"""A count that may be one has its word in the singular then: "1d8 takes 1 face", not "1 faces".

Two nets: the source of every sentence (`counted` of events/errors.py says the count and its word), and the
sentences of all scenarios that are played (tests/scenarios).
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from affray.events.errors import counted

ROOT = Path(__file__).parents[2]
PARTS = ("engine", "events", "projections", "replay")
#: What sentences count; "attacks", "steps", "orders" and their like are verbs behind the name of somebody.
NOUNS = (
    "actions advantages arrows attacks attempts blows branches bullets bytes characters charges "
    "combatants components conditions copies creatures days declarations degrees dice differences doses "
    "effects events exceptions faces faults feet figures files flasks friends hands hours legs letters "
    "levels lines links minutes missiles opponents parts people players points rays rolls rounds rules "
    "rulings seals seconds sentences shots sides signatures sizes squares stages steps targets things "
    "throws times turns values weapons "
)
WORD = re.compile(r" (?:[a-z]+ ){0,2}?([a-z]+)\b")
#: Expressions that are no counts but names, and those whose value cannot be one, each with the reason.
NO_COUNT = re.compile(
    r"(?:\w+\.)*(?:who|id|name|actor|target|attacker|mover|rider|author|stream)|_who\(.*|(?:cast|tale)\.name\(.*"
)
NEVER_ONE = {
    "bounds, of tens and more": """HEAD_BYTES LARGEST_TABLE LONGEST LONGEST_HOURS LONGEST_NAME LONGEST_VALUE
        MAX_BYTES MAX_DICE limits.body_bytes
        MAX_LINE MAX_SIDE MAX_TEXT
        MOST_ATTACKS MOST_COMBATANTS MOST_EFFECTS MOST_LEVELS MOST_POINTS MOST_SIGNERS SALT_BYTES SECONDS
        blake2b.MAX_KEY_SIZE""",
    "beyond such a bound": """len(line) len(item) len(text) len(e.data) len(branches) branches
        len(ruling.effects) len(effect) sides""",
    "more than two, or nothing is said": "target.sheet.legs combatant.sheet.legs",
    "multiples of 45 degrees": "angle turn steepest fight.figure(FEATS, 'wingover_degrees')",
    "a kind, not a count": "fact.kind lacking[0] size",
    "two sizes and more": "steps",
    "less than 1, which is refused": "level",
    "4, 2 and 20 by the text": "dear each times",
    "2 in the text, 10 of patience": "seconds",
    "several, or another sentence": "len(targets) len(keys) len(found) len(point.stages) len(report.lines)",
    "hundreds in each dialect": "len(book)",
    "squares and bonuses have two and more": "len(type.item_types)",
}
REVIEWED = frozenset(one for many in NEVER_ONE.values() for one in re.split(r"\s+(?![^(]*\))", many))


def counts() -> Iterator[tuple[str, str, str]]:
    """Yield place, expression and word of what sentences in the source count."""
    for file in (one for part in PARTS for one in sorted((ROOT / part).rglob("*.py"))):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for value, after in pairwise(node.values if isinstance(node, ast.JoinedStr) else ()):
                if not isinstance(value, ast.FormattedValue) or not isinstance(after, ast.Constant):
                    continue
                word = WORD.match(str(after.value))
                if word is not None and f" {word[1]} " in f" {NOUNS}":
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", ast.unparse(value.value), word[1]


def test_all_counts_are_said_with_their_words() -> None:
    """Every sentence in the source says a count together with its word, or counts what is never one."""
    bare = [
        f"{place}: {{{said}}} {word}"
        for place, said, word in counts()
        if not NO_COUNT.fullmatch(said) and said not in REVIEWED
    ]
    assert not bare, "\n".join(bare)


@pytest.mark.parametrize(("count", "said"), [(0, "0 faces"), (1, "1 face"), (2, "2 faces")])
def test_one_is_singular(count: int, said: str) -> None:
    """A count and its word agree."""
    assert counted(count, "face") == said
