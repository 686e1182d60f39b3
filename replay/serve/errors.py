"""What is answered when something is not done: one shape for all of it, and no word of the inside.

    {"error": {"code": "wrong_role", "message": "only the game master may", "rule": ""}}

With 409 the position now stands beside it, `"position": "main:0:52"`, as in every other answer. What a rule
refuses is no error: that is a fact of the fight, and answered as one.
"""

import traceback
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from affray.events import oplog
from affray.events.errors import clear_line

STATUSES = {
    "bad_request": 400,
    "no_token": 401,
    "unknown_token": 401,
    "wrong_role": 403,
    "wrong_origin": 403,
    "not_yours": 403,
    "hidden": 403,
    "not_found": 404,
    "wrong_method": 405,
    "too_slow": 408,
    "stale_position": 409,
    "request_reused": 409,
    "waiting": 409,
    "not_waiting": 409,
    "too_large": 413,
    "not_json": 415,
    "wrong_host": 421,
    "too_many": 429,
    "internal": 500,
    "too_many_feeds": 503,
}
"""The status that each code is answered with."""

OF_STATUS = {404: "not_found", 405: "wrong_method"}
"""What Starlette itself refuses, by status; anything else that it refuses is a bad request."""


class Problem(Exception):
    """Why a request is not done: a code, which says the status, and one clear line.

    `rule` is the id of a rule that it is about, `position` the one now (with 409), `retry_after` the seconds
    after which it may be tried again. Routes raise it; it becomes the answer.
    """

    def __init__(
        self, code: str, message: str, *, rule: str = "", position: str = "", retry_after: int = 0
    ) -> None:
        self.code, self.status = code, STATUSES[code]
        self.message = clear_line(message)
        self.rule, self.position, self.retry_after = rule, position, retry_after
        super().__init__(self.message)

    def response(self) -> Response:
        """Return the answer that tells it."""
        told: dict[str, Any] = {"error": {"code": self.code, "message": self.message, "rule": self.rule}}
        if self.position:
            told["position"] = self.position
        headers = {"retry-after": str(self.retry_after)} if self.retry_after else {}
        if self.status == HTTPStatus.UNAUTHORIZED:
            headers["www-authenticate"] = "Bearer"
        return JSONResponse(told, self.status, headers)


INTERNAL = "something went wrong inside the server; its log has more"


def failed(error: BaseException, place: str) -> Problem:
    """Note what went wrong inside, with where, in the operational log, and return what a client is told."""
    steps = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{step.filename}:{step.lineno} {step.name}" for step in reversed(steps))
    oplog.warning("serve.failed", place=place, error=f"{type(error).__name__}: {error}", where=where)
    return Problem("internal", INTERNAL)


async def problem_told(request: Request, error: Exception) -> Response:
    """Answer what was raised while a request was served, whatever it is.

    What went wrong inside goes on to the guard, which notes it: Starlette raises it again.
    """
    if isinstance(error, Problem):
        return error.response()
    if isinstance(error, HTTPException):
        problem = Problem(OF_STATUS.get(error.status_code, "bad_request"), error.detail)
        answer = problem.response()
        answer.headers.update(error.headers or {})
        return answer
    if isinstance(error, ClientDisconnect):
        return Problem("bad_request", "the request ended before its body").response()
    return Problem("internal", INTERNAL).response()


HANDLERS = dict.fromkeys((Problem, HTTPException, ClientDisconnect, Exception), problem_told)
"""For `Starlette(exception_handlers=HANDLERS)`: nothing else then decides what an error looks like."""
