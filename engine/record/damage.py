"""The record of the chapter on damage: damage, injury, dying, and what heals."""

from collections.abc import Callable

from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.sheet import Reduction
from affray.projections.state import Combatant, Effect


class Damage(Chapter, frozen=True, kw_only=True):
    """Damage, injury, dying, and what heals.

    types: the types of damage there are.
    deal: roll a hit's damage and deal it.
    strength_damage: what Strength adds to damage: value, source and topic.
    force_rules: the rules on the force of this hit's multiplier.
    minimum_is_nonlethal: whether the least damage of a hit is one nonlethal point.
    damage_kind: choose among the types of damage that a weapon can deal.
    along_with_damage: what comes along with the damage of a hit.
    suffer: have a combatant take harm, with all that comes of it.
    overcomes: whether a blow overcomes a damage reduction that its kinds do not bypass.
    pierced: how many points of a damage reduction that it does not overcome a blow ignores.
    reduce: what is left of harm, and why.
    roll_with: what the harmed may do about harm before it is taken.
    injure: what lost hit points bring about.
    start_hurt: what the hit points with which a combatant enters bring about.
    settle: what hit points bring about that the game master has set, of a combatant that had others `before`.
    set_state: how the game master sets a state of health that hit points allow; whether it is one.
    refuse_state: refuse to begin or end a state of health by the game master's word against the hit points.
    loss_topics: the topics of the rules by which damage leaves a combatant as it is.
    disabled_from: the highest hit points of the disabled.
    dying_from: the highest hit points of the dying.
    bleed_out: what becomes of the dying in a turn.
    last_stand: whether a combatant stays up at the hit points of the dying.
    undying: the topic of the rule by which a combatant cannot die now; "" if it can.
    death_at: the hit points at which a combatant is dead.
    massive_damage: the damage that may kill at once.
    nonlethal_limit: the most nonlethal damage that is kept; None for no limit.
    effect_over: what an effect leaves behind when it is over.
    """

    types: frozenset[str]
    deal: Callable[[Context, Blow, bool], Steps[None]]
    strength_damage: Callable[[Context, Blow, int], tuple[int, str, str] | None]
    force_rules: Callable[[Context, Blow, int], tuple[str, ...]]
    minimum_is_nonlethal: bool
    damage_kind: Callable[[Context, Blow], Steps[str]]
    along_with_damage: Callable[[Context, Blow, Harm | None, bool], Steps[None]]
    suffer: Callable[[Context, Harm], Steps[None]]
    overcomes: Callable[[Context, Harm, Reduction], bool]
    pierced: Callable[[Context, Harm, Reduction], int]
    reduce: Callable[[Context, Harm], tuple[int, str]]
    roll_with: Callable[[Context, Harm], Steps[None]]
    injure: Callable[[Context, Combatant, int, Harm], Steps[None]]
    start_hurt: Callable[[Context, Combatant], Steps[None]]
    settle: Callable[[Context, Combatant, int], Steps[None]]
    set_state: Callable[[Context, Combatant, str, str], Steps[bool]]
    refuse_state: Callable[..., None]
    loss_topics: Callable[[Harm, int, int], tuple[str, ...]]
    disabled_from: Callable[[Context], int]
    dying_from: Callable[[Context], int]
    bleed_out: Callable[[Context, Combatant], Steps[None]]
    last_stand: Callable[[Context, Combatant, str], Steps[bool]]
    undying: Callable[[Context, Combatant], str]
    death_at: Callable[[Context, Combatant], int]
    massive_damage: Callable[[Context, Combatant], int]
    nonlethal_limit: Callable[[Context, Combatant], int | None]
    effect_over: Callable[[Context, Combatant, Effect], Steps[None]]
