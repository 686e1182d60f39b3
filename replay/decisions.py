"""Which events are decisions, that numbers or rules explain."""

from affray.events.facts import combat, declared, flow


def decides(fact: object) -> bool:
    """Say whether a fact is a decision that numbers or rules explain."""
    sides = ("attack", "defense", "parts", "opposed_parts", "modifiers")
    return any(getattr(fact, side, ()) for side in sides) or type(fact) in (
        declared.Refused,
        declared.Invalidated,
        combat.Provoked,
        combat.ConditionGained,
        flow.RuleApplied,
    )
