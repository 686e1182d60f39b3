"""Things that stand by themselves and are broken, on the way to being ruined (pf1.object.ac)."""

from affray.engine.dialects.pf1.gear.broken import BROKEN, TOPIC, breaks
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.injury import AT_THE_START
from affray.engine.rules.damage.set_health import BY_WORD
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.projections.state import Combatant


def break_thing(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Let a thing be broken whose damage leaves it half its hit points or less."""
    yield from broken_at_half(fight, target, harm.source)


def break_at_half(fight: Fight, target: Combatant, before: int) -> Steps[None]:
    """Let a thing be broken whose hit points the game master has set to half of all or less."""
    yield from broken_at_half(fight, target, BY_WORD)


def start_broken(fight: Fight, act: acts.Enter) -> Steps[None]:
    """Let a thing be broken that enters with half its hit points or less."""
    newcomer = fight.combatant(act.id)
    if newcomer.sheet.thing is not None:
        yield from broken_at_half(fight, newcomer, AT_THE_START)


def broken_at_half(fight: Fight, thing: Combatant, source: str) -> Steps[None]:
    """Let a thing be broken that has half its hit points or less, and is neither broken nor ruined.

    pf1.object.ac, pf1.sunder, pf1.cond.broken.
    """
    gone = BROKEN in thing.conditions or "dead" in thing.conditions
    if not gone and breaks(fight, thing.hp, thing.max_hp):
        cites = fight.rules(TOPIC, "pf1.object.ac")
        yield ConditionGained(who=thing.id, condition=BROKEN, source=source, cites=cites)


def refuse_start_broken(fight: Fight, act: acts.Enter) -> None:
    """Refuse an entry as broken: a thing is so by its hit points, a weapon or armor by its trait."""
    if BROKEN in act.conditions:
        reason = f"{act.id} cannot enter broken: a thing is so by its hit points, gear by a trait"
        raise Refusal(reason, fight.rule(TOPIC))
