"""What the game master says of light and shelter (srd35.light.levels, srd35.cover.improved)."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.srd35.environment.improved_cover import EVASION, IMPROVED
from affray.engine.dialects.srd35.senses import light
from affray.engine.dialects.srd35.senses.concealment import VEILED
from affray.engine.dialects.srd35.senses.hide import IMPROVED_COVER
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import SaveMade
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.engine.rules.environment.hazard_damage import LIQUIDS
from affray.engine.rules.gear.caltrops import SLOWLY
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

CONDITIONS = {
    "no daylight": light.UNLIT,
    "light": light.BEARING,
    "improved cover": IMPROVED_COVER,
    "veil": VEILED,
}


#: What the rule on each is, where it is not that on light.
TOPICS = {"improved cover": "srd35.cover.improved", "veil": "srd35.concealment.varying"}


#: Which dangers and settings have a degree, a direction, or ask for shoes.
HAVE_DEGREES = (*LIQUIDS, "no air", "wind", "water", "caltrops", "light", "improved cover", "veil")
HAVE_WAYS, HAVE_SHOES = ("wind", "light"), ("caltrops",)


def refuse_idle_words(fight: Fight, act: acts.Expose) -> None:
    """Refuse a degree, a direction or shoes where nothing asks for them."""
    for said, name, known in (
        (act.degree, "degree", HAVE_DEGREES),
        (act.way != (0, 0), "way", HAVE_WAYS),
        (act.shod, "shod", HAVE_SHOES),
    ):
        if said and act.to not in known:
            reason = f"{name!r} is said of {', '.join(known)}, not of {act.to}"
            raise Refusal(reason, fight.rule(topic_of(fight, act.to)))
    if act.to == "caltrops" and act.degree not in ("", SLOWLY):
        reason = f"the only degree of caltrops is {SLOWLY!r}, not {act.degree!r}"
        raise Refusal(reason, fight.rule(topic_of(fight, act.to)))


def topic_of(fight: Fight, name: str) -> str:
    """Return the topic of a danger's rule, or of what the game master may set."""
    danger = fight.dialect.environment.dangers.get(name)
    return TOPICS.get(name, light.LEVELS) if danger is None or name in TOPICS else danger.topic


def expose(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Set the light or the shelter that somebody has, or end that."""
    target, condition = fight.combatant(act.target), CONDITIONS[act.to]
    if not act.over:
        yield from SETTINGS[act.to](fight, target, act)
    elif condition in target.conditions:
        yield ConditionLost(who=target.id, condition=condition, why=f"out of the {act.to}")
    else:
        raise Refusal(f"{target.id} has no {act.to}", fight.rule(topic_of(fight, act.to)))


def give_improved_cover(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Say that what cover somebody has here is better than normal (srd35.cover.improved)."""
    rules = fight.rules(IMPROVED)
    yield ConditionGained(who=target.id, condition=IMPROVED_COVER, source=act.degree or "cover", cites=rules)


def give_concealment(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Say by how many percent somebody is concealed, more or less than normal (srd35.concealment.varying)."""
    if not act.degree.isdigit():
        reason = f"the degree of a veil is its miss chance in percent, not {act.degree!r}"
        raise Refusal(reason, fight.rule("srd35.concealment.varying"))
    rules = fight.rules("srd35.concealment.varying")
    yield ConditionGained(
        who=target.id, condition=VEILED, source="the place", level=int(act.degree), cites=rules
    )


SETTINGS: Mapping[str, Callable[[Fight, Combatant, acts.Expose], Steps[None]]] = {
    "no daylight": light.no_daylight,
    "light": light.carry_light,
    "improved cover": give_improved_cover,
    "veil": give_concealment,
}


def evade_behind_cover(
    fight: Fight,
    victim: Combatant,
    save: SaveMade,
    found: Spared,
) -> Spared:
    """Return what is left of damage after a save; improved cover that helped evades as well.

    srd35.cover.improved-evasion.
    """
    rule = fight.rule(IMPROVED)
    if save.kind != "ref" or save.on_save != "half" or not any(part.rule == rule for part in save.extra):
        return found
    left = 0 if save.succeeded else save.amount // 2
    return left, f"improved cover: {'no' if save.succeeded else 'half'} damage", fight.rules(EVASION)
