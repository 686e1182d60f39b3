"""Implement maneuvers in place of attacks: in a full attack, after a charge, as an opportunity.

woa.attack.in-place-of-attack; each maneuver determines what it may replace, and with which feat.
"""

from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt
from affray.engine.rules.classes.sheets import has_feat, has_trait, nature_among
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Effects of feats and traits on maneuvers (woa.maneuver.ac-special, .roll-modifiers)

#: The traits: "stability +4 vs trip, push" resists, "maneuver +2 vs disarm" helps; "vs all" covers every
#: maneuver.
STABILITY, MANEUVER = "stability", "maneuver"


def bonus_to_resist(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the bonus of a target's trait to its AC against this maneuver (woa.maneuver.ac-special)."""
    value = number_for_maneuver(blow, detail)
    if value:
        yield Modifier(value, "racial", STABILITY, fight.rule("woa.maneuver.ac-special"))


def bonus_to_maneuver(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the bonus of an attacker's feat or trait to this check (woa.maneuver.roll-modifiers)."""
    value = number_for_maneuver(blow, detail)
    if value:
        yield Modifier(
            value, "feat", f"better at {blow.intent.maneuver}", fight.rule("woa.maneuver.roll-modifiers")
        )


def number_for_maneuver(blow: Blow, detail: str) -> int:
    """Return the number in a detail such as "+4 vs trip, push" for an attack, 0 for other maneuvers."""
    number, _, names = detail.partition(" vs ")
    named = [name.strip() for name in names.split(",")]
    if not blow.intent.maneuver or not ({blow.intent.maneuver, "all"} & set(named)):
        return 0
    return int(number) if number.lstrip("+-").isdigit() else 0


#: The feats that let a maneuver replace any melee attack.
STRIKES = {"trip": "tripping strike", "disarm": "disarming strike", "sunder": "sundering strike"}
#: Rules that depend on the attacker's square, which a charger has not reached yet.
PLACE = ("woa.attack.melee-reach", "woa.attack.reach-weapons", "woa.cover.total")


def refuse_instead(
    fight: Fight, attacker: Combatant, target: Combatant, name: str, kind: str, topic: str
) -> None:
    """Refuse a maneuver in place of an attack without the feat for it.

    As a standard action ("attack") it needs none, and neither does a trip if the spaces overlap
    (woa.maneuver.trip.action-cost, woa.disarm.action, woa.maneuver.sunder.action-cost).
    """
    if kind == "attack" or has_feat(attacker, STRIKES[name]):
        return
    if name == "trip" and distance(attacker, target) == 0:
        return
    raise Refusal(f"to {name} is a standard action without {STRIKES[name].title()}", fight.rule(topic))


def maneuver_for_attack(
    fight: Fight, attacker: Combatant, target: Combatant, special: str, weapon: str, item: str, kind: str
) -> Blow:
    """Return the attack of a maneuver in place of an attack. Refuse impossible ones."""
    plan = fight.dialect.maneuvers.substitutes[special]
    planned = plan.prepare(fight, attacker, target, weapon, item, kind)
    blow = planned.blow
    blow.intent = replace(blow.intent, item=planned.item)
    return blow


def carry_out(fight: Fight, blow: Blow) -> Steps[bool]:
    """Make a maneuver in place of an attack; return whether it succeeded."""
    plan = fight.dialect.maneuvers.substitutes[blow.intent.maneuver]
    yield RuleApplied(
        who=blow.attacker.id,
        what=f"{blow.intent.maneuver} in place of an attack",
        cites=fight.rules(plan.topic, *plan.listed),
    )
    return (yield from plan.carry_out(fight, Attempt(blow, blow.intent.item, name=fight.declaration)))


def refuse_impossible_end_of_charge(
    fight: Fight, attacker: Combatant, target: Combatant, special: str, weapon: str, item: str
) -> None:
    """Refuse a charge ending in a maneuver that could not be made from any square."""
    try:
        maneuver_for_attack(fight, attacker, target, special, weapon, item, "charge")
    except Refusal as refusal:
        if refusal.rule not in fight.rules(*PLACE):
            raise


def maneuvers_for_opportunity(fight: Fight, enemy: Combatant, mover: Combatant) -> tuple[str, ...]:
    """Return the maneuvers that may replace an attack of opportunity."""
    feats = enemy.sheet.feats
    if distance(enemy, mover) and not any(feat in feats for feat in STRIKES.values()):
        return ()
    names = []
    for name, plan in fight.dialect.maneuvers.substitutes.items():
        with suppress(Refusal):
            plan.prepare(fight, enemy, mover, "", "", "opportunity")
            names.append(name)
    return tuple(names)


# --- Targets that cannot be tripped, and stable ones (woa.maneuver.trip.immune-creatures, .stability-bonus)

#: Kinds of creature, and the trait, that cannot be brought down.
FOOTLESS = frozenset({"ooze", "snake"})

UNTRIPPED = "cannot be tripped"


def is_immune_to_tripping(target: Combatant) -> bool:
    """Return whether a creature cannot be knocked prone: snakes, oozes and the like."""
    return bool(nature_among(target, FOOTLESS)) or has_trait(target, UNTRIPPED)


def stability(fight: Fight, target: Combatant, topic: str) -> list[Modifier]:
    """Return the AC bonus for more than two legs, or for a stance more stable than a humanoid's."""
    many = target.sheet.legs > fight.figure(topic, "legs_over")
    if not many and not has_trait(target, "stable"):
        return []
    source = f"{target.sheet.legs} legs" if many else "stable"
    return [fight.modifier(topic, "ac", kind="stability", source=source)]
