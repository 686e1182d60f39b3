"""The difficulty of an encounter, by the advice of its rulebook."""

from affray.engine.record.chapters import Difficulty
from affray.engine.steps import Refusal
from affray.events.errors import AffrayError, did_you_mean
from affray.events.stores.store import Store
from affray.replay.log.playhead import Playhead
from affray.replay.log.rules_for_fight import make_fight_context


class NoDifficulty(AffrayError):
    """The difficulty of an encounter cannot be told, for this reason."""


def difficulty(store: Store, *, of: str = "", branch: str = "", at: str = "end") -> Difficulty:
    """Return how hard the combatants of other sides are for a side, by default the first that entered.

    O(events since a checkpoint). Raises NoDifficulty if the rulebook has no advice on it, or a sheet lacks a
    level or a rating; BadPosition.

    >>> from affray.engine import parse_scenario, set_up
    >>> from affray.events import MemoryStore
    >>> from affray.replay import difficulty
    >>> store = MemoryStore()
    >>> table = set_up(parse_scenario('''
    ... dialect = "srd52"
    ... map = ["......", "......"]
    ... combatants = [
    ...   {id = "maera", side = "heroes", use = "fighter", at = [0, 0]},
    ...   {id = "troll", side = "foes", use = "troll", at = [4, 0]},
    ... ]
    ... '''), store)
    >>> found = difficulty(store)
    >>> found.grade, found.total, found.budgets["high"]
    ('more than high', 1800, 1100)
    """
    state = Playhead(store, branch).seek(at)
    fight = make_fight_context(state, None)
    rate = fight.dialect.difficulty
    if rate is None:
        advice = "affray odds plays a fight many times"
        raise NoDifficulty(f"{state.dialect} has no budget for encounters: {advice}")
    sides = list(dict.fromkeys(one.side for one in state.combatants.values()))
    if not sides:
        raise NoDifficulty("no combatant has entered")
    if of and of not in sides:
        raise NoDifficulty(f"no side is called {of!r}{did_you_mean(of, sides)}")
    party = [one for one in state.combatants.values() if one.side == (of or sides[0])]
    foes = [one for one in state.combatants.values() if one.side != (of or sides[0])]
    if not foes:
        raise NoDifficulty(f"{of or sides[0]} have no opponents in this fight")
    try:
        return rate(fight, party, foes)
    except Refusal as refusal:
        raise NoDifficulty(f"{refusal.reason} ({refusal.rule})") from None
