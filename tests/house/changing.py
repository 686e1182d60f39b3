"""Fights in which what combatants are changes between their blows: abilities, conditions, levels, arms, gear.

Four fighters stand close together and strike in turn, each time in another way, while hazards change them.
What an attack was worth before a change must not be used after it.
"""

import random
from collections.abc import Callable
from typing import Any, Final

from affray.engine.book.catalogue import Book
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Mode
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.facts import acts
from affray.events.facts.sheet import Abilities, Bonus, Rider, Sheet, Weapon
from affray.events.stores.store import Store
from affray.projections.state import Combatant
from tests.house.wild import heard
from tests.relatives import conditions_of

ROWS: Final = ("...", "...", "...")
PLACES: Final = ((1, 1), (0, 0), (2, 1), (1, 2))
ABILITIES: Final = ("str", "dex", "con", "wis")
LASTING: Final = ("paralyzed", "helpless", "unconscious")
"""Conditions that leave nothing to do: they come over the first fighter alone, at whom the others strike."""
PASSING: Final = (
    "prone",
    "blinded",
    "shaken",
    "entangled",
    "fatigued",
    "exhausted",
    "flat-footed",
    "invisible",
)
FEATS: Final = (
    "weapon finesse",
    "two-weapon fighting",
    "combat reflexes",
    "improved unarmed strike",
    "point-blank shot",
    "precise shot",
    "quick draw",
)
WEAPONS: Final = (
    Weapon("dagger", "1d4", "piercing", "light", range=10, thrown=True, traits=("finesse",)),
    Weapon(
        "rapier",
        "1d6",
        "piercing",
        "light",
        threat=18,
        traits=("finesse",),
        attack=(Bonus(1, "enhancement"),),
    ),
    Weapon("longsword", "1d8", bonus_damage=(Bonus(1, "enhancement"),)),
    Weapon("club", "1d6", "bludgeoning", range=10, thrown=True),
    Weapon("sap", "1d6", "bludgeoning", "light", traits=("nonlethal",)),
    Weapon("spear", "1d8", "piercing", "two-handed", range=20, thrown=True, hands=2),
    Weapon("guisarme", "2d4", "slashing", "two-handed", reach=True, hands=2, traits=("trip",)),
    Weapon("shortbow", "1d6", "piercing", "projectile", range=60, hands=2, family="bow", ammunition=9),
    Weapon("bite", "1d6", "piercing", "natural"),
)


def open_changing(
    dice: random.Random,
    dialect: str,
    store: Store,
    seed: int,
    memory: Mode = "cached",
    readings: bool = False,
) -> Table:
    """Return a table of four fighters side by side, under readings chosen at random or the usual ones."""
    contested = [one for one in Book.load(dialect).contested.values() if not one.awaits] if readings else []
    table = Table.create(
        store,
        dialect=dialect,
        terrain=ROWS,
        options={one.option: dice.choice(one.readings).name for one in contested},
        seed=f"changing {seed}".ljust(32)[:32].encode(),
        memory=memory,
    )
    for number, at in enumerate(PLACES):
        weapons = tuple(dice.sample(WEAPONS, 4))
        table.declare(
            acts.Enter(
                id=f"c{number}",
                side="a" if number % 2 else "b",
                sheet=fighter(dice, weapons),
                at=at,
                held=held(weapons),
                acted=dice.random() < 0.8,
            )
        )
    return table


def fighter(dice: random.Random, weapons: tuple[Weapon, ...]) -> Sheet:
    """Return a fighter with these weapons whose Strength and Dexterity are nearly the same."""
    strength = dice.choice((12, 14, 16))
    return Sheet(
        "Fighter",
        hp=400,
        abilities=Abilities(strength, strength + dice.choice((-2, 0, 2)), 14, 10, 12, 10),
        base_attack=dice.choice((1, 6, 11)),
        weapons=weapons,
        feats=tuple(dice.sample(FEATS, 3)),
        classes={"fighter": 6},
        hit_dice=6,
        armor=(Bonus(dice.randint(0, 4), "armor"), Bonus(dice.choice((-2, 1)), "dodge")),
    )


def held(weapons: tuple[Weapon, ...]) -> tuple[str, ...]:
    """Return the names of as many of the weapons as two hands hold."""
    names: list[str] = []
    hands = 2
    for one in weapons:
        if one.wield != "natural" and one.hands <= hands:
            names.append(one.name)
            hands -= one.hands
    return tuple(names)


def changing_act(dice: random.Random, table: Table) -> Any:
    """Return a change of somebody, a blow of the combatant whose turn it is, or the turn's end."""
    fight = table.fight
    state = fight.state
    actor = state.combatants.get(state.active)
    if dice.random() < 0.3:
        return heard(dice, fight, change(dice, fight))
    if actor is None or state.phase == "declaration":
        return next_act(table) or acts.EndTurn(actor=state.active)
    if dice.random() < 0.35 or actor.spent.get("standard") or actor.spent.get("full-round"):
        return acts.EndTurn(actor=actor.id)
    return heard(dice, fight, blow(dice, fight, actor))


def change(dice: random.Random, fight: Fight) -> Any:
    """Return what changes somebody: an ability, a level, a condition, hit points, what is in hand."""
    whom = dice.choice(list(fight.state.combatants))
    ability = dice.choice(ABILITIES)
    weaker = Rider("venom", "ability", effect=f"{dice.randint(1, 5)} {ability}{dice.choice(('', ' drain'))}")
    known = dice.choice(conditions_of(fight.dialect))
    condition = known if dice.random() < 0.15 else dice.choice(PASSING)
    return dice.choice(
        (
            acts.Hazard(target=whom, rider=weaker),
            acts.Hazard(target=whom, rider=weaker),
            acts.Hazard(target=whom, rider=Rider("chill", "energy drain", effect="1 negative levels")),
            acts.Hazard(target=whom, condition=condition),
            acts.Hazard(target="c0", condition=dice.choice(LASTING)),
            acts.Hazard(target=whom, damage="2d6", damage_type="fire"),
            acts.Hazard(target=whom, injury="random"),
        )
    )


def blow(dice: random.Random, fight: Fight, actor: Combatant) -> Any:
    """Return an attack in any of its ways; mostly at the first fighter, if that is an enemy."""
    id = actor.id
    others = [one.id for one in fight.state.combatants.values() if one.side != actor.side]
    target = others[0] if dice.random() < 0.6 else dice.choice(others)
    arms = [*actor.held, *(one.name for one in actor.sheet.weapons), "unarmed strike"]
    weapon = dice.choice(arms)

    def strike() -> acts.Strike:
        return acts.Strike(target, dice.choice(arms), off_hand=dice.random() < 0.5)

    kinds: tuple[Callable[[], Any], ...] = (
        *[lambda: acts.Attack(actor=id, target=target, weapon=weapon, thrown=dice.random() < 0.3)] * 4,
        *[lambda: acts.FullAttack(actor=id, strikes=tuple(strike() for _ in range(dice.randint(1, 3))))] * 4,
        lambda: acts.Attack(actor=id, target=target, weapon=weapon, nonlethal=dice.choice((True, False))),
        lambda: acts.Trip(actor=id, target=target, weapon=weapon),
        lambda: acts.Disarm(actor=id, target=target, weapon=weapon),
        lambda: acts.Grapple(actor=id, target=target),
        lambda: acts.Draw(actor=id, item=weapon),
        lambda: acts.Drop(actor=id, item=weapon),
        lambda: acts.TotalDefense(actor=id),
    )
    while type(act := dice.choice(kinds)()) not in fight.dialect.acts:
        continue
    return act
