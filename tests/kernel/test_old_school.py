"""The old-school example, installed as a package: it plays, and everything that reads logs reads it."""

import json
import re
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.book.packages import offered_dialects
from affray.engine.dialects import load
from affray.engine.language.acts import act_of
from affray.engine.language.names import People
from affray.engine.table.scenario import fixed_seed, packaged, play, set_up
from affray.engine.table.table import Table
from affray.engine.text.narrate import lines
from affray.events.codec import decode
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, CheckResolved, CounterChanged, DamageResolved, Until
from affray.events.facts.flow import Declared, Rolled
from affray.events.facts.sheet import Sheet
from affray.events.facts.words import DialectWords
from affray.events.stores.memory import MemoryStore
from affray.projections.rows import TABLES
from affray.projections.sentence import sentence
from affray.projections.state import Combatant, Condition, Encounter
from affray.replay.chance.luck import luck
from affray.replay.chance.outcome_odds import chances, percent
from affray.replay.explain.disputes import rule
from affray.replay.explain.why import text, why
from affray.replay.redecide.rulings import BadAmendment, Ruling
from affray.replay.rows.walk import rows_of
from affray.replay.rulebook.conformance import conformance
from affray.replay.rulebook.lacks import UnreadField, find_unread_fields
from affray.replay.text.options import name_of, said_of
from affray.replay.verification.verify import verify
from affray.replay.viewer.frames import frames
from affray.replay.viewer.pages import build
from affray.replay.whatif.what_if import what_if
from tests.cli.conftest import Run
from tests.kernel.conftest import EXAMPLE
from tests.relatives import foreign_functions


def fight(name: str = "oldschool.demo", seed: int = 0) -> Table:
    """Play the example's fight to its end; with a seed, with other dice."""
    scenario = packaged(name)
    return play(scenario, MemoryStore(), seed=bytes([seed]) * 32 if seed else fixed_seed(scenario))


def test_it_conforms(oldschool: str) -> None:
    """Every check of the kit passes."""
    conformance(oldschool).assert_ok()


def test_no_rule_of_35_runs(oldschool: str) -> None:
    """A fight, automatic play, legal acts, explanations, rows and the page run none of their functions."""
    with foreign_functions() as ran:
        table = fight()
        store = table.store
        assert verify(store).ok
        text(why(store, "main", attacks(store)[0][0]))
        list(rows_of(store))
        luck(store)
        frames(store, "main")
        build(store)
        begun = set_up(packaged("oldschool.demo"), MemoryStore())
        begun.declare(acts.Begin())
        begun.legal()
        begun.price(acts.Move(actor=begun.state.active, path=((2, 3),)))
    assert ran == set()


def attacks(store: Any) -> list[tuple[int, AttackResolved]]:
    """Return the attacks of a log, each with its place."""
    facts = [(event.seq, decode(event)) for event in store.read("main")]
    return [(seq, fact) for seq, fact in facts if isinstance(fact, AttackResolved)]


# --- Its tests have one chance, which everything states


def listed(fact: AttackResolved | CheckResolved) -> Fraction:
    """Return the chance of a test by listing all throws of its dice."""
    if isinstance(fact, AttackResolved):
        bonus = fact.total - fact.natural
        hits = [face for face in range(1, 21) if face == 20 or (face > 1 and face + bonus >= fact.needed)]
        return Fraction(len(hits), 20)
    if fact.check == "morale":
        throws = list(product(range(1, 7), repeat=2))
        return Fraction(sum(sum(one) <= fact.dc for one in throws), len(throws))
    return Fraction(sum(face >= fact.dc for face in range(1, 21)), 20)


def test_chances_agree(oldschool: str) -> None:
    """Explanations, odds, rows, luck and the page state the chance of all throws, to the last digit."""
    kinds = set()
    for seed in range(4):
        store = fight(seed=seed).store
        shares = {}
        for name, row in rows_of(store):
            if name in ("attacks", "saves", "checks"):
                cells = dict(zip((one.name for one in TABLES[name].columns), row, strict=True))
                shares[cells["seq"]] = cells["chance"]
        (line,) = frames(store, "main").lines
        expected: dict[str, Fraction] = {}
        for event in store.read("main"):
            fact = decode(event)
            if not isinstance(fact, AttackResolved | CheckResolved):
                continue
            chance = listed(fact)
            made = fact.result != "miss" if isinstance(fact, AttackResolved) else fact.success
            own = chance if made else 1 - chance
            (odds,) = chances(store, "main", [event.seq])
            assert odds.fraction == own
            assert percent(own) in text(why(store, "main", event.seq))
            assert shares[event.seq] == float(chance)
            if isinstance(fact, AttackResolved):
                kinds.add("attack")
                expected[fact.attacker] = expected.get(fact.attacker, Fraction(0)) + chance
                assert line.frames[event.seq - 1].chance == round(float(100 * chance), 2)
            else:
                kinds.add(fact.check)
        for one in luck(store).combatants:
            assert one.expected_hits == round(float(expected.get(one.who, Fraction(0))), 2)
    assert kinds == {"attack", "morale", "save.breath"}


def test_a_ruling_by_word(oldschool: str) -> None:
    """That an attack hits, and that a save or a morale check fails, is ruled with dice that do so."""
    store = fight().store
    seen = set()
    for event in list(store.read("main")):
        fact = decode(event)
        if isinstance(fact, AttackResolved) and fact.natural not in (1, 20):
            name, word = "attack", "miss" if fact.result == "hit" else "hit"
        elif isinstance(fact, CheckResolved):
            name, word = fact.check.partition(".")[0], "failure" if fact.success else "success"
        else:
            continue
        if name in seen or name == "morale":
            continue
        seen.add(name)
        line = f"w{event.seq}"
        rule(store, "amend", word, at=event.seq, by="GM", changes=(f"{name}={word}",), name=line)
        assert verify(store, line).ok
    assert seen == {"attack", "save"}


def test_a_ruling_on_numbers(oldschool: str) -> None:
    """Modifiers of attack, defense and damage count; the ability of an attack can be struck out."""
    store = fight().store
    at, hit = next(
        (event.seq, fact)
        for event in store.read("main")
        if isinstance(fact := decode(event), AttackResolved) and fact.result == "hit"
    )
    for change, by in {
        f"{hit.target}.defense+4:cover": -4,
        f"{hit.attacker}.attack-3": -3,
        f"{hit.attacker}.attack-strength": -2,
    }.items():
        branch = what_if(store, "main", at=at, ruling=Ruling("so be it", (change,))).name
        again = next(
            fact
            for event in store.read(branch)
            if isinstance(fact := decode(event), AttackResolved) and fact.key == hit.key
        )
        assert (again.natural, again.total - hit.total, again.needed) == (hit.natural, by, hit.needed)
    branch = what_if(store, "main", at=at, ruling=Ruling("so be it", (f"{hit.attacker}.damage+5",))).name
    dealt = [
        next(fact for event in store.read(line) if isinstance(fact := decode(event), DamageResolved))
        for line in ("main", branch)
    ]
    assert dealt[1].total == dealt[0].total + 5
    assert verify(store, branch).ok


def test_a_ruling_on_its_own_fields(oldschool: str) -> None:
    """A field of a sheet that the dialect does not know cannot be changed."""
    store = fight().store
    entered = [(event.seq, decode(event)) for event in store.read("main") if event.type == "declared"]
    at, fact = next((seq, fact) for seq, fact in entered if getattr(fact.act, "sheet", None) is not None)
    with pytest.raises(BadAmendment, match="armour"):
        rule(store, "amend", "scales", at=at, by="GM", changes=(f"{fact.act.id}.sheet.custom.armour=9",))
    rule(store, "amend", "scales", at=at, by="GM", changes=(f"{fact.act.id}.sheet.custom.armor=9",))


# --- Its own acts, its sheets, its counters


def duel() -> Table:
    """Return a fight of a warrior and a dragon that has begun."""
    from affray.engine.table.scenario_parts import packaged_sheets

    table = Table.create(MemoryStore(), dialect="oldschool", terrain=("." * 12,) * 6, seed=b"o" * 32)
    sheets = packaged_sheets("oldschool")
    import msgspec

    for id, side, at in (("warrior", "heroes", (1, 1)), ("dragon", "monsters", (4, 1))):
        sheet = msgspec.convert(sheets[id], Sheet)
        assert table.declare(acts.Enter(id=id, side=side, sheet=sheet, at=at)).refused is None
    table.declare(acts.Begin())
    return table


def test_an_act_of_its_own_is_recorded_in_a_form_for_all(oldschool: str) -> None:
    """Typed, in the recorded form and as plain data it is the same declaration."""
    from oldschool.combat import Breathe

    said = acts.custom_form({"act": "oldschool.breathe", "actor": "dragon", "targets": ["warrior"]})
    recorded = acts.Custom(actor="dragon", name="oldschool.breathe", fields={"targets": ("warrior",)})
    assert load("oldschool").recorded(Breathe(actor="dragon", targets=("warrior",))) == recorded
    assert said == {
        "act": "custom",
        "actor": "dragon",
        "name": "oldschool.breathe",
        "fields": {"targets": ["warrior"]},
    }
    table = duel()
    while table.state.active != "dragon":
        table.declare(acts.EndTurn(actor=table.state.active))
    outcome = table.declare(Breathe(actor="dragon", targets=("warrior",)))  # type: ignore[arg-type]
    assert outcome.refused is None
    declared = next(fact for fact in outcome.facts if isinstance(fact, Declared))
    assert declared.act == recorded
    assert "Dragon breathes on Warrior" in "\n".join(lines(map(decode, table.store.read("main"))))


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (acts.Custom(actor="warrior", name="oldschool.breath"), "did you mean oldschool.breathe"),
        (
            acts.Custom(actor="warrior", name="oldschool.breathe", fields={"at": 3}),
            "a field of 'oldschool.breathe'",
        ),
        (acts.Custom(actor="warrior", name="oldschool.breathe", fields={"targets": 3}), "targets"),
        (acts.Trip(actor="warrior", target="dragon"), "oldschool knows no 'trip'"),
        (acts.Attack(actor="warrior", target="dragon", power=2), "oldschool knows no 'power'"),
        (
            acts.Custom(actor="warrior", name="oldschool.breathe", fields={"targets": ("nobody",)}),
            "no combatant",
        ),
    ],
)
def test_what_it_does_not_know_is_refused(oldschool: str, act: Any, reason: str) -> None:
    """With a reason and a rule, and nothing changes."""
    table = duel()
    before = table.fight.digest(table.state)
    refused = table.declare(act).refused
    assert refused is not None
    assert reason in refused.reason
    assert refused.rule
    table.state.refusals = 0
    assert table.fight.digest(table.state) == before


@pytest.mark.parametrize(
    ("custom", "reason"),
    [({"armour": 3}, "armour"), ({"armor": "plate"}, "armor"), ({"shield": 1}, "shield")],
)
def test_a_sheet_with_other_fields_is_refused(oldschool: str, custom: dict[str, Any], reason: str) -> None:
    """Unknown fields and values of other types are named."""
    table = Table.create(MemoryStore(), dialect="oldschool", terrain=("....",))
    refused = table.declare(acts.Enter(id="a", side="b", sheet=Sheet("A", 5, custom=custom))).refused
    assert refused is not None
    assert reason in refused.reason


def test_a_dialect_without_fields_of_its_own_refuses_them() -> None:
    """Nothing that is said is ignored."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=("....",))
    refused = table.declare(acts.Enter(id="a", side="b", sheet=Sheet("A", 5, custom={"armor": 3}))).refused
    assert refused is not None
    assert "armor" in refused.reason
    refused = table.declare(acts.Custom(actor="a", name="oldschool.breathe")).refused
    assert refused is not None
    assert refused.reason == "srd35 knows no 'oldschool.breathe'"


def test_counters_are_part_of_the_state(oldschool: str) -> None:
    """A torch burns down by counter, and is gone at 0."""
    table = duel()
    store = table.store
    assert not table.state.combatants["warrior"].counters
    while table.state.active != "warrior":
        table.declare(acts.EndTurn(actor=table.state.active))
    table.declare(acts.Custom(actor="warrior", name="oldschool.light-torch"))
    assert table.state.combatants["warrior"].counters == {"torch": 60}
    for _ in range(2):
        table.declare(acts.EndTurn(actor=table.state.active))
    assert Table(store).state.combatants["warrior"].counters == {"torch": 59}
    last = [fact for event in store.read("main") if isinstance(fact := decode(event), CounterChanged)][-1]
    assert last.value == 59


# --- Its log without it


def test_the_log_reads_without_the_package(
    oldschool: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run
) -> None:
    """Lists, stories and pages need the log alone; what decides again says what is missing."""
    file = tmp_path / "fight.db"
    assert run("demo", "--dialect", oldschool, "--db", file).exit_code == 0
    away = [one for one in sys.path if not (Path(one) / "oldschool").is_dir()]
    monkeypatch.setattr(sys, "path", away)
    assert "oldschool" not in offered_dialects()
    told = run("log", file)
    assert told.exit_code == 0
    assert "breathes on" in told.stdout
    assert "to hit AC" in told.stdout
    assert run("show", file).exit_code == 0
    assert run("export", file, "--format", "html", "--out", tmp_path / "fight.html").exit_code == 0
    assert "breathes on" in (tmp_path / "fight.html").read_text()
    story = run("export", file, "--format", "markdown").stdout
    assert "save against breath" in story
    rows = [json.loads(line) for line in run("log", file, "--json").stdout.splitlines()]
    hit = next(row["seq"] for row in rows if row["type"] == "attack.resolved")
    why = run("why", file, str(hit))
    assert why.exit_code == 0
    assert "to hit AC" in why.stdout
    missing = run("verify", file)
    assert missing.exit_code == 2
    assert "'oldschool'" in missing.stderr + missing.stdout


def test_rolls_of_the_sides_belong_to_nobody(oldschool: str) -> None:
    """One die a side and round, whoever is in it."""
    table = duel()
    rolls = [fact for event in table.store.read("main") if isinstance(fact := decode(event), Rolled)]
    assert {one.who for one in rolls} == {""}
    assert len(rolls) >= 2


@pytest.mark.parametrize(
    "line",
    [
        "oldschool.breathe dragon warrior",
        "breathe warrior",
        "breathe dragon targets=warrior",
        "breathe targets=warrior",
    ],
)
def test_an_act_of_its_own_is_typed_in_one_line(oldschool: str, line: str) -> None:
    """With or without the dialect and the actor, its fields in order or by name."""
    table = duel()
    act = act_of(line, People.find_combatants_in_fights(table.state), "dragon")
    assert act == acts.Custom(actor="dragon", name="oldschool.breathe", fields={"targets": ("warrior",)})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("breath warrior", "there is no act 'breath'; did you mean breathe?"),
        ("oldschool.breath warrior", "there is no act 'oldschool.breath'; did you mean oldschool.breathe?"),
        ("breathe target=warrior", "'oldschool.breathe' has no 'target'; did you mean targets?"),
        ("light-torch now", "unexpected words 'now'"),
        ("breathe targets=somebody", "there is no combatant 'somebody'"),
    ],
)
def test_a_wrong_line_is_told(oldschool: str, line: str, reason: str) -> None:
    """In one clear line."""
    table = duel()
    with pytest.raises(AffrayError, match=re.escape(reason)):
        act_of(line, People.find_combatants_in_fights(table.state), "dragon")


def test_an_act_of_its_own_is_declared_by_its_short_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a command and at the prompt, by its beginning too; a misspelt one gets the nearest."""
    monkeypatch.setenv("AFFRAY_PACKAGES", str(EXAMPLE))
    file = tmp_path / "fight.db"
    run("new", file, "--encounter", "oldschool.demo", "--seed", "1")
    run("do", file, "begin")
    assert "no breath (oldschool.breath)" in run("do", file, "breathe").stderr
    assert "no breath (oldschool.breath)" in run("do", file, "breath").stderr
    assert "unknown word 'braethe'; did you mean breathe?" in run("do", file, "braethe").stderr
    assert " light-torch " in run("do", file, "--help").stdout
    at_prompt = run("table", file, input="lite-torch\nlight-t\nq\n")
    assert "unknown word 'lite-torch'; did you mean light-torch?" in at_prompt.stdout + at_prompt.stderr
    assert "Warrior lights a torch" in at_prompt.stdout


@pytest.mark.parametrize(
    ("total", "success", "words"),
    [(51, False, "fails at luck: at most 50, not 51"), (42, True, "succeeds at luck: 42, at most 50")],
)
def test_a_check_that_may_not_exceed_a_number_is_a_sentence(total: int, success: bool, words: str) -> None:
    """The limit has its words, below it or above it."""
    fact = CheckResolved(
        who="thief",
        check="luck",
        key="d1/thief/luck/1",
        natural=total,
        total=total,
        dc=50,
        success=success,
        parts=(),
        under=True,
        cites=("kernel.encounter",),
    )
    assert sentence(fact) == f"thief {words}"
    assert sentence(replace(fact, under=UNSET, success=True)) == f"thief succeeds at luck: {total} against 50"


def test_lists_of_rolls_have_the_labels_of_checks(oldschool: str, run: Run, tmp_path: Path) -> None:
    """People read "save against breath"; the key of a roll and the rows keep "save-breath"."""
    file = tmp_path / "fight.db"
    run("demo", "--dialect", oldschool, "--seed", 3, "--db", file)
    listed = " ".join(run("pivots", file, "--outcome", "warrior dies").stdout.split())
    assert "Warrior's save against breath roll: 15-20 succeeds instead of" in listed
    log = run("log", file).stdout
    assert "Warrior rolls 1d20 for save against breath: " in log
    for told in (listed, log):
        assert not re.search(r"\bsave[ .-]breath", told)
    assert "/save-breath/" in run("log", file, "--json").stdout


def test_its_open_acts_are_listed_by_name(oldschool: str) -> None:
    """With what they name, and no fields of the recorded form."""
    table = duel()
    while table.state.active != "warrior":
        table.declare(acts.EndTurn(actor=table.state.active))
    listed = {name_of(act): said_of(act) for act in table.legal().open if isinstance(act, acts.Custom)}
    assert listed == {"light-torch": ("", "")}


def test_a_field_of_a_condition_that_nothing_reads_is_told(
    oldschool: str,
) -> None:
    """The kernel reads some fields of a condition; whoever sets another one without a rule for it is told."""
    rules = load("oldschool")
    assert find_unread_fields(rules) == ()
    held = {"fleeing": replace(rules.kernel.conditions["fleeing"], reactions=False)}
    changed = replace(rules.kernel, conditions={**rules.kernel.conditions, **held})
    assert find_unread_fields(replace(rules, kernel=changed)) == (UnreadField("fleeing", "reactions"),)


def test_a_dialect_says_which_conditions_mean_death() -> None:
    """Who lives is counted by the words of the dialect, otherwise by the condition "dead"."""
    one = Combatant("a", "b", Sheet("A", 5), (0, 0), 1, 5, 5, 5)
    one.conditions["fallen"] = Condition("a blow", Until())
    assert not Encounter().is_dead(one)
    assert Encounter(words=DialectWords(dead=("fallen",))).is_dead(one)
