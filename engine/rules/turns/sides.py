"""Who is a friend of whom, where a rule asks for one or the other."""

from affray.engine.steps import Refusal
from affray.projections.state import Combatant


def refuse_no_friend(actor: Combatant, friend: Combatant, rule: str) -> None:
    """Refuse to help oneself, or a combatant of another side."""
    if friend is actor:
        raise Refusal(f"{actor.id} cannot aid itself", rule)
    if friend.side != actor.side:
        raise Refusal(f"{friend.id} is no friend of {actor.id}", rule)


def refuse_no_opponent(actor: Combatant, target: Combatant, rule: str, purpose: str = "") -> None:
    """Refuse what is done to opponents where the target is none; the `purpose` says it: "to demoralize"."""
    if target.side == actor.side:
        raise Refusal(f"{target.id} is no opponent {purpose or f'of {actor.id}'}", rule)
