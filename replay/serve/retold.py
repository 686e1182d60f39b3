"""What is looked up beside the feed, with the numbers of whoever asks: explanations, chances of winning."""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.replay.drawn_chances import Swing
from affray.replay.serve.counting import Counted
from affray.replay.serve.renumbering import in_own_keys


def own_why(found: Struct, counted: Counted) -> Any:
    """Return an explanation, as it stands in JSON, with the numbers of the reader; it is a Why."""
    made = msgspec.json.decode(in_own_keys(msgspec.json.encode(found), counted))
    it = made["explanation"]
    it["turn"] = counted.turn(it["seq"])
    for one in (it, *it["chain"], *it["dice"], *it["parts"], *made["rulings"]):
        one["seq"] = counted.number(one["seq"])
    it["declaration"] = counted.ids.get(it["declaration"], it["declaration"])
    for one in made["rulings"]:
        one["event"] = counted.number(one["event"])
        one.update((name, counted.ids.get(one[name], one[name])) for name in ("id", "dispute", "subject"))
    return made


def own_swing(found: Swing, counted: Counted) -> Swing:
    """Return chances along a line with the numbers of the reader, after those declarations that are told."""
    turns = (one for one in found.turns if counted.is_told(one.seq))
    told = (replace(one, seq=counted.number(one.seq), turn=counted.turn(one.seq)) for one in turns)
    return replace(found, turns=tuple(told))
