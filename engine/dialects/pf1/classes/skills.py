"""The skills of pf1 and the ability behind each, for a combatant that has only that."""

from types import MappingProxyType
from typing import Final

from affray.engine.rules.classes.saves_and_checks import KNOWLEDGE

SKILLS: Final = MappingProxyType(
    {
        **dict.fromkeys(("climb", "swim"), "str"),
        **dict.fromkeys(("acrobatics", "disable device", "escape artist", "fly", "ride"), "dex"),
        **dict.fromkeys(("sleight of hand", "stealth"), "dex"),
        **dict.fromkeys(("appraise", "craft", "linguistics", "spellcraft"), "int"),
        **dict.fromkeys(("knowledge", *(f"knowledge ({one})" for one in KNOWLEDGE)), "int"),
        **dict.fromkeys(("heal", "perception", "profession", "sense motive", "survival"), "wis"),
        **dict.fromkeys(("bluff", "diplomacy", "disguise", "handle animal", "intimidate"), "cha"),
        **dict.fromkeys(("perform", "use magic device"), "cha"),
    }
)
