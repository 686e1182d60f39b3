"""A full-round action in two halves, each a standard action (srd35.action.full-round-split)."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from affray.engine.fight import Fight
from affray.engine.rules.budget import refuse_unless_allowed, spending
from affray.engine.rules.permit import permit
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

HALF = "half-done"
"""The stat of the effect that keeps in mind what was begun."""


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with a standard action, or complete what was begun last turn with another.

    Not a full attack, a charge, a run or a withdrawal.
    """
    who = fight.combatant(act.actor)
    then = replace(act.then, actor=who.id)
    rule = fight.rule("action.full-round-split")
    name = str(then.__struct_config__.tag).replace("-", " ")
    if name in fight.figure("action.full-round-split", "excluded"):
        raise Refusal(f"a {name} cannot be split", rule)
    if not takes_full_round(who, then):
        raise Refusal(f"to {name} is no full-round action", rule)
    refuse_unless_allowed(fight, who, "standard")
    words = msgspec.json.encode(then).decode()
    begun = next((one for one in who.effects if one.stat == HALF and one.modifier.source == words), None)
    permit(fight, then)
    steps = fight.dialect.acts[type(then)](fight, then)
    first = as_if_there_were_time(fight, who, steps)
    if begun is None:
        steps.close()
        yield spending(fight, who, "standard", f"begin to {name}", rule)
        yield EffectGained(
            who=who.id,
            id=f"{fight.declaration}:{HALF}",
            stat=HALF,
            modifier=Modifier(0, "untyped", words, rule),
            until=Until("turn-end", who.id, fight.state.round + 1),
            cites=(rule,),
        )
        return
    yield replace(first, kind="standard", what=f"complete: {name}", cites=(*first.cites, rule))
    yield EffectEnded(who=who.id, id=begun.id, why="completed", cites=(rule,))
    yield from steps


def as_if_there_were_time(fight: Fight, who: Combatant, steps: Steps[None]) -> ActionSpent:
    """Return the first fact of an act, which spends its action, as if the whole round were there for it.

    Refuses what the act refuses.
    """
    outer, fight.readied = fight.readied, who.id
    try:
        first: ActionSpent = next(steps)
    finally:
        fight.readied = outer
    return first


def takes_full_round(who: Combatant, act: Any) -> bool:
    """Say whether an act is a full-round action: a coup de grace, a slow weapon's loading, a long spell."""
    found: dict[type, Callable[[], bool]] = {
        acts.CoupDeGrace: lambda: True,
        acts.Load: lambda: any(
            one.name == act.item and "slow-load" in one.traits for one in who.sheet.weapons
        ),
        acts.Cast: lambda: any(
            one.name == act.spell and one.casting == "full-round" for one in who.sheet.spells
        ),
    }
    judge = found.get(type(act))
    return judge is not None and judge()
