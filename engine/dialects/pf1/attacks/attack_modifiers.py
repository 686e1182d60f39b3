"""What Pathfinder does differently about attacks: range, shots into melee, cover, incorporeal touch."""

from math import ceil

from msgspec.structs import replace

from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_modifiers
from affray.engine.rules.classes.ability_modifiers import has_feat, size_step, wielded_in_two_hands
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.defense.armor_class import PHYSICAL
from affray.engine.rules.defense.force_armor import is_of_force
from affray.engine.rules.position.cover_between import cover_between
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet
from affray.projections.state import Combatant

KINDS = {
    "deflection": "pf1.ac.deflection",
    "dodge": "pf1.ac.dodge",
    "natural": "pf1.ac.natural-armor",
    "size": "pf1.size.to-ac",
}


def range_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for every range increment begun after the first (pf1.attack-action.range).

    Far Shot makes it -1 each instead of -2 (pf1.feat.point-blank).
    """
    further = -(-blow.distance // blow.weapon.range) - 1 if blow.weapon.range else 0
    if further <= 0:
        return []
    topic, figure = "pf1.attack-action.range", "penalty"
    if has_feat(blow.attacker, "far shot"):
        topic, figure = "pf1.feat.point-blank", "far_shot"
    per = int(fight.figure(topic, figure))
    return [Modifier(per * further, "penalty", f"range {blow.distance} ft.", fight.rule(topic))]


def into_melee(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for shooting at somebody engaged with friends (pf1.attack-action.into-melee).

    Smaller against a target two sizes larger than all of them, none against one of three, nor for those with
    Precise Shot (pf1.feat.precise-shot).
    """
    friends = attack_modifiers.friends_in_melee(fight, blow)
    if not friends:
        return []
    if masters(fight, blow.attacker, "precise shot"):
        blow.cites.append(fight.rule("pf1.feat.precise-shot"))
        return []
    topic = "attack-action.into-melee"
    larger = size_step(blow.target) - max(size_step(friend) for friend in friends)
    figure = "two_sizes" if larger >= fight.figure(topic, "two_sizes_larger") else "penalty"
    if larger >= fight.figure(topic, "three_sizes_larger"):
        figure = "three_sizes"
        if not fight.figure(topic, figure):
            return []
    source = f"into melee with {friends[0].id}"
    return [fight.modifier(topic, figure, kind="penalty", source=source)]


def no_cover_from_touch(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return no cover against the touch of the incorporeal, which ignores it.

    pf1.touch.incorporeal, pf1.touch.incorporeal-ignores-cover.
    """
    blow.cites += fight.rules("pf1.touch.incorporeal", "pf1.touch.incorporeal-ignores-cover")
    return []


def best_cover(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus that cover gives to the target's defense: the best of what the map and the GM say.

    The GM grants partial and improved cover as conditions of that name (pf1.cover.melee, pf1.cover.ranged,
    pf1.cover.soft, pf1.cover.partial, pf1.cover.improved). A low obstacle covers by pf1.cover.aoo.
    """
    conditions = blow.target.conditions
    if "improved cover" in conditions:
        return [fight.modifier("pf1.cover.improved", "ac", kind="cover", source="improved cover")]
    found = cover_between(fight, blow.attacker, blow.target, blow.melee)
    if found.kind == "cover":
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        blow.cites.append(fight.rule("pf1.cover.melee" if blow.melee else "pf1.cover.ranged"))
        if found.low:
            blow.cites.append(fight.rule("pf1.cover.aoo"))
        return [fight.modifier("pf1.cover.ranged", "ac", kind="cover", source=f"cover at {place}")]
    if found.kind == "soft":
        source = f"soft cover from {', '.join(found.creatures)}"
        return [fight.modifier("pf1.cover.soft", "ac", kind="cover", source=source)]
    if "partial cover" in conditions:
        return [fight.modifier("pf1.cover.partial", "ac", kind="cover", source="partial cover")]
    return []


def reflex_behind_improved_cover(
    fight: Fight, attacker: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return what improved cover gives to a Reflex save (pf1.cover.improved)."""
    return (fight.modifier("pf1.cover.improved", "reflex", kind="cover", source="improved cover"),)


def reflex_behind_partial_cover(
    fight: Fight, attacker: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return what partial cover gives to a Reflex save (pf1.cover.partial)."""
    if "partial cover" not in target.conditions:
        return ()
    return (fight.modifier("pf1.cover.partial", "reflex", kind="cover", source="partial cover"),)


def incorporeal_touch(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class against a blow without a body: solid armor is no obstacle, force is.

    A part of the sheet is force when its source says so: "mage armor", "shell of force"
    (pf1.touch.incorporeal, pf1.touch.incorporeal-vs-force).
    """
    rule = fight.rule("pf1.touch.incorporeal-vs-force")
    denied = f"incorporeal: it does not count ({fight.rule('pf1.touch.incorporeal')})"
    made = []
    for part in parts:
        if part.kind in PHYSICAL and is_of_force(part.source):
            part = replace(part, denied="", rule=rule)
        elif part.kind in PHYSICAL and not part.denied:
            part = replace(part, denied=denied)
        made.append(part)
    return tuple(made)


def rules_by_kind(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class under the rules that speak of their kind.

    pf1.ac.deflection, pf1.ac.dodge, pf1.ac.natural-armor, pf1.size.to-ac.
    """
    return parts_by_kind(fight, parts)


@per_fight("parts")
def parts_by_kind(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class under the rules that speak of their kind."""
    return tuple(
        replace(part, rule=fight.rule(KINDS[part.kind])) if part.kind in KINDS else part for part in parts
    )


def rule_on_strength(
    fight: Fight, blow: Blow, strength: int, share: tuple[int, str, str] | None
) -> tuple[int, str, str] | None:
    """Return what Strength adds to damage; penalties and light weapons have rules of their own.

    pf1.damage.off-hand-penalty, pf1.damage.two-handed-penalty, pf1.damage.two-handed-light-weapon.
    """
    if share is None or share[2] != "damage.strength":  # pf1.damage.strength-melee-thrown
        return share
    value, source, _ = share
    two = blow.melee and wielded_in_two_hands(blow.weapon)
    if strength < 0 and blow.weapon.off_hand:
        return value, source, "pf1.damage.off-hand-penalty"
    if strength < 0 and two:
        topic = "pf1.damage.two-handed-penalty"
    elif two and blow.weapon.wield == "light":
        topic = "pf1.damage.two-handed-light-weapon"
    else:
        return share
    return int(value * fight.figure(topic, "multiplier")), source, topic


def whole_with_double_slice(
    fight: Fight, blow: Blow, strength: int, share: tuple[int, str, str]
) -> tuple[int, str, str]:
    """Return the whole Strength bonus for the off hand of those with Double Slice (pf1.feat.double-slice)."""
    if not masters(fight, blow.attacker, "double slice"):
        return share
    return strength, "Strength (Double Slice)", "pf1.feat.double-slice"


def rule_on_flat_footed(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity bonus, and the topic of pf1's rule on the flat-footed.

    pf1.surprise-round.unaware-flat-footed, pf1.flat-footed.no-dex-to-ac.
    """
    reason, topic = denied
    if topic == "flat-footed.start":
        surprised = fight.state.round == 0 and not blow.target.aware
        topic = "pf1.surprise-round.unaware-flat-footed" if surprised else "pf1.flat-footed.no-dex-to-ac"
    return reason, topic


def space_and_reach_by_size(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side and the natural reach in feet of a creature of that size.

    A space of part of a square takes up the whole (pf1.size.space-table, pf1.grid).
    """
    row = f"size={sheet.size.capitalize()}"
    topic = "pf1.size.space-table"
    feet = sheet.space if sheet.space is not None else fight.figure(topic, row, "space")
    shape = "reach" if sheet.tall or "long" not in fight.figure(topic, row) else "long"
    reach = sheet.reach if sheet.reach is not None else fight.figure(topic, row, shape)
    return max(1, ceil(feet / fight.figure("pf1.grid", "square_ft"))), int(reach)
