"""Checks that the game master calls for: of a skill, or of an ability by its name."""

from affray.engine.dialects.srd35.classes import favored_enemy
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import ability
from affray.engine.rules.classes.ability_scores import lowered
from affray.engine.rules.classes.saves_and_checks import SKILLS, check, fails_unrolled, skill_parts
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant

#: What the game master may call for: a skill, or an ability by its name.
CALLED = (*SKILLS, *(name.casefold() for name in SCORES.values()))

#: The conditions in which checks that rest on a sense fail.
SENSELESS = {"spot": "blinded", "listen": "deafened"}


def called_for(fight: Fight, combatant: Combatant, skill: str, dc: int, source: str) -> Steps[bool]:
    """Roll a check that the game master calls for, of what is `CALLED`, and return whether it succeeds.

    What conditions do to all skill checks, to ability checks or to this one counts (srd35.cond.*). A `source`
    that is the id of a combatant makes the check one about it, who may be a favored enemy.
    """
    full = {name.casefold(): short for short, name in SCORES.items()}
    if skill in full:
        short = full[skill]
        parts = [
            Modifier(ability(combatant.sheet, short), "ability", SCORES[short], ""),
            *lowered(fight, combatant, short),
        ]
        name = short
    elif (lost := SENSELESS.get(skill, "")) and lost in combatant.conditions:
        why = f"against {source}: {lost}, fails unrolled"
        yield fails_unrolled(combatant, skill, dc, why, fight.rule(f"cond.{lost}"))
        return False
    else:
        topic = "srd35.skill.spot-listen" if skill in ("spot", "listen") else f"skill.{skill}"
        rule = fight.rule(topic) if fight.book.has(topic) else ""
        parts, name = skill_parts(fight, combatant, skill, SKILLS[skill], rule), skill
        if source in fight.state.combatants:
            parts += favored_enemy.check_bonus_against(
                fight, combatant, fight.state.combatants[source], skill
            )
    return (yield from check(fight, combatant, name, parts, dc, why=f"against {source}"))
