"""Resolve staggering blows, 0 hit points and below, injuries, and saves of the unconscious (woa.injury.*)."""

from msgspec import Struct

from affray.engine.book import PRINTED
from affray.engine.book.rules import split
from affray.engine.dialects.woa.classes.abilities import Saved, saving_throw
from affray.engine.dialects.woa.conditions.conditions import a_minute, for_rounds, last_round
from affray.engine.dialects.woa.damage.fallen import (
    SPENT,
    SPENT_BY_NONLETHAL,
    die,
    fall_unconscious,
    hit_points_as_modifier,
    holds_on,
)
from affray.engine.dialects.woa.movement.speed import ways_by_skill
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import Same, per_fight
from affray.engine.kernel.sheets import score_of
from affray.engine.record.blow import Harm
from affray.engine.record.chapters import Step
from affray.engine.rules.classes.sheets import ability_modifier, has_trait, size_step
from affray.engine.rules.conditions.conditions import is_immune
from affray.engine.rules.damage.injury import hit_points_set
from affray.engine.steps import Choice, Refusal, Roll, Steps, unknown_word
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import (
    AbilityChanged,
    AfflictionEnded,
    AfflictionHeld,
    ConditionGained,
    InjurySuffered,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Rider
from affray.projections.state import Affliction, Combatant

# --- Bleeding wounds: their severity, their cost each round, how they stop (woa.bleeding.*)
# A wound is an affliction of the victim whose effect is its severity: a die such as "1d6", or a whole number
# for a wound that bleeds without a roll.

WOUND = "bleeding wound"
STOPPED = "stopped"
LADDER = "woa.bleeding.severity-ladder"
#: Traits of creatures that cannot bleed.
BLOODLESS = ("immune to critical hits", "no discernible anatomy", "bloodless")


def wounds(victim: Combatant) -> list[Affliction]:
    """Return the bleeding wounds of a combatant, in the order in which they were dealt."""
    return [one for one in victim.afflictions if one.rider.name == WOUND]


def refuse_severity(fight: Fight, severity: str) -> None:
    """Refuse an unknown severity (woa.bleeding.severity-die, .severity-number)."""
    if severity.isdigit():
        topic = "woa.bleeding.severity-number"
        least = int(str(fight.figure(topic, "severity")).split(">=")[1])
        if int(severity) < least:
            raise Refusal(f"the severity of a wound is at least {least}, not {severity}", fight.rule(topic))
        return
    topic = "woa.bleeding.severity-die"
    dice = [row["severity"] for row in fight.figure(topic, "rows")]
    if severity not in dice:
        raise unknown_word("severity of a bleeding wound", severity, dice, fight.rule(topic))


def severity_topic(severity: str) -> str:
    """Return the topic of the rule on a severity."""
    return "woa.bleeding.severity-number" if severity.isdigit() else "woa.bleeding.severity-die"


def open_wound(fight: Fight, victim: Combatant, severity: str, source: str, *cites: str) -> Steps[None]:
    """Open a bleeding wound, unless the creature cannot bleed (woa.bleeding.general, .immunity)."""
    if "dead" in victim.conditions:
        return
    trait = next((one for one in BLOODLESS if has_trait(victim, one)), "")
    if trait:
        what = f"{source}: no bleeding wound, {trait}"
        yield RuleApplied(who=victim.id, what=what, cites=(*cites, fight.rule("woa.bleeding.immunity")))
        return
    if (yield from is_immune(fight, victim, f"{source}: the wound", ("bleed", "critical hits"))):
        return
    yield make_wound_fact(
        victim,
        f"{fight.declaration}:{len(victim.afflictions)}",
        severity,
        source,
        -1,
        *cites,
        *fight.rules("woa.bleeding.general", severity_topic(severity)),
    )


def make_wound_fact(
    victim: Combatant, id: str, severity: str, by: str, treated: int, *cites: str
) -> AfflictionHeld:
    """Return the fact of a wound of that severity; `treated` is the bonus on its next save, -1 for none."""
    rider = Rider(name=WOUND, effect=severity)
    return AfflictionHeld(who=victim.id, id=id, rider=rider, by=by, dc=0, treated=treated, cites=cites)


def milder_severity(fight: Fight, severity: str, steps: int) -> str:
    """Return a severity reduced by `steps`, "" for a wound that has stopped.

    .severity-ladder
    """
    ladder = fight.figure(LADDER)
    for _ in range(steps):
        if severity in ladder:
            severity = ladder[ladder.index(severity) + 1]
        elif severity.isdigit():
            severity = str(int(severity) - 1)
        if severity == STOPPED:
            return ""
    return severity


def severity_rank(fight: Fight, severity: str) -> int:
    """Return the rank of a severity; higher is worse."""
    ladder = fight.figure(LADDER)
    return len(ladder) + int(severity) if severity.isdigit() else len(ladder) - ladder.index(severity)


def worst_wound(fight: Fight, found: list[Affliction]) -> Affliction:
    """Return the most severe of some wounds, the first if equal."""
    return max(found, key=lambda one: severity_rank(fight, one.rider.effect))


def ease_wound(
    fight: Fight, victim: Combatant, wound: Affliction, steps: int, why: str, *cites: str
) -> Steps[None]:
    """Reduce the severity of a wound by `steps`, or stop it."""
    milder = milder_severity(fight, wound.rider.effect, steps)
    cites = (*cites, fight.rule(LADDER))
    if milder:
        yield make_wound_fact(victim, wound.id, milder, wound.by, -1, *cites)
    else:
        yield AfflictionEnded(who=victim.id, id=wound.id, why=why, cites=cites)


def exertion(fight: Fight, victim: Combatant) -> str:
    """Return how hard a combatant worked last round: "strenuous", "light" or "".

    The option `strenuous` may replace this definition with that of the dying (woa.bleeding.strenuous-*).
    """
    if fight.option("strenuous") == "zero-hp":
        spent = victim.spent.get("feet", 0) * 2 > victim.sheet.speed
        hard = exerts_itself(victim) or bool(victim.reactions) or spent
    else:
        hard = exerts_itself(victim) or bool(victim.reactions.get("opportunity"))
        moved = victim.spent.get("feet") or victim.spent.get("move")
        hard = hard or bool(moved and ways_by_skill(fight, victim))
    if hard:
        return "strenuous"
    return "light" if any(victim.spent.get(kind) for kind in MOVEMENTS) else ""


#: The name, among what a round has spent, for a casting that takes less than a standard action.
CAST = "cast"
#: What a round has spent on movement; a move action for something else is no movement.
MOVEMENTS = ("feet", "stood")
EXERTIONS = ("standard", "full-round", "readied", CAST)


def exerts_itself(victim: Combatant) -> bool:
    """Return whether a combatant took a standard or full-round action, or cast a spell.

    woa.bleeding.strenuous-definition
    """
    return any(victim.spent.get(kind) for kind in EXERTIONS)


def stop_mildest_wounds(fight: Fight, victim: Combatant) -> Steps[None]:
    """Stop the mildest wounds when the combat is over or the victim rests (woa.bleeding.out-of-combat)."""
    topic = "woa.bleeding.out-of-combat"
    mildest = fight.figure(topic, "severity")
    for wound in wounds(victim):
        if wound.rider.effect == mildest:
            yield AfflictionEnded(who=victim.id, id=wound.id, why="stops by itself", cites=fight.rules(topic))


def heal_wounds(fight: Fight, victim: Combatant, level: int, source: str) -> Steps[None]:
    """Apply magical healing to wounds (woa.bleeding.magical-healing, option `magic_and_bleeding`)."""
    found = wounds(victim)
    if not found:
        return
    reading = fight.option("magic_and_bleeding")
    rule = fight.rule("woa.bleeding.magical-healing")
    why = f"{source} (magic_and_bleeding: {reading})"
    if reading == "no-effect":
        yield RuleApplied(who=victim.id, what=f"bleeds on: {why}", cites=(rule,))
    elif reading == "stops-all":
        for wound in found:
            yield AfflictionEnded(who=victim.id, id=wound.id, why=why, cites=(rule,))
    else:
        yield from ease_wound(fight, victim, worst_wound(fight, found), max(1, level), why, rule)


# --- Wounds from round to round: bleeding and closing (woa.bleeding.order, woa.bleeding.stop-save)


def bleed_at_round_start(fight: Fight) -> Steps[None]:
    """At the start of a round, make wounds close, then bleed (woa.bleeding.order).

    Called before budgets are renewed, because the saves depend on what was done in the last round.
    """
    for victim in list(fight.state.combatants.values()):
        if victim.afflictions and "dead" not in victim.conditions and wounds(victim):
            yield from bleed(fight, victim, exertion(fight, victim))


def bleed(fight: Fight, victim: Combatant, effort: str) -> Steps[None]:
    """Save for each wound unless strenuous effort rules it out, then bleed from each wound."""
    several = len(wounds(victim)) > 1
    if effort == "strenuous":
        what = f"bleeds on: strenuous activity (strenuous: {fight.option('strenuous')})"
        topic = "woa.bleeding.strenuous-definition"
        if fight.option("strenuous") == "zero-hp":
            topic = "woa.zero-hp.strenuous-definition"
        yield RuleApplied(who=victim.id, what=what, cites=fight.rules("woa.bleeding.strenuous", topic))
    else:
        for wound in wounds(victim):
            yield from stanch(fight, victim, wound, effort)
    more = fight.rules("woa.bleeding.order") if effort != "strenuous" else ()
    more = (*more, *(fight.rules("woa.bleeding.multiple") if several else ()))
    for wound in wounds(victim):
        if "dead" not in victim.conditions:
            yield from lose_blood(fight, victim, wound, *more)


def stanch(fight: Fight, victim: Combatant, wound: Affliction, effort: str) -> Steps[None]:
    """Save to make a wound milder, by a step and one more for each 5 above the DC.

    .stop-save-margin
    """
    topic = "woa.bleeding.stop-save"
    extra: list[Modifier] = []
    cites = fight.rules(topic)
    if effort:
        light = "woa.bleeding.light-movement"
        cites = (*cites, fight.rule(light))
        extra.append(fight.modifier(light, "save", kind="penalty", source="moved last round"))
    if wound.treated > 0:
        rule = fight.rule("woa.bleeding.heal-skill")
        cites = (*cites, rule)
        extra.append(Modifier(wound.treated, "treatment", "the wound is tended", rule))
    dc = fight.figure(topic, "dc")
    saved = yield from saving_throw(fight, victim, "fort", dc, "bleeding", *cites, extra=tuple(extra))
    if not saved.success:
        if wound.treated > 0:
            yield make_wound_fact(
                victim, wound.id, wound.rider.effect, wound.by, -1, fight.rule("woa.bleeding.heal-skill")
            )
        return
    words = str(fight.figure("woa.bleeding.stop-save-margin", "steps_on_success"))
    least, per = int(words.split()[0]), int(words.rpartition("/")[2].rstrip(")"))
    more = max(0, saved.margin) // per
    cites = fight.rules(topic, *(("woa.bleeding.stop-save-margin",) if more else ()))
    yield from ease_wound(fight, victim, wound, least + more, "closed", *cites)


def lose_blood(fight: Fight, victim: Combatant, wound: Affliction, *cites: str) -> Steps[None]:
    """Bleed from a wound for one round: its number of steps, or one step on a 1 of its die."""
    severity = wound.rider.effect
    rule = fight.rule(severity_topic(severity))
    if severity.isdigit():
        yield from advance_damage_track(
            fight, victim, int(severity), f"a wound of severity {severity}", rule, *cites
        )
        return
    rolled = yield Roll(victim.id, "bleeding", severity)
    if rolled.total == 1:
        yield from advance_damage_track(fight, victim, 1, f"a {severity} wound bleeds", rule, *cites)
    else:
        yield RuleApplied(who=victim.id, what=f"the {severity} wound does not bleed", cites=(rule, *cites))


def advance_damage_track(fight: Fight, victim: Combatant, steps: int, why: str, *cites: str) -> Steps[None]:
    """Advance `steps` steps on the Constitution damage track, up to death (woa.bleeding.con-damage).

    The text does not print the chapter on that track: see the table of that rule.
    """
    topic = "woa.bleeding.con-damage"
    each = cell(fight, topic, "name=each step", "con")
    fatal = cell(fight, topic, "name=death", "con")
    score = score_of(victim.sheet, "con")
    cites = (*cites, fight.rule(topic))
    if each is None or fatal is None or score is None:
        what = f"{why}: {steps} further on the Constitution damage track"
        yield RuleApplied(who=victim.id, what=what, cites=cites)
        return
    damage = victim.losses.get("con", 0) + steps * each.value
    left = max(0, score - damage)
    yield AbilityChanged(
        who=victim.id, ability="con", damage=damage, drain=0, score=left, why=why, cites=cites
    )
    if left <= fatal.value:
        yield from die(fight, victim, "bled to death", fight.rule(topic))


def score_steps(fight: Fight, combatant: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Return the reduction of an ability by lost points."""
    lost = combatant.losses.get(name, 0)
    score = score_of(combatant.sheet, name)
    if not lost or score is None:
        return ()
    left = max(0, score - lost)
    rule = fight.rule("woa.bleeding.con-damage")
    return (Step(ability_modifier(score), ability_modifier(left), left, f"{lost} lost", rule),)


def rest_with_wounds(fight: Fight, victim: Combatant, rounds: int) -> Steps[None]:
    """Rest for `rounds` rounds: the mildest wounds stop within the minute, others continue as in combat."""
    words = str(fight.figure("woa.bleeding.out-of-combat", "rest"))
    least = int(words.split()[0]) * a_minute(fight)
    while rounds > 0 and wounds(victim) and "dead" not in victim.conditions:
        if rounds >= least:
            yield from stop_mildest_wounds(fight, victim)
        if wounds(victim):
            yield from bleed(fight, victim, "")
        rounds -= 1


# --- The table of injuries (woa.injury.table): printed entries as printed, all others flagged as assumed

LOWEST = -1_000_000
ANATOMY = "woa.called-shot.nonhumanoid-anatomy"


class Injury(Struct, frozen=True):
    """One row: the entries from `entry` to the next row's, the body part, and the effects of the injury.

    `conditions` gives rounds by name, 0 for lasting; the injury may take consciousness; `bleeding` is the
    severity of a wound that it opens; `unfit` names causes for which it makes no sense. `assumed` marks a row
    that the text does not print; the effects of every row are assumed.
    """

    entry: int
    name: str
    part: str
    conditions: dict[str, int]
    unconscious: bool
    bleeding: str
    unfit: tuple[str, ...]
    assumed: bool


@per_fight()
def injury_rows(fight: Fight) -> tuple[Injury, ...]:
    """Return the rows in ascending order; the first one also covers all lower numbers."""
    read = [injury_row(fight, row) for row in fight.figure("woa.injury.table")]
    return tuple(sorted(read, key=lambda row: row.entry))


def injury_row(fight: Fight, row: JsonObject) -> Injury:
    """Return the injury of a row; an entry that refers to a printed figure marks it as printed."""
    entry, printed = row.get("entry", LOWEST), False
    if isinstance(entry, str) and entry.startswith(PRINTED):
        rule, _, path = entry.removeprefix(PRINTED).partition("/")
        entry, printed = fight.book.figure(rule, *split(path)), True
    assumed = not printed and fight.book[fight.rule("woa.injury.table")].provenance == "assumed"
    return Injury(
        int(entry),
        row["name"],
        row["part"],
        dict(row.get("conditions", {})),
        bool(row.get("unconscious")),
        row.get("bleeding", ""),
        tuple(row.get("unfit", ())),
        assumed,
    )


def entry_for(fight: Fight, number: int) -> Injury | None:
    """Return the row of an entry.

    None for a row that the text does not print, if only printed rows count (`unprinted_tables`).
    """
    rows = injury_rows(fight)
    row = next((one for one in reversed(rows) if one.entry <= number), rows[0])
    return None if is_left_to_gm(fight, row) else row


def is_left_to_gm(fight: Fight, row: Injury) -> bool:
    """Return whether a row is left to the game master because the text does not print it."""
    return row.assumed and fight.option("unprinted_tables") == "printed-only"


def row_named(fight: Fight, name: str) -> Injury | None:
    """Return the row of an injury by name, None if there is none."""
    return next((row for row in injury_rows(fight) if row.name.casefold() == name.casefold()), None)


def closest_row(
    fight: Fight, number: int, part: str = "", cause: str = "", body: Combatant | None = None
) -> Injury:
    """Return the row closest to a number that fits the body part, the cause and the body.

    Of two equally close rows the lower one (woa.injury.random-body-part, woa.injury.random-nonsense).
    """
    rows = injury_rows(fight)
    spans = zip(rows, [*(row.entry - 1 for row in rows[1:]), -LOWEST], strict=True)
    fitting = [
        (max(row.entry - number, number - last, 0), row.entry, row)
        for row, last in spans
        if (not part or row.part == part)
        and injury_fits(fight, row, cause, body)
        and not is_left_to_gm(fight, row)
    ]
    if not fitting:
        return closest_row(fight, number)
    return min(fitting, key=lambda one: one[:2])[2]


def injury_fits(fight: Fight, row: Injury, cause: str, body: Combatant | None) -> bool:
    """Return whether an injury makes sense for a cause and a body."""
    return cause not in row.unfit and (body is None or row.part not in parts_lacking(fight, body))


def parts_of(fight: Fight) -> tuple[str, ...]:
    """Return the body parts of the table, in its order."""
    return tuple(dict.fromkeys(row.part for row in injury_rows(fight)))


@per_fight(Same("combatant.sheet"))
def parts_lacking(fight: Fight, combatant: Combatant) -> tuple[str, ...]:
    """Return the parts of a humanoid body that a creature lacks.

    They depend on its kind, its legs, and traits such as "no neck" (.nonhumanoid-anatomy).
    """
    sheet = combatant.sheet
    kinds = {row["body"]: row["lacks"] for row in fight.figure(ANATOMY)}
    names = [*kinds.get(sheet.kind, ()), *(() if sheet.legs else ("leg",))]
    names += [part for part in parts_of(fight) if has_trait(combatant, f"no {part}")]
    return tuple(dict.fromkeys(names))


# --- Injuries: their causes, the roll, and the effects (woa.injury.*)

MEDIUM = 4
#: Causes of injury, by their names in the list of causes.
STAGGERED = "staggering blow with failed save"
DROPPED = "dropping to 0 hit points or below"
CALLED = "called shot that hits"
FALL = "damage from a fall"
#: Causes of the game master's hazards: the topic, and the entry in the list of causes.
CAUSES = {
    "hazard": ("woa.injury.cause.hazard", "certain other environmental hazards"),
    "trap": ("woa.injury.cause.trap", "traps and devices"),
    "other": ("woa.injury.cause.other", "other circumstances"),
}
#: The words by which a row excludes a cause.
WORDS = {FALL: "fall"}


def get_injury_mode(fight: Fight, cause: str) -> tuple[str, tuple[str, ...]]:
    """Return how a cause injures ("random ...", "specific", "per ...") and the rules.

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

    With a `part` the nearest entry that fits it; the game master may replace a senseless one with the nearest
    that makes sense.
    """
    cites = [*fight.rules(*topics), *get_injury_mode(fight, cause)[1], fight.rule("woa.injury.random")]
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
    """Return the modifiers of the roll; add the rules that applied to `cites`."""
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
    """Return the row of a number for a body part, None for one that is not printed.

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
    question = f"{found.name} does not fit what happened to {target.id}: which injury is it?"
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
    """Give an injury and its effects: conditions, a bleeding wound."""
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
    """Give a certain injury without a roll, or the most similar one if it is not listed.

    woa.injury.specific
    """
    topic, words = CAUSES[cause]
    cites = [fight.rule(topic), *get_injury_mode(fight, words)[1], fight.rule("woa.injury.specific")]
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
    """Return the rows sorted by the number of words shared with a name, otherwise in table order."""
    words = set(name.casefold().split())
    return sorted(injury_rows(fight), key=lambda row: -len(words & set(row.name.casefold().split())))


def refuse_unknown_part(fight: Fight, what: str) -> None:
    """Refuse a random injury to an unknown part of the body."""
    kind, _, part = what.partition(" ")
    known = parts_of(fight)
    if kind == "random" and part and part not in known:
        rule = fight.rule("woa.injury.random-body-part")
        raise unknown_word("part of the body", part, known, rule)


def injury_by_hazard(fight: Fight, target: Combatant, harm: Harm, what: str, cause: str) -> Steps[None]:
    """Give the injury of a hazard: "random", "random hand", or one by its name."""
    topic, words = CAUSES[cause]
    if what == "random" or what.startswith("random "):
        yield from random_injury(fight, target, harm, (topic,), words, what[len("random ") :])
    else:
        yield from specific_injury(fight, target, what, cause, harm.source)


def damage_part_by_size(fight: Fight, target: Combatant, damage: int) -> tuple[int, int]:
    """Return the damage part of an injury roll and the size steps from Medium.

    It is doubled for each category below Medium (option `injury_roll_size`), halved for each above
    (woa.injury.roll.size).
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


#: States that a combatant may have at 0 hit points or less.
AT_ZERO = ("staggered", "unconscious", "dead")
STRENUOUS = ("standard", "full-round", CAST)


def injure(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Resolve the effects of losing hit points, after the loss.

    At 0 or less: a save to stay conscious and a random injury (option `hit_at_zero` for combatants already
    there); otherwise a staggering blow at half the hit points (option `staggering_threshold`).
    """
    if "dead" in target.conditions:
        return
    if target.hp <= 0:
        reading = fight.option("hit_at_zero")
        if before <= 0:
            yield RuleApplied(
                who=target.id,
                what=f"hit at 0 or less (hit_at_zero: {reading})",
                cites=fight.rules("woa.zero-hp.save", "woa.zero-hp.random-injury"),
            )
        if before > 0 or reading != "nothing-new":
            yield from drop_to_zero(fight, target, harm)
        if before > 0 or reading == "new-save-and-injury":
            yield from random_injury(fight, target, harm, ("woa.zero-hp.random-injury",), DROPPED)
        return
    reading = fight.option("staggering_threshold")
    measure = before if reading == "before" else target.hp
    words = str(fight.figure("woa.injury.staggering-blow.trigger", "condition"))
    weight = harm.amount * int(words.rpartition("/")[2])
    if weight < before and weight >= target.hp:
        yield RuleApplied(
            who=target.id,
            what=f"{harm.amount} is half of the hit points left, not of those before "
            f"(staggering_threshold: {reading})",
            cites=fight.rules("woa.injury.staggering-blow.trigger", "woa.injury.staggering-blow.relative"),
        )
    if weight >= measure:
        yield from staggering_blow(fight, target, harm)


def staggering_blow(fight: Fight, target: Combatant, harm: Harm) -> Steps[None]:
    """Save against a staggering blow: staggered for a round, or dazed and injured.

    woa.injury.staggering-blow.*
    """
    topic = "woa.injury.staggering-blow.save"
    cites = fight.rules("woa.injury.staggering-blow.trigger", topic)
    saved = yield from saving_throw(
        fight, target, "fort", fight.figure(topic, "dc"), "a staggering blow", *cites
    )
    outcome = "woa.injury.staggering-blow.success" if saved.success else "woa.injury.staggering-blow.failure"
    state = "staggered" if saved.success else "dazed"
    yield from fight.dialect.conditions.gain(
        fight,
        ConditionGained(
            who=target.id,
            condition=state,
            source="a staggering blow",
            until=Until("round-end", "", last_round(fight, target, fight.figure(outcome, "rounds"))),
            cites=(fight.rule(outcome),),
        ),
    )
    if not saved.success:
        yield from random_injury(fight, target, harm, ("woa.injury.cause.staggering-blow",), STAGGERED)


def drop_to_zero(fight: Fight, target: Combatant, harm: Harm) -> Steps[None]:
    """Save to stay conscious at 0 hit points or less, the total itself as a modifier.

    woa.zero-hp.save*
    """
    extra = hit_points_as_modifier(fight, target, harm.nonlethal)
    topic = "woa.zero-hp.save"
    dc = fight.figure(topic, "dc")
    modified = "woa.nonlethal.zero-hp" if harm.nonlethal else "woa.zero-hp.save-modifier"
    cites = fight.rules(topic, modified, "woa.zero-hp.supersedes-staggering-save", "woa.hp.loss-effects")
    saved = yield from saving_throw(fight, target, "fort", dc, "unconsciousness", *cites, extra=extra)
    if is_down(fight, target):
        return
    if not saved.success:
        yield from fall_unconscious(fight, target, harm.source, nonlethal=harm.nonlethal)
        return
    if "staggered" not in target.conditions or target.conditions["staggered"].until.when:
        yield ConditionGained(
            who=target.id,
            condition="staggered",
            source=SPENT_BY_NONLETHAL if harm.nonlethal else SPENT,
            cites=(fight.rule("woa.zero-hp.success"),),
        )
    yield from fall_unless_steady(fight, target, saved, harm.source)


def fall_unless_steady(fight: Fight, target: Combatant, saved: Saved, source: str) -> Steps[None]:
    """Fall prone after a save to stay conscious that does not beat the DC by enough.

    woa.zero-hp.success-prone
    """
    topic = "woa.zero-hp.success-prone"
    steady = fight.figure(topic, "falls_prone_if_margin_below")
    if saved.margin < steady and "prone" not in target.conditions:
        yield ConditionGained(who=target.id, condition="prone", source=source, cites=(fight.rule(topic),))


def start_hurt(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Stagger a combatant that enters at 0 hit points or less, until a save fails.

    The next save is at the end of the round (woa.zero-hp.success, woa.zero-hp.repeat).
    """
    if combatant.hp <= 0 and not any(name in combatant.conditions for name in AT_ZERO):
        cites = fight.rules("woa.zero-hp.success")
        yield ConditionGained(who=combatant.id, condition="staggered", source=SPENT, cites=cites)


def save_at_zero(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At the end of a round, save again at 0 hit points or less; strenuous acts cost -5 and 1 hit point.

    The save is as mild as the first one for a combatant that nonlethal damage has brought there
    (woa.zero-hp.repeat, woa.zero-hp.strenuous-*, woa.nonlethal.zero-hp).
    """
    if combatant.hp > 0 or is_down(fight, combatant):
        return
    nonlethal = holds_on(combatant) == SPENT_BY_NONLETHAL
    extra = hit_points_as_modifier(fight, combatant, nonlethal)
    strenuous = exerted(fight, combatant)
    if strenuous:
        topic = "woa.zero-hp.strenuous-save"
        extra = (*extra, fight.modifier(topic, "fortitude", kind="penalty", source="strenuous action"))
    again, dc = fight.rule("woa.zero-hp.repeat"), fight.figure("woa.zero-hp.save", "dc")
    saved = yield from saving_throw(fight, combatant, "fort", dc, "unconsciousness", again, extra=extra)
    if not saved.success:
        yield from fall_unconscious(fight, combatant, "the round's end", nonlethal=nonlethal)
    else:
        yield from fall_unless_steady(fight, combatant, saved, SPENT)
    if strenuous:
        topic = "woa.zero-hp.strenuous-hp-loss"
        loss = fight.figure(topic, "hp_loss")
        printed = "bleeding" if fight.option("strenuous") == "bleeding" else "zero-hp"
        cites = fight.rules(topic, f"{printed}.strenuous-definition", "woa.hp.current")
        yield hit_points_set(combatant, combatant.hp - loss, "strenuous action", *cites)


def exerted(fight: Fight, combatant: Combatant) -> bool:
    """Return whether this round's activity was strenuous, by the definition that `strenuous` selects."""
    if fight.option("strenuous") == "bleeding":
        return exertion(fight, combatant) == "strenuous"
    return is_strenuous_at_zero_hp(combatant)


def is_strenuous_at_zero_hp(combatant: Combatant) -> bool:
    """Return whether a combatant has exerted itself this round.

    A standard or full-round action, any casting, a reaction, or movement beyond half speed counts
    (woa.zero-hp.strenuous-definition).
    """
    if any(combatant.spent.get(kind) for kind in STRENUOUS) or combatant.reactions:
        return True
    return combatant.spent.get("feet", 0) * 2 > combatant.sheet.speed


def no_death_line(fight: Fight, combatant: Combatant) -> int:
    """Return an unreachable total: hit points never kill by themselves in these rules.

    The condition save decides about death (woa.knocked-out.undetermined).
    """
    return -(1 << 30)


def no_massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return an unreachable amount of damage: massive damage staggers in these rules.

    woa.injury.staggering-blow.trigger
    """
    return 1 << 30
