"""The prompt that holds a fight open: short lines, keys, dice of the table, rulings, and a real terminal."""

import re
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from affray.events.codec import decode
from affray.events.stores.sqlite import SqliteStore
from affray.replay.cli.terminal.prompt import Session
from affray.replay.cli.terminal.prompt_terminal import Words
from affray.replay.verification.verify import verify
from affray.replay.workers import PYTHON
from tests.cli.conftest import called
from tests.cli.signed import good
from tests.cli.terminal import in_terminal

pytestmark = pytest.mark.slow

Typed = Callable[..., str]

ESCAPE_OF_COLOUR = re.compile(r"\x1b\[3\d")
MAP = ("........", "........", "........", "........")


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    """Return a fight that has not begun: two heroes, an ogre and a goblin."""
    db = tmp_path / "fight.db"
    rows = [word for row in MAP for word in ("--rows", row)]
    good("new", db, "--dialect", "srd35", "--seed", "table", *rows)
    for id, side, sheet, at, first in (
        ("brannoc", "heroes", "fighter", "2,1", 20),
        ("ysolde", "heroes", "sorcerer", "0,3", 15),
        ("gharm", "monsters", "ogre", "5,1", 10),
        ("snik", "monsters", "goblin", "7,3", 5),
    ):
        words = ("--id", id, "--side", side, "--use", sheet, "--at", at, "--initiative", first)
        good("add", db, *words)
    return db


@pytest.fixture
def typed(fight: Path) -> Typed:
    """Return what types lines at the prompt and returns what was printed; the last of them ends so."""

    def type(*lines: str, status: int = 0, options: tuple[str, ...] = ()) -> str:
        done = called("table", fight, *options, input="".join(f"{line}\n" for line in lines))
        assert done.exit_code == status, (done.stdout, done.stderr)
        return done.stdout + done.stderr

    return type


def declared(db: Path) -> list[str]:
    """Return what was declared on the main line, but the entering: kinds of acts."""
    with SqliteStore(db, readonly=True) as store:
        found = [decode(event) for event in store.read(store.main_line()) if event.type == "declared"]
    return [kind for one in found if (kind := str(one.act.__struct_config__.tag)) != "enter"]


THREE_ROUNDS = (
    *(("m 4,1", "a", "e"), ("c sc g", "e"), ("fa", "e"), ("m 3,2", "a b", "e")),
    *(("fa g", "e"), ("c sc g", "e"), ("a", "e")),  # the ogre is dying
    *(("fa s", "e"), ("c fro s", "e"), ("?", "1")),
)
"""The turns of three rounds of four, as they are typed; each line ends with the return key."""


def test_three_rounds_in_few_keys(fight: Path) -> None:
    """Typed at a real terminal: at most twelve keys a turn, nothing refused, and the log verifies."""
    keys = [sum(len(line) + 1 for line in turn) for turn in THREE_ROUNDS]
    assert max(keys) <= 12, keys
    lines = ["b", *(line for turn in THREE_ROUNDS for line in turn), "q"]
    keyed = "".join(f"{line}\r" for line in lines)
    status, shown = in_terminal("table", fight, rows=40, input=keyed, NO_COLOR="1", HOME=str(fight.parent))
    assert status == 0, shown
    assert "affray:" not in shown, shown
    assert "After round 3" in shown
    assert ESCAPE_OF_COLOUR.search(shown) is None
    assert declared(fight).count("end-turn") == len(THREE_ROUNDS)
    with SqliteStore(fight, readonly=True) as store:
        assert verify(store).ok


def at_terminal(fight: Path, *lines: str, rows: int = 40, options: tuple[str, ...] = ()) -> str:
    """Type lines at a real terminal, each when the prompt waits for it, and return what was shown."""
    status, shown = in_terminal(
        "table", fight, *options, rows=rows, lines=lines, NO_COLOR="1", HOME=str(fight.parent)
    )
    assert status == 0, shown
    return shown


def test_the_map_is_drawn_anew_above_each_line(fight: Path) -> None:
    """Whoever has moved stands elsewhere on the next one; where there is no room for it, that is told."""
    shown = at_terminal(fight, "b\r", "m 4,1\r", "q\r")
    assert "1 ..B..gg." in shown
    assert "1 ....Bgg." in shown
    low = at_terminal(fight, "q\r", rows=12)
    assert "gg." not in low
    assert "Not drawn: the terminal lacks" in low
    assert "Brannoc > " in low
    assert "gg." not in at_terminal(fight, "q\r", options=("--no-map",))


def test_how_to_begin_is_told_as_it_is_done(fight: Path, typed: Typed) -> None:
    """By the key at the prompt, by the command beside it, and not at all where nothing can be begun."""
    assert "Not begun: b begins the fight\n" in typed("show")
    assert f"Not begun: affray do {fight} begin" in " ".join(called("show", fight).stdout.split())
    assert "Not begun: b begins the fight" in at_terminal(fight, "q\r")
    typed("b")
    assert "  Not begun\n" in called("show", fight, "--at", "2").stdout
    typed("m 4,1", "e", "e", "e", "e", "m 2,1", "y", options=("--ask",))
    assert "(answer with: affray choose" in called("show", fight).stdout
    assert "affray choose" not in typed("show")


def test_on_the_usual_terminal_the_map_is_shown(fight: Path, typed: Typed) -> None:
    """24 rows of 80 letters: whole where it fits, else cut around the fight, below everybody's health."""
    shown = at_terminal(fight, "b\r", "q\r", rows=24)
    assert "1 ..B..gg." in shown
    assert "[##########]   42/42" in shown
    assert "Cut to fit" not in shown
    large = fight.with_name("large.db")
    rows = [word for _ in range(30) for word in ("--rows", "." * 30)]
    good("new", large, "--dialect", "srd35", "--seed", "large", *rows)
    for number in range(8):
        words = ("--id", f"goblin{number}", "--side", f"side {number % 2}", "--use", "goblin")
        at = f"{10 + number % 4},{20 + 2 * (number // 4)}"
        good("add", large, *words, "--at", at, "--initiative", number)
    good("do", large, "begin")
    shown = at_terminal(large, "q\r", rows=24)
    assert "  20 ..........SgGo................" in shown
    assert "o goblin3 11/11 hp" in shown
    assert "  15 ...." not in shown
    assert "Cut to fit the terminal: use show for all of it" in shown


def test_the_tab_key_completes_names_and_words(fight: Path, typed: Typed) -> None:
    """The first word by what can be typed, spells after c, else names of the fight and weapons."""
    typed("b", "e")
    opened = partial(SqliteStore, fight, readonly=True)
    session = Session(opened, str(fight), run=len, say=print, commands=["verify"])
    words = Words(session, session.now)

    def offered(text: str) -> dict[str, str]:
        found = words.get_completions(Document(text), CompleteEvent())
        return {one.text: one.display_meta_text for one in found}

    assert offered("att") == {"attack": "act"}
    assert offered("m 4,1; ver") == {"verify": "command"}
    assert offered("c sc") == {'"scorching ray"': "spell"}
    assert offered("a g") == {"gharm": "Gharm"}
    assert offered("a gharm d") == {"dagger": "weapon"}
    assert {"a", "fa", "m", "aid", "attack", "add"} & {*offered("")} == {"a", "fa", "m", "aid", "attack"}


def test_what_was_typed_comes_back(fight: Path) -> None:
    """The up key brings back the lines before, those of an earlier session too."""
    at_terminal(fight, "b\r", "total\r", "e\r", "q\r")
    at_terminal(fight, "\x1b[A\x1b[A\x1b[A\r", "q\r")
    assert declared(fight) == ["begin", "total-defense", "end-turn", "total-defense"]


def test_interrupted_or_closed_it_leaves_what_was_done(fight: Path) -> None:
    """Control-C gives up a question of the prompt, Control-D leaves; the log holds what was declared."""
    shown = at_terminal(fight, "b\r", "m 4,1\r", *["e\r"] * 4, "m 7,0\r", "\x03", "\x04")
    assert "provokes from" in shown
    assert declared(fight) == ["begin", "move", *["end-turn"] * 4]


def test_an_attack_by_a_word(fight: Path, typed: Typed) -> None:
    """Target and weapon may be cut short; the only target need not be named; of several it is asked."""
    told = typed("b", "a", status=2)
    assert "no target can be attacked from here" in told
    told = typed("m 4,1; a")
    assert "Brannoc attacks Gharm" in told
    assert "brannoc does not hold the shortbow" in typed("u; a gh shortb", status=1)
    told = typed("a gh unarmed", status=2)
    assert "there is no weapon 'unarmed' on the sheet: longsword, shortbow" in told
    assert declared(fight) == ["begin", "move", "attack"]  # the one that was refused


def test_back_goes_what_changed_something(fight: Path, typed: Typed) -> None:
    """After a line that was refused, u takes back what was declared before it."""
    told = typed("b", "m 4,1", "a gh shortb", status=1)
    told = typed("u")
    assert "took back d6: Brannoc moves" in told
    assert "took back x1: Brannoc attacks Gharm with shortbow (refused)" in told
    assert declared(fight) == ["begin"]


def test_of_several_targets_it_is_asked_whom(fight: Path, typed: Typed) -> None:
    """A key names the target; any other line leaves the question, and is carried out itself."""
    typed("b", "m 4,1", "e", "e", "e", "m 3,2", "e")
    told = typed("a", "2")
    assert "whom? 1 Gharm 2 Skit" in told
    assert "Brannoc attacks Skit" in told
    told = typed("u", "a", "e")
    assert told.count("attacks") == 1  # what was taken back
    assert declared(fight)[-1] == "end-turn"


def test_dice_thrown_on_the_table(fight: Path, typed: Typed) -> None:
    """Faces typed behind an attack are its dice; what is left to throw is asked; too many are told."""
    told = typed("b", "m 4,1", "a gharm 17 5")
    assert "longsword: d20 17 physical + 10 = 27 vs AC 16: hit" in told
    assert "1d8+3 (5) = 8" in told
    assert "affray choose" not in told
    told = typed("u", "a gharm 17", "3")
    assert "1d8+3 (3) = 6" in told
    told = typed("u", "a gharm 2 6", status=2)
    assert "affray: 1 die too many: 6" in told
    told = typed("u", "a gharm 21", status=2)
    assert "affray: 1d20: a d20 cannot show 21" in told
    assert "1d8+3 (8) = 11" in typed("9", "8")
    assert declared(fight) == ["begin", "move", "attack"]


def test_a_way_past_an_enemy_is_asked_first(fight: Path, typed: Typed) -> None:
    """The cost, whom it passes and a way around are told before anything is declared."""
    typed("b", "m 4,1", "e", "e", "a 2", "1", "e", "e")
    told = typed("m 7,0", "n")
    assert "ft., provokes from Gharm: y go" in told
    assert declared(fight)[-1] == "end-turn"
    told = typed("m 7,0", "y")
    assert "leaves a threatened square: provokes from Gharm" in told
    assert "m does not" not in told
    assert "a move does not lead to 90,90" in typed("u", "m 90,90", status=2)
    assert "'x' is not a square: write it as 4,1" in typed("m x", status=2)


def test_a_way_of_one_s_own(fight: Path, typed: Typed) -> None:
    """Square by square: its cost is told, and who may strike; what the rules refuse is not declared."""
    assert "10 ft., 10 left" in typed("b; m 3,1 4,1; e; e; e; e")
    assert "no step leads from 4,1 to 3,3 (srd35.run.action)" in typed("run 3,3", status=2)
    told = typed("m 3,2>2,2", "n")
    assert "10 ft., 10 left, provokes from Gharm: y go n stay" in told
    assert declared(fight)[-1] == "end-turn"
    assert "leaves a threatened square: provokes from Gharm" in typed("m 3,2 2,2", "y")
    assert declared(fight).count("move") == 2


def test_the_way_of_a_charge_is_found(fight: Path, typed: Typed) -> None:
    """Whom it is at suffices: of the ways that ? lists the shortest is taken, past nobody unasked."""
    told = typed("b", "charge gharm")
    assert "Brannoc charges Gharm" in told
    assert "Brannoc goes 5 ft. to 4,1" in told
    assert "depends on" not in told
    assert "there is no combatant 'x'" in typed("u", "charge x", status=2)
    typed("m 4,1", "e", "e")
    assert "closest space" in typed("charge brannoc", status=2)
    assert declared(fight)[-1] == "end-turn"


def test_a_command_finds_the_way_of_a_charge(fight: Path) -> None:
    """`affray do` goes the same way; one that the rules refuse is refused for what bars it."""
    good("do", fight, "begin")
    assert "Brannoc goes 5 ft. to 4,1" in good("do", fight, "charge", "gharm", "--weapon", "longsword")
    refused = called("do", fight, "overrun", "gharm")
    assert "full-round action" in refused.stderr


def test_questions_have_keys(fight: Path, typed: Typed) -> None:
    """With --ask every choice waits; its options have keys, or are typed or begun."""
    typed("b", "m 4,1", "e", "e", "e", "e")
    told = typed("m 2,1", "y", "?", "2", options=("--ask",))
    assert "1 take 2 " in told
    told = typed("u", "m 2,1", "y", "tak", options=("--ask",))
    assert "Gharm chooses take" in told


def test_what_is_open_has_keys(fight: Path, typed: Typed) -> None:
    """A key declares what stands beside it; ? ACT lists one kind whole, ?? says why the rest is refused."""
    told = typed("b", "m 4,1", "?")
    assert "end-turn" in told
    assert "7 squares" not in told
    listed = typed("? attack", "1")
    assert "1 Gharm longsword" in listed
    assert "Brannoc attacks Gharm" in listed
    assert "attack: brannoc has no standard action left (srd35.action.types)" in typed("??")
    named = typed("?? att")
    assert "attack: brannoc has" in named
    assert "trip" not in named
    assert "end-turn is allowed: ? end-turn lists" in typed("?? end-turn", status=2)
    assert "no act begins with 'zzz'" in typed("?? zzz", status=2)
    assert "''" not in typed("??")
    assert "don: name a target or a weapon (don --help)" in typed("?? don")
    assert "there is no combatant 'gahrm' in this fight; did you mean gharm?" in typed("a gahrm", status=2)
    assert "there is no key 99 now" in typed("99", status=2)
    assert "no act that begins with 'zzz' is allowed now" in typed("? zzz", status=2)
    assert "provokes" in typed("u", "? m")


def test_what_is_open_and_what_is_refused_send_to_each_other_in_no_circle(typed: Typed) -> None:
    """Whatever word follows, one of ? and ?? tells it, and neither of both sends to the other."""
    typed("b", "e")
    for word in (
        "speak",
        "lift",
        "ready",
        "step",
        "move",
        "attack",
        "hide",
        "fiat",
        "how",
        "trip",
        "end-turn",
    ):
        said = [called_at(typed, f"{sign} {word}") for sign in ("?", "??")]
        assert not (f"?? {word} says" in said[0] and f": ? {word} lists" in said[1]), said
    assert "speak: allowed, with details (speak --help)" in typed("?? speak")
    assert "the game master declares fiat" in typed("? fiat", status=2)
    assert "no act begins with 'how'" in typed("? how", status=2)


def called_at(typed: Typed, line: str) -> str:
    """Return what is told of a line, whatever status it ends with."""
    try:
        return typed(line)
    except AssertionError:
        return typed(line, status=2)


def test_spells(fight: Path, typed: Typed) -> None:
    """By the beginning of any word of the name, at somebody or at a square; what is unclear is told."""
    typed("b", "e")
    assert "Ysolde casts scorching ray at Gharm" in typed("c sc gharm")
    assert "Ysolde casts burning hands" in typed("u", "c burn 1,2")
    assert "begins 2 spells: scorching ray, ray of frost" in typed("u", "c ra g", status=2)
    assert "there is no spell 'wish' on the sheet: scorching ray" in typed("c wish g", status=2)
    assert "which spell? scorching ray, burning hands, ray of frost" in typed("c", status=2)


def test_a_ruling_settles_the_last_outcome(fight: Path, typed: Typed) -> None:
    """In a word: a modifier, a hit or a miss; what changes is told, and it is the main line."""
    typed("b", "m 4,1", "a gharm 6 5")
    told = typed("rule cover +4")
    assert "cover +4 (gharm.defense+4:cover)" in " ".join(told.split())
    assert "main line from now on" in told
    assert "37/37" in typed("show")
    told = typed("rule hit")
    assert "hit" in told
    assert "28/37" in typed("show")
    assert "hits: " in typed("odds")
    assert "Defense of " in typed("w")
    assert typed("rule", status=2).startswith("affray: incomplete ruling")
    assert "Who wins" in typed("odds win --runs 2")
    with SqliteStore(fight, readonly=True) as store:
        assert verify(store).ok


def test_a_ruling_without_an_event_holds_from_now_on(fight: Path, typed: Typed) -> None:
    """Hit points, a condition, a place and an initiative: nothing is decided again, and `u` takes it back."""
    typed("b", "m 4,1", "a gharm 6 5")
    before = typed("branches").count("\n")
    assert "Gharm has 9 hit points from now on" in typed("rule gharm.hp=9")
    assert "Gharm 9 -> 7" in typed("rule gharm.hp-2")
    assert "Skit is prone" in typed("rule snik+pro")
    assert "Skit is at 2,2 now" in typed("rule snik.at=2,2 snik-prone")
    assert typed("branches").count("\n") == before
    assert "took back" in typed("u")
    assert "refused: snik is prone already" in typed("rule snik+prone", status=1)
    assert "part of this applies from now on" in typed("rule snik.hp=3 hit", status=2)
    assert "change one combatant at a time: rule snik.hp=3; rule gharm.hp=4" in typed(
        "rule snik.hp=3 gharm.hp=4", status=2
    )
    with SqliteStore(fight, readonly=True) as store:
        assert verify(store).ok


def attacked_at(fight: Path) -> int:
    """Return the event of the first attack on the main line."""
    with SqliteStore(fight, readonly=True) as store:
        return next(event.seq for event in store.read(store.main_line()) if event.type == "attack.resolved")


def test_a_ruling_changes_the_past_where_an_event_is_named(fight: Path, typed: Typed) -> None:
    """A number before the change says which event it is about; the last outcome is left as it is."""
    typed("b", "m 4,1", "a gharm 6 5")
    at = attacked_at(fight)
    typed("e", "e")
    told = typed(f"rule {at} cover +4")
    assert f"on event {at} of main" in " ".join(told.split())
    assert "ruling-R1 is the main line" in told
    at = attacked_at(fight)
    assert f"on event {at} of ruling-R1" in " ".join(typed(f"rule {at} gharm.hp=20").split())
    assert "99999 is not an attack" in typed("rule 99999 hit", status=2)


def test_undo_takes_back_a_ruling_first(fight: Path, typed: Typed) -> None:
    """What was ruled for one blow is in no other, whoever strikes next."""
    typed("b", "m 4,1", "a gharm 6 5", "rule cover +4")
    assert "took back the ruling R1 by GM: cover +4" in " ".join(typed("u").split())
    assert "cover" not in typed("w")
    assert "brought back the ruling R1" in typed("redo")


def test_long_lines_break_between_words(fight: Path, typed: Typed) -> None:
    """Rulings, branches and explanations keep to the width of the prompt; in a pipe a ruling is one row."""
    typed("b", "m 4,1", "a gharm 6 5", "u", "a gharm 6 5", "rule cover +4")
    text = "the fallen stones that nobody had drawn upon the map are cover enough for whoever is behind them"
    typed(f'dispute 20 --by Anna --claim "{text}"')
    told = typed("rulings") + typed("branches") + typed("w")
    assert max(map(len, told.splitlines())) <= 80
    assert text in " ".join(told.split())
    assert text in good("rulings", fight)


def test_any_act_and_any_command(fight: Path, typed: Typed) -> None:
    """By name or its beginning, the fight left out; rules are searched; the nearest word is told."""
    typed("b", "total", "e")
    assert declared(fight) == ["begin", "total-defense", "end-turn"]
    assert "Ysolde has total defense" not in typed("verify")
    assert "srd35.flank.bonus" in typed("/ flanking")
    assert "did you mean" in typed("atack gharm", status=2)
    assert "begins several acts" in typed("d", status=2)
    assert "--thrown" in typed("attack --help")
    assert typed("h").startswith("a [TARGET]")
    assert typed("", "   ", ";") == ""
    assert typed("q", "e") == ""
    assert "no closing quotation" in typed("speak 'x", status=2).lower()


def test_the_log_need_not_be_named(fight: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is fight.db, or the only log there; of several one has to be named."""
    monkeypatch.chdir(fight.parent)
    assert called("table", input="b\n").exit_code == 0
    fight.rename("other.db")
    Path("fight.db-secrets").rename("other.db-secrets")
    assert called("table", input="e\n").exit_code == 0
    Path("more.db").write_bytes(b"")
    done = called("table", input="e\n")
    assert (done.exit_code, "found more.db, other.db" in done.stderr) == (2, True)
    assert called("table", "none.db", input="").exit_code == 2


def test_killed_it_has_lost_nothing_that_was_told(fight: Path) -> None:
    """Whatever was told of a line is in the log, though the process ends without a word."""
    words = [*PYTHON, "-m", "affray.replay.cli", "table", str(fight)]
    running = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write("b\nm 4,1\n")
    running.stdin.flush()
    for row in running.stdout:
        if "goes 5 ft. to 4,1" in row or "moves to 4,1 (" in row:
            break
    running.kill()
    running.wait()
    running.stdin.close()
    running.stdout.close()
    assert declared(fight) == ["begin", "move"]
    assert called("verify", fight).exit_code == 0
    assert called("table", fight, input="a\n").exit_code == 0
    assert declared(fight) == ["begin", "move", "attack"]


def test_combatants_are_added_in_few_words(fight: Path, typed: Typed) -> None:
    """By the sheet, how many and where: ids, side and free squares are proposed."""
    told = typed("add goblin x2", "add gob 7,0", "add wolf 0,0 0,1 pack")
    for entered in (
        "goblin of the monsters at",
        "goblin2 of the monsters at",
        "goblin3 of the monsters at 7,0",
        "wolf2 of the pack at 0,1",
    ):
        assert entered in told
    assert "there is no sheet 'ogrr' in srd35; did you mean ogre?" in typed("add ogrr", status=2)
    assert "add whom? fighter, sorcerer" in typed("add", status=2)
    assert "from 1 to 20 at once" in typed("add goblin x99", status=2)
    assert "Missing option '--side'" in typed("add --id x", status=2)


def test_words_do_what_is_expected_of_them(fight: Path, typed: Typed) -> None:
    """`map` shows the fight, `exit` leaves it, `close` asks first, and ? says how to say an act."""
    assert "1 ..B..gg." in typed("map")
    assert typed("exit", "b") == ""
    assert "ready moves gharm then attack gharm" in typed("b", "? ready")
    assert "close the fight, which ends it and reveals its dice: y close n play on" in typed("close", "n")
    assert declared(fight) == ["begin"]
    assert "The end after 1 round" in typed("close", "y")


def test_enemies_come_before_allies(fight: Path, typed: Typed) -> None:
    """In lists of targets, however near the ally is."""
    listed = typed("gharm at 3,1", "ysolde at 2,2", "b", "? trip")
    assert re.search(r"trip +1 Gharm unarmed strike, +2 Ysolde", listed), listed


def test_a_long_answer_takes_nothing_that_is_typed_ahead(fight: Path) -> None:
    """With a pager at hand, and more rows than the screen has."""
    keys = "b\rm 4,1\ra gharm 17 5\rw\r?? \re\rq\r"
    status, shown = in_terminal("table", fight, "--no-map", rows=10, input=keys, HOME=str(fight.parent))
    assert status == 0, shown
    assert "Defense of" in shown
    assert declared(fight) == ["begin", "move", "attack", "end-turn"]


def test_on_a_terminal_that_can_nothing(fight: Path) -> None:
    """Where no cursor can be moved it is a plain prompt: what is typed is carried out all the same."""
    lines = "b\rm 4,1\rq\r"
    status, _ = in_terminal(
        "table", fight, "--no-map", rows=40, input=lines, TERM="dumb", HOME=str(fight.parent)
    )
    assert status == 0
    assert declared(fight) == ["begin", "move"]
