"""Broken things: at half their hit points or less they serve badly (pf1.cond.broken)."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.critical_hits import immune_to_criticals
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.steps import Refusal, Steps, altered
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded, EffectGained, ResourceSpent, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TOPIC: Final = "pf1.cond.broken"
#: The condition of a thing, the trait of an item on a sheet, the stat of what has happened to one since.
BROKEN: Final = "broken"
#: Magic items whose charges a broken one spends doubly.
CHARGED: Final = ("wand", "staff")


def breaks(fight: Fight, left: int, full: int) -> bool:
    """Say whether a thing is broken with so many of its hit points left: half or less (pf1.sunder)."""
    return left <= full * float(fight.figure("pf1.sunder", "broken_at"))


def is_broken(combatant: Combatant, item: str) -> bool:
    """Say whether an item of a combatant is broken, as its sheet says or since."""
    if any(one.stat == BROKEN and one.modifier.source == item for one in combatant.effects):
        return True
    sheet = combatant.sheet
    weapons = any(one.name == item and BROKEN in one.traits for one in sheet.weapons)
    return weapons or any(one.name == item and BROKEN in one.traits for one in sheet.worn)


def break_item(fight: Fight, holder: Combatant, item: str, *topics: str) -> Iterator[EffectGained]:
    """Yield that an item is broken from now on, unless it was."""
    if not is_broken(holder, item):
        rule = fight.rule(TOPIC)
        yield EffectGained(
            who=holder.id,
            id=f"{fight.declaration}:{BROKEN}:{item}",
            stat=BROKEN,
            modifier=Modifier(0, BROKEN, item, rule),
            until=Until(""),
            cites=fight.rules(TOPIC, *topics),
        )


def no_longer_broken(fight: Fight, holder: Combatant, item: str, why: str) -> Iterator[EffectEnded]:
    """Yield that an item is broken no longer, such as when there is nothing left of it."""
    for effect in holder.effects:
        if effect.stat == BROKEN and effect.modifier.source == item:
            yield EffectEnded(who=holder.id, id=effect.id, why=why, cites=fight.rules(TOPIC))


def strikes_with_broken(fight: Fight, blow: Blow, *given: Any) -> bool:
    """Say whether a blow is made with a broken weapon."""
    return is_broken(blow.attacker, blow.weapon.name)


def on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what a broken weapon takes from an attack with it."""
    if not is_broken(blow.attacker, blow.weapon.name):
        return []
    source = f"the {blow.weapon.name} is broken"
    return [fight.modifier(TOPIC, "weapon", "attack", kind="penalty", source=source)]


def on_damage(fight: Fight, blow: Blow, detail: str = "") -> list[Modifier]:
    """Return what a broken weapon takes from its damage."""
    if not is_broken(blow.attacker, blow.weapon.name):
        return []
    source = f"the {blow.weapon.name} is broken"
    return [fight.modifier(TOPIC, "weapon", "damage", kind="penalty", source=source)]


def threatens(fight: Fight, blow: Blow, natural: int, total: int, needed: int) -> bool:
    """Say whether a hit with a broken weapon threatens a critical: on a 20 alone, whatever widens its range.

    pf1.cond.broken, pf1.crit.confirm, pf1.crit.immune.
    """
    if natural < critical_of_broken(fight)[0]:
        return False
    immune = immune_to_criticals(fight, blow)
    blow.cites += fight.rules("crit.immune") if immune else fight.rules("crit.threat", TOPIC)
    return not immune


def critical_of_broken(fight: Fight) -> tuple[int, int]:
    """Return the lowest natural roll that threatens with a broken weapon, and its multiplier."""
    least, _, multiplier = str(fight.figure(TOPIC, "weapon", "crit")).partition("/x")
    return int(least), int(multiplier)


def confirm_weaker(fight: Fight, blow: Blow, confirming: Steps[bool]) -> Steps[bool]:
    """Confirm a critical hit; with a broken weapon it multiplies by two, whatever the weapon's own."""
    confirmed = yield from confirming
    if confirmed and is_broken(blow.attacker, blow.weapon.name):
        blow.weapon = replace(blow.weapon, multiplier=critical_of_broken(fight)[1])
        blow.damage.cites += fight.rules(TOPIC)
    return confirmed


def on_armor(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class, those of broken armor and shields halved, rounded down."""
    return tuple(halved(fight, blow.target, part) for part in parts)


def halved(fight: Fight, wearer: Combatant, part: Modifier) -> Modifier:
    """Return a part of Armor Class, half of it if it comes of a broken armor or shield."""
    item = part.source.partition(" enhanced by ")[0]
    if part.kind not in ("armor", "shield") or not is_broken(wearer, item):
        return part
    value = int(part.value * float(fight.figure(TOPIC, "armor_bonus")))
    return Modifier(value, part.kind, f"{part.source} (broken)", fight.rule(TOPIC), part.denied)


def tool_parts(fight: Fight, user: Combatant, tool: str) -> list[Modifier]:
    """Return what it takes from a check that the tool in use is broken."""
    if not is_broken(user, tool):
        return []
    return [fight.modifier(TOPIC, "tool", kind="penalty", source=f"the {tool} is broken")]


def is_broken_device(fight: Fight, act: acts.Activate, using: Steps[None]) -> bool:
    """Say whether a broken wand or staff is used."""
    user = fight.combatant(act.actor)
    item = named_spell(user, act.item)
    return item is not None and item.item in CHARGED and is_broken(user, item.name)


def spend_more_charges(fight: Fight, act: acts.Activate, using: Steps[None]) -> Steps[None]:
    """Use a broken wand or staff: it takes two charges. Refuses it with fewer."""
    user = fight.combatant(act.actor)
    item = named_spell(user, act.item)
    each = int(fight.figure(TOPIC, "charges"))
    if item is not None and item.uses is not None and item.uses - user.resources.get(item.name, 0) < each:
        reason = f"the {item.name} is broken: to use it takes {each} charges"
        raise Refusal(reason, fight.rule(TOPIC))

    def doubled(step: Any) -> Any:
        if isinstance(step, ResourceSpent) and step.resource == act.item:
            return replace(step, amount=step.amount * each, cites=(*step.cites, fight.rule(TOPIC)))
        return step

    return altered(using, doubled)
