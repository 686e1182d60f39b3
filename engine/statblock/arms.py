"""The weapons known by name, and what of them a printed attack leaves unsaid."""

from typing import Any, Final

from affray.engine.statblock.arms_table import arms
from affray.engine.statblock.creature import singular

#: Words in a weapon's name that say what it bypasses.
QUALITIES: Final = {
    "holy": "good",
    "unholy": "evil",
    "axiomatic": "lawful",
    "anarchic": "chaotic",
    "adamantine": "adamantine",
    "silver": "silver",
    "silvered": "silver",
    "cold iron": "cold iron",
    "mithral": "silver",
}
#: Words in a name that no part of a body bears: an unknown weapon of such a name is held in hand.
MADE: Final = frozenset(
    {
        *("axe", "blade", "bow", "club", "cudgel", "cutlass", "dagger", "flail", "glaive", "gun", "hammer"),
        *(
            "katana",
            "knife",
            "lance",
            "machete",
            "mace",
            "maul",
            "pick",
            "pistol",
            "pole",
            "polearm",
            "rifle",
        ),
        *("saber", "sabre", "shears", "shield", "spear", "staff", "stave", "sword", "weapon", "whip"),
    }
)
#: Increment in feet for a ranged attack of unknown kind: the books print none in the attack line.
ASSUMED_RANGE: Final = 60


def look_up(
    name: str, mode: str, made: bool = False, several: bool = False
) -> tuple[str, str, dict[str, Any]]:
    """Return (base name, "weapon" or "natural" or "", fields of a Weapon) for a printed name.

    The base name is the longest known end of the name: "longsword" of "frost longsword", "mace" of "mace of
    ruin", the whip of "contract (whip)". An unknown weapon is one-handed if it was `made` by its print or its
    name (but for `several` of one name, more than two hands hold), else natural in melee and a projectile of
    ASSUMED_RANGE feet otherwise.
    """
    words = name.partition(" of ")[0].replace("(", "").replace(")", "").split(" ")
    for start in range(max(0, len(words) - 6), len(words)):
        tail = " ".join(words[start:])
        for candidate in (tail, singular(tail)):
            for family in ("weapon", "natural"):
                found = arms()[family].get(candidate)
                if found is not None and not (family == "natural" and mode == "ranged"):
                    fields: dict[str, Any] = {"wield": "natural" if family == "natural" else "one-handed"}
                    fields |= found
                    fields["traits"] = tuple(found.get("traits", ()))
                    return candidate, family, fields
    if mode == "ranged":
        return (
            singular(name),
            "",
            {"wield": "projectile", "damage_type": "piercing", "range": ASSUMED_RANGE, "traits": ()},
        )
    if made or not (several or MADE.isdisjoint(words)):
        return singular(name), "", {"wield": "one-handed", "traits": ()}
    return singular(name), "", {"wield": "natural", "damage_type": "bludgeoning", "traits": ()}


def qualities(name: str) -> tuple[str, ...]:
    """Return what a weapon of this name bypasses beside its damage types."""
    padded = f" {name} ".replace("-", " ")
    return tuple(dict.fromkeys(kind for word, kind in QUALITIES.items() if f" {word} " in padded))
