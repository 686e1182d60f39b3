"""What spells do: attacks, saves and damage, the creatures in their areas, and Reactions that cast."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, Literal

from msgspec.structs import replace

from affray.engine.dialects.srd52 import areas, test
from affray.engine.dialects.srd52.attacks import damage_of_hit, roll
from affray.engine.dialects.srd52.classes import (
    modifier_of,
    proficiency_bonus,
)
from affray.engine.dialects.srd52.conditions import refuse_charmer_among
from affray.engine.dialects.srd52.damage import deal, roll_damage, settle, share_on_save
from affray.engine.dialects.srd52.features import (
    SPELL,
    Blow,
    Casting,
    Dice,
    Feature,
    Spell,
    Strike,
    ask,
    features_of,
    is_settled,
)
from affray.engine.dialects.srd52.magic import (
    SCROLL,
    Cast,
    add_dice,
    casting_ability,
    conditions_of,
    dice_of_spell,
    expend,
    is_countered,
    is_free,
    range_of,
    refuse_components,
    row_of,
    slot_for,
    spell_difficulty,
    spell_rows,
    topics_of_area,
    upcast_of,
)
from affray.engine.dialects.srd52.position import cover_part
from affray.engine.dialects.srd52.turns import can_react, refuse_by_feature
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_fight
from affray.engine.grid.battlefield import Square
from affray.engine.steps import Choice, Refusal, Steps, reciting
from affray.events.facts.combat import (
    AttackResolved,
    DamagePart,
    DamageResolved,
    Until,
)
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.sheet import Bonus, Modifier, Weapon
from affray.projections.state import Combatant

# --- The rows of the tables of spells

Then = Callable[[Fight, Casting, Combatant], Steps[None]]
"""The effect of a spell on a creature in addition to damage."""


def topic(name: str) -> str:
    """Return the topic of a spell's rule."""
    return f"magic.spell-{name.replace(' ', '-').replace('/', '-').replace(chr(39), '')}"


def row(name: str, cast: Callable[[Fight, Casting], Steps[None]], **more: Any) -> dict[str, Feature]:
    """Return the row of a spell: its casting, what it asks of its targets, and what it is as a feature."""
    asked = {key: more.pop(key) for key in Spell.__struct_fields__ if key in more}
    asked["check"] = partial(refuse_area_of_charmer, asked.get("check"))
    return {f"spell {name}": Feature(**{"topic": topic(name), **more}, spell=Spell(cast=cast, **asked))}


def refuse_area_of_charmer(
    check: Callable[[Fight, Casting], None] | None, fight: Fight, casting: Casting
) -> None:
    """Refuse what a spell does not allow, and harm to the charmer of its caster by an area."""
    if check is not None:
        check(fight, casting)
    row = casting.row
    if "charmed" in casting.caster.conditions and "area" in row and {"save", "damage"}.intersection(row):
        refuse_charmer_among(fight, casting.caster, affected(fight, casting))


# --- What spells do: attacks, saves, damage


def attack_with(
    fight: Fight, casting: Casting, target: Combatant, dice: str, kind: str, adds_ability: bool = False
) -> Steps[bool]:
    """Make a spell attack and deal its damage on a hit; return whether it hits."""
    strike = yield from hit_with(fight, casting, target, dice, kind, adds_ability)
    if strike is None:
        return False
    rules = (*rules_of_damage(fight, casting), *fight.rules(*(["damage.spell-modifier"] * adds_ability)))
    yield from reciting(damage_of_hit(fight, strike), DamageResolved, *rules)
    return True


def hit_with(
    fight: Fight, casting: Casting, target: Combatant, dice: str, kind: str, adds_ability: bool = False
) -> Steps[Strike | None]:
    """Make a spell attack; return it as it was rolled, None if it does not hit the target."""
    strike = strike_of_spell(fight, casting, target, dice, kind, adds_ability)
    if (yield from is_settled(fight, target, "before_attack", casting.caster)):
        return None
    rules = fight.rules("magic.attack-modifier", casting.feature.topic)
    outcome = yield from reciting(roll(fight, strike), AttackResolved, *rules)
    strike = replace(strike, outcome=outcome)
    if outcome.result == "miss":
        yield from half_of_cantrip(fight, casting, target, dice, kind)
        return None
    return None if (yield from is_settled(fight, target, "diverts", strike)) else strike


def rules_of_damage(fight: Fight, casting: Casting) -> tuple[str, ...]:
    """Return the rules on a spell's damage: its own, that on cantrips, that on higher slots."""
    figures = casting.row.get("damage", {})
    scales = isinstance(figures, dict) and "by_level" in figures
    higher = casting.slot > casting.row["level"] and "upcast" in casting.row
    topics = [*(["magic.cantrip-scaling"] if scales else []), *(["magic.upcast"] if higher else [])]
    return fight.rules(casting.feature.topic, *topics)


def half_of_cantrip(fight: Fight, casting: Casting, target: Combatant, dice: str, kind: str) -> Steps[None]:
    """Deal half the damage of a cantrip that has missed, with a feature that makes it do so."""
    rule = strengthened(fight, casting)
    if not rule:
        return
    blow = Blow(
        casting.caster.id, casting.name, halved=True, halving=("a strong cantrip", rule), magical=True
    )
    blow = replace(blow, melee=casting.row["attack"] == "melee")
    yield from deal(fight, target, blow, [Dice(dice, kind, casting.name)], cites=fight.rules("damage.roll"))


def strengthened(fight: Fight, casting: Casting) -> str:
    """Return the rule by which a cantrip that fails still deals half its damage; "" for none."""
    strong = next((one for one in features_of(fight, casting.caster) if one.feature.strong_cantrips), None)
    return "" if strong is None or casting.row["level"] else fight.rule(strong.feature.topic)


def strike_of_spell(
    fight: Fight, casting: Casting, target: Combatant, dice: str, kind: str, adds_ability: bool = False
) -> Strike:
    """Return the attack of a spell: its attack modifier is the ability's and the Proficiency Bonus."""
    melee, own, printed = casting.row["attack"] == "melee", casting_ability(fight, casting.caster), None
    if casting.scroll:
        usual = modifier_of(fight, casting.caster, own) + proficiency_bonus(fight, casting.caster)
        printed = fight.figure("magic.spell-scroll", "attack") - usual
    far = 0 if melee else range_of(casting.row, casting.caster)
    weapon = weapon_of_spell(fight, casting.name, dice, kind, melee, far, printed)
    return Strike(casting.caster, target, weapon, melee, own, adds_ability=adds_ability, spell=True)


@per_fight("name", "dice", "kind", "melee", "far", "printed")
def weapon_of_spell(
    fight: Fight, name: str, dice: str, kind: str, melee: bool, far: int, printed: int | None
) -> Weapon:
    """Return the attack of a spell as a weapon; `printed` is what a scroll's own bonus adds to the usual."""
    attack = (Bonus(printed, "printed", SCROLL),) if printed is not None else ()
    wield: Literal["natural", "projectile"] = "natural" if melee else "projectile"
    return Weapon(name, dice, kind, wield=wield, range=far, attack=attack)


def saved(
    fight: Fight, casting: Casting, target: Combatant, *sources: Modifier, origin: Square | None = None
) -> Steps[bool]:
    """Make a target's saving throw against a spell; return whether it succeeds.

    origin: the corner from which an area takes effect, for cover; otherwise it is the caster's.
    """
    row, caster = casting.row["save"], casting.caster
    name = row["ability"]
    parts = list(sources)
    if name == "dex" and not casting.row.get("ignores_cover"):
        source = caster if origin is None else replace_at(caster, origin)
        parts += cover_part(fight, source, target, "dex_save")
    topics = topics_of_area(fight, casting)
    number = fight.figure("magic.spell-scroll", "save_dc") if casting.scroll else 0
    topics += ["magic.spell-scroll"] if casting.scroll else []
    success = yield from resist(
        fight, caster, casting.feature, casting.name, target, name, *parts, topics=topics, number=number
    )
    if success and casting.feature.spell is not None and casting.feature.spell.unnoticed:
        yield unnoticed(fight, casting, target)
    return success


def unnoticed(fight: Fight, casting: Casting, target: Combatant) -> RuleApplied:
    """Return the fact that a target does not know that a spell was cast on it."""
    cites = fight.rules("magic.awareness", casting.feature.topic)
    return RuleApplied(who=target.id, what=f"does not notice {casting.name}", cites=cites)


def resist(
    fight: Fight,
    caster: Combatant,
    feature: Feature,
    spell: str,
    target: Combatant,
    ability: str,
    *sources: Modifier,
    topics: Iterable[str] = (),
    number: int = 0,
) -> Steps[bool]:
    """Make a saving throw against a spell of a caster, usually against its DC; return whether it succeeds."""
    cites = fight.rules(feature.topic, "magic.save-dc", *topics)
    if ask(fight, target, "on_save"):
        cites = (*cites, fight.rule("magic.magical-effect"))
    against = frozenset({SPELL, "magic", *conditions_of(fight, feature)})
    number = number or spell_difficulty(fight, caster)
    return (
        yield from test.save(
            fight, target, ability, number, *sources, against=against, why=spell, cites=cites
        )
    )


def replace_at(combatant: Combatant, corner: Square) -> Combatant:
    """Return a stand-in for a combatant at a corner, from which cover is judged."""
    return Combatant(combatant.id, combatant.side, combatant.sheet, corner, 1, 0, 1, 1)


def roll_once(fight: Fight, casting: Casting, dice: str, kind: str) -> Steps[tuple[DamagePart, ...]]:
    """Roll the damage of a spell once for all that it affects."""
    return (yield from roll_damage(fight, casting.caster.id, [Dice(dice, kind, casting.name)], False))


NO_SHARE: Final = Blow("", "")


def hurt(
    fight: Fight,
    casting: Casting,
    target: Combatant,
    rolled: tuple[DamagePart, ...],
    share: Blow = NO_SHARE,
) -> Steps[int]:
    """Deal a spell's damage that has been rolled; return the damage taken.

    share: how much of it the target takes, as a blow without a source.
    """
    blow = replace(share, attacker=casting.caster.id, source=casting.name, magical=True)
    cites = (fight.rule("damage.roll"), *rules_of_damage(fight, casting))
    return (yield from settle(fight, target, blow, rolled, cites=cites))


def hurt_after_save(
    fight: Fight, casting: Casting, target: Combatant, rolled: tuple[DamagePart, ...], success: bool
) -> Steps[None]:
    """Deal a spell's damage after a saving throw, as its figures and the target's Evasion say."""
    row = casting.row["save"]
    half = str(row["success"]).startswith("half")
    share = share_on_save(fight, target, row["ability"], success, half)
    if share is None and (rule := strengthened(fight, casting)):
        share = Blow("", "", halved=True, halving=("a strong cantrip", rule))
    if share is not None:
        yield from hurt(fight, casting, target, rolled, share)


def roll_for_one(fight: Fight, casting: Casting) -> Steps[tuple[DamagePart, ...]]:
    """Roll a spell's damage for one creature, of the type chosen, the first where nothing is chosen."""
    kinds = casting.row["damage"]["type"]
    if not isinstance(kinds, str):
        kinds = casting.choice or kinds[0]
    return (yield from roll_once(fight, casting, dice_of_spell(casting), kinds))


def harm(fight: Fight, casting: Casting, target: Combatant) -> Steps[int]:
    """Roll a spell's damage for one creature and deal it; return the damage taken."""
    rolled = yield from roll_for_one(fight, casting)
    return (yield from hurt(fight, casting, target, rolled))


def save_and_hurt(fight: Fight, casting: Casting, target: Combatant) -> Steps[bool]:
    """Make one creature's saving throw against a spell, roll the damage for it and deal it.

    Returns whether it succeeds.
    """
    success = yield from saved(fight, casting, target)
    rolled = yield from roll_for_one(fight, casting)
    yield from hurt_after_save(fight, casting, target, rolled, success)
    return success


def affected(fight: Fight, casting: Casting) -> list[Combatant]:
    """Return the creatures in the area of a casting; those that start from the caster leave it out."""
    squares = squares_of(fight, casting)
    without = casting.row["area"]["shape"] not in ("sphere", "cylinder") and casting.row["range"] == "self"
    found = areas.inside(fight, squares, *([casting.caster.id] if without else []))
    return [
        one
        for one in found
        if "dead" not in one.conditions and not areas.is_above(fight, casting.feature, one)
    ]


def squares_of(fight: Fight, casting: Casting) -> frozenset[Square]:
    """Return the squares of the area of a casting, larger with a higher slot where the spell says so."""
    row = dict(casting.row["area"])
    more, what = upcast_of(casting)
    if what == "radius":
        row["radius"] += int(more)
    if casting.row["range"] == "self":
        row["from_caster"] = True
    return areas.area_of(fight, row, casting.caster, casting.at)


def blast(fight: Fight, casting: Casting, then: Then | None = None) -> Steps[None]:
    """Deal damage to all in the area, or to the targets, half of it or none on a save.

    The damage is rolled once for all. `then` are further effects of a failed save.
    """
    caught = affected(fight, casting) if "area" in casting.row else list(casting.targets)
    figures = casting.row["damage"]
    if "area" in casting.row and "fire" in str(figures):
        yield from areas.kindle(fight, squares_of(fight, casting), casting.caster.id)
    parts = figures if isinstance(figures, list) else [figures]
    rolled: list[DamagePart] = []
    for at, one in enumerate(parts):
        dice = dice_of_spell(casting, one) if at == 0 and len(parts) == 1 else several_dice(casting, one)
        rolled += yield from roll_once(fight, casting, dice, casting.choice or one["type"])
    origin = casting.at if casting.row.get("area", {}).get("shape") in ("sphere", "cylinder") else None
    for target in caught:
        sources = [
            Modifier(0, test.DISADVANTAGE, one, fight.rule(casting.feature.topic))
            for one in casting.row["save"].get("disadvantage", ())
            if one == target.sheet.kind
        ]
        success = yield from saved(fight, casting, target, *sources, origin=origin)
        yield from hurt_after_save(fight, casting, target, tuple(rolled), success)
        if not success and then is not None and "dead" not in target.conditions:
            yield from then(fight, casting, target)


def several_dice(casting: Casting, part: dict[str, str]) -> str:
    """Return the dice of one of several types of damage: a higher slot adds to the type that it names."""
    more, what = upcast_of(casting)
    return add_dice(part["dice"], more if what == part["type"] else "0")


def one_roll(
    fight: Fight, casting: Casting, target: Combatant, stat: str, kind: str, until: Until
) -> Steps[None]:
    """Give one roll, the target's or against it, Advantage or Disadvantage."""
    part = Modifier(0, kind, casting.name, fight.rule(casting.feature.topic))
    yield test.for_one_roll(target, casting.id, stat, part, until)


# --- Reactions


def reaction_casting(
    fight: Fight, caster: Combatant, spell: str, *targets: Combatant, bonus: bool = False
) -> Casting | None:
    """Return the casting of a prepared spell as a Reaction, or as a `bonus` Action in answer to a trigger.

    None if the caster cannot cast it now.
    """
    feature = spell_rows(fight)[f"{SPELL} {spell}"]
    row = row_of(fight, feature)
    if not bonus and not can_react(fight, caster):
        return None
    try:
        refuse_by_feature(fight, caster, Cast(actor=caster.id, spell=spell))
        refuse_components(fight, caster, row, spell)
        free = is_free(fight, caster, spell)
        slot = row["level"] if free else slot_for(fight, caster, row, spell, 0)
    except Refusal:
        return None
    return Casting(
        caster=caster,
        name=spell,
        feature=feature,
        row=row,
        slot=slot,
        targets=targets,
        free=free,
        id=f"{spell}:{caster.id}:{fight.key(caster.id, 'cast')}",
    )


def react_with(fight: Fight, casting: Casting, question: str, against: Combatant, usual: bool) -> Steps[bool]:
    """Ask whether a spell is cast as a Reaction, and use up what it takes; return whether it is cast.

    usual: the answer of automatic play.
    """
    caster, rule = casting.caster, fight.rule("magic.reaction-trigger")
    options = ("cast", "decline") if usual else ("decline", "cast")
    answer = yield Choice(caster.id, "reaction-spell", question, options, rule)
    if answer == "decline":
        return False
    yield ReactionSpent(who=caster.id, kind=casting.name, against=against.id, opportunity="", cites=(rule,))
    if (yield from is_countered(fight, casting)):
        return False
    yield from expend(fight, casting)
    return True
