"""What is ruled for one event is in force for that declaration, and on no line of play for any other."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from affray.engine.table.appending import ONE_DECLARATION
from affray.engine.table.policies import ask
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import Declared, Ruled
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.fold import fold
from affray.projections.state import Encounter
from affray.replay.explain.disputes import rule
from affray.replay.log.branches import fork, promote
from affray.replay.log.declarations import groups
from affray.replay.undo import NothingToRedo, NothingToUndo, redo, undo
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house.fights import DIALECTS, opened, random_act
from tests.house.links_played import answer
from tests.replay.fights import brawl
from tests.replay.fights import opened as brawl_opened

STATS = ("attack", "defense", "damage", "confirm", "save.ref", "save.will", "initiative")


def attacked(table: Table) -> tuple[acts.Attack, Any]:
    """Let whoever's turn it is attack an opponent; return the act and the position of its outcome."""
    foe = next(iter(table.fight.enemies(table.state.combatants[table.state.active])))
    act = acts.Attack(actor=table.state.active, target=foe.id)
    events = table.declare(act).events
    return act, next(event.seq for event in events if event.type == "attack.resolved")


def attacks(store: Store, line: str) -> list[AttackResolved]:
    """Return the attacks of a line."""
    return [fact for event in store.read(line) if type(fact := decode(event)) is AttackResolved]


def ruled_in(fact: object) -> list[str]:
    """Return the rulings whose modifiers a fact holds."""
    return [one.rule for one in (*fact.attack, *fact.defense) if one.rule.startswith("ruling:")]  # type: ignore[attr-defined]


def modifiers_ruled(value: Any) -> Iterator[str]:
    """Yield the rulings of all modifiers in stored data."""
    if isinstance(value, dict):
        if {"value", "kind", "rule"} <= value.keys() and str(value["rule"]).startswith("ruling:"):
            yield value["rule"]
        for one in value.values():
            yield from modifiers_ruled(one)
    elif isinstance(value, list):
        for one in value:
            yield from modifiers_ruled(one)


def covered(store: Store, at: int, **more: Any) -> Any:
    """Rule at an event that its target has cover, on a line that becomes the main line."""
    target = next(decode(event) for event in store.read(store.main_line()) if event.seq == at).target
    return rule(store, "amend", "cover", by="GM", at=at, changes=(f"{target}.defense+4:cover",), **more)


def all_sound(store: Store) -> None:
    """Assert that every line verifies."""
    for one in store.branches():
        report = verify(store, one.name)
        assert report.ok, (one.name, [str(check.problem) for check in report.checks if not check.ok])


def test_undo_takes_back_the_ruling_alone_and_then_the_act() -> None:
    """The attack counts as before the ruling; redo brings the ruling again; the next undo takes the act."""
    table = brawl_opened()
    act, at = attacked(table)
    covered(table.store, at, promoting=True)
    assert ruled_in(attacks(table.store, "ruling-R1")[-1]) == ["ruling:R1"]
    step = undo(table.store, by="GM")
    assert (step.line, step.left, step.declarations) == ("undo-1", "ruling-R1", [])
    assert [(one.id, one.author, one.text) for one in step.rulings] == [("R1", "GM", "cover")]
    assert attacks(table.store, "undo-1") == attacks(table.store, "main")
    again = redo(table.store)
    assert (again.line, [one.id for one in again.rulings]) == ("ruling-R1", ["R1"])
    assert undo(table.store).line == "undo-2"
    step = undo(table.store)
    assert ([one.act for one in step.declarations], step.rulings) == ([f"attack, target {act.target}"], [])
    assert not attacks(table.store, step.line)
    all_sound(table.store)


def test_several_steps_lead_over_a_ruling_and_back() -> None:
    """Two steps at once are the ruling and the act that it is about; one redo brings both."""
    table = brawl_opened()
    _, at = attacked(table)
    covered(table.store, at, promoting=True)
    Table(table.store).declare(acts.EndTurn(actor=table.state.active))
    step = undo(table.store, 3)
    assert [one.act.split(",")[0] for one in step.declarations] == ["attack", "end-turn"]
    assert [one.id for one in step.rulings] == ["R1"]
    assert not attacks(table.store, step.line)
    again = redo(table.store)
    assert (again.line, again.declarations, again.rulings) == ("ruling-R1", step.declarations, step.rulings)
    with pytest.raises(NothingToUndo, match=r"ruling-R1 contains \d+ declarations and 1 ruling: 99 cannot"):
        undo(table.store, 99)
    all_sound(table.store)


@pytest.mark.parametrize("scope", ["onward", "upheld"])
def test_a_ruling_at_the_end_of_the_line_is_a_step(scope: str) -> None:
    """One from now on, and one that changes nothing, are taken back alone."""
    table = brawl_opened()
    _, at = attacked(table)
    if scope == "onward":
        rule(table.store, "amend", "tired", by="GM", changes=("ogre.attack-2",), scope="onward")
    else:
        rule(table.store, "uphold", "it stays", by="GM", at=at)
    step = undo(table.store)
    assert (len(step.rulings), step.declarations, step.others) == (1, [], 0)
    assert attacks(table.store, step.line)
    assert not Table(table.store).state.combatants["ogre"].effects
    assert redo(table.store).rulings == step.rulings
    all_sound(table.store)


@pytest.mark.parametrize("within", [0, 1, 2, 3, 4])
def test_a_line_that_ends_in_the_middle(within: int) -> None:
    """Wherever a line leaves the ruled declaration, whatever is declared there is without the ruling."""
    table = brawl_opened()
    _, at = attacked(table)
    covered(table.store, at)
    line = "ruling-R1"
    start = next(event.seq for event in table.store.read(line) if event.type == "ruled")
    fork(table.store, str(start + within), "middle", line)
    promote(table.store, "middle")
    late = Table(table.store)
    foe = next(iter(late.fight.enemies(late.state.combatants["rogue"])))
    if late.state.active != "rogue":
        late.declare(acts.EndTurn(actor=late.state.active))
    events = [
        decode(event) for event in late.declare(acts.Attack(actor=late.state.active, target=foe.id)).events
    ]
    assert not [one for fact in events if type(fact) is AttackResolved for one in ruled_in(fact)]
    assert not [one for body in late.state.combatants.values() for one in body.effects]
    all_sound(table.store)


def test_a_reading_for_one_event_comes_back() -> None:
    """Also on a line that ends within the declaration."""
    table = brawl_opened()
    _, at = attacked(table)
    rule(table.store, "amend", "no cover", by="GM", at=at, changes=("soft_cover=none",))
    line = "ruling-R1"
    changed = [event.seq for event in table.store.read(line) if event.type == "options.changed"]
    fork(table.store, str(changed[0]), "middle", line)
    late = Table(table.store, "middle")
    assert late.fight.option("soft_cover") == "none"
    late.declare(acts.EndTurn(actor=late.state.active))
    assert late.fight.option("soft_cover") == table.fight.option("soft_cover")
    assert not late.state.restores
    assert Table(table.store, line).fight.option("soft_cover") == table.fight.option("soft_cover")
    all_sound(table.store)


def test_what_waits_ends_its_ruling_once_it_is_answered() -> None:
    """A ruled declaration that waits on its new line keeps what was ruled until the answer, and no longer."""
    table = brawl(brawl_opened(), 1)
    mover = table.state.combatants[table.state.active]
    way = next(way for way in table.legal().ways if way.past)
    foe = table.state.combatants[way.past[0]]
    moved = table.declare(acts.Move(actor=mover.id, path=way.path))
    ruling = {"at": moved.events[0].seq, "changes": (f"{foe.id}.attack+9",)}
    made = rule(table.store, "amend", "keen", by="GM", answers=ask, leave_open=True, **ruling)
    assert made.whatif is not None
    late = Table(table.store, made.whatif.name, answers=ask)
    while late.waiting is not None:
        assert late.state.combatants[foe.id].effects
        late.choose(late.waiting.options[0])
    assert not late.state.combatants[foe.id].effects
    all_sound(table.store)


@pytest.mark.parametrize("changed", ["before {id}: opening {other} opponent={actor}", "swap {id} {next}"])
def test_what_comes_in_between_is_not_ruled_on(changed: str) -> None:
    """What is put before the ruled declaration, or changes places with it, is decided without the ruling."""
    table = brawl_opened()
    fighter = next(iter(table.state.order))
    act, at = attacked(table)
    table.declare(acts.Speak(actor=act.actor, words="Yield!"))
    first, second = [decode(event).id for event in table.store.read("main") if event.type == "declared"][-2:]
    rule(
        table.store,
        "amend",
        "keen",
        by="GM",
        at=at,
        changes=("ogre.attack+9", f"{act.target}.defense+9"),
        promoting=True,
    )
    words = {"id": first, "next": second, "other": act.target, "actor": act.actor, "first": fighter}
    made = rule(table.store, "amend", "his back", by="GM", at=None, changes=(changed.format(**words),))
    assert made.whatif is not None
    line = made.whatif.name
    held = {
        decode(group[0]).id: [*modifiers_ruled([json.loads(event.data) for event in group])]
        for group in groups(table.store.read(line))
        if group[0].type == "declared"
    }
    assert held[first] == ["ruling:R1"]
    assert not [id for id, rulings in held.items() if rulings and id != first]
    assert not [one for body in Table(table.store, line).state.combatants.values() for one in body.effects]
    all_sound(table.store)


def checked(store: Store) -> int:
    """Assert that every modifier of a ruling for one event is in that event; return how many there were."""
    rulings: dict[str, tuple[str, Any]] = {}
    for branch in store.branches():
        for group in groups(store.read(branch.name)):
            first = decode(group[0])
            if type(first) is Ruled and first.scope == "event" and first.verdict == "amended":
                made = [
                    one for one in groups(store.read(branch.name)) if decode(one[0]).__class__ is Declared
                ]
                act = next((decode(one[0]).act for one in made if decode(one[0]).id == first.subject), None)
                if first.id not in rulings and act is not None:
                    rulings[first.id] = (first.subject, act)
    count = 0
    for branch in store.branches():
        state = Encounter()
        for group in groups(store.read(branch.name)):
            first = decode(group[0])
            if type(first) is Declared:
                for event in group:
                    for rule_id in modifiers_ruled(json.loads(event.data)):
                        subject, act = rulings[rule_id.removeprefix("ruling:")]
                        count += 1
                        assert (first.id, first.act) == (subject, act), (branch.name, event.seq, rule_id)
                for one in state.combatants.values():
                    for effect in one.effects:
                        if effect.until == ONE_DECLARATION and (
                            known := rulings.get(effect.id.split(":")[1])
                        ):
                            assert known[0] == first.id, (branch.name, group[0].seq, effect.id)
            fold(group, state)
    return count


def play_on(store: Store, dice: random.Random) -> None:
    """Declare something, or answer what is waited for, at the end of the main line."""
    table = Table(store)
    for _ in range(dice.randint(1, 4)):
        if table.state.closed or not table.state.active:
            return
        if table.waiting is not None:
            table.choose(answer(table, dice))
        else:
            table.declare(random_act(dice, table.fight))


def rule_at_random(store: Store, dice: random.Random) -> None:
    """Rule on some event that dice decided, for that event, with modifiers of anybody."""
    line = store.main_line()
    outcomes = [
        event.seq for event in store.read(line) if event.type in ("attack.resolved", "check.resolved")
    ]
    state = fold(store.read(line))
    if not outcomes:
        return
    changes = [
        f"{dice.choice([*state.combatants])}.{dice.choice(STATS)}+{dice.randint(1, 9)}:luck"
        for _ in range(dice.randint(1, 3))
    ]
    at = dice.choice(outcomes)
    ids = [decode(event).id for event in store.read(line) if event.type == "declared" and event.seq <= at]
    if dice.random() < 0.2:
        a, b = dice.sample([*state.combatants], 2)
        changes.append(f"before {ids[-1]}: opening {a} opponent={b}")
    rule(store, "amend", "so be it", by="GM", at=at, changes=tuple(changes), promoting=dice.random() < 0.7)


def step_at_random(store: Store, dice: random.Random) -> None:
    """Do one of all that can be done with the lines of a log."""
    line, chance = store.main_line(), dice.random()
    if not fold(store.read(line)).round:
        redo(store)
    elif chance < 0.35:
        play_on(store, dice)
    elif chance < 0.55:
        rule_at_random(store, dice)
    elif chance < 0.7:
        undo(store, dice.choice((1, 1, 2)))
    elif chance < 0.8:
        redo(store)
    elif chance < 0.88:
        promote(store, dice.choice(store.branches()).name)
    elif chance < 0.96:
        begun = next((event.seq for event in store.read(line) if event.type == "turn.began"), 1)
        at = dice.randint(begun, store.head(line).seq)
        promote(store, fork(store, str(at), f"fork-{len(store.branches())}", line).name)
    else:
        declared = [event.seq for event in store.read(line) if event.type == "declared"]
        what_if(store, at=dice.choice(declared), reading={"soft_cover": "none"})


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", range(3))
def test_no_other_event_holds_a_modifier_of_a_ruling(dialect: str, seed: int) -> None:
    """After any mix of rulings, undo, redo, promotions, forks and play; and every line verifies."""
    dice, store = random.Random(f"{dialect} {seed}"), MemoryStore()
    table = opened(dialect, store, seed)
    table.declare(acts.Begin())
    play_on(store, dice)
    done = 0
    for _ in range(40):
        try:
            step_at_random(store, dice)
            done += 1
        except (NothingToUndo, NothingToRedo):
            pass
        except AffrayError:
            continue
    assert done > 10
    checked(store)
    all_sound(store)
