"""Implement drawing weapons and similar devices, and putting them away (woa.items.draw-*)."""

from collections.abc import Iterator

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions.conditions import SURPRISE
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.grid.distance import distance_ft
from affray.engine.kernel.actions import check_turn
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Drawing
from affray.engine.rules.classes.checks import make_skill_check, skill_parts
from affray.engine.rules.classes.feats import BASE_ATTACK, Reckoned
from affray.engine.rules.classes.sheets import has_feat, has_trait
from affray.engine.rules.gear import handling
from affray.engine.rules.gear.handling import is_missile
from affray.engine.rules.gear.hands import is_lost, let_go, loosen
from affray.engine.rules.magic.concentration import HANDS, hands_in_use
from affray.engine.rules.magic.touch_spells import discharge_into_object
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectEnded, EffectGained, ItemChanged, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Bonus, Modifier, Sheet, Weapon
from affray.projections.state import Combatant

BACKPACK, SECURED, HIDDEN = "in the backpack", "securely stowed", "hidden"
TWO_WEAPONS = "two-weapon fighting"
SLEIGHT = "sleight of hand"


def weapons_and_devices(combatant: Combatant) -> Iterator[str]:
    """Yield the weapons and weapon-like devices of a sheet."""
    yield from (weapon.name for weapon in combatant.sheet.weapons)
    yield from (spell.name for spell in combatant.sheet.spells if spell.item)


def get_stowed_place_of(holder: Combatant, item: str) -> str:
    """Return where an item out of easy reach is stowed, "" for one at hand.

    Traits of the sheet give it: "rope in the backpack", "scroll securely stowed", "knife hidden".
    """
    return next((place for place in (BACKPACK, SECURED, HIDDEN) if has_trait(holder, f"{item} {place}")), "")


def refuse_full_hands(fight: Fight, holder: Combatant, item: str) -> None:
    """Refuse to take an item without a free hand, or both if it needs them (woa.items.free-hand-required)."""
    both = has_trait(holder, f"{item} takes both hands")
    if hands_in_use(holder) >= (1 if both else HANDS):
        hand = "both hands" if both else "a hand"
        raise Refusal(f"{holder.id} does not have {hand} free", fight.rule("woa.items.free-hand-required"))


def has_free_hand(fight: Fight, holder: Combatant) -> bool:
    """Return whether a hand is free to handle an item (woa.items.free-hand-required)."""
    return hands_in_use(holder) < HANDS


def refuse_unheld(holder: Combatant, item: str, rule: str) -> None:
    """Refuse by `rule` to let go of an item that a combatant does not hold."""
    if not item:
        raise unknown_word(f"thing that {holder.id} holds", item, holder.held, rule)
    if item not in holder.held:
        raise Refusal(f"{holder.id} does not hold {item!r}{did_you_mean(item, holder.held)}", rule)


def refuse_drawing_item(fight: Fight, holder: Combatant, item: str) -> None:
    """Refuse an item that the actor does not own, has lost, or already holds."""
    rule = fight.rule("woa.items.draw-sheathe")
    things = list(weapons_and_devices(holder))
    if item not in things:
        ready = [one for one in things if one not in holder.held and not is_lost(holder, one)]
        raise unknown_word(f"weapon or device that {holder.id} can draw", item, ready, rule)
    if is_lost(holder, item):
        raise Refusal(f"{holder.id} does not have the {item} any more", rule)
    if item in holder.held:
        raise Refusal(f"{holder.id} holds the {item} already", rule)


def draws_while_moving(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a weapon can be drawn as part of this turn's move (woa.items.draw-while-moving)."""
    skilled = combatant.sheet.base_attack >= fight.figure("woa.items.draw-while-moving", "bab_min")
    moved = combatant.spent.get("move") and combatant.spent.get("feet")
    return bool(skilled and moved and not combatant.spent.get("merged"))


def way_of_drawing(fight: Fight, holder: Combatant, item: str) -> tuple[str, str, str]:
    """Return how an item is drawn: its name in a plan, the action, the topic of the rule."""
    place = get_stowed_place_of(holder, item) if holder.items.get(item) in (None, "stowed") else ""
    if place == HIDDEN:
        return "draw-hidden", "standard", "items.draw-hidden-weapon"
    if place:
        kind, _, _ = str(fight.figure("woa.items.draw-stowed", "action")).partition(" ")
        return "draw-stowed", kind, "items.draw-stowed"
    if is_missile(holder, item):
        return "draw", "free", "woa.items.draw-ammunition"
    if has_feat(holder, "quick draw"):
        return "draw", "free", "woa.feat.quick-draw"
    if draws_while_moving(fight, holder):
        return "draw", "merged", "items.draw-while-moving"
    return "draw", str(fight.figure("woa.items.draw-sheathe", "action")), "woa.items.draw-sheathe"


def drawing(fight: Fight, holder: Combatant, item: str) -> Drawing:
    """Return the action for drawing an item, with its rules (woa.items.draw-sheathe, woa.feat.quick-draw)."""
    _, kind, topic = way_of_drawing(fight, holder, item)
    return Drawing(kind, fight.rules(topic))


def draw_item(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Draw a weapon or a similar device; it provokes nothing.

    It takes a move action, none with Quick Draw or while moving, the full round if it is packed away.
    """
    actor = fight.combatant(act.actor)
    refuse_drawing_item(fight, actor, act.item)
    _, kind, topic = way_of_drawing(fight, actor, act.item)
    if topic == "items.draw-hidden-weapon":
        yield from draw_hidden(fight, actor, act.item)
        return
    rule = fight.rule(topic)
    both = rules_of_drawing_two(fight, actor, act)
    refuse_full_hands(fight, actor, act.item)
    if kind in ("free", "merged"):
        check_turn(fight, actor)
        free = fight.rules("woa.action-type.free", "woa.declare.on-the-fly")
        yield ActionSpent(who=actor.id, kind=kind, what="draw", cites=(rule, *both, *free))
    else:
        yield spending(fight, actor, kind, "draw", rule, *both)
    if topic == "items.draw-stowed":
        yield from lose_reactions_by_handling(fight, actor, act.item)
        if get_stowed_place_of(actor, act.item) == SECURED and not (
            yield from is_done_with_round(fight, actor, act.item, topic)
        ):
            return
    for item in filter(None, (act.item, act.also)):
        yield ItemChanged(who=actor.id, item=item, state="held", cites=(rule, *both))
    yield from discharge_into_object(fight, actor, act.item)


def rules_of_drawing_two(fight: Fight, actor: Combatant, act: acts.Draw) -> tuple[str, ...]:
    """Return the rule for drawing a second weapon along, () if there is none. Refuse an invalid pair.

    woa.feat.two-weapon-fighting-draw
    """
    if not act.also:
        return ()
    topic = "woa.feat.two-weapon-fighting-draw"
    rule = fight.rule(topic)
    refuse_drawing_item(fight, actor, act.also)
    pair = [one for one in actor.sheet.weapons if one.name in (act.item, act.also)]
    fits = all(
        one.wield in ("light", "one-handed") and not get_stowed_place_of(actor, one.name) for one in pair
    )
    if not fits or len(pair) != fight.figure(topic, "weapons_drawn") or not has_feat(actor, TWO_WEAPONS):
        raise Refusal(f"{actor.id} cannot draw the {act.also} along with the {act.item}", rule)
    return (rule,)


def draw_hidden(fight: Fight, holder: Combatant, item: str) -> Steps[None]:
    """Draw a hidden weapon by Sleight of Hand: the game master decides which action the check allows.

    The first attack with it in this round is a surprise (woa.items.draw-hidden-weapon).
    """
    topic = "items.draw-hidden-weapon"
    rule = fight.rule(topic)
    left = tuple(kind for kind in ("standard", "move") if leaves_action(fight, holder, kind))
    if not left:
        refuse_unless_allowed(fight, holder, "standard")
    refuse_full_hands(fight, holder, item)
    parts = skill_parts(fight, holder, SLEIGHT, "dex", rule)
    total = yield from make_skill_check(fight, holder, SLEIGHT, parts, rule, why=f"to draw the hidden {item}")
    question = f"{holder.id} draws the hidden {item} with {total}: what action does it take?"
    kind = yield Choice("", "draw", question, (*left, "free"), rule)
    what = f"draw the hidden {item}"
    if kind == "free":
        yield ActionSpent(who=holder.id, kind=kind, what=what, cites=(rule,))
    else:
        yield spending(fight, holder, kind, what, rule)
    yield ItemChanged(who=holder.id, item=item, state="held", cites=(rule,))
    yield EffectGained(
        who=holder.id,
        id=f"{fight.declaration}:hidden",
        stat=SURPRISE,
        modifier=Modifier(0, "surprise", item, rule),
        until=Until("round-end", "", fight.state.round),
        uses=1,
        cites=(rule,),
    )
    yield from discharge_into_object(fight, holder, item)


def end_weapon_surprise(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """End the surprise of a hidden weapon after an attack with it."""
    for effect in blow.attacker.effects:
        if effect.stat == SURPRISE and effect.modifier.source == blow.weapon.name:
            rule = effect.modifier.rule
            yield EffectEnded(who=blow.attacker.id, id=effect.id, why="used", cites=(rule,))


def leaves_action(fight: Fight, combatant: Combatant, kind: str) -> bool:
    """Return whether the turn has that action left."""
    try:
        refuse_unless_allowed(fight, combatant, kind)
    except Refusal:
        return False
    return True


def sheathe(fight: Fight, act: acts.Sheathe) -> Steps[None]:
    """Put a weapon or a similar device away (woa.items.draw-sheathe)."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("woa.items.draw-sheathe")
    kind = str(fight.figure("woa.items.draw-sheathe", "action"))
    refuse_unheld(actor, act.item, rule)
    yield spending(fight, actor, kind, "sheathe", rule)
    yield let_go(actor, act.item, "stowed", (rule,))
    yield from loosen(fight, actor, act.item)


def lose_reactions_by_handling(fight: Fight, holder: Combatant, item: str) -> Steps[None]:
    """Remove the combat reactions of the round (woa.items.manipulate-no-reactions)."""
    until = Until("round-end", "", fight.state.round)
    cites = fight.rules("woa.items.manipulate-no-reactions")
    yield ConditionGained(who=holder.id, condition="handling", source=item, until=until, cites=cites)


def is_done_with_round(fight: Fight, holder: Combatant, item: str, topic: str) -> Steps[bool]:
    """Ask the game master whether a long task is done this round; return the answer."""
    rule = fight.rule(topic)
    question = f"{holder.id} has worked on the {item} for a round: is it done?"
    if (yield Choice("", "done", question, ("done", "not yet"), rule)) == "done":
        return True
    yield RuleApplied(who=holder.id, what=f"is not done with the {item} yet", cites=(rule,))
    return False


#: Tasks that take longer, with the words for completing them.
LONG = {
    "move-heavy": "moves the {}",
    "open-stuck": "opens the stuck {}",
    "light": "lights the {}",
    "put-out": "puts out the {}",
    "set-up": "sets up the materials of {}",
}


def shield_is_free(fight: Fight, actor: Combatant, act: acts.Handle) -> bool:
    """Return whether a shield is handled as part of a move, or dropped because it is only carried."""
    carried = act.what == "drop-shield" and actor.items.get(act.item) == handling.OFF
    return carried or handling.is_part_of_move(fight, actor)


def get_taking_mode(fight: Fight, actor: Combatant, act: acts.Handle) -> tuple[str, str]:
    """Return the action for picking up or retrieving an item, with the topic of the rule."""
    if act.what != "retrieve":
        return str(fight.figure("woa.items.manipulate-move", "action")), "woa.items.manipulate-move"
    topic = "woa.items.retrieve-container"
    column = "backpack" if get_stowed_place_of(actor, act.item) in (BACKPACK, SECURED) else "belt_pouch"
    return str(fight.figure(topic, column)), topic


def is_hurled(holder: Combatant, act: acts.Drop) -> bool:
    """Return whether an item is released farther away than its holder reaches."""
    return act.to is not None and distance_ft(holder.at, act.to, holder.space) > holder.reach


# --- Values of a new combatant: statistics, printed ranges, enhancements, base attack bonus
#
# woa.stats.list, woa.range.increment-defined, woa.ac.superior-armor, woa.attack-bonus.superior-weapon


def superior_gear(fight: Fight, sheet: Sheet) -> Reckoned:
    """Refuse an enhancement bonus of arms or armor out of bounds.

    woa.attack-bonus.superior-weapon, woa.ac.superior-armor, woa.stats.list
    """
    for weapon in sheet.weapons:
        refuse_enhancement(fight, weapon.name, weapon.attack, "woa.attack-bonus.superior-weapon")
    refuse_enhancement(fight, "armor", sheet.armor, "woa.ac.superior-armor")
    return sheet, fight.rules("woa.stats.list")


def range_increments(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the range increments that the text prints (woa.range.increment-defined)."""
    printed = [printed_range(fight, weapon) for weapon in sheet.weapons]
    if not any(printed):
        return sheet, ()
    weapons = tuple(
        replace(weapon, range=feet or weapon.range)
        for weapon, feet in zip(sheet.weapons, printed, strict=True)
    )
    return replace(sheet, weapons=weapons), fight.rules("woa.range.increment-defined")


def class_base_attack(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return the sheet with the base attack bonus of its class levels, if it leaves that out.

    The progressions are a table; each class is rounded down separately (woa.attack-bonus.bab-source).
    """
    topic = "woa.attack-bonus.bab-source"
    if BASE_ATTACK not in sheet.bare:
        return sheet, ()
    total = 0
    for row in fight.figure(topic):
        place = f"progression={row['progression']}"
        share, parts = cell(fight, topic, place, "share"), cell(fight, topic, place, "parts")
        if share is not None and parts is not None:
            levels = (sheet.classes.get(name, 0) for name in row["classes"])
            total += sum(level * share.value // parts.value for level in levels)
    return replace(sheet, base_attack=sheet.base_attack + total), fight.rules(topic)


def printed_range(fight: Fight, weapon: Weapon) -> int:
    """Return the printed increment in feet of a weapon whose sheet leaves it out, 0 for none."""
    if weapon.range or not (weapon.thrown or weapon.wield == "projectile"):
        return 0
    printed = fight.figure("woa.range.increment-defined")
    return int(printed.get(f"{'thrown_' if weapon.thrown else ''}{weapon.name}_ft", 0))


def refuse_enhancement(fight: Fight, what: str, parts: tuple[Bonus, ...], topic: str) -> None:
    """Refuse an enhancement bonus outside the superior kinds (+1 to +5)."""
    least, most = fight.figure(topic, "enhancement_min"), fight.figure(topic, "enhancement_max")
    for part in parts:
        if part.kind in ("enhancement", "shield enhancement") and not least <= part.value <= most:
            raise Refusal(f"there is no {what} of {part.value:+d}", fight.rule(topic))
