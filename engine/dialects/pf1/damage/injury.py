"""What Pathfinder does differently about injury: death, massive damage, stabilizing, nonlethal damage."""

from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions.bleed import BLEED
from affray.engine.dialects.pf1.damage.healing import regenerates
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered, score_now
from affray.engine.rules.classes.saves_and_checks import check_parts, fails_unrolled
from affray.engine.rules.damage.injury import change_health, lose_one
from affray.engine.rules.damage.last_stand import acts_on
from affray.engine.rules.damage.plain import NEVER
from affray.engine.steps import Steps, altered, judged
from affray.events.facts.combat import CheckResolved, ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The state in which Diehard lets one act below 0 hit points (pf1.feat.diehard).
ON_ITS_FEET: Final = "staggered"


def death_at(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points at which a combatant is dead: minus the Constitution score (pf1.hp.dead).

    The other reading of `death_line` is -10. Without a Constitution score it is 0.
    """
    if fight.option("death_line") == "minus-ten":
        return int(fight.figure("pf1.hp.dead", "minus_ten"))
    return -(score_now(fight, combatant, "con") or 0)


def cite_death_line(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Tell which reading of the death line decided, where they differ (pf1.hp.dead, death_line)."""
    if regenerates(target):
        if target.hp <= -(score_now(fight, target, "con") or 0):
            cites = fight.rules("pf1.regeneration")
            yield RuleApplied(who=target.id, what="cannot die as long as regeneration works", cites=cites)
        return
    lines = (-(score_now(fight, target, "con") or 0), int(fight.figure("pf1.hp.dead", "minus_ten")))
    if min(lines) < target.hp <= max(lines):
        reading = fight.option("death_line")
        cites = fight.rules("pf1.hp.dead", "pf1.injury.dead")
        yield RuleApplied(who=target.id, what=f"death_line: {reading}", cites=cites)


def massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return the damage of one attack that calls for a save: half the total, at least 50."""
    topic = "injury.massive-damage"  # pf1.injury.massive-damage
    share = -(-victim.max_hp // int(fight.figure(topic, "share")))
    return max(int(fight.figure(topic, "least")), share)


def nonlethal_limit(fight: Fight, victim: Combatant) -> int | None:
    """Return the tally at which nonlethal damage turns lethal: maximum hit points (pf1.nonlethal).

    None with regeneration: it only piles up.
    """
    return None if victim.sheet.regeneration else victim.max_hp


def resists_death(
    fight: Fight, victim: Combatant, name: str, topic: str, why: str, *cites: str
) -> Steps[bool]:
    """Make the Constitution check of one below 0 hit points and say whether it succeeds.

    DC 10 with the negative hit points as a penalty; a natural 20 succeeds (pf1.injury.stabilize,
    pf1.injury.recover-tended, pf1.injury.recover-alone).
    """
    rule = fight.rule(topic)
    own = (
        Modifier(ability(victim.sheet, "con"), "ability", "Constitution", rule),
        *lowered(fight, victim, "con"),
        Modifier(min(0, victim.hp), "penalty", "negative hit points", rule),
    )
    tally = fight.dialect.attacks.stack(fight, check_parts(fight, victim, name, own, "ability-check"))
    dc = int(fight.figure(topic, "dc"))

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + tally.total
        return CheckResolved(
            who=victim.id,
            check=name,
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=natural == 20 or total >= dc,
            parts=tally.parts,
            why="a natural 20" if natural == 20 else why,
            cites=(rule, *cites),
        )

    fact: CheckResolved = yield from judged(victim.id, name, judge)
    return fact.success


def bleed_out(fight: Fight, victim: Combatant) -> Steps[None]:
    """At the start of a dying combatant's turn: a Constitution check or 1 hit point lost.

    Bleeding fails the check without a roll, and adds its own damage (pf1.injury.stabilize).
    """
    topic = "pf1.injury.stabilize"
    if BLEED in victim.conditions:
        cites = fight.rules(topic, "pf1.cond.bleed")
        dc = int(fight.figure(topic, "dc"))
        yield fails_unrolled(victim, "stabilize", dc, "bleeding fails it", *cites)
        stabilized = False
    else:
        cites = fight.rules("pf1.cond.dying")
        stabilized = yield from resists_death(fight, victim, "stabilize", topic, "to stabilize", *cites)
    if stabilized:
        yield from change_health(fight, victim, "stable", "stabilized", topic)
    else:
        yield from lose_one(fight, victim, "dying", "injury.dying", "loss_per_round")  # pf1.injury.dying


def disabled_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is disabled (pf1.hp.disabled: 0)."""
    return int(fight.figure("pf1.hp.disabled", "hit_points"))


def dying_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying (pf1.hp.dying: -1)."""
    return int(fight.figure("pf1.hp.dying", "hit_points"))


def loss_topics(harm: Harm, hp: int, absorbed: int) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    pf1.damage.reduces-hp, pf1.nonlethal, pf1.temp-hp.
    """
    lent = ("pf1.temp-hp",) if absorbed else ()
    return ("pf1.nonlethal" if harm.nonlethal else "pf1.damage.reduces-hp", *lent)


#: The thresholds of hit points that bring about a state.
THRESHOLDS = {"disabled": "pf1.hp.disabled", "dying": "pf1.hp.dying"}


def cite_threshold(
    fight: Fight, target: Combatant, before: int, harm: Harm, injuring: Steps[None]
) -> Steps[None]:
    """Cite the threshold that brings about a state by damage (pf1.hp.disabled, pf1.hp.dying)."""

    def cited(fact: Any) -> Any:
        if not isinstance(fact, ConditionGained) or fact.condition not in THRESHOLDS:
            return fact
        return replace(fact, cites=(*fact.cites, fight.rule(THRESHOLDS[fact.condition])))

    return altered(injuring, cited)


def refuses_to_die(fight: Fight, target: Combatant) -> bool:
    """Say whether the regeneration of a combatant keeps it from death (pf1.regeneration)."""
    return regenerates(target)


def never_dead(fight: Fight, combatant: Combatant) -> int:
    """Return hit points that nothing comes down to: it cannot die as long as it regenerates."""
    return -NEVER


def undying(fight: Fight, combatant: Combatant) -> str:
    """Return the topic of the rule by which a combatant cannot die now; "" if it can (pf1.regeneration)."""
    return "pf1.regeneration" if regenerates(combatant) else ""


def strain_below_zero(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a standard action cost a hit point whom Diehard alone keeps on its feet (pf1.feat.diehard)."""
    if acts_on(combatant, ON_ITS_FEET) and combatant.spent.get("standard"):
        yield from lose_one(fight, combatant, "strain", "pf1.feat.diehard", "strain")
