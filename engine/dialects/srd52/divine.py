"""The features of clerics and paladins: Channel Divinity, Lay On Hands, and what goes with them."""

from collections.abc import Iterator
from typing import Final

from affray.engine.dialects.srd52 import attacks, damage, magic, test
from affray.engine.dialects.srd52.class_features import (
    UseFeature,
    by_level,
    draw_on,
    enemies_within,
    feature_named,
    is_worn_down,
    left_of,
    magic_action,
    refuse_option,
    simply,
    target_near,
    used_when,
)
from affray.engine.dialects.srd52.classes import (
    ability,
    difficulty,
    modifier_of,
    rounds_of,
    spellcasting_ability,
)
from affray.engine.dialects.srd52.conditions import (
    gain,
    incapacitating,
    is_charmed_by,
    refuse_charmer,
    refuse_charmer_among,
)
from affray.engine.dialects.srd52.features import Blow, Casting, Dice, Feature, Held, Pool, Strike
from affray.engine.dialects.srd52.gear import STRIKES, attack_begun, attacks_left, can_attack
from affray.engine.dialects.srd52.movement import feet_left, full_speed
from affray.engine.dialects.srd52.position import distance, within
from affray.engine.dialects.srd52.senses import sees
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.actions import spend
from affray.engine.kernel.paths import cheapest_paths
from affray.engine.record.chapters import ConditionRule
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

CLERIC_CHANNEL: Final = "channel divinity (cleric)"
PALADIN_CHANNEL: Final = "channel divinity (paladin)"
"""The rounds of a minute."""


def channel(fight: Fight, holder: Combatant, pool: str, rule: str) -> ResourceSpent:
    """Return the fact that a Channel Divinity is used. Refuses it without any left."""
    topic = f"classes.{'cleric' if pool == CLERIC_CHANNEL else 'paladin'}-channel-divinity"
    return draw_on(fight, holder, pool, rule, fight.rule(topic))


def save_dc(fight: Fight, holder: Combatant, name: str) -> int:
    """Return the DC of a class's Channel Divinity: that of its spells."""
    return difficulty(fight, holder, spellcasting_ability(fight, holder.sheet, name))


# --- Channel Divinity of a cleric


def divine_spark(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Heal or harm another creature in sight: a Magic action and a use of Channel Divinity."""
    holder, topic = held.holder, "classes.cleric-divine-spark"
    rule = fight.rule(topic)
    refuse_option(held, act, ("heal", "necrotic", "radiant"), rule)
    target = target_near(fight, holder, act.target, fight.figure(topic, "range_ft"), rule)
    if target is holder or not sees(fight, holder, target):
        raise Refusal(f"{holder.id} needs another creature that it sees", rule)
    if act.option != "heal":
        refuse_charmer(fight, holder, target)
    used = channel(fight, holder, CLERIC_CHANNEL, rule)
    yield from magic_action(fight, holder, held.name, rule)
    yield used
    dice, bonus = str(fight.figure(topic, "amount")).split()[0], ability(fight, holder, "wis")
    if act.option == "heal":
        rolled = yield Roll(holder.id, "healing", dice)
        yield from damage.heal(fight, target, max(0, rolled.total + bonus.value), held.name, topic)
        return
    cites = (rule, *fight.rules("classes.cleric-channel-divinity"))
    number, save = save_dc(fight, holder, "cleric"), fight.figure(topic, "save")
    saved = yield from test.save(fight, target, save, number, why=held.name, cites=cites)
    blow = Blow(holder.id, held.name, halved=saved, magical=True)
    yield from damage.deal(fight, target, blow, [Dice(dice, act.option, held.name)], [bonus], cites=(rule,))


def sparks(fight: Fight, held: Held) -> Iterator[acts.Act]:
    """Yield Divine Sparks that heal wounded allies and harm enemies."""
    for one in fight.state.combatants.values():
        if one.id != held.holder.id:
            option = "heal" if one.side == held.holder.side else "radiant"
            yield UseFeature(actor=held.holder.id, feature=held.name, target=one.id, option=option)


def plays_spark(fight: Fight, held: Held) -> acts.Act | None:
    """Return the spark of automatic play: for a friend at 0 hit points, or an enemy out of reach."""
    holder, feet = held.holder, fight.figure("classes.cleric-divine-spark", "range_ft")
    down = [one for one in fight.allies(holder) if one.hp == 0 and "dead" not in one.conditions]
    down = [one for one in down if within(holder, one, feet) and sees(fight, holder, one)]
    if down:
        return UseFeature(actor=holder.id, feature=held.name, target=down[0].id, option="heal")
    if enemies_within(fight, holder, holder.reach):
        return None
    seen = [one for one in enemies_within(fight, holder, feet) if sees(fight, holder, one)]
    if not seen:
        return None
    return UseFeature(actor=holder.id, feature=held.name, target=seen[0].id, option="radiant")


TURNED: Final = "turned"
SEARED: Final = "sear undead"


def turn_undead(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Censure the undead nearby: those that fail a save flee for a minute, and may be seared."""
    holder, topic = held.holder, "classes.cleric-turn-undead"
    rule, feet = fight.rule(topic), fight.figure(topic, "range_ft")
    refuse_option(held, act, ("", "turn only"), rule)
    targets = [target_near(fight, holder, one, feet, rule) for one in dict.fromkeys(act.targets)] or [
        one
        for one in fight.enemies(holder)
        if is_undead(one) and within(holder, one, feet) and not is_charmed_by(holder, one)
    ]
    wrong = next((one for one in targets if not is_undead(one)), None)
    if wrong is not None or not targets:
        raise Refusal(f"{wrong.id} is not Undead" if wrong else "no creature nearby is Undead", rule)
    refuse_charmer_among(fight, holder, targets)
    used = channel(fight, holder, CLERIC_CHANNEL, rule)
    yield from magic_action(fight, holder, held.name, rule)
    yield used
    cites, number = (rule, *fight.rules("classes.cleric-channel-divinity")), save_dc(fight, holder, "cleric")
    failed = []
    for one in targets:
        if not (
            yield from test.save(fight, one, fight.figure(topic, "save"), number, why=held.name, cites=cites)
        ):
            failed.append(one)
    until = Until("turn-end", holder.id, fight.state.round + rounds_of(fight, topic, "duration"))
    for one in failed:
        yield from gain(fight, one, TURNED, holder.id, until)
        for condition in fight.figure(topic, "condition"):
            yield from gain(fight, one, condition, holder.id, until)
    if failed and not act.option and feature_named(fight, holder, SEARED):
        yield from sear(fight, holder, failed)


def wants_turning(fight: Fight, held: Held) -> bool:
    """Return whether automatic play turns undead: one that is not turned is near."""
    near = enemies_within(fight, held.holder, fight.figure("classes.cleric-turn-undead", "range_ft"))
    return any(is_undead(one) and TURNED not in one.conditions for one in near)


def sear(fight: Fight, holder: Combatant, targets: list[Combatant]) -> Steps[None]:
    """Deal the damage of Sear Undead, rolled once, to all undead that have failed the save."""
    topic = "classes.cleric-sear-undead"
    row = fight.figure(topic)
    many = max(row["least"], modifier_of(fight, holder, "wis"))
    rolled = yield from damage.roll_damage(
        fight, holder.id, [Dice(f"{many}{row['die']}", row["type"], SEARED)], False
    )
    for one in targets:
        blow = Blow(holder.id, SEARED, magical=True)
        yield from damage.settle(fight, one, blow, rolled, cites=fight.rules(topic))


def is_undead(combatant: Combatant) -> bool:
    """Return whether a combatant is an undead that is still up."""
    return combatant.sheet.kind == TURNABLE and "dead" not in combatant.conditions


TURNABLE: Final = "undead"
"""The type of creature that a cleric turns."""


def turned_by(held: Held, fight: Fight) -> Combatant | None:
    """Return the cleric that has turned a combatant."""
    return fight.state.combatants.get(held.holder.conditions[TURNED].source)


def flees(fight: Fight, held: Held, act: acts.Act) -> None:
    """Refuse moves of the turned that do not lead away, and the end of a turn in which they can."""
    holder, cleric, rule = held.holder, turned_by(held, fight), fight.rule("classes.cleric-turn-undead")
    if cleric is None:
        return
    if isinstance(act, acts.Move) and act.path:
        if distance(holder, cleric, act.path[-1]) <= distance(holder, cleric):
            raise Refusal(f"{holder.id} is turned and moves away from {cleric.id}", rule)
    elif isinstance(act, acts.EndTurn) and way_out(fight, holder, cleric):
        raise Refusal(f"{holder.id} is turned and can still move away from {cleric.id}", rule)


def way_out(fight: Fight, holder: Combatant, cleric: Combatant) -> acts.Move | None:
    """Return the move that leads a turned combatant as far away as it can go; None if none leads farther."""
    if not full_speed(fight, holder):
        return None
    how = "crawl" if "prone" in holder.conditions else "normal"
    best: tuple[int, int, tuple[Square, ...]] = distance(holder, cleric), 0, ()
    for there, (path, cost) in cheapest_paths(fight, holder, feet_left(fight, holder), how):
        best = max(best, (distance(holder, cleric, there), -cost, path))
    return acts.Move(actor=holder.id, path=best[2], how=how) if best[2] else None


def plays_flight(fight: Fight, held: Held) -> acts.Move | None:
    """Return the move by which a turned combatant flees."""
    cleric = turned_by(held, fight)
    return way_out(fight, held.holder, cleric) if cleric is not None else None


def no_longer_turned(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """End the turning of a combatant that takes damage, except that of Sear Undead."""
    if blow.source != SEARED:
        yield from ends_of_turning(fight, held.holder, "it takes damage")


def ends_of_turning(fight: Fight, holder: Combatant, why: str) -> list[ConditionLost]:
    """Return the facts that end the turning of a combatant."""
    cleric, cites = holder.conditions[TURNED].source, fight.rules("classes.cleric-turn-undead-ends")
    some = (TURNED, *fight.figure("classes.cleric-turn-undead", "condition"))
    return [
        ConditionLost(who=holder.id, condition=one, why=why, cites=cites)
        for one in some
        if one in holder.conditions and holder.conditions[one].source == cleric
    ]


def preserve_life(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Divide hit points among the Bloodied nearby: a Magic action and a use of Channel Divinity.

    Without amounts they go to the named ones in order, to all Bloodied allies if none are named.
    """
    holder, topic = held.holder, held.feature.topic
    rule, feet = fight.rule(topic), fight.figure(topic, "range_ft")
    pool = life_of(fight, held)
    named = [target_near(fight, holder, one, feet, rule) for one in dict.fromkeys(act.targets)]
    if act.amounts and (len(act.amounts) != len(named) or min(act.amounts) < 1 or sum(act.amounts) > pool):
        raise Refusal(f"{holder.id} divides {pool} hit points among its targets", rule)
    if not named:
        friends = (holder, *fight.allies(holder))
        named = [one for one in friends if within(holder, one, feet) and needs_life(one)]
        named.sort(key=lambda one: (one.hp, one.id))
    for one in named:
        if not needs_life(one):
            raise Refusal(f"{one.id} is not Bloodied, or has half of its hit points", rule)
    if not named:
        raise Refusal(f"no creature near {holder.id} is Bloodied", rule)
    rooms = [one.max_hp // 2 - one.hp for one in named]
    parts = list(act.amounts)
    if not parts:
        for room in rooms:
            parts.append(min(room, pool))
            pool -= parts[-1]
    over = next((one for one, part, room in zip(named, parts, rooms, strict=True) if part > room), None)
    if over is not None:
        raise Refusal(f"{over.id} regains no more than half of its hit points", rule)
    used = channel(fight, holder, CLERIC_CHANNEL, rule)
    yield from magic_action(fight, holder, held.name, rule)
    yield used
    for one, part in zip(named, parts, strict=True):
        yield from damage.heal(fight, one, part, held.name, topic)


def needs_life(one: Combatant) -> bool:
    """Return whether a combatant has less than half of its hit points, and lives."""
    return one.hp < one.max_hp // 2 and "dead" not in one.conditions


def learned(fight: Fight, held: Held, skill: str) -> Iterator[Modifier]:
    """Yield what a Thaumaturge adds to Arcana and Religion."""
    if skill in ("arcana", "religion"):
        value = max(1, modifier_of(fight, held.holder, "wis"))
        yield Modifier(value, "untyped", held.name, fight.rule(held.feature.topic))


def wants_life(fight: Fight, held: Held) -> bool:
    """Return whether automatic play preserves life: half of the pool would go to friends in need."""
    feet = fight.figure(held.feature.topic, "range_ft")
    friends = [one for one in (held.holder, *fight.allies(held.holder)) if within(held.holder, one, feet)]
    missing = sum(one.max_hp // 2 - one.hp for one in friends if needs_life(one))
    return 2 * missing >= life_of(fight, held)


def life_of(fight: Fight, held: Held) -> int:
    """Return the hit points that Preserve Life divides."""
    return int(str(fight.figure(held.feature.topic, "pool")).partition("*")[0]) * held.number


def life_in_spells(fight: Fight, held: Held, casting: Casting) -> int:
    """Return what a Disciple of Life adds to a healing spell."""
    base = int(str(fight.figure(held.feature.topic, "bonus")).split()[0])
    return base + casting.slot


CLERIC: Final = {
    "disciple of life": Feature(
        topic="classes.cleric-disciple-of-life",
        level=("cleric", 3),
        choice="life domain",
        more_healing=life_in_spells,
    ),
    "turn undead": Feature(
        topic="classes.cleric-turn-undead",
        level=("cleric", 2),
        use=turn_undead,
        offers=simply,
        plays=used_when(wants_turning),
    ),
    "preserve life": Feature(
        topic="classes.cleric-preserve-life",
        level=("cleric", 3),
        choice="life domain",
        use=preserve_life,
        offers=simply,
        plays=used_when(wants_life),
    ),
    "divine order (protector)": Feature(
        topic="classes.cleric-divine-order", level=("cleric", 1), choice="protector"
    ),
    "divine order (thaumaturge)": Feature(
        topic="classes.cleric-divine-order", level=("cleric", 1), choice="thaumaturge", on_check=learned
    ),
    "divine spark": Feature(
        topic="classes.cleric-channel-divinity",
        level=("cleric", 2),
        pool=Pool(CLERIC_CHANNEL, by_level("cleric", "channel"), "one"),
        use=divine_spark,
        offers=sparks,
        plays=plays_spark,
    ),
    TURNED: Feature(
        topic="classes.cleric-turn-undead-ends",
        state=TURNED,
        forbids=flees,
        after_damage=no_longer_turned,
        plays=plays_flight,
    ),
    SEARED: Feature(topic="classes.cleric-sear-undead", level=("cleric", 5)),
}

# --- Paladins

HANDS: Final = "lay on hands"


def lay_on_hands(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Heal a creature by touch, or rid it of poison: a Bonus Action, from a pool of hit points.

    Without an amount as much as it lacks, at most what is left.
    """
    holder, topic = held.holder, "classes.paladin-lay-on-hands"
    rule, poisoned = fight.rule(topic), act.option == "poisoned"
    refuse_option(held, act, ("", "poisoned"), rule)
    target = target_near(
        fight, holder, act.target or holder.id, fight.figure("attacks.reach", "reach_ft"), rule
    )
    cost = fight.figure("classes.paladin-lay-on-hands-poison", "cost_points") if poisoned else 0
    if poisoned and "poisoned" not in target.conditions:
        raise Refusal(f"{target.id} is not poisoned", fight.rule("classes.paladin-lay-on-hands-poison"))
    left = left_of(fight, holder, HANDS)
    amount = act.amount if act.amount or poisoned else min(left, target.max_hp - target.hp)
    if amount <= 0 and not poisoned:
        reason = f"{target.id} has all its hit points" if left else f"{holder.id} has nothing left to heal"
        raise Refusal(reason, rule)
    used = draw_on(fight, holder, HANDS, rule, amount=amount + cost)
    yield spend(fight, holder, "bonus", held.name, rule)
    yield used
    if poisoned:
        cites = fight.rules("classes.paladin-lay-on-hands-poison")
        yield ConditionLost(who=target.id, condition="poisoned", why=held.name, cites=cites)
    if amount:
        yield from damage.heal(fight, target, amount, held.name, topic)


def on_friends(fight: Fight, held: Held) -> Iterator[acts.Act]:
    """Yield the touch of the wounded on the own side, the worst first."""
    friends = (held.holder, *fight.allies(held.holder))
    for one in sorted(friends, key=lambda one: (one.hp, one.id)):
        yield UseFeature(actor=held.holder.id, feature=held.name, target=one.id)


def plays_hands(fight: Fight, held: Held) -> acts.Act | None:
    """Return the touch of automatic play: for the most wounded next to a paladin with half its hit points."""
    beside = [one for one in fight.allies(held.holder) if within(held.holder, one, held.holder.reach)]
    worn = [one for one in (held.holder, *beside) if is_worn_down(one)]
    if not worn:
        return None
    worst = min(worn, key=lambda one: (one.hp, one.id))
    return UseFeature(actor=held.holder.id, feature=held.name, target=worst.id)


SENSING: Final = "divine sense"
SENSED: Final = ("celestial", "fiend", "undead")
"""The kinds of creatures that Divine Sense locates."""


def divine_sense(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Become aware of Celestials, Fiends and Undead nearby, for ten minutes."""
    holder, topic = held.holder, "classes.paladin-divine-sense"
    rule = fight.rule(topic)
    action, used = (
        spend(fight, holder, "bonus", held.name, rule),
        channel(fight, holder, PALADIN_CHANNEL, rule),
    )
    yield action
    yield used
    until = Until("turn-end", holder.id, fight.state.round + rounds_of(fight, topic, "duration"))
    yield ConditionGained(who=holder.id, condition=SENSING, source=held.name, until=until, cites=(rule,))
    for one in fight.state.combatants.values():
        if senses_divinely(fight, held, one):
            what = f"senses {one.id}, {one.sheet.kind}, at {one.at[0]},{one.at[1]}"
            yield RuleApplied(who=holder.id, what=what, cites=(rule,))


def senses_divinely(fight: Fight, held: Held, other: Combatant) -> bool:
    """Return whether Divine Sense locates a combatant."""
    near = fight.figure("classes.paladin-divine-sense", "range_ft")
    return other.id != held.holder.id and other.sheet.kind in SENSED and within(held.holder, other, near)


SACRED: Final = "sacred weapon"


def sacred_weapon(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Imbue a Melee weapon in hand as part of the Attack action, or end that."""
    holder, topic = held.holder, "classes.paladin-sacred-weapon"
    rule = fight.rule(topic)
    refuse_option(held, act, ("", "end"), rule)
    before = next((one for one in holder.effects if one.stat == SACRED), None)
    if act.option == "end":
        if before is None:
            raise Refusal(f"{holder.id} has no sacred weapon", rule)
        yield EffectEnded(who=holder.id, id=before.id, why="the paladin ends it", cites=(rule,))
        return
    usable = [
        one.name for one in holder.sheet.weapons if one.name in holder.held and one.wield != "projectile"
    ]
    name = act.weapon or (usable[0] if usable else "")
    if name not in usable:
        raise Refusal(f"{holder.id} holds no Melee weapon {name}".rstrip(), rule)
    used, begun = channel(fight, holder, PALADIN_CHANNEL, rule), attacks_left(fight, holder) > 0
    if not begun and not can_attack(fight, holder):
        raise Refusal(f"{holder.id} does not take the Attack action", rule)
    if not begun:
        yield attack_begun(fight, holder)
    yield used
    if before is not None:
        yield EffectEnded(who=holder.id, id=before.id, why="it is used again", cites=(rule,))
    bonus = max(fight.figure(topic, "least"), modifier_of(fight, holder, "cha"))
    yield EffectGained(
        who=holder.id,
        id=f"{SACRED}:{holder.id}:{fight.declaration}",
        stat=SACRED,
        modifier=Modifier(bonus, "untyped", name, rule),
        until=Until("turn-end", holder.id, fight.state.round + rounds_of(fight, topic, "duration")),
        cites=(rule,),
    )


def wants_blessing(fight: Fight, held: Held) -> bool:
    """Return whether automatic play blesses its weapon: before its attacks, next to an enemy."""
    holder = held.holder
    ready = attacks.has_attack(fight, holder) and STRIKES not in holder.spent
    blessed = any(one.stat == SACRED for one in holder.effects)
    return ready and not blessed and bool(enemies_within(fight, holder, holder.reach))


def is_sacred(holder: Combatant, strike: Strike) -> Modifier | None:
    """Return what a sacred weapon adds to an attack with it."""
    found = (one.modifier for one in holder.effects if one.stat == SACRED)
    return next((one for one in found if one.source == strike.weapon.name and strike.melee), None)


def sacred_attack(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield the bonus of a sacred weapon."""
    part = is_sacred(held.holder, strike)
    if part is not None:
        yield Modifier(part.value, "untyped", held.name, fight.rule(held.feature.topic))


def sacred_damage(fight: Fight, held: Held, strike: Strike, dice: Dice) -> Steps[Dice]:
    """Let a paladin choose between Radiant and normal damage of its sacred weapon."""
    if is_sacred(held.holder, strike) is None:
        return dice
    rule, question = fight.rule(held.feature.topic), "which damage does the sacred weapon deal?"
    kind = yield Choice(held.holder.id, SACRED, question, ("radiant", "normal"), rule)
    return dice if kind == "normal" else Dice(dice.notation, kind, dice.source)


PALADIN: Final = {
    HANDS: Feature(
        topic="classes.paladin-lay-on-hands",
        level=("paladin", 1),
        pool=Pool(HANDS, by_level("paladin", "lay_on_hands")),
        use=lay_on_hands,
        offers=on_friends,
        plays=plays_hands,
    ),
    "paladin's smite": Feature(
        topic="classes.paladin-smite",
        level=("paladin", 2),
        prepares=("divine smite",),
        free=lambda fight, held: held.feature.prepares,
    ),
    "sensing the divine": Feature(topic="classes.paladin-divine-sense", state=SENSING, knows=senses_divinely),
    "faithful steed": Feature(
        topic="classes.paladin-faithful-steed",
        level=("paladin", 5),
        prepares=("find steed",),
        free=lambda fight, held: held.feature.prepares,
    ),
    "divine sense": Feature(
        topic="classes.paladin-channel-divinity",
        level=("paladin", 3),
        pool=Pool(PALADIN_CHANNEL, by_level("paladin", "channel"), "one"),
        use=divine_sense,
        offers=simply,
    ),
    "blessed warrior": Feature(
        topic="classes.paladin-fighting-style", level=("paladin", 2), choice="blessed warrior", printed=True
    ),
    SACRED: Feature(
        topic="classes.paladin-sacred-weapon",
        level=("paladin", 3),
        choice="devotion",
        use=sacred_weapon,
        offers=simply,
        plays=used_when(wants_blessing),
        on_attack=sacred_attack,
        weapon_dice=sacred_damage,
    ),
}


# --- Wizards


RECOVERY: Final = "arcane recovery"


def arcane_recovery(fight: Fight, held: Held, long: bool) -> Steps[None]:
    """Regain expended slots after a Short Rest: of half the wizard's level in all, once until a Long Rest."""
    holder, topic = held.holder, held.feature.topic
    rule, room = fight.rule(topic), -(-held.number // fight.figure(topic, "divisor"))
    most, begun = fight.figure(topic, "max_slot"), False
    while room and not long:
        levels = range(1, min(room, most) + 1)
        used = [level for level in levels if holder.resources.get(magic.slot_name(level), 0) > 0]
        if not used or (not begun and not left_of(fight, holder, RECOVERY)):
            return
        question = f"{holder.id} can recover slots of {counted(room, 'level')} together: which?"
        options = (*(magic.slot_name(level) for level in reversed(used)), "stop")
        answer = yield Choice(holder.id, RECOVERY, question, options, rule)
        if answer == "stop":
            return
        if not begun:
            yield draw_on(fight, holder, RECOVERY, rule)
        yield ResourceSpent(who=holder.id, resource=answer, amount=-1, cites=(rule,))
        begun = True
        room -= next(level for level in used if magic.slot_name(level) == answer)


WIZARD: Final = {
    RECOVERY: Feature(
        topic="classes.wizard-arcane-recovery",
        level=("wizard", 1),
        pool=Pool(RECOVERY, lambda fight, held: 1),
        rested=arcane_recovery,
    ),
    "potent cantrip": Feature(
        topic="classes.wizard-potent-cantrip", level=("wizard", 3), choice="evoker", strong_cantrips=True
    ),
}


@per_company()
def blessings_that_end(fight: Fight) -> tuple[ConditionLost | EffectEnded, ...]:
    """Return the facts that end what a cleric or paladin can no longer uphold."""
    made: list[ConditionLost | EffectEnded] = []
    for one in fight.state.combatants.values():
        if TURNED in one.conditions:
            cleric = fight.state.combatants.get(one.conditions[TURNED].source)
            why = incapacitating(cleric) if cleric is not None else ""
            made += ends_of_turning(fight, one, f"{cleric.id} is {why}") if cleric and why else []
        if SENSING in one.conditions and (why := incapacitating(one)):
            cites = fight.rules("classes.paladin-divine-sense")
            made.append(ConditionLost(who=one.id, condition=SENSING, why=f"{one.id} is {why}", cites=cites))
        for effect in one.effects:
            if effect.stat == SACRED and one.items.get(effect.modifier.source) in (
                "dropped",
                "gone",
                "broken",
            ):
                cites = fight.rules("classes.paladin-sacred-weapon")
                made.append(EffectEnded(who=one.id, id=effect.id, why="it is not carried", cites=cites))
    return tuple(made)


FEATURES: Final = {**CLERIC, **PALADIN, **WIZARD}
STATES: Final = {
    TURNED: ConditionRule("classes.cleric-turn-undead"),
    SENSING: ConditionRule("classes.paladin-divine-sense"),
}
"""The conditions that these features cause."""
