"""Space and reach: how much room a creature takes, how far it strikes and what it threatens.

woa.space.*, woa.reach.*, woa.posture.prone.threatened-area
"""

from collections.abc import Iterator

from msgspec.structs import replace

from affray.engine.dialects.woa.grapple.grab_modifiers import arm_free
from affray.engine.dialects.woa.mounted import mounted_modifiers
from affray.engine.dialects.woa.position import size_table
from affray.engine.dialects.woa.position.prone import lies
from affray.engine.dialects.woa.position.weapon_reach import CLOSE, MULTIPLE, band, is_light, threatened
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.held_weapons import fights_unarmed, held_weapons, is_armed, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.position.place import in_band, reaches
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

TABLE = "woa.size.table-space-reach"
SMALLER = ("fine", "diminutive", "tiny", "small")


def space_and_reach(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side, begun ones whole, and the natural reach in feet of a creature.

    What the text prints comes first, the rest from the table of sizes (woa.space.definition,
    woa.reach.humanoid, woa.reach.by-size).
    """
    feet, reach = printed(fight, sheet)
    rows = {row["size"]: row for row in fight.figure(TABLE)}
    feet = rows[sheet.size.capitalize()]["space_ft"] if feet is None else feet
    feet = int(feet if sheet.space is None else sheet.space)
    if sheet.reach is not None:
        reach = sheet.reach
    elif reach is None or (sheet.space is not None and size_table.is_scaled(sheet)):
        reach = size_table.natural_reach(fight, sheet, feet)
    return max(1, -(-feet // SQUARE_FT)), int(reach)


def exceptional(fight: Fight, sheet: Sheet) -> bool:
    """Say whether a sheet's own reach is another than its size gives (woa.size.reach-exceptional)."""
    return sheet.reach is not None and sheet.reach != space_and_reach(fight, replace(sheet, reach=None))[1]


def printed(fight: Fight, sheet: Sheet) -> tuple[int | None, int | None]:
    """Return the space and the reach in feet that the text prints for a creature, None where it does not."""
    if sheet.size == "medium":
        reach = fight.figure("woa.reach.humanoid", "medium_humanoid_reach_ft")
        return fight.figure("woa.space.definition", "medium_space_ft"), reach
    if sheet.size == "large" and sheet.tall:
        return None, fight.figure("woa.reach.by-size", "large_reach_ft")
    return None, None


def rules_of_space(fight: Fight, sheet: Sheet, side: int, reach: int) -> tuple[str, ...]:
    """Return the rules that the space and reach of a newcomer follow from."""
    topics = ["woa.reach.definition"]
    if sheet.size == "medium":
        topics += ["woa.space.definition", *(("woa.reach.humanoid",) if sheet.reach is None else ())]
    elif sheet.size in SMALLER or sheet.reach is None:
        topics.append("woa.reach.by-size")
    if sheet.size != "medium" and (sheet.space is None or (sheet.reach is None and sheet.size in SMALLER)):
        topics.append(TABLE)
    return fight.rules(*topics) + size_table.rules_of_size(fight, sheet, exceptional(fight, sheet))


def bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances (least, most), in feet, at which a combatant threatens; empty for the unarmed.

    Its own space only with a light weapon, prone not with a light weapon at all; kicks beside a reach
    weapon threaten nothing (woa.space.own-space-not-threatened, woa.posture.prone.threatened-area,
    woa.reach.weapon-close-attacks; option `kicks_threaten`).
    """
    if idle(fight, combatant):
        return ()
    down = lies(combatant)
    stuck = (
        tuple(one.name for one in held_weapons(combatant) if not arm_free(fight, combatant, one))
        if combatant.conditions
        else ()
    )
    return usual_bands(fight, combatant, down, stuck)


@per_fight(Same("combatant.sheet"), "combatant.held", "combatant.reach", "down", "stuck")
def usual_bands(
    fight: Fight, combatant: Combatant, down: bool, stuck: tuple[str, ...]
) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant that may strike threatens, `down` or with weapons `stuck`."""
    weapons = held_weapons(combatant)
    far = any(weapon.reach for weapon in weapons)
    if fights_unarmed(combatant) and not (far and fight.option("kicks_threaten") == "never"):
        weapons = [*weapons, unarmed(fight, combatant)]
    return tuple(
        dict.fromkeys(
            threatened(fight, combatant, weapon)
            for weapon in weapons
            if strikes_in_melee(weapon)
            and weapon.name not in stuck
            and is_armed(combatant, weapon)
            and "no-threat" not in weapon.traits
            and not (down and is_light(weapon))
        )
    )


def idle(fight: Fight, combatant: Combatant) -> str:
    """Return the topic by which somebody makes no melee attack at all just now, "" for who may.

    While wriggling through by Escape Artist, in a saddle without stirrups, as a mount that combat frightens.
    """
    if combatant.conditions and "wriggling" in combatant.conditions:
        return "squeezing.escape-artist"
    mounted = combatant.mount or combatant.rider or combatant.riderless
    return mounted_modifiers.strikes_nobody(fight, combatant) if mounted else ""


def weapon_at(fight: Fight, combatant: Combatant, target: Combatant) -> Weapon | None:
    """Return the first armed weapon with which somebody reaches another in melee and may strike, if any."""
    return next(_reaching(fight, combatant, target), None)


def weapons_at(fight: Fight, combatant: Combatant, target: Combatant) -> list[Weapon]:
    """Return all armed weapons with which a combatant reaches a target in melee and may strike."""
    return list(_reaching(fight, combatant, target))


def _reaching(fight: Fight, combatant: Combatant, target: Combatant) -> Iterator[Weapon]:
    """Yield the armed weapons with which a combatant reaches a target in melee and may strike."""
    if idle(fight, combatant):
        return
    ready = held_weapons(combatant)
    if fights_unarmed(combatant):
        ready = [*ready, unarmed(fight, combatant)]
    for weapon in ready:
        if strikes_in_melee(weapon) and is_armed(combatant, weapon) and arm_free(fight, combatant, weapon):
            least, most = band(fight, combatant, weapon)
            if reaches(combatant, target, least, most):
                yield weapon


def unthreatening(
    fight: Fight, combatant: Combatant, mover: Combatant, at: tuple[int, int] | None = None
) -> str:
    """Return the topic by which somebody within arm's reach is not threatened, "" for one too far away.

    To be asked of those who do not threaten it (woa.space.own-space-not-threatened,
    woa.posture.prone.threatened-area, woa.reach.weapon-close-attacks, woa.grab.occupied-limbs).
    """
    place = mover.at if at is None else at
    if not in_band(combatant.at, combatant.space, place, mover.space, 0, combatant.reach):
        return ""
    if fight.dialect.position.levels_apart(combatant, mover) > combatant.reach:
        return ""
    if topic := idle(fight, combatant):
        return topic
    weapons = [one for one in held_weapons(combatant) if strikes_in_melee(one)]
    if weapons and not any(arm_free(fight, combatant, one) for one in weapons):
        return "woa.grab.occupied-limbs"
    if lies(combatant) and any(is_light(one) for one in weapons):
        return "woa.posture.prone.threatened-area"
    if any(not is_light(one) and not one.reach for one in weapons):
        return "woa.space.own-space-not-threatened"
    kicks = any(one.reach for one in weapons) and fights_unarmed(combatant)
    return CLOSE if kicks else ""


def close_in_under_reach(fight: Fight, blow: Blow) -> None:
    """Give a blow what striking within the reach of one's reach weapon costs it.

    woa.reach.weapon, woa.reach.weapon-close-attacks
    """
    attacker, weapon = blow.attacker, blow.weapon
    if not blow.melee:
        return
    if weapon.reach:
        blow.cites.append(fight.rule(MULTIPLE))
    elif weapon.wield == "unarmed" and any(one.reach for one in held_weapons(attacker)):
        blow.attack_extra.append(
            fight.modifier(CLOSE, "attack_penalty", kind="penalty", source="under a reach weapon")
        )
