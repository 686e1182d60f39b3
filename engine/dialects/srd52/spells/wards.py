"""Spells that protect, strengthen or hide, and those that answer others, such as Shield."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, damage, test
from affray.engine.dialects.srd52.classes import SKILLS, ability, fields_of
from affray.engine.dialects.srd52.conditions import gain
from affray.engine.dialects.srd52.features import (
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
    end_on,
    end_spell,
    last,
    react_with,
    reaction_casting,
    spell_difficulty,
)
from affray.engine.dialects.srd52.movement import DASH, fall_from_air
from affray.engine.dialects.srd52.position import displaced, others_at, within
from affray.engine.dialects.srd52.senses import sees
from affray.engine.dialects.srd52.spells.control import afflict, armor_of_spell, bind
from affray.engine.dialects.srd52.spells.harm import by_trigger, row, topic
from affray.engine.dialects.srd52.turns import next_start
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts.combat import CounterChanged, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SCORES, Modifier
from affray.projections.state import Combatant

# --- What lasts on those it is cast on


def ward(fight: Fight, casting: Casting) -> Steps[None]:
    """Put the targets under a spell for its duration, with the conditions that it gives."""
    for target in casting.targets:
        yield from afflict(fight, casting, target)


def die_of_spell(kinds: tuple[str, ...], path: str, fight: Fight, held: Held, test: str) -> str:
    """Return the die that a spell adds to some tests, or takes off them."""
    if test not in kinds and not (held.choice and held.choice == test):
        return ""
    sign = "-" if path == "penalty" else ""
    return sign + str(fight.figure(held.feature.topic, path))


def guide_skill(fight: Fight, held: Held, test: str) -> str:
    """Return the die of Guidance for checks with the chosen skill."""
    return str(fight.figure(held.feature.topic, "bonus")) if test == held.choice else ""


def resist_once(fight: Fight, held: Held, blow: Blow, amounts: Mapping[str, int]) -> Steps[Mapping[str, int]]:
    """Lower damage of the chosen type by a die, once a turn."""
    kind, counter = held.choice, f"resistance in turn {fight.state.turn}"
    if not amounts.get(kind) or held.holder.spent.get(counter):
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
    """Mark a creature: it and the caster are under the spell."""
    yield from last(fight, casting, casting.caster)
    for target in casting.targets:
        yield from last(fight, casting, target)


def mark_another(fight: Fight, casting: Casting) -> Steps[None]:
    """Move a mark to another creature."""
    for target in casting.targets:
        yield from last(fight, casting, target)


def refuse_marking(fight: Fight, casting: Casting) -> None:
    """Refuse to move a mark from a creature with hit points, or out of range or sight."""
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
    for target in casting.targets:
        if not within(casting.caster, target, casting.row["range_ft"]) or not sees(
            fight, casting.caster, target
        ):
            raise Refusal(f"{target.id} is out of range or sight", rule)


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
    pierced = any(getattr(own, one, 0) for one in found.get("except", ()))
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
    until = Until("turn-end", holder.id, fight.state.round + 1)
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


def sanctuary(fight: Fight, held: Held, strike: Strike) -> Steps[bool]:
    """Have an attacker make a save, or lose the attack."""
    caster = fight.combatant(held.caster)
    found = fight.figure(held.feature.topic, "save")
    cites = fight.rules(held.feature.topic)
    number, against = spell_difficulty(fight, caster), frozenset({"spell", "magic"})
    made = yield from test.save(
        fight, strike.attacker, found["ability"], number, against=against, why=held.name, cites=cites
    )
    return not made


def mirror(fight: Fight, casting: Casting) -> Steps[None]:
    """Surround the caster with duplicates."""
    yield from last(fight, casting, casting.caster)
    many, cites = casting.row["duplicates"], fight.rules(casting.feature.topic)
    yield CounterChanged(who=casting.caster.id, counter=DUPLICATES, value=many, cites=cites)


DUPLICATES: Final = "duplicates"


def hit_duplicate(fight: Fight, held: Held, strike: Strike) -> Steps[bool]:
    """Roll for each duplicate; one that stands in is destroyed; Blindsight and Truesight see through it."""
    holder, own = held.holder, fields_of(fight, strike.attacker)
    if "blinded" in strike.attacker.conditions or any(
        getattr(own, one, 0) for one in ("blindsight", "truesight")
    ):
        return False
    left, cites = holder.counters.get(DUPLICATES, 0), fight.rules(held.feature.topic)
    least = int(str(fight.figure(held.feature.topic, "success")).removesuffix("+"))
    faces = []
    for _ in range(left):
        rolled = yield Roll(holder.id, "duplicate", "1d6")
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
    """Refuse a place out of range, or one that is not free."""
    caster, rule = casting.caster, fight.rule(casting.feature.topic)
    if casting.at is None:
        raise Refusal(f"{casting.name} needs a square to go to", rule)
    x, y = casting.at
    far = max(abs(x - caster.at[0]), abs(y - caster.at[1])) * SQUARE_FT
    if far > casting.row["teleport_ft"]:
        raise Refusal(f"{x},{y} is {far} ft. away", rule)
    if not fight.field.passable(casting.at, caster.space) or others_at(fight, caster, casting.at):
        raise Refusal(f"{x},{y} is not free", rule)


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
    """Ask whether Feather Fall is cast as somebody nearby falls; the faller then lands unharmed."""
    caster = held.holder
    casting = reaction_casting(fight, caster, held.name, faller)
    if casting is None or faller.side != caster.side or not within(caster, faller, casting.row["range_ft"]):
        return False
    if not sees(fight, caster, faller):
        return False
    question = f"{faller.id} falls {feet} ft.: does {caster.id} cast {held.name}?"
    if not (yield from react_with(fight, casting, question, faller, True)):
        return False
    cites = fight.rules(held.feature.topic)
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
    if own is None or not within(caster, other, own.row["range_ft"]) or not sees(fight, caster, other):
        return False
    question = f"{other.id} casts {casting.name}: does {caster.id} cast {held.name}?"
    if not (yield from react_with(fight, own, question, other, casting.row["level"] > 2)):
        return False
    cites, number = fight.rules(held.feature.topic), spell_difficulty(fight, caster)
    found, against = own.row["save"], frozenset({"spell", "magic"})
    if (
        yield from test.save(
            fight, other, found["ability"], number, against=against, why=held.name, cites=cites
        )
    ):
        return False
    yield RuleApplied(who=other.id, what=f"{casting.name} fails", cites=cites)
    return True


def dispel(fight: Fight, casting: Casting) -> Steps[None]:
    """End the spells on a target: those of the slot's level at once, higher ones by a check."""
    caster, cites = casting.caster, fight.rules(casting.feature.topic)
    for target in casting.targets:
        for held in [one for one in features_of(fight, target) if one.id and one.name != CONCENTRATION]:
            level = held.number
            if level <= max(casting.slot, int(casting.row["auto_level"])):
                yield from end_on(fight, held, f"dispelled by {caster.id}", casting.feature.topic)
                continue
            base = fight.formula(casting.feature.topic, "check_dc")
            own = casting_ability(fight, caster)
            if (yield from test.check(fight, caster, own, base + level, why=casting.name, cites=cites)):
                yield from end_on(fight, held, f"dispelled by {caster.id}", casting.feature.topic)
    if not casting.targets and casting.at is not None:
        for area in areas.areas_at(fight, casting.at):
            if area.level <= max(casting.slot, int(casting.row["auto_level"])):
                yield from end_spell(fight, area.id, f"dispelled by {caster.id}", casting.feature.topic)


# --- Weapons


def refuse_unarmed(fight: Fight, casting: Casting) -> None:
    """Refuse a target that holds no weapon."""
    for target in casting.targets:
        if not target.held:
            raise Refusal(f"{target.id} holds no weapon", fight.rule(casting.feature.topic))


def enchant(fight: Fight, casting: Casting) -> Steps[None]:
    """Make the weapon that a target holds magic."""
    for target in casting.targets:
        yield from last(fight, replace(casting, choice=target.held[0]), target)


def enchantment(fight: Fight, held: Held) -> Modifier:
    """Return what Magic Weapon adds, by its slot."""
    found = fight.figure(held.feature.topic)
    value = found["bonus"]
    for span, better in found["upcast"].items():
        least, _, most = span.removesuffix("+").partition("-")
        if int(least) <= held.number and (span.endswith("+") or held.number <= int(most or least)):
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
    **row("bane", bind, seen=True, extra_die=partial(die_of_spell, ("attack", "save"), "penalty")),
    **row("bless", ward, extra_die=partial(die_of_spell, ("attack", "save"), "bonus")),
    **row("divine favor", ward, on_hit=radiant_hits),
    **row("expeditious retreat", retreat, as_bonus=frozenset({"dash"})),
    **row("heroism", ward, willing=True, immune=frozenset({"frightened"}), turn_start=hearten),
    **row(
        "hex",
        mark,
        seen=True,
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
    ),
    **row("feather fall", by_trigger),
    "prepared feather fall": Feature(topic=topic("feather fall"), on_fall=feather),
    **row("jump", ward, willing=True, jump=jump_far),
    **row("longstrider", ward, on_speed=faster),
    **row("mage armor", ward, check=refuse_armored, willing=True, base_armor=mage_armor),
    **row("protection from evil and good", ward, willing=True, on_attacked=warded_attacks),
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
    "prepared counterspell": Feature(topic=topic("counterspell"), other_casts=counter),
    **row("dispel magic", dispel, point=True),
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
