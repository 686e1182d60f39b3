"""Small fights for the tests of replay."""

from affray.engine.table.policies import Answers, auto
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Abilities, Bonus, Sheet, Weapon
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store

SEED = b"a seed for the tests of replay...."

FIGHTER = Sheet(
    name="Fighter",
    hp=40,
    abilities=Abilities(str=16, dex=13, con=14),
    base_attack=4,
    armor=(Bonus(5, "armor", "breastplate"), Bonus(2, "shield", "heavy shield")),
    weapons=(Weapon("longsword", "1d8", threat=19),),
)
ROGUE = Sheet(
    name="Rogue",
    hp=22,
    abilities=Abilities(str=12, dex=17),
    base_attack=3,
    armor=(Bonus(2, "armor", "leather"),),
    weapons=(Weapon("rapier", "1d6", damage_type="piercing", wield="light", threat=18),),
    feats=("weapon finesse",),
)
OGRE = Sheet(
    name="Ogre",
    hp=29,
    size="large",
    kind="giant",
    abilities=Abilities(str=21, dex=8, con=15),
    base_attack=3,
    armor=(Bonus(5, "natural", "hide"), Bonus(3, "armor", "hide armor")),
    weapons=(Weapon("greatclub", "2d8", damage_type="bludgeoning", wield="two-handed", hands=2),),
    speed=30,
)
GOBLIN = Sheet(
    name="Goblin",
    hp=5,
    size="small",
    abilities=Abilities(str=11, dex=13),
    base_attack=1,
    armor=(Bonus(2, "armor", "leather"), Bonus(1, "shield", "light shield")),
    weapons=(Weapon("morningstar", "1d6", damage_type="piercing"),),
)


def opened(
    store: Store | None = None, *, seed: bytes = SEED, answers: Answers = auto, **more: object
) -> Table:
    """Return a fight of two against two that has begun."""
    table = Table.create(
        store if store is not None else MemoryStore(),
        dialect="srd35",
        terrain=["............"] * 6,
        seed=seed,
        answers=answers,
        **more,  # type: ignore[arg-type]
    )
    for id, side, sheet, at in (
        ("fighter", "heroes", FIGHTER, (3, 2)),
        ("rogue", "heroes", ROGUE, (3, 3)),
        ("ogre", "monsters", OGRE, (4, 2)),
        ("goblin", "monsters", GOBLIN, (2, 3)),
    ):
        table.declare(acts.Enter(id=id, side=side, sheet=sheet, at=at))
    table.declare(acts.Begin())
    return table


def brawl(table: Table, rounds: int) -> Table:
    """Let everybody hit the first enemy in reach, some stepping back first, for so many rounds."""
    last = table.state.round + rounds
    while table.state.active and table.state.round < last:
        turn(table)
    return table


def turn(table: Table) -> None:
    """Play one turn: an attack (perhaps refused), a walk now and then that provokes, the end."""
    state = table.state
    who = state.combatants[state.active]
    if table.seq % 5 == 0:
        x, y = who.at
        table.declare(acts.Move(actor=who.id, path=((x + (1 if x < 8 else -1), max(0, y - 1)),)))
    if state.active == who.id:
        targets = [c for c in state.combatants.values() if c.side != who.side and "dead" not in c.conditions]
        targets.sort(key=lambda one: (max(abs(one.at[0] - who.at[0]), abs(one.at[1] - who.at[1])), one.id))
        if targets:
            table.declare(acts.Attack(actor=who.id, target=targets[0].id))
    if state.active == who.id:
        table.declare(acts.EndTurn(actor=who.id))


def fought(store: Store | None = None, rounds: int = 4, *, close: bool = True, **more: object) -> Table:
    """Return a fight that was played for some rounds and closed."""
    table = brawl(opened(store, **more), rounds)  # type: ignore[arg-type]
    if close:
        table.declare(acts.Close(reason="enough"))
    return table
