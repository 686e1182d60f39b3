"""Stunning Fist: fists that stun whoever fails to save."""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.classes.levels import character_level, class_level
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.immunities import OF_THE_BODY, is_immune
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, ResourceSpent
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Combatant

STUNNING = "stunning fist"
#: Whether a blow is meant to stun.
MEANT_TO_STUN: Final[Callable[[Blow], bool]] = attrgetter("intent.stunning")


def daily_uses(fight: Fight, combatant: Combatant) -> int:
    """Return how often a day somebody may try to stun.

    Once for every four levels; a monk once for every monk level and every four others.
    """
    monk = class_level(combatant, "monk")
    each = fight.figure("feat.stunning-fist", "levels_per_use")
    return int(monk + (character_level(combatant) - monk) // each)


def stunning_fist(fight: Fight, attacker: Combatant, blow: Blow) -> list[Any]:
    """Return the facts of a stunning attempt, declared before the attack roll and wasted by a miss.

    Refuses without an unarmed strike, more than once a round and beyond the uses of the day.
    """
    rule = refuse_without(fight, attacker, STUNNING)
    if blow.weapon.wield != "unarmed" or not blow.melee:
        raise Refusal("only an unarmed strike stuns", rule)
    if attacker.spent.get(STUNNING):
        raise Refusal(f"{attacker.id} has tried to stun this round", rule)
    uses = daily_uses(fight, attacker)
    if attacker.resources.get(STUNNING, 0) >= uses:
        raise Refusal(f"{attacker.id} has no Stunning Fist left of {uses} a day", rule)
    return [
        ActionSpent(who=attacker.id, kind=STUNNING, what=STUNNING, cites=(rule,)),
        ResourceSpent(who=attacker.id, resource=STUNNING, amount=1, cites=(rule,)),
    ]


def attempts_to_stun(fight: Fight, attacker: Combatant, blows: Sequence[Blow]) -> list[Any]:
    """Return the facts of the one blow of an attack that is to stun. Refuses more than one."""
    tried = list(filter(MEANT_TO_STUN, blows))
    if len(tried) > 1:
        raise Refusal(f"{attacker.id} tries to stun once a round", fight.rule("feat.stunning-fist"))
    return stunning_fist(fight, attacker, tried[0]) if tried else []


def daily_stuns(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield how often a day somebody with the feat may try to stun."""
    if has_feat(combatant, STUNNING):
        yield STUNNING, daily_uses(fight, combatant)


def stun(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After damage, let the struck save or be stunned until just before the attacker's next turn.

    Fortitude, DC 10 + half the attacker's level + Wisdom; nothing to whom criticals are nothing, to the
    unhurt, and to who was down already (srd35.feat.stunning-fist,
    pf1.feat.stunning-fist).
    """
    attacker, target = blow.attacker, blow.target
    if not standing or before == (target.hp, target.nonlethal, target.temporary):
        return
    topic = "feat.stunning-fist"
    rule = fight.rule(topic)
    if immune_to_criticals(fight, blow):
        cites = (rule, fight.rule("crit.immune"))
        yield RuleApplied(who=target.id, what=f"{target.id} cannot be stunned", cites=cites)
        return
    if (yield from is_immune(fight, target, "Stunning Fist", ("stunning", OF_THE_BODY))):
        return
    level = character_level(attacker)
    dc = fight.formula(topic, "dc") + level // 2 + ability_now(fight, attacker, "wis")
    saved = yield from saving_throw(fight, target, "fort", dc, "Stunning Fist", rule)
    if not saved:
        rounds = fight.figure(topic, "rounds")
        yield from fight.dialect.conditions.gain(
            fight,
            ConditionGained(
                who=target.id,
                condition="stunned",
                source=f"Stunning Fist of {attacker.id}",
                until=for_rounds(fight, attacker, rounds),
                cites=(rule,),
            ),
        )
