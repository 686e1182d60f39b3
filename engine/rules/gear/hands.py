"""Hands: how many a creature has, and what occupies them."""

from collections.abc import Iterator, Sequence
from typing import Final

from affray.engine.record.acts import Context, details_of
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.steps import Choice, Steps
from affray.events.facts.base import Square
from affray.events.facts.combat import EffectEnded, GripChanged, ItemChanged, ResourceSpent
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

# --- The choice among several weapons, where no declaration could name one


def choose_weapon(who: str, question: str, weapons: Sequence[Weapon], rule: str) -> Steps[Weapon]:
    """Return the weapon that a combatant chooses, usually the first in hand; a single one without asking."""
    named = {one.name: one for one in reversed(weapons)}
    if len(named) == 1:
        return weapons[0]
    return named[(yield Choice(who, "with", question, tuple(reversed(named)), rule))]


# --- A combatant's means of attack: arms, bare hands, natural weapons, and their reach

#: The row of the weapon that is worn on armor: it is always ready and takes no hand
#: (srd35.weapons.armor-spikes).
SPIKES: Final = "spiked armor"
#: The stat of a temporary increase of reach, in feet.
REACH: Final = "reach"
#: The prefix of the trait that gives the number of arms: "arms 4".
ARMS: Final = "arms "


def natural_weapons(combatant: Combatant) -> list[Weapon]:
    """Return the weapons that are part of the creature."""
    return [weapon for weapon in combatant.sheet.weapons if weapon.wield == "natural"]


def held_weapons(combatant: Combatant) -> list[Weapon]:
    """Return the weapons that the creature can attack with now: held weapons first, then natural and worn
    ones.
    """
    arms, held = combatant.sheet.weapons, combatant.held
    in_hand, others = [], []
    for weapon in arms:
        if weapon.name in held:
            in_hand.append(weapon)
        if weapon.wield == "natural" or (weapon.table == SPIKES and weapon.name not in held):
            others.append(weapon)
    return in_hand + others


def strikes_per_full_attack(weapon: Weapon) -> int:
    """Return how often a natural weapon attacks in a full attack: once, or as its trait "attacks 2" says."""
    return next((int(many) for many in details_of("attacks", weapon.traits) if many.isdecimal()), 1)


def arms_by_trait(sheet: Sheet) -> int:
    """Return how many arms a creature has: two, or as many as its trait "arms 4" says."""
    told = (trait[len(ARMS) :] for trait in sheet.traits if trait.startswith(ARMS))
    return next((int(number) for number in told if number.isdecimal()), 2)


def count_arms(combatant: Combatant) -> int:
    """Return how many arms a combatant has."""
    return arms_by_trait(combatant.sheet)


def wields_two(combatant: Combatant) -> bool:
    """Return whether a combatant holds a melee weapon in each hand, or a double weapon."""
    arms = [
        one
        for one in combatant.sheet.weapons
        if one.name in combatant.held and one.wield not in ("natural", "unarmed")
    ]
    return any("double" in one.traits for one in arms) or sum(map(strikes_in_melee, arms)) > 1


def is_armed(holder: Combatant, weapon: Weapon) -> bool:
    """Return whether an attack with the weapon counts as armed (srd35.unarmed.armed)."""
    return weapon.wield != "unarmed" or fights_unarmed(holder) or "armed" in weapon.traits


def fights_unarmed(combatant: Combatant) -> bool:
    """Return whether bare hands count as armed: by Improved Unarmed Strike, which every monk has."""
    return has_feat(combatant, "improved unarmed strike") or "monk" in combatant.sheet.classes


def strikes_in_melee(weapon: Weapon) -> bool:
    """Return whether a weapon can be used hand to hand; a weapon that breaks on impact is only thrown."""
    return (
        weapon.wield != "projectile"
        and (weapon.range == 0 or weapon.thrown)
        and "no melee use" not in weapon.traits
        and "splash" not in weapon.traits
    )


def melee_band(holder: Combatant, weapon: Weapon) -> tuple[int, int]:
    """Return the distances, (least, most) in feet, at which a weapon reaches in melee.

    A reach weapon doubles the natural reach and cannot attack within it; a whip-like "long" one can attack at
    both (srd35.aoo.reach-weapons, srd35.size.large-reach-weapon).
    """
    reach, more = holder.reach, longer_reach(holder)
    if weapon.far:
        return 0, weapon.far + more
    if weapon.reach:
        return (0 if "near-and-far" in weapon.traits else reach + 5), reach * 2 + more
    return 0, reach + more


def longer_reach(combatant: Combatant) -> int:
    """Return the feet by which a combatant temporarily reaches farther than by nature."""
    feet = 0
    for effect in combatant.effects:
        if effect.stat == REACH:
            feet += effect.modifier.value
    return feet


#: States of an item that is no longer worn.
OFF: Final = ("doffed", "broken", "gone", "dropped")


def bears_shield(holder: Combatant) -> bool:
    """Return whether a shield on a combatant's arm occupies the hand; a buckler does not."""
    bucklers = [one.name for one in holder.sheet.worn if one.table == "buckler"]
    return any(
        part.kind == "shield"
        and part.source not in bucklers
        and "buckler" not in part.source
        and holder.items.get(part.source or "shield") not in (*OFF, "stowed")
        for part in holder.sheet.armor
    )


def needs_loading(weapon: Weapon) -> bool:
    """Return whether a weapon must be loaded before each shot."""
    return bool(weapon.load) or "slow-load" in weapon.traits


#: Shields that are strapped to the arm and leave its hand free, and shields that take no hand.
STRAPPED: Final = ("buckler", "Two-Weapon Defense")


def count_hands_taken(combatant: Combatant, apart_from: str = "") -> int:
    """Return how many hands hold an item or bear a shield; those on one item may be left out.

    A bow that is not shooting is held in one; a buckler takes none, nor do armor spikes.
    """
    weapons = {one.name: one for one in combatant.sheet.weapons}
    held = 0
    for name in combatant.held:
        weapon = weapons.get(name)
        bare = weapon is not None and (weapon.wield in ("natural", "unarmed") or weapon.table == SPIKES)
        if name == apart_from or bare:
            continue
        held += 1 if weapon is None or weapon.wield == "projectile" else max(1, weapon.hands)
    shields = sum(
        part.kind == "shield"
        and not any(name in part.source for name in STRAPPED)
        and combatant.items.get(part.source) not in OFF
        for part in combatant.sheet.armor
    )
    return held + shields


def count_hands_left(combatant: Combatant, item: str) -> int:
    """Return how many hands are free apart from this item."""
    return count_arms(combatant) - count_hands_taken(combatant, item)


# --- Items that leave the hand, dropped, lost or put away: where they are, and how many are left
# An item that is unloaded then is still unloaded when it is taken up.

#: The state of a weapon that has been shot and not loaded since.
UNLOADED: Final = "unloaded"
#: States of an item that is no longer available.
LOST: Final = ("dropped", "broken", "gone")
#: The stat, and the prefix of the id, of the effect of a lance in one hand.
COUCHED: Final = "couched"


def let_go(holder: Combatant, item: str, state: str, cites: tuple[str, ...]) -> ItemChanged:
    """Return the fact that an item leaves the hand of its holder, such as "stowed", loaded or unloaded.

    srd35.weapons.reload, pf1.actions-table.move, futurepath.action.load-weapon.move,
    woa.items.manipulate-move.
    """
    unloaded = holder.items.get(item) == UNLOADED
    return ItemChanged(who=holder.id, item=item, state=state, unloaded=unloaded, cites=cites)


def lose(
    fight: Context, holder: Combatant, item: str, state: str, cites: tuple[str, ...], at: Square | None = None
) -> tuple[ItemChanged | GripChanged | EffectEnded | ResourceSpent, ...]:
    """Return the facts that an item is "dropped", "broken" or "gone"; of counted pieces one is missing then.

    A dropped item lies at `at`, or in its holder's square; old logs do not record where.
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
    """Return the fact that a one-handed weapon held in both hands is in one when it is taken up again.

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
    """Return whether a rider has taken a lance in one hand."""
    return any(effect.id == f"{COUCHED}:{item}" for effect in holder.effects)


def raise_lance(
    fight: Context, holder: Combatant, item: str, why: str
) -> tuple[GripChanged | EffectEnded, ...]:
    """Return the facts that a couched lance takes both hands again, as it does on foot.

    srd35.weapons.handed-use, pf1.damage.two-handed-bonus, woa.damage.two-handed-strength.
    """
    cites = fight.rules("weapons.handed-use")
    return (
        GripChanged(who=holder.id, item=item, hands=2, wield="two-handed", cites=cites),
        EffectEnded(who=holder.id, id=f"{COUCHED}:{item}", why=why, cites=cites),
    )


def raise_lances(fight: Context, rider: Combatant) -> Iterator[GripChanged | EffectEnded]:
    """Yield the facts that each couched lance of a dismounted rider takes both hands again."""
    for weapon in rider.sheet.weapons:
        if is_couched(rider, weapon.name):
            yield from raise_lance(fight, rider, weapon.name, "out of the saddle")


def drop_all(
    fight: Context, holder: Combatant, cites: tuple[str, ...]
) -> list[ItemChanged | GripChanged | EffectEnded | ResourceSpent]:
    """Return the facts that all of the holder's items in hand fall to the ground."""
    return [fact for item in holder.held for fact in lose(fight, holder, item, "dropped", cites)]


def take_up(
    holder: Combatant, item: str, state: str, cites: tuple[str, ...]
) -> Iterator[ItemChanged | ResourceSpent]:
    """Yield the facts that an item is picked up from the ground, "held" or otherwise; it counts again."""
    lay = find_nearest_lying_item(holder, item)
    yield ItemChanged(who=holder.id, item=item, state=state, at=lay, cites=cites)
    if lay is not None and is_counted(holder, item) and holder.resources.get(item, 0) > 0:
        yield ResourceSpent(who=holder.id, resource=item, amount=-1, cites=cites)


def find_nearest_lying_item(holder: Combatant, item: str) -> Square | None:
    """Return where the nearest item of that name lies, None if that is not recorded."""
    x, y = holder.at
    side = holder.space - 1

    def far(at: Square) -> int:
        return max(x - at[0], at[0] - x - side, y - at[1], at[1] - y - side)

    return min(holder.lying.get(item, ()), key=far, default=None)


def weapon_named(holder: Combatant, name: str) -> Weapon | None:
    """Return the weapon of that name on a sheet, None if there is none."""
    return next((one for one in holder.sheet.weapons if one.name == name), None)


def is_counted(holder: Combatant, item: str) -> bool:
    """Return whether the sheet counts the pieces of a weapon that is itself thrown, not its missiles."""
    weapon = weapon_named(holder, item)
    return weapon is not None and weapon.ammunition is not None and weapon.wield != "projectile"


def count_pieces_left(holder: Combatant, item: str) -> int:
    """Return how many of an item its holder has, in hand or to draw: one if the sheet does not count them."""
    weapon = weapon_named(holder, item)
    if weapon is None or weapon.ammunition is None or weapon.wield == "projectile":
        return int(holder.items.get(item) not in LOST)
    return max(0, weapon.ammunition - holder.resources.get(item, 0))


def is_lost(holder: Combatant, item: str) -> bool:
    """Return whether its holder has no such item left, in hand or to draw."""
    return not count_pieces_left(holder, item)


# --- Wands: those that a combatant has, to be drawn and put away like weapons


def wands_of(holder: Combatant) -> tuple[str, ...]:
    """Return the names of the wands on the sheet of a combatant (srd35.move-action.draw)."""
    return tuple(spell.name for spell in holder.sheet.spells if spell.item == "wand")
