"""What each code of an error means, for whoever writes a client. A test holds that none is missing."""

from typing import Final

MEANINGS: Final = {
    "bad_request": "Something in the request does not fit; `message` names it.",
    "no_token": "There is no header `Authorization: Bearer TOKEN`.",
    "unknown_token": "Nobody has that token, or no longer.",
    "wrong_role": "That is for others: see who may.",
    "wrong_origin": "A page of another server sent it.",
    "not_yours": "That combatant is another one's.",
    "hidden": "Numbers of others are in it, or it depends on who is hidden.",
    "not_found": "There is nothing of that name.",
    "wrong_method": "The path has no such method; `Allow` names those that it has.",
    "too_slow": "The body did not come in time.",
    "stale_position": "The fight has gone on since `expected`: it is at `position`. Look, and decide anew.",
    "request_reused": "The id was that of another request.",
    "waiting": "The fight waits for an answer first.",
    "not_waiting": "The fight waits for no answer.",
    "too_large": "The body is longer than 64 KiB.",
    "not_json": "The body is not announced as `application/json`.",
    "wrong_host": "The server is not called by the name in `Host`.",
    "too_many": "Too many requests; `Retry-After` says after how many seconds to come again.",
    "internal": "The server failed; its log says at what.",
    "too_many_feeds": "Too many listen, or are connected; `Retry-After` says when to come again.",
}
