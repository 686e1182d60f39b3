"""Turning undead: who may turn what, the check, and its effects on the undead."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.abilities import ability_now, lost_levels, lowered
from affray.engine.rules.classes.checks import use_up
from affray.engine.rules.classes.feats import refuse_without_symbol, turn_resistance, turner_of
from affray.engine.rules.classes.sheets import ability, has_feat, has_trait, is_a
from affray.engine.rules.conditions.conditions import UNWILLED, apply_fear_condition, refuse_down
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.movement.movement import feet_apart, flight_path
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectGained,
    ResourceSpent,
    SideChanged,
    TurningResolved,
    Until,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Being turned, rebuked or commanded: flight, cowering, how it ends, orders (srd35.turn.*)

#: The effects of turning: cowering, or its replacement if only attackers benefit.
COWED = ("cowering", "cornered")


def cower_or_flee(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make a turned creature that cannot flee cower, and end this when it can (srd35.turn.cower)."""
    turner = turner_of(fight, combatant)
    if turner is None or is_down(fight, combatant):
        return
    rule = fight.rule("srd35.turn.cower")
    cowed = next(
        (name for name in COWED if name in combatant.conditions and is_of_turning(combatant, name)), ""
    )
    if flight_path(fight, combatant, turner):
        if cowed:
            yield ConditionLost(who=combatant.id, condition=cowed, why="has a way to flee", cites=(rule,))
    elif not any(name in combatant.conditions for name in COWED):
        until = combatant.conditions["turned"].until
        yield from cower(fight, combatant, f"cannot flee from {turner.id}", until, "cornered", rule)


def is_of_turning(combatant: Combatant, name: str) -> bool:
    """Return whether a cowering comes from being turned: it lasts as long."""
    return combatant.conditions[name].until == combatant.conditions["turned"].until


def cower(
    fight: Fight, combatant: Combatant, why: str, until: Until, otherwise: str, rule: str
) -> Steps[None]:
    """Give the cowering condition, or only `otherwise` if attackers gain a bonus instead.

    Which of the two counts is contested, never both: option `turned_cowering`.
    """
    cites: tuple[str, ...] = (rule,)
    if fight.option("turned_cowering") == "condition-only":
        cites, otherwise = (rule, fight.rule("srd35.cond.cowering")), "cowering"
    if otherwise:
        gained = ConditionGained(who=combatant.id, condition=otherwise, source=why, until=until, cites=cites)
        yield from apply_fear_condition(fight, gained)


def cowering_undead(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus against undead that cower, if cowering itself changes nothing."""
    conditions = blow.target.conditions
    if fight.option("turned_cowering") == "condition-only":
        return []
    for name, topic in (("rebuked", "srd35.turn.rebuked"), ("cornered", "srd35.turn.cower")):
        if name in conditions:
            source = f"{blow.target.id} cowers"
            return [fight.modifier(topic, "attack_bonus_against", kind="circumstance", source=source)]
    return []


def end_turning(fight: Fight, combatant: Combatant, why: str, *cites: str) -> Steps[None]:
    """End a turning early, and the cowering from it."""
    for name in COWED:
        if name in combatant.conditions and is_of_turning(combatant, name):
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=cites)
    yield ConditionLost(who=combatant.id, condition="turned", why=why, cites=cites)


@per_company()
def turned_creatures(fight: Fight) -> list[Combatant]:
    """Return the turned creatures."""
    return [one for one in fight.state.combatants.values() if "turned" in one.conditions]


def approach(fight: Fight, combatant: Combatant, here: Square, there: Square) -> Steps[None] | None:
    """Return the consequences of a turner's step that approaches its turned creatures; None for nothing.

    Only a step that lessens the distance breaks the turning, not staying in one's square (srd35.turn.break).
    """
    shy = turned_creatures(fight)
    if not shy:
        return None
    near = fight.figure("srd35.turn.break", "approach_ft")
    roused = [
        one
        for one in shy
        if one.conditions["turned"].source == combatant.id
        and feet_apart(combatant, there, one) <= near
        and feet_apart(combatant, there, one) < feet_apart(combatant, here, one)
    ]
    return end_turning_of_all(fight, combatant, roused) if roused else None


def end_turning_of_all(fight: Fight, combatant: Combatant, roused: Iterable[Combatant]) -> Steps[None]:
    """End the turning of creatures that their turner approaches."""
    for one in roused:
        near = fight.figure("srd35.turn.break", "approach_ft")
        yield from end_turning(
            fight, one, f"{combatant.id} comes within {near} ft.", fight.rule("srd35.turn.break")
        )


def break_turning(fight: Fight, blow: Blow) -> Steps[None]:
    """End a turning by the turner's own attack, except for shots from far enough.

    Other combatants may attack freely (srd35.turn.attack-safe).
    """
    turned = blow.target.conditions.get("turned")
    if turned is None:
        return
    rule = fight.rule("srd35.turn.attack-safe")
    least = fight.figure("srd35.turn.attack-safe", "min_ft")
    if turned.source == blow.attacker.id and (blow.melee or blow.distance < least):
        yield from end_turning(fight, blow.target, f"{blow.attacker.id} attacks from near by", rule)
        return
    how = f"from {blow.distance} ft. away " if turned.source == blow.attacker.id else "by another "
    yield RuleApplied(who=blow.target.id, what=f"an attack {how}does not break the turning", cites=(rule,))


def refuse_without_orders(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse the commanded acts that they have no orders for (srd35.turn.commanded)."""
    if "under orders" not in actor.conditions and not isinstance(act, (acts.EndTurn, *UNWILLED)):
        master = actor.conditions["commanded"].source
        raise Refusal(f"{actor.id} waits for orders of {master}", fight.rule("srd35.turn.commanded"))


# --- Who may turn what: the energy, the level, the holy symbol, the daily attempts

EXTRA = "extra turning"

IMPROVED = "improved turning"

#: The stat of a temporary bonus against turning.
HARDENED = "hit dice against turning"


def pool_of(what: str, kind: str) -> str:
    """Return the name of the daily supply of an attempt."""
    return f"{'turn' if what == 'turn' else 'rebuke'} {kind}"


def refuse_other_energy(fight: Fight, combatant: Combatant, what: str, kind: str) -> None:
    """Refuse effects that the turner's energy cannot have (srd35.turn.positive-energy and the like).

    The sheet names "turn undead" or "rebuke undead" among its traits; a neutral cleric has one of the two.
    """
    turns, rebukes = has_trait(combatant, f"turn {kind}"), has_trait(combatant, f"rebuke {kind}")
    positive = what == "turn"
    if turns and rebukes:
        raise Refusal(
            f"{combatant.id} may turn {kind} or rebuke them, not both", fight.rule("srd35.turn.neutral")
        )
    if turns if positive else rebukes:
        return
    if not turns and not rebukes:
        topic = "srd35.turn.positive-energy" if positive else "srd35.turn.negative-energy"
        raise Refusal(f"{combatant.id} has no power over {kind}", fight.rule(topic))
    energy, topic = (
        ("positive", "srd35.turn.positive-energy") if turns else ("negative", "srd35.turn.negative-energy")
    )
    if not has_trait(combatant, "good" if turns else "evil"):
        topic = "srd35.turn.neutral"
    raise Refusal(f"{combatant.id} channels {energy} energy and cannot {what} {kind}", fight.rule(topic))


def turning_level(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of the level at which a turner turns: cleric, paladin from 4th at three less, feat.

    Refuses a turner without such a level (srd35.turn.paladin, .paladin-level, srd35.feat.extra-turning).
    """
    cleric, paladin = (combatant.sheet.classes.get(name, 0) for name in ("cleric", "paladin"))
    parts = [Modifier(cleric, "level", "cleric level", fight.rule("srd35.turn.damage"))] if cleric else []
    least = fight.figure("srd35.turn.paladin", "min_level")
    if paladin >= least:
        if cleric:
            topic, words = "srd35.turn.paladin-level", fight.figure("srd35.turn.paladin-level", "paladin")
        else:
            topic, words = "srd35.turn.paladin", fight.figure("srd35.turn.paladin", "effective_cleric_level")
        lower = int(str(words).split()[-1])
        parts.append(Modifier(paladin - lower, "level", f"paladin level - {lower}", fight.rule(topic)))
    if not parts:
        raise Refusal(f"{combatant.id} has no level to turn with", fight.rule("srd35.turn.paladin"))
    if has_feat(combatant, IMPROVED):
        parts.append(
            fight.modifier(
                "srd35.feat.extra-turning", "improved_level", kind="level", source="Improved Turning"
            )
        )
    return [*parts, *lost_levels(fight, combatant)]


def attempts_a_day(fight: Fight, combatant: Combatant) -> tuple[int, int]:
    """Return how often a day a combatant may turn or rebuke, and how often more by Extra Turning."""
    extra = combatant.sheet.feats.count(EXTRA) * fight.figure("srd35.feat.extra-turning", "attempts")
    own = fight.formula("srd35.turn.times-per-day", "per_day") + ability_now(fight, combatant, "cha")
    return own, int(extra)


def refuse_spent(fight: Fight, combatant: Combatant, pool: str) -> tuple[str, ...]:
    """Refuse an attempt beyond those of the day; return the rules that allow this one."""
    own, extra = attempts_a_day(fight, combatant)
    used = combatant.resources.get(pool, 0)
    rule = fight.rule("srd35.turn.times-per-day")
    if used >= own + extra:
        raise Refusal(f"{combatant.id} has no attempt left of {max(0, own + extra)} a day", rule)
    return (rule, fight.rule("srd35.feat.extra-turning")) if used >= own else (rule,)


def hit_dice_to_turn(fight: Fight, combatant: Combatant) -> tuple[int, tuple[str, ...]]:
    """Return the Hit Dice that count against turning, and the rules that raise them.

    Turn resistance adds to them, bolstering raises them (srd35.turn.resistance, srd35.turn.bolster).
    """
    dice, topics = combatant.sheet.hit_dice, []
    resistance = turn_resistance(combatant)
    if resistance:
        dice += resistance
        topics.append("srd35.turn.resistance")
    more = max((effect.modifier.value for effect in combatant.effects if effect.stat == HARDENED), default=0)
    if more:
        dice += more
        topics.append("srd35.turn.bolster")
    return dice, fight.rules(*topics)


def turning_synergy(fight: Fight, combatant: Combatant, name: str, detail: str) -> Iterator[Modifier]:
    """Yield the bonus of ranks in Knowledge (religion) to turning checks (srd35.turn.synergy).

    The sheet names them among its traits: "knowledge religion 5".
    """
    ranks = detail.split()[0] if detail else ""
    if name == "turning" and ranks.isdecimal() and int(ranks) >= fight.figure("srd35.turn.synergy", "ranks"):
        yield fight.modifier("srd35.turn.synergy", "check", kind="synergy", source="Knowledge (religion)")


# --- Undead under command: how many, their orders, and letting them go (srd35.turn.commanded)


def room_to_command(
    fight: Fight, combatant: Combatant, level: int, target: Combatant, dice: int
) -> Steps[bool]:
    """Return whether the turner can command the given Hit Dice, releasing other creatures if it chooses.

    srd35.turn.command-limit, srd35.turn.command-release.
    """
    for other in under_command(fight, combatant):
        if commanded_dice(fight, combatant, target) + dice <= level or other is target:
            continue
        rule = fight.rule("srd35.turn.command-release")
        question = f"does {combatant.id} let {other.id} go to command {target.id}?"
        if (yield Choice(combatant.id, "release", question, ("keep", "release"), rule)) == "release":
            yield from set_free(other, f"released by {combatant.id}", rule)
    held = commanded_dice(fight, combatant, target)
    if held + dice <= level:
        return True
    what = f"{held} + {dice} Hit Dice are more than {combatant.id} can command"
    yield RuleApplied(who=target.id, what=what, cites=(fight.rule("srd35.turn.command-limit"),))
    return False


def commanded_dice(fight: Fight, combatant: Combatant, but: Combatant) -> int:
    """Return the Hit Dice that a cleric commands, not counting one creature."""
    return sum(hit_dice_to_turn(fight, one)[0] for one in under_command(fight, combatant) if one is not but)


def command(fight: Fight, combatant: Combatant, target: Combatant) -> Steps[None]:
    """Put a creature under mental control: on the turner's side, without orders at first."""
    cites = fight.rules("srd35.turn.evil", "srd35.turn.destroy", "srd35.turn.commanded")
    if "under orders" in target.conditions:
        yield from set_free(target, f"commanded by {combatant.id}", fight.rule("srd35.turn.commanded"))
    yield ConditionGained(who=target.id, condition="commanded", source=combatant.id, cites=cites)
    if target.side != combatant.side:
        why = f"commanded by {combatant.id}"
        yield SideChanged(
            who=target.id, side=combatant.side, why=why, cites=(fight.rule("srd35.turn.commanded"),)
        )


def under_command(fight: Fight, master: Combatant) -> list[Combatant]:
    """Return the creatures that a cleric commands, in order of entry."""
    return [
        one
        for one in fight.state.combatants.values()
        if "commanded" in one.conditions
        and one.conditions["commanded"].source == master.id
        and "dead" not in one.conditions
    ]


def order_commanded(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Give commanded creatures orders by thought: a standard action (srd35.turn.commanded)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.turn.commanded")
    targets = commanded(fight, actor, act, rule)
    yield spending(fight, actor, fight.figure("srd35.turn.commanded", "order_action"), "orders", rule)
    for target in targets:
        words = f"orders: {act.words}" if act.words else "orders"
        yield ConditionGained(who=target.id, condition="under orders", source=words, cites=(rule,))


def release_commanded(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Give up the command of creatures, at any time (srd35.turn.command-release)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.turn.command-release")
    targets = commanded(fight, actor, act, rule)
    refuse_down(fight, actor, "give up its command")
    yield ActionSpent(who=actor.id, kind="free", what="release", cites=(rule,))
    for target in targets:
        yield from set_free(target, f"released by {actor.id}", rule)


def commanded(fight: Fight, actor: Combatant, act: acts.TurnUndead, rule: str) -> list[Combatant]:
    """Return the creatures of an order or a release. Refuses those that are not under command."""
    own = under_command(fight, actor)
    if not act.targets:
        raise Refusal(f"no creature under the command of {actor.id} is named", rule)
    for id in act.targets:
        if fight.combatant(id) not in own:
            raise Refusal(f"{id} is not under {actor.id}'s command", rule)
    return [one for one in own if one.id in act.targets]


def set_free(combatant: Combatant, why: str, rule: str) -> Steps[None]:
    """End a command: the creature fights for its original side again."""
    for name in ("under orders", "commanded"):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why=why, cites=(rule,))
    if combatant.own_side:
        yield SideChanged(who=combatant.id, side=combatant.own_side, why=why, cites=(rule,))


# --- Turning undead: the check, the table, the turning damage, and the creatures affected (srd35.turn.*)

#: Conditions of a creature that is already affected by a turning.
GRIPPED = ("turned", "rebuked", "commanded")


class Turning(Struct):
    """An attempt: the kind of creature, the turner's level, the check and the Hit Dice that it affects."""

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
    """Present the holy symbol and channel energy as a standard action that does not provoke.

    The check comes first, the turning damage only if an undead can be affected; then the closest first
    (srd35.turn.action, .holy-symbol, .check, .damage, .range).
    """
    if act.what in ("order", "release"):
        yield from (order_commanded if act.what == "order" else release_commanded)(fight, act)
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
    # Turning counts as an attack for readied acts.
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
    """Make the turning check and, if it affects any creature, roll turning damage; return those affected.

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
    """Return the rules that decide a turning check: the energy channeled, the check, the table.

    A dispelling compares checks and needs no table.
    """
    energy = "srd35.turn.positive-energy" if turning.what == "turn" else "srd35.turn.negative-energy"
    table = ("srd35.turn.table",) if turning.what != "dispel" else ()
    others = ("srd35.turn.other-creatures",) if turning.kind != "undead" else ()
    return fight.rules(energy, "srd35.turn.check", "srd35.turn.standard-example", *table, *others)


def turning_check(fight: Fight, turning: Turning, *cites: str) -> Steps[TurningResolved]:
    """Roll the Charisma check of a turning; the attempt records its total and the table's result.

    Return its fact as far as the check decides it.
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
    fact = judge(rolled.key, rolled.total)
    turning.total, turning.most = fact.total, fact.most
    return fact


def hit_dice_offset(fight: Fight, total: int) -> int:
    """Return by how much the table's Hit Dice differ from the turner's level (srd35.turn.table)."""
    rows = fight.figure("srd35.turn.table")
    reached = (row for row in rows if row["min"] is None or total >= row["min"])
    return next(int(row["offset"]) for row in reached if row["max"] is None or total <= row["max"])


def is_affected(fight: Fight, turning: Turning, target: Combatant) -> bool:
    """Return whether the check suffices for one creature."""
    if turning.what == "dispel":
        return turning.total >= target.conditions["turned"].level
    return hit_dice_to_turn(fight, target)[0] <= turning.most


def too_strong(fight: Fight, turning: Turning, target: Combatant) -> tuple[str, tuple[str, ...]]:
    """Return why the check does not suffice for a creature, and the rules for it."""
    if turning.what == "dispel":
        level = target.conditions["turned"].level
        return f"{turning.total} falls short of the turning check of {level}", fight.rules(
            "srd35.turn.dispel"
        )
    dice, also = hit_dice_to_turn(fight, target)
    return f"{dice} Hit Dice are more than {turning.most}", (fight.rule("srd35.turn.check"), *also)


def closest_first(fight: Fight, turning: Turning, found: list[Combatant]) -> Steps[None]:
    """Affect creatures while Hit Dice are left: the closest first, among equals the turner's choice.

    Creatures already affected by a turning may be skipped; one with more Hit Dice than are left is passed
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
    """Return the closest creature; among equally close ones, if it matters, the one that the turner names."""
    near = min(distance(turning.who, one) for one in waiting)
    level = [one for one in waiting if distance(turning.who, one) == near]
    if len(level) == 1 or sum(hit_dice_to_turn(fight, one)[0] for one in level) <= turning.left:
        return level[0]
    level.sort(key=lambda one: hit_dice_to_turn(fight, one)[0])
    question = f"which does {turning.who.id} {turning.what} first, with {turning.left} Hit Dice left?"
    options = tuple(one.id for one in level)
    answer = yield Choice(turning.who.id, "first", question, options, fight.rule("srd35.turn.range"))
    return next(one for one in level if one.id == answer)


def is_skipped(fight: Fight, turning: Turning, target: Combatant) -> Steps[bool]:
    """Let the turner skip a creature that is already affected by a turning (srd35.turn.skip-turned)."""
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
    """Apply the attempt to one creature: turn or destroy, rebuke or command, or dispel."""
    combatant = turning.who
    if turning.what == "dispel":
        cites = fight.rules("srd35.turn.dispel", "srd35.turn.dispel-damage")
        yield from end_turning(fight, target, f"{combatant.id} dispels the turning", *cites)
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
        yield from cower_or_flee(fight, target)
    elif mastered and (yield from room_to_command(fight, combatant, turning.level, target, dice)):
        yield from command(fight, combatant, target)
    else:
        yield from rebuke(fight, combatant, target, also)


def rebuke(fight: Fight, combatant: Combatant, target: Combatant, also: tuple[str, ...]) -> Steps[None]:
    """Make a creature cower in awe; approaching does not end it (srd35.turn.rebuked)."""
    rule = fight.rule("srd35.turn.rebuked")
    until = for_rounds(fight, combatant, fight.figure("srd35.turn.rebuked", "duration_rounds"))
    cites = (fight.rule("srd35.turn.evil"), rule, *also)
    gained = ConditionGained(
        who=target.id, condition="rebuked", source=combatant.id, until=until, cites=cites
    )
    yield from apply_fear_condition(fight, gained)
    yield from cower(fight, target, f"rebuked by {combatant.id}", until, "", rule)


def to_bolster(fight: Fight, actor: Combatant, act: acts.TurnUndead) -> list[Combatant]:
    """Return the targets of a bolstering: those named, or all of the actor's side within range.

    The channeler may be among them. Refuses other creatures, and those out of range.
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
    """Make the check as for rebuking: its Hit Dice count against turning for creatures with fewer.

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
