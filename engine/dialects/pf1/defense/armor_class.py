"""Armor Class in pf1: the rules that its parts, and what is denied of them, come of (pf1.ac.*)."""

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import ability
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The kinds of bonus besides armor, shield and Dexterity, as the sheet's parts have them.
OTHERS = ("deflection", "natural", "dodge", "size")


def cap_of_armor(
    fight: Fight, combatant: Combatant, found: tuple[int | None, str, str]
) -> tuple[int | None, str, str]:
    """Return how much Dexterity counts, what allows no more, and its rule (pf1.ac.armor-dex-cap)."""
    cap, source, rule = found
    return cap, source, rule or fight.rule("pf1.ac.armor-dex-cap")


def cite_parts(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, citing what the text says of their kinds, and of those denied.

    pf1.ac.other-modifiers, pf1.ac.dex-denied, pf1.ac.dex-denied-without-bonus, pf1.ac.dodge-lost-with-dex,
    pf1.ac.dodge-not-armor-capped, pf1.ac.dodge-stacks.
    """
    target, topics = blow.target, list[str]()
    dodges = [part for part in parts if part.kind == "dodge" and part.value > 0]
    dodges += [
        one.modifier
        for one in target.effects
        if (one.stat, one.modifier.kind) == ("defense", "dodge") and one.modifier.value > 0
    ]
    dexterity = ability(target.sheet, "dex")
    cap = fight.dialect.defense.dexterity_cap(fight, target)[0]
    if fight.dialect.defense.dexterity_denied(fight, blow)[0]:
        if not is_helpless(fight, target):
            topics.append("pf1.ac.dex-denied" if dexterity > 0 else "pf1.ac.dex-denied-without-bonus")
        topics += ["pf1.ac.dodge-lost-with-dex"] if dodges else []
    else:
        topics += ["pf1.ac.dodge-stacks"] if len(dodges) > 1 else []
        topics += ["pf1.ac.dodge-not-armor-capped"] if dodges and cap is not None and dexterity >= cap else []
    if dodges or any(part.kind in OTHERS for part in parts):
        topics.append("pf1.ac.other-modifiers")
    blow.cites += fight.rules(*topics)
    return parts


def cite_start_of_battle(fight: Fight, blow: Blow) -> None:
    """Cite that nobody is ready before the first turn, and who is all the same.

    pf1.flat-footed.when, pf1.flat-footed.uncanny-dodge.
    """
    ready = fight.dialect.defense.uncanny_dodge(fight, blow.target)
    blow.cites.append(fight.rule("pf1.flat-footed.uncanny-dodge" if ready else "pf1.flat-footed.when"))
