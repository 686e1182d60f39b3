"""Magic: casting, concentration, spells and their effects, devices."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.turns import refuse_immediate
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance
from affray.engine.rules.classes.abilities import lowered
from affray.engine.rules.classes.checks import masters
from affray.engine.rules.classes.sheets import ability
from affray.engine.rules.magic import casting, ongoing_spells, spell_effects, touch_spells
from affray.engine.rules.magic.casting import counter_casting
from affray.engine.rules.magic.concentration import (
    AWAY,
    CONCENTRATING,
    POUCH,
    end_spell,
    let_lapse,
    refuse_without_hand,
    refuse_without_voice,
)
from affray.engine.rules.magic.ongoing_spells import reach_of
from affray.engine.rules.magic.spell_effects import (
    caster_level,
    full_caster_level,
    targets_of_spell,
)
from affray.engine.rules.magic.touch_spells import let_ready_act
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import SCORES, Modifier, Spell
from affray.projections.state import Combatant

# --- Casting a spell in pf1: immediate and quickened spells, components, rays that provoke

QUICKEN: Final = "quicken spell"
#: Where a caster keeps a component; a focus is with the materials.
KEPT: Final = {"material": POUCH, "focus": POUCH, "divine focus": "holy symbol"}


def cast_immediate_spell(fight: Fight, act: acts.Cast) -> Steps[None] | None:
    """Return the casting of an immediate spell, also out of turn; None for others (pf1.action.immediate)."""
    caster = fight.combatant(act.actor)
    spell = own_spell(fight, caster, act.spell)
    return cast_as_immediate(fight, caster, spell, act) if spell.casting == "immediate" else None


def cast_as_immediate(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> Steps[None]:
    """Cast a spell as an immediate action (pf1.action.immediate, pf1.cast.provokes)."""
    kind = refuse_immediate(fight, caster)
    fight.dialect.magic.refuse_casting(fight, caster, spell, act)
    targets = targets_of_spell(fight, caster, spell, act)
    cites = fight.rules("pf1.action.immediate", "pf1.cast.provokes")
    yield ActionSpent(who=caster.id, kind=kind, what=f"cast {spell.name}", cites=cites)
    yield from casting.finish_casting(fight, caster, spell, targets, act.defensively, at=act.at)


def own_spell(fight: Fight, caster: Combatant, name: str) -> Spell:
    """Return a spell that the caster may cast. Refuses magic items, and presences, which have no rule."""
    spell = casting.known_spell(fight, caster, name)
    if spell.item:
        raise Refusal(f"{spell.name} is a magic item to be activated", fight.rule("pf1.cast.items"))
    if spell.delivery == "presence":
        raise Refusal(f"{spell.name} is no spell, breath or gaze", fight.rule("pf1.gaze-breath"))
    return spell


def cast_own_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast one of the caster's spells, or use an ability; a gaze has the usual range of gazes
    (pf1.gaze-breath).
    """
    caster = fight.combatant(act.actor)
    spell = own_spell(fight, caster, act.spell)
    if spell.delivery == "gaze":
        spell = replace(spell, range=reach_of(fight, spell))
    what, rule = f"cast {spell.name}", fight.rule("pf1.cast.provokes")
    yield from casting.spend_and_cast(fight, caster, spell, act, what, rule)


def is_quickened(spell: Spell) -> bool:
    """Return whether a spell takes a swift action: by its time, or by Quicken Spell."""
    if spell.ability or spell.item or spell.casting == "immediate":
        return False
    return spell.casting == "swift" or QUICKEN in spell.metamagic


def quickened_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return the swift action of a quickened spell, also a spontaneous one; "" for others.

    pf1.cast.quickened, pf1.cast.metamagic.
    """
    if not is_quickened(spell):
        return "", ()
    topics = ("pf1.cast.quickened", *(("pf1.cast.metamagic",) if spell.spontaneous else ()))
    return "swift", fight.rules(*topics)


def quickened_is_safe(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic by which a quickened spell does not provoke; "" for others (pf1.cast.quickened)."""
    return ("pf1.cast.quickened", False) if is_quickened(spell) else ("", False)


def refuse_components(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse a spell whose words, gestures, materials or focus its caster cannot provide.

    Special abilities need none (pf1.cast.components).
    """
    if spell.ability:
        return
    refuse_without_voice(fight, caster, spell)
    if "somatic" in spell.components:
        refuse_without_hand(fight, caster, spell)
    for component, kept in KEPT.items():
        if component in spell.components and caster.items.get(kept) in AWAY:
            reason = f"{caster.id} has no {kept} at hand for the {component} of {spell.name}"
            raise Refusal(reason, fight.rule("pf1.cast.components"))


def refuse_safe_defense(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to cast a quickened spell defensively, which does not provoke (pf1.cast.quickened)."""
    if act.defensively and is_quickened(spell):
        rule = fight.rule("pf1.cast.quickened")
        raise Refusal(f"{spell.name} is quickened, does not provoke and is not cast defensively", rule)


def shoot_rays(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Shoot a ray at each target as part of the casting, which provokes again, cast defensively or not.

    Those with an act readied for an attack act first; the charge cannot be held (pf1.cast.ranged-touch,
    pf1.cast.provokes).
    """
    if not (yield from let_ready_act(fight, caster, spell, targets)):
        return
    cites = fight.rules("pf1.cast.provokes", "pf1.cast.ranged-touch")
    enemies, name = threatening(fight, caster), f"ray:{fight.declaration}"
    yield from fight.dialect.opportunity.provoke(fight, caster, enemies, f"aims {spell.name}", name, *cites)
    for target in targets:
        if is_down(fight, caster):
            return
        yield from touch_spells.shoot_ray(fight, caster, spell, target)


def use_magic_item(fight: Fight, act: acts.Activate) -> Steps[None]:
    """Use a magic item (pf1.cast.items)."""
    return ongoing_spells.activate(fight, act, ongoing_spells.works_by_itself)


def resists_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether spell resistance stops a spell (pf1.senses.ref, pf1.cast.abilities)."""
    return spell_effects.is_resisted(fight, caster, spell, target, ())


# --- Concentration in pf1: caster level and ability, and enemies that make casting defensively harder
# pf1.cast.concentration-check, pf1.cast.defensively, pf1.cast.abilities, pf1.feat.disruptive.

CONCENTRATION_TOPIC: Final = "pf1.cast.concentration-check"
FEAT: Final = "pf1.feat.disruptive"


def by_caster_level(fight: Fight, caster: Combatant, spell: Spell, topic: str) -> list[Modifier]:
    """Return the parts of a concentration check: caster level and the ability that the spell is cast with.

    A total printed on the sheet replaces both; reductions of the ability apply nevertheless. Negative levels
    are no part of it here: as a condition they lower every check (pf1.cast.concentration-check).
    """
    rule = fight.rule(CONCENTRATION_TOPIC)
    printed = caster.sheet.concentration
    changes = lowered(fight, caster, spell.key) if spell.key else []
    if printed is not None:
        return [Modifier(printed, "base", "concentration", rule), *changes]
    level = Modifier(full_caster_level(fight, caster, spell), "base", "caster level", rule)
    if not spell.key:
        return [level, Modifier(0, "ability", f"no ability is said to cast {spell.name} with", rule)]
    own = Modifier(ability(caster.sheet, spell.key), "ability", SCORES[spell.key], rule)
    return [level, own, *changes]


def defensive_casting(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Return the DC to cast without provoking, 15 + 2 x spell level, and the topic.

    pf1.cast.defensively, for spell-like abilities pf1.cast.abilities.
    """
    topic, figure = "pf1.cast.defensively", "dc"
    if spell.ability == "spell-like":
        topic, figure = "pf1.cast.abilities", "spell-like_dc"
    base, _, times, _ = str(fight.figure(topic, figure)).split(maxsplit=3)
    return int(base) + int(times) * spell.level, (topic,)


def beside(fight: Fight, caster: Combatant, feat: str) -> list[Combatant]:
    """Return the enemies next to a caster that threaten it and meet the requirements of a feat."""
    near = [enemy for enemy in threatening(fight, caster) if distance(enemy, caster) <= SQUARE_FT]
    return [enemy for enemy in near if masters(fight, enemy, feat)]


def disrupted(
    fight: Fight, caster: Combatant, spell: Spell, found: tuple[int, tuple[str, ...]]
) -> tuple[int, tuple[str, ...]]:
    """Return the DC to cast defensively, higher next to an enemy with Disruptive (pf1.feat.disruptive)."""
    if not beside(fight, caster, "disruptive"):
        return found
    return found[0] + int(fight.figure(FEAT, "dc")), (*found[1], FEAT)


def provoke_spellbreakers(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let failing to cast defensively provoke from enemies with Spellbreaker (pf1.feat.disruptive)."""
    breakers = [enemy for enemy in threatening(fight, caster) if masters(fight, enemy, "spellbreaker")]
    if breakers:
        reason = f"fails to cast {spell.name} defensively"
        name = f"cast:{fight.declaration}"
        rule = fight.rule(FEAT)
        yield from fight.dialect.opportunity.provoke(fight, caster, breakers, reason, name, rule)


# --- Counterspells in pf1: only the same spell counters, and the whole caster level dispels
# pf1.ready.counterspell, pf1.cast.counter-identify.


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Counter the spell that is being cast (pf1.ready.counterspell, pf1.cast.counter-identify)."""
    return counter_casting(fight, act, caster_level, only_the_same)


def only_the_same(fight: Fight, caster: Combatant, mine: Spell, theirs: Spell) -> Steps[bool]:
    """Return False: a spell never counters one of another name."""
    return False
    yield


# --- Ending one's spells early, by ceasing to concentrate or by dismissing them
# pf1.cast.maintain. A spell with "dismissible" among its components can be dismissed while it lasts.

DISMISSAL_TOPIC: Final = "pf1.cast.maintain"


def dismiss(fight: Fight, act: acts.Dismiss) -> Steps[None]:
    """End one of the caster's spells: a free action to cease concentrating, a standard action to dismiss.

    Neither provokes (pf1.cast.maintain).
    """
    caster, rule = fight.combatant(act.actor), fight.rule(DISMISSAL_TOPIC)
    kept = caster.conditions.get(CONCENTRATING)
    if kept is not None and kept.source == act.spell:
        check_turn(fight, caster)
        what = f"stop concentrating on {act.spell}"
        yield ActionSpent(who=caster.id, kind="free", what=what, cites=(rule,))
        yield from let_lapse(fight, caster, "no longer concentrated on", rule)
        return
    if not ongoing_spells.marks_of_dismissible(caster, act.spell):
        raise Refusal(f"{caster.id} has no {act.spell or 'spell'} at work to dismiss", rule)
    yield spending(fight, caster, "standard", f"dismiss {act.spell}", rule)
    yield from end_spell(fight, caster, act.spell, "dismissed", rule)


# --- Directing a spell that lasts at others (pf1.actions-table.move)


def redirect(fight: Fight, act: acts.Redirect) -> Steps[None]:
    """Direct a lasting spell at other targets (pf1.actions-table.move)."""
    rule, row = fight.rule("pf1.actions-table.move"), "Direct or redirect an active spell"
    return ongoing_spells.redirect(fight, act, spell_effects.DIRECTED, rule, row)


def lower_guard_to_touch_many(fight: Fight, act: acts.Touch, touching: Steps[None]) -> Steps[None]:
    """Let it provoke to touch several friends in one round (pf1.actions-table.full-round)."""
    row = "Use a touch spell on up to six friends"
    return touch_spells.provoke_by_touching_many(fight, fight.combatant(act.actor), row, touching)
