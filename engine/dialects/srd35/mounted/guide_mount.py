"""The acts of a rider that are nothing but riding (srd35.skill.ride-table)."""

from affray.engine.dialects.srd35.mounted.spur import spur
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.mounted.leap import leap_from_saddle
from affray.engine.rules.mounted.ride_skill import (
    control,
    guide_with_knees,
    hang_beside_mount,
    refuse_to_control,
    refuse_to_hang,
)
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import Until


def guide(fight: Fight, act: acts.Guide) -> Steps[None]:
    """Do what the skill of riding is for: keep control, free the hands, hang beside the mount, spur, leap."""
    actor = fight.combatant(act.actor)
    steed = mount_of(fight, actor)
    if steed is None:
        raise Refusal(f"{actor.id} does not ride", fight.rule("srd35.skill.ride-table"))
    if act.what == "control":
        refuse_to_control(fight, actor, steed)
        return control(fight, actor, steed)
    if act.what == "knees":
        return guide_with_knees(fight, actor, steed)
    if act.what == "cover":
        refuse_to_hang(fight, actor, steed)
        until = Until("turn-start", actor.id, fight.state.round + 1)
        return hang_beside_mount(fight, actor, steed, until)
    if act.what == "spur":
        return spur(fight, actor, steed)
    jumping = skill_parts(fight, steed, "jump", "str", fight.rule("srd35.skill.ride-details"))
    return leap_from_saddle(fight, actor, steed, act.path, "jump", jumping)
