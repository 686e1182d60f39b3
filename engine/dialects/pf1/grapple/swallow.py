"""Swallow whole: down the gullet, what goes on there, and out again (pf1.swallow).

The trait "swallow whole 2d6 acid" says what the gut deals each round.
"""

from math import ceil
from typing import Final

from affray.engine.dialects.pf1.grapple.hold import (
    GRAPPLED,
    HOLDING,
    PINNED,
    PINNING,
    end_grapple,
    take_hold,
)
from affray.engine.dialects.pf1.grapple.room_beside import squares_beside
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.movement.closest_place import make_room
from affray.engine.rules.movement.displaced import displaced
from affray.engine.rules.position.chosen_square import choose_square
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, ResourceSpent
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC: Final = "pf1.swallow"
SWALLOWED: Final = "swallowed"
TRAIT: Final = "swallow whole"
CUTTING: Final = ("slashing", "piercing")
#: The supply that counts how deep a swallower has been cut from inside.
CUT: Final = "cut from inside"
#: How the swallowed get about.
CARRIED: Final = "carried"


def gut_of(swallower: Combatant) -> str:
    """Return what the gut of a swallower deals, as its trait says: "2d6 acid"; "" for nobody's."""
    return next(iter(details_of(TRAIT, swallower.sheet.traits)), "")


def is_inside(combatant: Combatant, of: Combatant) -> bool:
    """Say whether a combatant has been swallowed by another."""
    held = combatant.conditions.get(SWALLOWED)
    return held is not None and held.source == of.id


def refuse_swallow(fight: Fight, grappler: Combatant, target: Combatant) -> None:
    """Refuse to swallow without the ability, whom one has only just taken, and who is too big."""
    rule = fight.rule(TOPIC)
    if not gut_of(grappler):
        raise Refusal(f"{grappler.id} cannot swallow whole", rule)
    if grappler.conditions[HOLDING].level >= fight.state.round:
        reason = f"{grappler.id} can swallow only an opponent that it held in its mouth as the turn began"
        raise Refusal(reason, rule)
    if size_step(grappler) - size_step(target) < fight.figure(TOPIC, "sizes"):
        raise Refusal(f"{target.id} is too big to be swallowed", rule)


def swallow(fight: Fight, grappler: Combatant, target: Combatant) -> Steps[None]:
    """Swallow who is held: it stays grappled in the gut, pinned no longer; the swallower is free."""
    rule, why = fight.rule(TOPIC), f"swallows {target.id}"
    for name in (PINNING, HOLDING, GRAPPLED):
        if name in grappler.conditions:
            yield ConditionLost(who=grappler.id, condition=name, why=why, cites=(rule,))
    if PINNED in target.conditions:
        yield ConditionLost(who=target.id, condition=PINNED, why=why, cites=(rule,))
    yield ConditionGained(who=target.id, condition=SWALLOWED, source=grappler.id, cites=(rule,))
    yield displaced(target, (grappler.at,), CARRIED, rule)


def carry_along(fight: Fight, mover: Combatant) -> Steps[None]:
    """Let those whom a creature has swallowed go where it goes."""
    for one in list(fight.state.combatants.values()):
        if one.conditions and is_inside(one, mover) and one.at != mover.at:
            yield displaced(one, (mover.at,), CARRIED, fight.rule(TOPIC))


def digest(fight: Fight, victim: Combatant) -> Steps[None]:
    """Deal the swallowed the damage of the gut, round by round."""
    swallower = fight.combatant(victim.conditions[SWALLOWED].source)
    dice, _, kind = gut_of(swallower).partition(" ")
    rule = fight.rule(TOPIC)
    rolled = yield Roll(victim.id, "gut", dice)
    harm = Harm(victim, rolled.total, kind or "bludgeoning", f"the gut of {swallower.id}", cites=(rule,))
    harm.energy = kind not in ("", *CUTTING, "bludgeoning")
    harm.amount, _ = fight.dialect.damage.reduce(fight, harm)
    harm.cites += harm.reduced_by
    yield from fight.dialect.damage.suffer(fight, harm)


def cuts(weapon: Weapon) -> bool:
    """Say whether a weapon cuts a way out: a light one that slashes or pierces, claws and teeth too."""
    sharp = weapon.damage_type in CUTTING or any(trait in CUTTING for trait in weapon.traits)
    return sharp and weapon.wield in ("light", "natural")


def in_gut_of(combatant: Combatant) -> str:
    """Return who has swallowed a combatant, "" for nobody."""
    held = combatant.conditions.get(SWALLOWED)
    return held.source if held is not None else ""


def strikes_the_gut(fight: Fight, blow: Blow) -> bool:
    """Say whether somebody strikes from inside at who has swallowed it."""
    return is_inside(blow.attacker, blow.target)


def bar_by_gut(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why the gut keeps a blow from its target: all that is not cut out of it from inside."""
    attacker, target = blow.attacker, blow.target
    if is_inside(attacker, target):
        if cuts(blow.weapon):
            return "", ""
        return f"the {blow.weapon.name} does not cut a way out", TOPIC
    if in_gut_of(attacker) != in_gut_of(target):
        return f"{attacker.id} and {target.id} are not both inside", TOPIC
    return "", ""


def armor_from_inside(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the Armor Class of a swallower for whom it has swallowed: 10 and half of its natural armor."""
    hide = sum(one.value for one in blow.target.sheet.armor if one.kind == "natural")
    share = int(hide * fight.figure(TOPIC, "natural_share"))
    return (
        fight.modifier(TOPIC, "ac", kind="base", source="inside"),
        Modifier(share, "natural", "half of the natural armor", fight.rule(TOPIC)),
    )


def cut_out(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let the swallowed out once it has cut as deep as a tenth of the swallower's hit points."""
    victim, swallower = blow.attacker, blow.target
    dealt = before[0] - swallower.hp
    if not is_inside(victim, swallower) or dealt <= 0:
        return
    rule = fight.rule(TOPIC)
    yield ResourceSpent(who=swallower.id, resource=CUT, amount=dealt, cites=(rule,))
    if swallower.resources[CUT] < ceil(swallower.max_hp * fight.figure(TOPIC, "cut_hp_fraction")):
        return
    yield ResourceSpent(who=swallower.id, resource=CUT, amount=-swallower.resources[CUT], cites=(rule,))
    yield from come_out(fight, victim, swallower, "cuts a way out")


def come_out(fight: Fight, victim: Combatant, swallower: Combatant, why: str) -> Steps[None]:
    """Put somebody out of a gut, free."""
    rule = fight.rule(TOPIC)
    yield from put_beside(fight, victim, swallower)
    yield ConditionLost(who=victim.id, condition=SWALLOWED, why=why, cites=(rule,))
    yield from end_grapple(fight, victim, swallower, why, rule)
    yield from make_room(fight, victim)


def put_beside(fight: Fight, victim: Combatant, swallower: Combatant) -> Steps[None]:
    """Put somebody out of a gut into a square of its choice beside the swallower, if one is free."""
    room = sorted(squares_beside(fight, swallower, victim))
    if room:
        rule = fight.rule(TOPIC)
        question = f"where next to {swallower.id} does {victim.id} come out?"
        place = yield from choose_square(victim.id, "out", question, room, rule)
        yield displaced(victim, (place,), "out of the gut", rule)


def back_into_mouth(fight: Fight, victim: Combatant, swallower: Combatant) -> Steps[None]:
    """Let one that gets free of the gut be in the mouth again, held as before."""
    rule, why = fight.rule(TOPIC), "back into the mouth"
    yield from put_beside(fight, victim, swallower)
    yield ConditionLost(who=victim.id, condition=SWALLOWED, why=why, cites=(rule,))
    yield ConditionLost(who=victim.id, condition=GRAPPLED, why=why, cites=(rule,))
    yield from take_hold(fight, swallower, victim, rule)


def let_out_by_death(fight: Fight, swallower: Combatant) -> Steps[None]:
    """Let those out whom a creature that has died had swallowed."""
    if "dead" not in swallower.conditions:
        return
    for one in list(fight.state.combatants.values()):
        if is_inside(one, swallower):
            yield from come_out(fight, one, swallower, f"{swallower.id} is dead")
