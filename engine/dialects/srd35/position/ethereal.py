"""The world and the ethereal plane beside it: what reaches from one into the other (srd35.etherealness)."""

from typing import Any, Final

from affray.engine.dialects.srd35.position.inside_objects import ETHEREAL, FORCE, on_other_planes, sees_across
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell, Weapon
from affray.projections.state import Combatant

TOPIC: Final = "etherealness"
#: More feet than anything reaches.
OUT_OF_REACH: Final = 1_000_000
#: Acts that do something to somebody without a weapon of their own that could be of force.
HANDS: Final = (
    acts.Trip,
    acts.Grapple,
    acts.Disarm,
    acts.Sunder,
    acts.BullRush,
    acts.Overrun,
    acts.CoupDeGrace,
    acts.Touch,
    acts.Feint,
    acts.Demoralize,
    acts.Pilfer,
    acts.Stabilize,
    acts.Treat,
    acts.Mount,
)


@per_company()
def anybody_ethereal(fight: Fight) -> bool:
    """Say whether anybody in the fight is ethereal."""
    return any([ETHEREAL in one.conditions for one in fight.state.combatants.values()])


def anybody_beyond(fight: Fight, actor: Combatant, act: Any) -> bool:
    """Say whether somebody is on another plane than others."""
    found: bool = fight.memory.company[anybody_ethereal]
    return found


def refuse_other_plane(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to touch what is on another plane: into the ethereal force alone reaches, out of it nothing."""
    for target, force in aimed_at(fight, actor, act):
        if on_other_planes(actor, target) and (ETHEREAL in actor.conditions or not force):
            raise Refusal(why_other_plane(actor, target), fight.rule(TOPIC))


def why_other_plane(combatant: Combatant, target: Combatant) -> str:
    """Return why one does not reach somebody on another plane."""
    if ETHEREAL in combatant.conditions:
        return f"{combatant.id} is ethereal and does nothing to {target.id}, who is not"
    return f"{target.id} is ethereal: force alone reaches it"


def aimed_at(fight: Fight, actor: Combatant, act: Any) -> list[tuple[Combatant, bool]]:
    """Return whom an act would do something to, and whether it would by force."""
    named: list[tuple[str, bool]] = []
    if type(act) is acts.FullAttack:
        named = [(one.target, not one.special and is_of_force(actor, one.weapon)) for one in act.strikes]
    elif type(act) in (acts.Attack, acts.Charge):
        special = type(act) is acts.Charge and act.special != ""
        named = [(act.target, not special and is_of_force(actor, act.weapon))]
    elif type(act) in HANDS:
        targets = act.targets if type(act) is acts.Touch else (act.target,)
        named = [(target, False) for target in targets]
    found = fight.state.combatants
    return [(found[name], force) for name, force in named if name in found]


def distance_between_planes(combatant: Combatant, target: Combatant) -> int:
    """Return the feet between planes: beyond any reach, but none for force into the ethereal."""
    if not on_other_planes(combatant, target):
        return 0
    if ETHEREAL in combatant.conditions:
        return OUT_OF_REACH
    return 0 if any(FORCE in one.traits for one in held_weapons(combatant)) else OUT_OF_REACH


def walls_part(fight: Fight, one: Combatant, other: Combatant) -> bool:
    """Say whether walls come between two: those of the world do not between the ethereal.

    srd35.etherealness.
    """
    return not (ETHEREAL in one.conditions and ETHEREAL in other.conditions)


def is_of_force(combatant: Combatant, name: str) -> bool:
    """Say whether the weapon that a declaration means is of force."""
    ready: list[Weapon] = held_weapons(combatant)
    meant = next((one for one in ready if name in ("", one.name)), None)
    return meant is not None and FORCE in meant.traits


def spell_reaches(combatant: Combatant, spell: Spell, target: Combatant) -> bool:
    """Say whether a spell works on a target: on another plane only force, abjurations and gazes, one way."""
    if not on_other_planes(combatant, target):
        return True
    if ETHEREAL in combatant.conditions:
        return False
    forceful = spell.damage_type == FORCE or FORCE in spell.school
    return forceful or spell.school.startswith("abjuration") or spell.delivery == "gaze"


def refuse_spell(fight: Fight, actor: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse a spell at somebody on another plane whom it does not reach, or whom its caster does not see."""
    for name in act.targets:
        target = fight.state.combatants.get(name)
        if target is None or not on_other_planes(actor, target):
            continue
        if not spell_reaches(actor, spell, target):
            raise Refusal(why_other_plane(actor, target), fight.rule(TOPIC))
        if not sees_across(actor):
            raise Refusal(f"{actor.id} does not see {target.id}, who is ethereal", fight.rule(TOPIC))


def on_other_plane(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a spell does not reach its target, who is on the other plane (srd35.etherealness)."""
    if not (caster.conditions or target.conditions) or spell_reaches(caster, spell, target):
        return False
    what = f"{spell.name} does not reach {target.id}, who is on another plane"
    yield RuleApplied(who=target.id, what=what, cites=fight.rules(TOPIC))
    return True
