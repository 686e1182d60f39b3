"""Advantages and disadvantages that the game master declares, and what it means that they are declared."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.record.blow import Blow
from affray.engine.record.conditions import Change, ConditionRule
from affray.events.facts.combat import ConditionGained
from affray.events.facts.modifier import Modifier

#: The stat of what the Dexterity of a holder is good for in the Defense of what it holds, carries or wears.
OF_HELD = "held.dexterity"
#: What a declared advantage or disadvantage changes: its own ability, nothing else, wherever that ability has
#: a part (futurepath.disadvantage.unrelated-do-not-stack).
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
DECLARED = "futurepath.advantage.gm-declared"
LEVELS = ("minor", "moderate", "major")
MOST_DECLARED = 6


def declared_advantages() -> dict[str, ConditionRule]:
    """Return the conditions "major attack advantage", "minor defense disadvantage 2" and their like.

    A number tells several of one kind apart (futurepath.advantage.gm-declared, .levels).
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
                found[f"{level} {what} advantage{suffix}"] = ConditionRule(DECLARED, good)
                found[f"{level} {what} disadvantage{suffix}"] = ConditionRule(DECLARED, bad)
    return found


def cite_kind(fight: Fight, fact: ConditionGained) -> ConditionGained:
    """Return the fact that a condition comes over a combatant, with what rules say of its kind.

    A declared one may affect attacks or Defense, some checks and damage; on an ability it changes the
    modifier, never the score (futurepath.advantage.gm-declared, futurepath.advantage.definition,
    futurepath.disadvantage.definition, futurepath.advantage.applies-to,
    futurepath.disadvantage.ability-scores). Others change modifiers or are a state
    (futurepath.condition.kinds).
    """
    if rule_of(fight, fact.condition).topic == DECLARED:
        _, what, kind, *_ = fact.condition.split(" ")
        on = "disadvantage.ability-scores" if what in ABILITIES else "advantage.applies-to"
        topics = [DECLARED, f"futurepath.{kind}.definition", f"futurepath.{on}"]
    else:
        topics = ["futurepath.condition.kinds"]
    return replace(fact, cites=(*fact.cites, *fight.rules(*topics)))


def unrelated_disadvantages(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return declared disadvantages of an attacker that this attack does not rest on, which do not count.

    futurepath.disadvantage.unrelated-do-not-stack
    """
    quick = not blow.melee or fight.dialect.attacks.finesse(fight, blow)
    rests_on = {*REACH["attack"], "attack.dexterity" if quick else "attack.strength"}
    rule = fight.rule("futurepath.disadvantage.unrelated-do-not-stack")
    found = []
    for name in blow.attacker.conditions:
        if rule_of(fight, name).topic == DECLARED:
            level, what, kind, *_ = name.split(" ")
            if kind == "disadvantage" and rests_on.isdisjoint(REACH[what]):
                value = -fight.figure("futurepath.advantage.levels", level)
                why = f"this attack does not rest on {what}"
                found.append(Modifier(value, "penalty", name, rule, denied=why))
    return found
