"""What pf1 reads of the names on a sheet, besides those of its features."""

from affray.engine.record.sheet_names import SheetNames

SHEET_NAMES = SheetNames(
    feats=frozenset(
        {
            "combat casting",
            "combat reflexes",
            "far shot",
            "improved precise shot",
            "improved unarmed strike",
            "precise shot",
            "quick draw",
            "run",
            "weapon finesse",
            "weapon focus (*)",
            "weapon specialization (*)",
        }
    ),
    traits=frozenset({"see invisibility", "stable", "trained tumbler", "uncanny dodge"}),
    weapon_traits=frozenset(
        {
            "armed",
            "brace",
            "finesse",
            "incorporeal",
            "lethal",
            "near-and-far",
            "no melee use",
            "no-threat",
            "nonlethal",
            "slow-load",
            "touch",
        }
    ),
    unread={
        "Sheet": (
            "legs",
            "spell_resistance",
            "bare",
            "speed_bonuses",
            "maneuver",
            "check_penalties",
            "good_saves",
            "spell_failure",
        ),
        "Weapon": (
            "material",
            "masterwork",
            "load",
            "ounces",
            "second_multiplier",
        ),
        "Worn": (
            "weight",
            "check",
            "failure",
            "enhancement",
            "masterwork",
            "material",
            "ounces",
        ),
        "Spell": (
            "resistance",
            "school",
            "caster_level",
            "arcane",
            "spontaneous",
            "metamagic",
            "delivery",
            "dispels",
            "works",
        ),
    },
)
