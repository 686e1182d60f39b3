"""Tests: attack rolls, checks and saving throws, damage, and changes of hit points and conditions."""

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.kernel.places import distance
from affray.engine.modifiers import affected_parts, effect_parts
from affray.engine.steps import Roll, Steps, judged
from affray.events.facts.combat import (
    AttackResolved,
    CheckResolved,
    ConditionGained,
    ConditionLost,
    DamagePart,
    DamageResolved,
    HitPointsChanged,
    Until,
)
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

FOR_GOOD: Final = Until()
"""A duration without an end."""


def attack(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    *,
    parts: Sequence[Modifier],
    needed: int,
    against: str,
    defense: Sequence[Modifier] = (),
    cites: tuple[str, ...],
) -> Steps[AttackResolved]:
    """Roll an attack and compare it; return the outcome, whose `result` is "miss" or "hit".

    It hits if the dice of the dialect's test and the `parts` that count reach `needed`. `against` names what
    it is rolled against ("AC"), `defense` are the parts of `needed`. The roll is listed as "attack".
    """
    kernel, own = fight.dialect.kernel, [*affected_parts(attacker, "attack", parts, target.id)]
    # Whether a higher defense is better is the dialect's: what the target gains counts against the roll.
    own += [replace(one, value=-one.value) for one in effect_parts(target, "defense", attacker.id)]
    tally = fight.stack(own)
    fails, succeeds = kernel.sure_faces(fight, "attack", cites)
    mode = "melee" if distance(attacker, target) <= max(attacker.reach, weapon.far) else "ranged"

    def result(key: str, natural: int) -> AttackResolved:
        total = natural + tally.total
        hit = natural == succeeds if natural in (fails, succeeds) else total >= needed
        reached = f"{total} reaches {needed}" if total >= needed else f"{total} falls short of {needed}"
        why = (
            reached
            if hit == (total >= needed)
            else f"a natural {natural} always {'hits' if hit else 'misses'}"
        )
        return AttackResolved(
            attacker=attacker.id,
            target=target.id,
            weapon=weapon.name,
            mode=mode,
            against=against,
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            result="hit" if hit else "miss",
            why=why,
            attack=tally.parts,
            defense=tuple(defense),
            cites=cites,
        )

    dice = kernel.test_dice(fight, attacker, "attack")
    return (yield from judged(attacker.id, "attack", result, dice))


def check(
    fight: Fight,
    combatant: Combatant,
    name: str,
    number: int,
    *,
    parts: Sequence[Modifier] = (),
    under: bool = False,
    why: str = "",
    cites: tuple[str, ...],
) -> Steps[bool]:
    """Roll a check or a saving throw ("save.breath") and return whether it succeeds.

    The dice of the dialect's test and the `parts` that count must reach `number`; with `under` they must not
    exceed it. The roll has the name of the check, with "-" for ".".
    """
    kernel, tally = fight.dialect.kernel, fight.stack(list(affected_parts(combatant, name, parts)))
    fails, succeeds = kernel.sure_faces(fight, name, cites)

    def result(key: str, natural: int) -> CheckResolved:
        total = natural + tally.total
        made = total <= number if under else total >= number
        if natural in (fails, succeeds):
            made = natural == succeeds
        return CheckResolved(
            who=combatant.id,
            check=name,
            key=key,
            natural=natural,
            total=total,
            dc=number,
            success=made,
            parts=tally.parts,
            why=why,
            under=under or UNSET,
            cites=cites,
        )

    dice = kernel.test_dice(fight, combatant, name)
    fact = yield from judged(combatant.id, name.replace(".", "-"), result, dice)
    return fact.success


def damage(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    source: str,
    notation: str,
    *,
    kind: str = "",
    parts: Sequence[Modifier] = (),
    least: int = 1,
    cites: tuple[str, ...],
) -> Steps[int]:
    """Roll damage and have the target lose that many hit points, at least `least`; return the total.

    The roll is listed as "damage"; `kind` is the type of damage, `parts` are added to the dice.
    """
    rolled = yield Roll(attacker.id, "damage", notation)
    tally = fight.stack(list(affected_parts(attacker, "damage", parts, target.id)))
    total: int = max(least, rolled.total + tally.total)
    dice = DamagePart(notation=notation, key=rolled.key, total=rolled.total, kind=kind, source=source)
    yield DamageResolved(
        attacker=attacker.id,
        target=target.id,
        weapon=source,
        dice=(dice,),
        modifiers=tally.parts,
        multiplier=1,
        total=total,
        nonlethal=False,
        least=UNSET if least == 1 else least,
        cites=cites,
    )
    yield from change_hit_points(fight, target, -total, f"{source} of {attacker.id}", *cites)
    return total


def change_hit_points(fight: Fight, target: Combatant, change: int, why: str, *cites: str) -> Steps[None]:
    """Add to a combatant's hit points, up to its maximum, with the consequences (`kernel.injured`)."""
    before = target.hp
    hp = min(before + change, target.max_hp)
    yield HitPointsChanged(
        who=target.id,
        hp=hp,
        nonlethal=target.nonlethal,
        temporary=target.temporary,
        change=hp - before,
        why=why,
        cites=cites,
    )
    yield from fight.dialect.kernel.injured(fight, target, before)


def gain(
    fight: Fight, target: Combatant, condition: str, source: str, until: Until = FOR_GOOD, level: int = 0
) -> Steps[None]:
    """Give a combatant a condition by its rule, until a moment; nothing if it has it already.

    `Until("turn-end", id, round)` is the end of that combatant's turn in that round, "turn-start" its start.
    The kernel ends the condition then (`kernel.time_over`).
    """
    if condition not in target.conditions:
        cites = (fight.rule(rule_of(fight, condition).topic),)
        yield ConditionGained(
            who=target.id, condition=condition, source=source, until=until, level=level, cites=cites
        )


def lose(fight: Fight, target: Combatant, condition: str, why: str) -> Steps[None]:
    """End a condition of a combatant; nothing if it does not have it."""
    if condition in target.conditions:
        cites = (fight.rule(rule_of(fight, condition).topic),)
        yield ConditionLost(who=target.id, condition=condition, why=why, cites=cites)
