"""Check dice and sums for consistency in any game; no rulebook is used."""

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from affray.engine.book import Book, UnknownFigure
from affray.engine.dialects import load
from affray.engine.fight.fight import KERNEL, Fight
from affray.events.errors import counted
from affray.events.facts.acts import Attack
from affray.projections.state import Encounter
from affray.replay.referee.claims import Amount, Claim, Finding, make_claim_finding
from affray.replay.referee.written_rolls import (
    BURSTS,
    Chain,
    Die,
    Mod,
    Number,
    Side,
    Thrown,
    bounds,
    has_matching_results,
    thrown_in,
    value_of,
)

# --- The rules of a dialect that a check cites, and the die results that they name

TOPICS: dict[str, Sequence[str]] = {
    "attack": ("attack.roll",),
    "attack 20": ("attack.natural-20",),
    "attack 1": ("attack.natural-1",),
    "save": ("save.roll",),
    "save 20": ("save.natural-20",),
    "save 1": ("save.natural-1",),
    "maneuver": ("maneuver.check", "maneuver.roll"),
    "confirm": ("crit.confirm",),
    "minimum": ("damage.minimum", "damage.minimum-1"),
    "round": ("math.round-down",),
    "hit points": ("hp.thresholds",),
    "armor at confirmation": ("ac.natural-armor-confirmation",),
}
"""Subject of a check -> the topics of its rule in the dialects, tried in this order."""

FACES = {"attack 20": 20, "save 20": 20, "attack 1": 1, "save 1": 1}
"""The die result named by such a rule, for catalogues without a figure for it."""

ARITHMETIC = "arithmetic"
NOTATION = "notation"
STATED = "stated"
"""The citation for checks without a rulebook: sums, dice notation, the number stated in a log."""


class Cited(Struct, frozen=True):
    """The rules of one dialect by subject of the check; `faces` are the die results of natural rolls that
    decide.
    """

    dialect: str
    rules: dict[str, str]
    faces: dict[str, int]

    def rule(self, name: str) -> str:
        """Return the id of a rule; "" if the dialect has none of the kind."""
        return self.rules.get(name, "")


def cited_of(dialect: str) -> Cited:
    """Return the rules that checks of a log of this dialect cite. Raises UnknownDialect."""
    book = Book.load(dialect)
    rules = {}
    faces = {}
    for name, topics in TOPICS.items():
        known = [topic for topic in topics if book.has(topic)]
        if known:
            rules[name] = book.topic_id(known[0])
        if name in FACES and known:
            try:
                faces[name] = int(book.topic_figure(known[0], "face"))
            except UnknownFigure:
                faces[name] = FACES[name]
    if load(dialect).contents != (KERNEL,):
        return Cited(dialect, rules, faces)
    return _cited_by_kernel(dialect)


def _cited_by_kernel(dialect: str) -> Cited:
    """Return the rules that a dialect of a package has on attacks and saves, and its faces that decide."""
    rules = load(dialect)
    fight = Fight(Encounter(dialect=dialect), rules)
    about = rules.kernel.rule_about(fight, Attack)
    cited, faces = {"attack": about}, dict[str, int]()
    for kind in ("attack", "save"):
        for name, face in zip((1, 20), rules.kernel.sure_faces(fight, kind, ()), strict=True):
            if face:
                faces[f"{kind} {name}"], cited[f"{kind} {name}"] = face, about
    return Cited(dialect, cited, faces)


REROLLS = ("ro", "rr", "r", "ra")
COMPOUNDING = ("!!", "!p")
"""Explosions whose further dice are added to the die itself: its result may exceed its sides."""


def sums(claim: Claim) -> Iterator[Finding]:
    """Check that the parts between equality signs are equal."""
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
                message = f"{before.text} equals {_in_digits(had)}, not {_in_digits(value)}"
                yield make_claim_finding(claim, "sum", ARITHMETIC, message, side.column)
                return
        before = side
    yield from _out_of_reach(claim)


def _same(had: int | Fraction, said: int | Fraction | None) -> bool:
    if said is None or isinstance(had, int):
        return had == said
    return said in (had, math.floor(had), math.ceil(had), math.trunc(had))


def _floored(claim: Claim, had: int | Fraction, said: int | Fraction) -> bool:
    """Return whether damage below 1 point was raised to 0 or 1."""
    return claim.kind in ("damage", "roll") and had < 1 and said in (0, 1)


def _changed(claim: Claim, had: int | Fraction, said: int | Fraction) -> bool:
    """Return whether words after damage say that it is reduced, as by resistance, or increased."""
    if claim.kind not in ("damage", "roll"):
        return False
    return (claim.lessened and 0 <= said <= had) or (claim.raised and said >= had)


def _in_digits(value: int | Fraction) -> str:
    return str(value) if isinstance(value, int) else f"{value.numerator}/{value.denominator}"


def _out_of_reach(claim: Claim) -> Iterator[Finding]:
    """Check that a total without die results is possible for its dice."""
    chain = claim.chain
    asked = chain.sides[0]
    if not thrown_in(asked) or any(one.dice is not None for one in thrown_in(asked)):
        return
    said, ends = chain.total, bounds(asked)
    if len(chain.sides) != 2 or said is None or ends is None or ends[0] <= said <= ends[1]:
        return
    if not _floored(claim, min(ends[0], 0), said):
        message = f"{asked.text} is {ends[0]} to {ends[1]}, never {said}"
        yield make_claim_finding(claim, "reach", NOTATION, message, chain.sides[1].column)


def parts(claim: Claim) -> Iterator[Finding]:
    """Check that the modifiers and dice shown are those of the notation."""
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
                    message = f"the notation adds {meant:+d}, the result adds {shown:+d}"
                    yield make_claim_finding(claim, "modifier", NOTATION, message, other.first.column)
    yield from _shown_otherwise(claim)


def _shown_otherwise(claim: Claim) -> Iterator[Finding]:
    """Check that two sides with dice name the same ones."""
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
                message = f"{one.spec.text} was requested, {other.spec.text} is shown"
                yield make_claim_finding(claim, "dice", NOTATION, message, other.column)


def faces(claim: Claim) -> Iterator[Finding]:
    """Check that no die shows a result that it does not have."""
    for one in claim.chain.thrown:
        if one.spec is None or one.dice is None or any(mod.op in COMPOUNDING for mod in one.spec.mods):
            continue
        for die in one.dice:
            if not 1 <= die.face <= one.spec.sides:
                message = f"a d{one.spec.sides} cannot show {die.face}"
                yield make_claim_finding(claim, "face", NOTATION, message, die.column)
    yield from _subtotals(claim.chain, claim)


def _subtotals(chain: Chain, claim: Claim) -> Iterator[Finding]:
    """Check that subtotals of several dice without results are possible."""
    asked = chain.sides[0]
    for side in chain.sides[1:]:
        if side.number is not None or len(side.terms) != len(asked.terms) or thrown_in(side):
            continue
        if not (chain.subtotals or has_matching_results(asked, side)):
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
                message = f"{dice.spec.text} is {ends[0]} to {ends[1]}, never {number.value}"
                yield make_claim_finding(claim, "face", NOTATION, message, number.column)


def counts(claim: Claim) -> Iterator[Finding]:
    """Check that the number of dice shown is the number requested, including rerolls and explosions."""
    for one in claim.chain.thrown:
        spec, dice = one.spec, one.dice
        if spec is None or dice is None:
            continue
        shown = len(dice)
        keep = spec.keep
        right = shown == spec.count or (keep is not None and shown == keep[1])
        if spec.plain and shown == spec.count + sum(die.fate == "dropped" for die in dice):
            right = True  # advantage, shown by striking out the other die
        if not spec.plain and keep is None:
            further = any(mod.op in (*BURSTS, "xo", *REROLLS) for mod in spec.mods)
            kept = any(mod.op not in (*BURSTS, "xo", *REROLLS, "mi", "ma", "min", "max") for mod in spec.mods)
            right = right or (further and shown > spec.count) or kept
        if not right:
            message = f"{spec.text} is {counted(spec.count, 'die', 'dice')}, {shown} shown"
            yield make_claim_finding(claim, "count", NOTATION, message, one.column)
        else:
            yield from _bursts(claim, one)


def _bursts(claim: Claim, one: Thrown) -> Iterator[Finding]:
    """Check that each die that explodes has added another one."""
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
        yield make_claim_finding(claim, "exploded", NOTATION, message, one.column)


def kept(claim: Claim) -> Iterator[Finding]:
    """Check that the dice kept are the highest or lowest, in the right number."""
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
            yield make_claim_finding(claim, "kept", NOTATION, message, one.column)
        elif sorted(die.face for die in live) != sorted(best):
            what = "highest" if highest else "lowest"
            told = ", ".join(map(str, sorted((die.face for die in live), reverse=True)))
            message = (
                f"{told} kept, but the {what} {'is' if many == 1 else 'are'} {', '.join(map(str, best))}"
            )
            yield make_claim_finding(claim, "kept", NOTATION, message, one.column)


def rerolled(claim: Claim) -> Iterator[Finding]:
    """Check that no die remains that had to be rerolled until it fails the test."""
    for one in claim.chain.thrown:
        if one.spec is None or one.dice is None:
            continue
        for mod in one.spec.mods:
            if mod.op == "rr" and mod.number is not None:
                for die in one.dice:
                    if not die.fate and _meets(mod, die):
                        message = f"{die.face} was kept, but {one.spec.text} rerolls it"
                        yield make_claim_finding(claim, "rerolled", NOTATION, message, die.column)


def _meets(mod: Mod, die: Die) -> bool:
    assert mod.number is not None
    if mod.compare == "<":
        return die.face < mod.number
    if mod.compare == ">":
        return die.face > mod.number
    return mod.compare in ("", "=") and die.face == mod.number


def spoken(claim: Claim) -> Iterator[Finding]:
    """Check that a natural result in words is the one shown."""
    shown = claim.natural
    if claim.spoken is not None and shown is not None and claim.spoken != shown and not claim.first_is_die:
        yield make_claim_finding(
            claim, "natural", NOTATION, f"a natural {claim.spoken} is reported, the die shows {shown}"
        )


DICE_CHECKS = (sums, parts, faces, counts, kept, rerolled, spoken)
"""The checks of every roll."""


# --- Whether the reported outcome of a roll follows from it: hits and misses, saves, criticals, by a
# dialect's rules
#
# Missing information is never an error: a roll is only judged against the number stated with it, and not if a
# word with it mentions anything else that may decide (`wording.EXCUSE`).

HITS = ("hit", "threat", "critical")

WIDEST = 15
"""The lowest natural result that threatens a critical hit with any weapon."""

MOST_OPEN = 60
"""Most attackers kept in case a confirmation roll follows: the most recent ones."""


def attacks(claim: Claim, cited: Cited) -> Iterator[Finding]:
    """Check that a hit reaches its target number and a miss does not; natural 1 and 20 always decide."""
    if claim.kind != "attack" or claim.excuse or claim.outcome not in (*HITS, "miss"):
        return
    if claim.against.upper() == "DC":
        return
    hit, natural, total = claim.outcome != "miss", claim.natural, claim.total
    if natural is not None and natural == cited.faces.get("attack 20"):
        if not hit:
            yield make_claim_finding(
                claim, "natural 20", cited.rule("attack 20"), f"a natural {natural} hits, reported as a miss"
            )
    elif natural is not None and natural == cited.faces.get("attack 1"):
        if hit:
            told = f"a natural {natural} misses, reported as a {_noun(claim)}"
            yield make_claim_finding(claim, "natural 1", cited.rule("attack 1"), told)
    elif natural is not None and total is not None and claim.needed is not None:
        if hit and total < claim.needed:
            told = f"{total} misses {_number(claim)}, reported as a {_noun(claim)}"
            yield make_claim_finding(claim, "hit", cited.rule("attack"), told)
        elif not hit and total >= claim.needed:
            told = f"{total} hits {_number(claim)}, reported as a miss"
            yield make_claim_finding(claim, "miss", cited.rule("attack"), told)


def saves(claim: Claim, cited: Cited) -> Iterator[Finding]:
    """Check that a saving throw that succeeds reaches its DC; natural 1 and 20 decide by themselves."""
    if claim.kind != "save" or claim.excuse or claim.outcome not in ("success", "failure"):
        return
    made, natural, total = claim.outcome == "success", claim.natural, claim.total
    if natural is not None and natural == cited.faces.get("save 20"):
        if not made:
            told = f"a natural {natural} on a saving throw succeeds, reported as a failure"
            yield make_claim_finding(claim, "natural 20", cited.rule("save 20"), told)
    elif natural is not None and natural == cited.faces.get("save 1"):
        if made:
            told = f"a natural {natural} on a saving throw fails, reported as a success"
            yield make_claim_finding(claim, "natural 1", cited.rule("save 1"), told)
    else:
        yield from _reached(claim, made, total, cited.rule("save"), "save")


def tries(claim: Claim, cited: Cited) -> Iterator[Finding]:
    """Check that any other check that succeeds reaches its DC. Natural 1 and 20 are not judged: their effect
    differs.
    """
    if claim.kind not in ("check", "maneuver") or claim.excuse or claim.natural in (None, 1, 20):
        return
    if claim.outcome in ("success", "failure", "hit", "miss"):
        made = claim.outcome in ("success", "hit")
        rule = cited.rule("maneuver") if claim.kind == "maneuver" else ""
        yield from _reached(claim, made, claim.total, rule or STATED, "check")


def _reached(claim: Claim, made: bool, total: int | None, rule: str, check: str) -> Iterator[Finding]:
    if total is None or claim.needed is None or made == (total >= claim.needed):
        return
    verb, told = ("is below", "success") if made else ("reaches", "failure")
    yield make_claim_finding(claim, check, rule, f"{total} {verb} {_number(claim)}, told as a {told}")


def confirmations(exchange: Sequence[Claim], cited: Cited) -> Iterator[Finding]:
    """Check that a critical hit was confirmed by a second roll that hits, and that a confirmed attack hit.

    `exchange` is an attack roll with the following rolls of the same attacker, up to its next attack roll.
    """
    attack = exchange[0]
    if attack.kind == "confirmation":
        yield from _confirmed(attack, attack, cited)
        return
    rolled = [one for one in exchange[1:] if one.kind == "confirmation"]
    for one in rolled:
        yield from _confirmed(one, attack, cited)
    if attack.excuse or any(one.excuse for one in rolled):
        return
    if attack.outcome in ("critical", "confirmed") and not rolled and cited.rule("confirm"):
        told = "a critical hit is reported, but no roll confirms it"
        yield make_claim_finding(attack, "confirmation", cited.rule("confirm"), told)
    elif attack.outcome == "critical" and len(rolled) == 1 and rolled[0].outcome in ("unconfirmed", "miss"):
        told = f"a critical hit is reported, but line {rolled[0].line} does not confirm it"
        yield make_claim_finding(attack, "critical", cited.rule("confirm"), told)


def _confirmed(one: Claim, attack: Claim, cited: Cited) -> Iterator[Finding]:
    if one.excuse or attack.excuse or one.natural is None or one.total is None:
        return
    said = one.outcome in ("confirmed", "critical", "hit") if one.outcome else None
    of_it = one.speaker == attack.speaker
    if said is None and of_it and attack.outcome == "critical":
        said = True
    if said is None:
        return
    needed, number = one.needed, _number(one)
    if needed is None and of_it and not cited.rule("armor at confirmation"):
        needed, number = attack.needed, _number(attack)
    told = "a confirmed critical hit" if said else "not confirmed"
    rule = cited.rule("confirm")
    if one.natural == cited.faces.get("attack 20"):
        if not said:
            yield make_claim_finding(
                one, "critical", rule, f"a natural {one.natural} confirms, reported as {told}"
            )
    elif one.natural == cited.faces.get("attack 1"):
        if said:
            yield make_claim_finding(
                one, "critical", rule, f"a natural {one.natural} does not confirm, reported as {told}"
            )
    elif needed is not None and said != (one.total >= needed):
        verb = "is below" if said else "reaches"
        yield make_claim_finding(one, "critical", rule, f"{one.total} {verb} {number}, reported as {told}")


def yield_attack_exchanges(claims: Sequence[Claim]) -> Iterator[list[Claim]]:
    """Yield each attack roll with the attacker's following rolls before its next attack roll.

    A confirmation roll without an earlier attack roll is yielded alone.
    """
    open_by: dict[str, list[Claim]] = {}
    latest: list[Claim] = []
    confirmed: set[str] = set()
    for one in claims:
        if one.kind == "attack":
            if one.speaker in open_by:
                yield open_by.pop(one.speaker)
            elif len(open_by) >= MOST_OPEN:
                yield open_by.pop(next(iter(open_by)))
            latest = open_by[one.speaker] = [one]
            confirmed.discard(one.speaker)
        elif one.kind == "confirmation":
            found = _meant_by(one, open_by, confirmed)
            for speaker in found:
                open_by[speaker].append(one)
            confirmed.update(found)
            if not found:
                yield [one]
        elif one.speaker in open_by:
            open_by[one.speaker].append(one)
        elif not one.speaker and latest and latest[0].block == one.block:
            latest.append(one)
    yield from open_by.values()


def _meant_by(one: Claim, open_by: dict[str, list[Claim]], confirmed: set[str]) -> list[str]:
    """Return the attackers that a confirmation roll may belong to: a game master may roll it for others."""
    named = any(who and who != one.speaker and who in one.label for who in open_by)
    own = bool(one.speaker) and one.speaker in open_by and one.speaker not in confirmed
    if own and not named and _awaits(open_by[one.speaker][0]):
        return [one.speaker]
    return [*open_by]


def _awaits(attack: Claim) -> bool:
    """Return whether an attack roll may be a threat."""
    if attack.outcome in ("", "hit"):
        return attack.natural is not None and attack.natural >= WIDEST
    return attack.outcome in ("threat", "critical")


def _number(claim: Claim) -> str:
    return f"{claim.against or 'the'} {claim.needed}" if claim.against else str(claim.needed)


def _noun(claim: Claim) -> str:
    return {"hit": "hit", "threat": "threat", "critical": "critical hit"}[claim.outcome]


ROLL_CHECKS = (attacks, saves, tries)
"""The checks of every roll with a reported outcome."""


# --- Whether points are computed correctly: hit points, halves, damage of a hit

_FOR = re.compile(r"(?<![\w+\-/.])(\d{1,4}) (?:points? of )?(?:[a-z]+ )?damage$", re.IGNORECASE)


def hit_points(amount: Amount, cited: Cited) -> Iterator[Finding]:
    """Check that damage is subtracted from hit points; some tools stop at 0."""
    if amount.what != "hit points" or amount.before is None or amount.change is None or amount.after is None:
        return
    left = amount.before + amount.change
    if amount.after != left and not (amount.after == 0 and left < 0):
        message = f"{amount.before} hit points less {-amount.change} are {left}, not {amount.after}"
        yield _of(amount, "hit points", cited.rule("hit points") or ARITHMETIC, message)


def halves(amount: Amount, cited: Cited) -> Iterator[Finding]:
    """Check halves, rounded down if the dialect says so; half of 1 may stay 1."""
    if amount.what != "half" or amount.before is None or amount.after is None:
        return
    down, up = amount.before // 2, (amount.before + 1) // 2
    rounds = cited.rule("round")
    right = {down, max(1, down)} if rounds else {down, up}
    if amount.after not in right:
        yield _of(
            amount, "half", rounds or ARITHMETIC, f"half of {amount.before} is {down}, not {amount.after}"
        )


def least(amount: Amount, cited: Cited) -> Iterator[Finding]:
    """Check that a hit never deals negative damage: it deals at least 1 point."""
    if amount.what == "dealt" and amount.change is not None and amount.change < 0:
        message = f"damage of {amount.change} is dealt; a hit deals at least 1 point"
        yield _of(amount, "minimum", cited.rule("minimum"), message)


def check_points_in_brackets(claim: Claim) -> Iterator[Finding]:
    """Check that points equal the sum in brackets after them: `9 damage (5 + 4 = 9)`."""
    found = _FOR.search(claim.label)
    if found is None or claim.total is None or claim.kind not in ("damage", "sum", "roll") or claim.excuse:
        return
    said = int(found[1])
    if said != claim.total and not (claim.total < 1 and said <= 1):
        message = f"damage of {said} is reported, {claim.chain.text} equals {claim.total}"
        yield make_claim_finding(claim, "told", ARITHMETIC, message)


def _of(amount: Amount, check: str, rule: str, message: str) -> Finding:
    return Finding(amount.line, amount.column, check, rule, message, amount.text, amount.who)


AMOUNT_CHECKS = (hit_points, halves, least)
"""The checks of points."""
