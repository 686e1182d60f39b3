"""Spells and closed doors: where magic exists, none reaches what is behind total cover."""

from affray.engine.dialects.futurepath.defense.things_as_cover import is_walled_off, thing_between, things_at
from affray.engine.fight.fight import Fight
from affray.engine.rules.position.place import footprint
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def refuse_through_things(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to cast at somebody, or at a square, with a closed door or a wall that is a thing between.

    futurepath.cover.total.
    """
    rule = fight.rule("futurepath.cover.total")
    for name in act.targets:
        target = fight.state.combatants.get(name)
        if target is not None and (thing := thing_between(fight, caster, target)):
            raise Refusal(f"{name} has total cover from {caster.id}: {thing}", rule)
    if act.at is not None and is_walled_off(
        fight, footprint(caster), (act.at, 1, (0, 0)), *things_at(fight, act.at)
    ):
        raise Refusal(f"{caster.id} has no line of effect to {act.at[0]},{act.at[1]}", rule)
