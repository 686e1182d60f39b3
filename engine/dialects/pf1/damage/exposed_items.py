"""What is harmed along with whoever rolls a 1 on a saving throw (pf1.save.natural-1-items).

The rule says "may" and leaves the order of items to a text that is not at hand: the game master says which
exposed item is harmed, if any. It takes the damage that the throw was to avoid, as an object does.
"""

from typing import Any, Final

from affray.engine.dialects.pf1.gear import broken
from affray.engine.dialects.pf1.maneuvers.sunder import destroy, of_armor
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.rules.gear.item_hardness import Durability, durability
from affray.engine.rules.gear.let_go import is_lost
from affray.engine.rules.gear.object_creature import share_on_thing
from affray.engine.steps import Choice, Steps
from affray.events.facts import acts
from affray.events.facts.combat import CheckResolved, DamageResolved, HitPointsChanged, ItemStruck
from affray.projections.state import Combatant

TOPIC: Final = "pf1.save.natural-1-items"
NOTHING: Final = "nothing"
OF_THE_BODY: Final = ("natural", "unarmed")


def harm_items_after_one(fight: Fight, steps: Steps[None], watched: Steps[None]) -> Steps[None]:
    """Go through a declaration; after the damage to who rolled a 1 on a save, ask which item it harms."""
    exposed: dict[str, bool] = {}
    low = fight.figure("pf1.save.natural-1", "face")
    sent = None
    while True:
        try:
            step = watched.send(sent)
        except StopIteration:
            return
        sent = yield step
        if type(step) is CheckResolved and step.check.startswith("save.") and step.natural == low:
            exposed[step.who] = True
        elif exposed:
            who, total = damage_told(step)
            if total > 0 and exposed.pop(who, False):
                yield from harm_exposed_item(fight, step, total)


def damage_told(step: Any) -> tuple[str, int]:
    """Return whom a fact tells damage of, and how much; nobody if it tells of none."""
    if type(step) is DamageResolved:
        return step.target, step.total
    return (step.who, -step.change) if type(step) is HitPointsChanged else ("", 0)


def exposed_items(fight: Fight, bearer: Combatant) -> dict[str, Durability]:
    """Return what a combatant holds or wears and the tables know, with how sturdy each is."""
    names = [one.name for one in held_weapons(bearer) if one.wield not in OF_THE_BODY]
    names += [part.source or part.kind for part in bearer.sheet.armor if part.kind in ("armor", "shield")]
    found = {}
    for name in dict.fromkeys(names):
        thing = durability(fight, bearer, name) or of_armor(fight, bearer, name)
        off = is_lost(bearer, name) or bearer.items.get(name) == "doffed"
        if thing is not None and not off:
            found[name] = thing
    return found


def harm_exposed_item(fight: Fight, harm: DamageResolved | HitPointsChanged, total: int) -> Steps[None]:
    """Ask which exposed item takes the damage too, and let it (pf1.save.natural-1-items).

    Energy does half to it, hardness takes off its part (pf1.object.energy, pf1.object.tables-ref); with half
    its hit points gone it is broken, without any destroyed.
    """
    hurt = harm.target if isinstance(harm, DamageResolved) else harm.who
    bearer, rule = fight.combatant(hurt), fight.rule(TOPIC)
    things = exposed_items(fight, bearer)
    if not things:
        return
    question = f"{bearer.id} has rolled a 1: which of its exposed items is harmed too?"
    item = yield Choice("", "exposed", question, (NOTHING, *things), rule)
    if item == NOTHING:
        return
    yield from batter_item(fight, bearer, item, things[item], harm, total)


def batter_item(
    fight: Fight, bearer: Combatant, item: str, thing: Durability, harm: Any, total: int
) -> Steps[None]:
    """Deal so much damage to an item, as to an object, and break or destroy it."""
    dice = harm.dice if isinstance(harm, DamageResolved) else ()
    kind = dice[0].kind if dice else fight.doing.damage_type if isinstance(fight.doing, acts.Hazard) else ""
    share = share_on_thing(fight, kind, total)
    topics = ["object.energy"] if share != total else []
    before = thing.hp - bearer.resources.get(f"damage to {item}", 0)
    dealt = min(before, max(0, share - thing.hardness))
    yield ItemStruck(
        attacker=harm.attacker if isinstance(harm, DamageResolved) else "",
        bearer=bearer.id,
        item=item,
        weapon=harm.weapon if isinstance(harm, DamageResolved) else harm.why,
        dice=dice,
        modifiers=(),
        total=total,
        hardness=thing.hardness,
        dealt=dealt,
        left=before - dealt,
        cites=tuple(dict.fromkeys((*fight.rules(TOPIC, *topics, "object.hardness"), *thing.cites))),
    )
    if dealt == before:
        yield from destroy(fight, bearer, item)
    elif dealt and broken.breaks(fight, before - dealt, thing.hp):
        yield from broken.break_item(fight, bearer, item)
