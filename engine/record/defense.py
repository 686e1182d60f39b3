"""The record of the chapter on defense: the score that an attack must reach, and cover."""

from collections.abc import Callable

from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Blow
from affray.engine.record.chapter import Chapter
from affray.engine.record.context import Context
from affray.engine.steps import Steps
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


class Defense(Chapter, frozen=True, kw_only=True):
    """The score that an attack must reach, and cover.

    defense_bonus: what the sheet gives to the score that an attack must reach.
    defense_situation: what conditions, effects and the place do to that score.
    dexterity_denied: why a target loses its Dexterity bonus, and the rule's topic; ("", "") if not.
    helpless_dexterity: what stands for the Dexterity of the helpless.
    cover: the bonus of cover against this blow.
    uncanny_dodge: whether a combatant keeps its Dexterity when surprised.
    dexterity_cap: how much Dexterity counts, what allows no more, and its rule.
    reflex_cover: what cover gives to a Reflex save, from where an area effect originates.
    around_corners: choose among squares of origin for a spread.
    name: what the score that an attack must reach is called.
    """

    defense_bonus: Callable[[Context, Blow], tuple[Modifier, ...]]
    defense_situation: Callable[[Context, Blow], list[Modifier]]
    dexterity_denied: Callable[[Context, Blow], tuple[str, str]]
    helpless_dexterity: Callable[[Context, Blow], list[Modifier]]
    cover: Callable[[Context, Blow], list[Modifier]]
    uncanny_dodge: Callable[[Context, Combatant], bool]
    dexterity_cap: Callable[[Context, Combatant], tuple[int | None, str, str]]
    reflex_cover: Callable[[Context, Combatant, Combatant, tuple[Square, int, Square]], tuple[Modifier, ...]]
    around_corners: Callable[[Context, Combatant, tuple[Modifier, ...]], Steps[tuple[Modifier, ...]]]
    name: str
