"""What if: only what follows from the change differs."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.dice import Scripted, Seeded
from affray.engine.table.policies import ask, auto, cautious
from affray.engine.table.table import Table
from affray.events.chain import SALT_KEY, salt_key
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, EffectGained
from affray.events.facts.flow import Declared, OptionsChanged, Rolled, Ruled
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.replay.difference import diff
from affray.replay.log.playhead import state_at
from affray.replay.redecide.rulings import Ruling
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.replay.fights import FIGHTER, GOBLIN, OGRE, SEED, brawl, fought, opened
from tests.replay.test_verify import waiting

FIGHTS: dict[int, Store] = {}


def fight(number: int) -> Store:
    """Return a copy of one of a few fights, each played only once."""
    if number not in FIGHTS:
        FIGHTS[number] = fought(rounds=5, seed=b"fight %d" % number, close=number % 2 == 0).store
    copy = MemoryStore()
    copy.restore(FIGHTS[number].branches(), FIGHTS[number].read_all())
    copy.keep_secret("seed", b"fight %d" % number)
    return copy


def rolls(store: Store, branch: str = "main") -> dict[str, Rolled]:
    """Return the rolls of a branch by key."""
    facts = (decode(event) for event in store.read(branch) if event.type == "rolled")
    return {fact.key: fact for fact in facts}


def declared(store: Store, branch: str) -> list[Declared]:
    """Return the declarations of a branch in order."""
    return [decode(event) for event in store.read(branch) if event.type == "declared"]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 5), st.integers(0, 60), st.integers(1, 20), st.integers(0, 60))
def test_unaffected_rolls_keep_their_faces(number: int, which: int, face: int, second: int) -> None:
    """Whatever die is changed, and another one on top: other keys on both lines show the same faces."""
    store = fight(number)
    line, changed = "main", set()
    for index in (which, second):
        d20s = [key for key, roll in rolls(store, line).items() if roll.notation == "1d20"]
        key = d20s[index % len(d20s)]
        made = what_if(store, line, faces={key: (face,)})
        changed.add(key)
        before, after = rolls(store, line), rolls(store, made.name)
        assert after[key].faces == (face,)
        assert after[key].provenance == "overridden"
        for other in before.keys() & after.keys() - {key}:
            assert (after[other].faces, after[other].provenance) == (
                before[other].faces,
                before[other].provenance,
            )
        assert after.keys() - before.keys() == set(made.fresh)
        report = verify(store, made.name)
        assert report.ok, [check.problem for check in report.checks]
        line = made.name
    original = rolls(store)
    assert all(original[key].faces == roll.faces for key, roll in rolls(store, line).items()
               if key in original and key not in changed)  # fmt: skip
    assert verify(store, "main").ok


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 5), st.integers(0, 60))
def test_the_same_die_changes_nothing(number: int, which: int) -> None:
    """Giving a roll the face that it had leads to the same fight, event by event."""
    store = fight(number)
    d20s = [roll for roll in rolls(store).values() if roll.notation == "1d20"]
    same = d20s[which % len(d20s)]
    made = what_if(store, faces={same.key: same.faces})
    found = diff(store, "main", made.name)
    assert [event.what for event in found.events] == [f"rolled {same.key}"], "the provenance differs"
    assert not [*found.rolls, *found.declarations, *found.combatants, *made.invalidated, *made.ended]


def test_every_declaration_is_on_the_branch() -> None:
    """Ids are kept, and each declaration of the old line is on the new one, taken or impossible."""
    store = fight(1)
    key = next(key for key in rolls(store) if "/attack/" in key)
    made = what_if(store, faces={key: [20]}, name="crit")
    assert made.name == "crit"
    kept = [each.id for each in declared(store, "crit") if each.id not in made.ended]
    assert sorted(kept) == sorted(each.id for each in declared(store, "main"))
    assert made.parent == "main"
    assert store.main_line() == "main"


def soft_cover_fight() -> Table:
    """Return a fight in which a goblin stands between a fighter and the ogre that reaches over it."""
    table = Table.create(
        MemoryStore(), dialect="srd35", terrain=["............"] * 6, seed=SEED, answers=auto
    )
    for id, side, sheet, at in (
        ("fighter", "heroes", FIGHTER, (4, 2)),
        ("goblin", "monsters", GOBLIN, (5, 2)),
        ("ogre", "monsters", OGRE, (6, 2)),
    ):
        table.declare(acts.Enter(id=id, side=side, sheet=sheet, at=at, acted=True))
    table.use(Scripted({"initiative": [20, 2, 1]}, Seeded(SEED)))
    table.declare(acts.Begin())
    assert table.state.active == "fighter"
    table.use(None)
    table.declare(acts.Move(actor="fighter", path=((3, 2), (2, 2))))
    return table


def test_another_reading_is_a_fact_and_brings_new_questions() -> None:
    """Where soft cover forbids no attack of opportunity the ogre gets one; policy answers and is marked."""
    store = soft_cover_fight().store
    made = what_if(store, reading={"soft_cover_blocks_aoo": "off"})
    facts = [decode(event) for event in store.read(made.name)]
    assert type(facts[1]) is OptionsChanged
    assert made.at == 1
    assert made.asked
    assert all("aoo:ogre" in key for key in made.asked)
    marked = [fact for fact in facts if getattr(fact, "key", "") in made.asked and hasattr(fact, "by")]
    assert all(fact.by.startswith("what-if/") for fact in marked)
    attacks = [fact for fact in facts if type(fact) is AttackResolved and fact.attacker == "ogre"]
    assert attacks
    assert state_at(store, made.name, made.head).options["soft_cover_blocks_aoo"] == "off"
    assert verify(store, made.name).ok
    again = what_if(store, made.name, reading={"soft_cover_blocks_aoo": "on"}, at=1)
    assert not diff(store, "main", again.name).combatants
    assert verify(store, again.name).ok


def test_new_questions_go_to_the_policy_given_and_never_wait() -> None:
    """A cautious policy declines; one that would wait for a person falls back on the usual answer."""
    for policy, answer in ((cautious, "decline"), (ask, "take")):
        store = soft_cover_fight().store
        made = what_if(store, reading={"soft_cover_blocks_aoo": "off"}, answers=policy)
        assert answer in made.asked.values()
        assert state_at(store, made.name, made.head).pending is None


def test_a_struck_out_declaration_never_happens() -> None:
    """A ruling without effects voids the declaration; it stands on the branch with the ruling's words."""
    store = fight(2)
    attack = next(event for event in store.read("main") if event.type == "attack.resolved")
    made = what_if(store, at=attack.seq, ruling=Ruling("he never said that", author="gm"))
    (id,) = [id for id, (reason, _) in made.invalidated.items() if "never said" in reason]
    facts = [decode(event) for event in store.read(made.name, after=made.at)]
    assert type(facts[0]) is Ruled
    assert (facts[0].verdict, facts[0].subject, facts[0].author) == ("void", id, "gm")
    assert not any(key.startswith(f"{id}/") for key in rolls(store, made.name))
    assert verify(store, made.name).ok
    # And it stays struck out on a branch of that branch.
    later = next(key for key in rolls(store, made.name) if "/initiative/" in key)
    again = what_if(store, made.name, faces={later: [10]})
    assert id in again.invalidated
    assert verify(store, again.name).ok


def test_a_declaration_voided_while_it_waited_stays_void() -> None:
    """Where the same question comes up again the recorded ruling closes it again."""
    table = waiting()
    table.declare(acts.Rule(verdict="void", text="let it be", author="gm"))
    table.declare(acts.EndTurn(actor=table.state.active))
    made = what_if(table.store, reading={"soft_cover_blocks_aoo": "on"})
    found = diff(table.store, "main", made.name)
    assert [event.what.split()[0] for event in found.events] == ["options.changed"]
    assert any(event.type == "ruled" for event in table.store.read(made.name))
    assert verify(table.store, made.name).ok


def test_a_ruled_modifier_counts_for_one_declaration() -> None:
    """Twenty points of cover turn a hit into a miss and are gone afterwards."""
    store = fight(2)
    hit = next(
        event
        for event in store.read("main")
        if event.type == "attack.resolved" and decode(event).result == "hit" and decode(event).natural < 20
    )
    target = decode(hit).target
    made = what_if(store, at=hit.seq, ruling=Ruling("the wall covers", (f"{target}.defense+20:cover",)))
    facts = [decode(event) for event in store.read(made.name, after=made.at)]
    first = next(fact for fact in facts if type(fact) is AttackResolved)
    assert first.result == "miss"
    assert any(part.kind == "cover" and part.source == "the wall covers" for part in first.defense)
    later = [fact for fact in facts if type(fact) is AttackResolved][1:]
    assert not any(part.source == "the wall covers" for fact in later for part in fact.defense)
    assert any(type(fact) is EffectGained for fact in facts)
    assert verify(store, made.name).ok


def test_a_ruling_sets_numbers_places_and_conditions() -> None:
    """Hit points, places and conditions given by hand hold before the declaration is decided."""
    store = fight(2)
    attack = next(event for event in store.read("main") if event.type == "attack.resolved")
    effects = ("goblin.hp=3", "rogue.at=9,5", "ogre+shaken")
    made = what_if(store, at=attack.seq, ruling=Ruling("so be it", effects))
    state = state_at(store, made.name, made.at + 4)
    assert state.combatants["goblin"].hp == 3
    assert state.combatants["rogue"].at == (9, 5)
    assert "shaken" in state.combatants["ogre"].conditions
    assert verify(store, made.name).ok


def test_everybody_keeps_a_turn_when_the_order_changes() -> None:
    """With another initiative die all turns happen, in the new order, and nothing becomes impossible."""
    table = opened(dice=Scripted({"attack": [2] * 60}, Seeded(SEED)))
    for _ in range(8):
        table.declare(acts.Speak(actor=table.state.active, words="ha"))
        table.declare(acts.EndTurn(actor=table.state.active))
    last = table.state.order[-1]
    made = what_if(table.store, faces={f"d5/{last}/initiative/1": [20]})
    state = state_at(table.store, made.name, made.head)
    assert state.order != table.state.order
    assert not made.invalidated
    assert not made.ended
    assert state.round == table.state.round
    assert verify(table.store, made.name).ok


def test_turns_that_nobody_had_are_ended_by_policy() -> None:
    """Whoever lives on where it died before has turns without declarations: they pass, marked as such."""
    store = fought(rounds=6, seed=b"c").store
    fatal = next(
        event
        for event in store.read("main")
        if event.type == "condition.gained" and decode(event).condition in ("dying", "dead")
    )
    fallen = decode(fatal).who
    made = what_if(store, at=fatal.seq, ruling=Ruling("it lives", (f"{fallen}.hp=500",)))
    assert made.ended
    assert set(made.ended.values()) <= {"", *state_at(store, made.name, made.head).combatants}
    by = {each.id: each.by for each in declared(store, made.name)}
    assert all(by[id] == "policy:what-if" for id in made.ended)
    assert len(by) == len(declared(store, made.name)), "the ids of ended turns are new"
    assert state_at(store, made.name, made.head).round > 2
    assert verify(store, made.name).ok


def test_what_waited_waits_still() -> None:
    """A question that is open on the old line is the same open question on the new one."""
    table = waiting()
    assert table.waiting is not None
    made = what_if(table.store, reading={"soft_cover_blocks_aoo": "on"})
    pending = state_at(table.store, made.name, made.head).pending
    assert pending is not None
    assert pending.key == table.waiting.key
    assert not made.asked
    assert verify(table.store, made.name).ok
    branch = Table(table.store, made.name, answers=auto)
    branch.choose("take")
    assert verify(table.store, made.name).ok


def test_play_goes_on_on_the_branch() -> None:
    """A what-if of an open fight can be played on, without an id coming twice."""
    store = fight(1)
    key = next(key for key in rolls(store) if "/attack/" in key)
    made = what_if(store, faces={key: [1]})
    brawl(Table(store, made.name, answers=auto), 1)
    assert verify(store, made.name).ok
    assert verify(store, "main").ok


def test_on_a_file_it_is_the_same(tmp_path: Path) -> None:
    """SQLite and memory give the same branch."""
    memory = fight(3)
    key = next(key for key in rolls(memory) if "/attack/" in key)
    with SqliteStore(tmp_path / "log.db") as store:
        store.restore(memory.branches(), memory.read_all())
        store.keep_secret("seed", b"fight 3")
        for each in (memory, store):
            each.keep_secret(SALT_KEY, salt_key(b"fight 3"))
            what_if(each, faces={key: [19]}, name="w")
        assert list(store.read("w")) == list(memory.read("w"))


def test_an_import_without_its_seed_asks_for_the_faces() -> None:
    """Where fresh dice are needed and nobody knows the seed the error names the roll to give."""
    store = fight(1)
    bare = MemoryStore()
    bare.restore(store.branches(), store.read_all())
    misses = [
        decode(event).key
        for event in bare.read("main")
        if event.type == "attack.resolved" and decode(event).result == "miss"
    ]
    with pytest.raises(AffrayError, match="the seed is unknown: give its results"):
        what_if(bare, faces={misses[0]: [20]})
