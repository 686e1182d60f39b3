"""D20 Tests: attack rolls, ability checks and saving throws, with Advantage and Disadvantage.

Each source of Advantage or Disadvantage is a part of the sum without a value, so that the log names it with
its rule; sources of both leave neither (srd52.test.advantage-cancel).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.srd52.classes import ability, ability_of_skill, save_parts, skill_parts
from affray.engine.dialects.srd52.conditions import FAILED_SAVES, ON_CHECKS, ON_SAVES, levels_of
from affray.engine.dialects.srd52.features import ask, parts_of
from affray.engine.dialects.srd52.senses import in_sight
from affray.engine.fight.fight import Fight
from affray.engine.kernel.sheets import score_of
from affray.engine.modifiers import affected_parts
from affray.engine.steps import Roll, Steps, judged
from affray.events.facts.combat import CheckResolved, EffectEnded
from affray.events.facts.sheet import SCORES, Modifier
from affray.projections.state import Combatant, Effect

ADVANTAGE: Final = "advantage"
DISADVANTAGE: Final = "disadvantage"


def source(fight: Fight, topic: str, path: str, what: str) -> Modifier:
    """Return a source of what the rule says there, Advantage or Disadvantage."""
    return Modifier(0, str(fight.figure(topic, path)).split()[0], what, fight.rule(topic))


def dice_of(fight: Fight, parts: Sequence[Modifier]) -> tuple[str, tuple[Modifier, ...], tuple[str, ...]]:
    """Return the dice of a test, its parts, and the rules on what Advantage and Disadvantage do here.

    With sources of both, all of them are denied.
    """
    kinds = {one.kind for one in parts if not one.denied}
    if ADVANTAGE in kinds and DISADVANTAGE in kinds:
        rule = fight.rule("test.advantage-cancel")
        denied = f"Advantage and Disadvantage cancel ({rule})"
        both = (ADVANTAGE, DISADVANTAGE)
        made = tuple(replace(one, denied=denied) if one.kind in both else one for one in parts)
        return "1d20", made, (rule,)
    for kind, keep in ((ADVANTAGE, "kh1"), (DISADVANTAGE, "kl1")):
        if kind in kinds:
            return (
                f"{fight.figure(f'test.{kind}', 'dice')}d20{keep}",
                tuple(parts),
                fight.rules(f"test.{kind}"),
            )
    return "1d20", tuple(parts), ()


def exhaustion(fight: Fight, combatant: Combatant) -> Iterable[Modifier]:
    """Yield what Exhaustion takes off every D20 Test."""
    if level := levels_of(combatant):
        rule = fight.rule("conditions.exhaustion-d20")
        value = level * fight.figure("conditions.exhaustion-d20", "per_level")
        yield Modifier(value, "condition", f"exhaustion {level}", rule)


def rolled_parts(fight: Fight, combatant: Combatant, test: str) -> Steps[list[Modifier]]:
    """Roll the dice that features add to a test ("attack", "save", or a skill), or take off it."""
    made = []
    for function, held in list(ask(fight, combatant, "extra_die")):
        notation = function(fight, held, test)
        if notation:
            rolled = yield Roll(combatant.id, "extra-die", notation.removeprefix("-"))
            value = -rolled.total if notation.startswith("-") else rolled.total
            made.append(Modifier(value, "die", held.name, fight.rule(held.feature.topic)))
    return made


def no_automatic_result(fight: Fight, purpose: str, cites: Collection[str]) -> tuple[int, int]:
    """Return the faces that decide by themselves: those of attack rolls (srd52.test.natural-roll-scope)."""
    if purpose != "attack":
        return 0, 0
    return fight.figure("attacks.natural-1", "die"), fight.figure("attacks.natural-20", "die")


# --- Checks and saving throws


class Trial(Struct, frozen=True, gc=False):
    """A check or save to be made: its name, its DC, what it is for, and why it fails without a roll.

    kind: "save"; "" for a check.
    """

    kind: str
    name: str
    number: int
    why: str
    fails: str
    cites: tuple[str, ...]


def resolve(fight: Fight, combatant: Combatant, trial: Trial, parts: Iterable[Modifier]) -> Steps[bool]:
    """Roll a check or save against its DC, unless it fails without a roll."""
    name = trial.name
    extra = [] if trial.fails else (yield from rolled_parts(fight, combatant, trial.kind or name))
    given = list(affected_parts(combatant, name, [*parts, *extra, *exhaustion(fight, combatant)]))
    dice, listed, rules = dice_of(fight, given)
    total = sum(one.value for one in listed if not one.denied)

    def result(key: str, natural: int) -> CheckResolved:
        return CheckResolved(
            who=combatant.id,
            check=name,
            key=key,
            natural=natural,
            total=natural + total,
            dc=trial.number,
            success=not trial.fails and natural + total >= trial.number,
            parts=listed,
            why=trial.fails or trial.why,
            cites=(*trial.cites, *rules),
        )

    if trial.fails:
        yield result("", 0)
        return False
    fact = yield from judged(combatant.id, name.replace(".", "-"), result, dice)
    for effect in combatant.effects:
        if effect.uses and effect.stat == name:
            yield EffectEnded(
                who=combatant.id, id=effect.id, why="it has counted for a roll", cites=cites_of(effect)
            )
    return fact.success


def cites_of(effect: Effect) -> tuple[str, ...]:
    """Return the rule of an effect as a citation."""
    return (effect.modifier.rule,) if effect.modifier.rule else ()


def sources_for_checks(fight: Fight, combatant: Combatant) -> Iterable[Modifier]:
    """Yield what conditions do to ability checks."""
    for name, topic, path, sighted in ON_CHECKS:
        if name in combatant.conditions and (not sighted or source_in_sight(fight, combatant, name)):
            yield source(fight, topic, path, name)


def source_in_sight(fight: Fight, combatant: Combatant, condition: str) -> bool:
    """Return whether the cause of a condition is a combatant in line of sight, or none of the combatants."""
    cause = fight.state.combatants.get(combatant.conditions[condition].source)
    return cause is None or in_sight(fight, combatant, cause)


def check(
    fight: Fight,
    combatant: Combatant,
    skill: str,
    number: int,
    *sources: Modifier,
    why: str = "",
    cites: tuple[str, ...],
) -> Steps[bool]:
    """Make an ability check with a skill ("athletics"), or with an ability ("str"), against a DC."""
    own = [ability(fight, combatant, skill)] if skill in SCORES else [*skill_parts(fight, combatant, skill)]
    wrong = score_of(combatant.sheet, ability_of_skill(fight, skill)) is None
    fails = f"{combatant.id} has no {SCORES[ability_of_skill(fight, skill)]}" if wrong else ""
    parts = [
        *own,
        *sources_for_checks(fight, combatant),
        *parts_of(fight, combatant, "on_check", skill),
        *sources,
    ]
    return (yield from resolve(fight, combatant, Trial("", skill, number, why, fails, cites), parts))


def save(
    fight: Fight,
    combatant: Combatant,
    name: str,
    number: int,
    *sources: Modifier,
    against: frozenset[str] = frozenset(),
    why: str = "",
    cites: tuple[str, ...],
) -> Steps[bool]:
    """Make a saving throw with an ability ("dex") against a DC; return whether it succeeds.

    against: what it is made against, for features that say so: "spell", "magic", a condition.
    """
    fails = ""
    if score_of(combatant.sheet, name) is None:
        fails, cites = (
            f"{combatant.id} has no {SCORES[name]}",
            (*cites, fight.rule("test.save-missing-score")),
        )
    for condition, topic in FAILED_SAVES:
        if condition in combatant.conditions and fight.figure(topic).get(name) == "fail":
            fails, cites = f"{combatant.id} is {condition}", (*cites, fight.rule(topic))
    parts = [
        *save_parts(fight, combatant, name),
        *parts_of(fight, combatant, "on_save", name, against),
        *sources,
    ]
    for condition, ability_name, topic, path in ON_SAVES:
        if ability_name == name and condition in combatant.conditions:
            parts.append(source(fight, topic, path, condition))
    trial = Trial("save", f"save.{name}", number, why, fails, cites)
    if (yield from resolve(fight, combatant, trial, parts)):
        return True
    for function, held in list(ask(fight, combatant, "after_failed_save")):
        if (yield from function(fight, held, name, against)):
            return True
    return False
