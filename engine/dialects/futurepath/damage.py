"""Damage: dice and multipliers, reductions, injury, dying, healing."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.defense import is_walled_off, things_at
from affray.engine.fight.fight import Fight, Standing, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import refuse_apart
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.damage.damage import ENERGY, amount_dealt
from affray.engine.rules.damage.injury import change_health
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.places import cover_at
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, DamagePart
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Damage to an area: the squares reached, the roll, and dealing it to each creature in it


class AreaDamage(Struct, frozen=True, gc=False):
    """The rolled damage of a weapon: its dice, the modifiers, the total, and the energy in it."""

    dice: tuple[DamagePart, ...]
    tally: Tally
    total: int
    energies: dict[str, int]


def covered_squares(fight: Fight, squares: Iterable[Square], origin: Standing) -> tuple[Square, ...]:
    """Return the squares of an area that an effect reaches from its origin, in the order of the rows.

    Squares off the map, in a wall or behind total cover are not reached (futurepath.cover.total).
    """
    return tuple(
        square
        for square in sorted(squares, key=lambda at: (at[1], at[0]))
        if fight.field.passable(square)
        and cover_at(fight, origin, (square, 1, (0, 0)), False, False, ()).kind != "total"
        and not is_walled_off(fight, origin, (square, 1, (0, 0)), *things_at(fight, square))
    )


def roll_damage(fight: Fight, attacker: Combatant, weapon: Weapon, dice: str = "") -> Steps[AreaDamage]:
    """Roll the damage of a weapon, with its bonuses and extra damage, or only other `dice` of it.

    futurepath.damage.minimum-1
    """
    kind = weapon.damage_type
    shown = dice or weapon.damage
    rule = fight.rule("damage.bonus")
    flat = () if dice else weapon.bonus_damage
    tally = fight.stack([Modifier(one.value, one.kind, one.source or one.kind, rule) for one in flat])
    parts: list[DamagePart] = []
    energies: dict[str, int] = {}
    if shown.isdecimal():
        total = int(shown)
    else:
        rolled = yield Roll(attacker.id, "damage", shown)
        parts.append(DamagePart(shown, rolled.key, rolled.total, kind, weapon.name))
        total = rolled.total
    for extra in () if dice else weapon.extra:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        parts.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
        if extra.kind in ENERGY:
            energies[extra.kind] = energies.get(extra.kind, 0) + rolled.total
    least = int(fight.figure("damage.minimum", "min"))
    return AreaDamage(tuple(parts), tally, max(total + tally.total, least), energies)


def deal_area_damage(
    fight: Fight,
    weapon: Weapon,
    found: AreaDamage,
    harm: Harm,
    *cites: str,
    why: str = "",
) -> Steps[None]:
    """Deal a harm from a weapon's rolled damage; `why` gives the reason for a reduction."""
    harm.nonlethal = "nonlethal" in weapon.traits
    if harm.amount == found.total:
        harm.energies = dict(found.energies)
    else:
        harm.energies = {kind: harm.amount * part // found.total for kind, part in found.energies.items()}
    yield amount_dealt(fight, harm, found.dice, *cites, modifiers=found.tally.parts, why=why)
    yield from fight.dialect.damage.suffer(fight, harm)


# --- Consequences of damage in futurepath, and first aid

THRESHOLDS: Final = "futurepath.table.hit-point-thresholds"
#: The states that hit points alone cause.
STATES: Final = ("disabled", "dying", "dead")


def stabilize(fight: Fight, act: acts.Stabilize) -> Steps[None]:
    """Stabilize a dying character: a full-round action that provokes; an attack action by the old rules.

    The check is assumed (futurepath.assumed.first-aid).

    futurepath.action.stabilize-dying.full-round, futurepath.action.stabilize-dying.legacy.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("futurepath.action.stabilize-dying.full-round")
    kind = "standard" if old_only(fight) else "full-round"
    if "dying" not in target.conditions:
        raise Refusal(f"{target.id} is not dying", rule)
    refuse_apart(actor, target, rule)
    yield spending(fight, actor, kind, "first aid", rule)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "gives first aid", f"aid:{fight.declaration}", rule
    )
    if is_down(fight, actor):
        return
    first_aid = fight.rule("futurepath.assumed.first-aid")
    parts = skill_parts(fight, actor, "treat injury", "wis", first_aid)
    if (
        yield from check(
            fight, actor, "treat-injury", parts, fight.figure("futurepath.assumed.first-aid", "dc"), first_aid
        )
    ):
        yield from change_health(
            fight, target, "stable", f"first aid from {actor.id}", "futurepath.assumed.first-aid"
        )


def death_at(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points at which a combatant is dead: -10.

    futurepath.injury.dead-at-minus-10, futurepath.table.hit-point-thresholds.
    """
    return int(fight.figure("futurepath.injury.dead-at-minus-10", "hit_points"))


def disabled_from(fight: Fight) -> int:
    """Return the hit points at which a combatant is disabled: 0 (futurepath.injury.disabled-at-0)."""
    return int(fight.figure("futurepath.injury.disabled-at-0", "hit_points"))


def dying_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying: -1.

    futurepath.injury.dying-at-minus-1, futurepath.table.hit-point-thresholds.
    """
    return int(fight.figure("futurepath.injury.dying-at-minus-1", "hit_points"))


def rules_of_loss(harm: Harm, hp: int, absorbed: int, found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    They cover how much it can take before it drops (futurepath.damage.on-hit, futurepath.stat.hit-points).
    """
    drops = ("futurepath.stat.hit-points",) if hp <= 0 else ()
    return (*found, *drops)


def cite_thresholds(
    fight: Fight, target: Combatant, before: int, harm: Harm, injuring: Steps[None]
) -> Steps[None]:
    """Cite the table of thresholds when hit points alone cause a state.

    futurepath.table.hit-point-thresholds
    """

    def cited(fact: object) -> object:
        if not isinstance(fact, ConditionGained) or fact.condition not in STATES:
            return fact
        return replace(fact, cites=(*fact.cites, fight.rule(THRESHOLDS)))

    return altered(injuring, cited)


def break_conversation(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """End a conversation after a hit, for all participants on that side.

    futurepath.action.speak.conversation-broken-by-hit
    """
    rule = fight.rule("futurepath.action.speak.conversation-broken-by-hit")
    for one in [target, *fight.allies(target)]:
        if "conversing" in one.conditions:
            yield ConditionLost(who=one.id, condition="conversing", why=f"{target.id} was hit", cites=(rule,))
