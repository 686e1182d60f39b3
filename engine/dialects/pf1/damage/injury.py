"""What Pathfinder does differently about injury: death, massive damage, stabilizing, nonlethal damage."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.damage.injury import change_health, lose_one
from affray.engine.steps import Steps, judged
from affray.events.facts.combat import CheckResolved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def death_at(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points at which a combatant is dead: minus the Constitution score (pf1.hp.dead).

    The other reading of `death_line` is -10. Without a Constitution score it is 0.
    """
    if fight.option("death_line") == "minus-ten":
        return int(fight.figure("pf1.hp.dead", "minus_ten"))
    return -(combatant.sheet.abilities.con or 0)


def cite_death_line(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Tell which reading of the death line decided, where they differ (pf1.hp.dead, death_line)."""
    lines = (-(target.sheet.abilities.con or 0), int(fight.figure("pf1.hp.dead", "minus_ten")))
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
    """Return the tally at which nonlethal damage turns lethal: maximum hit points (pf1.nonlethal)."""
    return victim.max_hp


def bleed_out(fight: Fight, victim: Combatant) -> Steps[None]:
    """At the start of a dying combatant's turn: a Constitution check or 1 hit point lost.

    DC 10 with the negative hit points as a penalty; a natural 20 succeeds (pf1.injury.stabilize).
    """
    topic = "pf1.injury.stabilize"
    rule = fight.rule(topic)
    parts = (
        Modifier(ability(victim.sheet, "con"), "ability", "Constitution", rule),
        Modifier(victim.hp, "penalty", "negative hit points", rule),
    )
    dc = int(fight.figure(topic, "dc"))

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + sum(part.value for part in parts)
        return CheckResolved(
            who=victim.id,
            check="stabilize",
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=natural == 20 or total >= dc,
            parts=parts,
            why="a natural 20" if natural == 20 else "to stabilize",
            cites=fight.rules(topic, "pf1.cond.dying"),
        )

    fact: CheckResolved = yield from judged(victim.id, "stabilize", judge)
    if fact.success:
        yield from change_health(fight, victim, "stable", "stabilized", topic)
    else:
        yield from lose_one(fight, victim, "dying", "injury.dying", "loss_per_round")  # pf1.injury.dying
