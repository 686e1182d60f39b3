"""Components: voice, gestures and materials, and what makes a spell that is cast fail."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import OFF
from affray.engine.rules.gear.wands import wands_of
from affray.engine.rules.gear.worn_items import worn_now
from affray.engine.rules.magic.components import (
    AWAY,
    POUCH,
    refuse_without_hand,
    refuse_without_voice,
    roll_spell_failure,
)
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Spell
from affray.events.facts.sheet_parts import Bonus
from affray.projections.state import Combatant

#: What a spell takes of things in the hand.
HANDLED: Final = frozenset({"material", "focus", "divine focus"})


def refuse_components(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse a spell whose words, gestures or materials its caster cannot provide.

    Special abilities need none (srd35.cast.components).
    """
    if spell.ability:
        return
    refuse_without_voice(fight, caster, spell)
    if "somatic" in spell.components and "grappling" not in caster.conditions:
        refuse_without_hand(fight, caster, spell)
    if "material" in spell.components and caster.items.get(POUCH) in AWAY:
        raise Refusal(
            f"{caster.id} has the materials of {spell.name} no longer at hand",
            fight.rule("srd35.cast.components"),
        )
    # Who is grabbed in the middle of a casting has them in hand: that is only tried, and not being done.
    if "grappling" in caster.conditions and fight.doing is not None:
        refuse_empty_hand(fight, caster, spell)


def refuse_empty_hand(fight: Fight, grappler: Combatant, spell: Spell) -> None:
    """Refuse a grappler a spell whose components are not in its hand already (srd35.grapple.cast)."""
    if not HANDLED.isdisjoint(spell.components) and not components_in_hand(grappler):
        reason = f"{grappler.id} does not have the components of {spell.name} in hand"
        raise Refusal(reason, fight.rule("srd35.grapple.cast"))


def components_in_hand(caster: Combatant) -> list[str]:
    """Return what a caster has in hand that is no weapon and no wand: components, by whatever name."""
    things = (*(weapon.name for weapon in caster.sheet.weapons), *wands_of(caster))
    return [name for name in caster.held if name not in things]


def ready_materials(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Take the materials of a spell in hand: a free action; in a grapple those in hand are used up.

    srd35.cast.components, srd35.grapple.cast.
    """
    if "material" not in spell.components or spell.ability or spell.item:
        return
    if "grappling" in caster.conditions:
        for item in components_in_hand(caster)[:1]:
            cites = fight.rules("srd35.grapple.cast")
            yield ItemChanged(who=caster.id, item=item, state="gone", cites=cites)
    else:
        rule = fight.rule("srd35.cast.components")
        yield ActionSpent(
            who=caster.id, kind="free", what=f"ready the materials of {spell.name}", cites=(rule,)
        )


def antimagic_failure(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Return whether a place without magic stops a spell that has been cast (srd35.cast.abilities-table)."""
    return "antimagic" in caster.conditions and (yield from suppress_in_antimagic(fight, caster, spell))


def arcane_failure(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Return whether armor spoils the gestures of an arcane spell (srd35.cast.arcane-failure)."""
    topic = "srd35.cast.arcane-failure"
    if spell.ability or spell.item or not spell.arcane or "somatic" not in spell.components:
        return False
    percent, why, exempt = armor_failure(fight, caster)
    if exempt:
        cites = (fight.rule(topic),)
        yield RuleApplied(who=caster.id, what="a bard's spells are safe in light armor", cites=cites)
    return bool(percent) and (yield from roll_spell_failure(fight, caster, spell, percent, why, topic))


def suppress_in_antimagic(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Let a place without magic stop a spell or special ability; return whether it does.

    Extraordinary abilities go on there (srd35.cast.abilities-table).
    """
    topic = "srd35.cast.abilities-table"
    stopped = not spell.ability or fight.figure(topic, f"type={spell.ability}", "antimagic")
    what = f"{spell.name} is stopped by antimagic" if stopped else f"{spell.name} is no magic to be stopped"
    yield RuleApplied(who=caster.id, what=what, cites=(fight.rule(topic),))
    return bool(stopped)


def armor_failure(fight: Fight, caster: Combatant) -> tuple[int, str, bool]:
    """Return the failure chance of armor and shield together, whose it is, and whether armor was spared.

    The chance of each stands with what is worn, else in the armor table; bards are spared that of light armor
    (srd35.cast.arcane-failure).
    """
    light = "bard" in caster.sheet.classes and caster.sheet.armor_weight == "light"
    total, names, spared = 0, [], False
    known = {one.name for one in caster.sheet.worn}
    pieces: list[tuple[str, str, int]] = [(one.name, one.kind, one.failure) for one in worn_now(caster)]
    pieces += [
        (part.source, part.kind, failure_of(fight, part))
        for part in caster.sheet.armor
        if part.source not in known and caster.items.get(part.source) not in OFF
    ]
    for name, kind, percent in pieces:
        if not percent:
            continue
        if light and kind == "armor":
            spared = True
            continue
        total += percent
        names.append(name)
    return total, " and ".join(names), spared


def failure_of(fight: Fight, part: Bonus) -> int:
    """Return the failure chance in percent of a piece of armor or a shield, 0 for one that is not listed.

    A light or heavy shield of which nothing else is said is one of steel.
    """
    if part.kind not in ("armor", "shield"):
        return 0
    shield = f"shield, {part.source.removesuffix(' shield')}"
    names = (part.source.removesuffix(" armor"), shield, f"{shield} steel")
    rows = fight.figure("srd35.armor.table")
    return next((row["arcane_failure_pct"] for row in rows if row["name"] in names), 0)


def flat_entangled_dc(fight: Fight, spell: Spell, topic: str, *path: str) -> int:
    """Return the flat DC to cast while entangled; 0 for any other (entangled_casting_dc)."""
    flat = topic == "cond.entangled" and fight.option("entangled_casting_dc") == "flat"
    return fight.formula(topic, *path) if flat else 0
