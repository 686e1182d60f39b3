"""Channeling: what a channeler has of it, the save against it, and whom it meets (pf1.channel.*).

A cleric's sheet says with "channel positive energy" or "channel negative energy" among its traits which it
is; paladins channel positive energy, from their lay on hands.
"""

from typing import Final, NamedTuple

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.feat_prerequisites import refuse_without
from affray.engine.rules.classes.levels import class_level, rules_of_level
from affray.engine.rules.classes.natures import UNDEAD, is_a
from affray.engine.rules.classes.turning_power import refuse_without_symbol
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ResourceSpent
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

ACTION, AMOUNT, PALADIN = "pf1.channel.action", "pf1.channel.amount", "pf1.channel.paladin"
FEATS: Final = "pf1.feat.extra-channel"
POSITIVE, NEGATIVE = "positive energy", "negative energy"
CHANNEL, HANDS = "channel energy", "lay on hands"
#: Who is neither alive nor undead.
LIFELESS: Final = ("construct", "object")
RESISTANCE: Final = "channel resistance "


class Channel(NamedTuple):
    """What a channeler has: energy, level, the pool that it takes from, and how much of it for each use."""

    energy: str
    level: int
    pool: str
    cost: int
    uses: int
    cites: tuple[str, ...]


def channel_of(fight: Fight, combatant: Combatant) -> Channel | None:
    """Return what a combatant channels; None if nothing (pf1.channel.action, pf1.channel.paladin)."""
    classes, charisma = combatant.sheet.classes, ability_now(fight, combatant, "cha")
    more = int(fight.figure(FEATS, "uses")) if has_feat(combatant, "extra channel") else 0
    also = (FEATS,) if more else ()
    drained = rules_of_level(fight, combatant)
    energy = next((one for one in (POSITIVE, NEGATIVE) if has_trait(combatant, f"channel {one}")), "")
    level = class_level(combatant, "cleric")
    if level and energy:
        uses = max(0, fight.formula(ACTION, "per_day") + charisma) + more
        return Channel(energy, level, CHANNEL, 1, uses, (*drained, *fight.rules(ACTION, *also)))
    level = class_level(combatant, "paladin")
    if level and classes.get("paladin", 0) >= fight.figure(PALADIN, "level"):
        cost = int(fight.figure(PALADIN, "cost"))
        hands = max(0, level // fight.figure(PALADIN, "uses_per_levels") + charisma)
        cites = (*drained, *fight.rules(ACTION, PALADIN, *also))
        return Channel(POSITIVE, level, HANDS, cost, hands + more * cost, cites)
    return None


def refuse_to_channel(fight: Fight, actor: Combatant) -> Channel:
    """Return what an actor channels now. Refuses without energy, symbol, or uses left."""
    rule, found = fight.rule(ACTION), channel_of(fight, actor)
    if found is None:
        raise Refusal(f"{actor.id} channels no energy", rule)
    refuse_without_symbol(fight, actor, ACTION)
    if found.uses - actor.resources.get(found.pool, 0) < found.cost:
        raise Refusal(f"{actor.id} has no use of {found.pool} left today", found.cites[-1])
    return found


def save_dc(fight: Fight, actor: Combatant, level: int) -> tuple[int, tuple[str, ...]]:
    """Return the DC against what is channeled, 10 + half the level + Charisma, and its rules.

    pf1.channel.amount; Improved Channel adds to it (pf1.feat.extra-channel).
    """
    dc = fight.formula(AMOUNT, "dc") + level // 2 + ability_now(fight, actor, "cha")
    if not has_feat(actor, "improved channel"):
        return dc, fight.rules(AMOUNT)
    return dc + int(fight.figure(FEATS, "dc")), fight.rules(AMOUNT, FEATS)


def resistance_to_channeling(fight: Fight, target: Combatant) -> tuple[Modifier, ...]:
    """Return what the channel resistance of an undead adds to its save (pf1.channel.resistance)."""
    found = (trait.removeprefix(RESISTANCE) for trait in target.sheet.traits if trait.startswith(RESISTANCE))
    most = max((int(text) for text in found if text.removeprefix("+").isdecimal()), default=0)
    if not most or not is_a(target, UNDEAD):
        return ()
    return (Modifier(most, "untyped", "channel resistance", fight.rule("pf1.channel.resistance")),)


def spared_by(fight: Fight, actor: Combatant, act: acts.TurnUndead) -> list[Combatant]:
    """Return those whom a burst leaves out. Refuses more others than Selective Channeling allows."""
    spared = [fight.combatant(id) for id in act.targets]
    others = [one for one in spared if one is not actor]
    rule = refuse_without(fight, actor, "selective channeling") if others else ""
    most = max(0, ability_now(fight, actor, "cha"))
    if len(others) > most:
        raise Refusal(f"{actor.id} can spare {most}, not {len(others)}", rule)
    return spared


def in_burst(fight: Fight, actor: Combatant) -> list[Combatant]:
    """Return everybody in the burst around a channeler, itself included, in order of entry."""
    most = fight.figure(ACTION, "radius_ft")
    return [
        one
        for one in fight.state.combatants.values()
        if "dead" not in one.conditions
        and (one is actor or (distance(actor, one) <= most and sees(fight, actor, one)))
    ]


def begin_channeling(fight: Fight, actor: Combatant, found: Channel, what: str) -> Steps[None]:
    """Spend the standard action, which does not provoke, and the use."""
    yield spending(fight, actor, "standard", what, *found.cites)
    yield ResourceSpent(who=actor.id, resource=found.pool, amount=found.cost, cites=found.cites)


def dice_of(fight: Fight, level: int) -> str:
    """Return the dice of a channeling: 1d6 for every two levels, rounded up (pf1.channel.amount)."""
    dice, _, rest = str(fight.figure(AMOUNT, "dice")).partition(" per ")
    count, _, faces = dice.partition("d")
    return f"{-(-level // int(rest.split()[0])) * int(count)}d{faces}"


def is_harmed(energy: str, one: Combatant) -> bool:
    """Say whether an energy harms a creature rather than heals it."""
    return is_a(one, UNDEAD) == (energy == POSITIVE)
