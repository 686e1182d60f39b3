"""`affray serve`: the table in a browser, for game master, players and onlookers, and a feed for machines."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from affray.events.errors import AffrayError
from affray.replay.cli.terminal.base import as_json, complete_combatants, database, reading
from affray.replay.cli.terminal.printing import print_json, put, put_all
from affray.replay.log.playhead import Playhead
from affray.replay.names import People

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
    "--port", type=click.IntRange(0, 65535), default=USUAL_PORT, show_default=True, help="0 for a free one."
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name by which others call this machine, or the https:// address of a proxy before it.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="IP",
    help="A proxy's address: its X-Forwarded-For says who asks.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Another server whose pages may ask too: that of Foundry VTT.",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="ID[,ID]",
    shell_complete=complete_combatants,
    help="Invite the player of these combatants, unless one is invited already; repeat it.",
)
@click.option("--onlooker", is_flag=True, help="Invite an onlooker, unless one is invited already.")
@click.option("--hide", multiple=True, metavar="ID", help="A combatant that only the game master sees.")
@click.option("--show", multiple=True, metavar="ID", help="A hidden combatant that everybody sees again.")
@click.option("--ask", is_flag=True, help="Ask for every choice, and not only those of players.")
@click.option("--qr", is_flag=True, help="Print the links as QR codes too.")
@click.option(
    "--picture", type=click.Path(path_type=Path), help="The map file whose picture lies under the map."
)
@click.option("--links", "only_links", is_flag=True, help="Print the links and leave; nothing is served.")
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
    """Serve a fight to browsers and machines, at this machine alone unless --host says otherwise.

    Prints a link for each guest, by which it is known; the links hold until they are withdrawn. Players see
    the numbers of their own side, onlookers none, and all of the picture that --picture lays under the map.
    Ctrl-C ends it; nothing is lost.
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
            put(f"{word!r} is not in the fight yet: hidden from its entering on", err=True)
        serving.access.hide(people.find_id_of_combatant(word) if people.knows(word) else word)
    for word in show:
        serving.access.unhide(people.find_id_of_combatant(word) if people.knows(word) else word)
    if only_links:
        _print_links(serving, serving.links(), qr, json)
        return
    with serving.listening() as links:
        _print_links(serving, links, qr, json)
        if not json:
            put("Ctrl-C ends it; the fight goes on from where it is.", err=True)
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
