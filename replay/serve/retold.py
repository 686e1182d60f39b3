"""What is looked up beside the feed, with the numbers of whoever asks: explanations, chances of winning."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.projections.sentence import sentence
from affray.replay.drawn_chances import Swing
from affray.replay.serve.counting import Counted
from affray.replay.serve.passed import Passed
from affray.replay.serve.renumbering import in_own_keys, own_fact


def own_why(found: Struct, counted: Counted, group: Iterable[Passed]) -> dict[str, Any]:
    """Return an explanation (a Why), as it stands in JSON, with the numbers of the reader.

    `group` is the declaration that it is of.
    """
    made: dict[str, Any] = msgspec.json.decode(in_own_keys(msgspec.json.encode(found), counted))
    it = made["explanation"]
    it["turn"] = counted.turn(it["seq"])
    for one in group:
        fact = own_fact(one.fact, one.event.seq, counted) if counted.is_told(one.event.seq) else one.fact
        if fact is not one.fact:  # a number of its own may stand in the sentence
            for told, name in ((it, "sentence"), *((link, "text") for link in it["chain"])):
                told[name] = sentence(fact) if told["seq"] == one.event.seq else told[name]
    for part in (it, *it["chain"], *it["dice"], *it["parts"], *made["rulings"]):
        part["seq"] = counted.number(part["seq"])
    it["declaration"] = counted.ids.get(it["declaration"], it["declaration"])
    for ruling in made["rulings"]:
        ruling["event"] = counted.number(ruling["event"])
        for name in ("id", "dispute", "subject"):
            ruling[name] = counted.ids.get(ruling[name], ruling[name])
    return made


def own_swing(found: Swing, counted: Counted) -> Swing:
    """Return chances along a line with the numbers of the reader, after those declarations that are told."""
    turns = (one for one in found.turns if counted.is_told(one.seq))
    told = (replace(one, seq=counted.number(one.seq), turn=counted.turn(one.seq)) for one in turns)
    return replace(found, turns=tuple(told))
