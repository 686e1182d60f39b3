"""Magic items in use, and working them by skill (srd35.cast.activate-item, srd35.skill.use-magic-device)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.magic.special_abilities import frightful_presence, reach_of
from affray.engine.dialects.srd35.magic.spell_resistance import caster_level
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.magic import casting
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

NOBODY = "nobody"


def item_provokes(fight: Fight, user: Combatant, item: Spell) -> tuple[str, bool]:
    """Return the topic of the rule on a magic item, and whether it provokes: a scroll; "" for a spell.

    srd35.cast.activate-item.
    """
    return ("srd35.cast.activate-item", item.item == "scroll") if item.item else ("", False)


def cast_own_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of one's own; the magic of an item is activated."""
    caster = fight.combatant(act.actor)
    spell = casting.known_spell(fight, caster, act.spell)
    if spell.item:
        raise Refusal(f"{spell.name} is a magic item to be activated", fight.rule("srd35.cast.activate-item"))
    if spell.delivery == "presence":
        yield from frightful_presence(fight, caster, spell)
        return
    if spell.delivery == "gaze":
        spell = replace(spell, range=reach_of(fight, spell))
    yield from casting.spend_and_cast(
        fight, caster, spell, act, f"cast {spell.name}", fight.rule("srd35.cast.provokes")
    )


def use_magic_item(fight: Fight, act: acts.Activate) -> Steps[None]:
    """Use a magic item as a standard action.

    A scroll is read like a spell that is cast: it provokes and takes concentration. A potion provokes. What
    is triggered, commanded or simply used does not (srd35.cast.activate-item).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("srd35.cast.activate-item")
    item = casting.known_spell(fight, caster, act.item)
    if not item.item:
        raise Refusal(f"{item.name} is no magic item", rule)
    way = acts.Cast(
        actor=act.actor, spell=item.name, targets=act.targets, at=act.at, defensively=act.defensively
    )
    if item.item != "scroll" and act.defensively:
        raise Refusal(f"there is no using the {item.name} defensively", rule)
    if item.item == "potion" and act.targets != (caster.id,):
        raise Refusal(f"{caster.id} drinks the {item.name} itself", rule)
    if act.device and "use magic device" not in caster.sheet.skills:
        raise Refusal(
            f"{caster.id} has not learned to use magic devices", fight.rule("srd35.skill.use-magic-device")
        )
    targets = targets_of_spell(fight, caster, item, way)
    in_grapple = fight.rules("srd35.grapple.magic-item") if "grappling" in caster.conditions else ()
    yield spending(fight, caster, "standard", f"use the {item.name}", rule, *in_grapple)
    if item.item == "potion":
        yield from drink(fight, caster, item)
        if is_down(fight, caster):
            return
    if act.device and not (yield from work_by_skill(fight, caster, item, act.device == "blind")):
        return
    if item.item == "scroll":
        yield from casting.finish_casting(fight, caster, item, targets, act.defensively)
        return
    if item.uses is not None:
        yield ResourceSpent(who=caster.id, resource=item.name, amount=1, cites=(rule,))
    yield from casting.take_effect(fight, caster, item, targets)


def drink(fight: Fight, user: Combatant, item: Spell) -> Steps[None]:
    """Lower one's guard to drink."""
    rule = fight.rule("srd35.cast.activate-item")
    reason = f"drinks the {item.name}"
    yield from fight.dialect.opportunity.provoke(
        fight, user, threatening(fight, user), reason, f"drink:{fight.declaration}", rule
    )


def work_by_skill(fight: Fight, user: Combatant, item: Spell, blind: bool) -> Steps[bool]:
    """Work an item by skill: a scroll by its caster level, a wand, or anything blindly. Return success.

    A blind attempt that fails by far is a mishap: whom the magic strikes instead is for the game master to
    say (srd35.skill.use-magic-device).
    """
    topic = "srd35.skill.use-magic-device"
    rule = fight.rule(topic)
    if blind:
        dc = fight.figure(topic, "blind")
    elif item.item == "scroll":
        dc = fight.formula(topic, "scroll") + caster_level(fight, user, item)
    else:
        dc = fight.figure(topic, "wand")
    why = f"to work the {item.name}"
    parts = skill_parts(fight, user, "use magic device", "cha", rule)
    by = yield from check_by(fight, user, "use magic device", parts, dc, rule, why=why)
    if by >= 0:
        return True
    yield RuleApplied(who=user.id, what=f"the {item.name} does nothing", cites=(rule,))
    if blind and -by >= fight.figure(topic, "mishap_by"):
        everybody = (NOBODY, *fight.state.combatants)
        question = f"the magic of the {item.name} goes astray: whom does it strike?"
        struck = yield Choice("", "mishap", question, everybody, rule)
        yield RuleApplied(who=user.id, what=f"a mishap: the {item.name} strikes {struck}", cites=(rule,))
        if struck != NOBODY:
            yield from casting.take_effect(fight, user, item, [fight.combatant(struck)])
    return False
