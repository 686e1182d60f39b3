"""What the game master confronts somebody with: a save or a check, and what comes of it (woa.save.*)."""

from typing import Any

from affray.engine.dialects.woa.classes.saves import (
    Saved,
    degree_of_save,
    graded_damage,
    least_and_most,
    saving_throw,
)
from affray.engine.dialects.woa.classes.skill_checks import called_check
from affray.engine.dialects.woa.conditions.gained_conditions import (
    CATEGORIES,
    DISTRESS,
    milder_condition,
    severity_ranks,
)
from affray.engine.dialects.woa.conditions.impeded_mobility import BONDS, CAUSES
from affray.engine.dialects.woa.damage.bleeding import open_wound, refuse_severity
from affray.engine.dialects.woa.damage.injury_causes import injury_by_hazard, refuse_unknown_part
from affray.engine.dialects.woa.defense.reflex_save_modifiers import place_on_reflex_save
from affray.engine.dialects.woa.opportunity.area_dodging import Area, area_parts, shield_takes
from affray.engine.dialects.woa.position import size_difference
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.record.other_fields import SAID, Under
from affray.engine.rules.damage.weapon_damage import amount_dealt, rolled_part
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.projections.state import Combatant

SHORT = {"Fortitude": "fort", "Reflex": "ref", "Will": "will"}
#: What is read of a hazard only where it says something else; its source may say which save it calls for.
UNDER: Under = {
    "dc": {"save|skill|source|condition": SAID},
    "damage_type": {"damage|save": SAID},
    "on_save": {"save|source": SAID, "damage|condition": SAID},
    **{key: {"save": ("", "ref"), "dc": SAID} for key in ("area", "edge", "missiles", "pit")},
    "unexpected": {"area|edge|missiles|pit": SAID},
    "cause": {"injury": SAID},
}


def hazard(fight: Fight, act: acts.Hazard) -> Steps[None]:
    """Confront somebody with a save or a check; great success and failure count.

    What the save is against may say which save it is (woa.save.types), and what calls for it sets its DC
    (woa.save.dc-source).
    """
    target = fight.combatant(act.target)
    rule = fight.rule("woa.save.when")
    if act.rider is not None:
        raise Refusal("no rule of this text says what poison and the like do after the save", rule)
    if act.bleeding:
        refuse_severity(fight, act.bleeding)
    if act.injury:
        refuse_unknown_part(fight, act.injury)
    if act.skill and (yield from called_check(fight, target, act.skill, act.dc, act.source)):
        return
    kind, cites = kind_of_save(fight, act)
    area = Area(act.edge, act.missiles, act.pit, act.unexpected)
    parts = area_parts(fight, target, area) if kind == "ref" and fills_area(act) else ()
    saved: Saved | None = None
    if kind:
        cites = (*cites, *fight.rules("woa.save.dc-source"))
        sized = size_difference.save_modifier_by_size(fight, target) if strikes_at_life(act) else ()
        if kind == "ref":
            place, rules = yield from place_on_reflex_save(fight, target, None, None, act.source)
            parts, cites = (*parts, *place), (*cites, *rules)
        saved = yield from saving_throw(
            fight, target, kind, act.dc, act.source, *cites, extra=(*parts, *sized)
        )
        yield from shield_takes(fight, target, parts, saved, act.source)
    harm = Harm(target, 0, act.damage_type, act.source)
    if act.damage and not (saved is not None and saved.success and act.on_save == "negates"):
        harm = yield from damage_by_hazard(fight, target, act, saved)
    if act.condition and "dead" not in target.conditions:
        yield from condition_by_hazard(fight, target, act, saved)
    if (saved is None or not saved.success) and "dead" not in target.conditions:
        if act.injury:
            yield from injury_by_hazard(fight, target, harm, act.injury, act.cause)
        if act.bleeding:
            yield from open_wound(fight, target, act.bleeding, act.source)


def fills_area(act: acts.Hazard) -> bool:
    """Say whether a hazard is an attack on an area, or a pit, which a shield is no help against."""
    return act.area or act.edge or act.missiles or act.pit


def kind_of_save(fight: Fight, act: acts.Hazard) -> tuple[Any, tuple[str, ...]]:
    """Return the kind of save that a hazard calls for, with the rule if what it is against decides."""
    if act.save or act.skill or not act.dc:
        return act.save, ()
    source = act.source.casefold()
    for row in fight.figure("woa.save.types"):
        if any(one in source or source in one for one in row["against"]):
            return SHORT[row["save"]], fight.rules("woa.save.types")
    return "", ()


def rule_granting_save(fight: Fight, saved: Saved | None) -> tuple[str, ...]:
    """Return the rule that grants a save against a hazard, none where it allows no save."""
    return fight.rules("woa.save.when") if saved is not None else ()


def damage_by_hazard(fight: Fight, target: Combatant, act: acts.Hazard, saved: Saved | None) -> Steps[Harm]:
    """Roll a hazard's damage and let the save grade it."""
    rolled = yield Roll("", "hazard", act.damage)
    amount, why, cites = rolled.total, "", rule_granting_save(fight, saved)
    if saved is not None and act.on_save in ("half", "partial"):
        least, most = least_and_most(act.damage)
        amount, why, cites = graded_damage(fight, saved, rolled.total, least, most)
    harm = Harm(target, amount, act.damage_type, act.source, energy=bool(act.damage_type))
    parts = rolled_part(harm, act.damage, rolled)
    yield amount_dealt(fight, harm, parts, *(cites or rule_granting_save(fight, saved)), why=why)
    yield from fight.dialect.damage.suffer(fight, harm)
    return harm


def condition_by_hazard(
    fight: Fight, target: Combatant, act: acts.Hazard, saved: Saved | None
) -> Steps[None]:
    """Give a hazard's condition: whole on a failure, milder on a success that leaves something.

    Superior success makes it milder still or takes it away, catastrophic failure worse; how, the game master
    says, with the ladder of such conditions for a guide (woa.save.superior-success, .catastrophic-failure).
    """
    condition, cites = act.condition, rule_granting_save(fight, saved)
    if saved is not None:
        how, why = degree_of_save(fight, saved)
        cites = (*cites, *why)
        if saved.success:
            if act.on_save != "partial":
                return
            condition = milder_condition(fight, condition)
            if how == "superior" and condition:
                options = tuple(
                    dict.fromkeys((milder_condition(fight, condition) or "nothing", "nothing", condition))
                )
                question = f"{act.source}: what does so good a save leave of {condition}?"
                answer = yield Choice("", "superior", question, options, why[0])
                condition = "" if answer == "nothing" else answer
        elif how == "catastrophic" and milder_condition(fight, condition, -1) == condition:
            cites = fight.rules("woa.save.when")  # nothing of its kind is worse
        elif how == "catastrophic":
            worse = milder_condition(fight, condition, -1)
            question = f"{act.source}: how bad is it for {target.id}?"
            condition = yield Choice("", "catastrophe", question, (worse, condition), why[0])
    if not condition:
        return
    if condition in DISTRESS:
        cites = (*cites, fight.rule("woa.condition.distress.causes"))
    if condition in BONDS:
        cites = (*cites, fight.rule(CAUSES))
    if condition in severity_ranks(fight) and any(
        one != condition for one in target.conditions if one in severity_ranks(fight)
    ):
        cites = (*cites, *rules_of_superseding(fight, target, condition))
    level = act.dc if condition in BONDS else 0
    fact = ConditionGained(
        who=target.id, condition=condition, source=act.source, level=max(0, level), cites=cites
    )
    yield from fight.dialect.conditions.gain(fight, fact)


def rules_of_superseding(fight: Fight, target: Combatant, condition: str) -> tuple[str, ...]:
    """Return the rule of categories if a condition meets another of its own."""
    known = severity_ranks(fight)
    mates = [one for one in target.conditions if known.get(one, ("", 0))[0] == known[condition][0]]
    return fight.rules(CATEGORIES) if any(one != condition for one in mates) else ()


def strikes_at_life(act: acts.Hazard) -> bool:
    """Say whether a hazard is poison, disease or the like, which the large withstand more easily."""
    kinds = {act.damage_type, act.rider.kind if act.rider is not None else ""}
    return not kinds.isdisjoint({"poison", "disease", "death", "energy drain"})
