"""What a difference in size does to attacks, in a shared space, and around one opponent (woa.size.*)."""

from collections.abc import Iterator

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait, sizes_larger
from affray.engine.rules.gear.held_weapons import melee_band, strikes_in_melee
from affray.engine.rules.position.place import distance
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell, Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

#: Conditions that lift somebody off the ground by their level in feet.
AT_HEIGHT = frozenset({"climbing", "brachiating"})
#: The condition of being on a monster's body, with the monster as its source.
PERCHED = "on its body"
#: The condition of who keeps its balance on a back and has both hands free.
BALANCED = "balancing on its body"
SUDDEN_STRIKE = "sudden strike"


def well_placed(attacker: Combatant, target: Combatant) -> bool:
    """Say whether an attacker stands on its target's body, which lifts the limits of size."""
    if not attacker.conditions:
        return False
    state = attacker.conditions.get(PERCHED)
    return state is not None and state.source == target.id


def refuse_clinging(fight: Fight, combatant: Combatant, weapon: Weapon) -> None:
    """Refuse to fight with both hands to whoever clings to a body (woa.battlefield-monster.balance)."""
    if PERCHED in combatant.conditions and BALANCED not in combatant.conditions and weapon.hands > 1:
        why = f"{combatant.id} clings to {combatant.conditions[PERCHED].source} and has not both hands free"
        raise Refusal(why, fight.rule("woa.battlefield-monster.balance"))


def on_body(blow: Blow) -> str:
    """Return the topic by which the target of a blow from its own body, or at it, cannot guard itself.

    "" for other blows (woa.battlefield-monster.defense-loss, .reciprocal).
    """
    if well_placed(blow.attacker, blow.target):
        return "woa.battlefield-monster.defense-loss"
    if well_placed(blow.target, blow.attacker):
        return "woa.battlefield-monster.reciprocal"
    return ""


def refuse_too_large(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse normal attacks on what is far too large to be harmed by them.

    Not from its body, and swarms go by rules of their own (woa.size.combat.target-four-larger,
    woa.size.swarm).
    """
    aims = [one.target for one in getattr(act, "strikes", ())] or [getattr(act, "target", "")]
    for aim in aims:
        target = fight.state.combatants.get(aim)
        if target is None or well_placed(actor, target) or has_trait(actor, "swarm"):
            continue
        topic = "woa.size.combat.target-four-larger"
        if sizes_larger(target, actor) >= fight.figure(topic, "size_difference"):
            why = f"{aim} is too large for {actor.id} to harm by normal attacks"
            raise Refusal(why, fight.rule(topic))


def refuse_above_reach(fight: Fight, actor: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse a blow with a weapon at a climber who is higher than it reaches up (woa.size.vertical-reach)."""
    if actor.conditions.keys() & AT_HEIGHT or not strikes_in_melee(weapon):
        return
    height = max((target.conditions[name].level for name in AT_HEIGHT & target.conditions.keys()), default=0)
    _, most = melee_band(actor, weapon)
    if distance(actor, target) <= most and height > upward_reach(fight, actor, most):
        why = f"{target.id} is {height} ft. up, out of {actor.id}'s reach"
        raise Refusal(why, fight.rule("woa.size.vertical-reach"))


def upward_reach(fight: Fight, combatant: Combatant, reach: int) -> int:
    """Return how many feet up somebody strikes: half its reach above its space if tall, else none above."""
    space = combatant.space * SQUARE_FT
    share = str(fight.figure("woa.size.vertical-reach", "tall" if combatant.sheet.tall else "long")).split()[
        0
    ]
    return space + (reach // int(share.partition("/")[2]) if "/" in share else int(share))


def swarming(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rule by which very many small creatures fight a large one, where it lets them strike."""
    least = fight.figure("woa.size.combat.target-four-larger", "size_difference")
    if has_trait(blow.attacker, "swarm") and sizes_larger(blow.target, blow.attacker) >= least:
        return fight.rules("woa.size.swarm", "woa.size.surround.very-different")
    return ()


def no_sudden_strike(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield that a thief's sudden strike counts for nothing against something so large in melee."""
    attacker, topic = blow.attacker, "woa.size.combat.target-two-larger"
    if any(trait.startswith(SUDDEN_STRIKE) for trait in attacker.sheet.traits):
        steps = sizes_larger(blow.target, attacker)
        if steps >= fight.figure(topic, "size_difference") and not well_placed(attacker, blow.target):
            rule = fight.rule(topic)
            why = f"{blow.target.id} is {steps} sizes larger ({rule})"
            yield Modifier(0, "special", SUDDEN_STRIKE, rule, why)


def unconfirmed(fight: Fight, blow: Blow) -> RuleApplied | None:
    """Return that a threat cannot be confirmed against something so large in melee, None if it can.

    woa.size.combat.target-three-larger
    """
    topic = "woa.size.combat.target-three-larger"
    steps = sizes_larger(blow.target, blow.attacker)
    if not blow.melee or steps < fight.figure(topic, "size_difference"):
        return None
    if well_placed(blow.attacker, blow.target):
        return None
    what = f"cannot confirm a critical hit: {blow.target.id} is {steps} sizes larger"
    return RuleApplied(who=blow.attacker.id, what=what, cites=ids_of_limit(fight, topic))


def ids_of_limit(fight: Fight, topic: str) -> tuple[str, ...]:
    """Return the ids of a limit by size and of the summary of them all."""
    return fight.rules(topic, "woa.size.combat.summary-table")


def crush_far_smaller(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit kill somebody far smaller, if the game master sees nothing against it.

    woa.size.combat.target-four-smaller
    """
    topic, target = "woa.size.combat.target-four-smaller", blow.target
    if -sizes_larger(target, blow.attacker) < fight.figure(topic, "size_difference"):
        return
    if "dead" in target.conditions:
        return
    question = f"does the blow of {blow.attacker.id} kill {target.id} outright?"
    answer = yield Choice("", "crushed", question, ("dies", "by its hit points"), fight.rule(topic))
    if answer == "dies":
        source, cites = f"a blow of {blow.attacker.id}", ids_of_limit(fight, topic)
        death = ConditionGained(who=target.id, condition="dead", source=source, cites=cites)
        yield from fight.dialect.conditions.gain(fight, death)


def size_against_life(
    fight: Fight, caster: Combatant | None, target: Combatant, spell: Spell
) -> list[Modifier]:
    """Return what size does to a save against what strikes at life: poison, disease, death.

    With magic the sizes of caster and target count, else how much the target differs from Medium
    (woa.size.combat.unusual-attacks, .magic-relative-size).
    """
    deadly = spell.school == "death" or spell.condition == "dead"
    if not deadly and not any(one.kind in ("poison", "disease", "energy drain") for one in spell.riders):
        return []
    return save_modifier_by_size(fight, target, caster)


def save_modifier_by_size(fight: Fight, target: Combatant, caster: Combatant | None = None) -> list[Modifier]:
    """Return the modifier of a save against what strikes at life, relative to the caster or to Medium."""
    indices = {row["name"].lower(): row["index"] for row in fight.figure("woa.size.categories")}
    own = indices.get(target.sheet.size, 0)
    steps = own - (indices.get(caster.sheet.size, 0) if caster is not None else 0)
    topic = "woa.size.combat.unusual-attacks"
    found = cell(fight, topic, "of=each category", "save")
    if not steps or found is None:
        return []
    source = f"{counted(abs(steps), 'size')} {'larger' if steps > 0 else 'smaller'}"
    if caster is not None:
        topic = "woa.size.combat.magic-relative-size"
        source += f" than {caster.id}"
    return [Modifier(found.value * steps, "size", source, fight.rule(topic))]
