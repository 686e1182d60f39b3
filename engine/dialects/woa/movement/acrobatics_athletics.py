"""Acrobatics and Athletics in combat: the checks that moving asks for (woa.movement.skills.*)."""

from affray.engine.dialects.woa.movement.speed import listed_speed
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.classes.saves_and_checks import check_by, skill_parts
from affray.engine.steps import Choice, Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: What the game master may set where no DC is printed.
DCS = ("15", "10", "20", "25", "30")


def acrobatics(
    fight: Fight, mover: Combatant, dc: int, *cites: str, rough: bool = False, why: str = ""
) -> Steps[int]:
    """Make an Acrobatics check and return by how much it succeeds; `rough` ground hampers it.

    woa.terrain.difficult.acrobatics-penalty
    """
    rule = fight.rule("woa.movement.skills.basis")
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    if rough:
        topic = "woa.terrain.difficult.acrobatics-penalty"
        parts.append(fight.modifier(topic, "acrobatics", kind="penalty", source="difficult terrain"))
    return (yield from check_by(fight, mover, "acrobatics", parts, dc, *cites, why=why))


def athletics(
    fight: Fight,
    mover: Combatant,
    dc: int,
    *cites: str,
    rough: bool = False,
    why: str = "",
    mode: str = "",
    extra: tuple[Modifier, ...] = (),
) -> Steps[int]:
    """Make an Athletics check and return by how much it succeeds; `rough` ground does not hamper it.

    Whoever has a listed speed of that `mode` has a racial bonus and may take 10 at any time
    (woa.movement.natural-mode-skill-bonus).
    """
    rule = fight.rule("woa.movement.skills.basis")
    parts = [*skill_parts(fight, mover, "athletics", "str", rule), *extra]
    taken = 0
    if mode and listed_speed(fight, mover, mode).feet:
        topic = "woa.movement.natural-mode-skill-bonus"
        if mode in fight.figure(topic, "modes"):
            parts.append(fight.modifier(topic, "racial_bonus", kind="racial", source=f"{mode} speed"))
            question = f"does {mover.id} take 10 on the check?"
            options = ("take 10", "roll")
            if not is_down(fight, mover):
                answer = yield Choice(mover.id, "take-10", question, options, fight.rule(topic))
                taken = fight.figure(topic, "taken") if answer == options[0] else 0
    return (yield from check_by(fight, mover, "athletics", parts, dc, *cites, why=why, taken=taken))


def by_ruling(what: str, rule: str) -> Steps[int]:
    """Ask the game master for a DC that only a table which is not printed would give."""
    answer = yield Choice("", "dc", f"no DC is printed for {what}: what is it?", DCS, rule)
    return int(answer)
