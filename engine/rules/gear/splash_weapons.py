"""Splash weapons: the throw, where a miss lands, what splashes (srd35.splash.*, pf1.splash)."""

from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.area import DIRECTIONS, away, burst, squares_around
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.reach import space
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.rules.attacks import declared_blow
from affray.engine.rules.attacks.attack_action import fight_defensively
from affray.engine.rules.attacks.shot_at_place import hits_place
from affray.engine.rules.gear import splash_weapons_in_hand
from affray.engine.rules.gear.let_go import lose
from affray.engine.rules.gear.special_substances import (
    deal_substance_damage,
    ignites,
    set_alight,
    splash_one,
)
from affray.engine.rules.gear.substances import SPLASH, substance_row
from affray.engine.rules.gear.tanglefoot import deafen_around, entangle_with_goo
from affray.engine.rules.gear.thrown_weapons import out_of_hand
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.mounted.mounted_combat import after_blows, refuse_late_shot
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.place import distance, level_of, squares_of
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def is_thrown(fight: Fight, act: acts.Attack, *given: object) -> bool:
    """Say whether an attack throws something that splashes."""
    actor = fight.combatant(act.actor)
    return (
        splash_weapons_in_hand.has_flasks(fight, actor)
        and SPLASH in find_weapon(fight, actor, act.weapon).traits
    )


def throw_flask(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Throw what splashes at a target or at a grid corner, from the saddle too, on the defensive if so said.

    srd35.splash.intersection, pf1.splash.
    """
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    splash_weapons_in_hand.refuse_without_fuse(fight, actor, weapon)
    refuse_pledges(fight, actor, weapon, act)
    if act.at is not None:
        throwing = throw_at_corner(fight, actor, weapon, act.at)
    else:
        throwing = throw_at(fight, actor, weapon, fight.combatant(act.target))
    if act.defensively:
        throwing = on_the_defensive(fight, actor, throwing)
    return from_the_saddle(fight, actor, throwing) if actor.mount else throwing


def refuse_pledges(fight: Fight, actor: Combatant, weapon: Weapon, act: acts.Attack) -> None:
    """Refuse what goes with other attacks: a flask strikes by a touch and does the damage of its kind.

    srd35.splash.definition, pf1.splash.
    """
    flask = splash_weapons_in_hand.as_thrown(fight, weapon)
    meant = Blow(actor, actor, flask, False, 0, Intent(against=TOUCH_ARMOR_CLASS, stunning=act.stunning))
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, (meant,))
    if pledged or act.nonlethal or act.feat:
        what = act.feat or ("nonlethal damage" if act.nonlethal else name_of_pledge(pledged[0]))
        raise Refusal(f"{what} does not go with {weapon.name}", fight.rule("splash.definition"))


def on_the_defensive(fight: Fight, actor: Combatant, throwing: Steps[None]) -> Steps[None]:
    """Throw while fighting defensively.

    srd35.attack-action.fight-defensively, pf1.attack-action.defensive.
    """
    yield next(throwing)  # the action that it takes
    yield from fight_defensively(fight, actor)
    yield from throwing


def from_the_saddle(fight: Fight, rider: Combatant, throwing: Steps[None]) -> Steps[None]:
    """Throw from the saddle, as one shoots from there.

    srd35.mount.ranged-timing, pf1.mount.ranged.
    """
    refuse_late_shot(fight, rider, 1)
    yield from throwing
    yield from after_blows(fight, rider, 0, 1)


def throw_at(fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, *why: str) -> Steps[None]:
    """Throw at a creature: a ranged touch attack, then splash around the target or where a miss lands."""
    flask = splash_weapons_in_hand.as_thrown(fight, weapon)
    blow = fight.dialect.attacks.prepare(fight, holder, target, flask, "attack", thrown=True)
    blow.cites += dict.fromkeys((*why, *fight.rules("splash.definition")))
    yield spending(fight, holder, "standard", f"throw {weapon.name}", fight.rule("splash.definition"))
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def break_flask(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Let a flask that was thrown at a creature break: on it, or where the miss lands.

    srd35.splash.hit, pf1.splash.
    """
    attacker, target, flask = blow.attacker, blow.target, blow.weapon
    weapon = next(one for one in attacker.sheet.weapons if one.name == flask.name)
    if fight.state.things_lie or weapon.ammunition is None:
        yield from out_of_hand(fight, blow, None, fight.rules("splash.definition"))
    if not (yield from ignites(fight, attacker, weapon)):
        return
    if hit:
        yield from direct_hit(fight, attacker, weapon, target, blow.outcome.critical)
        near = fight.figure("splash.hit", "splash_radius_ft")
        centre = yield from fight.dialect.gear.splash_centre(fight, attacker, weapon, target)
        spattered = [
            one
            for one in splashable(fight)
            if away_from(one, target, centre) <= near
            and (one is not target or fight.option("splash_direct_hit") == "direct-and-splash")
        ]
        where = f"within {near} ft."
        yield from splash_all(fight, attacker, weapon, spattered, "splash.hit", centre or target.at, where)
        return
    yield from scatter(fight, attacker, flask, weapon, (target.at, target.space), blow.distance)


def away_from(one: Combatant, target: Combatant, centre: Square | None) -> int:
    """Return how many feet somebody is from the target of a hit, or from one square of it."""
    return distance(one, target) if centre is None else distance_ft(one.at, centre, one.space, 1)


def direct_hit(
    fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant, critical: bool
) -> Steps[None]:
    """Do what a direct hit does; a critical one, where flasks threaten any, rolls its dice so often."""
    row = substance_row(fight, weapon.name)
    if "reflex_dc" in row:
        yield from entangle_with_goo(fight, holder, weapon, target, row)
        return
    if "fort_dc" in row:
        return
    dice = str(row.get("direct", weapon.damage))
    if critical:
        count, _, size = dice.partition("d")
        dice = f"{int(count) * weapon.multiplier}d{size}"
    cites = fight.rules("splash.hit", "gear.splash-table")
    dealt = yield from deal_substance_damage(fight, holder, weapon, target, dice, *cites)
    if "next_round" in row and "dead" not in target.conditions:
        yield from set_alight(fight, holder, weapon, target, str(row["next_round"]), dealt)


def name_of_pledge(fact: Any) -> str:
    """Return what an attacker pledges by a fact: the feat that it names."""
    return str(fact.modifier.source if isinstance(fact, EffectGained) else fact.what)


def throw_at_corner(fight: Fight, holder: Combatant, weapon: Weapon, corner: Square) -> Steps[None]:
    """Throw at a grid corner: AC 5, no direct hit; one inside a creature means the creature.

    srd35.splash.intersection, srd35.splash.intersection-occupied, pf1.splash.
    """
    inside = next((one for one in splashable(fight) if is_inside_creature(one, corner)), None)
    if inside is not None:
        rule = fight.rule("splash.intersection-occupied")
        yield from throw_at(fight, holder, weapon, inside, rule)
        return
    flask = splash_weapons_in_hand.as_thrown(fight, weapon)
    feet = min(distance_ft(holder.at, square, holder.space, 1) for square in squares_around(corner))
    most = flask.range * fight.figure("attack-action.range-increment", "max_thrown")
    if feet > most:
        reason = f"that corner is {feet} ft. away, and the {weapon.name} is thrown {most} ft. at most"
        raise Refusal(reason, fight.rule("attack-action.range-increment"))
    declared_blow.refuse_to_shoot(fight, holder, weapon)
    rule = fight.rule("splash.intersection")
    yield spending(fight, holder, "standard", f"throw {weapon.name}", rule)
    shot = fight.rules("attack-action.ranged", "actions-table.standard")
    reason = "shoots while threatened"
    yield from fight.dialect.opportunity.provoke(
        fight, holder, threatening(fight, holder), reason, f"shot:{fight.declaration}", *shot
    )
    if is_down(fight, holder):
        return
    if fight.state.things_lie or weapon.ammunition is None:
        yield from lose(fight, holder, weapon.name, "gone", fight.rules("splash.definition"))
    hit = yield from hits_corner(fight, holder, flask, corner, feet)
    if not (yield from ignites(fight, holder, weapon)):
        return
    if hit:
        yield from splash_all(
            fight, holder, weapon, around_corner(fight, corner), "splash.intersection", corner
        )
        return
    yield from scatter(fight, holder, flask, weapon, (corner, 0), feet)


def hits_corner(fight: Fight, combatant: Combatant, flask: Weapon, corner: Square, feet: int) -> Steps[bool]:
    """Roll a ranged attack against the Armor Class of a grid corner."""
    needed, rule = fight.figure("splash.intersection", "ac"), fight.rule("splash.intersection")
    blow = Blow(combatant, combatant, flask, False, feet, cites=[rule])
    where = f"the corner of {corner[0]},{corner[1]}"
    return (yield from hits_place(fight, blow, where, "armor class", needed))


def is_inside_creature(one: Combatant, corner: Square) -> bool:
    """Say whether a grid corner lies within a creature's space."""
    x, y = one.at
    return x < corner[0] < x + one.space and y < corner[1] < y + one.space


def splashable(fight: Fight) -> list[Combatant]:
    """Return those who can be splashed, in order of entry."""
    return [one for one in fight.state.combatants.values() if "dead" not in one.conditions]


def around_corner(fight: Fight, corner: Square) -> list[Combatant]:
    """Return the creatures in the squares around a grid corner."""
    squares = set(squares_around(corner))
    return [one for one in splashable(fight) if squares.intersection(squares_of(one)) and not level_of(one)]


def scatter(
    fight: Fight, holder: Combatant, flask: Weapon, weapon: Weapon, aim: tuple[Square, int], feet: int
) -> Steps[None]:
    """Let a throw that missed land elsewhere: 1d8 for the direction, 1 back at the thrower.

    `aim` are the place and the side of what it was thrown at, so many feet away; 0 for a corner. It splashes
    where it lands (srd35.splash.miss-direction, srd35.splash.miss-distance, srd35.splash.miss-splash,
    pf1.splash).
    """
    topic, (at, side) = "splash.miss-direction", aim
    rolled = yield Roll(holder.id, "misdirection", str(fight.figure(topic, "die")))
    back = direction_to_thrower(at, side, holder)
    dx, dy = DIRECTIONS[(DIRECTIONS.index(back) + rolled.total - 1) % len(DIRECTIONS)]
    squares = fight.dialect.gear.stray_squares(fight, flask, feet)
    landed = (at[0] + dx * squares, at[1] + dy * squares)
    yield RuleApplied(
        who=holder.id,
        what=f"the {weapon.name} goes astray and breaks at {landed[0]},{landed[1]}",
        cites=fight.rules(topic, "splash.miss-distance"),
    )
    if side:
        near = space((landed[0] - 1, landed[1] - 1), 3)
        struck = [one for one in splashable(fight) if not set(near).isdisjoint(squares_of(one))]
    else:
        struck = around_corner(fight, landed)
    yield from splash_all(fight, holder, weapon, struck, "splash.miss-splash", landed)


def direction_to_thrower(at: Square, side: int, combatant: Combatant) -> Square:
    """Return the direction from a target or corner straight back at the thrower."""
    found = away((at, side), (combatant.at, combatant.space))
    return found if found in DIRECTIONS else DIRECTIONS[0]


def splash_all(
    fight: Fight,
    holder: Combatant,
    weapon: Weapon,
    struck: list[Combatant],
    topic: str,
    centre: Square,
    where: str = "",
) -> Steps[None]:
    """Splash everybody in a list, by the rule on a topic; a thunderstone is heard around its centre."""
    row = substance_row(fight, weapon.name)
    if "fort_dc" in row:
        heard = burst(centre, row["radius_ft"])
        near = [one for one in splashable(fight) if heard.intersection(squares_of(one))]
        yield from deafen_around(fight, holder, weapon, near, row)
        return
    for one in struck:
        if "dead" not in one.conditions:
            yield from splash_one(fight, holder, weapon, one, fight.rule(topic), where)


def increments_thrown(fight: Fight, flask: Weapon, feet: int) -> int:
    """Return how many squares a throw that missed goes astray: one for each range increment, begun or full.

    srd35.splash.miss-distance, pf1.splash.
    """
    return max(1, -(-feet // flask.range))


def whole_target(fight: Fight, holder: Combatant, weapon: Weapon, target: Combatant) -> Steps[Square | None]:
    """Return None: what splashes from the target of a hit does so from all its squares (srd35.splash.hit)."""
    return None
    yield


def needs_no_proficiency(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of a throw without what the lack of proficiency takes: such a throw needs none.

    srd35.splash.no-proficiency, pf1.splash.
    """
    lacking, rule = fight.rule("weapon.nonproficient"), fight.rule("splash.no-proficiency")
    if rule not in blow.cites:
        blow.cites.append(rule)
    denied = f"needs no proficiency ({rule})"
    return tuple(replace(part, denied=denied) if part.rule == lacking else part for part in parts)
