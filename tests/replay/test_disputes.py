"""Disputes and rulings: on record, cited by what they touch, and checked like everything else."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, ConfirmationResolved
from affray.events.facts.flow import Disputed, InitiativeRolled, OptionsChanged, Rolled, Ruled
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.explain.dispute_page import html, markdown, page
from affray.replay.explain.disputes import Decided, UnknownDispute, dispute, register, rule
from affray.replay.explain.why import text, why
from affray.replay.log.playhead import state_at
from affray.replay.redecide.rulings import BadRuling
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house.fights import DIALECTS, opened, play_wildly
from tests.relatives import RELATIVES
from tests.replay.fights import fought
from tests.replay.test_whatif import soft_cover_fight


def facts(store: Store, branch: str = "main") -> list[Any]:
    """Return the facts of a branch."""
    return [decode(event) for event in store.read(branch)]


def hit_of(store: Store, branch: str = "main", result: str = "hit") -> tuple[int, AttackResolved]:
    """Return the first attack that ended so, and where it stands."""
    for event in store.read(branch):
        if event.type == "attack.resolved" and (fact := decode(event)).result == result:
            return event.seq, fact
    raise AssertionError("nobody was hit")


def sound(store: Store, *branches: str) -> None:
    """Assert that branches verify."""
    for branch in branches:
        report = verify(store, branch)
        assert report.ok, [str(check.problem) for check in report.checks if not check.ok]


def test_a_dispute_changes_nothing_but_is_on_record() -> None:
    """The dispute stands at the end of the line with who, what and which declaration; the log verifies."""
    store = fought(rounds=2).store
    seq, _ = hit_of(store)
    before = state_at(store, "main", store.head("main").seq)
    made = dispute(store, seq, "Anna", "there was a wall")
    fact = facts(store)[-1]
    assert type(fact) is Disputed
    assert (fact.id, fact.by, fact.event, fact.subject) == ("Q1", "Anna", seq, made.subject)
    assert made.subject.startswith("d")
    assert state_at(store, "main", store.head("main").seq) == before
    assert register(store).disputes == [made]
    sound(store, "main")
    with pytest.raises(AffrayError, match="there is no event"):
        dispute(store, 10_000, "Anna", "?")


def test_upholding_makes_no_branch() -> None:
    """An upheld event is recorded on its own line and settles the dispute."""
    store = fought(rounds=2).store
    seq, _ = hit_of(store)
    dispute(store, seq, "Anna", "there was a wall")
    made = rule(store, "uphold", "there was none", by="GM", dispute="Q1")
    assert made.whatif is None
    assert [branch.name for branch in store.branches()] == ["main"]
    found = register(store)
    assert found.dispute("Q1").ruling == "R1"
    told = found.ruling("R1")
    assert (told.verdict, told.author, told.event, told.branch, told.counts) == (
        "upheld", "GM", seq, "main", True,
    )  # fmt: skip
    sound(store, "main")


def test_a_modifier_names_its_ruling_and_holds_for_the_declaration_only() -> None:
    """The defense has the modifier with the ruling as its rule; why tells author and reason; later none."""
    store = fought(rounds=4).store
    seq, fact = hit_of(store)
    made = rule(store, "amend", "half cover", by="GM", at=seq, changes=(f"{fact.target}.defense+30:cover",))
    name = made.ruling.branch
    again = next(one for one in facts(store, name) if type(one) is AttackResolved and one.key == fact.key)
    assert again.result == "miss"
    (part,) = [part for part in again.defense if part.rule == "ruling:R1"]
    assert (part.value, part.kind, part.source) == (30, "cover", "half cover")
    at = next(e.seq for e in store.read(name) if e.type == "attack.resolved" and decode(e) == again)
    told = why(store, name, at)
    assert [one.id for one in told.rulings] == ["R1"]
    assert "R1  amended by GM" in text(told)
    assert "half cover" in text(told)
    rest = [one for one in facts(store, name) if type(one) is AttackResolved and one.key != fact.key]
    later = [
        one for one in rest if int(one.key.split("/")[0][1:].split(".")[0]) > int(fact.key.split("/")[0][1:])
    ]
    assert later
    assert all(part.rule != "ruling:R1" for one in later for part in one.defense)
    assert made.difference is not None
    assert made.difference.sentence.startswith("With the ruling 'half cover' ")
    assert not why(store, "main", seq).rulings
    sound(store, "main", name)


def test_a_ruling_from_there_on_keeps_holding_also_on_a_what_if() -> None:
    """With the scope onward later attacks have the modifier too, and so they have when asked again."""
    store = fought(rounds=4).store
    seq, fact = hit_of(store)
    attackers = [one.attacker for one in facts(store) if type(one) is AttackResolved]
    who = max(sorted(attackers), key=attackers.count)
    change = f"{who}.attack+1:circumstance"
    made = rule(store, "amend", "higher ground", by="GM", at=seq, changes=(change,), scope="onward")
    again = what_if(store, made.ruling.branch, faces={fact.key: [2]})
    for line in (made.ruling.branch, again.name):
        found = [one for one in facts(store, line) if type(one) is AttackResolved]
        mine = [one for one in found if one.attacker == who]
        assert len(mine) > 1
        assert any(part.rule == "ruling:R1" for part in mine[-1].attack)
    sound(store, made.ruling.branch, again.name)
    assert len(register(store).rulings) == 1


def test_a_modifier_can_be_struck_out() -> None:
    """The size bonus is shown as ruled out and does not count, for this attack only."""
    store = fought(rounds=3).store
    seq, fact = next(
        (event.seq, decode(event))
        for event in store.read("main")
        if event.type == "attack.resolved" and decode(event).attacker == "ogre"
    )
    made = rule(store, "amend", "he is no giant", by="GM", at=seq, changes=("ogre.attack-strength",))
    again = next(
        one for one in facts(store, made.ruling.branch) if type(one) is AttackResolved and one.key == fact.key
    )
    (part,) = [part for part in again.attack if part.source == "Strength"]
    assert part.denied == "ruled out (ruling:R1)"
    assert again.total == fact.total - part.value
    assert [one.id for one in why(store, made.ruling.branch, seq + 2).rulings] == ["R1"]
    sound(store, made.ruling.branch)


def of_type(dialect: str, kind: type) -> tuple[MemoryStore, int, Any]:
    """Return a fight in which such a fact with a part above 0 came about, its place and the fact."""
    for number in range(40):
        store = MemoryStore()
        table = set_up(packaged(f"demo_{dialect}"), store, seed=b"a fact %d" % number)
        table.declare(acts.Begin())
        play_on(table, 6)
        for event in store.read("main"):
            fact = decode(event)
            parts = getattr(fact, "attack", None) or getattr(fact, "parts", ())
            if type(fact) is kind and fact.key and any(part.value > 0 and not part.denied for part in parts):
                return store, event.seq, fact
    raise AssertionError(f"no {kind.__name__} in {dialect}")


@pytest.mark.parametrize("dialect", RELATIVES)
def test_rulings_on_the_confirmation_roll_leave_the_attack_alone(dialect: str) -> None:
    """A part struck out of the second roll, and one given to it, change that roll and not the first."""
    store, seq, fact = of_type(dialect, ConfirmationResolved)
    part = next(one for one in fact.attack if one.value > 0 and not one.denied)
    who = fact.attacker
    made = rule(store, "amend", "not twice", by="GM", at=seq, changes=(f"{who}.confirm-{part.source}",))
    again = [one for one in facts(store, made.ruling.branch) if getattr(one, "key", "") == fact.key]
    second = next(one for one in again if type(one) is ConfirmationResolved)
    assert second.total < fact.total
    assert [one.denied for one in second.attack if one.source == part.source] == ["ruled out (ruling:R1)"]
    first = [
        [one for one in facts(store, line) if type(one) is AttackResolved and one.target == fact.target]
        for line in ("main", made.ruling.branch)
    ]
    before = facts(store)[: seq - 1]
    assert first[1][: sum(type(one) is AttackResolved and one.target == fact.target for one in before)] == [
        one for one in before if type(one) is AttackResolved and one.target == fact.target
    ]
    made = rule(store, "amend", "luck", by="GM", at=seq, changes=(f"{who}.confirm+3:luck",))
    third = next(
        one
        for one in facts(store, made.ruling.branch)
        if type(one) is ConfirmationResolved and one.key == fact.key
    )
    assert third.total == fact.total + 3
    sound(store, "ruling-R1", made.ruling.branch)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_part_of_an_initiative_roll_can_be_struck_out(dialect: str) -> None:
    """The roll keeps its face and loses the part; where that matters, the order changes with it."""
    store, seq, fact = of_type(dialect, InitiativeRolled)
    part = next(one for one in fact.parts if one.value > 0 and not one.denied)
    made = rule(
        store, "amend", "too slow", by="GM", at=seq, changes=(f"{fact.who}.initiative-{part.source}",)
    )
    again = next(
        one
        for one in facts(store, made.ruling.branch)
        if type(one) is InitiativeRolled and one.key == fact.key
    )
    assert (again.natural, again.total) == (fact.natural, fact.total - part.value)
    assert "ruled out (ruling:R1)" in [one.denied for one in again.parts]
    sound(store, made.ruling.branch)


def test_faces_and_choices_carry_the_ruling() -> None:
    """A die given by a ruling has it for its provenance, a choice for its author; both verify."""
    store = fought(rounds=3).store
    seq, fact = hit_of(store)
    made = rule(store, "amend", "the die was cocked", by="GM", at=seq, changes=(f"{fact.key}=1",))
    again = next(
        one for one in facts(store, made.ruling.branch) if type(one) is Rolled and one.key == fact.key
    )
    assert (again.faces, again.provenance) == ((1,), "ruling:R1")
    assert why(store, made.ruling.branch, _seq(store, made, fact.key)).rulings[0].text == "the die was cocked"
    waiting = soft_cover_fight().store
    what_if(waiting, reading={"soft_cover_blocks_aoo": "off"}, name="open")
    chosen = next(event for event in waiting.read("open") if event.type == "chosen")
    key = decode(chosen).key
    done = rule(
        waiting, "amend", "he held back", by="GM", at=chosen.seq, changes=(f"{key}=decline",), branch="open"
    )
    answer = next(one for one in facts(waiting, done.ruling.branch) if getattr(one, "key", "") == key)
    assert (answer.answer, answer.by) == ("decline", "ruling:R1")
    sound(store, made.ruling.branch)
    sound(waiting, done.ruling.branch)


def _seq(store: Store, made: Decided, key: str) -> int:
    return next(
        event.seq
        for event in store.read(made.ruling.branch)
        if event.type == "attack.resolved" and decode(event).key == key
    )


@pytest.mark.parametrize(("scope", "last"), [("event", "on"), ("onward", "off"), ("fight", "off")])
def test_a_reading_can_be_ruled_for_an_event_onward_or_for_the_fight(scope: str, last: str) -> None:
    """The option holds as long as the scope says; the change of options cites the ruling, why tells it."""
    store = soft_cover_fight().store
    seq = next(event.seq for event in store.read("main") if event.type == "moved")
    made = rule(
        store,
        "amend",
        "allies do not cover",
        by="GM",
        at=seq,
        changes=("soft_cover_blocks_aoo=off",),
        scope=scope,
    )
    name = made.ruling.branch
    changed = [one for one in facts(store, name) if type(one) is OptionsChanged]
    assert changed[0].cites == ("ruling:R1",)
    state = state_at(store, name, store.head(name).seq)
    assert state.options.get("soft_cover_blocks_aoo", "on") == last
    attack = next(e.seq for e in store.read(name) if e.type == "attack.resolved")
    told = why(store, name, attack)
    if told.contested and any(one.option == "soft_cover_blocks_aoo" for one in told.contested):
        assert [one.id for one in told.rulings] == ["R1"]
    assert made.ruling.parent == "main"
    sound(store, name)


def test_a_modifier_for_the_whole_fight_holds_from_the_beginning() -> None:
    """Every attack of the combatant has it, the first one too."""
    store = fought(rounds=3).store
    seq, fact = hit_of(store)
    change = (f"{fact.attacker}.attack+2:morale",)
    made = rule(store, "amend", "a forgotten feat", by="GM", at=seq, changes=change, scope="fight")
    mine = [
        one
        for one in facts(store, made.ruling.branch)
        if type(one) is AttackResolved and one.attacker == fact.attacker
    ]
    assert mine
    assert all(any(part.rule == "ruling:R1" for part in one.attack) for one in mine)
    sound(store, made.ruling.branch)


def test_from_now_on_needs_no_branch() -> None:
    """A ruling about no event is recorded at the end of the line, and the next attack has it."""
    table = fought(rounds=1, close=False)
    store = table.store
    changes = tuple(f"{id}.attack+3:luck" for id in table.state.combatants)
    made = rule(store, "amend", "the gods smile", by="GM", changes=changes, scope="onward")
    assert (made.ruling.branch, made.ruling.counts, made.whatif) == ("main", True, None)
    again = Table(store)
    while True:
        who = again.state.combatants[again.state.active]
        foe = next(one for one in again.fight.enemies(who) if "dead" not in one.conditions)
        found = [
            one
            for one in again.declare(acts.Attack(actor=who.id, target=foe.id)).facts
            if type(one) is AttackResolved
        ]
        if found:
            break
        again.declare(acts.EndTurn(actor=who.id))
    assert any(part.rule == "ruling:R1" for part in found[0].attack)
    sound(store, "main")


def test_overturning_without_changes_voids_and_promoting_makes_it_count() -> None:
    """The declaration is struck out, later ones are decided again, and the branch becomes the main line."""
    store = fought(rounds=3).store
    seq, _ = hit_of(store)
    dispute(store, seq, "Ben", "I never said that")
    made = rule(store, "overturn", "indeed", by="GM", dispute="Q1", promoting=True)
    assert store.main_line() == made.ruling.branch == "ruling-R1"
    (told,) = [one for one in facts(store, "ruling-R1") if type(one) is Ruled]
    assert (told.verdict, told.dispute, told.id) == ("void", "Q1", "R1")
    assert register(store).ruling("R1").counts
    struck = next(event.seq for event in store.read("ruling-R1") if event.type == "invalidated")
    assert [one.id for one in why(store, "", struck).rulings] == ["R1"]
    sound(store, "main", "ruling-R1")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"verdict": "perhaps"}, "is not a verdict"),
        ({"verdict": "uphold", "changes": ("ogre+prone",)}, "has no changes"),
        ({"verdict": "amend"}, "needs changes"),
        ({"verdict": "amend", "changes": ("ogre+prone",), "at": None}, "name the event"),
        ({"verdict": "amend", "changes": ("d9/x/y/1=3",), "scope": "fight"}, "one moment"),
        ({"verdict": "amend", "changes": ("ogre.attack+1",), "scope": "for ever"}, "is not a scope"),
        (
            {"verdict": "amend", "changes": ("d9/x/y/1=3",), "at": None, "scope": "onward"},
            "cannot be ruled on",
        ),
        ({"verdict": "uphold", "dispute": "Q7"}, "no dispute 'Q7'"),
    ],
)
def test_rulings_that_mean_nothing_record_nothing(given: dict[str, Any], message: str) -> None:
    """The error names what is wrong, and the log stays as it was."""
    store = fought(rounds=1).store
    before = len(list(store.read_all()))
    with pytest.raises((BadRuling, UnknownDispute), match=message):
        rule(store, **{"text": "so", "at": hit_of(store)[0], **given})
    assert len(list(store.read_all())) == before


def test_a_new_question_can_be_left_open_and_played_on() -> None:
    """With the policy ask the branch ends at the question; an answer goes on from there and verifies."""
    from affray.engine.table.policies import ask

    store = soft_cover_fight().store
    made = what_if(store, reading={"soft_cover_blocks_aoo": "off"}, answers=ask, leave_open=True, name="open")
    assert "ogre" in made.waiting
    assert not made.asked
    table = Table(store, "open")
    assert table.waiting is not None
    sound(store, "open")
    outcome = table.choose("take")
    assert any(type(one) is AttackResolved for one in outcome.facts)
    sound(store, "open")
    again = what_if(store, reading={"soft_cover_blocks_aoo": "off"}, answers=ask, leave_open=True)
    with pytest.raises(AffrayError, match="waits for an answer"):
        dispute(store, 5, "Anna", "wait", again.name)


def test_the_page_holds_everything_and_escapes_names() -> None:
    """Question, explanation, ruling, difference and both digests; no name becomes markup."""
    store = fought(rounds=2).store
    seq, fact = hit_of(store)
    evil = "<script>alert(1)</script>"
    dispute(store, seq, evil, f"it {evil} missed")
    rule(store, "amend", f"so {evil}", by=evil, dispute="Q1", changes=(f"{fact.target}.defense+20:cover",))
    found = page(store, dispute="Q1")
    assert found == page(store, ruling="R1")
    assert [one.branch for one in found.ends] == ["main", "ruling-R1"]
    shown = html(found)
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    for told in (shown, markdown(found)):
        for heading in (
            "The question",
            "Explanation of the event",
            "The ruling",
            "The difference",
            "The lines",
        ):
            assert heading in told
        assert all(one.digest in told for one in found.ends)
    assert "\\<script\\>" in markdown(found).replace("    ", "")
    with pytest.raises(UnknownDispute):
        page(store, ruling="R9")


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_rulings_of_every_kind_verify_in_every_dialect(dialect: str, seed: int) -> None:
    """Ruling upon ruling over a wild fight: every line verifies and no other die changes its faces."""
    dice, store = random.Random(seed), MemoryStore()
    table = opened(dialect, store, seed)
    table.declare(acts.Begin())
    present = list(table.state.combatants)
    play_wildly(table, dice, 30)
    book = table.fight.book
    line = "main"
    for number in range(3):
        rolled = [one for one in facts(store, line) if type(one) is Rolled]
        rolls = {one.key: one.faces for one in rolled}
        events = [event for event in store.read(line) if event.type == "declared"]
        who = dice.choice(present)
        single = [key for key, shown in rolls.items() if len(shown) == 1]
        if not single:
            return
        key = dice.choice(single)
        declared = key.split("/")[0]
        option = dice.choice([one for one in book.contested.values() if not one.awaits])
        reading = dice.choice(list(option.readings)).name
        at = dice.choice(events[6:]).seq
        change = dice.choice(
            [
                f"{who}.defense+4:cover",
                f"{who}.attack-base",
                f"{who}.hp=3",
                f"{who}+prone",
                f"{option.option}={reading}",
                f"{key}=2",
                "void",
            ]
        )
        if change == f"{key}=2":
            at = next(event.seq for event in events if decode(event).id == declared)
        lasting = change[0] != "v" and "hp=" not in change and "prone" not in change and "/" not in change
        scope = dice.choice(("event", "onward", "fight") if lasting else ("event", "onward"))
        made = rule(store, "amend", "so be it", by="GM", at=at, changes=(change,), scope=scope, branch=line)
        assert made.ruling.id == f"R{number + 1}"
        name = made.ruling.branch
        # By key and notation: a ruling may lead to other dice, two with Disadvantage instead of one.
        before = {(one.key, one.notation): one.faces for one in rolled}
        after = {(one.key, one.notation): one.faces for one in facts(store, name) if type(one) is Rolled}
        given_key = key if change == f"{key}=2" else ""
        same = [one for one in before.keys() & after.keys() if one[0] != given_key]
        assert all(before[one] == after[one] for one in same)
        sound(store, line, name)
        line = name
