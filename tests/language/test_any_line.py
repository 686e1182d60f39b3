"""Whatever is typed in the browser: an event, a question back, or one clear sentence."""

import re
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.fuzz.reader import NASTY_TEXTS
from tests.language.channels import put_fight
from tests.language.test_sentences import MOMENTS
from tests.serve.served import server

FEW, MANY = 150, 1_000
"""Texts for each dialect: always, and in the slow tests, which have five thousand."""

LEAKS: Final = re.compile(
    r"`\$|- at `|Object contains|Expected `|got `|Traceback|msgspec|invalid literal|NoneType|<class|"
    r"has no attribute|Invalid (enum )?value|JSON is malformed|argument|Error\b"
)
"""What only a validator or an interpreter says."""

WORDS: Final = (
    *("a", "fa", "m", "s", "c", "b", "e", "u", "w", "rule", "redo", "why", "odds", "auto", "/", "?", "h"),
    *("attack", "move", "cast", "ready", "then", "moves", "plan", "speak", "hazard", "fiat", "trip", "dash"),
    *(
        "grapple",
        "aid",
        "charge",
        "full-attack",
        "draw",
        "delay",
        "jump",
        "custom",
        "enter",
        "begin",
        "close",
    ),
    *("brannoc", "gharm", "skit", "ysolde", "imp", "vexlord", "brannoc:", "gha", "nobody", "g", "Y"),
    *("longsword", "greatclub", "fireball", "scorching ray", '"ray of frost"', "prone", "not", "hp", "at"),
    *("3,1", "4,1>5,1", "-1,0", "99999,1", "17", "5", "0", "-3", "+5", "=9", "9" * 12, "hp=4", "2d6", "1d0"),
    *("weapon=longsword", "target=gharm", "target=[1]", "path=3,1", "dc=x", "--weapon", "--path", "--thrown"),
    *("--no-thrown", "--actor", "actor=gharm", "skit.hp=5", "gharm+prone", "gharm.defense+4:cover", "hit"),
    *("miss", "with", "advantage", "die", "d5/brannoc/attack/1=20", "void", "swap", "standard:attack:gharm"),
    *("cover", "+4", "-", "=", ":", ";", ",", "'", '"', "{", "}", "[", "]", "\\", "#", "%", "{}", "null"),
    *('{"act":"attack"}', '{"act":"attack","target":5}', '{"act":"ready","then":{"act":"x"}}', '{"act":1}'),
    *('{"act":"move","path":[[1,2,3]]}', '{"act":"enter"}', '{"act":"rule"}', '{"act":"custom","fields":{}}'),
    *('{"act":"hazard","rider":{"dc":"x"}}', '{"act":"fiat","gains":"prone"}', '{"act":"srd52.dash","x":1}'),
    *('{"act":"speak","words":null}', '{"act":"srd52.cast","targets":{"a":1}}', "[[1]]", "NaN", "1e999"),
)


KNOWN: Final = tuple(line for _, said in MOMENTS.values() for line, _ in said if line != "close")


def line(dice: Random) -> str:
    """Return a known line or random words, some of them such as have broken other parsers."""
    words = dice.choice(KNOWN).split() if dice.random() < 0.5 else dice.choices(WORDS, k=dice.randint(1, 7))
    if dice.random() < 0.5:
        words[dice.randrange(len(words))] = dice.choice(WORDS if dice.random() < 0.8 else NASTY_TEXTS)
    text = " ".join(words)
    if dice.random() < 0.2:  # a slip of the finger
        at = dice.randrange(len(text) + 1)
        text = text[:at] + dice.choice(" ,.:;'\"{}[]=+-0x") + text[at + dice.randint(0, 2) :]
    return text[:2000].encode("utf-8", "replace").decode()


@pytest.mark.parametrize("dialect", ["srd35", "pf1", "srd52", "woa", "futurepath"])
@pytest.mark.parametrize("many", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_any_line_gets_a_clear_answer(dialect: str, many: int, tmp_path: Path) -> None:
    """As the game master and as a player from whom a combatant is hidden, who learns nothing of it."""
    dice = Random(f"lines {dialect} {many}")
    text = MOMENTS[dialect][0].replace("begin\n", "enter imp monsters goblin 8,3 initiative=1\nbegin\n")
    done = 0
    with server(put_fight(text, tmp_path / "fight.db")) as served:
        access = served.access
        player = access.invite("player", ("brannoc", "ysolde"), "Anna")
        access.hide("imp")
        for _ in range(many):
            guest, typed = dice.choice((served.master, player)), line(dice)
            manual, actor = dice.random() < 0.1, dice.choice(("", "", "brannoc", "gharm"))
            reply = served.post(
                guest, "/say", text=typed, actor=actor, manual=manual, sure=dice.random() < 0.5
            )
            assert reply.status in (200, 202, 400, 403, 404, 409), (typed, reply.text)
            found = reply.json
            said = found["error"]["message"] if reply.status >= 400 else found["told"]
            if reply.status < 400 and found["refused"] is not None:
                said = found["refused"]["reason"]
            assert not LEAKS.search(said), (typed, said)
            assert len(said) <= 600
            assert "\n" not in said
            assert said or reply.status < 400
            if guest is player and "imp" not in typed.casefold():
                assert "imp" not in re.findall(r"\w+", said), (typed, said)
            done += reply.status == 200
            if reply.status == 200 and found["question"] and dice.random() < 0.7:
                served.post(served.master, "/say", text=(found["question"]["options"] or ["roll"])[0])
    assert done > many / 20
