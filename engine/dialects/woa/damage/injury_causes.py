"""Injuries: what causes one, the roll, and what it does (woa.injury.*)."""

from affray.engine.dialects.woa.conditions.durations import for_rounds
from affray.engine.dialects.woa.damage.bleeding import open_wound
from affray.engine.dialects.woa.damage.fallen import fall_unconscious
from affray.engine.dialects.woa.damage.injury_table import (
    Injury,
    closest_row,
    entry_for,
    injury_fits,
    injury_rows,
    parts_of,
    row_named,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.steps import Choice, Roll, Steps, unknown_word
from affray.events.facts.combat import ConditionGained, InjurySuffered
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

MEDIUM = 4
#: Causes of injury, as the list of causes names them.
STAGGERED = "staggering blow with failed save"
DROPPED = "dropping to 0 hit points or below"
CALLED = "called shot that hits"
FALL = "damage from a fall"
#: Causes as the game master's hazards name them: the topic, and the entry in the list of causes.
CAUSES = {
    "hazard": ("woa.injury.cause.hazard", "certain other environmental hazards"),
    "trap": ("woa.injury.cause.trap", "traps and devices"),
    "other": ("woa.injury.cause.other", "other circumstances"),
}
#: The words by which a row says that a cause makes no sense for it.
WORDS = {FALL: "fall"}


def way_of_injury(fight: Fight, cause: str) -> tuple[str, tuple[str, ...]]:
    """Return how a cause injures ("random ...", "specific", "per ...") and the rules that say so.

    woa.injury.random-or-specific, woa.injury.table-modes
    """
    words = str(fight.figure("woa.injury.random-or-specific", f"cause={cause}", "injury"))
    return words, fight.rules("woa.injury.random-or-specific", "woa.injury.table-modes")


def random_injury(
    fight: Fight,
    target: Combatant,
    harm: Harm,
    topics: tuple[str, ...],
    cause: str,
    part: str = "",
    *extra: Modifier,
) -> Steps[None]:
    """Roll a random injury: 1d10 + damage (by size), +10 at 0 or less, -10 if nonlethal (woa.injury.*).

    With a `part` the nearest entry that fits it; what makes no sense gives way to the nearest that does, as
    the game master finds.
    """
    cites = [*fight.rules(*topics), *way_of_injury(fight, cause)[1], fight.rule("woa.injury.random")]
    if cause in (STAGGERED, DROPPED):
        cites.append(fight.rule("woa.hp.loss-consequences"))
    rolled = yield Roll(target.id, "injury", str(fight.figure("woa.injury.random", "formula")).split()[0])
    parts = [*injury_parts(fight, target, harm, cites), *extra]
    if len(parts) > 2:
        cites.append(fight.rule("woa.injury.roll.modifiers"))
        if not fight.figure("woa.injury.roll.modifiers", "cumulative"):
            parts = [parts[0], max(parts[1:], key=lambda one: abs(one.value))]
    number = rolled.total + sum(one.value for one in parts)
    row = yield from row_for_part(fight, target, number, cause, part, cites)
    if row is None:
        yield RuleApplied(
            who=target.id,
            what=f"injury {number}: not printed, for the game master to rule",
            cites=(*cites, fight.rule("woa.injury.table")),
        )
        return
    yield from suffer_injury(fight, target, row, number, rolled.key, tuple(parts), *cites)


def injury_parts(fight: Fight, target: Combatant, harm: Harm, cites: list[str]) -> list[Modifier]:
    """Return what is added to the roll; `cites` gets the rules that had a part in it."""
    amount, step = damage_part_by_size(fight, target, harm.amount)
    source = f"damage {harm.amount}"
    if step < -1:
        source += f" (injury_roll_size: {fight.option('injury_roll_size')})"
    parts = [Modifier(amount, "damage", source, fight.rule("woa.injury.random"))]
    if step:
        cites.append(fight.rule("woa.injury.roll.size"))
    if target.hp <= 0:
        parts.append(
            fight.modifier("woa.injury.roll.zero-hp", "modifier", kind="circumstance", source="at 0 or less")
        )
        cites += fight.rules("woa.injury.roll.zero-hp", "woa.injury.cause.total-hp-loss")
    if harm.nonlethal:
        parts.append(
            fight.modifier("woa.injury.roll.nonlethal", "modifier", kind="penalty", source="nonlethal")
        )
        cites += fight.rules(
            "woa.injury.roll.nonlethal", "woa.nonlethal.less-injury", "woa.nonlethal.can-kill"
        )
    return parts


def row_for_part(
    fight: Fight, target: Combatant, number: int, cause: str, part: str, cites: list[str]
) -> Steps[Injury | None]:
    """Return the row that a number means for that part, None for one that is not printed.

    woa.injury.random-body-part, woa.injury.random-nonsense, woa.injury.not-listed
    """
    word = WORDS.get(cause, cause)
    if part:
        cites.append(fight.rule("woa.injury.random-body-part"))
        if part not in parts_of(fight):
            rule = fight.rule("woa.injury.not-listed")
            question = f"the {part} of {target.id} is injured: what is it most like?"
            part = yield Choice("", "like", question, parts_of(fight), rule)
            cites.append(rule)
        row = closest_row(fight, number, part, word)
        return row if row.part == part else None
    found = entry_for(fight, number)
    if found is None or injury_fits(fight, found, word, target):
        return found
    rule = fight.rule("woa.injury.random-nonsense")
    other = closest_row(fight, number, "", word, target)
    if other.name == found.name:
        return found
    question = f"{found.name} hardly suits what befell {target.id}: which injury is it?"
    answer = yield Choice("", "injury", question, (other.name, found.name), rule)
    cites.append(rule)
    return other if answer == other.name else found


def suffer_injury(
    fight: Fight,
    target: Combatant,
    row: Injury,
    number: int,
    key: str,
    parts: tuple[Modifier, ...],
    *cites: str,
) -> Steps[None]:
    """Give an injury and what it does: conditions, a bleeding wound."""
    rule = fight.rule("woa.injury.table")
    yield InjurySuffered(
        who=target.id,
        entry=number,
        name=row.name,
        key=key,
        assumed=row.assumed,
        parts=parts,
        cites=tuple(dict.fromkeys((*cites, rule))),
    )
    for condition, rounds in row.conditions.items():
        until = for_rounds(fight, target, rounds)
        fact = ConditionGained(
            who=target.id, condition=condition, source=row.name, until=until, cites=(rule,)
        )
        yield from fight.dialect.conditions.gain(fight, fact)
    if row.unconscious and not is_down(fight, target):
        yield from fall_unconscious(fight, target, row.name)
    if row.bleeding:
        yield from open_wound(fight, target, row.bleeding, row.name, rule)


def specific_injury(fight: Fight, target: Combatant, name: str, cause: str, source: str) -> Steps[None]:
    """Give a certain injury without a roll (woa.injury.specific), the most similar one for one not listed."""
    topic, words = CAUSES[cause]
    cites = [fight.rule(topic), *way_of_injury(fight, words)[1], fight.rule("woa.injury.specific")]
    row = row_named(fight, name)
    if row is None:
        rule = fight.rule("woa.injury.not-listed")
        names = tuple(one.name for one in sorted_by_likeness(fight, name))
        question = f"{source}: {name} is not on the table; what is it most like?"
        answer = yield Choice("", "like", question, names, rule)
        row = row_named(fight, answer)
        cites.append(rule)
    if row is not None:
        yield from suffer_injury(fight, target, row, max(row.entry, 0), "", (), *cites)


def sorted_by_likeness(fight: Fight, name: str) -> list[Injury]:
    """Return the rows that share most words with a name first, in the order of the table otherwise."""
    words = set(name.casefold().split())
    return sorted(injury_rows(fight), key=lambda row: -len(words & set(row.name.casefold().split())))


def refuse_unknown_part(fight: Fight, what: str) -> None:
    """Refuse a random injury to a part of the body that there is not."""
    kind, _, part = what.partition(" ")
    known = parts_of(fight)
    if kind == "random" and part and part not in known:
        rule = fight.rule("woa.injury.random-body-part")
        raise unknown_word("part of the body", part, known, rule)


def injury_by_hazard(fight: Fight, target: Combatant, harm: Harm, what: str, cause: str) -> Steps[None]:
    """Give the injury that a hazard brings: "random", "random hand", or one by its name."""
    topic, words = CAUSES[cause]
    if what == "random" or what.startswith("random "):
        yield from random_injury(fight, target, harm, (topic,), words, what[len("random ") :])
    else:
        yield from specific_injury(fight, target, what, cause, harm.source)


def damage_part_by_size(fight: Fight, target: Combatant, damage: int) -> tuple[int, int]:
    """Return the damage part of an injury roll and the size steps from Medium (woa.injury.roll.size).

    Doubled for each category below Medium (option `injury_roll_size`), halved for each above.
    """
    step = size_step(target) - MEDIUM
    if not step:
        return damage, 0
    below, above = str(fight.figure("woa.injury.roll.size", "damage_factor")).split(";")
    if step > 0:
        return damage // int(above.split()[0].lstrip("/")) ** step, step
    factor = int(below.split()[0].lstrip("x"))
    times = factor**-step if fight.option("injury_roll_size") == "compounds" else 1 - step * (factor - 1)
    return damage * times, step
