"""Flasks and the like in hand: what they are thrown as, and how many.

srd35.splash.definition, srd35.gear.splash-table, pf1.splash, pf1.gear.splash-ref.
"""

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.rules.damage.weapon_damage import NO_DAMAGE, NO_THREAT
from affray.engine.rules.gear.let_go import pieces_left
from affray.engine.rules.gear.substances import PREPARED, SPLASH, substance_row
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def as_thrown(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a splash weapon as it is thrown; whether it threatens criticals is contested.

    Option `splash_criticals` (srd35.splash.definition, srd35.crit.threat, pf1.splash).
    """
    threatens = fight.option("splash_criticals") == "threaten"
    return flask_of(fight, weapon, weapon.threat if threatens else NO_THREAT)


@per_fight(Same("weapon"), "threat")
def flask_of(fight: Fight, weapon: Weapon, threat: int) -> Weapon:
    """Return a splash weapon as it is thrown: by a touch, with the increment of the table, else harmless.

    The same object each time (srd35.splash.definition, srd35.gear.splash-table).
    """
    row = substance_row(fight, weapon.name)
    reach = weapon.range or row.get("range_ft") or fight.figure("gear.splash-table", "item=any", "range_ft")
    # What it does stands in the table: the hit itself rolls no damage.
    return replace(
        weapon,
        range=int(reach),
        thrown=True,
        damage=NO_DAMAGE,
        threat=threat,
        traits=(*weapon.traits, "touch"),
    )


@per_fight(Same("combatant.sheet"))
def has_flasks(fight: Fight, combatant: Combatant) -> bool:
    """Say whether the sheet lists anything that splashes."""
    return any(SPLASH in weapon.traits for weapon in combatant.sheet.weapons)


def throw_flasks(fight: Fight, act: acts.FullAttack) -> acts.FullAttack:
    """Return a full attack in which every splash weapon is thrown. Refuses more of them than there are.

    srd35.splash.definition, pf1.splash.
    """
    actor = fight.combatant(act.actor)
    if not has_flasks(fight, actor):
        return act
    meant = [None if one.special else find_weapon(fight, actor, one.weapon) for one in act.strikes]
    flasks = [weapon for weapon in meant if weapon is not None and SPLASH in weapon.traits]
    for weapon in flasks:
        refuse_without_fuse(fight, actor, weapon)
        left = pieces_left(actor, weapon.name)
        if flasks.count(weapon) > left:
            raise Refusal(f"{actor.id} has {left} {weapon.name} left", fight.rule("splash.definition"))
    pairs = zip(act.strikes, meant, strict=True)
    return replace(
        act, strikes=tuple(replace(one, thrown=True) if weapon in flasks else one for one, weapon in pairs)
    )


def refuse_without_fuse(fight: Fight, holder: Combatant, weapon: Weapon) -> None:
    """Refuse what must be prepared before it is thrown, and is not (srd35.gear.splash-table)."""
    if "prepare" in substance_row(fight, weapon.name) and holder.items.get(weapon.name) != PREPARED:
        raise Refusal(f"the {weapon.name} has no fuse yet", fight.rule("gear.splash-table"))


def as_hurled(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a weapon as one blow of several is made with it: what splashes is thrown, as ever."""
    return as_thrown(fight, weapon) if SPLASH in weapon.traits else weapon
