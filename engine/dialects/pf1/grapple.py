"""Grapple: taking hold of an opponent, the options of grapplers, and getting free."""

from collections.abc import Callable
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.pf1.defense import goes_through
from affray.engine.dialects.pf1.gear import is_broken
from affray.engine.dialects.pf1.maneuvers.maneuver_check import (
    combat_maneuver_bonus,
    maneuver_blow,
    roll_maneuver,
    try_maneuver,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.lines_and_cover import can_be_put, line_of_effect
from affray.engine.kernel.places import distance, next_to
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow, Harm, Intent
from affray.engine.rules import grapple as shared
from affray.engine.rules.attacks import natural_weapons
from affray.engine.rules.attacks.attack_roll import build_blow, is_nonlethal, sum_blow_modifiers
from affray.engine.rules.attacks.natural_weapons import REND_HOLDS
from affray.engine.rules.classes.abilities import lowered, strength_to_break
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import (
    INCORPOREAL,
    has_feat,
    has_trait,
    is_a,
    size_step,
    wielded_in_two_hands,
)
from affray.engine.rules.conditions.conditions import apply_fear_condition, number_of_condition
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.hands import count_hands_left
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple import (
    constrict,
    is_hold_impossible_out_of_turn,
    is_inside,
    refuse_no_opponent,
)
from affray.engine.rules.movement.movement import (
    displaced,
    fall_over,
    find_unseen_in_step,
    is_chasm,
    make_room,
    moved,
    run_into,
    speed,
)
from affray.engine.rules.position.places import choose_square, occupants, side_by_side
from affray.engine.rules.turns.actions import has_acted, spending
from affray.engine.rules.turns.fiat import newcomer
from affray.engine.steps import NOTHING, Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Spell, Weapon
from affray.projections.state import Combatant

# --- The participants of a grapple, how long the hold lasts, and how it ends (pf1.grapple.*,
# pf1.cond.grappled)
# Both are "grappled", each by the other; the one that maintains it is "holding" as well. A pin makes the two
# "pinned" and "pinning" in addition.

GRAPPLED: Final = "grappled"
HOLDING: Final = "holding"
PINNED: Final = "pinned"
PINNING: Final = "pinning"
#: The condition of the tied up; the number at the end of its source is the DC to get out.
TIED: Final = "tied up"
#: All conditions between two grapplers, the greater before the lesser.
BETWEEN: Final = (PINNED, PINNING, HOLDING, GRAPPLED)
OPTIONS: Final = "pf1.grapple.options"
#: The maneuvers that being grappled does not hamper.
IN_A_GRAPPLE: Final = ("escape", "grapple")


def opponent_of(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return a combatant's opponent in a grapple, None for none."""
    for name in (HOLDING, GRAPPLED):
        held = combatant.conditions.get(name)
        if held is not None:
            return fight.state.combatants.get(held.source)
    return None


def holds(grappler: Combatant, target: Combatant) -> bool:
    """Return whether a combatant maintains a grapple with another."""
    held = grappler.conditions.get(HOLDING)
    return held is not None and held.source == target.id


def take_hold(
    fight: Fight,
    grappler: Combatant,
    target: Combatant,
    *cites: str,
    apart: bool = False,
    since: int | None = None,
) -> Steps[None]:
    """Make a combatant grapple another, from this round on or `since` an earlier one.

    If it keeps `apart`, it is not grappled itself (pf1.grab).
    """
    yield kept_up(fight, grappler, target, fight.state.round if since is None else since, *cites)
    both = ((target, grappler),) if apart else ((grappler, target), (target, grappler))
    for one, other in both:
        gained = (*cites, fight.rule("pf1.cond.grappled"))
        fact = ConditionGained(who=one.id, condition=GRAPPLED, source=other.id, cites=gained)
        yield from apply_fear_condition(fight, fact)


def kept_up(fight: Fight, grappler: Combatant, target: Combatant, since: int, *cites: str) -> ConditionGained:
    """Return the fact that a grapple is maintained until its holder's next turn ends; its level is when it
    began.
    """
    now = fight.state.round
    acting = fight.state.active == grappler.id or has_acted(fight, grappler)
    return ConditionGained(
        who=grappler.id,
        condition=HOLDING,
        source=target.id,
        until=Until("turn-end", grappler.id, now + acting),
        level=since,
        cites=cites,
    )


def end_grapple(fight: Fight, one: Combatant, other: Combatant, why: str, *cites: str) -> Steps[None]:
    """End all conditions between two grapplers."""
    for each, opponent in ((one, other), (other, one)):
        for name in BETWEEN:
            held = each.conditions.get(name)
            if held is not None and held.source == opponent.id:
                yield ConditionLost(who=each.id, condition=name, why=why, cites=cites)


def lapse(fight: Fight, holder: Combatant, condition: str) -> Steps[None]:
    """End a grapple that was not maintained on its holder's turn (pf1.grapple.maintain)."""
    target = opponent_of(fight, holder)
    if target is not None:
        rule = fight.rule("pf1.grapple.maintain")
        yield from end_grapple(fight, holder, target, "is not maintained", rule)


def parted(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the grapple of a combatant that has been forced away from its opponent."""
    other = opponent_of(fight, combatant)
    if other is not None and not side_by_side(fight, combatant, other):
        rule = fight.rule("pf1.grapple.start")
        yield from end_grapple(fight, combatant, other, "driven apart", rule)


def release_hold(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the grapple of a holder that becomes helpless, and of a combatant that has died."""
    other = opponent_of(fight, combatant)
    if other is not None and (HOLDING in combatant.conditions or "dead" in combatant.conditions):
        rule = fight.rule("pf1.grapple.maintain")
        yield from end_grapple(fight, combatant, other, "can hold nobody", rule)


def hands_are_held(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the grappled cannot use anything with both hands (pf1.cond.grappled); ("", "")
    otherwise.
    """
    if GRAPPLED in blow.attacker.conditions and wielded_in_two_hands(blow.weapon):
        reason = f"{blow.attacker.id} is grappled and has no two hands for the {blow.weapon.name}"
        return reason, "pf1.cond.grappled"
    return "", ""


def spare_grapplers(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a roll to grapple or escape: without the penalty of being grappled, with helpers.

    pf1.cond.grappled, pf1.grapple.several.
    """
    penalty, aid = fight.rule("pf1.cond.grappled"), fight.rule("pf1.aid-another")
    made = []
    for part in parts:
        if part.rule == penalty and part.kind == "penalty":
            part = replace(part, denied=f"not to {blow.intent.maneuver} ({penalty})")
        elif part.rule == aid:
            topic = "pf1.grapple.several"
            part = fight.modifier(topic, "per_helper", kind=part.kind, source=part.source)
        made.append(part)
    return made


def unseen_in_vain(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return no miss chance against an invisible opponent in the grapple (pf1.cond.grappled)."""
    if "invisible" in blow.target.conditions and opponent_of(fight, blow.target) is blow.attacker:
        return 0, "", ""
    return found


def hard_to_find(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of invisibility to a grappled creature's CMD against being grappled further."""
    topic = "pf1.cond.grappled"
    return [fight.modifier(topic, "invisible_cmd", kind="circumstance", source="invisible in the grapple")]


def maintaining_action(fight: Fight, grappler: Combatant) -> str:
    """Return the type of action that maintaining a grapple takes (pf1.feat.greater-grapple)."""
    return (
        "move"
        if has_feat(grappler, "greater grapple")
        else str(fight.figure("pf1.grapple.maintain", "action"))
    )


def action_of(fight: Fight, combatant: Combatant, act: acts.Grapple) -> str:
    """Return the action type of an option."""
    if act.what in ("rake", "release"):
        return "free"
    return maintaining_action(fight, combatant) if act.what in WAYS else "standard"


# --- Bonds: how strong they are, and bursting manacles (pf1.skill.escape, pf1.object.tables-ref)

ESCAPE: Final = "pf1.skill.escape"
#: Bonds with fixed DCs, regardless of the binder.
MANACLES: Final = ("manacles", "masterwork manacles")
#: The sturdiness of each kind of bonds in the tables of 3.5; masterwork manacles are only harder to burst.
STURDY: Final = {
    "rope": "hemp",
    "hemp rope": "hemp",
    "silk rope": "silk",
    "chain": "chain",
    **dict.fromkeys(MANACLES, "manacles"),
}


def dc_of_bonds(fight: Fight, bonds: str, cmb: int) -> int:
    """Return the DC to get out of bonds: that of manacles, otherwise by the binder (pf1.skill.escape)."""
    return int(fight.figure(ESCAPE, bonds)) if bonds in MANACLES else fight.formula(ESCAPE, "ropes") + cmb


def bonds_of(victim: Combatant) -> str:
    """Return what a combatant is bound with, "" if it is not; the source ends with the DC to get out."""
    return victim.conditions[TIED].source.rpartition(" ")[0] if TIED in victim.conditions else ""


def is_in_manacles(victim: Combatant) -> bool:
    """Return whether a combatant is bound with manacles."""
    return bonds_of(victim) in MANACLES


def burst_manacles(fight: Fight, victim: Combatant) -> Steps[None]:
    """Try to burst manacles by Strength, as a standard action: easier if they are broken.

    pf1.object.tables-ref.
    """
    bonds, rule = bonds_of(victim), fight.rule("pf1.object.tables-ref")
    dc = int(fight.figure("gear.restraints", bonds.partition(" ")[0], "str"))
    if is_broken(victim, bonds):
        dc += int(fight.figure("pf1.object.tables-ref", "broken_break_dc"))
    yield spending(fight, victim, "standard", "get free", rule)
    parts = strength_to_break(fight, victim, rule)
    if (yield from check(fight, victim, "strength", parts, dc, rule, why=bonds)):
        yield ConditionLost(who=victim.id, condition=TIED, why=f"breaks the {bonds}", cites=(rule,))


# --- The checks of grapplers, and the bonus of the grab ability (pf1.grab, pf1.cmb)

GRAB: Final = "pf1.grab"


def grapple_blow(attacker: Combatant, target: Combatant, weapon: Weapon) -> Blow:
    """Return the blow that carries a check in a grapple, which nothing blocks."""
    intent = Intent("grapple", maneuver="grapple", against="CMD against grapple")
    return Blow(attacker, target, weapon, True, distance(attacker, target), intent)


def grabbing(fight: Fight, attacker: Combatant, one_limb: bool) -> list[Modifier]:
    """Return the bonus of the grab ability to start and to maintain a grapple, lower for a hold with one
    limb.
    """
    parts = []
    if any("grab" in weapon.traits for weapon in attacker.sheet.weapons):
        parts.append(fight.modifier(GRAB, "cmb", kind="racial", source="grab"))
    if one_limb:
        parts.append(fight.modifier(GRAB, "hold", kind="penalty", source="with one limb"))
    return parts


def holds_with_a_limb(grappler: Combatant) -> bool:
    """Return whether a combatant holds another without being grappled itself."""
    return HOLDING in grappler.conditions and "grappled" not in grappler.conditions


def cmb_of(fight: Fight, combatant: Combatant, other: Combatant) -> list[Modifier]:
    """Return the combat maneuver bonus of a combatant by its current Strength or Dexterity (pf1.cmb)."""
    blow = grapple_blow(combatant, other, unarmed(fight, combatant))
    short = "dex" if fight.dialect.attacks.finesse(fight, blow) else "str"
    return [*combat_maneuver_bonus(fight, blow), *lowered(fight, combatant, short)]


# --- Casting while grappled or pinned: the concentration check, and excluded spells (pf1.cast.pinned)

#: Components that the pinned cannot provide.
OUT_OF_HAND: Final = ("somatic", "material")


def in_a_grapple(fight: Fight, caster: Combatant, spell: Spell) -> list[tuple[str, str, int]]:
    """Return the hindrance of casting in a grapple: DC 10 + the opponent's CMB + spell level, pinned or not.

    pf1.cast.pinned, pf1.grapple.pinned-flow, pf1.cond.grappled, pf1.cond.pinned.
    """
    opponent = opponent_of(fight, caster)
    if GRAPPLED not in caster.conditions or opponent is None:
        return []
    name, topic = (GRAPPLED, "pf1.cast.pinned")
    if PINNED in caster.conditions:
        name, topic = PINNED, "pf1.grapple.pinned-flow"
    dc = fight.figure(topic, "base") + fight.stack(cmb_of(fight, opponent, caster)).total + spell.level
    return [(name, topic, dc)]


def refuse_gestures(fight: Fight, actor: Combatant, act: acts.Cast) -> None:
    """Refuse the pinned and the bound a spell with gestures or material components (pf1.cast.pinned)."""
    spell = next((one for one in actor.sheet.spells if one.name == act.spell), None)
    lacking = [one for one in OUT_OF_HAND if spell is not None and one in spell.components]
    if lacking:
        state = PINNED if PINNED in actor.conditions else TIED
        reason = f"{actor.id} is {state}: {act.spell} has {lacking[0]} components"
        raise Refusal(reason, fight.rule("pf1.cast.pinned"))


# --- Raking an opponent held since before the turn (pf1.constrict-rend-rake)


def rake(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Rake a grappled opponent with the claws that only rake: free, once a turn, in addition to everything
    else.

    Not in the turn in which the grapple began.
    """
    rule = fight.rule(REND_HOLDS)
    shared.refuse_rake(fight, grappler, target, act)
    if opponent_of(fight, grappler) is not target or GRAPPLED not in target.conditions:
        raise Refusal(f"{grappler.id} rakes only an opponent that it grapples", rule)
    yield spending(fight, grappler, "free", "grapple: rake", rule)
    yield from shared.rake(fight, grappler, target, act)


def note_fresh_hold(grappler: Combatant, target: Combatant, rule: str) -> Steps[None]:
    """Record that a creature with rake has only now taken hold of its target: it does not rake this turn."""
    if any(shared.raking_claws(grappler)):
        yield ActionSpent(who=grappler.id, kind="grab", what=f"takes hold of {target.id}", cites=(rule,))


# --- Room next to a grappler: for a target drawn close, moved along or spat out (pf1.grapple.start)


def squares_beside(
    fight: Fight, grappler: Combatant, target: Combatant, hazardous: bool = False
) -> list[Square]:
    """Return the free places next to a grappler for its target.

    With `hazardous` those above a chasm are among them.
    """
    (x, y), side, own = grappler.at, grappler.space, target.space
    found = []
    for at in ((x + dx, y + dy) for dx in range(-own, side + 1) for dy in range(-own, side + 1)):
        beside = at[0] in (x - own, x + side) or at[1] in (y - own, y + side)
        room = beside and (
            can_be_put(fight.field, grappler.at, side, at, own)
            or (
                hazardous
                and is_chasm(fight, target, at)
                and line_of_effect(fight.field, grappler.at, side, at, own)
            )
        )
        if room and not occupants(fight, target, at):
            found.append(at)
    return found


# --- Starting a grapple, by a maneuver or with the weapon that has just hit (pf1.grapple.start, pf1.grab)

START_GRAPPLE_TOPIC: Final = "pf1.grapple.start"
#: The hands needed to grapple without a penalty.
HANDS: Final = 2


def start(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Take hold of an opponent of any size, as a standard action that provokes; the grab ability helps.

    pf1.grapple.start, pf1.grapple.no-size-limit, pf1.grab.
    """
    refuse_taken(fight, grappler, target)
    blow = maneuver_blow(fight, grappler, target, "grapple")
    blow.attack_extra += [*without_hands(fight, grappler), *grabbing(fight, grappler, False)]
    check = yield from try_maneuver(fight, blow, START_GRAPPLE_TOPIC, "pf1.grapple.no-size-limit")
    if not check.won or opponent_of(fight, grappler) or opponent_of(fight, target):
        return
    if (yield from draw_close(fight, grappler, target)):
        yield from take_hold(fight, grappler, target, *fight.rules(START_GRAPPLE_TOPIC))
        yield from note_fresh_hold(grappler, target, fight.rule(START_GRAPPLE_TOPIC))
        yield from constrict(fight, grappler, target, check.won)


def refuse_taken(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse a grappler already in a grapple, and a target already grappled: the attacker may aid its
    grappler.

    pf1.grapple.start, pf1.grapple.several.
    """
    if opponent_of(fight, grappler) is not None:
        raise Refusal(f"{grappler.id} is in a grapple already", fight.rule(START_GRAPPLE_TOPIC))
    if opponent_of(fight, target) is not None:
        reason = f"{target.id} is in a grapple already: aid its grappler instead"
        raise Refusal(reason, fight.rule("pf1.grapple.several"))


def without_hands(fight: Fight, grappler: Combatant) -> list[Modifier]:
    """Return the penalty of a humanoid without both hands free."""
    if grappler.sheet.kind != "humanoid" or count_hands_left(grappler, "") >= HANDS:
        return []
    return [fight.modifier(START_GRAPPLE_TOPIC, "no_hands", kind="penalty", source="no two free hands")]


def draw_close(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[bool]:
    """Draw a target that is not adjacent next to the grappler; return whether there was room for it."""
    if next_to(grappler, target):
        return True
    rule = fight.rule(START_GRAPPLE_TOPIC)
    room = squares_beside(fight, grappler, target)
    if not room:
        what = f"there is no room for {target.id} next to {grappler.id}"
        yield RuleApplied(who=target.id, what=what, cites=(rule,))
        return False
    room.sort(key=lambda at: (distance_ft(at, target.at), at))
    question = f"where next to {grappler.id} is {target.id} put?"
    place = yield from choose_square(grappler.id, "in", question, room, rule)
    yield displaced(target, (place,), "grapple", rule)
    return True


def grab_with_hit(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit with a weapon of the trait "grab" start a grapple, free and without provoking.

    With the whole body, or with the one limb at -20; only opponents of the attacker's size or smaller
    (pf1.grab).
    """
    attacker, target, rule = blow.attacker, blow.target, fight.rule(GRAB)
    taken = opponent_of(fight, attacker) or opponent_of(fight, target) or "dead" in target.conditions
    taken = taken or has_trait(target, natural_weapons.TOPIC)
    if taken or size_step(target) > size_step(attacker) or goes_through(fight, attacker, target, blow.weapon):
        return
    if is_hold_impossible_out_of_turn(fight, blow):
        return
    question = f"the {blow.weapon.name} has hit: does {attacker.id} grab {target.id}?"
    how = yield Choice(attacker.id, "grab", question, ("grab", "hold with one limb", "decline"), rule)
    if how == "decline":
        return
    yield ActionSpent(who=attacker.id, kind="free", what="grab", cites=(rule,))
    one_limb = how != "grab"
    holding = grapple_blow(attacker, target, unarmed(fight, attacker))
    holding.attack_extra += grabbing(fight, attacker, one_limb)
    check = yield from roll_maneuver(fight, holding, GRAB)
    if check.won and (yield from draw_close(fight, attacker, target)):
        yield from take_hold(fight, attacker, target, rule, apart=one_limb)
        yield from note_fresh_hold(attacker, target, rule)
        yield from constrict(fight, attacker, target, check.won)


# --- Swallow whole: swallowing, the damage inside, and getting out (pf1.swallow)
# The trait "swallow whole 2d6 acid" gives the damage inside each round.

SWALLOW_TOPIC: Final = "pf1.swallow"
SWALLOWED: Final = "swallowed"
CUTTING: Final = ("slashing", "piercing")
#: The resource that counts how deep a swallower has been cut from inside.
CUT: Final = "cut from inside"
#: The kind of movement of the swallowed.
CARRIED: Final = "carried"


def gut_of(swallower: Combatant) -> str:
    """Return the damage inside a swallower, by its trait: "2d6 acid"; "" for none."""
    return next(iter(details_of("swallow whole", swallower.sheet.traits)), "")


def refuse_swallow(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to swallow without the ability, a target just grabbed, and one that is too big."""
    rule = fight.rule(SWALLOW_TOPIC)
    if not gut_of(grappler):
        raise Refusal(f"{grappler.id} cannot swallow whole", rule)
    if grappler.conditions[HOLDING].level >= fight.state.round:
        reason = f"{grappler.id} can swallow only an opponent that it held in its mouth as the turn began"
        raise Refusal(reason, rule)
    if size_step(grappler) - size_step(target) < fight.figure(SWALLOW_TOPIC, "sizes"):
        raise Refusal(f"{target.id} is too big to be swallowed", rule)


def swallow(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Swallow a held target: it stays grappled inside, no longer pinned; the swallower is free."""
    rule, why = fight.rule(SWALLOW_TOPIC), f"swallows {target.id}"
    for name in (PINNING, HOLDING, GRAPPLED):
        if name in grappler.conditions:
            yield ConditionLost(who=grappler.id, condition=name, why=why, cites=(rule,))
    if PINNED in target.conditions:
        yield ConditionLost(who=target.id, condition=PINNED, why=why, cites=(rule,))
    yield ConditionGained(who=target.id, condition=SWALLOWED, source=grappler.id, cites=(rule,))
    yield displaced(target, (grappler.at,), CARRIED, rule)


def carry_along(fight: Fight, mover: Combatant) -> Steps[None]:
    """Move the swallowed along with their swallower."""
    for one in list(fight.state.combatants.values()):
        if one.conditions and is_inside(one, mover) and one.at != mover.at:
            yield displaced(one, (mover.at,), CARRIED, fight.rule(SWALLOW_TOPIC))


def digest(fight: Fight, victim: Combatant) -> Steps[None]:
    """Deal the swallowed the damage inside, round by round."""
    swallower = fight.combatant(victim.conditions[SWALLOWED].source)
    dice, _, kind = gut_of(swallower).partition(" ")
    rule = fight.rule(SWALLOW_TOPIC)
    rolled = yield Roll(victim.id, "gut", dice)
    harm = Harm(victim, rolled.total, kind or "bludgeoning", f"the gut of {swallower.id}", cites=(rule,))
    harm.energy = kind not in ("", *CUTTING, "bludgeoning")
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    harm.cites += harm.reduced_by
    yield from fight.dialect.damage.suffer(fight, harm)


def cuts(weapon: Weapon) -> bool:
    """Return whether a weapon cuts a way out: a light slashing or piercing one, claws and teeth too."""
    sharp = weapon.damage_type in CUTTING or any(trait in CUTTING for trait in weapon.traits)
    return sharp and weapon.wield in ("light", "natural")


def in_gut_of(combatant: Combatant) -> str:
    """Return a combatant's swallower, "" for none."""
    held = combatant.conditions.get(SWALLOWED)
    return held.source if held is not None else ""


def strikes_the_gut(fight: Fight, blow: Blow) -> bool:
    """Return whether a combatant attacks its swallower from inside."""
    return is_inside(blow.attacker, blow.target)


def bar_by_gut(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a blow cannot reach its target through the gut: all but cutting out of it from inside."""
    attacker, target = blow.attacker, blow.target
    if is_inside(attacker, target):
        if cuts(blow.weapon):
            return "", ""
        return f"the {blow.weapon.name} does not cut a way out", SWALLOW_TOPIC
    if in_gut_of(attacker) != in_gut_of(target):
        return f"{attacker.id} and {target.id} are not both inside", SWALLOW_TOPIC
    return "", ""


def armor_from_inside(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return a swallower's Armor Class against its victim inside: 10 and half of its natural armor."""
    hide = sum(one.value for one in blow.target.sheet.armor if one.kind == "natural")
    share = int(hide * fight.figure(SWALLOW_TOPIC, "natural_share"))
    return (
        fight.modifier(SWALLOW_TOPIC, "ac", kind="base", source="inside"),
        Modifier(share, "natural", "half of the natural armor", fight.rule(SWALLOW_TOPIC)),
    )


def cut_out(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Free the swallowed once it has cut as deep as a tenth of the swallower's hit points."""
    victim, swallower = blow.attacker, blow.target
    dealt = before[0] - swallower.hp
    if not is_inside(victim, swallower) or dealt <= 0:
        return
    rule = fight.rule(SWALLOW_TOPIC)
    yield ResourceSpent(who=swallower.id, resource=CUT, amount=dealt, cites=(rule,))
    if swallower.resources[CUT] < ceil(swallower.max_hp * fight.figure(SWALLOW_TOPIC, "cut_hp_fraction")):
        return
    yield ResourceSpent(who=swallower.id, resource=CUT, amount=-swallower.resources[CUT], cites=(rule,))
    yield from come_out(fight, victim, swallower, "cuts a way out")


def come_out(fight: Fight, victim: Combatant, swallower: Combatant, why: str) -> Steps[None]:
    """Put a combatant out of a gut, free."""
    rule = fight.rule(SWALLOW_TOPIC)
    yield from put_beside(fight, victim, swallower)
    yield ConditionLost(who=victim.id, condition=SWALLOWED, why=why, cites=(rule,))
    yield from end_grapple(fight, victim, swallower, why, rule)
    yield from make_room(fight, victim)


def put_beside(fight: Fight, victim: Combatant, swallower: Combatant) -> Steps[None]:
    """Put a combatant out of a gut into a square of its choice next to the swallower, if one is free."""
    room = sorted(squares_beside(fight, swallower, victim))
    if room:
        rule = fight.rule(SWALLOW_TOPIC)
        question = f"where next to {swallower.id} does {victim.id} come out?"
        place = yield from choose_square(victim.id, "out", question, room, rule)
        yield displaced(victim, (place,), "out of the gut", rule)


def back_into_mouth(fight: Fight, victim: Combatant, swallower: Combatant) -> Steps[None]:
    """Put a combatant that gets free of the gut back into the mouth, held as before."""
    rule, why = fight.rule(SWALLOW_TOPIC), "back into the mouth"
    yield from put_beside(fight, victim, swallower)
    yield ConditionLost(who=victim.id, condition=SWALLOWED, why=why, cites=(rule,))
    yield ConditionLost(who=victim.id, condition=GRAPPLED, why=why, cites=(rule,))
    yield from take_hold(fight, swallower, victim, rule)


def let_out_by_death(fight: Fight, swallower: Combatant) -> Steps[None]:
    """Free the combatants swallowed by a creature that has died."""
    if "dead" not in swallower.conditions:
        return
    for one in list(fight.state.combatants.values()):
        if is_inside(one, swallower):
            yield from come_out(fight, one, swallower, f"{swallower.id} is dead")


# --- Getting out of a grapple, or taking it over, and out of ropes (pf1.grapple.grappled-options,
# .tie-escape)

GET_FREE_TOPIC: Final = "pf1.grapple.grappled-options"
FLOW: Final = "pf1.grapple.pinned-flow"
#: Declarations still available to the pinned and the bound: escapes, words, and the end or delay of their
#: turn.
STILL_FREE: Final = (acts.Cast, acts.Delay, acts.EndTurn, acts.GetFree, acts.Ready, acts.Resume, acts.Speak)


def get_out(fight: Fight, combatant: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Break free of a holder, or take the grapple over, by CMB or Escape Artist against its CMD.

    The pinned escape the pin, and are then free by option `pin_escape`; the swallowed are back in the mouth
    (pf1.swallow).
    """
    rule = fight.rule(GET_FREE_TOPIC)
    inside = is_inside(combatant, target)
    if not (inside or holds(target, combatant)):
        raise Refusal(f"{target.id} does not hold {combatant.id}", rule)
    if inside and act.what != "escape":
        raise Refusal(f"{combatant.id} has been swallowed and can only get out", fight.rule(SWALLOW_TOPIC))
    pinned = PINNED in combatant.conditions
    topics = (
        (GET_FREE_TOPIC, FLOW) if pinned else (GET_FREE_TOPIC, SWALLOW_TOPIC) if inside else (GET_FREE_TOPIC,)
    )
    yield spending(fight, combatant, "standard", f"grapple: {act.what}", *fight.rules(*topics))
    if not (yield from gets_out(fight, escaping(fight, combatant, target), act.skill, *topics)):
        return
    if inside:
        yield from back_into_mouth(fight, combatant, target)
    elif pinned and fight.option("pin_escape") == "still-grappled":
        cites = fight.rules(*topics)
        yield ConditionLost(who=combatant.id, condition=PINNED, why="escapes the pin", cites=cites)
        yield ConditionLost(who=target.id, condition=PINNING, why="escapes the pin", cites=cites)
    elif act.what == "escape":
        yield from end_grapple(fight, target, combatant, "breaks free", *fight.rules(*topics))
    else:
        yield ConditionLost(who=target.id, condition=HOLDING, why="loses the upper hand", cites=(rule,))
        yield kept_up(fight, combatant, target, fight.state.round, rule)


def escaping(fight: Fight, captive: Combatant, holder: Combatant) -> Blow:
    """Return the blow that carries a captive's check to escape."""
    blow = grapple_blow(captive, holder, unarmed(fight, captive))
    blow.intent = replace(blow.intent, maneuver="escape", against="CMD against escape")
    return blow


def gets_out(fight: Fight, blow: Blow, by_skill: bool, *topics: str) -> Steps[bool]:
    """Make the check to escape, by Escape Artist or as a maneuver, and return whether it succeeds."""
    if by_skill:
        return (yield from slips_out(fight, blow))
    return (yield from roll_maneuver(fight, blow, *topics)).won


def breaks_free_of_harm(fight: Fight, captive: Combatant, holder: Combatant) -> Steps[bool]:
    """Let a captive that is put into a hazardous place try to break free, and return whether it does.

    The attempt takes no action and has +4 (pf1.grapple.options).
    """
    rule = fight.rule(OPTIONS)
    question = f"{holder.id} puts {captive.id} into a hazardous place: how does it try to break free?"
    how = yield Choice(captive.id, "hazard", question, ("escape", "escape artist", "decline"), rule)
    if how == "decline":
        return False
    blow = escaping(fight, captive, holder)
    source = "put where harm waits"
    blow.attack_extra.append(
        fight.modifier(OPTIONS, "option=move", "escape", kind="circumstance", source=source)
    )
    won = yield from gets_out(fight, blow, how == "escape artist", OPTIONS)
    if won:
        yield from end_grapple(fight, holder, captive, "breaks free", rule)
    return won


def slips_out(fight: Fight, blow: Blow) -> Steps[bool]:
    """Make an Escape Artist check against the holder's CMD (pf1.skill.escape)."""
    rule = fight.rule("pf1.skill.escape")
    parts = [*skill_parts(fight, blow.attacker, "escape artist", "dex", rule), *blow.attack_extra]
    dc = sum_blow_modifiers(fight, blow).against.total
    why = f"CMD of {blow.target.id}"
    return (yield from check(fight, blow.attacker, "escape artist", parts, dc, rule, *blow.cites, why=why))


def release(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Release an opponent, which is then free (pf1.grapple.maintain)."""
    rule = fight.rule("pf1.grapple.maintain")
    if not holds(grappler, target):
        raise Refusal(f"{grappler.id} keeps up no grapple with {target.id}", rule)
    yield spending(fight, grappler, "free", "grapple: release", rule)
    yield from end_grapple(fight, grappler, target, "lets go", rule)


def is_only_in_net(fight: Fight, act: acts.GetFree) -> bool:
    """Return whether a combatant would get out of a net, and not out of ropes."""
    actor = fight.combatant(act.actor)
    return TIED not in actor.conditions and nets.is_in_net(actor)


def get_free(fight: Fight, act: acts.GetFree) -> Steps[None]:
    """Try to get out of bonds, by CMB or Escape Artist, as a standard action; manacles are burst by Strength.

    A DC above 20 plus the combatant's bonus is impossible, even on a 20 (pf1.grapple.tie-escape).
    """
    actor, rule = fight.combatant(act.actor), fight.rule("pf1.grapple.tie-escape")
    if TIED not in actor.conditions:
        raise Refusal(f"{actor.id} is not tied up", rule)
    if not act.skill and is_in_manacles(actor):
        yield from burst_manacles(fight, actor)
        return
    dc, bonds = number_of_condition(actor, TIED), bonds_of(actor) or "ropes"
    if act.skill:
        name = "escape artist"
        parts = skill_parts(fight, actor, name, "dex", fight.rule("pf1.skill.escape"))
    else:
        name, parts = "escape", cmb_of(fight, actor, actor)
    most = fight.figure("attack.natural-20", "face") + fight.stack(parts).total
    if dc > most:
        raise Refusal(f"{actor.id} cannot get out of the {bonds}: {dc} against {most} at best", rule)
    yield spending(fight, actor, "standard", "get free", rule)
    if (yield from check(fight, actor, name, parts, dc, rule, fight.rule("pf1.skill.escape"))):
        yield ConditionLost(who=actor.id, condition=TIED, why=f"slips the {bonds}", cites=(rule,))


def refuse_pinned(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse the pinned and the bound all but getting free, speaking and purely mental acts."""
    if isinstance(act, STILL_FREE) or (isinstance(act, acts.Grapple) and act.what == "escape"):
        return
    name = PINNED if PINNED in actor.conditions else TIED
    raise Refusal(f"{actor.id} is {name} and can only try to get free", fight.rule(FLOW))


def opponent_or_refuse(fight: Fight, combatant: Combatant, id: str) -> Combatant:
    """Return the named combatant in a grapple, by default the opponent; refuses a combatant without one."""
    if id:
        return fight.combatant(id)
    found = opponent_of(fight, combatant)
    if found is None:
        raise Refusal(f"{combatant.id} is in no grapple", fight.rule(GET_FREE_TOPIC))
    return found


# --- Maintaining a grapple, and its options: move, damage, pin, tie up (pf1.grapple.maintain, .options)

MAINTAIN_TOPIC: Final = "pf1.grapple.maintain"


def maintain(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Make the check that maintains a hold for another round, and carry out its option.

    A failure ends the grapple; with Greater Grapple another check of the same turn may still save it.
    """
    refuse_option(fight, grappler, target, act)
    master = has_feat(grappler, "greater grapple")
    kind = maintaining_action(fight, grappler)
    rules = fight.rules(MAINTAIN_TOPIC, OPTIONS, *(("pf1.feat.greater-grapple",) if master else ()))
    yield spending(fight, grappler, kind, f"grapple: {act.what}", *rules)
    held = grappler.conditions["holding"]
    blow = grapple_blow(grappler, target, unarmed(fight, grappler))
    blow.attack_extra += grabbing(fight, grappler, holds_with_a_limb(grappler))
    if held.level < fight.state.round:
        later = fight.modifier(
            MAINTAIN_TOPIC, "bonus", kind="circumstance", source="held since an earlier round"
        )
        blow.attack_extra.append(later)
    if act.what == "tie-up" and PINNED not in target.conditions:
        less = fight.modifier(
            OPTIONS, "option=tie up", "check", kind="penalty", source="tying up the unpinned"
        )
        blow.attack_extra.append(less)
    check = yield from roll_maneuver(fight, blow, MAINTAIN_TOPIC)
    if not check.won:
        if not master:
            rule = fight.rule(MAINTAIN_TOPIC)
            yield from end_grapple(fight, grappler, target, "is not maintained", rule)
        return
    if held.until.round <= fight.state.round:
        yield kept_up(fight, grappler, target, held.level, fight.rule(MAINTAIN_TOPIC))
    yield from WAYS[act.what].carry_out(fight, grappler, target, act)
    yield from constrict(fight, grappler, target, check.won)


def refuse_option(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse a combatant that does not maintain a grapple with the target, and what the option forbids."""
    if not holds(grappler, target):
        raise Refusal(f"{grappler.id} keeps up no grapple with {target.id}", fight.rule(MAINTAIN_TOPIC))
    WAYS[act.what].refuse(fight, grappler, target, act)


def refuse_second_pin(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to pin a target that is pinned already."""
    if PINNED in target.conditions:
        raise Refusal(f"{target.id} is pinned already", fight.rule(OPTIONS))


def refuse_no_rope(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse to tie a target up without a rope or manacles."""
    if not act.weapon:
        raise Refusal("name what to tie with: `weapon`", fight.rule(OPTIONS))


def hurt(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Deal the damage of a weapon that can be used in a grapple."""
    weapon = close_weapon(fight, grappler, act.weapon)
    nonlethal = act.nonlethal or (is_nonlethal(grappler, weapon) and not act.lethal)
    blow = build_blow(fight, grappler, target, weapon, "grapple", nonlethal=nonlethal)
    blow.damage.cites += fight.rules(OPTIONS)
    yield from fight.dialect.damage.deal(fight, blow, False)


def close_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon for damage in a grapple: the fist, or one that is not wielded in two hands."""
    weapon = (
        find_weapon(fight, combatant, name, fits) if name else shared.weapon_at_hand(fight, combatant, fits)
    )
    if not fits(weapon):
        raise Refusal(
            f"the {weapon.name} is no melee weapon for one hand, as a grapple takes", fight.rule(OPTIONS)
        )
    return weapon


def fits(weapon: Weapon) -> bool:
    """Return whether a weapon can be used in a grapple."""
    return weapon.wield != "projectile" and not wielded_in_two_hands(weapon)


def pin(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple | None = None) -> Steps[None]:
    """Hold the target immobile, and lose the holder's Dexterity bonus to AC."""
    cites = fight.rules(OPTIONS, "pf1.cond.pinned")
    gained = ConditionGained(who=target.id, condition=PINNED, source=grappler.id, cites=cites)
    yield from apply_fear_condition(fight, gained)
    yield ConditionGained(who=grappler.id, condition=PINNING, source=target.id, cites=fight.rules(OPTIONS))


def refuse_way(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse a path of more than half the speed, and one that cannot be walked."""
    rule, movement, path = fight.rule(OPTIONS), fight.dialect.movement, act.path
    feet = speed(fight, grappler) * fight.figure(OPTIONS, "option=move", "speed")
    if not path:
        raise Refusal("no path to move the grapple along is named", rule)
    here = grappler.at
    for there in path:
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads to {there[0]},{there[1]}", rule)
        movement.refuse_step(
            fight, grappler, here, there, there == path[-1] and there != target.at, target, ""
        )
        here = there
    cost = movement.measure(fight, grappler, (grappler.at, *path), "normal").feet
    if cost > feet:
        raise Refusal(f"the way costs {cost} ft., half the speed is {int(feet)} ft.", rule)


def move_along(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Move with the target, step by step, and put it in a chosen square next to the grappler.

    If that square is hazardous it may try to break free first (pf1.grapple.options); above a chasm it falls.
    In front of a combatant that it does not perceive the grappler stops.
    """
    cites, dialect = fight.rules(OPTIONS), fight.dialect
    opportunity = dialect.opportunity.opportunity_name(fight, grappler)
    for there in act.path:
        enemies = [
            one
            for one in dialect.movement.leaving(fight, grappler, grappler.at, there, "grapple")
            if one is not target
        ]
        if enemies:
            reason, rule = "leaves a threatened square", fight.rule("aoo.triggers")
            yield from dialect.opportunity.provoke(fight, grappler, enemies, reason, opportunity, rule)
            if opponent_of(fight, grappler) is not target:
                break
        last = there == act.path[-1] and there != target.at
        met = find_unseen_in_step(fight, grappler, grappler.at, there, last, "grapple")
        if met is not None and any(one is not target for one in met.those):
            yield from run_into(fight, grappler, met, "grapple")
            break
        cost = dialect.movement.measure(fight, grappler, (grappler.at, there), "normal")
        yield moved(grappler, (there,), cost.feet, "grapple", *cites, diagonals=cost.diagonals)
    if opponent_of(fight, grappler) is target:
        room = sorted(squares_beside(fight, grappler, target, act.hazardous))
        question = f"where next to {grappler.id} is {target.id} put?"
        place = yield from choose_square(grappler.id, "in", question, room, cites[0])
        if act.hazardous and (yield from breaks_free_of_harm(fight, target, grappler)):
            return
        if "flying" not in target.conditions and is_chasm(fight, target, place):
            yield from fall_over(fight, target, place, "grapple", *cites)
        elif place != target.at:
            yield displaced(target, (place,), "grapple", *cites)


def tie_up(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Bind the target: from then on the rope or manacles hold it as a pin does; the grapple is over."""
    cites = fight.rules(OPTIONS, "pf1.skill.escape")
    rope = act.weapon
    dc = dc_of_bonds(fight, rope, fight.stack(cmb_of(fight, grappler, target)).total)
    yield from end_grapple(fight, grappler, target, "tied up", *cites)
    yield ConditionGained(who=target.id, condition=TIED, source=f"{rope} {dc}", cites=cites)


def keep_hold(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[None]:
    """Maintain the hold and do nothing else."""
    return NOTHING


class GrappleOption(Struct, frozen=True):
    """An option of a successful check to maintain a grapple, and its refusal before the check."""

    carry_out: Callable[[Fight, Combatant, Combatant, acts.Grapple], Steps[None]]
    refuse: shared.Refuse = shared.is_open


WAYS: Final = {
    "maintain": GrappleOption(keep_hold),
    "move": GrappleOption(move_along, refuse_way),
    "damage": GrappleOption(hurt, lambda fight, one, other, act: close_weapon(fight, one, act.weapon)),
    "pin": GrappleOption(pin, refuse_second_pin),
    "tie-up": GrappleOption(tie_up, refuse_no_rope),
    "swallow": GrappleOption(swallow, refuse_swallow),
}
"""The options of a successful check, by their names (pf1.grapple.options)."""


# --- The declaration to grapple: to start, to go on, to let go or to get free (pf1.grapple.*)

DONE: Final = {
    **dict.fromkeys(WAYS, maintain),
    "rake": rake,
    "release": release,
    "escape": get_out,
    "take-over": get_out,
}
#: The possible acts, by the words of the declaration.
WHAT: Final = ("start", *DONE)


def grapple(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Return the steps of an act in a grapple. Refuses at once."""
    actor = fight.combatant(act.actor)
    if act.what == "start":
        return start(fight, actor, fight.combatant(act.target))
    return DONE[act.what](fight, actor, opponent_or_refuse(fight, actor, act.target), act)


# --- A fight that begins in the middle of a grapple, or of a pin (pf1.grapple.start, pf1.grapple.options)


def refuse_start_in_grapple(fight: Fight, act: acts.Enter) -> None:
    """Refuse to enter in an impossible grapple: with a friend, a combatant that is down or grappled, from
    afar.

    pf1.grapple.start, pf1.grapple.several, pf1.cond.incorporeal.
    """
    target, rule = fight.combatant(act.grapples), fight.rule(START_GRAPPLE_TOPIC)
    if act.sheet is None:
        return  # an entry without a sheet is refused elsewhere
    refuse_no_opponent(fight, act, target, rule)
    if opponent_of(fight, target) is not None:
        raise Refusal(f"{target.id} is in a grapple already", fight.rule("pf1.grapple.several"))
    one = newcomer(fight, act, act.sheet)
    without = is_a(one, INCORPOREAL) or INCORPOREAL in act.conditions
    if without != is_a(target, INCORPOREAL):
        reason = f"{act.id if without else target.id} has no body to be held"
        raise Refusal(reason, fight.rule("pf1.cond.incorporeal"))
    if not next_to(one, target):
        raise Refusal(f"{act.id} is not next to {target.id}, its opponent in the grapple", rule)
    fight.dialect.position.refuse_taken(fight, act.sheet, act.at, one.space)


def start_in_grapple(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Make a newcomer hold its opponent, or be pinned by it, since before this round.

    pf1.grapple.start, pf1.grapple.options, pf1.cond.grappled, pf1.cond.pinned.
    """
    one, target = fight.combatant(act.id), fight.combatant(act.grapples)
    holder, victim = (target, one) if act.grip == "pinned" else (one, target)
    since = max(0, fight.state.round - 1)
    yield from take_hold(fight, holder, victim, *fight.rules(START_GRAPPLE_TOPIC), since=since)
    if act.grip:
        yield from pin(fight, holder, victim)
