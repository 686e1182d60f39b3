"""Implement unarmed attacks: nonlethal damage, what counts as armed, Combat Martial Arts."""

from functools import partial
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import Same, per_fight
from affray.engine.kernel.places import reaches
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import immune_to_criticals, strike
from affray.engine.rules.classes.feats import Reckoned
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.damage.damage import damage_bonus, passing_damage_parts
from affray.engine.rules.gear.hands import held_weapons, melee_band, strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import bands_of, find_weapon, refuse_lost_weapon, unarmed
from affray.engine.rules.opportunity.threatened_squares import endangers, threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import footing, goes_on
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Sheet, Weapon
from affray.projections.state import Combatant

# --- The knockout blow: a nonlethal attack on a helpless foe, critical automatically if it hits

#: The name of such an attack in its intent.
KNOCKOUT = "knockout blow"


def knockout_blow(fight: Fight, act: acts.KnockoutBlow) -> Steps[None]:
    """Try to knock out a helpless foe: a full-round action that provokes, with an attack roll.

    With a lethal melee weapon the roll is 4 worse; the Defense is 5 + size regardless of other effects;
    targets immune to critical hits are refused (futurepath.attack.knockout-blow.*).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("futurepath.attack.knockout-blow.action")
    if not is_helpless(fight, target):
        raise Refusal(f"{target.id} is not helpless", rule)
    weapon = find_weapon(fight, actor, act.weapon)
    if not strikes_in_melee(weapon):
        raise Refusal(f"a knockout blow needs a melee weapon, not the {weapon.name}", rule)
    blow = fight.dialect.attacks.prepare(fight, actor, target, weapon, KNOCKOUT)
    if not blow.melee:
        raise Refusal(f"{target.id} is out of the {weapon.name}'s reach", rule)
    if immune_to_criticals(fight, blow):
        immune = fight.rule("futurepath.attack.knockout-blow.immune")
        raise Refusal(f"{target.id} is immune to critical hits", immune)
    if not blow.intent.nonlethal:
        pull(fight, blow)
    refuse_hopeless(fight, blow)
    yield spending(fight, actor, "full-round", KNOCKOUT, rule)
    stood = footing(fight, actor, target)
    yield from fight.dialect.opportunity.provoke(
        fight,
        actor,
        threatening(fight, actor),
        "delivers a knockout blow",
        f"knockout:{fight.declaration}",
        fight.rule("futurepath.attack.knockout-blow.provokes"),
    )
    again = partial(refuse_lost_weapon, fight, actor, weapon)
    if (yield from goes_on(fight, stood, again, "the knockout blow")):
        blow.cites.append(fight.rule("futurepath.attack.knockout-blow.defense"))
        yield from strike(fight, blow)


def pull(fight: Fight, blow: Blow) -> None:
    """Make an attack deal nonlethal damage with a lethal weapon: harder with a weapon, not with a trained
    fist.

    futurepath.attack.knockout-blow.lethal-weapon
    """
    blow.intent = replace(blow.intent, nonlethal=True)
    if blow.weapon.wield != "unarmed":
        topic = "futurepath.attack.knockout-blow.lethal-weapon"
        blow.attack_extra.append(
            fight.modifier(topic, "attack", kind="penalty", source="for nonlethal damage")
        )


def confirm_knockout(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Return that the hit is critical, as every knockout blow that hits is.

    futurepath.attack.knockout-blow.auto-critical
    """
    blow.cites.append(fight.rule("futurepath.attack.knockout-blow.auto-critical"))
    return True


MARTIAL: Final = "combat martial arts"
ARMED: Final = "futurepath.attack.unarmed.armed-unarmed"
DICE: Final = "futurepath.attack.unarmed.damage"
OTHER_DICE: Final = "futurepath.assumed.unarmed-damage"
FISTS: Final = "unarmed strike"
#: The size whose unarmed damage the text prints.
PRINTED: Final = "medium"


def unarmed_dice(fight: Fight, combatant: Combatant) -> str:
    """Return the damage dice of an unarmed strike: as printed for Medium size, otherwise as assumed.

    futurepath.attack.unarmed.damage, futurepath.assumed.unarmed-damage
    """
    return dice_of_size(fight, combatant.sheet.size)


def dice_of_size(fight: Fight, size: str) -> str:
    """Return the damage dice of an unarmed strike by the striker's size."""
    if size == PRINTED:
        return str(fight.figure(DICE, "damage"))
    figures = fight.figure(OTHER_DICE)
    return str(figures.get(size.capitalize(), figures["Medium"]))


def train_fists(fight: Fight, sheet: Sheet) -> Reckoned:
    """Return a sheet whose unarmed strikes count as armed, by its feat, and the rule.

    futurepath.attack.unarmed.combat-martial-arts.
    """
    if MARTIAL not in sheet.feats:
        return sheet, ()
    arms = tuple(
        replace(one, traits=(*one.traits, "armed")) if one.wield == "unarmed" else one
        for one in sheet.weapons
    )
    if not any(one.wield == "unarmed" for one in arms):
        dice = dice_of_size(fight, sheet.size)
        arms = (*arms, Weapon(FISTS, dice, "bludgeoning", "unarmed", traits=("armed",)))
    return replace(sheet, weapons=arms), fight.rules("futurepath.attack.unarmed.combat-martial-arts")


@per_fight(Same("combatant.sheet"), "combatant.held", "combatant.reach", "combatant.effects")
def reach_bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant threatens, also with trained bare hands.

    futurepath.attack.unarmed.combat-martial-arts
    """
    arms = held_weapons(combatant)
    if has_feat(combatant, MARTIAL):
        arms = [*arms, unarmed(fight, combatant)]
    return bands_of(fight, combatant, arms)


def with_trained_fists(
    fight: Fight, combatant: Combatant, target: Combatant, found: list[Weapon]
) -> list[Weapon]:
    """Return the weapons with which a combatant reaches a target out of turn, with its trained bare hands.

    futurepath.attack.unarmed.combat-martial-arts
    """
    fists = unarmed(fight, combatant)
    return [*found, fists] if reaches(combatant, target, *melee_band(combatant, fists)) else found


def report_armed_fists(fight: Fight, blow: Blow) -> Steps[None]:
    """Report, if the target threatens, why bare hands do not provoke from it.

    futurepath.attack.unarmed.armed-unarmed, futurepath.attack.unarmed.combat-martial-arts
    """
    attacker = blow.attacker
    if endangers(fight, blow.target, attacker):
        feat = ("futurepath.attack.unarmed.combat-martial-arts",) if has_feat(attacker, MARTIAL) else ()
        what = f"{attacker.id} counts as armed and does not provoke"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules(ARMED, *feat))


def cite_natural_arms(fight: Fight, blow: Blow) -> None:
    """Cite that claws and fangs count as armed, if the target could otherwise strike.

    futurepath.attack.unarmed.armed-unarmed
    """
    if endangers(fight, blow.target, blow.attacker):
        blow.cites.append(fight.rule(ARMED))


def arms_of_opportunity(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics that let a weapon strike out of turn: claws and trained fists count as armed.

    futurepath.attack.unarmed.armed-unarmed
    """
    return (ARMED,) if weapon.wield in ("natural", "unarmed") else ()


def cite_damage(fight: Fight, blow: Blow) -> Steps[None]:
    """Cite the rules on the damage of bare hands and natural weapons: dice, kind, modifiers.

    futurepath.attack.unarmed.damage, futurepath.assumed.unarmed-damage, futurepath.attack.unarmed.nonlethal,
    futurepath.damage.unarmed-and-natural-share-modifiers
    """
    attacker, weapon = blow.attacker, blow.weapon
    if weapon.family == "spell":
        return
    topics = []
    if weapon.wield == "unarmed":
        if all(one.wield != "unarmed" or one.name == FISTS for one in attacker.sheet.weapons):
            topics.append(DICE if attacker.sheet.size == PRINTED else OTHER_DICE)
        topics += ["futurepath.attack.unarmed.nonlethal"] if blow.intent.nonlethal else []
    modifiers = (*damage_bonus(fight, blow), *passing_damage_parts(fight, blow, blow.melee))
    if modifiers:
        topics.append("futurepath.damage.unarmed-and-natural-share-modifiers")
    blow.damage.cites += fight.rules(*topics)
    return
    yield
