"""Magic: casting a spell, its slot and components, its targets, Concentration, and how spells end.

Each spell is a row of the table of features in `spells`. A spell that goes on is an effect
on each creature that is under it, with the id of the casting; its areas have the same id.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, test
from affray.engine.dialects.srd52.class_features import magic_action
from affray.engine.dialects.srd52.classes import (
    ROUNDS,
    SPAN,
    casting_classes,
    difficulty,
    fields_of,
    level_of,
    slots_of,
    spellcasting_ability,
)
from affray.engine.dialects.srd52.conditions import incapacitating, is_away, refuse_charmer
from affray.engine.dialects.srd52.features import (
    SPELL,
    Blow,
    Casting,
    Feature,
    Held,
    Spell,
    ask,
    features_of,
    held_spell,
    is_settled,
)
from affray.engine.dialects.srd52.gear import hands_free
from affray.engine.dialects.srd52.hiding import reveal
from affray.engine.dialects.srd52.position import cover_of, is_barred, obstacles, point_at, points_of, within
from affray.engine.dialects.srd52.ready import CASTS, respond
from affray.engine.dialects.srd52.senses import in_sight, sees
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.lines_and_cover import corners
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.steps import NOTHING, Refusal, Steps, unknown_word
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.base import Name, Names, Number, Words
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    CounterChanged,
    EffectEnded,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant, Effect


class Cast(acts.Act, frozen=True, gc=False, tag="srd52.cast"):
    """Cast a spell that is prepared.

    spell: its name.
    targets: the creatures that it is cast on; one may be named several times where the spell says so.
    at: the square that an area is aimed at, or the corner of a sphere.
    slot: the level of the slot; 0 for the spell's own level.
    choice: what the spell leaves to the caster: a type of damage, a condition, a word of command, a skill.
    scroll: cast it from a Spell Scroll, which is destroyed.
    ritual: cast it as a Ritual, which takes ten minutes more and no slot.
    form: the printed stat block of the form that the spell gives; otherwise `choice` names a packaged sheet.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None
    slot: Number = 0
    choice: Name = ""
    scroll: bool = False
    ritual: bool = False
    form: Words = ""


class EndSpell(acts.Act, frozen=True, gc=False, tag="srd52.end-spell"):
    """End an ongoing spell that the actor cast, or stop concentrating on it, at no cost.

    spell: its name; empty for the one that the actor concentrates on.
    """

    spell: Name = ""


class UseSpell(acts.Act, frozen=True, gc=False, tag="srd52.use-spell"):
    """Use an ongoing spell that the actor cast again, as its description allows.

    spell: its name.
    targets: the creatures at which it is used.
    at: the square to which it moves, or at which it is aimed.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None


# --- The spells of a sheet


def spell_rows(fight: Fight) -> Mapping[str, Feature]:
    """Return the table of all spells, by `SPELL` and their name."""
    return fight.dialect.kernel.features


def known_spell(fight: Fight, caster: Combatant, name: str) -> Feature:
    """Return a spell that a caster has prepared. Refuses others."""
    own, rule = fields_of(fight, caster), fight.rule("magic.prepared")
    always = [one for held in features_of(fight, caster) for one in held.feature.prepares]
    others, innate = dict(map(other_spell, own.other_spells)), innate_spells(own.innate)
    known = (*own.spells, *always, *others, *innate)
    if name not in known:
        raise unknown_word("prepared spell", name, known, rule, caster.id)
    found = spell_rows(fight).get(f"{SPELL} {name}")
    if found is not None and found.spell is not None:
        return found
    if name not in others:
        raise Refusal(f"{name} is no spell of the rules: a sheet states it under other_spells", rule)
    return Feature(topic="magic.prepared", spell=Spell(cast=not_automated), row=others[name])


INNATE: Final = re.compile(r"(?P<name>.+?)(?: level (?P<level>\d))?(?: (?P<uses>\d+) a day)?")


def innate_spells(lines: Iterable[str]) -> Mapping[str, tuple[int, int]]:
    """Return the spells of a stat block by name: the level at which each is cast, and its uses a day.

    "fireball level 5 2 a day"; 0 stands for the lowest level, and for no limit.
    """
    found = (one for one in map(INNATE.fullmatch, lines) if one is not None)
    return {one["name"]: (int(one["level"] or 0), int(one["uses"] or 0)) for one in found}


def innate_level(
    fight: Fight, caster: Combatant, row: Mapping[str, Any], name: str, wanted: int
) -> int | None:
    """Return the level at which a stat block casts a spell, None if it does not have it so.

    Refuses another level, and a spell whose uses are spent.
    """
    own = innate_spells(fields_of(fight, caster).innate)
    if name not in own:
        return None
    printed, uses = own[name]
    level = int(printed or row["level"])
    if wanted and wanted != level:
        reason = f"{caster.id} casts {name} at level {level}"
        raise Refusal(reason, fight.rule("monster.spellcasting"))
    if uses and caster.resources.get(name, 0) >= uses:
        raise Refusal(
            f"{caster.id} has cast {name} {counted(uses, 'time')} today", fight.rule("monster.x-per-day")
        )
    return level


LEVEL: Final = re.compile(r"level (\d)")


def other_spell(text: str) -> tuple[str, Mapping[str, Any]]:
    """Return the name and the figures of a spell that no rule plays, as a sheet states it.

    For example "phantom hounds: level 2, bonus action, concentration, 1 minute" or "guard: level 1, cast in
    10 minutes, 8 hours"; otherwise a cantrip, an action and instantaneous.
    """
    name, _, said = text.partition(":")
    parts = [one.strip() for one in said.split(",") if one.strip()]
    level = next((int(found[1]) for one in parts if (found := LEVEL.fullmatch(one))), 0)
    times = (one.removeprefix("cast in ") for one in parts)
    time = next((one for one in times if one in (*TIMES, "reaction") or f"cast in {one}" in parts), "action")
    spans = (one for one in parts if one.endswith(tuple(LASTS)) and not one.startswith("cast in "))
    lasts = next(spans, "instantaneous")
    row = {"level": level, "casting_time": time, "duration": lasts, "range": "self"}
    return name.strip(), {**row, "concentration": "concentration" in parts}


def not_automated(fight: Fight, casting: Casting) -> Steps[None]:
    """Report that no rule plays the effect of a spell; its slot, casting time and Concentration count."""
    yield RuleApplied(
        who=casting.caster.id,
        what=f"{casting.name} takes effect as the game master says",
        cites=fight.rules("magic.prepared"),
    )
    yield from last(fight, casting, casting.caster)


def row_of(fight: Fight, feature: Feature) -> Mapping[str, Any]:
    """Return the figures of a spell."""
    found: Mapping[str, Any] = feature.row or fight.figure(feature.topic, *filter(None, [feature.part]))
    return found


def casting_ability(fight: Fight, caster: Combatant) -> str:
    """Return the ability by which a combatant casts: printed, or that of its class."""
    return fields_of(fight, caster).spellcasting or spellcasting_ability(fight, caster.sheet) or "int"


def spell_difficulty(fight: Fight, caster: Combatant) -> int:
    """Return the DC of a combatant's spells (srd52.magic.save-dc)."""
    own = fields_of(fight, caster)
    return own.spell_dc or difficulty(fight, caster, casting_ability(fight, caster))


# --- Slots


def slots(fight: Fight, caster: Combatant) -> tuple[int, ...]:
    """Return the number of a combatant's slots by level, those of level 1 first."""
    return fields_of(fight, caster).slots or slots_of(fight, caster.sheet)


def slot_name(level: int) -> str:
    """Return what the slots of a level are called among a combatant's resources."""
    return f"level {level} slots"


def slots_left(fight: Fight, caster: Combatant, level: int) -> int:
    """Return how many slots of a level a combatant has left."""
    every = slots(fight, caster)
    return (every[level - 1] if level <= len(every) else 0) - caster.resources.get(slot_name(level), 0)


def slot_pools(fight: Fight, caster: Combatant) -> Iterable[tuple[str, int]]:
    """Yield the slots of a combatant by level, for what is listed and carried on."""
    yield from ((slot_name(level), many) for level, many in enumerate(slots(fight, caster), 1) if many)
    innate = innate_spells(fields_of(fight, caster).innate)
    yield from ((name, uses) for name, (_, uses) in innate.items() if uses)


SCROLL: Final = "spell scroll"


def read_scroll(fight: Fight, caster: Combatant, name: str) -> Feature:
    """Return the spell of a scroll that a caster carries: a cantrip or one of level 1 of its class's list."""
    rule, item = fight.rule("magic.spell-scroll"), f"{SCROLL} ({name})"
    left = fields_of(fight, caster).items.count(item) - caster.resources.get(item, 0)
    if left < 1:
        raise Refusal(f"{caster.id} has no {item}", rule)
    feature = spell_rows(fight).get(f"{SPELL} {name}")
    if feature is None or feature.spell is None:
        raise Refusal(f"{name} is no spell of the rules", rule)
    row = row_of(fight, feature)
    if row["level"] > fight.figure("magic.spell-scroll", "max_level"):
        raise Refusal(f"{name} is no cantrip or spell of level 1", rule)
    if not set(row.get("classes", ())).intersection(caster.sheet.classes):
        raise Refusal(f"{name} is not on the list of a class of {caster.id}", rule)
    return feature


def slot_for(fight: Fight, caster: Combatant, row: Mapping[str, Any], name: str, wanted: int) -> int:
    """Return the level of the slot that a casting uses up, 0 for none. Refuses one that is not there.

    Without a wanted level it is the lowest one left that is high enough.
    """
    printed = innate_level(fight, caster, row, name, wanted)
    if printed is not None:
        return printed
    level = row["level"]
    if level == fight.figure("magic.cantrip", "level"):
        if wanted:
            raise Refusal(f"{name} is a cantrip and takes no slot", fight.rule("magic.cantrip"))
        return 0
    rule = fight.rule("magic.slot")
    if wanted and wanted < level:
        raise Refusal(f"{name} takes a slot of level {level} or higher", rule)
    older = fight.option("bonus_action_spells") == CANTRIP_OTHERWISE
    most = fight.figure("magic.one-slot-per-turn", "slots_per_turn")
    if caster.spent.get(slot_of_turn(fight), 0) >= most and not older:
        reason = f"{caster.id} has expended a slot in this turn"
        raise Refusal(reason, fight.rule("magic.one-slot-per-turn"))
    for one in (wanted,) if wanted else range(level, len(slots(fight, caster)) + 1):
        if slots_left(fight, caster, one) > 0:
            return one
    what = f"level {wanted}" if wanted else f"level {level} or higher"
    raise Refusal(f"{caster.id} has no slot of {what} left", rule)


def slot_of_turn(fight: Fight) -> str:
    """Return the counter for a slot that is expended in the current turn, also of another creature."""
    return f"slot in turn {fight.state.turn}"


def expend(fight: Fight, casting: Casting) -> Steps[None]:
    """Use up the slot of a casting, the scroll, or a use that takes no slot; some features spare a slot."""
    own = innate_spells(fields_of(fight, casting.caster).innate)
    if casting.scroll:
        item, rule = f"{SCROLL} ({casting.name})", fight.rule("magic.spell-scroll")
        yield ResourceSpent(who=casting.caster.id, resource=item, amount=1, cites=(rule,))
    elif casting.name in own:
        if own[casting.name][1]:
            cites = fight.rules("monster.x-per-day", "monster.spellcasting")
            yield ResourceSpent(who=casting.caster.id, resource=casting.name, amount=1, cites=cites)
    elif casting.ritual:
        yield RuleApplied(
            who=casting.caster.id,
            what=f"casts {casting.name} as a Ritual",
            cites=fight.rules("magic.ritual", "magic.without-slot"),
        )
    elif casting.free:
        cites = fight.rules("magic.without-slot", *topics_of_free(fight, casting))
        yield ResourceSpent(who=casting.caster.id, resource=free_name(casting.name), amount=1, cites=cites)
    elif casting.slot:
        if (yield from is_settled(fight, casting.caster, "spares_slot", casting)):
            return
        topics = ["magic.slot", "magic.one-slot-per-turn"]
        topics += ["magic.upcast"] if casting.slot > casting.row["level"] else []
        topics += [f"classes.{one}-spellcasting" for one in casting_classes(fight, casting.caster.sheet)]
        cites = fight.rules(*topics)
        yield ResourceSpent(who=casting.caster.id, resource=slot_name(casting.slot), amount=1, cites=cites)
        yield ActionSpent(who=casting.caster.id, kind=slot_of_turn(fight), what=casting.name, cites=cites)


def free_name(spell: str) -> str:
    """Return what the casting of a spell without a slot is called among a combatant's resources."""
    return f"{spell} without a slot"


def topics_of_free(fight: Fight, casting: Casting) -> list[str]:
    """Return the topics of the features that let a spell be cast without a slot."""
    asked = ask(fight, casting.caster, "free")
    return [held.feature.topic for function, held in asked if casting.name in function(fight, held)]


def free_pools(fight: Fight, caster: Combatant) -> Iterable[tuple[str, int]]:
    """Yield the spells that a combatant can cast without a slot, each with how often."""
    for function, held in ask(fight, caster, "free"):
        for spell in function(fight, held):
            yield free_name(spell), fight.figure(held.feature.topic, "free_per_long_rest")


def is_free(fight: Fight, caster: Combatant, spell: str) -> bool:
    """Return whether a combatant can still cast a spell without a slot."""
    many = dict(free_pools(fight, caster)).get(free_name(spell), 0)
    return caster.resources.get(free_name(spell), 0) < many


# --- Preparing a casting


def prepare(fight: Fight, caster: Combatant, act: Cast, feature: Feature) -> Casting:
    """Return the casting of a known spell. Refuses what the caster or the spell cannot do."""
    return aim(fight, prepare_unaimed(fight, caster, act, feature), act)


def prepare_unaimed(fight: Fight, caster: Combatant, act: Cast, feature: Feature) -> Casting:
    """Return the casting of a known spell, whose targets are still to be chosen."""
    row = row_of(fight, feature)
    refuse_components(fight, caster, without_material(row) if act.scroll else row, act.spell)
    if act.ritual and ("ritual" not in row["casting_time"] or act.slot or act.scroll):
        reason = f"{act.spell} is no Ritual" if not act.slot else "a Ritual takes no slot"
        raise Refusal(reason, fight.rule("magic.ritual"))
    free = not act.slot and not act.scroll and is_free(fight, caster, act.spell)
    spared = 0 if act.scroll else row["level"]
    without = free or act.scroll or act.ritual
    slot = spared if without else slot_for(fight, caster, row, act.spell, act.slot)
    spell = feature.spell
    assert spell is not None
    casting = Casting(
        caster=caster,
        name=act.spell,
        feature=feature,
        row=row,
        slot=slot,
        at=act.at,
        choice=act.choice,
        scroll=act.scroll,
        ritual=act.ritual,
        form=act.form,
        free=free and not act.ritual,
        id=f"{act.spell}:{caster.id}:{fight.declaration}",
    )
    chosen = choices_of(row, spell)
    if (act.choice and not chosen and not spell.form) or (act.form and not spell.form):
        raise Refusal(f"{act.spell} leaves nothing to choose", fight.rule(feature.topic))
    if chosen and act.choice not in chosen and (act.choice or not spell.optional):
        raise unknown_word(f"choice for {act.spell},", act.choice, chosen, fight.rule(feature.topic))
    return casting


def aim(fight: Fight, casting: Casting, act: Cast) -> Casting:
    """Return a casting with its targets and its place. Refuses those that the spell cannot have."""
    row, feature, spell = casting.row, casting.feature, casting.feature.spell
    assert spell is not None
    named = tuple(fight.combatant(id) for id in act.targets)
    if "area" in row and row["area"]["shape"] != "emanation" and not spell.after:
        refuse_place(fight, casting)
        casting = near_side(fight, casting)
    elif act.at is not None and not spell.point:
        raise Refusal(f"{act.spell} is aimed at no square", fight.rule(feature.topic))
    if act.targets and "area" in row and not spell.chosen and not spell.after:
        raise Refusal(f"{act.spell} affects its area: it has no targets", fight.rule(feature.topic))
    casting = replace(casting, targets=targets_of(fight, casting, spell, named))
    if spell.check is not None:
        spell.check(fight, casting)
    return casting


def choices_of(row: Mapping[str, Any], spell: Spell) -> tuple[str, ...]:
    """Return what the caster of a spell chooses from; () for no choice."""
    if isinstance(spell.choices, tuple):
        return spell.choices
    if spell.choices:
        found = row[spell.choices]
        while isinstance(found, dict):
            found = found["type"]
        return tuple(found if isinstance(found, (list, tuple)) else str(found).split("/"))
    return ()


def refuse_components(fight: Fight, caster: Combatant, row: Mapping[str, Any], name: str) -> None:
    """Refuse a caster that cannot speak, gesture or reach the material, and one in armor without training."""
    needless = [one[:1].upper() for one in fields_of(fight, caster).without]
    parts = [one for one in row.get("components", ()) if one not in needless]
    if "V" in parts and "silence" in areas.traits_at(fight, caster.at, caster.space):
        raise Refusal(f"{caster.id} cannot speak the words of {name} here", fight.rule("magic.verbal"))
    replaced = "M" in parts and holds_focus(caster) and not needs_own_material(row)
    in_hand = row.get("attack") == "weapon" and bool(caster.held)
    topic, hands = ("magic.somatic", "hands") if "S" in parts else ("magic.material", "free_hand")
    free = hands_free(caster) >= fight.figure(topic, hands) or replaced or in_hand
    if ("S" in parts or "M" in parts) and not free:
        raise Refusal(f"{caster.id} has no hand free to cast {name}", fight.rule(topic))
    if any(not one.proficient for one in caster.sheet.worn):
        reason = f"{caster.id} has no training with the armor that it wears"
        raise Refusal(reason, fight.rule("magic.armor"))


def needs_own_material(row: Mapping[str, Any]) -> bool:
    """Return whether a spell's material has a cost or is consumed: no focus replaces it.

    That of Bless is a focus, a Holy Symbol.
    """
    return "material_cost" in row and "bonus" not in row


def without_material(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the figures of a spell without its material component."""
    return {**row, "components": [one for one in row.get("components", ()) if one != "M"]}


def holds_focus(caster: Combatant) -> bool:
    """Return whether a combatant holds a Spellcasting Focus, or bears one on its Shield."""
    return any("focus" in one.traits and one.name in caster.held for one in caster.sheet.weapons) or any(
        "focus" in one.traits and one.kind == "shield" for one in caster.sheet.worn
    )


def range_of(row: Mapping[str, Any], caster: Combatant) -> int:
    """Return the range of a spell in feet: as printed, the reach for Touch, 0 for Self."""
    feet, _, unit = row["range"].partition(" ")
    if unit:
        return int(feet)
    return caster.reach if feet == "touch" else 0


def near_side(fight: Fight, casting: Casting) -> Casting:
    """Return a casting whose point of origin is on the near side of an obstruction.

    That is so if the caster places it where no line leads to (srd52.magic.area-unseen-point).
    """
    row, at, bars = casting.row, casting.at, obstacles(fight)
    if (
        at is None
        or not (bars.walls or fight.field.sides)
        or row["range"] == "self"
        or row["area"]["shape"] not in ("sphere", "cylinder")
    ):
        return casting
    own, to = points_of(casting.caster.at, casting.caster.space), point_at(at)
    if any(not is_barred(one, to, bars.walls, bars) for one in own):
        return casting
    starts = corners(casting.caster.at, casting.caster.space)
    start = min(starts, key=lambda one: (max(abs(one[0] - at[0]), abs(one[1] - at[1])), one))
    begins = own[starts.index(start)]
    many = max(abs(at[0] - start[0]), abs(at[1] - start[1]))
    points = [
        (start[0] + round((at[0] - start[0]) * one / many), start[1] + round((at[1] - start[1]) * one / many))
        for one in range(many + 1)
    ]
    seen = [one for one in points if not is_barred(begins, point_at(one), bars.walls, bars)]
    return replace(casting, at=seen[-1], blocked=True)


def refuse_place(fight: Fight, casting: Casting) -> None:
    """Refuse an area without a square, or whose point of origin is out of range."""
    rule = fight.rule("magic.range")
    if casting.at is None:
        raise Refusal(f"{casting.name} needs a square to be aimed at", rule)
    if casting.row["range"] == "self":
        return
    (x, y), caster = casting.at, casting.caster
    side = caster.space - ("area" not in casting.row)  # a square is farther by itself than its corner
    beyond = max(caster.at[0] - x, x - caster.at[0] - side, caster.at[1] - y, y - caster.at[1] - side)
    if beyond * SQUARE_FT > range_of(casting.row, caster):
        raise Refusal(f"{x},{y} is beyond the range of {casting.name}", rule)


def targets_of(
    fight: Fight, casting: Casting, spell: Spell, named: tuple[Combatant, ...]
) -> tuple[Combatant, ...]:
    """Return the targets of a casting: those named, within its number and range, or its caster.

    A target needs a clear path from the caster; some spells need to see it.
    """
    caster, row, rule = casting.caster, casting.row, fight.rule("magic.range")
    if "area" in row and not spell.chosen and not spell.after:
        return ()
    if row["range"] == "self" and not spell.chosen:
        if named and named != (caster,):
            raise Refusal(f"{casting.name} is cast on oneself", fight.rule("magic.range-self"))
        return (caster,)
    if not named:
        if spell.point or (spell.chosen and "area" in row):
            return ()
        raise Refusal(f"{casting.name} needs a target", rule)
    most = most_targets(fight, casting, spell)
    if len(named) > most:
        raise Refusal(
            f"{casting.name} has at most {counted(most, 'target')}", fight.rule(casting.feature.topic)
        )
    if not spell.repeats and len({one.id for one in named}) < len(named):
        raise Refusal(f"{casting.name} has each target once", fight.rule(casting.feature.topic))
    for one in named:
        refuse_target(fight, casting, spell, one)
    return named


def refuse_target(fight: Fight, casting: Casting, spell: Spell, target: Combatant) -> None:
    """Refuse a target out of range, out of sight, behind Total Cover, or one that the spell cannot have."""
    caster, row = casting.caster, casting.row
    feet = spell.reach(fight, casting) if spell.reach else range_of(row, caster)
    if (spell.reach or not spell.chosen) and not within(caster, target, feet):
        topic = "magic.range-touch" if row["range"] == "touch" else "magic.range"
        raise Refusal(f"{target.id} is beyond the range of {casting.name}", fight.rule(topic))
    if is_away(target):
        raise Refusal(f"{target.id} is not there", fight.rule("magic.spell-banishment"))
    if target is not caster:
        if not in_sight(fight, caster, target) or cover_of(fight, caster, target)[0] == "total":
            raise Refusal(f"no clear path leads to {target.id}", fight.rule("magic.clear-path"))
        if spell.seen and not sees(fight, caster, target):
            raise Refusal(f"{caster.id} does not see {target.id}", fight.rule(casting.feature.topic))
    if spell.willing and target.side != caster.side:
        raise Refusal(f"{target.id} is not willing", fight.rule(casting.feature.topic))
    if {"save", "attack", "damage"}.intersection(row):
        refuse_charmer(fight, caster, target)
    if "dead" in target.conditions and not spell.dead:
        raise Refusal(f"{target.id} is dead", fight.rule("magic.invalid-target"))


def most_targets(fight: Fight, casting: Casting, spell: Spell) -> int:
    """Return how many targets a casting may have: its number, and more with a higher slot or level."""
    if spell.many:
        return spell.many(fight, casting)
    more, what = upcast_of(casting)
    return int(casting.row.get("targets", 1)) + (int(more) if what.startswith("target") else 0)


UPCAST: Final = re.compile(r"\+(\S+) (?:ft )?(.*?) ?(?:to both )?per slot level above (\d+)")


def upcast_of(casting: Casting) -> tuple[str, str]:
    """Return how much a higher slot adds to a casting, and to what."""
    return upcast(casting.row, casting.slot)


def upcast(row: Mapping[str, Any], slot: int) -> tuple[str, str]:
    """Return how much a higher slot adds to a spell, and to what: ("3d6", ""), ("2", "target"), ("0", "")."""
    found = UPCAST.match(str(row.get("upcast", "")))
    levels = slot - row["level"]
    if found is None or levels <= 0:
        return "0", ""
    amount = found[1]
    if "d" in amount:
        many, faces = amount.split("d")
        return f"{int(many) * levels}d{faces}", found[2]
    return str(int(amount) * levels), found[2]


def add_dice(dice: str, more: str) -> str:
    """Return dice with more of them: "8d6" and "2d6" are "10d6"."""
    if more == "0":
        return dice
    first, sign, rest = dice.partition("+")
    many, _, faces = first.strip().partition("d")
    extra, _, other = more.partition("d")
    if faces == other:
        return f"{int(many) + int(extra)}d{faces}{sign}{rest}"
    return f"{dice}+{more}"


def by_level(rows: Mapping[str, Any], level: int) -> Any:
    """Return the row of a table by character level: the last one that is reached."""
    return rows[max((one for one in rows if one.isdigit() and int(one) <= max(level, 1)), key=int)]


def dice_of_spell(casting: Casting, row: Mapping[str, Any] | None = None) -> str:
    """Return the dice of a spell's damage for its slot, or for the caster's level if it is a cantrip."""
    figures = casting.row["damage"] if row is None else row
    if "by_level" in figures:
        return str(by_level(figures["by_level"], level_of(casting.caster.sheet)))
    more, what = upcast_of(casting)
    return add_dice(figures["dice"], more if "d" in more and not what else "0")


# --- Casting

TIMES: Final = {"action": "action", "bonus action": "bonus", "action or ritual": "action"}
"""The kind of action of a casting time."""


CANTRIP_OTHERWISE: Final = "cantrip-otherwise"
"""The reading by which only cantrips go with a spell as a Bonus Action."""
BONUS_CASTING: Final = "spell as a Bonus Action in turn {}"
OTHER_CASTING: Final = "spell above a cantrip in turn {}"
"""The counters of a turn by the reading that lets a Bonus Action spell go along with cantrips alone."""


def limit_of_castings(fight: Fight, casting: Casting, kind: str) -> list[ActionSpent]:
    """Return what counts a casting by the older limit of a turn, if it is in force. Refuses one too many."""
    if fight.option("bonus_action_spells") != CANTRIP_OTHERWISE:
        return []
    caster, turn, rule = casting.caster, fight.state.turn, fight.rule("magic.one-slot-per-turn")
    bonus, other = BONUS_CASTING.format(turn), OTHER_CASTING.format(turn)
    if not casting.row["level"] and kind == "action":
        return []
    if caster.spent.get(bonus):
        reason = f"{caster.id} has cast a spell as a Bonus Action: only a cantrip with an action goes with it"
        raise Refusal(reason, rule)
    if kind == "bonus" and caster.spent.get(other):
        raise Refusal(f"{caster.id} has cast a spell other than a cantrip in this turn", rule)
    name = bonus if kind == "bonus" else other
    return [ActionSpent(who=caster.id, kind=name, what=casting.name, cites=(rule,))]


def cast(fight: Fight, act: Cast) -> Steps[None]:
    """Cast a spell in one's turn, with the action of its casting time."""
    caster = fight.combatant(act.actor)
    check_turn(fight, caster)
    known = read_scroll(fight, caster, act.spell) if act.scroll else known_spell(fight, caster, act.spell)
    time = row_of(fight, known)["casting_time"]
    rounds = rounds_to_cast(fight, time, act.ritual)
    if "trigger" in row_of(fight, known) or (time not in TIMES and not rounds):
        reason = f"{act.spell} is cast in answer to its trigger"
        raise Refusal(reason, fight.rule("magic.reaction-trigger"))
    casting = prepare(fight, caster, act, known)
    counted = limit_of_castings(fight, casting, TIMES.get(time, "action"))
    own = fields_of(fight, caster)
    topics = ["magic.casting-time", *topics_of_casting(casting)]
    topics += ["monster.spellcasting"] if act.spell in innate_spells(own.innate) else []
    topics += ["monster.spellcasting-components"] if own.without else []
    cites, what = fight.rules(*topics, casting.feature.topic), f"cast {act.spell}"
    if rounds:
        if not (yield from cast_on(fight, casting, rounds, *cites)):
            return
    elif TIMES[time] == "action":
        yield from magic_action(fight, caster, what, *cites)
    else:
        yield spend(fight, caster, TIMES[time], what, *cites)
    yield from counted
    yield from carry_out(fight, casting)


LONG: Final = "casting "
"""Begins the id of a casting that takes minutes, and its counter of Magic actions."""


def rounds_to_cast(fight: Fight, time: str, ritual: bool) -> int:
    """Return the Magic actions that a casting takes, one a round; 0 for a single action."""
    found = SPAN.fullmatch(time)
    minutes = fight.figure("magic.ritual", "extra_minutes") if ritual else 0
    return (int(found[1]) * ROUNDS[found[2]] if found else 0) + minutes * ROUNDS["minute"]


def cast_on(fight: Fight, casting: Casting, rounds: int, *cites: str) -> Steps[bool]:
    """Go on with a casting that takes minutes, or start it; return whether it is complete.

    It takes the Magic action of each turn and Concentration; without these it is lost, but no slot.
    """
    caster, counter = casting.caster, f"{LONG}{casting.name}"
    id, rules = (
        f"{counter}:{caster.id}",
        (*cites, *fight.rules("magic.long-casting", "turns.magic-long-casting")),
    )
    own = concentration_of(caster)
    going_on = own is not None and concentrated(own) == id
    turns = caster.counters.get(counter, 0) + 1 if going_on else 1
    yield from magic_action(fight, caster, f"cast {casting.name}, {turns} of {rounds}", *rules)
    if turns == rounds:
        yield CounterChanged(who=caster.id, counter=counter, value=0, cites=rules)
        yield from forget(fight, id, "the casting is complete", *rules)
        return True
    yield CounterChanged(who=caster.id, counter=counter, value=turns, cites=rules)
    yield ActionSpent(who=caster.id, kind=counter, what=casting.name, cites=rules)
    if not going_on:
        yield from lose_concentration(fight, caster, f"it casts {casting.name}", "magic.concentration-one")
        yield from concentrate(fight, caster, id, casting.slot, Until())
    return False


def break_off(fight: Fight, held: Held) -> Steps[None]:
    """Lose a casting that takes minutes and was not gone on with in this turn."""
    counter = held.id.removeprefix(f"{CONCENTRATION}:").partition(":")[0]
    if counter.startswith(LONG) and not held.holder.spent.get(counter):
        yield from lose_concentration(fight, held.holder, "it does not go on casting", "magic.long-casting")


def topics_of_casting(casting: Casting) -> list[str]:
    """Return the topics of what a casting takes: slot or none, components, range, duration, action."""
    row, caster = casting.row, casting.caster
    parts = row.get("components", ())
    topics = [] if casting.slot else ["magic.cantrip", "magic.without-slot"]
    topics += ["magic.components"] if parts else []
    topics += ["magic.material"] if "M" in parts else []
    topics += ["magic.material-substitute"] if "M" in parts and holds_focus(caster) else []
    topics.append("magic.range-self" if row["range"] == "self" else "magic.range")
    topics += ["magic.target-self"] if row["range"] != "self" and caster in casting.targets else []
    topics += ["magic.duration-instant"] if row["duration"] == "instantaneous" else []
    topics += ["turns.magic-action"] if TIMES.get(row["casting_time"]) == "action" else []
    return topics


def carry_out(fight: Fight, casting: Casting) -> Steps[None]:
    """Carry out a casting: others may counter it; then its slot is used up and it takes effect.

    Concentration on another spell ends as the casting starts.
    """
    if casting.row.get("concentration"):
        yield from lose_concentration(
            fight, casting.caster, f"it casts {casting.name}", "magic.concentration-one"
        )
    if (yield from goes_through(fight, casting)):
        yield from take_effect(fight, casting)


def goes_through(fight: Fight, casting: Casting) -> Steps[bool]:
    """Return whether a casting is not countered; its slot is used up then, and its words are heard."""
    if (yield from is_countered(fight, casting)):
        return False
    yield from expend(fight, casting)
    yield from end_by_deed(fight, casting.caster.id, "casting")
    if "V" in casting.row.get("components", ()):
        yield from reveal(fight, casting.caster, f"it speaks the words of {casting.name}")
    return True


def take_effect(fight: Fight, casting: Casting) -> Steps[None]:
    """Let a spell take effect; its caster concentrates on it if it goes on."""
    spell = casting.feature.spell
    if spell is not None:
        casting = yield from valid_only(fight, casting, spell)
        casting = yield from unwarded(fight, casting)
        yield from spell.cast(fight, casting)
    if casting.row.get("concentration") and is_going_on(fight, casting.id):
        yield from concentrate(fight, casting.caster, casting.id, casting.slot, end_of(fight, casting))
    yield from respond(fight, CASTS, casting.caster)


def is_countered(fight: Fight, casting: Casting) -> Steps[bool]:
    """Return whether a casting fails by what another does about it, or by the caster's own state."""
    for one in list(fight.state.combatants.values()):
        if (yield from is_settled(fight, one, "casts", casting)):
            return True
    return False


def valid_only(fight: Fight, casting: Casting, spell: Spell) -> Steps[Casting]:
    """Return a casting without the targets that it cannot affect; its slot is still used up."""
    invalid = [one for one in casting.targets if spell.kinds and one.sheet.kind not in spell.kinds]
    if not invalid:
        return casting
    for one in invalid:
        yield unaffected(fight, casting, one)
    return replace(casting, targets=tuple(one for one in casting.targets if one not in invalid), chosen=True)


def unaffected(fight: Fight, casting: Casting, target: Combatant) -> RuleApplied:
    """Return the fact that a spell has no effect on a target.

    Where a save would have meant no effect, the target looks as if it had succeeded.
    """
    looks = casting.row.get("save", {}).get("success") == "none"
    cites = fight.rules("magic.invalid-target", "magic.invalid-target-save", casting.feature.topic)
    what = f"is not affected by {casting.name}{', as if it had saved' if looks else ''}"
    return RuleApplied(who=target.id, what=what, cites=cites)


def unwarded(fight: Fight, casting: Casting) -> Steps[Casting]:
    """Return a harmful casting without the targets that something protects from being attacked."""
    row, lost = casting.row, list[Combatant]()
    if "damage" in row and row.get("attack", "none").startswith("none"):
        for one in dict.fromkeys(target.id for target in casting.targets):
            if (yield from is_settled(fight, fight.combatant(one), "before_attack", casting.caster)):
                lost.append(fight.combatant(one))
    if not lost:
        return casting
    return replace(casting, targets=tuple(one for one in casting.targets if one not in lost), chosen=True)


def end_by_deed(fight: Fight, who: str, deed: str) -> Steps[None]:
    """End the spells on a combatant that its own deed ends: an "attack", a "casting", "damage dealt"."""
    found = ended_by_deed(fight, fight.combatant(who), deed)
    return end_several(fight, found, f"ended by {deed}") if found else NOTHING


def end_several(fight: Fight, spells: Iterable[Held], why: str) -> Steps[None]:
    """End several spells."""
    for held in spells:
        yield from end_on(fight, held, why)


@per_company("combatant.id", "deed")
def ended_by_deed(fight: Fight, combatant: Combatant, deed: str) -> tuple[Held, ...]:
    """Return the spells on a combatant that a deed of its own ends."""
    return tuple(held for held in features_of(fight, combatant) if held.id and deed in held.feature.ends_on)


SHAPES: Final = {
    "cone": "magic.area-cone",
    "cube": "magic.area-cube",
    "cylinder": "magic.area-cylinder",
    "emanation": "magic.area-emanation",
    "line": "magic.area-line",
    "sphere": "magic.area-sphere",
}
"""The topics of the shapes."""


def topics_of_area(fight: Fight, casting: Casting) -> list[str]:
    """Return the topics of the rules on the area of a casting, if it has one."""
    if "area" not in casting.row:
        return []
    shape = str(casting.row["area"]["shape"])
    topics = ["magic.area-shapes", *([SHAPES[shape]] if shape in SHAPES else [])]
    topics += ["magic.area-unseen-point"] if casting.blocked else []
    topics += ["magic.area-emanation-moves"] if shape == "emanation" else []
    topics += ["magic.area-blocked"] if fight.field.walls else []
    return [*topics, "magic.area-origin-inclusion"]


# --- Spells that go on

LASTS: Final = (*ROUNDS, *(f"{one}s" for one in ROUNDS))


def span_of(casting: Casting) -> str:
    """Return how long a spell lasts, longer with a higher slot where the spell says so."""
    longer = casting.row.get("upcast")
    for levels, span in longer.items() if isinstance(longer, dict) else ():
        if isinstance(span, str) and is_in(levels, casting.slot):
            return span
    return str(casting.row["duration"])


def is_in(levels: str, slot: int) -> bool:
    """Return whether a slot is of some levels: "2", "3-4", "5+"."""
    least, _, most = levels.removesuffix("+").partition("-")
    return int(least) <= slot and (levels.endswith("+") or slot <= int(most or least))


def end_of(fight: Fight, casting: Casting) -> Until:
    """Return when a spell ends by its duration: a number of rounds later as the caster's turn starts."""
    found = SPAN.search(span_of(casting))
    if found is None:
        return Until()
    rounds = int(found[1]) * ROUNDS[found[2]]
    return Until("turn-start", casting.caster.id, fight.state.round + rounds)


def last(fight: Fight, casting: Casting, target: Combatant, until: Until | None = None) -> Steps[None]:
    """Put a target under a spell, usually for its duration."""
    names = [one.modifier.source for one in target.effects if one.stat == SPELL]
    others = [one for one in names if one not in (casting.name, CONCENTRATION)]
    topics = [*(["magic.combine-same"] if casting.name in names else [])]
    topics += ["magic.combine-different"] if others else []
    yield EffectGained(
        who=target.id,
        id=casting.id,
        stat=SPELL,
        modifier=Modifier(
            casting.slot, casting.choice or SPELL, casting.name, fight.rule(casting.feature.topic)
        ),
        until=end_of(fight, casting) if until is None else until,
        against=casting.caster.id,
        cites=fight.rules(casting.feature.topic, "magic.duration-span", *topics),
    )


def last_here(
    fight: Fight, casting: Casting, squares: Collection[Square], *traits: str, around: str = "", feet: int = 0
) -> Steps[None]:
    """Put the area of a spell on the map; until then the spell is an effect on its caster."""
    yield areas.place(
        fight,
        casting.id,
        casting.name,
        casting.caster.id,
        squares,
        *fight.rules(casting.feature.topic, *topics_of_area(fight, casting)),
        traits=traits,
        around=around,
        feet=feet,
        level=casting.slot,
    )
    yield from last(fight, casting, casting.caster)


def under(fight: Fight, id: str) -> list[tuple[Combatant, Effect]]:
    """Return the combatants under a casting, with its effect."""
    return [
        (one, effect) for one in fight.state.combatants.values() for effect in one.effects if effect.id == id
    ]


def is_going_on(fight: Fight, id: str) -> bool:
    """Return whether anything of a casting is left."""
    return id in fight.state.areas or bool(under(fight, id))


def end_spell(fight: Fight, id: str, why: str, *topics: str) -> Steps[None]:
    """End everything of a casting: its effects on creatures, its areas, the Concentration on it."""
    cites = fight.rules(*topics)
    yield from areas.remove(fight, id, why, *cites)
    yield from forget(fight, id, why, *cites)
    for one, effect in under(fight, id):
        yield EffectEnded(who=one.id, id=id, why=why, cites=cites)
        yield from aftermath(fight, one, effect, why)


def end_on(fight: Fight, held: Held, why: str, *topics: str) -> Steps[None]:
    """End a spell on one creature; the spell is over when nothing else is left of it."""
    effect = next((one for one in held.holder.effects if one.id == held.id), None)
    if effect is None:
        return
    cites = fight.rules(held.feature.topic, *topics)
    yield EffectEnded(who=held.holder.id, id=held.id, why=why, cites=cites)
    if not is_going_on(fight, held.id):
        yield from forget(fight, held.id, why, *cites)
    yield from aftermath(fight, held.holder, effect, why)


def aftermath(fight: Fight, combatant: Combatant, effect: Effect, why: str) -> Steps[None]:
    """Settle what the end of a spell on a creature does: its conditions end, and what its row says."""
    held = held_spell(fight, combatant, effect)
    others = {one.id for one in combatant.effects if one.stat == SPELL and one.against == held.caster}
    for name in conditions_of(fight, held.feature):
        condition = combatant.conditions.get(name)
        if condition is not None and condition.source == held.caster and held.id not in others:
            cites = fight.rules(held.feature.topic)
            yield ConditionLost(who=combatant.id, condition=name, why=f"{held.name} is over", cites=cites)
    if held.feature.over is not None:
        yield from held.feature.over(fight, held, why)


def conditions_of(fight: Fight, feature: Feature) -> tuple[str, ...]:
    """Return the conditions that a spell gives, by its figures."""
    found = row_of(fight, feature).get("condition", ()) if feature.spell is not None else ()
    return tuple(found.split("/")) if isinstance(found, str) else tuple(found)


def effect_over(fight: Fight, combatant: Combatant, effect: Effect) -> Steps[None]:
    """Settle the end of a spell whose duration is over."""
    if effect.stat != SPELL:
        return
    why = "its time is over"
    if effect.modifier.source == CONCENTRATION:
        yield from end_spell(fight, concentrated(effect), why, "magic.duration-span")
        return
    if combatant.id == effect.against:
        yield from areas.remove(fight, effect.id, why, *fight.rules("magic.duration-span"))
    yield from aftermath(fight, combatant, effect, why)


def use_again(fight: Fight, act: UseSpell) -> Steps[None]:
    """Use an ongoing spell again, with the action that it asks for."""
    caster = fight.combatant(act.actor)
    check_turn(fight, caster)
    feature = spell_rows(fight).get(f"{SPELL} {act.spell}")
    found, rule = ongoing_of(fight, caster, act.spell), fight.rule("magic.duration-span")
    if feature is None or feature.spell is None or not found:
        raise Refusal(f"no {act.spell or 'such spell'} of {caster.id} is going on", rule)
    spell, rule = feature.spell, fight.rule(feature.topic)
    if not spell.again:
        raise Refusal(f"{act.spell} cannot be used again", rule)
    effect = next(one for id in found for _, one in under(fight, id))
    casting = Casting(
        caster=caster,
        name=act.spell,
        feature=feature,
        row=row_of(fight, feature),
        slot=effect.modifier.value,
        at=act.at,
        choice="" if effect.modifier.kind == SPELL else effect.modifier.kind,
        id=found[-1],
    )
    named = tuple(fight.combatant(id) for id in act.targets)
    casting = replace(casting, targets=named)
    if named:
        targets_of(fight, casting, spell, named)
    if spell.check_use is not None:
        spell.check_use(fight, casting)
    if spell.again == "action":
        yield from magic_action(fight, caster, f"use {act.spell}", rule)
    else:
        yield spend(fight, caster, spell.again, f"use {act.spell}", rule)
    yield from (spell.use or spell.cast)(fight, casting)


# --- Concentration

CONCENTRATION: Final = "concentration"


def concentrate(
    fight: Fight, caster: Combatant, id: str, slot: int, until: Until, *cites: str
) -> Steps[None]:
    """Let a caster concentrate on a casting from now on."""
    rule = fight.rule("magic.concentration-one")
    yield EffectGained(
        who=caster.id,
        id=f"{CONCENTRATION}:{id}",
        stat=SPELL,
        modifier=Modifier(slot, SPELL, CONCENTRATION, rule),
        until=until,
        against=caster.id,
        cites=(rule, *cites),
    )


def concentrated(effect: Effect) -> str:
    """Return the id of the casting that a Concentration is on."""
    return effect.id.removeprefix(f"{CONCENTRATION}:")


def concentration_of(caster: Combatant) -> Effect | None:
    """Return a combatant's Concentration, as an effect."""
    return next(
        (one for one in caster.effects if one.stat == SPELL and one.modifier.source == CONCENTRATION), None
    )


def lose_concentration(fight: Fight, caster: Combatant, why: str, *topics: str) -> Steps[None]:
    """End a combatant's Concentration, if it has any, and the spell that it is on."""
    effect = concentration_of(caster)
    if effect is not None:
        yield from end_spell(fight, concentrated(effect), why, "magic.concentration-ends", *topics)


def forget(fight: Fight, id: str, why: str, *cites: str) -> Steps[None]:
    """End the Concentration on a casting of which nothing is left."""
    own = f"{CONCENTRATION}:{id}"
    for one, _ in under(fight, own):
        yield EffectEnded(who=one.id, id=own, why=why, cites=cites)


def keep_concentration(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Make the Constitution save of a concentrating combatant that has taken damage."""
    topic = "magic.concentration-damage"
    row = fight.figure(topic)
    number = min(max(row["least"], amount // row["divisor"]), row["most"])
    cites = fight.rules(topic)
    against = frozenset({CONCENTRATION})
    saved = yield from test.save(
        fight, held.holder, row["save"], number, against=against, why=CONCENTRATION, cites=cites
    )
    if not saved:
        yield from lose_concentration(fight, held.holder, "it takes damage", topic)


def what_follows(fight: Fight, step: object) -> Steps[None]:
    """End the Concentration of a combatant that becomes Incapacitated or dies, right then.

    The dead have their true form.
    """
    if type(step) is ConditionGained:
        one = fight.state.combatants[step.who]
        if concentration_of(one) is not None and (name := incapacitating(one)):
            topics = ("magic.concentration-incapacitated", "conditions.incapacitated-concentration")
            yield from lose_concentration(fight, one, f"it is {name}", *topics)
        if step.condition == "dead" and one.true_form is not None:
            yield from revert(fight, one, "it dies", "magic.shape-shift")


def revert(fight: Fight, holder: Combatant, why: str, *topics: str) -> Steps[None]:
    """End the spell by which a creature has another form."""
    for held in features_of(fight, holder):
        if held.feature.spell is not None and held.feature.spell.form:
            yield from end_on(fight, held, why, *topics)


def end_own_spell(fight: Fight, act: EndSpell) -> Steps[None]:
    """End a spell that the actor cast or stop concentrating; not while Incapacitated."""
    caster = fight.combatant(act.actor)
    if name := incapacitating(caster):
        raise Refusal(f"{caster.id} is {name}", fight.rule("magic.dismiss"))
    if not act.spell:
        if concentration_of(caster) is None:
            raise Refusal(f"{caster.id} concentrates on nothing", fight.rule("magic.concentration-voluntary"))
        yield from lose_concentration(fight, caster, "it lets go", "magic.concentration-voluntary")
        return
    found = ongoing_of(fight, caster, act.spell)
    if not found:
        raise Refusal(f"no {act.spell} of {caster.id} is going on", fight.rule("magic.dismiss"))
    feature = spell_rows(fight).get(f"{SPELL} {act.spell}")
    if feature is not None and not is_ongoing(fight, feature):
        raise Refusal(f"{act.spell} is instantaneous", fight.rule("magic.duration-instant"))
    for id in found:
        yield from end_spell(fight, id, "it is dismissed", "magic.dismiss")


def is_ongoing(fight: Fight, feature: Feature) -> bool:
    """Return whether a spell goes on: after an instantaneous one there is nothing left to end."""
    return feature.spell is not None and row_of(fight, feature)["duration"] != "instantaneous"


def end_earlier(fight: Fight, casting: Casting) -> Steps[None]:
    """End the caster's earlier castings of a spell."""
    for id in ongoing_of(fight, casting.caster, casting.name):
        yield from end_spell(fight, id, "it is cast again", casting.feature.topic)


def ongoing_of(fight: Fight, caster: Combatant, spell: str) -> list[str]:
    """Return the ids of a caster's castings of a spell that go on."""
    mine = f"{spell}:{caster.id}:"
    found = [effect.id for one in fight.state.combatants.values() for effect in one.effects]
    return list(dict.fromkeys(id for id in (*found, *fight.state.areas) if id.startswith(mine)))
