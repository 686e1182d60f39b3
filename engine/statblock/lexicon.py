"""The words that printed blocks are made of."""

import re
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
