"""The columns that several tables of rows share."""

from affray.projections.rows.column import Column, number, share, text

PLACE_COLUMNS = (
    text("fight", "the log: the first 16 digits of the digest of its first event, the same in every copy"),
    text("branch", "the branch on which the event stands; other lines of play may pass through it"),
    number("seq", "the event's position on its line, from 1", "events"),
    number("round", "the round; 0 before the first, and the surprise round", "rounds"),
    number("turn", "the turn within the round; 0 before the first", "turns"),
    text("actor", "whose turn or declaration it is; empty for nobody's"),
    number("declaration", "the position of the declaration that it follows from", "events"),
    text("act", "what was declared there (attack, charge, cast, ...)"),
    text("cites", "the ids of the rules that decided it, in the order in which they are cited, by '; '"),
)
"""The columns with which every table begins."""


def stood(who: str, told: str) -> tuple[Column, ...]:
    """Return the columns that say how a combatant stood just before the event."""
    return (
        text(f"{who}_side", f"the side of {told}"),
        number(f"{who}_hp", f"hit points of {told} before the event", "hit points"),
        number(f"{who}_max_hp", f"full hit points of {told}", "hit points"),
        number(f"{who}_nonlethal", f"nonlethal damage of {told} before the event", "hit points"),
        number(f"{who}_temporary", f"temporary hit points of {told} before the event", "hit points"),
        number(
            f"{who}_armor_class",
            f"what the last attack roll at {told} had to reach that was compared with its armor class, this "
            "one included; empty before the first",
        ),
        number(f"{who}_x", f"the column of the square of {told}, from 0; the upper left of a large space"),
        number(f"{who}_y", "the row of that square, from 0"),
        number(f"{who}_height", f"how high {told} flies or climbs; 0 on the ground", "feet"),
        text(f"{who}_conditions", f"the conditions of {told} before the event, by '; '"),
    )


BLOW_COLUMNS = (
    text("attacker", "who strikes"),
    text("target", "who is struck at"),
    *stood("attacker", "the attacker"),
    *stood("target", "the target"),
    number("distance", "feet between the nearest squares of both, height included", "feet"),
)
WHO_COLUMNS = (text("who", "whom it is about"), *stood("who", "that combatant"))
D20_COLUMNS = (
    number("face", "what the d20 showed; the d100 of a check by percent", "points"),
    number("bonus", "what was added to it: total less face", "points"),
    number("total", "the whole roll", "points"),
)
CHANCE_COLUMN = share(
    "chance",
    "the exact chance beforehand that it would succeed, over all faces of the die; empty where no die of its "
    "own decided it, or where it was not decided by that arithmetic",
)
WHY_COLUMN = text("why", "what the record says about it")
KEY_COLUMN = text("key", "the key of the roll in the table rolls; empty where none was needed")
PARTS_COLUMN = text("parts", "every modifier as JSON: value, kind, source, rule, denied")
DICE_CHANCE = share(
    "chance", "the exact chance that these dice come to that or more; empty for dice rolled again"
)
DEFENSE_COLUMNS = (
    number("needed", "what the roll had to reach", "points"),
    number("cover", "what cover added to the defense", "points"),
    number("flanking", "what flanking added to the attack", "points"),
    KEY_COLUMN,
)

# Long texts stand last, so that SQLite need not read them to get at what stands before.
BOTH_SUMS = (
    text("attack_parts", "every modifier of the attack as JSON: value, kind, source, rule, denied"),
    text("defense_parts", "every modifier of the defense, the same way"),
)
