"""Dodging what fills an area: shields, deflection, the edge of it, pits (woa.save.shield-*)."""

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.dialects.woa.classes.saves import Saved
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


class Area(Struct, frozen=True):
    """How an attack comes that a Reflex save is to avoid.

    It fills an area or (`edge`) only part of the saver's space; hurls physical `missiles`; is a `pit` or the
    like to fall into; comes `unexpected`.
    """

    edge: bool = False
    missiles: bool = False
    pit: bool = False
    unexpected: bool = False


def area_parts(fight: Fight, combatant: Combatant, area: Area) -> tuple[Modifier, ...]:
    """Return what counts on a Reflex save against an area, what does not marked with the reason.

    The shield, for whoever expects the attack and can react, but not against falling; deflection against
    what is hurled; the edge of the area (woa.save.shield-bonus-reflex, .shield-bonus-denied,
    .shield-not-vs-falling, .deflection-bonus-reflex, .edge-of-area).
    """
    parts = []
    denied, topic = shield_denied(fight, combatant, area)
    for bonus in combatant.sheet.armor:
        source = bonus.source or bonus.kind
        if bonus.kind == "shield":
            rule = fight.rule(topic)
            parts.append(Modifier(bonus.value, "shield", source, rule, denied))
        elif bonus.kind == "deflection" and area.missiles:
            rule = fight.rule("woa.save.deflection-bonus-reflex")
            parts.append(Modifier(bonus.value, "deflection", source, rule))
    if area.edge:
        topic = "woa.save.edge-of-area"
        parts.append(fight.modifier(topic, "reflex_bonus", kind="circumstance", source="edge of the area"))
    return tuple(parts)


def shield_denied(fight: Fight, combatant: Combatant, area: Area) -> tuple[str, str]:
    """Return why a shield is no help, "" when it is, and the topic of the rule that decides."""
    if area.pit:
        return "no shield keeps from falling", "woa.save.shield-not-vs-falling"
    topic = "woa.save.shield-bonus-denied"
    if area.unexpected or (not combatant.aware and not combatant.acted):
        return "not expected: shield bonus denied", topic
    stiff = next((name for name in combatant.conditions if not rule_of(fight, name).dexterity), "")
    return (f"{stiff}: shield bonus denied", topic) if stiff else ("", "woa.save.shield-bonus-reflex")


def shield_takes(
    fight: Fight, combatant: Combatant, parts: Sequence[Modifier], saved: Saved, what: str
) -> Steps[None]:
    """Let the shield suffer what it kept off: the save succeeded by its bonus only.

    woa.save.shield-takes-effect
    """
    shield = next((one for one in parts if one.kind == "shield" and not one.denied), None)
    if shield is None or not saved.success or saved.margin < 0 or saved.margin >= shield.value:
        return
    yield RuleApplied(
        who=combatant.id,
        what=f"the {shield.source} made the difference and takes the effect of {what}",
        cites=fight.rules("woa.save.shield-takes-effect"),
    )
