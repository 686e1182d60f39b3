"""Checks without a die, and checks made easier or harder (srd35.check.take-10-20, .circumstance)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import NEXT_CHECK
from affray.engine.rules.opportunity.threatened_squares import endangers
from affray.engine.rules.turns.action_budget import has_acted
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

CHECK, DC = CHANGES = ("check", "dc")
"""What a circumstance may change: the check itself, or its DC."""


def number_taken(fight: Fight, combatant: Combatant, number: int, what: str) -> Steps[int]:
    """Return the steps that settle with which number a check is made; 0 means with a die.

    Refuses to take 10 while threatened and to take 20 in a fight, which takes twenty times as long. What
    distracts otherwise is the game master's to say: then the die is rolled (srd35.check.take-10-20).
    """
    topic = "srd35.check.take-10-20"
    rule = fight.rule(topic)
    if number == fight.figure(topic, "twenty"):
        times = fight.figure(topic, "times_as_long")
        raise Refusal(f"to take {number} on {what} takes {times} times as long, which no fight allows", rule)
    if number not in (0, fight.figure(topic, "ten")):
        raise Refusal(f"nobody takes {number} on a check", rule)
    if number and any(endangers(fight, enemy, combatant) for enemy in fight.enemies(combatant)):
        raise Refusal(f"{combatant.id} is threatened and cannot take {number}", rule)
    return ask_whether_distracted(fight, combatant, number, what)


def ask_whether_distracted(fight: Fight, combatant: Combatant, number: int, what: str) -> Steps[int]:
    """Ask whether the fight distracts from a check on which a combatant would take 10; return the number."""
    if not number:
        return 0
    rule = fight.rule("srd35.check.take-10-20")
    question = f"{combatant.id} would take {number} on {what}: does the fight distract?"
    answer = yield Choice("", "distracted", question, ("distracted", "calm"), rule)
    calm = bool(answer == "calm")
    said = f"takes {number} on {what}" if calm else f"is distracted and has to roll for {what}"
    yield RuleApplied(who=combatant.id, what=f"{combatant.id} {said}", cites=(rule,))
    return number if calm else 0


def circumstance(fight: Fight, act: acts.Circumstance) -> Steps[None]:
    """Let the game master find something that makes a combatant's next check easier or harder by 2.

    As a modifier of the check or, to the same effect, of its DC (srd35.check.circumstance).
    """
    topic = "srd35.check.circumstance"
    rule = fight.rule(topic)
    actor = fight.combatant(act.target)
    path = ("dc", int(act.hampers)) if act.changes == DC else ("check", int(act.hampers))
    part = fight.modifier(topic, *path, kind="circumstance", source=act.why or "circumstances")
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{NEXT_CHECK}",
        stat=NEXT_CHECK if act.changes == CHECK else f"{NEXT_CHECK}-dc",
        modifier=part,
        until=Until("turn-end", actor.id, fight.state.round + has_acted(fight, actor)),
        uses=1,
        cites=(rule,),
    )
