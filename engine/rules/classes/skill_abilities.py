"""The skills of d20 games, and the ability behind each for a combatant that has only that."""

from typing import Final

#: Fields of knowledge, each a skill of its own.
KNOWLEDGE: Final = (
    "arcana",
    "architecture and engineering",
    "dungeoneering",
    "geography",
    "history",
    "local",
    "nature",
    "nobility and royalty",
    "religion",
    "the planes",
)

SKILLS: Final = {
    **dict.fromkeys(("climb", "jump", "swim"), "str"),
    **dict.fromkeys(("balance", "escape artist", "hide", "move silently", "open lock"), "dex"),
    **dict.fromkeys(("ride", "sleight of hand", "tumble", "use rope"), "dex"),
    "concentration": "con",
    **dict.fromkeys(("appraise", "craft", "decipher script", "disable device", "forgery"), "int"),
    **dict.fromkeys(
        ("knowledge", *(f"knowledge ({one})" for one in KNOWLEDGE), "search", "spellcraft"), "int"
    ),
    **dict.fromkeys(("heal", "listen", "profession", "sense motive", "spot", "survival"), "wis"),
    **dict.fromkeys(("bluff", "diplomacy", "disguise", "gather information", "handle animal"), "cha"),
    **dict.fromkeys(("intimidate", "perform", "use magic device"), "cha"),
}
