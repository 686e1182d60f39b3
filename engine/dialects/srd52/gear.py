"""Weapons and armor: their rows in the tables, what is in hand, Armor Class."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.dialects.srd52.classes import SheetFields, ability, attacks_of, fields_of
from affray.engine.dialects.srd52.conditions import MINUTES, pass_time
from affray.engine.dialects.srd52.features import Dice, ask, features_of, parts_of
from affray.engine.dialects.srd52.printed import longest, multiattack_of
from affray.engine.dialects.srd52.senses import LIT
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import Same, per_company, per_fight, per_scene
from affray.engine.grid.distance import gaps
from affray.engine.kernel.actions import can_spend, check_turn, spend
from affray.engine.kernel.tactics import arms as arms_in_hand
from affray.engine.kernel.turns import is_decided
from affray.engine.record.acts import details_of
from affray.engine.steps import Refusal, Steps, unknown_word
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.combat import CounterChanged, DoorMoved, EffectEnded, ItemChanged, ResourceSpent
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Modifier, Sheet, Weapon, Worn
from affray.projections.state import Combatant

# --- Rows of the tables

WEAPONS: Final = (
    "gear.weapons-simple-melee",
    "gear.weapons-simple-ranged",
    "gear.weapons-martial-melee",
    "gear.weapons-martial-ranged",
)
UNARMED: Final = Weapon("unarmed strike", "1", "bludgeoning", wield="unarmed")
"""An Unarmed Strike, which every creature can make (srd52.maneuvers.unarmed-damage)."""


def equipped(fight: Fight, sheet: Sheet) -> Sheet:
    """Return a sheet whose weapons and worn items have the figures of their rows. Refuses unknown rows.

    Refuses two suits of armor, two Shields, or two of other worn items, and too many that are attuned.
    """
    for kind, most in fight.figure("gear.armor-one").items():
        if sum(one.kind == kind for one in sheet.worn) > most:
            raise Refusal(f"{sheet.name} wears more than one {kind}", fight.rule("gear.armor-one"))
    own: SheetFields = fight.dialect.custom_of(sheet)
    for kind, words in fight.figure("gear.worn-items").items():
        found = [one for one in own.items if not {*words}.isdisjoint(one.split())]
        if len(found) > 1:
            reason = f"{sheet.name} wears {found[0]} and {found[1]}: one item of {kind} at most"
            raise Refusal(reason, fight.rule("gear.worn-items"))
    if len(own.attuned) > fight.figure("gear.attunement", "max"):
        raise Refusal(f"{sheet.name} is attuned to too many items", fight.rule("gear.attunement"))
    weapons = tuple(armed(fight, one) if one.table else one for one in sheet.weapons)
    worn = tuple(dressed(fight, one) if one.table else one for one in sheet.worn)
    return replace(sheet, weapons=weapons, worn=worn)


def row_of(fight: Fight, topics: Iterable[str], name: str, kind: str) -> tuple[Mapping[str, Any], str]:
    """Return a row by its name, and the topic of its table. Refuses one that no table has."""
    rows = {row["name"]: (row, topic) for topic in topics for row in fight.figure(topic)}
    if name not in rows:
        raise unknown_word(kind, name, rows, fight.rule("gear.categories"))
    return rows[name]


def topic_of_table(fight: Fight, weapon: Weapon) -> str:
    """Return the topic of the table in which a weapon has its row."""
    return row_of(fight, WEAPONS, weapon.table, "weapon")[1]


def armed(fight: Fight, weapon: Weapon) -> Weapon:
    """Return a weapon with the figures of its row; what the sheet itself says stays."""
    row, topic = row_of(fight, WEAPONS, weapon.table, "weapon")
    properties, (near, far) = row["properties"], row.get("range", (0, 0))
    thrown, ranged = "thrown" in properties, topic.endswith("ranged")
    held = (
        "projectile"
        if ranged and not thrown
        else "two-handed"
        if "two-handed" in properties
        else "one-handed"
    )
    return replace(
        weapon,
        damage=weapon.damage or row["damage"],
        damage_type=row["type"],
        wield=held,
        range=near,
        thrown=thrown,
        hands=hands_for(fight, properties),
        second=weapon.second or row.get("versatile", ""),
        traits=(
            *weapon.traits,
            *properties,
            f"mastery {row['mastery']}",
            *([f"long range {far}"] if far else []),
        ),
    )


def hands_for(fight: Fight, properties: Iterable[str]) -> int:
    """Return how many hands an attack with a weapon of the tables takes at least."""
    if "two-handed" in properties:
        return int(fight.figure("gear.two-handed", "hands"))
    return int(fight.figure("gear.versatile", "hands", 0)) if "versatile" in properties else 1


def dressed(fight: Fight, worn: Worn) -> Worn:
    """Return worn armor or a Shield with the figures of its row."""
    if worn.table == "shield":
        return replace(worn, kind="shield", bonus=fight.figure("gear.shield", "ac"))
    row, _ = row_of(fight, ("gear.armor-table",), worn.table, "armor")
    traits = [*worn.traits]
    traits += [f"strength {row['strength']}"] if row["strength"] else []
    traits += ["noisy"] if row["stealth"] else []
    return replace(worn, kind="armor", bonus=row["ac"], weight=row["category"], traits=tuple(traits))


def long_range(weapon: Weapon) -> int:
    """Return the long range of a weapon in feet, 0 if it has only one range."""
    return next((int(feet) for feet in details_of("long range", weapon.traits) if feet.isdecimal()), 0)


@per_fight(Same("wielder.sheet"), Same("weapon"))
def masteries_with(fight: Fight, wielder: Combatant, weapon: Weapon) -> tuple[str, ...]:
    """Return the mastery properties of a weapon that its wielder can use (srd52.gear.mastery-access)."""
    own = fields_of(fight, wielder).masteries
    return tuple(details_of("mastery", weapon.traits)) if (weapon.table or weapon.name) in own else ()


def weight_of_barding(fight: Fight, mount: Combatant) -> int:
    """Return the pounds of the armor that a mount wears, which its load does not contain."""
    if not fields_of(fight, mount).trained:
        return 0
    factor = int(fight.figure("mounted.barding", "weight"))
    rows = {row["name"]: int(row["weight"].split()[0]) for row in fight.figure("gear.armor-table")}
    return sum(rows.get(one.table, 0) * factor for one in mount.sheet.worn)


# --- Weapons in hand


@per_company("combatant.id")
def arms(fight: Fight, combatant: Combatant) -> tuple[Weapon, ...]:
    """Return the weapons in a combatant's hands, its natural ones, and its Unarmed Strike."""
    found = [as_wielded(fight, combatant, one) for one in arms_in_hand(fight, combatant)]
    if combatant.counters.get(f"{LIT}torch") and "torch" not in combatant.lying:
        dice, kind = str(fight.figure("gear.torch", "damage")).split()
        found.append(Weapon("torch", dice, kind))
    return (*found,) if any(one.wield == "unarmed" for one in found) else (*found, UNARMED)


def as_wielded(fight: Fight, holder: Combatant, weapon: Weapon) -> Weapon:
    """Return a weapon as it is in a combatant's hands.

    One that a monster had is that of its table, and magic that needs Attunement takes it.
    """
    if holder.counters.get(f"{TAKEN}{weapon.name}"):
        weapon = armed(fight, Weapon(weapon.name, "", table=weapon.table or weapon.name))
    if NEEDS_ATTUNEMENT in weapon.traits and not is_attuned(fight, holder, weapon.name):
        plain = tuple(one for one in weapon.traits if one != "magic")
        weapon = replace(weapon, attack=(), bonus_damage=(), extra=(), traits=plain)
    return weapon


NEEDS_ATTUNEMENT: Final = "attunement"
"""The trait of a magic item whose magic takes Attunement."""
ATTUNED: Final = "attuned to "
"""The beginning of the counter of an item to which a combatant has attuned itself."""
TAKEN: Final = "took "
"""The beginning of the counter of a weapon that a combatant has taken from a monster."""


def is_attuned(fight: Fight, holder: Combatant, item: str) -> bool:
    """Return whether a combatant is attuned to an item."""
    return item in fields_of(fight, holder).attuned or bool(holder.counters.get(f"{ATTUNED}{item}"))


class Attune(acts.Act, frozen=True, gc=False, tag="srd52.attune"):
    """Spend a Short Rest on becoming attuned to a magic item.

    item: the item.
    """

    item: Name = ""


def attune(fight: Fight, act: Attune) -> Steps[None]:
    """Become attuned to an item during a Short Rest, to three at most."""
    actor, topic = fight.combatant(act.actor), "gear.attunement"
    rule, sheet = fight.rule(topic), actor.sheet
    own: list[Weapon | Worn] = [*sheet.weapons, *sheet.worn]
    known = [one.name for one in own if NEEDS_ATTUNEMENT in one.traits]
    if act.item not in known:
        raise unknown_word("item that needs Attunement", act.item, known, rule, actor.id)
    if fight.state.begun and not is_decided(fight):
        raise Refusal("Attunement takes a Short Rest", rule)
    attuned = {*fields_of(fight, actor).attuned, *(one for one in known if is_attuned(fight, actor, one))}
    if act.item in attuned or len(attuned) >= fight.figure(topic, "max"):
        raise Refusal(f"{actor.id} is attuned to {', '.join(sorted(attuned))}", rule)
    minutes = fight.figure("damage.short-rest", "hours") * MINUTES
    yield from pass_time(fight, minutes, f"{actor.id} attunes itself to the {act.item}", rule)
    yield CounterChanged(who=actor.id, counter=f"{ATTUNED}{act.item}", value=1, cites=(rule,))


class Take(acts.Act, frozen=True, gc=False, tag="srd52.take"):
    """Take a weapon from a creature that is down.

    target: the creature.
    item: the weapon.
    """

    target: Name = ""
    item: Name = ""


def take(fight: Fight, act: Take) -> Steps[None]:
    """Take a weapon from a creature nearby that is down; of a monster's only what its Gear lists."""
    actor, owner, rule = fight.combatant(act.actor), fight.combatant(act.target), fight.rule("monster.gear")
    check_turn(fight, actor)
    known = {one.name: one for one in owner.sheet.weapons if one.wield not in ("natural", "unarmed")}
    if act.item not in known or owner.items.get(act.item) == "gone":
        raise unknown_word("weapon", act.item, known, rule, owner.id, "to take")
    if not is_down(fight, owner):
        raise Refusal(f"{owner.id} is not down", rule)
    if max(gaps(actor.at, actor.space, owner.at, owner.space)) > 1:
        raise Refusal(f"{owner.id} is out of the reach of {actor.id}", rule)
    own = fields_of(fight, owner)
    if not own.character and act.item not in own.gear:
        raise Refusal(f"the {act.item} of {owner.id} is of no use to others", rule)
    if hands_free(actor) < 1:
        raise Refusal(f"{actor.id} has no hand free", rule)
    yield from spend_interaction(fight, actor, f"take the {act.item}", weapon=True)
    yield ItemChanged(who=actor.id, item=act.item, state="held", of=owner.id, cites=(rule,))
    if not own.character:
        yield CounterChanged(who=actor.id, counter=f"{TAKEN}{act.item}", value=1, cites=(rule,))


@per_scene("attacker.id", "attacker.at", "name", "thrown")
def weapon_in_hand(fight: Fight, attacker: Combatant, name: str, thrown: bool = False) -> Weapon:
    """Return the named weapon in hand, the first one if none is named. Refuses others.

    What is thrown may be drawn as part of the attack. Any object may serve as an improvised weapon.
    """
    usable = {one.name: one for one in arms(fight, attacker)}
    if thrown and name not in usable and hands_free(attacker) > 0:
        usable.update(
            {
                one.name: as_wielded(fight, attacker, one)
                for one in attacker.sheet.weapons
                if one.thrown and is_at_hand(attacker, one)
            }
        )
    if name == IMPROVISED and hands_free(attacker) > 0:
        usable[IMPROVISED] = improvised(fight)
    found = usable.get(name or next(iter(usable)))
    if found is None:
        rule = fight.rule("turns.attack-equip")
        raise Refusal(f"{attacker.id} has no {name} in hand; there is {', '.join(usable)}", rule)
    refuse_hands(fight, attacker, found)
    if found.ammunition is not None and attacker.resources.get(found.name, 0) >= found.ammunition:
        raise Refusal(f"{attacker.id} has no {found.name} left to shoot", fight.rule("gear.ammunition"))
    return found


def refuse_hands(fight: Fight, attacker: Combatant, weapon: Weapon) -> None:
    """Refuse an attack for which the hands are not free: for a weapon's grip, or to load it."""
    if weapon.wield in ("natural", "unarmed"):
        return
    hands, free = weapon.hands, hands_free(attacker, weapon.name) - hands_grappling(fight, attacker)
    if attacker.mount and (weapon.table or weapon.name) == "lance":
        hands = fight.figure("mounted.lance", "mounted_hands")
    if hands > free:
        raise Refusal(f"the {weapon.name} takes two hands", fight.rule("gear.two-handed"))
    if hands == 1 and "ammunition" in weapon.traits and free < LOADING_HANDS:
        raise Refusal(
            f"{attacker.id} has no hand free to load the {weapon.name}", fight.rule("gear.ammunition")
        )


@per_company("grappler.id")
def grappled_by(fight: Fight, grappler: Combatant) -> tuple[str, ...]:
    """Return the ids of those that a combatant grapples."""
    return tuple(
        one.id
        for one in fight.state.combatants.values()
        if (held := one.conditions.get("grappled")) is not None and held.source == grappler.id
    )


def hands_grappling(fight: Fight, grappler: Combatant) -> int:
    """Return how many hands a combatant needs for those that it grapples."""
    return -(-len(grappled_by(fight, grappler)) // int(fight.figure("grapple.one-per-hand", "per_part")))


LOADING_HANDS: Final = 2
"""The hand that holds a weapon, and the one that loads it."""


def is_at_hand(holder: Combatant, weapon: Weapon) -> bool:
    """Return whether a weapon that is not in hand can be drawn: it does not lie elsewhere, or has copies."""
    used, state = holder.resources.get(weapon.name, 0), holder.items.get(weapon.name)
    if weapon.thrown and weapon.ammunition is not None:
        return used < weapon.ammunition
    return state not in ("dropped", "gone", "broken") or weapon.name in lying_near(holder)


IMPROVISED: Final = "improvised weapon"


def improvised(fight: Fight, weapon: Weapon | None = None) -> Weapon:
    """Return an object as a weapon, or a weapon used contrary to its design: no proficiency, 1d4."""
    near, far = (fight.figure("attacks.improvised-range", name) for name in ("normal", "long"))
    base = weapon or Weapon(IMPROVISED, "", "bludgeoning")
    return replace(
        base,
        damage=fight.figure("attacks.improvised-damage", "damage"),
        wield="one-handed",
        proficient=False,
        range=near,
        thrown=True,
        second="",
        traits=(f"long range {far}", "improvised"),
        ammunition=None,
    )


def is_improvised(weapon: Weapon) -> bool:
    """Return whether a weapon is used contrary to its design."""
    return "improvised" in weapon.traits


def hands_free(holder: Combatant, apart_from: str = "") -> int:
    """Return how many of two hands hold nothing else: no other weapon, no Shield, no light."""
    taken = sum(name != apart_from for name in holder.held)
    taken += sum(one.kind == "shield" and holder.items.get(one.name) != "doffed" for one in holder.sheet.worn)
    for name in holder.counters:
        item = name.removeprefix(LIT)
        taken += name.startswith(LIT) and item not in (apart_from, *holder.lying)
    return 2 - taken


def wields_two_handed(fight: Fight, wielder: Combatant, weapon: Weapon) -> bool:
    """Return whether a Versatile weapon is wielded with both hands: the other one is free."""
    return hands_free(wielder, weapon.name) >= int(fight.figure("gear.versatile", "hands", 1))


def draw(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Take a weapon in hand: by the free interaction of the turn, with an attack, or by an action."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.object-interaction")
    check_turn(fight, actor)
    known = {one.name: one for one in actor.sheet.weapons if one.wield not in ("natural", "unarmed")}
    if act.item not in known:
        raise unknown_word("weapon", act.item, known, rule, actor.id, "to draw")
    if act.item in actor.held:
        raise Refusal(f"{actor.id} holds the {act.item} already", rule)
    if not is_at_hand(actor, known[act.item]):
        raise Refusal(f"the {act.item} is not at hand", rule)
    if hands_free(actor) < 1:
        raise Refusal(f"{actor.id} has no hand free", rule)
    yield from spend_interaction(fight, actor, f"draw the {act.item}", weapon=True)
    at = actor.at if act.item in lying_near(actor) else None
    yield ItemChanged(who=actor.id, item=act.item, state="held", at=at, cites=(rule,))


def sheathe(fight: Fight, act: acts.Sheathe) -> Steps[None]:
    """Put a weapon away: by the free interaction of the turn, with an attack, or by the Utilize action."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.object-interaction")
    check_turn(fight, actor)
    if act.item not in actor.held:
        raise Refusal(f"{actor.id} does not hold {act.item or 'that'}", rule)
    yield from spend_interaction(fight, actor, f"put the {act.item} away", weapon=True)
    yield ItemChanged(who=actor.id, item=act.item, state="stowed", cites=(rule,))


def lying_near(holder: Combatant) -> list[str]:
    """Return a combatant's own items that lie in its square."""
    return [name for name, squares in holder.lying.items() if holder.at in squares]


INTERACTION: Final = "interaction"
"""The counter of a turn for objects that are handled for free."""
EQUIPPED: Final = "equipped"
"""The counter of a turn for weapons that are equipped or unequipped with attacks."""
STRIKES: Final = "strikes"
"""The counter of a turn for attacks of the Attack action."""
HASTE: Final = "haste"
"""The kind of action that Haste adds."""
HASTY: Final = "attack of haste"
"""The counter of a turn for the Attack action of Haste."""
ATTACKING: Final = "attack action"
"""The counter of a turn for the Attack actions taken."""


@per_company("combatant.id")
def most_attacks(fight: Fight, combatant: Combatant) -> int:
    """Return how many attacks a combatant's Attack action has, Multiattack included."""
    return max(attacks_of(fight, combatant), longest(multiattack_of(fight, combatant)))


def attacks_left(fight: Fight, combatant: Combatant) -> int:
    """Return how many attacks are left of the Attack actions that a combatant has taken in this turn.

    That of Haste has one.
    """
    spent = combatant.spent
    hasty = spent.get(HASTY, 0)
    allowed = most_attacks(fight, combatant) * (spent.get(ATTACKING, 0) - hasty) + hasty
    return allowed - spent.get(STRIKES, 0)


def can_attack(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant has an action left with which it can take the Attack action."""
    return can_spend(fight, combatant, "action") or can_spend(fight, combatant, HASTE)


def spend_interaction(fight: Fight, actor: Combatant, what: str, weapon: bool = False) -> Steps[None]:
    """Use the free interaction of the turn; a weapon may also be equipped before or after each attack.

    The next ones take the Utilize action. Equipping before an attack begins the Attack action.
    """
    reading, free = fight.option("draw_budget"), fight.figure("turns.object-interaction", "free_per_turn")
    interacts = not (weapon and reading == "attack-only-for-weapons")
    if interacts and actor.spent.get(INTERACTION, 0) < free:
        cites = fight.rules("turns.object-interaction")
        yield ActionSpent(who=actor.id, kind=INTERACTION, what=what, cites=cites)
        return
    made, equipped = actor.spent.get(STRIKES, 0), actor.spent.get(EQUIPPED, 0)
    each = fight.figure("turns.attack-equip", "per_attack")
    cites = fight.rules("turns.attack-equip", "turns.attack-equip-meaning", "turns.attack-equip-unused")
    more = attacks_left(fight, actor) > 0 or can_attack(fight, actor)
    if weapon and reading != "one-in-all" and equipped < each * (made + bool(more)):
        if equipped >= each * made and not actor.spent.get(ATTACKING):
            yield attack_begun(fight, actor)
        yield ActionSpent(who=actor.id, kind=EQUIPPED, what=what, cites=cites)
        return
    cites = fight.rules("turns.second-object", "turns.utilize")
    yield spend_bonus_first(fight, actor, "utilize", "utilize", *cites)


def spend_bonus_first(fight: Fight, actor: Combatant, name: str, what: str, *cites: str) -> ActionSpent:
    """Return the fact that an action is taken ("hide"): as a Bonus Action where a feature allows it."""
    for held in features_of(fight, actor):
        if name in held.feature.as_bonus and can_spend(fight, actor, "bonus"):
            return spend(fight, actor, "bonus", what, *cites, fight.rule(held.feature.topic))
    return spend(fight, actor, "action", what, *cites)


def spend_action(fight: Fight, actor: Combatant, name: str, *cites: str) -> ActionSpent:
    """Return the fact that the action of the turn is used, or the additional one of Haste that allows it."""
    if not can_spend(fight, actor, "action") and can_spend(fight, actor, HASTE):
        row = fight.figure("magic.spell-haste", "extra_action")
        if any(one.partition(" ")[0] == name for one in row):
            return spend(fight, actor, HASTE, name, *cites, fight.rule("magic.spell-haste"))
    return spend(fight, actor, "action", name, *cites)


def attack_begun(fight: Fight, actor: Combatant, *cites: str, counts: Sequence[str] = ()) -> ActionSpent:
    """Return the fact that the Attack action is taken, whose attacks follow one by one.

    counts: what else of the turn it counts.
    """
    spent = spend_action(fight, actor, "attack", fight.rule("turns.attack-action"), *cites)
    hasty = (HASTY,) if spent.kind == HASTE else ()
    return replace(spent, also=(ATTACKING, *hasty, *counts))


# --- Doors, and missiles after the fight


def handle(fight: Fight, act: acts.Handle) -> Steps[None]:
    """Open or close a door nearby: the free interaction of the turn; a stuck one takes an action."""
    actor, rule = fight.combatant(act.actor), fight.rule("turns.object-interaction")
    check_turn(fight, actor)
    doors = {one.door: one for one in fight.state.barriers if one.door}
    if act.item not in doors:
        raise unknown_word("door", act.item, doors, rule)
    door = doors[act.item]
    apart = min(max(gaps(actor.at, actor.space, at, 1)) for at in (door.here, door.there))
    if apart > 1:
        raise Refusal(f"the {act.item} is out of the reach of {actor.id}", rule)
    if door.open != (act.what == "close"):
        raise Refusal(f"the {act.item} is {'open' if door.open else 'closed'} already", rule)
    if act.what == "open-stuck":
        care = fight.rules("turns.utilize", "turns.object-special-care")
        yield spend(fight, actor, "action", "utilize", *care)
    else:
        yield from spend_interaction(fight, actor, f"{act.what} the {act.item}")
    yield DoorMoved(who=actor.id, door=act.item, open=act.what != "close", cites=(rule,))


def gather(fight: Fight, act: acts.Gather) -> Steps[None]:
    """Search for the ammunition used in a fight that is over: half of it is found, once."""
    actor, topic = fight.combatant(act.actor), "gear.ammunition-recovery"
    rule, counter = fight.rule(topic), f"lost {act.item}"
    known = [one.name for one in actor.sheet.weapons if one.ammunition is not None]
    if act.item not in known:
        raise unknown_word("weapon with ammunition", act.item, known, rule, actor.id)
    if not is_decided(fight):
        raise Refusal("the fight is not over", rule)
    used = actor.resources.get(act.item, 0) - actor.counters.get(counter, 0)
    found = int(used * fight.figure(topic, "recover"))
    if not found:
        raise Refusal(f"there is no {act.item} to find", rule)
    yield from pass_time(fight, fight.figure(topic, "minutes"), f"{actor.id} searches", rule)
    yield ResourceSpent(who=actor.id, resource=act.item, amount=-found, cites=(rule,))
    lost = actor.counters.get(counter, 0) + used - found
    yield CounterChanged(who=actor.id, counter=counter, value=lost, cites=(rule,))


# --- Poison on weapons

COATED: Final = "coated"
"""The stat of the effect of poison on a weapon: "coated dagger"."""


def poison_dice(fight: Fight, wielder: Combatant, weapon: Weapon) -> Steps[list[Dice]]:
    """Return the dice of the poison on a weapon that hits, and use it up."""
    for one in wielder.effects:
        if one.stat == f"{COATED} {weapon.name}":
            rule, dice = fight.rule("gear.poison-basic"), fight.figure("gear.poison-basic", "damage")
            yield EffectEnded(who=wielder.id, id=one.id, why="the poison is in the wound", cites=(rule,))
            notation, kind = str(dice).split()
            return [Dice(notation, kind.lower(), one.modifier.source)]
    return []


# --- Putting on and taking off


def don(fight: Fight, act: acts.Don) -> Steps[None]:
    """Take up a Shield, an action, or put on armor, which takes minutes."""
    yield from change_clothes(fight, fight.combatant(act.actor), act.item, "worn")


def doff(fight: Fight, act: acts.Doff) -> Steps[None]:
    """Put a Shield away, an action, or take off armor, which takes minutes."""
    yield from change_clothes(fight, fight.combatant(act.actor), act.item, "doffed")


def change_clothes(fight: Fight, actor: Combatant, item: str, state: str) -> Steps[None]:
    """Put on or take off worn things: a Shield by the Utilize action, armor only outside of combat."""
    check_turn(fight, actor)
    found = next((one for one in actor.sheet.worn if one.name == item), None)
    if found is None:
        known = [one.name for one in actor.sheet.worn]
        raise unknown_word("item to wear", item, known, fight.rule("gear.armor-don-doff"), actor.id)
    if (actor.items.get(item) == "doffed") == (state == "doffed"):
        raise Refusal(f"the {item} is {state} already", fight.rule("gear.armor-don-doff"))
    rule = fight.rule("gear.shield-don")
    if found.kind == "armor":
        don_minutes, doff_minutes = fight.figure("gear.armor-don-doff", found.weight)
        minutes = don_minutes if state == "worn" else doff_minutes
        rule = fight.rule("gear.armor-don-doff")
        if not is_decided(fight):
            raise Refusal(f"that takes {counted(minutes, 'minute')}", rule)
        yield from pass_time(fight, minutes, f"{actor.id} changes armor", rule)
    else:
        if state == "worn" and hands_free(actor) < 1:
            raise Refusal(f"{actor.id} has no hand free", rule)
        yield spend(fight, actor, "action", "utilize", rule, fight.rule("turns.utilize"))
    yield ItemChanged(who=actor.id, item=item, state=state, cites=(rule,))


# --- Armor Class


@per_scene("target.id")
def armor_class(fight: Fight, target: Combatant) -> tuple[Modifier, ...]:
    """Return the parts of Armor Class: the printed one, or armor (otherwise 10), Dexterity and a Shield."""
    printed = fields_of(fight, target).armor_class
    more = list(parts_of(fight, target, "on_armor_class"))
    if printed:
        rule = fight.rule("damage.object-ac" if target.sheet.kind == "object" else "monster.ac")
        return (Modifier(printed, "base", "printed", rule), *more)
    dexterity = ability(fight, target, "dex")
    on = [one for one in target.sheet.worn if target.items.get(one.name) != "doffed"]
    armor = next((one for one in on if one.kind == "armor"), None)
    if armor is None:
        base = fight.formula("defense.base-ac", "formula")
        parts = [Modifier(base, "base", "unarmored", fight.rule("defense.base-ac")), dexterity]
        others = [function(fight, held) for function, held in ask(fight, target, "base_armor")]
        parts = (
            max(parts, *others, key=lambda several: sum(one.value for one in several)) if others else parts
        )
    else:
        rule = fight.rule("gear.armor-base-ac")
        most = fight.figure("gear.armor-base-ac", "most", armor.weight)
        if fields_of(fight, target).trained:
            rule = fight.rule("mounted.barding")
        parts = [Modifier(armor.bonus, "armor", armor.name, rule)]
        if most is None or dexterity.value < most:
            parts.append(dexterity)
        elif most:
            parts.append(Modifier(most, "ability", f"Dexterity, at most {most}", rule))
    for one in on:
        if one.kind == "shield" and one.proficient:
            parts.append(Modifier(one.bonus, "shield", one.name, fight.rule("gear.shield")))
    return tuple(one for one in (*parts, *more) if one.value)
