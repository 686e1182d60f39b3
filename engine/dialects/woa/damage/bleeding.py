"""Bleeding wounds: their severity, what they cost each round, how they stop (woa.bleeding.*).

A wound is an affliction of its bearer whose effect is its severity: a die such as "1d6", or a whole number
for one that bleeds without a roll.
"""

from affray.engine.dialects.woa.classes.saves import save
from affray.engine.dialects.woa.conditions.durations import a_minute
from affray.engine.dialects.woa.damage.fallen import perish
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight import Fight
from affray.engine.record.conditions import Step
from affray.engine.rules.classes.ability_modifiers import ability_modifier, has_trait
from affray.engine.rules.classes.ability_scores import score_of
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts.combat import AbilityChanged, AfflictionEnded, AfflictionHeld
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Rider
from affray.projections.state import Affliction, Combatant

WOUND = "bleeding wound"
STOPPED = "stopped"
LADDER = "bleeding.severity-ladder"
#: Traits of those who cannot bleed.
BLOODLESS = ("immune to critical hits", "no discernible anatomy", "bloodless")
#: Kinds of movement that use a skill, as conditions.
SKILLED = ("balancing", "climbing", "swimming", "flying")


def wounds(who: Combatant) -> list[Affliction]:
    """Return the bleeding wounds of a combatant, in the order in which they were dealt."""
    return [one for one in who.afflictions if one.rider.name == WOUND]


def refuse_severity(fight: Fight, severity: str) -> None:
    """Refuse a severity that there is not (woa.bleeding.severity-die, .severity-number)."""
    if severity.isdigit():
        topic = "bleeding.severity-number"
        least = int(str(fight.figure(topic, "severity")).split(">=")[1])
        if int(severity) < least:
            raise Refusal(f"a wound bleeds for {least} or more", fight.rule(topic))
        return
    topic = "bleeding.severity-die"
    dice = [row["severity"] for row in fight.figure(topic, "rows")]
    if severity not in dice:
        raise Refusal(f"no wound bleeds {severity!r}; there are {', '.join(dice)}", fight.rule(topic))


def severity_topic(severity: str) -> str:
    """Return the topic of the rule that says what a severity means."""
    return "bleeding.severity-number" if severity.isdigit() else "bleeding.severity-die"


def open_wound(fight: Fight, who: Combatant, severity: str, source: str, *cites: str) -> Steps[None]:
    """Give a bleeding wound, unless the creature cannot bleed (woa.bleeding.general, .immunity)."""
    if "dead" in who.conditions:
        return
    trait = next((one for one in BLOODLESS if has_trait(who, one)), "")
    if trait:
        what = f"{source}: no bleeding wound, {trait}"
        yield RuleApplied(who=who.id, what=what, cites=(*cites, fight.rule("bleeding.immunity")))
        return
    yield held(
        who,
        f"{fight.declaration}:{len(who.afflictions)}",
        severity,
        source,
        -1,
        *cites,
        *fight.rules("bleeding.general", severity_topic(severity)),
    )


def held(who: Combatant, id: str, severity: str, by: str, treated: int, *cites: str) -> AfflictionHeld:
    """Return the fact of a wound of that severity; `treated` is the bonus on its next save, -1 for none."""
    rider = Rider(name=WOUND, effect=severity)
    return AfflictionHeld(who=who.id, id=id, rider=rider, by=by, dc=0, treated=treated, cites=cites)


def eased(fight: Fight, severity: str, steps: int) -> str:
    """Return a severity so many steps milder, "" for a wound that has stopped (.severity-ladder)."""
    ladder = fight.figure(LADDER)
    for _ in range(steps):
        if severity in ladder:
            severity = ladder[ladder.index(severity) + 1]
        elif severity.isdigit():
            severity = str(int(severity) - 1)
        if severity == STOPPED:
            return ""
    return severity


def rank(fight: Fight, severity: str) -> int:
    """Return how severe a wound is; more is worse."""
    ladder = fight.figure(LADDER)
    return len(ladder) + int(severity) if severity.isdigit() else len(ladder) - ladder.index(severity)


def worst(fight: Fight, found: list[Affliction]) -> Affliction:
    """Return the most severe of some wounds, the first of equals."""
    return max(found, key=lambda one: rank(fight, one.rider.effect))


def ease(fight: Fight, who: Combatant, wound: Affliction, steps: int, why: str, *cites: str) -> Steps[None]:
    """Make a wound so many steps milder, or stop it."""
    milder = eased(fight, wound.rider.effect, steps)
    cites = (*cites, fight.rule(LADDER))
    if milder:
        yield held(who, wound.id, milder, wound.by, -1, *cites)
    else:
        yield AfflictionEnded(who=who.id, id=wound.id, why=why, cites=cites)


def round_begins(fight: Fight) -> Steps[None]:
    """At the start of a round let wounds close, then bleed (woa.bleeding.order).

    It is asked before the budgets of the last round are renewed: what was done in it decides about the saves.
    """
    for who in list(fight.state.combatants.values()):
        if who.afflictions and "dead" not in who.conditions and wounds(who):
            yield from bleed(fight, who, exertion(fight, who))


def exertion(fight: Fight, who: Combatant) -> str:
    """Return how hard somebody worked last round: "strenuous", "light" or "" (woa.bleeding.strenuous-*).

    The option `strenuous` may put the definition of the dying in the place of this one.
    """
    if fight.option("strenuous") == "zero-hp":
        spent = who.spent.get("feet", 0) * 2 > who.sheet.speed
        hard = exerts(who) or bool(who.reactions) or spent
    else:
        hard = exerts(who) or bool(who.reactions.get("opportunity"))
        moved = who.spent.get("feet") or who.spent.get("move")
        hard = hard or bool(moved and any(name in who.conditions for name in SKILLED))
    if hard:
        return "strenuous"
    return "light" if who.spent.get("feet") or who.spent.get("move") or who.spent.get("stood") else ""


def exerts(who: Combatant) -> bool:
    """Say whether somebody took a standard or full-round action (woa.bleeding.strenuous-definition)."""
    return bool(who.spent.get("standard") or who.spent.get("full-round") or who.spent.get("readied"))


def bleed(fight: Fight, who: Combatant, effort: str) -> Steps[None]:
    """Save for each wound unless strenuous effort forbids it, then let each wound bleed."""
    several = len(wounds(who)) > 1
    if effort == "strenuous":
        what = f"bleeds on: strenuous activity (strenuous: {fight.option('strenuous')})"
        topic = "bleeding.strenuous-definition"
        if fight.option("strenuous") == "zero-hp":
            topic = "zero-hp.strenuous-definition"
        yield RuleApplied(who=who.id, what=what, cites=fight.rules("bleeding.strenuous", topic))
    else:
        for wound in wounds(who):
            yield from stanch(fight, who, wound, effort)
    more = fight.rules("bleeding.order") if effort != "strenuous" else ()
    more = (*more, *(fight.rules("bleeding.multiple") if several else ()))
    for wound in wounds(who):
        if "dead" not in who.conditions:
            yield from lose_blood(fight, who, wound, *more)


def stanch(fight: Fight, who: Combatant, wound: Affliction, effort: str) -> Steps[None]:
    """Save to make a wound milder, by a step and one more for each 5 above the DC (.stop-save-margin)."""
    topic = "bleeding.stop-save"
    extra: list[Modifier] = []
    cites = fight.rules(topic)
    if effort:
        light = "bleeding.light-movement"
        cites = (*cites, fight.rule(light))
        extra.append(fight.modifier(light, "save", kind="penalty", source="moved last round"))
    if wound.treated > 0:
        rule = fight.rule("bleeding.heal-skill")
        cites = (*cites, rule)
        extra.append(Modifier(wound.treated, "treatment", "the wound is tended", rule))
    dc = fight.figure(topic, "dc")
    saved = yield from save(fight, who, "fort", dc, "bleeding", *cites, extra=tuple(extra))
    if not saved.success:
        if wound.treated > 0:
            yield held(who, wound.id, wound.rider.effect, wound.by, -1, fight.rule("bleeding.heal-skill"))
        return
    words = str(fight.figure("bleeding.stop-save-margin", "steps_on_success"))
    least, per = int(words.split()[0]), int(words.rpartition("/")[2].rstrip(")"))
    more = max(0, saved.margin) // per
    cites = fight.rules(topic, *(("bleeding.stop-save-margin",) if more else ()))
    yield from ease(fight, who, wound, least + more, "closed", *cites)


def lose_blood(fight: Fight, who: Combatant, wound: Affliction, *cites: str) -> Steps[None]:
    """Let a wound bleed for one round: its number of steps, or one on a 1 of its die."""
    severity = wound.rider.effect
    rule = fight.rule(severity_topic(severity))
    if severity.isdigit():
        yield from advance(fight, who, int(severity), f"a wound of severity {severity}", rule, *cites)
        return
    rolled = yield Roll(who.id, "bleeding", severity)
    if rolled.total == 1:
        yield from advance(fight, who, 1, f"a {severity} wound bleeds", rule, *cites)
    else:
        yield RuleApplied(who=who.id, what=f"the {severity} wound does not bleed", cites=(rule, *cites))


def advance(fight: Fight, who: Combatant, steps: int, why: str, *cites: str) -> Steps[None]:
    """Go so many steps along the Constitution damage track, to the death (woa.bleeding.con-damage).

    The track is a chapter of its own that the text does not print: see the table of that rule.
    """
    topic = "bleeding.con-damage"
    each = cell(fight, topic, "name=each step", "con")
    fatal = cell(fight, topic, "name=death", "con")
    score = score_of(who.sheet, "con")
    cites = (*cites, fight.rule(topic))
    if each is None or fatal is None or score is None:
        what = f"{why}: {steps} further on the Constitution damage track"
        yield RuleApplied(who=who.id, what=what, cites=cites)
        return
    damage = who.losses.get("con", 0) + steps * each.value
    drain = who.losses.get("con drain", 0)
    left = max(0, score - damage - drain)
    yield AbilityChanged(
        who=who.id, ability="con", damage=damage, drain=drain, score=left, why=why, cites=cites
    )
    if left <= fatal.value:
        yield from perish(fight, who, "bled to death", fight.rule(topic))


def score_steps(fight: Fight, who: Combatant, name: str, use: str) -> tuple[Step, ...]:
    """Return what lost points make of an ability."""
    lost = who.losses.get(name, 0) + who.losses.get(f"{name} drain", 0)
    score = score_of(who.sheet, name)
    if not lost or score is None:
        return ()
    left = max(0, score - lost)
    rule = fight.rule("bleeding.con-damage")
    return (Step(ability_modifier(score), ability_modifier(left), left, f"{lost} lost", rule),)


def combat_ends(fight: Fight, who: Combatant) -> Steps[None]:
    """Stop the mildest wounds when the combat is over or their bearer rests (woa.bleeding.out-of-combat)."""
    topic = "bleeding.out-of-combat"
    mildest = fight.figure(topic, "severity")
    for wound in wounds(who):
        if wound.rider.effect == mildest:
            yield AfflictionEnded(who=who.id, id=wound.id, why="stops by itself", cites=fight.rules(topic))


def rests(fight: Fight, who: Combatant, rounds: int) -> Steps[None]:
    """Let rounds of rest go by: the mildest wounds stop within the minute, others go on as in combat."""
    words = str(fight.figure("bleeding.out-of-combat", "rest"))
    least = int(words.split()[0]) * a_minute(fight)
    while rounds > 0 and wounds(who) and "dead" not in who.conditions:
        if rounds >= least:
            yield from combat_ends(fight, who)
        if wounds(who):
            yield from bleed(fight, who, "")
        rounds -= 1


def mend(fight: Fight, who: Combatant, level: int, source: str) -> Steps[None]:
    """Let magical healing work on wounds (woa.bleeding.magical-healing, option `magic_and_bleeding`)."""
    found = wounds(who)
    if not found:
        return
    reading = fight.option("magic_and_bleeding")
    rule = fight.rule("bleeding.magical-healing")
    why = f"{source} (magic_and_bleeding: {reading})"
    if reading == "no-effect":
        yield RuleApplied(who=who.id, what=f"bleeds on: {why}", cites=(rule,))
    elif reading == "stops-all":
        for wound in found:
            yield AfflictionEnded(who=who.id, id=wound.id, why=why, cites=(rule,))
    else:
        yield from ease(fight, who, worst(fight, found), max(1, level), why, rule)
