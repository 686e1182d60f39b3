"""Flanking: who stands between two opponents, and whom it pays no heed to (woa.flanking.*)."""

from collections.abc import Iterator
from itertools import combinations

from affray.engine.dialects.woa.opportunity.reaction_budget import reactions_of_round, why_no_reaction
from affray.engine.dialects.woa.senses.concealment import IGNORES
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.grid.flanking import opposite
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import reaches
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC, THREAT, IGNORE = "woa.flanking.penalties", "woa.flanking.must-threaten", "woa.flanking.ignore-opponent"


@per_scene("combatant.id")
def flanked_by(fight: Fight, combatant: Combatant) -> tuple[Combatant, Combatant] | None:
    """Return two enemies that flank a combatant, if any do.

    Both threaten it from opposite sides and, unless the option says otherwise, could react
    (woa.flanking.penalties, woa.flanking.must-threaten; option `flanker_reactions`).
    """
    able = [one for one in standing_enemies(fight, combatant) if not why_no_flanking(fight, one, combatant)]
    return next(opposite_pairs(able, combatant), None)


def standing_enemies(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the enemies that still stand and whom a combatant does not ignore."""
    return [
        one
        for one in fight.enemies(combatant)
        if not (one.conditions and is_down(fight, one))
        and not (combatant.effects and ignores(combatant, one))
    ]


def why_no_flanking(fight: Fight, one: Combatant, combatant: Combatant) -> str:
    """Return why an enemy that is there does not flank, "" if it could (woa.flanking.must-threaten)."""
    if not threatens(fight, one, combatant):
        return "does not threaten"
    if fight.option("flanker_reactions") != "needed" or not (one.conditions or one.plan):
        return ""
    return "cannot react" if why_no_reaction(fight, one) or not reactions_of_round(fight, one) else ""


def opposite_pairs(enemies: list[Combatant], combatant: Combatant) -> Iterator[tuple[Combatant, Combatant]]:
    """Yield the pairs that have a combatant directly between them."""
    place = (combatant.at, combatant.space)
    for one, other in combinations(enemies, 2):
        if opposite((one.at, one.space), (other.at, other.space), place):
            yield one, other


def ignores(combatant: Combatant, other: Combatant) -> bool:
    """Say whether a combatant pays no heed to an opponent."""
    return any(effect.stat == IGNORES and effect.against == other.id for effect in combatant.effects)


def flanked_ac(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what being flanked takes off AC; denied where one of the two does not threaten."""
    target = blow.target
    if len(fight.enemies(target)) < 2:
        return []
    part = fight.modifier(TOPIC, "ac", kind="penalty", source="flanked")
    if flanked_by(fight, target):
        return [part]
    near = [one for one in standing_enemies(fight, target) if within_arms_reach(one, target)]
    for pair in opposite_pairs(near, target):
        for one in pair:
            why = why_no_flanking(fight, one, target)
            if why:
                blow.cites.append(fight.rule(THREAT))
                denied = f"{one.id} {why} ({fight.rule(THREAT)})"
                return [Modifier(part.value, part.kind, part.source, part.rule, denied)]
    return []


def within_arms_reach(one: Combatant, combatant: Combatant) -> bool:
    """Say whether an enemy stands as near as for a blow with its hands or what it holds."""
    far = any(weapon.reach for weapon in held_weapons(one))
    return reaches(one, combatant, 0, one.reach * (2 if far else 1))


def ignore(fight: Fight, act: acts.Ignore) -> Steps[None]:
    """Pay no heed to some opponents until the round's end, while flanked.

    They do not flank any more and have total concealment (woa.flanking.ignore-opponent).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(IGNORE)
    targets = [fight.combatant(name) for name in dict.fromkeys(act.targets)]
    if not targets:
        raise Refusal(f"no opponent is named that {actor.id} ignores", rule)
    if flanked_by(fight, actor) is None:
        raise Refusal(f"{actor.id} is not flanked", rule)
    for target in targets:
        if target.side == actor.side or not threatens(fight, target, actor):
            raise Refusal(f"{target.id} is no opponent of {actor.id} in melee", rule)
    for target in targets:
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:{IGNORES}:{target.id}",
            stat=IGNORES,
            modifier=Modifier(0, IGNORES, f"ignores {target.id}", rule),
            until=Until("round-end", "", fight.state.round),
            against=target.id,
            cites=(rule,),
        )
