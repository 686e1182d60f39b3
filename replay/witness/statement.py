"""What is signed: that a line of play was this one at one moment, said by one person.

The text begins as a checkpoint of a transparency log does (C2SP tlog-checkpoint: origin, number of leaves,
root in base64), and goes on with lines of its own:

    affray/c2a1...64 hexadecimal digits.../main
    246
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
    seal main:246:7K3M-9QXT-0ABC-DEFG-HJKM-NPQR-STVW-XYZ0
    when 2026-11-23T20:44:00Z
    by alex
    after q1pz...=

The origin names the log by the digest of its first event, and the line of play. `after` is sha256 over the
witness file that the signer had before it, so who signs vouches for all that came before. Every line ends
with a line feed.
"""

import re
from base64 import b64decode, b64encode
from datetime import UTC, datetime

from msgspec import Struct

from affray.events.errors import AffrayError
from affray.replay.sealing import Seal, code

_TEXT = re.compile(
    r"affray/(?P<log>[0-9a-f]{64})/(?P<branch>[A-Za-z0-9][A-Za-z0-9._-]{0,63})\n"
    r"(?P<seq>[1-9][0-9]{0,14})\n"
    r"(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"seal (?P<seal>[^\n]{1,200})\n"
    r"when (?P<when>2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\n"
    r"by (?P<by>[^\n]{1,100})\n"
    r"after (?P<after>[A-Za-z0-9+/]{43}=)\n"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9@._+-]{0,99}")
_WHEN = "%Y-%m-%dT%H:%M:%SZ"


class BadName(AffrayError):
    """A signer's name that no list of signers could hold."""


class BadStatement(ValueError):
    """A text that nobody who signs with Affray has signed."""


class Statement(Struct, frozen=True):
    """That `branch` of the log whose first event has the digest `log` had this root after `seq` events.

    Said by `by`, at `when` by the signer's own clock (UTC), knowing the file of which `after` is the sha256.
    """

    log: str
    branch: str
    seq: int
    root: bytes
    when: str
    by: str
    after: bytes

    @property
    def seal(self) -> Seal:
        """The seal of the line as it was."""
        return Seal(self.branch, self.seq, code(self.branch, self.seq, self.root))

    @property
    def text(self) -> str:
        """What the signature covers, in ASCII."""
        return (
            f"affray/{self.log}/{self.branch}\n{self.seq}\n{_base64(self.root)}\nseal {self.seal}\n"
            f"when {self.when}\nby {self.by}\nafter {_base64(self.after)}\n"
        )


def parse_statement(text: str) -> Statement:
    """Return what a signed text says. Raises BadStatement, also for one written otherwise."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise BadStatement("the signed text is none of a seal")
    root, after = b64decode(match["root"]), b64decode(match["after"])
    names = match["log"], match["branch"], int(match["seq"])
    said = Statement(*names, root, match["when"], match["by"], after)
    if not _NAME.fullmatch(said.by):
        raise BadStatement("it is signed by no name")
    try:
        datetime.strptime(said.when, _WHEN)
    except ValueError:
        raise BadStatement(f"{said.when} is no time") from None
    if said.text != text:
        raise BadStatement("the seal in the signed text is not that of its root")
    return said


def check_name(name: str) -> str:
    """Return a signer's name. Raises BadName for one that a list of signers could read otherwise."""
    if not _NAME.fullmatch(name):
        allowed = "letters, digits and @ . _ + -, a letter or digit first, 100 at most"
        raise BadName(f"{name!r} is no name of a signer: {allowed}")
    return name


def now() -> str:
    """Return the time of this machine's clock as statements say it."""
    return datetime.now(UTC).strftime(_WHEN)


def local_time(when: str) -> str:
    """Return a statement's time as ssh-keygen reads one: this machine's time zone, YYYYMMDDHHMMSS."""
    return datetime.strptime(when, _WHEN).replace(tzinfo=UTC).astimezone().strftime("%Y%m%d%H%M%S")


def _base64(data: bytes) -> str:
    return b64encode(data).decode()
