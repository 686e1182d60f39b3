"""What a spell does to a target: saving throw, damage, condition."""

from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Harm, SaveMade
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.damage.weapon_damage import amount_dealt, rolled_part, suffer
from affray.engine.rules.magic.targets_and_areas import origin_of_area
from affray.engine.rules.position.cover_between import cover_from_origin
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def affect(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    rolled: Rolled | None = None,
    critical: bool = False,
    at: Square | None = None,
) -> Steps[Rolled | None]:
    """Let a spell take effect on one target: saving throw, damage, condition.

    Damage is rolled once for all whom the spell strikes: `rolled` is that roll, which is returned. A
    `critical` hit of its touch or ray multiplies what it deals. An area effect is aimed `at` a grid corner.
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
        yield from suffer(fight, harm)
    if "dead" not in target.conditions:
        if spell.condition and not saved:
            yield from give_spell_condition(fight, caster, spell, target)
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
    """Tell what the damage of a spell amounts to, and return what is left of it for the target to suffer.

    `amount` is what a saving throw leaves of the roll, `spared` why that is less.
    """
    harm = Harm(target, amount, spell.damage_type, spell.name, caster, energy=True, area=bool(spell.area))
    yield amount_dealt(fight, harm, rolled_part(harm, spell.damage, rolled), *cites, why=spared)
    return harm


def reflex_cover(
    fight: Fight, combatant: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save against an effect from its far side (srd35.cover.reflex).

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
    """Give a spell's condition for as long as it lasts, unless the target is immune to such a state."""
    immune = fight.dialect.conditions.immune_mind(fight, target, spell.condition)
    if immune:
        yield RuleApplied(who=target.id, what=f"immune: not {spell.condition}", cites=immune)
        return
    until = lasting_until(fight, caster, spell)
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


def lasting_until(fight: Fight, caster: Combatant, spell: Spell) -> Until:
    """Return how long a spell lasts: its rounds, to the caster's turn, or its caster's concentration."""
    if spell.concentration:
        return Until("concentration", caster.id)
    return for_rounds(fight, caster, spell.rounds) if spell.rounds else Until()


def printed_dc(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Return the DC of a spell's saving throw as the sheet has it, and the rules that made it."""
    return spell.dc, ()


DIRECTED = "directed"
