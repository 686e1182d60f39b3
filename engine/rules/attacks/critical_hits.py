"""Natural 1 and 20, and critical hits: what threatens one, and the roll that confirms (srd35.crit.*)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.feat_prerequisites import lacks_for_feat
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.conditions.condition_rules import effect_parts, ruled_out
from affray.engine.steps import Steps, judged
from affray.events.facts.combat import ConfirmationResolved
from affray.events.facts.modifier import Modifier

#: Traits of those who suffer no critical hits, whatever they are.
UNHARMED_BY_CRITICALS: Final = ("immune to critical hits", "immunity to critical hits")

IMPROVED_CRITICAL: Final = "feat.improved-critical"
#: When the attacker has the feat for the weapon of its blow, and the roll calls for it.
WITH_FEAT: Final = "natural < weapon.threat and f'improved critical ({weapon.name})' in attacker.sheet.feats"
#: The highest face of the die, from which threat ranges are counted down.
DIE: Final = 20


def natural_threat(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Say whether a hit threatens a critical: a natural roll in the weapon's range that reaches.

    A roll below 20 in the range that does not reach the defense is a miss and no threat, and some
    creatures are immune (srd35.crit.threat, srd35.crit.immune).
    """
    if natural < blow.weapon.threat:
        return False
    if immune_to_criticals(fight, blow):
        blow.cites.append(fight.rule("crit.immune"))
        return False
    blow.cites.append(fight.rule("crit.threat"))
    return True


def immune_to_criticals(fight: Fight, blow: Blow) -> bool:
    """Say whether the target's nature, or a trait of its own, exempts it from critical hits.

    futurepath.assumed.critical-immunity, pf1.crit.immune, srd35.crit.immune.
    """
    return bool(nature_among(blow.target, (*fight.figure("crit.immune"), *UNHARMED_BY_CRITICALS)))


def confirm(fight: Fight, blow: Blow) -> Steps[bool]:
    """Roll again with the same modifiers; reaching the defense makes the hit critical.

    The second roll follows the rules of an attack roll: 1 fails, 20 succeeds (srd35.crit.confirm).
    """
    return roll_confirmation(
        fight, blow, blow.outcome.needed, blow.outcome.defense_parts, fight.rules("crit.confirm")
    )


def roll_confirmation(
    fight: Fight,
    blow: Blow,
    needed: int,
    defense: tuple[Modifier, ...],
    cites: tuple[str, ...],
    unless: tuple[str, ...] = (),
) -> Steps[bool]:
    """Roll the confirmation against `needed`, whose parts are `defense`, by the rules of an attack roll.

    The rules `unless` are cited as well where it fails.
    """
    bonus, attack = confirmation_bonus(fight, blow)

    def judge(key: str, natural: int) -> ConfirmationResolved:
        total = natural + bonus
        success = reaches_or_natural(fight, natural, total, needed)
        return ConfirmationResolved(
            attacker=blow.attacker.id,
            target=blow.target.id,
            key=key,
            natural=natural,
            total=total,
            needed=needed,
            confirmed=success,
            attack=attack,
            defense=defense,
            cites=cites if success else (*cites, *unless),
        )

    fact: ConfirmationResolved = yield from judged(blow.attacker.id, "confirm", judge)
    return fact.confirmed


def confirmation_bonus(fight: Fight, blow: Blow) -> tuple[int, tuple[Modifier, ...]]:
    """Return the bonus of the confirmation roll and its parts: those of the attack, and what differs now.

    Some effects count for this roll only, and a ruling may strike out parts of this roll only.
    """
    attacker, own = blow.attacker, fight.dialect.attacks.confirmation_parts(fight, blow)
    if attacker.effects or own:
        given = (*blow.outcome.attack_given, *own, *effect_parts(attacker, "confirm", blow.target.id))
        counted = ruled_out(attacker, "confirm", given, blow.target.id)
        if tuple(counted) != blow.outcome.attack_given:
            # Anew from what the attack was given: a sum of a sum would suppress twice.
            tally = fight.stack(ruled_out(attacker, "attack", counted, blow.target.id))
            return tally.total, tally.parts
    return blow.outcome.total - blow.outcome.natural, blow.outcome.attack_parts


def reaches_or_natural(fight: Fight, natural: int, total: int, needed: int) -> bool:
    """Say whether an attack roll reaches `needed`: a 1 never does, a 20 always.

    srd35.attack.natural-1, srd35.attack.natural-20.
    """
    if natural == fight.figure("attack.natural-1", "face"):
        return False
    return total >= needed or bool(natural == fight.figure("attack.natural-20", "face"))


def in_widened_range(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Say whether a hit threatens that is below the weapon's own range and within the feat's.

    The range is doubled from what the weapon has of itself: nothing else that widens it adds to the feat
    (srd35.feat.improved-critical, srd35.crit.threat-range-doubling, srd35.crit.immune,
    pf1.feat.improved-critical).
    """
    if natural < lowest_threat(fight, blow) or lacks_for_feat(fight, blow.attacker, "improved critical"):
        return False
    immune = immune_to_criticals(fight, blow)
    cites = (
        fight.rules("crit.immune") if immune else fight.rules(IMPROVED_CRITICAL, "crit.threat-range-doubling")
    )
    blow.cites += [rule for rule in cites if rule not in blow.cites]
    return not immune


def lowest_threat(fight: Fight, blow: Blow) -> int:
    """Return the lowest natural roll that threatens: 19 for 20, 17 for 19-20, 15 for 18-20."""
    beyond = DIE + 1
    return int(beyond - (beyond - blow.weapon.threat) * fight.figure(IMPROVED_CRITICAL, "threat_width"))
