"""D20 Tests: attack rolls, ability checks and saving throws, with Advantage and Disadvantage.

Each source of Advantage or Disadvantage is a part of the sum without a value, so that the log names it with
its rule; sources of both leave neither (srd52.test.advantage-cancel).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from affray.engine.dialects.srd52.classes import (
    ability_of_skill,
    fields_of,
    is_proficient,
    proficiency,
    save_parts,
    skill_parts,
)
from affray.engine.dialects.srd52.conditions import (
    FAILED_SAVES,
    OLDER_TABLE,
    ON_CHECKS,
    ON_SAVES,
    is_charmed_by,
    levels_of,
)
from affray.engine.dialects.srd52.features import ask, ask_all, is_settled, parts_of
from affray.engine.dialects.srd52.senses import in_sight
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Each, per_sum
from affray.engine.kernel.checks import FOR_GOOD
from affray.engine.kernel.sheets import score_of
from affray.engine.modifiers import affected_parts, effect_parts
from affray.engine.steps import Choice, Roll, Steps, judged, unknown_word
from affray.events.facts.combat import (
    AttackResolved,
    CheckResolved,
    CounterChanged,
    EffectEnded,
    EffectGained,
    Until,
)
from affray.events.facts.sheet import SCORES, Modifier
from affray.projections.state import Combatant

T = TypeVar("T")
ADVANTAGE: Final = "advantage"
DISADVANTAGE: Final = "disadvantage"


def source(fight: Fight, topic: str, path: str, what: str) -> Modifier:
    """Return a source of what the rule says there, Advantage or Disadvantage."""
    return Modifier(0, str(fight.figure(topic, path)).split()[0], what, fight.rule(topic))


@per_sum(Each("parts"))
def dice_of(
    fight: Fight, parts: Sequence[Modifier]
) -> tuple[str, tuple[Modifier, ...], int, tuple[str, ...]]:
    """Return the dice of a test, its parts and their sum, and the rules on what Advantage does here.

    With sources of both, all of them are denied, however many there are of each; several of one are no more.
    """
    kinds = [one.kind for one in parts if not one.denied]
    total = sum(one.value for one in parts if not one.denied)
    many = {kind: kinds.count(kind) for kind in (ADVANTAGE, DISADVANTAGE)}
    if many[ADVANTAGE] and many[DISADVANTAGE]:
        uneven = many[ADVANTAGE] != many[DISADVANTAGE]
        rules = fight.rules("test.advantage-cancel", *(["test.advantage-cancel-uneven"] if uneven else []))
        other = {ADVANTAGE: "Disadvantage", DISADVANTAGE: "Advantage"}
        made = tuple(
            replace(one, denied=f"cancelled by {other[one.kind]} ({rules[0]})")
            if one.kind in other and not one.denied
            else one
            for one in parts
        )
        return "1d20", made, total, rules
    for kind, keep in ((ADVANTAGE, "kh1"), (DISADVANTAGE, "kl1")):
        if many[kind]:
            topics, dice = [f"test.{kind}"], fight.figure(f"test.{kind}", "dice")
            if many[kind] > 1:
                topics.append("test.advantage-no-stack")
                dice = fight.figure("test.advantage-no-stack", "max_dice")
            return f"{dice}d20{keep}", tuple(parts), total, fight.rules(*topics)
    return "1d20", tuple(parts), total, ()


def exhaustion(fight: Fight, combatant: Combatant, test: str = "check") -> Iterable[Modifier]:
    """Yield what Exhaustion takes off every D20 Test: a "check", an "attack" or a "save".

    By the older table it is Disadvantage, on checks before the others.
    """
    level = levels_of(combatant)
    if fight.option("exhaustion") == OLDER_TABLE:
        least = fight.figure("conditions.exhaustion-cumulative", "older_table")
        if level >= least["checks" if test == "check" else "attacks_and_saves"]:
            rule = fight.rule("conditions.exhaustion-d20")
            yield Modifier(0, DISADVANTAGE, f"exhaustion {level}", rule)
    elif level:
        rule = fight.rule("conditions.exhaustion-d20")
        value = level * fight.figure("conditions.exhaustion-d20", "per_level")
        yield Modifier(value, "condition", f"exhaustion {level}", rule)


def rolled_parts(fight: Fight, combatant: Combatant, test: str) -> Steps[list[Modifier]]:
    """Roll the dice that features add to a test ("attack", "save", or a skill), or take off it."""
    made = []
    for function, held in ask(fight, combatant, "extra_die"):
        notation = function(fight, held, test)
        if notation:
            rolled = yield Roll(combatant.id, "bonus-die", notation.removeprefix("-"))
            value = -rolled.total if notation.startswith("-") else rolled.total
            made.append(Modifier(value, "die", held.name, fight.rule(held.feature.topic)))
    return made


def no_automatic_result(fight: Fight, purpose: str, cites: Collection[str]) -> tuple[int, int]:
    """Return the faces that decide by themselves: those of attack rolls (srd52.test.natural-roll-scope)."""
    if purpose != "attack":
        return 0, 0
    return fight.figure("attacks.natural-1", "die"), fight.figure("attacks.natural-20", "die")


# --- Rolling, and Heroic Inspiration

INSPIRATION: Final = "heroic inspiration"
"""The counter of a character that may reroll a die."""


def decide(
    fight: Fight,
    combatant: Combatant,
    purpose: str,
    result: Callable[..., T],
    dice: str = "1d20",
    settle: Callable[[str, int], Steps[T]] | None = None,
) -> Steps[T]:
    """Roll the dice of a test and return the resulting fact; with Heroic Inspiration a die may be rerolled.

    With Advantage or Disadvantage it replaces one of the two dice, which the roller picks. `settle` are steps
    between the roll and its result.
    """
    fates = ask_all(fight, "alters_test")
    if settle is None and not fates and not combatant.counters.get(INSPIRATION):
        return (yield from judged(combatant.id, purpose, result, dice))
    rolled = yield Roll(combatant.id, purpose, dice, result)
    key, natural = rolled.key, rolled.total
    face = None
    if combatant.counters.get(INSPIRATION):
        face = yield from inspired(fight, combatant, rolled.faces, purpose)
    if face is not None:
        others = list(rolled.faces)
        others.remove(face)
        best = max if "kh" in dice else min

        def again(key: str, new: int) -> T:
            return result(key, best((new, *others)))

        second = yield Roll(combatant.id, purpose, "1d20", again)
        natural = best((second.total, *others))
        # The roll that shows the result, if one does: the worse die of the two may have been rerolled.
        shown = {second.total: second.key, rolled.total: key}
        key = second.key if natural == second.total else shown.get(natural, "")
    fact = result(key, natural) if settle is None else (yield from settle(key, natural))
    for function, held in fates:
        parts = yield from function(fight, held, combatant, succeeds(fact))
        fact = altered_by(fact, parts) if parts else fact
    yield fact
    return fact


def succeeds(fact: object) -> bool:
    """Return whether the test of a fact has succeeded."""
    return (
        fact.result != "miss" if isinstance(fact, AttackResolved) else bool(getattr(fact, "success", False))
    )


def altered_by(fact: T, parts: Sequence[Modifier]) -> T:
    """Return the fact of a test with more parts; what the face of the die decides stays."""
    more = sum(one.value for one in parts)
    if isinstance(fact, AttackResolved):
        total, attack = fact.total + more, (*fact.attack, *parts)
        if fact.natural in SURE:
            return replace(fact, total=total, attack=attack)
        hit = total >= fact.needed
        result = fact.result.replace("miss", "hit") if hit else "miss"
        why = f"{total} reaches {fact.needed}" if hit else f"{total} falls short of {fact.needed}"
        return replace(fact, total=total, result=result, why=why, attack=attack)
    if isinstance(fact, CheckResolved):
        total = fact.total + more
        sure = fact.check == "death save" and fact.natural in SURE
        success = fact.success if sure else total >= fact.dc
        return replace(fact, total=total, success=success, parts=(*fact.parts, *parts))
    return fact


SURE: Final = (1, 20)
"""The faces that decide attack rolls and death saves."""


def inspired(fight: Fight, combatant: Combatant, faces: Sequence[int], purpose: str) -> Steps[int | None]:
    """Ask whether Heroic Inspiration rerolls one of these dice; return its face, or None to keep them."""
    rule = fight.rule("test.heroic-inspiration")
    options = ("keep", *(str(face) for face in sorted(set(faces))))
    question = f"{combatant.id} rolled {', '.join(map(str, faces))} for {purpose}: which does it reroll?"
    answer = yield Choice(combatant.id, "inspiration", question, options, rule)
    if answer == "keep":
        return None
    cites = (rule, *fight.rules(*(["test.advantage-reroll"] if len(faces) > 1 else [])))
    left = combatant.counters[INSPIRATION] - 1
    yield CounterChanged(who=combatant.id, counter=INSPIRATION, value=left, cites=cites)
    return int(answer)


def inspire(fight: Fight, combatant: Combatant, *cites: str) -> Steps[None]:
    """Give a character Heroic Inspiration; one too many is lost unless it hands that to another character."""
    most, rule = fight.figure("test.heroic-inspiration-one", "max"), fight.rule("test.heroic-inspiration-one")
    if combatant.counters.get(INSPIRATION, 0) >= most:
        heirs = [
            one.id
            for one in fight.allies(combatant)
            if fields_of(fight, one).character and not one.counters.get(INSPIRATION)
        ]
        if not heirs:
            return
        question = f"{combatant.id} has Heroic Inspiration already: who gets the new one?"
        answer = yield Choice(combatant.id, "hand over", question, (*heirs, "lost"), rule)
        if answer == "lost":
            return
        combatant = fight.combatant(answer)
    value = combatant.counters.get(INSPIRATION, 0) + 1
    yield CounterChanged(who=combatant.id, counter=INSPIRATION, value=value, cites=(*cites, rule))


# --- Armor

PHYSICAL: Final = ("str", "dex")
"""The abilities whose tests armor without training hampers."""


def hampered_by_armor(
    fight: Fight, combatant: Combatant, ability_name: str, skill: str = ""
) -> Iterator[Modifier]:
    """Yield what worn armor does to a test: without training to Strength and Dexterity, noisy to Stealth."""
    for one in combatant.sheet.worn:
        if combatant.items.get(one.name) == "doffed":
            continue
        if not one.proficient and one.kind == "armor" and ability_name in PHYSICAL:
            yield source(fight, "gear.armor-untrained", "str_dex_d20", f"{one.name} without training")
        if "noisy" in one.traits and skill == "stealth":
            yield source(fight, "gear.armor-stealth", "stealth", one.name)


# --- Checks and saving throws


class Trial(Struct, frozen=True, gc=False):
    """A check or save to be made: its name, its DC, what it is for, and why it fails without a roll.

    kind: "save"; "" for a check.
    tool: what a check is made with.
    against: the other side of a contest.
    """

    kind: str
    name: str
    number: int
    why: str
    fails: str
    cites: tuple[str, ...]
    tool: str = ""
    against: str = ""


def resolve(
    fight: Fight, combatant: Combatant, trial: Trial, parts: Iterable[Modifier]
) -> Steps[CheckResolved]:
    """Roll a check or save against its DC, unless it fails without a roll; a total of the DC succeeds."""
    name = trial.name
    extra = [] if trial.fails else (yield from rolled_parts(fight, combatant, trial.kind or name))
    given = list(
        affected_parts(
            combatant, name, [*parts, *extra, *exhaustion(fight, combatant, trial.kind or "check")]
        )
    )
    dice, listed, total, rules = dice_of(fight, given)
    topics = ["test.meets-beats", "test.target-numbers", *(["test.kinds"] if levels_of(combatant) else [])]
    basics = fight.rules(*topics)
    scope = fight.rules("test.natural-roll-scope")

    def result(key: str, natural: int) -> CheckResolved:
        extreme = scope if natural in (1, 20) else ()
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
            against=trial.against or UNSET,
            cites=(*trial.cites, *rules, *basics, *extreme),
        )

    if trial.fails:
        failed = result("", 0)
        yield failed
        return failed
    fact = yield from decide(fight, combatant, name.replace(".", "-"), result, dice)
    yield from use_up(fight, combatant, (name, trial.tool))
    return fact


def for_one_roll(
    holder: Combatant, id: str, stat: str, modifier: Modifier, until: Until = FOR_GOOD, against: str = ""
) -> EffectGained:
    """Return the fact that a modifier counts for the holder's next roll of a kind."""
    cites = (modifier.rule,)
    return EffectGained(
        who=holder.id, id=id, stat=stat, modifier=modifier, until=until, against=against, uses=1, cites=cites
    )


def use_up(fight: Fight, holder: Combatant, stats: Sequence[str], against: str = "") -> Steps[None]:
    """End the effects that count for one roll, which has been made."""
    for effect in holder.effects:
        if effect.uses and effect.stat in stats and effect.against in ("", against):
            cites = (effect.modifier.rule,) if effect.modifier.rule else ()
            yield EffectEnded(who=holder.id, id=effect.id, why="it has counted for a roll", cites=cites)


def sources_for_checks(fight: Fight, combatant: Combatant) -> Iterable[Modifier]:
    """Yield what conditions do to ability checks."""
    for name, topic, path, sighted in ON_CHECKS:
        if name in combatant.conditions and (not sighted or source_in_sight(fight, combatant, name)):
            yield source(fight, topic, path, name)


def source_in_sight(fight: Fight, combatant: Combatant, condition: str) -> bool:
    """Return whether the cause of a condition is a combatant in line of sight, or none of the combatants."""
    cause = fight.state.combatants.get(combatant.conditions[condition].source)
    return cause is None or in_sight(fight, combatant, cause)


SOCIAL: Final = ("deception", "intimidation", "performance", "persuasion")
"""The skills of social ability checks."""

SENSES: Final = {
    "sight": ("blinded", "conditions.blinded-sight"),
    "hearing": ("deafened", "conditions.deafened"),
}
"""The condition under which a check that relies on a sense fails."""


def check(
    fight: Fight,
    combatant: Combatant,
    skill: str,
    number: int,
    *sources: Modifier,
    why: str = "",
    sense: str = "",
    tool: str = "",
    against: str = "",
    cites: tuple[str, ...],
) -> Steps[bool]:
    """Make an ability check with a skill ("athletics"), or with an ability ("str"), against a DC.

    It may rely on a `sense`, or be made with a `tool`.
    """
    parts = [*sources, *tool_parts(fight, combatant, skill, tool)]
    if len(parts) > len(sources) and is_proficient(fight, combatant, skill):
        cites = (*cites, fight.rule("test.proficiency-once"))
    parts += effect_parts(combatant, tool, "") if tool else []
    trial = Trial("", skill, number, why, missing(fight, combatant, skill, sense), cites, tool, against)
    return (yield from ability_check(fight, combatant, trial, parts, sense)).success


def total_of_check(
    fight: Fight,
    combatant: Combatant,
    skill: str,
    number: int,
    *,
    why: str = "",
    against: str = "",
    cites: tuple[str, ...],
) -> Steps[int]:
    """Make an ability check and return its total, 0 if it fails without a roll."""
    trial = Trial("", skill, number, why, missing(fight, combatant, skill, ""), cites, against=against)
    fact = yield from ability_check(fight, combatant, trial, (), "")
    return fact.total if fact.key else 0


def missing(fight: Fight, combatant: Combatant, skill: str, sense: str) -> str:
    """Return why a check fails without a roll: the creature lacks the ability, or the sense; "" if not."""
    name = ability_of_skill(fight, skill)
    if name in SCORES and score_of(combatant.sheet, name) is None:
        return f"{combatant.id} has no {SCORES[name]}"
    condition, _ = SENSES.get(sense, ("", ""))
    return f"{combatant.id} is {condition}" if condition in combatant.conditions else ""


def ability_of_check(fight: Fight, combatant: Combatant, skill: str) -> Steps[str]:
    """Return the ability of a check with a skill; one with features that offer others may choose."""
    usual = ability_of_skill(fight, skill)
    for function, held in ask(fight, combatant, "check_abilities"):
        options = [one for one in function(fight, held, skill) if one != usual]
        if options:
            question = f"with which ability does {combatant.id} try {skill}?"
            rule = fight.rule(held.feature.topic)
            usual = yield Choice(combatant.id, "ability", question, (*options, usual), rule)
    return usual


def ability_check(
    fight: Fight, combatant: Combatant, trial: Trial, sources: Iterable[Modifier], sense: str
) -> Steps[CheckResolved]:
    """Make an ability check with a skill, or with an ability."""
    skill, topics = trial.name, list[str]()
    name = yield from ability_of_check(fight, combatant, skill)
    condition, topic = SENSES.get(sense, ("", ""))
    topics += [topic] if condition in combatant.conditions else []
    if skill not in SCORES and not is_proficient(fight, combatant, skill):
        topics.append("test.check-unskilled")
    parts = [
        *skill_parts(fight, combatant, skill, name),
        *sources_for_checks(fight, combatant),
        *parts_of(fight, combatant, "on_check", skill),
        *hampered_by_armor(fight, combatant, name, skill),
        *sources,
    ]
    if name != ability_of_skill(fight, skill):
        parts = list(dict.fromkeys([*parts, *parts_of(fight, combatant, "on_check", name)]))
    trial = replace(trial, cites=(*trial.cites, *fight.rules(*topics)))
    return (yield from resolve(fight, combatant, trial, parts))


def tool_parts(fight: Fight, combatant: Combatant, skill: str, tool: str) -> Iterator[Modifier]:
    """Yield what proficiency with a tool adds to a check: the bonus, or Advantage with a proficient skill."""
    own = fields_of(fight, combatant)
    if tool in own.items and ability_of_skill(fight, skill) == "str":
        if tool == "crowbar":
            yield source(fight, "gear.crowbar", "effect", tool)
        if tool == "portable ram":
            yield Modifier(fight.figure("gear.ram", "bonus"), "gear", tool, fight.rule("gear.ram"))
    if tool not in own.tools:
        return
    if is_proficient(fight, combatant, skill):
        yield source(fight, "test.tool-and-skill", "both", tool)
    else:
        yield replace(proficiency(fight, combatant), source=tool, rule=fight.rule("test.tool-and-skill"))


def charm_part(fight: Fight, actor: Combatant, target: Combatant, skill: str) -> list[Modifier]:
    """Return the Advantage of a charmer's social check on the charmed, as a part or none."""
    if skill not in SOCIAL or not is_charmed_by(target, actor):
        return []
    return [source(fight, "conditions.charmed-social", "charmer", f"{target.id} is charmed")]


AGAINST_POISON: Final = "save against poison"
"""The stat of an effect on saves to avoid or end being Poisoned."""


def save(
    fight: Fight,
    combatant: Combatant,
    name: str,
    number: int,
    *sources: Modifier,
    against: frozenset[str] = frozenset(),
    why: str = "",
    willing: bool = False,
    cites: tuple[str, ...],
) -> Steps[bool]:
    """Make a saving throw with an ability ("dex") against a DC; return whether it succeeds.

    The `willing` fail without a roll.
    against: what it is made against, for features that say so: "spell", "magic", a condition.
    """
    if name not in SCORES:
        raise unknown_word("ability", name, SCORES, fight.rule("test.save-ability"))
    fails = ""
    if willing:
        fails = f"{combatant.id} does not resist"
        cites = (*cites, fight.rule("test.save-voluntary-failure"))
    if score_of(combatant.sheet, name) is None:
        fails = f"{combatant.id} has no {SCORES[name]}"
        cites = (*cites, fight.rule("test.save-missing-score"))
        if combatant.sheet.kind == "object":
            cites = (*cites, fight.rule("damage.object-no-scores"))
    for condition, topic in FAILED_SAVES:
        if condition in combatant.conditions and fight.figure(topic).get(name) == "fail":
            fails, cites = f"{combatant.id} is {condition}", (*cites, fight.rule(topic))
    parts = [
        *save_parts(fight, combatant, name),
        *parts_of(fight, combatant, "on_save", name, against),
        *hampered_by_armor(fight, combatant, name),
        *sources,
    ]
    for condition, ability_name, topic, path in ON_SAVES:
        if ability_name == name and condition in combatant.conditions:
            parts.append(source(fight, topic, path, condition))
    if "poisoned" in against:
        parts += effect_parts(combatant, AGAINST_POISON, "")
    trial = Trial("save", f"save.{name}", number, why, fails, cites)
    if (yield from resolve(fight, combatant, trial, parts)).success:
        return True
    return not willing and (yield from is_settled(fight, combatant, "after_failed_save", name, against))
