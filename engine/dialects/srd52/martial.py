"""The features of barbarians, fighters, monks and rogues."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import attacks, damage, magic, maneuvers, test
from affray.engine.dialects.srd52.class_features import (
    SURGE,
    UseFeature,
    armor_worn,
    at_enemies,
    base_armor_with,
    bears_shield,
    by_level,
    draw_on,
    enemies_within,
    feature_named,
    half_speed,
    is_able_to_react,
    is_worn_down,
    left_of,
    reaction,
    refuse_option,
    shift,
    simply,
    used_when,
    wants,
)
from affray.engine.dialects.srd52.classes import (
    ability_of_skill,
    difficulty,
    fields_of,
    modifier_of,
    of_class,
    rounds_of,
)
from affray.engine.dialects.srd52.conditions import DISENGAGED, DODGING, gain, incapacitating
from affray.engine.dialects.srd52.features import After, Blow, Dice, Feature, Held, Pool, Strike, once_a_turn
from affray.engine.dialects.srd52.gear import STRIKES, UNARMED, WEAPONS, row_of
from affray.engine.dialects.srd52.movement import DASH, FAR_JUMP, full_speed
from affray.engine.dialects.srd52.position import SIZES, cover_of, push_away, size_of, within
from affray.engine.dialects.srd52.senses import sees
from affray.engine.dialects.srd52.turns import next_end, next_start
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.kernel.actions import spend
from affray.engine.record.chapters import ConditionRule
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    CounterChanged,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

PHYSICAL: Final = ("bludgeoning", "piercing", "slashing")
"""The types of damage of most weapons."""


def is_own_turn(fight: Fight, holder: Combatant) -> bool:
    """Return whether it is a combatant's own turn."""
    return fight.state.active == holder.id


def use_once(fight: Fight, held: Held) -> ActionSpent:
    """Return the fact that a feature has been used in this turn, also in another creature's."""
    kind = once_a_turn(fight, held.name)
    rule = fight.rule(held.feature.topic)
    return ActionSpent(who=held.holder.id, kind=kind, what=held.name, cites=(rule,))


def is_used(fight: Fight, held: Held) -> bool:
    """Return whether a feature has been used in this turn as often as it can be."""
    used = held.holder.spent.get(once_a_turn(fight, held.name), 0)
    return used >= int(fight.figure(held.feature.topic, "per_turn"))


# --- The Rage of a barbarian

RAGING: Final = "raging"
RECKLESS: Final = "reckless"


def rage(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Enter a Rage, or extend it for another round: a Bonus Action."""
    holder, rule = held.holder, fight.rule("classes.barbarian-rage")
    if RAGING in holder.conditions:
        rule = fight.rule("classes.barbarian-rage-extend")
        if is_too_long(fight, holder):
            raise Refusal(f"the Rage of {holder.id} has lasted as long as it can", rule)
        yield spend(fight, holder, "bonus", "extend the Rage", rule)
        yield from extend_rage(fight, holder)
        return
    if armor_worn(holder) == "heavy":
        raise Refusal(f"{holder.id} wears Heavy armor", rule)
    if name := incapacitating(holder):
        raise Refusal(f"{holder.id} is {name}", rule)
    action, used = spend(fight, holder, "bonus", "rage", rule), draw_on(fight, holder, "rage", rule)
    yield action
    yield used
    yield CounterChanged(who=holder.id, counter=SINCE, value=fight.state.round, cites=(rule,))
    cites = (rule, *fight.rules("classes.barbarian-rage-duration"))
    until = next_end(fight, holder)
    yield ConditionGained(who=holder.id, condition=RAGING, source="rage", until=until, cites=cites)
    topic = "classes.barbarian-rage-no-spells"
    yield from magic.lose_concentration(fight, holder, "it rages", topic)


SINCE: Final = "raging since round"
"""The counter of the round in which the last Rage began."""


def is_too_long(fight: Fight, holder: Combatant) -> bool:
    """Return whether a Rage has reached the most time that it can last: another round would exceed it."""
    most = rounds_of(fight, "classes.barbarian-rage-extend", "max")
    began = holder.counters.get(SINCE, fight.state.round)
    return fight.state.round - began >= most


def extend_rage(fight: Fight, holder: Combatant) -> Steps[None]:
    """Let a Rage last until the end of the next turn."""
    rage, last = holder.conditions[RAGING], fight.state.round + 1
    order = fight.state.order
    if not is_own_turn(fight, holder) and fight.state.active in order:
        last += order.index(holder.id) < order.index(fight.state.active)
    if rage.until.round >= last or is_too_long(fight, holder):
        return
    yield ConditionGained(
        who=holder.id,
        condition=RAGING,
        source=rage.source,
        until=Until("turn-end", holder.id, last),
        cites=fight.rules("classes.barbarian-rage-extend"),
    )


def wants_rage(fight: Fight, held: Held) -> bool:
    """Return whether automatic play rages: with enemies in reach of a move, or for a Rage about to end."""
    holder = held.holder
    if RAGING in holder.conditions:
        ends = holder.conditions[RAGING].until.round <= fight.state.round
        return ends and not attacks.has_attack(fight, holder)
    return bool(enemies_within(fight, holder, full_speed(fight, holder) + holder.reach))


def extends_by_act(fight: Fight, held: Held) -> Steps[None]:
    """Extend a Rage by what its bearer does in its own turn; by one reading also in those of others."""
    if is_own_turn(fight, held.holder) or fight.option("rage_extend") == "any-act-since-last-turn":
        yield from extend_rage(fight, held.holder)


def extends_by_attack(fight: Fight, held: Held, strike: Strike, hit: bool) -> Steps[None]:
    """Extend a Rage by an attack roll against an enemy."""
    if strike.target.side != held.holder.side:
        yield from extends_by_act(fight, held)


def resists_weapons(fight: Fight, held: Held, kind: str) -> Iterator[str]:
    """Yield Resistance to the damage of weapons."""
    if kind in fight.figure("classes.barbarian-rage-resistance", "resistance"):
        yield "resistance"


def damage_of_rage(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[Iterable[Modifier]]:
    """Return the bonus of a Rage to the damage of an attack with Strength."""
    bonus = of_class(fight, held.holder.sheet, "barbarian", "rage_damage")
    if strike.ability != "str" or strike.spell or not bonus:
        return ()
    return (Modifier(bonus, "untyped", "rage", fight.rule("classes.barbarian-rage-damage")),)
    yield


def strong_save(fight: Fight, held: Held, name: str, against: frozenset[str]) -> Iterator[Modifier]:
    """Yield the Advantage of a Rage on Strength saves."""
    if name == "str":
        yield test.source(fight, "classes.barbarian-rage-strength", "str_save", "rage")


def strong_check(fight: Fight, held: Held, skill: str) -> Iterator[Modifier]:
    """Yield the Advantage of a Rage on Strength checks."""
    if ability_of_skill(fight, skill) == "str":
        yield test.source(fight, "classes.barbarian-rage-strength", "str_check", "rage")


def no_spells(fight: Fight, held: Held, act: acts.Act) -> None:
    """Refuse spells."""
    if isinstance(act, magic.Cast):
        rule = fight.rule("classes.barbarian-rage-no-spells")
        raise Refusal(f"{held.holder.id} is raging and casts no spells", rule)


@per_company()
def rages_that_end(fight: Fight) -> tuple[ConditionLost, ...]:
    """Return the facts that the Rages of the Incapacitated, and of those in Heavy armor, end."""
    cites, made = fight.rules("classes.barbarian-rage-duration"), []
    for one in fight.state.combatants.values():
        if RAGING in one.conditions:
            why = incapacitating(one) or ("in Heavy armor" if armor_worn(one) == "heavy" else "")
            if why:
                made.append(
                    ConditionLost(who=one.id, condition=RAGING, why=f"{one.id} is {why}", cites=cites)
                )
    return tuple(made)


def alert_to_danger(fight: Fight, held: Held, name: str, against: frozenset[str]) -> Iterator[Modifier]:
    """Yield Advantage on Dexterity saves."""
    if name == "dex" and not incapacitating(held.holder):
        yield test.source(fight, "classes.barbarian-danger-sense", "dex_save", "danger sense")


FIRST_ATTACK: Final = "first attack roll"
"""The counter of a turn for the question whether to attack recklessly."""


def may_be_reckless(fight: Fight, held: Held, strike: Strike) -> Steps[None]:
    """Ask a barbarian with the first attack roll of its turn whether it attacks recklessly."""
    holder, rule = held.holder, fight.rule("classes.barbarian-reckless-attack")
    if not is_own_turn(fight, holder) or FIRST_ATTACK in holder.spent:
        return
    yield ActionSpent(who=holder.id, kind=FIRST_ATTACK, what=strike.weapon.name, cites=(rule,))
    question = f"does {holder.id} attack recklessly?"
    usual = strike.ability == "str" and 2 * holder.hp > holder.max_hp
    if (yield from wants(fight, holder, "reckless attack", question, rule, usual=usual)):
        yield from gain(fight, holder, RECKLESS, "reckless attack", next_start(fight, holder))


def reckless_attack(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield the Advantage of a reckless attack with Strength."""
    everywhere = fight.option("reckless_scope") == "until-next-turn"
    if strike.ability == "str" and (everywhere or is_own_turn(fight, held.holder)):
        yield test.source(fight, "classes.barbarian-reckless-attack", "own", RECKLESS)


def open_to_attack(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield the Advantage of attacks on the reckless."""
    yield test.source(fight, "classes.barbarian-reckless-attack", "against", "target reckless")


def frenzy(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[Iterable[Dice]]:
    """Return the extra damage to the first target hit in a reckless, raging turn."""
    holder = held.holder
    wild = RECKLESS in holder.conditions and strike.ability == "str" and not strike.spell
    if not wild or not is_own_turn(fight, holder) or held.name in holder.spent:
        return ()
    cites = fight.rules(held.feature.topic)
    yield ActionSpent(who=holder.id, kind=held.name, what=strike.target.id, cites=cites)
    die = str(fight.figure(held.feature.topic, "extra")).partition("d")[2]
    bonus = of_class(fight, holder.sheet, "barbarian", "rage_damage")
    return (Dice(f"{bonus}d{die}", strike.weapon.damage_type, held.name),)


def primal_abilities(fight: Fight, held: Held, skill: str) -> Iterator[str]:
    """Yield Strength for the skills of Primal Knowledge."""
    if skill in fight.figure("classes.barbarian-primal-knowledge", "skills"):
        yield "str"


def fast_movement(fight: Fight, held: Held, feet: int) -> int:
    """Return the Speed with Fast Movement, which Heavy armor prevents."""
    more = fight.figure("classes.barbarian-fast-movement", "speed_ft")
    return feet if armor_worn(held.holder) == "heavy" else feet + int(more)


BARBARIAN: Final = {
    "rage": Feature(
        topic="classes.barbarian-rage",
        level=("barbarian", 1),
        pool=Pool("rage", by_level("barbarian", "rages"), "one"),
        use=rage,
        offers=simply,
        plays=used_when(wants_rage),
    ),
    RAGING: Feature(
        topic="classes.barbarian-rage-resistance",
        state=RAGING,
        factors=resists_weapons,
        on_hit=damage_of_rage,
        on_save=strong_save,
        on_check=strong_check,
        after_attack=extends_by_attack,
        forces_save=extends_by_act,
        forbids=no_spells,
    ),
    "unarmored defense (barbarian)": Feature(
        topic="classes.barbarian-unarmored-defense",
        level=("barbarian", 1),
        base_armor=base_armor_with("dex", "con", topic="classes.barbarian-unarmored-defense", shield=True),
    ),
    "danger sense": Feature(
        topic="classes.barbarian-danger-sense", level=("barbarian", 2), on_save=alert_to_danger
    ),
    "reckless attack": Feature(
        topic="classes.barbarian-reckless-attack", level=("barbarian", 2), own_attack=may_be_reckless
    ),
    RECKLESS: Feature(
        topic="classes.barbarian-reckless-attack",
        state=RECKLESS,
        on_attack=reckless_attack,
        on_attacked=open_to_attack,
    ),
    "frenzy": Feature(
        topic="classes.barbarian-frenzy",
        level=("barbarian", 3),
        choice="berserker",
        state=RAGING,
        on_hit=frenzy,
    ),
    "primal knowledge": Feature(
        topic="classes.barbarian-primal-knowledge",
        level=("barbarian", 3),
        state=RAGING,
        check_abilities=primal_abilities,
    ),
    "fast movement": Feature(
        topic="classes.barbarian-fast-movement", level=("barbarian", 5), on_speed=fast_movement
    ),
}

# --- Fighters


def second_wind(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Regain hit points with a Bonus Action; Tactical Shift adds a move."""
    holder, rule = held.holder, fight.rule("classes.fighter-second-wind")
    action, used = spend(fight, holder, "bonus", held.name, rule), draw_on(fight, holder, held.name, rule)
    yield action
    yield used
    dice = str(fight.figure("classes.fighter-second-wind", "healing")).split()[0]
    rolled = yield Roll(holder.id, "healing", dice)
    amount = rolled.total + held.number
    yield from damage.heal(fight, holder, amount, held.name, "classes.fighter-second-wind")
    if feature_named(fight, holder, "tactical shift"):
        yield from shift(fight, holder, half_speed(fight, holder), "classes.fighter-tactical-shift")


def action_surge(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Gain one more action in this turn, once a turn."""
    holder, rule = held.holder, fight.rule("classes.fighter-action-surge")
    if SURGE in holder.spent:
        raise Refusal(f"{holder.id} has used its Action Surge in this turn", rule)
    yield draw_on(fight, holder, SURGE, rule)
    yield ActionSpent(who=holder.id, kind=SURGE, what=SURGE, cites=(rule,))


def more_actions(fight: Fight, held: Held, allowed: Mapping[str, int]) -> Mapping[str, int]:
    """Return the actions of a turn with an Action Surge."""
    more = fight.figure("classes.fighter-action-surge", "extra_actions") if SURGE in held.holder.spent else 0
    return {**allowed, "action": allowed["action"] + more}


def wants_surge(fight: Fight, held: Held) -> bool:
    """Return whether automatic play surges: without attacks left, next to an enemy."""
    holder = held.holder
    spent = not attacks.has_attack(fight, holder) and STRIKES in holder.spent
    return spent and bool(enemies_within(fight, holder, holder.reach))


def wider_critical(fight: Fight, held: Held) -> int:
    """Return the lowest face of a Critical Hit."""
    return int(fight.figure("classes.fighter-champion-critical", "crit_range", 0))


def athletic_check(fight: Fight, held: Held, skill: str) -> Iterator[Modifier]:
    """Yield Advantage on initiative and Athletics."""
    if skill in ("initiative", "athletics"):
        yield test.source(fight, held.feature.topic, skill, held.name)


def move_after_critical(fight: Fight, held: Held, strike: Strike, hit: bool) -> Steps[None]:
    """Let a champion move after a Critical Hit."""
    if strike.critical:
        yield from shift(fight, held.holder, half_speed(fight, held.holder), held.feature.topic)


FIGHTER: Final = {
    "second wind": Feature(
        topic="classes.fighter-second-wind",
        level=("fighter", 1),
        pool=Pool("second wind", by_level("fighter", "second_wind"), "one"),
        use=second_wind,
        offers=simply,
        plays=used_when(lambda fight, held: is_worn_down(held.holder)),
    ),
    SURGE: Feature(
        topic="classes.fighter-action-surge",
        level=("fighter", 2),
        pool=Pool(SURGE, by_level("fighter", "action_surge"), "all"),
        use=action_surge,
        offers=simply,
        plays=used_when(wants_surge),
        budget=more_actions,
    ),
    "improved critical": Feature(
        topic="classes.fighter-champion-critical",
        level=("fighter", 3),
        choice="champion",
        critical=wider_critical,
    ),
    "remarkable athlete": Feature(
        topic="classes.fighter-champion-athlete",
        level=("fighter", 3),
        choice="champion",
        on_check=athletic_check,
        after_attack=move_after_critical,
    ),
    "tactical shift": Feature(topic="classes.fighter-tactical-shift", level=("fighter", 5)),
}

# --- Rogues

SNEAK: Final = "sneak attack"
CUNNING: Final = ("poison", "trip", "withdraw")
"""The effects of a Cunning Strike."""
KIT: Final = "poisoner's kit"


def sneak_attack(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[Iterable[Dice | After]]:
    """Return the extra damage of a Sneak Attack, once a turn, and the effect of a Cunning Strike.

    It takes a Finesse or Ranged weapon and Advantage, or without Disadvantage an ally next to the target.
    """
    holder, weapon = held.holder, strike.weapon
    by_round = fight.option("sneak_attack") == "per-round"
    used = SNEAK in holder.spent if by_round else is_used(fight, held)
    if used or strike.spell or not ("finesse" in weapon.traits or weapon.wield == "projectile"):
        return ()
    topics = [held.feature.topic, "classes.rogue-sneak-attack-once-per-turn"]
    if strike.edge != test.ADVANTAGE:
        if strike.edge == test.DISADVANTAGE or not has_helper(fight, holder, strike.target):
            return ()
        topics.append("classes.rogue-sneak-attack-ally")
    many, _, die = str(of_class(fight, holder.sheet, "rogue", "sneak_attack")).partition("d")
    options = [SNEAK, *cunning_options(fight, held, strike, int(many)), "decline"]
    question = f"{holder.id} hits {strike.target.id}: does it make a Sneak Attack?"
    rule = fight.rule(held.feature.topic)
    answer = yield Choice(holder.id, SNEAK, question, tuple(options), rule)
    if answer == "decline":
        return ()
    kind = SNEAK if by_round else once_a_turn(fight, SNEAK)
    yield ActionSpent(who=holder.id, kind=kind, what=answer, cites=fight.rules(*topics))
    rolled = int(many)
    if answer != SNEAK:
        rolled -= int(fight.figure(f"classes.rogue-cunning-strike-{answer}", "cost").partition("d")[0])
    dice = [Dice(f"{rolled}d{die}", weapon.damage_type, SNEAK)] if rolled else []
    if answer == SNEAK:
        return dice
    return [*dice, lambda: cunning_strike(fight, holder, strike.target, answer)]


def has_helper(fight: Fight, rogue: Combatant, target: Combatant) -> bool:
    """Return whether an ally of a rogue that can act is next to a target."""
    near = fight.figure("classes.rogue-sneak-attack-ally", "ally_within_ft")
    return any(within(one, target, near) and not incapacitating(one) for one in fight.allies(rogue))


def cunning_options(fight: Fight, held: Held, strike: Strike, dice: int) -> list[str]:
    """Return the effects of a Cunning Strike that are possible: one for a die of the Sneak Attack."""
    if feature_named(fight, held.holder, "cunning strike") is None or not dice:
        return []
    largest = SIZES.index(fight.figure("classes.rogue-cunning-strike-trip", "max_size"))
    possible = {
        "poison": KIT in fields_of(fight, held.holder).items,
        "trip": size_of(strike.target) <= largest,
        "withdraw": True,
    }
    return [one for one in CUNNING if possible[one]]


def cunning_strike(fight: Fight, rogue: Combatant, target: Combatant, effect: str) -> Steps[None]:
    """Carry out the effect of a Cunning Strike after the damage."""
    topic = f"classes.rogue-cunning-strike-{effect}"
    if effect == "withdraw":
        yield from shift(fight, rogue, half_speed(fight, rogue), topic)
        return
    if "dead" in target.conditions:
        return
    cites, save = fight.rules(topic, "classes.rogue-cunning-strike"), fight.figure(topic, "save")
    number = difficulty(fight, rogue, "dex", "classes.rogue-cunning-strike", "dc")
    if (yield from test.save(fight, target, save, number, why=f"cunning strike: {effect}", cites=cites)):
        return
    if effect == "trip":
        yield from gain(fight, target, "prone", f"cunning strike of {rogue.id}")
        return
    until = Until("turn-end", rogue.id, fight.state.round + rounds_of(fight, topic, "duration"))
    yield from gain(fight, target, "poisoned", rogue.id, until)
    if "poisoned" in target.conditions and target.conditions["poisoned"].until == until:
        yield ConditionGained(
            who=target.id, condition=POISON, source=rogue.id, until=until, level=number, cites=cites
        )


POISON: Final = "rogue's poison"
"""The condition of a target that repeats the save against a poisonous Cunning Strike."""


def shake_off_poison(fight: Fight, held: Held) -> Steps[None]:
    """Repeat the save against a poisonous Cunning Strike at the end of a turn."""
    holder, topic = held.holder, held.feature.topic
    cites, number = fight.rules(topic), holder.conditions[POISON].level
    if "poisoned" in holder.conditions:
        save = fight.figure(topic, "save")
        if not (yield from test.save(fight, holder, save, number, why="poison", cites=cites)):
            return
        yield ConditionLost(who=holder.id, condition="poisoned", why="a save succeeds", cites=cites)
    yield ConditionLost(who=holder.id, condition=POISON, why="the poison is over", cites=cites)


AIMING: Final = "aiming steadily"


def steady_aim(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Take Advantage on the next attack of the turn for a Bonus Action, without moving in this turn."""
    holder, rule = held.holder, fight.rule("classes.rogue-steady-aim")
    if holder.spent.get("feet"):
        raise Refusal(f"{holder.id} has moved in this turn", rule)
    yield spend(fight, holder, "bonus", held.name, rule)
    until = Until("turn-end", holder.id, fight.state.round)
    yield EffectGained(
        who=holder.id,
        id=f"steady aim:{holder.id}",
        stat="attack",
        modifier=test.source(fight, "classes.rogue-steady-aim", "effect", held.name),
        until=until,
        uses=1,
        cites=(rule,),
    )
    yield from gain(fight, holder, AIMING, held.name, until)


def wants_aim(fight: Fight, held: Held) -> bool:
    """Return whether automatic play aims: before its attack, with an enemy in reach."""
    holder = held.holder
    ready = attacks.has_attack(fight, holder) and AIMING not in holder.conditions
    return ready and bool(enemies_within(fight, holder, holder.reach))


def stands_still(fight: Fight, held: Held, feet: int) -> int:
    """Return a Speed of 0."""
    return int(fight.figure("classes.rogue-steady-aim", "speed"))


def fast_hands(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Make a Sleight of Hand check against a DC as a Bonus Action: a lock, a trap or a pocket."""
    holder, rule = held.holder, fight.rule("classes.rogue-fast-hands")
    if act.amount < 1:
        raise Refusal("fast hands need the DC of the check as `amount`", rule)
    yield spend(fight, holder, "bonus", held.name, rule)
    yield from test.check(fight, holder, "sleight of hand", act.amount, why=held.name, cites=(rule,))


def climbs_fast(fight: Fight, held: Held, how: str) -> int:
    """Return a Climb Speed equal to the Speed."""
    return held.holder.sheet.speed if how == "climb" else 0


def jumps_by_dexterity(fight: Fight, held: Held) -> str:
    """Return the ability that a thief may use for jumps."""
    return str(fight.figure("classes.rogue-second-story-work", "jump"))


def less(sums: Mapping[str, int], amount: int) -> dict[str, int]:
    """Return damage by type, less an amount in all."""
    made = {}
    for kind, dealt in sums.items():
        taken = min(dealt, amount)
        made[kind], amount = dealt - taken, amount - taken
    return made


def answer(fight: Fight, held: Held, against: str, question: str) -> Steps[bool]:
    """Ask whether a combatant uses a feature as its Reaction, if it has one; return whether it does."""
    holder, rule = held.holder, fight.rule(held.feature.topic)
    if not is_able_to_react(fight, holder) or not (
        yield from wants(fight, holder, held.name, question, rule)
    ):
        return False
    yield reaction(fight, holder, held.name, against, rule)
    return True


def uncanny_dodge(fight: Fight, held: Held, strike: Strike) -> Steps[bool]:
    """Ask whether the target of a hit by an attacker that it sees halves the damage."""
    attacker, holder = strike.attacker, held.holder
    question = f"{attacker.id} hits {holder.id}: does it dodge?"
    return sees(fight, holder, attacker) and (yield from answer(fight, held, attacker.id, question))


def dodged(fight: Fight, held: Held, blow: Blow, sums: Mapping[str, int]) -> Steps[Mapping[str, int]]:
    """Halve the damage of an attack that the target has dodged, rounded down."""
    if held.name not in blow.answers:
        return sums
    whole = sum(sums.values())
    return less(sums, whole - int(whole * fight.figure(held.feature.topic, "factor")))
    yield


ROGUE: Final = {
    SNEAK: Feature(topic="classes.rogue-sneak-attack", level=("rogue", 1), on_hit=sneak_attack),
    "cunning action": Feature(
        topic="classes.rogue-cunning-action",
        level=("rogue", 2),
        as_bonus=frozenset({"dash", "disengage", "hide"}),
    ),
    "steady aim": Feature(
        topic="classes.rogue-steady-aim",
        level=("rogue", 3),
        use=steady_aim,
        offers=simply,
        plays=used_when(wants_aim),
    ),
    AIMING: Feature(topic="classes.rogue-steady-aim", state=AIMING, on_speed=stands_still),
    "fast hands": Feature(
        topic="classes.rogue-fast-hands",
        level=("rogue", 3),
        choice="thief",
        use=fast_hands,
        as_bonus=frozenset({"utilize"}),
    ),
    "second-story work": Feature(
        topic="classes.rogue-second-story-work",
        level=("rogue", 3),
        choice="thief",
        special_speed=climbs_fast,
        jump_ability=jumps_by_dexterity,
    ),
    "cunning strike": Feature(topic="classes.rogue-cunning-strike", level=("rogue", 5)),
    POISON: Feature(topic="classes.rogue-cunning-strike-poison", state=POISON, turn_end=shake_off_poison),
    "uncanny dodge": Feature(
        topic="classes.rogue-uncanny-dodge",
        level=("rogue", 5),
        answers_hit=uncanny_dodge,
        before_damage=dodged,
    ),
}

# --- Monks

FOCUS: Final = "focus points"


def is_monk_weapon(fight: Fight, weapon: Weapon) -> bool:
    """Return whether a weapon is an Unarmed Strike, Simple and Melee, or Martial, Melee and Light."""
    if weapon.wield == "unarmed":
        return True
    if not weapon.table:
        return False
    row, topic = row_of(fight, WEAPONS, weapon.table, "weapon")
    light = "martial-melee" in topic and "light" in row["properties"]
    return "simple-melee" in topic or light


def is_free_to_fight(fight: Fight, monk: Combatant) -> bool:
    """Return whether Martial Arts work: no armor, no Shield, nothing but Monk weapons in hand."""
    in_hand = [one for one in monk.sheet.weapons if one.name in monk.held]
    return unarmored(monk) and all(is_monk_weapon(fight, one) for one in in_hand)


def unarmored(monk: Combatant) -> bool:
    """Return whether a combatant wears no armor and wields no Shield."""
    return not armor_worn(monk) and not bears_shield(monk)


def dexterous(fight: Fight, held: Held, weapon: Weapon) -> Iterator[str]:
    """Yield Dexterity for Unarmed Strikes and Monk weapons."""
    if is_free_to_fight(fight, held.holder) and is_monk_weapon(fight, weapon):
        yield str(fight.figure("classes.monk-dexterous-attacks", "ability"))


def martial_die(fight: Fight, held: Held, strike: Strike, dice: Dice) -> Steps[Dice]:
    """Return the Martial Arts die for a Monk weapon or Unarmed Strike whose own dice are lower."""
    die = str(of_class(fight, held.holder.sheet, "monk", "martial_arts"))
    usable = is_free_to_fight(fight, held.holder) and is_monk_weapon(fight, strike.weapon)
    if not usable or mean_of(dice.notation) >= mean_of(die):
        return dice
    return Dice(die, dice.kind, dice.source)
    yield


def mean_of(notation: str) -> float:
    """Return twice the mean of dice such as "2d6", or twice a number."""
    many, _, sides = notation.partition("d")
    return int(many or 1) * (int(sides) + 1) if sides else 2 * int(many)


STRIKES_OF_HAND: Final = ("damage", "grapple", "push", "prone")
"""The options of an Unarmed Strike."""


def unarmed(fight: Fight, held: Held, act: UseFeature, spending: Sequence[object]) -> Steps[None]:
    """Make an Unarmed Strike that a feature gives, once all is paid for: damage, Grapple or Shove."""
    holder, target = held.holder, fight.combatant(act.target, fight.rule("maneuvers.unarmed-strike"))
    option = act.option or "damage"
    if option == "damage":
        strike = attacks.prepare(fight, holder, target, UNARMED, False)
        yield from spending
        yield from attacks.strike_with(fight, replace(strike, by=held.name))
        return
    if option == "grapple":
        maneuvers.refuse_grapple(fight, holder, target)
    else:
        maneuvers.refuse_target(fight, holder, target, "maneuvers.shove-size")
    yield from spending
    if option == "grapple":
        yield from maneuvers.seize(fight, holder, target)
    else:
        yield from maneuvers.thrust(fight, holder, target, "away" if option == "push" else "prone")


def bonus_strike(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Make an Unarmed Strike as a Bonus Action."""
    holder, rule = held.holder, fight.rule("classes.monk-bonus-strike")
    refuse_option(held, act, ("", *STRIKES_OF_HAND), rule)
    if not is_free_to_fight(fight, holder):
        reason = f"{holder.id} wears armor or holds something else than Monk weapons"
        raise Refusal(reason, fight.rule("classes.monk-martial-arts"))
    yield from unarmed(fight, held, act, [spend(fight, holder, "bonus", held.name, rule)])


def flurry(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Make one of two Unarmed Strikes as a Bonus Action, for a Focus Point; the second is free."""
    holder, rule = held.holder, fight.rule("classes.monk-flurry")
    refuse_option(held, act, ("", *STRIKES_OF_HAND), rule)
    spending: list[object] = []
    if holder.spent.get(held.name, 0) % fight.figure("classes.monk-flurry", "strikes") == 0:
        spending.append(spend(fight, holder, "bonus", held.name, rule))
        spending.append(
            draw_on(fight, holder, FOCUS, rule, amount=fight.figure("classes.monk-flurry", "focus"))
        )
    spending.append(ActionSpent(who=holder.id, kind=held.name, what=act.target, cites=(rule,)))
    yield from unarmed(fight, held, act, spending)


def strikes_beside(fight: Fight, held: Held) -> acts.Act | None:
    """Return the strike of automatic play at the nearest enemy next to a monk, when its attacks are made."""
    holder = held.holder
    near = enemies_within(fight, holder, holder.reach)
    if not near or attacks.has_attack(fight, holder):
        return None
    return UseFeature(actor=holder.id, feature=held.name, target=near[0].id)


def patient_defense(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Disengage and Dodge as a Bonus Action for a Focus Point; Disengage alone takes none."""
    holder, rule = held.holder, fight.rule("classes.monk-patient-defense")
    action, used = spend(fight, holder, "bonus", held.name, rule), draw_on(fight, holder, FOCUS, rule)
    yield action
    yield used
    yield from gain(fight, holder, DISENGAGED, held.name, Until("turn-end", holder.id, fight.state.round))
    yield from gain(fight, holder, DODGING, held.name, next_start(fight, holder))


def step_of_the_wind(fight: Fight, held: Held, act: UseFeature) -> Steps[None]:
    """Disengage and Dash as a Bonus Action for a Focus Point, and jump twice as far; Dash takes none."""
    holder, rule = held.holder, fight.rule("classes.monk-step-of-the-wind")
    action, used = spend(fight, holder, "bonus", held.name, rule), draw_on(fight, holder, FOCUS, rule)
    yield action
    yield used
    yield from gain(fight, holder, DISENGAGED, held.name, Until("turn-end", holder.id, fight.state.round))
    feet = full_speed(fight, holder)
    for kind, amount in ((DASH, feet), (FAR_JUMP, 1)):
        yield ActionSpent(who=holder.id, kind=kind, what=held.name, amount=amount, cites=(rule,))


def unarmored_movement(fight: Fight, held: Held, feet: int) -> int:
    """Return the Speed of a monk without armor and Shield."""
    more = of_class(fight, held.holder.sheet, "monk", "speed_ft")
    return feet + int(more) if unarmored(held.holder) else feet


METABOLISM: Final = "uncanny metabolism"


def uncanny_metabolism(fight: Fight, held: Held) -> Steps[None]:
    """Regain all Focus Points and some hit points on rolling initiative, once until a Long Rest."""
    holder, rule = held.holder, fight.rule("classes.monk-uncanny-metabolism")
    spent = holder.resources.get(FOCUS, 0)
    if (not spent and holder.hp >= holder.max_hp) or not left_of(fight, holder, METABOLISM):
        return
    question = f"does {holder.id} regain its Focus Points and hit points?"
    usual = 2 * holder.hp <= holder.max_hp or 2 * spent >= held.number
    if not (yield from wants(fight, holder, METABOLISM, question, rule, usual=usual)):
        return
    yield draw_on(fight, holder, METABOLISM, rule)
    if spent:
        yield ResourceSpent(who=holder.id, resource=FOCUS, amount=-spent, cites=(rule,))
    rolled = yield Roll(holder.id, "healing", str(of_class(fight, holder.sheet, "monk", "martial_arts")))
    yield from damage.heal(fight, holder, rolled.total + held.number, METABOLISM, held.feature.topic)


def deflect(fight: Fight, held: Held, strike: Strike) -> Steps[bool]:
    """Ask whether the target of a hit with a weapon's types of damage reduces that damage."""
    weapon, attacker = strike.weapon, strike.attacker
    if not {weapon.damage_type, *(one.kind for one in weapon.extra)}.intersection(PHYSICAL):
        return False
    question = f"{attacker.id} hits {held.holder.id}: does it deflect the attack?"
    return (yield from answer(fight, held, attacker.id, question))


def deflected(fight: Fight, held: Held, blow: Blow, sums: Mapping[str, int]) -> Steps[Mapping[str, int]]:
    """Reduce the damage of an attack that the target deflects; reduced to 0 it can be redirected."""
    holder, topic = held.holder, held.feature.topic
    if held.name not in blow.answers:
        return sums
    kind = next((one for one in PHYSICAL if sums.get(one)), "")
    dice = str(fight.figure(topic, "reduction")).split()[0]
    rolled = yield Roll(holder.id, "deflect", dice)
    left = less(sums, max(0, rolled.total + modifier_of(fight, holder, "dex") + held.number))
    if not any(left.values()):
        yield from redirect(fight, held, blow, kind)
    return left


def redirect(fight: Fight, held: Held, blow: Blow, kind: str) -> Steps[None]:
    """Turn a deflected attack on a creature in sight, for a Focus Point."""
    holder, topic = held.holder, "classes.monk-deflect-redirect"
    cost, rule = fight.figure(topic, "focus"), fight.rule(topic)
    feet = fight.figure(topic, "range_ft", "melee" if blow.melee else "ranged")
    near = [
        one.id
        for one in fight.state.combatants.values()
        if one.id != holder.id
        and "dead" not in one.conditions
        and within(holder, one, feet)
        and sees(fight, holder, one)
        and (blow.melee or cover_of(fight, holder, one)[0] != "total")
    ]
    if left_of(fight, holder, FOCUS) < cost or not near:
        return
    near.sort(key=lambda id: (fight.combatant(id).side == holder.side, id != blow.attacker))
    question = f"{holder.id} can redirect the attack: to which creature?"
    answer = yield Choice(holder.id, "redirect", question, (*near, "decline"), rule)
    if answer == "decline":
        return
    yield draw_on(fight, holder, FOCUS, rule, amount=cost)
    target, save = fight.combatant(answer), fight.figure(topic, "save")
    number = difficulty(fight, holder, "wis", "classes.monk-focus", "dc")
    cites = (rule, *fight.rules("classes.monk-focus"))
    if (yield from test.save(fight, target, save, number, why="a redirected attack", cites=cites)):
        return
    many = fight.formula(topic, "damage")
    die = str(of_class(fight, holder.sheet, "monk", "martial_arts")).removeprefix("1")
    part = Modifier(modifier_of(fight, holder, "dex"), "ability", "Dexterity", rule)
    dice = Dice(f"{many}{die}", kind, "a redirected attack")
    again = Blow(holder.id, "a redirected attack")
    yield from damage.deal(fight, target, again, [dice], [part], cites=cites)


def slow_fall(fight: Fight, held: Held, blow: Blow, sums: Mapping[str, int]) -> Steps[Mapping[str, int]]:
    """Reduce the damage of a fall with the Reaction."""
    if not blow.fall or not any(sums.values()):
        return sums
    if not (yield from answer(fight, held, "", f"does {held.holder.id} slow its fall?")):
        return sums
    each = int(str(fight.figure(held.feature.topic, "reduction")).partition("*")[0])
    return less(sums, each * held.number)


OPEN_HAND: Final = ("topple", "push", "addle")
ADDLED: Final = "addled"


def open_hand(fight: Fight, held: Held, strike: Strike, hit: bool) -> Steps[None]:
    """Impose an effect on a creature that an attack of a Flurry of Blows hits."""
    holder, target, rule = held.holder, strike.target, fight.rule(held.feature.topic)
    if not hit or strike.by != "flurry of blows" or "dead" in target.conditions:
        return
    question = f"{holder.id} hits {target.id} in a flurry: what does it impose?"
    answer = yield Choice(holder.id, "open hand technique", question, (*OPEN_HAND, "decline"), rule)
    if answer == "addle":
        yield from gain(fight, target, ADDLED, holder.id, next_start(fight, target))
    elif answer != "decline":
        number = difficulty(fight, holder, "wis", "classes.monk-focus", "dc")
        save = "str" if answer == "push" else "dex"
        cites = (rule, *fight.rules("classes.monk-focus"))
        if (yield from test.save(fight, target, save, number, why=answer, cites=cites)):
            return
        if answer == "push":
            feet = int(str(fight.figure(held.feature.topic, "options", 1)).split()[1])
            yield from push_away(fight, holder, target, feet, held.feature.topic)
        else:
            yield from gain(fight, target, "prone", f"{held.name} of {holder.id}")


def stunning_strike(fight: Fight, held: Held, strike: Strike, hit: bool) -> Steps[None]:
    """Attempt to stun a creature that a Monk weapon or Unarmed Strike hits: once a turn, a Focus Point."""
    holder, target, topic = held.holder, strike.target, held.feature.topic
    cost = fight.figure(topic, "focus")
    if not hit or strike.spell or not is_monk_weapon(fight, strike.weapon) or is_used(fight, held):
        return
    if "dead" in target.conditions or left_of(fight, holder, FOCUS) < cost:
        return
    rule, question = fight.rule(topic), f"{holder.id} hits {target.id}: does it attempt to stun it?"
    usual = target.hp > 0 and "stunned" not in target.conditions
    if not (yield from wants(fight, holder, held.name, question, rule, usual=usual)):
        return
    yield draw_on(fight, holder, FOCUS, rule, amount=cost)
    yield use_once(fight, held)
    until, number = next_start(fight, holder), difficulty(fight, holder, "wis", "classes.monk-focus", "dc")
    cites = (rule, *fight.rules("classes.monk-focus"))
    if not (
        yield from test.save(fight, target, fight.figure(topic, "save"), number, why=held.name, cites=cites)
    ):
        yield from gain(fight, target, fight.figure(topic, "condition"), holder.id, until)
        return
    spared = "classes.monk-stunning-strike-success"
    yield ConditionGained(
        who=target.id, condition=STAGGERED, source=holder.id, until=until, cites=fight.rules(spared)
    )
    yield EffectGained(
        who=target.id,
        id=f"staggered:{holder.id}:{fight.declaration}",
        stat=attacks.ATTACKED,
        modifier=test.source(fight, spared, "next_attack", held.name),
        until=until,
        uses=1,
        cites=fight.rules(spared),
    )


STAGGERED: Final = "staggered by a strike"


def staggers(fight: Fight, held: Held, feet: int) -> int:
    """Return half of the Speed."""
    return int(feet * fight.figure("classes.monk-stunning-strike-success", "speed_factor"))


MONK: Final = {
    "martial arts die": Feature(topic="classes.monk-die", level=("monk", 1), weapon_dice=martial_die),
    "dexterous attacks": Feature(
        topic="classes.monk-dexterous-attacks", level=("monk", 1), abilities=dexterous
    ),
    "unarmored defense (monk)": Feature(
        topic="classes.monk-unarmored-defense",
        level=("monk", 1),
        base_armor=base_armor_with("dex", "wis", topic="classes.monk-unarmored-defense", shield=False),
    ),
    "flurry of blows": Feature(
        topic="classes.monk-flurry",
        level=("monk", 2),
        pool=Pool(FOCUS, by_level("monk", "focus"), "all"),
        use=flurry,
        offers=at_enemies,
        plays=strikes_beside,
    ),
    "martial arts": Feature(
        topic="classes.monk-bonus-strike",
        level=("monk", 1),
        use=bonus_strike,
        offers=at_enemies,
        plays=strikes_beside,
    ),
    "patient defense": Feature(
        topic="classes.monk-patient-defense",
        level=("monk", 2),
        as_bonus=frozenset({"disengage"}),
        use=patient_defense,
        offers=simply,
    ),
    "step of the wind": Feature(
        topic="classes.monk-step-of-the-wind",
        level=("monk", 2),
        as_bonus=frozenset({"dash"}),
        use=step_of_the_wind,
        offers=simply,
    ),
    "unarmored movement": Feature(
        topic="classes.monk-unarmored-movement", level=("monk", 2), on_speed=unarmored_movement
    ),
    METABOLISM: Feature(
        topic="classes.monk-uncanny-metabolism",
        level=("monk", 2),
        pool=Pool(METABOLISM, lambda fight, held: 1),
        on_initiative=uncanny_metabolism,
    ),
    "deflect attacks": Feature(
        topic="classes.monk-deflect-attacks",
        level=("monk", 3),
        answers_hit=deflect,
        before_damage=deflected,
    ),
    "open hand technique": Feature(
        topic="classes.monk-open-hand", level=("monk", 3), choice="open hand", after_attack=open_hand
    ),
    ADDLED: Feature(topic="classes.monk-open-hand", state=ADDLED, no_opportunity_attacks=True),
    "slow fall": Feature(topic="classes.monk-slow-fall", level=("monk", 4), before_damage=slow_fall),
    "stunning strike": Feature(
        topic="classes.monk-stunning-strike", level=("monk", 5), after_attack=stunning_strike
    ),
    STAGGERED: Feature(topic="classes.monk-stunning-strike-success", state=STAGGERED, on_speed=staggers),
}

FEATURES: Final = {**BARBARIAN, **FIGHTER, **ROGUE, **MONK}
STATES: Final = {
    RAGING: ConditionRule("classes.barbarian-rage-duration"),
    RECKLESS: ConditionRule("classes.barbarian-reckless-attack"),
    AIMING: ConditionRule("classes.rogue-steady-aim"),
    POISON: ConditionRule("classes.rogue-cunning-strike-poison"),
    ADDLED: ConditionRule("classes.monk-open-hand"),
    STAGGERED: ConditionRule("classes.monk-stunning-strike-success"),
}
"""The conditions that these features cause."""
