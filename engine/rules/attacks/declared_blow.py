"""Delivering a declared blow: what may be struck, what it provokes, then the blow itself."""

from msgspec import Struct

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.fight.memory import Same, per_scene
from affray.engine.record.blow import Blow, usual_intent
from affray.engine.rules.attacks.attack_modifiers import refuse_untargetable
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.weapon_blow import build_blow
from affray.engine.rules.gear.held_weapons import fights_unarmed, is_armed, melee_band, strikes_in_melee
from affray.engine.rules.gear.let_go import UNLOADED
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.position.place import distance, reaches
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.delay_and_ready import anybody_ready, triggered
from affray.engine.rules.turns.interruption import footing, standing
from affray.engine.rules.turns.subjects import first_rule
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


class Aim(Struct, gc=False):
    """How a weapon can strike a target where both stand, from how many feet, for which kind of damage."""

    melee: bool
    feet: int
    nonlethal: bool


def prepare_blow(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    thrown: bool = False,
    nonlethal: bool | None = None,
) -> Blow:
    """Return the blow that a declaration means. Refuses what cannot be struck.

    A weapon strikes in melee what it reaches and is thrown or shot otherwise. Striking for the other kind of
    damage than the weapon's own costs -4 (srd35.nonlethal.weapon-swap, srd35.unarmed.lethal,
    futurepath.assumed.nonlethal-swap, futurepath.attack.unarmed.lethal-option, pf1.nonlethal.swap).
    """
    aim = aim_weapon(fight, attacker, target, weapon, thrown)
    own = aim.nonlethal
    pulled = own if nonlethal is None else nonlethal
    blow = build_blow(fight, attacker, target, weapon, kind, melee=aim.melee, feet=aim.feet, nonlethal=pulled)
    if attacker.items or weapon.ammunition is not None:
        refuse_empty(fight, attacker, weapon)
    if nonlethal is not None and nonlethal != own:
        topic = "unarmed.lethal" if weapon.wield == "unarmed" else "nonlethal.weapon-swap"
        if not (weapon.wield == "unarmed" and fights_unarmed(attacker)):
            source = "for nonlethal damage" if nonlethal else "for lethal damage"
            blow.attack_extra.append(fight.modifier(topic, "attack", kind="penalty", source=source))
    return blow


@per_scene(
    "attacker.id",
    "target.id",
    Same("weapon"),
    "thrown",
    "fight.readied and (fight.readied, fight.state.active, *target.spent.items())",
)
def aim_weapon(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, thrown: bool) -> Aim:
    """Return the blow of a weapon at a target as both stand. Refuses what cannot be reached or struck.

    By a readied act some can be struck that cannot be otherwise, and only while they act themselves.
    """
    least, most = melee_band(attacker, weapon)
    reached = strikes_in_melee(weapon) and reaches(attacker, target, least, most)
    melee = reached and not thrown
    feet = distance(attacker, target)
    if not melee and not (weapon.range and (weapon.wield == "projectile" or weapon.thrown)):
        raise Refusal(
            f"{target.id} is {feet} ft. away, out of the {weapon.name}'s reach",
            fight.rule(fight.dialect.position.out_of_reach(fight, attacker, weapon, feet)),
        )
    pulled = fight.dialect.attacks.is_nonlethal(attacker, weapon)
    refuse_untargetable(fight, Blow(attacker, target, weapon, melee, feet, usual_intent("attack", pulled)))
    if not melee:
        refuse_to_shoot(fight, attacker, weapon)
    return Aim(melee, feet, pulled)


def refuse_empty(fight: Fight, attacker: Combatant, weapon: Weapon) -> None:
    """Refuse to shoot an unloaded weapon or one without ammunition."""
    if attacker.items.get(weapon.name) == UNLOADED:
        raise Refusal(f"the {weapon.name} is not loaded", fight.rule("weapons.reload"))
    if weapon.ammunition is not None and attacker.resources.get(weapon.name, 0) >= weapon.ammunition:
        rule = first_rule(fight, "weapons.ammunition weapon.ammunition")
        raise Refusal(f"{attacker.id} has no ammunition left for the {weapon.name}", rule)


def refuse_to_shoot(fight: Fight, attacker: Combatant, weapon: Weapon) -> None:
    """Refuse weapons that a condition rules out at range: most of them for the prone."""
    for name in attacker.conditions:
        found = rule_of(fight, name)
        if weapon.thrown and not found.throws:
            raise Refusal(
                f"{attacker.id} is {name}: a thrown {weapon.name} is useless", fight.rule(found.topic)
            )
        if found.shoots is not None and weapon.family not in found.shoots:
            raise Refusal(
                f"{attacker.id} is {name} and cannot use the {weapon.name}", fight.rule(found.topic)
            )


def deliver(fight: Fight, blow: Blow, declaration: str) -> Steps[bool]:
    """Deliver a declared blow: the attacks of opportunity that it provokes, then the blow.

    A shot or throw takes a missile or one of the weapons of which there are several, a blow in melee none.

    Shooting or throwing provokes from all who threaten, an unarmed attack from an armed target
    (srd35.attack-action.ranged, srd35.unarmed.aoo).

    futurepath.aoo.distracting-action, futurepath.attack.firearm.single-shot,
    futurepath.attack.unarmed.provokes-armed-target, futurepath.table.actions.attack,
    pf1.actions-table.standard, pf1.attack-action.ranged-threat.
    """
    if fight.memory.company[anybody_ready]:
        before = footing(fight, blow.attacker, blow.target)
        yield from triggered(fight, blow.attacker, "attacks")
        found = yield from fight.dialect.attacks.still_strikes(fight, before, blow)
        if found is None:
            return False
        blow = found
    if blow.weapon.traits:
        before = footing(fight, blow.attacker, blow.target)
        yield from fight.dialect.attacks.before_blow(fight, blow, declaration)
        found = yield from fight.dialect.attacks.still_strikes(fight, before, blow)
        if found is None:
            return False
        blow = found
    if blow.weapon.wield == "unarmed" if blow.melee else threatening(fight, blow.attacker):
        opening = opening_by_attack(fight, blow)
        if opening is None:
            yield from fight.dialect.attacks.before_attacks(fight, blow)
        while opening is not None:
            before = footing(fight, blow.attacker, blow.target)
            yield from fight.dialect.opportunity.provoke(
                fight,
                blow.attacker,
                opening.enemies,
                opening.reason,
                f"{opening.name}:{declaration}",
                *opening.cites,
            )
            if standing(blow.attacker, blow.target) == before.stood:
                break
            found = yield from fight.dialect.attacks.still_strikes(fight, before, blow)
            if found is None:
                return False
            opening = None if found is blow else opening_by_attack(fight, found)
            blow = found
    attacker, weapon = blow.attacker, blow.weapon
    if weapon.ammunition is not None and not blow.melee:
        cites = (fight.rule("weapon.ammunition"),)
        yield ResourceSpent(who=attacker.id, resource=weapon.name, amount=1, cites=cites)
    # As `strike_and_settle` does, but most blows leave nothing to settle.
    hit = yield from strike(fight, blow)
    attacker, weapon = blow.attacker, blow.weapon
    plain = blow.melee and not weapon.traits and not weapon.off_hand
    if not plain or attacker.conditions or attacker.effects or blow.target.conditions:
        yield from fight.dialect.attacks.after_blow(fight, blow, hit)
    return hit


class Opening(Struct, frozen=True, gc=False):
    """The opening that a blow gives before it is struck: to whom, why, under which name, by which rules."""

    enemies: list[Combatant]
    reason: str
    name: str
    cites: tuple[str, ...]


def opening_by_attack(fight: Fight, blow: Blow) -> Opening | None:
    """Return the opening that a shot under threat or an unarmed attack gives; None for none."""
    attacker, target = blow.attacker, blow.target
    if not blow.melee:
        cites = fight.rules("attack-action.ranged", "actions-table.standard")
        return Opening(threatening(fight, attacker), "shoots while threatened", "shot", cites)
    if blow.weapon.wield != "unarmed" or is_armed(attacker, blow.weapon):
        return None
    if not threatens(fight, target, attacker):
        return None
    return Opening(
        [target], "attacks unarmed", "unarmed", fight.rules("unarmed.aoo", "actions-table.standard")
    )


def has_brace(fight: Fight, weapon: Weapon) -> bool:
    """Say whether a weapon is made to be set against a charge, as its traits say."""
    return "brace" in weapon.traits


def brace(fight: Fight, act: acts.Brace) -> Steps[None]:
    """Strike a charger with a braced weapon for double damage; only as a readied act.

    Of a rider and the mount that charges either may be the target (pf1.ready.brace, srd35.ready.set-weapon,
    srd35.charge.readied-weapons).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("ready.brace")
    if fight.readied != actor.id:
        raise Refusal(f"{actor.id} braces by readying against a charge, not in its turn", rule)
    charger = fight.combatant(act.target or fight.state.active)
    weapon = find_weapon(fight, actor, act.weapon)
    if "charging" not in charger.conditions:
        raise Refusal(f"{charger.id} does not charge", rule)
    if not fight.dialect.attacks.set_against_charge(fight, weapon):
        raise Refusal(f"the {weapon.name} cannot be set against a charge", rule)
    blow = prepare_blow(fight, actor, charger, weapon, "ready")
    blow.damage.multipliers += ((fight.figure("ready.brace", "multiplier"), rule),)
    blow.cites += fight.rules("ready.brace", "ready.set-weapon")
    yield spending(fight, actor, "standard", "brace", rule)
    yield from deliver(fight, blow, f"{fight.declaration}#brace")
