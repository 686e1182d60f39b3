"""What a fact changes of all that is remembered about a fight: everything, somebody, places, or nothing."""

from collections.abc import Callable
from typing import Any

from affray.engine.fight import Fight
from affray.events.facts.combat import (
    AbilityChanged,
    AfflictionEnded,
    AfflictionHeld,
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    HitPointsChanged,
    InjurySuffered,
    ItemChanged,
    MaximumChanged,
    MountDirected,
    Moved,
    ResourceSpent,
    SideChanged,
)
from affray.events.facts.declared import Chosen, Declared
from affray.events.facts.flow import (
    ActionSpent,
    ActReadied,
    BudgetRenewed,
    CastingBegan,
    CastingEnded,
    InitiativeChanged,
    InitiativeRolled,
    PlanMade,
    ReactionSpent,
    ReadyEnded,
    RoundBegan,
    RoundEnded,
    TurnBegan,
    TurnDelayed,
    TurnEnded,
)
from affray.events.facts.rolled import Rolled
from affray.projections.fold import HANDLERS

STILL = frozenset(
    {
        Declared,
        Chosen,
        ActionSpent,
        ReactionSpent,
        ResourceSpent,
        HitPointsChanged,
        Rolled,
        RoundBegan,
        RoundEnded,
        TurnEnded,
        BudgetRenewed,
        MountDirected,
        PlanMade,
        TurnBegan,
    }
)
"""Facts that change the state but nothing that the modifiers of an attack depend on.

That a turn began ends being flat-footed: whoever remembers something about that asks for `acted`. That
a round began ends the surprise round: whoever remembers something about that asks for the round.
"""

OWN = frozenset(
    {
        AbilityChanged,
        ActReadied,
        AfflictionEnded,
        AfflictionHeld,
        CastingBegan,
        CastingEnded,
        ConditionGained,
        ConditionLost,
        EffectEnded,
        EffectGained,
        InitiativeChanged,
        InitiativeRolled,
        InjurySuffered,
        ItemChanged,
        MaximumChanged,
        ReadyEnded,
        SideChanged,
        TurnDelayed,
    }
)
"""Facts that change one combatant, its place apart, and nobody else; and perhaps the order of turns."""


def changes(kind: type) -> Callable[[Fight, Any], None] | None:
    """Return what begins a new scene after a fact of that kind, None if nothing need."""
    if kind not in HANDLERS or kind in STILL:
        return None
    if kind is Moved:
        return lambda fight, fact: fight.change_places()
    if kind in OWN:
        return lambda fight, fact: fight.change_one(fact.who)
    return lambda fight, fact: fight.change_scene()
