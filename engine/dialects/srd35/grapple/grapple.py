"""Grappling: the start, the acts of grapplers, the state of the grapple, grabs and swallowing whole."""

from collections.abc import Mapping
from typing import Final

from affray.engine.dialects.srd35.maneuvers.bull_rush_and_trip import beats_opposed, touch_attack
from affray.engine.dialects.srd35.position import why_no_hold
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.grid.lines_and_cover import can_be_put
from affray.engine.record.blow import WHIRLWIND, Blow, Intent
from affray.engine.record.chapters import Attempt, Contest, Measure, Side, Substitute
from affray.engine.rules.attacks import natural_weapons as shared_natural_weapons
from affray.engine.rules.attacks.attack_roll import build_blow, strike, strike_and_settle
from affray.engine.rules.attacks.natural_weapons import natural_weapon_as_printed
from affray.engine.rules.classes.checks import masters, skill_parts
from affray.engine.rules.classes.sheets import INCORPOREAL, has_feat, has_trait, is_a, size_step, trait_detail
from affray.engine.rules.conditions.conditions import apply_fear_condition
from affray.engine.rules.defense import deny_dexterity
from affray.engine.rules.gear.hands import SPIKES, held_weapons, natural_weapons
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple import (
    BETWEEN,
    Option,
    activation,
    ask_who_holds_on,
    break_pins,
    constrict,
    end_grapple,
    find_places_next_to_holders,
    find_those_in_grapple,
    free_of_pin,
    get_grapple_modifiers,
    grapple_bonus,
    grapples_by_now,
    holders_of,
    is_hold_impossible_out_of_turn,
    is_inside,
    is_pinning,
    leave_former_holders,
    light_weapons_to_draw,
    move_in,
    opponents,
    option_in_place,
    pins_an_opponent,
    rake,
    refuse_rake,
    refuse_too_many,
    strike_at_random,
    take_hold,
    weapon_at_hand,
)
from affray.engine.rules.magic.concentration import COMPONENTS
from affray.engine.rules.magic.touch_spells import discharge_by_strike
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.maneuvers.trample import melee_attempt, provoke_from_target, still_possible
from affray.engine.rules.movement.movement import (
    displaced,
    find_unseen_at_end,
    make_room,
    moved,
    noticed,
    run_into,
    speed,
)
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.fiat import newcomer
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- The parts of a grapple check, shots into a grapple, and the acts that grappling forbids

CONSEQUENCES: Final = "srd35.grapple.consequences"
RETRIEVE: Final = "srd35.grapple.retrieve-component"
#: Declarations still available to a grappler in addition to the options of the grapple.
STILL_FREE = (
    acts.Enter,
    acts.Begin,
    acts.Close,
    acts.EndTurn,
    acts.Grapple,
    acts.Cast,
    acts.Activate,
    acts.Maintain,
    acts.Touch,
    acts.Identify,
    acts.LowerResistance,
    acts.Delay,
    acts.Resume,
    acts.Ready,
    acts.Drop,
    acts.Hazard,
    acts.TotalDefense,
)
#: Abilities that take neither hands nor an action.
OF_THE_MIND = ("rage", "end rage")
#: How many standard actions a casting takes if that is at least one; a full round counts for two.
STANDARD_ACTIONS = {"standard": 1, "full-round": 2, "one-round": 2}
MOVING = (acts.Move, acts.Step, acts.Withdraw, acts.Run, acts.Charge)


def grapple_check(fight: Fight, combatant: Combatant, against: Combatant, *extra: Modifier) -> Side:
    """Return a grapple check: base attack bonus, Strength, special size modifier, what hampers attacks.

    srd35.grapple.check, srd35.grapple.size-modifier, srd35.feat.improved-grapple.
    """
    parts = grapple_bonus(fight, combatant)
    if has_feat(combatant, "improved grapple"):
        parts.append(
            fight.modifier("srd35.feat.improved-grapple", "check", kind="feat", source="Improved Grapple")
        )
    if "holding" in combatant.conditions:
        parts.append(
            fight.modifier("srd35.improved-grab", "hold_penalty", kind="penalty", source="with one limb")
        )
    parts += [*extra, *get_grapple_modifiers(fight, combatant, against)]
    return Side(combatant, parts, "grapple")


def refuse_no_option(fight: Fight, grappler: Combatant, act: acts.Act) -> None:
    """Refuse a grappler acts that are no option of the grapple, and the pinned all but getting free.

    Casting may have no gestures and take no more than a standard action, a magic item may require no spell
    completion; a full attack may consist of options of the grapple; a pinner may take worn items of its
    victim (srd35.grapple.actions, .cast, .pinned-state).
    """
    if isinstance(act, acts.Speak):
        if "silenced" in grappler.conditions:
            raise Refusal(f"{grappler.id} is kept from speaking", fight.rule("srd35.grapple.pinned-silence"))
        return
    if isinstance(act, acts.FullAttack):
        if len({strike.weapon for strike in act.strikes if strike.item == "attack"}) > 1:
            reason = f"{grappler.id} is grappling and cannot attack with two weapons"
            raise Refusal(reason, fight.rule("srd35.grapple.no-two-weapons"))
        if all(strike.special == "grapple" for strike in act.strikes):
            return
    if isinstance(act, acts.Disarm):
        target = fight.state.combatants.get(act.target)
        if target is not None and is_pinning(grappler, target) and act.secured == "well":
            return
    if isinstance(act, acts.UseAbility) and act.ability in OF_THE_MIND:
        return
    if isinstance(act, acts.Cast):
        refuse_grapplers_gestures(fight, grappler, act.spell)
    if isinstance(act, acts.Activate):
        refuse_item_in_grapple(fight, grappler, act.item)
    if isinstance(act, MOVING):
        reason = f"{grappler.id} is grappling and can only move by an option of the grapple"
        raise Refusal(reason, fight.rule("srd35.grapple.no-move"))
    if not isinstance(act, STILL_FREE):
        reason = f"{grappler.id} is grappling and has only the options of the grapple"
        raise Refusal(reason, fight.rule(CONSEQUENCES))


def refuse_item_in_grapple(fight: Fight, grappler: Combatant, name: str) -> None:
    """Refuse a grappler a magic item with spell completion, and the pinned any item.

    srd35.grapple.magic-item, srd35.grapple.pinned-state.
    """
    if "pinned" in grappler.conditions:
        reason = f"{grappler.id} is pinned and cannot use the {name}"
        raise Refusal(reason, fight.rule("srd35.grapple.pinned-state"))
    if any(one.name == name and one.item == "scroll" for one in grappler.sheet.spells):
        raise Refusal(f"the {name} needs a spell to be completed", fight.rule("srd35.grapple.magic-item"))


def refuse_grapplers_gestures(fight: Fight, combatant: Combatant, name: str) -> None:
    """Refuse a spell that a grappler cannot cast: with gestures, or longer than a standard action."""
    rule = fight.rule("srd35.grapple.cast")
    spell = next((one for one in combatant.sheet.spells if one.name == name), None)
    if spell is None:
        return
    if "somatic" in spell.components:
        raise Refusal(f"{name} needs gestures, which {combatant.id} cannot make in a grapple", rule)
    if STANDARD_ACTIONS.get(spell.casting, 0) > fight.formula("srd35.grapple.cast", "max_casting_time"):
        raise Refusal(f"{name} takes too long in a grapple", rule)
    if "precise" in spell.components:
        raise Refusal(f"{name} needs care and precision", fight.rule("srd35.grapple.cast-precise"))


def strike_into_grapple(fight: Fight, blow: Blow) -> Steps[None]:
    """Redirect an attack from outside at a grappler to a random participant of the grapple.

    Ranged attacks only, unless option `grapple_melee_target` includes melee; Improved Precise Shot hits the
    intended target (srd35.ac-mod.grappling-random-target).
    """
    target = blow.target
    if is_helpless(fight, target):
        return
    reading = fight.option("grapple_melee_target")
    together = find_those_in_grapple(fight, blow)
    if (blow.melee and reading != "random") or not together:
        return
    if not blow.melee and masters(fight, blow.attacker, "improved precise shot"):
        yield RuleApplied(
            who=blow.attacker.id,
            what=f"into a grapple: {target.id} is struck at, as meant",
            cites=fight.rules("srd35.feat.improved-precise-shot"),
        )
        return
    yield from strike_at_random(fight, blow, together, f"grapple_melee_target: {reading}")


def grabbing_weapon(combatant: Combatant) -> Weapon | None:
    """Return the weapon with which a creature grabs, whose damage each won check deals again."""
    return next((one for one in natural_weapons(combatant) if "improved grab" in one.traits), None)


# --- Attacks against grapplers: their lost defenses (srd35.grapple.*, srd35.ac-mod.*)


def dexterity_in_grapple(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity: grappling, against outsiders; pinned, against all.

    srd35.grapple.no-dex, srd35.grapple.pinned-ac, srd35.ac-mod.pinned (pinned_ac).
    """
    if denied[0]:
        return denied
    conditions = blow.target.conditions
    if "pinned" in conditions:
        return "pinned", "srd35.ac-mod.pinned" if fight.option(
            "pinned_ac"
        ) == "table" else "srd35.grapple.pinned-ac"
    if "grappling" in conditions and blow.attacker not in opponents(fight, blow.target):
        return "grappling", "srd35.grapple.no-dex"
    return denied


def grappling_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the row of the table for a grappler attacked from outside its grapple.

    srd35.ac-mod.grappling.
    """
    if blow.attacker in opponents(fight, blow.target) or "pinned" in blow.target.conditions:
        return []
    way = "melee" if blow.melee else "ranged"
    return [fight.modifier("srd35.ac-mod.grappling", way, kind="penalty", source="grappling")]


def pinned_dexterity(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class of a pinned combatant: by the table its Dexterity is 0, counted once.

    srd35.ac-mod.pinned (pinned_ac).
    """
    if fight.option("pinned_ac") != "table":
        return parts
    return deny_dexterity(parts, f"pinned: Dexterity counts as 0 ({fight.rule('srd35.ac-mod.pinned')})")


def pinned_penalty(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of the defense of a pinned combatant (pinned_ac: the section, or the table and its
    -5).

    srd35.grapple.pinned-ac, srd35.ac-mod.pinned.
    """
    if fight.option("pinned_ac") == "table":
        way = "melee" if blow.melee else "ranged"
        topic, source = "srd35.ac-mod.pinned", "pinned: Dexterity 0"
        return [
            *parts,
            fight.modifier(topic, way, kind="penalty", source="pinned"),
            fight.modifier(topic, "dex_modifier", kind="ability", source=source),
        ]
    if blow.target.conditions["pinned"].source == blow.attacker.id:
        return parts
    return [*parts, fight.modifier("srd35.grapple.pinned-ac", "ac", kind="penalty", source="pinned")]


# --- Monsters that grab what they hit: improved grab (srd35.improved-grab)
# The sheet gives the trait "improved grab" to a natural weapon.

GRAB: Final = "improved-grab"


def grab(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit start a grapple, free, without touch or provoking, with the whole body or one limb at -20.

    Only opponents at least one size smaller (srd35.improved-grab).
    """
    attacker, target = blow.attacker, blow.target
    smaller = size_step(attacker) - size_step(target) >= fight.figure(GRAB, "min_size_difference")
    if (
        not smaller
        or has_trait(target, shared_natural_weapons.TOPIC)
        or "dead" in target.conditions
        or opponents(fight, attacker)
        or target in opponents(fight, attacker)
        or is_hold_impossible_out_of_turn(fight, blow)
    ):
        return
    rule = fight.rule(GRAB)
    question = f"the {blow.weapon.name} has hit: does {attacker.id} grab {target.id}?"
    how = yield Choice(attacker.id, "grab", question, ("grab", "hold with one limb", "decline"), rule)
    if how == "decline":
        return
    one_limb = how == "hold with one limb"
    extra = (
        (fight.modifier(GRAB, "hold_penalty", kind="penalty", source="with one limb"),) if one_limb else ()
    )
    contest = yield from beats_opposed(
        fight,
        "grapple",
        grapple_check(fight, attacker, target, *extra),
        grapple_check(fight, target, attacker),
        rule,
        *fight.rules("srd35.grapple.check"),
        holding=True,
    )
    if not contest.won:
        return
    yield ActionSpent(who=attacker.id, kind="grab", what=f"takes hold of {target.id}", cites=(rule,))
    if one_limb:
        yield ConditionGained(who=attacker.id, condition="holding", source=target.id, cites=(rule,))
        held = BETWEEN.join(dict.fromkeys([*(one.id for one in opponents(fight, target)), attacker.id]))
        fact = ConditionGained(who=target.id, condition="grappling", source=held, cites=(rule,))
        yield from apply_fear_condition(fight, fact)
    else:
        yield from take_hold(fight, attacker, target, rule)
    yield from constrict(fight, attacker, target, contest.won)


# --- A fight that begins with a pin, and incorporeal newcomers in a grapple (srd35.grapple.*)


def refuse_bodiless_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in a grapple without a body, or with an incorporeal opponent."""
    target = fight.combatant(act.grapples)
    if act.sheet is None:
        return  # an entry without a sheet is refused elsewhere
    one = newcomer(fight, act, act.sheet)
    newcomer_is = is_a(one, INCORPOREAL) or INCORPOREAL in act.conditions
    if newcomer_is or is_a(target, INCORPOREAL):
        reason = why_no_hold(act.id if newcomer_is else target.id)
        raise Refusal(reason, fight.rule("srd35.incorporeal.combat"))


def start_pinned(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Make a newcomer pin its opponent, or be pinned by it: for the pinner's next turn."""
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    pinner, victim = (one, target) if act.grip == "pins" else (target, one)
    rounds = fight.figure("srd35.grapple.pin", "duration_rounds")
    yield ConditionGained(
        who=victim.id,
        condition="pinned",
        source=pinner.id,
        until=Until("turn-end", pinner.id, fight.state.round + rounds),
        cites=fight.rules("srd35.grapple.pin", "srd35.grapple.pinned-state", "srd35.cond.pinned"),
    )


# --- Swallow whole, and cutting a way out (srd35.swallow-whole)

SWALLOW: Final = "swallow-whole"
CUTTING: Final = ("slashing", "piercing")


def refuse_inside(fight: Fight, grappler: Combatant, weapon: Weapon) -> None:
    """Refuse the swallowed weapons that do not cut: all but light slashing and piercing ones."""
    cuts = weapon.damage_type in CUTTING or any(trait in CUTTING for trait in weapon.traits)
    if "swallowed" in grappler.conditions and not (cuts and weapon.wield in ("light", "natural")):
        raise Refusal(f"the {weapon.name} does not cut a way out", fight.rule(SWALLOW))


def armor_from_inside(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return a swallower's Armor Class against its victim inside: 10 and half of its natural armor.

    Nothing against others (srd35.swallow-whole).
    """
    if not is_inside(blow.attacker, blow.target):
        return ()
    rule = fight.rule(SWALLOW)
    hide = sum(one.value for one in blow.target.sheet.armor if one.kind == "natural")
    share = int(hide * fight.figure(SWALLOW, "natural_share"))
    return (
        fight.modifier(SWALLOW, "ac", kind="base", source="inside"),
        Modifier(share, "natural", "half of the natural armor", rule),
    )


def refuse_swallow(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to swallow a target grabbed this turn, one swallowed already, or one that is too big."""
    rule = fight.rule(SWALLOW)
    if not trait_detail(grappler, "swallow whole"):
        raise Refusal(f"{grappler.id} cannot swallow whole", rule)
    if grappler.spent.get("grab") or is_inside(target, grappler):
        reason = f"{grappler.id} can swallow only an opponent that it held in its mouth as the turn began"
        raise Refusal(reason, rule)
    if size_step(grappler) - size_step(target) < fight.figure(SWALLOW, "min_size_difference"):
        raise Refusal(f"{target.id} is too big to be swallowed", rule)


def cut_out(fight: Fight, combatant: Combatant, of: Combatant, before: int) -> Steps[None]:
    """Free the swallowed once it has cut deep enough: by the trait "gut 15", or by ruling."""
    rule = fight.rule(SWALLOW)
    dealt = before - of.hp
    if not is_inside(combatant, of) or dealt <= 0:
        return
    yield ResourceSpent(who=of.id, resource="cut from inside", amount=dealt, cites=(rule,))
    enough = trait_detail(of, "gut")
    if enough.isdecimal():
        free = of.resources["cut from inside"] >= int(enough)
    else:
        question = f"has {combatant.id} cut a hole that is big enough to get out?"
        free = (yield Choice("", "cut-out", question, ("no", "yes"), rule)) == "yes"
    if free:
        yield ConditionLost(who=combatant.id, condition="swallowed", why="cuts a way out", cites=(rule,))
        yield from end_grapple(fight, combatant, of, "cut its way out", rule)
        yield from leave_former_holders(fight, combatant, (of,))


# --- The declared path of an escape from a grapple (srd35.grapple.escape-move)


def refuse_way_out(fight: Fight, combatant: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse a path to an occupied place or one not next to all opponents, or out of a pin or a gullet."""
    if not act.path:
        return
    for state, topic in (("pinned", "srd35.grapple.pinned-escape"), ("swallowed", "srd35.swallow-whole")):
        if state in combatant.conditions:
            raise Refusal(f"{combatant.id} is {state} and still goes nowhere", fight.rule(topic))
    holders = opponents(fight, combatant)
    if len(act.path) > 1 or act.path[0] not in find_places_next_to_holders(fight, combatant, holders):
        x, y = act.path[-1]
        others = ", ".join(one.id for one in holders)
        raise Refusal(f"{x},{y} is no free place next to {others}", fight.rule("srd35.grapple.escape-move"))


# --- The options of grapplers: strike, damage, pin, get free, move (srd35.grapple.*)

#: Options with an item or weapon, which the declaration names.
WITH_AN_ITEM = ("attack", "use-weapon", "draw", "activate", "component")
IN_CLOSE = ("unarmed", "natural", "light")


def option_action(fight: Fight, act: acts.Grapple) -> str:
    """Return the action that an option takes; starting a grapple takes a standard action."""
    return OPTIONS[act.what].action_type(fight) if act.what in OPTIONS else "standard"


def refuse_option(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse an unavailable option: not grappling the target, pinned, pinning, or out of means."""
    if target not in opponents(fight, grappler):
        raise Refusal(f"{grappler.id} does not grapple {target.id}", fight.rule("srd35.grapple.actions"))
    if "pinned" in grappler.conditions and act.what != "escape":
        raise Refusal(
            f"{grappler.id} is pinned and can only escape", fight.rule("srd35.grapple.pinned-state")
        )
    option = OPTIONS[act.what]
    if not option.by_pinner and pins_an_opponent(fight, grappler):
        reason = f"{grappler.id} is pinning an opponent, which rules out {act.what!r}"
        raise Refusal(reason, fight.rule("srd35.grapple.pinning-forbidden"))
    option.refuse(fight, grappler, target, act)


def refuse_release(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to release a target that is neither pinned by the grappler nor helpless."""
    if not (is_pinning(grappler, target) or is_helpless(fight, target)):
        reason = f"{grappler.id} has not pinned {target.id}"
        raise Refusal(reason, fight.rule("srd35.grapple.pinning-release"))


def refuse_no_pin(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to break the pin of an opponent that has pinned no combatant."""
    if not pins_an_opponent(fight, target):
        raise Refusal(f"{target.id} has pinned no combatant", fight.rule("srd35.grapple.break-pin"))


def refuse_to_draw(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to draw an item that is no light weapon carried by the grappler."""
    light, rule = light_weapons_to_draw(grappler), fight.rule("srd35.grapple.draw-light-weapon")
    if act.weapon not in light:
        raise unknown_word("light weapon", act.weapon, light, rule, grappler.id, "to draw")


def refuse_completion(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse an item with spell completion."""
    if act.completion:
        reason = f"the {act.weapon} needs a spell to be completed"
        raise Refusal(reason, fight.rule("srd35.grapple.magic-item"))


def fits_in_close(weapon: Weapon) -> bool:
    """Return whether a weapon is small enough for a grapple."""
    return weapon.wield in IN_CLOSE


def close_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to strike with in a grapple. Refuses all but unarmed, natural and light ones."""
    weapon = (
        find_weapon(fight, combatant, name, fits_in_close)
        if name
        else weapon_at_hand(fight, combatant, fits_in_close)
    )
    if not fits_in_close(weapon):
        raise Refusal(f"the {weapon.name} is too big for a grapple", fight.rule("srd35.grapple.attack"))
    return weapon


def their_weapon(fight: Fight, target: Combatant, name: str) -> Weapon:
    """Return a light weapon that the opponent holds. Refuses if there is none."""
    for weapon in held_weapons(target):
        if weapon.wield == "light" and name in ("", weapon.name):
            return weapon
    reason = f"{target.id} holds no light weapon{name and f' {name!r}'}"
    raise Refusal(reason, fight.rule("srd35.grapple.use-opponent-weapon"))


def refuse_grapple_move(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse a path that costs more than half the speed, is broken, or leads into an occupied space."""
    rule, part = fight.rule("srd35.grapple.move"), fight.figure("srd35.grapple.move", "speed_multiplier")
    feet = int(speed(fight, grappler) * part)
    if not act.path:
        raise Refusal("no path to move the grapple along is named", rule)
    here, together = grappler.at, [grappler, *opponents(fight, grappler)]
    for there in act.path:
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads to {there[0]},{there[1]}", rule)
        ways = [(carried(grappler, one, here), one.space, carried(grappler, one, there)) for one in together]
        if not all(can_be_put(fight.field, *way, way[1]) for way in ways):
            raise Refusal(f"there is no way to {there[0]},{there[1]}", rule)
        here = there
    if cost_of_grapple_move(fight, grappler, act.path).feet > feet:
        raise Refusal(f"{grappler.id} can move the grapple {feet} ft. at most", rule)
    for other in noticed(fight, grappler, in_way_of_grapple(fight, grappler, here)):
        raise Refusal(f"{other.id} is in the way", rule)


def cost_of_grapple_move(fight: Fight, grappler: Combatant, path: tuple[Square, ...]) -> Measure:
    """Return what a grappler's path costs, diagonals and the ground included."""
    return fight.dialect.movement.measure(fight, grappler, (grappler.at, *path), "grapple")


def in_way_of_grapple(fight: Fight, grappler: Combatant, to: Square) -> list[Combatant]:
    """Return the occupants of the squares to which a grappler would move all participants."""
    together = [grappler, *opponents(fight, grappler)]
    met = [other for one in together for other in occupants(fight, one, carried(grappler, one, to))]
    return [other for other in met if other not in together]


def carried(grappler: Combatant, one: Combatant, to: Square) -> Square:
    """Return the destination of one participant if a grappler moves the grapple to a square."""
    return one.at[0] + to[0] - grappler.at[0], one.at[1] + to[1] - grappler.at[1]


def oppose_grapple_checks(
    fight: Fight, grappler: Combatant, target: Combatant, topic: str, *extra: Modifier
) -> Steps[Contest]:
    """Oppose grapple checks with one opponent of one's choice (srd35.grapple.multiple-choose)."""
    several = fight.rules("srd35.grapple.multiple-choose") if len(opponents(fight, grappler)) > 1 else ()
    contest = yield from beats_opposed(
        fight,
        "grapple",
        grapple_check(fight, grappler, target, *extra),
        grapple_check(fight, target, grappler),
        fight.rule(topic),
        fight.rule("srd35.grapple.check"),
        *several,
        holding=True,
    )
    yield from constrict(fight, grappler, target, contest.won)
    return contest


def beats_all(
    fight: Fight, grappler: Combatant, others: list[Combatant], mine: Side, name: str, *cites: str
) -> Steps[bool]:
    """Compare one check with those of all opponents; return whether it beats each."""
    rolled = yield Roll(grappler.id, name)
    for other in others:
        contest = yield from beats_opposed(
            fight, name, mine, grapple_check(fight, other, grappler), *cites, holding=True, rolled=rolled
        )
        if not contest.won:
            return False
    return True


def attack_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Attack an opponent in the grapple with a small weapon, at -4 (srd35.grapple.attack)."""
    blow = build_blow(fight, grappler, target, close_weapon(fight, grappler, act.weapon), "grapple")
    penalty = fight.modifier("srd35.grapple.attack", "attack", kind="penalty", source="in a grapple")
    blow.attack_extra += [*extra, penalty]
    before = target.hp
    hit = yield from strike_and_settle(fight, blow)
    if "swallowed" in grappler.conditions:
        yield from cut_out(fight, grappler, target, before)
    return hit


def damage_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to deal the damage of an unarmed strike; lethal at -4, without penalty for monks."""
    lethal = act.lethal
    monk = has_trait(grappler, "monk") or "monk" in grappler.sheet.classes
    cites = []
    weapon, topic = grabbing_weapon(grappler), "improved-grab"
    if weapon is None:
        weapon, topic = (
            next((one for one in grappler.sheet.weapons if one.table == SPIKES), None),
            "srd35.weapons.armor-spikes",
        )
    if weapon is not None:
        cites.append(fight.rule(topic))
        lethal = True
        if topic != "improved-grab" and not weapon.proficient:
            extra = (
                *extra,
                fight.modifier(topic, "nonproficient_grapple", kind="penalty", source="armor spikes"),
            )
    elif monk:
        cites.append(fight.rule("srd35.grapple.damage-monk"))
    elif lethal:
        penalty = fight.modifier(
            "srd35.grapple.damage-lethal", "grapple_check", kind="penalty", source="lethal"
        )
        extra = (*extra, penalty)
        cites.append(penalty.rule)
    cites += rules_of_pinner(fight, grappler, target)
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.damage", *extra)
    if not contest.won:
        return False
    if cites:
        yield RuleApplied(who=grappler.id, what="hurts in the grapple", cites=tuple(cites))
    means = weapon or unarmed(fight, grappler)
    blow = build_blow(fight, grappler, target, means, "grapple", nonlethal=not lethal)
    yield from fight.dialect.damage.deal(fight, blow, False)
    return True


def pin(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to pin an opponent until the end of the grappler's next turn, silencing it if desired."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.pin", *extra)
    if not contest.won:
        return False
    rounds = fight.figure("srd35.grapple.pin", "duration_rounds")
    until = Until("turn-end", grappler.id, fight.state.round + rounds)
    cites = fight.rules("srd35.grapple.pin", "srd35.grapple.pinned-state")
    pinned = (*cites, fight.rule("srd35.cond.pinned"))
    yield ConditionGained(who=target.id, condition="pinned", source=grappler.id, until=until, cites=pinned)
    rule = fight.rule("srd35.grapple.pinning-silence")
    question = f"does {grappler.id} let {target.id} speak?"
    if (yield Choice(grappler.id, "silence", question, ("speak", "silence"), rule)) == "silence":
        cites = (rule, fight.rule("srd35.grapple.pinned-silence"))
        yield ConditionGained(
            who=target.id, condition="silenced", source=grappler.id, until=until, cites=cites
        )
    return True


def escape_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Beat all opponents that hold on, by a grapple check or Escape Artist; the pinned only escape the pin.

    The helpless cannot hold on (srd35.helpless.definition).
    """
    pinned = "pinned" in grappler.conditions
    topic = "srd35.grapple.pinned-escape" if pinned else "srd35.grapple.escape"
    cites = [fight.rule(topic), fight.rule("srd35.grapple.check")]
    mine = grapple_check(fight, grappler, target, *extra)
    if act.skill:
        rule = fight.rule("srd35.grapple.escape-artist")
        parts = skill_parts(fight, grappler, "escape artist", "dex", rule)
        mine = side_of(fight, grappler, "escape artist", parts)
        cites = [fight.rule(topic), rule, fight.rule("srd35.skill.escape-artist-table")]
    holders = holders_of(fight, grappler)
    if len(holders) > 1 and not pinned:
        cites.append(fight.rule("srd35.grapple.escape-multiple"))
    holding = yield from ask_who_holds_on(
        fight, grappler, holders, fight.rule("srd35.grapple.escape-multiple")
    )
    cites += [fight.rule("srd35.helpless.definition") for one in holders if is_helpless(fight, one)]
    if holding and not (yield from beats_all(fight, grappler, holding, mine, "escape", *cites)):
        return False
    if pinned:
        yield from free_of_pin(grappler, "escapes", *cites)
        return True
    if "swallowed" in grappler.conditions:
        up = fight.rules("srd35.swallow-whole")
        yield ConditionLost(who=grappler.id, condition="swallowed", why="back into the mouth", cites=up)
        return True
    for one in holders:
        yield from end_grapple(fight, grappler, one, "escapes", *cites)
    yield from leave_former_holders(fight, grappler, holders, act.path)
    return True


def activate_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Activate a magic item that is not on the sheet, without a check (srd35.grapple.magic-item)."""
    what, cites = f"activates the {act.weapon or 'item'}", fight.rules("srd35.grapple.magic-item")
    yield RuleApplied(who=grappler.id, what=what, cites=cites)
    return True


def retrieve_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Take a component in hand out of its pouch, without a check (srd35.grapple.retrieve-component)."""
    what, cites = f"has the {act.weapon or 'component'} in hand", fight.rules(RETRIEVE)
    yield RuleApplied(who=grappler.id, what=what, cites=cites)
    yield ItemChanged(who=grappler.id, item=act.weapon or COMPONENTS, state="held", cites=cites)
    return True


def break_pin(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to break the hold that an opponent has on another combatant (srd35.grapple.break-pin)."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.break-pin", *extra)
    if contest.won:
        yield from break_pins(fight, target, fight.rule("srd35.grapple.break-pin"))
    return contest.won


def rules_of_pinner(fight: Fight, grappler: Combatant, target: Combatant) -> tuple[str, ...]:
    """Return the rule by which a pinner may damage its victim, use its weapon against it, or move it."""
    return fight.rules("srd35.grapple.pinning-options") if is_pinning(grappler, target) else ()


def use_weapon(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to use the opponent's light weapon against it, at -4; it stays in its hand."""
    topic = "srd35.grapple.use-opponent-weapon"
    contest = yield from oppose_grapple_checks(fight, grappler, target, topic, *extra)
    if not contest.won:
        return False
    blow = build_blow(fight, grappler, target, their_weapon(fight, target, act.weapon), "grapple")
    penalty = fight.modifier(topic, "attack", kind="penalty", source="the opponent's weapon")
    blow.attack_extra += [*extra, penalty]
    blow.cites += fight.rules(topic, "srd35.grapple.use-opponent-weapon-no-possession")
    blow.cites += rules_of_pinner(fight, grappler, target)
    return (yield from strike(fight, blow))


def move_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Beat every opponent to move the whole grapple at half speed; +4 against a single pinned one.

    In front of an unperceived combatant it ends where there is room for all of it.
    """
    others = opponents(fight, grappler)
    if len(others) == 1 and is_pinning(grappler, target):
        topic = "srd35.grapple.move-pinned-bonus"
        extra += (fight.modifier(topic, "bonus", kind="circumstance", source="pinned"),)
    by_pinner = rules_of_pinner(fight, grappler, target)
    cites = fight.rules("srd35.grapple.move", "srd35.grapple.check") + by_pinner
    mine = grapple_check(fight, grappler, target, *extra)
    if not (yield from beats_all(fight, grappler, others, mine, "grapple", *cites)):
        return False
    path = act.path
    met = find_unseen_at_end(fight, grappler, path[-1], in_way_of_grapple(fight, grappler, path[-1]))
    while path and in_way_of_grapple(fight, grappler, path[-1]):
        path = path[:-1]
    if path:
        places = [carried(grappler, one, path[-1]) for one in others]
        cost = cost_of_grapple_move(fight, grappler, path)
        yield moved(grappler, path[-1:], cost.feet, "grapple", cites[0], diagonals=cost.diagonals)
        for one, place in zip(others, places, strict=True):
            yield displaced(one, (place,), "grapple", cites[0])
    if met is not None:
        yield from run_into(fight, grappler, met, "grapple")
    return True


def draw_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to draw a light weapon (srd35.grapple.draw-light-weapon)."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.draw-light-weapon")
    if contest.won:
        cites = fight.rules("srd35.grapple.draw-light-weapon")
        yield ItemChanged(who=grappler.id, item=act.weapon, state="held", cites=cites)
    return contest.won


def swallow(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to swallow the opponent; the damage inside is that of the trait."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, SWALLOW)
    if contest.won:
        rule = fight.rule(SWALLOW)
        yield ConditionGained(who=target.id, condition="swallowed", source=grappler.id, cites=(rule,))
        gut = natural_weapon_as_printed("gut", trait_detail(grappler, "swallow whole"))
        blow = Blow(grappler, target, gut, True, 0, Intent("grapple"))
        yield from fight.dialect.damage.deal(fight, blow, False)
    return contest.won


def release_opponent(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Let go of an opponent."""
    rule = fight.rule("srd35.grapple.pinning-release")
    yield from end_grapple(fight, grappler, target, "let go", rule)
    if "grappling" not in grappler.conditions:
        yield from make_room(fight, grappler)
    return True


OPTIONS: Final[Mapping[str, Option]] = {
    "attack": Option(
        attack_in_grapple,
        lambda fight, grappler, target, act: refuse_inside(
            fight, grappler, close_weapon(fight, grappler, act.weapon)
        ),
        replaces_attack=True,
        by_pinner=False,
    ),
    "damage": Option(damage_in_grapple, replaces_attack=True),
    "pin": Option(pin, replaces_attack=True, by_pinner=False),
    "escape": Option(escape_grapple, refuse_way_out, replaces_attack=True, by_pinner=False),
    "break-pin": Option(break_pin, refuse_no_pin, replaces_attack=True, by_pinner=False),
    "use-weapon": Option(
        use_weapon,
        lambda fight, grappler, target, act: their_weapon(fight, target, act.weapon),
        replaces_attack=True,
    ),
    "move": Option(move_grapple, refuse_grapple_move),
    "draw": Option(
        draw_in_grapple, refuse_to_draw, timed_by="srd35.grapple.draw-light-weapon", by_pinner=False
    ),
    "rake": Option(rake, refuse_rake, "free"),
    "swallow": Option(swallow, refuse_swallow),
    "activate": Option(activate_in_grapple, refuse_completion),
    "component": Option(retrieve_in_grapple, timed_by=RETRIEVE, by_pinner=False),
    "release": Option(release_opponent, refuse_release, timed_by="srd35.grapple.pinning-release"),
}
"""The options of grapplers, by their names (srd35.grapple.actions)."""


# --- Start a grapple: taking hold of an opponent, in four steps (srd35.grapple.*)


def grapple(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Start a grapple as an attack, or use one of the options of grapplers."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    kind = option_action(fight, act)
    if act.what == "start":
        attempt = grapple_attempt(fight, grappler, target, "attack")
        yield spending(
            fight, grappler, kind, "grapple", *fight.rules("srd35.grapple.start", "srd35.aoo.substitutes")
        )
        yield from carry_out_start(fight, attempt)
        return
    refuse_option(fight, grappler, target, act)
    use = activation(grappler, target, act.weapon) if act.what == "activate" else None
    if use is not None:
        refuse_item_in_grapple(fight, grappler, use.item)
        yield from fight.dialect.acts[acts.Activate](fight, use)
        return
    yield spending(fight, grappler, kind, f"grapple: {act.what}", *fight.rules("srd35.grapple.actions"))
    yield from OPTIONS[act.what].carry_out(fight, grappler, target, act)


def plan_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt in place of another attack: to start a grapple, or the option named by `item`.

    Whether an option is available is checked when its turn comes in a full attack.
    """
    if weapon not in ("", "unarmed strike") and item not in WITH_AN_ITEM:
        reason = f"a grapple begins with an unarmed strike, not with the {weapon}"
        raise Refusal(reason, fight.rule("srd35.grapple.start"))
    if item in ("", "start"):
        return grapple_attempt(fight, grappler, target, kind)
    if item not in OPTIONS or not OPTIONS[item].replaces_attack:
        raise Refusal(f"{item!r} cannot be done in place of an attack", fight.rule("srd35.grapple.actions"))
    blow = melee_attempt(
        fight, grappler, target, unarmed(fight, grappler), kind, fight.rule("srd35.grapple.start")
    )
    return Attempt(blow, item, weapon=weapon)


def grapple_attempt(fight: Fight, grappler: Combatant, target: Combatant, kind: str) -> Attempt:
    """Return the attempt to grab an opponent. Refuses one already held, and one grappler too many."""
    rule = fight.rule("srd35.grapple.start")
    if target is grappler:
        raise Refusal(f"{grappler.id} cannot grapple itself", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("srd35.cond.dead"))
    if target in opponents(fight, grappler):
        raise Refusal(f"{grappler.id} grapples {target.id} already", fight.rule(CONSEQUENCES))
    if opponents(fight, grappler):
        raise Refusal(f"{grappler.id} is grappling already", fight.rule(CONSEQUENCES))
    refuse_too_many(fight, grappler, target)
    shared_natural_weapons.refuse_hold(fight, grappler, target, "grapple")
    blow = melee_attempt(fight, grappler, target, unarmed(fight, grappler), kind, rule)
    return Attempt(blow, "start", name=fight.declaration)


def carry_out_grapple(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Carry out the act that replaces an attack: a start, or an option that is available now."""
    if attempt.item == "start":
        if (yield from grapples_by_now(fight, attempt.blow.attacker, CONSEQUENCES)):
            return False
        if attempt.blow.intent.kind in ("full", WHIRLWIND):
            yield RuleApplied(
                who=attempt.blow.attacker.id,
                what="a grapple in place of an attack of the full attack",
                cites=fight.rules("srd35.grapple.start-multiple"),
            )
        return (yield from carry_out_start(fight, attempt))
    topic = "srd35.grapple.actions-iterative"
    return (yield from option_in_place(fight, attempt, refuse_option, OPTIONS, topic))


def carry_out_start(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, grab, hold, and move in; return whether the two grapple.

    A combatant that joins a grapple does not provoke and grabs automatically, but must still win the check.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    possible = yield from still_possible(fight, attempt)
    if not possible or (yield from grapples_by_now(fight, attacker, CONSEQUENCES)):
        return False
    if opponents(fight, target):
        joins = fight.rules("srd35.grapple.join", "srd35.grapple.join-choose-opponent")
        yield RuleApplied(who=attacker.id, what=f"joins the grapple against {target.id}", cites=joins)
        yield from discharge_by_strike(fight, blow, True)
        if "dead" in target.conditions:
            return False
    else:
        grabs = has_trait(attacker, "improved grab") or grabbing_weapon(attacker) is not None
        if grabs or has_feat(attacker, "improved grapple"):
            free = fight.rules("srd35.grapple.aoo-exempt")
            yield RuleApplied(who=attacker.id, what="the attempt to grapple does not provoke", cites=free)
        else:
            name, rule = f"grapple:{attempt.name}", fight.rule("srd35.grapple.aoo")
            table = fight.dialect.turns.table_rules(fight, "varies", "Grapple")
            opening = yield from provoke_from_target(fight, attempt, "tries to grapple", name, rule, *table)
            if opening.hurt or is_down(fight, attacker):
                yield RuleApplied(who=attacker.id, what="hurt, the attempt to grapple fails", cites=(rule,))
                return False
            if not opening.goes_on or (yield from grapples_by_now(fight, attacker, CONSEQUENCES)):
                return False
        if not (yield from touch_attack(fight, blow, fight.rule("srd35.grapple.grab"))):
            return False
    if is_hold_impossible_out_of_turn(fight, blow):
        what, cites = "no hold follows a touch out of turn", fight.rules("srd35.grapple.hold")
        yield RuleApplied(who=attacker.id, what=what, cites=cites)
        return False
    if not (yield from win_hold(fight, attempt)):
        return False
    return (yield from move_in(fight, attacker, target))


def win_hold(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Oppose grapple checks; a win takes hold and deals the damage of an unarmed strike
    (srd35.grapple.hold).
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    limit = fight.figure("srd35.grapple.hold-size-limit", "auto_fail_at_size_difference")
    if size_step(target) - size_step(attacker) >= limit:
        cites = fight.rules("srd35.grapple.hold-size-limit")
        yield RuleApplied(who=attacker.id, what=f"{target.id} is too big to be held", cites=cites)
        return False
    rules = fight.rules("srd35.grapple.hold", "srd35.grapple.check")
    contest = yield from beats_opposed(
        fight,
        "grapple",
        grapple_check(fight, attacker, target, *blow.attack_extra),
        grapple_check(fight, target, attacker),
        *rules,
        holding=True,
    )
    if not contest.won:
        return False
    yield from take_hold(
        fight,
        attacker,
        target,
        *fight.rules("srd35.grapple.hold", CONSEQUENCES, "srd35.grapple.no-threat"),
    )
    blow.cites = [rules[0]]
    yield from fight.dialect.damage.deal(fight, blow, False)
    return "dead" not in target.conditions


GRAPPLE = Substitute(plan_grapple, carry_out_grapple)
