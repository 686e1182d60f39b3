"""What the situation on the map does to an attack: cover, concealment, flanking, range, height."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid.concealment import obscured
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.flanking import opposite
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.conditions.condition_rules import has_no_attack
from affray.engine.rules.conditions.immunities import Immunity, immunity_to
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import level_of, squares_of
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def higher_ground(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what higher ground gives in melee (srd35.attack-mod.higher-ground, pf1.attack-mod.table)."""
    if not is_higher(fight, blow):
        return []
    topic = "attack-mod.higher-ground"
    return [fight.modifier(topic, "melee", kind="circumstance", source="higher ground")]


def flanking_bonus(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus for flanking the target with an ally (srd35.flank.bonus, pf1.flank)."""
    friend = flanking_partner(fight, blow)
    if friend is None:
        return []
    source = f"flanking with {friend.id}"
    return [fight.modifier("flank.bonus", "melee_attack", kind="flanking", source=source)]


def flanking_partner(fight: Fight, blow: Blow) -> Combatant | None:
    """Return an ally who threatens the target from its opposite side, if there is one.

    Creatures with a reach of 0 cannot flank, nor those who can strike at nobody (srd35.flank.*, pf1.flank).
    """
    attacker, target = blow.attacker, blow.target
    if attacker.reach == 0:
        return None
    for friend in fight.state.combatants.values():
        if (
            friend.side == attacker.side
            and friend is not attacker
            and not (friend.conditions and has_no_attack(fight, friend))
            and opposite((attacker.at, attacker.space), (friend.at, friend.space), (target.at, target.space))
            and threatens(fight, friend, target)
        ):
            return friend
    return None


def deny_flanking_by_immunity(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack, the bonus of flanking denied against what has neither front nor back.

    srd35.creature-immunities, pf1.creature.ooze, pf1.creature.elemental, pf1.creature.swarm.
    """
    if not any(part.kind == "flanking" for part in parts):
        return parts
    immunity = immunity_to(fight, blow.target, "flanking")
    if immunity is None:
        return parts
    blow.cites.append(immunity.rule)
    why = why_unflankable(blow.target, immunity)
    return [replace(part, denied=why) if part.kind == "flanking" else part for part in parts]


def why_unflankable(target: Combatant, immunity: Immunity) -> str:
    """Return why flanking gives nothing against a target that is immune to it."""
    return f"{target.sheet.kind}: cannot be flanked ({immunity.rule})"


def is_higher(fight: Fight, blow: Blow) -> bool:
    """Say whether the attacker is higher: above the target by a square, or on high ground and it is not."""
    attacker, target = blow.attacker, blow.target
    here, there, field = level_of(attacker), level_of(target), fight.field
    on_a_hill = field.high(attacker.at, attacker.space) and not field.high(target.at, target.space)
    return here > there or (here == there and on_a_hill)


def increments(distance: int, increment: int) -> int:
    """Return the full range increments in a distance, both in feet."""
    return distance // increment


def range_increment(fight: Fight, blow: Blow) -> int:
    """Return the weapon's range increment in feet, as printed."""
    return blow.weapon.range


def friends_in_melee(fight: Fight, blow: Blow) -> list[Combatant]:
    """Return the shooter's friends who fight the target, unless a part of it is far enough from them all."""
    attacker, target = blow.attacker, blow.target
    friends = [
        friend
        for friend in fight.state.combatants.values()
        if friend is not attacker
        and friend.side == attacker.side
        and not is_down(fight, friend)
        and (threatens(fight, friend, target) or threatens(fight, target, friend))
    ]
    if not friends:
        return []
    clear = fight.figure("attack-action.into-melee", "waived_if_distance_ft")
    return [] if is_clear_of_friends(friends, target, clear) else friends


def is_clear_of_friends(friends: list[Combatant], target: Combatant, feet: int) -> bool:
    """Say whether a square of the target is at least that far from all of these friends."""
    return any(
        all(distance_ft(friend.at, square, friend.space) >= feet for friend in friends)
        for square in squares_of(target)
    )


def miss_chance(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return (percent, why, topic) of the miss chance; the highest counts, they do not add up.

    Total concealment 50, concealment 20 (srd35.concealment.*).

    pf1.concealment.
    """
    target, attacker = blow.target, blow.attacker
    total = fight.figure("concealment.total-miss-chance", "miss_chance_percent")
    if "invisible" in target.conditions and not has_trait(attacker, "see invisibility"):
        return total, f"{target.id} is invisible", "concealment.total-miss-chance"
    if "blinded" in attacker.conditions:
        return total, f"{attacker.id} is blinded", "concealment.total-miss-chance"
    for name in target.conditions:
        veil = rule_of(fight, name).veils
        if veil is not None:
            return fight.figure(*veil), f"{target.id} is {name}", veil[0]
    if obscured(fight.field, (attacker.at, attacker.space), (target.at, target.space), melee=blow.melee):
        return (
            fight.figure("concealment.miss-chance", "miss_chance_percent"),
            "concealed by the terrain",
            "concealment.miss-chance",
        )
    return 0, "", ""


def refuse_untargetable(fight: Fight, blow: Blow) -> None:
    """Refuse an attack without line of effect, on the dead, or out of reach and range.

    srd35.cover.total-no-attack, srd35.attack-action.melee, srd35.attack-action.range-increment,
    futurepath.attack.ranged.line-of-sight, futurepath.attack.ranged.max-range.
    """
    attacker, target = blow.attacker, blow.target
    refuse_no_opponent(fight, attacker, target)
    reason, topic = fight.dialect.attacks.barred(fight, blow)
    if reason:
        raise Refusal(reason, fight.rule(topic))
    if not sees(fight, attacker, target) and not fight.dialect.attacks.through_surface(fight, blow):
        raise Refusal(
            f"{attacker.id} has no line of effect to {target.id}: total cover",
            fight.rule("cover.total-no-attack"),
        )
    if not blow.melee:
        refuse_beyond_range(fight, blow, target.id)


def refuse_no_opponent(fight: Fight, attacker: Combatant, target: Combatant) -> None:
    """Refuse an attack on oneself or on the dead.

    srd35.attack-action.melee, pf1.attack-action.melee, srd35.cond.dead, pf1.cond.dead,
    futurepath.injury.dead-at-minus-10.
    """
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot attack itself", fight.rule("attack-action.melee"))
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("cond.dead"))


def refuse_beyond_range(fight: Fight, blow: Blow, goal: str) -> None:
    """Refuse a shot or a throw at a goal beyond the most range increments of its weapon.

    srd35.attack-action.range-increment, futurepath.attack.ranged.max-range.
    """
    weapon = blow.weapon
    limit = fight.figure("attack-action.range-increment", "max_thrown" if weapon.thrown else "max_projectile")
    if weapon.range == 0 or blow.distance > fight.dialect.attacks.range_increment(fight, blow) * limit:
        raise Refusal(
            f"{goal} is {blow.distance} ft. away, beyond the {weapon.name}'s range",
            fight.rule("attack-action.range-increment"),
        )
