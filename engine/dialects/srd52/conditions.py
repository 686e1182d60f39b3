"""Conditions: what each one does, as data of the catalogue."""

from collections.abc import Iterable, Iterator
from typing import Final

from affray.engine.dialects.srd52.classes import fields_of, rounds_of
from affray.engine.dialects.srd52.features import ask, features_of
from affray.engine.fight.fight import Fight
from affray.engine.kernel import checks
from affray.engine.kernel.durations import end_of_holder
from affray.engine.record.chapters import ConditionRule
from affray.engine.steps import Refusal, Steps, reciting
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    HitPointsChanged,
    ItemChanged,
    MaximumChanged,
    Until,
)
from affray.events.facts.flow import RuleApplied, TimePassed
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

EXHAUSTION: Final = "exhaustion"
DODGING: Final = "dodging"
"""The state of a combatant that has taken the Dodge action."""
DISENGAGED: Final = "disengaged"
SHIFTED: Final = "shape-shifted"
"""The condition of a creature in another form than its true one."""

# --- Where a condition changes D20 Tests: the condition, the rule, and the figure with the effect
# A figure says "advantage", "disadvantage" or "fail". The order of a row: condition, topic, path.

ON_OWN_ATTACKS: Final = (
    ("blinded", "conditions.blinded-attacks", "own"),
    ("invisible", "conditions.invisible-attacks", "own"),
    ("poisoned", "conditions.poisoned", "attacks"),
    ("prone", "conditions.prone-own-attacks", "own"),
    ("restrained", "conditions.restrained-attacks", "own"),
    ("bound: manacles", "gear.manacles", "own"),
)
"""On all attack rolls of its bearer; those of the frightened and the grappled depend on who is where."""

AGAINST: Final = (
    ("blinded", "conditions.blinded-attacks", "against"),
    ("invisible", "conditions.invisible-attacks", "against"),
    ("paralyzed", "conditions.paralyzed-attacks", "against"),
    ("petrified", "conditions.petrified-attacks-saves", "against"),
    ("restrained", "conditions.restrained-attacks", "against"),
    ("stunned", "conditions.stunned-attacks", "against"),
    ("unconscious", "conditions.unconscious-attacks", "against"),
)
"""On attack rolls against its bearer; those against the prone depend on the distance."""

CRITICAL_NEAR: Final = (
    ("paralyzed", "conditions.paralyzed-critical"),
    ("unconscious", "conditions.unconscious-critical"),
)
"""Every hit from nearby is a Critical Hit."""

ON_CHECKS: Final = (
    ("frightened", "conditions.frightened-rolls", "checks", True),
    ("poisoned", "conditions.poisoned", "checks", False),
)
"""On ability checks; with True only while the source is in line of sight."""

ON_SAVES: Final = (
    ("restrained", "dex", "conditions.restrained-saves", "dex_save"),
    (DODGING, "dex", "turns.dodge-saves", "dex_save"),
)
"""On saving throws with an ability."""

FAILED_SAVES: Final = (
    ("paralyzed", "conditions.paralyzed-saves"),
    ("petrified", "conditions.petrified-attacks-saves"),
    ("stunned", "conditions.stunned-saves"),
    ("unconscious", "conditions.unconscious-saves"),
)
"""Saving throws that fail; the figure of the ability says so."""

INCLUDES: Final = {
    "paralyzed": "conditions.paralyzed-incapacitated",
    "petrified": "conditions.petrified-incapacitated",
    "stunned": "conditions.stunned-incapacitated",
    "unconscious": "conditions.unconscious-inert",
    "object": "damage.object-no-scores",
}
"""Conditions that include Incapacitated, and that of things, which do nothing either."""

STILL: Final = (
    ("grappled", "conditions.grappled-speed"),
    ("hobbled", "gear.caltrops"),
    ("paralyzed", "conditions.paralyzed-incapacitated"),
    ("petrified", "conditions.petrified-incapacitated"),
    ("restrained", "conditions.restrained-speed"),
    ("lethargic", "magic.spell-haste"),
    ("unconscious", "conditions.unconscious-speed"),
)
"""Conditions under which the Speed is 0 and cannot increase."""


def incapacitating(combatant: Combatant) -> str:
    """Return the condition by which a combatant is Incapacitated; "" if it is not."""
    if not combatant.conditions:
        return ""
    return next((one for one in ("incapacitated", *INCLUDES, "dead") if one in combatant.conditions), "")


def rule_on_incapacity(fight: Fight, condition: str) -> str:
    """Return the rule by which a condition takes away actions."""
    return fight.rule(INCLUDES.get(condition, "conditions.incapacitated-inactive"))


AWAY: Final = "banished"
"""The condition of a combatant that is in no space of the map."""


def is_away(combatant: Combatant) -> bool:
    """Return whether a combatant is in no space of the map: it bars no way and cannot be a target."""
    return AWAY in combatant.conditions


def levels_of(combatant: Combatant) -> int:
    """Return a combatant's Exhaustion level."""
    found = combatant.conditions.get(EXHAUSTION)
    return found.level or 1 if found is not None else 0


def is_charmed_by(combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant is charmed by another."""
    charm = combatant.conditions.get("charmed")
    return charm is not None and charm.source == other.id


def refuse_charmer(fight: Fight, combatant: Combatant, target: Combatant) -> None:
    """Refuse to harm the combatant by which one is charmed."""
    if is_charmed_by(combatant, target):
        reason = f"{combatant.id} is charmed by {target.id} and cannot harm it"
        raise Refusal(reason, fight.rule("conditions.charmed-no-harm"))


def refuse_charmer_among(fight: Fight, combatant: Combatant, targets: Iterable[Combatant]) -> None:
    """Refuse to harm several creatures of which one has charmed the combatant."""
    if "charmed" in combatant.conditions:
        for one in targets:
            refuse_charmer(fight, combatant, one)


# --- Time outside of combat


def pass_time(fight: Fight, minutes: int, what: str, *cites: str) -> Steps[None]:
    """Let minutes pass: what lasts some rounds is that much nearer to its end, or over."""
    rounds = minutes * SECONDS // fight.figure("turns.round", "seconds")
    yield TimePassed(minutes=minutes, what=what, rounds=rounds, cites=cites)

    def is_over(until: Until) -> bool:
        return until.when in TIMED and until.round <= fight.state.round

    for one in list(fight.state.combatants.values()):
        yield from end_of_holder(fight, one, is_over)


SECONDS: Final = 60
"""The seconds of a minute."""
MINUTES: Final = 60
"""The minutes of an hour."""
TIMED: Final = ("turn-start", "turn-end")
"""The ends of what lasts some rounds."""


def for_rounds(fight: Fight, one: Combatant, topic: str, what: str, source: str, rounds: int) -> EffectGained:
    """Return the fact that a note on a combatant lasts for a number of rounds, in and out of combat."""
    rule = fight.rule(topic)
    return EffectGained(
        who=one.id,
        id=what,
        stat=what,
        modifier=Modifier(0, "time", source, rule),
        until=Until("turn-start", one.id, fight.state.round + rounds),
        cites=(rule,),
    )


def rounds_left(fight: Fight, one: Combatant, what: str) -> int:
    """Return for how many rounds more something counts, 0 in the last one; -1 if it does not."""
    found = next((effect for effect in one.effects if effect.stat == what), None)
    return max(-1, found.until.round - fight.state.round) if found is not None else -1


def forgotten(one: Combatant, what: str, why: str, *cites: str) -> Iterator[EffectEnded]:
    """Yield the end of something that counts for some rounds."""
    if any(effect.stat == what for effect in one.effects):
        yield EffectEnded(who=one.id, id=what, why=why, cites=cites)


# --- Gaining and losing conditions


def gain(
    fight: Fight, target: Combatant, condition: str, cause: str, until: Until = checks.FOR_GOOD
) -> Steps[None]:
    """Give a combatant a condition, and those that come with it; one that it has does not stack.

    Exhaustion rises by a level, and the sixth is death. The immune do not gain it.
    """
    if condition in target.conditions and condition != EXHAUSTION:
        return
    if condition == "poisoned" and "petrified" in target.conditions:
        yield immune(fight, target, condition, "conditions.petrified-poison")
        return
    own = fields_of(fight, target).condition_immunities
    topics = [held.feature.topic for held in features_of(fight, target) if condition in held.feature.immune]
    if condition in own or topics:
        yield immune(fight, target, condition, "damage.immunity-condition", *topics)
        return
    for function, held in ask(fight, target, "wards"):
        if function(fight, held, condition, cause):
            yield immune(fight, target, condition, held.feature.topic)
            return
    if condition == EXHAUSTION:
        yield from tire(fight, target, cause)
        return
    if condition == "dead":
        yield from die(fight, target, cause)
        return
    substance = fight.rules(*(["conditions.petrified-substance"] if condition == "petrified" else []))
    yield from reciting(checks.gain(fight, target, condition, cause, until), ConditionGained, *substance)
    if condition == "unconscious":
        yield from checks.gain(fight, target, "prone", condition)
        yield from drop_all(fight, target)


def immune(fight: Fight, target: Combatant, condition: str, *topics: str) -> RuleApplied:
    """Return the fact that a combatant is immune to a condition."""
    return RuleApplied(who=target.id, what=f"is immune to being {condition}", cites=fight.rules(*topics))


OLDER_TABLE: Final = "six-levels"
"""The reading by which each level of Exhaustion has an effect of its own."""


def halve_maximum(fight: Fight, target: Combatant, level: int, *cites: str) -> Steps[None]:
    """Halve the hit point maximum from a level of the older table on, and give it back below that."""
    if fight.option("exhaustion") != OLDER_TABLE:
        return
    halved = level >= fight.figure("conditions.exhaustion-cumulative", "older_table")["half_maximum"]
    most = target.sheet.hp // 2 if halved else target.sheet.hp
    if most == target.max_hp:
        return
    if target.hp > most:
        lost = target.hp - most
        temporary = target.temporary
        yield HitPointsChanged(
            who=target.id,
            hp=most,
            nonlethal=0,
            temporary=temporary,
            change=-lost,
            why=EXHAUSTION,
            cites=cites,
        )
    yield MaximumChanged(who=target.id, max_hp=most, why=EXHAUSTION, cites=cites)


def tire(fight: Fight, target: Combatant, cause: str) -> Steps[None]:
    """Raise a combatant's Exhaustion by a level; at the last one it dies."""
    level = levels_of(target) + 1
    cites = fight.rules("conditions.exhaustion-cumulative", "conditions.exhaustion-table")
    yield ConditionGained(who=target.id, condition=EXHAUSTION, source=cause, level=level, cites=cites)
    for row in fight.figure("conditions.exhaustion-table"):
        if row["level"] == level:
            what = (
                f"has D20 Tests at {row['d20']} and its Speed at {row['speed_ft']} ft. by Exhaustion {level}"
            )
            yield RuleApplied(who=target.id, what=what, cites=fight.rules("conditions.exhaustion-table"))
    yield from halve_maximum(fight, target, level, *cites)
    if level >= fight.figure("conditions.exhaustion-cumulative", "death_level"):
        yield from die(fight, target, EXHAUSTION, *cites)


def recover_from(fight: Fight, target: Combatant, levels: int, why: str, *cites: str) -> Steps[None]:
    """Take Exhaustion levels off a combatant; at 0 the condition is gone."""
    left = levels_of(target) - levels
    yield from halve_maximum(fight, target, left, *cites)
    if left > 0:
        yield ConditionGained(who=target.id, condition=EXHAUSTION, source=why, level=left, cites=cites)
    elif EXHAUSTION in target.conditions:
        yield ConditionLost(who=target.id, condition=EXHAUSTION, why=why, cites=cites)


def die(fight: Fight, target: Combatant, why: str, *cites: str) -> Steps[None]:
    """Let a combatant die."""
    for name in ("unconscious", "stable"):
        if name in target.conditions:
            yield ConditionLost(who=target.id, condition=name, why="it dies", cites=cites)
    yield ConditionGained(
        who=target.id, condition="dead", source=why, cites=(*cites, fight.rule("damage.dead"))
    )
    yield from just_dead(fight, target)
    yield from drop_all(fight, target)


JUST_DEAD: Final = "died within the last minute"
"""The effect on the dead for a minute, during which some magic revives them."""


def just_dead(fight: Fight, target: Combatant) -> Iterator[EffectGained | EffectEnded]:
    """Yield the fact that a creature has just died."""
    if target.sheet.kind == "object":
        return
    yield from forgotten(target, JUST_DEAD, "it dies")
    rounds = rounds_of(fight, "magic.spell-revivify", "max_dead")
    yield for_rounds(fight, target, "magic.spell-revivify", JUST_DEAD, "death", rounds)


def drop_all(fight: Fight, holder: Combatant) -> Steps[None]:
    """Let a combatant drop what it holds."""
    cites = fight.rules("conditions.unconscious-inert")
    for item in holder.held:
        yield ItemChanged(who=holder.id, item=item, state="dropped", at=holder.at, cites=cites)


CONDITIONS: Final = {
    "blinded": ConditionRule("conditions.blinded-sight"),
    "charmed": ConditionRule("conditions.charmed-no-harm"),
    "deafened": ConditionRule("conditions.deafened"),
    EXHAUSTION: ConditionRule("conditions.exhaustion-cumulative"),
    "frightened": ConditionRule("conditions.frightened-rolls"),
    "grappled": ConditionRule("conditions.grappled-speed"),
    "incapacitated": ConditionRule("conditions.incapacitated-inactive"),
    "invisible": ConditionRule("conditions.invisible-concealed"),
    "paralyzed": ConditionRule("conditions.paralyzed-incapacitated", actions="none"),
    "petrified": ConditionRule("conditions.petrified-incapacitated", actions="none"),
    "poisoned": ConditionRule("conditions.poisoned"),
    "prone": ConditionRule("conditions.prone-movement"),
    "restrained": ConditionRule("conditions.restrained-speed"),
    "stunned": ConditionRule("conditions.stunned-incapacitated"),
    DODGING: ConditionRule("turns.dodge-attacks"),
    DISENGAGED: ConditionRule("turns.disengage"),
    "lethargic": ConditionRule("magic.spell-haste"),
    SHIFTED: ConditionRule("magic.shape-shift"),
    AWAY: ConditionRule("magic.spell-banishment", actions="none"),
    "gone for good": ConditionRule("magic.spell-banishment", actions="none", down=True),
    "cursed": ConditionRule("magic.curses"),
    "stable": ConditionRule("damage.stable"),
    "dead": ConditionRule("damage.dead", actions="none", down=True),
}
"""The conditions apart from Unconscious, whose bearers roll death saves as their turns begin."""
