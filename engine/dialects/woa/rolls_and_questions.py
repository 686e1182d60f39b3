"""What is rolled and asked in woa, by the names that scenarios and answers use."""

ROLLS: dict[str, str] = {
    **dict.fromkeys(
        (
            "acrobatics",
            "athletics",
            "attack",
            "balance",
            "concentration",
            "confirm",
            "disarm",
            "dispel",
            "drag",
            "endurance",
            "escape",
            "escape artist",
            "feint",
            "grab",
            "grapple",
            "heal",
            "hinder",
            "initiative",
            "listen",
            "move-silently",
            "overrun",
            "pull",
            "push",
            "ride",
            "roll-off",
            "save-fort",
            "save-ref",
            "save-will",
            "search",
            "sleight of hand",
            "spellcraft",
            "spot",
            "squeeze",
            "stealth",
            "strength",
            "stunt",
            "sunder",
            "throw",
            "trip",
        ),
        "1d20",
    ),
    **dict.fromkeys(("astray",), "1d8"),
    **dict.fromkeys(
        ("bleeding", "collision", "damage", "extra-*", "fall", "hazard", "healing", "night", "spell"), ""
    ),
    **dict.fromkeys(("deafened", "garbled", "ground", "stay-mounted", "wrong-target"), "1d100"),
    **dict.fromkeys(("guess",), "1d3"),
    **dict.fromkeys(("injury",), "1d10"),
    **dict.fromkeys(("trample",), "2d6"),
}
"""Each roll with its dice, where they are always the same; "extra-*" is what a weapon adds, by its kind."""

QUESTIONS: dict[str, tuple[str, ...]] = {
    "adapt-blinded": (
        "not yet",
        "grown used to it",
    ),
    "adapt-deafened": (
        "not yet",
        "grown used to it",
    ),
    "aid-attack": (
        "decline",
        "aid",
    ),
    "aid-defense": (
        "decline",
        "aid",
    ),
    "astray": (
        "no",
        "yes",
    ),
    "avert": (
        "try",
        "decline",
    ),
    "breath": (
        "holds on",
        "loses it",
    ),
    "burns": (
        "goes out",
        "burns all the same",
    ),
    "called-penalty": (
        "the usual one",
        "half of it",
        "none",
    ),
    "casting-hand": (
        "yes",
        "no",
    ),
    "catastrophe": (
        "nauseated",
        "sickened",
    ),
    "catch": (
        "catch",
        "let fall",
    ),
    "circumstances": ("<number>",),
    "collision": (
        "nonlethal",
        "lethal",
    ),
    "cover": (
        "decline",
        "cover",
        "move aside",
        "waive Dexterity",
        "waive both",
        "none",
        "one-quarter",
        "one-half",
    ),
    "covering": (
        "1/2",
        "none",
    ),
    "crushed": (
        "dies",
        "by its hit points",
    ),
    "dampened": (
        "half",
        "as usual",
        "nothing",
    ),
    "dc": ("<number>",),
    "device": (
        "it works",
        "nothing happens",
    ),
    "devotion": (
        "allow",
        "refuse",
    ),
    "distracted": (
        "calm",
        "distracted",
    ),
    "done": (
        "done",
        "not yet",
    ),
    "draw": (
        "standard",
        "move",
        "free",
    ),
    "drop": (
        "keep",
        "drop",
    ),
    "drown": (
        "goes under",
        "floats",
    ),
    "duck": (
        "no",
        "yes",
    ),
    "effective": (
        "half damage",
        "full damage",
        "no damage",
    ),
    "escape-dc": ("<number>",),
    "evade": (
        "armor class",
        "acrobatics",
    ),
    "extended-watch": (
        "no check",
        "check",
    ),
    "feint": (
        "Acrobatics",
        "Bluff",
        "Intimidate",
    ),
    "follow": (
        "stay",
        "follow",
    ),
    "foothold": (
        "no",
        "yes",
    ),
    "free-limit": (
        "allow",
        "refuse",
    ),
    "guard": (
        "base attack",
        "Strength",
    ),
    "guess": (
        "at random",
        "<square>",
    ),
    "hinder": (
        "hinder",
        "let be",
    ),
    "injury": ("<name>",),
    "invalidated": (
        "similar action",
        "move only",
        "nothing",
    ),
    "keep": (
        "let go",
        "hold",
    ),
    "let-by": (
        "bar",
        "let by",
    ),
    "like": (
        "none of them",
        "<name>",
    ),
    "locate": (
        "known",
        "listen",
        "spot",
        "no telling",
    ),
    "lodged": (
        "no",
        "yes",
    ),
    "low": (
        "helps",
        "hurts",
        "does not matter",
    ),
    "material": (
        "ruined",
        "usable",
    ),
    "mishap": (
        "falls",
        "keeps going",
        "goes under",
        "nobody",
        "<combatant>",
    ),
    "missed": (
        "act",
        "continue",
        "abandon",
    ),
    "motion": (
        "moving",
        "violently moving",
    ),
    "obstacle": (
        "plain",
        "dangerous",
    ),
    "obstruction": (
        "lightly obstructed",
        "severely obstructed",
    ),
    "other": (
        "possible",
        "impossible",
    ),
    "overrun": (
        "stand",
        "step aside",
    ),
    "pin": (
        "ground",
        "wall",
    ),
    "preempt": (
        "decline",
        "dodge",
    ),
    "pursuit": (
        "a chase",
        "intercepted",
        "escaped",
    ),
    "push": ("<number>",),
    "reach-part": (
        "no",
        "yes",
    ),
    "react": (
        "dodge",
        "decline",
        "block",
    ),
    "ready": (
        "act",
        "wait",
    ),
    "resist": (
        "base attack bonus + Wisdom modifier",
        "Insight",
        "resist",
        "go along",
    ),
    "seat": (
        "Ride",
        "armor class",
    ),
    "severed": (
        "it gives",
        "it holds",
    ),
    "shield": (
        "nobody",
        "<combatant>",
    ),
    "speech": (
        "said",
        "another round",
    ),
    "squeeze": (
        "nothing more",
        "suffocation",
    ),
    "stop": (
        "stop",
        "let",
    ),
    "stunt": (
        "as proposed",
        "without a check",
        "impossible",
    ),
    "superior": (
        "sickened",
        "nothing",
        "nauseated",
    ),
    "take": (
        "take",
        "decline",
        "trip",
        "grab",
        "disarm",
    ),
    "take-10": (
        "take 10",
        "roll",
    ),
    "trample-damage": (
        "1d6",
        "2d6",
        "4d6",
        "6d6",
        "8d6",
        "none",
    ),
    "trample-dc": (
        "<number>",
        "no danger",
    ),
    "tread": (
        "with care",
        "carelessly",
    ),
    "unusual": (
        "possible",
        "impossible",
    ),
    "use": (
        "allow",
        "refuse",
    ),
    "way": (
        "northeast",
        "east",
        "southeast",
        "south",
        "southwest",
        "west",
        "northwest",
        "north",
    ),
    "weight": (
        "no",
        "yes",
    ),
}
"""Each question with what can be answered."""
