"""Caltrops underfoot (srd35.gear.caltrops, pf1.gear.splash-ref)."""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.position.place import refuse_apart
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Refusal, Steps, judged
from affray.events.facts import acts
from affray.events.facts.combat import CheckResolved, ConditionGained, ConditionLost, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TOPIC = "gear.caltrops"
LAMED, HALTED = "lamed", "halted"
NOT_COUNTED = frozenset({"armor", "shield", "deflection"})
RUSHING = ("charging", "running")
CALTROP = Weapon("caltrop", "1", "piercing", "natural")

SLOWLY = "slowly"
"""How one picks one's way unharmed."""


def among_caltrops(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Enter caltrops or fight among them: they attack the feet, whatever protects the rest of the body.

    Shoes help. A hit deals 1 point and halves the speed; who charges or runs must stop. At half speed
    (`degree` "slowly") or slower one picks one's way unharmed.
    """
    rule = fight.rule(TOPIC)
    if act.degree == SLOWLY:
        yield RuleApplied(who=target.id, what="picks its way among the caltrops", cites=(rule,))
        return
    against = feet_defense(fight, target, act.shod)
    bonus = fight.modifier(TOPIC, "attack", kind="base", source="caltrops")
    dc = sum(part.value for part in against if not part.denied)

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + bonus.value
        return CheckResolved(
            who=target.id,
            check="caltrops",
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=total >= dc,
            parts=(bonus,),
            why="against its feet",
            cites=(rule,),
        )

    fact: CheckResolved = yield from judged("", "caltrops", judge)
    if not fact.success:
        return
    rushing = any(name in target.conditions for name in RUSHING)
    amount = fight.figure(TOPIC, "damage")
    yield from fight.dialect.damage.suffer(fight, Harm(target, amount, "piercing", "caltrops", cites=(rule,)))
    seconds = fight.figure("round.six-seconds", "seconds_per_round")
    rounds = fight.figure(TOPIC, "hours") * 3600 // seconds
    until = for_rounds(fight, target, rounds)
    yield ConditionGained(who=target.id, condition=LAMED, source="caltrops", until=until, cites=(rule,))
    if rushing:
        until = Until("turn-end", target.id, fight.state.round)
        yield ConditionGained(who=target.id, condition=HALTED, source="caltrops", until=until, cites=(rule,))


def feet_defense(fight: Fight, target: Combatant, shod: bool) -> list[Modifier]:
    """Return the parts of the Armor Class that protect a creature's feet."""
    blow = Blow(target, target, CALTROP, True, 0)
    parts = [
        replace(part, denied="caltrops go for the feet")
        if part.kind in NOT_COUNTED and part.value > 0
        else part
        for part in fight.dialect.defense.defense_bonus(fight, blow)
    ]
    if shod:
        parts.append(fight.modifier(TOPIC, "footwear", kind="armor", source="footwear"))
    return parts


def tend_feet(fight: Fight, act: acts.TendFeet) -> Steps[None]:
    """Treat pierced feet: a Heal check gives the speed back."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target or act.actor)
    rule = fight.rule(TOPIC)
    if LAMED not in target.conditions:
        raise Refusal(f"{target.id} is not lamed", rule)
    if target is not actor:
        refuse_apart(actor, target, rule)
    yield spending(fight, actor, "standard", "tend feet", rule)
    parts = skill_parts(fight, actor, "heal", "wis", rule)
    if (yield from check(fight, actor, "heal", parts, fight.figure(TOPIC, "heal_dc"), rule)):
        yield from walk_again(fight, target)


def walk_again(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Get the speed back: by a Heal check, or by a magical cure of a single point."""
    yield ConditionLost(who=combatant.id, condition=LAMED, why="feet treated", cites=(fight.rule(TOPIC),))
