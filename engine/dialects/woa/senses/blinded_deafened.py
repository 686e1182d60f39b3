"""Those who cannot see or hear: what fails, and what is harder (woa.condition.blinded, .deafened)."""

from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.saves_and_checks import fails_unrolled
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What takes eyes and what takes ears, as skills or tasks.
SEEING = ("spot", "read", "read lips", "appraise", "decipher script")
HEARING = ("listen",)
#: Skills that handle things or go over the surroundings, which the blinded are the worse at.
HANDLING = ("search", "disable device", "open lock", "sleight of hand", "craft")
#: Senses that do without light.
DARK_SIGHT = ("darkvision", "blindsight", "blind sight", "tremorsense")
DARKNESS = "total darkness"
#: How a condition begins that says which lost sense somebody has learned to do without.
USED_TO = "used to being"


def failed_unseen(fight: Fight, combatant: Combatant, skill: str, dc: int) -> Steps[bool]:
    """Fail a task that takes eyes for the blinded, ears for the deafened; return whether it failed so."""
    for condition, skills in (("blinded", SEEING), ("deafened", HEARING)):
        if condition in combatant.conditions and skill in skills:
            yield fails_unrolled(
                combatant, skill, dc, f"fails: {condition}", fight.rule(f"condition.{condition}")
            )
            return True
    return False


def sight_parts(fight: Fight, combatant: Combatant, skill: str) -> list[Modifier]:
    """Return what not seeing costs a check that handles things: as much as it costs an attack."""
    if (
        "blinded" not in combatant.conditions
        or skill not in HANDLING
        or f"{USED_TO} blinded" in combatant.conditions
    ):
        return []
    found = cell(fight, "woa.concealment.table", "degree=total", "attack")
    if found is None:
        return []
    return [Modifier(found.value, "penalty", "blinded", fight.rule("woa.condition.blinded"))]


def blow_sight(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Cite the impaired sight that conceals the target (woa.condition.dazzled, .blinded)."""
    held = blow.attacker.conditions
    if "blinded" in held:
        blow.cites.append(fight.rule("woa.condition.blinded"))
        if held["blinded"].source == DARKNESS:
            blow.cites.append(fight.rule("woa.condition.blinded.total-darkness"))
    elif "dazzled" in held:
        blow.cites.append(fight.rule("woa.condition.dazzled"))
    return ()


def put_in_darkness(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Put somebody into total darkness, or back into light: the game master's word.

    Those who see in the dark, or without eyes, are not blinded by it (woa.condition.blinded.total-darkness).
    """
    target = fight.combatant(act.target)
    rule = fight.rule("woa.condition.blinded.total-darkness")
    held = target.conditions.get("blinded")
    if act.over:
        if held is None or held.source != DARKNESS:
            raise Refusal(f"{target.id} is not blinded by darkness", rule)
        yield ConditionLost(who=target.id, condition="blinded", why="light", cites=(rule,))
        return
    if any(trait.startswith(DARK_SIGHT) for trait in target.sheet.traits):
        raise Refusal(f"{target.id} sees in the dark", rule)
    if held is not None:
        raise Refusal(f"{target.id} is blinded already", rule)
    yield ConditionGained(who=target.id, condition="blinded", source=DARKNESS, cites=(rule,))
