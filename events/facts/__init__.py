"""The closed vocabulary of facts."""

from affray.events.facts import acts, combat, declared, flow, rolled
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Sheet, Spell, Weapon

DECLARATIONS = (
    declared.Declared,
    declared.Refused,
    declared.Asked,
    declared.Chosen,
    declared.Invalidated,
    declared.Disputed,
    declared.Ruled,
    declared.BranchPromoted,
)
ROLLS = (rolled.Rolled,)
OUTCOMES = (
    flow.EncounterOpened,
    flow.OptionsChanged,
    flow.CombatantEntered,
    flow.AwarenessSettled,
    flow.InitiativeRolled,
    flow.OrderSet,
    flow.RoundBegan,
    flow.PhaseChanged,
    flow.RoundEnded,
    flow.TurnBegan,
    flow.TurnEnded,
    flow.BudgetRenewed,
    flow.ActionSpent,
    flow.ReactionSpent,
    flow.PlanMade,
    flow.TurnDelayed,
    flow.InitiativeChanged,
    flow.ActReadied,
    flow.ReadyEnded,
    flow.CastingBegan,
    flow.CastingEnded,
    flow.EncounterClosed,
    flow.RuleApplied,
    combat.Moved,
    combat.Provoked,
    combat.AttackResolved,
    combat.ConfirmationResolved,
    combat.MissChanceResolved,
    combat.DamageResolved,
    combat.HitPointsChanged,
    combat.ConditionGained,
    combat.ConditionLost,
    combat.EffectGained,
    combat.EffectEnded,
    combat.CheckResolved,
    combat.ContestResolved,
    combat.ItemChanged,
    combat.ItemStruck,
    combat.ResourceSpent,
    combat.InjurySuffered,
)

__all__ = [
    "DECLARATIONS",
    "OUTCOMES",
    "ROLLS",
    "Modifier",
    "Sheet",
    "Spell",
    "Weapon",
    "acts",
    "combat",
    "declared",
    "flow",
    "rolled",
]
