"""Conditions: what each adds, denies and forbids, how it is gained and lost."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Change, ConditionRule, by_columns, in_both_modes
from affray.engine.rules.movement.skills import EXERTED, WINDED
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Advantages and disadvantages declared by the game master, and their scope

#: The stat of a holder's Dexterity in the Defense of what it holds, carries or wears.
OF_HELD = "held.dexterity"
#: The stats that a declared advantage or disadvantage changes: those of its ability only
#: (futurepath.disadvantage.unrelated-do-not-stack).
REACH = {
    "attack": ("attack.melee", "attack.ranged"),
    "defense": ("defense.melee", "defense.ranged"),
    "strength": ("attack.strength", "damage.strength", "check.strength", "check str"),
    "dexterity": (
        *("attack.dexterity", "defense.melee", "defense.ranged", "save.ref", "initiative"),
        *("check.dexterity", "check dex", OF_HELD),
    ),
    "constitution": ("save.fort", "check.constitution"),
    "wisdom": ("save.will", "check wis"),
    "check": ("check",),
}
ABILITIES = frozenset({"strength", "dexterity", "constitution", "wisdom"})
DECLARED_ADVANTAGES = "futurepath.advantage.gm-declared"
LEVELS = ("minor", "moderate", "major")
MOST_DECLARED = 6
NO_SOURCE = acts.Hazard().source
"""The source of a danger that is not named."""


def declared_advantages() -> dict[str, ConditionRule]:
    """Return the conditions "major attack advantage", "minor defense disadvantage 2" and the like.

    A number distinguishes several of one kind (futurepath.advantage.gm-declared, .levels).
    """
    found = {}
    for level in LEVELS:
        for what, stats in REACH.items():
            good = tuple(
                Change(stat, "futurepath.advantage.levels", (level,), level, apart=True) for stat in stats
            )
            bad = tuple(
                Change(stat, "futurepath.advantage.levels", (level,), negate=True, apart=True)
                for stat in stats
            )
            for number in range(1, MOST_DECLARED + 1):
                suffix = "" if number == 1 else f" {number}"
                found[f"{level} {what} advantage{suffix}"] = ConditionRule(DECLARED_ADVANTAGES, good)
                found[f"{level} {what} disadvantage{suffix}"] = ConditionRule(DECLARED_ADVANTAGES, bad)
    return found


def cite_kind(fight: Fight, fact: ConditionGained) -> ConditionGained:
    """Return the fact that a combatant gains a condition, with the rules on its kind.

    A declared one may affect attacks or Defense, some checks and damage; on an ability it changes the
    modifier, never the score (futurepath.advantage.gm-declared, futurepath.advantage.definition,
    futurepath.disadvantage.definition, futurepath.advantage.applies-to,
    futurepath.disadvantage.ability-scores). Others change modifiers or are a state
    (futurepath.condition.kinds).
    """
    if rule_of(fight, fact.condition).topic == DECLARED_ADVANTAGES:
        _, what, kind, *_ = fact.condition.split(" ")
        on = "disadvantage.ability-scores" if what in ABILITIES else "advantage.applies-to"
        topics = [DECLARED_ADVANTAGES, f"futurepath.{kind}.definition", f"futurepath.{on}"]
    else:
        topics = ["futurepath.condition.kinds"]
    return replace(fact, cites=(*fact.cites, *fight.rules(*topics)))


def lacks_reason(fight: Fight, act: acts.Hazard) -> bool:
    """Return whether the game master declares an advantage or disadvantage without saying why."""
    return rule_of(fight, act.condition).topic == DECLARED_ADVANTAGES and act.source in ("", NO_SOURCE)


def refuse_without_reason(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Refuse an advantage that is not explained (futurepath.advantage.gm-declared)."""
    raise Refusal(
        f"a {act.condition} has a reason in the game: name it as the source", fight.rule(DECLARED_ADVANTAGES)
    )


def unrelated_disadvantages(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return an attacker's declared disadvantages that do not count because this attack does not use their
    ability.

    futurepath.disadvantage.unrelated-do-not-stack
    """
    quick = not blow.melee or fight.dialect.attacks.finesse(fight, blow)
    rests_on = {*REACH["attack"], "attack.dexterity" if quick else "attack.strength"}
    rule = fight.rule("futurepath.disadvantage.unrelated-do-not-stack")
    found = []
    for name in blow.attacker.conditions:
        if rule_of(fight, name).topic == DECLARED_ADVANTAGES:
            level, what, kind, *_ = name.split(" ")
            if kind == "disadvantage" and rests_on.isdisjoint(REACH[what]):
                value = -fight.figure("futurepath.advantage.levels", level)
                why = f"this attack does not rest on {what}"
                found.append(Modifier(value, "penalty", name, rule, denied=why))
    return found


# --- Degrees of cover and concealment as declared by the game master

DEGREES = ("one-quarter", "one-half", "three-quarters", "nine-tenths", "total")
#: Descriptions of cover that the game master may declare: the degree that each means, and the rule.
PARTS_COVERED = {
    "bottom half covered": ("one-quarter", "futurepath.cover.degree.bottom-half"),
    "one side covered": ("one-half", "futurepath.cover.degree.one-side"),
}


def declared_degree(target: Combatant, what: str) -> str:
    """Return the best degree of cover or concealment declared for a target, "" for none.

    Cover of the bottom half of the body, or of one side, is a degree too
    (futurepath.cover.degree.bottom-half, futurepath.cover.degree.one-side).
    """
    found = {one for one in DEGREES if f"{one} {what}" in target.conditions}
    if what == "cover":
        found |= {degree for part, (degree, _) in PARTS_COVERED.items() if part in target.conditions}
    return next((one for one in reversed(DEGREES) if one in found), "")


# --- The conditions of Futurepath

STATES = frozenset(
    {
        *("borne aloft", "in a chasm", "climbing", "flying", "incorporeal"),
    }
)
"""Conditions that rules shared with other dialects refer to."""


def down_state(topic: str) -> ConditionRule:
    """Return a state in which a creature is down: helpless and out of the fight."""
    return ConditionRule(
        topic, actions="none", dexterity=False, reactions=False, helpless=True, moves=False, down=True
    )


def helpless_state(topic: str) -> ConditionRule:
    """Return a state in which a creature is helpless but not down."""
    return ConditionRule(topic, actions="none", dexterity=False, reactions=False, helpless=True, moves=False)


#: The cost of moving without sight, and the part of it that the feat leaves.
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
    "barred from melee": ConditionRule("futurepath.cover.gm-extra-restrictions"),
    "barred from shooting": ConditionRule("futurepath.cover.gm-extra-restrictions"),
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
    # States of doors; a door with neither is closed.
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
    "nauseated": ConditionRule("futurepath.assumed.dazed", actions="move", reactions=False),
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


# --- Conditions of futurepath that do not carry over into another fight

#: Degrees that the game master declares of a scene belong to that scene too.
DECLARED: Final = tuple(f" {word}" for word in ("advantage", "disadvantage", "cover", "concealment"))

#: Conditions tied to a place, a moment, a ride or another combatant's hold.
LOCAL: Final = frozenset(
    {
        "ajar",
        "barred from melee",
        "barred from shooting",
        "borne aloft",
        "charging",
        "climbing",
        "conversing",
        "flat-footed",
        "flying",
        "grappling",
        "in a chasm",
        "in darkness",
        "open",
        "pinned",
        "running",
        "squeezing",
        "total-defense",
        "bottom half covered",
        "one side covered",
    }
    | {name for name in TABLE if any(word in name for word in DECLARED)}
)


# --- The two tables of modifiers: of attack rolls by the attacker, of Defense by the defender, new and old
# The figure of each row is under the rule of that row (futurepath.modifier.*); the tables list the rows.

#: Rows that depend on the positions or postures of the two.
BY_POSITION: Final = frozenset(
    {
        "futurepath.attack.flanking",
        "futurepath.modifier.attacker-flanking",
        "futurepath.modifier.attacker-higher-ground",
        "futurepath.modifier.attacker-prone",
        "futurepath.modifier.attacker-squeezing",
        "futurepath.modifier.defender-behind-cover",
        "futurepath.modifier.defender-kneeling-or-sitting",
        "futurepath.modifier.defender-prone",
        "futurepath.modifier.defender-squeezing",
        "futurepath.table.cover",
    }
)


def cite_attack_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, citing the table if any are rows of it.

    futurepath.table.attack-roll-modifiers, futurepath.table.attack-roll-modifiers.legacy
    """
    cite_table(fight, blow, parts, "futurepath.table.attack-roll-modifiers", "attacker-")
    return parts


def cite_defense_table(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a Defense, citing the table if any are rows of it.

    futurepath.table.defense-modifiers, futurepath.table.defense-modifiers.legacy
    """
    cite_table(fight, blow, parts, "futurepath.table.defense-modifiers", "defender-")
    return parts


def cite_table(fight: Fight, blow: Blow, parts: Sequence[Modifier], table: str, of: str) -> None:
    """Cite a table whose rows apply, whose roll they modify, and the rule on the effect of position.

    futurepath.modifier.attacker-vs-defender, futurepath.modifier.scope
    """
    if has_row(parts, of):
        blow.cites += fight.rules(table, "futurepath.modifier.attacker-vs-defender")
    if any(part.rule in BY_POSITION and not part.denied for part in parts):
        blow.cites.append(fight.rule("futurepath.modifier.scope"))


def has_row(parts: Sequence[Modifier], of: str) -> bool:
    """Return whether any of the parts that count comes from a row of a table, for attackers or
    for defenders.
    """
    rows = (part.rule.split(".") for part in parts if not part.denied)
    return any(row[1:2] == ["modifier"] and row[-1].startswith(of) for row in rows)


#: What the game master may forbid behind cover: attacks in melee, or at range.
BARRED_BY_COVER: Final = {"barred from melee": True, "barred from shooting": False}


def explain_barred_attack(blow: Blow) -> str:
    """Return why the details of its cover keep an attacker from this attack, "" for nothing.

    futurepath.cover.gm-extra-restrictions
    """
    for name, melee in BARRED_BY_COVER.items():
        if name in blow.attacker.conditions and blow.melee == melee:
            return f"{blow.attacker.id} is {name} by its cover"
    return ""


def cite_hampering_cover(fight: Fight, blow: Blow) -> None:
    """Cite that cover may hamper the attacker behind it, as the game master has declared.

    futurepath.cover.gm-extra-restrictions
    """
    held = blow.attacker.conditions
    if declared_degree(blow.attacker, "cover") and any("attack disadvantage" in one for one in held):
        blow.cites.append(fight.rule("futurepath.cover.gm-extra-restrictions"))
