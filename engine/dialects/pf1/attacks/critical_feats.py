"""What a critical hit brings besides its damage, by feats of whoever scored it (pf1.feat.critical-feats)."""

from collections.abc import Callable
from typing import Final

from affray.engine.dialects.pf1.conditions.bleed import BLEED
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.conditions.immunities import spared_fortitude
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.combat import ConditionGained, Until
from affray.events.facts.flow import RuleApplied

TOPIC: Final = "pf1.feat.critical-feats"
MASTERY: Final = "critical mastery"
#: What a wound has to be made with to bleed.
CUTS: Final = ("slashing", "piercing")
#: Those that a Fortitude save lessens.
WITH_A_SAVE: Final = ("staggering critical", "blinding critical", "deafening critical", "stunning critical")
#: Those whom fatigue makes no worse, by this feat.
TIRED: Final = ("fatigued", "exhausted")


def add_to_critical(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After the damage of a critical hit, let a feat of the attacker add its effect to it.

    One of them, with Critical Mastery as many as that allows; which of several its bearer chooses.
    """
    attacker, target = blow.attacker, blow.target
    ready = usable_feats(fight, blow)
    most = int(fight.figure(TOPIC, MASTERY, "effects")) if masters(fight, attacker, MASTERY) else 1
    for _ in range(most):
        if not ready or "dead" in target.conditions:
            return
        chosen = ready[0]
        if len(ready) > 1:
            question = f"which feat adds to the critical hit on {target.id}?"
            chosen = yield Choice(attacker.id, "critical feat", question, tuple(ready), fight.rule(TOPIC))
        ready.remove(chosen)
        if chosen in WITH_A_SAVE and (yield from spared_fortitude(fight, target, chosen.title())):
            continue
        yield from EFFECTS[chosen](fight, blow, chosen)


def usable_feats(fight: Fight, blow: Blow) -> list[str]:
    """Return the critical feats that an attacker has, and whose demands it and its weapon meet."""
    found = [feat for feat in EFFECTS if masters(fight, blow.attacker, feat)]
    if not any(kind in blow.weapon.damage_type for kind in CUTS):
        found = [feat for feat in found if feat != BLEEDING]
    return found


def is_withstood(fight: Fight, blow: Blow, feat: str) -> Steps[bool]:
    """Make the target's Fortitude save, DC 10 + the attacker's base attack bonus, and say whether it held."""
    dc = fight.formula(TOPIC, "dc") + blow.attacker.sheet.base_attack
    return (yield from saving_throw(fight, blow.target, "fort", dc, feat.title(), fight.rule(TOPIC)))


def rolled_rounds(fight: Fight, blow: Blow, feat: str, figure: str) -> Steps[Until]:
    """Roll how many rounds an effect lasts, and return their end."""
    rolled = yield Roll(blow.attacker.id, "critical-effect", fight.figure(TOPIC, feat, figure))
    return for_rounds(fight, blow.attacker, rolled.total)


def bring(fight: Fight, blow: Blow, feat: str, condition: str, until: Until, suffix: str = "") -> Steps[None]:
    """Bring a condition over the target by a feat; the `suffix` of its source says how bad it is."""
    fact = ConditionGained(
        who=blow.target.id,
        condition=condition,
        source=f"{feat.title()}{suffix}",
        until=until,
        cites=fight.rules(TOPIC),
    )
    return fight.dialect.conditions.gain(fight, fact)


def bleeding(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Let the target bleed."""
    return bring(fight, blow, feat, BLEED, Until(), f" {fight.figure(TOPIC, feat, 'dice')}")


def sickening(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Sicken the target for a minute."""
    until = for_rounds(fight, blow.attacker, int(fight.figure(TOPIC, feat, "rounds")))
    return bring(fight, blow, feat, "sickened", until)


def staggering(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Stagger the target for some rounds, for one if it saves."""
    if (yield from is_withstood(fight, blow, feat)):
        until = for_rounds(fight, blow.attacker, int(fight.figure(TOPIC, feat, "saved_rounds")))
    else:
        until = yield from rolled_rounds(fight, blow, feat, "rounds")
    yield from bring(fight, blow, feat, "staggered", until)


def tiring(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Fatigue the target; nothing comes of it for whoever is tired already."""
    worse = next((name for name in TIRED if name in blow.target.conditions), "")
    if worse:
        yield RuleApplied(who=blow.target.id, what=f"is {worse} already", cites=fight.rules(TOPIC))
        return
    yield from bring(fight, blow, feat, "fatigued", Until())


def exhausting(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Exhaust the target."""
    return bring(fight, blow, feat, "exhausted", Until())


def blinding(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Blind the target for good, or dazzle it for some rounds if it saves."""
    if (yield from is_withstood(fight, blow, feat)):
        until = yield from rolled_rounds(fight, blow, feat, "saved_rounds")
        yield from bring(fight, blow, feat, "dazzled", until)
    else:
        yield from bring(fight, blow, feat, "blinded", Until())


def deafening(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Deafen the target for good, for a round if it saves."""
    saved = yield from is_withstood(fight, blow, feat)
    rounds = int(fight.figure(TOPIC, feat, "saved_rounds"))
    until = for_rounds(fight, blow.attacker, rounds) if saved else Until()
    yield from bring(fight, blow, feat, "deafened", until)


def stunning(fight: Fight, blow: Blow, feat: str) -> Steps[None]:
    """Stun the target for some rounds, or stagger it for as many if it saves."""
    saved = yield from is_withstood(fight, blow, feat)
    until = yield from rolled_rounds(fight, blow, feat, "rounds")
    yield from bring(fight, blow, feat, "staggered" if saved else "stunned", until)


BLEEDING: Final = "bleeding critical"
#: What each critical feat does, in the order in which they are offered.
EFFECTS: Final[dict[str, Callable[[Fight, Blow, str], Steps[None]]]] = {
    BLEEDING: bleeding,
    "sickening critical": sickening,
    "staggering critical": staggering,
    "tiring critical": tiring,
    "exhausting critical": exhausting,
    "blinding critical": blinding,
    "deafening critical": deafening,
    "stunning critical": stunning,
}
