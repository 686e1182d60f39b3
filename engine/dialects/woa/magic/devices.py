"""Devices: potions, wands and staves, scrolls, command words, and what works by being worn (woa.device.*)."""

from collections.abc import Callable

from msgspec.structs import replace

from affray.engine.dialects.woa.magic.components import refuse_mute
from affray.engine.dialects.woa.magic.concentration import check_concentration, refuse_unsettled
from affray.engine.dialects.woa.magic.spell_effects import (
    NOW,
    ROUND_END,
    TURN_START,
    alters_battle,
    moment_of_effect,
    set_brewing,
    take_effect,
)
from affray.engine.dialects.woa.magic.spell_targets import refuse_out_of_touch, refuse_unseen, touch_now
from affray.engine.dialects.woa.magic.unsteady_casting import check_in_air_or_water, occupy
from affray.engine.dialects.woa.turns.triggers import triggered
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.rules.magic.known_spells import spell_of
from affray.engine.rules.magic.targets_and_areas import refuse_origin, targets_of_spell
from affray.engine.rules.position.line_of_effect import side_by_side
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, ItemChanged, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

NOBODY = "nobody"
#: What is used up with its magic.
SPENT_ONCE = ("potion", "scroll")


def use_device(fight: Fight, act: acts.Activate) -> Steps[None]:
    """Use a device of the sheet in the way of its kind."""
    caster = fight.combatant(act.actor)
    rule = fight.rule("woa.device.passive-items")
    item = spell_of(caster, act.item, fight.rule("woa.spell.casting-time"), "magic item")
    if not item.item:
        raise Refusal(f"{item.name} is no device: it is cast", rule)
    if item.item == "worn":
        raise Refusal(f"{item.name}: no action is needed, it works by being worn", rule)
    if act.defensively or act.device:
        reason = f"the {item.name} is used as it is: not defensively, and without another device"
        raise Refusal(reason, fight.rule("woa.device.other"))
    if caster.items.get(item.name) in ("gone", "dropped", "broken"):
        raise Refusal(f"{caster.id} has no {item.name}", rule)
    yield from WAYS[item.item](fight, caster, item, act)


def aim_of(item: Spell, act: acts.Activate) -> acts.Cast:
    """Return the aim of a device as that of its magic."""
    return acts.Cast(actor=act.actor, spell=item.name, targets=act.targets, at=act.at)


def device_targets(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> list[Combatant]:
    """Return whom a device is aimed at. Refuses whom its spell could not be aimed at."""
    refuse_origin(fight, user, item, aim_of(item, act))
    targets = targets_of_spell(fight, user, item, aim_of(item, act))
    refuse_unseen(fight, user, item, targets)
    refuse_out_of_touch(fight, user, item, targets)
    return targets


def refuse_not_in_hand(fight: Fight, user: Combatant, item: Spell, topic: str) -> None:
    """Refuse a thing that its user has not taken in hand."""
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
    woa.hp.loss-consequences.
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
        yield set_brewing(fight, aim, ROUND_END, "woa.device.potion-timing")
        return
    yield RuleApplied(who=drinker.id, what=f"the {item.name} works at once", cites=cites)
    yield from take_effect(fight, user, replace(item, touch=""), [drinker])


def distract(fight: Fight, user: Combatant, item: Spell, topic: str) -> Steps[None]:
    """Take away the combat reactions of the round from a user who drinks or helps to drink."""
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
    yield from take_effect_in_time(fight, user, item, act, targets)


def take_effect_in_time(
    fight: Fight, user: Combatant, item: Spell, act: acts.Activate, targets: list[Combatant]
) -> Steps[None]:
    """Let the magic of a device take effect when a spell cast in such a time would."""
    if item.touch == "melee":
        yield from touch_now(fight, user, item, targets)
        return
    when, topic = moment_of_effect(fight, item)
    if when == NOW:
        yield from take_effect(fight, user, item, targets, at=act.at)
    else:
        yield set_brewing(fight, aim_of(item, act), when, topic)


def read_scroll(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[None]:
    """Read a scroll, which takes concentration as casting does and the whole round at least.

    So it does on a mount that moves, in the air and in the water
    (woa.device.scroll-time, .scroll-concentration, .scroll-no-reactions).
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
        yield set_brewing(fight, aim_of(item, act), TURN_START, "woa.device.scroll-time")
        return
    yield from take_effect_in_time(fight, user, item, act, targets)


def mishap(fight: Fight, user: Combatant, item: Spell) -> Steps[None]:
    """Let the game master say what comes of a scroll that was misread (woa.device.scroll-concentration)."""
    rule = fight.rule("woa.device.scroll-concentration")
    everybody = (NOBODY, *fight.state.combatants)
    question = f"{user.id} misreads the {item.name}: whom does a mishap strike?"
    struck = yield Choice("", "mishap", question, everybody, rule)
    if struck != NOBODY:
        yield RuleApplied(who=user.id, what=f"a mishap: the {item.name} strikes {struck}", cites=(rule,))
        yield from take_effect(fight, user, replace(item, touch=""), [fight.combatant(struck)])


def speak_command_word(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[None]:
    """Speak a command word: free and on one's own turn if it is short, an action if it is long.

    woa.device.command-word-short, .command-word-long.
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
    yield from take_effect_in_time(fight, user, item, act, targets or [user])


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
    question = f"{user.id} works the {item.name}: what comes of it?"
    answer = yield Choice("", "device", question, ("it works", "nothing happens"), rule)
    if free:
        yield ActionSpent(who=user.id, kind=kind, what=f"work the {item.name}", cites=(rule,))
    else:
        yield spending(fight, user, kind, f"work the {item.name}", rule)
    yield RuleApplied(who=user.id, what=f"the {item.name}: {answer}", cites=(rule,))
    if answer == "it works":
        yield from use_charge_of_device(fight, user, item, "woa.device.other")
        yield from take_effect_in_time(fight, user, item, act, targets)


WAYS: dict[str, Callable[[Fight, Combatant, Spell, acts.Activate], Steps[None]]] = {
    "potion": use_potion,
    "wand": use_wand,
    "staff": use_wand,
    "scroll": read_scroll,
    "command": speak_command_word,
    "use": use_other_device,
}


def activate_worn_items(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let what a combatant wears as it enters work from now on (woa.device.passive-items)."""
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
