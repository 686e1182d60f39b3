"""Concentration: what disturbs it, the checks that keep it, and spells that last as long as it does.

woa.spell.concentration-*, woa.spell.damage-concentration, woa.spell.maneuver-concentration,
woa.spell.concentrate-*.
"""

import re

from affray.engine.dialects.woa.attacks.called_shot_effects import concentration_of_jarred
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.rules.magic.long_castings import CONCENTRATING, let_lapse
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

DISTURBED = "disturbed"
"""Has been hurt in a round of concentration; the level is how much."""
UPSET = "upset"
"""Has been subject to a combat maneuver in a round of concentration; the level is its attack roll."""
UNSETTLED = "unable to concentrate"
#: Casting times that leave a caster open to distraction.
LONG = ("standard", "full-round", "one-round")
#: Types of action under which it is declared.
BINDING = ("standard", "full-round", "grapple")
#: What a combatant may have declared that takes concentration, by the name it has in a plan.
MINDFUL = frozenset({"cast", "read", "maintain"})


def is_concentrating(caster: Combatant) -> bool:
    """Say whether a combatant has declared, or does, what takes concentration this round."""
    if "casting" in caster.conditions or any(one.when == "turn-start" for one in caster.brewing):
        return True
    return any(what in MINDFUL and kind in BINDING for kind, what, _ in caster.plan)


def disturb(fight: Fight, harm: Harm) -> Steps[None]:
    """Remember damage for the concentration checks of the round (woa.spell.damage-concentration)."""
    target = harm.target
    if not is_concentrating(target):
        return
    earlier = target.conditions.get(DISTURBED)
    yield ConditionGained(
        who=target.id,
        condition=DISTURBED,
        source=harm.source,
        until=Until("round-end", "", fight.state.round),
        level=harm.amount + (earlier.level if earlier else 0),
        cites=fight.rules("woa.spell.damage-concentration", "woa.damage.concentration"),
    )


def note_maneuver(fight: Fight, target: Combatant, total: int, source: str) -> Steps[None]:
    """Remember a successful combat maneuver, whose attack roll was `total`, for the checks of the round.

    Of several the hardest to bear counts (woa.spell.maneuver-concentration).
    """
    if not is_concentrating(target):
        return
    earlier = target.conditions.get(UPSET)
    if earlier is not None and earlier.level >= total:
        return
    yield ConditionGained(
        who=target.id,
        condition=UPSET,
        source=source,
        until=Until("round-end", "", fight.state.round),
        level=total,
        cites=(fight.rule("woa.spell.maneuver-concentration"),),
    )


def end_concentration(fight: Fight, caster: Combatant) -> Steps[None]:
    """End what hangs on the concentration of a caster who can do nothing any more."""
    if CONCENTRATING in caster.conditions and powerless(fight, caster, mind=True):
        yield from let_lapse(fight, caster, "can do nothing", fight.rule("woa.spell.concentrate-broken"))


def refuse_unsettled(fight: Fight, caster: Combatant) -> None:
    """Refuse what takes concentration to those who have none.

    woa.spell.concentration-required, woa.condition.nauseated
    """
    if "nauseated" in caster.conditions:
        raise Refusal(
            f"{caster.id} is nauseated and cannot concentrate", fight.rule("woa.condition.nauseated")
        )
    if UNSETTLED in caster.conditions:
        raise Refusal(f"{caster.id} cannot concentrate", fight.rule("woa.spell.concentration-required"))


def numbers_of_dc(fight: Fight, topic: str) -> list[int]:
    """Return the numbers in the DC of a concentration check, such as "10 + damage + 2 * spell_level"."""
    return [int(number) for number in re.findall(r"\d+", str(fight.figure(topic, "dc")))]


def check_concentration(
    fight: Fight, caster: Combatant, level: int, name: str, *cites: str, spell: Spell | None = None
) -> Steps[bool]:
    """Check concentration for what this round has brought; return whether it is lost.

    Several blows count together, a maneuver calls for a check of its own; what is settled disturbs no more.
    `level` is that of the spell (0 without one), `cites` the rule that asks for the check.
    """
    for state, topic, why in (
        (DISTURBED, "woa.spell.damage-concentration", "struck for {} during {}"),
        (UPSET, "woa.spell.maneuver-concentration", "subject to a maneuver of {} during {}"),
    ):
        disturbed = caster.conditions.get(state)
        if disturbed is None:
            continue
        *base, per = numbers_of_dc(fight, topic)
        dc = sum(base) + disturbed.level + per * level
        ids = (*fight.rules("woa.spell.concentration-check", topic), *cites)
        told = why.format(disturbed.level, name)
        bonus = concentration_parts(fight, caster) + (
            concentration_of_jarred(fight, caster, spell) if spell is not None else []
        )
        kept = yield from check(fight, caster, "concentration", bonus, dc, *ids, why=told)
        yield ConditionLost(who=caster.id, condition=state, why="settled", cites=(fight.rule(topic),))
        if not kept:
            return True
    return False


def concentration_parts(fight: Fight, caster: Combatant) -> list[Modifier]:
    """Return the parts of a concentration check (option `concentration_bonus`)."""
    rule = fight.rule("woa.spell.concentration-check")
    sheet = caster.sheet
    if sheet.concentration is not None:
        return [Modifier(sheet.concentration, "skill", "concentration", rule)]
    if fight.option("concentration_bonus") == "sheet-only":
        return []
    best = max(ability_now(fight, caster, name) for name in ("int", "wis", "cha"))
    return [
        Modifier(sheet.hit_dice, "level", "level", rule),
        Modifier(best, "ability", "casting ability", rule),
    ]


def let_former_lapse(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let what was kept up before lapse as a spell begins to work, unless that is its next touch."""
    kept = caster.conditions.get(CONCENTRATING)
    if not spell.concentration or kept is None or (spell.touches > 1 and kept.source == spell.name):
        return
    rule = fight.rule("woa.spell.concentrate-maintain")
    yield from let_lapse(fight, caster, f"now concentrates on {spell.name}", rule)


def shaken_at_turn_end(fight: Fight, caster: Combatant, level: int) -> Steps[None]:
    """Check for what has disturbed a caster of what is kept up since it concentrated in this turn."""
    if "upholding" in caster.conditions:
        rule = fight.rule("woa.spell.concentrate-broken")
        name = caster.conditions[CONCENTRATING].source
        if (yield from check_concentration(fight, caster, level, name, rule)):
            yield from let_lapse(fight, caster, "concentration is broken", rule)


def no_defensive_casting(fight: Fight, caster: Combatant, spell: Spell) -> tuple[int, tuple[str, ...]]:
    """Refuse: casting provokes nothing here, so none is done defensively (woa.spell.no-combat-reactions)."""
    reason = f"casting provokes nothing: {caster.id} cannot cast defensively"
    raise Refusal(reason, fight.rule("woa.spell.no-combat-reactions"))
