"""What the page computes by itself is what Python computes: digests, dice, notation, seeds, seals."""

import random
from hashlib import blake2b, sha256
from typing import Any

import pytest

from affray.engine.dice import PROVENANCES, joint_seed, parse, rethrow
from affray.engine.dice.notation import throw
from affray.engine.dice.sources import faces
from affray.events import merkle
from affray.events.chain import digest
from affray.events.errors import AffrayError
from affray.events.facts.flow import REFUSED
from affray.replay.log.declarations import STARTS
from affray.replay.verification.seals import code
from tests.viewer.scripts import asked, each

dice = random.Random("check")
SIZES = (0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 255, 256, 257)
WORDS = ("", "main", "d17/ogre/attack/1", "żółw", "\N{DRAGON}", 'a"b\\c', "  ", "x" * 300)


def sized() -> bytes:
    """Return random bytes, of a length at which blocks end as often as not."""
    return dice.randbytes(dice.choice((*SIZES, dice.randrange(700))))


@pytest.fixture
def blank(browser: Any) -> Any:
    """An empty page, on which the scripts of the check are run."""
    browser.get("about:blank")
    return browser


def test_sha256_is_that_of_the_standard(blank: Any) -> None:
    """Of every length around the ends of blocks, and of random ones."""
    cases = [(bytes(size),) for size in range(200)] + [(sized(),) for _ in range(200)]
    found = each(blank, "hex(sha256(unhex(one[0])))", cases)
    assert found == [sha256(case[0]).hexdigest() for case in cases]


def test_blake2b_is_that_of_the_standard(blank: Any) -> None:
    """With and without key and personal text, of every size of digest."""
    cases = [
        (sized(), dice.randbytes(dice.randrange(65)), size, dice.choice(("", "affray joint", "x" * 16)))
        for size in (*range(1, 65), *[64] * 200)
    ]
    found = each(blank, "hex(blake2b(unhex(one[0]), unhex(one[1]), one[2], one[3]))", cases)
    assert found == [
        blake2b(message, key=key, digest_size=size, person=person.encode()).hexdigest()
        for message, key, size, person in cases
    ]


def test_faces_are_those_of_the_seed(blank: Any) -> None:
    """Of any key and number of sides, in later blocks and after a die that had to be read again too."""
    cases = [
        (
            dice.randbytes(dice.randrange(1, 65)),
            dice.choice(WORDS),
            dice.choice((1, 2, 3, 20, 100, 999)),
            count,
        )
        for count in (1, 2, 16, 17, 40, 300)
        for _ in range(8)
    ]
    # Three billion sides: every third value is refused.
    cases += [(b"seed", f"d{number}/again", 3_000_000_000, 20) for number in range(20)]
    found = each(blank, "keyedDice(unhex(one[0]), one[1])(one[2], one[3])", cases)
    assert found == [list(faces(*case)) for case in cases]


def test_the_joint_seed_is_that_of_the_log(blank: Any) -> None:
    """With nothing given, with the same words divided otherwise, with letters of several bytes."""
    given = [[], [("a", "bc")], [("ab", "c")], [("a", "b"), ("c", "")], [(one, one) for one in WORDS]]
    cases = [(dice.randbytes(32), parts) for parts in given]
    found = each(blank, "hex(jointSeed(unhex(one[0]), one[1]))", cases)
    assert found == [joint_seed(secret, parts).hex() for secret, parts in cases]


def spelt() -> str:
    """Return a notation, now and then one that is none."""
    terms = []
    for _ in range(dice.choice((1, 1, 2, 3))):
        term = (
            dice.choice(("", "2", "4", "10", "03"))
            + dice.choice(("d", "D"))
            + dice.choice(("4", "6", "20", "%"))
        )
        term += dice.choice(("", "", "ro<3", "rr1", "ro>2", "RR<2", "r2", "rr>0"))
        term += dice.choice(("", "", "!", "e>3", "e6", "!>4", "e<9"))
        term += dice.choice(("", "", "kh1", "kl2", "dl1", "dh3", "k", "d2", "kh", "k0"))
        term += dice.choice(("", "", " [fire]", "[a  b]", "[]", "[\u200b]"))
        terms.append(dice.choice((term, term, term, "7", "1000001", "0")))
    text = dice.choice(("", "", "-", "+ ", " ")) + terms[0]
    for term in terms[1:]:
        text += dice.choice(("+", " - ", "-", "\N{MINUS SIGN}", "")) + term
    if not dice.randrange(6):
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice("d+k![ ]9x\u212a") + text[at + 1 :]
    return text


def test_a_notation_is_read_as_the_engine_reads_it(blank: Any) -> None:
    """What spells no dice is none in both; what does shows the same throw, with all its marks."""
    cases, wanted = [], []
    for number in range(1500):
        text = spelt()
        try:
            thrown = throw(
                parse(text), lambda sides, count, key=f"{number}", at=[0]: _next(key, sides, count, at)
            )
            marks = [list(part) for part in (thrown.faces, thrown.dropped, thrown.rerolled, thrown.exploded)]
            cases.append((text, marks[0]))
            wanted.append([*marks, thrown.total])
            shorter = marks[0][:-1]
            cases.append((text, shorter))
            wanted.append(_again(text, shorter))
        except AffrayError:
            cases.append((text, []))
            wanted.append(None)
    body = (
        "return arguments[0].map(([text, faces]) => { try {"
        "const { faces: all, dropped, rerolled, exploded, total } = rethrowDice(parseDice(text), faces);"
        "return [all, dropped, rerolled, exploded, total] } catch (error) {"
        "if (!(error.constructor === Error)) throw error; return null } });"
    )
    found = asked(blank, body, [list(case) for case in cases])
    differing = [one for one in zip(cases, wanted, found, strict=True) if one[1] != one[2]]
    assert differing == []
    assert 300 < sum(one is None for one in wanted) < len(cases) - 300


def _next(key: str, sides: int, count: int, at: list[int]) -> tuple[int, ...]:
    at[0] += count
    return faces(b"spelt", key, sides, count, at[0] - count)


def _again(text: str, shown: list[int]) -> list[Any] | None:
    try:
        thrown = rethrow(parse(text), shown)
    except AffrayError:
        return None
    return [*map(list, (thrown.faces, thrown.dropped, thrown.rerolled, thrown.exploded)), thrown.total]


def test_an_event_has_the_digest_of_the_chain(blank: Any) -> None:
    """With and without a salt, with texts of any letters and data of any length."""
    cases = []
    for _ in range(200):
        place = [dice.choice(WORDS), dice.randrange(1, 10**6), dice.choice(WORDS), dice.randrange(1, 4)]
        place += [dice.randrange(100), dice.randrange(9), dice.choice(WORDS), dice.randrange(10**6)]
        cases.append(
            [sized()[:32].ljust(32, b"."), *place, dice.choice(WORDS) * 40, dice.choice((b"", bytes(16)))]
        )
    names = ["stream", "seq", "type", "version", "round", "turn", "actor", "cause", "data", "salt"]
    event = ", ".join(f"{name}: one[{at}]" for at, name in enumerate(names, 1))
    found = each(blank, f"hex(digestAfter(unhex(one[0]), {{{event}}}))", cases)
    assert found == [
        digest(
            case[0],
            case[1],
            case[2],
            **dict(zip(names[2:-2], case[3:-2], strict=True)),
            data=case[-2].encode(),
            salt=case[-1],
        ).hex()
        for case in cases
    ]


def test_seals_are_those_of_python(blank: Any) -> None:
    """Of every size up to forty events, and of names of other letters."""
    digests = [sha256(bytes([number])).digest() for number in range(40)]
    cases = [(name, [one.hex() for one in digests[:size]]) for size in range(41) for name in ("main", "b.2")]
    found = each(
        blank, "sealCode(one[0], one[1].reduce((tree, digest) => grown(tree, unhex(digest)), NO_TREE))", cases
    )
    assert found == [code(name, len(all), merkle.root(digests[: len(all)])) for name, all in cases]


def test_the_page_knows_what_the_engine_knows(blank: Any) -> None:
    """What begins a group, and where dice may come from: whatever is added here must be looked at there."""
    assert set(asked(blank, "return GROUPS")) == STARTS | {"ruled"}
    known = {"seeded", *asked(blank, "return [...Object.keys(BY_HAND), ...Object.keys(DRAWN)]")}
    assert known == PROVENANCES
    assert asked(blank, "return REFUSED") == REFUSED
