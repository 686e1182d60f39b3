"""What automatic play does about its arms before it strikes: draw, pick up, load, and keep one in hand."""

from contextlib import suppress

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import SPIKES, strikes_in_melee
from affray.engine.rules.gear.let_go import UNLOADED, is_lost, pieces_left
from affray.engine.rules.gear.others_things import refuse_to_pick_up
from affray.engine.rules.turns.action_types import FULL_ROUND
from affray.engine.rules.turns.prohibitions import is_permitted
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def drawable(combatant: Combatant) -> str:
    """Return the name of a weapon that could be drawn, "" for none."""
    for weapon in combatant.sheet.weapons:
        lost = is_lost(combatant, weapon.name)
        drawn = weapon.wield not in ("natural", "unarmed") and weapon.table != SPIKES
        if drawn and weapon.name not in combatant.held and not lost:
            return weapon.name
    return ""


def idle_in_hand(fight: Fight, combatant: Combatant, held: list[Weapon]) -> Weapon | None:
    """Return the weapon in hand with which nothing can be done as it is: not loaded, or nothing to shoot.

    None with another one among those `held` that serves.
    """
    for weapon in held:
        loaded = combatant.items.get(weapon.name) != UNLOADED
        if strikes_in_melee(weapon) or (loaded and has_missiles(fight, combatant, weapon)):
            return None
    return held[0] if held else None


def loading_of(fight: Fight, combatant: Combatant, idle: Weapon, whole_round: bool) -> AnyAct | None:
    """Return how a weapon is made to shoot again, None where that cannot be or takes more than there is time.

    What takes the whole round to load is loaded only with a `whole_round` to spend.
    """
    if idle.wield != "projectile" or acts.Load not in fight.dialect.acts:
        return None
    emptied = fight.dialect.gear.refills(fight, combatant, idle)
    if not emptied and not (
        combatant.items.get(idle.name) == UNLOADED and has_missiles(fight, combatant, idle)
    ):
        return None
    act = acts.Load(actor=combatant.id, item=idle.name)
    slow = fight.dialect.turns.action_type(fight, combatant, act) == FULL_ROUND
    return act if (whole_round or not slow) and is_permitted(fight, act) else None


def has_missiles(fight: Fight, combatant: Combatant, weapon: Weapon) -> bool:
    """Say whether there is enough left to shoot with a weapon."""
    if weapon.ammunition is None:
        return True
    left = weapon.ammunition - combatant.resources.get(weapon.name, 0)
    return left >= fight.dialect.attacks.least_missiles(fight, weapon)


def within_grasp(fight: Fight, combatant: Combatant) -> str:
    """Return the name of a weapon that lies where it can be picked up, "" for none."""
    for weapon in combatant.sheet.weapons:
        if combatant.items.get(weapon.name) == "dropped" and weapon.name not in combatant.held:
            with suppress(Refusal):
                refuse_to_pick_up(fight, combatant, weapon.name, "")
                return weapon.name
    return ""


def can_spare(combatant: Combatant, weapon: Weapon) -> bool:
    """Say whether something to fight with is left once a weapon is thrown."""
    if weapon.wield == "natural" or not strikes_in_melee(weapon) or pieces_left(combatant, weapon.name) > 1:
        return True
    others = (one for one in combatant.sheet.weapons if one.name != weapon.name)
    return any(one.wield != "unarmed" and not is_lost(combatant, one.name) for one in others)
