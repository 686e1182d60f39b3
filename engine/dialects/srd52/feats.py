"""Feats: those of origin, general ones, Fighting Styles and Epic Boons, with what they take."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from affray.engine.dialects.srd52 import attacks, maneuvers, test
from affray.engine.dialects.srd52.class_features import (
    GIVING_STYLES,
    MAGIC,
    STYLES,
    UseFeature,
    armor_worn,
    draw_on,
    has_level,
    left_of,
    simply,
    wants,
)
from affray.engine.dialects.srd52.classes import fields_of, level_of, proficiency, score_now
from affray.engine.dialects.srd52.conditions import gain, incapacitating
from affray.engine.dialects.srd52.features import SPELL, Casting, Dice, Feature, Held, Pool, Strike
from affray.engine.dialects.srd52.gear import ATTACKING, WEAPONS, row_of, wields_two_handed
from affray.engine.dialects.srd52.martial import PHYSICAL, is_own_turn, is_used, use_once
from affray.engine.dialects.srd52.movement import teleport
from affray.engine.dialects.srd52.position import distance, others_at, size_of, within
from affray.engine.dialects.srd52.senses import BRIGHT, is_line_clear, light_at
from affray.engine.fight.fight import Dialect, Fight
from affray.engine.kernel.actions import spend
from affray.engine.kernel.sheets import score_of
from affray.engine.record.chapters import ConditionRule
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts.combat import ConditionLost, ResourceSpent
from affray.events.facts.flow import ActionSpent, InitiativeRolled, RuleApplied
from affray.events.facts.sheet import SCORES, Modifier, Sheet, Weapon
from affray.projections.state import Combatant

# --- What a feat takes

Lacks = Callable[[Dialect, Sheet], str]


def takes_level(least: int, abilities: Iterable[str] = (), score: int = 0) -> Lacks:
    """Return a function that says what a sheet lacks: a level, and one of some abilities at a score."""

    def lacks(dialect: Dialect, sheet: Sheet) -> str:
        if level_of(sheet) < least:
            return f"it takes level {least}"
        if abilities and all((score_of(sheet, name) or 0) < score for name in abilities):
            return f"it takes {' or '.join(abilities)} {score}"
        return ""

    return lacks


def takes_style(dialect: Dialect, sheet: Sheet) -> str:
    """Return what a sheet lacks for its Fighting Styles: as many features as it has styles."""
    given = sum(has_level(sheet, name, level) for name, level in GIVING_STYLES)
    given -= has_level(sheet, *GIVING_STYLES[1]) and "blessed warrior" in sheet.traits
    if sum(one in STYLES for one in set(sheet.feats)) > given:
        return "each Fighting Style takes a Fighting Style feature"
    return ""


def takes_improvement(dialect: Dialect, sheet: Sheet) -> str:
    """Return what a sheet lacks for improved scores: level 4, and no score above the most that it gives."""
    most = dialect.book.figure("srd52.classes.feat-ability-score-improvement", "max")
    over = next((name for name in SCORES if (score_of(sheet, name) or 0) > most), "")
    return takes_level(4)(dialect, sheet) or (f"{SCORES[over]} is above {most}" if over else "")


# --- Origin feats


def alert(fight: Fight, held: Held, skill: str) -> Iterator[Modifier]:
    """Yield the Proficiency Bonus on initiative."""
    if skill == "initiative":
        yield proficiency(fight, held.holder)


def swap_initiative(fight: Fight, held: Held) -> Steps[None]:
    """Let the holder swap its initiative with that of a willing ally, unless either is Incapacitated."""
    holder, rule = held.holder, fight.rule("classes.feat-alert")
    friends = [one for one in fight.allies(holder) if not incapacitating(one)]
    if incapacitating(holder) or not friends:
        return
    question = f"{holder.id} has an initiative of {holder.initiative}: which ally does it swap with?"
    options = ("decline", *(one.id for one in friends))
    answer = yield Choice(holder.id, "initiative swap", question, options, rule)
    if answer == "decline":
        return
    friend = fight.combatant(answer)
    asked = f"does {friend.id} swap its initiative of {friend.initiative} with {holder.id}?"
    if not (yield from wants(fight, friend, "swap", asked, rule)):
        return
    totals = holder.initiative, friend.initiative
    for one, other, total in ((holder, friend, totals[1]), (friend, holder, totals[0])):
        parts = (Modifier(0, "swap", f"initiative of {other.id}", rule),)
        yield InitiativeRolled(
            who=one.id,
            key="",
            natural=total,
            total=total,
            modifier=one.initiative_modifier,
            parts=parts,
            cites=(rule,),
        )


def savage_attack(fight: Fight, held: Held, strike: Strike, dice: Dice) -> Steps[Dice]:
    """Roll the damage dice of a weapon twice, once a turn."""
    holder, rule = held.holder, fight.rule(held.feature.topic)
    if strike.weapon.wield == "unarmed" or strike.spell or is_used(fight, held):
        return dice
    question = f"does {holder.id} roll the damage of the {strike.weapon.name} twice?"
    if not (yield from wants(fight, holder, held.name, question, rule)):
        return dice
    yield use_once(fight, held)
    return Dice(dice.notation, dice.kind, dice.source, dice.least, twice=True)


def takes_ability(dialect: Dialect, sheet: Sheet) -> str:
    """Return what a sheet lacks for Magic Initiate: a spellcasting ability, and the spells that it learns."""
    own = dialect.custom_of(sheet)
    casts = any("casting" in row for name, row in traits_of(dialect).items() if sheet.classes.get(name))
    if not casts and own.spellcasting not in ("int", "wis", "cha"):
        return "it takes Intelligence, Wisdom or Charisma as spellcasting ability"
    level = dialect.book.figure("srd52.classes.feat-magic-initiate", "spell_level")
    if not own.initiate_spells:
        return f"the sheet names no level {level} spell that it learns"
    table: Mapping[str, Feature] = dialect.kernel.features
    rows = {one: table.get(f"{SPELL} {one}") for one in own.initiate_spells}
    for name, row in rows.items():
        if row is not None and dialect.book.figure(f"srd52.{row.topic}").get("level") != level:
            return f"{name} is no spell of level {level}"
    return ""


def traits_of(dialect: Dialect) -> Mapping[str, Any]:
    """Return the core traits of the classes."""
    found: Mapping[str, Any] = dialect.book.figure("srd52.classes.core-traits")
    return found


def spell_of_initiate(fight: Fight, held: Held) -> Iterator[str]:
    """Yield the spell that an initiate casts once without a slot: the next one for each such feat."""
    sheet = held.holder.sheet
    mine = [one for one in sheet.feats if one.startswith("magic initiate (")]
    yield from fields_of(fight, held.holder).initiate_spells[mine.index(held.name) :][:1]


# --- General feats


def holds(held: Held, other: Combatant) -> bool:
    """Return whether a combatant grapples another."""
    grapple = other.conditions.get("grappled")
    return grapple is not None and grapple.source == held.holder.id


def attacks_grappled(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield Advantage on attacks on a creature that the holder grapples."""
    if holds(held, strike.target):
        yield test.source(fight, held.feature.topic, "attack_vs_grappled", held.name)


def punch_and_grab(fight: Fight, held: Held, strike: Strike, hit: bool) -> Steps[None]:
    """Let an Unarmed Strike of the Attack action that has dealt damage also grapple, once a turn."""
    holder, target, rule = held.holder, strike.target, fight.rule(held.feature.topic)
    of_action = (
        strike.by == attacks.ATTACK and strike.weapon.wield == "unarmed" and is_own_turn(fight, holder)
    )
    if not hit or not of_action or is_used(fight, held) or "dead" in target.conditions:
        return
    try:
        maneuvers.refuse_grapple(fight, holder, target)
    except Refusal:
        return
    question = f"{holder.id} hits {target.id}: does it also grapple it?"
    if (yield from wants(fight, holder, "punch and grab", question, rule)):
        yield use_once(fight, held)
        yield from maneuvers.seize(fight, holder, target)


def drags_freely(fight: Fight, held: Held, other: Combatant) -> bool:
    """Return whether moving a grappled creature takes no extra movement: not larger than the holder."""
    return size_of(other) <= size_of(held.holder)


# --- Fighting Styles


def is_ranged(fight: Fight, weapon: Weapon) -> bool:
    """Return whether a weapon is a Ranged one, not a Melee weapon that is thrown."""
    if weapon.table:
        return row_of(fight, WEAPONS, weapon.table, "weapon")[1].endswith("ranged")
    return weapon.wield == "projectile"


def archery(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield the bonus on attack rolls with Ranged weapons."""
    if is_ranged(fight, strike.weapon) and not strike.spell:
        value = fight.figure(held.feature.topic, "attack")
        yield Modifier(value, "untyped", held.name, fight.rule(held.feature.topic))


def defense(fight: Fight, held: Held) -> Iterator[Modifier]:
    """Yield the bonus to Armor Class in armor."""
    if armor_worn(held.holder):
        value = fight.figure(held.feature.topic, "ac")
        yield Modifier(value, "untyped", held.name, fight.rule(held.feature.topic))


def raises_low_dice(fight: Fight, held: Held, strike: Strike) -> int:
    """Return what lower damage dice count as with a Two-Handed or Versatile Melee weapon in both hands."""
    weapon = strike.weapon
    suited = "two-handed" in weapon.traits or "versatile" in weapon.traits or bool(weapon.second)
    both = weapon.hands > 1 or wields_two_handed(fight, held.holder, weapon)
    usable = strike.melee and suited and both and not strike.spell and weapon.name in held.holder.held
    return int(fight.figure(held.feature.topic, "min_die")) if usable else 0


# --- Epic Boons


def peerless_aim(fight: Fight, held: Held, strike: Strike) -> Steps[bool]:
    """Turn a miss into a hit, once until the start of the holder's next turn."""
    holder, rule = held.holder, fight.rule(held.feature.topic)
    if held.name in holder.spent:
        return False
    question = f"{holder.id} misses {strike.target.id}: does it hit instead?"
    if not (yield from wants(fight, holder, "peerless aim", question, rule)):
        return False
    yield ActionSpent(who=holder.id, kind=held.name, what=strike.target.id, cites=(rule,))
    return True


def overcomes(fight: Fight, held: Held, kind: str) -> bool:
    """Return whether damage ignores Resistance."""
    return kind in PHYSICAL


def overwhelming(name: str) -> Callable[..., Steps[Iterable[Modifier]]]:
    """Return the function of extra damage on a natural 20: the score that the boon has raised."""

    def strike_hard(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[Iterable[Modifier]]:
        if strike.natural != fight.figure("attacks.natural-20", "die"):
            return ()
        value = score_now(held.holder, name) or 0
        return (Modifier(value, "untyped", held.name, fight.rule(held.feature.topic)),)
        yield

    return strike_hard


def blink(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Teleport to a free place in sight, right after the Attack or Magic action."""
    holder, rule = held.holder, fight.rule(held.feature.topic)
    taken = holder.spent.get(ATTACKING, 0) + holder.spent.get(MAGIC, 0)
    if taken <= holder.spent.get(held.name, 0):
        raise Refusal(f"{holder.id} has not just taken the Attack or the Magic action", rule)
    feet = fight.figure(held.feature.topic, "dimensional-travel")
    if act.at is None or distance(holder, holder, act.at) > feet or not fight.field.holds(act.at):
        raise Refusal(f"{holder.id} needs a square within {feet} ft.", rule)
    if others_at(fight, holder, act.at) or not is_line_clear(fight, holder.at, holder.space, act.at, 1):
        raise Refusal(f"{act.at[0]},{act.at[1]} is taken, or out of sight", rule)
    yield ActionSpent(who=holder.id, kind=held.name, what="blink", cites=(rule,))
    yield from teleport(fight, holder, act.at, rule)


FATE: Final = "boon of fate"


def improve_fate(fight: Fight, held: Held, who: Combatant, success: bool) -> Steps[tuple[Modifier, ...]]:
    """Ask whether a test nearby is improved or worsened by 2d4, once until Initiative or a rest."""
    holder, topic = held.holder, held.feature.topic
    rule = fight.rule(topic)
    able = not incapacitating(holder) and within(holder, who, fight.figure(topic, "fate_ft"))
    if not able or left_of(fight, holder, FATE) < 1:
        return ()
    question = f"the test of {who.id} {'succeeds' if success else 'fails'}: does {holder.id} alter it?"
    answer = yield Choice(holder.id, "improve fate", question, ("decline", "bonus", "penalty"), rule)
    if answer == "decline":
        return ()
    yield draw_on(fight, holder, FATE, rule)
    rolled = yield Roll(holder.id, "fate", fight.figure(topic, "fate"))
    value = rolled.total if answer == "bonus" else -rolled.total
    return (Modifier(value, "die", held.name, rule),)


def fate_returns(fight: Fight, held: Held) -> Steps[None]:
    """Regain the use of the Boon of Fate on rolling initiative."""
    if held.holder.resources.get(FATE, 0) > 0:
        cites = fight.rules(held.feature.topic)
        yield ResourceSpent(who=held.holder.id, resource=FATE, amount=-1, cites=cites)


def recalls(fight: Fight, held: Held, casting: Casting) -> Steps[bool]:
    """Roll whether a slot of up to level 4 is not expended: its level on the die."""
    die = str(fight.figure(held.feature.topic, "spell-recall"))
    if casting.slot > int(die.partition("d")[2]):
        return False
    rolled = yield Roll(held.holder.id, "recall", die)
    kept = rolled.total == casting.slot
    if kept:
        what = f"keeps the slot of level {casting.slot}"
        yield RuleApplied(who=held.holder.id, what=what, cites=fight.rules(held.feature.topic))
    return bool(kept)


SHADOWED: Final = "merged with shadows"


def is_in_shadow(fight: Fight, holder: Combatant) -> bool:
    """Return whether a combatant is within Dim Light or Darkness."""
    return light_at(fight, holder.at) < BRIGHT


def merge_with_shadows(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Become Invisible in Dim Light or Darkness, as a Bonus Action."""
    holder, rule = held.holder, fight.rule(held.feature.topic)
    if not is_in_shadow(fight, holder):
        raise Refusal(f"{holder.id} is in Bright Light", rule)
    if "invisible" in holder.conditions:
        raise Refusal(f"{holder.id} is Invisible", rule)
    yield spend(fight, holder, "bonus", held.name, rule)
    yield from gain(fight, holder, "invisible", SHADOWED)
    yield from gain(fight, holder, SHADOWED, held.name)


def leaves_shadows(fight: Fight, held: Held) -> Steps[None]:
    """End being merged with shadows."""
    for name in ("invisible", SHADOWED):
        if name in held.holder.conditions:
            cites = fight.rules(held.feature.topic)
            yield ConditionLost(who=held.holder.id, condition=name, why="it acts", cites=cites)


def resists_in_shadow(fight: Fight, held: Held, kind: str) -> Iterator[str]:
    """Yield Resistance to all damage but Psychic and Radiant in Dim Light or Darkness."""
    if kind not in ("psychic", "radiant") and is_in_shadow(fight, held.holder):
        yield "resistance"


BOONS: Final = "classes.feat-boons"
EPIC: Final = takes_level(19)

STATES: Final = {SHADOWED: ConditionRule(BOONS)}
"""The conditions that feats cause."""

FEATS: Final = {
    "alert": Feature(topic="classes.feat-alert", on_check=alert, before_order=swap_initiative),
    "savage attacker": Feature(topic="classes.feat-savage-attacker", weapon_dice=savage_attack),
    "grappler": Feature(
        topic="classes.feat-grappler",
        lacks=takes_level(4, ("str", "dex"), 13),
        on_attack=attacks_grappled,
        after_attack=punch_and_grab,
        drags_freely=drags_freely,
    ),
    "ability score improvement": Feature(
        topic="classes.feat-ability-score-improvement", lacks=takes_improvement, printed=True
    ),
    "archery": Feature(topic="classes.feat-archery", lacks=takes_style, on_attack=archery),
    "defense": Feature(topic="classes.feat-defense", lacks=takes_style, on_armor_class=defense),
    "great weapon fighting": Feature(
        topic="classes.feat-great-weapon-fighting", lacks=takes_style, least_die=raises_low_dice
    ),
    "two-weapon fighting": Feature(
        topic="classes.feat-two-weapon-fighting", lacks=takes_style, adds_to_extra_attack=True
    ),
    "boon of combat prowess": Feature(topic=BOONS, lacks=EPIC, on_miss=peerless_aim),
    **{
        f"boon of irresistible offense ({name})": Feature(
            topic=BOONS, lacks=EPIC, ignores=overcomes, on_hit=overwhelming(name)
        )
        for name in ("str", "dex")
    },
    "boon of dimensional travel": Feature(topic=BOONS, lacks=EPIC, use=blink),
    FATE: Feature(
        topic=BOONS,
        lacks=EPIC,
        pool=Pool(FATE, lambda fight, held: 1, "all"),
        alters_test=improve_fate,
        on_initiative=fate_returns,
    ),
    "boon of spell recall": Feature(topic=BOONS, lacks=EPIC, spares_slot=recalls),
    "boon of the night spirit": Feature(
        topic=BOONS, lacks=EPIC, use=merge_with_shadows, offers=simply, factors=resists_in_shadow
    ),
    SHADOWED: Feature(topic=BOONS, state=SHADOWED, on_action=leaves_shadows),
    "boon of truesight": Feature(topic=BOONS, lacks=EPIC, sees_truly="truesight"),
    **{
        f"magic initiate ({name})": Feature(
            topic="classes.feat-magic-initiate", lacks=takes_ability, free=spell_of_initiate
        )
        for name in ("cleric", "druid", "wizard")
    },
}
"""The feats by name."""
