"""Items that leave the hand, dropped, lost or put away: where they lie, and what is left of their kind.

What is unloaded then is unloaded when it is taken up.
"""

from collections.abc import Iterator
from typing import Final

from affray.engine.record.context import Context
from affray.events.facts.base import Square
from affray.events.facts.combat import EffectEnded, GripChanged, ItemChanged, ResourceSpent
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The state of a weapon that has been shot and not loaded since.
UNLOADED: Final = "unloaded"
#: States of an item that nobody has at hand any more.
LOST: Final = ("dropped", "broken", "gone")
#: What the effect of a lance in one hand is on, and how its id begins.
COUCHED: Final = "couched"


def let_go(holder: Combatant, item: str, state: str, cites: tuple[str, ...]) -> ItemChanged:
    """Return that an item leaves the hand of its holder, such as "stowed", loaded or not as it is.

    srd35.weapons.reload, pf1.actions-table.move, futurepath.action.load-weapon.move,
    woa.items.manipulate-move.
    """
    unloaded = holder.items.get(item) == UNLOADED
    return ItemChanged(who=holder.id, item=item, state=state, unloaded=unloaded, cites=cites)


def lose(
    fight: Context, holder: Combatant, item: str, state: str, cites: tuple[str, ...], at: Square | None = None
) -> tuple[ItemChanged | GripChanged | EffectEnded | ResourceSpent, ...]:
    """Return that an item is "dropped", "broken" or "gone"; of counted pieces one is missing then.

    What is dropped lies at `at`, or where its holder stands; where it lies is not told in old fights.
    """
    told = fight.state.things_lie
    at = (at or holder.at) if told and state == "dropped" else None
    unloaded = holder.items.get(item) == UNLOADED
    lost = ItemChanged(who=holder.id, item=item, state=state, unloaded=unloaded, at=at, cites=cites)
    for weapon in holder.sheet.weapons:
        if weapon.name == item and told and weapon.wield != "projectile":
            grip = loosen(fight, holder, item)
            if weapon.ammunition is not None:
                return lost, *grip, ResourceSpent(who=holder.id, resource=item, amount=1, cites=cites)
            return (lost, *grip)
    return (lost,)


def loosen(fight: Context, holder: Combatant, item: str) -> tuple[GripChanged | EffectEnded, ...]:
    """Return that a weapon that was in both hands without need is in one when it is taken up again.

    A lance that was couched takes both again.
    srd35.weapons.handed-use, pf1.damage.two-handed-bonus, woa.damage.two-handed-strength,
    futurepath.damage.strength-two-handed.
    """
    weapon = weapon_named(holder, item)
    if is_couched(holder, item):
        return raise_lance(fight, holder, item, "it leaves the hand")
    if weapon is None or weapon.hands < 2 or weapon.wield not in ("one-handed", "light"):
        return ()
    if not fight.state.things_lie:
        return ()
    cites = fight.rules("weapons.handed-use")
    return (GripChanged(who=holder.id, item=item, hands=1, wield=weapon.wield, cites=cites),)


def is_couched(holder: Combatant, item: str) -> bool:
    """Say whether a rider has taken a lance in one hand."""
    return any(effect.id == f"{COUCHED}:{item}" for effect in holder.effects)


def raise_lance(
    fight: Context, holder: Combatant, item: str, why: str
) -> tuple[GripChanged | EffectEnded, ...]:
    """Return that a couched lance takes both hands again, as it does on foot.

    srd35.weapons.handed-use, pf1.damage.two-handed-bonus, woa.damage.two-handed-strength.
    """
    cites = fight.rules("weapons.handed-use")
    return (
        GripChanged(who=holder.id, item=item, hands=2, wield="two-handed", cites=cites),
        EffectEnded(who=holder.id, id=f"{COUCHED}:{item}", why=why, cites=cites),
    )


def raise_lances(fight: Context, rider: Combatant) -> Iterator[GripChanged | EffectEnded]:
    """Yield that each couched lance of somebody who is out of the saddle takes both hands again."""
    for weapon in rider.sheet.weapons:
        if is_couched(rider, weapon.name):
            yield from raise_lance(fight, rider, weapon.name, "out of the saddle")


def drop_all(
    fight: Context, holder: Combatant, cites: tuple[str, ...]
) -> list[ItemChanged | GripChanged | EffectEnded | ResourceSpent]:
    """Return that all the holder has in hand falls to the ground."""
    return [fact for item in holder.held for fact in lose(fight, holder, item, "dropped", cites)]


def take_up(
    holder: Combatant, item: str, state: str, cites: tuple[str, ...]
) -> Iterator[ItemChanged | ResourceSpent]:
    """Yield that an item is picked up from where it lies, "held" or otherwise; it counts again."""
    lay = nearest_lying(holder, item)
    yield ItemChanged(who=holder.id, item=item, state=state, at=lay, cites=cites)
    if lay is not None and is_counted(holder, item) and holder.resources.get(item, 0) > 0:
        yield ResourceSpent(who=holder.id, resource=item, amount=-1, cites=cites)


def nearest_lying(holder: Combatant, item: str) -> Square | None:
    """Return where the nearest item of that name lies, None if that is not told."""
    x, y = holder.at
    side = holder.space - 1

    def far(at: Square) -> int:
        return max(x - at[0], at[0] - x - side, y - at[1], at[1] - y - side)

    return min(holder.lying.get(item, ()), key=far, default=None)


def weapon_named(holder: Combatant, name: str) -> Weapon | None:
    """Return the weapon of that name on a sheet, None if there is none."""
    return next((one for one in holder.sheet.weapons if one.name == name), None)


def is_counted(holder: Combatant, item: str) -> bool:
    """Say whether the sheet counts the pieces of a weapon that leaves the hand itself, not its missiles."""
    weapon = weapon_named(holder, item)
    return weapon is not None and weapon.ammunition is not None and weapon.wield != "projectile"


def pieces_left(holder: Combatant, item: str) -> int:
    """Return how many of an item its holder has, in hand or at hand: one if the sheet does not count them."""
    weapon = weapon_named(holder, item)
    if weapon is None or weapon.ammunition is None or weapon.wield == "projectile":
        return int(holder.items.get(item) not in LOST)
    return max(0, weapon.ammunition - holder.resources.get(item, 0))


def is_lost(holder: Combatant, item: str) -> bool:
    """Say whether its holder has no such item any more, in hand or to be drawn."""
    return holder.items.get(item) in LOST and not pieces_left(holder, item)
