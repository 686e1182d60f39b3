"""Tumbling past opponents and through their spaces (srd35.skill.tumble, srd35.skill.tumble-surface)."""

from typing import Final

from affray.engine.dialects.srd35.movement.speed import what_slows
from affray.engine.fight.fight import Fight
from affray.engine.rules.movement import tumble as tumbling
from affray.engine.rules.movement.tumble import Tumbling, gets_past_by_skill
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.projections.state import Combatant

TOPIC, SURFACE = "srd35.skill.tumble", "srd35.skill.tumble-surface"
SURFACES = ("", "light", "severe")


def tumble(fight: Fight, act: acts.Move) -> Steps[None]:
    """Tumble by the skill of that name (srd35.skill.tumble)."""
    return tumbling.tumble(fight, act, TUMBLING)


def refuse_to_tumble(fight: Fight, mover: Combatant, act: acts.Move) -> None:
    """Refuse to the untrained, to those whom armor or load slows, and in a deep bog."""
    rule = fight.rule(TOPIC)
    if not mover.sheet.ranks.get("tumble") and "tumble" not in mover.sheet.skills:
        raise Refusal(f"{mover.id} is not trained to tumble", rule)
    if what_slows(fight, mover):
        raise Refusal(f"{mover.id} cannot tumble: it is slowed by its {what_slows(fight, mover)}", rule)
    if act.surface not in SURFACES:
        raise Refusal(f"one cannot tumble on {act.surface!r}", fight.rule(SURFACE))


def gets_past(
    fight: Fight, mover: Combatant, enemy: Combatant, act: acts.Move, through: bool, others: int
) -> Steps[bool]:
    """Check whether a tumbler gets past, or through the space of, one opponent."""
    harder, cites = 0, tuple[str, ...]()
    if act.surface:
        harder, cites = fight.figure(SURFACE, act.surface), fight.rules(SURFACE)
    return (
        yield from gets_past_by_skill(fight, mover, enemy, act, through, others, harder=harder, cites=cites)
    )


#: Tumbling takes a trained skill (srd35.skill.tumble).
TUMBLING: Final = Tumbling(refuse_to_tumble, gets_past)


def is_practiced(fight: Fight, mover: Combatant) -> bool:
    """Say whether a combatant defends itself the better for its tumbling: with 5 ranks in it.

    srd35.skill.tumble-defense
    """
    return bool(mover.sheet.ranks.get("tumble", 0) >= fight.figure("srd35.skill.tumble-defense", "ranks"))
