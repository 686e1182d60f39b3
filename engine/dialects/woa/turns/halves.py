"""A full-round action in two halves, for those who have no full round (woa.restricted-activity.start-*)."""

from typing import Any

import msgspec
from msgspec.structs import replace

from affray.engine.dialects.woa.turns.plan import allowance
from affray.engine.fight import Fight
from affray.engine.rules.budget import refuse_unless_allowed, spending
from affray.engine.rules.permit import permit
from affray.engine.rules.split import HALF, as_if_there_were_time
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: A full attack, and what involves movement.
BARRED = (acts.FullAttack, acts.Charge, acts.Run, acts.Withdraw)


def split(fight: Fight, act: acts.Split) -> Steps[None]:
    """Begin a full-round action with the one standard action of this round, or complete it in the next.

    woa.restricted-activity.start-complete-full-round, .start-complete-limits
    """
    who = fight.combatant(act.actor)
    then: Any = replace(act.then, actor=who.id)
    rule = fight.rule("restricted-activity.start-complete-full-round")
    name = str(then.__struct_config__.tag).replace("-", " ")
    if type(then) not in fight.dialect.acts:
        raise Refusal(f"{fight.dialect.name} knows no {name!r}", fight.rule("actions"))
    if isinstance(then, BARRED):
        raise Refusal(f"a {name} cannot be split", fight.rule("restricted-activity.start-complete-limits"))
    if not takes_full_round(who, then):
        raise Refusal(f"to {name} is no full-round action", rule)
    refuse_unless_allowed(fight, who, "standard")
    words = msgspec.json.encode(then).decode()
    begun = next((one for one in who.effects if one.stat == HALF and one.modifier.source == words), None)
    if begun is None and allowance(fight, who).full:
        raise Refusal(f"{who.id} has the whole round for it", rule)
    permit(fight, then)
    steps: Any = fight.dialect.acts[type(then)](fight, then)
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


def takes_full_round(who: Combatant, act: Any) -> bool:
    """Say whether an act is a full-round action of this combatant."""
    if isinstance(act, acts.Load):
        return any(one.name == act.item and "slow-load" in one.traits for one in who.sheet.weapons)
    if isinstance(act, acts.Cast):
        return any(one.name == act.spell and one.casting == "full-round" for one in who.sheet.spells)
    return isinstance(act, acts.CoupDeGrace)
