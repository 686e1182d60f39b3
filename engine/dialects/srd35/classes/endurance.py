"""Endurance and Diehard (srd35.feat.endurance-diehard)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.damage.injury import change_health
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC = "srd35.feat.endurance-diehard"


def endurance_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return what Endurance adds where exertion, breath or the surroundings wear one down."""
    if not has_feat(combatant, "endurance"):
        return []
    return [fight.modifier(TOPIC, "endurance", kind="feat", source="Endurance")]


def last_stand(fight: Fight, target: Combatant, source: str) -> Steps[bool]:
    """Let a combatant with Diehard stay on its feet below 0 hit points; return whether that settled it.

    It decides at once: to act on as the disabled do, each standard action at the price of a hit point, or
    to fall, stable by itself.
    """
    if not has_feat(target, "diehard"):
        return False
    rule = fight.rule(TOPIC)
    if "disabled" in target.conditions and target.conditions["disabled"].source == "Diehard":
        return True
    question = f"{target.id} is at {target.hp} hit points: does it act on?"
    if (yield Choice(target.id, "diehard", question, ("act", "fall"), rule)) == "act":
        yield from change_health(fight, target, "disabled", "Diehard", TOPIC)
        return True
    yield RuleApplied(who=target.id, what="stabilizes by itself", cites=(rule,))
    yield from change_health(fight, target, "unconscious", source, "srd35.injury.dying")
    yield from change_health(fight, target, "stable", "Diehard", TOPIC)
    return True
