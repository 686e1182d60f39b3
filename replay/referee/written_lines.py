"""Read the lines of a text log, from any tool or person."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from msgspec import Struct
from msgspec.structs import replace

from affray.replay.referee.claims import Amount, Claim, Claims, Ending, Kind, Unread
from affray.replay.referee.written_rolls import Chain, blank_out_markup, parse_rolls_of_line

# --- The words around a roll: purpose, target number, outcome, and excuses

_I = re.IGNORECASE

_LABELS: dict[Kind, str] = {
    "damage": r"\b(damage|dmg|dam)\b",
    "confirmation": r"\b(re-?)?confirm\w*|\bcrit(ical)?( hit)? (roll|check)\b|\bcrit\?",
    "maneuver": (
        r"\b(cmb|man(o)?euv(er|re)|grapples?|trips?|disarms?|bull[- ]rush|overruns?|sunders?|drags?|feints?|"
        r"reposition|push(es)?|grabs?|dirty trick|steal|opposed)\b"
    ),
    "save": r"\bsav(e|es|ing)\b|\b(fort|fortitude|ref|reflex|will)\W*$",
    "check": (
        r"\b(check|initiative|init|skill|perception|acrobatics|concentration|stealth|spot|listen|tumble|heal|"
        r"percent|concealment|chance|stabiliz\w+|caster level|"
        r"spell resistance|sr|ability|hit dice|hit points?|hp)\b"
    ),
    "attack": (
        r"\b(attack(s|ed|ing)?|atk|to[- ]hit|hits?|miss(es)?|strikes?|swings?|shoots?|(melee|ranged) touch)\b"
    ),
}
"""The purpose of a roll by the words of its label; the first match decides."""

_KINDS = {kind: re.compile(words, _I) for kind, words in _LABELS.items()}

TARGET = re.compile(
    r"needs?\s+(?P<needs>\d{1,3})\b(?:\s+or\s+(?:more|better))?(?:\s+to\s+hit\b[^:;,.]{0,40})?|"
    r"(?:(?:vs\.?|versus|against|v\.)\s++)?(?:(?P<whose>[A-Z][\w' -]{0,40}?)(?:'s)?\s+)?"
    r"(?P<what>(?:touch |flat-footed |ff )?(?:AC|armou?r class|defen[cs]e)|touch|TAC|DC|CMD)"
    r"\s*+(?:(?:of|is|:|=)\s*+)?(?P<number>[\-−]?\d{1,3})\b(?!\s*[+\-−–]\s*\d)|(?:vs\.?|versus)\s+(?P<bare>[\-−]?\d{1,3})\b"
    r"(?!\s*[+\-−–]\s*\d)",
    _I,
)
_IDIOM = re.compile(
    r"\b(hit|hits|hitting|miss|misses|beat|beats)\s+(an?\s+)?(touch |flat-footed |ff )?(AC|TAC|DC|CMD)\b", _I
)
"""`hits AC 24` states the total of a roll, not its target number."""

_ENDINGS: tuple[tuple[Ending, str], ...] = (
    (
        "unconfirmed",
        r"(?:critical |crit )?(?:is )?(?:not|un)[ -]?confirmed|"
        r"does not confirm|fails to confirm|no crit(?:ical)?",
    ),
    ("confirmed", r"(?:critical |crit )?(?:is )?confirmed|confirms(?: the critical)?"),
    ("miss", r"critical (?:miss|failure|fumble)|miss(?:es|ed)?|missed"),
    ("threat", r"(?:critical |crit )?threat(?:ens)?|possible crit(?:ical)?|potential crit(?:ical)?"),
    ("critical", r"critical hit|critically hits|crits?|critical"),
    ("hit", r"hits?"),
    ("success", r"success|succeeds?|succeeded|saves|saved|passes|passed|made"),
    ("failure", r"fail(?:s|ed|ure)?"),
)
_ENDING = re.compile("|".join(f"(?P<e{n}>{words})" for n, (_, words) in enumerate(_ENDINGS)), _I)
_NATURAL = re.compile(r"(?:natural|nat\.?|unmodified)\s*(?P<face>\d{1,2})\b", _I)
_GLUE = re.compile(
    r"[\s,:;.\-–—()!>=*\"“”'|~]+|(?:a|an|is|was|it|it's|that|that's|which|so|and|the|this|with|attack|roll)\b(?=\W)",
    _I,
)
_UNSURE = re.compile(
    r"\?|\b(if|would|could|should|may|might|does|do|did|doesn't|not|no|never|unless|assuming|maybe|probably|"
    r"guess|think|suppose|or|hopefully|both|one of|except|but)\b",
    _I,
)
_CLAUSE = re.compile(r"[.;|]|(?<!\w)\w++:")
_AFTERTHOUGHT = re.compile(r"(?<![\-=(\d])\s[+\-−–]\s?\d")

EXCUSE = re.compile(
    r"conceal\w*|miss chance|mirror|displac\w+|\bblur|blink\w*|invisib\w+|unseen|incorporeal\w*|ethereal|"
    r"deflect\w*|\bimages?\b|cover\b|\bauto\w*|coup de gr\w+|helpless|re-?roll\w*|\bluck\w*|hero points?|"
    r"action points?|\bbonus\b(?! lost)|forg[eo]t\w*|inspir\w+|\bbless\w*|prayer|flank\w*|guidance|\baid\b|"
    r"house rules?|"
    r"ruling|ruled|sanctuary|\bd100\b|\d%|percent\w*|paralyz\w+|unconscious|asleep|true strike|instead|"
    r"actually|"
    r"\bedit\w*|oops|correct\w*|take[sn]? (10|20)\b(?! ?(?:points|hp|(?:[a-z]+ )?damage))|"
    r"fortification|immun\w+|overrid\w+|wrong square|"
    r"parr(y|ied|ies)|"
    r"block(s|ed)\b|stoneskin|power word|hex|retcon\w*|misread|sorry|higher ground|range penalt\w+|cancel\w*|"
    r"swallow\w*|dodg\w+|cut from|averted|\bvoid\b|evasion|evad\w+|already|mistake",
    _I,
)


class Tail(Struct, frozen=True):
    """The words right after a roll. `end` is where they stop; `asked` is true if they are a question."""

    outcome: Ending = ""
    outcome_at: int = 0
    against: str = ""
    needed: int | None = None
    spoken: int | None = None
    end: int = 0
    whole: bool = False


def parse_text_after_roll(text: str) -> Tail:
    """Return the certain statements in the text right after a roll."""
    at, said, at_outcome = 0, Tail(), 0
    while at < len(text):
        if found := _GLUE.match(text, at):
            at = found.end()
        elif (idiom := _IDIOM.match(text, at)) is not None:
            at = idiom.end()
            break
        elif (found := TARGET.match(text, at)) and said.needed is None:
            number = found["needs"] or found["number"] or found["bare"]
            what = found["what"] or ""
            said = Tail(said.outcome, at_outcome, what, int(number.replace("−", "-")), said.spoken)
            at = found.end()
        elif found := _NATURAL.match(text, at):
            said = Tail(said.outcome, at_outcome, said.against, said.needed, int(found["face"]))
            at = found.end()
        elif (found := _ENDING.match(text, at)) and _word_ends(text, found.end()):
            if said.outcome:
                break
            at_outcome = at
            said = Tail(ending_of(found), at_outcome, said.against, said.needed, said.spoken)
            at = found.end()
        else:
            break
    clause = _CLAUSE.split(text[at:], maxsplit=1)[0]
    unsure = _UNSURE.search(text[:at]) if not said.outcome.startswith("un") else None
    outcome = "" if unsure or _UNSURE.search(clause) or "?" in text[at_outcome : at + 2] else said.outcome
    return Tail(outcome, at_outcome, said.against, said.needed, said.spoken, at, not text[at:].strip())


def ending_of(found: re.Match[str]) -> Ending:
    """Return the ending that a match means."""
    assert found.lastgroup is not None
    return _ENDINGS[int(found.lastgroup[1:])][0]


def parse_ending(word: str) -> Ending:
    """Return the ending that a whole text means; "" for any other text."""
    found = _ENDING.fullmatch(word.strip(" *!.:_`"))
    return "" if found is None else ending_of(found)


def _word_ends(text: str, at: int) -> bool:
    return (
        not text[at : at + 1].isalnum() and text[at : at + 2] not in (" p", " d") and text[at : at + 1] != "-"
    )


def kind_of(label: str) -> Kind:
    """Return the purpose of a roll with this label; "roll" if it states none."""
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(label)), "roll")


def find_target_in_label(label: str) -> tuple[str, int | None]:
    """Return the only target number in a label, and its kind; none if it contains several."""
    if _IDIOM.search(label):
        return "", None
    found = list(TARGET.finditer(label))
    if len(found) != 1:
        return "", None
    return found[0]["what"] or "", int(
        (found[0]["needs"] or found[0]["number"] or found[0]["bare"]).replace("−", "-")
    )


def find_excuse(text: str) -> str:
    """Return the first word in a text that excuses the outcome of a roll from judgement."""
    found = EXCUSE.search(text)
    return found[0] if found else ""


def afterthought(text: str) -> str:
    """Return what is added to a roll after its total, such as ` +2`, before the clause ends."""
    found = _AFTERTHOUGHT.search(re.split(r"[.;|!]", text, maxsplit=1)[0])
    return found[0].strip() if found else ""


# --- Points in a line: hit points before and after, damage halved, damage dealt

_AMOUNTS_I = re.IGNORECASE
_SIGN = r"[\-−–]"
_HIT_POINTS = re.compile(
    rf"\b(?:hp|hit points)\b[\s:=(]{{0,3}}(?P<before>{_SIGN}?\d{{1,4}})(?:/\d+)?"
    rf"\s*(?:->|→|=>|⇒|to)\s*(?P<after>{_SIGN}?\d{{1,4}})\b",
    _AMOUNTS_I,
)
_AMOUNTS_DAMAGE = re.compile(
    rf"(?<![\w.+\-−/=])(?P<points>{_SIGN}?\d{{1,4}})\s+(?:points?\s+of\s+)?(?:[a-z]+\s+){{0,2}}?damage\b"
    r"|\bdamage\b\s*+(?:[:=]\s*+)?(?P<behind>\d{1,4})\b(?!\s*[+\-*/d×=])",
    _AMOUNTS_I,
)
_HEALED = re.compile(r"\b(heal|cure|regain|recover|restor|regenerat|fast heal)\w*", _AMOUNTS_I)
_CHANGED = re.compile(
    r"\b(temp\w*|resist\w*|dr|damage reduction|reduc\w*|absor\w*|immun\w*|half|halv\w*|nonlethal|non-lethal|"
    r"regen\w*|vulnerab\w*|heal\w*|cur(e|es|ed)|hardness|protect\w*|soak\w*|ward\w*|each|total|more|extra|also|"
    r"bleed\w*|plus|and then|if|would|minus|less)\b",
    _AMOUNTS_I,
)
_HALF = (
    re.compile(
        r"\bhalf of (?P<whole>\d{1,4})(?: damage)?(?: is|:| =|,| ->| →)? (?P<half>\d{1,4})\b", _AMOUNTS_I
    ),
    re.compile(
        r"\b(?P<whole>\d{1,4})(?: points of)?(?: [a-z]+)?(?: damage)?,? (?:halved|halves)"
        r"(?: to|:| =| ->| →)? (?P<half>\d{1,4})\b",
        _AMOUNTS_I,
    ),
    re.compile(
        r"\b(?P<whole>\d{1,4})(?: points of)?(?: [a-z]+)? damage,? half"
        r"(?: is|:| =| ->| →) (?P<half>\d{1,4})\b",
        _AMOUNTS_I,
    ),
)
_NOT_HALF = re.compile(r"\b(resist|dr|reduc|vulnerab|quarter)", _AMOUNTS_I)
_DEALT = re.compile(
    rf"\b(?:for|deals?|dealing|takes?|taking|suffers?|suffering)\s+(?P<points>{_SIGN}\d{{1,4}})\s+(?:points?\s+of\s+)?(?:[a-z]+\s+){{0,2}}?damage\b",
    _AMOUNTS_I,
)


def yield_amounts(number: int, line: str) -> Iterator[Amount]:
    """Yield the points in a line, unless other words in it change them."""
    low = line.lower()
    if "damage" not in low and "hal" not in low:
        return
    halved = () if _NOT_HALF.search(line) else _HALF
    for pattern in halved:
        for found in pattern.finditer(line):
            whole, half = int(found["whole"]), int(found["half"])
            yield Amount(number, found.start() + 1, "half", whole, None, half, text=found[0])
    for found in _DEALT.finditer(line):
        yield Amount(
            number, found.start("points") + 1, "dealt", None, _number(found["points"]), text=found[0]
        )
    told = _HIT_POINTS.search(line)
    if told is None or _CHANGED.search(line) or len(_HIT_POINTS.findall(line)) > 1:
        return
    dealt = list(_AMOUNTS_DAMAGE.finditer(line[: told.start()])) or list(
        _AMOUNTS_DAMAGE.finditer(line[told.end() :])
    )
    if len(dealt) == 1 and not _HEALED.search(line):
        points = _number(dealt[0]["points"] or dealt[0]["behind"])
        before, after = _number(told["before"]), _number(told["after"])
        yield Amount(number, told.start() + 1, "hit points", before, -points, after, text=told[0])


def _number(text: str) -> int:
    return int(text.replace("−", "-").replace("–", "-"))


LONGEST = 10_000
"""Most characters read of a longer line."""

LONGEST_WORDS = 500
"""Most characters read of a heading and of a speaker, which are repeated with each roll below them."""

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
    """A log being read: the claims, the speaker, the rolls whose outcome may follow on its own line."""

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
        """Begin the message of a speaker."""
        self.block += 1
        self.speaker = speaker[:LONGEST_WORDS]
        self.heading = self.target = ""
        self.coming = None
        self.waiting.clear()


Opening = Callable[[str], tuple[str, str] | None]
"""Returns the new speaker of a line and the rest of the line; None if there is no new speaker."""


def read_lines(name: str, lines: list[str], opening: Opening, headed: bool = False) -> Claims:
    """Return the claims in the lines of a text. O(length).

    With `headed`, a line without a roll gives the purpose of the rolls after it.
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
    """Read one line into a page: its rolls and sums, its points, or the outcome of the roll before it."""
    line = line[:LONGEST]
    excuse = find_excuse(line)
    if excuse:
        page.excused.append((number, page.block, excuse))
    chains = parse_rolls_of_line(line, subtotals=page.claims.format == "foundry")
    before = len(page.claims.claims) + len(page.claims.amounts)
    page.claims.amounts += yield_amounts(number, line)
    if chains:
        _rolls(page, number, line, chains)
    elif _ends(page, line):
        page.claims.endings += 1
        return
    left = _without(line, chains)
    if _LOOKS.search(left):
        reason = "part of it is an unreadable roll" if chains else "unreadable roll"
        page.claims.unread.append(Unread(number, line.strip()[:200], reason))
    elif len(page.claims.claims) + len(page.claims.amounts) == before:
        page.claims.prose += 1
        if not chains and (sentence := _SENTENCE.match(blank_out_markup(line))) is not None:
            page.speaker, page.target = sentence["who"].strip(), sentence["target"]
        page.heading = line.strip()[:LONGEST_WORDS] if page.headed else ""


def excused(page: Page) -> Claims:
    """Return the claims, with the excuses of each line applied to the rolls that it may refer to.

    These are its own rolls; if none of them is judged by itself, also the earlier ones, from the last such
    roll on; and for a line without rolls, the following ones; all in the same block. If two excuses apply to
    a roll, the first counts. O(claims + excuses x log claims).
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
            # Up to a roll that an earlier line excused: that line has covered the earlier ones too.
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
    clean = blank_out_markup(line)
    sentence = _SENTENCE.match(clean)
    if sentence is not None:
        page.names |= {sentence["who"].strip(), sentence["target"]}
    named = _NAMED.match(clean) if sentence is None else None
    at = 0
    for place, chain in enumerate(chains):
        upto = chains[place + 1].start if place + 1 < len(chains) else len(clean)
        before, behind = clean[at : chain.start], clean[chain.end : upto]
        tail = parse_text_after_roll(behind)
        if place + 1 < len(chains) and tail.whole:
            # The words right before the next roll give that roll's purpose.
            tail = parse_text_after_roll(behind[: _last_gap(behind)])
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
        outcome = parse_ending(worded) if "?" not in before else ""
        outcome = outcome or (parse_ending(worded.rpartition(" ")[2]) if sentence is not None else "")
    if needed is None:
        against, needed = find_target_in_label(before if sentence is not None else label)
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
    """Return the purpose of a roll from the words after it; dice other than one d20 have no target number."""
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
    """Read a line that only gives the outcome of the roll before it; return whether it was one."""
    tail = parse_text_after_roll(blank_out_markup(line))
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
