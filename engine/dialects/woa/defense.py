"""Armor Class: worn or natural armor, what touch attacks pass, what the unaware lose (woa.ac.*)."""

from affray.engine.fight import Fight
from affray.engine.rules.abilities import ability, has_trait
from affray.engine.rules.blow import Blow
from affray.engine.rules.conditions import is_helpless, rule_of
from affray.engine.rules.defense import capped
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def defense_bonus(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the parts of the target's AC against this attack, the denied ones marked; no size in it.

    Of worn and natural armor the larger counts; a touch attack passes both but not the shield; who does not
    expect the attack loses shield, dodge and Dexterity bonus (woa.ac.*, woa.surprise.ac-against-unexpected).
    """
    target = blow.target
    reason, topic = fight.dialect.points.dexterity_denied(fight, blow)
    helpless = is_helpless(fight, target)
    unshielded = next((name for name in target.conditions if rule_of(fight, name).shieldless), "")
    ruined = lost_items(target) if target.items else frozenset()
    key = ("defense", target.id, id(target.sheet), blow.touch, reason, helpless, unshielded, ruined)
    found: tuple[Modifier, ...] | None = fight.cache.get(key)
    if found is not None:
        return found
    sheet = target.sheet
    rule = fight.rule("ac.formula")
    parts = [Modifier(fight.figure("ac.formula", "base"), "base", "base", rule)]
    worn = sum(part.value for part in sheet.armor if part.kind == "armor")
    natural = sum(part.value for part in sheet.armor if part.kind == "natural")
    for bonus in sheet.armor:
        denied = ""
        if blow.touch and bonus.kind in ("armor", "natural"):
            denied = f"touch attack: {bonus.kind} does not count ({fight.rule('ac.touch-ac')})"
        elif bonus.kind == "natural" and worn >= natural > 0:
            denied = f"overruled by worn armor {worn:+d} ({fight.rule('ac.natural-armor-no-stack')})"
        elif bonus.kind == "armor" and natural > worn > 0:
            denied = f"overruled by natural armor {natural:+d} ({fight.rule('ac.natural-armor-no-stack')})"
        elif reason and bonus.kind in ("dodge", "shield"):
            lost = "ac.dodge-bonus-denied" if bonus.kind == "dodge" else "ac.shield-denied"
            denied = f"{reason}: {bonus.kind} bonus denied ({fight.rule(lost)})"
        elif bonus.kind == "shield" and (bonus.source or "shield") in ruined:
            state = target.items[bonus.source or "shield"]
            broken = "object.state.broken" if state == "broken" else "items.drop"
            denied = f"the {bonus.source or 'shield'} is {state} ({fight.rule(broken)})"
        elif unshielded and bonus.kind == "shield":
            denied = f"{unshielded}: no shield ({fight.rule('water.swimming.no-shield')})"
        granted = "ac.natural-armor" if bonus.kind == "natural" else "ac.armor-shield-bonus"
        if bonus.kind not in ("armor", "shield", "natural"):
            granted = "ac.other-modifiers"
        source = bonus.source or bonus.kind
        parts.append(Modifier(bonus.value, bonus.kind, source, fight.rule(granted), denied))
    dexterity = ability(sheet, "dex")
    if helpless:
        worst = (0 - 10) // 2
        parts.append(Modifier(worst, "ability", "Dexterity counts as 0", fight.rule("condition.paralyzed")))
    elif dexterity > 0 and reason:
        denied = f"{reason}: Dexterity bonus denied ({fight.rule(topic)})"
        value = capped(dexterity, sheet.max_dex)
        parts.append(Modifier(value, "ability", "Dexterity", fight.rule("ac.dexterity-modifier"), denied))
    elif sheet.max_dex is not None and dexterity > sheet.max_dex:
        source = f"Dexterity (armor allows {sheet.max_dex} of {dexterity})"
        parts.append(Modifier(sheet.max_dex, "ability", source, fight.rule("ac.armor-max-dexterity")))
    elif dexterity:
        topic = "ac.dexterity-modifier" if dexterity > 0 else "ac.dexterity-penalty-always"
        parts.append(Modifier(dexterity, "ability", "Dexterity", fight.rule(topic)))
    found = fight.cache[key] = tuple(parts)
    return found


def dexterity_denied(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why the target loses what active defense gives, and the rule's topic; ("", "") if it does not.

    The unaware until their first turn, unless improved uncanny dodge keeps them, those who cannot react,
    and the misled (woa.surprise.ac-against-unexpected, woa.ac.dexterity-bonus-denied, woa.feint.success).
    """
    target = blow.target
    if not target.aware and not target.acted and not has_trait(target, "improved uncanny dodge"):
        return "unaware", "surprise.ac-against-unexpected"
    for name in target.conditions:
        rule = rule_of(fight, name)
        if not rule.dexterity:
            return name, rule.dexterity_topic or rule.topic
    if misled(blow):
        return "misled by a feint", "feint.success"
    return "", ""


def lost_items(who: Combatant) -> frozenset[str]:
    """Return the things of a combatant that protect it no longer: broken, off, dropped or taken away."""
    lost = ("broken", "doffed", "dropped", "gone")
    return frozenset(item for item, state in who.items.items() if state in lost)


def misled(blow: Blow) -> bool:
    """Say whether the attacker has misled the target about this blow (woa.feint.success)."""
    attacker = blow.attacker
    return (
        blow.melee
        and bool(attacker.effects)
        and any(
            one.stat == "denies-dexterity" and one.against in ("", blow.target.id) for one in attacker.effects
        )
    )
