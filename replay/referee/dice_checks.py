"""Whether dice and sums are what they are said to be, whatever game is played: no rulebook is asked."""

import math
from collections.abc import Iterator
from fractions import Fraction

from affray.events.wording import counted
from affray.replay.referee.aligned import told_alike
from affray.replay.referee.cited import ARITHMETIC, NOTATION
from affray.replay.referee.claims import Claim
from affray.replay.referee.dice_lines import (
    BURSTS,
    Chain,
    Die,
    Mod,
    Number,
    Side,
    Thrown,
    bounds,
    thrown_in,
    value_of,
)
from affray.replay.referee.finding import Finding, against_claim

REROLLS = ("ro", "rr", "r", "ra")
COMPOUNDING = ("!!", "!p")
"""Bursts whose further dice are added to the die itself: a face may be more than the die has."""


def sums(claim: Claim) -> Iterator[Finding]:
    """Each part between equality signs comes to what the next one says."""
    chain = claim.chain
    if any(die.face < 1 for one in chain.thrown for die in one.dice or ()):
        return
    before: Side | None = None
    for side in chain.sides:
        value = value_of(side)
        if value is None:
            continue
        if before is not None:
            had = value_of(before)
            assert had is not None
            alike = _same(had, value) or _same(had, side.leading)
            if not (alike or _floored(claim, had, value) or _changed(claim, had, value)):
                message = f"{before.text} comes to {_in_digits(had)}, not {_in_digits(value)}"
                yield against_claim(claim, "sum", ARITHMETIC, message, side.column)
                return
        before = side
    yield from _out_of_reach(claim)


def _same(had: int | Fraction, said: int | Fraction | None) -> bool:
    if said is None or isinstance(had, int):
        return had == said
    return said in (had, math.floor(had), math.ceil(had), math.trunc(had))


def _floored(claim: Claim, had: int | Fraction, said: int | Fraction) -> bool:
    """Whether less than 1 point of damage was raised to 0 or 1."""
    return claim.kind in ("damage", "roll") and had < 1 and said in (0, 1)


def _changed(claim: Claim, had: int | Fraction, said: int | Fraction) -> bool:
    """Whether words behind damage say that less of it is left, as by resistance, or that it is more."""
    if claim.kind not in ("damage", "roll"):
        return False
    return (claim.lessened and 0 <= said <= had) or (claim.raised and said >= had)


def _in_digits(value: int | Fraction) -> str:
    return str(value) if isinstance(value, int) else f"{value.numerator}/{value.denominator}"


def _out_of_reach(claim: Claim) -> Iterator[Finding]:
    """A total whose faces are not shown is one that the dice can come to."""
    chain = claim.chain
    asked = chain.sides[0]
    if not thrown_in(asked) or any(one.dice is not None for one in thrown_in(asked)):
        return
    said, ends = chain.total, bounds(asked)
    if len(chain.sides) != 2 or said is None or ends is None or ends[0] <= said <= ends[1]:
        return
    if not _floored(claim, min(ends[0], 0), said):
        message = f"{asked.text} comes to {ends[0]} to {ends[1]}, never to {said}"
        yield against_claim(claim, "reach", NOTATION, message, chain.sides[1].column)


def parts(claim: Claim) -> Iterator[Finding]:
    """What is added to the dice is what their notation adds, and the dice are those asked for."""
    asked = claim.chain.sides[0]
    if not thrown_in(asked) or any(one.dice is not None for one in thrown_in(asked)):
        yield from _shown_otherwise(claim)
        return
    for side in claim.chain.sides[1:]:
        shows = bool(thrown_in(side)) or claim.chain.subtotals
        if len(side.terms) != len(asked.terms) or not shows or side.number is not None:
            continue
        for one, other in zip(asked.terms, side.terms, strict=True):
            if isinstance(one.first, Number) and isinstance(other.first, Number):
                meant, shown = one.sign * one.first.value, other.sign * other.first.value
                if meant != shown and not one.factors and not other.factors:
                    message = f"the notation adds {meant:+d}, what is shown adds {shown:+d}"
                    yield against_claim(claim, "modifier", NOTATION, message, other.first.column)
    yield from _shown_otherwise(claim)


def _shown_otherwise(claim: Claim) -> Iterator[Finding]:
    """Where two sides name dice, they name the same ones."""
    named = [thrown_in(side) for side in claim.chain.sides]
    first = named[0]
    if any(one.spec is None for one in first):
        return
    for side in named[1:]:
        if len(side) != len(first):
            continue
        for one, other in zip(first, side, strict=True):
            if one.spec is None or other.spec is None:
                continue
            if (one.spec.count, one.spec.sides) != (other.spec.count, other.spec.sides):
                message = f"{one.spec.text} was asked for, {other.spec.text} is shown"
                yield against_claim(claim, "dice", NOTATION, message, other.column)


def faces(claim: Claim) -> Iterator[Finding]:
    """No die shows a face that it does not have."""
    for one in claim.chain.thrown:
        if one.spec is None or one.dice is None or any(mod.op in COMPOUNDING for mod in one.spec.mods):
            continue
        for die in one.dice:
            if not 1 <= die.face <= one.spec.sides:
                message = f"a d{one.spec.sides} cannot show {die.face}"
                yield against_claim(claim, "face", NOTATION, message, die.column)
    yield from _subtotals(claim.chain, claim)


def _subtotals(chain: Chain, claim: Claim) -> Iterator[Finding]:
    """What several dice come to in all, where their faces are not shown, is within their reach."""
    asked = chain.sides[0]
    for side in chain.sides[1:]:
        if side.number is not None or len(side.terms) != len(asked.terms) or thrown_in(side):
            continue
        if not (chain.subtotals or told_alike(asked, side)):
            continue
        for one, other in zip(asked.terms, side.terms, strict=True):
            dice, number = one.first, other.first
            if (
                not (isinstance(dice, Thrown) and isinstance(number, Number))
                or one.factors
                or dice.spec is None
            ):
                continue
            ends = bounds(Side((one,))) if one.sign > 0 else None
            if ends is not None and not ends[0] <= number.value <= ends[1]:
                message = f"{dice.spec.text} comes to {ends[0]} to {ends[1]}, never to {number.value}"
                yield against_claim(claim, "face", NOTATION, message, number.column)


def counts(claim: Claim) -> Iterator[Finding]:
    """As many dice are shown as were asked for, with those that rerolls and bursts bring."""
    for one in claim.chain.thrown:
        spec, dice = one.spec, one.dice
        if spec is None or dice is None:
            continue
        shown = len(dice)
        keep = spec.keep
        right = shown == spec.count or (keep is not None and shown == keep[1])
        if spec.plain and shown == spec.count + sum(die.fate == "dropped" for die in dice):
            right = True  # advantage, told by striking the other die out
        if not spec.plain and keep is None:
            further = any(mod.op in (*BURSTS, "xo", *REROLLS) for mod in spec.mods)
            kept = any(mod.op not in (*BURSTS, "xo", *REROLLS, "mi", "ma", "min", "max") for mod in spec.mods)
            right = right or (further and shown > spec.count) or kept
        if not right:
            message = f"{spec.text} is {counted(spec.count, 'die', 'dice')}, {shown} shown"
            yield against_claim(claim, "count", NOTATION, message, one.column)
        else:
            yield from _bursts(claim, one)


def _bursts(claim: Claim, one: Thrown) -> Iterator[Finding]:
    """Each die that shows the face on which dice explode has brought another one."""
    spec, dice = one.spec, one.dice
    assert spec is not None
    assert dice is not None
    if len(spec.mods) != 1 or spec.mods[0].op not in BURSTS or spec.mods[0].compare:
        return
    face = spec.sides if spec.mods[0].number is None else spec.mods[0].number
    if spec.sides < 2 or any(die.fate for die in dice):
        return
    wanted = spec.count + sum(die.face == face for die in dice)
    if len(dice) != wanted and len(dice) < 50:
        message = f"{spec.text} with these faces is {counted(wanted, 'die', 'dice')}, {len(dice)} shown"
        yield against_claim(claim, "exploded", NOTATION, message, one.column)


def kept(claim: Claim) -> Iterator[Finding]:
    """The dice that were kept are the highest or lowest, and as many as were to be kept."""
    for one in claim.chain.thrown:
        if one.spec is None or one.dice is None or one.spec.keep is None:
            continue
        live = [die for die in one.dice if not die.fate]
        if len(live) == len(one.dice):
            continue
        highest, many = one.spec.keep
        if len(one.dice) != one.spec.count:
            continue
        best = sorted((die.face for die in one.dice), reverse=highest)[:many]
        if len(live) != many:
            message = f"{one.spec.text} keeps {many}, {len(live)} kept"
            yield against_claim(claim, "kept", NOTATION, message, one.column)
        elif sorted(die.face for die in live) != sorted(best):
            what = "highest" if highest else "lowest"
            told = ", ".join(map(str, sorted((die.face for die in live), reverse=True)))
            message = (
                f"{told} kept, but the {what} {'is' if many == 1 else 'are'} {', '.join(map(str, best))}"
            )
            yield against_claim(claim, "kept", NOTATION, message, one.column)


def rerolled(claim: Claim) -> Iterator[Finding]:
    """No die stands that was to be rolled again until it no longer meets the test."""
    for one in claim.chain.thrown:
        if one.spec is None or one.dice is None:
            continue
        for mod in one.spec.mods:
            if mod.op == "rr" and mod.number is not None:
                for die in one.dice:
                    if not die.fate and _meets(mod, die):
                        message = f"{die.face} stands, but is rolled again by {one.spec.text}"
                        yield against_claim(claim, "rerolled", NOTATION, message, die.column)


def _meets(mod: Mod, die: Die) -> bool:
    assert mod.number is not None
    if mod.compare == "<":
        return die.face < mod.number
    if mod.compare == ">":
        return die.face > mod.number
    return mod.compare in ("", "=") and die.face == mod.number


def spoken(claim: Claim) -> Iterator[Finding]:
    """A natural face that is told in words is the one that the die shows."""
    shown = claim.natural
    if claim.spoken is not None and shown is not None and claim.spoken != shown and not claim.first_is_die:
        yield against_claim(
            claim, "natural", NOTATION, f"a natural {claim.spoken} is told, the die shows {shown}"
        )


DICE_CHECKS = (sums, parts, faces, counts, kept, rerolled, spoken)
"""What is asked of every roll."""
