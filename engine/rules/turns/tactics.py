"""What a combatant that nobody plays does in its turn: strike, shoot, cast, come nearer, flee."""

from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_company, per_scene
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.conditions.flight_from_fear import feared
from affray.engine.rules.gear.held_weapons import held_weapons, melee_band, strikes_in_melee
from affray.engine.rules.gear.let_go import UNLOADED
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement.flee import flight_path
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance, reaches
from affray.engine.rules.turns.approach import approach, past_doors, who_walks
from affray.engine.rules.turns.arms_of_tactics import (
    can_spare,
    drawable,
    has_missiles,
    idle_in_hand,
    loading_of,
    within_grasp,
)
from affray.engine.rules.turns.prohibitions import is_permitted, permit
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant

SETTING_OUT: Final = ("standard", "move", "full-round", "feet", "step")
"""What a turn that leaves time for a full attack has not spent anything of."""


def next_declaration(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return what a combatant does next in its turn, None to end it."""
    if combatant.mount or combatant.rider or combatant.riderless:
        if not combatant.mount:
            return None
        guiding = first_in_the_saddle(fight, combatant)
        if guiding is not None:
            return guiding
    allowed = fight.dialect.turns.allowance(fight, combatant)
    spent = combatant.spent
    standard, move = spent.get("standard", 0), spent.get("move", 0)
    anything_left = standard + move < allowed.total and not spent.get("full-round")
    standard_left = anything_left and standard < allowed.standard and not has_trait(combatant, "swarm")
    move_left = anything_left and move < allowed.move
    if combatant.mount:
        used = who_walks(fight, combatant).spent
        move_left = used.get("move", 0) + used.get("standard", 0) < allowed.total
    if not (standard_left or move_left):
        return None
    at_distance = standing_at_distance(fight, combatant)
    if not at_distance:
        return None
    if move_left and combatant.conditions and lies_low(fight, combatant):
        return acts.Stand(actor=combatant.id)
    if "turned" in combatant.conditions:
        return flight_from_turning(fight, combatant) if move_left and not spent.get("step") else None
    held = held_weapons(combatant)
    if not held and move_left:
        found = drawable(combatant)
        if found:
            return acts.Draw(actor=combatant.id, item=found)
        lying = within_grasp(fight, combatant)
        if lying and acts.Handle in fight.dialect.acts:
            return acts.Handle(actor=combatant.id, what="pick-up", item=lying)
    idle = idle_in_hand(fight, combatant, held) if move_left else None
    if idle is not None:
        other = drawable(combatant)
        whole_round = standard_left and not standard and not move and allowed.full and not other
        loading = loading_of(fight, combatant, idle, whole_round)
        if loading is not None:
            return loading
        if other:
            return acts.Drop(actor=combatant.id, item=idle.name)
    nearest = sorted([(feet, enemy.hp, enemy.id, enemy) for feet, enemy in at_distance])
    enemies = [enemy for _, _, _, enemy in nearest]
    best = strike_or_approach(fight, combatant, enemies, held, standard_left, move_left, allowed.full)
    danger = feared(fight, combatant) if combatant.conditions else None
    if danger is None or (best is not None and is_permitted(fight, best)):
        return best
    path = flight_path(fight, combatant, danger) if move_left and not spent.get("step") else ()
    return acts.Move(actor=combatant.id, path=path) if path else None


def lies_low(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant is in a posture from which it has to stand up before it goes anywhere."""
    return not fight.dialect.gear.postures.isdisjoint(combatant.conditions)


@per_company("of.side")
def standing_enemies(fight: Fight, of: Combatant) -> list[Combatant]:
    """Return the enemies of a combatant who are not down, in order of entry."""
    return [enemy for enemy in fight.enemies(of) if not is_down(fight, enemy)]


@per_scene("combatant.id")
def standing_at_distance(fight: Fight, combatant: Combatant) -> list[tuple[int, Combatant]]:
    """Return how many feet from a combatant each of its standing enemies is, in order of entry."""
    return [(distance(combatant, enemy), enemy) for enemy in standing_enemies(fight, combatant)]


@per_company("combatant.id")
def melee_in_hand(fight: Fight, combatant: Combatant) -> list[tuple[Weapon, int, int]]:
    """Return what of what is in hand strikes hand to hand, with the least and the most feet it reaches."""
    weapons = held_weapons(combatant) or [unarmed(fight, combatant)]
    return [(one, *melee_band(combatant, one)) for one in weapons if strikes_in_melee(one)]


def first_at_hand(
    fight: Fight, combatant: Combatant, enemies: list[Combatant]
) -> tuple[Combatant, Weapon] | None:
    """Return the first of several enemies whom what is in hand reaches and may strike, and with what."""
    bands = melee_in_hand(fight, combatant)
    for enemy in enemies:
        for weapon, least, most in bands:
            if (
                reaches(combatant, enemy, least, most)
                and (not fight.field.sides or sees(fight, combatant, enemy))
                and may_strike(fight, combatant, enemy, weapon)
            ):
                return enemy, weapon
    return None


def may_strike(fight: Fight, combatant: Combatant, enemy: Combatant, weapon: Weapon) -> bool:
    """Say whether no prohibition keeps a weapon from an enemy, wherever it stands."""
    return is_permitted(fight, acts.Attack(actor=combatant.id, target=enemy.id, weapon=weapon.name))


def first_in_the_saddle(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return what a rider does before anything else: control a frightened mount, free both hands."""
    if any(combatant.spent.get(kind) for kind in ("standard", "full-round", "knees", "one hand")):
        return None
    steed = who_walks(fight, combatant)
    if fight.dialect.mounted.frightened(fight, steed) and not combatant.spent.get("control"):
        return acts.Guide(actor=combatant.id, what="control")
    both = any(weapon.hands == 2 or weapon.family == "bow" for weapon in held_weapons(combatant))
    if both or any(bonus.kind == "shield" for bonus in combatant.sheet.armor):
        return acts.Guide(actor=combatant.id, what="knees")
    return None


def flight_from_turning(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return a move away from whoever turned a combatant, None when none leads away."""
    danger = fight.state.combatants.get(combatant.conditions["turned"].source)
    path = flight_path(fight, combatant, danger) if danger is not None else ()
    return acts.Move(actor=combatant.id, path=path) if path else None


def strike_or_approach(
    fight: Fight,
    combatant: Combatant,
    enemies: list[Combatant],
    held: list[Weapon],
    standard_left: bool,
    move_left: bool,
    full: bool,
) -> AnyAct | None:
    """Return the attack, spell, step or move that serves best, with what is `held` or bare hands."""
    weapons = held or [unarmed(fight, combatant)]
    if standard_left:
        spell = useful_spell(fight, combatant, enemies)
        if spell is not None:
            return spell
    at_hand = first_at_hand(fight, combatant, enemies)
    if standard_left:
        if at_hand is not None:
            return attack_with(fight, combatant, *at_hand, full)
        shot = best_shot(fight, combatant, enemies, weapons)
        if shot is not None:
            return shot
    low = combatant.conditions and lies_low(fight, combatant)
    if not move_left or combatant.spent.get("step") or low:
        return None
    if not standard_left and (
        combatant.sheet.spells or any(weapon.wield == "projectile" for weapon in weapons)
    ):
        return None
    if at_hand is not None:
        return None
    enemies = [one for one in enemies if any(may_strike(fight, combatant, one, arm) for arm in weapons)]
    if not enemies:
        return None
    path = approach(fight, combatant, enemies, weapons)
    if path:
        return acts.Move(actor=combatant.id, path=path)
    opening = past_doors(fight, combatant, enemies)
    return opening if opening is not None and is_permitted(fight, opening) else None


def attack_with(fight: Fight, combatant: Combatant, enemy: Combatant, weapon: Weapon, full: bool) -> AnyAct:
    """Return a full attack if the turn is fresh and allows more than one attack, else an attack.

    A rider whose mount has gone anywhere has time for a single one.
    """
    spent = combatant.spent
    fresh = not spent or not any([spent.get(kind) for kind in SETTING_OUT])
    fresh = fresh and not who_walks(fight, combatant).spent.get("feet")
    if full and fresh and acts.FullAttack in fight.dialect.acts:
        strikes = fight.dialect.attacks.usual_strikes(fight, combatant, enemy, weapon)
        if len(strikes) > 1:
            return acts.FullAttack(actor=combatant.id, strikes=strikes)
    return acts.Attack(actor=combatant.id, target=enemy.id, weapon=weapon.name)


def can_strike(combatant: Combatant, enemy: Combatant, weapon: Weapon) -> bool:
    """Say whether a weapon reaches an enemy in melee."""
    least, most = melee_band(combatant, weapon)
    return strikes_in_melee(weapon) and reaches(combatant, enemy, least, most)


def best_shot(
    fight: Fight, combatant: Combatant, enemies: list[Combatant], weapons: list[Weapon]
) -> AnyAct | None:
    """Return a shot at the nearest enemy in sight within two increments, stepping back first."""
    for weapon in weapons:
        if weapon.range and (weapon.wield == "projectile" or weapon.thrown):
            if not has_missiles(fight, combatant, weapon):
                continue
            if combatant.items.get(weapon.name) == UNLOADED:
                continue
            if weapon.thrown and not can_spare(combatant, weapon):
                continue
            for enemy in enemies:
                feet = distance(combatant, enemy)
                shot = Blow(combatant, enemy, weapon, False, feet)
                in_sight = feet <= weapon.range * 2 and sees(fight, combatant, enemy)
                if in_sight and not fight.dialect.attacks.barred(fight, shot)[0]:
                    usual: acts.Attack | None = fight.dialect.attacks.usual_shot(
                        fight, combatant, enemy, weapon
                    )
                    if usual is not None and is_permitted(fight, usual):
                        return usual
    return None


def useful_spell(fight: Fight, combatant: Combatant, enemies: list[Combatant]) -> AnyAct | None:
    """Return the first spell that can be cast at an enemy without catching a friend."""
    if not combatant.sheet.spells or acts.Cast not in fight.dialect.acts:
        return None
    threatened = any(threatens(fight, enemy, combatant) for enemy in enemies)
    for spell in combatant.sheet.spells:
        if spell.uses is not None and combatant.resources.get(spell.name, 0) >= spell.uses:
            continue
        if spell.item or spell.delivery == "presence" or spell.grants or spell.healing or spell.temporary:
            continue
        if spell.casting == "free" and combatant.spent.get("free"):
            continue  # one a turn, or it would be cast for ever
        for enemy in enemies:
            if spell.area and (distance(combatant, enemy) > spell.area_feet or spell.area == "burst"):
                continue
            reach = spell.area_feet if spell.area else spell.range or combatant.reach
            if distance(combatant, enemy) > reach or not sees(fight, combatant, enemy):
                continue
            if spell.area and any(
                distance(combatant, friend) <= spell.area_feet for friend in fight.allies(combatant)
            ):
                continue
            act = acts.Cast(
                actor=combatant.id,
                spell=spell.name,
                targets=() if spell.area else (enemy.id,),
                at=enemy.at if spell.area else None,
                defensively=threatened and has_trait(combatant, "careful"),
            )
            if castable(fight, combatant, spell, act):
                return act
    return None


def castable(fight: Fight, actor: Combatant, spell: Spell, act: acts.Cast) -> bool:
    """Say whether nothing keeps a combatant from casting a spell now."""
    try:
        permit(fight, act)
        fight.dialect.magic.refuse_casting(fight, actor, spell, act)
    except Refusal:
        return False
    return True
