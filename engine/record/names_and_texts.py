"""Fields of text that hold no words of a vocabulary: names of what there is, free text, printed names.

They are told by the name of the field, or by that of its struct and the field where they differ: "Load.item".
"""

from collections.abc import Mapping
from typing import Final

BROUGHT: Final = "as it was in another fight, with the digest of all that is brought along"

NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("target", "friend", "opponent", "helper", "healer", "turn", "riding", "grapples", "strike"),
        "a combatant",
    ),
    **dict.fromkeys(("who", "after"), "a combatant"),
    **dict.fromkeys(("targets", "unaware", "stealthy"), "combatants"),
    "ambushes": "attacker, target and weapon of each",
    "by": "a condition and a combatant of each",
    "levels": "a condition that has a level, and its number, of each",
    "losses": "an ability, with or without 'drain', and the points of each",
    "used": "a weapon with ammunition, a spell or a supply of the day, and how much of each",
    "weapon": "a weapon of the sheet",
    **dict.fromkeys(("second", "also", "draw"), "a weapon of the sheet"),
    "Drop.also": "things in hand",
    "held": "weapons of the sheet",
    "unloaded": "weapons of the sheet that want loading",
    "means": "a natural weapon of the sheet",
    "item": "a thing in hand or on the sheet",
    "spell": "a spell of the sheet",
    "boost": "a spell of the sheet",
    "poison": "a poison of the sheet",
    "feat": "a feat of the sheet",
    "ability": "an ability of the sheet",
    "part": "a part of the body",
    "bleeding": "the severity of a wound: '1d6', '2'",
    "degree": "a degree of what one is exposed to",
    "row": "a row of the table of combat modifiers",
    "table": "a row of the rulebook's tables",
    "substance": "a row of the rulebook's tables",
    "items": "a thing and what has become of it, of each",
    "injuries": "injuries by the names of their table",
    "LastingEffect.against": "a combatant, or nobody any more",
    **dict.fromkeys(("Origin.log", "Origin.digest", "Origin.state"), "a digest"),
    **dict.fromkeys(("Carried.own_side", "LastingCondition.condition", "LastingCondition.source"), BROUGHT),
    **dict.fromkeys(("LastingAffliction.id", "LastingEffect.id", "LastingEffect.stat"), BROUGHT),
    **dict.fromkeys(("Modifier.kind", "Modifier.source", "Modifier.rule", "Modifier.denied"), BROUGHT),
    **dict.fromkeys(("Until.when", "Rider.effect", "Rider.secondary"), BROUGHT),
    "Aid.what": "a skill of the friend, or a condition that it has",
    "Hazard.skill": "a skill or ability",
    "Intent.what": "an action of that type",
    "TurnUndead.kind": "a kind of creature that the actor turns",
    "UseSkill.skill": "a skill of the sheet",
}
"""What a field names; a name that nobody and nothing bears is refused."""

THING: Final = "a thing, on a sheet or not"

TEXTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("Speak.words", "TurnUndead.words", "Close.reason", "Circumstance.why"), "free text"),
    "Opening.reason": "free text",
    "Fiat.text": "free text",
    **dict.fromkeys(("Charge.stunt", "Stunt.what", "Hazard.source", "Rest.interrupted"), "free text"),
    **dict.fromkeys(("Enter.id", "Enter.side", "Bonus.source", "ExtraDamage.source"), "free text"),
    **dict.fromkeys(("Sheet.name", "Weapon.name", "Worn.name", "Spell.name", "Rider.name"), "free text"),
    **dict.fromkeys(("Handle.item", "Disarm.item", "Sunder.item", "Pilfer.item", "Steal.item"), THING),
    **dict.fromkeys(("Strike.item", "Charge.item", "Grapple.weapon"), THING),
    "Origin.fight": "free text",
    "Hazard.injury": "'random', 'random hand', or an injury in free text",
}
"""Text that is told as it is given: names that are new here, and what nobody needs to know for a rule."""

REMARKED: Final = frozenset(
    {
        *("Sheet.feats", "Sheet.traits", "Sheet.save_bonuses", "Weapon.traits", "Worn.traits"),
        *("Sheet.classes", "Sheet.good_saves", "Sheet.skills", "Sheet.ranks", "Sheet.race"),
    }
)
"""Names of a printed sheet, of which a rule may read none."""

FOLLOWED: Final = frozenset({"Origin.branch", "Origin.id", "Origin.renewed", "Origin.together"})
"""Words about another log, which nobody can judge without that: `affray verify --with` does."""


def meaning_of_text(kind: str, field: str) -> str:
    """Return what a field of text means in a word or two, "" where it holds a vocabulary's words."""
    name = f"{kind}.{field}"
    if name in REMARKED:
        return "printed names"
    if name in FOLLOWED:
        return "of another log"
    return TEXTS.get(name) or NAMES.get(name) or NAMES.get(field, "")
