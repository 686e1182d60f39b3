"""Aiming a spell: its targets, or the squares of its area."""

from affray.engine.fight.extent import NO_STRETCH, Standing
from affray.engine.fight.fight import Fight
from affray.engine.grid.area import burst, cone, line_area, spread, squares_around
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.line import line_from_corner
from affray.engine.rules.gear.held_weapons import longer_reach
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance, footprint, squares_of
from affray.engine.rules.turns.subjects import AIM, first_rule
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.events.wording import counted
from affray.projections.state import Combatant

#: Shapes that spread in all directions from a point.
AROUND = ("burst", "emanation", "spread")


def refuse_unaimed(fight: Fight, spell: Spell, act: acts.Cast) -> None:
    """Refuse a casting that does not say at whom or at what, wherever its caster will stand.

    srd35.cast.ranges, pf1.cast.ranges, futurepath.assumed.spell-range, woa.spell.range.
    """
    rule = fight.rule("cast.range")
    if spell.area:
        if act.at is None:
            raise Refusal(f"{spell.name} needs a square to aim at", first_rule(fight, AIM))
        return
    if not act.targets and not (spell.touch == "melee" and fight.dialect.magic.holds_charges):
        raise Refusal(f"{spell.name} needs a target", rule)
    if spell.touch and len(act.targets) > spell.touches:
        number = counted(spell.touches, "target")
        raise Refusal(f"{spell.name} takes {number}", rule)
    if not fight.dialect.magic.strikes_again(spell) and len(set(act.targets)) < len(act.targets):
        raise Refusal(f"{spell.name} takes each target once", rule)


def does_damage(spell: Spell) -> bool:
    """Say whether a spell has missiles or rays, of which several may strike one target: it does damage."""
    return bool(spell.damage)


def does_damage_alone(spell: Spell) -> bool:
    """Say whether a spell does nothing but damage: what lasts comes upon a target but once."""
    return bool(spell.damage) and not (spell.ongoing or spell.grants)


def targets_of_spell(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> list[Combatant]:
    """Return the targets of a spell. Refuses the dead, those out of range or without line of effect.

    srd35.cond.dead, pf1.cond.dead, futurepath.injury.dead-at-minus-10, woa.hp.loss-consequences,
    pf1.cast.ranges, pf1.cover.total, futurepath.assumed.spell-range.
    """
    refuse_unaimed(fight, spell, act)
    rule = fight.rule("cast.range")
    if spell.area and act.at is not None:
        if act.at == caster.at and spell.area not in AROUND:
            reason = f"{spell.name} needs a direction: a square other than the caster's own"
            raise Refusal(reason, first_rule(fight, AIM))
        covered = area_squares(fight, caster, spell, act.at)
        return [
            one
            for one in fight.state.combatants.values()
            if "dead" not in one.conditions
            and (one is not caster or spell.area in AROUND)
            and covered.intersection(squares_of(one))
            and fight.dialect.magic.in_area(fight, caster, spell, act.at, one)
        ]
    dialect = fight.dialect
    targets = [fight.combatant(id) for id in act.targets]
    for target in targets:
        if "dead" in target.conditions:
            raise Refusal(f"{target.id} is dead already", fight.rule("cond.dead"))
        feet, most = distance(caster, target), dialect.magic.spell_range(fight, caster, spell)
        if feet > most:
            limit = f" of {most} ft." if most != printed_range(fight, caster, spell) else ""
            raise Refusal(f"{target.id} is {feet} ft. away, out of the spell's range{limit}", rule)
        if not sees(fight, caster, target) and not dialect.magic.passes_opening(fight, act):
            raise Refusal(
                f"{caster.id} has no line of effect to {target.id}", fight.rule(dialect.magic.line_topic)
            )
    return targets


def refuse_origin(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse an area whose point of origin is out of range or behind a barrier.

    srd35.cast.ranges, srd35.cast.line-of-effect, pf1.cover.total, futurepath.assumed.spell-range.
    """
    if spell.area not in AROUND or act.at is None or act.at == caster.at:
        return
    magic = fight.dialect.magic
    feet = min(distance_ft(caster.at, square, caster.space, 1) for square in squares_around(act.at))
    if feet > magic.spell_range(fight, caster, spell):
        x, y = act.at
        raise Refusal(
            f"the corner {x},{y} is {feet} ft. away, out of the spell's range", fight.rule("cast.range")
        )
    if not line_from_corner(fight.field, act.at, caster.at, caster.space) and not magic.passes_opening(
        fight, act
    ):
        raise Refusal(
            f"{caster.id} has no line of effect to the corner of {act.at[0]},{act.at[1]}",
            fight.rule(magic.line_topic),
        )


def area_squares(
    fight: Fight, caster: Combatant, spell: Spell, at: tuple[int, int]
) -> frozenset[tuple[int, int]]:
    """Return the squares of a spell's area: a burst around `at`, a cone or line towards it."""
    if spell.area == "spread":
        return spread(fight.field, at, spell.area_feet)
    if spell.area in AROUND:
        return frozenset(burst(at, spell.area_feet))
    corner, (dx, dy) = corner_towards(caster, at)
    if spell.area == "cone":
        return frozenset(cone(corner, (dx, dy), spell.area_feet))
    return frozenset(line_area(corner, (at[0] + (dx > 0), at[1] + (dy > 0)), spell.area_feet))


def origin_of_area(caster: Combatant, spell: Spell, at: Square | None) -> Standing:
    """Return where an area effect originates: the grid corner it is aimed at, else its caster's place."""
    return (at, 0, NO_STRETCH) if spell.area in AROUND and at is not None else footprint(caster)


def corner_towards(combatant: Combatant, at: Square) -> tuple[Square, Square]:
    """Return the corner of the caster's space from which a cone or line starts, and its direction."""
    dx = (at[0] > combatant.at[0]) - (at[0] < combatant.at[0])
    dy = (at[1] > combatant.at[1]) - (at[1] < combatant.at[1])
    return (combatant.at[0] + combatant.space * (dx > 0), combatant.at[1] + combatant.space * (dy > 0)), (
        dx,
        dy,
    )


def is_reached(fight: Fight, caster: Combatant, spell: Spell, at: Square, one: Combatant) -> bool:
    """Say whether an area reaches a combatant in it: no barrier lies between its origin and them.

    A spread has gone round the corners already; a cone or line starts at its caster.
    """
    if spell.area == "spread":
        return True
    if spell.area in AROUND:
        return line_from_corner(fight.field, at, one.at, one.space)
    return one is caster or sees(fight, caster, one)


def printed_range(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return the range of a spell in feet: the printed one, for a touch the caster's reach."""
    return spell.range or caster.reach + longer_reach(caster)
