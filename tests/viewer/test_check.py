"""The check in the browser: what it finds good, what it objects to and where, seals, other files."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.events.exports import import_jsonl
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.stores.memory import MemoryStore
from affray.events.stores.sqlite import SqliteStore
from affray.events.stores.store import Store
from affray.replay.log.branches import fork
from affray.replay.privacy.redaction import Redaction, export_redacted
from affray.replay.verification.seals import sealed
from affray.replay.viewer import build, checker
from tests.house.fights import DIALECTS
from tests.viewer.conftest import HOSTILE, hostile_fight, written
from tests.viewer.panel import Panel, put
from tests.viewer.tampered import FORGED, changed, closed, exported, forged

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="session")
def revealed() -> MemoryStore:
    """The packaged fight with a branch, closed, so that its seed is known."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    fork(store, "r2", "idle")
    Table(store).declare(acts.Close(reason="enough"))
    return store


@pytest.fixture(scope="session")
def whole(log: SqliteStore) -> bytes:
    """The export of the log of the page."""
    return exported(log)


def test_a_good_log_is_found_good(
    panel: Panel, revealed: MemoryStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each check says so by itself, the seals are those of Python, and what is not checked is said."""
    panel.open(written(revealed, tmp_path_factory))
    assert panel.verdict().startswith(f"No fault found in {len(list(revealed.read_all()))} events (")
    assert panel.text("#checked") == "Verified"
    assert {name: kind for name, (kind, _) in panel.found().items()} == dict.fromkeys(
        ("file", "chain", "salts", "seed", "dice"), "good"
    )
    assert "seeded compared with the seed" in panel.found()["dice"][1]
    panel.click("#checked")
    for branch in ("main", "idle"):
        panel.js(
            "const one = document.getElementById('check-line'); one.value = arguments[0];"
            "one.dispatchEvent(new Event('change'))",
            branch,
        )
        assert panel.text("#check-code") == str(sealed(revealed, branch))
    assert "digests of states" in panel.text("#check-not")
    assert "affray checker" in panel.text("#check-not")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_found_good(
    panel: Panel, alone: Path, dialect: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A packaged fight as a page, and its export dropped on the checker, say the same."""
    store = MemoryStore()
    play(packaged(f"demo_{dialect}"), store)
    count = store.head("main").seq
    assert panel.open(written(store, tmp_path_factory)).text("#check-title") == "Browser checks"
    assert panel.verdict().startswith(f"No fault found in {count} events")
    file = put(tmp_path_factory.mktemp("export"), exported(store))
    panel.open(alone)
    assert panel.load(file).startswith(f"log.jsonl: No fault found in {count} events")
    assert panel.text("#check-code") == str(sealed(store))


def test_a_seed_that_players_gave_to(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Dice of a joint seed are compared with it; under other words each of them is found wrong."""
    store = MemoryStore()
    table = fight_of_two(store)
    table.declare(acts.Close(reason="enough"))
    panel.open(alone)
    panel.load(put(tmp_path, exported(store)))
    found = panel.found()
    assert "players contributed 2 times" in found["seed"][1]
    assert found["dice"][0] == "good"
    assert "seeded compared with the seed" in found["dice"][1]

    def other_words(facts: list[dict[str, Any]]) -> None:
        next(fact for fact in facts if fact["type"] == "seed.contributed")["words"] = "eight"

    assert "the seed says" in panel.load(put(tmp_path, forged(store.read("main"), other_words)))


def fight_of_two(store: Store) -> Table:
    """Play a round of a fight to whose seed two players gave."""
    table = Table.create(store, dialect="srd35", terrain=("....", "...."), seed=b"g" * 32)
    table.contribute("alex", "seven purple dragons")
    table.contribute("kim", "żółw 3.14")
    sheet = Sheet("Fighter", hp=90, base_attack=5, weapons=(Weapon("sword", "1d8"),))
    for at, id in enumerate(("one", "two")):
        table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=(at, 0)))
    table.declare(acts.Begin())
    for _ in range(6):
        active = table.state.active
        table.declare(acts.Attack(actor=active, target="two" if active == "one" else "one"))
        table.declare(acts.EndTurn(actor=active))
    return table


def test_a_seed_that_is_secret_is_no_fault(panel: Panel, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Until it is revealed its dice are taken on trust, and the page says so."""
    store = MemoryStore()
    fight_of_two(store)
    panel.open(written(store, tmp_path_factory))
    assert panel.verdict().startswith("No fault found")
    assert panel.text("#checked") == "Partly verified"
    assert "secret seed" in panel.js("return document.querySelector('#checked').title")
    found = panel.found()
    assert found["seed"] == [
        "open",
        "1 commitment: the seed is not revealed here yet; players contributed 2 times",
    ]
    assert found["dice"][0] == "open"
    assert "cannot be checked until the seed is revealed" in found["dice"][1]


@pytest.mark.parametrize("name", ["data", "digest", "salt", "round", "order", "dropped", "doubled"])
@pytest.mark.parametrize("ends", [False, True], ids=["bare", "with an end that fits"])
def test_a_page_with_a_changed_event_objects(
    panel: Panel, page: Path, whole: bytes, name: str, ends: bool, tmp_path: Path
) -> None:
    """Whatever is changed of an event, it is named, loudly and without being asked."""
    spoiled = changed(whole, name)
    panel.open(in_page(page, whole, closed(spoiled) if ends else spoiled, tmp_path))
    verdict = panel.verdict()
    place = {"order": "main#31", "dropped": "main#31", "doubled": "main#29"}.get(name, "main#30")
    assert verdict.startswith(f"BROKEN at {place}: "), verdict
    assert panel.text("#checked") == "Log is broken"
    assert panel.js("return document.getElementById('check').open")
    assert panel.text("#check-seals") == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("unreadable", "main#30: it cannot be read"),
        ("two data", "main#30: it cannot be read"),
        ("end", "the last row says"),
        ("hash", "the hash in the last row does not match"),
        ("cut", "the log ends without its last line"),
        ("behind", "there is text after the end of the log"),
        ("branch's place", "leaves a different event here"),
        ("branch's digest", "leaves a different event here"),
        ("branches swapped", "missed#43: it is in the place of event 72"),
    ],
)
def test_a_page_with_changed_bytes_objects(
    panel: Panel, page: Path, whole: bytes, name: str, said: str, tmp_path: Path
) -> None:
    """Rows that cannot be read, a changed end, a branch that leaves elsewhere."""
    panel.open(in_page(page, whole, changed(whole, name), tmp_path))
    assert said in panel.verdict()
    assert panel.text("#checked") == "Log is broken"


def in_page(page: Path, old: bytes, new: bytes, folder: Path) -> Path:
    """Write the page with another log in it, its sentences as they were."""
    escaped = [log.replace(b"&", b"&amp;").replace(b"<", b"&lt;") for log in (old, new)]
    text = page.read_bytes()
    assert escaped[0] in text
    return put(folder, text.replace(*escaped, 1), "spoiled.html")


def test_sentences_of_another_log_are_no_page(panel: Panel, page: Path, whole: bytes, tmp_path: Path) -> None:
    """A good log under the frames of another one is not shown as if it were told by them."""
    store = MemoryStore()
    play(packaged("demo_woa"), store)
    panel.open(in_page(page, whole, exported(store), tmp_path))
    assert panel.verdict() == "BROKEN: the page does not match its log"


@pytest.mark.parametrize("name", FORGED)
def test_what_is_forged_under_good_digests_is_found(
    panel: Panel, alone: Path, revealed: MemoryStore, name: str, tmp_path: Path
) -> None:
    """A forger chains the log anew; dice, seed and commitment show it all the same."""
    change, check, said = FORGED[name]
    panel.open(alone)
    verdict = panel.load(put(tmp_path, forged(revealed.read("main"), change)))
    found = panel.found()
    assert said in verdict
    assert found[check][0] == "bad"
    assert said in found[check][1]
    assert found["chain"][0] == "good"


def test_dice_of_an_unknown_kind_are_never_passed(
    panel: Panel, alone: Path, log: SqliteStore, tmp_path: Path
) -> None:
    """Another provenance, algorithm or version is said to be not checked, neither good nor bad."""

    def unknown(facts: list[dict[str, Any]]) -> None:
        seeded = [one for one in facts if one["type"] == "rolled" and one["provenance"] == "seeded"]
        seeded[0]["provenance"] = "tarot"
        seeded[1]["algorithm"] = "blake9"
        # Names that every object of JavaScript has.
        for roll, name in zip(seeded[2:5], ("constructor", "toString", "__proto__"), strict=True):
            roll["provenance"] = name

    panel.open(alone)
    panel.load(put(tmp_path, forged(log.read("main"), unknown)))
    kind, told = panel.found()["dice"]
    assert kind == "open"
    assert "1 of a kind unknown to this page (tarot)" in told
    assert "1 rolled by an algorithm unknown to this page (blake9)" in told
    for name in ("constructor", "toString", "__proto__"):
        assert f"1 of a kind unknown to this page ({name})" in told


def test_seals_are_compared(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Same, grown, shorter and other are told apart; a code alone fits any beginning; nonsense is no seal."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    early, whole = sealed(store, upto=100), sealed(store)
    part = MemoryStore()
    part.restore(store.branches(), store.read("main", 0, 100))
    other = MemoryStore()
    play(packaged("demo_woa"), other)
    panel.open(alone)
    assert "no log to compare it with" in panel.compared(str(whole))
    panel.load(put(tmp_path, exported(store)))
    assert panel.compared(str(whole)).startswith("SAME: ")
    assert panel.compared(f"  {str(whole).lower().replace('0', 'o')} ").startswith("SAME: ")
    code = str(early).split(":")[2]
    for noted in (str(early), code, code.replace("-", " ")):
        assert panel.compared(noted).startswith("GROWN: events 1 to 100 are as they were sealed")
    assert panel.compared(str(sealed(other))).startswith(("OTHER: ", "SHORTER: "))
    assert panel.compared(str(sealed(other)).split(":")[2]).startswith("OTHER: ")
    assert panel.compared(str(whole).replace("main", "side")).startswith("OTHER: the seal is of side")
    assert panel.compared("main:1:ABCD").startswith("This is not a seal")
    panel.load(put(tmp_path, exported(part)))
    assert panel.compared(str(whole)).startswith("SHORTER: it ends at event 100")
    panel.load(put(tmp_path, changed(exported(store), "data")))
    assert panel.compared(str(whole)).startswith("The log is broken")


def test_players_copies_are_checked(panel: Panel, alone: Path, log: SqliteStore, tmp_path: Path) -> None:
    """Of a redacted copy all that is shown, under the same seal; hidden events are counted, not judged."""
    out = BytesIO()
    hidden = export_redacted(log, "main", out, Redaction(log, "main", side="heroes"))
    panel.open(alone)
    count = log.head("main").seq
    told = f"No fault found in {count} events, {hidden} of them hidden"
    assert told in panel.load(put(tmp_path, out.getvalue()))
    assert panel.compared(str(sealed(log, "main"))).startswith("SAME: ")
    assert "events are left out" in panel.found()["dice"][1]
    rows = out.getvalue().splitlines(keepends=True)
    shown = next(at for at, row in enumerate(rows) if at > 5 and b'"data"' in row)
    held = next(at for at, row in enumerate(rows) if at > 5 and b'"data"' not in row)
    for at in (shown, held):
        spoiled = [*rows]
        place = rows[at].index(b'"digest":"') + 10
        spoiled[at] = rows[at][:place] + rows[at][place : place + 64][::-1] + rows[at][place + 64 :]
        assert "BROKEN" in panel.load(put(tmp_path, b"".join(spoiled)))
    del rows[held]
    assert f"#{held + 1}: it is in the place of event {held}" in panel.load(put(tmp_path, b"".join(rows)))


def test_copies_and_logs_from_before_there_were_salts(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Old logs of every released schema are found good, and that they have no salts is said."""
    panel.open(alone)
    for file in sorted(GOLDEN.glob("*.jsonl")):
        if file.read_bytes().startswith(b'{"format":'):
            assert "No fault found" in panel.load(file), file.name
            salts = panel.found()["salts"][1]
            assert ("none: this log is older than salts" in salts) == (b'"salt' not in file.read_bytes())
    store, out = MemoryStore(), BytesIO()
    with (GOLDEN / "srd35.jsonl").open("rb") as lines:
        import_jsonl(lines, store)
    hidden = export_redacted(store, "main", out, Redaction(store, "main", side="heroes"))
    assert f"{hidden} of them hidden" in panel.load(put(tmp_path, out.getvalue()))


def test_a_page_can_be_checked_by_another(panel: Panel, alone: Path, page: Path, hostile: Path) -> None:
    """The log inside a saved page is taken out of it, names that are HTML too."""
    panel.open(alone)
    assert panel.load(page).startswith("fight.html: No fault found in ")
    assert "No fault found in " in panel.load(hostile)


def test_another_file_can_be_checked_on_the_page(
    panel: Panel, page: Path, whole: bytes, tmp_path: Path
) -> None:
    """A player's own page checks what the game master hands out; its own log stays what it was."""
    panel.open(page, "#52")
    panel.verdict()
    panel.keys("c")
    assert panel.load(put(tmp_path, changed(whole, "data"), "theirs.jsonl")).startswith(
        "theirs.jsonl: BROKEN at"
    )
    assert panel.text("#checked") == "Partly verified"
    panel.click("#check header button")
    assert panel.seq() == 52


def test_a_file_can_be_dropped(panel: Panel, alone: Path, whole: bytes) -> None:
    """Wherever on the checker it falls; the page stays."""
    drop = (
        "const moved = new DataTransfer(); moved.items.add(new File([arguments[0]], 'dropped.jsonl'));"
        "const one = new DragEvent('drop', {dataTransfer: moved, bubbles: true, cancelable: true});"
        "document.querySelector(arguments[1]).dispatchEvent(one); return one.defaultPrevented"
    )
    for place in ("#check-list", "body"):
        panel.open(alone)
        assert panel.js(drop, whole.decode(), place)
        assert panel.verdict().startswith("dropped.jsonl: No fault found")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff\xfe",
        b"<!doctype html><p>Hello</p>\n",
        b"[]\n",
        b"null\n",
        b'{"format":"affray-log"}\n',
        b'{"format":"affray-log","version":9,"branches":[]}\n',
        b'{"format":"affray-log","version":2,"branches":[]}\n{"events":0,"sha256":""}\n',
        b'{"format":"affray-redacted","version":2}\n{"seq":1,"digest":"x"}\n',
        b"[" * 200_000,
    ],
)
def test_what_is_no_log_is_refused(panel: Panel, alone: Path, data: bytes, tmp_path: Path) -> None:
    """Files of other kinds are refused in one sentence, and the next file is looked at afresh."""
    panel.open(alone)
    panel.load(put(tmp_path, data))
    assert panel.js("return document.getElementById('check-verdict').className") == "verdict bad"


def test_a_hostile_log_is_only_text(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Names of files, branches, keys that are HTML, or that turn a line around, change nothing."""
    store = MemoryStore()
    hostile_fight(store)

    def hostile(facts: list[dict[str, Any]]) -> None:
        for fact in facts:
            if fact["type"] == "rolled":
                fact["notation"] = f"{HOSTILE}\u202e"
                fact["provenance"] = HOSTILE

    data = forged(store.read("main"), hostile)
    rows = data.splitlines(keepends=True)
    rows[0] = rows[0].replace(b'"main"', '"main\u202e<img src=x onerror=alert(1)>"'.encode())
    panel.open(alone)
    for content in (data, closed(b"".join(rows))):
        panel.load(put(tmp_path, content, "<img src=x onerror=alert(1)>.jsonl"))
        assert panel.js("return document.querySelectorAll('img, b').length") == 0
        assert "\u202e" not in panel.js("return document.getElementById('check').textContent")
        assert "<img src=x onerror=alert(1)>.jsonl: BROKEN" in panel.text("#check-verdict")


def test_readers_find_the_check(panel: Panel, alone: Path, page: Path) -> None:
    """Every control has a name, verdict and comparison are announced, and it fits a phone."""
    controls = (
        "const controls = [...document.querySelectorAll('button, select, input')];"
        "const named = one => one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length;"
        "return controls.filter(one => !named(one) && !one.dataset.from).map(one => one.outerHTML)"
    )
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    panel.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        for file in (alone, page):
            panel.open(file)
            if file == page:
                panel.verdict()
                panel.click("#checked")
            assert panel.js(controls) == []
            assert panel.js("return document.querySelectorAll('#check [role=status]').length") == 2
            assert panel.js("return document.documentElement.scrollWidth") <= 390
            assert panel.js("return document.getElementById('check').scrollWidth") <= 390
    finally:
        panel.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_checker_names_nothing_elsewhere() -> None:
    """It carries no log, and the same policy as every page: no network, no script but its own."""
    page = checker()
    assert page == checker()
    assert "default-src 'none'; script-src 'sha256-" in page
    assert 'id="log"' not in page.replace('id="log">\\n', "")
    assert page.lower().count("</script>") == 1
    assert build(MemoryStore()).lower().count("</script>") == 3
