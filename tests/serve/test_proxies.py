"""Behind HTTPS: the recipes of docs/serve.md as they stand there, and the headers that such proxies send."""

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from affray.events.errors import AffrayError
from affray.replay.serve.access import Access
from affray.replay.serve.http import (
    Guard,
    Problem,
    allowed_hosts,
    client_of,
    parse_allowed_proxies,
    refuse_stranger,
)
from affray.replay.serve.server import Serving, serving
from tests.ports import free_port
from tests.serve.served import small_fight
from tests.serve.serving import Reply, read_reply, served

SAID = "https://table.example"
PAGE = Path(__file__).parents[2] / "docs" / "serve.md"
ELSEWHERE = "127.0.0.9"
"""An address of this machine that no proxy has."""


class Behind(NamedTuple):
    """A server, its guard, its port and the token of its game master."""

    guard: Guard
    port: int
    token: str


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    """Serve a fight as `--allow-host https://table.example --proxy 127.0.0.1` does."""
    log = tmp_path_factory.mktemp("behind") / "fight.db"
    small_fight(log)
    access = Access.open(log)
    guards = []

    def build(port: int) -> Guard:
        guards.append(
            Guard(
                serving(log, access, f"{SAID}/"),
                allowed_hosts(port, [SAID]),
                lambda token: access.guest_of(token) is not None,
                proxies=parse_allowed_proxies(["127.0.0.1"]),
            )
        )
        return guards[0]

    with served(build) as port:
        yield Behind(guards[0], port, access.guests[0].token)


def recipe(word: str) -> str:
    """Return the one configuration on the page that has a word in it."""
    blocks = re.findall(r"^```\w+\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (found,) = [block for block in blocks if word in block]
    return str(found)


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with each of these parts, which it has once, replaced."""
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, upstream: int) -> list[str]:
    """Return the command of an nginx with the recipe, but for its port, upstream and certificate."""
    name = ["-subj", "/CN=table.example", "-days", "2", "-nodes"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-keyout", "key", "-out", "pem", *name]
    subprocess.run(made, cwd=folder, check=True, capture_output=True)
    text = replaced(
        recipe("proxy_pass"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("127.0.0.1:8417", f"127.0.0.1:{upstream}"),
        ("/etc/ssl/certs/table.example.pem", f"{folder}/pem"),
        ("/etc/ssl/private/table.example.key", f"{folder}/key"),
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    rest = f"daemon off;\npid {folder}/pid;\nuser root;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{rest}http {{\naccess_log off;\n{temporary}{text}}}\n")
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, upstream: int) -> list[str]:
    """Return the command of a Caddy with the recipe, but for its port, upstream and certificate."""
    text = replaced(
        recipe("reverse_proxy"),
        ("table.example {\n", f"table.example:{port} {{\n    bind 127.0.0.1\n    tls internal\n"),
        ("127.0.0.1:8417", f"127.0.0.1:{upstream}"),
    )
    rest = f"admin off\nskip_install_trust\nauto_https disable_redirects\nstorage file_system {folder}\n"
    (folder / "Caddyfile").write_text(f"{{\n{rest}}}\n{text}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextmanager
def secure(port: int) -> Iterator[ssl.SSLSocket]:
    """Connect to a proxy by HTTPS inside the block, from another address than its own."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(ELSEWHERE, 0))
    with closing(plain), context.wrap_socket(plain, server_hostname="table.example") as line:
        yield line


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, behind: Behind, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[int]:
    """Run a proxy of the page before the server; yield the port at which it speaks HTTPS."""
    make = request.param
    if shutil.which(make.__name__) is None or shutil.which("openssl") is None:
        pytest.skip(f"{make.__name__} is not installed")
    folder, port = tmp_path_factory.mktemp(make.__name__), free_port()
    command = make(folder, port, behind.port)
    with (folder / "said").open("wb") as said:
        home = {**os.environ, "HOME": str(folder)}
        running = subprocess.Popen(command, stderr=said, stdout=said, env=home)
    try:
        until = time.monotonic() + 20
        while True:
            try:
                with secure(port):
                    break
            except OSError:
                told = (folder / "said").read_text()
                assert running.poll() is None, told
                assert time.monotonic() < until, told
                time.sleep(0.05)
        yield port
    finally:
        running.terminate()
        running.wait(20)


OWN_PAGE = (f"Origin: {SAID}", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors")


def request(method: str, path: str, *rows: str, body: bytes = b"") -> bytes:
    """Return a request as a browser sends it to the address of the proxy."""
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: table.example", *rows, "", ""]).encode() + body


def asked(port: int, method: str, path: str, *rows: str, body: bytes = b"") -> Reply:
    """Return what is answered through a proxy."""
    with secure(port) as line:
        line.sendall(request(method, path, *rows, body=body))
        return read_reply(line)


def test_the_page_and_its_requests(proxy: int, behind: Behind) -> None:
    """The page, a question and a command get through, the command with the origin of the page."""
    bearing = f"Authorization: Bearer {behind.token}"
    assert asked(proxy, "GET", "/", "Sec-Fetch-Site: none").status == 200
    assert asked(proxy, "GET", "/session", bearing, *OWN_PAGE[1:]).status == 200
    stale = b'{"expected": "main:0:0", "request": "q"}'
    sent = ("Content-Type: application/json", f"Content-Length: {len(stale)}")
    assert asked(proxy, "POST", "/undo", bearing, *OWN_PAGE, *sent, body=stale).code == "stale_position"
    evil = ("Origin: https://evil.example", "Sec-Fetch-Site: cross-site")
    assert asked(proxy, "POST", "/undo", bearing, *evil, *sent, body=stale).code == "wrong_origin"
    two = (bearing, "Authorization: Bearer x")
    assert asked(proxy, "GET", "/session", *two).status == 400


def test_the_feed_arrives_at_once(proxy: int, behind: Behind) -> None:
    """The proxy keeps nothing back, and the rest of the feed comes when it happens."""
    with secure(proxy) as line:
        begun = time.monotonic()
        line.sendall(request("GET", "/feed", f"Authorization: Bearer {behind.token}", *OWN_PAGE[1:]))
        data = b""
        while b"event: combatant.entered" not in data:
            data += line.recv(65_536)
        assert time.monotonic() - begun < 3


def test_the_module_for_foundry_has_the_address_of_the_proxy(proxy: int) -> None:
    """Foundry fetches it by HTTPS."""
    assert json.loads(asked(proxy, "GET", "/foundry/module.json").body)["url"] == f"{SAID}/"


def test_a_forged_address_counts_for_nothing(proxy: int, behind: Behind) -> None:
    """The proxy says who asks, whatever the client says itself."""
    for number in range(5):
        forged = f"X-Forwarded-For: 10.0.0.{number}"
        assert asked(proxy, "GET", "/session", forged, "X-Forwarded-Host: evil.example").status == 401
    counted = list(behind.guard.gets._full_at)
    assert f"address {ELSEWHERE}" in counted
    assert not [who for who in counted if "10.0.0." in who]


@pytest.mark.parametrize("said", [SAID, f"{SAID}:443", "table.example:443", "TABLE.example:443", f" {SAID} "])
@pytest.mark.parametrize("host", ["table.example", "table.example:443", "localhost:8417"])
def test_what_a_browser_sends_to_the_proxy(said: str, host: str) -> None:
    """With the name of the address, or with what a proxy puts there; a plain page of that name is another."""
    hosts = allowed_hosts(8417, [said])
    for origin, code in (
        (SAID, ""),
        ("http://table.example", "wrong_origin"),
        (f"{SAID}:8443", "wrong_origin"),
    ):
        assert refused(hosts, ("host", host), ("origin", origin), ("sec-fetch-site", "same-origin")) == code


def refused(hosts: dict[str, str], *headers: tuple[str, str]) -> str:
    """Return the code with which headers are refused, "" if they are not."""
    try:
        refuse_stranger(hosts, "POST", "/undo", [(name.encode(), value.encode()) for name, value in headers])
    except Problem as problem:
        return problem.code
    return ""


@pytest.mark.parametrize(
    ("names", "address"),
    [
        (["https://Table.Example", "other"], "https://table.example/"),
        (["table.example:443"], "https://table.example/"),
        (["https://table.example:8443"], "https://table.example:8443/"),
        (["http://table.example"], "http://table.example/"),
        (["table.local"], "http://table.local:8417/"),
        (["table.local:99"], "http://table.local:99/"),
        (["[fe80::1]:443"], "https://[fe80::1]/"),
        ([], "http://127.0.0.1:8417/"),
    ],
)
def test_what_links_begin_with(tmp_path: Path, names: list[str], address: str) -> None:
    """The first name, at its own port or the server's."""
    small_fight(tmp_path / "fight.db")
    serving = Serving(tmp_path / "fight.db", "127.0.0.1", 8417, names)
    assert [link.address.partition("#")[0] for link in serving.links()] == [address]


@pytest.mark.parametrize(
    "name", ["https://table.example/path", "ftp://table.example", "https://", "table:x", "", "me@table"]
)
def test_no_names(tmp_path: Path, name: str) -> None:
    """What is no name of a server is refused, and not ignored."""
    with pytest.raises(AffrayError, match="is no name of a server"):
        Serving(tmp_path / "fight.db", "127.0.0.1", 8417, [name])


@pytest.mark.parametrize(
    ("client", "forwarded", "who"),
    [
        ("127.0.0.1", [], "127.0.0.1"),
        ("127.0.0.1", ["10.0.0.1"], "10.0.0.1"),
        ("127.0.0.1", ["6.6.6.6, 10.0.0.1"], "10.0.0.1"),
        ("127.0.0.1", ["6.6.6.6", "10.0.0.1"], "10.0.0.1"),
        ("127.0.0.1", ["6.6.6.6, 10.0.0.1, 10.9.9.9"], "10.0.0.1"),
        ("127.0.0.1", ["10.9.9.9"], "127.0.0.1"),
        ("127.0.0.1", ["10.0.0.1, nobody"], "127.0.0.1"),
        ("127.0.0.1", ["FE80:0::1"], "fe80::1"),
        ("10.0.0.1", ["6.6.6.6"], "10.0.0.1"),
    ],
)
def test_who_asks(client: str, forwarded: list[str], who: str) -> None:
    """Of what named proxies say, the last that is none of them; of what others say, nothing."""
    proxies = parse_allowed_proxies(["127.0.0.1", " 10.9.9.9"])
    found = client_of((client, 5), [one.encode() for one in forwarded], proxies)
    assert found is not None
    assert found[0] == who
    with pytest.raises(AffrayError, match="named by its IP address"):
        parse_allowed_proxies(["table.example"])
