"""Turning and commanding undead by feat: flight, and control (pf1.turn.feat, pf1.command.feat)."""

from typing import Final

from affray.engine.dialects.pf1.classes.channeling import (
    NEGATIVE,
    POSITIVE,
    begin_channeling,
    channel_of,
    in_burst,
    refuse_to_channel,
    resistance_to_channeling,
    save_dc,
    spared_by,
)
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.feat_prerequisites import refuse_without, topic_of
from affray.engine.rules.classes.natures import UNDEAD, is_a, is_mindless
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, SideChanged
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

TURN, COMMAND = "pf1.turn.feat", "pf1.command.feat"
TURNING, COMMANDING = "turn undead", "command undead"
#: Of each use the feat, and the energy that it takes.
USES: Final = {"turn": (TURNING, POSITIVE), "command": (COMMANDING, NEGATIVE)}
TURNED, COMMANDED = "turned", "commanded"


def turn_or_command(fight: Fight, act: acts.TurnUndead) -> Steps[None]:
    """Use a channeling on the undead of its burst: turned they flee, commanded they obey.

    Each saves as against the channeling (pf1.turn.feat, pf1.command.feat).
    """
    actor = fight.combatant(act.actor)
    feat, energy = USES[act.what]
    rule = refuse_without(fight, actor, feat)
    found, spared = refuse_to_channel(fight, actor), spared_by(fight, actor, act)
    if found.energy != energy:
        raise Refusal(f"{actor.id} channels {found.energy}, not {energy}", rule)
    yield from begin_channeling(fight, actor, found, feat)
    undead = [one for one in in_burst(fight, actor) if is_a(one, UNDEAD) and one not in (actor, *spared)]
    for one in sorted(undead, key=lambda one: distance(actor, one)):
        if act.what == "turn":
            yield from turn(fight, actor, one, found.level)
        else:
            yield from command(fight, actor, one, found.level)


def withstands(fight: Fight, actor: Combatant, one: Combatant, level: int, feat: str) -> Steps[bool]:
    """Return whether an undead withstands what is channeled at it, by its Will (pf1.channel.resistance)."""
    dc, cites = save_dc(fight, actor, level)
    extra = resistance_to_channeling(fight, one)
    cited = (fight.rule(topic_of(feat)), *cites)
    return (yield from saving_throw(fight, one, "will", dc, feat, *cited, extra=extra))


def turn(fight: Fight, actor: Combatant, one: Combatant, level: int) -> Steps[None]:
    """Turn an undead that does not withstand it, for a minute (pf1.turn.feat)."""
    if (yield from withstands(fight, actor, one, level, TURNING)):
        return
    rounds = int(fight.figure("pf1.round.six-seconds", "rounds_per_minute"))
    until = for_rounds(fight, actor, rounds)
    cites = fight.rules(TURN)
    fact = ConditionGained(who=one.id, condition=TURNED, source=actor.id, until=until, cites=cites)
    yield from fight.dialect.conditions.gain(fight, fact)


def resist_turning(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let an intelligent undead that is turned try again each round (pf1.turn.feat)."""
    turner = fight.state.combatants.get(combatant.conditions[TURNED].source)
    if turner is None or is_mindless(combatant):
        return
    found = channel_of(fight, turner)
    if found is not None and (yield from withstands(fight, turner, combatant, found.level, TURNING)):
        cites = fight.rules(TURN)
        yield ConditionLost(who=combatant.id, condition=TURNED, why="withstands it now", cites=cites)


def command(fight: Fight, actor: Combatant, one: Combatant, level: int) -> Steps[None]:
    """Take control of an undead that does not withstand it, Hit Dice up to the level (pf1.command.feat)."""
    cites = fight.rules(COMMAND)
    held = sum(
        other.sheet.hit_dice
        for other in fight.state.combatants.values()
        if COMMANDED in other.conditions and other.conditions[COMMANDED].source == actor.id
    )
    if one.side == actor.side:
        return
    if held + one.sheet.hit_dice > level:
        what = f"{held} + {one.sheet.hit_dice} Hit Dice are more than {actor.id} can command"
        yield RuleApplied(who=one.id, what=what, cites=cites)
        return
    if (yield from withstands(fight, actor, one, level, COMMANDING)):
        return
    yield ConditionGained(who=one.id, condition=COMMANDED, source=actor.id, cites=cites)
    yield SideChanged(who=one.id, side=actor.side, why=f"commanded by {actor.id}", cites=cites)
