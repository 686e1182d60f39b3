"""What a called shot does when it hits: the part is injured, a caster is jarred (woa.called-shot.effect)."""

from affray.engine.blow import Blow, Harm
from affray.engine.dialects.woa.damage.injury_causes import CALLED, random_injury
from affray.engine.fight import Fight
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

JARRED = "jarred"


def injures(fight: Fight, blow: Blow, harm: Harm, before: int) -> Steps[None]:
    """Injure the part that a called shot has hit, and jar a caster (woa.called-shot.effect, .concentration).

    Half of the hit points that the target had make it worse (woa.injury.roll.called-shot-massive).
    """
    target = blow.target
    if "dead" in target.conditions:
        return
    extra: tuple[Modifier, ...] = ()
    if harm.amount * 2 >= before:
        topic = "injury.roll.called-shot-massive"
        extra = (fight.modifier(topic, "modifier", kind="circumstance", source="massive called shot"),)
    if JARRED not in target.conditions and "disturbed" in target.conditions:
        yield from jar(fight, target, blow.part)
    topic = "injury.cause.called-shot"
    topics = (topic, "called-shot.effect", "called-shot.injury-source")
    yield from random_injury(fight, target, harm, topics, CALLED, blow.part, *extra)


def jar(fight: Fight, target: Combatant, part: str) -> Steps[None]:
    """Remember a blow at a part that casting needs: the head, or the arm or hand that casts."""
    topic = "called-shot.concentration"
    named = [str(one).split()[0] for one in fight.figure(topic, "parts")[:1]]
    rule = fight.rule(topic)
    if part in ("arm", "hand"):
        question = f"is the {part} that was struck the one with which {target.id} casts?"
        if (yield Choice("", "casting-hand", question, ("yes", "no"), rule)) != "yes":
            return
    elif part not in named:
        return
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(who=target.id, condition=JARRED, source=part, until=until, cites=(rule,))


def jarred(fight: Fight, who: Combatant, spell: Spell) -> list[Modifier]:
    """Return what a called shot at a part that the spell needs costs the concentration check."""
    held = who.conditions.get(JARRED)
    if held is None or (held.source in ("arm", "hand") and "somatic" not in spell.components):
        return []
    source = f"struck at the {held.source}"
    return [fight.modifier("called-shot.concentration", "penalty", kind="penalty", source=source)]
