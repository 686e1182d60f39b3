"""`affray contribute`: what players give to the seed of the dice."""

from pathlib import Path

import click

from affray.engine.table.table import Table
from affray.projections.fold import fold
from affray.replay.cli.base import as_json, database, reading, writing
from affray.replay.cli.printing import print_json, say

EXAMPLES = """\b
Examples:
  affray contribute fight.db --by alex "seven purple dragons"
  affray contribute fight.db"""


@click.command(epilog=EXAMPLES)
@database
@click.argument("words", default="")
@click.option("--by", default="", help="Who gives them.")
@as_json
def contribute(db: Path, words: str, by: str, json: bool) -> None:
    """Give words to the seed of the dice, before anything is declared.

    The first event of the log commits the game master to a secret. Whoever notes that commitment and then
    gives words of their own knows that it was not chosen for its dice: they follow from the secret and all
    words. Who knows the secret can try words, and ids, that come after them: look at who gives last, or see
    affray chain. Without WORDS, print the commitment and what was given so far.
    """
    if bool(words) != bool(by):
        raise click.UsageError("give words and, with --by, whose they are; or neither")
    if words:
        with writing(db) as store:
            Table(store).contribute(by, words)
    with reading(db) as store:
        state = fold(store.read(store.main_line()))
    given = [{"by": name, "words": said} for name, said in state.contributions]
    if json:
        print_json({"commitment": state.commitment, "contributions": given})
        return
    say(f"The game master's commitment: {state.commitment}")
    for one in given:
        say(f"  {one['by']} gives: {one['words']}")
    if given:
        say("  the game master could try what is given last until the dice please: who gave after you?")
    else:
        say("  nobody has given anything: the seed of the dice is the game master's alone")
