"""The words around a roll: what it is for, what it had to reach, what came of it, and what excuses it."""

import re

from msgspec import Struct

from affray.replay.referee.claims import Ending, Kind

_I = re.IGNORECASE

_DAMAGE = re.compile(r"\b(damage|dmg|dam)\b", _I)
_CONFIRM = re.compile(r"\b(re-?)?confirm\w*|\bcrit(ical)?( hit)? (roll|check)\b|\bcrit\?", _I)
_MANEUVER = re.compile(
    r"\b(cmb|man(o)?euv(er|re)|grapples?|trips?|disarms?|bull[- ]rush|overruns?|sunders?|drags?|feints?|"
    r"reposition|push(es)?|grabs?|dirty trick|steal|opposed)\b",
    _I,
)
_SAVE = re.compile(r"\bsav(e|es|ing)\b|\b(fort|fortitude|ref|reflex|will)\W*$", _I)
_ATTACK = re.compile(
    r"\b(attack(s|ed|ing)?|atk|to[- ]hit|hits?|miss(es)?|strikes?|swings?|shoots?|(melee|ranged) touch)\b", _I
)
_OTHER = re.compile(
    r"\b(check|initiative|init|skill|perception|acrobatics|concentration|stealth|spot|listen|tumble|heal|"
    r"percent|concealment|chance|stabiliz\w+|caster level|"
    r"spell resistance|sr|ability|hit dice|hit points?|hp)\b",
    _I,
)

TARGET = re.compile(
    r"(?:(?:vs\.?|versus|against|v\.)\s++)?(?:(?P<whose>[A-Z][\w' -]{0,40}?)(?:'s)?\s+)?"
    r"(?P<what>(?:touch |flat-footed |ff )?(?:AC|armou?r class|defen[cs]e)|touch|TAC|DC|CMD)"
    r"\s*+(?:(?:of|is|:|=)\s*+)?(?P<number>[\-−]?\d{1,3})\b(?!\s*[+\-−–]\s*\d)|(?:vs\.?|versus)\s+(?P<bare>[\-−]?\d{1,3})\b"
    r"(?!\s*[+\-−–]\s*\d)",
    _I,
)
_IDIOM = re.compile(
    r"\b(hit|hits|hitting|miss|misses|beat|beats)\s+(an?\s+)?(touch |flat-footed |ff )?(AC|TAC|DC|CMD)\b", _I
)
"""`hits AC 24` tells the total of a roll, not the number to be reached."""

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
    """What is said right behind a roll. `end` is where it stops; `asked` that it is put as a question."""

    outcome: Ending = ""
    outcome_at: int = 0
    against: str = ""
    needed: int | None = None
    spoken: int | None = None
    end: int = 0
    whole: bool = False


def tail_of(text: str) -> Tail:
    """Return what a text that follows a roll says of it, from its beginning, as far as that is certain."""
    at, said, at_outcome = 0, Tail(), 0
    while at < len(text):
        if found := _GLUE.match(text, at):
            at = found.end()
        elif (idiom := _IDIOM.match(text, at)) is not None:
            at = idiom.end()
            break
        elif (found := TARGET.match(text, at)) and said.needed is None:
            number = found["number"] or found["bare"]
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
    """Return which ending the words are that were found."""
    assert found.lastgroup is not None
    return _ENDINGS[int(found.lastgroup[1:])][0]


def ending_said(word: str) -> Ending:
    """Return the ending that a text is, as it stands; "" for any other text."""
    found = _ENDING.fullmatch(word.strip(" *!.:_`"))
    return "" if found is None else ending_of(found)


def _word_ends(text: str, at: int) -> bool:
    return (
        not text[at : at + 1].isalnum() and text[at : at + 2] not in (" p", " d") and text[at : at + 1] != "-"
    )


def kind_of(label: str) -> Kind:
    """Return what a roll with this label is for; "roll" where it does not say so."""
    if _DAMAGE.search(label):
        return "damage"
    if _CONFIRM.search(label):
        return "confirmation"
    if _MANEUVER.search(label):
        return "maneuver"
    if _SAVE.search(label):
        return "save"
    if _OTHER.search(label):
        return "check"
    return "attack" if _ATTACK.search(label) else "roll"


def target_in(label: str) -> tuple[str, int | None]:
    """Return the one number to be reached that a label names, and what it is; none where it names several."""
    if _IDIOM.search(label):
        return "", None
    found = list(TARGET.finditer(label))
    if len(found) != 1:
        return "", None
    return found[0]["what"] or "", int((found[0]["number"] or found[0]["bare"]).replace("−", "-"))


def excuse_in(text: str) -> str:
    """Return the first word in a text for which what came of a roll is not judged."""
    found = EXCUSE.search(text)
    return found[0] if found else ""


def afterthought(text: str) -> str:
    """Return what is added to a roll behind its total, such as ` +2`, before the clause ends."""
    found = _AFTERTHOUGHT.search(re.split(r"[.;|!]", text, maxsplit=1)[0])
    return found[0].strip() if found else ""
