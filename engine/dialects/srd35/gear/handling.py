"""Where things come to lie that are dropped (srd35.free.list)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import distance_ft
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied


def refuse_drop_afar(fight: Fight, act: acts.Drop) -> None:
    """Refuse to drop an item farther off than into an adjacent square, or one's footing elsewhere.

    srd35.free.list
    """
    actor = fight.combatant(act.actor)
    if act.to is not None and (act.item == "prone" or distance_ft(actor.at, act.to, actor.space) > SQUARE_FT):
        reason = f"{actor.id} drops things in its own square or an adjacent one"
        raise Refusal(reason, fight.rule("srd35.free.list"))


def tell_where_it_lies(fight: Fight, act: acts.Drop, dropping: Steps[None]) -> Steps[None]:
    """Tell in which square an item that is dropped comes to lie (srd35.free.list)."""
    yield from dropping
    if act.to is not None and act.item not in fight.combatant(act.actor).held:
        what = f"the {act.item} lies at {act.to[0]},{act.to[1]}"
        yield RuleApplied(who=act.actor, what=what, cites=fight.rules("srd35.free.list"))
