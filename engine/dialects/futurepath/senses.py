"""Senses: light, sight, concealment, hiding and seeking."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.attack_roll import fight_defensively
from affray.engine.dialects.futurepath.conditions import declared_degree
from affray.engine.fight.fight import Fight
from affray.engine.grid.lines_and_cover import obscured
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.sheets import has_trait
from affray.engine.rules.gear.hands import strikes_in_melee
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.senses.hidden import knows_square
from affray.engine.rules.senses.senses import strike_nobody, unseen_in_square
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

# --- Concealment in Futurepath: by degree, and targets that the attacker cannot see

Chance = tuple[int, str, str]
TABLE: Final = "futurepath.table.concealment"
GUESS: Final = "futurepath.concealment.total-guess-location"


def miss_chance(fight: Fight, blow: Blow) -> Chance:
    """Return (percent, why, topic) of the chance that an attack that hits misses; only the highest counts.

    futurepath.table.concealment, futurepath.concealment.definition, futurepath.concealment.miss-chance,
    futurepath.concealment.highest-only, futurepath.concealment.total-guess-location,
    futurepath.modifier.defender-concealed-or-invisible
    """
    found = list(concealments(fight, blow))
    if not found:
        return 0, "", ""
    topics = [
        "futurepath.concealment.definition",
        "futurepath.concealment.miss-chance",
        "futurepath.modifier.defender-concealed-or-invisible",
    ]
    if len(found) > 1:
        topics.append("futurepath.concealment.highest-only")
    chance = max(found, key=lambda one: one[0])
    if is_unseen(fight, blow.attacker, blow.target):
        topics.append(GUESS)
    blow.outcome.miss_chance_cites = fight.rules(*topics)
    return chance


def concealments(fight: Fight, blow: Blow) -> Iterator[Chance]:
    """Yield what conceals the target of an attack: blindness, invisibility, a declared degree, fog."""
    attacker, target = blow.attacker, blow.target
    if attacker.conditions and "blinded" in attacker.conditions:
        yield percent_of_degree(fight, "total"), f"{attacker.id} is blinded", TABLE
    if target.conditions:
        if "invisible" in target.conditions and not has_trait(attacker, "see invisibility"):
            yield percent_of_degree(fight, "total"), f"{target.id} is invisible", TABLE
        degree = declared_degree(target, "concealment")
        if degree:
            yield percent_of_degree(fight, degree), f"{degree} concealment", TABLE
    spaces = (attacker.at, attacker.space), (target.at, target.space)
    if obscured(fight.field, *spaces, melee=blow.melee):
        degree = fight.figure("futurepath.assumed.fog", "degree")
        yield percent_of_degree(fight, degree), "concealed by the terrain", "futurepath.assumed.fog"


def percent_of_degree(fight: Fight, degree: str) -> int:
    """Return the percentage of a degree of concealment (futurepath.table.concealment)."""
    return int(fight.figure(TABLE, f"degree={degree}", "miss_chance"))


def is_unseen(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Return whether a target is totally concealed from an attacker, which must guess its square.

    futurepath.concealment.total-guess-location
    """
    if "blinded" in attacker.conditions or "total concealment" in target.conditions:
        return True
    return "invisible" in target.conditions and not has_trait(attacker, "see invisibility")


def locates(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant sees another's square, or has discovered it.

    futurepath.concealment.total-guess-location, futurepath.concealment.point-of-view
    """
    return not is_unseen(fight, combatant, other) or knows_square(combatant, other)


def unseen_by(fight: Fight, attacker: Combatant) -> partial[bool]:
    """Return a function that tests whether an attacker cannot see a combatant."""
    return partial(is_unseen, fight, attacker)


# --- Attacking a square in which an unseen target is suspected


def who_is_there(fight: Fight, act: acts.Attack) -> acts.Attack:
    """Return an attack into a square as one at an unseen target in it; unchanged if there is none.

    futurepath.concealment.total-guess-location
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(GUESS)
    if act.target:
        raise Refusal(f"an attack into a square names no target, but it names {act.target}", rule)
    there = unseen_in_square(fight, actor, act.at or actor.at, unseen_by(fight, actor), rule)
    return act if there is None else replace(act, target=there.id, at=None)


def strike_at_nobody(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack an empty square: the wrong guess costs the attack.

    futurepath.concealment.total-guess-location
    """
    actor = fight.combatant(act.actor)
    # A thrown weapon is gone afterwards.
    by_hand = strikes_in_melee(find_weapon(fight, actor, act.weapon)) and not act.thrown
    yield from strike_nobody(fight, act, act.at or actor.at, fight.rule(GUESS))
    if act.defensively:
        yield from fight_defensively(fight, actor, "melee" if by_hand else "ranged")
