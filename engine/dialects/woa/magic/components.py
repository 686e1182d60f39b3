"""Components of spells: a firm voice, free gestures, materials at hand (woa.spell.component-*)."""

from affray.engine.dialects.woa.environment.water import SWIMMING, depth_of
from affray.engine.dialects.woa.magic.concentration import refuse_unsettled
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.magic.components import BOUND, HANDS, MUTE, POUCH, hands_in_use
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectEnded
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

LOST = ("dropped", "gone", "broken", "stowed")
#: What keeps a caster from gesturing besides bonds.
BUSY = ("grappling", "swimming", "clinging", "climbing")
#: Components that the pouch holds unless they are costly; a holy symbol is one of its own.
IN_POUCH = ("material", "focus")
SYMBOL = "holy symbol"
COSTLY = "costly "
ELABORATE = "elaborate"
SET_UP = "materials set up"


def refuse_without_components(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse a spell for want of concentration, voice, hand or materials.

    Special abilities need no components.
    """
    if spell.ability:
        return
    refuse_unsettled(fight, caster)
    if "verbal" in spell.components:
        refuse_mute(fight, caster, spell.name, "woa.spell.component-verbal")
    if "somatic" in spell.components:
        rule = fight.rule("woa.spell.component-somatic")
        # In a water of the fight a swimmer's gestures take concentration instead (woa.water.spell.somatic).
        free = SWIMMING if depth_of(caster) else ""
        bound = next((name for name in (*BOUND, *BUSY) if name in caster.conditions and name != free), "")
        if bound:
            raise Refusal(f"{caster.id} is {bound} and cannot make the gestures of {spell.name}", rule)
        if HANDS - hands_in_use(caster) < fight.figure("woa.spell.component-somatic", "free_hands"):
            raise Refusal(f"{caster.id} has no hand free for the gestures of {spell.name}", rule)
    refuse_without_materials(fight, caster, spell)


def refuse_mute(fight: Fight, caster: Combatant, name: str, topic: str) -> None:
    """Refuse words to a caster who has no voice."""
    mute = next((state for state in MUTE if state in caster.conditions), "")
    if mute:
        raise Refusal(f"{caster.id} is {mute} and cannot speak {name}", fight.rule(topic))


def refuse_without_materials(fight: Fight, caster: Combatant, spell: Spell) -> None:
    """Refuse a spell whose materials are not in the caster's possession.

    What has no listed cost is in the component pouch; what has ("costly ruby dust") must be among the traits
    of the sheet. Elaborate materials have been set up before.
    """
    rule = fight.rule("woa.spell.component-material")
    for component in spell.components:
        if component in IN_POUCH and caster.items.get(POUCH) in LOST:
            raise Refusal(
                f"{caster.id} has no component pouch at hand", fight.rule("woa.spell.component-pouch")
            )
        if component == "divine focus" and (
            caster.items.get(SYMBOL) in LOST or has_trait(caster, "no holy symbol")
        ):
            raise Refusal(f"{caster.id} has no {SYMBOL} at hand", rule)
        if component.startswith(COSTLY):
            thing = component.removeprefix(COSTLY)
            if not has_trait(caster, thing) or caster.items.get(thing) in LOST:
                raise Refusal(f"{caster.id} does not have the {thing} for {spell.name}", rule)
    if ELABORATE in spell.components:
        ready = caster.conditions.get(SET_UP)
        if ready is None or ready.source != spell.name:
            raise Refusal(f"the elaborate materials of {spell.name} are not set up", rule)


def ready_materials(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Take the materials of a spell in hand, a free action unless they are elaborate."""
    held = [one for one in spell.components if one in (*IN_POUCH, "divine focus") or one.startswith(COSTLY)]
    if spell.ability or not held or ELABORATE in spell.components:
        return
    kind, _, _ = str(fight.figure("woa.spell.component-material", "ready_action")).partition(" ")
    pouch = ("woa.spell.component-pouch",) if any(one in IN_POUCH for one in held) else ()
    cites = fight.rules("woa.spell.component-material", *pouch)
    yield ActionSpent(who=caster.id, kind=kind, what=f"ready the materials of {spell.name}", cites=cites)


def give_away_by_voice(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let a firm voice give away who was hidden (woa.spell.component-verbal)."""
    if spell.ability or "verbal" not in spell.components:
        return
    for effect in caster.effects:
        if effect.stat == "hidden":
            cites = (fight.rule("woa.spell.component-verbal"),)
            yield EffectEnded(who=caster.id, id=effect.id, why="casts aloud", cites=cites)
