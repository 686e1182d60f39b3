"""Bleeding wounds: their severity, what they cost each round, how they stop (woa.bleeding.*).

A wound is an affliction of its bearer whose effect is its severity: a die such as "1d6", or a whole number
for one that bleeds without a roll.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.conditions.immunities import is_immune
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.facts.combat import AfflictionEnded, AfflictionHeld
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Affliction, Combatant

WOUND = "bleeding wound"
STOPPED = "stopped"
LADDER = "woa.bleeding.severity-ladder"
#: Traits of those who cannot bleed.
BLOODLESS = ("immune to critical hits", "no discernible anatomy", "bloodless")
#: Kinds of movement that use a skill, as conditions.
SKILLED = ("balancing", "climbing", "swimming", "flying")


def wounds(victim: Combatant) -> list[Affliction]:
    """Return the bleeding wounds of a combatant, in the order in which they were dealt."""
    return [one for one in victim.afflictions if one.rider.name == WOUND]


def refuse_severity(fight: Fight, severity: str) -> None:
    """Refuse a severity that there is not (woa.bleeding.severity-die, .severity-number)."""
    if severity.isdigit():
        topic = "woa.bleeding.severity-number"
        least = int(str(fight.figure(topic, "severity")).split(">=")[1])
        if int(severity) < least:
            raise Refusal(f"a wound bleeds for {least} or more, not for {severity}", fight.rule(topic))
        return
    topic = "woa.bleeding.severity-die"
    dice = [row["severity"] for row in fight.figure(topic, "rows")]
    if severity not in dice:
        raise unknown_word("severity of a bleeding wound", severity, dice, fight.rule(topic))


def severity_topic(severity: str) -> str:
    """Return the topic of the rule that says what a severity means."""
    return "woa.bleeding.severity-number" if severity.isdigit() else "woa.bleeding.severity-die"


def open_wound(fight: Fight, victim: Combatant, severity: str, source: str, *cites: str) -> Steps[None]:
    """Give a bleeding wound, unless the creature cannot bleed (woa.bleeding.general, .immunity)."""
    if "dead" in victim.conditions:
        return
    trait = next((one for one in BLOODLESS if has_trait(victim, one)), "")
    if trait:
        what = f"{source}: no bleeding wound, {trait}"
        yield RuleApplied(who=victim.id, what=what, cites=(*cites, fight.rule("woa.bleeding.immunity")))
        return
    if (yield from is_immune(fight, victim, f"{source}: the wound", ("bleed", "critical hits"))):
        return
    yield wound_held(
        victim,
        f"{fight.declaration}:{len(victim.afflictions)}",
        severity,
        source,
        -1,
        *cites,
        *fight.rules("woa.bleeding.general", severity_topic(severity)),
    )


def wound_held(
    victim: Combatant, id: str, severity: str, by: str, treated: int, *cites: str
) -> AfflictionHeld:
    """Return the fact of a wound of that severity; `treated` is the bonus on its next save, -1 for none."""
    rider = Rider(name=WOUND, effect=severity)
    return AfflictionHeld(who=victim.id, id=id, rider=rider, by=by, dc=0, treated=treated, cites=cites)


def milder_severity(fight: Fight, severity: str, steps: int) -> str:
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


def severity_rank(fight: Fight, severity: str) -> int:
    """Return how severe a wound is; more is worse."""
    ladder = fight.figure(LADDER)
    return len(ladder) + int(severity) if severity.isdigit() else len(ladder) - ladder.index(severity)


def worst_wound(fight: Fight, found: list[Affliction]) -> Affliction:
    """Return the most severe of some wounds, the first of equals."""
    return max(found, key=lambda one: severity_rank(fight, one.rider.effect))


def ease_wound(
    fight: Fight, victim: Combatant, wound: Affliction, steps: int, why: str, *cites: str
) -> Steps[None]:
    """Make a wound so many steps milder, or stop it."""
    milder = milder_severity(fight, wound.rider.effect, steps)
    cites = (*cites, fight.rule(LADDER))
    if milder:
        yield wound_held(victim, wound.id, milder, wound.by, -1, *cites)
    else:
        yield AfflictionEnded(who=victim.id, id=wound.id, why=why, cites=cites)


def exertion(fight: Fight, victim: Combatant) -> str:
    """Return how hard somebody worked last round: "strenuous", "light" or "" (woa.bleeding.strenuous-*).

    The option `strenuous` may put the definition of the dying in the place of this one.
    """
    if fight.option("strenuous") == "zero-hp":
        spent = victim.spent.get("feet", 0) * 2 > victim.sheet.speed
        hard = exerts_itself(victim) or bool(victim.reactions) or spent
    else:
        hard = exerts_itself(victim) or bool(victim.reactions.get("opportunity"))
        moved = victim.spent.get("feet") or victim.spent.get("move")
        hard = hard or bool(moved and any(name in victim.conditions for name in SKILLED))
    if hard:
        return "strenuous"
    return (
        "light" if victim.spent.get("feet") or victim.spent.get("move") or victim.spent.get("stood") else ""
    )


def exerts_itself(victim: Combatant) -> bool:
    """Say whether somebody took a standard or full-round action (woa.bleeding.strenuous-definition)."""
    return bool(victim.spent.get("standard") or victim.spent.get("full-round") or victim.spent.get("readied"))


def stop_mildest_wounds(fight: Fight, victim: Combatant) -> Steps[None]:
    """Stop the mildest wounds when the combat is over or their bearer rests (woa.bleeding.out-of-combat)."""
    topic = "woa.bleeding.out-of-combat"
    mildest = fight.figure(topic, "severity")
    for wound in wounds(victim):
        if wound.rider.effect == mildest:
            yield AfflictionEnded(who=victim.id, id=wound.id, why="stops by itself", cites=fight.rules(topic))


def heal_wounds(fight: Fight, victim: Combatant, level: int, source: str) -> Steps[None]:
    """Let magical healing work on wounds (woa.bleeding.magical-healing, option `magic_and_bleeding`)."""
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
