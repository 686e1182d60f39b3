"""Crowding: several in one space, more attackers than find room, blows into one's own space.

woa.crowd.*, woa.ganging-up.crowding-in, woa.space.own-space-*, woa.squeezing.penalties
"""

from typing import Any

from msgspec.structs import replace

from affray.engine.dialects.woa.defense.ganging_up import MIXED, press_around
from affray.engine.dialects.woa.position import shared_space
from affray.engine.dialects.woa.position.size_difference import on_body
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait, size_step
from affray.engine.rules.position.place import distance
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

SAME, MORE, OTHER_SIZES = "woa.crowd.same-size-penalty", "woa.crowd.cumulative", "woa.crowd.different-sizes"
OWN_SPACE = "woa.space.own-space-attack-penalty"
#: Who is in a narrow or low place, with the topic of what that costs.
TIGHT = {
    "squeezed": "woa.squeezing.penalties",
    "stooping": "woa.squeeze.low-ceiling",
    "wriggling": "squeezing.escape-artist",
    "worming": "woa.squeeze.very-low-ceiling",
}
#: Drilled formations, as traits.
PHALANX, LANCES = "phalanx", "charging line"


def sharing_penalty(fight: Fight, combatant: Combatant, column: str) -> list[Modifier]:
    """Return what sharing its space costs a combatant on attacks, AC or Reflex saves.

    -2 for one of its size, -4 for two; less for the bigger and smaller. The helpless are obstacles
    (woa.crowd.same-size-penalty, .cumulative, .helpless-as-obstacle, .different-sizes).
    """
    parts: list[Modifier] = []
    equals: list[str] = []
    for other in shared_space.others_in_space(fight, combatant):
        apart = abs(size_step(other) - size_step(combatant))
        if is_helpless(fight, other):
            rule = fight.rule("woa.crowd.helpless-as-obstacle")
            part = fight.modifier(SAME, column, kind="penalty", source=f"crowded by {other.id}")
            parts.append(replace(part, denied=f"{other.id} is an obstacle, no combatant ({rule})"))
        elif not apart:
            equals.append(other.id)
    parts += shared_space.share_parts(fight, combatant, column)
    if not equals:
        return parts
    source = f"crowded by {', '.join(equals)}"
    if len(equals) == 1:
        return [*parts, fight.modifier(SAME, column, kind="penalty", source=source)]
    rows = fight.figure(MORE, "same_size_other_occupants")
    others = min(len(equals), max(int(row["others"]) for row in rows))
    path = ("same_size_other_occupants", f"others={others}", column)
    return [*parts, fight.modifier(MORE, *path, kind="penalty", source=source)]


def rules_of_crowding(fight: Fight, parts: list[Modifier]) -> list[str]:
    """Return the rules by which sharing a space with somebody costs nothing, or several add up."""
    topics = ("woa.crowd.helpless-as-obstacle", OTHER_SIZES)
    found = [rule for rule in fight.rules(*topics) if any(rule in part.denied for part in parts)]
    return [*found, *shared_space.rules_of_adding_up(fight, parts)]


def ganging_penalty(
    fight: Fight, combatant: Combatant, other: Combatant, column: str
) -> tuple[list[Modifier], list[str]]:
    """Return what crowding in around somebody costs one of too many attackers, with the rules.

    Each beyond the limit takes the penalties and draws another one in, the nearest; the last to come are
    those beyond. Never besides a shared space (woa.ganging-up.crowding-in).
    """
    if len(fight.enemies(other)) < 2:
        return [], []
    found = press_around(fight, other, combatant)
    if MIXED in found.topics or shared_space.crowders(fight, other, combatant):
        return [], []  # sizes have a rule of their own for it (see `room.crowding`)
    topic = "woa.ganging-up.crowding-in"
    hampered = list(found.attackers[found.limit :])
    for name in tuple(hampered):
        late = fight.state.combatants[name]
        for _ in range(fight.figure(topic, "penalized_per_extra_attacker") - 1):
            free = [one for one in found.attackers if one not in hampered]
            if free:
                hampered.append(min(free, key=lambda one: distance(late, fight.state.combatants[one])))
    if combatant.id not in hampered:
        return [], []
    cites = list(fight.rules(topic, *found.topics))
    part = fight.modifier(SAME, column, kind="penalty", source=f"crowding in on {other.id}")
    return [part], cites


def refuse_no_room(fight: Fight, blow: Blow) -> None:
    """Refuse an attack in melee by one who finds no room even crowding in (woa.ganging-up.crowding-in)."""
    attacker, target = blow.attacker, blow.target
    if not blow.melee or len(fight.enemies(target)) < 2:
        return
    if distance(attacker, target) > SQUARE_FT:
        return
    found = press_around(fight, target, attacker)
    topic = "woa.ganging-up.crowding-in"
    most = found.limit * fight.figure(topic, "max_multiplier")
    if attacker.id in found.attackers[most:]:
        reason = f"there is no more room around {target.id} for {attacker.id} to crowd in"
        raise Refusal(reason, fight.rule(topic))


def close_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what closeness takes off the attacker's roll.

    Crowding and squeezing, but not from a light weapon into one's own space; there other weapons cost -4
    unless crowding or squeezing costs more (woa.crowd.light-weapon-exemption, woa.squeezing.penalties,
    woa.space.own-space-attack-penalty; option `own_space_attack`). Who runs others down does not crowd them.
    """
    if blow.intent.maneuver == "overrun":
        return []
    attacker, target = blow.attacker, blow.target
    light = blow.weapon.wield in ("light", "unarmed")
    within = blow.melee and distance(attacker, target) == 0
    crowd = sharing_penalty(fight, attacker, "attack")
    if blow.melee:
        gang, cites = ganging_penalty(fight, attacker, target, "attack")
        if not any(not part.denied for part in crowd):
            crowd = [*crowd, *gang]
        blow.cites += cites
    crowd = [crowd_denied(fight, blow, part, attacker, within and light) for part in crowd]
    blow.cites += rules_of_crowding(fight, crowd)
    tight = [
        squeezed_attack(fight, blow, name, within and light) for name in TIGHT if name in attacker.conditions
    ]
    parts = [*crowd, *(part for part in tight if part is not None)]
    if (
        on_body(blow)
        or not within
        or blow.weapon.wield not in ("light", "unarmed", "one-handed", "two-handed")
    ):
        return parts
    return worst_of_close_attack(fight, parts, into_own_space(fight, light))


def into_own_space(fight: Fight, light: bool) -> Modifier:
    """Return what a blow into one's own space costs, by the reading of `own_space_attack`."""
    path = "light_weapon_penalty" if light else "attack_penalty"
    reading = fight.option("own_space_attack")
    part = fight.modifier(OWN_SPACE, path, kind="penalty", source="into one's own space")
    if reading != "worst-one" and not light:
        value = fight.figure(SAME, "attack")
        return Modifier(value, "penalty", f"into one's own space (own_space_attack: {reading})", part.rule)
    return part


def worst_of_close_attack(fight: Fight, parts: list[Modifier], into: Modifier) -> list[Modifier]:
    """Return the parts with the blow into one's own space: the worse of it and of all the others counts."""
    if not into.value:
        return parts
    rest = sum(part.value for part in parts if not part.denied)
    why = f"no more than the worse of the two ({into.rule})"
    if rest <= into.value:
        return [*parts, replace(into, denied=why)]
    return [*(part if part.denied else replace(part, denied=why) for part in parts), into]


def crowd_denied(fight: Fight, blow: Blow, part: Modifier, combatant: Combatant, light: bool) -> Modifier:
    """Return a part of crowding, denied where it does not count for this attack."""
    if part.denied:
        return part
    topic = ""
    if not blow.melee:
        topic, why = "woa.crowd.melee-only", "no melee attack"
    elif light:
        topic, why = "woa.crowd.light-weapon-exemption", "a light weapon in one's own space"
    elif blow.intent.kind == "charge" and are_drilled(fight, combatant, LANCES):
        topic, why = "woa.crowd.formations", "a trained line of riders"
    if not topic:
        return part
    blow.cites.append(fight.rule(topic))
    return replace(part, denied=f"{why} ({fight.rule(topic)})")


def are_drilled(fight: Fight, combatant: Combatant, formation: str) -> bool:
    """Say whether a combatant and its friends in its space are drilled in a formation."""
    friends = [one for one in shared_space.others_in_space(fight, combatant) if one.side == combatant.side]
    return has_trait(combatant, formation) and all(has_trait(one, formation) for one in friends)


def squeezed_attack(fight: Fight, blow: Blow, name: str, light: bool) -> Modifier | None:
    """Return what a narrow or low place takes off an attack, None where it takes nothing."""
    topic = TIGHT[name]
    if name in ("wriggling", "worming"):
        return None
    value = fight.figure(topic, "attack") * blow.attacker.conditions[name].level
    part = Modifier(value, "penalty", name, fight.rule(topic))
    if light and name == "squeezed":
        spared = fight.figure(topic, "light_weapon_in_own_space_attack")
        why = f"a light weapon in one's own space ({part.rule})"
        return replace(part, value=spared) if spared else replace(part, denied=why)
    return part


def close_defense(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what crowding takes off the target's AC, in melee (woa.crowd.*, woa.crowd.formations)."""
    target, attacker = blow.target, blow.attacker
    parts = sharing_penalty(fight, target, "ac")
    if blow.melee and not any(not part.denied for part in parts):
        gang, cites = ganging_penalty(fight, target, attacker, "ac")
        parts, blow.cites = [*parts, *gang], [*blow.cites, *cites]
    found = []
    for part in parts:
        if not part.denied and not blow.melee:
            blow.cites.append(fight.rule("woa.crowd.melee-only"))
            part = replace(part, denied=f"no melee attack ({fight.rule('woa.crowd.melee-only')})")
        elif not part.denied and not has_trait(attacker, PHALANX) and are_drilled(fight, target, PHALANX):
            blow.cites.append(fight.rule("woa.crowd.formations"))
            part = replace(part, denied=f"a phalanx ({fight.rule('woa.crowd.formations')})")
        found.append(part)
    blow.cites += rules_of_crowding(fight, found)
    return found


def refuse_wriggler(fight: Fight, actor: Combatant, act: Any) -> None:
    """Refuse to attack while one wriggles through by Escape Artist (woa.squeezing.escape-artist)."""
    raise Refusal(f"{actor.id} wriggles through and cannot attack", fight.rule("woa.squeezing.escape-artist"))
