"""Who has whom in a grapple, how long the hold lasts, and how it ends (pf1.grapple.*, pf1.cond.grappled).

Both are "grappled", each by the other; who keeps it up is "holding" as well. The pinned and their pinners are
"pinned" and "pinning" besides.
"""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat, wielded_in_two_hands
from affray.engine.rules.conditions.condition_rules import come_over
from affray.engine.rules.position.line_of_effect import side_by_side
from affray.engine.rules.turns.action_budget import has_acted
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

GRAPPLED: Final = "grappled"
HOLDING: Final = "holding"
PINNED: Final = "pinned"
PINNING: Final = "pinning"
#: The condition of those in ropes; the number that its source ends with is the DC to get out.
TIED: Final = "tied up"
#: All that lasts between two who grapple, the greater before the lesser.
BETWEEN: Final = (PINNED, PINNING, HOLDING, GRAPPLED)
OPTIONS: Final = "pf1.grapple.options"
#: What a successful check allows besides keeping the hold.
WAYS: Final = ("maintain", "move", "damage", "pin", "tie-up", "swallow")
#: The maneuvers that being grappled does not hamper.
IN_A_GRAPPLE: Final = ("escape", "grapple")


def opponent_of(fight: Fight, combatant: Combatant) -> Combatant | None:
    """Return the one with whom a combatant grapples, None for nobody."""
    for name in (HOLDING, GRAPPLED):
        held = combatant.conditions.get(name)
        if held is not None:
            return fight.state.combatants.get(held.source)
    return None


def holds(grappler: Combatant, target: Combatant) -> bool:
    """Say whether a combatant keeps up a grapple with another."""
    held = grappler.conditions.get(HOLDING)
    return held is not None and held.source == target.id


def take_hold(
    fight: Fight,
    grappler: Combatant,
    target: Combatant,
    *cites: str,
    apart: bool = False,
    since: int | None = None,
) -> Steps[None]:
    """Have a combatant grapple another, from this round on or `since` an earlier one.

    If it keeps `apart`, it is not grappled itself (pf1.grab).
    """
    yield kept_up(fight, grappler, target, fight.state.round if since is None else since, *cites)
    both = ((target, grappler),) if apart else ((grappler, target), (target, grappler))
    for one, other in both:
        gained = (*cites, fight.rule("pf1.cond.grappled"))
        fact = ConditionGained(who=one.id, condition=GRAPPLED, source=other.id, cites=gained)
        yield from come_over(fight, fact)


def kept_up(fight: Fight, grappler: Combatant, target: Combatant, since: int, *cites: str) -> ConditionGained:
    """Return that a grapple is kept up until its holder's next turn ends; its level is when it began."""
    now = fight.state.round
    acting = fight.state.active == grappler.id or has_acted(fight, grappler)
    return ConditionGained(
        who=grappler.id,
        condition=HOLDING,
        source=target.id,
        until=Until("turn-end", grappler.id, now + acting),
        level=since,
        cites=cites,
    )


def end_grapple(fight: Fight, one: Combatant, other: Combatant, why: str, *cites: str) -> Steps[None]:
    """End all that lasts between two who grapple."""
    for each, opponent in ((one, other), (other, one)):
        for name in BETWEEN:
            held = each.conditions.get(name)
            if held is not None and held.source == opponent.id:
                yield ConditionLost(who=each.id, condition=name, why=why, cites=cites)


def lapse(fight: Fight, holder: Combatant, condition: str) -> Steps[None]:
    """End a grapple that was not maintained on its holder's turn (pf1.grapple.maintain)."""
    target = opponent_of(fight, holder)
    if target is not None:
        rule = fight.rule("pf1.grapple.maintain")
        yield from end_grapple(fight, holder, target, "is not maintained", rule)


def parted(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the grapple of a combatant that has been driven away from its opponent."""
    other = opponent_of(fight, combatant)
    if other is not None and not side_by_side(fight, combatant, other):
        rule = fight.rule("pf1.grapple.start")
        yield from end_grapple(fight, combatant, other, "driven apart", rule)


def release_hold(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the grapple of a holder that comes to lie at anybody's mercy, and of whoever has died."""
    other = opponent_of(fight, combatant)
    if other is not None and (HOLDING in combatant.conditions or "dead" in combatant.conditions):
        rule = fight.rule("pf1.grapple.maintain")
        yield from end_grapple(fight, combatant, other, "can hold nobody", rule)


def hands_are_held(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the grappled use nothing with both hands (pf1.cond.grappled); ("", "") for all else."""
    if GRAPPLED in blow.attacker.conditions and wielded_in_two_hands(blow.weapon):
        reason = f"{blow.attacker.id} is grappled and has no two hands for the {blow.weapon.name}"
        return reason, "pf1.cond.grappled"
    return "", ""


def spare_grapplers(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of a roll to grapple or escape: being grappled costs it nothing, helpers add to it.

    pf1.cond.grappled, pf1.grapple.several.
    """
    penalty, aid = fight.rule("pf1.cond.grappled"), fight.rule("pf1.aid-another")
    made = []
    for part in parts:
        if part.rule == penalty and part.kind == "penalty":
            part = replace(part, denied=f"not to {blow.intent.maneuver} ({penalty})")
        elif part.rule == aid:
            topic = "pf1.grapple.several"
            part = fight.modifier(topic, "per_helper", kind=part.kind, source=part.source)
        made.append(part)
    return made


def unseen_in_vain(fight: Fight, blow: Blow, found: tuple[int, str, str]) -> tuple[int, str, str]:
    """Return no chance to miss an invisible opponent in the grapple (pf1.cond.grappled)."""
    if "invisible" in blow.target.conditions and opponent_of(fight, blow.target) is blow.attacker:
        return 0, "", ""
    return found


def hard_to_find(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what invisibility gives a grappled creature: a little CMD against being grappled on."""
    topic = "pf1.cond.grappled"
    return [fight.modifier(topic, "invisible_cmd", kind="circumstance", source="invisible in the grapple")]


def maintaining_action(fight: Fight, grappler: Combatant) -> str:
    """Return the type of action that maintaining a grapple takes (pf1.feat.greater-grapple)."""
    return (
        "move"
        if has_feat(grappler, "greater grapple")
        else str(fight.figure("pf1.grapple.maintain", "action"))
    )


def action_of(fight: Fight, combatant: Combatant, act: acts.Grapple) -> str:
    """Return the type of action that it takes."""
    if act.what in ("rake", "release"):
        return "free"
    return maintaining_action(fight, combatant) if act.what in WAYS else "standard"
