"""What spells do, when and for how long (woa.spell.effect-timing-*, woa.round.effect-duration)."""

from msgspec.structs import replace

from affray.engine.dialects.woa.classes.saves import graded_damage, least_and_most, saving_throw
from affray.engine.dialects.woa.conditions.durations import last_round
from affray.engine.dialects.woa.conditions.fear import FEAR
from affray.engine.dialects.woa.defense.reflex_save_modifiers import place_on_reflex_save
from affray.engine.dialects.woa.magic import unsteady_casting
from affray.engine.dialects.woa.magic.concentration import LONG, check_concentration, let_former_lapse
from affray.engine.dialects.woa.opportunity import shield_ally
from affray.engine.dialects.woa.opportunity.area_dodging import Area, area_parts, shield_takes
from affray.engine.dialects.woa.position import size_difference
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.rules.damage.critical_riders import multiply_dice
from affray.engine.rules.magic.long_castings import begin_concentrating
from affray.engine.rules.magic.spell_effects import DIRECTED, damage_by_spell
from affray.engine.rules.magic.targets_and_areas import origin_of_area, targets_of_spell
from affray.engine.steps import Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import CastingBegan, CastingEnded, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.events.facts.sheet import Spell
from affray.projections.state import Brewing, Combatant

DISMISSIBLE = "dismissible"
#: Begins the stat of the effect that keeps a critical touch in mind until its spell works.
CRITICAL = "critical touch: "
NOW, TURN_START, TURN_END, ROUND_END = "", "turn-start", "turn-end", "round-end"
#: When a spell takes effect by its description.
DESCRIBED = {"at once": NOW, "turn end": TURN_END, "round end": ROUND_END}


def alters_battle(spell: Spell) -> bool:
    """Say whether a spell does nothing but better some and hamper others."""
    lasting = spell.condition or spell.grants
    return bool(lasting) and not spell.damage and not spell.healing


def moment_of_effect(fight: Fight, spell: Spell) -> tuple[str, str]:
    """Return when a spell takes effect that is cast now, and the topic of the rule that says so.

    Buffs, debuffs and the like at the end of the round, long castings at the end of the turn, others at once,
    unless the description says otherwise (option `full_round_casting`); what is no spell works at once. A
    casting that was readied is complete before what set it off goes on (woa.ready.interrupt).
    """
    when, topic = usual_moment(fight, spell)
    if when == TURN_END and fight.readied not in ("", fight.state.active):
        return NOW, "woa.ready.interrupt"
    return when, topic


def usual_moment(fight: Fight, spell: Spell) -> tuple[str, str]:
    """Return when a spell takes effect that is cast on one's own turn, and the topic of the rule."""
    if spell.ability and not spell.works:
        return NOW, "use-special-ability"
    long = spell.casting in LONG
    if spell.works == "round end" or (not spell.works and alters_battle(spell)):
        return ROUND_END, "woa.spell.effect-timing-end-of-round"
    if spell.works:
        return DESCRIBED[
            spell.works
        ], "woa.spell.effect-timing-long" if long else "woa.spell.effect-timing-short"
    if spell.casting == "one-round":
        return TURN_START, "woa.spell.casting-time"
    if spell.casting == "full-round" and fight.option("full_round_casting") == "round-end":
        return ROUND_END, "woa.spell.damage-concentration"
    return (TURN_END, "woa.spell.effect-timing-long") if long else (NOW, "woa.spell.effect-timing-short")


def set_brewing(fight: Fight, act: acts.Cast, when: str, topic: str) -> CastingBegan:
    """Return the fact that a spell is cast which takes effect later."""
    due = fight.state.round + (when == TURN_START)
    return CastingBegan(who=act.actor, act=act, due=due, when=when, cites=(fight.rule(topic),))


def come_due(fight: Fight, combatant: Combatant, when: str) -> Steps[None]:
    """Let the spells take effect that a caster has cast and that are due at this moment of the round.

    What has disturbed the caster since calls for a check first: in a standard casting to the turn's end, in
    a longer one as long as the spell is not there (woa.spell.damage-concentration).
    """
    for one in combatant.brewing:
        if one.when != when or fight.state.round < one.due:
            continue
        spell = spell_under_way(combatant, one)
        if (yield from loses_brewing_spell(fight, combatant, one, spell)):
            continue
        yield CastingEnded(
            who=combatant.id, how="complete", spell=spell.name, cites=(fight.rule(topic_of(one, spell)),)
        )
        try:
            targets = still_aimed(fight, combatant, spell, one.act)
        except Refusal as missed:
            what = f"{spell.name} is lost: {missed.reason}"
            yield RuleApplied(who=combatant.id, what=what, cites=(missed.rule,))
            continue
        spell = yield from after_critical_touch(fight, combatant, spell, targets)
        yield from take_effect(fight, combatant, spell, targets, when == ROUND_END, one.act.at)


def critical_touch(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, multiplier: int
) -> EffectGained:
    """Return the note that the touch of a spell, which works when the round ends, was a critical hit."""
    rule = fight.rule("woa.crit.multiplier")
    return EffectGained(
        who=caster.id,
        id=f"{fight.declaration}:{CRITICAL}{spell.name}:{target.id}",
        stat=f"{CRITICAL}{spell.name}",
        modifier=Modifier(multiplier, "critical", spell.name, rule),
        until=Until("round-end", "", fight.state.round),
        against=target.id,
        cites=(rule,),
    )


def after_critical_touch(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]
) -> Steps[Spell]:
    """Return a spell with its damage multiplied if the touch that has delivered it was a critical hit."""
    for one in caster.effects if spell.touch else ():
        if one.stat == f"{CRITICAL}{spell.name}" and [target.id for target in targets] == [one.against]:
            return (yield from multiply_damage(fight, spell, targets[0], one.modifier.value))
    return spell


def multiply_damage(fight: Fight, spell: Spell, target: Combatant, times: int) -> Steps[Spell]:
    """Return a spell as it works after a critical hit of its touch or ray."""
    what = f"the critical hit multiplies the damage of {spell.name}"
    cites = fight.rules("woa.crit.multiplier", "woa.damage.multiply-by-rerolling")
    yield RuleApplied(who=target.id, what=what, cites=cites)
    return replace(spell, damage=multiply_dice(spell.damage, times))


def shaken_before(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lose spells that wait for the end of the round with what disturbs the caster in its own turn."""
    for one in combatant.brewing:
        if one.when == ROUND_END:
            yield from loses_brewing_spell(fight, combatant, one, spell_under_way(combatant, one))


def spell_under_way(combatant: Combatant, one: Brewing) -> Spell:
    """Return the spell or device that is under way."""
    return next(spell for spell in combatant.sheet.spells if spell.name == one.act.spell)


def loses_brewing_spell(fight: Fight, caster: Combatant, one: Brewing, spell: Spell) -> Steps[bool]:
    """Lose a spell under way if its caster falters; return whether it is lost."""
    if not (yield from is_lost_before_effect(fight, caster, one, spell)):
        return False
    topic = "woa.device.scroll-concentration" if spell.item == "scroll" else "woa.spell.fizzle"
    yield CastingEnded(who=caster.id, how="lost", spell=spell.name, cites=(fight.rule(topic),))
    return True


def topic_of(one: Brewing, spell: Spell) -> str:
    """Return the topic of the rule by which a spell under way takes effect just when it does."""
    if spell.item == "potion":
        return "woa.device.potion-timing"
    if one.when == ROUND_END:
        return "woa.spell.effect-timing-end-of-round"
    if one.when == TURN_END:
        return "woa.spell.effect-timing-long"
    return "woa.device.scroll-time" if spell.item == "scroll" else "woa.spell.casting-time"


def is_lost_before_effect(fight: Fight, caster: Combatant, one: Brewing, spell: Spell) -> Steps[bool]:
    """Say whether a spell under way is lost before it takes effect."""
    if spell.ability or spell.item not in ("", "scroll") or spell.casting not in LONG:
        return False
    if spell.casting == "standard" and not spell.item and one.when == ROUND_END and not fight.state.active:
        return False
    if powerless(fight, caster):
        return True
    moving = not spell.item and (caster.mount or caster.conditions)
    if moving and (yield from unsteady_casting.shaken_since(fight, caster, spell)):
        return True
    return (yield from check_concentration(fight, caster, spell.level, spell.name, spell=spell))


def still_aimed(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> list[Combatant]:
    """Return whom a spell reaches now: those in its area, or those of its targets who are not dead."""
    if spell.area:
        return targets_of_spell(fight, caster, spell, act)
    return [one for one in map(fight.combatant, act.targets) if "dead" not in one.conditions]


def take_effect(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    targets: list[Combatant],
    closing: bool = False,
    at: Square | None = None,
) -> Steps[None]:
    """Let a spell work on its targets, and stay at work; `closing` says that the round is over."""
    yield from let_former_lapse(fight, caster, spell)
    yield from strike_all(fight, caster, spell, targets, closing, at)
    yield from keep_at_work(fight, caster, spell, closing)


def strike_all(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], closing: bool, at: Square | None
) -> Steps[None]:
    """Let a spell work on its targets; `closing` says that the round is over, `at` where an area is.

    What is cast by touch has been delivered already; a ray asks for a touch attack now.
    """
    rolled: Rolled | None = None
    dodged = bool(spell.area) and spell.save == "ref"
    if dodged:
        yield from shield_ally.offer_shielding(fight, targets)
    for target in targets:
        if spell.touch == "ranged":
            yield from fight.dialect.magic.touching(fight, caster, spell, [target])
        else:
            rolled = yield from work_on_target(fight, caster, spell, target, rolled, closing, at)
    if dodged:
        yield from shield_ally.end_shielding(fight, targets)


def keep_at_work(fight: Fight, caster: Combatant, spell: Spell, closing: bool) -> Steps[None]:
    """Keep in mind that a spell is at work: one to concentrate on, to direct or to dismiss."""
    if spell.concentration:
        yield from begin_concentrating(fight, caster, spell)
    for name, topic in ((DIRECTED, "woa.spell.redirect"), (DISMISSIBLE, "woa.spell.dismiss")):
        if name in spell.components:
            rule = fight.rule(topic)
            yield EffectGained(
                who=caster.id,
                id=f"{fight.declaration}:{spell.name}:{name}",
                stat=f"spell: {spell.name}" if name == DIRECTED else f"{name}: {spell.name}",
                modifier=Modifier(0, "untyped", spell.name, rule),
                until=duration_on_target(fight, caster, spell, caster, closing),
                cites=(rule,),
            )


def refuse_not_at_work(caster: Combatant, name: str, mark: str, use: str, rule: str) -> None:
    """Refuse by `rule` to `use` a spell that is not at work; `mark` begins the effect that notes each."""
    known = [one.stat.removeprefix(mark) for one in caster.effects if one.stat.startswith(mark)]
    if not known:
        raise Refusal(f"{caster.id} has no spell at work to {use}", rule)
    if name not in known:
        raise unknown_word(f"spell of {caster.id} at work to {use}", name, known, rule)


def affect(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, rolled: Rolled | None
) -> Steps[Rolled | None]:
    """Let a spell that has just been delivered work, or at the end of the round if it alters the battle."""
    when, topic = moment_of_effect(fight, spell)
    if when == ROUND_END:
        # The touch that has reached its target stands for the aim from now on.
        yield set_brewing(
            fight, acts.Cast(actor=caster.id, spell=spell.name, targets=(target.id,)), when, topic
        )
        return rolled
    yield from let_former_lapse(fight, caster, spell)
    rolled = yield from work_on_target(fight, caster, spell, target, rolled, False)
    if spell.concentration:
        yield from begin_concentrating(fight, caster, spell)
    return rolled


def work_on_target(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    rolled: Rolled | None,
    closing: bool,
    at: Square | None = None,
) -> Steps[Rolled | None]:
    """Let a spell work on one target: saving throw with its degrees, damage, healing, what lasts.

    Damage is rolled once for all whom the spell strikes: `rolled` is that roll, which is returned.
    An area effect spreads from `at`, or from its caster.
    """
    left = unsteady_casting.USUAL
    if target.conditions:
        left = yield from unsteady_casting.effect_left_by_water(fight, caster, spell, target)
    if left == unsteady_casting.NOTHING:
        return rolled
    saved = None
    if spell.save:
        extra, cites = yield from save_modifiers_on_spell(fight, caster, spell, target, at)
        rule = fight.rule("woa.save.dc-source")
        saved = yield from saving_throw(
            fight, target, spell.save, spell.dc, spell.name, rule, *cites, extra=extra
        )
        yield from shield_takes(fight, target, extra, saved, spell.name)
    if saved is not None and saved.success and spell.on_save == "negates":
        return rolled
    if spell.damage:
        if rolled is None:
            rolled = yield Roll(caster.id, "spell", spell.damage)
        amount, why = rolled.total, ""
        cites = fight.rules("woa.damage.lethal")
        if saved is not None and spell.on_save == "half":
            amount, why, graded = graded_damage(fight, saved, rolled.total, *least_and_most(spell.damage))
            cites = graded or cites
        if left == unsteady_casting.HALF:
            amount //= 2
        harm = yield from damage_by_spell(fight, caster, spell, target, rolled, amount, why, *cites)
        yield from fight.dialect.damage.suffer(fight, harm)
    if "dead" in target.conditions:
        return rolled
    if spell.healing:
        yield from fight.dialect.magic.bestow(fight, caster, spell, target, False)
    if saved is None or not saved.success:
        if spell.condition:
            yield from give_condition(fight, caster, spell, target, closing)
        yield from give_modifiers(fight, caster, spell, target, closing)
    return rolled


def save_modifiers_on_spell(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, at: Square | None
) -> Steps[tuple[tuple[Modifier, ...], tuple[str, ...]]]:
    """Return what shape, water, size and place do to the save against a spell, and the rules besides."""
    extra: tuple[Modifier, ...] = ()
    if spell.save == "ref" and spell.area:
        wet = unsteady_casting.reflex_parts(fight, caster, spell, target)
        extra = (*area_parts(fight, target, Area()), *wet)
    extra = (*extra, *size_difference.size_against_life(fight, caster, target, spell))
    if spell.save != "ref":
        return extra, ()
    origin = origin_of_area(caster, spell, at) if spell.area else None
    place, cites = yield from place_on_reflex_save(fight, target, caster, origin, spell.name)
    return (*extra, *place), cites


def give_condition(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, closing: bool
) -> Steps[None]:
    """Give a spell's condition for its rounds."""
    until = duration_on_target(fight, caster, spell, target, closing)
    fact = ConditionGained(
        who=target.id,
        condition=spell.condition,
        source=caster.id if spell.condition in FEAR else spell.name,
        until=until,
        cites=fight.rules("woa.round.effect-duration") if until.when else (),
    )
    yield from fight.dialect.conditions.gain(fight, fact)


def give_modifiers(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, closing: bool
) -> Steps[None]:
    """Give the modifiers of a spell for its rounds."""
    rule = fight.rule("woa.round.effect-duration")
    for number, given in enumerate(spell.grants, 1):
        yield EffectGained(
            who=target.id,
            id=f"{fight.declaration}:{spell.name}:{target.id}:{number}",
            stat=given.stat,
            modifier=Modifier(given.value, given.kind, spell.name, rule),
            until=duration_on_target(fight, caster, spell, target, closing),
            cites=(rule,),
        )


def duration_on_target(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, closing: bool
) -> Until:
    """Return how long a spell lasts on a target: the caster's concentration, or rounds of the target's.

    A round that is over when the spell begins is none of them (woa.round.effect-duration).
    """
    if spell.concentration:
        return Until("concentration", caster.id)
    if not spell.rounds:
        return Until("", caster.id)
    last = fight.state.round + spell.rounds if closing else last_round(fight, target, spell.rounds)
    return Until("round-end", caster.id, last)
