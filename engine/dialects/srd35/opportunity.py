"""Opportunity: threatened squares, what provokes, attacks and reactions out of turn."""

from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import explain_unusable_feat
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.gear.weapons_in_hand import bands_of
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

# --- Attacks of opportunity in srd35, and what quick creatures make of their Dexterity in attacks
#
# srd35.aoo.*, srd35.feat.combat-reflexes, srd35.feat.weapon-finesse.


def aoo_topics(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics of what lets a weapon strike out of turn (srd35.aoo.threatened, .per-opportunity)."""
    reach = ("srd35.aoo.reach-weapons",) if weapon.reach else ()
    return ("srd35.aoo.threatened", *reach, "srd35.aoo.per-opportunity")


def number_of_feat(fight: Fight, combatant: Combatant, found: tuple[int, str]) -> tuple[int, str]:
    """Return the number of opportunities that Combat Reflexes gives, and a Dexterity bonus.

    srd35.feat.combat-reflexes
    """
    number = fight.formula("srd35.feat.combat-reflexes", "aoo_per_round")
    return number + max(0, ability_now(fight, combatant, "dex")), "srd35.feat.combat-reflexes"


def is_trained_in_finesse(fight: Fight, blow: Blow, found: bool) -> bool:
    """Say whether an attacker has the base attack bonus that its Weapon Finesse takes.

    srd35.feat.weapon-finesse
    """
    return not explain_unusable_feat(fight, blow.attacker, "weapon finesse")


def leave_out_rakes(
    fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]
) -> list[Weapon]:
    """Return the weapons without claws that only rake (srd35.constrict-rake-rend)."""
    return [weapon for weapon in found if "rake" not in weapon.traits]


@per_fight(Same("combatant.sheet"), "combatant.held", "combatant.reach", "combatant.effects")
def bands_without_rakes(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens; claws that only rake threaten nobody.

    srd35.constrict-rake-rend.
    """
    return bands_of(fight, combatant, [one for one in held_weapons(combatant) if "rake" not in one.traits])
