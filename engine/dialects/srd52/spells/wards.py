"""Spells that protect, strengthen or hide, and those that answer others, such as Shield."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, damage, test
from affray.engine.dialects.srd52.classes import SKILLS, ability, fields_of, rounds_in
from affray.engine.dialects.srd52.conditions import EXHAUSTION, gain, recover_from
from affray.engine.dialects.srd52.damage import restore_score
from affray.engine.dialects.srd52.environment import fall
from affray.engine.dialects.srd52.features import (
    SPELL,
    Blow,
    Casting,
    Dice,
    Feature,
    Held,
    Strike,
    features_of,
)
from affray.engine.dialects.srd52.gear import HASTE
from affray.engine.dialects.srd52.magic import (
    CONCENTRATION,
    casting_ability,
    end_earlier,
    end_on,
    end_spell,
    is_in,
    is_ongoing,
    last,
    range_of,
    refuse_place,
    spell_rows,
    unaffected,
)
from affray.engine.dialects.srd52.movement import DASH, fall_from_air
from affray.engine.dialects.srd52.position import displaced, distance, others_at, within
from affray.engine.dialects.srd52.senses import HEAVILY, is_line_clear, obscurement, sees
from affray.engine.dialects.srd52.spell_effects import (
    react_with,
    reaction_casting,
    resist,
    row,
    topic,
    unnoticed,
)
from affray.engine.dialects.srd52.spells.control import afflict, armor_of_spell, bind
from affray.engine.dialects.srd52.spells.harm import by_trigger, restore
from affray.engine.dialects.srd52.turns import next_end, next_start
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts.combat import ConditionLost, CounterChanged, MaximumChanged
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SCORES, Modifier, Weapon
from affray.projections.state import Combatant

# --- What lasts on those it is cast on


def ward(fight: Fight, casting: Casting) -> Steps[None]:
    """Put the targets under a spell for its duration, with the conditions that it gives."""
    for target in casting.targets:
        yield from afflict(fight, casting, target)


def die_of_spell(kinds: tuple[str, ...], path: str, fight: Fight, held: Held, test: str) -> str:
    """Return the die that a spell adds to some tests, or takes off them."""
    if test not in kinds:
        return ""
    sign = "-" if path == "penalty" else ""
    return sign + str(fight.figure(held.feature.topic, path))


def guide_skill(fight: Fight, held: Held, test: str) -> str:
    """Return the die of Guidance for checks with the chosen skill."""
    return str(fight.figure(held.feature.topic, "bonus")) if test == held.choice else ""


def resist_once(fight: Fight, held: Held, blow: Blow, amounts: Mapping[str, int]) -> Steps[Mapping[str, int]]:
    """Lower damage of the chosen type by a die, once a turn."""
    kind, counter = held.choice, f"resistance in turn {fight.state.turn}"
    most = fight.figure(held.feature.topic, "per_turn")
    if not amounts.get(kind) or held.holder.spent.get(counter, 0) >= most:
        return amounts
    rolled = yield Roll(held.holder.id, "bonus-die", str(fight.figure(held.feature.topic, "reduction")))
    yield ActionSpent(who=held.holder.id, kind=counter, what=held.name, cites=fight.rules(held.feature.topic))
    return {**amounts, kind: max(0, amounts[kind] - rolled.total)}


def resistant(fight: Fight, held: Held, kind: str) -> tuple[str, ...]:
    """Resist the chosen type of damage."""
    return ("resistance",) if kind == held.choice else ()


def radiant_hits(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[list[Dice]]:
    """Deal extra damage with the hits of weapons."""
    if strike.spell:
        return []
    found = fight.figure(held.feature.topic, "extra_damage")
    return [Dice(found["dice"], found["type"], held.name)]
    yield


def marked_hits(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[list[Dice]]:
    """Deal extra damage with the hits of the marker on the marked."""
    if not any(one.id == held.id for one in strike.target.effects):
        return []
    found = fight.figure(held.feature.topic, "extra_damage")
    return [Dice(found["dice"], found["type"], held.name)]
    yield


def mark(fight: Fight, casting: Casting) -> Steps[None]:
    """Mark a creature, which does not notice it: it and the caster are under the spell."""
    yield from last(fight, casting, casting.caster)
    yield from mark_another(fight, casting)


def mark_another(fight: Fight, casting: Casting) -> Steps[None]:
    """Move a mark to another creature."""
    for target in casting.targets:
        yield from last(fight, casting, target)
        yield unnoticed(fight, casting, target)


def find_marked(fight: Fight, held: Held, sought: Combatant) -> list[Modifier]:
    """Give the marker Advantage on checks to find the marked."""
    marked = sought is not held.holder and any(one.id == held.id for one in sought.effects)
    return [Modifier(0, "advantage", held.name, fight.rule(held.feature.topic))] if marked else []


def keep_off(fight: Fight, held: Held, condition: str, cause: str) -> bool:
    """Return whether a creature of the types that a spell names cannot cause a condition."""
    source = fight.state.combatants.get(cause)
    types = fight.figure(held.feature.topic, "types")
    return condition in WARDED and source is not None and source.sheet.kind in types


WARDED: Final = ("charmed", "frightened")
"""The conditions that creatures of the types named cannot cause through Protection from Evil and Good."""


def shake_off(fight: Fight, held: Held, ability: str, against: frozenset[str]) -> list[Modifier]:
    """Give saves against such a condition that the creature had before Advantage."""
    old = [one for one in WARDED if one in held.holder.conditions and one in against]
    if not any(keep_off(fight, held, one, held.holder.conditions[one].source) for one in old):
        return []
    return [Modifier(0, "advantage", held.name, fight.rule(held.feature.topic))]


def refuse_marking(fight: Fight, casting: Casting) -> None:
    """Refuse to move a mark from a creature with hit points."""
    rule = fight.rule(casting.feature.topic)
    marked = [
        one
        for one in fight.state.combatants.values()
        if one.id != casting.caster.id and any(effect.id == casting.id for effect in one.effects)
    ]
    if any(one.hp > 0 for one in marked):
        raise Refusal(f"{marked[0].id} has not dropped to 0 hit points", rule)
    if not casting.targets:
        raise Refusal(f"{casting.name} needs a target", rule)


def cursed_checks(fight: Fight, held: Held, skill: str) -> list[Modifier]:
    """Give checks with the chosen ability of a cursed creature Disadvantage."""
    if held.caster == held.holder.id or not held.choice:
        return []
    own = fight.figure("test.skills").get(skill, skill)
    rule = fight.rule(held.feature.topic)
    return [Modifier(0, "disadvantage", held.name, rule)] if own == held.choice else []


def retreat(fight: Fight, casting: Casting) -> Steps[None]:
    """Dash at once; Dash is a Bonus Action as long as the spell lasts."""
    yield from last(fight, casting, casting.caster)
    cites = fight.rules(casting.feature.topic, "turns.dash")
    yield ActionSpent(who=casting.caster.id, kind=DASH, what="dash", cites=cites)


def hearten(fight: Fight, held: Held) -> Steps[None]:
    """Give temporary hit points as the turn starts."""
    caster = fight.combatant(held.caster)
    amount = ability(fight, caster, casting_ability(fight, caster)).value
    yield from damage.grant_temporary(fight, held.holder, amount, held.name, fight.rule(held.feature.topic))


def faster(fight: Fight, held: Held, feet: int) -> int:
    """Add to the Speed."""
    return feet + int(fight.figure(held.feature.topic, "speed_ft")) if feet else feet


def mage_armor(fight: Fight, held: Held) -> list[Modifier]:
    """Return the Armor Class of Mage Armor: its base and Dexterity."""
    rule = fight.rule(held.feature.topic)
    base = fight.formula(held.feature.topic, "base_ac")
    return [Modifier(base, "base", held.name, rule), ability(fight, held.holder, "dex")]


def refuse_armored(fight: Fight, casting: Casting) -> None:
    """Refuse a target that wears armor."""
    for target in casting.targets:
        if any(one.kind == "armor" for one in target.sheet.worn):
            raise Refusal(f"{target.id} wears armor", fight.rule(casting.feature.topic))


def warded_attacks(fight: Fight, held: Held, strike: Strike) -> list[Modifier]:
    """Give attackers of the types that a spell names Disadvantage; without types, all that see as usual."""
    found, attacker = fight.figure(held.feature.topic), strike.attacker
    rule = fight.rule(held.feature.topic)
    own = fields_of(fight, attacker)
    far = distance(attacker, held.holder)
    pierced = any(far <= getattr(own, one, 0) for one in found.get("except", ()))
    if ("types" in found and attacker.sheet.kind not in found["types"]) or pierced:
        return []
    return [Modifier(0, found["attacks_against"], held.name, rule)]


def helped_saves(fight: Fight, held: Held, ability: str, against: frozenset[str]) -> list[Modifier]:
    """Give Dexterity saves Advantage."""
    if ability != "dex":
        return []
    kind = fight.figure(held.feature.topic, "dex_save")
    return [Modifier(0, kind, held.name, fight.rule(held.feature.topic))]


def double_speed(fight: Fight, held: Held, feet: int) -> int:
    """Multiply the Speed."""
    return int(feet * fight.figure(held.feature.topic, "speed_factor"))


def one_action_more(fight: Fight, held: Held, allowed: Mapping[str, int]) -> Mapping[str, int]:
    """Allow the additional action of Haste."""
    return {**allowed, HASTE: 1}


def lethargy(fight: Fight, held: Held, why: str) -> Steps[None]:
    """Make the target Incapacitated with a Speed of 0 until the end of its next turn as Haste ends."""
    holder = held.holder
    if "dead" in holder.conditions:
        return
    until = next_end(fight, holder)
    yield from gain(fight, holder, "incapacitated", held.name, until)
    yield from gain(fight, holder, "lethargic", held.name, until)


def flying(fight: Fight, held: Held, how: str) -> int:
    """Return the Fly Speed that the spell gives."""
    return int(fight.figure(held.feature.topic, "fly_ft")) if how == "fly" else 0


def land(fight: Fight, held: Held, why: str) -> Steps[None]:
    """Let a flyer fall that nothing else holds up as the spell ends."""
    yield RuleApplied(who=held.holder.id, what="flies no more", cites=fight.rules(held.feature.topic))
    yield from fall_from_air(fight, held.holder)


# --- Wards against attacks


def sanctuary(fight: Fight, held: Held, attacker: Combatant) -> Steps[bool]:
    """Have an attacker make a save, or lose the attack."""
    caster, name = fight.combatant(held.caster), fight.figure(held.feature.topic, "save", "ability")
    return not (yield from resist(fight, caster, held.feature, held.name, attacker, name))


def mirror(fight: Fight, casting: Casting) -> Steps[None]:
    """Surround the caster with duplicates."""
    yield from last(fight, casting, casting.caster)
    many, cites = casting.row["duplicates"], fight.rules(casting.feature.topic)
    yield CounterChanged(who=casting.caster.id, counter=DUPLICATES, value=many, cites=cites)


DUPLICATES: Final = "duplicates"


def hit_duplicate(fight: Fight, held: Held, strike: Strike) -> Steps[bool]:
    """Roll for each duplicate; one that stands in is destroyed; Blindsight and Truesight see through it."""
    holder, own = held.holder, fields_of(fight, strike.attacker)
    pierced = distance(strike.attacker, holder) <= max(own.blindsight, own.truesight)
    if "blinded" in strike.attacker.conditions or pierced:
        return False
    left, cites = holder.counters.get(DUPLICATES, 0), fight.rules(held.feature.topic)
    least = int(str(fight.figure(held.feature.topic, "success")).removesuffix("+"))
    die = str(fight.figure(held.feature.topic, "roll")).split()[0]
    faces = []
    for _ in range(left):
        rolled = yield Roll(holder.id, "duplicate", f"1{die}")
        faces.append(rolled.total)
    if not any(one >= least for one in faces):
        return False
    yield CounterChanged(who=holder.id, counter=DUPLICATES, value=left - 1, cites=cites)
    cites = (*cites, *fight.rules("senses.illusions"))
    yield RuleApplied(who=holder.id, what="a duplicate is hit instead", cites=cites)
    if left == 1:
        yield from end_on(fight, held, "no duplicate is left")
    return True


def keep_alive(fight: Fight, held: Held, blow: Blow, surplus: int) -> Steps[int]:
    """Keep the creature at 1 hit point instead of 0; then the spell ends."""
    yield from end_on(fight, held, "it has kept death away")
    return int(fight.figure(held.feature.topic, "hp"))


# --- Teleport and sight


def refuse_stepping(fight: Fight, casting: Casting) -> None:
    """Refuse a place out of range, one that is not free, and one that the caster does not see."""
    caster, rule = casting.caster, fight.rule(casting.feature.topic)
    if casting.at is None:
        raise Refusal(f"{casting.name} needs a square to go to", rule)
    x, y = casting.at
    far = max(abs(x - caster.at[0]), abs(y - caster.at[1])) * SQUARE_FT
    if far > casting.row["teleport_ft"]:
        raise Refusal(f"{x},{y} is {far} ft. away", rule)
    if not fight.field.passable(casting.at, caster.space) or others_at(fight, caster, casting.at):
        raise Refusal(f"{x},{y} is not free", rule)
    dark = "blinded" in caster.conditions or obscurement(fight, caster, casting.at) == HEAVILY
    if dark or not is_line_clear(fight, caster.at, caster.space, casting.at, caster.space):
        raise Refusal(f"{caster.id} does not see {x},{y}", rule)


def step_away(fight: Fight, casting: Casting) -> Steps[None]:
    """Teleport to the place."""
    caster = casting.caster
    if casting.at is None:
        return
    yield displaced(
        caster, (casting.at,), "teleports", fight.rules(casting.feature.topic, "movement.teleport")
    )


# --- Falling and jumping


def jump_far(fight: Fight, held: Held) -> tuple[int, int]:
    """Return how far the spell lets a creature jump, and the feet of movement that this takes."""
    found = fight.figure(held.feature.topic)
    return int(found["jump_ft"]), int(found["cost_ft"])


def feather(fight: Fight, held: Held, faller: Combatant, feet: int) -> Steps[bool]:
    """Ask whether Feather Fall is cast as a creature nearby falls; the faller then lands unharmed.

    From higher up than it descends in the spell's duration, it falls the rest.
    """
    caster = held.holder
    casting = reaction_casting(fight, caster, held.name, faller)
    if (
        casting is None
        or faller.side != caster.side
        or not within(caster, faller, range_of(casting.row, caster))
    ):
        return False
    if not sees(fight, caster, faller):
        return False
    question = f"{faller.id} falls {feet} ft.: does {caster.id} cast {held.name}?"
    if not (yield from react_with(fight, casting, question, faller, True)):
        return False
    cites = fight.rules(held.feature.topic)
    far = casting.row["descent_ft_per_round"] * rounds_in(casting.row["duration"])
    if feet > far:
        yield RuleApplied(who=faller.id, what=f"floats down {far} ft., and falls again", cites=cites)
        yield from fall(fight, faller, feet - far)
    else:
        yield RuleApplied(who=faller.id, what="floats down and lands unharmed", cites=cites)
    return True


# --- Answers to what others do


def shield(fight: Fight, held: Held, strike: Strike, total: int, needed: int) -> Steps[list[Modifier]]:
    """Ask whether Shield is cast against an attack that hits."""
    casting = reaction_casting(fight, held.holder, held.name, held.holder)
    if casting is None:
        return []
    bonus = int(casting.row["ac"])
    question = f"{strike.attacker.id} hits {held.holder.id} with {total}: does it cast {held.name}?"
    if not (yield from react_with(fight, casting, question, strike.attacker, total < needed + bonus)):
        return []
    yield from last(fight, casting, held.holder, next_start(fight, held.holder))
    return [Modifier(bonus, "spell", held.name, fight.rule(held.feature.topic))]


def shield_against_darts(fight: Fight, held: Held, casting: Casting) -> Steps[bool]:
    """Stop Magic Missile with a Shield that is cast now."""
    own = reaction_casting(fight, held.holder, held.name, held.holder)
    if own is None:
        return False
    question = f"{casting.caster.id} casts {casting.name} at {held.holder.id}: does it cast {held.name}?"
    if not (yield from react_with(fight, own, question, casting.caster, True)):
        return False
    yield from last(fight, own, held.holder, next_start(fight, held.holder))
    yield RuleApplied(
        who=held.holder.id, what=f"takes no damage from {casting.name}", cites=fight.rules(held.feature.topic)
    )
    return True


def under_shield(fight: Fight, held: Held, casting: Casting) -> Steps[bool]:
    """Stop Magic Missile with a Shield that still lasts."""
    yield RuleApplied(
        who=held.holder.id, what=f"takes no damage from {casting.name}", cites=fight.rules(held.feature.topic)
    )
    return True


def counter(fight: Fight, held: Held, casting: Casting) -> Steps[bool]:
    """Ask whether a casting is countered; the other makes a save, or the spell fails without its slot."""
    caster, other = held.holder, casting.caster
    if other.side == caster.side or not casting.row.get("components"):
        return False
    own = reaction_casting(fight, caster, held.name, other)
    if own is None or not within(caster, other, range_of(own.row, caster)) or not sees(fight, caster, other):
        return False
    question = f"{other.id} casts {casting.name}: does {caster.id} cast {held.name}?"
    if not (yield from react_with(fight, own, question, other, casting.row["level"] > 2)):
        return False
    name = own.row["save"]["ability"]
    if (yield from resist(fight, caster, own.feature, held.name, other, name)):
        return False
    cites = fight.rules(held.feature.topic)
    yield RuleApplied(who=other.id, what=f"{casting.name} fails", cites=cites)
    return True


def dispel(fight: Fight, casting: Casting) -> Steps[None]:
    """End the spells on a target: those of the slot's level at once, higher ones by a check."""
    why, topic = f"dispelled by {casting.caster.id}", casting.feature.topic
    for target in casting.targets:
        for held in [one for one in features_of(fight, target) if one.id and one.name != CONCENTRATION]:
            if is_ongoing(fight, held.feature) and (yield from overcomes(fight, casting, held.number)):
                yield from end_on(fight, held, why, topic)
    if casting.at is not None:
        for area in areas.areas_at(fight, casting.at):
            if f"{SPELL} {area.what}" in spell_rows(fight) and (
                yield from overcomes(fight, casting, area.level)
            ):
                yield from end_spell(fight, area.id, why, topic)


def overcomes(fight: Fight, casting: Casting, level: int) -> Steps[bool]:
    """Return whether a spell is dispelled: up to the slot's level at once, otherwise by a check."""
    if level <= max(casting.slot, int(casting.row["auto_level"])):
        return True
    caster, topic = casting.caster, casting.feature.topic
    number, own = fight.formula(topic, "check_dc") + level, casting_ability(fight, caster)
    return (yield from test.check(fight, caster, own, number, why=casting.name, cites=fight.rules(topic)))


def lift_curses(fight: Fight, casting: Casting) -> Steps[None]:
    """End all curses on the targets."""
    cites = fight.rules("magic.curses")
    for target in casting.targets:
        curses = [one for one in features_of(fight, target) if one.id and is_curse(one)]
        for held in curses:
            yield from end_on(fight, held, casting.name, "magic.curses")
        if CURSED in target.conditions:
            yield ConditionLost(who=target.id, condition=CURSED, why=casting.name, cites=cites)
        elif not curses:
            yield unaffected(fight, casting, target)


CURSED: Final = "cursed"


def is_curse(held: Held) -> bool:
    """Return whether a spell that a creature is under is a curse on it."""
    return held.feature.spell is not None and held.feature.spell.curse and held.caster != held.holder.id


def restore_greatly(fight: Fight, casting: Casting) -> Steps[None]:
    """End what is chosen: a curse, a condition, a level of Exhaustion, or a reduction."""
    if casting.choice == "curse":
        yield from lift_curses(fight, casting)
    elif casting.choice == EXHAUSTION:
        for target in casting.targets:
            yield from recover_from(fight, target, 1, casting.name, fight.rule("magic.curses"))
    elif casting.choice in SCORES or casting.choice == MAXIMUM:
        for target in casting.targets:
            yield from undo_reduction(fight, casting, target)
    else:
        yield from restore(fight, casting)


MAXIMUM: Final = "hit point maximum"
"""The names of other reductions than those of abilities, to choose from."""


def undo_reduction(fight: Fight, casting: Casting, target: Combatant) -> Steps[None]:
    """Return a lowered ability score, or the hit point maximum, to normal."""
    cites = fight.rules("magic.curses")
    if casting.choice in target.losses:
        yield from restore_score(fight, target, casting.choice, casting.name, *cites)
    elif casting.choice == MAXIMUM and target.max_hp < target.sheet.hp:
        yield MaximumChanged(who=target.id, max_hp=target.sheet.hp, why=casting.name, cites=cites)
    else:
        yield unaffected(fight, casting, target)


def refuse_aimless(fight: Fight, casting: Casting) -> None:
    """Refuse neither a target nor a square, or both, and a square out of range."""
    if bool(casting.targets) == (casting.at is not None):
        reason = f"{casting.name} needs a target, or a square in an area"
        raise Refusal(reason, fight.rule(casting.feature.topic))
    if casting.at is not None:
        refuse_place(fight, casting)


# --- Weapons


def refuse_unarmed(fight: Fight, casting: Casting) -> None:
    """Refuse a target that holds no nonmagical weapon."""
    for target in casting.targets:
        if not plain_weapon(target):
            raise Refusal(f"{target.id} holds no nonmagical weapon", fight.rule(casting.feature.topic))


def plain_weapon(target: Combatant) -> str:
    """Return the first nonmagical weapon that a creature holds; "" for none."""
    return next(
        (one.name for one in target.sheet.weapons if one.name in target.held and not is_magic(one)), ""
    )


def is_magic(weapon: Weapon) -> bool:
    """Return whether a weapon is a magic one."""
    return "magic" in weapon.traits or any(one.kind == "enhancement" for one in weapon.attack)


def enchant(fight: Fight, casting: Casting) -> Steps[None]:
    """Make the weapon that a target holds magic; an earlier casting ends."""
    yield from end_earlier(fight, casting)
    for target in casting.targets:
        yield from last(fight, replace(casting, choice=plain_weapon(target)), target)


def enchantment(fight: Fight, held: Held) -> Modifier:
    """Return what Magic Weapon adds, by its slot."""
    found = fight.figure(held.feature.topic)
    value = found["bonus"]
    for levels, better in found["upcast"].items():
        if is_in(levels, held.number):
            value = better
    return Modifier(int(value), "enhancement", held.name, fight.rule(held.feature.topic))


def enchanted_attack(fight: Fight, held: Held, strike: Strike) -> list[Modifier]:
    """Add the bonus of Magic Weapon to attack rolls with the weapon."""
    return [enchantment(fight, held)] if strike.weapon.name == held.choice else []


def enchanted_hit(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[list[Modifier]]:
    """Add the bonus of Magic Weapon to damage with the weapon."""
    return [enchantment(fight, held)] if strike.weapon.name == held.choice else []
    yield


ENDS_IT: Final = frozenset({"attack", "casting", "damage dealt"})

SPELLS: Final[dict[str, Feature]] = {
    **row("guidance", ward, willing=True, choices=SKILLS, extra_die=guide_skill),
    **row("resistance", ward, willing=True, choices="types", before_damage=resist_once),
    **row(
        "bane",
        bind,
        unnoticed=True,
        seen=True,
        extra_die=partial(die_of_spell, ("attack", "save"), "penalty"),
    ),
    **row("bless", ward, extra_die=partial(die_of_spell, ("attack", "save"), "bonus")),
    **row("divine favor", ward, on_hit=radiant_hits),
    **row("expeditious retreat", retreat, as_bonus=frozenset({"dash"})),
    **row("heroism", ward, willing=True, immune=frozenset({"frightened"}), turn_start=hearten),
    **row(
        "hex",
        mark,
        seen=True,
        curse=True,
        choices=tuple(SCORES),
        again="bonus",
        use=mark_another,
        check_use=refuse_marking,
        on_hit=marked_hits,
        on_check=cursed_checks,
    ),
    **row(
        "hunter's mark",
        mark,
        seen=True,
        again="bonus",
        use=mark_another,
        check_use=refuse_marking,
        on_hit=marked_hits,
        on_search=find_marked,
    ),
    **row("feather fall", by_trigger),
    "prepared feather fall": Feature(topic=topic("feather fall"), on_fall=feather),
    **row("jump", ward, willing=True, jump=jump_far),
    **row("longstrider", ward, on_speed=faster),
    **row("mage armor", ward, check=refuse_armored, willing=True, base_armor=mage_armor),
    **row(
        "protection from evil and good",
        ward,
        willing=True,
        on_attacked=warded_attacks,
        wards=keep_off,
        on_save=shake_off,
    ),
    **row("sanctuary", ward, before_attack=sanctuary, ends_on=ENDS_IT),
    **row("shield", by_trigger, on_armor_class=armor_of_spell, stops_darts=under_shield),
    "prepared shield": Feature(topic=topic("shield"), before_hit=shield, stops_darts=shield_against_darts),
    **row("shield of faith", ward, on_armor_class=armor_of_spell),
    **row("blur", ward, on_attacked=warded_attacks),
    **row("invisibility", ward, ends_on=ENDS_IT),
    **row("greater invisibility", ward),
    **row("magic weapon", enchant, check=refuse_unarmed, on_attack=enchanted_attack, on_hit=enchanted_hit),
    **row("mirror image", mirror, diverts=hit_duplicate),
    **row("misty step", step_away, check=refuse_stepping, point=True, chosen=True),
    **row("see invisibility", ward, sees_invisible=True),
    **row("counterspell", by_trigger),
    "prepared counterspell": Feature(topic=topic("counterspell"), casts=counter),
    **row("remove curse", lift_curses, topic="magic.curses", part="remove curse"),
    **row(
        "greater restoration",
        restore_greatly,
        topic="magic.curses",
        part="greater restoration",
        choices="removes",
    ),
    **row("dispel magic", dispel, point=True, check=refuse_aimless),
    **row("fly", ward, willing=True, special_speed=flying, hover=True, over=land),
    **row(
        "haste",
        ward,
        seen=True,
        willing=True,
        on_speed=double_speed,
        on_armor_class=armor_of_spell,
        on_save=helped_saves,
        budget=one_action_more,
        over=lethargy,
    ),
    **row("protection from energy", ward, willing=True, choices="types", factors=resistant),
    **row("death ward", ward, at_zero=keep_alive),
}
