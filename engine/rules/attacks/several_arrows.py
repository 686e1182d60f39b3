"""Several arrows on one roll: what those after the first do (srd35.feat.manyshot, pf1.feat.manyshot)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.steps import Steps


def further_arrows(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Deal the damage of the arrows that flew along with the first on one roll.

    What is precise about it and a critical hit are the first one's alone, what takes damage off meets each
    (srd35.feat.manyshot, pf1.feat.manyshot).
    """
    for _ in range(1, blow.intent.arrows - blow.outcome.deflected):
        if "dead" not in blow.target.conditions:
            intent = replace(blow.intent, arrows=1, further_arrow=True)
            damage = replace(blow.damage, cites=(*blow.damage.cites, fight.rule("feat.manyshot")))
            yield from fight.dialect.damage.deal(fight, replace(blow, intent=intent, damage=damage), False)
