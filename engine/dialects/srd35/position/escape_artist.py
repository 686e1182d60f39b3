"""Escape Artist: into a space less than half as wide as one's own (srd35.squeeze.escape-artist*)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.saves_and_checks import check, skill_parts
from affray.engine.rules.position.tight_form import WRIGGLING
from affray.engine.rules.position.wriggling import form_to_wriggle, get_through, spent_on_wriggling
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

TABLE = "srd35.skill.escape-artist-table"


def wriggle(fight: Fight, act: acts.Move) -> Steps[None]:
    """Spend a full round on getting into a tight space; after a minute of it an Escape Artist check decides.

    The way is one step. Meanwhile one takes -4 to AC, has no Dexterity bonus and makes no attacks.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.squeeze.escape-artist")
    there, form = form_to_wriggle(fight, actor, act, rule)
    yield spent_on_wriggling(actor, rule)
    before = actor.conditions.get(WRIGGLING)
    spent = 1 + (before.level if before is not None and before.source == square_in_words(there) else 0)
    yield ConditionGained(
        who=actor.id,
        condition=WRIGGLING,
        source=square_in_words(there),
        level=spent,
        cites=fight.rules("srd35.squeeze.escape-artist", "srd35.squeeze.escape-artist-ac"),
    )
    if spent < rounds_to_wriggle(fight):
        return
    parts = skill_parts(fight, actor, "escape artist", "dex", fight.rule(TABLE))
    dc = fight.figure(TABLE, "tight_space")
    cites = fight.rules(TABLE, "srd35.squeeze.escape-artist", "srd35.round.six-seconds")
    through = yield from check(fight, actor, "escape artist", parts, dc, *cites)
    why = "is through" if through else "is stuck and must begin again"
    yield ConditionLost(who=actor.id, condition=WRIGGLING, why=why, cites=(rule,))
    if through:
        yield from get_through(fight, actor, there, form, rule)


def rounds_to_wriggle(fight: Fight) -> int:
    """Return the rounds that a tight space takes."""
    minutes = int(fight.figure(TABLE, "tight_space_minutes"))
    return minutes * int(fight.figure("srd35.round.six-seconds", "rounds_per_minute"))


def square_in_words(at: Square) -> str:
    """Return a square in words."""
    return f"the tight space at {at[0]},{at[1]}"


def refuse_attack(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse attacks to whoever wriggles (srd35.squeeze.escape-artist-no-attack)."""
    raise Refusal(
        f"{actor.id} wriggles into a tight space and cannot attack",
        fight.rule("srd35.squeeze.escape-artist-no-attack"),
    )


def stop_wriggling(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Give up wriggling by moving otherwise."""
    if WRIGGLING in combatant.conditions:
        yield ConditionLost(
            who=combatant.id,
            condition=WRIGGLING,
            why="gives it up",
            cites=fight.rules("srd35.squeeze.escape-artist"),
        )
