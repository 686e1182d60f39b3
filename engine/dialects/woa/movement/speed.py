"""Calculate speed from race, class, magic, load and conditions, for each way of moving (woa.speed.*).

Every way of moving has a separate speed (woa.movement.separate-speeds). Modifiers apply first and the load
last (woa.move.modifier-order).
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, condition_changes, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.modifiers import effect_parts
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.stacking import stack_typed
from affray.engine.rules.classes.abilities import score_now
from affray.engine.rules.classes.checks import check_by, skill_parts
from affray.engine.rules.classes.sheets import has_feat, has_named, has_trait, is_a
from affray.engine.steps import Choice, Steps
from affray.events.facts.base import JsonObject
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Being in the air: the height, the kind of flight, and the effect on attacks (woa.fly.*)
# The condition "flying" gives the height (its level, in feet), the last maneuver in the air and the heading.
# A creature on a sheet flies by power unless it has the trait "buoyant flight"; flight that is not part of
# the creature (a spell, a potion, worn wings) is the trait "borrowed flight"; a creature that flies without a
# flying speed is carried by magic like that of the spell.

FLYING = "flying"
BUOYANT, POWERED = "buoyant", "powered"
FLOATS, BORROWED, BORN_FLYER = "buoyant flight", "borrowed flight", "born flyer"


def kind_of_flight(mover: Combatant) -> str:
    """Return which of the two kinds of flight a creature has (woa.fly.kinds, .buoyant.definition)."""
    return BUOYANT if has_trait(mover, FLOATS) or is_carried(mover) else POWERED


def is_carried(mover: Combatant) -> bool:
    """Return whether magic carries a mover that cannot fly: a spell, a potion, a carpet."""
    return is_flying(mover) and not mover.sheet.fly


def is_flying(mover: Combatant) -> bool:
    """Return whether a mover is in the air."""
    return bool(mover.conditions) and FLYING in mover.conditions


def height_aloft(mover: Combatant) -> int:
    """Return the height of a mover in the air, in feet."""
    return mover.conditions[FLYING].level if is_flying(mover) else 0


def is_at_ease_aloft(mover: Combatant) -> bool:
    """Return whether a mover is as much at ease in the air as on the ground: by birth, or as a Born Flyer."""
    return not (has_trait(mover, BORROWED) or is_carried(mover)) or has_feat(mover, BORN_FLYER)


def defense_parts(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the penalty to AC for being in the air without being at ease there (woa.fly.ac-penalty)."""
    if not is_flying(blow.target) or is_at_ease_aloft(blow.target):
        return ()
    return (fight.modifier("woa.fly.ac-penalty", "ac", kind="penalty", source="flying"),)


def feet_above(one: Combatant, other: Combatant) -> int:
    """Return the difference in flying height between two combatants, in feet."""
    return abs(height_aloft(one) - height_aloft(other)) if one.conditions or other.conditions else 0


FORWARD, SLOW, HOVER, SHARP, ABOUT, STEEP = (
    "forward",
    "slow",
    "hover",
    "sharp turn",
    "about turn",
    "steep climb",
)

WAYS = frozenset({FORWARD, SLOW, HOVER, SHARP, ABOUT, STEEP})


def get_last_air_maneuver(mover: Combatant) -> str:
    """Return a flyer's last maneuver in the air, a row of the table; flying forward if unknown."""
    done = mover.conditions[FLYING].source.split(", ")[0]
    return done if done in WAYS else FORWARD


#: Ways of moving that a sheet lists in a field; the others are among its traits ("burrow 20").
FIELDS = ("swim", "climb", "fly")
#: The conditions that reduce speed to a share, each with the topic of the rule.
SHARES = {"exhausted": "woa.condition.exhausted", "entangled": "woa.condition.entangled"}
#: The race that no load slows down.
STEADY = "dwarf"


class Pace(Struct, frozen=True):
    """A speed in feet, its calculation in words ("" if as printed), and the rules applied."""

    feet: int
    told: str = ""
    cites: tuple[str, ...] = ()


def speed(fight: Fight, mover: Combatant) -> int:
    """Return the speed on the ground in feet after modifiers, load and conditions."""
    return speed_and_origin(fight, mover).feet


@per_scene("mover.id")
def speed_and_origin(fight: Fight, mover: Combatant) -> Pace:
    """Return the speed on the ground and its calculation. O(bonuses and conditions)."""
    if not (mover.sheet.race or mover.effects or mover.conditions):
        return Pace(mover.sheet.speed)
    return worked_out(fight, mover)


def worked_out(fight: Fight, mover: Combatant) -> Pace:
    """Calculate a speed: the base, the bonuses, then the reductions by load and conditions."""
    element = own_speed(mover)
    row = race_row(fight, mover) if element is None else None
    feet = mover.sheet.speed if element is None else element
    told: list[str] = []
    cites: list[str] = []
    if row is not None:
        feet = mover.sheet.base_speed or int(row["speed_ft"])
        told.append(f"{mover.sheet.race} {feet} ft.")
        cites += fight.rules("woa.move.base-speed", "woa.speed.by-race", "woa.speed.definition")
    parts = bonuses(fight, mover) if element is None else effect_parts(mover, "all speeds", "")
    tally = stack_typed(list(parts), rule=fight.rule("woa.move.speed-bonus-stacking"))
    feet += tally.total
    for part in tally.parts:
        told.append(f"{part.source} {part.value:+d} ft." + (f" ({part.denied})" if part.denied else ""))
        cites.append(part.rule)
    cites += tally.cites
    if row is not None and is_burdened(fight, mover):
        left, rules = speed_under_burden(fight, mover, row, feet)
        told.append(f"encumbered by {mover.sheet.carried} lb.: {left} ft.")
        cites += (*rules, *(fight.rules("woa.move.modifier-order") if tally.total else ()))
        feet = left
    for name, share, rule in shares_left_by_conditions(fight, mover):
        feet = int(feet * share)
        told.append(f"{name}: {feet} ft.")
        cites += (rule, *(fight.rules("woa.move.hampered") if name != "exhausted" else ()))
    return Pace(max(0, feet), "; ".join(told), tuple(dict.fromkeys(cites)))


def own_speed(mover: Combatant) -> int | None:
    """Return the listed speed in the air or deep water for a mover that is there, None on the ground."""
    if "flying" in mover.conditions and mover.sheet.fly:
        return mover.sheet.fly
    if "in water" in mover.conditions and mover.sheet.swim:
        return mover.sheet.swim
    return None


def race_row(fight: Fight, mover: Combatant) -> JsonObject | None:
    """Return the row of a race, None without a race; humanoids without a separate row share one."""
    race = mover.sheet.race
    if not race:
        return None
    rows = {row["race"]: row for row in fight.figure("woa.speed.by-race")}
    found: JsonObject | None = rows.get(race)
    if found is None and mover.sheet.kind == "humanoid":
        found = rows["most humanoid monsters"]
    return found


def bonuses(fight: Fight, mover: Combatant) -> Iterator[Modifier]:
    """Yield the bonuses of class and magic to the speed on the ground; a printed speed includes the permanent
    ones.

    woa.move.bonus-barbarian, woa.move.bonus-monk, woa.move.bonus-magic
    """
    sheet = mover.sheet
    if sheet.race and "barbarian" in sheet.classes:
        heavy = sheet.armor_weight == "heavy" or is_burdened(fight, mover, "heavy")
        part = fight.modifier("woa.move.bonus-barbarian", "bonus_ft", kind="class", source="barbarian")
        if not heavy:
            yield part
        else:
            why = f"heavy armor or load ({part.rule})"
            yield Modifier(part.value, part.kind, part.source, part.rule, why)
    if sheet.race and "monk" in sheet.classes:
        yield from monk_speed_bonus(fight, mover)
    rule = fight.rule("woa.move.bonus-magic")
    for bonus in sheet.speed_bonuses if sheet.race else ():
        yield Modifier(bonus.value, bonus.kind, bonus.source or bonus.kind, rule)
    for part in (*effect_parts(mover, "speed", ""), *effect_parts(mover, "all speeds", "")):
        yield Modifier(part.value, part.kind, part.source, rule)


def monk_speed_bonus(fight: Fight, mover: Combatant) -> Iterator[Modifier]:
    """Yield a monk's bonus to speed by level, denied in armor."""
    level = mover.sheet.classes["monk"]
    reached = [row for row in fight.figure("woa.move.bonus-monk") if int(row["level"]) <= level]
    if not reached:
        return
    found = cell(fight, "woa.move.bonus-monk", f"level={reached[-1]['level']}", "speed")
    if found is None:
        return
    armored = mover.sheet.armor_weight != "none" or any(part.kind == "armor" for part in mover.sheet.armor)
    denied = f"wears armor ({found.rule})" if armored else ""
    yield Modifier(found.value, "class", "monk", found.rule, denied)


def is_burdened(fight: Fight, mover: Combatant, how: str = "") -> bool:
    """Return whether a mover's load, including worn armor, burdens it; with `how` "heavy", whether heavily.

    The limits depend on Strength and size (woa.move.encumbrance; not printed, see its table).
    """
    sheet = mover.sheet
    if not sheet.carried:
        return False
    strength = max(1, score_now(fight, mover, "str") or 0)
    beyond = next(row for row in fight.figure("woa.move.encumbrance") if row.get("strength") == "beyond")
    tens = max(0, -(-(strength - beyond["last"]) // beyond["points"]))
    shape = "tall" if sheet.tall else "long"
    most = cell(fight, "woa.move.encumbrance", f"strength={strength - tens * beyond['points']}", "light")
    size = cell(fight, "woa.move.encumbrance", f"size={sheet.size}", shape)
    if most is None or size is None:
        return False
    limit = most.value * beyond["times"] ** tens * size.value // 100
    if how == "heavy":
        share = cell(fight, "woa.move.encumbrance", "strength=a heavy load", "share")
        limit = limit * share.value // 100 if share is not None else limit
    return bool(sheet.carried > limit)


def speed_under_burden(
    fight: Fight, mover: Combatant, row: JsonObject, feet: int
) -> tuple[int, tuple[str, ...]]:
    """Return the speed that a burden leaves, and the rules; dwarves keep their speed.

    woa.speed.by-race, woa.speed.dwarf-no-encumbrance
    """
    if is_a(mover, STEADY):
        kept = fight.figure("woa.speed.dwarf-no-encumbrance", "dwarf_encumbered_ft")
        return kept + feet - row["speed_ft"], fight.rules(
            "woa.move.encumbrance", "woa.speed.dwarf-no-encumbrance"
        )
    if feet == row["speed_ft"]:
        return int(row["encumbered_ft"]), fight.rules("woa.move.encumbrance", "woa.speed.by-race")
    known = [
        one for one in fight.figure("woa.move.encumbrance") if "speed" in one and int(one["speed"]) <= feet
    ]
    if not known:
        return feet, fight.rules("woa.move.encumbrance")
    found = cell(fight, "woa.move.encumbrance", f"speed={known[-1]['speed']}", "encumbered")
    return (int(found.value) if found else feet), fight.rules("woa.move.encumbrance")


def shares_left_by_conditions(fight: Fight, mover: Combatant) -> Iterator[tuple[str, Fraction, str]]:
    """Yield the share of the speed that each condition leaves; several multiply.

    woa.terrain.difficult.multiply
    """
    for name in mover.conditions:
        if name in SHARES:
            topic = SHARES[name]
            yield name, Fraction(str(fight.figure(topic, "speed"))), fight.rule(topic)
    for name, change, denied in condition_changes(fight, mover, "speed"):
        if not denied:
            figure = Fraction(str(fight.figure(change.topic, *change.path)))
            yield name, figure, fight.rule(change.topic)


def is_slowed(fight: Fight, mover: Combatant) -> bool:
    """Return whether any condition leaves only a share of the speed."""
    return bool(mover.conditions) and any(True for _ in shares_left_by_conditions(fight, mover))


def listed_speed(fight: Fight, mover: Combatant, mode: str) -> Pace:
    """Return the listed speed of a way of moving, 0 feet if there is none.

    Spells and devices may grant one (an effect on "speed.climb", a trait "granted climb 20"), which counts as
    natural; other changes of speed do not affect it unless they are for all speeds
    (woa.movement.granted-modes, .separate-speeds).
    """
    sheet = mover.sheet
    own = getattr(sheet, mode) if mode in FIELDS else next(iter(numbers_behind_trait(mover, mode)), 0)
    granted = [part.value for part in effect_parts(mover, f"speed.{mode}", "")] if mover.effects else []
    granted += numbers_behind_trait(mover, f"granted {mode}")
    feet = max((own, *granted))
    if not feet:
        return Pace(0)
    lent = bool(granted) and max(granted) > own
    topics = ["woa.movement.granted-modes" if lent else "woa.movement.natural-modes"]
    changes = tuple(effect_parts(mover, "speed", "")) if mover.effects else ()
    every = tuple(effect_parts(mover, "all speeds", "")) if mover.effects else ()
    if changes or every or sheet.speed_bonuses:
        topics.append("woa.movement.separate-speeds")
        feet += sum(part.value for part in every)
    for _, share, _ in shares_left_by_conditions(fight, mover):
        feet = int(feet * share)
    return Pace(feet, f"{mode} {feet} ft.", fight.rules(*topics))


#: The conditions of moving in a way that may take a skill, each with the listed speed that spares the checks.
SKILLED = {
    "balancing": "",
    "climbing": "climb",
    "brachiating": "brachiation",
    "swimming": "swim",
    FLYING: "",
}


def ways_by_skill(fight: Fight, mover: Combatant) -> list[str]:
    """Return the conditions by which a combatant moves with checks of a skill.

    A listed speed needs no check in ordinary conditions; powered flight does, buoyant flight does not
    (woa.movement.natural-modes, woa.fly.powered.athletics, woa.fly.buoyant.effortless).
    """
    return [
        name
        for name, mode in SKILLED.items()
        if name in mover.conditions
        and not (mode and listed_speed(fight, mover, mode).feet)
        and not (name == FLYING and kind_of_flight(mover) == BUOYANT)
    ]


def numbers_behind_trait(mover: Combatant, trait: str) -> Iterator[int]:
    """Yield the numbers that follow a trait on the sheet ("burrow 20")."""
    for detail in details_of(trait, mover.sheet.traits):
        if detail.isdecimal():
            yield int(detail)


def speed_told(fight: Fight, mover: Combatant) -> RuleApplied | None:
    """Return the fact that explains a mover's speed, None if it is as printed."""
    pace = speed_and_origin(fight, mover)
    if not pace.told:
        return None
    return RuleApplied(who=mover.id, what=f"speed {pace.feet} ft.: {pace.told}", cites=pace.cites)


def aloft(mover: Combatant) -> bool:
    """Return whether a mover flies and does not touch the ground."""
    return "flying" in mover.conditions or has_named(mover.sheet, "flying")


# --- Acrobatics and Athletics in combat: the checks for movement (woa.movement.skills.*)

#: The DCs that the game master may choose where none is printed.
DCS = ("15", "10", "20", "25", "30")


def acrobatics(
    fight: Fight, mover: Combatant, dc: int, *cites: str, rough: bool = False, why: str = ""
) -> Steps[int]:
    """Make an Acrobatics check and return its margin; `rough` ground hampers it.

    woa.terrain.difficult.acrobatics-penalty
    """
    rule = fight.rule("woa.movement.skills.basis")
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    if rough:
        topic = "woa.terrain.difficult.acrobatics-penalty"
        parts.append(fight.modifier(topic, "acrobatics", kind="penalty", source="difficult terrain"))
    return (yield from check_by(fight, mover, "acrobatics", parts, dc, *cites, why=why))


def athletics(
    fight: Fight,
    mover: Combatant,
    dc: int,
    *cites: str,
    rough: bool = False,
    why: str = "",
    mode: str = "",
    extra: tuple[Modifier, ...] = (),
) -> Steps[int]:
    """Make an Athletics check and return its margin; `rough` ground does not hamper it.

    A mover with a listed speed of that `mode` has a racial bonus and may take 10 at any time
    (woa.movement.natural-mode-skill-bonus).
    """
    rule = fight.rule("woa.movement.skills.basis")
    parts = [*skill_parts(fight, mover, "athletics", "str", rule), *extra]
    taken = 0
    if mode and listed_speed(fight, mover, mode).feet:
        topic = "woa.movement.natural-mode-skill-bonus"
        if mode in fight.figure(topic, "modes"):
            parts.append(fight.modifier(topic, "racial_bonus", kind="racial", source=f"{mode} speed"))
            question = f"does {mover.id} take 10 on the check?"
            options = ("take 10", "roll")
            if not is_down(fight, mover):
                answer = yield Choice(mover.id, "take-10", question, options, fight.rule(topic))
                taken = fight.figure(topic, "taken") if answer == options[0] else 0
    return (yield from check_by(fight, mover, "athletics", parts, dc, *cites, why=why, taken=taken))


def ask_for_dc(what: str, rule: str) -> Steps[int]:
    """Ask the game master for a DC that only an unprinted table would give."""
    answer = yield Choice("", "dc", f"no DC is printed for {what}: what is it?", DCS, rule)
    return int(answer)
