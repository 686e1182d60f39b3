"""What is rolled and asked in futurepath, by the names that scenarios and answers use."""

ROLLS: dict[str, str] = {
    "aid": "1d20",
    "attack": "1d20",
    "concentration": "1d20",
    "confirm": "1d20",
    "damage": "",
    "extra-*": "1d4",
    "hazard": "4d6",
    "initiative": "1d20",
    "miss-chance": "1d100",
    "roll-off": "1d20",
    "save-fort": "1d20",
    "save-ref": "1d20",
    "save-will": "1d20",
    "stabilize": "1d100",
    "tie-break": "1d20",
    "treat-injury": "1d20",
}
"""Each roll with its dice, where they are always the same; "extra-*" is what a weapon adds, by its kind."""

QUESTIONS: dict[str, tuple[str, ...]] = {
    "dodge-aside": (
        "dodge",
        "stand",
    ),
    "free-cost": (
        "move",
        "attack",
    ),
    "ready": (
        "act",
        "wait",
    ),
    "take": (
        "take",
        "decline",
    ),
}
"""Each question with what can be answered."""
