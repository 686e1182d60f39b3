"""Attack, full attack, fighting on the defensive, total defense."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import refuse_unless_allowed, spending
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, EffectGained, Until
from affray.projections.state import Combatant

TUMBLER = "trained tumbler"


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack as a standard action (srd35.attack-action.melee, .ranged).

    pf1.attack-action.melee.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, actor, "standard")
    weapon = find_weapon(fight, actor, act.weapon)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, weapon, "attack", thrown=act.thrown, nonlethal=act.nonlethal
    )
    if act.stunning:
        blow.intent = replace(blow.intent, stunning=True)
    pledged = fight.dialect.attacks.declared_feats(fight, actor, act, (blow,))
    topic = "attack-action.melee" if blow.melee else "attack-action.ranged"
    yield spending(fight, actor, "standard", "attack", fight.rule(topic))
    yield from pledged
    if act.defensively:
        yield from fight_defensively(fight, actor)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def deliver_planned(
    fight: Fight, actor: Combatant, act: acts.FullAttack, planned: Sequence[Blow | Attempt], first: list[Any]
) -> Steps[None]:
    """Tell the facts that come first, then deliver the planned blows in order while the attacker stands."""
    yield from first
    stood = actor.held, tuple(actor.conditions), actor.at
    places = []
    for each in planned:
        places.append((each.blow if type(each) is Attempt else each).target.at)
    for number, (one, blow) in enumerate(zip(act.strikes, planned, strict=True), 1):
        if actor.conditions and is_down(fight, actor):
            return
        target = blow.blow.target if type(blow) is Attempt else blow.target
        if "dead" in target.conditions:
            continue
        fight.scope = f"{actor.id}#{number}"
        if stood != (actor.held, tuple(actor.conditions), actor.at) or target.at != places[number - 1]:
            # What both did or met with in one attack may have made the next one impossible.
            kept = yield from fight.dialect.attacks.still_planned(fight, blow)
            if kept is None:
                continue
            blow = kept
        if type(blow) is Attempt:
            blow.name = f"{fight.declaration}#{number}"
            yield from fight.dialect.maneuvers.substitutes[one.special].carry_out(fight, blow)
        else:
            yield from fight.dialect.attacks.deliver(fight, blow, f"{fight.declaration}#{number}")
    fight.scope = ""


def trained_tumbler(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant is nimble enough to defend itself better than most: by its trait."""
    return has_trait(combatant, TUMBLER)


def fight_defensively(fight: Fight, combatant: Combatant) -> Iterator[EffectGained]:
    """Take -4 on all attacks of the round for +2 dodge to AC (srd35.attack-action.fight-defensively).

    pf1.attack-action.defensive.
    """
    topic = "attack-action.fight-defensively"
    until = Until("turn-start", combatant.id, fight.state.round + 1)
    rule = fight.rule(topic)
    dodge = "ac_dodge_trained" if fight.dialect.movement.nimble(fight, combatant) else "ac_dodge"
    for stat, path, kind in (("attack", "attack", "penalty"), ("defense", dodge, "dodge")):
        modifier = fight.modifier(topic, path, kind=kind, source="fighting defensively")
        yield EffectGained(
            who=combatant.id,
            id=f"{fight.declaration}:{stat}",
            stat=stat,
            modifier=modifier,
            until=until,
            cites=tuple(dict.fromkeys((rule, modifier.rule))),
        )


def total_defense(fight: Fight, act: acts.TotalDefense) -> Steps[None]:
    """Defend as a standard action: +4 dodge to AC for a round, no attacks of opportunity."""
    actor = fight.combatant(act.actor)
    rule = fight.rule("total-defense")
    dodge = "ac_dodge_trained" if fight.dialect.movement.nimble(fight, actor) else "ac_dodge"
    yield spending(fight, actor, "standard", "total defense", rule)
    until = Until("turn-start", actor.id, fight.state.round + 1)
    modifier = fight.modifier("total-defense", dodge, kind="dodge", source="total defense")
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:defense",
        stat="defense",
        modifier=modifier,
        until=until,
        cites=tuple(dict.fromkeys((rule, modifier.rule))),
    )
    yield ConditionGained(
        who=actor.id, condition="total-defense", source="total defense", until=until, cites=(rule,)
    )
