"""Hit points that come back: by cures, by fast healing and by regeneration.

pf1.injury.first-aid, pf1.nonlethal.heal, pf1.fast-healing, pf1.regeneration.
"""

from affray.engine.dialects.pf1.conditions.bleed import BLEED, stop_bleeding
from affray.engine.dialects.pf1.conditions.poison import poisons_work
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.conditions.condition_rules import brings_about
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import change_health, settle_health
from affray.engine.steps import Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The stat of what keeps regeneration from working for a while.
STOPPED = "regeneration stopped"


def give_back(fight: Fight, target: Combatant, points: int, source: str, *cites: str) -> Steps[None]:
    """Cure a combatant of so many points, never above its full hit points; the dying stabilize.

    As many points of nonlethal damage go, and it bleeds no more (pf1.injury.first-aid, pf1.nonlethal.heal,
    pf1.cond.bleed). Temporary hit points do not come back.
    """
    hp = max(target.hp, min(target.max_hp, target.hp + points))
    nonlethal = max(0, target.nonlethal - points)
    if nonlethal < target.nonlethal:
        cites += fight.rules("pf1.nonlethal.heal")
    if hp < target.hp + points and target.temporary:
        cites += fight.rules("pf1.temp-hp")
    yield hit_points_set(target, hp, source, *cites, nonlethal=nonlethal)
    if BLEED in target.conditions:
        yield stop_bleeding(fight, target, source)
    if "dying" in target.conditions and target.hp < 0:
        yield from change_health(fight, target, "stable", source, "pf1.injury.first-aid")
    yield from settle_health(fight, target, source)


def cure(fight: Fight, target: Combatant, points: int, source: str) -> Steps[None]:
    """Cure a combatant by magic, and end what lasts until such a cure (pf1.injury.first-aid)."""
    yield from give_back(fight, target, points, source, *fight.rules("pf1.injury.first-aid"))
    yield from brings_about(fight, target, "healed")


def is_stopped(combatant: Combatant) -> bool:
    """Say whether something keeps the regeneration of a combatant from working just now."""
    return any(one.stat == STOPPED for one in combatant.effects)


def regenerates(combatant: Combatant) -> bool:
    """Say whether a combatant has regeneration that works, so that it cannot die (pf1.regeneration)."""
    return bool(combatant.sheet.regeneration) and not is_stopped(combatant)


def turn_onset(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Begin a turn: poison works on, then regeneration and fast healing close wounds.

    pf1.poison, pf1.regeneration, pf1.fast-healing.
    """
    yield from poisons_work(fight, combatant)
    yield from heal_in_rounds(fight, combatant, 1)


def heal_in_rounds(fight: Fight, combatant: Combatant, rounds: int) -> Steps[None]:
    """Let regeneration and fast healing work for as many rounds."""
    sheet = combatant.sheet
    for points, topic, name in (
        (sheet.regeneration, "pf1.regeneration", "regeneration"),
        (sheet.fast_healing, "pf1.fast-healing", "fast healing"),
    ):
        if not points or "dead" in combatant.conditions:
            continue
        if combatant.hp >= combatant.max_hp and not combatant.nonlethal and BLEED not in combatant.conditions:
            continue
        if name == "regeneration" and is_stopped(combatant):
            cites = fight.rules(topic)
            yield RuleApplied(who=combatant.id, what="regeneration does not work this round", cites=cites)
            continue
        yield from give_back(fight, combatant, points * rounds, name, fight.rule(topic))


def stop_regeneration(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Let damage of a type that regeneration fears keep it from working on the following round.

    It lasts to the end of the target's next turn (pf1.regeneration).
    """
    if is_stopped(target):
        return
    kinds = {harm.damage_type, *harm.energies, *(harm.weapon.traits if harm.weapon is not None else ())}
    feared = next((kind for kind in target.sheet.lethal if kind in kinds), "")
    if not feared:
        return
    rule = fight.rule("pf1.regeneration")
    running = int(fight.state.active == target.id)
    yield EffectGained(
        who=target.id,
        id=f"{fight.declaration}:{STOPPED}",
        stat=STOPPED,
        modifier=Modifier(0, "regeneration", feared, rule),
        until=Until("turn-end", target.id, fight.state.round + running),
        cites=(rule,),
    )
