"""Room among those of different sizes: a shared space, and how many can surround one (woa.size.*)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from affray.engine.dialects.woa.defense.ganging_up import on_side, open_share
from affray.engine.dialects.woa.position.size_difference import no_sudden_strike, swarming
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.fight.memory import per_scene
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import sizes_larger
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.occupants import occupants
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: Whoever is in one knot with others crowds none of them.
KNOTTED = ("grabbing", "grabbed", "grappling")


@per_scene("combatant.id")
def others_in_space(fight: Fight, combatant: Combatant) -> tuple[Combatant, ...]:
    """Return the others in a combatant's space.

    Those who hold each other, or grapple, have come together on purpose; what that costs them their hold
    says (woa.grab.combat-penalties-scope, woa.grapple.modifier.within).
    """
    knotted = is_in_hold(combatant)
    there = occupants(fight, combatant, combatant.at)
    return tuple(one for one in there if not (knotted and is_in_hold(one)))


def is_in_hold(combatant: Combatant) -> bool:
    """Say whether somebody holds, is held or grapples."""
    return bool(combatant.conditions) and any(name in combatant.conditions for name in KNOTTED)


def sharing(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the others of another size in one's space who count as combatants there."""
    return [
        one
        for one in others_in_space(fight, combatant)
        if sizes_larger(one, combatant) and not is_helpless(fight, one)
    ]


def share_parts(fight: Fight, combatant: Combatant, path: str) -> Iterator[Modifier]:
    """Yield what sharing one's space with others of another size costs, added up over all of them.

    woa.size.shared-space.one-step, .two-steps, .cumulative, .mount-rider
    """
    for other in (*sharing(fight, combatant), *partner_of_other_size(fight, combatant)):
        one_step = abs(sizes_larger(other, combatant)) == 1
        source = f"crowded by {other.id}"
        if one_step:
            topic = "woa.size.shared-space.one-step"
            part = fight.modifier(topic, "size_difference=1", path, kind="penalty", source=source)
        else:
            part = fight.modifier("woa.size.shared-space.two-steps", path, kind="penalty", source=source)
        if other.id == combatant.mount or other.mount == combatant.id:
            rule = fight.rule("woa.size.shared-space.mount-rider")
            yield Modifier(part.value, part.kind, part.source, rule, f"mount and rider ({rule})")
        elif not part.value:
            rule = fight.rule("woa.crowd.different-sizes")
            why = f"{other.id} is of quite another size ({rule})"
            yield Modifier(part.value, part.kind, part.source, part.rule, why)
        else:
            yield part


def partner_of_other_size(fight: Fight, combatant: Combatant) -> Iterator[Combatant]:
    """Yield the mount of a rider, or the rider of a mount, of another size."""
    other = fight.state.combatants.get(combatant.mount or combatant.rider)
    if other is not None and sizes_larger(other, combatant):
        yield other


def rules_of_adding_up(fight: Fight, parts: Sequence[Modifier]) -> tuple[str, ...]:
    """Return the rule by which several who share one's space add up, where they do."""
    each = fight.rule("woa.size.shared-space.one-step")
    several = sum(part.rule == each and not part.denied for part in parts) > 1
    return fight.rules("woa.size.shared-space.cumulative") if several else ()


def cramped_attack(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield what crowding in around one of another size does to an attack in melee, but not in passing."""
    if blow.melee and blow.intent.maneuver != "overrun":
        yield from crowding_penalty(fight, blow.attacker, "attack")
        blow.cites.extend((*swarming(fight, blow), *surrounded(fight, blow)))
        yield from no_sudden_strike(fight, blow)


def cramped_defense(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield what crowding in around one of another size does to the Armor Class in melee."""
    if blow.melee:
        yield from crowding_penalty(fight, blow.target, "ac")


def crowding_penalty(fight: Fight, combatant: Combatant, path: str) -> Iterator[Modifier]:
    """Yield the penalty for crowding in around an opponent of another size (woa.size.surround.crowd-in)."""
    for victim in fight.enemies(combatant):
        if combatant in crowders(fight, victim, combatant):
            rule = fight.rule("woa.size.surround.crowd-in")
            part = fight.modifier(
                "woa.crowd.same-size-penalty", path, kind="penalty", source=f"crowding in on {victim.id}"
            )
            yield Modifier(part.value, part.kind, part.source, rule)


@per_scene("victim.id", "by.id")
def crowders(fight: Fight, victim: Combatant, by: Combatant) -> list[Combatant]:
    """Return who takes the penalties among those around somebody of another size.

    Each takes up its share of the room, which walls and friends make smaller; whoever comes in beyond
    that, and one of the others for each of them, is crowded (woa.size.surround.table, .mixed-sizes,
    .very-different, woa.ganging-up.mixed-sizes). Where all are of the size of the one in their midst,
    other rules say so.
    """
    around = [
        one for one in fight.enemies(victim) if not is_down(fight, one) and threatens(fight, one, victim)
    ]
    room, extra = Fraction(0), 0
    if any(sizes_larger(one, victim) for one in around):
        most = open_share(fight, victim, by)
        around = on_side(fight, victim, by, around)
        for one in around:
            share = share_of_room(fight, one, victim)
            room += share
            extra += room > max(most, share) and bool(share)
    counted = [one for one in around if share_of_room(fight, one, victim)] if extra else []
    each = fight.figure("woa.ganging-up.crowding-in", "penalized_per_extra_attacker")
    return counted[::-1][: extra * each]


def share_of_room(fight: Fight, one: Combatant, victim: Combatant) -> Fraction:
    """Return which share of the room around somebody an attacker takes up; none at very different sizes."""
    steps = sizes_larger(one, victim)
    if abs(steps) >= fight.figure("woa.size.surround.very-different", "size_difference"):
        return Fraction(0)
    found = cell(fight, "woa.size.surround.table", f"larger={steps}", "attackers")
    return Fraction(1, found.value) if found is not None else Fraction(0)


def surrounded(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules by which those around somebody of another size find room, for a crowded attacker."""
    for victim in (blow.target, blow.attacker):
        other = blow.attacker if victim is blow.target else blow.target
        if other in crowders(fight, victim, other):
            around = {
                sizes_larger(one, victim) for one in fight.enemies(victim) if threatens(fight, one, victim)
            }
            topics = [
                "woa.size.surround.table",
                "woa.size.combat.positioning",
                "woa.ganging-up.mixed-sizes",
                "woa.ganging-up.crowding-in",
                *(["woa.size.surround.mixed-sizes"] if len(around) > 1 else []),
            ]
            return fight.rules(*topics)
    return ()
