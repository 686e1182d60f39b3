"""Whether what is said of a roll follows from it: hits and misses, saves, criticals, by a dialect's rules.

What a log does not say is never held against it: a roll is judged only beside the number that stands with it,
and not at all where a word with it speaks of anything else that decides (`wording.EXCUSE`).
"""

from collections.abc import Iterator, Sequence

from affray.replay.referee.cited import STATED, Cited
from affray.replay.referee.claims import Claim
from affray.replay.referee.finding import Finding, against_claim

HITS = ("hit", "threat", "critical")

WIDEST = 15
"""The lowest face that threatens a critical hit with any weapon."""

MOST_OPEN = 60
"""So many attackers are waited for at once, in case somebody rolls to confirm: those that attacked last."""


def attacks(claim: Claim, cited: Cited) -> Iterator[Finding]:
    """A hit reaches what it had to, a miss falls short; the naturals decide by themselves."""
    if claim.kind != "attack" or claim.excuse or claim.outcome not in (*HITS, "miss"):
        return
    if claim.against.upper() == "DC":
        return
    hit, natural, total = claim.outcome != "miss", claim.natural, claim.total
    if natural is not None and natural == cited.faces.get("attack 20"):
        if not hit:
            yield against_claim(
                claim, "natural 20", cited.rule("attack 20"), f"a natural {natural} hits, told as a miss"
            )
    elif natural is not None and natural == cited.faces.get("attack 1"):
        if hit:
            told = f"a natural {natural} misses, told as a {_noun(claim)}"
            yield against_claim(claim, "natural 1", cited.rule("attack 1"), told)
    elif natural is not None and total is not None and claim.needed is not None:
        if hit and total < claim.needed:
            told = f"{total} falls short of {_number(claim)}, told as a {_noun(claim)}"
            yield against_claim(claim, "hit", cited.rule("attack"), told)
        elif not hit and total >= claim.needed:
            told = f"{total} reaches {_number(claim)}, told as a miss"
            yield against_claim(claim, "miss", cited.rule("attack"), told)


def saves(claim: Claim, cited: Cited) -> Iterator[Finding]:
    """A saving throw that succeeds reaches its DC; the naturals decide by themselves."""
    if claim.kind != "save" or claim.excuse or claim.outcome not in ("success", "failure"):
        return
    made, natural, total = claim.outcome == "success", claim.natural, claim.total
    if natural is not None and natural == cited.faces.get("save 20"):
        if not made:
            told = f"a natural {natural} on a saving throw succeeds, told as a failure"
            yield against_claim(claim, "natural 20", cited.rule("save 20"), told)
    elif natural is not None and natural == cited.faces.get("save 1"):
        if made:
            told = f"a natural {natural} on a saving throw fails, told as a success"
            yield against_claim(claim, "natural 1", cited.rule("save 1"), told)
    else:
        yield from _reached(claim, made, total, cited.rule("save"), "save")


def tries(claim: Claim, cited: Cited) -> Iterator[Finding]:
    """Any other check that succeeds reaches its DC. What naturals do to it differs: they are not judged."""
    if claim.kind not in ("check", "maneuver") or claim.excuse or claim.natural in (None, 1, 20):
        return
    if claim.outcome in ("success", "failure", "hit", "miss"):
        made = claim.outcome in ("success", "hit")
        rule = cited.rule("maneuver") if claim.kind == "maneuver" else ""
        yield from _reached(claim, made, claim.total, rule or STATED, "check")


def _reached(claim: Claim, made: bool, total: int | None, rule: str, check: str) -> Iterator[Finding]:
    if total is None or claim.needed is None or made == (total >= claim.needed):
        return
    verb, told = ("falls short of", "success") if made else ("reaches", "failure")
    yield against_claim(claim, check, rule, f"{total} {verb} {_number(claim)}, told as a {told}")


def confirmations(exchange: Sequence[Claim], cited: Cited) -> Iterator[Finding]:
    """A critical hit was confirmed by a second roll that hits; and what was confirmed did hit.

    `exchange` is an attack roll with what the same one rolled after it, up to its next attack roll.
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
    if attack.outcome in ("critical", "confirmed") and not rolled:
        told = "a critical hit is told, but no roll that confirms it"
        yield against_claim(attack, "confirmation", cited.rule("confirm"), told)
    elif attack.outcome == "critical" and len(rolled) == 1 and rolled[0].outcome in ("unconfirmed", "miss"):
        told = f"a critical hit is told, but line {rolled[0].line} does not confirm it"
        yield against_claim(attack, "critical", cited.rule("confirm"), told)


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
            yield against_claim(one, "critical", rule, f"a natural {one.natural} confirms, told as {told}")
    elif one.natural == cited.faces.get("attack 1"):
        if said:
            yield against_claim(
                one, "critical", rule, f"a natural {one.natural} does not confirm, told as {told}"
            )
    elif needed is not None and said != (one.total >= needed):
        verb = "falls short of" if said else "reaches"
        yield against_claim(one, "critical", rule, f"{one.total} {verb} {number}, told as {told}")


def exchanges(claims: Sequence[Claim]) -> Iterator[list[Claim]]:
    """Yield each attack roll with what the same one rolls before its next one, wherever it stands.

    A roll to confirm without any attack roll before it stands by itself.
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
    """Return whose attack a roll to confirm may be of: a game master may roll it for somebody else."""
    named = any(who and who != one.speaker and who in one.label for who in open_by)
    own = bool(one.speaker) and one.speaker in open_by and one.speaker not in confirmed
    if own and not named and _awaits(open_by[one.speaker][0]):
        return [one.speaker]
    return [*open_by]


def _awaits(attack: Claim) -> bool:
    """Whether an attack roll may be a threat."""
    if attack.outcome in ("", "hit"):
        return attack.natural is not None and attack.natural >= WIDEST
    return attack.outcome in ("threat", "critical")


def _number(claim: Claim) -> str:
    return f"{claim.against or 'the'} {claim.needed}" if claim.against else str(claim.needed)


def _noun(claim: Claim) -> str:
    return {"hit": "hit", "threat": "threat", "critical": "critical hit"}[claim.outcome]


ROLL_CHECKS = (attacks, saves, tries)
"""What is asked of every roll of which the log says what came of it."""
