"""Lasting spells: gazes, ongoing damage, new saves, granted modifiers and magic items."""

from collections.abc import Callable
from operator import itemgetter
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.attacks.attack_roll import miss_chance
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.sheets import is_a
from affray.engine.rules.damage.damage import amount_dealt, rolled_part
from affray.engine.rules.damage.recovery_and_riders import add_temporary_hit_points
from affray.engine.rules.environment import CONCENTRATION
from affray.engine.rules.gear.splash_weapons import BURNING
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.magic import casting
from affray.engine.rules.magic.concentration import spell_known, spell_of
from affray.engine.rules.magic.spell_effects import (
    DIRECTED,
    POWERS,
    get_spell_duration,
    refuse_origin,
    targets_of_spell,
)
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Rider, Spell
from affray.projections.state import Combatant, Effect

# --- Special abilities: which kinds of them provoke, and using them defensively
# srd35.cast.abilities-table, pf1.cast.abilities.

ABILITIES: Final = "cast.abilities-table"


def ability_provokes(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic of the rule on a special ability, and whether it provokes; "" if it is none.

    srd35.cast.abilities-table, pf1.cast.abilities.
    """
    if not spell.ability:
        return "", False
    return ABILITIES, bool(fight.figure(ABILITIES, f"type={spell.ability}", "provokes"))


def refuse_defensive_ability(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to use defensively a special ability that does not provoke (srd35.cast.abilities-table,
    pf1.cast.abilities).
    """
    if act.defensively and spell.ability and not ability_provokes(fight, caster, spell)[1]:
        rule = fight.rule(ABILITIES)
        raise Refusal(f"{spell.name} does not provoke and is not used defensively", rule)


def ability_does_not_provoke(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Report that a special ability does not provoke (srd35.cast.abilities-table, pf1.cast.abilities)."""
    if spell.ability and not ability_provokes(fight, caster, spell)[1]:
        cites = fight.rules(ABILITIES)
        yield RuleApplied(who=caster.id, what=f"{spell.name} does not provoke", cites=cites)


# --- Gaze attacks: the creatures they affect, averting and shutting the eyes, and the gazer's concealment
# srd35.gaze.save, srd35.gaze.avert, pf1.gaze-breath.

LOOK, AVERT, SHUT = "look", "avert", "shut"
AVERTING, EYES_SHUT = "averting", "eyes-shut"


def reach_of(fight: Fight, spell: Spell) -> int:
    """Return the range of a gaze or a presence in feet: the printed one or the usual one."""
    topic, _ = POWERS[spell.delivery]
    return spell.range or int(fight.figure(topic, "range_ft"))


def meet_gazes(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, face the gaze of every opponent in range (srd35.gaze.save)."""
    for enemy in fight.enemies(combatant):
        for spell in enemy.sheet.spells:
            if spell.delivery != "gaze" or is_down(fight, enemy) or is_down(fight, combatant):
                continue
            if distance(combatant, enemy) <= reach_of(fight, spell) and sees(fight, combatant, enemy):
                yield from look_away(fight, combatant, enemy, reach_of(fight, spell))
                yield from fight.dialect.magic.affect(fight, enemy, spell, combatant, None, False, None)


def look_away(fight: Fight, combatant: Combatant, enemy: Combatant, feet: int) -> Steps[None]:
    """Decide whether to look, avert one's eyes or shut them until one's next turn (srd35.gaze.avert)."""
    rule = fight.rule("gaze.avert")
    if "blinded" in combatant.conditions:
        return
    question = f"{enemy.id}'s gaze is met within {feet} ft.: what does {combatant.id} do with its eyes?"
    answer = yield Choice(combatant.id, "gaze", question, (LOOK, AVERT, SHUT), rule)
    if answer == LOOK:
        return
    stat = AVERTING if answer == AVERT else EYES_SHUT
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:{stat}:{enemy.id}:{fight.state.round}",
        stat=stat,
        modifier=Modifier(0, "gaze", "averting its eyes" if answer == AVERT else "eyes shut", rule),
        until=Until("turn-start", combatant.id, fight.state.round + 1),
        against=enemy.id if answer == AVERT else "",
        cites=(rule,),
    )


def get_gaze_protection(combatant: Combatant, enemy: Combatant) -> str:
    """Return how a combatant protects its eyes from the gaze of an enemy: averting, shut, or ""."""
    for stat in (EYES_SHUT, AVERTING):
        if any(one.stat == stat and one.against in ("", enemy.id) for one in combatant.effects):
            return stat
    return ""


def avoids_gaze(fight: Fight, gazer: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a gaze misses its target's eyes (srd35.gaze.avert)."""
    if spell.delivery != "gaze":
        return False
    rule = fight.rule("gaze.avert")
    how = get_gaze_protection(target, gazer)
    if how == EYES_SHUT or "blinded" in target.conditions:
        yield RuleApplied(who=target.id, what=f"does not see {gazer.id}'s {spell.name}", cites=(rule,))
        return True
    if how == AVERTING:
        percent = fight.figure("gaze.avert", "avert_skip_pct")
        if (yield from percent_roll(target, "gaze", percent, "averting its eyes", rule)):
            return True
    percent, why, _ = poor_sight(fight, target, gazer)
    return bool(percent) and (yield from percent_roll(target, "gaze", percent, why, rule))


def poor_sight(fight: Fight, combatant: Combatant, enemy: Combatant) -> tuple[int, str, str]:
    """Return the gazer's miss chance against being seen from the surroundings, eyes apart."""
    blow = Blow(combatant, enemy, unarmed(fight, combatant), False, distance(combatant, enemy))
    return miss_chance(fight, blow)


def eyes_turned_away(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return the greater of a miss chance and of a gazer's concealment from those that look away.

    srd35.gaze.avert.
    """
    return max(found, hidden_from(fight, blow), key=itemgetter(0))


def hidden_from(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return the concealment of a gazer from those that do not look at it (srd35.gaze.avert)."""
    for one in blow.attacker.effects:
        if one.stat == EYES_SHUT:
            topic = "concealment.total-miss-chance"
            return (
                fight.figure(topic, "miss_chance_percent"),
                f"{blow.attacker.id}'s eyes are shut",
                "gaze.avert",
            )
        if one.stat == AVERTING and one.against == blow.target.id:
            topic = "concealment.miss-chance"
            return (
                fight.figure(topic, "miss_chance_percent"),
                f"{blow.attacker.id} averts its eyes",
                "gaze.avert",
            )
    return 0, "", ""


# --- The modifiers that a spell gives while it lasts


def give_modifiers(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Give the modifiers of a spell while it lasts, unless the target has saved.

    The same spell twice counts once, with its best figures (srd35.bonus.same-spell, srd35.bonus.types-table,
    srd35.round.duration-expiry, pf1.bonus.stacking, pf1.round.duration-expiry).
    """
    if saved or not spell.grants or "dead" in target.conditions:
        return
    rule = fight.rule("bonus.same-spell")
    again = any(one.modifier.source == spell.name for one in target.effects)
    cites = (fight.rule("round.duration-expiry"),) if spell.rounds else ()
    for number, given in enumerate(spell.grants, 1):
        yield EffectGained(
            who=target.id,
            id=f"{fight.declaration}:{spell.name}:{target.id}:{number}",
            stat=given.stat,
            modifier=Modifier(given.value, given.kind, spell.name, fight.rule("bonus.types-table")),
            until=get_spell_duration(fight, caster, spell),
            cites=cites,
        )
    if again:
        what = f"{spell.name} is on {target.id} twice: the best of each figure counts"
        yield RuleApplied(who=target.id, what=what, cites=(rule,))


# --- Using magic items: reading scrolls, drinking potions, command words or simple use
# srd35.cast.activate-item, pf1.cast.items.

#: Refuses to activate an item, or returns the steps that return whether it works.
Works = Callable[[Fight, Combatant, Spell, acts.Activate], Steps[bool]]


def works_by_itself(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[bool]:
    """Return True: an item works for every user that can use it."""
    return True
    yield


def item_provokes(fight: Fight, user: Combatant, item: Spell) -> tuple[str, bool]:
    """Return the topic of the rule on a magic item, and whether it provokes: a scroll; "" for a spell.

    srd35.cast.activate-item, pf1.cast.items.
    """
    return ("cast.activate-item", item.item == "scroll") if item.item else ("", False)


def activate(fight: Fight, act: acts.Activate, works: Works) -> Steps[None]:
    """Use a magic item, as a standard action unless it says otherwise; `works` returns whether it does.

    A scroll is read like a spell that is cast: it provokes and takes concentration. A potion provokes. Items
    that are triggered, commanded or simply used do not (srd35.cast.activate-item, pf1.cast.items).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("cast.activate-item")
    item = spell_of(caster, act.item, rule, "magic item")
    if not item.item:
        raise Refusal(f"{item.name} is no magic item", rule)
    way = acts.Cast(
        actor=act.actor, spell=item.name, targets=act.targets, at=act.at, defensively=act.defensively
    )
    if item.item != "scroll" and act.defensively:
        raise Refusal(f"the {item.name} cannot be used defensively: only a scroll can", rule)
    if item.item == "potion" and act.targets != (caster.id,):
        raise Refusal(f"the {item.name} targets its drinker: {caster.id}", rule)
    working = works(fight, caster, item, act)
    refuse_origin(fight, caster, item, way)
    targets = targets_of_spell(fight, caster, item, way)
    in_grapple = fight.rules("grapple.magic-item") if "grappling" in caster.conditions else ()
    kind, _ = fight.dialect.magic.casting_action(fight, caster, item)
    yield spending(fight, caster, kind, f"use the {item.name}", rule, *in_grapple)
    if item.item == "potion":
        yield from drink(fight, caster, item)
        if is_down(fight, caster):
            return
    if not (yield from working):
        return
    if item.item == "scroll":
        yield from casting.finish_casting(fight, caster, item, targets, act.defensively, at=act.at)
        return
    if item.uses is not None:
        yield ResourceSpent(who=caster.id, resource=item.name, amount=1, cites=(rule,))
    yield from casting.take_effect(fight, caster, item, targets, act.at)


def drink(fight: Fight, user: Combatant, item: Spell) -> Steps[None]:
    """Lose the Dexterity bonus while drinking."""
    rule = fight.rule("cast.activate-item")
    reason = f"drinks the {item.name}"
    yield from fight.dialect.opportunity.provoke(
        fight, user, threatening(fight, user), reason, f"drink:{fight.declaration}", rule
    )


# --- A new saving throw each round against a lasting spell: hold person and the like
# srd35.spell.new-save-each-round, pf1.spell.new-save-each-round.

TOPIC: Final = "spell.new-save-each-round"
#: The prefix of the effect by which a held combatant may save again, followed by the kind of save.
NEW_SAVE: Final = "new save: "


def note_new_saves(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Record the DC of a spell whose condition a target may end by a new saving throw each round."""
    held = target.conditions.get(spell.condition)
    if saved or not spell.save_each_round or held is None or held.source != spell.name:
        return
    rule = fight.rule(TOPIC)
    dc, _ = fight.dialect.magic.spell_dc(fight, caster, spell)
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:{NEW_SAVE}{spell.name}:{target.id}:{fight.state.round}",
        stat=f"{NEW_SAVE}{spell.save} {spell.condition}",
        modifier=Modifier(dc, "untyped", spell.name, rule),
        until=get_spell_duration(fight, caster, spell),
        against=caster.id,
        cites=(rule,),
    )


def attempt_new_saves(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of its turn, let a held combatant spend a full-round action on a new saving throw.

    It does not provoke; of several spells only one can be ended in a turn.
    """
    for effect in [one for one in combatant.effects if one.stat.startswith(NEW_SAVE)]:
        kind, _, condition = effect.stat.removeprefix(NEW_SAVE).partition(" ")
        spell = effect.modifier.source
        held = combatant.conditions.get(condition)
        if held is None or held.source != spell:
            yield ended(combatant, effect, "")
            continue
        rule = fight.rule(TOPIC)
        question = f"does {combatant.id} spend its turn on a new saving throw against {spell}?"
        if (yield Choice(combatant.id, "new-save", question, ("save", "endure"), rule)) == "save":
            yield from save_anew(fight, combatant, effect, kind, condition)
            return


def save_anew(fight: Fight, combatant: Combatant, effect: Effect, kind: str, condition: str) -> Steps[None]:
    """Spend the full round on a saving throw; a success ends the condition."""
    rule, spell = effect.modifier.rule, effect.modifier.source
    action = str(fight.figure(TOPIC, "action"))
    yield ActionSpent(who=combatant.id, kind=action, what=f"new save against {spell}", cites=(rule,))
    wards = tuple(fight.dialect.classes.save_against_condition(fight, combatant, condition, kind))
    dc = effect.modifier.value
    if (yield from saving_throw(fight, combatant, kind, dc, spell, rule, extra=wards)):
        why = f"saved against {spell}"
        yield ConditionLost(who=combatant.id, condition=condition, why=why, cites=(rule,))
        yield ended(combatant, effect, "saved")


def ended(combatant: Combatant, effect: Effect, why: str) -> EffectEnded:
    """Return the fact that no further saves are possible."""
    return EffectEnded(who=combatant.id, id=effect.id, why=why, cites=(effect.modifier.rule,))


# --- A spell's damage that continues each round, and how it hinders casting

ONGOING: Final = "ongoing "


def start_ongoing_damage(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Make a spell's damage continue each round, unless the target has saved.

    srd35.round.duration-expiry, pf1.round.duration-expiry.
    """
    if saved or not spell.ongoing or "dead" in target.conditions:
        return
    rule = fight.rule("round.duration-expiry")
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:{spell.name}:{target.id}:{fight.state.round}",
        stat=f"{ONGOING}{spell.ongoing}",
        modifier=Modifier(0, spell.damage_type, spell.name, rule),
        until=get_spell_duration(fight, caster, spell),
        against=caster.id,
        cites=(rule,),
    )


def deal_ongoing_damage(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the start of a turn, deal the continuing damage."""
    for effect in [one for one in combatant.effects if one.stat.startswith(ONGOING)]:
        if "dead" in combatant.conditions:
            return
        yield from deal_ongoing_effect(fight, combatant, effect)


def deal_ongoing_effect(fight: Fight, combatant: Combatant, effect: Effect) -> Steps[None]:
    """Deal the current damage of one effect, and record the amount."""
    dice, kind, source = effect.stat.removeprefix(ONGOING), effect.modifier.kind, effect.modifier.source
    rolled = yield Roll(combatant.id, "ongoing", dice)
    by = fight.state.combatants.get(effect.against)
    harm = Harm(combatant, rolled.total, kind, source, by, energy=True)
    fact = amount_dealt(fight, harm, rolled_part(harm, dice, rolled), effect.modifier.rule)
    yield fact if by is not None else replace(fact, attacker=combatant.id)
    yield from fight.dialect.damage.suffer(fight, harm)
    if any(one.id == effect.id for one in combatant.effects):
        yield EffectEnded(who=combatant.id, id=effect.id, why="", cites=(effect.modifier.rule,))
        yield EffectGained(
            who=combatant.id,
            id=effect.id,
            stat=effect.stat,
            modifier=Modifier(rolled.total, kind, source, effect.modifier.rule),
            until=effect.until,
            against=effect.against,
            cites=(effect.modifier.rule,),
        )


def hindering_damage(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return how continuing damage hinders casting: by half of the last amount.

    srd35.skill.concentration-table, pf1.cast.concentration-table.
    """
    found = []
    for effect in caster.effects:
        if effect.stat.startswith((ONGOING, BURNING)):
            dc = fight.formula(CONCENTRATION, "case=continuous damage", "dc") + effect.modifier.value // 2
            found.append((f"hurt by {effect.modifier.source}", CONCENTRATION, dc + spell.level))
    return found


# --- Further effects of a spell: cures, temporary hit points, riders
# pf1.injury.first-aid, pf1.temp-hp, srd35.heal.limits, srd35.temp-hp.

#: Creatures that a cure damages as much as it would heal others, and the kind of damage.
UNDEAD: Final = "undead"
POSITIVE: Final = "positive energy"

Bestow = Callable[[Fight, Combatant, Spell, Combatant, bool], Steps[None]]


def benefits(
    cure: Callable[[Fight, Combatant, int, str], Steps[None]],
    expose: Callable[[Fight, Combatant, Rider, Combatant | None], Steps[None]],
) -> Bestow:
    """Return the function that applies a spell to one target, by how a dialect cures and exposes to riders.

    The undead are damaged by a cure; a target that has saved is spared the riders.
    """

    def give_benefits(
        fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
    ) -> Steps[None]:
        """Cure, give temporary hit points, and apply the spell's riders.

        pf1.temp-hp, srd35.temp-hp.
        """
        if "dead" in target.conditions:
            return
        if spell.healing:
            rolled = yield Roll(caster.id, "healing", spell.healing)
            if is_a(target, UNDEAD):
                amount = rolled.total // 2 if saved else rolled.total
                harm = Harm(target, amount, POSITIVE, spell.name, caster, energy=True)
                yield from fight.dialect.damage.suffer(fight, harm)
                return
            yield from cure(fight, target, rolled.total, spell.name)
        if spell.temporary:
            rolled = yield Roll(caster.id, "temporary", spell.temporary)
            until = for_rounds(fight, caster, spell.rounds) if spell.rounds else Until("rest", target.id)
            yield from add_temporary_hit_points(fight, target, rolled.total, spell.name, until)
        if not saved:
            for rider in spell.riders:
                yield from expose(fight, target, rider, caster)

    return give_benefits


# --- Spells that their caster can dismiss while they last: those with "dismissible" among their components

DISMISSIBLE: Final = "dismissible"


def marks_of_dismissible(caster: Combatant, name: str) -> list[Effect]:
    """Return the effects that record a caster's active, dismissible spells of a name."""
    return [one for one in caster.effects if one.stat == f"{DISMISSIBLE}: {name}"]


def note_dismissible(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Record that a spell with a duration has taken effect and can be dismissed.

    srd35.actions-table.standard, pf1.cast.maintain.
    """
    if saved or DISMISSIBLE not in spell.components or not spell.rounds:
        return
    if not marks_of_dismissible(caster, spell.name):
        rule = fight.rule("cast.maintain")
        yield EffectGained(
            who=caster.id,
            id=f"{fight.declaration}:{DISMISSIBLE}",
            stat=f"{DISMISSIBLE}: {spell.name}",
            modifier=Modifier(0, "untyped", spell.name, rule),
            until=get_spell_duration(fight, caster, spell),
            cites=(rule,),
        )


# --- Spells that their caster can direct while they last: those with "directed" among their components


def note_directed(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Record that a spell with a duration has begun and can be directed at others.

    pf1.actions-table.move.
    """
    if DIRECTED not in spell.components or not (spell.rounds or spell.concentration):
        return
    rule = fight.rule("actions-table.move")
    yield EffectGained(
        who=caster.id,
        id=f"{fight.declaration}:{DIRECTED}",
        stat=f"{DIRECTED}: {spell.name}",
        modifier=Modifier(0, "untyped", spell.name, rule),
        until=get_spell_duration(fight, caster, spell),
        cites=(rule,),
    )


def redirect(fight: Fight, act: acts.Redirect, mark: str, rule: str, row: str = "") -> Steps[None]:
    """Direct a lasting spell at other targets: a move action that does not provoke.

    `mark` is the stat of the effect that says that the spell lasts, `row` the row of the table of actions.
    """
    caster = fight.combatant(act.actor)
    if not any(one.stat == f"{mark}: {act.spell}" for one in caster.effects):
        raise Refusal(f"{caster.id} has no {act.spell or 'spell'} at work to redirect", rule)
    spell = spell_known(caster, act.spell)
    aim = acts.Cast(actor=caster.id, spell=act.spell, targets=act.targets, at=act.at)
    refuse_origin(fight, caster, spell, aim)
    targets = targets_of_spell(fight, caster, replace(spell, touch=""), aim)
    spent = spending(fight, caster, "move", f"redirect {spell.name}", rule)
    if row:
        yield from fight.dialect.turns.told_safe(fight, caster, "move", row, f"directing {spell.name}")
    yield spent
    rolled = None
    for target in targets:
        rolled = yield from fight.dialect.magic.affect(fight, caster, spell, target, rolled, False, act.at)
