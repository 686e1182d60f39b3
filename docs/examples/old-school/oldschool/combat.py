"""The rules of combat: attacks against a falling armor class, saves by category, morale."""

from collections.abc import Collection, Mapping

from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel import checks, tactics, turns
from affray.engine.kernel.actions import can_spend, is_permitted, spend
from affray.engine.kernel.places import distance, in_line
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import CounterChanged, ResourceSpent
from affray.events.facts.flow import AnyAct, RoundBegan
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant


class Breathe(acts.Act, frozen=True, gc=False, tag="oldschool.breathe"):
    """Breathe on enemies within the range of the breath."""

    targets: acts.Names = ()


class LightTorch(acts.Act, frozen=True, gc=False, tag="oldschool.light-torch"):
    """Light a torch."""


# --- Rounds and turns


def open_round(fight: Fight, number: int) -> Steps[None]:
    """Roll for the sides and begin a round; torches burn down."""
    yield from turns.roll_for_sides(fight, fight.figure("initiative", "dice"), fight.rule("initiative"))
    yield RoundBegan(number=number, cites=(fight.rule("round"),))
    for one in fight.state.combatants.values():
        if left := one.counters.get("torch"):
            yield CounterChanged(who=one.id, counter="torch", value=left - 1, cites=(fight.rule("torch"),))


def budget(fight: Fight, combatant: Combatant) -> Mapping[str, int]:
    """Return one move and one deed."""
    return {"move": fight.figure("turn", "move"), "deed": fight.figure("turn", "deed")}


def action_type(fight: Fight, combatant: Combatant, act: acts.Act) -> str:
    """Return the kind of action that an act takes."""
    if isinstance(act, acts.Move):
        return "move"
    return "deed" if isinstance(act, acts.Attack | Breathe | LightTorch) else ""


def refuse_move_after_deed(fight: Fight, combatant: Combatant, act: object) -> None:
    """Refuse to move after the deed of the turn."""
    if combatant.spent.get("deed"):
        raise Refusal(f"{combatant.id} moves before its deed, not after", fight.rule("movement"))


def refuse_fleeing(fight: Fight, combatant: Combatant, act: object) -> None:
    """Refuse attacks of the fleeing."""
    raise Refusal(f"{combatant.id} is fleeing", fight.rule("fleeing"))


# --- Tests


def test_dice(fight: Fight, combatant: Combatant, purpose: str) -> str:
    """Return 2d6 for morale, 1d20 for everything else."""
    return str(fight.figure("morale", "dice")) if purpose == "morale" else "1d20"


def sure_faces(fight: Fight, purpose: str, cites: Collection[str]) -> tuple[int, int]:
    """Return 1 and 20 for attacks; no face decides a save."""
    if purpose != "attack":
        return 0, 0
    return fight.figure("attack.natural", "miss"), fight.figure("attack.natural", "hit")


NAMES = {"str": "strength", "dex": "dexterity"}
"""Abilities as they are named in explanations."""


def ability(fight: Fight, combatant: Combatant, name: str) -> Modifier:
    """Return the modifier of an ability score."""
    score = getattr(combatant.sheet.abilities, name) or 0
    rows = [row for row in fight.figure("ability") if row["from"] <= score]
    return Modifier(rows[-1]["modifier"] if rows else 0, "ability", NAMES[name], fight.rule("ability"))


# --- Attacks


def attack(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack a target in reach or range: d20 against the attack value less the armor class."""
    attacker, target = fight.combatant(act.actor), fight.combatant(act.target)
    weapon = weapon_of(fight, attacker, act.weapon)
    melee = refuse_out_of_reach(fight, attacker, target, weapon)
    way = fight.rule("attack.melee" if melee else "attack.missile")
    yield spend(fight, attacker, "deed", "attack", fight.rule("turn"))
    own = ability(fight, attacker, "str" if melee else "dex")
    armor_class, parts = armor_class_of(fight, target)
    outcome = yield from checks.attack(
        fight,
        attacker,
        target,
        weapon,
        parts=[own],
        needed=attack_value(fight, attacker) - armor_class,
        against=f"AC {armor_class}",
        defense=parts,
        cites=(*fight.rules("attack", "attack.value", "armor-class", "attack.natural"), way),
    )
    if outcome.result == "hit":
        yield from checks.damage(
            fight,
            attacker,
            target,
            weapon.name,
            weapon.damage,
            kind=weapon.damage_type,
            parts=[own] if melee else [],
            least=fight.figure("damage", "least"),
            cites=(fight.rule("damage"),),
        )


def weapon_of(fight: Fight, attacker: Combatant, name: str) -> Weapon:
    """Return the named weapon in hand, the first one if none is named."""
    usable = {one.name: one for one in fight.dialect.kernel.arms(fight, attacker)}
    if not usable or (name and name not in usable):
        raise Refusal(f"{attacker.id} has no {name or 'weapon'} in hand", fight.rule("attack"))
    return usable[name or next(iter(usable))]


def refuse_out_of_reach(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> bool:
    """Return whether the attack is in melee. Refuses the dead, a wall, and what is too near or too far."""
    feet = distance(attacker, target)
    if target is attacker or "dead" in target.conditions:
        raise Refusal(f"{target.id} is no enemy to attack", fight.rule("attack"))
    if not in_line(fight, attacker, target):
        raise Refusal(f"a wall is between {attacker.id} and {target.id}", fight.rule("attack"))
    if weapon.range:
        if feet <= attacker.reach or feet > weapon.range:
            near = "too near" if feet <= attacker.reach else "too far"
            raise Refusal(f"{target.id} is {near} for the {weapon.name}", fight.rule("attack.missile"))
        return False
    if feet > max(attacker.reach, weapon.far):
        raise Refusal(f"{target.id} is out of reach", fight.rule("attack.melee"))
    return True


def attack_value(fight: Fight, attacker: Combatant) -> int:
    """Return what a roll has to reach against armor class 0."""
    rows = fight.figure("attack.value")
    known = [row["value"] for row in rows if row["hit_dice"] <= max(1, attacker.sheet.hit_dice)]
    return int(known[-1])


def armor_class_of(fight: Fight, target: Combatant) -> tuple[int, tuple[Modifier, ...]]:
    """Return the armor class, which falls with armor, and its parts."""
    rule, own = fight.rule("armor-class"), fight.dialect.custom_of(target.sheet)
    parts = (
        Modifier(fight.figure("armor-class", "unarmored"), "base", "unarmored", rule),
        Modifier(-own.armor, "armor", "armor", rule),
        Modifier(-int(own.shield), "shield", "shield", rule),
        Modifier(-ability(fight, target, "dex").value, "ability", NAMES["dex"], rule),
    )
    return sum(one.value for one in parts), tuple(one for one in parts if one.value)


def breathe(fight: Fight, act: Breathe) -> Steps[None]:
    """Breathe on the targets: each takes the breather's hit points, half on a save against breath."""
    actor, rule = fight.combatant(act.actor), fight.rule("breath")
    feet = fight.dialect.custom_of(actor.sheet).breath_feet
    targets = [fight.combatant(id) for id in act.targets]
    if not feet or not targets:
        raise Refusal(f"{actor.id} has {'no breath' if not feet else 'nobody to breathe on'}", rule)
    if actor.resources.get("breath", 0) >= fight.figure("breath", "a_day"):
        raise Refusal(f"{actor.id} has no breath left today", rule)
    for one in targets:
        if distance(actor, one) > feet or not in_line(fight, actor, one):
            raise Refusal(f"{one.id} is not within the breath of {actor.id}", rule)
    yield spend(fight, actor, "deed", "breathe", rule)
    yield ResourceSpent(who=actor.id, resource="breath", amount=1, cites=(rule,))
    points = actor.hp
    for one in targets:
        number = fight.dialect.custom_of(one.sheet).breath
        saved = yield from checks.check(
            fight, one, "save.breath", number, why="breath", cites=fight.rules("save", "breath")
        )
        lost = points // fight.figure("breath", "divisor") if saved else points
        yield from checks.change_hit_points(fight, one, -lost, f"the breath of {actor.id}", rule)


def light_torch(fight: Fight, act: LightTorch) -> Steps[None]:
    """Light a torch, which burns for an hour."""
    actor, rule = fight.combatant(act.actor), fight.rule("torch")
    yield spend(fight, actor, "deed", "light a torch", rule)
    yield CounterChanged(who=actor.id, counter="torch", value=fight.figure("torch", "rounds"), cites=(rule,))


# --- Death and morale


def injured(fight: Fight, victim: Combatant, before: int) -> Steps[None]:
    """Let a combatant at 0 hit points die, and its side check morale."""
    if victim.hp > fight.figure("death", "at") or "dead" in victim.conditions:
        return
    yield from checks.gain(fight, victim, "dead", "hit points")
    side = [one for one in fight.state.combatants.values() if one.side == victim.side]
    dead = sum("dead" in one.conditions for one in side)
    if fight.state.begun and (dead == 1 or dead == (len(side) + 1) // 2):
        for one in side:
            yield from check_morale(fight, one)


def check_morale(fight: Fight, one: Combatant) -> Steps[None]:
    """Roll morale: above the score a combatant flees."""
    score = fight.dialect.custom_of(one.sheet).morale
    fearless = not score or score >= fight.figure("morale", "fearless")
    if fearless or is_down(fight, one) or "fleeing" in one.conditions:
        return
    cites = (fight.rule("morale"),)
    if not (yield from checks.check(fight, one, "morale", score, under=True, cites=cites)):
        yield from checks.gain(fight, one, "fleeing", "morale")


# --- Automatic play


def next_declaration(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Breathe on all enemies in range if there is breath left, otherwise attack or approach."""
    feet = fight.dialect.custom_of(combatant.sheet).breath_feet
    near = [
        one.id
        for one in fight.enemies(combatant)
        if not is_down(fight, one) and distance(combatant, one) <= feet and in_line(fight, combatant, one)
    ]
    breath = fight.dialect.recorded(Breathe(actor=combatant.id, targets=tuple(near)))
    left = combatant.resources.get("breath", 0) < fight.figure("breath", "a_day")
    if near and left and can_spend(fight, combatant, "deed") and is_permitted(fight, breath):
        return breath
    return tactics.next_declaration(fight, combatant)
