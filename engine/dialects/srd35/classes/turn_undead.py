"""Turning undead: the check, the table, the turning damage, and whom it strikes (srd35.turn.*)."""

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import commanded_undead, turned_undead
from affray.engine.dialects.srd35.classes.turning_power import (
    HARDENED,
    hit_dice_to_turn,
    pool_of,
    refuse_other_energy,
    refuse_spent,
    turning_level,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import ability_now, lowered
from affray.engine.rules.classes.natures import is_a
from affray.engine.rules.classes.saves_and_checks import use_up
from affray.engine.rules.classes.turning_power import (
    refuse_without_symbol,
    turn_resistance,
)
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, ResourceSpent, TurningResolved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What already keeps a creature in the grip of a turning.
GRIPPED = ("turned", "rebuked", "commanded")


class Turning(Struct):
    """An attempt: the kind meant, the turner's level, the check and the Hit Dice that it affects."""

    who: Combatant
    what: str
    kind: str
    level: int
    total: int = 0
    most: int = 0
    damage: int = 0
    left: int = 0
    damage_topic: str = "srd35.turn.damage"


def turn_undead(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Present the holy symbol and channel energy as a standard action that provokes nothing.

    The check comes first, the turning damage only if an undead can be affected; then the closest first
    (srd35.turn.action, .holy-symbol, .check, .damage, .range).
    """
    if act.what in ("order", "release"):
        yield from (
            commanded_undead.order_commanded if act.what == "order" else commanded_undead.release_commanded
        )(fight, act)
        return
    actor = fight.combatant(act.actor)
    refuse_other_energy(fight, actor, act.what, act.kind)
    levels = turning_level(fight, actor)
    refuse_without_symbol(fight, actor, "srd35.turn.holy-symbol")
    pool = pool_of(act.what, act.kind)
    cites = refuse_spent(fight, actor, pool)
    bolstered = to_bolster(fight, actor, act) if act.what == "bolster" else []
    yield spending(
        fight, actor, "standard", pool, *fight.rules("srd35.turn.action", "srd35.turn.holy-symbol")
    )
    yield ResourceSpent(who=actor.id, resource=pool, amount=1, cites=cites)
    # Turning counts as an attack for those who wait for one.
    yield from triggered(fight, actor, "attacks")
    if is_down(fight, actor):
        return
    turning = Turning(actor, act.what, act.kind, sum(part.value for part in levels))
    if act.what == "bolster":
        yield from bolster(fight, turning, bolstered)
        return
    if act.what == "dispel":
        turning.damage_topic = "srd35.turn.dispel-damage"
    within = yield from creatures_in_range(fight, actor, act.kind)
    if act.what == "dispel":
        within = [one for one in within if "turned" in one.conditions]
    found = yield from roll_turning(fight, turning, levels, within)
    yield from closest_first(fight, turning, found)


def creatures_in_range(fight: Fight, combatant: Combatant, kind: str) -> Steps[list[Combatant]]:
    """Return the creatures of a kind within range and line of effect, noting those that are not.

    srd35.turn.range, srd35.turn.line.
    """
    found = []
    most = fight.figure("srd35.turn.range", "range_ft")
    for one in fight.state.combatants.values():
        if one is combatant or not is_a(one, kind) or "dead" in one.conditions:
            continue
        if distance(combatant, one) > most:
            what = f"{distance(combatant, one)} ft. away, beyond the {most} ft. that turning reaches"
            yield RuleApplied(who=one.id, what=what, cites=(fight.rule("srd35.turn.range"),))
        elif not sees(fight, combatant, one):
            what = f"no line of effect from {combatant.id}"
            yield RuleApplied(who=one.id, what=what, cites=fight.rules("srd35.turn.range", "srd35.turn.line"))
        else:
            found.append(one)
    return found


def roll_turning(
    fight: Fight, turning: Turning, levels: list[Modifier], within: list[Combatant]
) -> Steps[list[Combatant]]:
    """Make the turning check and, if it affects anybody, roll turning damage; return whom it affects.

    A dispelling compares its check with that of the turning instead of the table.
    """
    combatant = turning.who
    fact = yield from turning_check(fight, turning, *check_rules(fight, turning))
    found = [one for one in within if is_affected(fight, turning, one)]
    if found:
        topic = turning.damage_topic
        rule = fight.rule(topic)
        notation = str(fight.figure(topic, "turning_damage")).split()[0]
        thrown = yield Roll(combatant.id, "turning-damage", notation)
        damage_parts = [*levels, Modifier(ability_now(fight, combatant, "cha"), "ability", "Charisma", rule)]
        fact = replace(
            fact,
            damage_key=thrown.key,
            damage=thrown.total + sum(part.value for part in damage_parts),
            damage_parts=tuple(damage_parts),
            cites=tuple(dict.fromkeys((*fact.cites, rule))),
        )
    turning.left = turning.damage = fact.damage
    yield fact
    yield from use_up(turning.who, "turning")
    for one in within:
        if one not in found:
            what, also = too_strong(fight, turning, one)
            yield RuleApplied(who=one.id, what=what, cites=also)
    return found


def check_rules(fight: Fight, turning: Turning) -> tuple[str, ...]:
    """Return the rules that decide a turning check: the energy channeled, the check, what the table says.

    A dispelling compares checks and needs no table.
    """
    energy = "srd35.turn.positive-energy" if turning.what == "turn" else "srd35.turn.negative-energy"
    table = ("srd35.turn.table",) if turning.what != "dispel" else ()
    others = ("srd35.turn.other-creatures",) if turning.kind != "undead" else ()
    return fight.rules(energy, "srd35.turn.check", "srd35.turn.standard-example", *table, *others)


def turning_check(fight: Fight, turning: Turning, *cites: str) -> Steps[TurningResolved]:
    """Roll the Charisma check of a turning; the attempt knows its total and what the table makes of it.

    Return the fact of it as far as the check decides it.
    """
    combatant = turning.who
    rule = fight.rule("srd35.turn.check")
    charisma = Modifier(ability(combatant.sheet, "cha"), "ability", "Charisma", rule)
    own = (charisma, *lowered(fight, combatant, "cha"))
    mine = side_of(fight, combatant, "turning", own, "ability-check")
    tally = fight.stack(mine.parts)

    def judge(key: str, face: int) -> TurningResolved:
        total = face + tally.total
        return TurningResolved(
            who=combatant.id,
            what=turning.what,
            kind=turning.kind,
            key=key,
            natural=face,
            total=total,
            most=turning.level + hit_dice_offset(fight, total),
            parts=tally.parts,
            cites=tuple(dict.fromkeys(cites)),
        )

    rolled = yield Roll(
        combatant.id, "turning", str(fight.figure("srd35.turn.standard-example", "check")), judge
    )
    fact = judge(rolled.key, rolled.faces[0])
    turning.total, turning.most = fact.total, fact.most
    return fact


def hit_dice_offset(fight: Fight, total: int) -> int:
    """Return by how much the table's Hit Dice differ from the turner's level (srd35.turn.table)."""
    rows = fight.figure("srd35.turn.table")
    reached = (row for row in rows if row["min"] is None or total >= row["min"])
    return next(int(row["offset"]) for row in reached if row["max"] is None or total <= row["max"])


def is_affected(fight: Fight, turning: Turning, target: Combatant) -> bool:
    """Say whether the check suffices for one creature."""
    if turning.what == "dispel":
        return turning.total >= target.conditions["turned"].level
    return hit_dice_to_turn(fight, target)[0] <= turning.most


def too_strong(fight: Fight, turning: Turning, target: Combatant) -> tuple[str, tuple[str, ...]]:
    """Return why the check does not suffice for a creature, and the rules that say so."""
    if turning.what == "dispel":
        level = target.conditions["turned"].level
        return f"{turning.total} falls short of the turning check of {level}", fight.rules(
            "srd35.turn.dispel"
        )
    dice, also = hit_dice_to_turn(fight, target)
    return f"{dice} Hit Dice are more than {turning.most}", (fight.rule("srd35.turn.check"), *also)


def closest_first(fight: Fight, turning: Turning, found: list[Combatant]) -> Steps[None]:
    """Affect creatures while Hit Dice are left: the closest first, of equals whom the turner means.

    Those that a turning already holds may be skipped; who takes more Hit Dice than are left is passed
    over (srd35.turn.range, .skip-turned, .damage).
    """
    waiting = list(found)
    while waiting and turning.left > 0:
        target = yield from next_target(fight, turning, waiting)
        waiting.remove(target)
        if turning.what != "dispel" and (yield from is_skipped(fight, turning, target)):
            continue
        dice, also = hit_dice_to_turn(fight, target)
        if dice > turning.left:
            low = ("srd35.turn.damage-low",) if turning.damage < dice <= turning.most else ()
            cites = (*fight.rules(turning.damage_topic, *low), *also)
            what = f"{dice} Hit Dice are more than the {turning.left} left"
            yield RuleApplied(who=target.id, what=what, cites=cites)
            continue
        turning.left -= dice
        yield from strike_with_awe(fight, turning, target, dice, also)


def next_target(fight: Fight, turning: Turning, waiting: list[Combatant]) -> Steps[Combatant]:
    """Return the closest creature; of equally close ones, where it matters, the one the turner names."""
    near = min(distance(turning.who, one) for one in waiting)
    level = [one for one in waiting if distance(turning.who, one) == near]
    if len(level) == 1 or sum(hit_dice_to_turn(fight, one)[0] for one in level) <= turning.left:
        return level[0]
    level.sort(key=lambda one: hit_dice_to_turn(fight, one)[0])
    question = f"whom does {turning.who.id} {turning.what} first, with {turning.left} Hit Dice left?"
    options = tuple(one.id for one in level)
    answer = yield Choice(turning.who.id, "first", question, options, fight.rule("srd35.turn.range"))
    return next(one for one in level if one.id == answer)


def is_skipped(fight: Fight, turning: Turning, target: Combatant) -> Steps[bool]:
    """Let the turner skip a creature that a turning already holds (srd35.turn.skip-turned)."""
    grip = next((name for name in GRIPPED if name in target.conditions), "")
    if not grip:
        return False
    rule = fight.rule("srd35.turn.skip-turned")
    question = f"{target.id} is {grip} already: does {turning.who.id} skip it?"
    if (yield Choice(turning.who.id, "skip", question, ("skip", "include"), rule)) != "skip":
        return False
    yield RuleApplied(who=target.id, what=f"skipped: {grip} already", cites=(rule,))
    return True


def strike_with_awe(
    fight: Fight, turning: Turning, target: Combatant, dice: int, also: tuple[str, ...]
) -> Steps[None]:
    """Do to one creature what the attempt does: turn or destroy, rebuke or command, or dispel."""
    combatant = turning.who
    if turning.what == "dispel":
        cites = fight.rules("srd35.turn.dispel", "srd35.turn.dispel-damage")
        yield from turned_undead.end_turning(fight, target, f"{combatant.id} dispels the turning", *cites)
        return
    mastered = turning.level >= fight.figure("srd35.turn.destroy", "ratio") * dice
    if turning.what == "turn" and mastered:
        yield from change_health(fight, target, "dead", f"destroyed by {combatant.id}", "turn.destroy")
    elif turning.what == "turn":
        rounds = fight.figure("srd35.turn.flee", "duration_rounds")
        unseen = (
            ("srd35.turn.line",)
            if "blinded" in combatant.conditions or "invisible" in target.conditions
            else ()
        )
        yield ConditionGained(
            who=target.id,
            condition="turned",
            source=combatant.id,
            until=for_rounds(fight, combatant, rounds),
            level=turning.total,
            cites=(*fight.rules("srd35.turn.flee", "srd35.cond.turned", *unseen), *also),
        )
        yield from turned_undead.cower_or_flee(fight, target)
    elif mastered and (
        yield from commanded_undead.room_to_command(fight, combatant, turning.level, target, dice)
    ):
        yield from commanded_undead.command(fight, combatant, target)
    else:
        yield from rebuke(fight, combatant, target, also)


def rebuke(fight: Fight, combatant: Combatant, target: Combatant, also: tuple[str, ...]) -> Steps[None]:
    """Let a creature cower in awe; no approach breaks it (srd35.turn.rebuked)."""
    rule = fight.rule("srd35.turn.rebuked")
    until = for_rounds(fight, combatant, fight.figure("srd35.turn.rebuked", "duration_rounds"))
    cites = (fight.rule("srd35.turn.evil"), rule, *also)
    gained = ConditionGained(
        who=target.id, condition="rebuked", source=combatant.id, until=until, cites=cites
    )
    yield from come_over(fight, gained)
    yield from turned_undead.cower(fight, target, f"rebuked by {combatant.id}", until, "", rule)


def to_bolster(fight: Fight, actor: Combatant, act: acts.TurnUndead) -> list[Combatant]:
    """Return whom a bolstering means: those named, or all of one's side within range.

    The channeler may be among them. Refuses others than creatures of the kind within range.
    """
    rule = fight.rule("srd35.turn.bolster")
    most = fight.figure("srd35.turn.range", "range_ft")
    allies = [one for one in fight.state.combatants.values() if one.side == actor.side]
    named = [fight.combatant(id) for id in act.targets] or [one for one in allies if is_a(one, act.kind)]
    found = [
        one for one in named if one is actor or (distance(actor, one) <= most and sees(fight, actor, one))
    ]
    for one in named:
        if not is_a(one, act.kind):
            raise Refusal(f"{one.id} is not of the kind to be bolstered: {act.kind}", rule)
        if act.targets and one not in found:
            reason = f"{one.id} is more than {most} ft. away from {actor.id} or behind total cover"
            raise Refusal(reason, fight.rule("srd35.turn.range"))
    if not found:
        raise Refusal(f"{actor.id} has no {act.kind} to bolster", rule)
    return found


def bolster(fight: Fight, turning: Turning, targets: list[Combatant]) -> Steps[None]:
    """Make the check as for rebuking: its Hit Dice count against turning for those who have fewer.

    There is no turning damage (srd35.turn.bolster, srd35.turn.bolster-duration).
    """
    combatant = turning.who
    rule = fight.rule("srd35.turn.bolster")
    yield (yield from turning_check(fight, turning, *check_rules(fight, turning), rule))
    yield from use_up(turning.who, "turning")
    rounds = fight.figure("srd35.turn.bolster-duration", "duration_rounds")
    until = for_rounds(fight, combatant, rounds)
    for number, one in enumerate(targets, 1):
        dice = one.sheet.hit_dice + turn_resistance(one)
        if turning.most <= dice:
            what = f"{turning.most} Hit Dice are no more than its own {dice}"
            yield RuleApplied(who=one.id, what=what, cites=(rule,))
            continue
        yield EffectGained(
            who=one.id,
            id=f"{fight.declaration}:bolster{number}",
            stat=HARDENED,
            modifier=Modifier(turning.most - dice, "bolster", f"bolstered by {combatant.id}", rule),
            until=until,
            cites=fight.rules("srd35.turn.bolster", "srd35.turn.bolster-duration"),
        )
