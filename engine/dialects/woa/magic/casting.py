"""Implement casting spells in declared rounds: the action, its costs, what may ruin it (woa.spell.*)."""

from collections.abc import Callable

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions.impediments import casting_in_bonds, is_garbled_by_deafness
from affray.engine.dialects.woa.damage.injury import CAST
from affray.engine.dialects.woa.magic import concentration
from affray.engine.dialects.woa.magic.concentration import (
    CONCENTRATION_LONG,
    check_concentration,
    check_disturbed_at_turn_end,
    check_in_air_or_water,
    concentration_parts,
    give_away_by_voice,
    keep_concentrating,
    no_defensive_casting,
    occupy,
    own_spell,
    ready_materials,
    refuse_mute,
    refuse_unsettled,
    refuse_without_components,
)
from affray.engine.dialects.woa.magic.spells import (
    DISMISSIBLE,
    NOW,
    ROUND_END,
    TURN_END,
    TURN_START,
    alters_battle,
    check_pending_spells,
    come_due,
    let_others_react,
    make_pending_spell_fact,
    moment_of_effect,
    placed_targets,
    refuse_not_at_work,
    refuse_out_of_touch,
    refuse_unseen,
    take_effect,
    touch_now,
)
from affray.engine.dialects.woa.turns import swift_actions
from affray.engine.dialects.woa.turns.declared_actions import triggered
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.kernel.actions import check_turn
from affray.engine.rules.conditions.conditions import cannot_act, is_mental
from affray.engine.rules.magic import touch_spells
from affray.engine.rules.magic.casting import react_to_casting
from affray.engine.rules.magic.concentration import CONCENTRATING, end_spell, let_lapse, spell_of
from affray.engine.rules.magic.spell_effects import refuse_origin, targets_of_spell
from affray.engine.rules.magic.touch_spells import CHARGED
from affray.engine.rules.position.places import side_by_side
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, ItemChanged, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Spell
from affray.projections.state import Combatant

QUICK = ("swift", "immediate")

#: The name, among what a turn has spent, for the caster's movement before a touch spell.
MOVED_BEFORE = "feet before the touch spell"


def cast_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of the sheet; a standard or full-round casting leaves no reactions this round.

    It provokes nothing. A disturbance calls for a concentration check, whose failure loses the spell: before
    and during the casting here, later when the spell is due (woa.spell.fizzle).
    """
    caster = fight.combatant(act.actor)
    spell = own_spell(fight, caster, act.spell)
    if spell.item:
        reason = f"{spell.name} is a device: it is activated, not cast"
        raise Refusal(reason, fight.rule("woa.device.passive-items"))
    if act.defensively:
        no_defensive_casting(fight, caster, spell)
    refuse_without_components(fight, caster, spell, act)
    refuse_casting_now(fight, caster, spell)
    targets = targets_of_spell(fight, caster, spell, act)
    refuse_unseen(fight, caster, spell, targets)
    refuse_out_of_touch(fight, caster, spell, targets)
    yield from spend_casting_action(fight, caster, spell)
    if not spell.ability and spell.casting not in CONCENTRATION_LONG:
        cites = (rule_of_casting_time(fight, spell),)
        yield ActionSpent(who=caster.id, kind=CAST, what=spell.name, cites=cites)
    yield from ready_materials(fight, caster, spell)
    if spell.uses is not None:
        yield ResourceSpent(
            who=caster.id, resource=spell.name, amount=1, cites=(rule_of_casting_time(fight, spell),)
        )
    yield from give_away_by_voice(fight, caster, spell)
    if not spell.ability:
        yield from touch_spells.dissipate(fight, caster)
    long = spell.casting in CONCENTRATION_LONG and not spell.ability
    if long:
        yield from occupy(
            fight, caster, spell.name, "woa.spell.no-combat-reactions", "woa.spell.attacked-no-dodge-block"
        )
    if not spell.ability and (yield from react_to_casting(fight, caster, act, triggered)):
        return
    lost = not spell.ability and cannot_act(fight, caster, is_mental(spell))
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
    if caster.conditions and (yield from is_garbled_by_deafness(fight, caster, spell)):
        return
    if (caster.conditions or caster.mount) and (
        yield from concentration.check_in_air_or_water(fight, caster, spell)
    ):
        return
    yield from deliver_cast_spell(fight, caster, spell, act, targets)


def deliver_cast_spell(
    fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast, targets: list[Combatant]
) -> Steps[None]:
    """Deliver a spell by touch, apply it, or set it to wait for its moment.

    The caster's movement before the casting is recorded (woa.spell.touch-move-interleave).
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
        yield make_pending_spell_fact(fight, act, when, topic)
        return
    what = f"{spell.name} takes effect at once"
    yield RuleApplied(who=caster.id, what=what, cites=(fight.rule(topic),))
    yield from take_effect(fight, caster, spell, targets, at=act.at)


def refuse_casting_now(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse a casting without an action or a combat reaction left.

    An immediate casting is possible out of turn (woa.spell.swift-immediate-casting).
    """
    if spell.casting in QUICK:
        swift_actions.refuse_swift(fight, caster, spell.casting)
    if (
        spell.casting == "immediate"
        and fight.state.active
        and not cannot_act(fight, caster, is_mental(spell))
    ):
        return
    check_turn(fight, caster)
    if spell.casting in CONCENTRATION_LONG and caster.reactions and not spell.ability:
        raise Refusal(
            f"{caster.id} has used combat reactions this round and cannot cast {spell.name} in it",
            fight.rule("woa.spell.no-combat-reactions"),
        )


def action_of(spell: Spell) -> str:
    """Return the action that a casting takes in one round."""
    return "full-round" if spell.casting == "one-round" else spell.casting


def rule_of_casting_time(fight: Fight, spell: Spell) -> str:
    """Return the rule on the time of casting, or of using abilities that are not spells."""
    return fight.rule("woa.use-special-ability" if spell.ability else "woa.spell.casting-time")


def spend_casting_action(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Spend the action of a casting, and for a swift or an immediate one a combat reaction."""
    rule, what = rule_of_casting_time(fight, spell), f"{'use' if spell.ability else 'cast'} {spell.name}"
    if spell.casting in CONCENTRATION_LONG:
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
    """Refuse to touch a target out of reach with a held charge."""
    caster = fight.combatant(act.actor)
    if CHARGED in caster.conditions:
        spell = touch_spells.get_held_spell(fight, caster)
        refuse_out_of_touch(fight, caster, spell, [fight.combatant(id) for id in act.targets])


def set_about_touch(fight: Fight, act: acts.Touch, touching: Steps[None]) -> Steps[None]:
    """Touch with a held charge; the caster may have moved between casting and touching.

    It must first locate an enemy that it does not see.

    woa.spell.touch-spell, woa.spell.touch-move-interleave, woa.spell.hold-charge
    """
    caster = fight.combatant(act.actor)
    fresh = caster.spent.get("charge", 0) > 0
    first = next(touching)
    if fresh and caster.spent.get("feet", 0) > caster.spent.get(MOVED_BEFORE, 0):
        rule = fight.rule("woa.spell.touch-move-interleave")
        yield RuleApplied(who=caster.id, what="has moved between casting and touching", cites=(rule,))
    yield first
    spell = touch_spells.get_held_spell(fight, caster)
    targets = [fight.combatant(id) for id in act.targets]
    if not (yield from let_others_react(fight, caster, spell, targets)):
        return
    if CHARGED not in caster.conditions:
        return
    if (yield from placed_targets(fight, caster, spell, targets)) == targets:
        yield from touching


def maintain_spell(fight: Fight, act: acts.Maintain) -> Steps[None]:
    """Continue to concentrate on a spell (woa.spell.concentrate-maintain)."""
    caster = fight.combatant(act.actor)
    kept = caster.conditions.get(CONCENTRATING)
    if kept is None:
        reason = f"{caster.id} has no spell to concentrate on"
        raise Refusal(reason, fight.rule("woa.spell.concentrate-maintain"))
    refuse_unsettled(fight, caster)
    kind = str(fight.figure("woa.spell.concentrate-maintain", "action"))
    yield from keep_concentrating(
        fight, caster, get_maintained_spell_level(caster, kept.source), kept.source, kind
    )


def get_maintained_spell_level(caster: Combatant, name: str) -> int:
    """Return the level of the spell concentrated on, 0 for anything else."""
    return next((spell.level for spell in caster.sheet.spells if spell.name == name), 0)


def dismiss(fight: Fight, act: acts.Dismiss) -> Steps[None]:
    """End the caster's own spell: free to cease concentrating, a standard action to dismiss.

    woa.spell.concentrate-cease, woa.spell.dismiss
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
    """Apply spells that are due when a turn ends."""
    yield from check_pending_spells(fight, caster)
    yield from come_due(fight, caster, TURN_END)


def check_maintained_spell(fight: Fight, caster: Combatant) -> Steps[None]:
    """Check whether a caster keeps its spell after disturbances in this turn."""
    return check_disturbed_at_turn_end(
        fight, caster, get_maintained_spell_level(caster, caster.conditions[CONCENTRATING].source)
    )


def end_round_of_magic(fight: Fight) -> Steps[None]:
    """End a round's magic, before anything else of the round ends.

    Spells due then take effect in turn order; turning undead ends separately.
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


# --- Devices: potions, wands and staves, scrolls, command words, and worn items (woa.device.*)

NOBODY = "nobody"
#: Devices used up with their magic.
SPENT_ONCE = ("potion", "scroll")


def use_device(fight: Fight, act: acts.Activate) -> Steps[None]:
    """Use a device of the sheet according to its kind."""
    caster = fight.combatant(act.actor)
    rule = fight.rule("woa.device.passive-items")
    item = spell_of(caster, act.item, fight.rule("woa.spell.casting-time"), "magic item")
    if not item.item:
        raise Refusal(f"{item.name} is not a device: cast it", rule)
    if item.item == "worn":
        raise Refusal(f"{item.name}: no action is needed, it works by being worn", rule)
    if act.defensively or act.device:
        reason = f"the {item.name} is used directly: not defensively, and without another device"
        raise Refusal(reason, fight.rule("woa.device.other"))
    if caster.items.get(item.name) in ("gone", "dropped", "broken"):
        raise Refusal(f"{caster.id} has no {item.name}", rule)
    yield from WAYS[item.item](fight, caster, item, act)


def aim_of(item: Spell, act: acts.Activate) -> acts.Cast:
    """Return the aim of a device as a casting of its spell."""
    return acts.Cast(actor=act.actor, spell=item.name, targets=act.targets, at=act.at)


def device_targets(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> list[Combatant]:
    """Return the targets of a device. Refuse targets at which its spell could not be aimed."""
    refuse_origin(fight, user, item, aim_of(item, act))
    targets = targets_of_spell(fight, user, item, aim_of(item, act))
    refuse_unseen(fight, user, item, targets)
    refuse_out_of_touch(fight, user, item, targets)
    return targets


def refuse_not_in_hand(fight: Fight, user: Combatant, item: Spell, topic: str) -> None:
    """Refuse an item that its user does not hold."""
    if item.name not in user.held:
        raise Refusal(f"{user.id} does not have the {item.name} in hand", fight.rule(topic))


def use_charge_of_device(fight: Fight, user: Combatant, item: Spell, topic: str) -> Steps[None]:
    """Use a charge of a device; the last potion or scroll of its kind is gone."""
    rule = fight.rule(topic)
    if item.uses is not None:
        yield ResourceSpent(who=user.id, resource=item.name, amount=1, cites=(rule,))
    if item.item in SPENT_ONCE and (item.uses is None or user.resources.get(item.name, 0) >= item.uses):
        yield ItemChanged(who=user.id, item=item.name, state="gone", cites=(rule,))


def use_potion(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[None]:
    """Drink a potion, or pour it down the throat of a patient that cannot drink it.

    woa.device.potion-drink, .potion-administer, .potion-timing, .potion-no-reactions,
    woa.hp.loss-consequences
    """
    if len(act.targets) > 1:
        raise Refusal(f"the {item.name} is for one drinker", fight.rule("woa.device.potion-drink"))
    drinker = fight.combatant(act.targets[0]) if act.targets else user
    topic = "woa.device.potion-drink" if drinker is user else "woa.device.potion-administer"
    refuse_not_in_hand(fight, user, item, topic)
    if drinker is not user:
        if "dead" in drinker.conditions:
            raise Refusal(f"{drinker.id} is dead already", fight.rule("woa.hp.loss-consequences"))
        if not is_helpless(fight, drinker):
            raise Refusal(f"{drinker.id} can drink by itself", fight.rule(topic))
        if not side_by_side(fight, user, drinker):
            raise Refusal(f"{user.id} does not stand next to {drinker.id}", fight.rule(topic))
    kind = str(fight.figure(topic, "action"))
    what = f"drink the {item.name}" if drinker is user else f"give {drinker.id} the {item.name}"
    yield spending(fight, user, kind, what, fight.rule(topic))
    yield from distract(fight, user, item, "woa.device.potion-no-reactions")
    yield from use_charge_of_device(fight, user, item, topic)
    cites = (fight.rule("woa.device.potion-timing"),)
    aim = acts.Cast(actor=user.id, spell=item.name, targets=(drinker.id,))
    if item.works == "round end" or (not item.works and alters_battle(item)):
        yield make_pending_spell_fact(fight, aim, ROUND_END, "woa.device.potion-timing")
        return
    yield RuleApplied(who=drinker.id, what=f"the {item.name} works at once", cites=cites)
    yield from take_effect(fight, user, replace(item, touch=""), [drinker])


def distract(fight: Fight, user: Combatant, item: Spell, topic: str) -> Steps[None]:
    """Remove the combat reactions of the round from a user that drinks or helps to drink."""
    until = Until("round-end", "", fight.state.round)
    cites = (fight.rule(topic),)
    yield ConditionGained(who=user.id, condition="drinking", source=item.name, until=until, cites=cites)


def use_wand(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[None]:
    """Use a wand or staff: a command word and a gesture with it in hand (woa.device.wand-staff)."""
    topic = "woa.device.wand-staff"
    refuse_not_in_hand(fight, user, item, topic)
    refuse_mute(fight, user, "the command word", topic)
    kind = item.casting if item.casting != "standard" else str(fight.figure(topic, "action"))
    targets = device_targets(fight, user, item, act)
    yield spending(fight, user, kind, f"use the {item.name}", fight.rule(topic))
    yield from triggered(fight, user, "casts")
    if is_down(fight, user):
        return
    yield from use_charge_of_device(fight, user, item, topic)
    yield from apply_device_in_time(fight, user, item, act, targets)


def apply_device_in_time(
    fight: Fight, user: Combatant, item: Spell, act: acts.Activate, targets: list[Combatant]
) -> Steps[None]:
    """Apply the magic of a device when a spell with that casting time would take effect."""
    if item.touch == "melee":
        yield from touch_now(fight, user, item, targets)
        return
    when, topic = moment_of_effect(fight, item)
    if when == NOW:
        yield from take_effect(fight, user, item, targets, at=act.at)
    else:
        yield make_pending_spell_fact(fight, aim_of(item, act), when, topic)


def read_scroll(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[None]:
    """Read a scroll, which takes concentration as casting does and at least the whole round.

    A moving mount, the air and the water hamper it too (woa.device.scroll-time, .scroll-concentration,
    .scroll-no-reactions).
    """
    refuse_not_in_hand(fight, user, item, "woa.device.scroll-time")
    refuse_unsettled(fight, user)
    kind, _, _ = str(fight.figure("woa.device.scroll-time", "action")).partition(" ")
    targets = device_targets(fight, user, item, act)
    yield spending(fight, user, kind, f"read the {item.name}", fight.rule("woa.device.scroll-time"))
    yield from occupy(fight, user, item.name, "woa.device.scroll-no-reactions")
    yield from triggered(fight, user, "casts")
    if is_down(fight, user):
        return
    yield from use_charge_of_device(fight, user, item, "woa.device.scroll-time")
    rule = fight.rule("woa.device.scroll-concentration")
    if (yield from check_concentration(fight, user, item.level, item.name, rule)):
        yield RuleApplied(who=user.id, what=f"{item.name} is lost", cites=(rule,))
        yield from mishap(fight, user, item)
        return
    if (user.conditions or user.mount) and (yield from check_in_air_or_water(fight, user, item)):
        yield from mishap(fight, user, item)
        return
    if item.casting == "one-round":
        yield make_pending_spell_fact(fight, aim_of(item, act), TURN_START, "woa.device.scroll-time")
        return
    yield from apply_device_in_time(fight, user, item, act, targets)


def mishap(fight: Fight, user: Combatant, item: Spell) -> Steps[None]:
    """Let the game master decide the effect of a misread scroll (woa.device.scroll-concentration)."""
    rule = fight.rule("woa.device.scroll-concentration")
    everybody = (NOBODY, *fight.state.combatants)
    question = f"{user.id} misreads the {item.name}: which combatant does a mishap strike?"
    struck = yield Choice("", "mishap", question, everybody, rule)
    if struck != NOBODY:
        yield RuleApplied(who=user.id, what=f"a mishap: the {item.name} strikes {struck}", cites=(rule,))
        yield from take_effect(fight, user, replace(item, touch=""), [fight.combatant(struck)])


def speak_command_word(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[None]:
    """Speak a command word: free but only in turn if it is short, an action if it is long.

    woa.device.command-word-short, .command-word-long
    """
    short = item.casting == "free"
    topic = "woa.device.command-word-short" if short else "woa.device.command-word-long"
    rule = fight.rule(topic)
    refuse_mute(fight, user, "the command word", topic)
    if short and fight.state.active != user.id and fight.figure(topic, "own_turn_only"):
        raise Refusal(f"{user.id} can speak the command word only on its own turn", rule)
    targets = device_targets(fight, user, item, act) if act.targets or act.at else []
    what = f"speak the command word of the {item.name}"
    if short:
        kind = str(fight.figure(topic, "action"))
        yield ActionSpent(who=user.id, kind=kind, what=what, cites=(rule,))
    else:
        yield spending(fight, user, item.casting, what, rule)
    yield from use_charge_of_device(fight, user, item, topic)
    yield from apply_device_in_time(fight, user, item, act, targets or [user])


def use_other_device(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[None]:
    """Work a lever, a button or the like, as the game master rules (woa.device.other)."""
    rule = fight.rule("woa.device.other")
    kind = "full-round" if item.casting == "one-round" else item.casting
    free = kind in ("free", "swift", "immediate")
    if free:
        check_turn(fight, user)
    else:
        refuse_unless_allowed(fight, user, kind)
    targets = device_targets(fight, user, item, act) if act.targets or act.at else [user]
    question = f"{user.id} works the {item.name}: what happens?"
    answer = yield Choice("", "device", question, ("it works", "nothing happens"), rule)
    if free:
        yield ActionSpent(who=user.id, kind=kind, what=f"work the {item.name}", cites=(rule,))
    else:
        yield spending(fight, user, kind, f"work the {item.name}", rule)
    yield RuleApplied(who=user.id, what=f"the {item.name}: {answer}", cites=(rule,))
    if answer == "it works":
        yield from use_charge_of_device(fight, user, item, "woa.device.other")
        yield from apply_device_in_time(fight, user, item, act, targets)


WAYS: dict[str, Callable[[Fight, Combatant, Spell, acts.Activate], Steps[None]]] = {
    "potion": use_potion,
    "wand": use_wand,
    "staff": use_wand,
    "scroll": read_scroll,
    "command": speak_command_word,
    "use": use_other_device,
}


def activate_worn_items(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Apply the effects of what a combatant wears when it enters (woa.device.passive-items)."""
    rule = fight.rule("woa.device.passive-items")
    for item in combatant.sheet.spells:
        if item.item != "worn":
            continue
        for number, given in enumerate(item.grants, 1):
            yield EffectGained(
                who=combatant.id,
                id=f"{fight.declaration}:{item.name}:{number}",
                stat=given.stat,
                modifier=Modifier(given.value, given.kind, item.name, rule),
                until=Until(),
                cites=(rule,),
            )
