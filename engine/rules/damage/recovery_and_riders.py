"""Effects of damage besides lost hit points, and recovery of hit points."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.kernel.sheets import LEVELS, POINTS
from affray.engine.kernel.turns import is_decided
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.attacks.natural_weapons import is_secondary, is_single
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.sheets import wielded_in_two_hands
from affray.engine.rules.conditions.conditions import refuse_down
from affray.engine.rules.damage.injury import change_health, hit_points_set, settle_condition_by_hit_points
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionLost, EffectEnded, EffectGained, Until
from affray.events.facts.flow import RuleApplied, TimePassed
from affray.events.facts.sheet import Modifier, Rider, Spell, Weapon
from affray.projections.state import Combatant, Effect

# --- Critical hits with ability damage or energy drain, and those of spells

ABILITY = "crit.ability-points"
DRAIN = "crit.negative-levels"
FIGURE = "on_critical"


def critical_riders(
    fight: Fight, target: Combatant, riders: Iterable[Rider], *cites: str
) -> Steps[tuple[Rider, ...]]:
    """Return the riders of a critical hit: points and levels are doubled, dice rolled twice; poison is not.

    srd35.ability-loss.applied, srd35.energy-drain.save, pf1.crit.not-multiplied, pf1.negative-levels.
    """
    doubled = []
    for rider in riders:
        more = critical_rider(fight, rider)
        if more is not rider and POINTS.fullmatch(rider.effect):
            what = f"the critical hit doubles the {rider.name}"
            rules = dict.fromkeys((fight.rule(ABILITY), *cites))
            yield RuleApplied(who=target.id, what=what, cites=tuple(rules))
        doubled.append(more)
    return tuple(doubled)


def critical_rider(fight: Fight, rider: Rider) -> Rider:
    """Return a rider in its form on a critical hit."""
    if rider.kind == "poison":
        return rider
    if points := POINTS.fullmatch(rider.effect):
        times = int(fight.figure(ABILITY, FIGURE))
        more = multiply_dice(points["dice"], times)
        return replace(rider, effect=more + rider.effect.removeprefix(points["dice"]))
    if levels := LEVELS.fullmatch(rider.effect):
        times = int(fight.figure(DRAIN, FIGURE))
        return replace(rider, effect=f"{int(levels['levels']) * times} negative levels")
    return rider


def multiply_dice(dice: str, times: int) -> str:
    """Return a number multiplied, or dice that are rolled that many times."""
    return str(int(dice) * times) if dice.isdecimal() else "+".join([dice] * times)


def critical_spell(fight: Fight, spell: Spell, target: Combatant) -> Steps[Spell]:
    """Return a spell after a critical hit of its touch or ray: with its damage multiplied.

    srd35.crit.spells, futurepath.assumed.spell-criticals.
    """
    if spell.damage:
        what = f"the critical hit multiplies the damage of {spell.name}"
        yield RuleApplied(who=target.id, what=what, cites=fight.rules("crit.spells"))
        spell = replace(spell, damage=multiply_dice(spell.damage, fight.figure("crit.spells", "multiplier")))
    return spell


def with_critical_riders(
    fight: Fight, spell: Spell, target: Combatant, multiplying: Steps[Spell]
) -> Steps[Spell]:
    """Return a spell after a critical hit, with its ability damage and energy drain doubled too.

    srd35.crit.spells, pf1.crit.not-multiplied.
    """
    spell = yield from multiplying
    riders = yield from critical_riders(fight, target, spell.riders, fight.rule("crit.spells"))
    return replace(spell, riders=riders)


# --- The consequences of lost hit points: massive damage first, then the state that they require


def injure(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Apply the consequences of lost hit points, after the loss itself.

    Massive damage first, then the state by hit points and nonlethal damage (srd35.injury.*,
    srd35.nonlethal.track).
    """
    if "dead" in target.conditions:
        return
    threshold = fight.dialect.damage.massive_damage(fight, target)
    if (
        harm.amount >= threshold
        and not harm.nonlethal
        and target.hp > fight.dialect.damage.death_at(fight, target)
    ):
        survived = yield from saving_throw(
            fight,
            target,
            "fort",
            fight.figure("injury.massive-damage", "dc"),
            f"massive damage ({harm.amount})",
            fight.rule("injury.massive-damage"),
        )
        if not survived:
            yield from change_health(fight, target, "dead", "massive damage", "injury.massive-damage")
            return
    yield from settle_condition_by_hit_points(fight, target, before, harm.source)


# --- Weapons that count as magic against damage reduction (srd35.dr.magic-weapons, pf1.dr.rules)


def is_enhanced(fight: Fight, weapon: Weapon) -> bool:
    """Return whether a weapon has an enhancement bonus of magic; masterwork is not enough.

    srd35.dr.magic-weapons, pf1.dr.rules.
    """
    least = fight.figure("dr.magic-weapons", "enhancement")
    return any(
        one.kind == "enhancement" and one.source != "masterwork" and one.value >= least
        for one in weapon.attack
    )


def is_counted_as_magic(fight: Fight, combatant: Combatant | None, weapon: Weapon) -> bool:
    """Return whether a weapon counts as magic: by its enhancement, or by the nature of its owner.

    Missiles take it from their launcher; monsters with damage reduction that magic overcomes have it in their
    natural weapons (srd35.dr.magic-weapons, pf1.dr.rules).
    """
    if is_enhanced(fight, weapon):
        return True
    natural = weapon.wield in ("natural", "unarmed")
    return (
        natural and combatant is not None and any("magic" in one.bypass for one in combatant.sheet.reductions)
    )


# --- Time between fights: natural healing, waking up, and effects that fade or continue
# srd35.heal.*, srd35.injury.recover-*, srd35.nonlethal.healing. One declaration of the game master gives the
# time that passes; it is refused while enemies fight.

MINUTES_AN_HOUR = 60
HOURS_A_DAY = 24
LONGEST_HOURS = 10_000
#: The ends of effects that last some rounds.
PASSING = ("turn-start", "turn-end", "round-end")


def minutes_of(fight: Fight, act: acts.Rest, rule: str, in_peace: str) -> int:
    """Return how many minutes a rest lasts. Refuses one without length, and one during the fight
    (`in_peace`).
    """
    minutes = act.hours * MINUTES_AN_HOUR + act.minutes
    if not 0 < minutes <= LONGEST_HOURS * MINUTES_AN_HOUR or act.hours < 0 or act.minutes < 0:
        raise Refusal(f"a rest lasts from a minute to {LONGEST_HOURS} hours", rule)
    if fight.state.closed:
        raise Refusal("the encounter is over", fight.rule("encounter.closed"))
    if fight.state.begun and not is_decided(fight):
        raise Refusal("there is no rest while enemies fight", in_peace)
    return minutes


def begin_rest(fight: Fight, act: acts.Rest, rule: str) -> Steps[tuple[int, Combatant | None]]:
    """Let the minutes of a rest pass; return them, and the combatant that tends the others, None for none."""
    minutes = minutes_of(fight, act, rule, rule)
    healer = fight.combatant(act.healer) if act.healer else None
    if healer is not None:
        refuse_down(fight, healer, "tend the others")
    yield TimePassed(minutes=minutes, what="rest", cites=(rule,))
    return minutes, healer


def expire_by_time(
    fight: Fight, combatant: Combatant, now: int, gone: Sequence[str], rule: str
) -> Steps[None]:
    """End what lasts until a time of the `gone` kinds that is over in the round `now`."""
    for name, held in list(combatant.conditions.items()):
        if held.until.when in gone and held.until.round <= now:
            yield ConditionLost(who=combatant.id, condition=name, why="its time is over", cites=(rule,))
    for effect in combatant.effects:
        if effect.until.when in gone and effect.until.round <= now:
            yield EffectEnded(who=combatant.id, id=effect.id, why="its time is over", cites=(rule,))
            yield from fight.dialect.damage.effect_over(fight, combatant, effect)


def nights_and_days(act: acts.Rest, night: int) -> tuple[int, int]:
    """Return the nights of `night` hours, and the whole days in bed, that a rest includes."""
    days, rest_of = divmod(act.hours, HOURS_A_DAY)
    nights = 1 if rest_of >= night else 0
    return (nights, days) if act.bed else (nights + days, 0)


# --- The Strength bonus in blows that are not made with a weapon held as usual

#: The Strength bonus to damage, its name, and the topic of the rule.
Share = tuple[int, str, str]


def nothing_of_strength(fight: Fight, blow: Blow, strength: int, share: Share | None) -> None:
    """Return None: printed damage includes Strength."""
    return


def strength_of_limb(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the Strength bonus with a natural weapon: half if secondary, half again if the only one.

    srd35.natural-weapons, srd35.natural-weapons.single, pf1.natural.attacks.
    """
    if is_secondary(fight, blow):
        part = int(strength * fight.figure("natural-weapons", "secondary_str"))
        return part, "Strength (secondary natural weapon, half)", "natural-weapons"
    if is_single(blow):
        part = int(strength * fight.figure("natural-weapons.single", "str"))
        return part, "Strength (only natural weapon, one and a half)", "natural-weapons.single"
    return strength, "Strength", "natural-weapons"


def strength_in_flurry(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the Strength bonus in a flurry: all of it, however the weapon is held.

    srd35.class.flurry, pf1.monk.
    """
    if blow.weapon.off_hand or wielded_in_two_hands(blow.weapon):
        return strength, "Strength (flurry, in either hand or both)", "class.flurry"
    return share


def strength_by_table(fight: Fight, blow: Blow, strength: int, share: Share) -> Share:
    """Return the Strength bonus in the off hand or in two hands by its figure.

    srd35.damage.off-hand, srd35.damage.two-handed, pf1.damage.off-hand-bonus, pf1.damage.two-handed-bonus.
    """
    return part_of(fight, strength, share[2]), share[1], share[2]


def part_of(fight: Fight, strength: int, topic: str) -> int:
    """Return the part of a Strength bonus that the rule on a topic gives, rounded down."""
    return int(strength * fight.figure(topic, "numerator") // fight.figure(topic, "denominator"))


# --- Temporary hit points: limited in time, lost first, never healed
# pf1.temp-hp, srd35.temp-hp.

STAT = "temporary hit points"


def add_temporary_hit_points(
    fight: Fight, combatant: Combatant, points: int, source: str, until: Until, *cites: str
) -> Steps[None]:
    """Add temporary hit points until `until`."""
    if points <= 0:
        return
    rule = fight.rule("temp-hp")
    yield EffectGained(
        who=combatant.id,
        id=fight.key(combatant.id, "temporary"),
        stat=STAT,
        modifier=Modifier(points, "temporary", source, rule),
        until=until,
        cites=(rule, *cites),
    )
    yield hit_points_set(
        combatant, combatant.hp, source, rule, *cites, temporary=combatant.temporary + points, change=points
    )


def take_back_lent(fight: Fight, combatant: Combatant, effect: Effect) -> Steps[None]:
    """Remove the remaining temporary hit points of an effect that ended.

    Losses count against ended effects first (pf1.temp-hp, srd35.temp-hp).
    """
    if effect.stat != STAT:
        return
    held = sum(one.modifier.value for one in combatant.effects if one.stat == STAT)
    if combatant.temporary <= held:
        return
    why, rule = f"{effect.modifier.source} is over", fight.rule("temp-hp")
    yield hit_points_set(
        combatant, combatant.hp, why, rule, temporary=held, change=held - combatant.temporary
    )
