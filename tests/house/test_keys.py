"""What a cache key has to hold: whatever changes without a new scene and still has a say."""

from pathlib import Path
from typing import Any

import pytest

from affray.engine.dialects import load
from affray.engine.dice import Scripted
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Mode
from affray.engine.rules.opportunity.attacks_of_opportunity import substitutes_for
from affray.engine.steps import Refusal
from affray.engine.table.scenario import read_scenarios
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.sheet import Abilities, Bonus, Rider, Sheet, Thing, Weapon
from affray.events.stores.memory import MemoryStore
from tests.campaigns.modes import MODES
from tests.house.key_reads import Remembered, lacking
from tests.relatives import RELATIVES
from tests.scenarios.cases import all_cases

SWORD = Weapon("longsword", "1d8", "slashing", "one-handed", traits=("ghost touch",))


def between_two(dialect: str, weapon: Weapon, *traits: str) -> Fight:
    """Return a fight of one with that weapon beside another, of these traits."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=("...", ".#.", "..."), seed=b"keys")
    sheets = Sheet("One", hp=9, weapons=(weapon,)), Sheet("Other", hp=9, weapons=(SWORD,), traits=traits)
    for id, sheet, at in zip(("one", "other"), sheets, ((0, 1), (0, 0)), strict=True):
        outcome = table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at))
        assert outcome.refused is None, outcome.refused
    table.declare(acts.Begin())
    return table.fight


def can_strike(fight: Fight) -> bool:
    """Say whether the one can strike the other with its weapon."""
    one, other = fight.combatant("one"), fight.combatant("other")
    try:
        fight.dialect.attacks.prepare(fight, one, other, one.sheet.weapons[0], "ready")
    except Refusal:
        return False
    return True


def test_who_is_inside_a_wall_is_struck_only_while_it_strikes() -> None:
    """By those who have readied for that; that it could be struck once is forgotten with its turn."""
    fight = between_two("srd35", SWORD, "incorporeal")
    other = fight.combatant("other")
    other.at, fight.readied = (1, 1), "one"
    fight.memory.touch_places()
    fight.state.active, other.spent = "other", {"standard": 1}
    assert can_strike(fight)
    other.spent = {"move": 1}
    assert not can_strike(fight)
    fight.state.active, other.spent = "one", {"standard": 1}
    assert not can_strike(fight)


def test_a_thing_bars_a_blow_wherever_it_stood() -> None:
    """Others plain and standing do not, and what can be struck is not asked anew for them; a door does."""
    bow = Weapon("longbow", "1d8", "piercing", "projectile", range=100, hands=2, family="bow")
    rows = ("....", "####")
    table = Table.create(MemoryStore(), dialect="futurepath", terrain=rows, seed=b"keys")
    door = Sheet("Door", hp=120, thing=Thing("steel door"))
    archer, other = Sheet("One", hp=9, weapons=(bow,)), Sheet("Other", hp=9)
    for x, (id, sheet) in enumerate((("one", archer), ("door", door), ("other", other))):
        outcome = table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=(x, 0)))
        assert outcome.refused is None, outcome.refused
    table.declare(acts.Begin())
    fight = table.fight
    said = []
    for x in (1, 3, 1, 3):
        fight.combatant("door").at = (x, 0)
        fight.memory.touch_places()
        said.append(can_strike(fight))
    assert said == [False, True, False, True]


@pytest.mark.parametrize("dialect", RELATIVES)
def test_what_is_used_up_takes_the_place_of_no_opportunity(dialect: str) -> None:
    """A special attack with the last javelin is none once that is thrown."""
    javelin = Weapon("javelin", "1d6", "piercing", "one-handed", range=30, thrown=True, ammunition=2)
    fight = between_two(dialect, javelin)
    fresh = Fight(fight.state, load(dialect), memory=False)
    one, other = fight.combatant("one"), fight.combatant("other")
    found = set()
    for used in (0, 1, 2, 0):
        one.resources = {"javelin": used}
        said = substitutes_for(fight, one, other, True)
        assert said == substitutes_for(fresh, one, other, True)
        found.add(said)
    assert len(found) == (1 if dialect == "woa" else 2)  # in woa each takes a feat of its own


def test_every_read_is_in_the_key() -> None:
    """What remembered functions read while scenarios are played is in their keys, or ends what they remember.

    `python tests/house/key_reads.py` plays all scenarios.
    """
    assert lacking([case for _, case in all_cases()[::80]]) == []


def test_every_read_of_feats_in_use_is_in_the_key() -> None:
    """Under the reading by which feats ask where they are used, abilities lowered by conditions count too."""
    folder = Path(__file__).parents[1] / "scenarios"
    slicing = read_scenarios(folder / "pf1/conditions/effective-abilities.toml", within=folder)
    assert lacking(slicing, {"feat_prerequisites": "some"}) == []


def test_a_read_that_a_key_lacks_is_noticed() -> None:
    """Hit points, the target's losses and how a weapon is held are none of these keys."""
    key = {"parameters": ("fight", "blow"), "globals": {}}
    of_scene = Remembered("scene", "fight.memory.scene", ("blow.attacker.id", "blow.weapon.name"), **key)
    of_fight = Remembered("fight", "fight.memory.fight", ("blow.attacker.sheet", "blow.weapon"), **key)
    assert [of_scene.lacks(f"Combatant.{name}") for name in ("hp", "losses", "at")] == [True, False, False]
    assert [of_fight.lacks(f"Combatant.{name}") for name in ("sheet", "losses", "at")] == [False, True, True]
    assert (of_scene.lacks("Blow.weapon"), of_fight.lacks("Blow.weapon")) == (True, False)
    assert of_scene.lacks("Encounter.round")
    assert [of_fight.lacks(f"Encounter.{name}") for name in ("options", "barriers")] == [False, True]
    assert not of_scene.lacks("Encounter.barriers")


def totals(table: Table, *declared: Any) -> list[tuple[int, int]]:
    """Declare acts, each attack with a die of 10; return the total and the number needed of each."""
    for act in declared:
        table.use(Scripted([10] + [6] * 9))
        outcome = table.declare(act)
        assert outcome.refused is None, outcome.refused
    facts = [decode(event) for event in table.store.read("main") if event.type == "attack.resolved"]
    return [(fact.total, fact.needed) for fact in facts]


def duel(
    dialect: str, memory: Mode, sheet: Sheet, *, conditions: tuple[str, ...] = (), **options: str
) -> Table:
    """Return a table with a fighter beside an ogre who has acted."""
    table = Table.create(
        MemoryStore(), dialect=dialect, terrain=(".....",), seed=b"keys", options=options, memory=memory
    )
    ogre = Sheet("Ogre", hp=90, abilities=Abilities(21, 8), armor=(Bonus(5, "natural"),))
    held = tuple(one.name for one in sheet.weapons)
    for act in (
        acts.Enter(id="fighter", side="a", sheet=sheet, at=(0, 0), initiative=20, acted=True, held=held),
        acts.Enter(
            id="ogre", side="b", sheet=ogre, at=(1, 0), initiative=5, acted=True, conditions=conditions
        ),
        acts.Begin(),
    ):
        outcome = table.declare(act)
        assert outcome.refused is None, outcome.refused
    return table


RAPIER = Weapon("rapier", "1d6", "piercing", "light", traits=("finesse",))
BOW = Weapon("shortbow", "1d6", "piercing", "projectile", range=60, hands=2, family="bow")
FENCER = Sheet(
    "Fencer", hp=40, abilities=Abilities(16, 18), base_attack=4, weapons=(RAPIER,), feats=("weapon finesse",)
)


@pytest.mark.parametrize("memory", MODES)
def test_finesse_is_of_dexterity_as_it_is_now(memory: Mode) -> None:
    """After Dexterity damage Strength is the better of the two again."""
    table = duel("srd35", memory, FENCER)
    strike = acts.Attack(actor="fighter", target="ogre", weapon="rapier")
    venom = acts.Hazard(target="fighter", rider=Rider("venom", "ability", effect="6 dex"))
    turns = [acts.EndTurn(actor="fighter"), acts.EndTurn(actor="ogre")]
    (before, _), (after, _) = totals(table, strike, venom, *turns, strike)
    assert (before, after) == (18, 17)


@pytest.mark.parametrize("memory", MODES)
def test_a_shot_at_the_helpless_is_no_blow(memory: Mode) -> None:
    """After a shot, which meets no penalty under that reading, a blow meets it."""
    archer = Sheet("Archer", hp=40, base_attack=6, weapons=(BOW, RAPIER), feats=("quick draw",))
    table = duel("srd35", memory, archer, conditions=("paralyzed",), helpless_ranged="no-penalty")
    shot = acts.Attack(actor="fighter", target="ogre", weapon="shortbow")
    blow = acts.Attack(actor="fighter", target="ogre", weapon="rapier")
    (_, at_range), (_, in_melee) = totals(table, shot, acts.EndTurn(actor="fighter"), blow)
    assert (at_range, in_melee) == (15, 15 - 5 - 4)
