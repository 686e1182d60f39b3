"""What those who grapple can do: hurt, pin, get free, help a friend out of a pin, use a light weapon.

futurepath.grapple.option.*.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.grapple.wrestling import (
    rules_of_size,
    side_of_grappler,
    wins_check,
)
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Side
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.weapon_blow import build_blow
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.gear.held_weapons import held_weapons, strikes_in_melee
from affray.engine.rules.gear.let_go import is_lost
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple.holds import (
    end_grapple,
    free_of_pin,
    is_pinning,
    opponents,
    pins_an_opponent,
)
from affray.engine.rules.grapple.way_out import step_out
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.rules.turns.action_budget import refuse_unless_allowed
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ItemChanged, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

LIMITED: Final = "futurepath.grapple.options-limited"
PIN: Final = "futurepath.grapple.option.pin"
PINNED: Final = "futurepath.grapple.pinned"
PINNER: Final = "futurepath.grapple.pin.pinner-limits"
LIGHT: Final = "futurepath.grapple.option.attack-light-weapon"
DRAW: Final = "futurepath.grapple.option.draw-light-weapon"
BREAK: Final = "futurepath.grapple.option.break-anothers-pin"
#: What a turn has spent that has tried Escape Artist.
SLIPPING: Final = "escape artist"
IN_PLACE_OF_AN_ATTACK: Final = ("attack", "damage", "pin", "escape", "break-pin")
IN_CLOSE: Final = ("unarmed", "natural", "light")


def action_of_option(act: acts.Grapple) -> tuple[str, str]:
    """Return the action that an option takes, and the rule: an attack, but for drawing."""
    return ("move", DRAW) if act.what == "draw" else ("standard", LIMITED)


def refuse_closed_option(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse an option that is not open: not grappling the target, pinning, or out of means.

    What the pinned cannot do has been refused before (`being_held.refuse_to_pinned`).
    """
    if target not in opponents(fight, grappler):
        raise Refusal(f"{grappler.id} does not grapple {target.id}", fight.rule(LIMITED))
    if act.what == "attack":
        if pins_an_opponent(fight, grappler):
            raise Refusal(f"{grappler.id} is pinning an opponent and cannot use a weapon", fight.rule(PINNER))
        refuse_hopeless(fight, blow_in_close(fight, grappler, target, act.weapon))
    others = [one for one in opponents(fight, grappler) if one is not target and is_pinning(grappler, one)]
    if act.what in ("damage", "pin") and others:
        reason = f"{grappler.id} is pinning {others[0].id}, not {target.id}"
        raise Refusal(reason, fight.rule(PINNER))
    if act.what == "break-pin" and not pins_an_opponent(fight, target):
        raise Refusal(f"{target.id} pins nobody", fight.rule(BREAK))
    if act.what == "draw":
        weapon_to_draw(fight, grappler, act.weapon)
    if act.skill:
        refuse_second_try(fight, grappler)


def refuse_second_try(fight: Fight, grappler: Combatant) -> None:
    """Refuse to try Escape Artist more than once a round.

    futurepath.grapple.option.escape-grapple-escape-artist,
    futurepath.grapple.option.escape-pin-escape-artist.
    """
    topic = rule_of_slipping(grappler)
    if grappler.spent.get(SLIPPING, 0) >= fight.figure(topic, "max_per_round"):
        raise Refusal(f"{grappler.id} has tried Escape Artist this round", fight.rule(topic))


def rule_of_slipping(grappler: Combatant) -> str:
    """Return the topic of the rule on escaping by skill: from a pin, or from the grapple."""
    if "pinned" in grappler.conditions:
        return "futurepath.grapple.option.escape-pin-escape-artist"
    return "futurepath.grapple.option.escape-grapple-escape-artist"


def unarmed_blow(fight: Fight, grappler: Combatant, target: Combatant) -> Blow:
    """Return the blow of a bare hand in a grapple: nonlethal, unless bare hands are arms."""
    weapon = unarmed(fight, grappler)
    return build_blow(fight, grappler, target, weapon, "grapple")


def blow_in_close(fight: Fight, grappler: Combatant, target: Combatant, name: str) -> Blow:
    """Return the blow in a grapple with the weapon named, one at hand or the bare hand."""
    weapon = weapon_in_close(fight, grappler, name)
    if weapon.wield == "unarmed":
        return unarmed_blow(fight, grappler, target)
    return build_blow(fight, grappler, target, weapon, "grapple")


def weapon_in_close(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to strike with in a grapple. Refuses all but light ones, natural ones and fists.

    futurepath.attack.unarmed.counts-light.
    """
    weapon = find_weapon(fight, combatant, name) if name else None
    if weapon is None:
        ready = (one for one in held_weapons(combatant) if one.wield in IN_CLOSE and strikes_in_melee(one))
        weapon = next(ready, None) or unarmed(fight, combatant)
    if weapon.wield not in IN_CLOSE or not strikes_in_melee(weapon):
        raise Refusal(f"the {weapon.name} is no light weapon", fight.rule(LIGHT))
    return weapon


def weapon_to_draw(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return a light weapon that can be drawn. Refuses others."""
    drawable = {
        weapon.name: weapon
        for weapon in combatant.sheet.weapons
        if weapon.wield == "light"
        and weapon.name not in combatant.held
        and not is_lost(combatant, weapon.name)
    }
    if name in drawable:
        return drawable[name]
    raise unknown_word(f"light weapon that {combatant.id} can draw", name, drawable, fight.rule(DRAW))


def carry_out_option(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Do what an option says; return whether it succeeded. `extra` counts for the attack replaced."""
    return (yield from OPTIONS[act.what](fight, grappler, target, act, *extra))


def strike_in_close(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Strike an opponent in close (futurepath.grapple.option.attack-light-weapon)."""
    blow = blow_in_close(fight, grappler, target, act.weapon)
    blow.attack_extra += extra
    blow.cites += fight.rules(LIGHT)
    return (yield from strike(fight, blow))


def hurt(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Win a check to hurt as with an unarmed strike (futurepath.grapple.option.damage)."""
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
    """Return that somebody is pinned for so many rounds, which end just before the pinner's turn.

    futurepath.grapple.option.pin, futurepath.grapple.pinned, futurepath.grapple.pin-purpose,
    futurepath.round.effect-expiry.
    """
    cites = fight.rules(PIN, PINNED, "futurepath.grapple.pin-purpose", "futurepath.round.effect-expiry")
    until = Until("turn-start", pinner.id, fight.state.round + rounds)
    return ConditionGained(who=victim.id, condition="pinned", source=pinner.id, until=until, cites=cites)


def break_loose(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Beat those who hold on, by a grapple check or Escape Artist: out of a pin, or out of the grapple.

    Nobody has to hold on, and the helpless cannot (futurepath.grapple.option.escape-grapple,
    futurepath.grapple.option.escape-pin, futurepath.condition.helpless.definition).
    """
    pinned = "pinned" in grappler.conditions
    from_pin, out = "futurepath.grapple.option.escape-pin", "futurepath.grapple.option.escape-grapple"
    rule = fight.rule(from_pin if pinned else out)
    slips: tuple[str, ...] = fight.rules(rule_of_slipping(grappler)) if act.skill else ()
    if act.skill:
        yield ActionSpent(who=grappler.id, kind=SLIPPING, what="escape", cites=slips)
    holders = opponents(fight, grappler)
    if pinned:
        holders = [one for one in holders if is_pinning(one, grappler)]
    holding = yield from those_who_hold_on(fight, grappler, holders, rule)
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
    yield from step_out(fight, grappler, holders)
    with suppress(Refusal):
        refuse_unless_allowed(fight, grappler, "move")
        cites = fight.rules("futurepath.grapple.escape.move-after")
        yield RuleApplied(who=grappler.id, what="is free to take its move action", cites=cites)
    return True


def those_who_hold_on(
    fight: Fight, grappler: Combatant, holders: list[Combatant], rule: str
) -> Steps[list[Combatant]]:
    """Ask those who can hold on whether they do; return who does."""
    holding = []
    for one in holders:
        if not is_helpless(fight, one):
            question = f"{grappler.id} tries to escape: does {one.id} hold on?"
            if (yield Choice(one.id, "hold", question, ("hold", "let go"), rule)) == "hold":
                holding.append(one)
    return holding


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
    """Win a check to break the pin that an opponent has on a friend."""
    if not (yield from wins_check(fight, grappler, target, BREAK, *extra)):
        return False
    for other in opponents(fight, target):
        if is_pinning(target, other):
            yield from free_of_pin(other, "the hold is broken", fight.rule(BREAK))
    return True


def draw_light_weapon(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Draw a light weapon, which takes no check (futurepath.grapple.option.draw-light-weapon)."""
    yield ItemChanged(who=grappler.id, item=act.weapon, state="held", cites=fight.rules(DRAW))
    return True


OPTIONS: Mapping[str, Callable[..., Steps[bool]]] = {
    "attack": strike_in_close,
    "damage": hurt,
    "pin": hold_immobile,
    "escape": break_loose,
    "break-pin": free_friend,
    "draw": draw_light_weapon,
}
"""What those who grapple may do, by the word for it."""
