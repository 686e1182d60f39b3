"""Cleave: a foe that drops opens the way to the next (srd35.feat.cleave, .great-cleave)."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.next_blow import next_blow
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import ActionSpent

CLEAVE = "cleave"


def cleave(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a foe dropped, offer one more blow of the same weapon and bonus at another in reach.

    At once and without a step in between; once a round, with Great Cleave any number of times
    (srd35.feat.cleave, srd35.feat.great-cleave).
    """
    if not standing or not is_down(fight, blow.target):
        return
    attacker = blow.attacker
    great = masters(fight, attacker, "great cleave")
    limit = fight.figure("srd35.feat.cleave", "per_round")
    if not masters(fight, attacker, CLEAVE) or (attacker.spent.get(CLEAVE, 0) >= limit and not great):
        return
    found = {one.id: again for one in fight.enemies(attacker) if (again := next_blow(fight, blow, one))}
    if not found or is_down(fight, attacker):
        return
    again_with = "great cleave" if attacker.spent.get(CLEAVE, 0) >= limit else CLEAVE
    rule = fight.rule("srd35.feat.great-cleave" if again_with != CLEAVE else "srd35.feat.cleave")
    question = f"{blow.target.id} drops: whom does {attacker.id} strike in the same movement?"
    answer = yield Choice(attacker.id, CLEAVE, question, (*found, "decline"), rule)
    if answer not in found:
        return
    yield ActionSpent(who=attacker.id, kind=CLEAVE, what=again_with, cites=(rule,))
    following = found[answer]
    following.cites.append(rule)
    count = attacker.spent.get(CLEAVE, 0)
    yield from fight.dialect.attacks.deliver(
        fight, following, f"{fight.declaration}#{fight.scope}#cleave{count}"
    )
