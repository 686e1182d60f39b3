"""What a combatant has left, as `affray options`, the prompt and the pages list it."""

from affray.engine import acts
from affray.engine.kernel.actions import left_of
from affray.engine.language.cast import Cast
from affray.engine.table.scenario import parse_scenario, set_up
from affray.engine.table.table import Table
from affray.events.stores.memory import MemoryStore
from affray.replay.log.rules_for_fight import make_fight_context
from affray.replay.text.options import describe_left
from affray.replay.viewer.frames import frames

FIGHT = """
dialect = "{}"
seed = "left"
map = ["........", "........", "........"]
combatants = [
  {{id = "hero", side = "heroes", use = "{}", at = [1, 1], initiative = 20}},
  {{id = "ogre", side = "foes", use = "ogre", at = [3, 1], initiative = 5}},
]
"""


def begun(dialect: str, sheet: str) -> Table:
    """Return a fight in which it is the hero's turn."""
    table = set_up(parse_scenario(FIGHT.format(dialect, sheet)), MemoryStore())
    table.declare(acts.Begin())
    return table


def left(table: Table) -> str:
    """Return what the hero has left, in words."""
    fight = make_fight_context(table.state, None)
    return describe_left(left_of(fight, table.state.combatants["hero"]), Cast.of(table.state).words)


def test_a_turn_of_fifth_edition_counts_down() -> None:
    """Attacks are those of the Attack action that was taken; features, missiles and slots follow."""
    table = begun("srd52", "fighter")
    supplies = "second wind 3/3, action surge, javelin 4/4"
    assert left(table) == f"action, Bonus Action, Reaction, movement 30/30 ft., {supplies}"
    table.declare(acts.Move(actor="hero", path=((2, 1),)))
    table.declare(acts.Attack(actor="hero", target="ogre"))
    supplies = f"{supplies}; used up: action"
    assert left(table) == f"Bonus Action, Reaction, attacks 1/2, movement 25/30 ft., {supplies}"
    table.declare(acts.EndTurn(actor="hero"))
    assert left(table) == "second wind 3/3, action surge, javelin 4/4"


def test_slots_are_listed_by_level() -> None:
    """A caster has those of its level."""
    told = left(begun("srd52", "wizard"))
    assert "level 1 slots 4/4, level 2 slots 3/3, level 3 slots 2/2, arcane recovery" in told


def test_a_monster_counts_what_its_block_limits() -> None:
    """Actions that recharge or have uses, Legendary Actions and Resistance; no others."""
    actions = ["breath: recharge 5; cone 30; dex 13; 7 fire", "roar: uses 2; within 60; wis 13; frightened"]
    actions += [
        "call: rest; heals 2d8",
        "lash: legendary; makes rend",
        "stare: within 60; wis 13; 1d4 psychic",
    ]
    custom = f"{{armor_class = 12, proficiency = 2, actions = {actions}}}"
    text = FIGHT.format("srd52", "ogre").replace(
        'use = "ogre", at = [1, 1]',
        f'use = "ogre", at = [1, 1], change = {{traits = ["legendary resistance 3", "pack tactics"], '
        f'weapons = [{{name = "rend", damage = "1d6", wield = "natural"}}], custom = {custom}}}',
    )
    table = set_up(parse_scenario(text), MemoryStore())
    table.declare(acts.Begin())
    fight = make_fight_context(table.state, None)
    limited = {one.kind: one.most for one in left_of(fight, table.state.combatants["hero"])}
    assert {name: most for name, most in limited.items() if name not in TURN} == {
        "recharge breath": 1,
        "roar": 2,
        "recharge call": 1,
        "legendary actions": 3,
        "legendary resistance": 3,
    }


TURN = ("action", "bonus", "reaction", "normal", "attacks")


def test_the_actions_of_older_games_exclude_each_other() -> None:
    """A standard action leaves no full-round action."""
    table = begun("srd35", "fighter")
    assert left(table).startswith("standard action, move action, full-round action")
    table.declare(acts.TotalDefense(actor="hero"))
    assert left(table).startswith("move action")
    assert "used up: standard action, full-round action" in left(table)


def test_the_page_has_what_is_left_at_each_event() -> None:
    """The turn's part in the encounter, the supplies with their combatant."""
    table = begun("srd52", "fighter")
    table.declare(acts.Move(actor="hero", path=((2, 1),)))
    assert table.declare(acts.Attack(actor="hero", target="ogre")).refused is None
    encounter, hero = dict[str, object](), dict[str, object]()
    for frame in frames(table.store, "main").lines[0].frames:
        if frame.change is not None:
            encounter |= frame.change.g
            hero |= frame.change.c.get("hero", {})
    assert encounter["left"] == [
        ("action", 0, 1, ""),
        ("Bonus Action", 1, 1, ""),
        ("Reaction", 1, 1, ""),
        ("attacks", 1, 2, ""),
        ("movement", 25, 30, "ft."),
    ]
    assert hero["pools"] == [("second wind", 3, 3, ""), ("action surge", 1, 1, ""), ("javelin", 4, 4, "")]
