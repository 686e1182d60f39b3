"""SSH signatures by the system's `ssh-keygen -Y`: Affray neither signs nor checks anything by itself.

Keys stay where they are: ssh-keygen gets their paths, reads them or asks the agent, and asks for the
passphrase on the terminal. Who may sign under which name stands in a file of allowed signers (ssh-keygen(1),
ALLOWED SIGNERS).
"""

import os
import re
import subprocess
from base64 import b64decode, b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

from affray.events.errors import AffrayError
from affray.replay.witness.statement import Statement, local_time

NAMESPACE = "affray-seal"
"""What signatures are made for: one that was made for something else, as a file or mail, does not count."""

TOOL = "ssh-keygen"
WANTED = "OpenSSH 8.9 or newer"
SECONDS_TO_SIGN = 300
"""So long somebody may take for the passphrase, or to touch the key."""

SECONDS_TO_CHECK = 20
_ARMOUR = re.compile(
    r"-----BEGIN SSH SIGNATURE-----\n((?:[A-Za-z0-9+/=]{1,76}\n)+)-----END SSH SIGNATURE-----\n"
)
_MAGIC = b"SSHSIG\x00\x00\x00\x01"
_STRINGS, _RESERVED = 5, 2
_OWN = ("Could not verify signature.", "Signing data on standard input", "sig_verify:")


class NoTool(AffrayError):
    """ssh-keygen is not installed, or so old that it knows no signatures."""


class NotSigned(AffrayError):
    """ssh-keygen made no signature: no key, no agent, a wrong passphrase."""


class NoSigners(AffrayError):
    """No file of allowed signers, or of revoked keys, or one that cannot be read."""


class Signers:
    """Who may sign: a file of allowed signers, and where there is one a file of revoked keys."""

    def __init__(self, allowed: Path, revoked: Path | None = None) -> None:
        """Take the files as they are. Raises NoSigners if one is not there."""
        for path, what in ((allowed, "allowed signers"), (revoked, "revoked keys")):
            if path is not None and not os.access(path, os.R_OK):
                raise NoSigners(f"{path}: no file of {what} that can be read (see ssh-keygen(1))")
            if path is not None and not path.is_file():
                raise NoSigners(f"{path}: no file of {what}")
        self.allowed, self.revoked = allowed, revoked

    def fault(self, said: Statement, signature: str) -> str:
        """Return what is wrong with a signature, "" if the signer's own key made it for this very text.

        Keys count at the time that the statement says. Raises NoTool.
        """
        with TemporaryDirectory(prefix="affray-") as folder:
            file = Path(folder, "signature")
            file.write_text(signature, encoding="ascii")
            at = ("-O", f"verify-time={local_time(said.when)}", "-s", str(file))
            who = ("verify", "-f", str(self.allowed), "-I", said.by, "-n", NAMESPACE, *at)
            revoked = () if self.revoked is None else ("-r", str(self.revoked))
            if (done := _keygen(*who, *revoked, text=said.text)).returncode == 0:
                return ""
            # Why not is told by no status: it is asked for piece by piece.
            whole = _keygen("check-novalidate", "-n", NAMESPACE, "-s", str(file), text=said.text)
            if whole.returncode:
                return f"the signature is not one of this text: {_reason(whole) or 'ssh-keygen rejects it'}"
            if revoked and _keygen(*who, text=said.text).returncode == 0:
                return f"the key of {said.by} is revoked in {self.revoked}, or that is no list of keys"
            found = _keygen("find-principals", "-f", str(self.allowed), *at, text="")
            if names := found.stdout.replace(",", " ").split():
                if said.by not in names:
                    return f"signed with the key of {', '.join(names)}, not of {said.by}"
                return _reason(done) or f"{said.by} may not sign seals with this key (see {self.allowed})"
            # A key that is out of its time is found for nobody, but ssh-keygen says why.
            return _reason(done) or f"an unknown key, which {self.allowed} gives to nobody"


def sign(text: str, key: Path) -> str:
    """Return the signature over a text by a private key, or by the agent for a public one; armoured.

    The passphrase is asked for on the terminal, by ssh-keygen. Raises NoTool and NotSigned.
    """
    if not key.is_file():
        raise NotSigned(f"{key}: no key of that name; make one: ssh-keygen -t ed25519 -f {key}")
    done = _keygen("sign", "-n", NAMESPACE, "-f", str(key), text=text, seconds=SECONDS_TO_SIGN)
    if done.returncode or not is_signature(done.stdout):
        raise NotSigned(f"{key}: nothing was signed: {_hint(_reason(done))}")
    return done.stdout


def is_signature(text: str) -> bool:
    """Say whether a text is an SSH signature in armour, written in the one way that its bytes have."""
    match = _ARMOUR.fullmatch(text)
    if match is None:
        return False
    letters = match[1].replace("\n", "")
    try:
        blob = b64decode(letters, validate=True)
    except ValueError:
        return False
    return b64encode(blob).decode() == letters and _is_framed(blob)


def _is_framed(blob: bytes) -> bool:
    """Say whether bytes have the one frame of an SSH signature (PROTOCOL.sshsig); ssh-keygen takes others.

    Behind the magic and version 1 stand five strings with their lengths: key, namespace, a reserved one that
    is empty, hash and signature. What they hold is for ssh-keygen to say.
    """
    if not blob.startswith(_MAGIC):
        return False
    at = len(_MAGIC)
    strings: list[bytes] = []
    while at < len(blob) and len(strings) < _STRINGS:
        size = int.from_bytes(blob[at : at + 4], "big")
        strings.append(blob[at + 4 : at + 4 + size])
        at += 4 + size
    return at == len(blob) and len(strings) == _STRINGS and not strings[_RESERVED]


def _keygen(
    what: str, *words: str, text: str, seconds: float = SECONDS_TO_CHECK
) -> "subprocess.CompletedProcess[str]":
    """Run `ssh-keygen -Y what` on a text. Raises NoTool, NotSigned when it takes too long."""
    try:
        done = subprocess.run(
            [TOOL, "-Y", what, *words],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LC_ALL": "C"},
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError:
        raise NoTool(f"{TOOL} is not installed: signatures need {WANTED}") from None
    except OSError as error:
        raise NoTool(f"{TOOL} cannot be run: {error.strerror}") from error
    except subprocess.TimeoutExpired:
        raise NotSigned(f"{TOOL} -Y {what} gave no answer in {seconds:.0f} seconds") from None
    if "unknown option" in done.stderr or "Unsupported operation" in done.stderr:
        raise NoTool(f"{TOOL} is too old: signatures need {WANTED}")
    return done


def _reason(done: "subprocess.CompletedProcess[str]") -> str:
    """Return what ssh-keygen complained of, in one line."""
    lines = [line.strip() for line in f"{done.stderr}\n{done.stdout}".splitlines()]
    return "; ".join(line for line in lines if line and not line.startswith(_OWN))


def _hint(reason: str) -> str:
    """Return a complaint about a key with what helps."""
    if "incorrect passphrase" in reason:
        return "wrong passphrase, or none was asked for where there is no terminal"
    if "UNPROTECTED PRIVATE KEY" in reason:
        return "others may read the key (chmod 600 it)"
    if "No private key found" in reason or "agent" in reason:
        return f"{reason} (a public key needs the agent: ssh-add KEY)"
    if "Couldn't load public key" in reason or "invalid format" in reason:
        return f"{reason} (is it a private key of SSH, or its .pub?)"
    return reason or f"{TOOL} said nothing"
