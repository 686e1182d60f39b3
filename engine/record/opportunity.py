"""The record of the chapter on opportunity: attacks of opportunity and other reactions out of turn."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from affray.engine.record.blow import Blow
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


class ReactionBlow(Struct, frozen=True, gc=False):
    """The touch with a held charge out of turn, and how it is carried out; that returns whether it struck."""

    blow: Blow
    carry_out: Callable[[Context, Blow], Steps[bool]]


class Opportunity(Chapter, frozen=True, kw_only=True):
    """Attacks of opportunity and other reactions out of turn.

    provoke: let those who may attack a combatant for the same opportunity.
    opportunities: how many attacks of opportunity a round allows, and the rule's topic.
    opportunity_name: the name of the opportunity that this movement gives.
    sheltered: what keeps a target from an attack of opportunity, and the rule's topic; ("", "") for
        nothing.
    weapons_at: the weapons with which a combatant can strike at a target out of turn, as they are at hand.
    touch_by_charge: the touch with a spell's charge, if that is the weapon of those of `weapons_at`.
    weapon_topics: the topics of what lets a weapon strike out of turn.
    opening_rules: the rules by which a step opens a combatant to an attack of opportunity.
    """

    provoke: Callable[..., Steps[None]]
    opportunities: Callable[[Context, Combatant], tuple[int, str]]
    opportunity_name: Callable[[Context, Combatant], str]
    sheltered: Callable[[Context, Blow], tuple[str, str]]
    weapons_at: Callable[[Context, Combatant, Combatant], list[Weapon]]
    touch_by_charge: Callable[[Context, Combatant, Combatant, Weapon], ReactionBlow | None]
    weapon_topics: Callable[[Weapon], tuple[str, ...]]
    opening_rules: Callable[..., Sequence[str]]
