"""The gallery: fights as the pages that `affray export --format html` writes."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from affray.engine import Table, packaged, parse_scenario, play
from affray.events import MemoryStore
from affray.replay import Ruling, promote, what_if
from affray.replay.viewer import build

FOLDER = "gallery"


class Piece(Struct, frozen=True):
    """One fight: its page's name, its title, what there is to see, and how it is played."""

    name: str
    title: str
    caption: str
    play: Callable[[], MemoryStore]


def fight(name: str) -> Callable[[], MemoryStore]:
    """Return how a fight that ships is played."""

    def played() -> MemoryStore:
        store = MemoryStore()
        play(packaged(name), store)
        return store

    return played


def dispute() -> MemoryStore:
    """Return the fight of the README with its ruling: the fallen stones cover the sorcerer."""
    store = fight("demo_srd35")()
    hit = next(
        event.seq
        for event in store.read("main")
        if event.type == "attack.resolved" and b"/aoo:ogre/" in event.data
    )
    ruling = Ruling("the fallen stones cover her", ("sorcerer.defense+4:cover",), author="GM")
    promote(store, what_if(store, at=hit, ruling=ruling, name="stones").name, by="GM")
    return store


def battle() -> MemoryStore:
    """Return a battle of two companies, twelve on each side, played by plain tactics."""
    store = MemoryStore()
    play(parse_scenario(BATTLE, "battle"), store)
    return store


HEROES = ("fighter", "archer", "cleric", "barbarian", "rogue", "sorcerer")
FOES = ("orc", "ogre", "goblin", "wolf", "hill-giant", "skeleton")
NORTH = [*["." * 30] * 6, "....##......^^^.......##......", "." * 30, "......~~~~..........~~~~......"]
LINES = [
    f'{{id = "{sheet}-{rank}", side = "{side}", use = "{sheet}", at = [{x}, {first + rank * step}]}},'
    for side, sheets, first, step in (("heroes", HEROES, 0, 2), ("monsters", FOES, 18, -3))
    for rank in (1, 2)
    for x, sheet in zip(range(2, 26, 4), sheets, strict=True)
]
BATTLE = f"""
dialect = "srd35"
title = "Two companies at the ditch"
seed = "two companies at the ditch"
auto = 40
map = {[*NORTH, *NORTH[::-1]]}
combatants = [
{chr(10).join(LINES)}
]"""

PIECES = (
    Piece(
        "srd35",
        "The ogre at the ruined wall, D&D 3.5",
        "Reach, cover, and an attack of opportunity on a withdrawal.",
        fight("demo_srd35"),
    ),
    Piece("pf1", "The same, Pathfinder 1e", "The same people under another rulebook.", fight("demo_pf1")),
    Piece("futurepath", "The same, Futurepath", "The same once more.", fight("demo_futurepath")),
    Piece(
        "woa",
        "The same, Worlds of Adventure",
        "The same under a rulebook that plans before it acts.",
        fight("demo_woa"),
    ),
    Piece(
        "gunfight",
        "A gunfight, Futurepath",
        "A grenade that goes astray, a door shot through, a room swept with automatic fire.",
        fight("gunfight"),
    ),
    Piece(
        "toll",
        "The toll, Worlds of Adventure",
        "An ambush, plans that are overtaken, a grapple over three rounds.",
        fight("toll"),
    ),
    Piece(
        "dispute",
        "A famous dispute",
        "The first fight again, with the ruling of the README: both lines of play in one page.",
        dispute,
    ),
    Piece(
        "battle",
        "A big battle, D&D 3.5",
        "Twelve against twelve, played by plain tactics.",
        battle,
    ),
)


def told() -> str:
    """Return the list of the pieces, with links."""
    return "\n".join(f'- <a href="{FOLDER}/{one.name}.html">{one.title}</a>: {one.caption}' for one in PIECES)


def write(out: Path) -> None:
    """Play each piece and write its page; its rules link to the site's rulebooks."""
    (out / FOLDER).mkdir(exist_ok=True)
    for piece in PIECES:
        store = piece.play()
        rulebook = f"../rulebooks/{Table(store).state.dialect}.html"
        (out / FOLDER / f"{piece.name}.html").write_text(build(store, "", rulebook), encoding="utf-8")
