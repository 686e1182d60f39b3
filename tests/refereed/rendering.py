"""Write what was rolled as the tools of others write it, and say on which lines each entry stands."""

import json
from collections.abc import Callable, Sequence

from tests.refereed.entries import Entry, Shown

Written = tuple[str, list[tuple[int, int]]]
"""A text, and for each entry the first and last line on which it stands."""


def _signed(number: int, gap: str = "") -> str:
    return f"{gap}{'-' if number < 0 else '+'}{gap}{abs(number)}"


def _notation(entry: Entry, gap: str = "") -> str:
    dice = f"{gap}+{gap}".join(one.notation for one in entry.dice)
    return dice + "".join(_signed(one, gap) for one in entry.constants)


def _faces(one: Shown, brackets: str = "()", between: str = ", ", marks: str = "words") -> str:
    told = []
    for face, fate in one.faces:
        if fate in ("dropped", "rerolled"):
            told.append(f"~~{face}~~" if marks == "strike" or fate == "rerolled" else str(face))
        elif fate == "exploded" and marks == "strike":
            told.append(f"{face}!")
        else:
            told.append(f"**{face}**" if marks == "strike" and face in (1, one.sides) else str(face))
    return brackets[0] + between.join(told) + brackets[1]


def _shown(
    entry: Entry, gap: str = "", brackets: str = "()", between: str = ", ", marks: str = "words"
) -> str:
    dice = f"{gap}+{gap}".join(_faces(one, brackets, between, marks) for one in entry.dice)
    return dice + "".join(_signed(one, gap) for one in entry.shown)


def _woven(entry: Entry) -> str:
    dice = " + ".join(f"{one.notation} {_faces(one, marks='strike')}" for one in entry.dice)
    return dice + "".join(_signed(one, " ") for one in entry.shown)


def _tail(entry: Entry) -> str:
    needed = f" vs {entry.against} {entry.needed}" if entry.needed is not None else ""
    words = {"critical": "critical hit", "threat": "critical threat"}.get(entry.outcome, entry.outcome)
    excuse = f" ({entry.excuse})" if entry.excuse else ""
    return f"{needed}: {words}{excuse}" if words else needed


def _label(entry: Entry) -> str:
    names = {"attack": "attack", "confirmation": "Confirm critical", "damage": "damage"}
    return f"{entry.label} {names[entry.kind]}".strip() if entry.kind in names else entry.label


def _points(entry: Entry) -> str:
    before, change, *after = entry.numbers
    if entry.kind == "half":
        return f"{entry.who} saves: half of {before} is {change}"
    if entry.kind == "least":
        return f"{entry.who} deals {change} damage"
    return f"{entry.who} takes {change} damage, HP {before} -> {after[0]}"


_ASIDE = ("dropped", "rerolled")
_POINTS = ("hit points", "half", "least")


def _gathered(entries: Sequence[Entry], rows_of: Callable[[Entry, str], list[str]]) -> Written:
    rows: list[str] = []
    places = []
    speaker = ""
    for entry in entries:
        new = rows_of(entry, speaker)
        first = len(rows) + 1
        rows += new
        places.append((first, len(rows)))
        speaker = entry.who
    return "\n".join(rows) + "\n", places


def pbp(entries: Sequence[Entry]) -> Written:
    """As forums show dice that are written into posts."""
    arrows = ("=>", "⇒")

    def rows(entry: Entry, speaker: str) -> list[str]:
        head = ["", f"| {entry.who} |", "Blood and thunder!"] if entry.who != speaker else []
        if entry.kind in _POINTS:
            return [*head, _points(entry)]
        gap, arrow = (" ", arrows[1]) if len(entry.who) % 2 else ("", arrows[0])
        return [
            *head,
            f"{_label(entry)}: {_notation(entry, gap)} {arrow} {_shown(entry, gap)}"
            f" = {entry.total}{_tail(entry)}",
        ]

    return _gathered(entries, rows)


def brackets(entries: Sequence[Entry]) -> Written:
    """As other forums do: faces in brackets behind a colon, or all in one pair of brackets."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        head = ["", f"{entry.who} wrote:"] if entry.who != speaker else []
        if entry.kind in _POINTS:
            return [*head, _points(entry)]
        if len(entry.dice) == 1 and entry.constants == entry.shown and len(entry.who) % 2:
            faces = _faces(entry.dice[0], "[]", marks="strike")
            return [*head, f"{_label(entry)} ({_notation(entry)}){faces}({entry.total}){_tail(entry)}"]
        return [
            *head,
            f"{_label(entry)}: {_notation(entry)}: {_shown(entry, '', '[]')} = {entry.total}{_tail(entry)}",
        ]

    return _gathered(entries, rows)


def avrae(entries: Sequence[Entry]) -> Written:
    """As Avrae prints what it rolls, the ending on a line of its own."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        head = ["", f"{entry.who} attacks with a {entry.label}!"] if entry.kind == "attack" else []
        head = ["", f"{entry.who} makes a {entry.label}!"] if entry.kind in ("save", "check") else head
        if entry.kind in _POINTS:
            return ["", _points(entry)]
        names = {"attack": "**To Hit**", "damage": "**Damage**", "confirmation": "**Confirm**"}
        name = names.get(entry.kind, f"**{entry.label}**")
        found = [*head, f"{name}: {_woven(entry)} = `{entry.total}`"]
        if entry.needed is not None:
            found[-1] += f" vs {entry.against} {entry.needed}"
        words = {"critical": "Critical hit", "threat": "Critical threat"}.get(
            entry.outcome, entry.outcome.capitalize()
        )
        if words:
            found.append(f"**{words}!**" + (f" ({entry.excuse})" if entry.excuse else ""))
        return found

    return _gathered(entries, rows)


def plain(entries: Sequence[Entry]) -> Written:
    """As people type attack logs."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        if entry.kind in _POINTS:
            return [_points(entry)]
        if entry.kind == "attack" and len(entry.shown) < 4:
            added = "".join(_signed(one, " ") for one in entry.shown)
            numbers = f"{entry.dice[0].faces[0][0]}{added} = {entry.total}"
            words = {"critical": "critical hit", "threat": "critical threat"}.get(
                entry.outcome, entry.outcome
            )
            needed = f" vs {entry.against} {entry.needed}"
            excuse = f" ({entry.excuse})" if entry.excuse else ""
            die = "" if entry.shown else "d20 "
            return [
                f"{entry.who} attacks {entry.target} with {entry.label}: {words}"
                f" ({die}{numbers}{needed}){excuse}"
            ]
        shown = f"{_woven(entry)} = {entry.total}"
        if entry.kind == "damage":
            return [f"{entry.who} deals {entry.total} damage ({shown})"]
        return [f"{entry.who}, {_label(entry)}: {shown}{_tail(entry)}"]

    return _gathered(entries, rows)


def foundry_text(entries: Sequence[Entry]) -> Written:
    """As Foundry exports its chat log to text: what each term comes to, and the total."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        head = [f"[11/27/2026, 7:30:12 PM] {entry.who}"]
        rule = ["---------------------------"]
        if entry.kind in _POINTS:
            return [*head, _points(entry), *rule]
        results = " + ".join(str(one.value) for one in entry.dice) + "".join(
            _signed(n, " ") for n in entry.shown
        )
        return [
            *head,
            f"{_label(entry)}{_tail(entry)}",
            f"{_notation(entry, ' ')} = {results} = {entry.total}",
            *rule,
        ]

    return _gathered(entries, rows)


def foundry_json(entries: Sequence[Entry]) -> Written:
    """As Foundry keeps messages: one JSON object a line, each roll the text of another one."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        message: dict[str, object] = {
            "speaker": {"alias": entry.who},
            "type": "base",
            "content": str(entry.total),
        }
        if entry.kind in _POINTS:
            message["content"] = f"<p>{_points(entry)}</p>"
            return [json.dumps(message)]
        terms: list[dict[str, object]] = []
        for one in entry.dice:
            rest = one.notation.partition("d")[2]
            mods = rest[len(str(one.sides)) :] if rest.startswith(str(one.sides)) else ""
            results = [
                {
                    "result": face,
                    "active": fate not in ("dropped", "rerolled"),
                    **({"discarded": True} if fate == "dropped" else {}),
                    **({"rerolled": True} if fate == "rerolled" else {}),
                    **({"exploded": True} if fate == "exploded" else {}),
                }
                for face, fate in one.faces
            ]
            terms += [{"class": "OperatorTerm", "operator": "+"}] if terms else []
            terms.append(
                {
                    "class": "Die",
                    "number": one.count,
                    "faces": one.sides,
                    "modifiers": [mods] if mods else [],
                    "results": results,
                }
            )
        for constant in entry.shown:
            terms.append({"class": "OperatorTerm", "operator": "-" if constant < 0 else "+"})
            terms.append({"class": "NumericTerm", "number": abs(constant)})
        roll = {
            "class": "Roll",
            "formula": _notation(entry, " "),
            "terms": terms,
            "total": entry.total,
            "evaluated": True,
        }
        message["flavor"] = f"{_label(entry)}{_tail(entry)}"
        message["rolls"] = [json.dumps(roll)]
        return [json.dumps(message)]

    return _gathered(entries, rows)


def roll20_text(entries: Sequence[Entry]) -> Written:
    """As a Roll20 chat is copied: a roll on several lines."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        if entry.kind in _POINTS:
            return [f"{entry.who}:{_points(entry)}"]
        what = f"{_label(entry)}{_tail(entry)}"
        return [
            f"{entry.who}:{what}",
            f"rolling {_notation(entry)}",
            _shown(entry, "", "()", "+"),
            "=",
            str(entry.total),
        ]

    return _gathered(entries, rows)


def roll20_json(entries: Sequence[Entry]) -> Written:
    """As Roll20 hands messages to scripts, in one array: results of rolls, and rolls within a text."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        message: dict[str, object] = {"who": entry.who, "type": "general"}
        if entry.kind in _POINTS:
            return [json.dumps({**message, "content": _points(entry)}) + ","]
        rolls: list[dict[str, object]] = []
        for one in entry.dice:
            mods: dict[str, object] = {}
            if "k" in one.notation:
                mods = {"keep": {"end": one.notation.partition("k")[2][0], "count": int(one.notation[-1])}}
            elif "dl" in one.notation:
                mods = {"drop": {"end": "l", "count": int(one.notation[-1])}}
            elif "e" in one.notation:
                mods = {"exploding": ""}
            elif "rr" in one.notation:
                mods = {"reroll": [{"comp": "<", "point": 2}]}
            results = [
                {"v": face, **({"d": True} if fate in ("dropped", "rerolled") else {})}
                for face, fate in one.faces
            ]
            rolls += [{"type": "M", "expr": "+"}] if rolls else []
            rolls.append(
                {"type": "R", "dice": one.count, "sides": one.sides, "mods": mods, "results": results}
            )
        if entry.shown:
            rolls.append({"type": "M", "expr": "".join(_signed(one) for one in entry.shown)})
        result = {"type": "V", "rolls": rolls, "resultType": "sum", "total": entry.total}
        if len(entry.who) % 2:
            rolls.append({"type": "L", "text": f"{_label(entry)}{_tail(entry)}"})
            return [json.dumps({**message, "type": "rollresult", "content": json.dumps(result)}) + ","]
        content = f"{_label(entry)}: $[[0]]{_tail(entry)}"
        return [
            json.dumps(
                {
                    **message,
                    "content": content,
                    "inlinerolls": [{"expression": _notation(entry), "results": result}],
                }
            )
            + ","
        ]

    text, places = _gathered(entries, rows)
    return "[" + text.rstrip(",\n") + "]\n", places


def roll20_html(entries: Sequence[Entry]) -> Written:
    """As a Roll20 chat is saved as a page: rolls within a text hide their dice in a title."""

    def rows(entry: Entry, speaker: str) -> list[str]:
        by = f'<div class="message general"><span class="by">{entry.who}:</span>'
        if entry.kind in _POINTS:
            return [f"{by}{_points(entry)}</div>".replace("->", "-&gt;")]
        dice = "+".join(
            "(" + "+".join(
                f"<span class='basicdiceroll{' dropped' if fate in _ASIDE else ''}'>{face}</span>"
                for face, fate in one.faces
            ) + ")"
            for one in entry.dice
        )  # fmt: skip
        shown = dice + "".join(_signed(one) for one in entry.shown)
        title = f"Rolling {_notation(entry)} = {shown}".replace("<", "&lt;").replace(">", "&gt;")
        roll = f'<span class="inlinerollresult showtip" title="{title}">{entry.total}</span>'
        return [f"{by}{_label(entry)}: {roll}{_tail(entry)}</div>"]

    return _gathered(entries, rows)


FORMATS: dict[str, tuple[str, Callable[[Sequence[Entry]], Written]]] = {
    "pbp": ("pbp", pbp),
    "brackets": ("pbp", brackets),
    "avrae": ("avrae", avrae),
    "plain": ("plain", plain),
    "foundry text": ("foundry", foundry_text),
    "foundry json": ("foundry", foundry_json),
    "roll20 text": ("roll20", roll20_text),
    "roll20 json": ("roll20", roll20_json),
    "roll20 html": ("roll20", roll20_html),
}
"""What is written -> the format that it is read as, and how."""
