"""Class features: the supplies that they use, the declaration to use one, training, what a sheet lacks."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Final

from msgspec import Meta
from msgspec.structs import replace

from affray.engine.dialects.srd52.classes import ability, level_of, of_class
from affray.engine.dialects.srd52.conditions import incapacitating
from affray.engine.dialects.srd52.features import (
    NO_LEVEL,
    NUMBERED,
    SPELL,
    Feature,
    Held,
    ask,
    features_of,
    features_of_sheet,
    has_by_level,
)
from affray.engine.dialects.srd52.gear import WEAPONS, row_of
from affray.engine.dialects.srd52.movement import SHIFT, full_speed
from affray.engine.dialects.srd52.position import distance
from affray.engine.dialects.srd52.turns import can_react
from affray.engine.fight.fight import Dialect, Fight
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.kernel.movement import walk
from affray.engine.kernel.paths import cheapest_paths
from affray.engine.kernel.sheets import score_of
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name, Names, Number
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.flow import ActionSpent, ReactionSpent
from affray.events.facts.sheet import SCORES, Modifier, Sheet
from affray.projections.state import Combatant

# --- Supplies


def pools(fight: Fight, combatant: Combatant) -> Iterator[tuple[str, int]]:
    """Yield the supplies of a combatant's features, each with its amount."""
    sizes: dict[str, int] = {}
    for name, feature, number in features_of_sheet(fight, combatant.sheet):
        if feature.pool is not None:
            size = feature.pool.size(fight, Held(name, feature, combatant, number))
            sizes[feature.pool.name] = sizes.get(feature.pool.name, 0) + size
    yield from sizes.items()


def left_of(fight: Fight, combatant: Combatant, pool: str) -> int:
    """Return how much is left of a supply."""
    return dict(pools(fight, combatant)).get(pool, 0) - combatant.resources.get(pool, 0)


def by_level(name: str, what: str) -> Any:
    """Return a function for the size of a supply: a column in the table of a class."""

    def size(fight: Fight, held: Held) -> int:
        return int(of_class(fight, held.holder.sheet, name, what))

    return size


def draw_on(
    fight: Fight, holder: Combatant, pool: str, rule: str, *cites: str, amount: int = 1
) -> ResourceSpent:
    """Return the fact that part of a supply is used. Refuses more than is left."""
    left = left_of(fight, holder, pool)
    if amount > left:
        raise Refusal(f"{holder.id} has {left} left of its {pool}, not {amount}", rule)
    return ResourceSpent(who=holder.id, resource=pool, amount=amount, cites=(rule, *cites))


# --- Using a feature

Amounts = Annotated[tuple[Number, ...], Meta(max_length=50)]


class UseFeature(acts.Act, frozen=True, gc=False, tag="srd52.use-feature"):
    """Use a feature of one's class.

    feature: its name.
    target: the creature that it is used on.
    targets: the creatures that it is used on, if there may be several.
    option: which of its effects.
    amount: how much of a supply, or the DC of a check.
    amounts: the part of each of the targets.
    weapon: the weapon that it changes.
    at: the square to which it leads.
    """

    feature: Name = ""
    target: Name = ""
    targets: Names = ()
    option: Name = ""
    amount: Number = 0
    amounts: Amounts = ()
    weapon: Name = ""
    at: Square | None = None


def use_feature(fight: Fight, act: UseFeature) -> Steps[None]:
    """Carry out the use of a feature that the combatant has."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    usable = {held.name: (function, held) for function, held in ask(fight, actor, "use")}
    if act.feature not in usable:
        rule = fight.rule("classes.progression")
        raise unknown_word("feature", act.feature, usable, rule, actor.id, "to use")
    function, held = usable[act.feature]
    yield from function(fight, held, act)


def offers(fight: Fight, combatant: Combatant, reach: object = ()) -> Iterator[acts.Act]:
    """Yield the uses of a combatant's features that are worth trying."""
    for function, held in ask(fight, combatant, "offers"):
        yield from function(fight, held)


def simply(fight: Fight, held: Held) -> Iterator[acts.Act]:
    """Yield the use of a feature without a target."""
    yield UseFeature(actor=held.holder.id, feature=held.name)


def at_enemies(fight: Fight, held: Held) -> Iterator[acts.Act]:
    """Yield the use of a feature on each enemy, the nearest first."""
    for one in sorted(fight.enemies(held.holder), key=lambda one: distance(held.holder, one)):
        yield UseFeature(actor=held.holder.id, feature=held.name, target=one.id)


# --- What automatic play does with features


def enemies_within(fight: Fight, holder: Combatant, feet: int) -> list[Combatant]:
    """Return the enemies that are up and within a distance in feet, the nearest first."""
    near = [
        one
        for one in fight.enemies(holder)
        if one.hp > 0 and "dead" not in one.conditions and distance(holder, one) <= feet
    ]
    return sorted(near, key=lambda one: (distance(holder, one), one.hp, one.id))


def is_worn_down(one: Combatant) -> bool:
    """Return whether a combatant has at most half of its hit points, and lives."""
    return 2 * one.hp <= one.max_hp and "dead" not in one.conditions


def used_when(condition: Callable[[Fight, Held], bool]) -> Callable[[Fight, Held], acts.Act | None]:
    """Return a function for automatic play: a use without a target under a condition."""

    def plays(fight: Fight, held: Held) -> acts.Act | None:
        return UseFeature(actor=held.holder.id, feature=held.name) if condition(fight, held) else None

    return plays


def refuse_option(held: Held, act: UseFeature, known: Iterable[str], rule: str) -> None:
    """Refuse an effect that a feature does not have."""
    if act.option not in known:
        raise unknown_word("effect", act.option, known, rule, held.name)


def target_near(fight: Fight, actor: Combatant, id: str, feet: int, rule: str) -> Combatant:
    """Return a target by its id. Refuses one that is dead, or beyond a distance in feet."""
    target = fight.combatant(id, rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead", rule)
    if distance(actor, target) > feet:
        raise Refusal(f"{target.id} is {distance(actor, target)} ft. away from {actor.id}", rule)
    return target


SURGE: Final = "action surge"
MAGIC: Final = "magic"
"""The counter of a turn for Magic actions."""


def magic_action(fight: Fight, actor: Combatant, what: str, *cites: str) -> Steps[None]:
    """Take the Magic action, which the further action of an Action Surge cannot be."""
    if SURGE in actor.spent and actor.spent.get(MAGIC):
        rule = fight.rule("classes.fighter-action-surge")
        raise Refusal(f"{actor.id} has taken the Magic action, and its Action Surge gives another one", rule)
    yield spend(fight, actor, "action", what, *cites)
    yield ActionSpent(who=actor.id, kind=MAGIC, what=what, cites=cites)


def reaction(fight: Fight, holder: Combatant, kind: str, against: str, *cites: str) -> ReactionSpent:
    """Return the fact that a combatant uses its Reaction."""
    return ReactionSpent(who=holder.id, kind=kind, against=against, opportunity="", cites=cites)


def wants(
    fight: Fight, holder: Combatant, purpose: str, question: str, rule: str, *, usual: bool = True
) -> Steps[bool]:
    """Ask the player of a combatant whether it uses a feature; return whether it does."""
    options = ("use", "decline") if usual else ("decline", "use")
    answer: str = yield Choice(holder.id, purpose, question, options, rule)
    return answer == "use"


def is_able_to_react(fight: Fight, holder: Combatant) -> bool:
    """Return whether a combatant has its Reaction and can take it."""
    return can_react(fight, holder) and not incapacitating(holder)


def shift(fight: Fight, mover: Combatant, feet: int, topic: str) -> Steps[None]:
    """Let a combatant move some feet in addition to the movement of its turn, without Opportunity Attacks."""
    if not full_speed(fight, mover) or incapacitating(mover):
        return
    how = "crawl" if "prone" in mover.conditions else "normal"
    found = {f"{x},{y}": path for (x, y), (path, _) in cheapest_paths(fight, mover, feet, how)}
    if not found:
        return
    rule, question = fight.rule(topic), f"{mover.id} may move up to {feet} ft.: where does it go?"
    answer = yield Choice(mover.id, "shift", question, ("stay", *found), rule)
    if answer != "stay":
        yield from walk(fight, mover, found[answer], SHIFT, rule)


def half_speed(fight: Fight, mover: Combatant) -> int:
    """Return half of the Speed in feet, rounded down."""
    return full_speed(fight, mover) // 2


def armor_worn(combatant: Combatant) -> str:
    """Return the category of the armor that a combatant wears; "" for none."""
    on = (one for one in combatant.sheet.worn if combatant.items.get(one.name) != "doffed")
    return next((one.weight for one in on if one.kind == "armor"), "")


def bears_shield(combatant: Combatant) -> bool:
    """Return whether a combatant wields a Shield."""
    return any(
        one.kind == "shield" and combatant.items.get(one.name) != "doffed" for one in combatant.sheet.worn
    )


def base_armor_with(*others: str, topic: str, shield: bool) -> Any:
    """Return the function of an Unarmored Defense: 10, Dexterity and another ability."""

    def parts(fight: Fight, held: Held) -> list[Modifier]:
        if bears_shield(held.holder) and not shield:
            return []
        base = Modifier(fight.formula(topic, "base_ac"), "base", held.name, fight.rule(topic))
        return [base, *(ability(fight, held.holder, name) for name in others)]

    return parts


# --- Training: which weapons and armor a class is proficient with


def with_training(fight: Fight, sheet: Sheet) -> Sheet:
    """Return the sheet of a character with the proficiencies of its classes.

    Weapons and armor of the tables that no class of it is trained in lack proficiency. A character of one
    class whose sheet names no saving throws has those of the class. Refuses masteries beyond its classes.
    """
    traits = fight.figure("classes.core-traits")
    known = [traits[name] for name in sheet.classes if sheet.classes[name] and name in traits]
    if not known:
        return sheet
    own = fight.dialect.custom_of(sheet)
    armor = {
        *(one for entry in known for one in entry["armor"]),
        *own.training,
        *("heavy",) * is_protector(sheet),
    }
    weapons = tuple(
        replace(one, proficient=one.proficient and is_trained(fight, sheet, one.table)) if one.table else one
        for one in sheet.weapons
    )
    worn = tuple(
        replace(one, proficient=one.proficient and (one.table in own.training or category in armor))
        if (category := "shield" if one.kind == "shield" else one.weight) and one.table
        else one
        for one in sheet.worn
    )
    custom = dict(sheet.custom or {})
    for _, feature, _ in features_of_sheet(fight, sheet):
        if feature.sees_truly:
            far = fight.figure(feature.topic, feature.sees_truly)
            custom["truesight"] = max(far, custom.get("truesight", 0))
    if len(known) == 1 and not own.saves:
        custom["saves"] = tuple(known[0]["saves"])
    custom = dict(sorted(custom.items()))  # as it is read back from the log
    refuse_masteries(fight, sheet, own.masteries)
    return replace(sheet, weapons=weapons, worn=worn, custom=custom)


def rules_on_sheet(fight: Fight, sheet: Sheet) -> tuple[str, ...]:
    """Return the rules that the sheet of a character follows: on classes, Fighting Styles, scores."""
    if not any(name in fight.figure("classes.core-traits") for name in sheet.classes):
        return ()
    topics = ["classes.core-traits", "classes.progression"]
    for name, feature, _ in features_of_sheet(fight, sheet):
        topics += [feature.topic] if feature.printed or name in STYLES else []
        if name in STYLES:
            topics += [
                f"classes.{one}-fighting-style"
                for one, level in GIVING_STYLES
                if has_level(sheet, one, level)
            ]
    return tuple(dict.fromkeys(fight.rules(*topics)))


STYLES: Final = ("archery", "defense", "great weapon fighting", "two-weapon fighting")
GIVING_STYLES: Final = (("fighter", 1), ("paladin", 2))
"""The class levels that have a Fighting Style."""


def has_level(sheet: Sheet, name: str, level: int) -> bool:
    """Return whether a sheet has a level in a class."""
    return sheet.classes.get(name, 0) >= level


def is_protector(sheet: Sheet) -> bool:
    """Return whether a cleric has chosen to be a Protector (srd52.classes.cleric-divine-order)."""
    return "protector" in sheet.traits and bool(sheet.classes.get("cleric"))


def is_trained(fight: Fight, sheet: Sheet, table: str) -> bool:
    """Return whether a character is proficient with a weapon of the tables, by a class or its sheet."""
    row, topic = row_of(fight, WEAPONS, table, "weapon")
    category, own = topic.split("-")[1], fight.dialect.custom_of(sheet)
    if table in own.training or category in own.training or (category == "martial" and is_protector(sheet)):
        return True
    traits = fight.figure("classes.core-traits")
    for name in sheet.classes:
        for entry in traits[name]["weapons"] if name in traits and sheet.classes[name] else ():
            kind, _, some = entry.partition(" with ")
            if kind == category and (not some or any(one in row["properties"] for one in some.split(" or "))):
                return True
    return False


def refuse_masteries(fight: Fight, sheet: Sheet, masteries: Iterable[str]) -> None:
    """Refuse more kinds of mastered weapons than the classes of a character give, and kinds that none gives.

    Barbarians master Melee weapons, rogues and paladins such as they are proficient with.
    """
    rule, named = fight.rule("classes.weapon-mastery"), list(dict.fromkeys(masteries))
    table = fight.figure("classes.progression")
    giving = [name for name in sheet.classes if "weapon_mastery" in table.get(name, ())]
    most = sum(of_class(fight, sheet, name, "weapon_mastery") for name in giving)
    if len(named) > most:
        raise Refusal(f"{sheet.name} masters {len(named)} kinds of weapon, its classes give {most}", rule)
    for name in named:
        _, topic = row_of(fight, WEAPONS, name, "weapon")
        if "fighter" not in giving and topic.endswith("ranged") and giving == ["barbarian"]:
            raise Refusal(f"a barbarian masters Melee weapons, not the {name}", rule)
        if not is_trained(fight, sheet, name):
            raise Refusal(f"{sheet.name} is not proficient with the {name}", rule)


# --- What a sheet says that its levels do not allow

HIGHEST: Final = 5
"""The class level up to which features are played."""


def remarks(dialect: Dialect, sheet: Sheet) -> Iterator[str]:
    """Yield what is wrong with the classes, the choices and the feats of a sheet, a sentence each."""
    known = dialect.book.figure("srd52.classes.core-traits")
    table: Mapping[str, Feature] = dialect.kernel.features
    for name, level in sheet.classes.items():
        if name not in known:
            yield f"no rule of {dialect.name} reads the class {name}"
        elif level > HIGHEST:
            yield f"no rule of {dialect.name} reads features of {name} above level {HIGHEST}, but its table"
    for trait in sheet.traits:
        of_choice = [one for one in table.values() if one.choice == trait]
        if of_choice and not any(has_by_level(one, sheet) for one in of_choice):
            name, level = min(one.level or NO_LEVEL for one in of_choice)
            yield f"the trait {trait} takes {name} {level}"
    for word in dict.fromkeys(sheet.feats):
        numbered = NUMBERED.fullmatch(word)
        feature = table.get(numbered[1] if numbered else word)
        if feature is not None and feature.lacks and (why := feature.lacks(dialect, sheet)):
            yield f"the feat {word} has no effect: {why}"
    most, raising = dialect.book.figure("srd52.test.ability-scores", "adventurer_max"), raises_scores(sheet)
    for name, label in SCORES.items() if dialect.custom_of(sheet).character and not raising else ():
        if (score_of(sheet, name) or 0) > most:
            yield f"{label} is above {most}, and no feature raises it"
    cantrips = cantrips_on(dialect, sheet) if any(name in known for name in sheet.classes) else []
    if len(cantrips) > (most := cantrips_of(dialect, sheet)):
        yield f"{len(cantrips)} cantrips are more than the {most} that its classes give"
    most = most_hit_points(dialect, sheet)
    if most and sheet.hp > most:
        yield f"{sheet.hp} hit points are more than the {most} that its classes and Constitution can give"


def raises_scores(sheet: Sheet) -> bool:
    """Return whether a feature of a sheet may raise an ability score above that of other adventurers."""
    highest = max(sheet.classes.values(), default=0) >= HIGHEST_LEVEL
    return highest or any(one.startswith("boon of ") for one in sheet.feats)


HIGHEST_LEVEL: Final = 20
"""The level of the class features that raise ability scores without a feat."""


def cantrips_of(dialect: Dialect, sheet: Sheet) -> int:
    """Return how many cantrips a sheet may know: by its classes, their options, and Magic Initiate."""
    table, book = dialect.book.figure("srd52.classes.progression"), dialect.book
    having = [one for one in sheet.classes if "cantrips" in table.get(one, ()) and sheet.classes[one]]
    known = sum(table[one]["cantrips"][min(sheet.classes[one], 20) - 1] for one in having)
    known += "thaumaturge" in sheet.traits and has_level(sheet, "cleric", 1)
    blessed = "blessed warrior" in sheet.traits and has_level(sheet, *GIVING_STYLES[1])
    known += book.figure("srd52.classes.paladin-fighting-style", "cantrips") if blessed else 0
    initiates = sum(one.startswith("magic initiate (") for one in sheet.feats)
    return int(known + initiates * book.figure("srd52.classes.feat-magic-initiate", "cantrips"))


def cantrips_on(dialect: Dialect, sheet: Sheet) -> list[str]:
    """Return the cantrips among the spells of a sheet."""
    table: Mapping[str, Feature] = dialect.kernel.features
    rows = {one: table.get(f"{SPELL} {one}") for one in dialect.custom_of(sheet).spells}
    known = {one: dialect.book.figure(f"srd52.{row.topic}") for one, row in rows.items() if row is not None}
    return [one for one, figures in known.items() if figures.get("level") == 0]


def most_hit_points(dialect: Dialect, sheet: Sheet) -> int:
    """Return the most hit points that a character's levels give: all of each die, and the Constitution."""
    known = dialect.book.figure("srd52.classes.core-traits")
    if not sheet.classes or any(name not in known for name in sheet.classes):
        return 0
    bonus = (sheet.abilities.con or 0) // 2 - 5
    dice = sum(int(known[name]["hd"].removeprefix("d")) * level for name, level in sheet.classes.items())
    return int(dice + bonus * level_of(sheet))


def feature_named(fight: Fight, combatant: Combatant, name: str) -> Held | None:
    """Return a feature of a combatant by its name; None if it lacks it."""
    return next((held for held in features_of(fight, combatant) if held.name == name), None)
