"""Prohibitions: what a combatant's state or a rule forbids, asked before each declaration is resolved.

A dialect lists them in its record (`turns.prohibitions`). Each says what it is about, so that a declaration
meets only those that can concern it.
"""

from typing import Any

from affray.engine.fight.fight import Fight, has_effects, is_down
from affray.engine.rules.conditions.mental_actions import PARALYZED, THOUGHTS, is_mental
from affray.engine.rules.turns.subjects import rule_about
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.acts import Act
from affray.projections.state import Combatant


def refuse_unread(fight: Fight, act: Act) -> None:
    """Refuse a declaration that says what its resolver does not read: nothing that is said is ignored.

    By the rule that the declaration is about.
    """
    for fault in fight.dialect.heeded[type(act)].faults(act):
        raise Refusal(f"{fight.dialect.name} knows no {fault}", rule_about(fight, type(act)))


def permit(fight: Fight, act: Act) -> None:
    """Refuse a declaration of nobody in the fight, and one that a prohibition of the dialect forbids.

    What the game master declares is not asked about. O(those that may concern it).
    """
    if not act.actor and act.declared_by != "combatant":
        return
    actor = fight.combatant(act.actor)
    if act.declared_by == "game master":
        tag = act.__struct_config__.tag
        raise Refusal(f"only the game master declares {tag!r}, {actor.id} does not", fight.rule("encounter"))
    if fight.field.sides:
        fight.dialect.position.through_walls(fight, actor, act)
    fight.dialect.forbids(type(act))(fight, actor, act)


def is_permitted(fight: Fight, act: Act) -> bool:
    """Say whether no prohibition keeps a combatant from an act."""
    try:
        permit(fight, act)
    except Refusal:
        return False
    return True


def effect_on_anybody(fight: Fight, actor: Combatant, act: Act) -> bool:
    """Say whether an effect lasts on anybody in the fight."""
    found: bool = fight.memory.company[has_effects]
    return found


def refuse_but_delay(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to the paralyzed what takes more than the mind; whether they may delay is contested.

    Option `paralyzed_delay` (srd35.cond.paralyzed, pf1.cond.paralyzed).
    """
    delays = isinstance(act, (acts.Delay, acts.Resume))
    if not delays or fight.option("paralyzed_delay") != "may":
        _refuse_unless_mental(fight, actor, act)


def refuse_bodily(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to the paralyzed whatever takes more than the mind."""
    _refuse_unless_mental(fight, actor, act)


def _refuse_unless_mental(fight: Fight, actor: Combatant, act: Any) -> None:
    if isinstance(act, THOUGHTS):
        return
    meant = [spell for spell in actor.sheet.spells if isinstance(act, acts.Cast) and spell.name == act.spell]
    if not any(map(is_mental, meant)):
        reason = f"{actor.id} is paralyzed: purely mental acts alone are left"
        raise Refusal(reason, fight.rule(fight.dialect.conditions.table[PARALYZED].topic))


def refuse_change_of_initiative(fight: Fight, actor: Combatant, act: Act) -> None:
    """Refuse changes of initiative to the downed.

    pf1.injury.no-initiative-change, srd35.injury.no-initiative-change.
    """
    if is_down(fight, actor):
        raise Refusal(
            f"{actor.id} is in no state to change its initiative", fight.rule("injury.no-initiative-change")
        )
