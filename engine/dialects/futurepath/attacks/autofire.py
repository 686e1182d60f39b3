"""Firearms that fire more than one bullet: several at a target, automatic fire at it or at an area.

What a burst does for those who have the feat Burst Fire, and what other feats do with more bullets at a
target, the text does not say: it names the one and mentions the others.
"""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.area_attack import (
    begin_attack,
    prepared_at,
    refuse_hopeless_roll,
    refuse_said,
)
from affray.engine.dialects.futurepath.attacks.attack_roll import FIREARMS, refuse_hopeless
from affray.engine.dialects.futurepath.attacks.defensively import fight_defensively
from affray.engine.dialects.futurepath.attacks.prepared import AUTOFIRE, ONLY, prepare_declared
from affray.engine.dialects.futurepath.damage.area_damage import (
    covered_squares,
    deal_area_damage,
    roll_damage,
)
from affray.engine.dialects.futurepath.defense.reflex_cover import (
    Save,
    cover_parts,
    is_sheltered,
    rules_of_cover,
    spared_behind,
)
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.record.blow import Blow, Harm, SaveMade
from affray.engine.rules.attacks.shot_at_place import hits_place
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.position.place import footprint, squares_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import Provoked, ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

#: The trait of weapons that can fire automatically.
AUTOMATIC: Final = "automatic"
BURST: Final = "burst fire"
AREA: Final = "futurepath.attack.autofire.area"


def provoking_shot(fight: Fight, blow: Blow, declaration: str, delivering: Steps[bool]) -> Steps[bool]:
    """Deliver a shot with a firearm, which provokes as the rule on firearms says too.

    futurepath.attack.firearm.provokes.
    """
    rule = fight.rule("futurepath.attack.firearm.provokes")

    def cited(step: Any) -> Any:
        if isinstance(step, Provoked) and step.who == blow.attacker.id:
            return replace(step, cites=tuple(dict.fromkeys((*step.cites, rule))))
        return step

    return altered(delivering, cited)


def fire_volley(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Fire several bullets, or automatically, at a target: an ordinary attack, all but the first are wasted.

    futurepath.action.attack.definition, futurepath.attack.ranged.range-and-los.
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
    """Return the blow of an attack, or of one of several, that fires more than one bullet at its target.

    Without a feat for it all but the first are wasted; what a burst does the text does not say. Refuses more
    bullets than are left (futurepath.attack.firearm.multiple-bullets-need-feats,
    futurepath.attack.autofire.at-target-without-burst-fire, .not-burst-fire, .requirements, .ammunition).
    """
    actor = fight.combatant(act.actor)
    if shot.autofire:
        rule = fight.rule("futurepath.attack.autofire.at-target-without-burst-fire")
        refuse_said(shot, "automatic fire", rule, "bullets")
        if not shot.target:
            reason = "automatic fire at an area is an attack of its own, none of a full attack"
            raise Refusal(reason, fight.rule(AREA))
        refuse_unless_automatic(fight, weapon, shot)
        kind = AUTOFIRE
        bullets, enough = bullets_of_autofire(fight)
    else:
        rule = fight.rule("futurepath.attack.firearm.multiple-bullets-need-feats")
        kind, bullets, enough = "attack", shot.bullets, rule
        if weapon.family not in FIREARMS or shot.thrown:
            raise Refusal(f"the {weapon.name} fires no bullets", rule)
        if bullets < fight.figure("futurepath.attack.firearm.single-shot", "bullets"):
            single = fight.rule("futurepath.attack.firearm.single-shot")
            raise Refusal(f"a shot takes at least one bullet, not {bullets}", single)
    if bullets > 1 and has_feat(actor, BURST):
        reason = (
            f"{actor.id} has Burst Fire, and the text does not say what a burst does: the game master rules"
        )
        raise Refusal(reason, fight.rule("futurepath.attack.autofire.not-burst-fire"))
    blow = prepare_declared(fight, actor, fight.combatant(shot.target), weapon, kind, nonlethal=nonlethal)
    if blow.melee:
        raise Refusal(f"{shot.target} is within reach of the {blow.weapon.name}: that is no shot", rule)
    refuse_short(fight, actor, weapon, bullets, enough)
    blow.intent = replace(blow.intent, arrows=bullets)
    if bullets > 1:
        blow.cites += rules_of_volley(fight, blow)
    return blow


def rules_of_volley(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules by which more bullets than one fly at a target, and all but one are wasted.

    futurepath.attack.firearm.multiple-bullets-need-feats,
    futurepath.attack.autofire.at-target-without-burst-fire, .not-burst-fire, .ammunition,
    .autofire-only-weapons.
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
    """Deliver a shot that takes more bullets than one out of its weapon.

    futurepath.attack.firearm.multiple-bullets-need-feats, futurepath.attack.autofire.ammunition.
    """
    shooter, weapon, bullets = blow.attacker.id, blow.weapon.name, blow.intent.arrows
    cites = rules_of_volley(fight, blow)

    def wasting(step: Any) -> Any:
        if isinstance(step, ResourceSpent) and (step.who, step.resource) == (shooter, weapon):
            return replace(step, amount=step.amount * bullets, cites=(*step.cites, *cites))
        return step

    return altered(delivering, wasting)


def sweep_area(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Fire automatically at an area of 10 by 10 feet: who is in it saves or takes the weapon's damage.

    One roll against the area's Defense 10, 4 lower without the feat Advanced Firearms Proficiency; a miss
    wastes the bullets (futurepath.attack.autofire.*).
    """
    area = fight.rule(AREA)
    assert act.at is not None
    refuse_said(act, "automatic fire at an area", area, "target", "thrown", "nonlethal", "bullets")
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    refuse_unless_automatic(fight, weapon, act)
    squares = squares_swept(fight, act.at)
    bullets, ammunition = bullets_of_autofire(fight)
    refuse_short(fight, actor, weapon, bullets, ammunition)
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
    if not (yield from hits_place(fight, blow, where, "Defense of the area", defense)):
        return
    what = f"automatic fire sweeps {where}"
    swept = covered_squares(fight, squares, footprint(actor))
    yield RuleApplied(who=actor.id, what=what, squares=swept, cites=(area,))
    inside = [
        one
        for one in fight.state.combatants.values()
        if not set(squares).isdisjoint(squares_of(one)) and "dead" not in one.conditions
    ]
    # What stands as the bullets come shelters, even if it breaks by them.
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

    futurepath.attack.autofire.area.
    """
    x, y = at
    wide, high = (int(feet) // SQUARE_FT for feet in fight.figure(AREA, "area_ft"))
    return tuple((x + dx, y + dy) for dy in range(high) for dx in range(wide))


def escape_or_suffer(fight: Fight, actor: Combatant, weapon: Weapon, one: Combatant) -> Steps[None]:
    """Let somebody in the area save, or take the weapon's damage, rolled for each by itself.

    futurepath.attack.autofire.save, futurepath.cover.reflex-bonus,
    futurepath.cover.nine-tenths-improved-evasion.
    """
    rule = fight.rule("futurepath.attack.autofire.save")
    dc = int(fight.figure("futurepath.attack.autofire.save", "reflex_dc"))
    extra = cover_parts(fight, footprint(actor), one, actor)
    cites = (rule, *rules_of_cover(fight, extra))
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
    """Return how many bullets automatic fire takes, and the rule (futurepath.attack.autofire.ammunition)."""
    topic = "futurepath.attack.autofire.ammunition"
    return int(fight.figure(topic, "bullets")), fight.rule(topic)


def refuse_unless_automatic(fight: Fight, weapon: Weapon, shot: acts.Attack | acts.Strike) -> None:
    """Refuse automatic fire with a weapon without an automatic rate of fire.

    futurepath.attack.autofire.requirements.
    """
    if shot.thrown or not {AUTOMATIC, ONLY}.intersection(weapon.traits):
        rule = fight.rule("futurepath.attack.autofire.requirements")
        raise Refusal(f"the {weapon.name} has no automatic rate of fire", rule)


def refuse_short(fight: Fight, actor: Combatant, weapon: Weapon, bullets: int, rule: str) -> None:
    """Refuse to fire more bullets than are in the weapon."""
    if weapon.ammunition is None:
        return
    left = weapon.ammunition - actor.resources.get(weapon.name, 0)
    if left < bullets:
        raise Refusal(f"the {weapon.name} has {counted(left, 'bullet')} in it, not {bullets}", rule)
