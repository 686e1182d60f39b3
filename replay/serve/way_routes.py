"""The route that tells what a way of one's own would come to, before it is declared."""

import re
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from affray.events.facts.declared import AnyAct
from affray.events.wording import counted
from affray.replay.serve.asked import as_json, guest_of
from affray.replay.serve.errors import Problem
from affray.replay.serve.ports import house_of
from affray.replay.serve.queries import HOW, KIND, MOST_SQUARES, PATH, TARGET, WAYS

_PATH: Final = re.compile(PATH.schema["pattern"])
_SAYS_HOW: Final = ("move", "withdraw")


async def way(request: Request) -> Response:
    """Tell what a way would cost, whom it would let strike, or why it is refused."""
    house, guest = house_of(request), guest_of(request)
    act = act_of(request)
    if guest.role != "game master" and act.actor not in guest.combatants:
        raise Problem("not_yours", "that is told to the combatant's player alone")
    return as_json(
        await house.look_by_rules(guest, str(act), lambda looking, store: looking.price(store, act))
    )


def act_of(request: Request) -> AnyAct:
    """Return the declaration that a request asks about. Raises Problem."""
    kind, how, target = KIND.text(request), HOW.text(request), TARGET.text(request)
    if kind not in WAYS:
        raise Problem("bad_request", f"act={kind[:40]}: there is {', '.join(WAYS)}")
    path = squares_of(PATH.text(request))
    said: dict[str, Any] = {"act": kind, "actor": request.path_params["id"]}
    if kind == "step" and path:
        said["to"] = path[-1]
    elif kind != "step":
        said["path"] = path
    for name, word, kinds in (("how", how, _SAYS_HOW), ("target", target, ("charge",))):
        if word and kind not in kinds:
            raise Problem("bad_request", f"a {kind} has no {name!r}")
        if word:
            said[name] = word
    try:
        return msgspec.convert(said, AnyAct)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise Problem("bad_request", str(error)) from None


def squares_of(text: str) -> list[tuple[int, int]]:
    """Return the squares of a path. Raises Problem for one that is none, or too long."""
    if len(text) > 12 * MOST_SQUARES or not _PATH.fullmatch(text):
        raise Problem("bad_request", f"path={text[:40]}: squares as in 4,1;4,2;5,3, {MOST_SQUARES} at most")
    squares = [tuple(map(int, one.split(","))) for one in text.split(";") if one]
    if len(squares) > MOST_SQUARES:
        raise Problem("bad_request", f"a path of {counted(len(squares), 'square')}: {MOST_SQUARES} at most")
    return squares  # type: ignore[return-value]
