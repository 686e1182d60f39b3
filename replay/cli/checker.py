"""`affray checker`: the page with which players check a log in a browser, without Affray."""

from pathlib import Path

import click

from affray.replay.cli.output import output

EXAMPLES = """\b
Examples:
  affray checker --out checker.html
  affray checker > checker.html"""


@click.command(epilog=EXAMPLES)
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output without it.")
def checker(out: Path | None) -> None:
    """Write a page that checks logs in any browser, without a network and without Affray.

    An export, a players' copy or a page is chosen or dropped on it. It says what it checked (the chain of
    digests, dice, revealed seed), prints the seal of each line and compares one that was noted earlier. It
    carries no log, and is the same for everybody who has the same release: take it from somebody you trust.
    """
    from affray.replay.viewer import checker as page

    with output(out, None) as file:
        file.write(page().encode())
