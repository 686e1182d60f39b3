"""The game master's word on hit points, conditions and places."""

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.kernel.checks import change_hit_points
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Moved


def fiat(fight: Fight, act: acts.Fiat) -> Steps[None]:
    """Set hit points, conditions or the place of a combatant, with the consequences of the hit points."""
    target, rule = fight.combatant(act.target), fight.rule("fiat")
    why = act.text or "the game master's word"
    if act == acts.Fiat(target=act.target, text=act.text):
        raise Refusal("a fiat sets hit points, a condition or a place: say which", rule)
    known = fight.dialect.kernel.conditions
    for name in (*act.gains, *act.loses):
        if name not in known:
            raise unknown_word("condition", name, known, rule)
    for name in act.loses:
        if name not in target.conditions:
            raise Refusal(f"{target.id} is not {name}", rule)
    if act.hp is not None and act.hp > target.max_hp:
        raise Refusal(f"{target.id} has at most {target.max_hp} hit points", rule)
    if act.at is not None:
        there = fight.dialect.kernel.occupants(fight, target, act.at)
        if there or not fight.field.passable(act.at, target.space):
            raise Refusal(f"{target.id} has no room at {act.at[0]},{act.at[1]}", rule)
    if act.hp is not None:
        yield from change_hit_points(fight, target, act.hp - target.hp, why, rule)
    for name in act.loses:
        yield ConditionLost(who=target.id, condition=name, why=why, cites=(rule,))
    for name in act.gains:
        cites = (rule, fight.rule(rule_of(fight, name).topic))
        yield ConditionGained(who=target.id, condition=name, source=why, cites=cites)
    if act.at is not None and act.at != target.at:
        path = (act.at,)
        yield Moved(who=target.id, start=target.at, path=path, feet=0, diagonals=0, how="fiat", cites=(rule,))
