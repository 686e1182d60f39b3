"""The attacks of a full attack, and what each has more or less than the first (woa.attack.full-attack)."""

from affray.engine.dialects.woa.attacks import two_weapon_fighting
from affray.engine.fight.fight import Fight
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

OFTEN = 3


def rule_on_further_attacks(fight: Fight, actor: Combatant, act: acts.FullAttack) -> tuple[str, ...]:
    """Return the rule on further attacks, if there are more strikes than base attack bonus gives.

    woa.attack.extra-attacks-sources
    """
    own = full_attacks(fight, actor, acts.FullAttack())
    return fight.rules("woa.attack.extra-attacks-sources") if len(act.strikes) > len(own) else ()


def full_attacks(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a full attack allows, in order.

    Two at full bonus from base attack +6 (option `third_attack`: one more at each further -5); a
    weapon in the off hand gives one more (woa.two-weapon.extra-attack).
    """
    base = actor.sheet.base_attack
    rule = fight.rule("woa.attack.full-attack")
    second = fight.figure("woa.attack.full-attack", "bab_for_second_attack")
    series: list[list[Modifier]] = [[]]
    if fight.option("third_attack") == "iterative":
        step = second - 1
        lower = range(step, base, step)
        series += [
            [Modifier(-by, "iterative", f"attack {n} (third_attack: iterative)", rule)]
            for n, by in enumerate(lower, 2)
        ][:OFTEN]
    elif base >= second:
        series += [[]] * (fight.figure("woa.attack.full-attack", "attacks") - 1)
    return two_weapon_fighting.attacks_with_off_hand(fight, actor, act, series)
