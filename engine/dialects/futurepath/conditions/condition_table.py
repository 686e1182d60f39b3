"""The conditions of Futurepath."""

from affray.engine.dialects.futurepath.conditions.declared_advantages import declared_advantages
from affray.engine.dialects.futurepath.conditions.degrees import DEGREES, PARTS_COVERED
from affray.engine.record.conditions import Change, ConditionRule, by_columns, in_both_modes
from affray.engine.rules.movement.run_endurance import EXERTED, WINDED

STATES = frozenset(
    {
        *("borne aloft", "in a chasm", "climbing", "flying", "incorporeal"),
    }
)
"""What rules that are shared with other dialects ask for."""


def down_state(topic: str) -> ConditionRule:
    """Return a state in which a creature lies helpless and out of the fight."""
    return ConditionRule(
        topic, actions="none", dexterity=False, reactions=False, helpless=True, moves=False, down=True
    )


def helpless_state(topic: str) -> ConditionRule:
    """Return a state in which a creature is at anybody's mercy but not down."""
    return ConditionRule(topic, actions="none", dexterity=False, reactions=False, helpless=True, moves=False)


#: What moving without sight costs, and what the feat leaves of that.
UNSEEING = Change(
    "speed",
    "futurepath.movement.darkness",
    ("speed_fraction",),
    eased=("blind-fight", "futurepath.assumed.blind-fight", "speed_fraction"),
)

TABLE = {
    "blinded": ConditionRule(
        "futurepath.modifier.defender-blinded",
        (*by_columns("defense", "futurepath.modifier.defender-blinded"), UNSEEING),
        reactions=False,
    ),
    "burning": ConditionRule("futurepath.action.extinguish-flames"),
    "charging": ConditionRule("futurepath.action.charge.full-round"),
    "climbing": ConditionRule(
        "futurepath.modifier.defender-climbing",
        by_columns("defense", "futurepath.modifier.defender-climbing"),
        dexterity=False,
    ),
    "conversing": ConditionRule("futurepath.action.speak.conversation-full-round"),
    "cowering": ConditionRule(
        "futurepath.modifier.defender-cowering",
        by_columns("defense", "futurepath.modifier.defender-cowering"),
        actions="none",
        dexterity=False,
        dexterity_topic="futurepath.modifier.defender-stunned-cowering-loses-dex",
    ),
    "dazed": ConditionRule("futurepath.assumed.dazed", actions="none"),
    "dazzled": ConditionRule(
        "futurepath.modifier.attacker-dazzled", by_columns("attack", "futurepath.modifier.attacker-dazzled")
    ),
    "dead": ConditionRule(
        "futurepath.injury.dead-at-minus-10", actions="none", reactions=False, moves=False, down=True
    ),
    "disabled": ConditionRule(
        "futurepath.assumed.disabled",
        (Change("speed", "futurepath.assumed.disabled", ("speed",)),),
        actions="single",
    ),
    "dying": down_state("futurepath.assumed.dying"),
    "encumbered": ConditionRule("futurepath.movement.encumbrance"),
    "entangled": ConditionRule(
        "futurepath.modifier.attacker-entangled",
        (
            *by_columns("attack", "futurepath.modifier.attacker-entangled"),
            *by_columns("defense", "futurepath.modifier.defender-entangled"),
            Change("speed", "futurepath.assumed.entangled", ("speed",)),
        ),
    ),
    "flat-footed": ConditionRule(
        "condition.flat-footed.effects",
        dexterity=False,
        dexterity_topic="futurepath.modifier.defender-flat-footed-loses-dex",
        reactions=False,
        off_guard=True,
    ),
    "frightened": ConditionRule(
        "futurepath.modifier.attacker-shaken-or-frightened",
        by_columns("attack", "futurepath.modifier.attacker-shaken-or-frightened"),
    ),
    "grappling": ConditionRule("futurepath.grapple.no-movement", reactions=False, moves=False),
    "helpless": helpless_state("futurepath.condition.helpless.definition"),
    "bound": helpless_state("futurepath.condition.helpless.definition"),
    "asleep": helpless_state("futurepath.condition.helpless.definition"),
    # Those of doors: closed without either.
    "ajar": ConditionRule("futurepath.table.cover"),
    "open": ConditionRule("futurepath.action.manipulate-objects"),
    "in darkness": ConditionRule("futurepath.movement.darkness", (UNSEEING,)),
    "invisible": ConditionRule(
        "futurepath.modifier.attacker-invisible",
        by_columns("attack", "futurepath.modifier.attacker-invisible", "moderate", "moderate"),
    ),
    "kneeling": ConditionRule(
        "futurepath.modifier.defender-kneeling-or-sitting",
        by_columns("defense", "futurepath.modifier.defender-kneeling-or-sitting", "penalty", "moderate"),
    ),
    "sitting": ConditionRule(
        "futurepath.modifier.defender-kneeling-or-sitting",
        by_columns("defense", "futurepath.modifier.defender-kneeling-or-sitting", "penalty", "moderate"),
    ),
    "inanimate": ConditionRule(
        "futurepath.object.defense.base", actions="none", reactions=False, moves=False, down=True
    ),
    "nauseated": ConditionRule("futurepath.assumed.dazed", actions="move"),
    "paralyzed": helpless_state("futurepath.assumed.dazed"),
    "pinned": ConditionRule(
        "futurepath.grapple.pin.pinned-actions",
        in_both_modes(
            "defense",
            "futurepath.modifier.defender-pinned-dexterity-zero",
            "dex_modifier",
            kind="ability",
        ),
        dexterity=False,
        dexterity_topic="futurepath.modifier.defender-pinned-dexterity-zero",
        reactions=False,
        moves=False,
    ),
    "prone": ConditionRule(
        "futurepath.modifier.defender-prone",
        (
            Change("attack.melee", "futurepath.modifier.attacker-prone", ("melee",)),
            *by_columns("defense", "futurepath.modifier.defender-prone", "penalty", "major"),
        ),
    ),
    "running": ConditionRule(
        "futurepath.action.run.loses-dexterity",
        (Change("defense.melee", "futurepath.modifier.defender-running", ("melee",)),),
        dexterity=False,
    ),
    EXERTED: ConditionRule("futurepath.action.run.endurance"),
    "shaken": ConditionRule(
        "futurepath.modifier.attacker-shaken-or-frightened",
        by_columns("attack", "futurepath.modifier.attacker-shaken-or-frightened"),
    ),
    "sickened": ConditionRule(
        "futurepath.condition.sickened",
        (
            *in_both_modes("attack", "futurepath.condition.sickened", "attack"),
            Change("damage", "futurepath.condition.sickened", ("weapon_damage",)),
            Change("skill", "futurepath.condition.sickened", ("skill_checks",)),
            Change("ability-check", "futurepath.condition.sickened", ("ability_checks",)),
        ),
    ),
    "squeezing": ConditionRule(
        "futurepath.modifier.attacker-squeezing",
        (
            *by_columns("attack", "futurepath.modifier.attacker-squeezing"),
            *by_columns("defense", "futurepath.modifier.defender-squeezing"),
        ),
    ),
    "stable": down_state("futurepath.assumed.stable"),
    "staggered": ConditionRule("futurepath.assumed.staggered", actions="single"),
    "stunned": ConditionRule(
        "futurepath.modifier.defender-stunned",
        by_columns("defense", "futurepath.modifier.defender-stunned"),
        actions="none",
        dexterity=False,
        dexterity_topic="futurepath.modifier.defender-stunned-cowering-loses-dex",
        reactions=False,
    ),
    "total-defense": ConditionRule("futurepath.action.total-defense", reactions=False),
    "unconscious": down_state("futurepath.condition.unconscious"),
    "unresisting": ConditionRule("futurepath.movement.pass-through-unresisting"),
    WINDED: ConditionRule("futurepath.action.run.rest"),
    **{part: ConditionRule(rule) for part, (_, rule) in PARTS_COVERED.items()},
    **{f"{degree} cover": ConditionRule("futurepath.cover.degree-assessment") for degree in DEGREES},
    **{f"{degree} concealment": ConditionRule("futurepath.concealment.point-of-view") for degree in DEGREES},
    **declared_advantages(),
}
