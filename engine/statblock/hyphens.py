"""Words that a page has cut at a hyphen: "Multi-" at the end of a line, "attack" at the head of the next."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from affray.engine.dialects import load
from affray.engine.statblock.arms_table import arms

#: The dialects whose names of feats, traits and the like tell a word from two halves of a compound.
DIALECTS: Final = ("srd35", "pf1", "futurepath", "woa")
#: Words of printed blocks that name nothing on a sheet.
PRINTED: Final = (
    "alignment armor attack attacks base challenge charisma combat constitution damage deflection dexterity "
    "flat-footed fortitude grapple healing humanoid initiative intelligence medium melee "
    "monstrous natural organization perception plus qualities ranged reflex resistance size special strength "
    "touch treasure weapon wisdom"
)
#: More letters than any word has.
LONGEST_WORD: Final = 40
_CUT = re.compile(r"(?<![\w-])([A-Za-z][A-Za-z-]*)-$")
_REST = re.compile(r"[a-z]+")
_WORD = re.compile(r"[a-z][a-z-]*")


@cache
def words() -> frozenset[str]:
    """Return the words that printed blocks are made of, compounds with their hyphens."""
    texts = [PRINTED]
    for name in DIALECTS:
        known = load(name).classes.sheet_names
        texts += [*known.feats, *known.traits, *known.weapon_traits, *known.skills, *known.classes]
    texts += [name for named in arms().values() for name in named]
    return frozenset(word for text in texts for word in _WORD.findall(text))


def unhyphenated(lines: Iterable[tuple[int, str]]) -> tuple[list[tuple[int, str]], dict[int, int]]:
    """Return the lines, those joined between which a known word was cut, with the length of their last parts.

    A compound keeps its hyphen; of what nobody knows the lines stay apart. Linear.
    """
    found: list[tuple[int, str]] = []
    ends: dict[int, int] = {}
    for number, line in lines:
        cut = _CUT.search(found[-1][1][-LONGEST_WORD:]) if found else None
        rest = _REST.match(line)
        if cut is not None and rest is not None:
            whole, compound = f"{cut[1]}{rest[0]}".lower(), f"{cut[1]}-{rest[0]}".lower()
            if whole in words() or compound in words():
                first, before = found[-1]
                found[-1] = (first, f"{before[:-1] if whole in words() else before}{line}")
                ends[first] = len(line)
                continue
        found.append((number, line))
    return found, ends
