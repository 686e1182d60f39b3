"""How a full attack begins in pf1: its action, Rapid Shot, Manyshot (pf1.full-attack, pf1.feat.*)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.full_attack import full_attack_in_parts, rapid_shot, refuse_no_shot
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.turns.action_budget import is_open
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

MANYSHOT: Final = "manyshot"


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Return the steps of all attacks of a full attack, or of a part of it (pf1.full-attack)."""
    actor = fight.combatant(act.actor)
    return full_attack_in_parts(fight, actor, act)


def spend_full_round(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> tuple[ActionSpent]:
    """Spend the full-round action of a full attack (pf1.full-attack, pf1.action.full-round)."""
    cites = fight.rules("pf1.full-attack", "pf1.action.full-round")
    return (ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites),)


def shoot_rapidly(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[EffectGained]:
    """Take what Rapid Shot costs off all attacks of the full attack (pf1.feat.rapid-shot)."""
    yield rapid_shot(fight, actor, Until("turn-end", actor.id, fight.state.round))


def declare_feats(fight: Fight, actor: Combatant, act: Any, blows: Sequence[Blow]) -> list[Any]:
    """Refuse the Rapid Shot that an attacker cannot declare; let Manyshot add to the first shot.

    Of a full attack with a bow the first shot looses two arrows, if there are so many (pf1.feat.rapid-shot,
    pf1.feat.manyshot). `blows` are those that are meant.
    """
    if not isinstance(act, acts.FullAttack):
        return []
    if act.rapid_shot:
        refuse_no_shot(fight, actor, blows)
    shots = [blow for blow in blows if blow.weapon.family == "bow" and not blow.melee]
    if shots and not is_open(actor) and masters(fight, actor, MANYSHOT):
        first = shots[0]
        arrows = int(fight.figure("pf1.feat.manyshot", "arrows"))
        quiver = first.weapon.ammunition
        same = sum(blow.weapon.name == first.weapon.name for blow in shots)
        if quiver is None or quiver - actor.resources.get(first.weapon.name, 0) >= same + arrows - 1:
            first.intent = replace(first.intent, arrows=arrows)
    return []


def spend_further_arrows(fight: Fight, blow: Blow) -> Steps[None]:
    """Take the arrows that fly along with the first from the quiver (pf1.feat.manyshot)."""
    if blow.weapon.ammunition is not None:
        amount, cites = blow.intent.arrows - 1, fight.rules("pf1.feat.manyshot", "weapon.ammunition")
        yield ResourceSpent(who=blow.attacker.id, resource=blow.weapon.name, amount=amount, cites=cites)
