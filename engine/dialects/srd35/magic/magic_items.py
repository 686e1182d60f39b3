"""Magic items in use, and working them by skill (srd35.cast.activate-item, srd35.skill.use-magic-device)."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.magic.special_abilities import frightful_presence
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.rules.magic import casting, magic_items
from affray.engine.rules.magic.gazes import reach_of
from affray.engine.rules.magic.spell_resistance import caster_level
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

NOBODY = "nobody"


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
    """Use a magic item, or try to by skill (srd35.cast.activate-item, srd35.skill.use-magic-device)."""
    return magic_items.activate(fight, act, works_or_is_tried)


def works_or_is_tried(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[bool]:
    """Return whether an item works, where its user does not know it by a check. Refuses to the unskilled.

    srd35.skill.use-magic-device.
    """
    if not act.device:
        return magic_items.works_by_itself(fight, user, item, act)
    if "use magic device" not in user.sheet.skills:
        raise Refusal(
            f"{user.id} has not learned to use magic devices", fight.rule("srd35.skill.use-magic-device")
        )
    return work_by_skill(fight, user, item, act.device == "blind")


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
