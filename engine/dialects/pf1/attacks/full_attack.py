"""How a full attack begins in pf1: its action, Rapid Shot, Manyshot (pf1.full-attack, pf1.feat.*)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks.cleave import begin_cleave
from affray.engine.dialects.pf1.attacks.pledges import MELEE, pledge, traded
from affray.engine.dialects.pf1.attacks.vital_strike import VITAL, declare_vital_strike
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.full_attack import full_attack_in_parts, rapid_shot, refuse_no_shot
from affray.engine.rules.attacks.stunning_fist import attempts_to_stun
from affray.engine.rules.attacks.whirlwind_attack import whirlwind_strikes
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.turns.action_budget import is_open
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent
from affray.projections.state import Combatant

MANYSHOT: Final = "manyshot"


def full_attack(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Return the steps of all attacks of a full attack, or of a part of it (pf1.full-attack).

    By Whirlwind Attack those are one at each opponent in reach (pf1.feat.whirlwind).
    """
    actor = fight.combatant(act.actor)
    if act.whirlwind:
        act = whirlwind_strikes(fight, actor, act)
    return full_attack_in_parts(fight, actor, act)


def spend_full_round(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> tuple[ActionSpent]:
    """Spend the full-round action of a full attack (pf1.full-attack, pf1.action.full-round)."""
    feat = ("pf1.feat.whirlwind",) if act.whirlwind else ()
    cites = fight.rules("pf1.full-attack", "pf1.action.full-round", *feat)
    return (ActionSpent(who=actor.id, kind="full-round", what="full attack", cites=cites),)


def shoot_rapidly(
    fight: Fight, actor: Combatant, act: acts.FullAttack, second: str, attacks: int
) -> Iterator[EffectGained]:
    """Take what Rapid Shot costs off all attacks of the full attack (pf1.feat.rapid-shot)."""
    yield rapid_shot(fight, actor, Until("turn-end", actor.id, fight.state.round))


def declare_feats(fight: Fight, actor: Combatant, act: Any, blows: Sequence[Blow]) -> list[Any]:
    """Return the facts of what is declared with an attack, to be told once its action is spent.

    What is traded, a fist that stuns, a cleaving or vital attack. Refuses what the attacker cannot declare; a
    full attack with a bow begins with two arrows by Manyshot, if there are so many (pf1.feat.rapid-shot,
    pf1.feat.manyshot). `blows` are those that are meant.
    """
    if isinstance(act, acts.Charge):
        return [traded(fight, actor, "power attack", act.power, MELEE)] if act.power else []
    facts: list[Any] = [*pledge(fight, actor, act.power, act.expertise, blows)]
    facts += attempts_to_stun(fight, actor, blows)
    if not isinstance(act, acts.FullAttack):
        if act.feat == VITAL:
            declare_vital_strike(fight, actor, blows[0])
        elif act.feat:
            facts += begin_cleave(fight, actor, act.feat, blows[0])
        return facts
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
    return facts


def spend_further_arrows(fight: Fight, blow: Blow) -> Steps[None]:
    """Take the arrows that fly along with the first from the quiver (pf1.feat.manyshot)."""
    if blow.weapon.ammunition is not None:
        amount, cites = blow.intent.arrows - 1, fight.rules("pf1.feat.manyshot", "weapon.ammunition")
        yield ResourceSpent(who=blow.attacker.id, resource=blow.weapon.name, amount=amount, cites=cites)
