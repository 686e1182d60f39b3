"""Cutting what holds somebody: a net or bonds (pf1.sunder, pf1.gear.splash-ref, pf1.object.tables-ref)."""

from typing import Final

from affray.engine.dialects.pf1.gear.broken import no_longer_broken
from affray.engine.dialects.pf1.grapple.bonds import STURDY, TABLES, bonds_of
from affray.engine.dialects.pf1.grapple.hold import TIED
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.item_hardness import Durability
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionLost, ResourceSpent
from affray.projections.state import Combatant

NET: Final = "net"


def is_bond(victim: Combatant, item: str) -> bool:
    """Say whether an item is the net in which somebody is, or what binds it."""
    return (item == NET and nets.is_in_net(victim)) or (bool(item) and item == bonds_of(victim))


def sturdiness_of_bonds(fight: Fight, victim: Combatant, item: str) -> Durability | None:
    """Return how sturdy the net is in which somebody is, or its bonds by their name; None for other things.

    pf1.gear.splash-ref, pf1.object.tables-ref.
    """
    if not is_bond(victim, item):
        return None
    if item == NET:
        return Durability(0, int(fight.figure(nets.TOPIC, "hp")), fight.rules(nets.TOPIC))
    if item not in STURDY:
        return None
    row = fight.figure("gear.restraints", STURDY[item])
    return Durability(int(row.get("hardness", 0)), int(row["hp"]), fight.rules(TABLES))


def cut_free(fight: Fight, victim: Combatant, item: str) -> Steps[None]:
    """Set somebody free whose net or bonds have been cut to pieces; another net or rope is whole again."""
    damage, how = f"damage to {item}", f"cut out of the {item}"
    rule = fight.rule(nets.TOPIC if item == NET else TABLES)
    lost = victim.resources.get(damage, 0)
    yield ResourceSpent(who=victim.id, resource=damage, amount=-lost, cites=(rule,))
    yield from no_longer_broken(fight, victim, item, "destroyed")
    if item == NET:
        yield from nets.net_is_off(victim, how, rule)
    else:
        yield ConditionLost(who=victim.id, condition=TIED, why=how, cites=(rule,))
