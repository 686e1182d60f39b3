"""The combat feats that add the same in several dialects: at close range, in both hands, on the move."""

from collections.abc import Iterator

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.feat_prerequisites import lacks_for_feat
from affray.engine.rules.gear.held_weapons import wields_two
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet_parts import Bonus
from affray.projections.state import Combatant


def is_printed_among(bonuses: tuple[Bonus, ...], name: str) -> bool:
    """Say whether a sheet spells a feat's bonus out among its parts, so that it must not count twice."""
    return any(one.source == name for one in bonuses)


def point_blank_attack(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to the attack of shots at close range (srd35.feat.point-blank-shot, pf1.feat.point-blank)."""
    return point_blank(fight, blow, "attack")


def point_blank_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Add to the damage of shots at close range (srd35.feat.point-blank-shot, pf1.feat.point-blank)."""
    return point_blank(fight, blow, "damage")


def point_blank(fight: Fight, blow: Blow, figure: str) -> Iterator[Modifier]:
    """Yield a figure of the feat for a shot or throw within its range."""
    topic = "feat.point-blank-shot"
    # The first square out of range lies one square further.
    if not blow.melee and blow.distance < fight.figure(topic, "range_ft") + SQUARE_FT:
        yield fight.modifier(topic, figure, kind="untyped", source="Point Blank Shot")


def two_weapon_defense(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Shield those who hold a weapon in each hand, better while they defend.

    srd35.feat.two-weapon-defense, pf1.feat.two-weapon-defense.
    """
    topic, target = "feat.two-weapon-defense", blow.target
    if (
        lacks_for_feat(fight, target, "two-weapon defense")
        or not wields_two(target)
        or is_helpless(fight, target)
    ):
        return
    defending = "total-defense" in target.conditions or any(  # srd35.total-defense, pf1.total-defense
        effect.modifier.source == "fighting defensively" for effect in target.effects
    )
    figure = "defensive" if defending else "ac_shield"
    part = fight.modifier(topic, figure, kind="shield", source="Two-Weapon Defense")
    if blow.intent.touch:
        why = f"touch attack: shield does not count ({fight.rule('ac.touch')})"
        part = Modifier(part.value, part.kind, part.source, part.rule, why)
    yield part


def improved_initiative_bonus(
    fight: Fight, combatant: Combatant, name: str, detail: str
) -> Iterator[Modifier]:
    """Add to initiative (srd35.feat.improved-initiative, pf1.feat.improved-initiative)."""
    source = "Improved Initiative"
    if not is_printed_among(combatant.sheet.initiative, source):
        yield fight.modifier("feat.improved-initiative", "initiative", kind="untyped", source=source)


def mobility_bonus(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the dodge bonus against attacks of opportunity for moving, lost with Dexterity.

    srd35.feat.mobility, pf1.feat.mobility.
    """
    if lacks_for_feat(fight, blow.target, "mobility"):
        return
    part = fight.modifier("feat.mobility", "ac_dodge", kind="dodge", source="Mobility")
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    if reason:
        denied = f"{reason}: dodge bonuses denied ({fight.rule(topic)})"
        part = Modifier(part.value, part.kind, part.source, part.rule, denied)
    yield part
