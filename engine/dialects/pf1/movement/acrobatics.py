"""Acrobatics: who defends itself the better for it, and the haste of the blinded (pf1.skill.*)."""

from typing import Final

from affray.engine.dialects.pf1.senses.light import TOPIC as DARKNESS
from affray.engine.dialects.pf1.senses.light import blind_in_the_dark
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.movement.movement import speed
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.projections.state import Combatant

BLINDED: Final = "pf1.cond.blinded"


def is_practiced(fight: Fight, mover: Combatant) -> bool:
    """Say whether a combatant defends itself the better for its acrobatics: with 3 ranks in it.

    pf1.skill.acrobatics-defense, pf1.total-defense, pf1.attack-action.defensive.
    """
    least = fight.figure("pf1.skill.acrobatics-defense", "ranks")
    return bool(mover.sheet.ranks.get("acrobatics", 0) >= least)


def is_blinded(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> bool:
    """Say whether one moves who is blinded or sees nothing in the dark, and has no Blind-Fight.

    pf1.feat.blind-fight.
    """
    mover = fight.combatant(act.actor)
    if isinstance(act, acts.Move) and act.how == "fly":
        return False
    unseeing = "blinded" in mover.conditions or blind_in_the_dark(fight, mover)
    return unseeing and not has_feat(mover, "blind-fight")


def hurry_blindly(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> Steps[None]:
    """Let the blinded move: faster than at half speed only by Acrobatics, else they fall.

    pf1.cond.blinded, pf1.light.levels.
    """
    mover = fight.combatant(act.actor)
    # What cannot be gone is refused before the way is measured.
    yield next(moving)
    feet = fight.dialect.movement.measure(fight, mover, (mover.at, *act.path), "normal").feet
    moves = 2 if isinstance(act, acts.Move) and act.how == "double" else 1
    if feet * 2 > speed(fight, mover) * moves:
        topic = BLINDED if "blinded" in mover.conditions else DARKNESS
        rule = fight.rule(topic)
        parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
        dc = fight.figure(topic, "acrobatics_dc")
        if not (yield from check(fight, mover, "acrobatics", parts, dc, rule, why="blindly in haste")):
            yield ConditionGained(who=mover.id, condition="prone", source="blindly in haste", cites=(rule,))
            return
    yield from moving
