"""What `affray verify` says of a witness file: who has signed which seal, and who has not."""

from pathlib import Path
from typing import Any

import click

from affray.replay.cli.signing import signers_of
from affray.replay.cli.witness_file import read_bytes
from affray.replay.held import Held
from affray.replay.witness.reckoning import Reckoning, reckon


class Asked:
    """What is asked of a witness file: the file, who may sign, and who must have signed the newest seal."""

    def __init__(
        self, file: Path, signers: Path | None, revoked: Path | None, expected: tuple[str, ...]
    ) -> None:
        """Take the options. Raises UsageError, NoSigners."""
        allowed = signers_of(signers, revoked)
        if allowed is None:
            raise click.UsageError(
                "a witness file is compared with the keys of its signers: name --signers FILE"
            )
        self.file, self.signers, self.expected = file, allowed, expected

    def answered(self, held: Held | None) -> Reckoning:
        """Return what is found of the file, beside the log where one is held."""
        return reckon(read_bytes(self.file), self.file.name, self.signers, held, self.expected)


def told_seals(found: Reckoning) -> list[str]:
    """Return the seals of a file with their signatures, in its order."""
    rows = []
    for number, seal in enumerate(found.witness.seals if found.witness is not None else ()):
        was = seal.follows
        how = (
            ""
            if number == 0
            else f", continues event {was.said.seq}"
            if was is not None
            else ", a line of its own"
        )
        rows.append(f"seal {number + 1}: {seal.said.seal}{how}")
        for line in seal.lines:
            fault = found.faults.get(line.number, "")
            rows.append(f"        {line.said.when}  {line.said.by}{f'  BROKEN: {fault}' if fault else ''}")
        if missing := found.missing(number):
            rows.append(f"        not signed by {', '.join(missing)}")
    return rows


def seals_json(found: Reckoning) -> list[dict[str, Any]]:
    """Return the seals of a file with their signatures, for JSON."""
    return [
        {
            "seal": str(seal.said.seal),
            "continues": None if seal.follows is None else str(seal.follows.said.seal),
            "signatures": [
                {
                    "line": line.number,
                    "by": line.said.by,
                    "when": line.said.when,
                    "fault": found.faults.get(line.number, ""),
                }
                for line in seal.lines
            ],
            "missing": found.missing(number),
        }
        for number, seal in enumerate(found.witness.seals if found.witness is not None else ())
    ]
