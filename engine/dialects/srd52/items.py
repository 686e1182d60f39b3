"""Adventuring gear in a fight: thrown flasks and nets, bonds, potions, lights, poison."""

from collections.abc import Callable, Mapping
from typing import Final, Literal, TypeAlias

from affray.engine.dialects.srd52 import areas, damage, test
from affray.engine.dialects.srd52.attacks import spend_attack
from affray.engine.dialects.srd52.classes import DIFFICULTY, difficulty, fields_of, rounds_of
from affray.engine.dialects.srd52.conditions import gain, incapacitating, refuse_charmer
from affray.engine.dialects.srd52.damage import OILED, become_stable, is_dying
from affray.engine.dialects.srd52.environment import ANCHORED, FLYING, ensnare, ignite
from affray.engine.dialects.srd52.features import Blow, Dice, Feature, Strike
from affray.engine.dialects.srd52.gear import COATED, hands_free, spend_bonus_first, spend_interaction
from affray.engine.dialects.srd52.position import SIZES, cover_part, distance, size_of
from affray.engine.dialects.srd52.senses import LIT, sees
from affray.engine.dialects.srd52.turns import next_start
from affray.engine.fight.fight import Dialect, Fight
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import gaps, space
from affray.engine.kernel.actions import check_turn, spend
from affray.engine.kernel.remarks import remarks as kernel_remarks
from affray.engine.steps import Refusal, Roll, Steps, reciting, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.base import Square as ActSquare
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    CounterChanged,
    EffectGained,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, CombatantEntered, RuleApplied
from affray.events.facts.sheet import Modifier, Sheet, Weapon
from affray.projections.state import Area, Combatant

# --- What a combatant carries


def left_of(fight: Fight, holder: Combatant, item: str) -> int:
    """Return how many of an item a combatant has left; a kit counts its uses."""
    each = fight.figure("gear.healers-kit", "uses") if item == "healer's kit" else 1
    return int(fields_of(fight, holder).items.count(item) * each - holder.resources.get(item, 0))


def use_up(fight: Fight, holder: Combatant, item: str, *cites: str) -> ResourceSpent:
    """Return the fact that one of an item is used."""
    return ResourceSpent(who=holder.id, resource=item, amount=1, cites=cites)


def refuse_missing(fight: Fight, holder: Combatant, item: str, topic: str) -> None:
    """Refuse an item that a combatant does not have, or has no more of."""
    own = fields_of(fight, holder).items
    if item not in own:
        raise unknown_word("item", item, own, fight.rule(topic), holder.id)
    if left_of(fight, holder, item) < 1:
        raise Refusal(f"{holder.id} has no {item} left", fight.rule(topic))


# --- Thrown in place of an attack


class Throw(acts.Act, frozen=True, gc=False, tag="srd52.throw"):
    """Throw acid, alchemist's fire, holy water, a net or oil in place of an attack.

    target: the creature or object.
    item: the item.
    """

    target: Name = ""
    item: Name = ""


THROWN: Final = {
    "acid": "gear.acid",
    "alchemist's fire": "gear.alchemists-fire",
    "holy water": "gear.holy-water",
    "net": "gear.net",
    "oil": "gear.oil-creature",
}
"""What is thrown, each with its rule."""


def throw(fight: Fight, act: Throw) -> Steps[None]:
    """Throw an item at a target that is seen; it makes a Dexterity save against the thrower's DC."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    check_turn(fight, actor)
    if act.item not in THROWN:
        raise unknown_word("item to throw", act.item, THROWN, fight.rule("gear.throw-replaces-attack"))
    topic = THROWN[act.item]
    refuse_charmer(fight, actor, target)
    rule, row = fight.rule(topic), fight.figure(topic)
    refuse_missing(fight, actor, act.item, topic)
    if distance(actor, target) > row["range_ft"]:
        raise Refusal(f"{target.id} is farther than {row['range_ft']} ft. away", rule)
    if not sees(fight, actor, target):
        raise Refusal(f"{actor.id} does not see {target.id}", rule)
    replaces = fight.rule("gear.throw-replaces-attack")
    if fields_of(fight, actor).multiattack and fight.option("thrown_items") == "characters-only":
        raise Refusal("only an attack without Multiattack is replaced", replaces)
    weapon = Weapon(act.item, "", "", wield="one-handed")
    yield from spend_attack(fight, Strike(actor, target, weapon, False, "dex"), replaced=True)
    yield use_up(fight, actor, act.item, rule, replaces)
    if row.get("auto_success") and size_of(target) >= SIZES.index(row["auto_success"].removesuffix("+")):
        yield RuleApplied(who=target.id, what=f"is too large for a {act.item}", cites=(rule,))
        return
    number, cites = (
        difficulty(fight, actor, "dex", "gear.throw-replaces-attack", "dc"),
        (rule, replaces, *fight.rules(*DIFFICULTY)),
    )
    cover = cover_part(fight, actor, target, "dex_save")
    if not (yield from test.save(fight, target, row["save"], number, *cover, why=act.item, cites=cites)):
        yield from splash(fight, actor, target, act.item, topic)


def splash(fight: Fight, actor: Combatant, target: Combatant, item: str, topic: str) -> Steps[None]:
    """Do what a thrown item does to a target that failed its save."""
    row, rule = fight.figure(topic), fight.rule(topic)
    only = row.get("only", ())
    if only and target.sheet.kind not in only:
        yield RuleApplied(who=target.id, what=f"is not harmed by {item}", cites=(rule,))
        return
    if "damage" in row:
        dice, kind = row["damage"].split()
        blow = Blow(actor.id, item)
        yield from damage.deal(fight, target, blow, [Dice(dice, kind.lower(), item)], cites=(rule,))
    if row.get("effect") == "burning" and "dead" not in target.conditions:
        yield from ignite(fight, target, f"{item} of {actor.id}", rule)
    if "condition" in row:
        yield from ensnare(fight, target, item, fight.figure("gear.net-escape"), rule)
    if item == "oil":
        until = Until("turn-start", actor.id, fight.state.round + rounds_of(fight, topic, "dries"))
        yield from gain(fight, target, OILED, f"oil of {actor.id}", until)


# --- Used by an action or a Bonus Action


class UseItem(acts.Act, frozen=True, gc=False, tag="srd52.use"):
    """Use an item of the adventuring gear.

    item: the item.
    target: the creature on which it is used; empty for the actor.
    weapon: the weapon that is coated.
    at: the first of the squares on which it is strewn, poured, set or lit.
    """

    item: Name = ""
    target: Name = ""
    weapon: Name = ""
    at: ActSquare | None = None


Use: TypeAlias = Callable[[Fight, Combatant, Combatant, UseItem], Steps[None]]


def use_item(fight: Fight, act: UseItem) -> Steps[None]:
    """Use an item of the adventuring gear, by what its row says."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    if act.item not in USES:
        raise unknown_word("item to use", act.item, USES, fight.rule("turns.utilize"))
    topic, use = USES[act.item]
    refuse_missing(fight, actor, act.item, topic)
    yield from use(fight, actor, fight.combatant(act.target) if act.target else actor, act)


def pay(fight: Fight, actor: Combatant, item: str, topic: str) -> Steps[None]:
    """Take the Bonus Action that an item costs by its row, otherwise the Utilize action."""
    bonus = takes_bonus(fight, topic)
    cites = fight.rules(topic, *([] if bonus else ["turns.utilize"]))
    what = f"use {item}"
    if bonus:
        yield spend(fight, actor, "bonus", what, *cites)
    else:
        yield spend_bonus_first(fight, actor, "utilize", what, *cites)


def takes_bonus(fight: Fight, topic: str) -> bool:
    """Return whether an item takes a Bonus Action by its row; a light does, as it is lit with a tinderbox."""
    row = fight.figure("gear.tinderbox" if topic == "gear.lamp-lights" else topic)
    return str(row.get("cost_action", row.get("exposed_fuel", ""))) == "bonus action"


def refuse_far(fight: Fight, actor: Combatant, target: Combatant, topic: str) -> None:
    """Refuse a target beyond the 5 feet within which an item is used."""
    if distance(actor, target) > fight.figure("gear.potion-of-healing", "range_ft"):
        raise Refusal(f"{target.id} is out of the reach of {actor.id}", fight.rule(topic))


def drink_potion(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Drink a Potion of Healing, or give it to a creature nearby."""
    topic = "gear.potion-of-healing"
    refuse_far(fight, actor, target, topic)
    yield from pay(fight, actor, act.item, topic)
    yield use_up(fight, actor, act.item, fight.rule(topic))
    rolled = yield Roll(actor.id, "healing", fight.figure(topic, "healing").replace(" ", ""))
    yield from damage.heal(fight, target, rolled.total, act.item, topic)


def drink_antitoxin(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Drink Antitoxin: Advantage on saves against being Poisoned for an hour."""
    topic = "gear.antitoxin"
    rule = fight.rule(topic)
    if target is not actor:
        raise Refusal("Antitoxin is drunk by its holder", rule)
    yield from pay(fight, actor, act.item, topic)
    yield use_up(fight, actor, act.item, rule)
    yield EffectGained(
        who=actor.id,
        id=f"antitoxin:{fight.declaration}",
        stat=test.AGAINST_POISON,
        modifier=test.source(fight, topic, "effect", act.item),
        until=Until("turn-start", actor.id, fight.state.round + rounds_of(fight, topic, "duration")),
        cites=(rule,),
    )


def use_kit(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Stabilize a dying creature with a Healer's Kit, without a check."""
    topic = "gear.healers-kit"
    rule = fight.rule(topic)
    refuse_far(fight, actor, target, topic)
    if not is_dying(fight, target):
        raise Refusal(f"{target.id} is not dying", rule)
    yield from pay(fight, actor, act.item, topic)
    yield use_up(fight, actor, act.item, rule)
    yield from reciting(become_stable(fight, target, f"a healer's kit of {actor.id}"), ConditionGained, rule)


def coat(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Coat a weapon, or three missiles, with Basic Poison."""
    topic = "gear.poison-basic"
    rule = fight.rule(topic)
    known = {one.name: one for one in actor.sheet.weapons}
    if act.weapon not in known:
        raise unknown_word("weapon", act.weapon, known, rule, actor.id, "to coat")
    if known[act.weapon].damage_type not in fight.figure(topic, "types"):
        raise Refusal(f"the {act.weapon} deals {known[act.weapon].damage_type} damage", rule)
    yield from pay(fight, actor, act.item, topic)
    yield use_up(fight, actor, act.item, rule)
    missiles = known[act.weapon].wield == "projectile"
    for number in range(fight.figure(topic, "missiles") if missiles else 1):
        yield EffectGained(
            who=actor.id,
            id=f"poison:{act.weapon}:{fight.declaration}:{number}",
            stat=f"{COATED} {act.weapon}",
            modifier=Modifier(0, "poison", act.item, rule),
            until=Until("turn-start", actor.id, fight.state.round + rounds_of(fight, topic, "duration")),
            cites=(rule,),
        )


def light(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Light a candle, torch, lamp or lantern with a tinderbox; a hand holds it.

    Used again it is put out, and the hood of a lantern is lowered or raised.
    """
    topic, name = "gear.tinderbox", f"{LIT}{act.item}"
    burning = actor.counters.get(name, 0)
    if burning and act.item == "hooded lantern":
        hood = "gear.hooded-lantern"
        yield from pay(fight, actor, act.item, hood)
        value = LOWERED if burning == OPEN else OPEN
        yield CounterChanged(who=actor.id, counter=name, value=value, cites=fight.rules(hood))
        return
    if burning:
        yield from spend_interaction(fight, actor, f"put the {act.item} out")
        cites = fight.rules("turns.object-interaction")
        yield CounterChanged(who=actor.id, counter=name, value=0, cites=cites)
        return
    refuse_missing(fight, actor, "tinderbox", topic)
    if hands_free(actor) < 1:
        raise Refusal(f"{actor.id} has no hand free", fight.rule(topic))
    yield from pay(fight, actor, act.item, topic)
    cites = fight.rules(topic, "gear.lamp-lights", *(["gear.torch"] if act.item == "torch" else []))
    yield CounterChanged(who=actor.id, counter=name, value=OPEN, cites=cites)


OPEN, LOWERED = 1, 2
"""How a light burns: openly, or under a lowered hood."""


def hook(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Throw a Grappling Hook at something within range, and make the check that it catches."""
    topic = "gear.grappling-hook"
    rule, row = fight.rule(topic), fight.figure(topic)
    at = refuse_place(fight, actor, act, row["range_ft"], 1, rule)
    yield from pay(fight, actor, act.item, topic)
    why = f"the hook at {at[0]},{at[1]}"
    yield from test.check(fight, actor, row["skill"], row["dc"], why=why, cites=(rule,))


def anchor(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Anchor oneself with a Climber's Kit; used again by a Bonus Action it undoes the anchor."""
    topic = "gear.climbers-kit"
    rule = fight.rule(topic)
    if ANCHORED in actor.conditions:
        yield spend(fight, actor, "bonus", "undo the anchor", rule)
        yield ConditionLost(who=actor.id, condition=ANCHORED, why="undone", cites=(rule,))
        return
    yield from pay(fight, actor, act.item, topic)
    place = f"{actor.at[0]},{actor.at[1]}"
    yield ConditionGained(who=actor.id, condition=ANCHORED, source=place, cites=(rule,))


# --- Bonds

BONDS: Final = {"chain": "gear.chain", "manacles": "gear.manacles", "rope": "gear.rope"}
"""Bonds, each with its rule."""
BOUND: Final = "bound"
"""The beginning of the condition of the bound: "bound with a chain"."""
PICKS: Final = "thieves' tools"
"""The tools that pick a lock."""
SKILLS: Final = {"chain": "athletics", "manacles": "sleight of hand", "rope": "sleight of hand"}
"""The skill by which each is put on."""
ESCAPES: Final = {"chain": "acrobatics", "manacles": "sleight of hand", "rope": "acrobatics"}
"""The skill by which each is slipped off."""


def bind(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Bind a creature that is Grappled, Incapacitated or Restrained: Restrained, in manacles hampered."""
    topic = BONDS[act.item]
    rule, row = fight.rule(topic), fight.figure(topic)
    refuse_far(fight, actor, target, topic)
    held = [one for one in row["requires"] if one in target.conditions]
    if target is actor or not (held or incapacitating(target)):
        raise Refusal(f"{target.id} is not {' or '.join(row['requires'])}", rule)
    if row.get("sizes") and target.sheet.size not in row["sizes"]:
        raise Refusal(f"{act.item} do not fit {target.id}", rule)
    yield from pay(fight, actor, act.item, topic)
    yield use_up(fight, actor, act.item, rule)
    skill, number = SKILLS[act.item], row.get("dc", row.get("knot"))
    if (yield from test.check(fight, actor, skill, number, why=f"bind {target.id}", cites=(rule,))):
        yield from reciting(gain(fight, target, f"{BOUND}: {act.item}", actor.id), ConditionGained, rule)
        if act.item != "manacles":
            yield from reciting(gain(fight, target, "restrained", act.item), ConditionGained, rule)


class GetFree(acts.Act, frozen=True, gc=False, tag="srd52.get-free"):
    """Free a creature from a net, bonds or a trap.

    target: the creature; empty for the actor.
    how: slip out, break it, or pick its lock.
    """

    target: Name = ""
    how: Literal["slip", "break", "pick"] = "break"


def get_free(fight: Fight, act: GetFree) -> Steps[None]:
    """Get out of a net, or get another out, or out of bonds: an action and a check."""
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target) if act.target else actor
    check_turn(fight, actor)
    if TRAPPED in target.conditions:
        yield from pry_open(fight, actor, target)
        return
    restrained = target.conditions.get("restrained")
    bonds = [one for one in BONDS if f"{BOUND}: {one}" in target.conditions]
    net = fight.state.combatants.get(restrained.source) if restrained is not None else None
    if net is not None and net.sheet.name == "net":
        rule = fight.rule("gear.net-escape")
        refuse_far(fight, actor, target, "gear.net-escape")
        yield spend(fight, actor, "action", "get free", rule)
        number = fight.figure("gear.net-escape", "dc")
        if (yield from test.check(fight, actor, "athletics", number, why="net", cites=(rule,))):
            yield ConditionLost(who=target.id, condition="restrained", why="gets free", cites=(rule,))
        return
    if not bonds:
        raise Refusal(f"nothing binds {target.id}", fight.rule("gear.net-escape"))
    item, topic = bonds[0], BONDS[bonds[0]]
    rule, row = fight.rule(topic), fight.figure(topic)
    picks = act.how == "pick"
    if picks and (PICKS not in fields_of(fight, actor).tools or "pick" not in row):
        raise Refusal(f"{actor.id} cannot pick a lock of {item}", rule)
    if target is not actor and not picks:
        raise Refusal(f"{target.id} gets out of its bonds alone", rule)
    refuse_far(fight, actor, target, topic)
    skill = {"slip": ESCAPES[item], "break": "athletics", "pick": "dex"}[act.how]
    number = row[{"slip": "escape", "break": "burst", "pick": "pick"}[act.how]]
    yield spend(fight, actor, "action", "get free", rule)
    tool = PICKS if picks else ""
    if (yield from test.check(fight, actor, skill, number, why=item, tool=tool, cites=(rule,))):
        yield ConditionLost(who=target.id, condition=f"{BOUND}: {item}", why="gets free", cites=(rule,))
        if restrained is not None and restrained.source == item:
            yield ConditionLost(who=target.id, condition="restrained", why="gets free", cites=(rule,))


def pry_open(fight: Fight, actor: Combatant, target: Combatant) -> Steps[None]:
    """Free a combatant from a hunting trap by an action and a check; a failure hurts it."""
    topic = "gear.hunting-trap"
    rule, row = fight.rule(topic), fight.figure(topic)
    refuse_far(fight, actor, target, topic)
    yield spend(fight, actor, "action", "get free", rule)
    if (yield from test.check(fight, actor, "athletics", row["escape"], why="hunting trap", cites=(rule,))):
        yield ConditionLost(who=target.id, condition=TRAPPED, why="gets free", cites=(rule,))
        return
    dice = Dice(str(row["fail_damage"]), row["kind"], "hunting trap")
    yield from damage.deal(fight, target, Blow("", "hunting trap"), [dice], cites=(rule,))


# --- Strewn, poured or set on the ground

HOBBLED: Final = "hobbled"
"""The state of a combatant whose Speed is 0 until its next turn begins: by caltrops, or a trap."""
TRAPPED: Final = "trapped"
"""The state of a combatant that a hunting trap holds on its chain."""
BURNING_OIL: Final = "burning oil"


def strew(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Strew caltrops or ball bearings, pour oil, or set a trap, on squares nearby."""
    topic = USES[act.item][0]
    rule, row = fight.rule(topic), fight.figure(topic)
    side = row["area_ft"] // SQUARE_FT
    squares = space(refuse_place(fight, actor, act, row["range_ft"], side, rule), side)
    yield from pay(fight, actor, act.item, topic)
    yield use_up(fight, actor, act.item, rule)
    yield areas.place(fight, f"{act.item}:{fight.declaration}", act.item, actor.id, squares, rule)


def refuse_place(fight: Fight, actor: Combatant, act: UseItem, feet: int, side: int, rule: str) -> Square:
    """Return the place that is named. Refuses none, one too far away, and one without room."""
    if act.at is None:
        raise Refusal(f"the {act.item} needs a place", rule)
    if SQUARE_FT * max(gaps(actor.at, actor.space, act.at, side)) > feet:
        raise Refusal(f"{act.at[0]},{act.at[1]} is farther than {feet} ft. away", rule)
    if not fight.field.passable(act.at, side):
        raise Refusal(f"there is no room for {act.item} at {act.at[0]},{act.at[1]}", rule)
    return act.at


def kindle(fight: Fight, actor: Combatant, target: Combatant, act: UseItem) -> Steps[None]:
    """Light oil that has been poured out: it burns until the end of the turn two rounds later."""
    topic = "gear.oil-space"
    rule = fight.rule(topic)
    at = refuse_place(fight, actor, act, fight.figure(topic, "range_ft"), 1, rule)
    poured = next((one for one in areas.areas_at(fight, at) if one.what == "oil"), None)
    if poured is None:
        raise Refusal(f"there is nothing to light at {at[0]},{at[1]}", rule)
    yield from pay(fight, actor, act.item, "gear.tinderbox")
    yield from areas.remove(fight, poured.id, "it is lit", rule)
    until = fight.state.round + fight.figure(topic, "duration_rounds")
    id = f"{BURNING_OIL}:{fight.declaration}"
    yield areas.place(fight, id, BURNING_OIL, actor.id, poured.squares, rule, level=until)


def burn_down(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Put out the oil that a combatant has lit, as its turn ends two rounds later."""
    for area in list(fight.state.areas.values()):
        due = area.what == BURNING_OIL and area.who == combatant.id and fight.state.round >= area.level
        if due:
            yield from areas.remove(fight, area.id, "it has burnt down", fight.rule("gear.oil-space"))


def is_first_in_turn(fight: Fight, area: Area, victim: Combatant, most: int = 1) -> bool:
    """Return whether an area has not yet acted on a combatant in this turn as often as it can."""
    return victim.spent.get(mark_of(fight, area), 0) < most


def mark_of(fight: Fight, area: Area) -> str:
    """Return the counter of a turn for what an area has done to a combatant."""
    return f"{area.what} {fight.state.round}.{fight.state.turn}"


def step_on(fight: Fight, area: Area, victim: Combatant, moment: str) -> Steps[None]:
    """Let a creature make a save that enters caltrops, ball bearings or a trap, once a turn."""
    topic = USES[area.what][0]
    rule, row = fight.rule(topic), fight.figure(topic)
    if moment != "enter" or FLYING in victim.conditions or not is_first_in_turn(fight, area, victim):
        return
    yield ActionSpent(who=victim.id, kind=mark_of(fight, area), what=area.what, cites=(rule,))
    if (yield from test.save(fight, victim, "dex", row["dc"], why=area.what, cites=(rule,))):
        return
    if "damage" in row:
        dice = Dice(str(row["damage"]).split()[0], row["kind"], area.what)
        cites = (rule, *fight.rules("damage.fixed-no-modifier"))
        yield from damage.deal(fight, victim, Blow("", area.what), [dice], cites=cites)
        until = next_start(fight, victim)
        yield from reciting(gain(fight, victim, HOBBLED, area.what, until), ConditionGained, rule)
    if "failure" in row:
        yield from reciting(gain(fight, victim, row["failure"], area.what), ConditionGained, rule)
    if area.what == "hunting trap":
        yield from gain(fight, victim, TRAPPED, area.who)
        yield from areas.remove(fight, area.id, "it has snapped shut", rule)


def scorch(fight: Fight, area: Area, victim: Combatant, moment: str) -> Steps[None]:
    """Burn a creature that enters burning oil or ends a turn in it, once a turn."""
    if (
        moment not in ("enter", "end")
        or FLYING in victim.conditions
        or not is_first_in_turn(fight, area, victim, fight.figure("gear.oil-space", "per_turn"))
    ):
        return
    rule = fight.rule("gear.oil-space")
    yield ActionSpent(who=victim.id, kind=mark_of(fight, area), what=area.what, cites=(rule,))
    amount, kind = str(fight.figure("gear.oil-space", "damage")).split()
    dice, cites = Dice(amount, kind.lower(), area.what), (rule, *fight.rules("damage.fixed-no-modifier"))
    yield from damage.deal(fight, victim, Blow("", area.what), [dice], cites=cites)


STREWN: Final = {
    "caltrops": Feature(topic="gear.caltrops", in_area=step_on),
    "ball bearings": Feature(topic="gear.ball-bearings", in_area=step_on),
    "hunting trap": Feature(topic="gear.hunting-trap", in_area=step_on),
    BURNING_OIL: Feature(topic="gear.oil-space", in_area=scorch),
}
"""Things on the ground that act on creatures that enter, by the name of the area."""


USES: Final[Mapping[str, tuple[str, Use]]] = {
    "potion of healing": ("gear.potion-of-healing", drink_potion),
    "antitoxin": ("gear.antitoxin", drink_antitoxin),
    "healer's kit": ("gear.healers-kit", use_kit),
    "basic poison": ("gear.poison-basic", coat),
    **{name: ("gear.lamp-lights", light) for name in ("candle", "torch", "lamp", "hooded lantern")},
    **{name: (topic, bind) for name, topic in BONDS.items()},
    "caltrops": ("gear.caltrops", strew),
    "ball bearings": ("gear.ball-bearings", strew),
    "hunting trap": ("gear.hunting-trap", strew),
    "oil": ("gear.oil-space", strew),
    "tinderbox": ("gear.tinderbox", kindle),
    "grappling hook": ("gear.grappling-hook", hook),
    "climber's kit": ("gear.climbers-kit", anchor),
}
"""The use of each item, and its rule."""

CARRIED: Final = ("crowbar", "portable ram", "military saddle", "exotic saddle", "poisoner's kit")
"""Items that count by being carried or worn."""


def remarks(dialect: Dialect, sheet: Sheet, entered: CombatantEntered | None = None) -> tuple[str, ...]:
    """Return the parts of a sheet that no rule reads, items of the adventuring gear among them."""
    known = (*USES, *THROWN, *CARRIED)
    own = dialect.custom_of(sheet).items
    unread = ", ".join(dict.fromkeys(one for one in own if one not in known))
    said = kernel_remarks(dialect, sheet, entered)
    return (*said, f"no rule of {dialect.name} reads these items: {unread}") if unread else said
