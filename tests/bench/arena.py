"""A fight that never ends: four against four, with opportunity, cover, flanking and stacking in play."""

from collections.abc import Iterator

from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Abilities, Bonus, Saves, Sheet, Weapon
from affray.events.stores.store import Store
from affray.replay.chance.odds import Scratch

MAP = (
    "..............",
    "..............",
    "...#......^^..",
    "..............",
    "..====........",
    "..............",
    "...#....~~....",
    "..............",
    "..............",
    "..............",
)
ENDLESS = 1_000_000  # the most that a sheet may have

SWORD = Weapon("longsword", "1d8", threat=19, attack=(Bonus(2, "enhancement", "+2"),))
BOW = Weapon("longbow", "1d8", "piercing", "projectile", multiplier=3, range=100, hands=2, family="bow")
CLUB = Weapon("greatclub", "2d8", "bludgeoning", "two-handed", hands=2)
SEED = b"arena of the benchmark"
"""The seed of its dice."""
OPPONENTS = {"h1": "o1", "h2": "o2", "h3": "o3", "archer": "o3", "o1": "h1", "o2": "h2", "o3": "h3"}


def hero(name: str, *weapons: Weapon) -> Sheet:
    """Return an 11th-level warrior with typed parts that stack, and some that do not."""
    return Sheet(
        name,
        hp=ENDLESS,
        hit_dice=11,
        abilities=Abilities(str=18, dex=16, con=14),
        base_attack=11,
        saves=Saves(7, 3, 3),
        armor=(
            Bonus(9, "armor", "full plate +1"),
            Bonus(2, "shield", "heavy shield"),
            Bonus(1, "deflection", "ring"),
            Bonus(2, "deflection", "cloak"),
            Bonus(1, "dodge", "Dodge"),
            Bonus(1, "natural", "amulet"),
        ),
        max_dex=2,
        feats=("combat reflexes", "weapon focus (longsword)"),
        weapons=weapons or (SWORD,),
    )


def ogre(name: str) -> Sheet:
    """Return a big brute with reach."""
    return Sheet(
        name,
        hp=ENDLESS,
        hit_dice=11,
        size="large",
        kind="giant",
        abilities=Abilities(str=22, dex=12, con=16),
        base_attack=11,
        saves=Saves(7, 3, 3),
        armor=(Bonus(7, "natural", "hide"), Bonus(4, "armor", "hide armor")),
        feats=("combat reflexes",),
        weapons=(CLUB,),
    )


def opened(store: Store, dialect: str = "srd35") -> Table:
    """Return the table with everybody in place and the fight begun."""
    table = Table.create(store, dialect=dialect, terrain=MAP, name="arena", seed=SEED)
    places = {"h1": (4, 1), "h2": (4, 3), "h3": (8, 3), "archer": (4, 7)}
    for id, at in places.items():
        sheet = hero(id, BOW) if id == "archer" else hero(id)
        table.declare(acts.Enter(id=id, side="heroes", sheet=sheet, at=at, initiative=20))
    for number, at in enumerate([(5, 0), (5, 2), (6, 4), (5, 6)], 1):
        id = f"o{number}"
        table.declare(acts.Enter(id=id, side="ogres", sheet=ogre(id), at=at, initiative=10))
    outcome = table.declare(acts.Begin())
    assert outcome.refused is None
    return table


def round_of(table: Table | Scratch) -> Iterator[AnyAct]:
    """Yield the declarations of one round: full attacks, shots that provoke, a step in and out of reach."""
    away = table.state.round % 2
    for id in table.state.order:
        if id == "o4":
            yield acts.Move(actor="o4", path=((6, 7),) if away else ((5, 6),))
            yield acts.Attack(actor="o4", target="archer")
        else:
            yield acts.FullAttack(actor=id, strikes=(acts.Strike(OPPONENTS[id]),) * 3)
        yield acts.EndTurn(actor=id)


def maneuvers_of(table: Table) -> Iterator[AnyAct]:
    """Yield the declarations of one round in which everybody tries something else than a blow.

    What cannot be done as things stand is refused, and nothing comes of it.
    """
    for number, id in enumerate(table.state.order):
        other = f"o{number % 3 + 1}" if id[0] != "o" else f"h{number % 3 + 1}"
        tries = (
            acts.Trip(actor=id, target=other),
            acts.Disarm(actor=id, target=other),
            acts.BullRush(actor=id, target=other),
            acts.Feint(actor=id, target=other),
            acts.Grapple(actor=id, target=other),
        )
        yield tries[(number + table.state.round) % len(tries)]
        yield acts.EndTurn(actor=id)
