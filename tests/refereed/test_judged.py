"""Each check finds what it is there for, by the rule it cites, and leaves alone what a log does not say."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.events.errors import AffrayError
from affray.replay.referee.formats import READERS, format_of
from affray.replay.referee.judge import CHECKS, judge_text

WRONG: list[tuple[str, str, list[tuple[int, str, str]]]] = [
    ("1d20+8+2 => (16)+8+2 = 25", "srd35", [(1, "sum", "arithmetic")]),
    ("Gharm attacks Ysolde: hit (12 + 15 = 28)", "srd35", [(1, "sum", "arithmetic")]),
    ("1d20+8+2 => (16)+8+2 = 26 vs AC 27: hit", "srd35", [(1, "hit", "srd35.attack.roll")]),
    ("1d20+8 ⇒ (16) + 8 = 24 vs AC 17, miss", "pf1", [(1, "miss", "pf1.attack.hit-test")]),
    ("Gharm misses Skit (d20 20 + 4 = 24 vs AC 32)", "woa", [(1, "natural 20", "woa.attack.natural-20")]),
    ("Gharm hits Skit (1 + 30 = 31)", "futurepath", [(1, "natural 1", "futurepath.attack.natural-1")]),
    ("Gharm hits Skit (1 + 30 = 31)", "pf1", [(1, "natural 1", "pf1.attack.natural-1")]),
    (
        "To hit: 1d20+8 => (20)+8 = 28, critical hit!\nDamage: 2d8+8 => (3,8)+8 = 19",
        "srd35",
        [(1, "confirmation", "srd35.crit.confirm")],
    ),
    (
        "Attack: 1d20+8 => (20)+8 = 28 vs AC 17: critical hit\nConfirm: 1d20+8 => (3)+8 = 11",
        "pf1",
        [(2, "critical", "pf1.crit.confirm")],
    ),
    ("Confirm: 1d20+3 => (2)+3 = 5 vs AC 17: confirmed", "srd35", [(1, "critical", "srd35.crit.confirm")]),
    ("Confirm: 1d20+3 => (20)+3 = 23, not confirmed", "woa", [(1, "critical", "woa.crit.confirm")]),
    ("4d6kh3 (4, 4, ~~6~~, 3) = `11`", "srd35", [(1, "kept", "notation")]),
    ("2d6! (6, 3) = `9`", "srd35", [(1, "exploded", "notation")]),
    ("3d8rr<2 (1, 5, 6) = `12`", "srd35", [(1, "rerolled", "notation")]),
    ("2d6+3 => (4, 5, 1)+3 = 13", "srd35", [(1, "count", "notation")]),
    ("1d12+3 => (17)+3 = 20", "srd35", [(1, "face", "notation")]),
    ("1d12+3 => (0)+3 = 3", "srd35", [(1, "face", "notation")]),
    ("1d20+5 = 31", "srd35", [(1, "reach", "notation")]),
    ("1d20+8 ⇒ (14)+9 = 23", "srd35", [(1, "modifier", "notation")]),
    ("1d20 + 8 ⇒ (14) + 8 = 22 natural 20!", "srd35", [(1, "natural", "notation")]),
    ("Will save DC 15: 1d20+4 => (20)+4 = 24 fails", "srd35", [(1, "natural 20", "srd35.save.naturals")]),
    ("Will save: 1d20+4 => (8)+4 = 12 vs DC 15: success", "pf1", [(1, "save", "pf1.save.roll")]),
    ("Climb check: 1d20+4 => (8)+4 = 12 vs DC 15: success", "srd35", [(1, "check", "stated")]),
    ("Ysolde takes 27 damage, HP 30 -> 5", "srd35", [(1, "hit points", "srd35.hp.thresholds")]),
    ("half of 27 = 14", "srd35", [(1, "half", "srd35.math.round-down")]),
    ("half of 27 = 15", "pf1", [(1, "half", "arithmetic")]),
    ("Gharm hits for -2 damage", "srd35", [(1, "minimum", "srd35.damage.minimum")]),
    ("Gharm hits for -2 damage", "woa", [(1, "minimum", "woa.damage.minimum-1")]),
    ("Gharm hits Skit (12 + 7 = 19) for 8 damage (5 + 4 = 9)", "srd35", [(1, "told", "arithmetic")]),
    ("Claw: 1d20 + 6 ⇒ (3) + 6 = 82d8 + 3 ⇒ (7, 1) + 3 = 11", "pf1", [(1, "sum", "arithmetic")]),
    ("Damage: 2d8+7 (5, 2) = 15", "srd35", [(1, "sum", "arithmetic")]),
    ("Damage: 2 x (1d8+1) (6, 1) = 10", "srd35", [(1, "sum", "arithmetic")]),
    ("(1d20+6) [30] + 6 = 36 vs Goblin #1", "srd35", [(1, "face", "notation")]),
    ("(1d20+8)[16](25)", "srd35", [(1, "sum", "arithmetic")]),
    ("Bob rolled 25 using 1d20+8 with rolls of 16.", "srd35", [(1, "sum", "arithmetic")]),
    (
        "**To Hit**: 1d20 (**20**) + 5 = `25`\n**Miss!**",
        "srd35",
        [(1, "natural 20", "srd35.attack.natural-20")],
    ),
    ("rolling 2d6+3\n(\n4\n+\n5\n)\n+3\n= 13", "srd35", [(1, "sum", "arithmetic")]),
    (
        "[11/27/2026, 7:30:12 PM] Gharm\nClub attack vs AC 15: miss\n1d20 + 8 = 16 + 8 = 24\n-----------",
        "srd35",
        [(3, "miss", "srd35.attack.roll")],
    ),
]

RIGHT = [
    # What a log does not say.
    "Gharm attacks Ysolde: hit (12 + 13 = 25)\nGharm attacks Ysolde: miss (14 + 13 = 27)",
    "Does a 12 hit AC 17? Attack: 1d20+2 => (10)+2 = 12 hit?",
    "Attack: 1d20+2 => (10)+2 = 12 vs AC 17, hit if flanking",
    "Attack: 1d20+2 => (10)+2 = 12, hits AC 12",
    "Attack: 1d20+8 => (16)+8 = 24 vs AC 17: miss (concealment 15%)",
    "Attack: 1d20+8 => (16)+8 = 24 vs AC 17: miss\nIt is displaced, alas.",
    "Attack: 1d20+2 => (10)+2 = 12 +2 flanking vs AC 14: hit",
    "Attack: 1d20+2 => (10)+2 = 12 + 2 = 14 vs AC 14: hit",
    "Attack: 1d20+2 = 14 + 2 = 16",
    "Attack: 1d20+8 = 25 + 2 = 27",
    "Attack: 1d20+8 ⇒ (16) + 8 + 2 = 26",
    "Perception check: 1d20+4 => (1)+4 = 5 vs DC 5: success",
    "Perception check: 1d20+4 => (20)+4 = 24 vs DC 30: failure",
    "CMB: 1d20+4 => (20)+4 = 24 vs CMD 30: failure",
    "Crit damage if confirmed: 1d8+4 => (3)+4 = 7",
    "Attack: 1d20+8 => (20)+8 = 28, critical threat",
    "Attack: 1d20+8 => (20)+8 = 28, critical hit!\nConfirm: 1d20+8 => (15)+8 = 23",
    "Coup de grace: 1d20+8 => (20)+8 = 28, critical hit!",
    "Damage: 1d4-3 => (1)-3 = 1",
    "Ysolde takes 27 damage, HP 20 -> 0",
    "Ysolde takes 27 fire damage (resist 10), HP 30 -> 13",
    "goblin 4 -3 -> -4",
    "HP: 30 - 27 = 3/30",
    "On 12/40 = 30% of the days, 2-3 = few",
    "half of 27 = 13",
    "half of 1 = 1",
    "Ability: 4d6dl1 (4, 4, 6, ~~3~~) = `14`",
    "Ability: 4d6kh3 => (4, 4, 6, 3) = 14",
    "Fate: 3d6! (6, 2, 3, 1) = `12`",
    "Successes: 5d6>4 (5, 6, 1, 2, 3) = 2",
    "Sneak: 1d8 + 2d6[fire] − 1 ⇒ (4) + (3, 5) − 1 = 11",
    "Claw: 1d20 + 6 ⇒ (3) + 6 = 92d8 + 3 ⇒ (7, 1) + 3 = 11",
    "2d20kh1 (**20**, ~~4~~) + 5 = `25`",
    "1d20 (~~4~~, 16) + 5 = `21`",
    "Double: (1d8+4)*2 => ((3)+4)*2 = 14",
    "Rats takes 2d4 (2, 4) = 3 fire, 1 more (half on a successful save)",
    "Brannoc takes 2d8+7 (7, 2) = 8 bludgeoning (one part in 2)",
    "Acrobat takes 1d6+1d4[fire] (3, 4) = 1 fire (superior success)",
    "Acrobat takes 1d6+1d4[fire] (3, 4) = 10 fire (catastrophic failure)",
    "Grenadier takes 1d6+1d4[fire] (1, 4) = 5",
    "Attack: 1d20-8 => (16)-8 = 8 vs AC -2: hit",
    "Half: (2d6+1)/2 => ((3,5)+1)/2 = 4",
    "1d20+5 = 17",
    "meet at 7:30, 2d6 goblins, 50% chance = luck",
]


@pytest.mark.parametrize(("text", "dialect", "wanted"), WRONG, ids=[one[0][:50] for one in WRONG])
def test_an_error_is_found_by_its_rule(text: str, dialect: str, wanted: list[tuple[int, str, str]]) -> None:
    """Line, check and rule of every finding."""
    judged = judge_text(text, dialect)
    assert [(one.line, one.check, one.rule) for one in judged.findings] == wanted
    assert {one.check for one in judged.findings} <= {*CHECKS}
    assert judge_text(text, dialect, without=frozenset(one[1] for one in wanted)).findings == ()


def test_every_check_is_shown_to_find_something() -> None:
    """No check is listed of which nobody has seen a finding."""
    found = {check for _, _, wanted in WRONG for _, check, _ in wanted} | {"natural 20", "dice"}
    assert found == {*CHECKS}


@pytest.mark.parametrize("text", RIGHT)
@pytest.mark.parametrize("dialect", ["srd35", "woa"])
def test_nothing_is_held_against_what_is_not_said(text: str, dialect: str) -> None:
    """Lines in which nothing is certainly wrong have no finding."""
    assert judge_text(text, dialect).findings == ()


def test_a_confirmation_in_another_post_counts() -> None:
    """A game master rolls for a player, or the player later, before the next attack."""
    text = (
        "| Gharm |\nAttack: 1d20+8 => (20)+8 = 28, critical hit!\n\n| GM |\n"
        "Confirm for Gharm: 1d20+8 => (15)+8 = 23\n\n| Gharm |\nAttack: 1d20+8 => (2)+8 = 10, miss\n"
    )
    assert judge_text(text).findings == ()
    assert [one.check for one in judge_text(text.replace("Confirm for Gharm", "Spot")).findings] == [
        "confirmation"
    ]


def test_in_woa_armor_may_differ_at_the_confirmation() -> None:
    """Where a rule makes the Armor Class another one for it, only the number with the roll itself counts."""
    text = "Attack: 1d20+8 => (20)+8 = 28 vs AC 17: critical hit\nConfirm: 1d20+8 => (3)+8 = 11"
    assert judge_text(text, "woa").findings == ()
    assert [one.check for one in judge_text(text + " vs AC 18", "woa").findings] == ["critical"]


def roll(**changes: object) -> dict[str, object]:
    """Return a roll as Foundry keeps it."""
    die = {
        "class": "Die",
        "number": 1,
        "faces": 20,
        "modifiers": [],
        "results": [{"result": 15, "active": True}],
    }
    terms = [die, {"class": "OperatorTerm", "operator": "+"}, {"class": "NumericTerm", "number": 5}]
    return {"class": "Roll", "formula": "1d20 + 5", "terms": terms, "total": 20, "evaluated": True, **changes}


def test_foundry_messages() -> None:
    """Rolls as objects or as text, in an array or line by line; other dice than the formula's are found."""
    message = {"speaker": {"alias": "Brannoc"}, "flavor": "Club attack vs AC 25: hit", "content": "20"}
    lines = [
        json.dumps({**message, "rolls": [json.dumps(roll())]}),
        json.dumps({**message, "rolls": [roll(total=21)]}),
    ]
    for text in ("\n".join(lines), "[\n" + ",\n".join(lines) + "\n]"):
        judged = judge_text(text)
        first = 1 if text.startswith("{") else 2
        assert judged.format == "foundry"
        assert [(one.line, one.check, one.who) for one in judged.findings] == [
            (first, "hit", "Brannoc"),
            (first + 1, "hit", "Brannoc"),
            (first + 1, "sum", "Brannoc"),
        ]
    other = json.dumps({"speaker": {"alias": "B"}, "rolls": [roll(formula="1d12 + 5")]})
    assert [one.check for one in judge_text(other).findings] == ["dice"]
    unknown = json.dumps({"speaker": {"alias": "B"}, "rolls": [roll(terms=[{"class": "PoolTerm"}])]})
    assert "PoolTerm" in judge_text(unknown).unread[0].reason


def test_roll20_messages() -> None:
    """Results of rolls, rolls within templates, and counts of successes, which are not read."""
    rolls = [
        {"type": "R", "dice": 1, "sides": 20, "mods": {}, "results": [{"v": 15}]},
        {"type": "M", "expr": "+5"},
    ]
    result = {"type": "V", "rolls": rolls, "resultType": "sum", "total": 21}
    message = {"who": "Brannoc", "type": "rollresult", "content": json.dumps(result)}
    inline = {
        "who": "Brannoc",
        "type": "general",
        "content": "{{name=Club}} {{attack=$[[0]] vs AC 30: hit}}",
        "inlinerolls": [{"expression": "1d20+5", "results": {**result, "total": 20}}],
    }
    judged = judge_text(json.dumps([message, inline]))
    assert judged.format == "roll20"
    assert {one.check for one in judged.findings} == {"sum", "hit"}
    counted = {**message, "content": json.dumps({**result, "resultType": "success"})}
    assert "successes" in judge_text(json.dumps([counted])).unread[0].reason


def test_broken_json_is_refused_by_name() -> None:
    """What begins as an export and is none."""
    with pytest.raises(AffrayError, match="not JSON of chat messages"):
        judge_text('{"who": "Brannoc", ')


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("1d20+8 => (16)+8 = 24", "pbp"),
        ("**To Hit**: 1d20 (16) + 8 = `24`", "avrae"),
        ("[11/27/2026, 7:30:12 PM] Gharm\n1d20 = 4 = 4", "foundry"),
        ("rolling 1d20+8\n(16)+8\n= 24", "roll20"),
        ("Gharm attacks Ysolde: hit (12 + 15 = 27)", "plain"),
        ("It rained.", "plain"),
    ],
)
def test_the_format_is_found(text: str, format: str) -> None:
    """By what only one of them writes."""
    assert format_of(text) == format


PIECES = st.sampled_from(
    [
        *(
            " ",
            "\n",
            "1d20",
            "+8",
            "-",
            "=>",
            "⇒",
            "(16)",
            "(4, 4, ~~3~~)",
            "=",
            "24",
            "**",
            "`",
            "[",
            "]",
            "(",
            ")",
        ),
        *(
            "hit",
            "Miss!",
            "vs AC 17",
            "d",
            "4d6kh3",
            "2d6!",
            "critical hit",
            "Confirm:",
            "HP 30 -> 3",
            "27 damage",
        ),
        *(
            "rolling 2d6",
            "Gharm attacks Skit:",
            "half of 27 = 13",
            ":",
            "{",
            '"',
            "<div>",
            "title='",
            "0",
            "99999999999",
        ),
        *(
            "d0",
            "0d6",
            "1d0",
            "/",
            "x",
            "!",
            ",",
            "|",
            "Gharm |",
            "[1/2/2026, 3:04] x",
            "-----",
            "=" * 4,
            "total",
        ),
    ]
)


@settings(max_examples=40, deadline=None)
@given(
    st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)), st.sampled_from([*READERS])
)
def test_any_text_is_read_and_no_line_is_lost(text: str, format: str) -> None:
    """No text raises an error and every line counts as something; only a binary file has NUL characters."""
    text = text.replace("\r", "").replace("\0", "")
    if text.lstrip()[:1] in ("{", "["):
        text = "." + text
    read = READERS[format](text)
    lines = {one.line for one in read.claims} | {one.line for one in read.amounts}
    lines |= {one.line for one in read.unread}
    assert len(lines) + read.blank + read.prose + read.endings == read.lines
    judge_text(text, "woa", format)


@settings(max_examples=20, deadline=None)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=6,
    )
)
def test_any_json_is_read(value: object) -> None:
    """Messages of any content are read, or told as not read."""
    for key in ("content", "rolls", "inlinerolls", "speaker", "flavor", "who", "type"):
        text = json.dumps([{"content": "1d20 = 4", "rolls": [roll()], key: value}])
        for format in ("foundry", "roll20", "auto"):
            judge_text(text, "srd35", format)
    term = {"class": "Die", "number": 1, "faces": 20, "results": value}
    judge_text(json.dumps([{"rolls": [roll(terms=[term])], "content": ""}]))


def test_long_lines_and_deep_brackets_are_read() -> None:
    """A line of thousands of characters is read, and parentheses as deep as anybody writes them."""
    deep = "(" * 1000 + "1d20" + ")" * 1000 + " = 4"
    assert judge_text(deep).rolls <= 1
    assert judge_text("1d20+" * 900 + "1 = 4").lines == 1


@pytest.mark.parametrize("modifiers", ["r" * 50, "!" * 50, "sd" * 30, "kh" * 30, "df" * 30])
def test_signs_behind_dice_are_read_one_way(modifiers: str) -> None:
    """Signs that could be parted in many ways (rr, or r and r) are never tried in all of them."""
    assert judge_text(f"1d20{modifiers}z = 5").lines == 1


def test_failures_are_still_read_behind_dice() -> None:
    """`df` subtracts failures: its d is none that drops dice."""
    assert judge_text("5d10df>3 (1, 2, 3, 4, 5) = 9").findings == ()


@pytest.mark.parametrize("text", ["1d20 (5) {} = 5", "1d20{} = 5d6", "1d20 + 1{} = 5"])
@pytest.mark.parametrize("sign", ["*", "/"])
def test_numbers_beyond_reckoning_are_no_finding(text: str, sign: str) -> None:
    """What a thousand factors come to is not known, nor told."""
    assert not [
        one for one in judge_text(text.format(f"{sign}999999999" * 600)).findings if one.check == "sum"
    ]


def test_a_number_of_no_character_is_read() -> None:
    """HTML may name a character by a number of thousands of digits."""
    digits = "9" * 5000
    assert judge_text(json.dumps([{"content": f"&#{digits};", "flavor": f"&#{digits} <b>"}])).rolls == 0


def test_a_finding_quotes_as_much_as_is_read() -> None:
    """Of a roll with a thousand dice each wrong face is a finding, but not each with the whole roll."""
    found = judge_text(f"1000d6 ({', '.join('9' * 1000)}) = 9000").findings
    assert len(found) > 900
    assert max(len(one.quote) for one in found) < 400


def test_words_of_a_message_stand_with_each_of_its_rolls() -> None:
    """However many rolls a message has, what is said of all of them is read with each."""
    message = {
        "speaker": {"alias": "A"},
        "flavor": "Attack vs AC 30",
        "content": "hit",
        "rolls": [roll()] * 40,
    }
    assert judge_text(json.dumps(message)).judged == 40


def test_roll20_names_a_roll_as_often_as_it_likes() -> None:
    """A line that names one long roll a thousand times is read as far as any line."""
    inline = {"results": {"rolls": [{"type": "M", "expr": "1" + "+1" * 4000}], "total": 4001}}
    message = {"who": "A", "content": "$[[0]] " * 1000, "inlinerolls": [inline]}
    assert judge_text(json.dumps([message])).format == "roll20"


def test_an_excuse_reaches_as_far_among_many() -> None:
    """A word of concealment holds for the rolls before it up to the attack, and for the next attack only."""
    lines = ["Attack: 1d20+5 = (3) + 5 = 8 vs AC 15: hit", "Damage: 1d6 (3) = 3", "concealment"]
    attacks = [one.line for one in judge_text("\n".join([*lines, lines[0], lines[0]])).findings]
    assert attacks == [5]
