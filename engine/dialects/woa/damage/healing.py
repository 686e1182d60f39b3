"""Hit points that come back: by magic and with time (woa.healing.*)."""

from affray.engine.dialects.woa.damage import bleeding
from affray.engine.dialects.woa.damage.fallen import SPENT, TREATED
from affray.engine.dialects.woa.damage.injury import drop_to_zero, start_hurt
from affray.engine.dialects.woa.damage.treatment import rounds_out, rule_of_timing, treat, wake
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.set_health import BY_WORD
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.events.wording import counted
from affray.projections.state import Combatant


def heal(fight: Fight, victim: Combatant, points: int, source: str, *cites: str) -> Steps[None]:
    """Give hit points back, never above the full total; above 0 the unconscious wake.

    Injuries stay: they are tracked apart from hit points (woa.healing.cap,
    woa.knocked-out.regain-consciousness, woa.injury.specific-vs-abstract).
    """
    gained = min(points, victim.max_hp - victim.hp)
    cites = (*cites, *fight.rules("woa.healing.sources", "woa.hp.current"))
    if gained < points:
        cites = (*cites, *fight.rules("woa.healing.cap", "woa.hp.total"))
    if victim.injuries:
        cites = (*cites, fight.rule("woa.injury.specific-vs-abstract"))
    if gained <= 0:
        yield RuleApplied(who=victim.id, what=f"{source}: nothing to heal", cites=cites)
        return
    before = victim.hp
    yield hit_points_set(victim, victim.hp + gained, source, *cites)
    yield from recover(fight, victim, before)


def settle(fight: Fight, target: Combatant, before: int) -> Steps[None]:
    """Settle what hit points bring about that the game master has set: a save at 0 or less, waking above it.

    That is no hit: there is no random injury, and no staggering blow (woa.zero-hp.save,
    woa.knocked-out.regain-consciousness).
    """
    if "dead" in target.conditions:
        return
    if target.hp > 0:
        yield from recover(fight, target, before)
    elif before > 0:
        yield from drop_to_zero(fight, target, Harm(target, 0, "", BY_WORD))
    else:
        yield from start_hurt(fight, target)


def refuse_no_state(fight: Fight, target: Combatant, hp: int, state: str, *, ends: bool) -> None:
    """Refuse nothing: no number of hit points calls for a state by itself (woa.knocked-out.undetermined)."""


def recover(fight: Fight, victim: Combatant, before: int) -> Steps[None]:
    """Let a combatant wake, and be steady again, that has hit points again and had none `before`."""
    if victim.hp <= 0 or before > 0:
        return
    rule = fight.rule("woa.knocked-out.regain-consciousness")
    if "unconscious" in victim.conditions:
        yield from wake(fight, victim, "above 0 hit points", rule)
    if "staggered" in victim.conditions and victim.conditions["staggered"].source == SPENT:
        cites = fight.rules("woa.zero-hp.repeat")
        yield ConditionLost(who=victim.id, condition="staggered", why="above 0 hit points", cites=cites)


def heal_by_spell(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, saved: bool
) -> Steps[None]:
    """Give the hit points back that a spell heals, whether its target has saved or not."""
    healed = yield Roll(caster.id, "healing", spell.healing)
    yield from cure(fight, target, healed.total, spell.level, spell.name)


def cure(fight: Fight, victim: Combatant, points: int, level: int, source: str) -> Steps[None]:
    """Heal by magic of a level: the fate of the unconscious first, then hit points, then wounds.

    woa.healing.magical, woa.knocked-out.mod-treatment, woa.bleeding.magical-healing
    """
    if "unconscious" in victim.conditions and TREATED not in victim.conditions:
        topic = "woa.knocked-out.mod-treatment"
        per = int(str(fight.figure(topic, "magic")).split()[0])
        treatment = Modifier(per * level, "treatment", source, fight.rule(topic))
        time = rule_of_timing(fight, rounds_out(fight, victim))
        if not (yield from treat(fight, victim, treatment, time, heals=True)):
            return
    yield from heal(fight, victim, points, source, fight.rule("woa.healing.magical"))
    yield from bleeding.heal_wounds(fight, victim, level, source)


def natural_healing(fight: Fight, combatant: Combatant, nights: int, days: int) -> Steps[None]:
    """Heal as many nights of rest and whole days in bed give, one after the other (woa.healing.night-rest).

    The lesser of one hit die for each point of Constitution bonus and one for each two levels, at least one;
    with 0 hit points or less the bonus itself (.night-rest-zero); a day in bed twice (.bed-rest).
    """
    for count, times, more in ((nights, 1, ()), (days, 0, fight.rules("woa.healing.bed-rest"))):
        for _ in range(count):
            again = times or fight.figure("woa.healing.bed-rest", "multiplier")
            for _ in range(again):
                if combatant.hp < combatant.max_hp and "dead" not in combatant.conditions:
                    yield from one_night(fight, combatant, *more)


def one_night(fight: Fight, combatant: Combatant, *cites: str) -> Steps[None]:
    """Heal what one night gives."""
    bonus = ability_now(fight, combatant, "con")
    if combatant.hp <= 0:
        topic = "woa.healing.night-rest-zero"
        points = max(fight.figure(topic, "least"), bonus)
        yield from heal(fight, combatant, points, "a night's rest", fight.rule(topic), *cites)
        return
    topic = "woa.healing.night-rest"
    least, per = fight.figure(topic, "least_dice"), fight.figure(topic, "levels_per_die")
    level = combatant.sheet.hit_dice
    half = -(-level // per) if fight.option("halves_round") == "up" else level // per
    count = min(max(least, bonus), max(least, half))
    die = hit_die(fight, combatant)
    if die is None:
        what = f"a night's rest heals {counted(count, 'hit die', 'hit dice')}, not printed"
        yield RuleApplied(who=combatant.id, what=what, cites=(fight.rule(topic), *cites))
        return
    rolled = yield Roll(combatant.id, "night", f"{count}d{die}")
    rules = fight.rules(topic, "woa.hp.derivation")
    yield from heal(fight, combatant, rolled.total, "a night's rest", *rules, *cites)


def hit_die(fight: Fight, combatant: Combatant) -> int | None:
    """Return the sides of a creature's hit die: of its highest class, or a monster's.

    None if the table of classes is left to the game master (woa.hp.derivation).
    """
    topic = "woa.hp.derivation"
    classes = sorted(combatant.sheet.classes, key=lambda name: -combatant.sheet.classes[name])
    rows = {row["name"] for row in fight.figure(topic)}
    name = next((one for one in classes if one in rows), "monster")
    found = cell(fight, topic, f"name={name}", "die")
    return None if found is None else int(found.value)
