"""Every table of rows and all its columns: what SQL, Arrow, CSV, frames and the docs are made from.

One row stands for one event. A row says what the event says, and how things stood just before it.
"""

from affray.projections.rows.column import Column, Kinds, number, share, text, truth

PLACE = (
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


_BLOW = (
    text("attacker", "who strikes"),
    text("target", "who is struck at"),
    *stood("attacker", "the attacker"),
    *stood("target", "the target"),
    number("distance", "feet between the nearest squares of both, height included", "feet"),
)
_WHO = (text("who", "whom it is about"), *stood("who", "that combatant"))
_D20 = (
    number("face", "what the d20 showed", "points"),
    number("bonus", "what was added to it: total less face", "points"),
    number("total", "the whole roll", "points"),
)
_CHANCE = share(
    "chance",
    "the exact chance beforehand that it would succeed, over all faces of the d20; empty where no d20 of its "
    "own decided it, or where it was not decided by that arithmetic",
)
_WHY = text("why", "what the record says about it")
_AGAINST_AC = (
    number("needed", "what the roll had to reach", "points"),
    number("cover", "what cover added to the defense", "points"),
    number("flanking", "what flanking added to the attack", "points"),
    text("key", "the key of the roll in the table rolls; empty where none was needed"),
)

# Long texts stand last, so that SQLite need not read them to get at what stands before.
_BOTH_PARTS = (
    text("attack_parts", "every modifier of the attack as JSON: value, kind, source, rule, denied"),
    text("defense_parts", "every modifier of the defense, the same way"),
)

TABLES: dict[str, Kinds] = {
    one.name: one
    for one in (
        Kinds(
            "combatants",
            "a combatant that entered",
            ("combatant.entered",),
            (
                *PLACE,
                text("id", "the id by which everything else speaks of it"),
                text("name", "what it is called"),
                text("side", "the side on which it entered"),
                text("kind", "humanoid, giant, undead, ..."),
                text("size", "its size"),
                number("hit_dice", "Hit Dice or levels"),
                number("base_attack", "base attack bonus", "points"),
                number("speed", "speed", "feet"),
                number("hp", "hit points as it entered", "hit points"),
                number("max_hp", "full hit points", "hit points"),
                number("x", "the column of its square, from 0"),
                number("y", "the row of its square, from 0"),
            ),
        ),
        Kinds(
            "attacks",
            "an attack roll that was compared with a defense",
            ("attack.resolved",),
            (
                *PLACE,
                *_BLOW,
                text("weapon", "the weapon"),
                text("mode", "melee or ranged"),
                text("against", "what was to be reached: armor class, touch, ..."),
                text("result", "miss, hit, threat or critical"),
                truth("hit", "whether it was no miss; concealment may still have averted it (miss_chances)"),
                *_D20,
                *_AGAINST_AC,
                number("margin", "total less needed: below 0 it fell short", "points"),
                _CHANCE,
                truth("thrown", "whether dice of the fight decided it: no faces laid down, ruled or by hand"),
                truth(
                    "reaction",
                    "whether it was a reaction: an attack of opportunity, a readied one, a weapon thrown back",
                ),
                _WHY,
                *_BOTH_PARTS,
            ),
        ),
        Kinds(
            "confirmations",
            "a critical threat that was confirmed or not",
            ("confirmation.resolved",),
            (
                *PLACE,
                *_BLOW,
                truth("confirmed", "whether it became a critical hit"),
                *_D20,
                *_AGAINST_AC,
                number("margin", "total less needed: below 0 it fell short", "points"),
                _CHANCE,
                *_BOTH_PARTS,
            ),
        ),
        Kinds(
            "miss_chances",
            "a hit that concealment could avert",
            ("miss-chance.resolved",),
            (
                *PLACE,
                *_BLOW,
                number("percent", "the chance to miss", "percent"),
                number("rolled", "what the d100 showed", "percent"),
                truth("missed", "whether the blow missed"),
                text("key", "the key of the roll"),
                _WHY,
            ),
        ),
        Kinds(
            "damage",
            "a hit's damage",
            ("damage.resolved",),
            (
                *PLACE,
                *_BLOW,
                number("attack", "the position of the attack roll it follows from; empty for none", "events"),
                text("weapon", "the weapon"),
                number(
                    "total", "what the hit amounts to, before the target shrugs anything off", "hit points"
                ),
                number("reduced", "what the target shrugged off", "hit points"),
                number("dealt", "damage dealt: total less reduced", "hit points"),
                number("rolled", "what the dice came to", "hit points"),
                number("multiplier", "how often a critical hit counted"),
                truth("nonlethal", "whether it was nonlethal"),
                text("types", "the types of damage, by '; '"),
                text("dice", "the notations of the dice, by '; '"),
                share(
                    "expected",
                    "what these dice bring on average, with what was added; empty where a rule made something "
                    "else of the sum (half, nothing), and for dice rolled again",
                    "hit points",
                ),
                share(
                    "chance",
                    "the exact chance that these dice come to that or more; empty for dice rolled again",
                ),
                _WHY,
                text("parts", "every modifier as JSON: value, kind, source, rule, denied"),
            ),
        ),
        Kinds(
            "hit_points",
            "a change of somebody's hit points",
            ("hit-points.changed",),
            (
                *PLACE,
                *_WHO,
                number("change", "what was added; below 0 what was lost", "hit points"),
                number("hp", "hit points afterwards", "hit points"),
                number("nonlethal", "nonlethal damage afterwards", "hit points"),
                number("temporary", "temporary hit points afterwards", "hit points"),
                _WHY,
            ),
        ),
        Kinds(
            "saves",
            "a saving throw",
            ("check.resolved",),
            (
                *PLACE,
                *_WHO,
                text("save", "fort, ref or will"),
                truth("success", "whether it succeeded"),
                *_D20,
                number("dc", "what it had to reach", "points"),
                _CHANCE,
                text("parts", "every modifier as JSON: objects of value, kind, source, rule and denied"),
                text("key", "the key of the roll"),
                _WHY,
            ),
        ),
        Kinds(
            "checks",
            "a check other than a saving throw: alone, opposed, or a turning check",
            ("check.resolved", "contest.resolved", "turning.resolved"),
            (
                *PLACE,
                *_WHO,
                text("form", "check, contest or turning"),
                text("checked", "what was checked (stabilize, grapple, turn, ...)"),
                text("against", "who opposed it; empty for nobody"),
                truth("success", "whether it succeeded; empty for a turning check"),
                *_D20,
                number("dc", "what it had to reach: the DC, or what the other came to", "points"),
                _CHANCE,
                text("parts", "every modifier as JSON: objects of value, kind, source, rule and denied"),
                text("opposed_parts", "those of whoever opposed it"),
                text("key", "the key of the roll"),
                _WHY,
            ),
        ),
        Kinds(
            "moves",
            "a movement, or the part of one up to an interruption",
            ("moved", "mounted", "dismounted"),
            (
                *PLACE,
                *_WHO,
                text("how", "how: normal, step, charge, withdraw, mounts, dismounts, ..."),
                number("feet", "what it cost", "feet"),
                number("squares", "squares entered", "squares"),
                number("diagonals", "diagonal steps among them"),
                number("to_x", "the column of the square where it ended"),
                number("to_y", "the row of that square"),
                text("path", "the squares entered as JSON: [[x, y], ...]"),
                text("mount", "whom it rides, where it mounts or dismounts"),
            ),
        ),
        Kinds(
            "conditions",
            "a condition or passing modifier that began or ended",
            ("condition.gained", "condition.lost", "effect.gained", "effect.ended"),
            (
                *PLACE,
                *_WHO,
                text("form", "condition or effect"),
                text("change", "began or ended"),
                text("condition", "the condition, or the id of the effect"),
                text("source", "what brought it; for an end why it ended"),
                number("level", "how high it stands, where it has a level"),
                text("modifies", "what an effect modifies: attack, defense, save.ref, ..."),
                number("value", "by how much", "points"),
                text("until_when", "turn-start, turn-end, round-end, rest; empty until something ends it"),
                text("until_who", "of whose turn"),
                number("until_round", "in that round or later", "rounds"),
            ),
        ),
        Kinds(
            "rounds",
            "a round as it begins",
            ("round.began",),
            (
                *PLACE,
                number("number", "the round that begins; 0 is the surprise round", "rounds"),
                text("phase", "the phase with which it begins"),
                number("standing", "combatants with more than 0 hit points", "combatants"),
                text("standing_by_side", 'the same by side as JSON: {"side": number}'),
                text("hp_by_side", "the hit points above 0 of each side added up, as JSON"),
            ),
        ),
        Kinds(
            "rolls",
            "dice that were thrown",
            ("rolled",),
            (
                *PLACE,
                *_WHO,
                text("key", "what the roll was for, in full"),
                text("purpose", "the same in a word: attack, damage, initiative, ..."),
                text("notation", "the dice"),
                number("sides", "the sides of the dice, where all have as many"),
                text("faces", "what they showed, by '; '"),
                number("face", "what a single die showed; empty for several"),
                number("total", "what they came to, constants included", "points"),
                number("dropped", "dice that did not count"),
                number("rerolled", "dice that were thrown again"),
                number("exploded", "dice that brought another one"),
                share("expected", "what these dice come to on average", "points"),
                share("chance", "the exact chance of that much or more; empty for dice rolled again"),
                text("provenance", "where the faces are from: seeded, joint, physical, overridden, ..."),
                truth("thrown", "whether dice of the fight were thrown: not laid down, ruled or by hand"),
            ),
        ),
        Kinds(
            "choices",
            "a question that was answered",
            ("chosen",),
            (
                *PLACE,
                *_WHO,
                text("key", "what was asked, in full"),
                text("question", "the question in words"),
                text("options", "the possible answers, by '; '"),
                text("answer", "the answer"),
                text("answered_by", "who gave it: a person, the script, or a policy"),
                text("rule", "the rule that asks"),
            ),
        ),
        Kinds(
            "rulings",
            "a dispute, or a ruling of the game master",
            ("ruled", "disputed"),
            (
                *PLACE,
                text("form", "ruling or dispute"),
                text("id", "R1, R2, ...; Q1, Q2, ... of a dispute"),
                text("said_by", "who said it"),
                text("verdict", "void, upheld, overturned, amended or ends; empty for a dispute"),
                text("text", "what was said"),
                text("subject", "the declaration that it is about"),
                number("event", "the event that it is about", "events"),
                text("dispute", "the dispute that a ruling settles"),
                text("scope", "how far a ruling reaches: event, onward or fight"),
                text("changes", "what it changes, by '; '"),
            ),
        ),
        Kinds(
            "refusals",
            "a declaration that the rules refused, or that became impossible on a branch",
            ("refused", "invalidated"),
            (
                *PLACE,
                text("form", "refused or invalidated"),
                text("id", "the declaration"),
                text("reason", "why"),
                text("rule", "the rule that forbids it"),
            ),
        ),
    )
}
"""Every table by name, in the order in which they are told."""

FIGHTS = Kinds(
    "fights",
    "a log",
    ("encounter.opened",),
    (
        text("fight", "the log, as in every other table"),
        text("log", "the name of its file, without its folder"),
        text("name", "what the encounter is called"),
        text("dialect", "the rules it is played by"),
        text("main", "its main line"),
        number("events", "events of the main line", "events"),
        number("branches", "branches, the root included"),
        text("date", "when its file was last written, as year and month"),
    ),
)
"""What is known of each log as a whole."""

LINES = Kinds(
    "lines",
    "a piece of a line of play: the events of a branch that the line passes through",
    (),
    (
        text("fight", "the log"),
        text("line", "the line of play: the name of the branch with which it ends"),
        text("branch", "the branch on which these events stand"),
        number("after", "the piece begins behind this position", "events"),
        number("upto", "and ends with this one", "events"),
        truth("main", "whether the line is the main line"),
    ),
)
"""Of which pieces each line of play is made."""
