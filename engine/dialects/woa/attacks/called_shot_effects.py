"""What a called shot does when it hits: the part is injured, a caster is jarred (woa.called-shot.effect)."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

JARRED = "jarred"


def note_jarring_blow(fight: Fight, target: Combatant, part: str) -> Steps[None]:
    """Remember a blow at a part that casting needs: the head, or the arm or hand that casts."""
    topic = "woa.called-shot.concentration"
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


def concentration_of_jarred(fight: Fight, combatant: Combatant, spell: Spell) -> list[Modifier]:
    """Return what a called shot at a part that the spell needs costs the concentration check."""
    held = combatant.conditions.get(JARRED)
    if held is None or (held.source in ("arm", "hand") and "somatic" not in spell.components):
        return []
    source = f"struck at the {held.source}"
    return [fight.modifier("woa.called-shot.concentration", "penalty", kind="penalty", source=source)]
