"""Cleave: a hit opens the way to a foe next to the one struck (pf1.feat.cleave, pf1.feat.great-cleave)."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.next_blow import next_blow
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.position.place import next_to
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

CLEAVE: Final = "cleave"
GREAT: Final = "great cleave"
#: Both, by the names by which they are declared.
CLEAVES: Final = (CLEAVE, GREAT)


def begin_cleave(fight: Fight, attacker: Combatant, feat: str, blow: Blow) -> list[Any]:
    """Mark a blow as one that cleaves, at a penalty to AC until the next turn; in melee.

    It takes the round's standard action, so that nobody cleaves twice in a round.

    pf1.feat.cleave, pf1.feat.great-cleave.
    """
    rule = refuse_without(fight, attacker, feat)
    if not blow.melee:
        raise Refusal(f"{feat.title()} goes with an attack in melee", rule)
    blow.intent = replace(blow.intent, kind=feat)
    blow.cites.append(rule)
    modifier = fight.modifier(rule, "ac", kind="penalty", source=feat.title())
    until = Until("turn-start", attacker.id, fight.state.round + 1)
    effect = EffectGained(
        who=attacker.id,
        id=f"{fight.declaration}:cleave",
        stat="defense",
        modifier=modifier,
        until=until,
        cites=(rule,),
    )
    return [ActionSpent(who=attacker.id, kind=CLEAVE, what=feat, cites=(rule,)), effect]


def strike_next(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit, offer the same attack at a foe next to the one struck and in reach.

    With Cleave once; with Great Cleave on and on, at each foe once (pf1.feat.cleave, pf1.feat.great-cleave).
    """
    attacker, feat = blow.attacker, blow.intent.kind
    struck = (*blow.intent.struck, blow.target.id)
    if is_down(fight, attacker) or (feat == CLEAVE and blow.intent.struck):
        return
    found = {
        one.id: again
        for one in fight.enemies(attacker)
        if one.id not in struck and next_to(one, blow.target) and (again := next_blow(fight, blow, one))
    }
    if not found:
        return
    rule = fight.rule(f"feat.{feat.replace(' ', '-')}")
    question = f"{blow.target.id} is hit: whom does {attacker.id} strike next?"
    answer = yield Choice(attacker.id, CLEAVE, question, (*found, "decline"), rule)
    if answer not in found:
        return
    following = found[answer]
    following.intent = replace(following.intent, struck=struck)
    following.cites.append(rule)
    yield from fight.dialect.attacks.deliver(fight, following, f"{fight.declaration}#cleave{len(struck)}")
