"""What a ruling gives to one declaration, and the facts that end it.

A modifier that is ruled for one event lasts until that declaration is decided; a reading that is ruled for
it comes back afterwards. The state says which these are, wherever a line of play ends: whoever declares
something else there ends them first.
"""

from typing import Any, Final

from affray.events.codec import entry
from affray.events.envelope import Entry
from affray.events.facts.combat import EffectEnded, Until
from affray.events.facts.declared import Ruled
from affray.events.facts.flow import OptionsChanged
from affray.projections.fold import apply
from affray.projections.state import Encounter

ONE_DECLARATION: Final = Until("declaration")
"""How long a modifier holds that is ruled for one event."""

_WHY: Final = "it was ruled for one declaration"
_RULE: Final = "ruling:"


def ended_effects(state: Encounter) -> list[EffectEnded]:
    """Return the facts that end the modifiers which hold for one declaration only."""
    return [
        EffectEnded(who=one.id, id=effect.id, why=_WHY)
        for one in state.combatants.values()
        for effect in one.effects
        if effect.until == ONE_DECLARATION
    ]


def end_event_rulings(state: Encounter) -> list[list[Any]]:
    """Return groups of facts that end all that was ruled for one declaration; none where nothing was."""
    ended = ended_effects(state)
    if not ended and not state.restores:
        return []
    ids = sorted(
        {
            effect.modifier.rule.removeprefix(_RULE)
            for one in state.combatants.values()
            for effect in one.effects
            if effect.until == ONE_DECLARATION and effect.modifier.rule.startswith(_RULE)
        }
    )
    ruled = Ruled(author="", verdict="ends", text=_WHY, id=ids[0] if len(ids) == 1 else "")
    groups: list[list[Any]] = [[ruled, *ended]]
    if state.restores:
        groups.append([OptionsChanged(options=dict(sorted(state.restores.items())), by="ruling")])
    return groups


def ending_entries(state: Encounter, seq: int) -> list[Entry]:
    """Return the entries behind event `seq` that end all that was ruled for one declaration.

    They are folded into the state.
    """
    entries: list[Entry] = []
    for group in end_event_rulings(state):
        cause = seq + len(entries) + 1
        for fact in group:
            entries.append(entry(fact, state.round, state.turn, "", cause))
            apply(state, fact)
    return entries
