"""What damage spoils: tasks that take attention, movement by skill, held breath (woa.damage.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import ReadyEnded, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

ACTIVITIES = "woa.damage.concentration"
#: Movement by skill, as conditions, and what may befall whoever is hurt in it.
MISHAPS = {"balancing": "falls", "climbing": "falls", "flying": "falls", "swimming": "goes under"}
BREATH = "holding breath"


def disturb_by_damage(fight: Fight, victim: Combatant, amount: int) -> Steps[None]:
    """Make the checks that damage asks of concentration, movement by skill and held breath."""
    for name in list(victim.conditions):
        if name in MISHAPS:
            yield from ask_about_movement(fight, victim, name)
        elif name == BREATH:
            yield from ask_about_breath(fight, victim)
        elif name in fight.figure(ACTIVITIES, "activities"):
            yield from disturb_task(fight, victim, amount, name)
    if victim.readied is not None and "readying" not in victim.conditions:
        yield from lose_watch(fight, victim, amount)


def disturb_task(fight: Fight, victim: Combatant, amount: int, task: str) -> Steps[None]:
    """Let damage spoil a task, such as picking a lock, unless concentration is kept."""
    if not (yield from keeps_focus(fight, victim, amount, task)):
        cites = fight.rules(ACTIVITIES)
        yield ConditionLost(who=victim.id, condition=task, why="concentration broken", cites=cites)


def lose_watch(fight: Fight, victim: Combatant, amount: int) -> Steps[None]:
    """Let damage spoil an action that has been kept ready since an earlier round."""
    if not (yield from keeps_focus(fight, victim, amount, "readying for an extended period")):
        yield ReadyEnded(who=victim.id, how="lapsed", cites=fight.rules(ACTIVITIES))


def keeps_focus(fight: Fight, victim: Combatant, amount: int, task: str) -> Steps[bool]:
    """Check concentration for a task that is no spell: the DC is that of one, without a spell's level.

    woa.damage.concentration; the text leaves the DC to each task's own description.
    """
    topic = "woa.spell.damage-concentration"
    base = int(str(fight.figure(topic, "dc")).split(" + ")[0])
    cites = fight.rules("woa.spell.concentration-check", ACTIVITIES)
    parts = concentration_on_task(fight, victim)
    why = f"hurt for {amount} while {task}"
    return (yield from check(fight, victim, "concentration", parts, base + amount, *cites, why=why))


def concentration_on_task(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return the parts of a concentration check for a task (option `concentration_bonus`)."""
    rule = fight.rule("woa.spell.concentration-check")
    if combatant.sheet.concentration is not None:
        return [Modifier(combatant.sheet.concentration, "skill", "concentration", rule)]
    if fight.option("concentration_bonus") == "sheet-only":
        return []
    best = max(ability_now(fight, combatant, name) for name in ("int", "wis", "cha"))
    return [
        Modifier(combatant.sheet.hit_dice, "level", "level", rule),
        Modifier(best, "ability", "ability", rule),
    ]


def ask_about_movement(fight: Fight, victim: Combatant, how: str) -> Steps[None]:
    """Let the game master say what damage does to somebody who moves by skill (woa.damage.movement-skill).

    In a water of the fight a swimmer makes a check of its own for it (see `swim_and_drown`).
    """
    if how == "swimming" and "in water" in victim.conditions:
        return
    rule = fight.rule("woa.damage.movement-skill")
    what = MISHAPS[how]
    question = f"{victim.id} is hurt while {how}: what happens?"
    answer = yield Choice("", "mishap", question, (what, "keeps going"), rule)
    if answer != what:
        yield RuleApplied(who=victim.id, what=f"keeps going ({how})", cites=(rule,))
        return
    yield ConditionLost(who=victim.id, condition=how, why=what, cites=(rule,))
    state = "prone" if what == "falls" else "submerged"
    if state not in victim.conditions:
        yield ConditionGained(who=victim.id, condition=state, source=f"hurt while {how}", cites=(rule,))


def ask_about_breath(fight: Fight, victim: Combatant) -> Steps[None]:
    """Let the game master say whether the breath that somebody holds is lost (woa.damage.other-effects)."""
    rule = fight.rule("woa.damage.other-effects")
    question = f"{victim.id} is hurt while holding the breath: is it lost?"
    if (yield Choice("", "breath", question, ("holds on", "loses it"), rule)) == "loses it":
        yield ConditionLost(who=victim.id, condition=BREATH, why="hurt", cites=(rule,))
    else:
        yield RuleApplied(who=victim.id, what="goes on holding the breath", cites=(rule,))
