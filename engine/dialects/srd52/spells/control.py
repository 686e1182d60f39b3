"""Spells that hold, charm, frighten or confuse: a save, what lasts after it, and how it ends."""

from functools import partial
from typing import Final

from affray.engine.dialects.srd52 import areas, poisons
from affray.engine.dialects.srd52.attacks import prepare, strike_with
from affray.engine.dialects.srd52.conditions import AWAY, drop_all, gain
from affray.engine.dialects.srd52.features import Blow, Casting, Feature, Held, Strike, features_of
from affray.engine.dialects.srd52.gear import arms
from affray.engine.dialects.srd52.magic import conditions_of, end_of, end_on, expend, last
from affray.engine.dialects.srd52.movement import DASH, full_speed
from affray.engine.dialects.srd52.position import displaced, distance, others_at, within
from affray.engine.dialects.srd52.senses import in_sight
from affray.engine.dialects.srd52.spell_effects import (
    affected,
    blast,
    one_roll,
    resist,
    row,
    saved,
    squares_of,
)
from affray.engine.dialects.srd52.turns import can_react, next_end, next_start
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.kernel.movement import walk
from affray.engine.kernel.paths import ways
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.combat import ConditionLost, Until
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- A save, and what lasts


def afflict(fight: Fight, casting: Casting, target: Combatant, until: Until | None = None) -> Steps[None]:
    """Put a target under a spell, with the conditions that it gives: all of them, or the one chosen."""
    yield from last(fight, casting, target, until)
    found = conditions_of(fight, casting.feature)
    for name in (casting.choice,) if casting.choice in found else found:
        yield from gain(fight, target, name, casting.caster.id, until or end_of(fight, casting))


def bind(fight: Fight, casting: Casting) -> Steps[None]:
    """Put the targets, or all in the area, under a spell unless they make the saving throw."""
    named = casting.targets or casting.chosen or "area" not in casting.row
    for target in casting.targets if named else affected(fight, casting):
        if not (yield from saved(fight, casting, target)):
            yield from afflict(fight, casting, target)


def dazzle(fight: Fight, casting: Casting) -> Steps[None]:
    """Blind all in the area that fail the save until the end of the caster's next turn."""
    for target in affected(fight, casting):
        if not (yield from saved(fight, casting, target)):
            yield from afflict(fight, casting, target, next_end(fight, casting.caster))


def save_again(fight: Fight, held: Held, *sources: Modifier) -> Steps[bool]:
    """Repeat the saving throw against a spell; a success ends it on the creature. Return whether it does."""
    caster, name = fight.combatant(held.caster), fight.figure(held.feature.topic, "save", "ability")
    saved = yield from resist(fight, caster, held.feature, held.name, held.holder, name, *sources)
    if saved:
        yield from end_on(fight, held, "a save ends it")
    return saved


def repeat(fight: Fight, held: Held) -> Steps[None]:
    """Repeat the saving throw at the end of the creature's turn."""
    yield from save_again(fight, held)


def end_by_damage(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """End a spell on a creature that takes damage."""
    yield from end_on(fight, held, "it takes damage")


# --- Charms


def charm(fight: Fight, casting: Casting) -> Steps[None]:
    """Charm the targets unless they make the saving throw, with Advantage: the caster's side fights them."""
    rule = fight.rule(casting.feature.topic)
    for target in casting.targets:
        sources = []
        if target.side != casting.caster.side:
            sources.append(Modifier(0, "advantage", "it is fought", rule))
        if not (yield from saved(fight, casting, target, *sources)):
            yield from afflict(fight, casting, target)


def end_by_harm(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """End a charm if the caster or an ally of the caster deals the damage."""
    attacker = fight.state.combatants.get(blow.attacker)
    caster = fight.state.combatants.get(held.caster)
    if attacker is not None and caster is not None and attacker.side == caster.side:
        yield from end_on(fight, held, "its caster's side harms it")


# --- Commands


def command(fight: Fight, casting: Casting) -> Steps[None]:
    """Give a command that a target follows in its next turn unless it makes the saving throw."""
    for target in casting.targets:
        if not (yield from saved(fight, casting, target)):
            yield from last(fight, casting, target, next_end(fight, target))


def obey(fight: Fight, held: Held) -> Steps[None]:
    """Follow a command as the turn starts; what is left of the turn is lost."""
    holder, caster = held.holder, fight.combatant(held.caster)
    rule = fight.rule(held.feature.topic)
    yield RuleApplied(who=holder.id, what=f"obeys: {held.choice}", cites=(rule,))
    if held.choice == "grovel":
        yield from gain(fight, holder, "prone", caster.id)
    elif held.choice == "drop":
        yield from drop_all(fight, holder)
    elif held.choice == "approach":
        yield from go(fight, holder, caster, nearer=True)
    elif held.choice == "flee":
        yield ActionSpent(who=holder.id, kind="action", what="dash", cites=(rule,))
        yield ActionSpent(who=holder.id, kind=DASH, what="dash", cites=(rule,))
        yield from go(fight, holder, caster, nearer=False)
    if held.choice != "approach" or within(holder, caster, SQUARE_FT):
        yield ActionSpent(who=holder.id, kind=OBEYED, what=held.choice, cites=(rule,))


OBEYED: Final = "a command obeyed"
"""The counter of a turn that a command has ended."""


def no_speed_once_obeyed(fight: Fight, held: Held, feet: int) -> int:
    """Leave no movement to a combatant whose turn a command has ended."""
    return 0 if held.holder.spent.get(OBEYED) else feet


def nothing_once_obeyed(fight: Fight, held: Held, allowed: dict[str, int]) -> dict[str, int]:
    """Leave no actions to a combatant whose turn a command has ended."""
    return dict.fromkeys(allowed, 0) if held.holder.spent.get(OBEYED) else allowed


def go(fight: Fight, mover: Combatant, other: Combatant, nearer: bool) -> Steps[None]:
    """Move as near to another as possible by the shortest way, or as far away by the safest one."""
    found = ways(fight, mover)
    if not found:
        return
    if nearer:
        best = min(found, key=lambda way: (distance(mover, other, way.to), way.feet, way.path))
        if distance(mover, other, best.to) >= distance(mover, other):
            return
    else:
        best = min(
            found, key=lambda way: (-distance(mover, other, way.to), len(way.past), way.feet, way.path)
        )
        if distance(mover, other, best.to) <= distance(mover, other):
            return
    yield from walk(fight, mover, best.path, "normal", fight.rule("movement.allowance"))


def whisper(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Let the target use its Reaction to move as far away as it can."""
    if not can_react(fight, target):
        return
    rule = fight.rule(casting.feature.topic)
    yield ReactionSpent(
        who=target.id, kind=casting.name, against=casting.caster.id, opportunity="", cites=(rule,)
    )
    yield from go(fight, target, casting.caster, nearer=False)


# --- Sleep, laughter, patterns


def sleep(fight: Fight, casting: Casting) -> Steps[None]:
    """Make the chosen creatures in the area Incapacitated until their next turn ends, or asleep."""
    caught = affected(fight, casting)
    chosen = [one for one in caught if not casting.targets or one in casting.targets]
    for target in chosen:
        if cannot_sleep(fight, target):
            rule = fight.rule(casting.feature.topic)
            yield RuleApplied(
                who=target.id, what=f"succeeds on the save against {casting.name}", cites=(rule,)
            )
            continue
        if not (yield from saved(fight, casting, target)):
            yield from last(fight, casting, target)
            yield from gain(fight, target, "incapacitated", casting.caster.id, end_of(fight, casting))


def cannot_sleep(fight: Fight, target: Combatant) -> bool:
    """Return whether a creature does not sleep, or is immune to Exhaustion."""
    own = fight.dialect.custom_of(target.sheet)
    return "exhaustion" in own.condition_immunities or "sleepless" in target.sheet.traits


def fall_asleep(fight: Fight, held: Held) -> Steps[None]:
    """Repeat the save against Sleep once; a failure makes the creature Unconscious."""
    holder = held.holder
    if "unconscious" in holder.conditions:
        return
    if not (yield from save_again(fight, held)):
        cites = fight.rules(held.feature.topic)
        why = "it falls asleep"
        yield ConditionLost(who=holder.id, condition="incapacitated", why=why, cites=cites)
        yield from gain(fight, holder, "unconscious", held.caster, held.until)


class Wake(acts.Act, frozen=True, gc=False, tag="srd52.wake"):
    """Shake a creature nearby out of a spell such as Sleep.

    target: the creature.
    """

    target: Name = ""


SHAKEN: Final = ("sleep", "hypnotic pattern")
"""The spells that an action of a creature nearby ends."""


def wake(fight: Fight, act: Wake) -> Steps[None]:
    """Shake a creature within 5 feet out of a spell, as an action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("magic.spell-sleep")
    check_turn(fight, actor)
    found = [one for one in features_of(fight, target) if one.id and one.name in SHAKEN]
    if not found and not poisons.is_woken_by(fight, target, "action"):
        raise Refusal(f"{target.id} is under no spell that an action ends", rule)
    if target is actor or not within(actor, target, SQUARE_FT):
        raise Refusal(f"{target.id} is not within 5 feet of {actor.id}", rule)
    yield spend(fight, actor, "action", "wake", rule)
    yield from poisons.wake(fight, target, "action", f"{actor.id} shakes it")
    for held in found:
        yield from end_on(fight, held, f"{actor.id} shakes it")


def laugh_on(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Repeat the save against Hideous Laughter with Advantage as the creature takes damage."""
    yield from save_again(fight, held, Modifier(0, "advantage", "damage", fight.rule(held.feature.topic)))


def cannot_stand(fight: Fight, held: Held, act: acts.Act) -> None:
    """Refuse to end the Prone condition while laughing."""
    if isinstance(act, acts.Stand):
        raise Refusal(f"{held.holder.id} cannot stand up for laughter", fight.rule(held.feature.topic))


def pattern(fight: Fight, casting: Casting) -> Steps[None]:
    """Charm those in the area that see the pattern and fail the save."""
    for target in affected(fight, casting):
        if "blinded" in target.conditions or "unconscious" in target.conditions:
            continue
        if not (yield from saved(fight, casting, target)):
            yield from afflict(fight, casting, target)


def no_speed(fight: Fight, held: Held, feet: int) -> int:
    """Leave no Speed, as the spell says."""
    return min(feet, int(fight.figure(held.feature.topic, "speed")))


# --- Fear


def terrify(fight: Fight, casting: Casting) -> Steps[None]:
    """Make all in the area that fail the save drop what they hold and Frightened."""
    for target in affected(fight, casting):
        if not (yield from saved(fight, casting, target)):
            yield from drop_all(fight, target)
            yield from afflict(fight, casting, target)


def run_away(fight: Fight, held: Held) -> Steps[None]:
    """Dash away from the caster by the safest route as the turn starts, if there is anywhere to go."""
    holder, caster = held.holder, fight.combatant(held.caster)
    if "frightened" not in holder.conditions or not full_speed(fight, holder):
        return
    rule = fight.rule(held.feature.topic)
    yield ActionSpent(who=holder.id, kind="action", what="dash", cites=(rule,))
    yield ActionSpent(who=holder.id, kind=DASH, what="dash", cites=(rule,))
    yield from go(fight, holder, caster, nearer=False)


def calm_out_of_sight(fight: Fight, held: Held) -> Steps[None]:
    """Repeat the save at the end of a turn out of the caster's line of sight."""
    if not in_sight(fight, held.holder, fight.combatant(held.caster)):
        yield from save_again(fight, held)


# --- Slow, weaken, confuse, banish


def slow_down(fight: Fight, casting: Casting) -> Steps[None]:
    """Slow the chosen creatures in the area that fail the save."""
    squares = squares_of(fight, casting)
    caught = {one.id for one in areas.inside(fight, squares)}
    for target in casting.targets:
        if target.id not in caught:
            continue
        if not (yield from saved(fight, casting, target)):
            yield from afflict(fight, casting, target)


def half_speed(fight: Fight, held: Held, feet: int) -> int:
    """Halve the Speed."""
    return int(feet * fight.figure(held.feature.topic, "speed_factor"))


def armor_of_spell(fight: Fight, held: Held) -> list[Modifier]:
    """Return what a spell adds to Armor Class."""
    rule = fight.rule(held.feature.topic)
    return [Modifier(fight.figure(held.feature.topic, "ac"), "spell", held.name, rule)]


def slow_saves(fight: Fight, held: Held, ability: str, against: frozenset[str]) -> list[Modifier]:
    """Return the penalty of Slow on Dexterity saves."""
    if ability != "dex":
        return []
    value = fight.figure(held.feature.topic, "dex_save")
    return [Modifier(value, "spell", held.name, fight.rule(held.feature.topic))]


def fumble(fight: Fight, held: Held, casting: Casting) -> Steps[bool]:
    """Roll whether the slowed caster of a spell with gestures fails, which uses up its slot."""
    if casting.caster is not held.holder or "S" not in casting.row.get("components", ()):
        return False
    rolled = yield Roll(held.holder.id, "spell-failure", "1d100")
    if rolled.total > 100 * fight.figure(held.feature.topic, "spell_failure"):
        return False
    yield RuleApplied(who=held.holder.id, what=f"{casting.name} fails", cites=fight.rules(held.feature.topic))
    yield from expend(fight, casting)
    return True


def action_or_bonus(fight: Fight, held: Held, allowed: dict[str, int]) -> dict[str, int]:
    """Allow an action or a Bonus Action, not both."""
    spent = held.holder.spent
    if spent.get("action"):
        return {**allowed, "bonus": 0}
    return {**allowed, "action": 0} if spent.get("bonus") else dict(allowed)


def no_reactions(fight: Fight, held: Held) -> bool:
    """Allow no Reactions."""
    return False


def one_attack(fight: Fight, held: Held, act: acts.Act) -> None:
    """Refuse a second attack of the Attack action."""
    if isinstance(act, acts.Attack) and held.holder.spent.get("strikes"):
        raise Refusal(f"{held.holder.id} is slowed to one attack", fight.rule(held.feature.topic))


def enfeeble(fight: Fight, casting: Casting) -> Steps[None]:
    """Weaken the target; on a successful save only its next attack roll has Disadvantage."""
    for target in casting.targets:
        if (yield from saved(fight, casting, target)):
            until = next_start(fight, casting.caster)
            yield from one_roll(fight, casting, target, "attack", "disadvantage", until)
        else:
            yield from last(fight, casting, target)


def weak_attack(fight: Fight, held: Held, strike: Strike) -> list[Modifier]:
    """Give attack rolls by Strength Disadvantage."""
    rule = fight.rule(held.feature.topic)
    return [Modifier(0, "disadvantage", held.name, rule)] if strike.ability == "str" else []


def weak_save(fight: Fight, held: Held, ability: str, against: frozenset[str]) -> list[Modifier]:
    """Give Strength saves Disadvantage."""
    rule = fight.rule(held.feature.topic)
    return [Modifier(0, "disadvantage", held.name, rule)] if ability == "str" else []


def weak_check(fight: Fight, held: Held, skill: str) -> list[Modifier]:
    """Give Strength checks Disadvantage."""
    rule = fight.rule(held.feature.topic)
    return [Modifier(0, "disadvantage", held.name, rule)] if skill in ("str", "athletics") else []


def weak_hit(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[list[Modifier]]:
    """Take a die off the damage of the weakened."""
    rolled = yield Roll(held.holder.id, "bonus-die", fight.figure(held.feature.topic, "damage_penalty"))
    return [Modifier(-rolled.total, "spell", held.name, fight.rule(held.feature.topic))]


def banish(fight: Fight, casting: Casting) -> Steps[None]:
    """Send the targets that fail the save away: they are in no space until they return."""
    for target in casting.targets:
        if not (yield from saved(fight, casting, target)):
            yield from afflict(fight, casting, target)
            yield from gain(fight, target, AWAY, casting.caster.id)


NATIVE_ELSEWHERE: Final = ("aberration", "celestial", "elemental", "fey", "fiend")


def bring_back(fight: Fight, held: Held, why: str) -> Steps[None]:
    """Bring the banished back to its space or the nearest free one, unless it has gone home for good."""
    holder, rule = held.holder, fight.rule(held.feature.topic)
    if why == "its time is over" and holder.sheet.kind in NATIVE_ELSEWHERE:
        yield RuleApplied(who=holder.id, what="does not return", cites=(rule,))
        yield from gain(fight, holder, "gone for good", held.caster)
        return
    yield ConditionLost(who=holder.id, condition=AWAY, why=why, cites=(rule,))
    at = nearest_free(fight, holder, holder.at)
    if at == holder.at:
        return
    yield displaced(holder, (at,), "returns", (rule,))


def nearest_free(fight: Fight, combatant: Combatant, at: Square) -> Square:
    """Return the nearest place where a combatant has room, the first one in reading order among equals."""
    field = fight.field
    found = [
        (max(abs(x - at[0]), abs(y - at[1])), y, x)
        for x in range(field.width)
        for y in range(field.height)
        if field.passable((x, y), combatant.space) and not others_at(fight, combatant, (x, y))
    ]
    _, y, x = min(found, default=(0, at[1], at[0]))
    return x, y


def wander(fight: Fight, held: Held) -> Steps[None]:
    """Roll what the confused do in this turn."""
    holder, rule = held.holder, fight.rule(held.feature.topic)
    rolled = yield Roll(holder.id, "confusion", "1d10")
    found = next(
        what
        for span, what in fight.figure(held.feature.topic, "d10").items()
        if int(span.split("-")[0]) <= rolled.total <= int(span.split("-")[-1])
    )
    yield RuleApplied(who=holder.id, what=f"is confused: {found}", cites=(rule,))
    if found == "free":
        return
    if found == "random move":
        way = yield Roll(holder.id, "direction", "1d4")
        dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[way.total - 1]
        path = []
        here = holder.at
        for _ in range(full_speed(fight, holder) // SQUARE_FT):
            here = here[0] + dx, here[1] + dy
            if not fight.field.passable(here, holder.space) or others_at(fight, holder, here):
                break
            path.append(here)
        if path:
            yield from walk(fight, holder, path, "normal", rule)
    elif found != "nothing":
        near = [
            one
            for one in fight.state.combatants.values()
            if one.id != holder.id and "dead" not in one.conditions and within(holder, one, holder.reach)
        ]
        weapons = [one for one in arms(fight, holder) if one.wield != "projectile"]
        if near and weapons:
            chosen = near[0]
            if len(near) > 1:
                which = yield Roll(holder.id, "random-target", f"1d{len(near)}")
                chosen = near[which.total - 1]
            yield from strike_with(fight, prepare(fight, holder, chosen, weapons[0], False))
    yield ActionSpent(who=holder.id, kind=OBEYED, what="confusion", cites=(rule,))


def no_bonus_once_confused(fight: Fight, held: Held, allowed: dict[str, int]) -> dict[str, int]:
    """Allow no Bonus Actions to the confused, and nothing once the roll has used up the turn."""
    left = nothing_once_obeyed(fight, held, allowed)
    return {**left, "bonus": 0}


SPELLS: Final[dict[str, Feature]] = {
    **row("charm person", charm, unnoticed=True, seen=True, kinds=("humanoid",), after_damage=end_by_harm),
    **row("color spray", dazzle),
    **row(
        "command",
        command,
        seen=True,
        choices="options",
        turn_start=obey,
        on_speed=no_speed_once_obeyed,
        budget=nothing_once_obeyed,
    ),
    **row("dissonant whispers", partial(blast, then=whisper), seen=True),
    **row(
        "hideous laughter",
        bind,
        unnoticed=True,
        seen=True,
        turn_end=repeat,
        after_damage=laugh_on,
        forbids=cannot_stand,
    ),
    **row("sleep", sleep, unnoticed=True, chosen=True, turn_end=fall_asleep, after_damage=end_by_damage),
    **row("blindness/deafness", bind, unnoticed=True, seen=True, choices="condition", turn_end=repeat),
    **row("hold person", bind, unnoticed=True, seen=True, kinds=("humanoid",), turn_end=repeat),
    **row(
        "ray of enfeeblement",
        enfeeble,
        turn_end=repeat,
        on_attack=weak_attack,
        on_save=weak_save,
        on_check=weak_check,
        on_hit=weak_hit,
    ),
    **row("fear", terrify, turn_start=run_away, turn_end=calm_out_of_sight),
    **row("hypnotic pattern", pattern, after_damage=end_by_damage, on_speed=no_speed),
    **row(
        "slow",
        slow_down,
        unnoticed=True,
        chosen=True,
        turn_end=repeat,
        on_speed=half_speed,
        on_armor_class=armor_of_spell,
        on_save=slow_saves,
        budget=action_or_bonus,
        reacts=no_reactions,
        forbids=one_attack,
        casts=fumble,
    ),
    **row("banishment", banish, unnoticed=True, seen=True, over=bring_back),
    **row(
        "confusion",
        bind,
        unnoticed=True,
        turn_start=wander,
        turn_end=repeat,
        budget=no_bonus_once_confused,
        on_speed=no_speed_once_obeyed,
        reacts=no_reactions,
    ),
}
