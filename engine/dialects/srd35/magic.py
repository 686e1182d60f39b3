"""Magic: casting, concentration, spells and their effects, devices."""

import re
from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.srd35.gear import sturdiness
from affray.engine.fight.fight import Fight, is_down, rule_of
from affray.engine.grid import distance as grid_distance
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.lines_and_cover import burst, line_from_corner
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.areas import AROUND, corner_towards
from affray.engine.kernel.places import distance, level_of, squares_of
from affray.engine.rules.classes.abilities import ability_now, character_level
from affray.engine.rules.classes.checks import check_by, saving_throw, skill_parts
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.conditions import fear
from affray.engine.rules.conditions.conditions import UNWILLED, makes_powerless
from affray.engine.rules.gear.hands import OFF, lose, wands_of
from affray.engine.rules.gear.objects import share_on_thing
from affray.engine.rules.gear.tables import worn_now
from affray.engine.rules.magic import casting, concentration, ongoing_spells, spell_effects, touch_spells
from affray.engine.rules.magic.casting import begin_casting, identify_by_spellcraft
from affray.engine.rules.magic.concentration import (
    AWAY,
    POUCH,
    refuse_without_hand,
    refuse_without_voice,
    roll_spell_failure,
)
from affray.engine.rules.magic.ongoing_spells import reach_of
from affray.engine.rules.magic.spell_effects import (
    DIRECTED,
    SaveDC,
    caster_level,
)
from affray.engine.rules.position.places import sees
from affray.engine.rules.turns.actions import OUT_OF_TURN, has_acted, refuse_unless_allowed, spending
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Choice, Refusal, Roll, Steps, observed
from affray.events.facts import acts
from affray.events.facts.combat import (
    CheckResolved,
    ConditionGained,
    ConditionLost,
    DamagePart,
    EffectEnded,
    EffectGained,
    ItemChanged,
    ItemStruck,
    Until,
)
from affray.events.facts.flow import ActionSpent, CastingEnded, Rolled, RuleApplied
from affray.events.facts.sheet import Bonus, Modifier, Spell
from affray.projections.state import Combatant

# --- Ending one's own spells early: ceasing to concentrate is free, dismissing a spell a standard action
# srd35.free.list, srd35.actions-table.free, srd35.actions-table.standard.


def dismiss(fight: Fight, act: acts.Dismiss) -> Steps[None]:
    """Cease to concentrate on a spell, or dismiss one that is "dismissible" and lasts; neither provokes."""
    caster, name = fight.combatant(act.actor), act.spell
    kept = caster.conditions.get(concentration.CONCENTRATING)
    turns = fight.dialect.turns
    if kept is not None and kept.source == name:
        check_turn(fight, caster)
        what = f"stop concentrating on {name}"
        if not (yield from turns.free_action_limit(fight, caster, what)):
            return
        yield from turns.told_safe(
            fight, caster, "free", "Cease concentration on a spell", f"ceasing to concentrate on {name}"
        )
        cites = fight.rules("srd35.free.list", "srd35.cast.maintain")
        yield ActionSpent(who=caster.id, kind="free", what=what, cites=cites)
        yield from concentration.let_lapse(fight, caster, "no longer concentrated on", cites[1])
        return
    rule = fight.rule("srd35.actions-table.standard")
    if not ongoing_spells.marks_of_dismissible(caster, name):
        raise Refusal(f"{caster.id} has no {name or 'spell'} at work to dismiss", rule)
    spent = spending(fight, caster, "standard", f"dismiss {name}", rule)
    yield from turns.told_safe(fight, caster, "standard", "Dismiss a spell", f"dismissing {name}")
    yield spent
    yield from concentration.end_spell(fight, caster, name, "dismissed", rule)


def lower_guard_to_touch_many(fight: Fight, act: acts.Touch, touching: Steps[None]) -> Steps[None]:
    """Let it provoke to touch several friends in one round (srd35.actions-table.full-round)."""
    row = "Use touch spell on up to six friends"
    return touch_spells.provoke_by_touching_many(fight, fight.combatant(act.actor), row, touching)


# --- The origin and the reach of areas (srd35.cast.area-origin, srd35.cast.line-of-effect)


def passes_opening(fight: Fight, act: acts.Cast) -> bool:
    """Return whether a spell goes through the hole in the wall that its caster aims at."""
    return bool(act.opening >= fight.figure("srd35.cast.line-of-effect", "opening_sq_ft"))


def in_area(fight: Fight, caster: Combatant, spell: Spell, at: Square, one: Combatant) -> bool:
    """Return whether an area reaches a combatant in it: no barrier between its origin and them.

    A spread has gone round the corners already; other areas stop at total cover. An area from a corner starts
    on the ground there, and reaches as far up as sideways.
    """
    if (caster.conditions or one.conditions) and not reaches_up(caster, spell, at, one):
        return False
    if spell.area == "spread":
        return True
    corner = at if spell.area in AROUND else corner_towards(caster, at)[0]
    return line_from_corner(fight.field, corner, one.at, one.space)


def reaches_up(caster: Combatant, spell: Spell, at: Square, one: Combatant) -> bool:
    """Return whether an area reaches the height of a combatant above or below its origin.

    A cone widens upward and downward as it does sideways; a line leads, within its length, to the target in
    the square aimed at, or goes level.
    """
    here, level = level_of(caster), level_of(one)
    if spell.area in AROUND:
        return not level or any(
            SQUARE_FT * grid_distance.squares_in_space(*offset_of_far_corner(at, square), level + 1)
            <= spell.area_feet
            for square in squares_of(one)
        )
    up, is_line = grid_distance.squares_above(here, caster.space, level, one.space), spell.area == "line"
    if not up:
        return True
    if is_line and at not in squares_of(one):
        return False
    start = corner_towards(caster, at)[0]
    return any(
        (is_line or up <= max(way))
        and SQUARE_FT * grid_distance.squares_in_space(*way, up) <= spell.area_feet
        for way in (offset_of_far_corner(start, square) for square in squares_of(one))
    )


def offset_of_far_corner(corner: Square, square: Square) -> Square:
    """Return columns and rows from a corner to the far corner of a square."""
    dx, dy = square[0] - corner[0], square[1] - corner[1]
    return max(abs(dx), abs(dx + 1)), max(abs(dy), abs(dy + 1))


def tell_affected(
    fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant], at: Square | None
) -> Steps[list[Combatant]]:
    """Report the combatants in an area and those that total cover shelters, with the rule; return the former.

    srd35.cast.area-origin.
    """
    if spell.area:
        caught = ", ".join(one.id for one in targets) or "nobody"
        if spell.area == "spread":
            what = f"the spread turns corners: {caught}"
        elif spell.area in AROUND:
            sheltered = ", ".join(one.id for one in sheltered_from(fight, spell, at))
            what = f"the {spell.area} catches {caught}"
            what += f"; total cover shelters {sheltered}" if sheltered else ""
        else:
            what = f"the {spell.area} starts at a corner of the caster's square: {caught}"
        yield RuleApplied(who=caster.id, what=what, cites=(fight.rule("srd35.cast.area-origin"),))
    return targets


def sheltered_from(fight: Fight, spell: Spell, at: Square | None) -> list[Combatant]:
    """Return those in the squares of a burst with total cover from the corner of its origin."""
    if at is None:
        return []
    covered = burst(at, spell.area_feet)
    return [
        one
        for one in fight.state.combatants.values()
        if "dead" not in one.conditions
        and covered.intersection(squares_of(one))
        and not line_from_corner(fight.field, at, one.at, one.space)
    ]


# --- Components: voice, gestures and materials, and reasons why a cast spell fails

#: Components of a spell that are held in hand.
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
            f"{caster.id} no longer has the materials of {spell.name} in hand",
            fight.rule("srd35.cast.components"),
        )
    # A caster grabbed during a casting has them in hand: this is a trial, not an act in progress.
    if "grappling" in caster.conditions and fight.doing is not None:
        refuse_empty_hand(fight, caster, spell)


def refuse_empty_hand(fight: Fight, grappler: Combatant, spell: Spell) -> None:
    """Refuse a grappler a spell whose components are not in its hand already (srd35.grapple.cast)."""
    if not HANDLED.isdisjoint(spell.components) and not components_in_hand(grappler):
        reason = f"{grappler.id} does not have the components of {spell.name} in hand"
        raise Refusal(reason, fight.rule("srd35.grapple.cast"))


def components_in_hand(caster: Combatant) -> list[str]:
    """Return the held items that are no weapon and no wand: components, by any name."""
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
    """Return whether an antimagic place stops a spell that has been cast (srd35.cast.abilities-table)."""
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
    """Let an antimagic place stop a spell or special ability; return whether it does.

    Extraordinary abilities still work there (srd35.cast.abilities-table).
    """
    topic = "srd35.cast.abilities-table"
    stopped = not spell.ability or fight.figure(topic, f"type={spell.ability}", "antimagic")
    what = f"{spell.name} is stopped by antimagic" if stopped else f"{spell.name} is no magic to be stopped"
    yield RuleApplied(who=caster.id, what=what, cites=(fight.rule(topic),))
    return bool(stopped)


def armor_failure(fight: Fight, caster: Combatant) -> tuple[int, str, bool]:
    """Return the total failure chance of armor and shield, their names, and whether armor was exempt.

    The chance of each is given with the worn item, otherwise in the armor table; bards are exempt in light
    armor (srd35.cast.arcane-failure).
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

    A light or heavy shield without a material is one of steel.
    """
    if part.kind not in ("armor", "shield"):
        return 0
    shield = f"shield, {part.source.removesuffix(' shield')}"
    names = (part.source.removesuffix(" armor"), shield, f"{shield} steel")
    rows = fight.figure("srd35.armor.table")
    return next((row["arcane_failure_pct"] for row in rows if row["name"] in names), 0)


def flat_entangled_dc(fight: Fight, spell: Spell, topic: str, *path: str) -> int:
    """Return the flat DC to cast while entangled; 0 by the other reading (entangled_casting_dc)."""
    flat = topic == "cond.entangled" and fight.option("entangled_casting_dc") == "flat"
    return fight.formula(topic, *path) if flat else 0


# --- Counterspells by feat, dispel checks with a limit, and identifying spells
# srd35.feat.spell-feats, srd35.cast.counterspell-dispel, srd35.skill.spellcraft.


def counter(fight: Fight, act: acts.Counter) -> Steps[None]:
    """Counter the spell that is being cast, by feat also with a different one of its school.

    srd35.ready.counterspell, srd35.cast.counterspell-dispel, srd35.feat.spell-feats.
    """
    return casting.counter_casting(fight, act, limited_level, by_improved_counterspell)


def limited_level(fight: Fight, caster: Combatant, mine: Spell) -> int:
    """Return the caster level of a dispel check: at most the spell's limit.

    srd35.cast.counterspell-dispel.
    """
    most = "max_greater" if mine.dispels == "greater" else "max"
    return min(int(fight.figure("srd35.cast.counterspell-dispel", most)), caster_level(fight, caster, mine))


def by_improved_counterspell(fight: Fight, caster: Combatant, mine: Spell, theirs: Spell) -> Steps[bool]:
    """Return whether a spell of the same school and a higher level counters it, by Improved Counterspell.

    srd35.feat.spell-feats.
    """
    higher = mine.school != "" and mine.school == theirs.school and mine.level > theirs.level
    if not (higher and has_feat(caster, "improved counterspell")):
        return False
    cites = (fight.rule("srd35.feat.spell-feats"),)
    yield RuleApplied(who=caster.id, what=f"counters with {mine.name} of the same school", cites=cites)
    return True


def dispel_on_target(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Make a dispel check against each spell at work on the target of dispel magic, and end those it beats.

    Of special abilities only spell-like ones can be dispelled (srd35.cast.abilities-table,
    srd35.cast.counterspell-dispel).
    """
    if not spell.dispels:
        return
    table, check = fight.rules("srd35.cast.abilities-table", "srd35.cast.counterspell-dispel")
    for other, theirs in list(find_spells_at_work(fight, target)):
        if theirs.ability and not fight.figure(
            "srd35.cast.abilities-table", f"type={theirs.ability}", "dispel"
        ):
            yield RuleApplied(who=target.id, what=f"{theirs.name} cannot be dispelled", cites=(table,))
            continue
        level = limited_level(fight, caster, spell)
        cites = (check, table) if theirs.ability else (check,)
        if not (yield from casting.dispel(fight, caster, level, other, theirs, "to dispel", cites)):
            continue
        for state, held in list(target.conditions.items()):
            if is_of_spell(held.source, held.until, other, theirs):
                yield ConditionLost(who=target.id, condition=state, why="dispelled", cites=cites)
                yield from fight.dialect.conditions.over(fight, target, state, held)
        for effect in target.effects:
            if is_of_spell(effect.modifier.source, effect.until, other, theirs):
                yield EffectEnded(who=target.id, id=effect.id, why="dispelled", cites=cites)


def find_spells_at_work(fight: Fight, target: Combatant) -> Iterator[tuple[Combatant, Spell]]:
    """Yield the spells and abilities with a condition or modifier on a combatant, each with its caster."""
    held = [(one.source, one.until) for one in target.conditions.values()]
    held += [(one.modifier.source, one.until) for one in target.effects]
    for other in fight.state.combatants.values():
        for spell in other.sheet.spells:
            if any(is_of_spell(source, until, other, spell) for source, until in held):
                yield other, spell


def is_of_spell(source: str, until: Until, caster: Combatant, spell: Spell) -> bool:
    """Return whether something that lasts on a combatant comes from a caster's spell."""
    return source == spell.name and until.who in ("", caster.id)


def identify(fight: Fight, act: acts.Identify) -> Steps[None]:
    """Identify a spell that is being cast, or one in place: free, for those trained in Spellcraft."""
    caster, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.skill.spellcraft")
    if "spellcraft" not in caster.sheet.skills:
        raise Refusal(f"{caster.id} has not learned Spellcraft", rule)
    if target.casting is not None:
        spell = concentration.spell_known(target, target.casting.spell)
        yield from identify_by_spellcraft(fight, caster, spell, "cast", f"{target.id} casting")
        return
    check_turn(fight, caster)
    found = spell_on(fight, target, act.spell)
    if found is None:
        raise Refusal(f"there is no spell {act.spell!r} on {target.id}", rule)
    yield ActionSpent(who=caster.id, kind="free", what="identify a spell", cites=(rule,))
    yield from identify_by_spellcraft(fight, caster, found, "in_place", f"the spell on {target.id}")


def spell_on(fight: Fight, target: Combatant, name: str) -> Spell | None:
    """Return the spell of that name whose condition or modifier a target has, "" for any."""
    sources = {condition.source for condition in target.conditions.values()}
    sources |= {effect.modifier.source for effect in target.effects}
    for one in fight.state.combatants.values():
        for spell in one.sheet.spells:
            if spell.name in sources and name in ("", spell.name):
                return spell
    return None


# --- Items exposed to a spell by a natural 1 on the saving throw (srd35.save.naturals, srd35.object.saves)


def affect_with_items(
    fight: Fight,
    caster: Combatant,
    spell: Spell,
    target: Combatant,
    *given: Any,
) -> Steps[Rolled | None]:
    """Apply a spell to one target; after a natural 1 on the save, its damage may reach an item as well.

    The last of the arguments `given` are the steps that apply it. By option `exposed_items`
    (srd35.save.naturals).
    """
    affecting: Steps[Rolled | None] = given[-1]
    if fight.option("exposed_items") != "harmed":
        return (yield from affecting)
    saves: list[CheckResolved] = []

    def note_save(fact: object) -> None:
        if isinstance(fact, CheckResolved) and fact.who == target.id and fact.check == f"save.{spell.save}":
            saves.append(fact)

    rolled = yield from observed(affecting, note_save)
    failed = saves and saves[0].natural == fight.figure("srd35.save.naturals", "fails")
    if failed and rolled is not None:
        yield from expose_item(fight, caster, spell, target, rolled)
    return rolled


#: How the weapons of a body are wielded.
BODILY: Final = ("natural", "unarmed")


def find_exposed_items(fight: Fight, bearer: Combatant) -> list[str]:
    """Return the items of a combatant that are most exposed to an attack, in the order of the rule."""
    gone = {item for item, state in bearer.items.items() if state in (*AWAY, "doffed") and state != "stowed"}
    shields = [part.source for part in bearer.sheet.armor if part.kind == "shield"]
    stowed = [
        one.name for one in bearer.sheet.weapons if one.wield not in BODILY and one.name not in bearer.held
    ]
    groups = {
        "shield": shields,
        "armor": [one.name for one in bearer.sheet.worn if one.kind == "armor"],
        "held item": [item for item in bearer.held if item not in shields],
        "stowed weapon": stowed,
    }
    found = [item for name in fight.figure("srd35.save.naturals", "exposed") for item in groups[name]]
    known = [item for item in dict.fromkeys(found) if item not in gone and sturdiness(fight, bearer, item)]
    return known[: fight.figure("srd35.save.naturals", "candidates")]


def expose_item(
    fight: Fight, caster: Combatant, spell: Spell, bearer: Combatant, rolled: Rolled
) -> Steps[None]:
    """Let one of the exposed items of a combatant save as its bearer, and take the damage of a spell.

    srd35.save.naturals, srd35.object.saves, srd35.object.energy, srd35.object.hardness.
    """
    items = find_exposed_items(fight, bearer)
    if not items:
        return
    item = items[0]
    if len(items) > 1:
        chosen = yield Roll(bearer.id, "exposed-item", f"1d{len(items)}")
        item = items[chosen.total - 1]
    rules = fight.rules("srd35.save.naturals", "srd35.object.saves")
    dc, cites = fight.dialect.magic.spell_dc(fight, caster, spell)
    why = f"{spell.name}, for the {item}"
    saved = yield from saving_throw(fight, bearer, spell.save or "ref", dc, why, *cites, *rules)
    if saved and spell.on_save == "negates":
        return
    thing = sturdiness(fight, bearer, item)
    assert thing is not None  # it is listed
    total = rolled.total // 2 if saved else rolled.total
    before = thing.hp - bearer.resources.get(f"damage to {item}", 0)
    through = max(0, share_on_thing(fight, spell.damage_type, total) - thing.hardness)
    rules = fight.rules("srd35.save.naturals", "srd35.object.energy", "srd35.object.hardness")
    struck = ItemStruck(
        attacker=caster.id,
        bearer=bearer.id,
        item=item,
        weapon=spell.name,
        dice=(DamagePart(spell.damage, rolled.key, rolled.total, spell.damage_type, spell.name),),
        modifiers=(),
        total=total,
        hardness=thing.hardness,
        dealt=min(before, through),
        left=before - min(before, through),
        cites=tuple(dict.fromkeys((*rules, *thing.cites))),
    )
    yield struck
    if not struck.left:
        yield from lose(fight, bearer, item, "broken", rules)


# --- Magic as the only way out for the frightened (srd35.cond.frightened)

ESCAPE: Final = "escape"
"""The component of a spell or special ability that takes its caster out of danger."""


def refuse_to_fight_without_escaping(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse to let a cornered, frightened combatant fight if magic can take it away.

    Without a path it must use a spell or ability of escape (srd35.cond.frightened).
    """
    if isinstance(act, UNWILLED) or not any(fear.opponents_of(fight, actor, act)):
        return
    found = fear.find_way_from_feared(fight, actor)
    if found is None or found[1]:
        return
    for spell in actor.sheet.spells:
        if ESCAPE in spell.components and not spell.item and can_cast_now(fight, actor, spell):
            reason = f"{actor.id} is frightened and must get away from {found[0].id} by {spell.name}"
            raise Refusal(reason, fight.rule("srd35.cond.frightened"))


def can_cast_now(fight: Fight, caster: Combatant, spell: Spell) -> bool:
    """Return whether a caster has a spell left, and the action and the components for it."""
    if concentration.is_used_up(caster, spell):
        return False
    try:
        refuse_unless_allowed(fight, caster, fight.dialect.magic.casting_action(fight, caster, spell)[0])
        act = acts.Cast(actor=caster.id, spell=spell.name)
        fight.dialect.magic.refuse_casting(fight, caster, spell, act)
    except Refusal:
        return False
    return True


# --- Castings that outlast a turn in srd35: metamagic by spontaneous casters


def begin_metamagic_casting(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> Steps[bool]:
    """Begin a casting with metamagic by a spontaneous caster; return whether it outlasts this turn.

    It takes one more full-round action if the spell takes a full round or longer (srd35.cast.one-round,
    srd35.cast.metamagic-spontaneous).
    """
    if spell.casting == "one-round":
        topics = ("srd35.cast.one-round", "srd35.cast.metamagic-spontaneous")
        yield from begin_casting(fight, caster, act, 2, *topics)
        return True
    if spell.casting == "full-round":
        yield from begin_casting(fight, caster, act, 1, "srd35.cast.metamagic-spontaneous")
        return True
    return False


def continue_casting(fight: Fight, caster: Combatant) -> Steps[None]:
    """Spend the turn on a casting that is not due yet."""
    if caster.casting is not None:
        rule = fight.rule("srd35.cast.one-round")
        what = f"go on casting {caster.casting.spell}"
        yield ActionSpent(who=caster.id, kind="full-round", what=what, cites=(rule,))


# --- Quick spells: quickened ones, and those that are cast out of turn
# srd35.action.swift-immediate, srd35.free.list, srd35.cast.provokes.

TOPIC: Final = "srd35.action.swift-immediate"
FEAT: Final = "quicken spell"
QUICK: Final = ("free", "swift", "immediate")
#: The counter of quickened spells of a round, and the stat of an effect that takes the next swift action.
SPENT: Final = "quickened"
ANTICIPATED: Final = "swift-action-taken"


def is_quick(spell: Spell) -> bool:
    """Return whether a spell takes only a free, swift or immediate action: by its time, or by Quicken
    Spell.
    """
    if spell.ability or spell.item:
        return False
    return spell.casting in QUICK or FEAT in spell.metamagic


def swift_in_play(fight: Fight) -> bool:
    """Return whether swift actions are in play (swift_actions)."""
    return fight.option("swift_actions") == "one-a-turn"


def is_interjected(fight: Fight, caster: Combatant, spell: Spell) -> bool:
    """Return whether an immediate spell is being cast in another combatant's turn."""
    return spell.casting == "immediate" and fight.state.active != caster.id


def quick_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return the action of a quick spell, a free one or the swift one of the turn; "" for other spells.

    srd35.action.swift-immediate, srd35.free.list.
    """
    if not is_quick(spell):
        return "", ()
    swift = swift_in_play(fight)
    cites = fight.rules(TOPIC) if swift else fight.rules(TOPIC, "srd35.free.list")
    if is_interjected(fight, caster, spell):
        return OUT_OF_TURN, cites
    return "swift" if swift else str(fight.figure(TOPIC, "core_equivalent")).removesuffix(" action"), cites


def quick_spell_provokes(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic by which a quick spell does not provoke; "" for others (srd35.cast.provokes)."""
    return ("srd35.cast.provokes", False) if is_quick(spell) else ("", False)


def refuse_quick(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse more quickened spells than a round allows, and illegal castings out of turn.

    Spontaneous casters cannot quicken (srd35.cast.metamagic-spontaneous). A caster cannot cast out of turn if
    it is out of action, unaware of the fight, or, with swift actions in play, flat-footed.
    """
    if not is_quick(spell):
        return
    rule = fight.rule(TOPIC)
    if spell.spontaneous and FEAT in spell.metamagic:
        reason = f"{spell.name} takes a spontaneous caster longer and cannot be quickened"
        raise Refusal(reason, fight.rule("srd35.cast.metamagic-spontaneous"))
    most = fight.figure(TOPIC, "quickened_per_round")
    if not swift_in_play(fight) and caster.spent.get(SPENT, 0) >= most:
        raise Refusal(f"{caster.id} has cast a quickened spell this round", rule)
    if not is_interjected(fight, caster, spell):
        return
    if fight.state.closed or not fight.state.begun:
        check_turn(fight, caster)
    if barring := next((name for name in caster.conditions if makes_powerless(fight, name)), ""):
        reason = f"{caster.id} is {barring} and cannot act now"
        raise Refusal(reason, fight.rule(rule_of(fight, barring).topic))
    if not caster.aware:
        reason = f"{caster.id} is not aware of the fight and cannot act now"
        raise Refusal(reason, fight.rule("srd35.surprise.unaware"))
    if swift_in_play(fight) and (not caster.acted or has_used_next_swift(caster)):
        why = "has taken the next swift action already" if caster.acted else "is flat-footed"
        raise Refusal(f"{caster.id} {why}", rule)


def has_used_next_swift(combatant: Combatant) -> bool:
    """Return whether an immediate action has used up the next swift one."""
    return any(effect.stat == ANTICIPATED for effect in combatant.effects)


def count_quickened(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Count a quickened spell; out of turn, with swift actions in play, it takes that of the next turn."""
    if not is_quick(spell):
        return
    rule = fight.rule(TOPIC)
    what = f"casting {spell.name}"
    yield from fight.dialect.turns.told_safe(fight, caster, "free", "Cast a quickened spell", what)
    yield ActionSpent(who=caster.id, kind=SPENT, what=spell.name, cites=(rule,))
    if is_interjected(fight, caster, spell) and swift_in_play(fight):
        turn_of = fight.state.round + has_acted(fight, caster)
        yield EffectGained(
            who=caster.id,
            id=f"{fight.declaration}:immediate",
            stat=ANTICIPATED,
            modifier=Modifier(0, "untyped", f"{spell.name}, out of turn", rule),
            until=Until("turn-end", caster.id, turn_of),
            cites=(rule,),
        )


# --- Directing an ongoing spell at a new target (srd35.move-action.redirect)


def stay_at_work(fight: Fight, act: acts.Cast, casting: Steps[None]) -> Steps[None]:
    """Cast a spell; one that can be directed stays active for its rounds.

    A spell's sheet lists it among its components: "directed" (srd35.move-action.redirect).
    """
    caster = fight.combatant(act.actor)
    spell = next((one for one in caster.sheet.spells if one.name == act.spell), None)
    if spell is None or DIRECTED not in spell.components:
        return casting
    return note_spell_at_work(fight, act, casting, spell.rounds)


def note_spell_at_work(fight: Fight, act: acts.Cast, casting: Steps[None], rounds: int) -> Steps[None]:
    """Run a casting and, unless the spell is lost, record how long it stays active."""
    caster = fight.combatant(act.actor)
    lost = False

    def watch(step: object) -> None:
        nonlocal lost
        lost = lost or getattr(step, "what", "") == f"{act.spell} is lost"
        lost = lost or (isinstance(step, CastingEnded) and step.who == caster.id and bool(step.how))

    yield from observed(casting, watch)
    if lost or not fight.state.begun:
        return
    rule = fight.rule("srd35.move-action.redirect")
    yield EffectGained(
        who=caster.id,
        id=f"{fight.declaration}:directed",
        stat=f"spell: {act.spell}",
        modifier=Modifier(0, "untyped", act.spell, rule),
        until=for_rounds(fight, caster, max(1, rounds)),
        cites=(rule,),
    )


def redirect(fight: Fight, act: acts.Redirect) -> Steps[None]:
    """Direct an ongoing spell at others (srd35.move-action.redirect)."""
    return ongoing_spells.redirect(fight, act, "spell", fight.rule("srd35.move-action.redirect"))


# --- Special abilities: spell-like ones used defensively, frightful presence

UNIMPRESSED = "unimpressed"


def defensive_spell_like_ability(
    fight: Fight, caster: Combatant, spell: Spell
) -> tuple[int, tuple[str, ...]]:
    """Return the DC to use a spell-like ability without provoking, and its topic; 0 for other spells.

    srd35.cast.spell-like-defensive.
    """
    if spell.ability != "spell-like":
        return 0, ()
    topic = "srd35.cast.spell-like-defensive"
    return fight.formula(topic, "dc") + spell.level, (topic,)


def frightful_presence(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Use a frightful presence: a free action on one's own turn."""
    rule = fight.rule("srd35.frightful-presence")
    check_turn(fight, caster)
    felt = f"{spell.name}, felt for {reach_of(fight, spell)} ft."
    yield ActionSpent(who=caster.id, kind="free", what=felt, cites=(rule,))
    yield from overawe(fight, caster, spell, witnesses(fight, caster, spell))


def overawe(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Frighten the weaker witnesses: shaken or worse for 5d6 rounds, immune for a day after a success.

    srd35.frightful-presence.
    """
    topic = "frightful-presence"
    rule = fight.rule(topic)
    dialect = fight.dialect
    dc, cites = dialect.magic.spell_dc(fight, caster, spell)
    state = spell.condition or "shaken"
    for target in targets:
        if character_level(target) >= character_level(caster) or has_withstood_presence(target, caster):
            yield RuleApplied(who=target.id, what=f"is not impressed by {caster.id}", cites=(rule,))
            continue
        immune = dialect.conditions.immune_mind(fight, target, state)
        if immune:
            yield RuleApplied(who=target.id, what=f"immune: not {state}", cites=immune)
            continue
        wards = dialect.classes.save_against_condition(fight, target, state, "will")
        cited, extra = cites or (rule,), tuple(wards)
        if (yield from saving_throw(fight, target, "will", dc, spell.name, *cited, extra=extra)):
            yield EffectGained(
                who=target.id,
                id=f"{fight.declaration}:{UNIMPRESSED}:{target.id}",
                stat=UNIMPRESSED,
                modifier=Modifier(0, "immunity", spell.name, rule),
                until=Until(),
                against=caster.id,
                cites=(rule,),
            )
            continue
        rolled = yield Roll(target.id, "rounds", str(fight.figure(topic, "rounds")))
        until = for_rounds(fight, caster, rolled.total)
        fact = ConditionGained(who=target.id, condition=state, source=caster.id, until=until, cites=(rule,))
        yield from dialect.conditions.gain(fight, fact)


def has_withstood_presence(target: Combatant, combatant: Combatant) -> bool:
    """Return whether a target has withstood this presence before."""
    return any(one.stat == UNIMPRESSED and one.against == combatant.id for one in target.effects)


def witnesses(fight: Fight, caster: Combatant, spell: Spell) -> list[Combatant]:
    """Return the opponents in range who see it."""
    reach = reach_of(fight, spell)
    return [
        enemy
        for enemy in fight.enemies(caster)
        if not is_down(fight, enemy) and distance(caster, enemy) <= reach and sees(fight, enemy, caster)
    ]


# --- Using magic items, and activating them by skill (srd35.cast.activate-item, srd35.skill.use-magic-device)

NOBODY = "nobody"


def cast_own_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of the caster's; the magic of an item is activated."""
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
    return ongoing_spells.activate(fight, act, works_or_is_tried)


def works_or_is_tried(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[bool]:
    """Return whether an item works, if its user needs no check. Refuses the untrained.

    srd35.skill.use-magic-device.
    """
    if not act.device:
        return ongoing_spells.works_by_itself(fight, user, item, act)
    if "use magic device" not in user.sheet.skills:
        raise Refusal(
            f"{user.id} has not learned to use magic devices", fight.rule("srd35.skill.use-magic-device")
        )
    return work_by_skill(fight, user, item, act.device == "blind")


def work_by_skill(fight: Fight, user: Combatant, item: Spell, blind: bool) -> Steps[bool]:
    """Activate an item by skill: a scroll by its caster level, a wand, or anything blindly. Return success.

    A blind attempt that fails badly is a mishap: the game master decides which target the magic hits instead
    (srd35.skill.use-magic-device).
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
        question = f"the magic of the {item.name} goes astray: which target does it hit?"
        struck = yield Choice("", "mishap", question, everybody, rule)
        yield RuleApplied(who=user.id, what=f"a mishap: the {item.name} strikes {struck}", cites=(rule,))
        if struck != NOBODY:
            yield from casting.take_effect(fight, user, item, [fight.combatant(struck)])
    return False


# --- Resistance to a spell: ranges, save DCs, feats

NUMBERS = re.compile(r"\d+")


def standard_range(fight: Fight, caster: Combatant, spell: Spell) -> int:
    """Return a standard range in feet, which grows with the caster level; 0 for a spell without one.

    srd35.cast.ranges.
    """
    if not spell.reach:
        return 0
    start, step, levels = map(
        int, NUMBERS.findall(f"{fight.figure('srd35.cast.ranges', spell.reach)} per 1")[:3]
    )
    return start + step * (caster_level(fight, caster, spell) // levels)


def key_ability_dc(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Return the save DC of a spell without a printed one: 10 + level + key ability (srd35.cast.save-dc)."""
    if found[0] or spell.delivery or not spell.key:
        return found
    dc = fight.formula("srd35.cast.save-dc", "dc") + spell.level + ability_now(fight, caster, spell.key)
    return dc, (fight.rule("srd35.cast.save-dc"),)


def spell_focus(fight: Fight, caster: Combatant, spell: Spell, found: SaveDC) -> SaveDC:
    """Add Spell Focus in the school of the spell to its save DC (srd35.feat.spell-feats)."""
    if not spell.school:
        return found
    feats = (f"spell focus ({spell.school})", f"greater spell focus ({spell.school})")
    number = sum(has_feat(caster, feat) for feat in feats)
    if not number:
        return found
    topic = "srd35.feat.spell-feats"
    return found[0] + number * fight.figure(topic, "dc"), (*found[1], fight.rule(topic))


def in_antimagic(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether an antimagic place into which a spell is cast stops it.

    srd35.cast.abilities-table.
    """
    sheltered = "antimagic" in target.conditions and "antimagic" not in caster.conditions
    return sheltered and (yield from suppress_in_antimagic(fight, target, spell))


def immune_to_breath(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a target is immune to a breath because it has the same kind (srd35.breath)."""
    if spell.delivery != "breath" or not (target is caster or breathes(target, spell.damage_type)):
        return False
    rule = fight.rule("srd35.breath")
    yield RuleApplied(who=target.id, what=f"is immune to {spell.damage_type} breath", cites=(rule,))
    return True


def resists_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether spell resistance stops a spell; Spell Penetration helps (srd35.spell-resistance)."""
    penetration = tuple(spell_penetration(fight, caster))
    return spell_effects.is_resisted(fight, caster, spell, target, penetration)


def breathes(target: Combatant, kind: str) -> bool:
    """Return whether a creature has a breath weapon of that kind of damage."""
    return any(one.delivery == "breath" and one.damage_type == kind for one in target.sheet.spells)


def spell_penetration(fight: Fight, combatant: Combatant) -> Iterator[Modifier]:
    """Yield the bonus of Spell Penetration and its greater form (srd35.feat.spell-feats)."""
    for feat in ("spell penetration", "greater spell penetration"):
        if has_feat(combatant, feat):
            yield fight.modifier("srd35.feat.spell-feats", "penetration", kind="untyped", source=feat.title())
