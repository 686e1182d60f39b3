"""Arcane Strike: weapons that arcane power makes hurt more, and magic (pf1.feat.combat-casting)."""

from collections.abc import Iterator
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.classes.levels import class_level, lower_level
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Reduction
from affray.projections.state import Combatant

TOPIC: Final = "pf1.feat.combat-casting"
NAME: Final = "arcane strike"
#: The lists of casters by the source of their magic.
TRADITIONS: Final = "pf1.cast.counter-identify"


def arcane_level(fight: Fight, combatant: Combatant) -> int:
    """Return the caster level of a combatant in arcane magic, 0 for none.

    By its classes; of whoever has no class that casts, by its spells.
    """
    classes, listed = combatant.sheet.classes, fight.figure(TRADITIONS, "traditions")
    if any(name in classes for names in (listed["arcane"], listed["divine"]) for name in names):
        return max((class_level(combatant, name) for name in listed["arcane"]), default=0)
    own = [one for one in combatant.sheet.spells if not (one.ability or one.item)]
    printed = (one.caster_level or combatant.sheet.hit_dice for one in own)
    return max((lower_level(combatant, level) for level in printed), default=0)


def declare_arcane_strike(fight: Fight, act: acts.UseAbility) -> Steps[None]:
    """Fill one's weapons with power as a swift action, until the next turn begins.

    They deal 1 point more, one more for each five caster levels, 5 at most, and count as magic
    (pf1.feat.combat-casting).
    """
    actor = fight.combatant(act.actor)
    rule = refuse_without(fight, actor, NAME)
    level = arcane_level(fight, actor)
    if not level:
        raise Refusal(f"{actor.id} casts no arcane spells", rule)
    yield spending(fight, actor, "swift", NAME, rule)
    least, each, most = (
        int(fight.figure(TOPIC, NAME, one)) for one in ("damage", "levels_per_point", "most")
    )
    yield EffectGained(
        who=actor.id,
        id=f"{fight.declaration}:{NAME}",
        stat=NAME,
        modifier=Modifier(min(most, least + level // each), "untyped", "Arcane Strike", rule),
        until=Until("turn-start", actor.id, fight.state.round + 1),
        cites=(rule,),
    )


def arcane_damage(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield what Arcane Strike adds to the damage of a weapon, which a ray is not."""
    if blow.weapon.family != "spell":
        yield from (one.modifier for one in blow.attacker.effects if one.stat == NAME)


def overcome_by_arcane_strike(fight: Fight, harm: Harm, reduction: Reduction) -> bool:
    """Say whether Arcane Strike makes magic of the weapon that a reduction lets through."""
    if harm.attacker is None or harm.weapon is None or "magic" not in reduction.bypass:
        return False
    found = any(one.stat == NAME for one in harm.attacker.effects)
    if found:
        harm.reduced_by += fight.rules(TOPIC)
    return found
