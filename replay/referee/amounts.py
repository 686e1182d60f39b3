"""Points that a line tells: hit points before and after, damage halved, damage dealt."""

import re
from collections.abc import Iterator

from affray.replay.referee.claims import Amount

_I = re.IGNORECASE
_SIGN = r"[\-−–]"
_HIT_POINTS = re.compile(
    rf"\b(?:hp|hit points)\b[\s:=(]{{0,3}}(?P<before>{_SIGN}?\d{{1,4}})(?:/\d+)?"
    rf"\s*(?:->|→|=>|⇒|to)\s*(?P<after>{_SIGN}?\d{{1,4}})\b",
    _I,
)
_DAMAGE = re.compile(
    rf"(?<![\w.+\-−/=])(?P<points>{_SIGN}?\d{{1,4}})\s+(?:points?\s+of\s+)?(?:[a-z]+\s+){{0,2}}?damage\b"
    r"|\bdamage\b\s*+(?:[:=]\s*+)?(?P<behind>\d{1,4})\b(?!\s*[+\-*/d×=])",
    _I,
)
_HEALED = re.compile(r"\b(heal|cure|regain|recover|restor|regenerat|fast heal)\w*", _I)
_CHANGED = re.compile(
    r"\b(temp\w*|resist\w*|dr|damage reduction|reduc\w*|absor\w*|immun\w*|half|halv\w*|nonlethal|non-lethal|"
    r"regen\w*|vulnerab\w*|heal\w*|cur(e|es|ed)|hardness|protect\w*|soak\w*|ward\w*|each|total|more|extra|also|"
    r"bleed\w*|plus|and then|if|would|minus|less)\b",
    _I,
)
_HALF = (
    re.compile(r"\bhalf of (?P<whole>\d{1,4})(?: damage)?(?: is|:| =|,| ->| →)? (?P<half>\d{1,4})\b", _I),
    re.compile(
        r"\b(?P<whole>\d{1,4})(?: points of)?(?: [a-z]+)?(?: damage)?,? (?:halved|halves)"
        r"(?: to|:| =| ->| →)? (?P<half>\d{1,4})\b",
        _I,
    ),
    re.compile(
        r"\b(?P<whole>\d{1,4})(?: points of)?(?: [a-z]+)? damage,? half"
        r"(?: is|:| =| ->| →) (?P<half>\d{1,4})\b",
        _I,
    ),
)
_NOT_HALF = re.compile(r"\b(resist|dr|reduc|vulnerab|quarter)", _I)
_DEALT = re.compile(
    rf"\b(?:for|deals?|dealing|takes?|taking|suffers?|suffering)\s+(?P<points>{_SIGN}\d{{1,4}})\s+(?:points?\s+of\s+)?(?:[a-z]+\s+){{0,2}}?damage\b",
    _I,
)


def amounts_of(number: int, line: str) -> Iterator[Amount]:
    """Yield the points that a line tells, as far as nothing in it changes them."""
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
    dealt = list(_DAMAGE.finditer(line[: told.start()])) or list(_DAMAGE.finditer(line[told.end() :]))
    if len(dealt) == 1 and not _HEALED.search(line):
        points = _number(dealt[0]["points"] or dealt[0]["behind"])
        before, after = _number(told["before"]), _number(told["after"])
        yield Amount(number, told.start() + 1, "hit points", before, -points, after, text=told[0])


def _number(text: str) -> int:
    return int(text.replace("−", "-").replace("–", "-"))
