"""What people type: names for ids, words that are nearly right, help where it is looked for."""

import json
from pathlib import Path

import pytest

from affray.engine.language.acts import act_of
from affray.engine.language.names import People
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from tests.cli.conftest import Run

TWO_ATTACKS = """
dialect = "srd35"
map = ["......", "......"]
combatants = [
  {id = "fighter", side = "heroes", use = "fighter", at = [0, 0], initiative = 9, change = {base_attack = 6}},
  {id = "ogre", side = "monsters", use = "ogre", at = [1, 0], initiative = 5},
]
"""


def last_declared(run: Run, db: Path) -> dict[str, object]:
    """Return the act of the newest declaration of a log."""
    rows = [json.loads(row) for row in run("log", db, "--json").stdout.splitlines()]
    act: dict[str, object] = [row for row in rows if row["type"] == "declared"][-1]["data"]["act"]
    return act


def test_names_do_as_ids_do(run: Run, fight: Path) -> None:
    """A combatant goes by id or by name, in either case, as actor, target and inside of other things."""
    run("do", fight, "move", "BRANNOC", "1,0", "2,0")
    assert last_declared(run, fight)["actor"] == "fighter"
    run("do", fight, "attack", "Gharm")
    assert last_declared(run, fight)["target"] == "ogre"
    run("do", fight, "ready", "--trigger", "moves,gharm", "--then", "attack,target=Gharm")
    act = last_declared(run, fight)
    assert (act["trigger"], act["then"]) != ({}, {})
    assert json.dumps(act).count('"ogre"') == 2


def test_names_do_as_ids_do_in_json(run: Run, fight: Path) -> None:
    """So too where a declaration is written as JSON; an unknown one gets the nearest."""
    run("do", fight, '{"act": "attack", "actor": "brannoc", "target": "Gharm"}')
    act = last_declared(run, fight)
    assert (act["actor"], act["target"]) == ("fighter", "ogre")
    result = run("do", fight, '{"act": "attack", "actor": "fighter", "target": "garm"}')
    assert (result.exit_code, result.stderr.count("did you mean gharm?")) == (2, 1)


def test_a_name_that_two_bear_is_asked_about(run: Run, fight: Path) -> None:
    """Whom a name could mean is listed; nothing is declared."""
    run("add", fight, "--id", "ogre2", "--side", "monsters", "--at", "6,1", "--use", "ogre")
    before = run("log", fight).stdout
    result = run("do", fight, "attack", "gharm")
    assert result.exit_code == 2
    assert result.stderr == "affray: 2 combatants are named 'gharm'; choose one of ogre, ogre2\n"
    assert run("log", fight).stdout == before


def test_one_word_is_the_target_of_a_full_attack(run: Run, fight: Path) -> None:
    """Every attack goes at the one named; two words are actor and target where it is the actor's turn."""
    assert run("do", fight, "move", "1,0", "2,0").exit_code == 0
    run("do", fight, "end-turn")
    run("do", fight, "full-attack", "brannoc")
    act = last_declared(run, fight)
    assert act["actor"] == "ogre"
    assert [one["target"] for one in act["strikes"]] == ["fighter"]  # type: ignore[index, attr-defined]
    run("do", fight, "full-attack", "gharm", "brannoc,greatclub")
    assert last_declared(run, fight)["actor"] == "ogre"


def test_a_full_attack_has_all_its_attacks(run: Run, tmp_path: Path) -> None:
    """With two attacks both go at the one that is named."""
    file, db = tmp_path / "two.toml", tmp_path / "two.db"
    file.write_text(TWO_ATTACKS)
    assert run("play", file, "--db", db).exit_code == 0
    assert run("do", db, "full-attack", "gharm").exit_code == 0
    act = last_declared(run, db)
    assert [one["target"] for one in act["strikes"]] == ["ogre", "ogre"]  # type: ignore[index, attr-defined]


def test_a_weapon_of_two_words_strikes_in_a_full_attack(run: Run, fight: Path) -> None:
    """What stands in one word with its target is one strike, blanks and all."""
    for words in (
        ("full-attack", "--actor", "ogre", "brannoc,great club", "brannoc,horn"),
        ("full-attack", "--actor", "ogre", "--strikes", "brannoc,great club", "--strikes", "brannoc,horn"),
    ):
        run("do", fight, *words)
        act = last_declared(run, fight)
        assert [(one["target"], one["weapon"]) for one in act["strikes"]] == [  # type: ignore[index, attr-defined]
            ("fighter", "great club"),
            ("fighter", "horn"),
        ]


def test_a_line_of_words_keeps_quoted_words_together() -> None:
    """A strike with a weapon of two words, and two strikes in one field, are what they say."""
    people = People({"ogre": "Gharm the Red", "goblin": "Snik"})
    wanted = [("ogre", "light crossbow"), ("goblin", "dagger")]
    for line in (
        "full-attack 'ogre,light crossbow' goblin,dagger",
        "full-attack 'Gharm the Red,light crossbow' snik,dagger",
        "full-attack strikes=\"'ogre,light crossbow' goblin,dagger\"",
    ):
        act = act_of(line, people, "goblin")
        assert isinstance(act, acts.FullAttack)
        assert [(one.target, one.weapon) for one in act.strikes] == wanted


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("shwo",), "No such command 'shwo'; did you mean show?"),
        (("do", "DB", "atack", "ogre"), "unknown word 'atack'; did you mean attack?"),
        (("do", "DB", "attack", "orge"), "there is no combatant 'orge' in this fight; did you mean ogre?"),
        (("do", "DB", "attack", "zz"), "there is no combatant 'zz' in this fight; there are fighter, ogre"),
        (("do", "DB", "attack", "garm"), "did you mean gharm?"),
        (("do", "DB", "attack", "ogre", "--weapon", "longswrd"), "did you mean longsword?"),
        (("do", "DB", "draw", "shortbw"), "did you mean shortbow?"),
        (("do", "DB", "attack", "ogre", "--wepon", "x"), "--weapon"),
        (("do", "DB", "move", "1,0", "--how", "squeze"), "'squeeze'"),
        (("show", "DB", "--branch", "mian"), "no branch named 'mian'; did you mean main?"),
        (("show", "DB", "--branch", "zz"), "no branch named 'zz'; there is main"),
        (("show", "DB", "--at", "r1t1"), "did you mean r1.t1?"),
        (("show", "DB", "--at", "round 1"), "did you mean r1?"),
        (("show", "DB", "--at", "ende"), "did you mean end?"),
        (("export", "DB", "--format", "csv", "--table", "attack.resolvd"), "did you mean attack.resolved?"),
        (("add", "DB", "--id", "x", "--side", "y", "--at", "7,1", "--use", "orge"), "did you mean ogre?"),
        (("play", "tol"), "no included fight named tol; did you mean toll?"),
        (("rules", "srd3"), "srd35"),
        (("do", "DB", "ready", "mvoes"), "'mvoes' is not one of its words; did you mean moves?"),
        (("do", "DB", "ready", "moves", "--then", "atack"), "unknown name; did you mean attack?"),
        (("do", "DB", "ready", "moves", "--then", "zz"), "unknown name; all: affray do --help"),
        (("do", "DB", '{"act": "ready", "trigger": {"what": "mvoes"}}'), "did you mean moves?"),
        (
            ("ruling", "DB", "amend", "--at", "3", "--by", "x", "--text", "x", "--change", "ogre.defence+2"),
            "there is no number 'defence' to modify; did you mean defense?",
        ),
        (
            ("ruling", "DB", "amend", "--at", "3", "--by", "x", "--text", "x", "--change", "attack=hti"),
            "'hti' is not an outcome of a roll; did you mean hit?",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_unknown_word_gets_the_nearest_one(
    run: Run, fight: Path, words: tuple[str, ...], said: str
) -> None:
    """Whatever is nearly right is an error that names what is right."""
    result = run(*(fight if word == "DB" else word for word in words))
    assert result.exit_code in (1, 2)
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


RULING = ("ruling", "DB", "amend", "--at", "3", "--by", "x", "--text", "x", "--change")


@pytest.mark.parametrize(
    ("words", "said", "listing", "listed"),
    [
        ((*RULING, "cover +4"), "similar forms: WHO.STAT+N", "ruling --help", "WHO.STAT-SOURCE"),
        ((*RULING, "swop d6 d7"), "similar forms: swap ID ID", "ruling --help", "WHO.STAT-SOURCE"),
        ((*RULING, "d1=zzz"), "there is no act 'zzz'", "do --help", "called-shot"),
        ((*RULING, "ogre.sheet.zzz=3"), "there is no 'zzz'", "blame DB ogre.sheet", "base_attack"),
        (("do", "DB", "ready", "moves", "--then", "zz"), "unknown name", "do --help", "called-shot"),
        (("blame", "DB", "zzz"), "there is no 'zzz'", "blame DB --paths", "declarations"),
        (("blame", "DB", "ogre.zzz"), "ogre has no 'zzz'", "blame DB --paths", "ogre.max_hp"),
        (
            ("pivots", "DB", "--outcome", "ogre is zzz"),
            "there is no condition 'zzz'",
            "rules srd35 --vocabulary",
            "cowering",
        ),
        (("rows", "--columns", "zzz"), "no table 'zzz'", "rows --columns all", "refusals"),
        (("rows", "--columns"), "--columns needs a table", "rows --columns all", "refusals"),
        (
            ("replay", "DB", "--figure", "srd35.size.table-space-reach=3"),
            "is not a single figure",
            "rules --id srd35.size.table-space-reach",
            "space_ft",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else value[-1],
)
def test_a_long_list_is_a_command_away(
    run: Run, fight: Path, words: tuple[str, ...], said: str, listing: str, listed: str
) -> None:
    """What is wrong, what is near it and which command lists all, in a line that can be read at a glance."""
    found = run(*(str(fight) if word == "DB" else word for word in words))
    (line,) = (row for row in found.stderr.splitlines() if said in row)
    assert found.exit_code != 0
    assert len(line) < 200
    assert listing.replace("ogre.", "WHO.") in line
    assert listed in run(*(str(fight) if word == "DB" else word for word in listing.split())).stdout


def test_an_unknown_spell_gets_the_nearest_one(run: Run, fight: Path) -> None:
    """A caster is told the spells of the sheet."""
    mage = ("--id", "mage", "--side", "heroes", "--at", "0,2", "--use", "sorcerer")
    assert run("add", fight, *mage).exit_code == 0
    said = run("do", fight, "cast", "mage", "scorching rai", "--targets", "gharm").stderr
    assert "did you mean scorching ray?" in said


def test_help_on_an_act_needs_no_fight(run: Run) -> None:
    """What an act is can be read without a log; to declare one needs it, and that is said."""
    helped = run("do", "move", "--help")
    assert helped.exit_code == 0
    assert "Move along a path." in helped.stdout
    told = run("do", "move", "3,2")
    assert told.exit_code == 2
    assert "affray do fight.db move" in told.stderr


def test_what_was_meant() -> None:
    """The nearest word alone if one is near, else all of a short list, else nothing."""
    assert did_you_mean("Ogr", ["fighter", "ogre"]) == "; did you mean ogre?"
    assert did_you_mean("x", ["fighter", "ogre"]) == "; there are fighter, ogre"
    assert did_you_mean("x", ["main"]) == "; there is main"
    assert did_you_mean("x", map(str, range(100, 120))) == ""
    assert did_you_mean("x", []) == ""


def test_names_do_as_ids_do_in_a_plan(run: Run, tmp_path: Path) -> None:
    """Whose turn one waits for is a combatant too, in words, in JSON and in a changed declaration."""
    db = tmp_path / "plan.db"
    run("new", db, "--dialect", "woa", "--rows", "......", "--rows", "......", "--seed", "a plan")
    run("add", db, "--id", "f", "--side", "heroes", "--use", "fighter", "--at", "0,0")
    run("add", db, "--id", "o", "--side", "monsters", "--use", "ogre", "--at", "2,0")
    run("do", db, "begin")
    run("do", db, "plan", "brannoc", "standard,attack,gharm", "--after", "Gharm")
    assert last_declared(run, db)["after"] == "o"
    run("do", db, "plan", "gharm", "standard,attack,brannoc")
    plan = '{"act": "plan", "actor": "f", "actions": [], "after": "Gharn"}'
    result = run("do", db, plan)
    assert (result.exit_code, result.stderr.count("did you mean gharm?")) == (2, 1)
    ruled = run("ruling", db, "amend", "--by", "GM", "--text", "no", "--change", "d4.after=Gharm")
    assert (ruled.exit_code, ruled.stderr.count("this is the case already")) == (2, 1)


def test_names_do_as_ids_do_in_an_entry_and_an_answer(run: Run, tmp_path: Path) -> None:
    """The mount, the opponent in a grapple, whose doing a condition is; and a combatant as an answer."""
    db = tmp_path / "entry.db"
    run("new", db, "--dialect", "srd35", "--rows", "......", "--rows", "......", "--seed", "an entry")
    run("add", db, "--id", "o", "--side", "monsters", "--use", "ogre", "--at", "2,0", "--initiative", "5")
    entered = ("--side", "heroes", "--use", "fighter", "--at", "2,0", "--grapples", "gharm")
    assert run("add", db, "--id", "f", *entered, "--initiative", "9").exit_code == 0
    assert last_declared(run, db)["grapples"] == "o"
    afraid = ("--condition", "shaken", "--by", "shaken=GHARM")
    assert (
        run("add", db, "--id", "s", "--side", "heroes", "--use", "sorcerer", "--at", "5,1", *afraid).exit_code
        == 0
    )
    assert last_declared(run, db)["by"] == [["shaken", "o"]]
    unknown = run(
        "add", db, "--id", "g", "--side", "heroes", "--use", "goblin", "--at", "4,1", "--riding", "garm"
    )
    assert (unknown.exit_code, unknown.stderr.count("did you mean gharm?")) == (2, 1)


def test_a_danger_may_be_a_combatant_by_name(run: Run, fight: Path) -> None:
    """Whoever is called so is meant; what nobody is called is what the danger is."""
    run("do", fight, "hazard", "brannoc", "--skill", "climb", "--dc", "10", "--source", "Gharm")
    assert last_declared(run, fight)["source"] == "ogre"
    run("do", fight, "hazard", "brannoc", "--skill", "climb", "--dc", "10", "--source", "slippery wall")
    assert last_declared(run, fight)["source"] == "slippery wall"
