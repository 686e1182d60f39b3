"""Implement spells: their targets, effects and durations, and touch spells."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks.attack_modifiers import refuse_untargetable
from affray.engine.dialects.woa.classes.abilities import graded_damage, least_and_most, saving_throw
from affray.engine.dialects.woa.conditions.conditions import FEAR, last_round
from affray.engine.dialects.woa.defense.struck_cover import place_on_reflex_save
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.magic import concentration
from affray.engine.dialects.woa.magic.concentration import (
    CONCENTRATION_LONG,
    check_concentration,
    let_former_lapse,
)
from affray.engine.dialects.woa.movement import speed
from affray.engine.dialects.woa.opportunity import reaction_budget
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_ignoring
from affray.engine.dialects.woa.opportunity.reactions import Area, apply_effect_to_shield, area_parts
from affray.engine.dialects.woa.position import size
from affray.engine.dialects.woa.position.size import idle
from affray.engine.dialects.woa.senses.concealment import place_target, unseen
from affray.engine.dialects.woa.turns.declared_actions import triggered
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.conditions.conditions import cannot_act
from affray.engine.rules.damage.recovery_and_riders import multiply_dice
from affray.engine.rules.magic.concentration import begin_concentrating
from affray.engine.rules.magic.spell_effects import (
    DIRECTED,
    damage_by_spell,
    origin_of_area,
    refuse_origin,
    targets_of_spell,
)
from affray.engine.rules.magic.touch_spells import (
    deliver_or_hold,
    refuse_to_touch,
    still_delivered,
    touch_blow,
)
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import attack_is_lost
from affray.engine.steps import Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.events.facts.flow import CastingBegan, CastingEnded, Rolled, RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Brewing, Combatant

# --- What spells do, when and for how long (woa.spell.effect-timing-*, woa.round.effect-duration)

DISMISSIBLE = "dismissible"
#: Prefix of the stat of the effect that records a critical touch until its spell takes effect.
CRITICAL = "critical touch: "
NOW, TURN_START, TURN_END, ROUND_END = "", "turn-start", "turn-end", "round-end"
#: When a spell takes effect, by the words of its description.
DESCRIBED = {"at once": NOW, "turn end": TURN_END, "round end": ROUND_END}


def alters_battle(spell: Spell) -> bool:
    """Return whether a spell only improves some combatants or hampers others."""
    lasting = spell.condition or spell.grants
    return bool(lasting) and not spell.damage and not spell.healing


def moment_of_effect(fight: Fight, spell: Spell) -> tuple[str, str]:
    """Return when a spell cast now takes effect, and the topic of the rule.

    Buffs and debuffs take effect at the end of the round, long castings at the end of the turn, other spells
    at once, unless the description differs (option `full_round_casting`); abilities that are not spells work
    at once. A readied casting is completed before its trigger continues (woa.ready.interrupt).
    """
    when, topic = usual_moment(fight, spell)
    if when == TURN_END and fight.readied not in ("", fight.state.active):
        return NOW, "woa.ready.interrupt"
    return when, topic


def usual_moment(fight: Fight, spell: Spell) -> tuple[str, str]:
    """Return when a spell cast on the caster's turn takes effect, and the topic of the rule."""
    if spell.ability and not spell.works:
        return NOW, "use-special-ability"
    long = spell.casting in CONCENTRATION_LONG
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


def make_pending_spell_fact(fight: Fight, act: acts.Cast, when: str, topic: str) -> CastingBegan:
    """Return the fact of casting a spell that takes effect later."""
    due = fight.state.round + (when == TURN_START)
    return CastingBegan(who=act.actor, act=act, due=due, when=when, cites=(fight.rule(topic),))


def come_due(fight: Fight, combatant: Combatant, when: str) -> Steps[None]:
    """Resolve a caster's pending spells that are due at this moment of the round.

    If the caster has been disturbed since, it checks concentration first: in a standard casting until the
    turn's end, in a longer one until the spell takes effect (woa.spell.damage-concentration).
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
    """Return the effect that records a critical touch of a spell that works when the round ends."""
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
    """Return a spell, its damage multiplied if the touch that delivered it was a critical hit."""
    for one in caster.effects if spell.touch else ():
        if one.stat == f"{CRITICAL}{spell.name}" and [target.id for target in targets] == [one.against]:
            return (yield from multiply_damage(fight, spell, targets[0], one.modifier.value))
    return spell


def multiply_damage(fight: Fight, spell: Spell, target: Combatant, times: int) -> Steps[Spell]:
    """Return a spell with the damage of a critical hit of its touch or ray."""
    what = f"the critical hit multiplies the damage of {spell.name}"
    cites = fight.rules("woa.crit.multiplier", "woa.damage.multiply-by-rerolling")
    yield RuleApplied(who=target.id, what=what, cites=cites)
    return replace(spell, damage=multiply_dice(spell.damage, times))


def check_pending_spells(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Check whether a disturbance in the caster's turn ruins spells that wait for the end of the round."""
    for one in combatant.brewing:
        if one.when == ROUND_END:
            yield from loses_brewing_spell(fight, combatant, one, spell_under_way(combatant, one))


def spell_under_way(combatant: Combatant, one: Brewing) -> Spell:
    """Return the spell or device that is being cast or used."""
    return next(spell for spell in combatant.sheet.spells if spell.name == one.act.spell)


def loses_brewing_spell(fight: Fight, caster: Combatant, one: Brewing, spell: Spell) -> Steps[bool]:
    """Lose a pending spell if its caster falters; return whether it is lost."""
    if not (yield from is_lost_before_effect(fight, caster, one, spell)):
        return False
    topic = "woa.device.scroll-concentration" if spell.item == "scroll" else "woa.spell.fizzle"
    yield CastingEnded(who=caster.id, how="lost", spell=spell.name, cites=(fight.rule(topic),))
    return True


def topic_of(one: Brewing, spell: Spell) -> str:
    """Return the topic of the rule that sets when a pending spell takes effect."""
    if spell.item == "potion":
        return "woa.device.potion-timing"
    if one.when == ROUND_END:
        return "woa.spell.effect-timing-end-of-round"
    if one.when == TURN_END:
        return "woa.spell.effect-timing-long"
    return "woa.device.scroll-time" if spell.item == "scroll" else "woa.spell.casting-time"


def is_lost_before_effect(fight: Fight, caster: Combatant, one: Brewing, spell: Spell) -> Steps[bool]:
    """Return whether a pending spell is lost before it takes effect."""
    if spell.ability or spell.item not in ("", "scroll") or spell.casting not in CONCENTRATION_LONG:
        return False
    if spell.casting == "standard" and not spell.item and one.when == ROUND_END and not fight.state.active:
        return False
    if cannot_act(fight, caster):
        return True
    moving = not spell.item and (caster.mount or caster.conditions)
    if moving and (yield from concentration.is_lost_to_later_motion(fight, caster, spell)):
        return True
    return (yield from check_concentration(fight, caster, spell.level, spell.name, spell=spell))


def still_aimed(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> list[Combatant]:
    """Return the targets that a spell reaches now: those in its area, or its targets that are not dead."""
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
    """Apply a spell to its targets and keep it at work; `closing` is set when the round is over."""
    yield from let_former_lapse(fight, caster, spell)
    yield from apply_spell_to_targets(fight, caster, spell, targets, closing, at)
    yield from record_spell_at_work(fight, caster, spell, closing)


def apply_spell_to_targets(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], closing: bool, at: Square | None
) -> Steps[None]:
    """Apply a spell to its targets; `closing` is set when the round is over, `at` is the centre of an area.

    Touch spells have already been delivered; a ray needs a touch attack now.
    """
    rolled: Rolled | None = None
    dodged = bool(spell.area) and spell.save == "ref"
    if dodged:
        yield from reaction_budget.offer_shielding(fight, targets)
    for target in targets:
        if spell.touch == "ranged":
            yield from fight.dialect.magic.touching(fight, caster, spell, [target])
        else:
            rolled = yield from apply_spell_to_target(fight, caster, spell, target, rolled, closing, at)
    if dodged:
        yield from reaction_budget.end_shielding(fight, targets)


def record_spell_at_work(fight: Fight, caster: Combatant, spell: Spell, closing: bool) -> Steps[None]:
    """Record that a spell is at work: for concentration, redirection or dismissal."""
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
    """Refuse by `rule` to `use` a spell that is not at work; `mark` is the prefix of the effects that record
    spells.
    """
    known = [one.stat.removeprefix(mark) for one in caster.effects if one.stat.startswith(mark)]
    if not known:
        raise Refusal(f"{caster.id} has no spell at work to {use}", rule)
    if name not in known:
        raise unknown_word(f"spell of {caster.id} at work to {use}", name, known, rule)


def affect(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    rolled: Rolled | None,
    critical: bool = False,
    at: Square | None = None,
) -> Steps[Rolled | None]:
    """Apply a spell that has just been delivered, or at the end of the round if it alters the battle."""
    when, topic = moment_of_effect(fight, spell)
    if when == ROUND_END:
        # The target reached by the touch is the spell's target from now on.
        yield make_pending_spell_fact(
            fight, acts.Cast(actor=caster.id, spell=spell.name, targets=(target.id,)), when, topic
        )
        return rolled
    yield from let_former_lapse(fight, caster, spell)
    rolled = yield from apply_spell_to_target(fight, caster, spell, target, rolled, False, at)
    if spell.concentration:
        yield from begin_concentrating(fight, caster, spell)
    return rolled


def apply_spell_to_target(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    rolled: Rolled | None,
    closing: bool,
    at: Square | None = None,
) -> Steps[Rolled | None]:
    """Apply a spell to one target: saving throw with its degrees, damage, healing, lasting effects.

    Damage is rolled once for all targets of the spell: `rolled` is that roll, which is returned. An area
    effect spreads from `at`, or from its caster.
    """
    left = concentration.USUAL
    if target.conditions:
        left = yield from concentration.effect_left_by_water(fight, caster, spell, target)
    if left == concentration.NOTHING:
        return rolled
    saved = None
    if spell.save:
        extra, cites = yield from save_modifiers_on_spell(fight, caster, spell, target, at)
        rule = fight.rule("woa.save.dc-source")
        saved = yield from saving_throw(
            fight, target, spell.save, spell.dc, spell.name, rule, *cites, extra=extra
        )
        yield from apply_effect_to_shield(fight, target, extra, saved, spell.name)
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
        if left == concentration.HALF:
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
    """Return the modifiers of area, water, size and place to the save against a spell, with their rules."""
    extra: tuple[Modifier, ...] = ()
    if spell.save == "ref" and spell.area:
        from_above = not environment.is_under_water(caster)
        wet = environment.reflex_below_surface(fight, target, spell.damage_type) if from_above else ()
        extra = (*area_parts(fight, target, Area()), *wet)
    extra = (*extra, *size.size_against_life(fight, caster, target, spell))
    if spell.save != "ref":
        return extra, ()
    origin = origin_of_area(caster, spell, at) if spell.area else None
    place, cites = yield from place_on_reflex_save(fight, target, caster, origin, spell.name)
    return (*extra, *place), cites


def give_condition(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, closing: bool
) -> Steps[None]:
    """Give a spell's condition for its duration."""
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
    """Give the modifiers of a spell for its duration."""
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
    """Return how long a spell lasts on a target: the caster's concentration, or rounds of the target.

    A round that is over when the spell begins does not count (woa.round.effect-duration).
    """
    if spell.concentration:
        return Until("concentration", caster.id)
    if not spell.rounds:
        return Until("", caster.id)
    last = fight.state.round + spell.rounds if closing else last_round(fight, target, spell.rounds)
    return Until("round-end", caster.id, last)


# --- Targets of spells, and the conditions for attacking with them (woa.spell.touch-*)


def does_damage_alone(spell: Spell) -> bool:
    """Return whether a spell has no effect but damage: lasting effects apply to a target only once."""
    return bool(spell.damage) and not spell.grants


def spell_blow(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Blow:
    """Return the touch attack of a spell; a ray has no range increments.

    woa.spell.touch-enemy, woa.ac.touch-attack
    """
    if spell.touch == "melee":
        return touch_blow(caster, spell, target, *fight.rules("woa.ac.touch-attack", "woa.spell.touch-enemy"))
    blow = touch_blow(caster, spell, target, fight.rule("woa.ac.touch-attack"))
    blow.weapon = replace(blow.weapon, range=0)
    return blow


def placed_targets(
    fight: Fight, caster: Combatant, spell: Spell, targets: Sequence[Combatant]
) -> Steps[list[Combatant]]:
    """Return the targets of a touch or a ray; the caster must first locate enemies that it does not see.

    woa.concealment.total.locate, woa.concealment.total.blind-attack
    """
    found = []
    for target in targets:
        friend = target.side == caster.side
        if friend or (yield from place_target(fight, spell_blow(fight, caster, spell, target))):
            found.append(target)
    return found


def refuse_unseen(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> None:
    """Refuse to aim a spell at a target with total concealment; areas and touch attacks may still reach it.

    woa.concealment.total.spell-targeting
    """
    if spell.area or spell.touch:
        return
    for target in targets:
        if unseen(fight, caster, target):
            rule = fight.rule("woa.concealment.total.spell-targeting")
            raise Refusal(f"{caster.id} does not see {target.id} and cannot aim {spell.name} at it", rule)


def refuse_unseen_targets(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to aim a spell at a target that its caster does not see.

    woa.concealment.total.spell-targeting
    """
    refuse_unseen(fight, caster, spell, [fight.combatant(id) for id in act.targets])


def refuse_out_of_touch(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> None:
    """Refuse to touch a target that is too high, or an enemy with total cover or too crowded around.

    A caster that cannot make melee attacks now cannot touch an enemy, and one that cannot move cannot touch
    others (woa.squeezing.escape-artist, woa.mount.combat.saddle-required, woa.condition.immobilized).
    """
    if spell.touch and targets and "wriggling" in caster.conditions:
        raise Refusal(
            f"{caster.id} wriggles through and cannot attack", fight.rule("woa.squeezing.escape-artist")
        )
    if spell.touch != "melee":
        return
    others = [one for one in targets if one is not caster]
    if others and is_helpless(fight, caster):
        raise Refusal(
            f"{caster.id} cannot move and cannot touch others", fight.rule("woa.condition.immobilized")
        )
    if any(one.side != caster.side for one in targets) and (topic := idle(fight, caster)):
        raise Refusal(f"{caster.id} makes no melee attacks now and cannot touch an enemy", fight.rule(topic))
    for target in others:
        feet = speed.feet_above(caster, target)
        if feet > caster.reach:
            rule = fight.rule("woa.spell.touch-spell")
            raise Refusal(f"{target.id} is {feet} ft. above or below, out of {caster.id}'s reach", rule)
        if target.side != caster.side:
            refuse_untargetable(fight, spell_blow(fight, caster, spell, target))


def refuse_to_deliver(fight: Fight, caster: Combatant, spell: Spell, targets: Sequence[Combatant]) -> None:
    """Refuse targets that a spell cannot reach: out of reach or range, unseen, in total cover."""
    if spell.touch == "melee":
        for target in targets:
            refuse_to_touch(fight, caster, target)
    else:
        aim = acts.Cast(actor=caster.id, spell=spell.name, targets=tuple(one.id for one in targets))
        targets_of_spell(fight, caster, spell, aim)
    refuse_out_of_touch(fight, caster, spell, list(targets))


def let_others_react(
    fight: Fight, caster: Combatant, spell: Spell, targets: Sequence[Combatant]
) -> Steps[bool]:
    """Let combatants that readied for an attack act before a spell is delivered; return whether it still can
    be.

    Delivering a spell is an attack: on the caster's turn, or by its own readied act, it triggers acts readied
    for that, and provokes from an ignored threat that the caster has moved into. If that makes it impossible,
    the touch or the ray is reported as lost, never a held charge.

    woa.ready.window, woa.ready.interrupt, woa.aoo.provoke.ignoring-threat.
    """
    foes = [one for one in targets if one.side != caster.side]
    if not foes or caster.id not in (fight.state.active, fight.readied):
        return not is_down(fight, caster)
    again = partial(refuse_to_deliver, fight, caster, spell, targets)
    reacting = attacked_by_spell(fight, caster, foes)
    return (yield from still_delivered(fight, caster, spell, targets, reacting, again))


def attacked_by_spell(fight: Fight, caster: Combatant, foes: list[Combatant]) -> Steps[None]:
    """Let combatants that readied for an attack act, and those strike whose threat is ignored."""
    yield from triggered(fight, caster, "attacks")
    yield from provoke_by_ignoring(fight, caster, foes)


def touch_now(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Touch the targets of a spell just cast; if that is prevented, its charge is held.

    woa.spell.touch-spell
    """
    found: list[Combatant] = []
    try:
        refuse_to_deliver(fight, caster, spell, targets)
    except Refusal as refused:  # because of what happened in between
        yield attack_is_lost(caster, refused, "the touch")
    else:
        if (yield from let_others_react(fight, caster, spell, targets)):
            found = yield from placed_targets(fight, caster, spell, targets)
    yield from deliver_or_hold(fight, caster, spell, found)


# --- Directing a spell at work at another target (woa.spell.redirect)


def redirect(fight: Fight, act: acts.Redirect) -> Steps[None]:
    """Redirect a spell at work to other targets, at once: a move action that takes no concentration.

    An area spreads from its new centre; touches and rays are resolved again.
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("woa.spell.redirect")
    kind = str(fight.figure("woa.spell.redirect", "action"))
    refuse_not_at_work(caster, act.spell, "spell: ", "redirect", rule)
    spell = next(one for one in caster.sheet.spells if one.name == act.spell)
    aim = acts.Cast(actor=caster.id, spell=act.spell, targets=act.targets, at=act.at)
    refuse_origin(fight, caster, spell, aim)
    targets = targets_of_spell(fight, caster, replace(spell, touch=""), aim)
    refuse_unseen(fight, caster, spell, targets)
    yield spending(fight, caster, kind, f"redirect {act.spell}", rule)
    # The effect itself touches now, not its caster's hand.
    flying = replace(spell, touch="ranged") if spell.touch else spell
    yield from apply_spell_to_targets(fight, caster, flying, targets, False, act.at)


# --- Delivering a spell: by a touch, by a ray, and the consequences of being touched (woa.spell.touch-*)


def shoot_rays(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Shoot a ray at each target: a ranged touch attack, unless the water's surface stops it."""
    for target in targets:
        if (yield from concentration.is_stopped_by_surface(fight, caster, spell, target)):
            continue
        if not (yield from let_others_react(fight, caster, spell, [target])):
            if is_down(fight, caster):
                return
            continue
        if (yield from is_ruined_by_reaction(fight, caster, spell)):
            return
        if not (yield from placed_targets(fight, caster, spell, [target])):
            continue
        blow = spell_blow(fight, caster, spell, target)
        if (yield from strike(fight, blow, harm=False)):
            yield from discharge(fight, caster, spell, target, blow, blow.outcome.critical)


def is_ruined_by_reaction(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Return whether a spell is lost because its caster was disturbed just before the ray.

    Damage and maneuvers by acts readied for it disturb a casting of a standard or full-round action; shorter
    castings, wands and abilities that are not spells need no concentration (woa.spell.damage-concentration,
    .fizzle).
    """
    if spell.casting not in CONCENTRATION_LONG or spell.ability or spell.item not in ("", "scroll"):
        return False
    if not (yield from check_concentration(fight, caster, spell.level, spell.name, spell=spell)):
        return False
    yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(fight.rule("woa.spell.fizzle"),))
    return True


def discharge(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, blow: Blow | None, critical: bool
) -> Steps[None]:
    """Apply a spell that has reached its target; being struck by it counts as being attacked.

    Damage without a saving throw works like a weapon's, and all damage may be critical. A touch that works
    only when the round ends is critical then (woa.spell.effect-timing-end-of-round).
    """
    dialect = fight.dialect
    if blow is None:
        yield from dialect.magic.affect(fight, caster, spell, target, None)
        return
    before, standing = (target.hp, target.nonlethal, target.temporary), not is_down(fight, target)
    later = spell.touch != "ranged" and moment_of_effect(fight, spell)[0] == ROUND_END
    if spell.save or not spell.damage or later:
        if critical and spell.damage and later:
            yield critical_touch(fight, caster, spell, target, blow.weapon.multiplier)
        elif critical and spell.damage:
            spell = yield from multiply_damage(fight, spell, target, blow.weapon.multiplier)
        if spell.touch == "ranged":
            yield from apply_spell_to_target(fight, caster, spell, target, None, not fight.state.active)
        else:
            yield from dialect.magic.affect(fight, caster, spell, target, None)
    else:
        yield from deal_touch_damage(fight, caster, spell, target, blow, critical)
    yield from dialect.attacks.after_hit(fight, blow, before, standing)


def deal_touch_damage(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, blow: Blow, critical: bool
) -> Steps[None]:
    """Deal the damage of a touch or a ray, reduced by water, with its consequences."""
    left = concentration.USUAL
    if target.conditions:
        left = yield from concentration.effect_left_by_water(fight, caster, spell, target)
    if left == concentration.NOTHING:
        return
    if left == concentration.HALF:
        blow.damage.divisor = 2
    yield from fight.dialect.damage.deal(fight, blow, critical)
    if "dead" in target.conditions:
        return
    closing = not fight.state.active
    if spell.condition:
        yield from give_condition(fight, caster, spell, target, closing)
    yield from give_modifiers(fight, caster, spell, target, closing)
