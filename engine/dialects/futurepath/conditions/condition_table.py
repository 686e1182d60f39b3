"""The conditions of Futurepath, and the advantages that a game master may declare."""

from affray.engine.record.conditions import Change, ConditionRule, by_columns, in_both_modes

STATES = frozenset({"borne aloft", "climbing", "flying", "grappled", "grappling"})
"""What rules that are shared with other dialects ask for."""


def down_state(topic: str) -> ConditionRule:
    """Return a state in which a creature lies helpless and out of the fight."""
    return ConditionRule(
        topic, actions="none", dexterity=False, reactions=False, helpless=True, moves=False, down=True
    )


def helpless_state(topic: str) -> ConditionRule:
    """Return a state in which a creature is at anybody's mercy but not down."""
    return ConditionRule(topic, actions="none", dexterity=False, reactions=False, helpless=True, moves=False)


#: What a declared advantage or disadvantage changes: its own ability, nothing else
#: (futurepath.disadvantage.unrelated-do-not-stack).
REACH = {
    "attack": ("attack.melee", "attack.ranged"),
    "defense": ("defense.melee", "defense.ranged"),
    "strength": ("attack.melee", "damage"),
    "dexterity": ("attack.ranged", "defense.melee", "defense.ranged", "save.ref", "initiative"),
    "constitution": ("save.fort",),
    "wisdom": ("save.will",),
    "check": ("check",),
}
LEVELS = ("minor", "moderate", "major")
MOST_DECLARED = 6


def declared_advantages() -> dict[str, ConditionRule]:
    """Return the conditions "major attack advantage", "minor defense disadvantage 2" and their like.

    A number tells several of one kind apart (futurepath.advantage.gm-declared, .levels).
    """
    found = {}
    for level in LEVELS:
        for what, stats in REACH.items():
            good = tuple(Change(stat, "advantage.levels", (level,), level) for stat in stats)
            bad = tuple(Change(stat, "advantage.levels", (level,), negate=True) for stat in stats)
            for number in range(1, MOST_DECLARED + 1):
                suffix = "" if number == 1 else f" {number}"
                found[f"{level} {what} advantage{suffix}"] = ConditionRule("advantage.gm-declared", good)
                found[f"{level} {what} disadvantage{suffix}"] = ConditionRule("advantage.gm-declared", bad)
    return found


DEGREES = ("one-quarter", "one-half", "three-quarters", "nine-tenths", "total")

TABLE = {
    "blinded": ConditionRule(
        "modifier.defender-blinded", by_columns("defense", "modifier.defender-blinded"), reactions=False
    ),
    "charging": ConditionRule("action.charge.full-round"),
    "climbing": ConditionRule(
        "modifier.defender-climbing", by_columns("defense", "modifier.defender-climbing"), dexterity=False
    ),
    "conversing": ConditionRule("action.speak.conversation-full-round"),
    "cowering": ConditionRule(
        "modifier.defender-cowering",
        by_columns("defense", "modifier.defender-cowering"),
        actions="none",
        dexterity=False,
        dexterity_topic="modifier.defender-stunned-cowering-loses-dex",
    ),
    "dazed": ConditionRule("assumed.dazed", actions="none"),
    "dazzled": ConditionRule("modifier.attacker-dazzled", by_columns("attack", "modifier.attacker-dazzled")),
    "dead": ConditionRule("injury.dead-at-minus-10", actions="none", reactions=False, moves=False, down=True),
    "disabled": ConditionRule(
        "assumed.disabled", (Change("speed", "assumed.disabled", ("speed",)),), actions="single"
    ),
    "dying": down_state("assumed.dying"),
    "entangled": ConditionRule(
        "modifier.attacker-entangled",
        (
            *by_columns("attack", "modifier.attacker-entangled"),
            Change("speed", "assumed.entangled", ("speed",)),
        ),
    ),
    "flat-footed": ConditionRule(
        "condition.flat-footed.effects",
        dexterity=False,
        dexterity_topic="modifier.defender-flat-footed-loses-dex",
        reactions=False,
    ),
    "frightened": ConditionRule(
        "modifier.attacker-shaken-or-frightened",
        by_columns("attack", "modifier.attacker-shaken-or-frightened"),
    ),
    "grappling": ConditionRule("grapple.no-dex-vs-others", dexterity=False, reactions=False, moves=False),
    "helpless": helpless_state("condition.helpless.definition"),
    "bound": helpless_state("condition.helpless.definition"),
    "asleep": helpless_state("condition.helpless.definition"),
    "invisible": ConditionRule(
        "modifier.attacker-invisible",
        by_columns("attack", "modifier.attacker-invisible", "moderate", "moderate"),
    ),
    "kneeling": ConditionRule(
        "modifier.defender-kneeling-or-sitting",
        by_columns("defense", "modifier.defender-kneeling-or-sitting", "penalty", "moderate"),
    ),
    "sitting": ConditionRule(
        "modifier.defender-kneeling-or-sitting",
        by_columns("defense", "modifier.defender-kneeling-or-sitting", "penalty", "moderate"),
    ),
    "nauseated": ConditionRule("assumed.dazed", actions="move"),
    "paralyzed": helpless_state("assumed.dazed"),
    "pinned": ConditionRule(
        "grapple.pin.pinned-actions",
        (
            *by_columns("defense", "modifier.defender-pinned"),
            *in_both_modes(
                "defense", "modifier.defender-pinned-dexterity-zero", "dex_modifier", kind="ability"
            ),
        ),
        actions="none",
        dexterity=False,
        dexterity_topic="modifier.defender-pinned-dexterity-zero",
        reactions=False,
        moves=False,
    ),
    "prone": ConditionRule(
        "modifier.defender-prone",
        (
            Change("attack.melee", "modifier.attacker-prone", ("melee",)),
            *by_columns("defense", "modifier.defender-prone", "penalty", "major"),
        ),
    ),
    "running": ConditionRule(
        "action.run.loses-dexterity",
        (Change("defense.ranged", "action.run.ranged-defense", ("defense_vs_ranged",), "moderate"),),
        dexterity=False,
    ),
    "shaken": ConditionRule(
        "modifier.attacker-shaken-or-frightened",
        by_columns("attack", "modifier.attacker-shaken-or-frightened"),
    ),
    "sickened": ConditionRule(
        "condition.sickened",
        (
            *in_both_modes("attack", "condition.sickened", "attack"),
            Change("damage", "condition.sickened", ("weapon_damage",)),
            Change("check", "condition.sickened", ("skill_checks",)),
        ),
    ),
    "squeezing": ConditionRule(
        "modifier.attacker-squeezing",
        (
            *by_columns("attack", "modifier.attacker-squeezing"),
            *by_columns("defense", "modifier.defender-squeezing"),
        ),
    ),
    "stable": down_state("assumed.stable"),
    "staggered": ConditionRule("assumed.staggered", actions="single"),
    "stunned": ConditionRule(
        "modifier.defender-stunned",
        by_columns("defense", "modifier.defender-stunned"),
        actions="none",
        dexterity=False,
        dexterity_topic="modifier.defender-stunned-cowering-loses-dex",
        reactions=False,
    ),
    "total-defense": ConditionRule("action.total-defense", reactions=False),
    "unconscious": down_state("condition.unconscious"),
    **{f"{degree} cover": ConditionRule("cover.degree-assessment") for degree in DEGREES},
    **{f"{degree} concealment": ConditionRule("concealment.point-of-view") for degree in DEGREES},
    **declared_advantages(),
}
