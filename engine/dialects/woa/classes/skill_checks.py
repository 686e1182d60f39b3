"""Checks of a skill or an ability that no rule of their own describes (woa.use-skill)."""

from affray.engine.dialects.woa.senses.blinded_deafened import failed_unseen, sight_parts
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import SKILLS, check, skill_parts
from affray.engine.steps import Steps, unknown_word
from affray.events.facts.sheet import SCORES
from affray.projections.state import Combatant

#: The skills of this game, which joins some of the usual ones, with the ability behind each.
ABILITY_OF = {
    **SKILLS,
    "athletics": "str",
    **dict.fromkeys(("acrobatics", "stealth"), "dex"),
    "endurance": "con",
    **dict.fromkeys(("insight", "perception"), "wis"),
}


def called_check(fight: Fight, combatant: Combatant, skill: str, dc: int, why: str) -> Steps[bool]:
    """Check a skill or ability, with what conditions, losses and bad sight take off it; say if it succeeds.

    What cannot be seen or heard fails (woa.condition.blinded); whoever watches for a trigger has an eye for
    little else (woa.ready.distracted-perception). Refuses what is no skill, no ability and not on the sheet.
    """
    rule = fight.rule("woa.use-skill")
    abilities = (*SCORES, *(name.casefold() for name in SCORES.values()))
    known = (*ABILITY_OF, *abilities, *combatant.sheet.skills)
    if skill not in known:
        raise unknown_word("skill or ability", skill, known, rule)
    if (yield from failed_unseen(fight, combatant, skill, dc)):
        return False
    short = next((key for key, name in SCORES.items() if name.casefold() == skill), "")
    short = short or ABILITY_OF.get(skill) or ABILITY_OF.get(skill.partition(" (")[0], "dex")
    parts = [*skill_parts(fight, combatant, skill, short, rule), *sight_parts(fight, combatant, skill)]
    return (yield from check(fight, combatant, skill, parts, dc, rule, why=why))
