"""What a hit does, as it is printed in parentheses: "1d8+14/19-20/x3 plus 1d6 fire and grab"."""

import re
from typing import Any, Final

from affray.engine.statblock.defences import ENERGIES
from affray.engine.statblock.lines import first_of, split_top
from affray.events.wording import counted

TYPES: Final = frozenset(
    {*ENERGIES, "bludgeoning", "piercing", "slashing", "force", "negative energy", "positive energy", "bleed"}
)
#: Ability scores as they begin, whether spelled out or not.
ABILITIES: Final = ("str", "dex", "con", "int", "wis", "cha")
_DICE = "[0-9]{1,3}d[0-9]{1,3}"
_DAMAGE = re.compile(
    rf"^({_DICE}(?: ?\+ ?{_DICE}){{0,5}}|[0-9]{{1,4}})(?: ?([+-]) ?([0-9]{{1,4}})(\.5)?)?(?=[ /,;]|$)"
)
_EXTRA = re.compile(
    rf"^({_DICE}(?: ?[+-] ?[0-9]{{1,3}})?"
    rf"|[0-9]{{1,3}}(?= (?:points? of )?(?:{'|'.join(sorted(TYPES))}|{'|'.join(ABILITIES)})))(?: (.*))?$"
)
_ABILITY = re.compile(
    rf"^(?:points? of )?(?:temporary )?({'|'.join(ABILITIES)})"
    r"(?:ength|terity|stitution|elligence|dom|risma)?(?: (damage|drain))?$"
)
_LEVELS = re.compile(r"^(?:energy drain \()?([0-9]{1,2}) (?:negative )?levels?\)?$")
_SAVE = re.compile(r"^(fort|ref|will)[a-z]*\.? ?(?:save )?dc ([0-9]{1,2})(?: negates)?$")
_THREAT = re.compile(r"/ ?([0-9]{1,2})-20\b")
_TIMES = re.compile(r"/ ?x([2-9])\b")
#: "/x3plus poison", "plus1d6 fire": where print has lost a blank.
_GLUED = re.compile(r"(?<=[0-9)])(?=plus[ 0-9])|(?<=[0-9) ]plus)(?=[0-9])")


def harm_of(damage: str) -> dict[str, Any]:
    """Return the fields of an Attack that its damage says. Linear in the text."""
    damage = _GLUED.sub(" ", damage)
    first, *others = damage.split(" plus ")
    found: dict[str, Any] = {}
    dealt = _DAMAGE.match(first)
    rest = first
    if dealt is not None:
        found["dice"] = dealt[1].replace(" ", "")
        found["flat"] = int(dealt[2] + dealt[3]) if dealt[2] else 0
        rest = first[dealt.end() :]
    threat, times = _THREAT.search(damage), _TIMES.search(damage)
    if threat is not None:
        found["threat"] = max(2, min(20, int(threat[1])))
    if times is not None:
        found["multiplier"] = int(times[1])
    extra: list[tuple[str, str]] = []
    losses: list[str] = []
    riders: list[str] = []
    for number, part in enumerate((rest, *others)):
        plain = _TIMES.sub("", _THREAT.sub("", part)).replace("/20", "")
        for piece in split_top(plain, ",", " and ", ";"):
            word = piece.lower().strip()
            more = _EXTRA.match(word)
            ability = _ABILITY.match(word) if number == 0 and found.get("dice", "0") != "0" else None
            if ability is not None:
                losses.append(f"{found['dice']}{_signed(found['flat'])} {_loss(ability)}")
                found |= {"dice": "0", "flat": 0}
            elif number == 0 and dealt is not None and word.removesuffix(" damage") in TYPES:
                found["kind"] = word.removesuffix(" damage")
            elif number == 0 and word in ("nonlethal", "nonlethal damage"):
                found["nonlethal"] = True
            elif more is not None and (ability := _ABILITY.match(more[2] or "")) is not None:
                losses.append(f"{more[1].replace(' ', '')} {_loss(ability)}")
            elif (levels := _LEVELS.match(word)) is not None:
                losses.append(counted(int(levels[1]), "negative level"))
            elif more is not None:
                extra.append((more[1].replace(" ", ""), (more[2] or "").removesuffix(" damage")))
            elif word:
                riders.append(word)
    found["extra"] = tuple(extra)
    found["losses"] = first_of(losses)
    found["riders"] = first_of(riders)
    return found | (_save_of(found["riders"]) if losses else {})


def _signed(flat: int) -> str:
    return f"{flat:+d}" if flat else ""


def _loss(ability: re.Match[str]) -> str:
    """Return what costs ability points as a sheet says it: "str", "con drain"."""
    return f"{ability[1]} drain" if ability[2] == "drain" else ability[1]


def _save_of(riders: tuple[str, ...]) -> dict[str, Any]:
    """Return the saving throw printed beside a loss, taken out of the riders."""
    for rider in riders:
        save = _SAVE.match(rider)
        if save is not None:
            others = tuple(one for one in riders if one != rider)
            return {"save": save[1], "dc": int(save[2]), "riders": others}
    return {}
