"""The story: what a game master reads of a fight."""

from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.book import dialects
from affray.engine.dialects import load
from affray.engine.table import policies
from affray.engine.table.scenario import packaged, parse_scenario, play
from affray.engine.text.narrate import SILENT, TELLERS, Cast, Line, Narrator, lines, markdown, plain
from affray.engine.text.words import dice, format_notable_modifiers
from affray.events.codec import FACTS, decode
from affray.events.facts import combat, flow
from affray.events.facts.flow import AnyAct, Rolled
from affray.events.facts.sheet import Modifier
from affray.events.facts.words import NO_WORDS
from affray.events.stores.memory import MemoryStore
from affray.projections.deeds import deed
from affray.projections.fold import apply
from affray.projections.state import Encounter
from affray.replay.text.styled import styled

DUEL = """
dialect = "srd35"
title = "A duel"
map = ["......", "......"]
combatants = [
  {id = "fighter", side = "heroes", use = "fighter", at = [0, 0], initiative = 20},
  {id = "rogue", side = "heroes", use = "fighter", at = [2, 1], initiative = 15, change = {name = "Vex, 1"}},
  {id = "goblin", side = "monsters", use = "goblin", at = [1, 0], initiative = 10},
]
"""


def facts_of(text: str) -> list[Any]:
    """Return the facts of a scripted duel."""
    store = MemoryStore()
    play(parse_scenario(DUEL + text), store, answers=policies.by_combatant())
    return [decode(event) for event in store.read("main")]


def story(text: str) -> str:
    """Return the story of a scripted duel as one long line."""
    return " ".join(" ".join(lines(facts_of(text))).split())


def test_attack_reads_like_a_table() -> None:
    """An attack is told with its die, its sum, what it had to reach, the damage and what is left."""
    told = story(
        """
[[script]]
do = {act = "attack", actor = "fighter", target = "goblin"}
dice = {attack = 9, damage = 8}
"""
    )
    assert "Brannoc attacks Skit" in told
    assert "longsword: d20 9 + 10 = 19 vs AC 14: hit" in told
    assert "flat-footed: Dexterity bonus denied" in told
    assert "Skit takes 1d8+3 (8) = 11 slashing; Skit 11 -> 0, disabled" in told


def test_critical_hit_is_confirmed() -> None:
    """A threat shows both rolls, and the multiplied dice."""
    told = story(
        """
[[script]]
do = {act = "attack", actor = "fighter", target = "goblin"}
dice = {attack = 20, confirm = 15, damage = [3, 4]}
"""
    )
    assert "hit, a critical threat (a natural 20 always hits)" in told
    assert "to confirm: d20 15 + 10 = 25 vs 14: a critical hit" in told
    assert (
        "2 x (1d8+3) (3, 4) = 13 slashing; Skit 11 -> -2, dying, drops the morningstar, falls prone" in told
    )


def test_interruptions_are_indented() -> None:
    """An attack of opportunity stands under the opening that gave it, deeper than the act."""
    rows = list(
        lines(
            facts_of(
                """
[[script]]
do = {act = "move", actor = "fighter", path = [[0, 1]]}
[[script]]
do = {act = "end-turn", actor = "fighter"}
[[script]]
do = {act = "end-turn", actor = "rogue"}
[[script]]
do = {act = "move", actor = "goblin", path = [[1, 1]]}
dice = {"aoo:fighter/attack" = 2, "aoo:rogue/attack" = 3}
"""
            )
        )
    )
    opening = next(row for row in rows if "provokes from Brannoc, who attacks" in row)
    strike = next(row for row in rows if row.strip().startswith("Brannoc, longsword at Skit: d20 2"))
    assert opening.index("Skit") == 4
    assert strike.index("Brannoc") == 8


def test_every_act_is_said() -> None:
    """Each declaration has a sentence of its own, or an outcome that says it all."""
    cast = Cast()
    for act in AnyAct.__args__:
        said = deed(act(actor="ogre"), cast)
        assert said == "" or said.startswith(("ogre", cast.name("")))
        assert act.__struct_config__.tag + ":" not in said


def test_refusal_names_reason_and_rule() -> None:
    """A refused declaration is told with the rule that forbids it, by its title too if the book is there."""
    facts = facts_of('[[script]]\ndo = {act = "attack", actor = "rogue", target = "goblin"}\n')
    rows = " ".join(line.text for line in Narrator(book=load("srd35").book).tell(facts))
    refused = next(fact for fact in facts if isinstance(fact, flow.Refused))
    assert f"({refused.rule}, {load('srd35').book[refused.rule].title})" in rows


def test_people_of_one_name_go_by_their_ids() -> None:
    """Two combatants with one name are told apart."""
    text = DUEL.replace('change = {name = "Vex, 1"}', "change = {}")
    store = MemoryStore()
    play(parse_scenario(text), store)
    told = "\n".join(lines(decode(event) for event in store.read("main")))
    assert "Order: fighter, rogue, Skit" in told


@pytest.mark.parametrize("dialect", dialects())
def test_every_dialect_fits_the_terminal(dialect: str) -> None:
    """A whole packaged fight is told within 80 plain columns, without a fact that has no words."""
    store = MemoryStore()
    play(packaged(f"demo_{dialect}"), store)
    rows = list(lines(decode(event) for event in store.read("main")))
    assert max(map(len, rows)) <= 80
    assert all(row.isascii() and row == row.rstrip() for row in rows)
    assert any(row.startswith("Round 1") for row in rows)


def test_every_fact_is_told_or_left_out_on_purpose() -> None:
    """A new fact has to be given words, or be named among those that need none."""
    covered = {*TELLERS, *SILENT, Rolled, flow.Refused}
    assert {fact for fact in FACTS if fact not in covered} == set()


def test_telling_in_pieces_is_telling_at_once() -> None:
    """A fight told declaration by declaration loses nothing against one told in a piece."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    facts = [decode(event) for event in store.read("main")]
    whole = [line.text for line in Narrator().tell(facts)]
    narrator, pieces, start = Narrator(), [], 0
    marks = [place for place, fact in enumerate(facts) if isinstance(fact, flow.Declared)]
    for end in (*marks[1:], len(facts)):
        pieces += [line.text for line in narrator.tell(facts[start:end])]
        start = end
    assert sorted(pieces) == sorted(whole)


def test_unheard_roll_is_told() -> None:
    """A roll that no outcome speaks of stands on a line of its own."""
    roll = Rolled("d1/ogre/roll-off/1", "ogre", "1d20", (7,), 7, "seeded", "x")
    state = Encounter()
    entered = next(fact for fact in facts_of("") if type(fact) is flow.CombatantEntered)
    apply(state, replace(entered, id="ogre", sheet=replace(entered.sheet, name="ogre")))
    told = [line.text for line in Narrator(state).tell([roll, flow.OrderSet(order=("ogre",))])]
    assert told == ["ogre, roll-off: d20 7", "Order: ogre"]


def test_dice_in_words() -> None:
    """One die is called out, several are listed with dropped ones marked, unusual origins are named."""
    assert dice(Rolled("k", "a", "1d20", (14,), 14, "seeded", "")) == "d20 14"
    assert dice(Rolled("k", "a", "1d20", (14,), 14, "physical", "")) == "d20 14 physical"
    assert (
        dice(Rolled("k", "a", "2d20kh1", (14, 3), 14, "scripted", "", (1,))) == "2d20kh1 (14, 3 dropped) = 14"
    )


def test_notable_modifiers() -> None:
    """The situation is named, the sheet goes without saying, a denial keeps its reason without the id."""
    parts = (
        Modifier(5, "base", "base attack bonus", "r"),
        Modifier(2, "flanking", "flanking with rogue", "r"),
        Modifier(1, "ability", "Dexterity", "r", "flat-footed: Dexterity bonus denied (srd35.flat-footed)"),
        Modifier(1, "morale", "bless", "r", "overruled by heroism +2 (same type: morale)"),
    )
    assert format_notable_modifiers(parts, NO_WORDS) == [
        "+2 flanking with rogue",
        "flat-footed: Dexterity bonus denied",
    ]


def test_markdown_nests() -> None:
    """The report has headings, nested lists and maps that keep their shape."""
    rows = list(
        markdown(
            [
                Line("round", "Round 1"),
                Line("act", "A attacks B"),
                Line("hit", "d20 *1*"),
                Line("map", "0 A."),
            ]
        )
    )
    assert rows == [
        "## Round 1",
        "",
        "- **A attacks B**",
        "  - d20 \\*1\\*",
        "",
        "```text",
        "0 A.",
        "```",
        "",
    ]


def test_texts_do_not_steer_the_terminal() -> None:
    """Control characters in what people wrote do not reach the terminal."""
    line = Line("ruling", "no \x1b[2Jscreen\x07 today", 0)
    assert list(plain(line)) == ["    no ?[2Jscreen? today"]


def test_colour_only_where_asked() -> None:
    """Colour is the same rows with escapes around them."""
    line = Line("hurt", "B takes 1d8 (3) = 3 slashing; B 4 -> 1")
    assert [row for row in styled(line)] != list(plain(line))
    assert "\x1b[31m" in "".join(styled(line))


def test_losing_hit_points_without_a_blow() -> None:
    """Bleeding is told with its reason."""
    facts = facts_of("")
    change = combat.HitPointsChanged(who="goblin", hp=10, nonlethal=0, temporary=0, change=-1, why="bleeding")
    assert "Skit 11 -> 10 (bleeding)" in " ".join(lines([*facts, change]))


def test_big_maps_are_cut() -> None:
    """Of a map larger than a screen only the part with the fight is drawn, with its coordinates."""
    text = DUEL.replace('map = ["......", "......"]', f"map = {['.' * 150] * 120}")
    text = text.replace("at = [1, 0]", "at = [101, 60]").replace("at = [2, 1]", "at = [102, 61]")
    text = text.replace("at = [0, 0]", "at = [100, 60]")
    store = MemoryStore()
    play(parse_scenario(text), store)
    rows = list(lines(decode(event) for event in store.read("main")))
    assert max(map(len, rows)) <= 80
    assert len(rows) < 80
    row = next(row for row in rows if row.strip().startswith("60 "))
    assert "Bs" in row
