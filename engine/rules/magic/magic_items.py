"""Magic items in use: scrolls that are read, potions that are drunk, what is commanded or simply used.

srd35.cast.activate-item, pf1.cast.items.
"""

from collections.abc import Callable

from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.magic import casting
from affray.engine.rules.magic.known_spells import spell_of
from affray.engine.rules.magic.targets_and_areas import refuse_origin, targets_of_spell
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

#: Refuse to work an item so, or return the steps that say whether it works.
Works = Callable[[Fight, Combatant, Spell, acts.Activate], Steps[bool]]


def works_by_itself(fight: Fight, user: Combatant, item: Spell, act: acts.Activate) -> Steps[bool]:
    """Return whether an item works for whoever can use it: always."""
    return True
    yield


def item_provokes(fight: Fight, user: Combatant, item: Spell) -> tuple[str, bool]:
    """Return the topic of the rule on a magic item, and whether it provokes: a scroll; "" for a spell.

    srd35.cast.activate-item, pf1.cast.items.
    """
    return ("cast.activate-item", item.item == "scroll") if item.item else ("", False)


def activate(fight: Fight, act: acts.Activate, works: Works) -> Steps[None]:
    """Use a magic item, as a standard action unless it says otherwise; `works` returns whether it does.

    A scroll is read like a spell that is cast: it provokes and takes concentration. A potion provokes. What
    is triggered, commanded or simply used does not (srd35.cast.activate-item, pf1.cast.items).
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule("cast.activate-item")
    item = spell_of(caster, act.item, rule, "magic item")
    if not item.item:
        raise Refusal(f"{item.name} is no magic item", rule)
    way = acts.Cast(
        actor=act.actor, spell=item.name, targets=act.targets, at=act.at, defensively=act.defensively
    )
    if item.item != "scroll" and act.defensively:
        raise Refusal(f"the {item.name} cannot be used defensively: only a scroll can", rule)
    if item.item == "potion" and act.targets != (caster.id,):
        raise Refusal(f"the {item.name} has its drinker for its target: {caster.id}", rule)
    working = works(fight, caster, item, act)
    refuse_origin(fight, caster, item, way)
    targets = targets_of_spell(fight, caster, item, way)
    in_grapple = fight.rules("grapple.magic-item") if "grappling" in caster.conditions else ()
    kind, _ = fight.dialect.magic.casting_action(fight, caster, item)
    yield spending(fight, caster, kind, f"use the {item.name}", rule, *in_grapple)
    if item.item == "potion":
        yield from drink(fight, caster, item)
        if is_down(fight, caster):
            return
    if not (yield from working):
        return
    if item.item == "scroll":
        yield from casting.finish_casting(fight, caster, item, targets, act.defensively, at=act.at)
        return
    if item.uses is not None:
        yield ResourceSpent(who=caster.id, resource=item.name, amount=1, cites=(rule,))
    yield from casting.take_effect(fight, caster, item, targets, act.at)


def drink(fight: Fight, user: Combatant, item: Spell) -> Steps[None]:
    """Lower one's guard to drink."""
    rule = fight.rule("cast.activate-item")
    reason = f"drinks the {item.name}"
    yield from fight.dialect.opportunity.provoke(
        fight, user, threatening(fight, user), reason, f"drink:{fight.declaration}", rule
    )
