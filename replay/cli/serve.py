"""`affray serve`: the table in a browser, for game master, players and onlookers, and a feed for programs."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.engine.language.names import People
from affray.events.errors import AffrayError
from affray.replay.cli.terminal.base import as_json, complete_combatants, database, reading
from affray.replay.cli.terminal.printing import print_json, put, put_all
from affray.replay.log.playhead import Playhead

if TYPE_CHECKING:
    from affray.replay.serve.server import Link, Serving

EXAMPLES = """\b
Examples:
  affray serve fight.db --player ysolde --player brannoc,hound --onlooker
  affray serve fight.db --host 0.0.0.0 --allow-host table.local --qr
  affray serve fight.db --allow-host https://table.example --proxy 127.0.0.1
  affray serve fight.db --hide lurker
  affray serve fight.db --origin http://localhost:30000
  curl -N -H "Authorization: Bearer TOKEN" http://127.0.0.1:8417/feed
"""
USUAL_PORT = 8417


@click.command(epilog=EXAMPLES)
@database
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=USUAL_PORT,
    show_default=True,
    help="The port; 0 chooses a free one.",
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name of this machine for others, or the https:// address of a proxy in front of it.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="IP",
    help="The address of a proxy whose X-Forwarded-For is trusted.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Another server whose pages may send requests, such as Foundry VTT.",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="ID[,ID]",
    shell_complete=complete_combatants,
    help="Invite a player for these combatants, unless one is invited; repeat it.",
)
@click.option("--onlooker", is_flag=True, help="Invite an onlooker, unless one is invited.")
@click.option("--hide", multiple=True, metavar="ID", help="Hide a combatant from all except the game master.")
@click.option("--show", multiple=True, metavar="ID", help="Show a hidden combatant again.")
@click.option("--ask", is_flag=True, help="Ask for every choice, not only those of players.")
@click.option("--qr", is_flag=True, help="Also print the links as QR codes.")
@click.option(
    "--picture", type=click.Path(path_type=Path), help="The map file whose picture is shown under the map."
)
@click.option("--links", "only_links", is_flag=True, help="Print the links and exit without serving.")
@as_json
def serve(
    db: Path,
    host: str,
    port: int,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    origins: tuple[str, ...],
    players: tuple[str, ...],
    onlooker: bool,
    hide: tuple[str, ...],
    show: tuple[str, ...],
    ask: bool,
    qr: bool,
    picture: Path | None,
    only_links: bool,
    json: bool,
) -> None:
    """Serve a fight to browsers and programs, only on this machine unless --host is given.

    Prints a link for each guest, which identifies the guest; links are valid until they are withdrawn.
    Players see their own side's numbers, onlookers none; all see the whole picture of --picture. Ctrl-C
    ends the server; nothing is lost.
    """
    try:
        from affray.replay.serve.server import Serving
        from affray.replay.serve.server import serving as application
        from affray.replay.viewer.map_picture import NO_PICTURE, explain_wrong_picture, underlay
    except ImportError as error:
        raise AffrayError(f"serving needs more packages: pip install 'affray[serve]' ({error})") from None
    with reading(db) as store:
        people = People.find_combatants_in_fights(Playhead(store).seek("end"))
        under = underlay(picture, store) if picture is not None else NO_PICTURE
        if picture is not None and (doubts := explain_wrong_picture(picture, store)):
            put(f"affray: {doubts}", err=True)
    serving = Serving(db, host, port, names, origins, proxies)
    for one in players:
        serving.expect_player(tuple(people.find_id_of_combatant(word.strip()) for word in one.split(",")))
    if onlooker:
        serving.expect_onlooker()
    for word in hide:
        if not people.knows(word):
            put(f"{word!r} is not in the fight yet: it will enter hidden", err=True)
        serving.access.hide(people.find_id_of_combatant(word) if people.knows(word) else word)
    for word in show:
        serving.access.unhide(people.find_id_of_combatant(word) if people.knows(word) else word)
    if only_links:
        _print_links(serving, serving.links(), qr, json)
        return
    with serving.listening() as links:
        _print_links(serving, links, qr, json)
        if not json:
            put("Ctrl-C ends the server; the fight is kept.", err=True)
        sys.stdout.flush()
        serving.run(application(db, serving.access, serving.address, asks_everybody=ask, picture=under))


def _print_links(serving: "Serving", links: "list[Link]", qr: bool, json: bool) -> None:
    if json:
        print_json({"address": serving.address, "guests": [link.as_json() for link in links]})
        return
    for link in links:
        put(f"{link.called:<24} {link.address}")
        if qr:
            put_all(link.code().splitlines())
