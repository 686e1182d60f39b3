"""Read the lines of a log that is text, whichever tool or person wrote it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from msgspec.structs import replace

from affray.replay.referee.amounts import amounts_of
from affray.replay.referee.chains import chains_of
from affray.replay.referee.claims import Claim, Claims, Ending, Kind, Unread
from affray.replay.referee.dice_lines import Chain
from affray.replay.referee.tokens import without_marks
from affray.replay.referee.wording import (
    Tail,
    afterthought,
    ending_said,
    excuse_in,
    kind_of,
    tail_of,
    target_in,
)

LONGEST = 10_000
"""Of a longer line only so many characters are read."""

LONGEST_WORDS = 500
"""Of a heading, and of who speaks, which stand with each roll below them, only so many."""

_SENTENCE = re.compile(
    r"^[\s>*\-•]*(?P<who>[^\W\d_][\w'’ .\-]{0,40}?)(?:\s+(?P<crit>critically))?\s+"
    r"(?P<verb>attacks|hits|misses|crits|strikes(?: at)?|shoots(?: at)?|swings at|fires at|charges)\s+"
    r"(?:(?:the|an?)\s+)?(?P<target>[^\W\d_][\w'’ \-]{0,40}?)"
    r"(?:\s+with\s+(?:(?:an?|the|his|her|its|their)\s+)?(?P<weapon>[\w'’ \-+]{1,40}?))?"
    r"\s*(?=[(:,.;!]|$)"
)
_NAMED = re.compile(
    r"^[\s>*\-•]*(?P<who>[^\W\d_][\w'’ .\-]{0,40}?)(?:\s*[,:]|\s+(?:deals|rolls|takes|makes)\b)"
)
_VERBS: dict[str, Ending] = {"hits": "hit", "misses": "miss", "crits": "critical"}
_LAST_WORDS = re.compile(r"[A-Za-z][A-Za-z ]{1,24}$")
_LOOKS = re.compile(
    r"(?<![A-Za-z\d])\d{0,4}d\d{1,4}\S{0,60}\s{0,9}(?:[(\[]\s*[\d~*]|=|⇒|→)|(?:=>|⇒)\s*[\d(\[]", re.IGNORECASE
)
_SPLIT = re.compile(r"[;|.!?)](?=\s|$)|, |\) ")
_LESSENED = re.compile(
    r"\b(half|halv\w+|quarter\w*|resist\w*|dr|reduc\w+|hardness|absorb\w*|superior success|one part in \d)\b",
    re.IGNORECASE,
)
_RAISED = re.compile(r"\b(catastrophic failure|vulnerab\w+)\b", re.IGNORECASE)
_TO_BE_JUDGED = ("attack", "confirmation", "save", "maneuver")
_WAITING = (*_TO_BE_JUDGED, "check")
_BY_THEMSELVES = ("attack", "save", "maneuver", "check")


@dataclass
class Page:
    """A log that is being read: what was found, who speaks, what waits for an ending on a line of its own."""

    claims: Claims
    block: int = 0
    speaker: str = ""
    headed: bool = False
    heading: str = ""
    target: str = ""
    coming: tuple[str, int] | None = None
    names: set[str] = field(default_factory=set)
    waiting: list[int] = field(default_factory=list)
    excused: list[tuple[int, int, str]] = field(default_factory=list)

    def begin(self, speaker: str) -> None:
        """Begin what one speaker says at once."""
        self.block += 1
        self.speaker = speaker[:LONGEST_WORDS]
        self.heading = self.target = ""
        self.coming = None
        self.waiting.clear()


Opening = Callable[[str], tuple[str, str] | None]
"""Of a line, who begins to speak with it and what is left of the line; None where nobody does."""


def read_lines(name: str, lines: list[str], opening: Opening, headed: bool = False) -> Claims:
    """Return what the lines of a text say. O(length).

    With `headed`, a line without a roll says what the rolls behind it are for.
    """
    page = Page(Claims(name, lines=len(lines)), headed=headed)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            page.claims.blank += 1
            page.begin(page.speaker)
            continue
        line = line[:LONGEST]
        opened = opening(line)
        if opened is not None:
            page.begin(opened[0])
            line = " " * (len(line) - len(opened[1])) + opened[1]
        read_line(page, number, line)
    return excused(page)


def read_line(page: Page, number: int, line: str) -> None:
    """Read one line into a page: its rolls and sums, the points it tells, or how the roll before it ended."""
    line = line[:LONGEST]
    excuse = excuse_in(line)
    if excuse:
        page.excused.append((number, page.block, excuse))
    chains = chains_of(line, subtotals=page.claims.format == "foundry")
    before = len(page.claims.claims) + len(page.claims.amounts)
    page.claims.amounts += amounts_of(number, line)
    if chains:
        _rolls(page, number, line, chains)
    elif _ends(page, line):
        page.claims.endings += 1
        return
    left = _without(line, chains)
    if _LOOKS.search(left):
        reason = "part of it is no roll that can be read" if chains else "no roll that can be read"
        page.claims.unread.append(Unread(number, line.strip()[:200], reason))
    elif len(page.claims.claims) + len(page.claims.amounts) == before:
        page.claims.prose += 1
        if not chains and (sentence := _SENTENCE.match(without_marks(line))) is not None:
            page.speaker, page.target = sentence["who"].strip(), sentence["target"]
        page.heading = line.strip()[:LONGEST_WORDS] if page.headed else ""


def excused(page: Page) -> Claims:
    """Return what was read, where the excuses on a line hold for the rolls that it may speak of.

    Those are its own; without one that is judged by itself, the ones before it too, from the last such on;
    and on a line without any, the next ones, all of the same block. Where two excuses hold for a roll, the
    first one counts. O(claims + excuses x log claims).
    """
    claims = page.claims.claims
    words: dict[int, str] = {}
    blocks: dict[int, list[int]] = {}
    for place, one in enumerate(claims):
        blocks.setdefault(one.block, []).append(place)
    heads = {
        block: [n for n, place in enumerate(places) if claims[place].kind in _BY_THEMSELVES]
        for block, places in blocks.items()
    }
    reached: dict[int, int] = {}
    for line, block, word in page.excused:
        places, headed = blocks.get(block, []), heads.get(block, [])
        first = bisect_left(places, line, key=lambda place: claims[place].line)
        end = bisect_right(places, line, key=lambda place: claims[place].line)
        for place in places[first:end]:
            words.setdefault(place, word)
        head = bisect_left(headed, end) - 1
        if head < 0 or headed[head] < first:
            # Up to a roll that an earlier line excused: what stands before that, the line has reached too.
            for place in reversed(places[headed[head] if head >= 0 else 0 : first]):
                if place in words:
                    break
                words[place] = word
        if first == end:
            end = headed[head + 2] if head + 2 < len(headed) else len(places)
            for place in places[max(first, reached.get(block, 0)) : end]:
                words.setdefault(place, word)
            reached[block] = end
    for place, word in words.items():
        if not claims[place].excuse:
            claims[place] = replace(claims[place], excuse=word)
    return page.claims


def _without(line: str, chains: list[Chain]) -> str:
    """Return a line with a blank in place of each of its rolls."""
    ends = (0, *(chain.end for chain in chains))
    starts = (*(chain.start for chain in chains), len(line))
    return " ".join(line[end:start] for end, start in zip(ends, starts, strict=True))


def _rolls(page: Page, number: int, line: str, chains: list[Chain]) -> None:
    clean = without_marks(line)
    sentence = _SENTENCE.match(clean)
    if sentence is not None:
        page.names |= {sentence["who"].strip(), sentence["target"]}
    named = _NAMED.match(clean) if sentence is None else None
    at = 0
    for place, chain in enumerate(chains):
        upto = chains[place + 1].start if place + 1 < len(chains) else len(clean)
        before, behind = clean[at : chain.start], clean[chain.end : upto]
        tail = tail_of(behind)
        if place + 1 < len(chains) and tail.whole:
            # What stands right before the next roll says what that one is for.
            tail = tail_of(behind[: _last_gap(behind)])
        claim = _claim(page, number, chain, before, behind, tail, sentence if place == 0 else None)
        if sentence is not None and not claim.target:
            claim = replace(claim, target=sentence["target"], speaker=sentence["who"].strip())
        if named is not None and named["who"] in page.names:
            claim = replace(claim, speaker=named["who"])
        if page.coming is not None and claim.needed is None and claim.kind in _WAITING:
            claim = replace(claim, against=page.coming[0], needed=page.coming[1])
        if claim.kind in _WAITING and not claim.outcome:
            page.waiting.append(len(page.claims.claims))
        page.claims.claims.append(claim)
        at = chain.end + tail.end


def _last_gap(text: str) -> int:
    ends = [found.end() for found in _SPLIT.finditer(text)]
    return ends[-1] if ends else 0


def _claim(
    page: Page,
    number: int,
    chain: Chain,
    before: str,
    behind: str,
    tail: Tail,
    sentence: re.Match[str] | None,
) -> Claim:
    label = _SPLIT.split(before)[-1]
    if not re.search(r"[A-Za-z]", label) and page.heading:
        label = before = page.heading
    kind = kind_of(label)
    outcome, against, needed = tail.outcome, tail.against, tail.needed
    if sentence is not None:
        kind, label = "attack" if kind in ("roll", "attack") else kind, before
        outcome = outcome or _VERBS.get(sentence["verb"], "")
        outcome = "critical" if sentence["crit"] and outcome == "hit" else outcome
    worded = "" if outcome else _last_words(before)
    if worded:
        outcome = ending_said(worded) if "?" not in before else ""
        outcome = outcome or (ending_said(worded.rpartition(" ")[2]) if sentence is not None else "")
    if needed is None:
        against, needed = target_in(before if sentence is not None else label)
    kind = _kind(kind, chain, outcome, needed, against)
    numbers_alone = kind == "attack" and not chain.thrown
    return Claim(
        number,
        chain.start + 1,
        kind,
        chain,
        page.block,
        page.speaker if sentence is None else sentence["who"].strip(),
        page.target if sentence is None else sentence["target"],
        "" if sentence is None else sentence["weapon"] or "",
        " ".join(label.split()).strip(" :,-(|*"),
        outcome,
        against,
        needed,
        tail.spoken,
        afterthought(behind),
        numbers_alone,
        _LESSENED.search(behind) is not None,
        _RAISED.search(behind) is not None,
    )


def _last_words(before: str) -> str:
    """Return the words right before a roll, without the signs that lead to it."""
    text = before.rstrip()
    if text.endswith(("(", "[", ":")):
        text = text[:-1].rstrip()
    found = _LAST_WORDS.search(text.rstrip("!:").rstrip()[-25:])
    return found[0] if found else ""


def _kind(kind: Kind, chain: Chain, outcome: Ending, needed: int | None, against: str) -> Kind:
    """Return what a roll is for, with what is said behind it; dice other than one d20 reach no number."""
    twenty = chain.natural is not None
    if not chain.thrown:
        return kind if kind == "attack" else "sum"
    if kind == "roll" and twenty:
        if outcome in ("hit", "miss", "threat", "critical") or "AC" in against.upper().split():
            return "attack"
        if outcome in ("success", "failure") and needed is not None:
            return "check"
    if kind in _TO_BE_JUDGED and not twenty:
        return "roll"
    return kind


def _ends(page: Page, line: str) -> bool:
    """Take a line that says nothing but how the one roll before it ended; say whether it is that."""
    tail = tail_of(without_marks(line))
    if not tail.whole or not (tail.outcome or tail.needed is not None):
        return False
    if tail.needed is not None and not tail.outcome and not page.waiting:
        page.coming = tail.against, tail.needed
        return True
    if len(page.waiting) != 1:
        return False
    place = page.waiting[0]
    claim = page.claims.claims[place]
    if claim.outcome and tail.outcome:
        return False
    page.claims.claims[place] = replace(
        claim,
        outcome=tail.outcome or claim.outcome,
        needed=claim.needed if tail.needed is None else tail.needed,
        against=claim.against or tail.against,
    )
    if tail.outcome:
        page.waiting.clear()
    return True
