"""How conditions come over somebody: ladders, categories, durations, what they bring (woa.condition.*)."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions.durations import for_rounds, last_round_of
from affray.engine.dialects.woa.conditions.fear import source_defeated
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.fight.memory import per_fight
from affray.engine.rules.damage.injury import end_other_states
from affray.engine.rules.gear.let_go import drop_all
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

CATEGORIES = "woa.condition.category-severest"
#: Ladders on which a further dose of the same category is one step worse, by the topic that says so.
LADDERS = ("woa.condition.fear.cumulative", "woa.condition.fatigue.cumulative")
#: Conditions that go over by themselves where nothing says how long they last.
PASSING = frozenset({"staggered", "dazed", "stunned"})
#: Distress, which has causes of its own.
DISTRESS = frozenset({"sickened", "nauseated", "incapacitated"})
PASSED_OUT = "passed out"


@per_fight()
def severity_ranks(fight: Fight) -> dict[str, tuple[str, int]]:
    """Return, for each condition of a category, the category and how severe it is in it, 0 the mildest.

    "a = b" are equals; what stands in brackets are forms of it (woa.condition.category-severest).
    """
    found: dict[str, tuple[str, int]] = {}
    for category, row in fight.figure(CATEGORIES).items():
        for rank, words in enumerate(row if isinstance(row, list) else ()):
            names = str(words).partition(" (")[0].split(" = ")
            forms = str(words).partition("(")[2].split()[:1]
            found.update(dict.fromkeys((*names, *forms), (category, rank)))
    return found


def severest_of_category(fight: Fight, parts: Sequence[Modifier]) -> tuple[Sequence[Modifier], bool]:
    """Return the parts, those denied that a worse condition of the category supersedes.

    Also whether conditions of several categories count at once, so that they stack (woa.condition.stacking).
    """
    known = severity_ranks(fight)
    worst: dict[str, tuple[int, str]] = {}
    for part in parts:
        place = known.get(part.source)
        if place is not None and not part.denied:
            worst[place[0]] = max(worst.get(place[0], (-1, "")), (place[1], part.source))
    if not worst:
        return parts, False
    made = []
    for part in parts:
        place = known.get(part.source)
        if place is not None and not part.denied and place[1] < worst[place[0]][0]:
            why = f"superseded by {worst[place[0]][1]} ({fight.rule(CATEGORIES)})"
            part = replace(part, denied=why)
        made.append(part)
    return made, len(worst) > 1


def gain(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Give a condition: on its ladder, for its time, with all that it brings along.

    A condition that is held already lasts as long as the longer of both.
    """
    combatant = fight.combatant(fact.who)
    if "dead" in combatant.conditions:
        return
    for topic in LADDERS:
        ladder = fight.figure(topic)
        if fact.condition in ladder:
            stepped = yield from step_up(fight, combatant, fact, topic, ladder)
            if stepped is None:
                return
            fact = stepped
    if fact.condition in PASSING and not fact.until.when:
        topic = "woa.condition.inability.duration"
        rounds = fight.figure(topic, "rounds")
        cites = (*fact.cites, fight.rule(topic))
        fact = replace(fact, until=for_rounds(fight, combatant, rounds), cites=cites)
    held = combatant.conditions.get(fact.condition)
    if held is not None and last_round_of(held.until) >= last_round_of(fact.until):
        return
    yield fact
    yield from bring_consequences(fight, combatant, fact.condition)


def start(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let a combatant enter under a condition, with what comes with it but for what its hands lose."""
    yield fact
    if fact.condition in ("incapacitated", "enervated"):
        yield from bring_consequences(fight, fight.combatant(fact.who), fact.condition)


def step_up(
    fight: Fight, combatant: Combatant, fact: ConditionGained, topic: str, ladder: Sequence[str]
) -> Steps[ConditionGained | None]:
    """Return what a further dose makes of a condition of the same ladder; None when it makes no difference.

    As bad as the one held or milder, it makes that one step worse; the same source does so only once for fear
    (woa.condition.fear.cumulative, woa.condition.fatigue.cumulative).
    """
    has = next((name for name in reversed(ladder) if name in combatant.conditions), "")
    if not has or ladder.index(fact.condition) > ladder.index(has):
        return fact
    rule = fight.rule(topic)
    same = combatant.conditions[has].source == fact.source
    worse = ladder[min(ladder.index(has) + 1, len(ladder) - 1)]
    if worse == has or (same and topic == LADDERS[0]):
        yield RuleApplied(who=combatant.id, what=f"is {has} already", cites=(rule,))
        return None
    yield ConditionLost(who=combatant.id, condition=has, why=worse, cites=(rule,))
    return replace(fact, condition=worse, cites=tuple(dict.fromkeys((*fact.cites, rule))))


def bring_consequences(fight: Fight, combatant: Combatant, condition: str) -> Steps[None]:
    """Bring about what comes with a condition: dropped things, falls, the enervated passing out.

    woa.condition.stunned, .panicked, .incapacitated, .enervated, .paralyzed.flyer, .paralyzed.swimmer
    """
    rule = rule_of(fight, condition)
    if rule.empties:
        yield from drop_all(fight, combatant, (fight.rule(rule.topic),))
    if condition == "unconscious" and "prone" not in combatant.conditions and not combatant.mount:
        yield ConditionGained(
            who=combatant.id, condition="prone", source=condition, cites=fight.rules(rule.topic)
        )
    if condition == "dead":
        yield from end_other_states(combatant, condition, (fight.rule(rule.topic),))
        yield from source_defeated(fight, combatant)
    if condition == "incapacitated" and "prone" not in combatant.conditions:
        cites = fight.rules("woa.condition.incapacitated")
        yield ConditionGained(who=combatant.id, condition="prone", source=condition, cites=cites)
    elif condition == "enervated" and PASSED_OUT not in combatant.conditions:
        cites = fight.rules("woa.condition.enervated")
        yield ConditionGained(who=combatant.id, condition=PASSED_OUT, source=condition, cites=cites)
        yield from drop_all(fight, combatant, cites)
        if "prone" not in combatant.conditions and not combatant.mount:  # woa.mount.rider-unconscious
            yield ConditionGained(who=combatant.id, condition="prone", source=PASSED_OUT, cites=cites)
    elif condition == "paralyzed":
        yield from stop_moving(fight, combatant)


def stop_moving(fight: Fight, victim: Combatant) -> Steps[None]:
    """Let a paralyzed flyer fall from the air and a swimmer sink (woa.condition.paralyzed.flyer, .swimmer).

    How far the fall is, the game master declares; whether somebody drowns is for the game master too.
    """
    if "flying" in victim.conditions and victim.sheet.fly:
        cites = fight.rules("woa.condition.paralyzed.flyer")
        yield ConditionLost(who=victim.id, condition="flying", why="cannot beat its wings", cites=cites)
        if "prone" not in victim.conditions:
            yield ConditionGained(who=victim.id, condition="prone", source="falls from the air", cites=cites)
    if "swimming" in victim.conditions:
        rule = fight.rule("woa.condition.paralyzed.swimmer")
        yield ConditionLost(who=victim.id, condition="swimming", why="cannot swim", cites=(rule,))
        question = f"{victim.id} is paralyzed in the water: does it go under?"
        if (yield Choice("", "drown", question, ("goes under", "floats"), rule)) == "goes under":
            yield ConditionGained(who=victim.id, condition="drowning", source="paralyzed", cites=(rule,))


def milder_condition(fight: Fight, condition: str, steps: int = 1) -> str:
    """Return the condition so many steps milder (below 0: worse) in its category, "" beyond the mildest.

    Beyond the worst it is the worst.
    """
    known = severity_ranks(fight)
    if condition not in known:
        return "" if steps > 0 else condition
    category, rank = known[condition]
    names = {place[1]: name for name, place in reversed(known.items()) if place[0] == category}
    wanted = rank - steps
    return names.get(min(wanted, max(names)), "") if wanted >= 0 else ""
