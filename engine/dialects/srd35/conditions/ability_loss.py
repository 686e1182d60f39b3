"""Lost ability points: their effects, a score of 0, and Constitution's hit points.

srd35.ability.modifier, srd35.ability-loss.*, srd35.cond.ability-damaged, .ability-drained.
"""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight, condition_changes
from affray.engine.kernel.sheets import score_of
from affray.engine.record.chapters import Step
from affray.engine.rules.classes.abilities import (
    ability_now,
    add_points_lost,
    at_zero,
    character_level,
    get_points_left,
    points_lost,
)
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.feats import TOPIC, points_of_rage
from affray.engine.rules.conditions.conditions import is_immune_to_loss
from affray.engine.rules.damage.injury import change_health, go_limp, hit_points_set, settle_health
from affray.engine.rules.damage.recovery_and_riders import add_temporary_hit_points
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import (
    AbilityChanged,
    AfflictionEnded,
    AfflictionHeld,
    ConditionGained,
    ConditionLost,
    MaximumChanged,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SCORES, Rider
from affray.projections.state import Affliction, Combatant

DAMAGED, ABILITY_LOSS_DRAINED = "ability damaged", "ability drained"


def modifier_of(fight: Fight, score: int) -> int:
    """Return the modifier of an ability score (srd35.ability.modifier)."""
    base, step = (
        fight.figure("srd35.ability.modifier", "base"),
        fight.figure("srd35.ability.modifier", "step"),
    )
    return int((score - base) // step)


def score_steps(fight: Fight, victim: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Return the changes of an ability from damage, drain, conditions and effects, one after the other.

    The score itself is lower, and so is everything based on it; it does not fall below 0
    (srd35.ability-loss.applied, srd35.ability-loss.con).
    """
    score = score_of(victim.sheet, name)
    if score is None:
        return ()
    found = []
    for points, source, rule in score_shifts(fight, victim, name, use):
        points = -score if points is None else points
        before, score = modifier_of(fight, score), max(0, score + points)
        found.append(
            Step(before, modifier_of(fight, score), score, f"{source}: {SCORES[name]} {points:+d}", rule)
        )
    return tuple(found)


def score_shifts(
    fight: Fight, combatant: Combatant, name: str, use: str
) -> Iterator[tuple[int | None, str, str]]:
    """Yield the points by which a score is higher or lower, the cause, and its rule.

    None for the whole rest of it, which comes last.
    """
    for place, source in ((name, "ability damage"), (f"{name} drain", "ability drain")):
        if lost := combatant.losses.get(place, 0):
            yield -lost, source, fight.rule("srd35.ability-loss.applied")
    if raised := points_of_rage(fight, combatant, name):
        yield raised, "rage", fight.rule(TOPIC)
    wanted, zero = (f"score.{name}", f"score.{name}.{use or 'others'}"), f"zero.{name}"
    nothing_left = []
    for condition, change, denied in condition_changes(fight, combatant, *wanted, zero):
        if denied:
            continue
        if change.stat == zero:
            nothing_left.append((None, condition, fight.rule(change.topic)))
        else:
            rule, _ = fight.book.place(change.topic, *change.path)
            yield int(fight.figure(change.topic, *change.path)), condition, rule
    for effect in combatant.effects:
        if effect.stat == wanted[0]:
            yield effect.modifier.value, effect.modifier.source, effect.modifier.rule
    yield from nothing_left


def lose_ability_points(
    fight: Fight,
    victim: Combatant,
    name: str,
    points: int,
    source: str,
    *,
    drain: bool = False,
    why: str = "",
) -> Steps[None]:
    """Take points off an ability and apply the consequences; a score does not fall below 0.

    `why` is the rule, if there is one, by which the points are lost.
    """
    if score_of(victim.sheet, name) is None or points <= 0 or "dead" in victim.conditions:
        return
    if (yield from is_immune_to_loss(fight, victim, name, drain, source)):
        return
    left = get_points_left(victim, name)
    because = (why, fight.rule("srd35.ability-loss.applied")) if why else ()
    yield from record_ability_change(
        fight, victim, name, min(points, left), source, drain=drain, cites=because
    )
    if min(points, left) < left:
        return
    topic = "srd35.cond.ability-drained" if drain else "srd35.cond.ability-damaged"
    state = str(fight.figure("srd35.cond.ability-damaged", "zero", name.capitalize()))
    if state == "dead":
        yield from change_health(fight, victim, "dead", f"Constitution 0 ({source})", topic)
    elif state not in victim.conditions:
        cites = fight.rules(topic)
        # A level distinguishes it from one that hit points cause and end.
        gained = ConditionGained(who=victim.id, condition=state, source=at_zero(name), level=1, cites=cites)
        yield gained
        yield from go_limp(fight, victim, state)
        yield from fight.dialect.conditions.lapses(fight, gained)


def regain_ability_points(
    fight: Fight, victim: Combatant, name: str, points: int, source: str, *cites: str
) -> Steps[None]:
    """Restore points lost to ability damage, and end the effects of a score of 0."""
    points = min(points, victim.losses.get(name, 0))
    if not points:
        return
    yield from record_ability_change(fight, victim, name, -points, source, cites=cites)
    for condition, held in list(victim.conditions.items()):
        if held.source == at_zero(name):
            yield ConditionLost(who=victim.id, condition=condition, why=source, cites=cites)


def record_ability_change(
    fight: Fight,
    combatant: Combatant,
    name: str,
    points: int,
    source: str,
    *,
    drain: bool = False,
    cites: tuple[str, ...] = (),
) -> Steps[None]:
    """Record lost (or, negative, regained) points with the conditions that name them, and hit points."""
    damage, drained = add_points_lost(combatant, name, points, drain=drain)
    printed = score_of(combatant.sheet, name) or 0
    score = max(0, printed - damage - drained)
    before = printed - points_lost(combatant, name)
    used = list(cites or fight.rules("srd35.ability-loss.applied"))
    if modifier_of(fight, before) != modifier_of(fight, score):
        used.append(fight.rule("srd35.ability.modifier"))
    adjusted = hit_point_adjustment(fight, combatant)
    yield AbilityChanged(
        who=combatant.id,
        ability=name,
        damage=damage,
        drain=drained,
        score=score,
        why=source,
        cites=tuple(used),
    )
    for condition, topic, suffix in (
        (DAMAGED, "srd35.cond.ability-damaged", ""),
        (ABILITY_LOSS_DRAINED, "srd35.cond.ability-drained", " drain"),
    ):
        holds_now = any(combatant.losses.get(f"{one}{suffix}") for one in SCORES)
        if holds_now and condition not in combatant.conditions:
            yield ConditionGained(
                who=combatant.id, condition=condition, source=source, cites=fight.rules(topic)
            )
        elif not holds_now and condition in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=condition, why=source, cites=tuple(used))
    yield from readjust_hit_points(fight, combatant, adjusted, source, fight.rule("srd35.ability-loss.con"))
    if name == "str":
        yield from fight.dialect.movement.laden(fight, combatant)


def hit_point_adjustment(fight: Fight, combatant: Combatant) -> int:
    """Return by how much lost Constitution and negative levels change full hit points.

    1 for each Hit Die and point of the modifier, which leaves 1 for each Hit Die
    (srd35.ability-loss.con); 5 for each negative level (srd35.energy-drain.level).
    """
    found = 0
    con = score_of(combatant.sheet, "con")
    if con is not None and (gone := points_lost(combatant, "con")):
        dice = combatant.sheet.hit_dice
        found = (modifier_of(fight, max(0, con - gone)) - modifier_of(fight, con)) * dice
        found = max(found, min(0, dice - combatant.sheet.hp))
    drained = combatant.conditions.get("energy drained")
    return found + (int(fight.figure("srd35.energy-drain.level", "hp")) * drained.level if drained else 0)


def readjust_hit_points(
    fight: Fight, combatant: Combatant, before: int, source: str, rule: str
) -> Steps[None]:
    """Adjust full and current hit points after a change of the adjustment from `before`, with the
    consequences.
    """
    changed = hit_point_adjustment(fight, combatant) - before
    if not changed:
        return
    yield MaximumChanged(who=combatant.id, max_hp=combatant.max_hp + changed, why=source, cites=(rule,))
    yield hit_points_set(combatant, min(combatant.max_hp, combatant.hp + changed), source, rule)
    yield from settle_health(fight, combatant, source)


# --- Energy drain: negative levels, their effects, and how they end (srd35.energy-drain.*)

ENERGY_DRAIN_DRAINED = "energy drained"
LEVEL = Rider("negative level", "energy drain", "contact", "fort")
MINUTES_AN_HOUR = 60


def negative_levels(
    fight: Fight, combatant: Combatant, levels: int, by: Combatant | None, source: str
) -> Steps[None]:
    """Give negative levels: penalties, 5 hit points and a spell each; as many as Hit Dice kill.

    The drainer gains temporary hit points for each (srd35.energy-drain.level, .save,
    srd35.cond.energy-drained).
    """
    had = (
        combatant.conditions[ENERGY_DRAIN_DRAINED].level
        if ENERGY_DRAIN_DRAINED in combatant.conditions
        else 0
    )
    before = hit_point_adjustment(fight, combatant)
    rules = fight.rules("srd35.cond.energy-drained", "srd35.energy-drain.level")
    yield ConditionGained(
        who=combatant.id, condition=ENERGY_DRAIN_DRAINED, source=source, level=had + levels, cites=rules
    )
    hours = fight.figure("srd35.energy-drain.save", "hours")
    for _ in range(levels):
        yield AfflictionHeld(
            who=combatant.id,
            id=fight.key(combatant.id, "negative-level"),
            rider=LEVEL,
            by=by.id if by is not None else source,
            dc=drain_dc(fight, by),
            minute=fight.state.minutes + hours * MINUTES_AN_HOUR,
            cites=fight.rules("srd35.energy-drain.save"),
        )
        yield from lose_spell(fight, combatant)
    if had + levels >= max(1, combatant.sheet.hit_dice):
        yield from change_health(fight, combatant, "dead", source, "srd35.cond.energy-drained")
    else:
        yield from readjust_hit_points(
            fight, combatant, before, source, fight.rule("srd35.energy-drain.level")
        )
    if by is not None and "dead" not in by.conditions:
        points = levels * fight.figure("srd35.energy-drain.save", "temp_hp")
        yield from add_temporary_hit_points(
            fight, by, points, "energy drain", Until("rest", by.id), fight.rule("srd35.energy-drain.save")
        )


def start_drained(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Make a combatant enter with negative levels, which cost hit points and spells."""
    by = fight.state.combatants.get(fact.source)
    return negative_levels(fight, fight.combatant(fact.who), fact.level, by, fact.source)


def drain_one_or_more(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give the negative levels of a condition of that name: its level, at least one."""
    by = fight.state.combatants.get(fact.source)
    return negative_levels(fight, fight.combatant(fact.who), max(1, fact.level), by, fact.source)


def drain_dc(fight: Fight, by: Combatant | None) -> int:
    """Return the DC to remove a negative level: 10 + half the drainer's Hit Dice + Charisma."""
    dc = fight.formula("srd35.energy-drain.save", "dc")
    return dc + (character_level(by) // 2 + ability_now(fight, by, "cha") if by is not None else 0)


def lose_spell(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Remove one spell of the highest level that is left; of several the caster chooses.

    srd35.energy-drain.level
    """
    left = [
        one for one in combatant.sheet.spells if one.uses and combatant.resources.get(one.name, 0) < one.uses
    ]
    if not left:
        return
    rule, highest = fight.rule("srd35.energy-drain.level"), max(one.level for one in left)
    names = tuple(one.name for one in left if one.level == highest)
    lost = names[0]
    if len(names) > 1:
        question = f"a negative level costs {combatant.id} a spell: which one?"
        lost = yield Choice(combatant.id, "lost-spell", question, names, rule)
    yield ResourceSpent(who=combatant.id, resource=lost, amount=1, cites=(rule,))


def save_against_level(fight: Fight, combatant: Combatant, level: Affliction) -> Steps[None]:
    """Save against a negative level a day later: it is gone, or a real level is (srd35.energy-drain.save)."""
    rule = fight.rule("srd35.energy-drain.save")
    saved = yield from saving_throw(fight, combatant, "fort", level.dc, "a negative level", rule)
    yield AfflictionEnded(
        who=combatant.id, id=level.id, why="shaken off" if saved else "a level is lost", cites=(rule,)
    )
    if not saved:
        yield RuleApplied(
            who=combatant.id, what="loses a level for good: its sheet is to be lowered by one", cites=(rule,)
        )
    before = hit_point_adjustment(fight, combatant)
    left = (
        combatant.conditions[ENERGY_DRAIN_DRAINED].level - 1
        if ENERGY_DRAIN_DRAINED in combatant.conditions
        else 0
    )
    if left > 0:
        source = combatant.conditions[ENERGY_DRAIN_DRAINED].source
        yield ConditionGained(
            who=combatant.id, condition=ENERGY_DRAIN_DRAINED, source=source, level=left, cites=(rule,)
        )
    elif ENERGY_DRAIN_DRAINED in combatant.conditions:
        yield ConditionLost(
            who=combatant.id, condition=ENERGY_DRAIN_DRAINED, why="no negative level is left", cites=(rule,)
        )
    if saved:
        yield from readjust_hit_points(fight, combatant, before, "a negative level is gone", rule)
