"""Casting spells in declared rounds: the action, what it costs, what may ruin it (woa.spell.*)."""

from affray.engine.dialects.woa.conditions.impeded_mobility import casting_in_bonds, garbled_by_deafness
from affray.engine.dialects.woa.magic import unsteady_casting
from affray.engine.dialects.woa.magic.components import (
    give_away_by_voice,
    ready_materials,
    refuse_without_components,
)
from affray.engine.dialects.woa.magic.concentration import (
    LONG,
    check_concentration,
    concentration_parts,
    no_defensive_casting,
    refuse_unsettled,
    shaken_at_turn_end,
)
from affray.engine.dialects.woa.magic.spell_effects import (
    DISMISSIBLE,
    NOW,
    ROUND_END,
    TURN_END,
    come_due,
    moment_of_effect,
    refuse_not_at_work,
    set_brewing,
    shaken_before,
    take_effect,
)
from affray.engine.dialects.woa.magic.spell_targets import (
    let_others_react,
    placed_targets,
    refuse_out_of_touch,
    refuse_unseen,
    touch_now,
)
from affray.engine.dialects.woa.magic.unsteady_casting import keep_concentrating, occupy, own_spell
from affray.engine.dialects.woa.turns import swift_actions
from affray.engine.dialects.woa.turns.triggers import triggered
from affray.engine.fight.fight import Fight
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.rules.conditions.mental_actions import is_mental
from affray.engine.rules.magic import lost_charge
from affray.engine.rules.magic.counterspell import react_to_casting
from affray.engine.rules.magic.long_castings import CONCENTRATING, end_spell, let_lapse
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.turns.action_budget import check_turn, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ResourceSpent,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

QUICK = ("swift", "immediate")

#: Under this name stands among what a turn has spent how far its caster had moved before a touch spell.
MOVED_BEFORE = "feet before the touch spell"


def cast_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of the sheet; a standard or full-round casting leaves no reactions this round.

    It provokes nothing. What disturbs the caster calls for a concentration check, whose failure loses the
    spell: before and during the casting here, later when the spell is due (woa.spell.fizzle).
    """
    caster = fight.combatant(act.actor)
    spell = own_spell(fight, caster, act.spell)
    if spell.item:
        reason = f"{spell.name} is a device: it is activated, not cast"
        raise Refusal(reason, fight.rule("woa.device.passive-items"))
    if act.defensively:
        no_defensive_casting(fight, caster, spell)
    refuse_without_components(fight, caster, spell, act)
    refuse_now(fight, caster, spell)
    targets = targets_of_spell(fight, caster, spell, act)
    refuse_unseen(fight, caster, spell, targets)
    refuse_out_of_touch(fight, caster, spell, targets)
    yield from spend_casting_action(fight, caster, spell)
    yield from ready_materials(fight, caster, spell)
    if spell.uses is not None:
        yield ResourceSpent(
            who=caster.id, resource=spell.name, amount=1, cites=(rule_of_casting_time(fight, spell),)
        )
    yield from give_away_by_voice(fight, caster, spell)
    if not spell.ability:
        yield from lost_charge.dissipate(fight, caster)
    long = spell.casting in LONG and not spell.ability
    if long:
        yield from occupy(
            fight, caster, spell.name, "woa.spell.no-combat-reactions", "woa.spell.attacked-no-dodge-block"
        )
    if not spell.ability and (yield from react_to_casting(fight, caster, act, triggered)):
        return
    lost = not spell.ability and powerless(fight, caster, is_mental(spell))
    if not lost and long:
        lost = yield from check_concentration(fight, caster, spell.level, spell.name, spell=spell)
    if lost:
        yield RuleApplied(
            who=caster.id, what=f"{spell.name} is lost", cites=(fight.rule("woa.spell.fizzle"),)
        )
        return
    if (
        long
        and caster.conditions
        and (yield from casting_in_bonds(fight, caster, spell, concentration_parts(fight, caster)))
    ):
        return
    if caster.conditions and (yield from garbled_by_deafness(fight, caster, spell)):
        return
    if (caster.conditions or caster.mount) and (
        yield from unsteady_casting.check_in_air_or_water(fight, caster, spell)
    ):
        return
    yield from let_spell_work(fight, caster, spell, act, targets)


def let_spell_work(
    fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast, targets: list[Combatant]
) -> Steps[None]:
    """Let a spell that is cast be touched with, take effect, or wait for its moment.

    What its caster had moved before counts as that: woa.spell.touch-move-interleave.
    """
    if spell.touch == "melee":
        feet = caster.spent.get("feet", 0)
        if feet:
            rule = fight.rule("woa.spell.touch-move-interleave")
            what = "has moved before casting"
            yield ActionSpent(who=caster.id, kind=MOVED_BEFORE, what=what, amount=feet, cites=(rule,))
        yield from touch_now(fight, caster, spell, targets)
        return
    when, topic = moment_of_effect(fight, spell)
    if when != NOW:
        yield set_brewing(fight, act, when, topic)
        return
    what = f"{spell.name} takes effect at once"
    yield RuleApplied(who=caster.id, what=what, cites=(fight.rule(topic),))
    yield from take_effect(fight, caster, spell, targets, at=act.at)


def refuse_now(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse a casting for which there is no action or no combat reaction left.

    An immediate one can be cast out of turn (woa.spell.swift-immediate-casting).
    """
    if spell.casting in QUICK:
        swift_actions.refuse_swift(fight, caster, spell.casting)
    if spell.casting == "immediate" and fight.state.active and not powerless(fight, caster, is_mental(spell)):
        return
    check_turn(fight, caster)
    if spell.casting in LONG and caster.reactions and not spell.ability:
        raise Refusal(
            f"{caster.id} has used combat reactions this round and cannot cast {spell.name} in it",
            fight.rule("woa.spell.no-combat-reactions"),
        )


def action_of(spell: Spell) -> str:
    """Return the action that a casting takes in one round."""
    return "full-round" if spell.casting == "one-round" else spell.casting


def rule_of_casting_time(fight: Fight, spell: Spell) -> str:
    """Return the rule that says how long it takes: that on casting, or on abilities that are no spells."""
    return fight.rule("woa.use-special-ability" if spell.ability else "woa.spell.casting-time")


def spend_casting_action(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Spend the action of a casting, for a swift or an immediate one a combat reaction with it."""
    rule, what = rule_of_casting_time(fight, spell), f"{'use' if spell.ability else 'cast'} {spell.name}"
    if spell.casting in LONG:
        yield spending(fight, caster, action_of(spell), what, rule)
        return
    short = (rule, *(() if spell.ability else fight.rules("woa.spell.short-casting-no-drawback")))
    if spell.casting == "move":
        yield spending(fight, caster, "move", what, *short)
        return
    if spell.casting in QUICK:
        quick = fight.rule("woa.spell.swift-immediate-casting")
        yield from swift_actions.pay_for_swift(fight, caster, spell.casting, what, *short, quick)
        return
    yield ActionSpent(who=caster.id, kind=spell.casting, what=what, cites=short)


def refuse_to_reach(fight: Fight, act: acts.Touch) -> None:
    """Refuse to touch with a held charge whom its caster cannot reach."""
    caster = fight.combatant(act.actor)
    if CHARGED in caster.conditions:
        spell = lost_charge.held_spell(fight, caster)
        refuse_out_of_touch(fight, caster, spell, [fight.combatant(id) for id in act.targets])


def set_about_touch(fight: Fight, act: acts.Touch, touching: Steps[None]) -> Steps[None]:
    """Touch with a held charge; the caster may have moved between casting and touching.

    An enemy that it does not see it must place first.

    woa.spell.touch-spell, woa.spell.touch-move-interleave, woa.spell.hold-charge
    """
    caster = fight.combatant(act.actor)
    fresh = caster.spent.get("charge", 0) > 0
    first = next(touching)
    if fresh and caster.spent.get("feet", 0) > caster.spent.get(MOVED_BEFORE, 0):
        rule = fight.rule("woa.spell.touch-move-interleave")
        yield RuleApplied(who=caster.id, what="has moved between casting and touching", cites=(rule,))
    yield first
    spell = lost_charge.held_spell(fight, caster)
    targets = [fight.combatant(id) for id in act.targets]
    if not (yield from let_others_react(fight, caster, spell, targets)):
        return
    if CHARGED not in caster.conditions:
        return
    if (yield from placed_targets(fight, caster, spell, targets)) == targets:
        yield from touching


def maintain_spell(fight: Fight, act: acts.Maintain) -> Steps[None]:
    """Go on concentrating on a spell (woa.spell.concentrate-maintain)."""
    caster = fight.combatant(act.actor)
    kept = caster.conditions.get(CONCENTRATING)
    if kept is None:
        reason = f"{caster.id} has no spell to concentrate on"
        raise Refusal(reason, fight.rule("woa.spell.concentrate-maintain"))
    refuse_unsettled(fight, caster)
    kind = str(fight.figure("woa.spell.concentrate-maintain", "action"))
    yield from keep_concentrating(fight, caster, level_kept_up(caster, kept.source), kept.source, kind)


def level_kept_up(caster: Combatant, name: str) -> int:
    """Return the level of what is concentrated on, 0 for what is no spell."""
    return next((spell.level for spell in caster.sheet.spells if spell.name == name), 0)


def dismiss(fight: Fight, act: acts.Dismiss) -> Steps[None]:
    """End a spell of one's own: free to cease concentrating, a standard action to dismiss.

    woa.spell.concentrate-cease, woa.spell.dismiss.
    """
    caster = fight.combatant(act.actor)
    kept = caster.conditions.get(CONCENTRATING)
    if kept is not None and kept.source == act.spell:
        rule = fight.rule("woa.spell.concentrate-cease")
        check_turn(fight, caster)
        kind = str(fight.figure("woa.spell.concentrate-cease", "action"))
        yield ActionSpent(who=caster.id, kind=kind, what=f"cease concentrating on {act.spell}", cites=(rule,))
        yield from let_lapse(fight, caster, "no longer concentrated on", rule)
        return
    rule = fight.rule("woa.spell.dismiss")
    refuse_not_at_work(caster, act.spell, f"{DISMISSIBLE}: ", "dismiss", rule)
    yield spending(
        fight, caster, str(fight.figure("woa.spell.dismiss", "action")), f"dismiss {act.spell}", rule
    )
    yield from end_spell(fight, caster, act.spell, "dismissed", rule)


def due_at_turn_end(fight: Fight, caster: Combatant) -> Steps[None]:
    """Let spells that are due as a turn ends take effect."""
    yield from shaken_before(fight, caster)
    yield from come_due(fight, caster, TURN_END)


def shaken_while_keeping_up(fight: Fight, caster: Combatant) -> Steps[None]:
    """Check whether a caster keeps up its spell after what has disturbed it this turn."""
    return shaken_at_turn_end(fight, caster, level_kept_up(caster, caster.conditions[CONCENTRATING].source))


def end_round_of_magic(fight: Fight) -> Steps[None]:
    """End a round's magic, before anything else of the round ends.

    What is due then takes effect, in the order of turns; to turn undead has an end of its own.
    """
    combatants = fight.state.combatants
    others = tuple(id for id in combatants if id not in fight.state.order)
    for id in (*fight.state.order, *others):
        caster = combatants[id]
        if caster.brewing:
            yield from come_due(fight, caster, ROUND_END)
        kept = caster.conditions.get(CONCENTRATING)
        if kept is not None and kept.level and fight.state.round >= kept.level:
            rule = fight.rule("woa.turn-undead.concentration")
            yield from let_lapse(fight, caster, "it lasts no longer", rule)
