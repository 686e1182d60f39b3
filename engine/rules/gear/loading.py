"""Weapons that must be loaded before each shot: crossbows, slings and the like.

srd35.weapons.reload, pf1.actions-table.move, futurepath.action.load-weapon.move, woa.items.manipulate-move.
"""

from collections.abc import Iterable
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.gear.held_weapons import wants_loading
from affray.engine.rules.gear.let_go import UNLOADED
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ItemChanged
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

#: A shot from a weapon that must be loaded before the next one.
EMPTIES: Final = "not melee and (weapon.load or 'slow-load' in weapon.traits)"
#: The kind of loading that takes the whole round.
SLOW: Final = "full-round"
#: Such a weapon holds several bolts, and is loaded when these are shot.
CASE: Final = "case"


def loads_slowly(weapon: Weapon) -> bool:
    """Say whether loading a weapon takes a full-round action, not a move action."""
    return weapon.load == SLOW or "slow-load" in weapon.traits


def leave_unloaded(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Leave a weapon unloaded after its shot.

    srd35.weapons.reload, pf1.actions-table.move, futurepath.action.load-weapon.move,
    woa.items.manipulate-move.
    """
    cites = fight.rules("weapons.reload")
    yield ItemChanged(who=blow.attacker.id, item=blow.weapon.name, state=UNLOADED, cites=cites)


def refuse_more_shots(fight: Fight, attacker: Combatant, planned: Iterable[Blow | Attempt]) -> None:
    """Refuse several shots in one go with a weapon that wants loading, or more than there are missiles.

    Loading comes between the shots, where time is left for it (srd35.weapons.reload,
    futurepath.attack.firearm.single-shot, woa.items.manipulate-move, woa.items.draw-ammunition).
    """
    shots: dict[str, int] = {}
    for one in planned:
        blow = one.blow if type(one) is Attempt else one
        weapon = blow.weapon
        if blow.melee:
            continue
        before = shots.get(weapon.name, 0)
        shots[weapon.name] = before + blow.intent.arrows
        if not before:
            continue
        if wants_loading(weapon) and weapon.load != CASE:
            raise Refusal(f"the {weapon.name} must be loaded between shots", fight.rule("weapons.reload"))
        if weapon.ammunition is not None:
            left = weapon.ammunition - attacker.resources.get(weapon.name, 0)
            if shots[weapon.name] > left:
                reason = f"{attacker.id} has {counted(left, 'missile')} left for the {weapon.name}"
                raise Refusal(reason, fight.rule("weapon.ammunition"))


def refuse_unloaded(fight: Fight, names: Iterable[str], sheet: Sheet, bearer: str) -> None:
    """Refuse an entry by which a weapon is unloaded that needs no loading."""
    wanting = [one.name for one in sheet.weapons if wants_loading(one)]
    for name in names:
        if name not in wanting:
            known = ", ".join(wanting) or "nothing"
            reason = f"{name!r} of {bearer} needs no loading; of its weapons {known} does"
            raise Refusal(reason, fight.rule("weapons.reload"))
