"""Resolve shots and throws: range, shooting into melee, adjacent targets, shooting prone."""

from itertools import product
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import (
    FIREARMS,
    HOPELESS,
    explain_hopeless,
    fight_defensively,
    refuse_hopeless,
)
from affray.engine.dialects.futurepath.contested import grade_of, situational
from affray.engine.dialects.futurepath.damage import covered_squares, deal_area_damage, roll_damage
from affray.engine.dialects.futurepath.defense import (
    Save,
    cover_parts,
    is_sheltered,
    is_walled_off,
    rules_of_reflex_cover,
    spared_behind,
    things_at,
)
from affray.engine.dialects.futurepath.gear.handling import DEFINITION, EXPLOSIVE, TOUCH, as_thrown
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.lines_and_cover import line_of_effect
from affray.engine.kernel.places import footprint, next_to, squares_of
from affray.engine.record.blow import Blow, Harm, SaveMade
from affray.engine.rules.attacks.attack_roll import increments
from affray.engine.rules.attacks.declared_blow import (
    attack_object_carefully,
    refuse_empty,
    roll_attack_at_place,
)
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.gear.splash_weapons import SPLASH
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.steps import Refusal, Steps, altered
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import Provoked, ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Declared attacks: restrictions of their weapon, checked before anything else

#: The trait of weapons that fire only automatically.
ONLY: Final = "automatic only"
#: The kind of an attack by automatic fire.
AUTOFIRE: Final = "autofire"


def prepare_declared(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    thrown: bool = False,
    nonlethal: bool | None = None,
) -> Blow:
    """Return the attack that a declaration means; splash weapons are always thrown, as touch attacks.

    Refuse single shots of weapons that fire only automatically
    (futurepath.attack.autofire.autofire-only-weapons, futurepath.attack.splash.ranged-touch).
    """
    splashes = SPLASH in weapon.traits
    if splashes:
        weapon, thrown = as_thrown(fight, weapon), True
    prepare = fight.dialect.attacks.prepare
    blow: Blow = prepare(fight, attacker, target, weapon, kind, thrown=thrown, nonlethal=nonlethal)
    if splashes:
        blow.cites += fight.rules(DEFINITION, TOUCH)
    if ONLY in weapon.traits and not blow.melee and kind != AUTOFIRE:
        reason = f"the {weapon.name} cannot fire single shots, only automatically"
        raise Refusal(reason, fight.rule("futurepath.attack.autofire.autofire-only-weapons"))
    return blow


def explain_aimed_explosive(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that an explosive is not aimed at a creature: it is thrown at a square, or planted.

    futurepath.attack.thrown-explosive.target-square
    """
    reason = f"the {blow.weapon.name} is thrown at a square"
    return reason, "futurepath.attack.thrown-explosive.target-square"


def finishes(weapon: Weapon) -> bool:
    """Return whether a ranged weapon can deliver a coup de grace: not explosives and splash weapons."""
    return not {EXPLOSIVE, SPLASH}.intersection(weapon.traits)


# --- Full-round actions: a shot at the helpless from a distance, or an attack on a thing

AIMED: Final = "futurepath.attack.helpless.ranged-full-round"


def shoot_helpless(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Shoot at a helpless target that is not adjacent, as a full-round action: +5 on the attack roll.

    futurepath.attack.helpless.ranged-full-round; from an adjacent square a full round is a coup de grace
    (futurepath.attack.helpless.melee-or-adjacent).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule(AIMED)
    if not is_helpless(fight, target):
        raise Refusal(
            f"{target.id} is not helpless: a full round of aiming helps only against the helpless", rule
        )
    weapon = find_weapon(fight, actor, act.weapon)
    blow = prepare_declared(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    if blow.melee or next_to(actor, target):
        topic = "futurepath.attack.helpless.melee-or-adjacent"
        raise Refusal(f"from {actor.id}'s square a full round is a coup de grace", fight.rule(topic))
    blow.attack_extra.append(situational(fight, AIMED, "attack", source="aimed at the helpless"))
    refuse_hopeless(fight, blow)
    ranged = fight.rule("futurepath.attack.ranged.range-and-los")
    yield spending(fight, actor, "full-round", "aimed shot", rule, ranged)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def is_aimed_at(fight: Fight, act: acts.Attack) -> bool:
    """Return whether the target is a thing."""
    target = fight.state.combatants.get(act.target)
    return target is not None and target.sheet.thing is not None


def line_up_at_thing(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Strike at an immobile thing with a full round of aiming.

    futurepath.object.attack.full-round-immobile
    """
    return attack_object_carefully(fight, act, prepare_declared)


#: A weapon that its entry bars from use while prone.
NOT_PRONE: Final = "not prone"
PRONE: Final = "futurepath.modifier.attacker-prone-ranged-weapons"
PRONE_FAMILIES: Final = "futurepath.assumed.prone-weapons"


def range_disadvantage(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for each full range increment; within the first there is none.

    futurepath.attack.range-increment.penalty, futurepath.attack.ranged.max-range,
    futurepath.attack.range-increment.none-within-one
    """
    if not blow.weapon.range or blow.weapon.family == "spell":
        return []
    full = increments(blow.distance, blow.weapon.range)
    if not full:
        blow.cites.append(fight.rule("futurepath.attack.range-increment.none-within-one"))
        return []
    topic = "futurepath.attack.range-increment.penalty"
    blow.cites.append(fight.rule("futurepath.attack.ranged.max-range"))
    per = fight.figure(topic, "penalty_per_full_increment")
    return [Modifier(per * full, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]


def explain_beyond_range(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that a target is too far away: five increments for thrown weapons, ten for projectiles.

    futurepath.attack.range-maximum.thrown, futurepath.attack.range-maximum.projectile,
    futurepath.attack.ranged.max-range
    """
    weapon = blow.weapon
    how = "thrown" if weapon.thrown else "projectile"
    topic = f"futurepath.attack.range-maximum.{how}"
    most = fight.figure("futurepath.attack.ranged.max-range", how)
    feet = most * weapon.range
    if not weapon.range or blow.distance <= feet:
        return "", ""
    return f"{blow.target.id} is {blow.distance} ft. away, and the {weapon.name} carries {feet} ft.", topic


def explain_prone_weapon(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that a weapon cannot be used while prone: bows and slings, and weapons with that trait.

    futurepath.modifier.attacker-prone-ranged-weapons, futurepath.assumed.prone-weapons
    """
    weapon = blow.weapon
    useless = fight.figure(PRONE_FAMILIES, "useless")
    if weapon.family not in useless and NOT_PRONE not in weapon.traits:
        return "", ""
    why = f"{blow.attacker.id} is prone and cannot use the {weapon.name}"
    return why, PRONE if NOT_PRONE in weapon.traits else PRONE_FAMILIES


def get_adjacent_longarm_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty of a longarm next to its target.

    Both the rules on ranged attacks and on firearms give it (futurepath.attack.ranged.longarm-adjacent,
    futurepath.attack.firearm.longarm-adjacent).
    """
    if not next_to(blow.attacker, blow.target):
        return []
    firearm, ranged = (f"futurepath.attack.{kind}.longarm-adjacent" for kind in ("firearm", "ranged"))
    value = fight.figure(ranged, "attack")
    blow.cites.append(fight.rule(ranged))
    return [Modifier(value, grade_of(fight, value), "longarm next to the target", fight.rule(firearm))]


def shooting_prone(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty to a shot while prone, by one reading (prone_ranged).

    futurepath.table.attack-roll-modifiers.legacy
    """
    if fight.option("prone_ranged") != "minus-two":
        return []
    # A cell of the old table that is used again keeps its id, even if the new table is in force.
    table = "futurepath.table.attack-roll-modifiers.legacy"
    value = fight.book.figure(table, "attacker=prone", "ranged_reading_2")
    return [Modifier(value, grade_of(fight, value), "prone", table)]


# --- Attacks at a place instead of a creature: their action, what they provoke, the roll, if there is one


def prepared_at(
    fight: Fight, act: acts.Attack, weapon: Weapon, squares: tuple[Square, ...], *cites: str
) -> Blow:
    """Return an attack with a weapon at some squares. Refuse impossible ones.

    Its distance is that to the nearest square; weapons barred from use while prone are refused when prone
    (futurepath.attack.ranged.max-range, futurepath.attack.ranged.line-of-sight,
    futurepath.modifier.attacker-prone-ranged-weapons).
    """
    attacker = fight.combatant(act.actor)
    refuse_empty(fight, attacker, weapon)
    feet = min(distance_ft(attacker.at, square, attacker.space, 1) for square in squares)
    kind = "thrown" if weapon.thrown else "projectile"
    most = weapon.range * fight.figure("futurepath.attack.ranged.max-range", kind)
    if feet > most:
        reason = f"the nearest square is {feet} ft. away, out of the {weapon.name}'s range of {most} ft."
        raise Refusal(reason, fight.rule("futurepath.attack.ranged.max-range"))
    inside = fight.field.holds
    if not any(
        inside(one)
        and line_of_effect(fight.field, attacker.at, attacker.space, one, 1)
        and not is_walled_off(fight, footprint(attacker), (one, 1, (0, 0)), *things_at(fight, one))
        for one in squares
    ):
        reason = f"{attacker.id} has no line of sight to any of the squares"
        raise Refusal(reason, fight.rule("futurepath.attack.ranged.line-of-sight"))
    blow = Blow(attacker, attacker, weapon, False, feet, cites=list(cites))
    if "prone" in attacker.conditions:
        why, topic = explain_prone_weapon(fight, blow)
        if why:
            raise Refusal(why, fight.rule(topic))
    return blow


def refuse_hopeless_roll(fight: Fight, blow: Blow) -> None:
    """Refuse a roll at a place whose penalties are too great for an attempt.

    futurepath.disadvantage.no-attack-at-minus-20
    """
    parts = (
        *fight.dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *fight.dialect.gear.corner_situation(fight, blow),
    )
    if fight.stack(parts).burden <= fight.figure(HOPELESS, "total"):
        raise Refusal(explain_hopeless(fight), fight.rule(HOPELESS))


def begin_attack(fight: Fight, act: acts.Attack, blow: Blow, what: str) -> Steps[bool]:
    """Spend the attack action, and let those who threaten strike; return whether the attack goes on.

    futurepath.action.attack.definition, futurepath.aoo.distracting-action, futurepath.attack.firearm.provokes
    """
    attacker = blow.attacker
    definition = fight.rule("futurepath.action.attack.definition")
    yield spending(fight, attacker, "standard", what, definition, *blow.cites)
    if act.defensively:
        yield from fight_defensively(fight, attacker, "ranged")
    yield from triggered(fight, attacker, "attacks")
    if is_down(fight, attacker):
        return False
    firearm = ("futurepath.attack.firearm.provokes",) if blow.weapon.family in FIREARMS else ()
    shot = fight.rules("attack-action.ranged", "actions-table.standard", *firearm)
    yield from fight.dialect.opportunity.provoke(
        fight,
        attacker,
        threatening(fight, attacker),
        "shoots while threatened",
        f"shot:{fight.declaration}",
        *shot,
    )
    return not is_down(fight, attacker)


#: Why an attack cannot use a field of a declaration.
SAID: Final = {
    "target": "names no target",
    "thrown": "is not thrown",
    "nonlethal": "leaves no choice of nonlethal damage",
    "bullets": "says no number of bullets",
    "autofire": "is not automatic fire",
}


def refuse_unused_fields(act: acts.Attack | acts.Strike, what: str, rule: str, *names: str) -> None:
    """Refuse fields of a declaration that this attack cannot use."""
    plain = acts.Attack()
    for name in names:
        if getattr(act, name) != getattr(plain, name):
            raise Refusal(f"{what} {SAID[name]}", rule)


# --- Firearms that fire more than one bullet: several at a target, automatic fire at it or at an area
# The text does not give the effects of a burst with the feat Burst Fire, or of other feats with more bullets
# at a target: it names the one and mentions the others.

#: The trait of weapons that can fire automatically.
AUTOMATIC: Final = "automatic"
BURST: Final = "burst fire"
AREA: Final = "futurepath.attack.autofire.area"


def provoking_shot(fight: Fight, blow: Blow, declaration: str, delivering: Steps[bool]) -> Steps[bool]:
    """Resolve a shot with a firearm, which also provokes by the rule on firearms.

    futurepath.attack.firearm.provokes
    """
    rule = fight.rule("futurepath.attack.firearm.provokes")

    def cited(step: object) -> object:
        if isinstance(step, Provoked) and step.who == blow.attacker.id:
            return replace(step, cites=tuple(dict.fromkeys((*step.cites, rule))))
        return step

    return altered(delivering, cited)


def fire_volley(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Fire several bullets, or automatically, at a target: a normal attack; all but the first are wasted.

    futurepath.action.attack.definition, futurepath.attack.ranged.range-and-los
    """
    actor = fight.combatant(act.actor)
    blow = volley_at_target(fight, act, find_weapon(fight, actor, act.weapon), act, act.nonlethal)
    refuse_hopeless(fight, blow)
    definition = "futurepath.action.attack.definition"
    shot = fight.rules(definition, "futurepath.attack.ranged.range-and-los")
    yield spending(fight, actor, "standard", "attack", *shot)
    if act.defensively:
        yield from fight_defensively(fight, actor, "ranged")
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def volley_at_target(
    fight: Fight,
    act: acts.Attack | acts.FullAttack,
    weapon: Weapon,
    shot: acts.Attack | acts.Strike,
    nonlethal: bool | None,
) -> Blow:
    """Return an attack, or one of several, that fires more than one bullet at its target.

    Without a feat for it all but the first are wasted; the text does not give the effects of a burst. Refuse
    more bullets than are left (futurepath.attack.firearm.multiple-bullets-need-feats,
    futurepath.attack.autofire.at-target-without-burst-fire, .not-burst-fire, .requirements, .ammunition).
    """
    actor = fight.combatant(act.actor)
    if shot.autofire:
        rule = fight.rule("futurepath.attack.autofire.at-target-without-burst-fire")
        refuse_unused_fields(shot, "automatic fire", rule, "bullets")
        if not shot.target:
            reason = "automatic fire at an area is a separate attack, not part of a full attack"
            raise Refusal(reason, fight.rule(AREA))
        refuse_unless_automatic(fight, weapon, shot)
        kind = AUTOFIRE
        bullets, enough = bullets_of_autofire(fight)
    else:
        rule = fight.rule("futurepath.attack.firearm.multiple-bullets-need-feats")
        kind, bullets, enough = "attack", shot.bullets, rule
        if weapon.family not in FIREARMS or shot.thrown:
            raise Refusal(f"the {weapon.name} does not fire bullets", rule)
        if bullets < fight.figure("futurepath.attack.firearm.single-shot", "bullets"):
            single = fight.rule("futurepath.attack.firearm.single-shot")
            raise Refusal(f"a shot needs at least one bullet, not {bullets}", single)
    if bullets > 1 and has_feat(actor, BURST):
        reason = (
            f"{actor.id} has Burst Fire, and the text does not say what a burst does: the game master rules"
        )
        raise Refusal(reason, fight.rule("futurepath.attack.autofire.not-burst-fire"))
    blow = prepare_declared(fight, actor, fight.combatant(shot.target), weapon, kind, nonlethal=nonlethal)
    if blow.melee:
        raise Refusal(f"{shot.target} is within reach of the {blow.weapon.name}: this is not a shot", rule)
    refuse_too_few_bullets(fight, actor, weapon, bullets, enough)
    blow.intent = replace(blow.intent, arrows=bullets)
    if bullets > 1:
        blow.cites += rules_of_volley(fight, blow)
    return blow


def rules_of_volley(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules by which more than one bullet is fired at a target, and all but one are wasted.

    futurepath.attack.firearm.multiple-bullets-need-feats,
    futurepath.attack.autofire.at-target-without-burst-fire, .not-burst-fire, .ammunition,
    .autofire-only-weapons
    """
    if blow.intent.kind != AUTOFIRE:
        return fight.rules("futurepath.attack.firearm.multiple-bullets-need-feats")
    only = ("futurepath.attack.autofire.autofire-only-weapons",) if ONLY in blow.weapon.traits else ()
    return fight.rules(
        "futurepath.attack.autofire.at-target-without-burst-fire",
        "futurepath.attack.autofire.not-burst-fire",
        "futurepath.attack.autofire.ammunition",
        *only,
    )


def spend_bullets(fight: Fight, blow: Blow, declaration: str, delivering: Steps[bool]) -> Steps[bool]:
    """Resolve a shot that uses more than one bullet of its weapon.

    futurepath.attack.firearm.multiple-bullets-need-feats, futurepath.attack.autofire.ammunition
    """
    shooter, weapon, bullets = blow.attacker.id, blow.weapon.name, blow.intent.arrows
    cites = rules_of_volley(fight, blow)

    def wasting(step: object) -> object:
        if isinstance(step, ResourceSpent) and (step.who, step.resource) == (shooter, weapon):
            return replace(step, amount=step.amount * bullets, cites=(*step.cites, *cites))
        return step

    return altered(delivering, wasting)


def sweep_area(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Fire automatically at an area of 10 by 10 feet: all in it save or take the weapon's damage.

    One roll against the area's Defense 10, 4 lower without the feat Advanced Firearms Proficiency; a miss
    wastes the bullets (futurepath.attack.autofire.*).
    """
    area = fight.rule(AREA)
    assert act.at is not None
    refuse_unused_fields(act, "automatic fire at an area", area, "target", "thrown", "nonlethal", "bullets")
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    refuse_unless_automatic(fight, weapon, act)
    squares = squares_swept(fight, act.at)
    bullets, ammunition = bullets_of_autofire(fight)
    refuse_too_few_bullets(fight, actor, weapon, bullets, ammunition)
    roll, needed = (
        fight.rule("futurepath.attack.autofire.roll"),
        fight.rule("futurepath.attack.autofire.requirements"),
    )
    blow = prepared_at(fight, act, weapon, squares, needed, area)
    if not has_feat(actor, "advanced firearms proficiency"):
        source = "no Advanced Firearms Proficiency"
        blow.attack_extra.append(
            fight.modifier("futurepath.attack.autofire.roll", "nonproficient", kind="penalty", source=source)
        )
    refuse_hopeless_roll(fight, blow)
    if not (yield from begin_attack(fight, act, blow, "autofire")):
        return
    if weapon.ammunition is not None:
        yield ResourceSpent(who=actor.id, resource=weapon.name, amount=bullets, cites=(ammunition,))
    blow.cites.append(roll)
    (x, y), (far_x, far_y) = squares[0], squares[-1]
    where = f"the area at {x},{y} to {far_x},{far_y}"
    defense = int(fight.figure("futurepath.attack.autofire.roll", "area_defense"))
    if not (yield from roll_attack_at_place(fight, blow, where, "Defense of the area", defense)):
        return
    what = f"automatic fire sweeps {where}"
    swept = covered_squares(fight, squares, footprint(actor))
    yield RuleApplied(who=actor.id, what=what, squares=swept, cites=(area,))
    inside = [
        one
        for one in fight.state.combatants.values()
        if not set(squares).isdisjoint(squares_of(one)) and "dead" not in one.conditions
    ]
    # Cover that exists when the bullets come protects, even if they destroy it.
    sheltered = {
        one.id for one in inside if one is not actor and is_sheltered(fight, footprint(actor), one, actor)
    }
    for one in inside:
        if one.id in sheltered:
            what = f"total cover shelters {one.id} from the automatic fire"
            yield RuleApplied(who=one.id, what=what, cites=fight.rules("futurepath.cover.total"))
        else:
            yield from escape_or_suffer(fight, actor, weapon, one)


def squares_swept(fight: Fight, at: Square) -> tuple[Square, ...]:
    """Return the squares of the area that automatic fire sweeps, row by row from its upper left one.

    futurepath.attack.autofire.area
    """
    x, y = at
    wide, high = (int(feet) // SQUARE_FT for feet in fight.figure(AREA, "area_ft"))
    return tuple((x + dx, y + dy) for dy in range(high) for dx in range(wide))


def escape_or_suffer(fight: Fight, actor: Combatant, weapon: Weapon, one: Combatant) -> Steps[None]:
    """Make a combatant in the area save, or take the weapon's damage, rolled for each separately.

    futurepath.attack.autofire.save, futurepath.cover.reflex-bonus,
    futurepath.cover.nine-tenths-improved-evasion
    """
    rule = fight.rule("futurepath.attack.autofire.save")
    dc = int(fight.figure("futurepath.attack.autofire.save", "reflex_dc"))
    extra = cover_parts(fight, footprint(actor), one, actor)
    cites = (rule, *rules_of_reflex_cover(fight, extra))
    if (yield from saving_throw(fight, one, "ref", dc, "automatic fire", *cites, extra=extra)):
        return
    found = yield from roll_damage(fight, actor, weapon)
    spared = fight.dialect.classes.after_save(
        fight, one, SaveMade("ref", "negates", False, found.total, extra)
    )
    save = Save(False, found.total)
    amount, why, also = spared_behind(fight, footprint(actor), one, actor, spared, save)
    harm = Harm(one, amount, weapon.damage_type, weapon.name, actor, weapon, ranged=True, area=True)
    yield from deal_area_damage(fight, weapon, found, harm, rule, *also, why=why)


def bullets_of_autofire(fight: Fight) -> tuple[int, str]:
    """Return the number of bullets that automatic fire uses, and the rule.

    futurepath.attack.autofire.ammunition
    """
    topic = "futurepath.attack.autofire.ammunition"
    return int(fight.figure(topic, "bullets")), fight.rule(topic)


def refuse_unless_automatic(fight: Fight, weapon: Weapon, shot: acts.Attack | acts.Strike) -> None:
    """Refuse automatic fire with a weapon without an automatic rate of fire.

    futurepath.attack.autofire.requirements
    """
    if shot.thrown or not {AUTOMATIC, ONLY}.intersection(weapon.traits):
        rule = fight.rule("futurepath.attack.autofire.requirements")
        raise Refusal(f"the {weapon.name} has no automatic rate of fire", rule)


def refuse_too_few_bullets(fight: Fight, actor: Combatant, weapon: Weapon, bullets: int, rule: str) -> None:
    """Refuse to fire more bullets than are in the weapon."""
    if weapon.ammunition is None:
        return
    left = weapon.ammunition - actor.resources.get(weapon.name, 0)
    if left < bullets:
        raise Refusal(f"the {weapon.name} has {counted(left, 'bullet')} in it, not {bullets}", rule)


# --- Default declarations with a weapon that fires only automatically

#: A weapon that fires only automatically.
FIRES_ONLY_SO: Final = f"{ONLY!r} in weapon.traits"


def automatic_strikes(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon, strikes: tuple[acts.Strike, ...]
) -> tuple[acts.Strike, ...]:
    """Make the strikes of a full attack fire automatically, as many of them as the bullets allow."""
    firing = tuple(replace(one, autofire=True) for one in strikes)
    if weapon.ammunition is None:
        return firing
    left = weapon.ammunition - attacker.resources.get(weapon.name, 0)
    return firing[: max(1, left // least_bullets(fight, weapon))]


def automatic_shot(fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon) -> acts.Attack | None:
    """Return automatic fire at an enemy; with Burst Fire, at an area around it without friends.

    The text does not give the effects of a burst at a target (futurepath.attack.autofire.not-burst-fire).
    """
    if not has_feat(attacker, BURST):
        return acts.Attack(actor=attacker.id, target=enemy.id, weapon=weapon.name, autofire=True)
    x, y = enemy.at
    friends = {square for one in (attacker, *fight.allies(attacker)) for square in squares_of(one)}
    for dx, dy in product((0, -1), repeat=2):
        at = (x + dx, y + dy)
        if friends.isdisjoint(squares_swept(fight, at)):
            return acts.Attack(actor=attacker.id, weapon=weapon.name, at=at, autofire=True)
    return None


def least_bullets(fight: Fight, weapon: Weapon) -> int:
    """Return the number of bullets that automatic fire uses (futurepath.attack.autofire.ammunition)."""
    return bullets_of_autofire(fight)[0]
