"""Shields that hamper the arm, and shields that do not guard for a while (pf1.armor.*).

A buckler takes 1 from attacks of the arm that bears it, and does not guard while that arm strikes or makes
the gestures of a spell; a tower shield takes 2 from every attack.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.held_weapons import OFF, counted_arms
from affray.engine.rules.gear.worn_items import SHIELD, shields_of_row, uses_shield_arm
from affray.engine.rules.magic.components import hands_in_use
from affray.engine.rules.turns.action_budget import has_acted
from affray.engine.steps import Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet, Spell
from affray.projections.state import Combatant

BUCKLER: Final = "pf1.armor.buckler"
TOWER: Final = "pf1.armor.tower-shield"
BASH: Final = "pf1.feat.shield-feats"
#: The row of a shield in the table, and what is in the name of one that has none, by its rule.
KINDS: Final = {BUCKLER: ("buckler", "buckler"), TOWER: ("shield, tower", "tower shield")}
#: The stat of what takes a shield's bonus away while its arm does something else.
LOWERED: Final = "guard of the shield"


def shields_of_kind(sheet: Sheet, topic: str) -> list[str]:
    """Return the names of the shields of a sheet that the rule on a topic speaks of: by row or by name."""
    return shields_of_row(sheet, *KINDS[topic])


def borne_shields(bearer: Combatant, topic: str) -> list[str]:
    """Return those of them that are on an arm now."""
    away = (*OFF, "stowed")
    return [name for name in shields_of_kind(bearer.sheet, topic) if bearer.items.get(name) not in away]


def rules_of_shields(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return a sheet as it is, and the rules on bucklers and tower shields that it names by their rows."""
    tables = {one.table for one in sheet.worn}
    return sheet, fight.rules(*(topic for topic, (row, _) in KINDS.items() if row in tables))


def on_attack(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield what the shields of an attacker take from its roll.

    pf1.armor.buckler, pf1.armor.tower-shield.
    """
    if borne_shields(blow.attacker, TOWER):
        yield fight.modifier(TOWER, "attack", kind="penalty", source="tower shield")
    if uses_shield_arm(blow.weapon) and borne_shields(blow.attacker, BUCKLER):
        yield fight.modifier(BUCKLER, "attack", kind="penalty", source="buckler on that arm")


def lower_by_off_hand(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Take its guard from the buckler of the arm that has struck with a weapon (pf1.armor.buckler)."""
    yield from lower_shields(fight, blow.attacker, borne_shields(blow.attacker, BUCKLER), BUCKLER)


def lower_by_gestures(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Take its guard from the buckler of the arm that makes the gestures of a spell (pf1.armor.buckler).

    It does where no other hand is free.
    """
    if spell.ability or "somatic" not in spell.components:
        return
    taken = [one.name for one in caster.sheet.weapons if one.off_hand and one.name in caster.held]
    if not taken and counted_arms(caster) - hands_in_use(caster) == 1:
        yield from lower_shields(fight, caster, borne_shields(caster, BUCKLER), BUCKLER)


def lower_shields(
    fight: Fight, bearer: Combatant, names: Iterable[str], topic: str
) -> Iterator[EffectGained]:
    """Yield that shields guard their bearer no longer until its next turn, by the rule on a topic."""
    lowered = {one.modifier.source for one in bearer.effects if one.stat == LOWERED}
    waits = fight.state.active != bearer.id and not has_acted(fight, bearer)
    for name in names:
        if name not in lowered:
            yield EffectGained(
                who=bearer.id,
                id=f"{fight.declaration}:lowered {name}",
                stat=LOWERED,
                modifier=Modifier(0, SHIELD, name, fight.rule(topic)),
                until=Until("turn-start", bearer.id, fight.state.round + (not waits)),
                cites=fight.rules(topic),
            )


def without_lowered_shield(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, those of a shield denied whose arm has done something else.

    pf1.armor.buckler, pf1.feat.shield-feats.
    """
    lowered = {one.modifier.source: one.modifier.rule for one in blow.target.effects if one.stat == LOWERED}
    made = []
    for part in parts:
        name = next((one for one in lowered if part.source.startswith(one)), "")
        if part.kind == SHIELD and name and not part.denied:
            bashed = lowered[name] == fight.rule(BASH)
            why = f"strikes with the {name}" if bashed else f"uses the arm of the {name}"
            part = replace(part, denied=f"{why} ({lowered[name]})")
        made.append(part)
    return tuple(made)
