"""Bonds: how well they hold, how sturdy they are, and who is cut out of them or of a net.

pf1.skill.escape, pf1.object.tables-ref, pf1.gear.splash-ref.
"""

from typing import Final

from affray.engine.dialects.pf1.gear.broken import is_broken, no_longer_broken
from affray.engine.dialects.pf1.grapple.grapple_checks import cmb_of
from affray.engine.dialects.pf1.grapple.hold import TIED
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_scores import strength_to_break
from affray.engine.rules.classes.saves_and_checks import check
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.item_hardness import Durability
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionLost, ResourceSpent
from affray.projections.state import Combatant

ESCAPE: Final = "pf1.skill.escape"
TABLES: Final = "pf1.object.tables-ref"
NET: Final = "net"
#: Bonds with DCs of their own, whoever puts them on.
MANACLES: Final = ("manacles", "masterwork manacles")
#: The row of the table of things for each word that names bonds.
ROWS: Final = {"rope": "rope, 1 in.", "chain": "chain", **{name: name for name in MANACLES}}


def dc_of_bonds(fight: Fight, binder: Combatant, victim: Combatant, bonds: str) -> int:
    """Return the DC to get out of bonds: that of manacles, else by who tied them (pf1.skill.escape)."""
    if bonds in MANACLES:
        return int(fight.figure(ESCAPE, bonds))
    return fight.formula(ESCAPE, "ropes") + cmb_of(fight, binder, victim)


def bonds_of(victim: Combatant) -> str:
    """Return what somebody is bound with, "" who is not; the source ends with the DC to get out."""
    return victim.conditions[TIED].source.rpartition(" ")[0] if TIED in victim.conditions else ""


def is_in_manacles(victim: Combatant) -> bool:
    """Say whether somebody is bound with manacles."""
    return bonds_of(victim) in MANACLES


def row_of_bonds(fight: Fight, bonds: str) -> dict[str, int] | None:
    """Return the row of the table of things for bonds; None for what it does not have."""
    word = bonds if bonds in MANACLES else bonds.rpartition(" ")[2]
    rows = {row["object"]: row for row in fight.figure("object.things-table")}
    return rows.get(ROWS.get(word, ""))


def sturdiness_of_bonds(fight: Fight, victim: Combatant, item: str) -> Durability | None:
    """Return how sturdy the net is in which somebody is, or its bonds by their name; None for other things.

    pf1.gear.splash-ref, pf1.object.tables-ref.
    """
    if item == NET and nets.is_in_net(victim):
        return Durability(0, int(fight.figure(nets.TOPIC, "hp")), fight.rules(nets.TOPIC))
    row = row_of_bonds(fight, item) if item and item == bonds_of(victim) else None
    return Durability(row["hardness"], row["hp"], fight.rules(TABLES)) if row is not None else None


def is_bond(victim: Combatant, item: str) -> bool:
    """Say whether an item is the net in which somebody is, or what binds it."""
    return (item == NET and nets.is_in_net(victim)) or (bool(item) and item == bonds_of(victim))


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


def burst_manacles(fight: Fight, victim: Combatant) -> Steps[None]:
    """Try to burst manacles by Strength, as a standard action: easier if they are broken.

    pf1.object.tables-ref.
    """
    bonds, rule = bonds_of(victim), fight.rule(TABLES)
    row = row_of_bonds(fight, bonds)
    assert row is not None
    dc = row["break_dc"] + (int(fight.figure(TABLES, "broken_break_dc")) if is_broken(victim, bonds) else 0)
    yield spending(fight, victim, "standard", "get free", rule)
    parts = strength_to_break(fight, victim, rule)
    if (yield from check(fight, victim, "strength", parts, dc, rule, why=bonds)):
        yield ConditionLost(who=victim.id, condition=TIED, why=f"breaks the {bonds}", cites=(rule,))
