"""The effects of a spell on a target: saving throw, damage, condition."""

from collections.abc import Iterable

from affray.engine.fight.fight import NO_STRETCH, Fight, Standing
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.lines_and_cover import (
    line_from_corner,
    squares_around,
)
from affray.engine.kernel.areas import AROUND, area_squares
from affray.engine.kernel.places import distance, footprint, squares_of
from affray.engine.record.blow import Harm, SaveMade
from affray.engine.rules.classes.abilities import (
    ability_now,
    character_level,
    lost_levels,
    lower_level,
    lowered,
    rules_of_level,
)
from affray.engine.rules.classes.checks import check_result, saving_throw
from affray.engine.rules.damage.damage import amount_dealt, rolled_part
from affray.engine.rules.gear.hands import longer_reach
from affray.engine.rules.position.places import cover_from_origin, sees
from affray.engine.rules.turns.actions import AIM, first_rule, spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import Rolled, RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant

# --- Spell resistance, caster levels, and the save DCs of breaths, gazes and the like

SaveDC = tuple[int, tuple[str, ...]]
LOWERED = "spell resistance lowered"
#: The stat of a spell that gives spell resistance.
RESISTANCE = "spell resistance"
#: The ability that sets the DC of a special ability, by its kind.
POWERS = {
    "breath": ("breath", "con"),
    "gaze": ("gaze.save", "cha"),
    "presence": ("frightful-presence", "cha"),
}


def caster_level(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return the caster level of a spell, which negative levels lower except for an item's.

    srd35.energy-drain.level, pf1.negative-levels.
    """
    level = full_caster_level(fight, caster, spell)
    return level if spell.item else lower_level(caster, level)


def full_caster_level(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return the caster level of a spell before negative levels.

    The printed one, otherwise the most levels in a class that casts, otherwise in any class, otherwise the
    Hit Dice.
    """
    if spell.caster_level:
        return spell.caster_level
    classes = caster.sheet.classes
    listed = fight.figure("ready.counterspell-divine-arcane")
    casting = max((classes.get(name, 0) for names in listed.values() for name in names), default=0)
    return casting or max(classes.values(), default=0) or caster.sheet.hit_dice


def caster_level_parts(fight: Fight, caster: Combatant, spell: Spell, rule: str, kind: str) -> list[Modifier]:
    """Return the caster level of a spell as parts of a roll, the penalty of negative levels separately."""
    full = Modifier(full_caster_level(fight, caster, spell), kind, "caster level", rule)
    return [full] if spell.item else [full, *lost_levels(fight, caster)]


def tradition(fight: Fight, combatant: Combatant) -> str:
    """Return "divine" or "arcane" by the classes of a caster, "" if they do not decide it."""
    listed = fight.figure("ready.counterspell-divine-arcane")
    return next((kind for kind in listed if any(one in listed[kind] for one in combatant.sheet.classes)), "")


def special_ability_dc(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Return the save DC of a breath, a gaze or a presence: 10 + half Hit Dice + an ability.

    A printed DC falls with the level and the ability of its bearer (srd35.breath, srd35.gaze.save,
    srd35.frightful-presence).
    """
    if not spell.delivery:
        return found
    topic, name = POWERS[spell.delivery]
    half, key = character_level(caster) // 2, spell.key or name
    if not found[0]:
        cites = (fight.rule(topic), *rules_of_level(fight, caster))
        return fight.formula(topic, "dc") + half + ability_now(fight, caster, key), cites
    dc, cites = shifted_dc(fight, caster, key, found)
    return dc + half - caster.sheet.hit_dice // 2, (*cites, *rules_of_level(fight, caster))


def shifted_dc(fight: Fight, caster: Combatant, key: str, found: SaveDC) -> SaveDC:
    """Return a printed save DC after changes of the ability behind it, and the rules that have changed it.

    srd35.ability-loss.applied, pf1.ability-damage.
    """
    parts = lowered(fight, caster, key)
    if not parts:
        return found
    return found[0] + sum(part.value for part in parts), (*found[1], *(part.rule for part in parts))


def printed_spell_dc(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Return the printed save DC of a spell, which changes with its key ability; that of an item does not."""
    if not found[0] or not spell.key or spell.delivery or spell.item:
        return found
    return shifted_dc(fight, caster, spell.key, found)


def resistance_of(target: Combatant) -> int:
    """Return the best spell resistance of a creature: several do not add up."""
    given = [one.modifier.value for one in target.effects if one.stat == RESISTANCE]
    return max([target.sheet.spell_resistance, *given])


def is_resisted(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    penetration: Iterable[Modifier],
) -> Steps[bool]:
    """Return whether spell resistance stops a spell.

    The caster level check is made once for each casting; `penetration` adds to it (srd35.spell-resistance,
    srd35.spell-resistance.lower, srd35.cast.abilities-table, pf1.senses.ref,
    pf1.cast.abilities).
    """
    resistance = resistance_of(target)
    if not resistance or not spell.resistance:
        return False
    topic = "cast.abilities-table"
    if spell.ability and not fight.figure(topic, f"type={spell.ability}", "spell_resistance"):
        what = f"spell resistance does not stop {spell.name}"
        yield RuleApplied(who=target.id, what=what, cites=(fight.rule(topic),))
        return False
    if target is caster or LOWERED in target.conditions:
        why = "its own spell" if target is caster else f"{spell.name}, its resistance being lowered"
        rule = fight.rule("spell-resistance.lower")
        yield RuleApplied(who=target.id, what=f"is open to {why}", cites=(rule,))
        return False
    return not (yield from overcomes(fight, caster, spell, target, resistance, penetration))


def overcomes(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    resistance: int,
    penetration: Iterable[Modifier],
) -> Steps[bool]:
    """Check the caster level against spell resistance; return whether the spell overcomes it."""
    rule = fight.rule("spell-resistance")
    parts = [
        *caster_level_parts(fight, caster, spell, rule, "level"),
        *penetration,
    ]
    die, _, _ = str(fight.figure("spell-resistance", "check")).partition(" ")
    total = yield from check_result(
        fight,
        caster,
        "caster level",
        parts,
        rule,
        dc=resistance,
        why=f"spell resistance of {target.id} against {spell.name}",
        purpose="spell-resistance",
        dice=f"1{die}",
    )
    return bool(total >= resistance)


def lower_resistance(fight: Fight, act: acts.LowerResistance) -> Steps[None]:
    """Lower the caster's spell resistance until its next turn: a standard action that does not provoke."""
    caster = fight.combatant(act.actor)
    rule = fight.rule("spell-resistance.lower")
    if not resistance_of(caster):
        raise Refusal(f"{caster.id} has no spell resistance", rule)
    yield spending(fight, caster, "standard", "lower spell resistance", rule)
    until = Until("turn-start", caster.id, fight.state.round + 1)
    yield ConditionGained(who=caster.id, condition=LOWERED, source="by choice", until=until, cites=(rule,))


# --- Aiming a spell: its targets, or the squares of its area


def refuse_unaimed(fight: Fight, spell: Spell, act: acts.Cast) -> None:
    """Refuse a casting without a target or a point of origin, wherever its caster will be.

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
    """Return whether a spell has missiles or rays, of which several may hit one target: it deals damage."""
    return bool(spell.damage)


def does_damage_alone(spell: Spell) -> bool:
    """Return whether a spell only deals damage: a lasting effect applies to a target only once."""
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


def origin_of_area(caster: Combatant, spell: Spell, at: Square | None) -> Standing:
    """Return the origin of an area effect: the grid corner it is aimed at, otherwise its caster's place."""
    return (at, 0, NO_STRETCH) if spell.area in AROUND and at is not None else footprint(caster)


def is_reached(fight: Fight, caster: Combatant, spell: Spell, at: Square, one: Combatant) -> bool:
    """Return whether an area reaches a combatant in it: no barrier lies between its origin and them.

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


def affect(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    rolled: Rolled | None,
    critical: bool,
    at: Square | None,
) -> Steps[Rolled | None]:
    """Apply a spell to one target: saving throw, damage, condition.

    Damage is rolled once for all targets of the spell: `rolled` is that roll, which is returned. A `critical`
    hit of its touch or ray multiplies the damage. An area effect is aimed `at` a grid corner.
    """
    dialect = fight.dialect
    if (yield from dialect.magic.withstands(fight, caster, spell, target)):
        return rolled
    saved = False
    extra: tuple[Modifier, ...] = ()
    if spell.save:
        if spell.save == "ref" and spell.area:
            extra = dialect.defense.reflex_cover(fight, caster, target, origin_of_area(caster, spell, at))
            if extra and spell.area == "spread":
                extra = yield from dialect.defense.around_corners(fight, target, extra)
        if spell.condition:
            wards = dialect.classes.save_against_condition(fight, target, spell.condition, spell.save)
            extra = (*extra, *wards)
        dc, cites = dialect.magic.spell_dc(fight, caster, spell)
        saved = yield from saving_throw(fight, target, spell.save, dc, spell.name, *cites, extra=extra)
    if saved and spell.on_save == "negates":
        return rolled
    if critical:
        spell = yield from fight.dialect.magic.on_critical(fight, spell, target)
    if spell.damage:
        if rolled is None:
            rolled = yield Roll(caster.id, "spell", spell.damage)
        amount, spared, also = dialect.classes.after_save(
            fight, target, SaveMade(spell.save, spell.on_save, saved, max(0, rolled.total), extra)
        )
        cites = (*((fight.rule("save.roll"),) if spell.save else ()), *also)
        harm = yield from damage_by_spell(fight, caster, spell, target, rolled, amount, spared, *cites)
        yield from fight.dialect.damage.suffer(fight, harm)
    if "dead" not in target.conditions:
        if spell.condition and not saved:
            yield from fight.dialect.magic.afflict(fight, caster, spell, target)
        yield from dialect.magic.bestow(fight, caster, spell, target, saved)
    return rolled


def damage_by_spell(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    rolled: Rolled,
    amount: int,
    spared: str,
    *cites: str,
) -> Steps[Harm]:
    """Report the damage of a spell, and return what is left of it for the target to take.

    `amount` is what a saving throw leaves of the roll, `spared` why that is less.
    """
    harm = Harm(target, amount, spell.damage_type, spell.name, caster, energy=True, area=bool(spell.area))
    yield amount_dealt(fight, harm, rolled_part(harm, spell.damage, rolled), *cites, why=spared)
    return harm


def reflex_cover(
    fight: Fight, combatant: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return the cover bonus to a Reflex save against an effect from its far side (srd35.cover.reflex).

    pf1.cover.reflex.
    """
    if cover_from_origin(fight, combatant, target, origin).kind != "cover":
        return ()
    return (fight.modifier("cover.reflex", "reflex", kind="cover", source="cover"),)


def cover_against_spread(
    fight: Fight, target: Combatant, cover: tuple[Modifier, ...]
) -> Steps[tuple[Modifier, ...]]:
    """Return the cover from a spread unchanged: that of any other effect."""
    return cover
    yield


def give_spell_condition(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[None]:
    """Give a spell's condition for its duration, unless the target is immune to it."""
    immune = fight.dialect.conditions.immune_mind(fight, target, spell.condition)
    if immune:
        yield RuleApplied(who=target.id, what=f"immune: not {spell.condition}", cites=immune)
        return
    until = get_spell_duration(fight, caster, spell)
    yield from fight.dialect.conditions.gain(
        fight,
        ConditionGained(
            who=target.id,
            condition=spell.condition,
            source=spell.name,
            until=until,
            cites=(fight.rule("round.duration-expiry"),) if until.when == "turn-start" else (),
        ),
    )


def get_spell_duration(fight: Fight, caster: Combatant, spell: Spell) -> Until:
    """Return how long a spell lasts: its rounds, to the caster's turn, or its caster's concentration."""
    if spell.concentration:
        return Until("concentration", caster.id)
    return for_rounds(fight, caster, spell.rounds) if spell.rounds else Until()


def printed_dc(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Return the DC of a spell's saving throw as on the sheet, and its rules."""
    return spell.dc, ()


DIRECTED = "directed"
