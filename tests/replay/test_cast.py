"""Names in place of ids: what is a word, which goes first, and how long it takes among a crowd."""

import ast
import random
import re
from collections import Counter
from pathlib import Path

from msgspec.structs import replace

from affray.engine.language.cast import PLAIN_WORDS, Cast
from affray.engine.text.narrate import told
from affray.events.facts import acts, combat, flow
from affray.events.facts.base import LONGEST_NAME, MOST_COMBATANTS
from affray.projections.sentence import sentence
from tests.timing import seconds

dice = random.Random("cast")


def cast_of(*ids: str) -> Cast:
    """Return a cast of combatants called after their place."""
    cast = Cast()
    for number, id in enumerate(ids):
        cast.enter(id, "side", f"Name{number}")
    return cast


def test_ids_are_words_and_the_longest_goes_first() -> None:
    """An id inside another word, or shorter than three letters, stays what it is."""
    cast = cast_of("ogre", "ogre-chief", "ab", "b c d")
    assert cast.prose("ogre-chief hits ogre, ogres and ab") == "Name1 hits Name0, ogres and ab"
    assert cast.prose("a b c d e, xogre, ogre2, (ogre)") == "a Name3 e, xogre, ogre2, (Name0)"


def test_it_is_what_one_pattern_of_all_ids_finds() -> None:
    """Over random ids and texts, overlapping ones and such as begin with no letter."""
    changed = 0
    for _ in range(3000):
        letters = dice.choice(("ab-_ ", "aé<>.", "og 1-#", "aA_ß"))
        made = ("".join(dice.choices(letters, k=dice.randrange(1, 6))) for _ in range(dice.randrange(6)))
        ids = list(dict.fromkeys(made))
        text = "".join(dice.choices([*letters, *ids], k=dice.randrange(14)))
        cast = cast_of(*ids)
        long = sorted((id for id in ids if len(id) > 2), key=len, reverse=True)
        pattern = re.compile(rf"\b({'|'.join(map(re.escape, long))})\b") if long else None
        wanted = pattern.sub(lambda found, cast=cast: cast.name(found[1]), text) if pattern else text
        assert cast.prose(text) == wanted, (ids, text)
        changed += wanted != text
    assert changed > 100


def test_a_crowd_with_long_names_takes_no_time() -> None:
    """A fight full of the longest ids, each told of as it enters: one pattern of all took seconds."""

    def crowd() -> None:
        cast = Cast()
        for number in range(MOST_COMBATANTS):
            id = f"n{number}".ljust(LONGEST_NAME, "x")
            cast.enter(id, "side", f"Name {number}")
            assert cast.prose(f"{id} enters") == f"Name {number} enters"

    assert seconds(crowd, 1) < 1


def test_no_id_takes_the_place_of_a_word_of_the_rules() -> None:
    """Who is called like a word of a sentence stands where an id stands, and in what the rules tell of it."""
    cast = cast_of("goes", "hit", "armor class")
    moved = cast.saying(
        combat.Moved(who="goes", start=(0, 0), path=((1, 0),), feet=5, diagonals=0, how="hit", cites=())
    )
    assert (moved.who, moved.how) == ("Name0", "hit")
    assert sentence(moved) == "Name0 goes from 0,0 to 1,0, 5 ft. (hit)"
    closed = flow.EncounterClosed(reason="hit the road", standing=("hit",), seed="hit", cites=())
    told = cast.saying(closed)
    assert (told.reason, told.standing, told.seed) == ("hit the road", ("Name1",), "hit")
    act = acts.Attack(actor="hit", target="armor class", weapon="fist")
    assert cast.saying(act) == acts.Attack(actor="Name1", target="Name2", weapon="fist")
    made = cast.saying(flow.Declared(id="hit", act=act))
    assert (made.id, made.act.target) == ("hit", "Name2")


def test_an_id_that_is_a_word_of_sentences_stays_in_a_text() -> None:
    """The rules mean the word more often: no attack of opportunity becomes one of a combatant's name."""
    cast = cast_of("attack", "round", "Turn", "orc")
    assert cast.prose("orc has no attack left this round") == "Name3 has no attack left this round"
    assert cast.prose("the end of the Turn") == "the end of the Turn"
    assert [cast.name(id) for id in ("attack", "round", "Turn")] == ["Name0", "Name1", "Name2"]


def test_a_sentence_begins_with_a_capital_or_with_a_name_as_it_is_spelled() -> None:
    """Of rolls as of all other events."""
    cast = Cast()
    for id in ("orc1", "orc2"):
        cast.enter(id, "monsters", "Orc")
    cast.enter("dragon", "monsters", "smaug")
    rolled = flow.Rolled(
        who="orc2",
        key="d1/orc2/morale/1",
        notation="2d6",
        faces=(2, 3),
        total=5,
        provenance="seeded",
        algorithm="",
    )
    assert told(rolled, cast) == "orc2 rolls 2d6 for morale: 2, 3 = 5"
    assert told(replace(rolled, who="dragon"), cast).startswith("smaug rolls")
    assert told(replace(rolled, who=""), cast).startswith("The game master rolls")
    assert cast.capital("orc1's turn") == "orc1's turn"
    assert cast.capital("orc12 is new") == "Orc12 is new"


EXEMPT = {"aoo", "exterity", "futurepath", "package", "peed", "swarm"}
"""Parts of keys and of words, names, and an id that is usual."""


def test_the_frequent_words_of_the_rules_are_plain_words() -> None:
    """Those of three letters or more in ten texts of the rules with a value in them."""
    root = Path(__file__).parents[2]
    counts = Counter[str]()
    parts = ("dialects", "fight", "kernel", "rules", "table")
    for file in (one for part in parts for one in (root / "engine" / part).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            values = node.values if isinstance(node, ast.JoinedStr) else ()
            for text in (one.value for one in values if isinstance(one, ast.Constant)):
                counts.update(re.findall(r"[a-z][a-z-]{2,}", str(text)))
    frequent = {word for word, count in counts.items() if count >= 10}
    assert frequent - PLAIN_WORDS - EXEMPT == set()


def test_titles_that_people_gave_stay_as_they_are() -> None:
    """A fight, a side and a sheet that are called like somebody keep their names where they are told of."""
    cast = Cast()
    cast.enter("ogre", "goblin", "Gharm")
    cast.enter("goblin", "goblin", "Snik")
    opened = cast.saying(
        flow.EncounterOpened(
            name="The ogre at the wall",
            dialect="srd35",
            options={},
            terrain={},
            commitment="x",
            algorithm="y",
            engine="z",
            catalogue="c",
            cites=(),
        )
    )
    assert sentence(opened) == "the encounter 'The ogre at the wall' opens under srd35"
    assert cast.saying(flow.EncounterDecided(side="goblin", standing=("ogre",), cites=())).side == "goblin"
    assert cast.saying(
        combat.SideChanged(who="ogre", side="goblin", why="ogre", cites=())
    ) == combat.SideChanged(who="Gharm", side="goblin", why="Gharm", cites=())
