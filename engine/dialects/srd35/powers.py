"""Points of srd35 in which turning and class abilities have a part beside the shared steps."""

from affray.engine.fight import Fight
from affray.engine.rules import actions, flow, hold, monk, paladin, rage, turned
from affray.engine.rules.blow import Blow
from affray.engine.rules.sneak_attack import look_for_opening
from affray.engine.steps import Steps
from affray.events.facts.acts import Act, FullAttack
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def permit(fight: Fight, act: Act) -> None:
    """Refuse what a grapple, a flight, a command or rage forbids."""
    hold.permit(fight, act)
    turned.permit(fight, act)
    rage.permit(fight, act)


def reactions(fight: Fight, blow: Blow) -> Steps[None]:
    """Settle before the roll whom a blow strikes, what it smites or breaks, what opening it finds."""
    yield from hold.into_grapple(fight, blow)
    if blow.target.conditions:
        yield from turned.before_blow(fight, blow)
    if blow.attacker.effects:
        yield from paladin.smite(fight, blow)
    look_for_opening(fight, blow)


def full_attacks(fight: Fight, who: Combatant, act: FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a full attack allows, in order; a flurry has more of them."""
    return monk.flurry(fight, who, act) if act.flurry else actions.full_attacks(fight, who, act)


def open_turn(fight: Fight, who: Combatant) -> Steps[None]:
    """Begin a turn: rage may wear off, and who is turned looks for a way to flee."""
    raging = rage.RAGING in who.conditions
    yield from flow.open_turn(fight, who)
    if raging and rage.RAGING not in who.conditions:
        yield from rage.wear_off(fight, who)
    if "turned" in who.conditions:
        yield from turned.cower_or_flee(fight, who)
