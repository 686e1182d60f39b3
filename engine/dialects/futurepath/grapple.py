"""Implement grapples in futurepath: checks, options, prohibitions, and starting a grapple."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.contested import old_only, situational
from affray.engine.dialects.futurepath.gear.objects import stands_open
from affray.engine.dialects.futurepath.maneuvers import (
    provoke_by_maneuver,
    refuse_thing,
    rules_of_table,
)
from affray.engine.dialects.futurepath.turns.action_types import of_grappling
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt, Side, Substitute
from affray.engine.rules.attacks.attack_roll import build_blow, strike
from affray.engine.rules.classes.checks import skill_parts
from affray.engine.rules.classes.sheets import sizes_larger
from affray.engine.rules.gear.hands import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple import (
    Option,
    ask_who_holds_on,
    break_pins,
    end_grapple,
    find_those_in_grapple,
    free_of_pin,
    get_grapple_modifiers,
    grapple_bonus,
    grapples_by_now,
    holders_of,
    is_pinning,
    leave_former_holders,
    light_weapons_to_draw,
    move_in,
    opponents,
    option_in_place,
    pins_an_opponent,
    refuse_too_many,
    strike_at_random,
    take_hold,
    weapon_at_hand,
)
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of, touch
from affray.engine.rules.maneuvers.trample import melee_attempt, still_possible
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ItemChanged, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Grapple checks of Futurepath (futurepath.grapple.check, futurepath.grapple.multi.choose-one)


def side_of_grappler(fight: Fight, one: Combatant, other: Combatant, *extra: Modifier) -> Side:
    """Return a grapple check: base attack bonus, Strength, grapple modifier, and penalties to attacks.

    futurepath.grapple.check, futurepath.grapple.modifier-by-size
    """
    parts = [*grapple_bonus(fight, one), *extra, *get_grapple_modifiers(fight, one, other)]
    return Side(one, parts, "grapple")


def wins_check(fight: Fight, one: Combatant, other: Combatant, topic: str, *extra: Modifier) -> Steps[bool]:
    """Oppose grapple checks with one chosen opponent; return whether the first beats the second.

    futurepath.grapple.multi.choose-one
    """
    several = ("futurepath.grapple.multi.choose-one",) if len(opponents(fight, one)) > 1 else ()
    margin = yield from roll_opposed(
        fight,
        "grapple",
        side_of_grappler(fight, one, other, *extra),
        side_of_grappler(fight, other, one),
        *fight.rules(topic, "futurepath.grapple.check", *rules_of_size(one, other), *several),
    )
    return margin > 0


def rules_of_size(*those: Combatant) -> tuple[str, ...]:
    """Return the topic of the rule on grapple modifiers, if any of them has a size that it modifies."""
    return (
        ("futurepath.grapple.modifier-by-size",) if any(one.sheet.size != "medium" for one in those) else ()
    )


# --- Options in a grapple: damage, pin, escape, freeing a friend from a pin, using a light weapon
#
# futurepath.grapple.option.*.

LIMITED: Final = "futurepath.grapple.options-limited"
PIN: Final = "futurepath.grapple.option.pin"
PINNED: Final = "futurepath.grapple.pinned"
PINNER: Final = "futurepath.grapple.pin.pinner-limits"
DRAW: Final = "futurepath.grapple.option.draw-light-weapon"
BREAK: Final = "futurepath.grapple.option.break-anothers-pin"
#: The name, among what a turn has spent, for an attempt of Escape Artist.
SLIPPING: Final = "escape artist"
IN_CLOSE: Final = ("unarmed", "natural", "light")


def refuse_closed_option(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse an option that is not available: not grappling the target, pinning, or without the means.

    Acts barred to the pinned have been refused before (`refuse_to_pinned`).
    """
    if target not in opponents(fight, grappler):
        raise Refusal(f"{grappler.id} does not grapple {target.id}", fight.rule(LIMITED))
    OPTIONS[act.what].refuse(fight, grappler, target, act)


def refuse_to_strike(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse weapons to a pinning grappler, and hopeless attacks."""
    if pins_an_opponent(fight, grappler):
        raise Refusal(f"{grappler.id} is pinning an opponent and cannot use a weapon", fight.rule(PINNER))
    refuse_hopeless(fight, blow_in_close(fight, grappler, target, act.weapon))


def refuse_other_target(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to damage or pin an opponent other than the one being pinned."""
    others = [one for one in opponents(fight, grappler) if one is not target and is_pinning(grappler, one)]
    if others:
        reason = f"{grappler.id} is pinning {others[0].id}, not {target.id}"
        raise Refusal(reason, fight.rule(PINNER))


def refuse_no_pin(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to break the pin of an opponent that pins no one."""
    if not pins_an_opponent(fight, target):
        raise Refusal(f"{target.id} has no one pinned", fight.rule(BREAK))


def refuse_to_draw(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to draw anything but a light weapon that the grappler carries."""
    drawable = light_weapons_to_draw(grappler)
    if act.weapon not in drawable:
        kind = f"light weapon that {grappler.id} can draw"
        raise unknown_word(kind, act.weapon, drawable, fight.rule(DRAW))


def refuse_second_try(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to try Escape Artist more than once a round.

    futurepath.grapple.option.escape-grapple-escape-artist, futurepath.grapple.option.escape-pin-escape-artist
    """
    topic = rule_of_slipping(grappler)
    if act.skill and grappler.spent.get(SLIPPING, 0) >= fight.figure(topic, "max_per_round"):
        raise Refusal(f"{grappler.id} has tried Escape Artist this round", fight.rule(topic))


def rule_of_slipping(grappler: Combatant) -> str:
    """Return the topic of the rule on escaping by skill: from a pin, or from the grapple."""
    if "pinned" in grappler.conditions:
        return "futurepath.grapple.option.escape-pin-escape-artist"
    return "futurepath.grapple.option.escape-grapple-escape-artist"


def unarmed_blow(fight: Fight, grappler: Combatant, target: Combatant) -> Blow:
    """Return an unarmed attack in a grapple: nonlethal, unless bare hands count as armed."""
    weapon = unarmed(fight, grappler)
    return build_blow(fight, grappler, target, weapon, "grapple")


def blow_in_close(fight: Fight, grappler: Combatant, target: Combatant, name: str) -> Blow:
    """Return an attack in a grapple with the named weapon, one at hand or the bare hand."""
    weapon = weapon_in_close(fight, grappler, name)
    if weapon.wield == "unarmed":
        return unarmed_blow(fight, grappler, target)
    return build_blow(fight, grappler, target, weapon, "grapple")


def weapon_in_close(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to strike with in a grapple. Refuse all except light and natural weapons and fists.

    futurepath.attack.unarmed.counts-light
    """
    weapon = find_weapon(fight, combatant, name) if name else weapon_at_hand(fight, combatant, fits_in_close)
    if not fits_in_close(weapon):
        raise Refusal(f"the {weapon.name} is not a light weapon", fight.rule(LIGHT))
    return weapon


def fits_in_close(weapon: Weapon) -> bool:
    """Return whether a weapon can be used in a grapple: light weapons, natural weapons and fists."""
    return weapon.wield in IN_CLOSE and strikes_in_melee(weapon)


def strike_in_close(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Strike an opponent in the grapple (futurepath.grapple.option.attack-light-weapon)."""
    blow = blow_in_close(fight, grappler, target, act.weapon)
    blow.attack_extra += extra
    blow.cites += fight.rules(LIGHT)
    return (yield from strike(fight, blow))


def hurt(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to deal damage as with an unarmed strike (futurepath.grapple.option.damage)."""
    topic = "futurepath.grapple.option.damage"
    if not (yield from wins_check(fight, grappler, target, topic, *extra)):
        return False
    blow = unarmed_blow(fight, grappler, target)
    blow.damage.cites += fight.rules(topic)
    yield from fight.dialect.damage.deal(fight, blow, False)
    return True


def hold_immobile(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to pin an opponent, for a round (futurepath.grapple.option.pin)."""
    if not (yield from wins_check(fight, grappler, target, PIN, *extra)):
        return False
    yield pinned_by(fight, grappler, target, int(fight.figure(PIN, "rounds")))
    return True


def pinned_by(fight: Fight, pinner: Combatant, victim: Combatant, rounds: int) -> ConditionGained:
    """Return that a combatant is pinned for `rounds` rounds, which end just before the pinner's turn.

    futurepath.grapple.option.pin, futurepath.grapple.pinned, futurepath.grapple.pin-purpose,
    futurepath.round.effect-expiry
    """
    cites = fight.rules(PIN, PINNED, "futurepath.grapple.pin-purpose", "futurepath.round.effect-expiry")
    until = Until("turn-start", pinner.id, fight.state.round + rounds)
    return ConditionGained(who=victim.id, condition="pinned", source=pinner.id, until=until, cites=cites)


def break_loose(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Beat the holders by a grapple check or Escape Artist, to get out of a pin or of the grapple.

    An opponent may choose not to hold on, and the helpless cannot (futurepath.grapple.option.escape-grapple,
    futurepath.grapple.option.escape-pin, futurepath.condition.helpless.definition).
    """
    pinned = "pinned" in grappler.conditions
    from_pin, out = "futurepath.grapple.option.escape-pin", "futurepath.grapple.option.escape-grapple"
    rule = fight.rule(from_pin if pinned else out)
    slips: tuple[str, ...] = fight.rules(rule_of_slipping(grappler)) if act.skill else ()
    if act.skill:
        yield ActionSpent(who=grappler.id, kind=SLIPPING, what="escape", cites=slips)
    holders = holders_of(fight, grappler)
    holding = yield from ask_who_holds_on(fight, grappler, holders, rule)
    cites: tuple[str, ...] = (rule, *slips)
    if any(is_helpless(fight, one) for one in holders):
        cites += fight.rules("futurepath.condition.helpless.definition")
    if holding:
        mine = side_of_grappler(fight, grappler, target, *extra)
        if act.skill:
            parts = skill_parts(fight, grappler, "escape artist", "dex", slips[0])
            mine = side_of(fight, grappler, "escape artist", parts)
        if not (yield from beats_holders(fight, grappler, holding, mine, *cites)):
            return False
    if pinned:
        yield from free_of_pin(grappler, "escapes", *cites)
        return True
    for one in holders:
        yield from end_grapple(fight, grappler, one, "escapes", *cites)
    yield from leave_former_holders(fight, grappler, holders)
    with suppress(Refusal):
        refuse_unless_allowed(fight, grappler, "move")
        cites = fight.rules("futurepath.grapple.escape.move-after")
        yield RuleApplied(who=grappler.id, what="is free to take its move action", cites=cites)
    return True


def beats_holders(
    fight: Fight, grappler: Combatant, holding: list[Combatant], mine: Side, *cites: str
) -> Steps[bool]:
    """Return whether one check beats those of all who hold on (futurepath.grapple.multi.choose-one)."""
    several = ("futurepath.grapple.multi.choose-one",) if len(holding) > 1 else ()
    slips = mine.check_name == SLIPPING
    rolled = yield Roll(grappler.id, SLIPPING if slips else "escape")
    for one in holding:
        sized = rules_of_size(one) if slips else rules_of_size(grappler, one)
        rules = fight.rules("futurepath.grapple.check", *sized, *several)
        theirs = side_of_grappler(fight, one, grappler)
        margin = yield from roll_opposed(fight, "escape", mine, theirs, *cites, *rules, rolled=rolled)
        if margin <= 0:
            return False
    return True


def free_friend(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to break an opponent's pin of a friend."""
    won = yield from wins_check(fight, grappler, target, BREAK, *extra)
    if won:
        yield from break_pins(fight, target, fight.rule(BREAK))
    return won


def draw_light_weapon(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Draw a light weapon, which takes no check (futurepath.grapple.option.draw-light-weapon)."""
    yield ItemChanged(who=grappler.id, item=act.weapon, state="held", cites=fight.rules(DRAW))
    return True


OPTIONS: Final[Mapping[str, Option]] = {
    "attack": Option(strike_in_close, refuse_to_strike, replaces_attack=True),
    "damage": Option(hurt, refuse_other_target, replaces_attack=True),
    "pin": Option(hold_immobile, refuse_other_target, replaces_attack=True),
    "escape": Option(break_loose, refuse_second_try, replaces_attack=True),
    "break-pin": Option(free_friend, refuse_no_pin, replaces_attack=True),
    "draw": Option(draw_light_weapon, refuse_to_draw),
}
"""The options of grapplers, by name."""


# --- What a grapple and a pin forbid, and their effects on Defense and place (futurepath.grapple.*)

#: Acts that a grappler may declare: non-actions, words, and the options of the grapple.
STILL_FREE: Final = (
    acts.Enter,
    acts.Begin,
    acts.Close,
    acts.EndTurn,
    acts.Delay,
    acts.Resume,
    acts.Speak,
    acts.Hazard,
    acts.Opening,
    acts.Grapple,
)
MOVING: Final = (acts.Move, acts.Step, acts.Withdraw, acts.Run, acts.Charge, acts.BullRush, acts.Overrun)
LIGHT: Final = "futurepath.grapple.option.attack-light-weapon"


def refuse_other_actions(fight: Fight, grappler: Combatant, act: object) -> None:
    """Refuse a grappler's acts that are not options of the grapple; a full attack may consist of them.

    futurepath.grapple.options-limited, futurepath.grapple.no-movement
    """
    if isinstance(act, acts.FullAttack):
        weapons = {strike.weapon for strike in act.strikes if strike.item == "attack"}
        if len(weapons) > 1 or act.second:
            raise Refusal(f"{grappler.id} cannot attack with two weapons while grappling", fight.rule(LIGHT))
        if all(strike.special == "grapple" for strike in act.strikes):
            return
    if isinstance(act, MOVING):
        reason = f"{grappler.id} is held in a grapple and cannot move"
        raise Refusal(reason, fight.rule("futurepath.grapple.no-movement"))
    if not isinstance(act, STILL_FREE):
        reason = f"{grappler.id} is grappling and can take only the options of the grapple"
        raise Refusal(reason, fight.rule("futurepath.grapple.options-limited"))


def refuse_to_pinned(fight: Fight, victim: Combatant, act: object) -> None:
    """Refuse the pinned everything except an attempt to escape (futurepath.grapple.pin.pinned-actions)."""
    if isinstance(act, acts.Grapple) and act.what == "escape":
        return
    options = isinstance(act, acts.FullAttack) and all(one.item == "escape" for one in act.strikes)
    if options or (isinstance(act, STILL_FREE) and not isinstance(act, acts.Grapple)):
        return
    reason = f"{victim.id} is pinned and can only try to escape"
    raise Refusal(reason, fight.rule("futurepath.grapple.pin.pinned-actions"))


def may_stay(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a mover stopped at `at` may stay there: grapplers may, and any combatant in an open
    door.

    futurepath.grid.occupancy, futurepath.grapple.start.step-4-maintain
    """
    others = [one for one in occupants(fight, mover, at) if not stands_open(one)]
    if others and "grappling" in mover.conditions:
        others = [other for other in others if "grappling" not in other.conditions]
    return not others


def start_in_pin(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Make a newcomer pin its opponent, or be pinned by it, until the pinner's next turn begins."""
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    pinner, victim = (one, target) if act.grip == "pins" else (target, one)
    yield pinned_by(fight, pinner, victim, int(fight.figure(PINNED, "rounds")))


def dexterity_against_outsiders(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target is denied Dexterity: grappling, against attackers outside the grapple.

    futurepath.grapple.no-dex-vs-others
    """
    if denied[0] or blow.attacker in opponents(fight, blow.target):
        return denied
    return "grappling", "futurepath.grapple.no-dex-vs-others"


def row_of_grappling(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the row of the new table for a grappler attacked from outside its grapple.

    The old table's row has a note instead of a number (futurepath.modifier.defender-grappling).
    """
    inside = blow.attacker in opponents(fight, blow.target)
    if inside or "pinned" in blow.target.conditions or old_only(fight):
        return []
    way = "melee" if blow.melee else "ranged"
    return [situational(fight, "futurepath.modifier.defender-grappling", way, source="grappling")]


def row_of_pinned(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty to Defense for being pinned; against the pinner there is none.

    pinned_defense: by the tables in melee only, or by the section against all attacks of others
    (futurepath.modifier.defender-pinned, futurepath.grapple.pin.defense-penalty).
    """
    if blow.target.conditions["pinned"].source == blow.attacker.id:
        return []
    if fight.option("pinned_defense") == "section":
        return [situational(fight, "futurepath.grapple.pin.defense-penalty", "defense", source="pinned")]
    way = "melee" if blow.melee else "ranged"
    return [situational(fight, "futurepath.modifier.defender-pinned", way, source="pinned")]


def shoot_into_grapple(fight: Fight, blow: Blow) -> Steps[None]:
    """Make a shot from outside at a grappler strike a random member of the grapple.

    This is a note of the old table, which the new one does not mention. The pinned have a separate row
    without that note (futurepath.modifier.defender-grappling-random-target).
    """
    meant = blow.target
    if is_helpless(fight, meant) or "pinned" in meant.conditions:
        return
    together = find_those_in_grapple(fight, blow)
    if together:
        yield from strike_at_random(fight, blow, together, f"meant for {meant.id}")


# --- Starting a grapple, step by step: the opportunity, the grab, the hold, and into the target's square
#
# futurepath.grapple.start.*, futurepath.grapple.join.*.

START: Final = "futurepath.grapple.start.replaces-attack"
OPENING: Final = "futurepath.grapple.start.step-1-aoo"
GRAB: Final = "futurepath.grapple.start.step-2-grab"
HOLD: Final = "futurepath.grapple.start.step-3-hold"
SUBSTITUTES: Final = "futurepath.action.disarm-grapple-trip-replace-attack"


def wrestle(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Start a grapple with an attack action, or use an option of grapplers."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    if act.what == "start":
        attempt = attempt_to_grab(fight, grappler, target, "attack")
        yield spending(fight, grappler, "standard", "grapple", *fight.rules(START, SUBSTITUTES))
        yield from seize(fight, attempt)
        return
    refuse_closed_option(fight, grappler, target, act)
    kind, cites = of_grappling(fight, grappler, act), fight.rules(DRAW if act.what == "draw" else LIMITED)
    yield spending(fight, grappler, kind, f"grapple: {act.what}", *cites)
    yield from OPTIONS[act.what].carry_out(fight, grappler, target, act)


def prepare_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt in place of another attack: starting a grapple, or the option named by `item`.

    Whether an option is available is checked when its turn comes in a full attack.
    """
    if weapon not in ("", "unarmed strike") and item != "attack":
        raise Refusal(f"the {weapon} cannot be used to grapple", fight.rule(START))
    if item in ("", "start"):
        return attempt_to_grab(fight, grappler, target, kind)
    in_place = ("start", *(name for name, option in OPTIONS.items() if option.replaces_attack))
    if item not in in_place:
        raise unknown_word("option of a grapple in place of an attack", item, in_place, fight.rule(LIMITED))
    return Attempt(unarmed_blow(fight, grappler, target), item, weapon=weapon)


def attempt_to_grab(fight: Fight, grappler: Combatant, target: Combatant, kind: str) -> Attempt:
    """Return the attempt to grab an opponent. Refuse one already held, and one grappler too many."""
    rule = fight.rule(START)
    refuse_thing(fight, target, rule)
    if target is grappler:
        raise Refusal(f"{grappler.id} cannot grapple itself", rule)
    if opponents(fight, grappler):
        raise Refusal(f"{grappler.id} is grappling already", fight.rule(LIMITED))
    refuse_too_many(fight, grappler, target)
    blow = melee_attempt(fight, grappler, target, unarmed(fight, grappler), kind, rule)
    refuse_hopeless(fight, blow)
    return Attempt(blow, "start", name=fight.declaration)


def carry_out_grapple(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Carry out a grapple act in place of an attack: a start, or an option available now."""
    blow = attempt.blow
    if attempt.item == "start":
        if blow.intent.kind == "full":
            what = "a grapple in place of an attack of the full attack"
            yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules(START))
        return (yield from seize(fight, attempt))
    return (yield from option_in_place(fight, attempt, refuse_closed_option, OPTIONS, LIMITED))


def seize(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, grab, hold, and move in; return whether the two grapple then.

    A combatant that joins a grapple does not provoke from its target and grabs automatically.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    possible = yield from still_possible(fight, attempt)
    if not possible or (yield from grapples_by_now(fight, attacker, LIMITED)):
        return False
    joins = bool(opponents(fight, target))
    opening = yield from provoke_by_maneuver(
        fight,
        attempt,
        "tries to grapple",
        f"grapple:{attempt.name}",
        fight.rule(OPENING),
        *rules_of_table(fight, blow.intent.kind, "grapple"),
        spared=target if joins else None,
    )
    if opening.hurt > 0:
        what = "hurt, the attempt to grapple fails"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules(OPENING))
        return False
    if not opening.goes_on or (yield from grapples_by_now(fight, attacker, LIMITED)):
        return False
    if joins:
        topics = ("futurepath.grapple.join.grab-auto", *chosen_of_several(fight, target))
        yield RuleApplied(
            who=attacker.id, what=f"joins the grapple against {target.id}", cites=fight.rules(*topics)
        )
    elif (yield from touch(fight, blow, *fight.rules(GRAB, "futurepath.grapple.stages"))) is None:
        return False
    if not (yield from goes_on_to_hold(fight, attacker, target)):
        return False
    if not (yield from win_hold_check(fight, attempt)):
        return False
    return (yield from move_in(fight, attacker, target))


def chosen_of_several(fight: Fight, target: Combatant) -> tuple[str, ...]:
    """Return the rule for picking one of several enemies in a grapple, () if there is only one."""
    enemies = [
        other
        for friend in opponents(fight, target)
        for other in opponents(fight, friend)
        if other is not target
    ]
    return ("futurepath.grapple.join.choose-opponent",) if enemies else ()


def goes_on_to_hold(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Return whether a grab continues to a hold: not if only a grab is wanted, nor against too large a
    target.

    hold_size_limit: two or more sizes larger, or more than two (futurepath.grapple.start.hold-size-auto-fail,
    futurepath.grapple.hold-size-limit, futurepath.grapple.grab-only).
    """
    how = fight.option("hold_size_limit")
    if how == "two-or-more":
        topic = "futurepath.grapple.start.hold-size-auto-fail"
        too_large = sizes_larger(target, attacker) >= fight.figure(topic, "min_sizes_larger")
    else:
        topic = "futurepath.grapple.hold-size-limit"
        too_large = sizes_larger(target, attacker) > fight.figure(topic, "max_sizes_larger")
    only = fight.rule("futurepath.grapple.grab-only")
    if too_large:
        what = f"grabs {target.id}, who is too large to be held (hold_size_limit: {how})"
        yield RuleApplied(who=attacker.id, what=what, cites=(fight.rule(topic), only))
        return False
    question = f"{attacker.id} has grabbed {target.id}: does it go on to hold it?"
    if (yield Choice(attacker.id, "grab", question, ("hold", "grab only"), only)) == "hold":
        return True
    yield RuleApplied(who=attacker.id, what=f"grabs {target.id} and does not hold it", cites=(only,))
    return False


def win_hold_check(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Oppose grapple checks; a win takes hold and deals damage as an unarmed strike.

    futurepath.grapple.start.step-3-hold, futurepath.grapple.hold-means-grapple
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    if not (yield from wins_check(fight, attacker, target, HOLD, *blow.attack_extra)):
        return False
    cites = fight.rules(HOLD, "futurepath.grapple.no-threat", "futurepath.grapple.no-movement")
    yield from take_hold(fight, attacker, target, *cites)
    blow.cites = [fight.rule(HOLD)]
    yield from fight.dialect.damage.deal(fight, blow, False)
    return target in opponents(fight, attacker)  # a dead target has no opponents


GRAPPLE = Substitute(prepare_grapple, carry_out_grapple)
