"""The search of a built site, in a browser, from its files: what readers type finds what is meant.

    python -m sphinx docs SITE && python -m pytest --site SITE tests/viewer/test_site_search.py

A page that is written for a question of readers gets a line in SEARCHES.
"""

from pathlib import Path
from typing import Any

import pytest

MOST = 6
"""So many results are looked at: those that are seen without scrolling."""

SEARCHES = {
    "srd35.charge.attack": "rulebooks/srd35.html#srd35.charge.attack",
    "pf1.cmb": "rulebooks/pf1.html#pf1.cmb",
    "aoo.limit": "rulebooks/srd35.html#srd35.aoo.limit",
    "attack of opportunity resolve": "rulebooks/woa.html#woa.aoo.resolve.attack",
    "opportunity triggers": "rulebooks/srd35.html#srd35.aoo.triggers",
    "flanking": "rulebooks/srd35.html#srd35.attack-mod.flanking",
    "gunfight": "gallery/gunfight.html",
    "famous dispute": "gallery/dispute.html",
    "foundry": "foundry.html",
    "stat blocks": "statblocks.html",
    "game master evening": "tutorials/game-master.html",
    "dice addresses": "explanations/why-dice-have-addresses.html",
    "what does a seal prove": "explanations/what-a-seal-proves.html",
    "die typed wrong": "how-to/the-die-was-typed-wrong.html",
    "forgot cover": "how-to/we-forgot-her-cover-two-turns-ago.html",
    "disagree about a rule": "how-to/we-read-this-rule-differently.html",
    "what if she attacked": "how-to/what-if-she-had-attacked-the-other-one.html",
    "never declared": "how-to/he-says-he-never-declared-that.html",
    "why miss": "how-to/why-did-that-miss.html",
    "lost hit points": "how-to/where-did-my-hit-points-go.html",
    "decided the fight": "how-to/which-single-blow-decided-the-fight.html",
    "two rulings one line": "how-to/two-of-us-ruled-on-two-evenings.html",
    "undo put back": "how-to/put-it-back-as-it-was.html",
    "wrong sheet": "how-to/the-monster-had-the-wrong-sheet-all-along.html",
    "house rule campaign": "how-to/a-house-rule-came-in-the-middle-of-the-campaign.html",
    "monster stat block": "how-to/a-monster-from-a-printed-block.html",
    "own character sheet": "how-to/my-own-character-as-a-sheet.html",
    "draw map walls": "how-to/draw-the-battlefield.html",
    "bought map": "how-to/a-map-that-i-bought.html",
    "encounter too hard": "how-to/is-this-encounter-too-hard.html",
    "my own house rule": "how-to/my-own-house-rule.html",
    "next week same people": "how-to/the-same-people-next-week.html",
    "throw own dice": "how-to/we-throw-our-own-dice.html",
    "reinforcements": "how-to/reinforcements-come-in-round-three.html",
    "fifth edition evening": "how-to/play-fifth-edition-this-evening.html",
    "differs 2014 rules": "how-to/what-differs-from-the-2014-rules.html",
    "phone players": "how-to/everybody-on-their-own-phone.html",
    "monsters play themselves": "how-to/let-the-monsters-play-themselves.html",
    "power cut": "how-to/the-power-went-out.html",
    "hide rolls players": "how-to/players-must-not-see-the-rolls.html",
    "prove log changed": "how-to/prove-that-nobody-changed-the-log.html",
    "trust dice game master": "how-to/we-do-not-trust-the-dice.html",
    "lucky": "how-to/is-somebody-too-lucky.html",
    "forum posts rolls": "how-to/check-the-rolls-of-a-game-in-posts.html",
    "one page group": "how-to/one-page-to-look-at.html",
    "copies together": "how-to/put-players-copies-together.html",
    "chat message": "how-to/send-a-fight-in-a-chat-message.html",
    "hits best campaign": "how-to/who-hits-best-over-the-campaign.html",
    "spreadsheet": "how-to/open-the-fights-in-a-spreadsheet.html",
    "pandas": "how-to/fights-for-pandas-or-duckdb.html",
    "test data": "how-to/i-need-test-data.html",
    "rules change old fights": "how-to/which-old-fights-would-a-rules-change-alter.html",
    "move to postgresql": "how-to/move-to-postgresql.html",
    "two machines disagree": "how-to/why-do-two-machines-disagree.html",
    "discord": "how-to/a-fight-in-a-discord-bot.html",
    "tactics monsters": "how-to/my-own-tactics-for-the-monsters.html",
    "follow a fight": "how-to/follow-a-fight-while-it-is-played.html",
    "rule missing": "how-to/a-rule-is-missing-or-wrong.html",
    "continuous integration rules": "how-to/test-my-own-rules-in-ci.html",
    "thousand fights cores": "how-to/a-thousand-fights-on-all-cores.html",
    "old log": "how-to/read-an-old-log-or-a-newer-one.html",
    "own store": "how-to/keep-the-log-in-a-store-of-my-own.html",
    "fight in foundry": "how-to/show-a-fight-in-foundry.html",
    "web page replay": "how-to/a-replay-in-my-own-web-page.html",
    "computer crashed": "how-to/the-power-went-out.html",
    "corrupt": "how-to/the-power-went-out.html",
    "the power went out": "how-to/the-power-went-out.html",
    "copy to another computer": "how-to/the-power-went-out.html",
    "forgot attack of opportunity": "how-to/we-forgot-her-cover-two-turns-ago.html",
    "phone cannot connect": "how-to/everybody-on-their-own-phone.html",
    "port already in use": "how-to/everybody-on-their-own-phone.html",
    "player cheats": "how-to/we-do-not-trust-the-dice.html",
    "cheat": "how-to/is-somebody-too-lucky.html",
    "hide monster hit points": "how-to/players-must-not-see-the-rolls.html",
    "monster from a book": "how-to/a-monster-from-a-printed-block.html",
    "wrong die": "how-to/the-die-was-typed-wrong.html",
}
"""What is typed, and the page, or the place of one, that is to be among the first results."""

FOUND = """
const [query, done] = arguments;
const host = document.getElementById("search-results");
host.replaceChildren();
document.querySelectorAll('input[name="q"]').forEach((one) => (one.value = query));
Search.performSearch(query);
const look = () => host.querySelector("h2")?.innerText === "Search Results"
  ? done([...host.querySelectorAll("ul.search li > a")].map((one) => one.getAttribute("href")))
  : setTimeout(look, 5);
look();
"""


@pytest.fixture(scope="module")
def site(pytestconfig: pytest.Config) -> Path:
    """The folder of a built site; without one nothing can be searched."""
    folder = pytestconfig.getoption("--site")
    if folder is None:
        pytest.skip("no built site was named (--site FOLDER)")
    assert isinstance(folder, Path)
    return folder.resolve()


def test_a_query_that_is_typed_leads_to_the_rule(site: Path, browser: Any) -> None:
    """From the first page of the site, by the field on it, to the rule's own place in the rulebook."""
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    browser.get((site / "index.html").as_uri())
    browser.find_element("name", "q").send_keys("srd35.charge.attack", Keys.ENTER)
    link = WebDriverWait(browser, 10).until(lambda one: one.find_elements("css selector", "ul.search li a"))
    link[0].click()
    WebDriverWait(browser, 10).until(
        lambda one: one.execute_script("return document.querySelector(':target')")
    )
    assert browser.current_url == (site / "rulebooks" / "srd35.html").as_uri() + "#srd35.charge.attack"
    assert browser.execute_script("return document.querySelector(':target h3').innerText") == "Charge: attack"


def test_what_readers_type_finds_what_is_meant(site: Path, browser: Any) -> None:
    """Each page is among the first results, and there is such a page."""
    browser.get((site / "search.html").as_uri() + "?q=dice")
    browser.set_script_timeout(10)
    missed = {}
    for query, meant in SEARCHES.items():
        assert (site / meant.partition("#")[0]).is_file(), meant
        found = browser.execute_async_script(FOUND, query)
        if meant not in [one.removesuffix("#") for one in found[:MOST]]:
            missed[query] = found[:MOST]
    assert missed == {}


def test_the_index_opens_quickly(site: Path) -> None:
    """It is read whole by every search: less than a page of the rulebook."""
    assert (site / "searchindex.js").stat().st_size < 1_000_000


def test_every_task_can_be_searched_for() -> None:
    """A how-to that nobody finds helps nobody: each has words here that somebody might type."""
    pages = Path(__file__).parents[2] / "docs" / "how-to"
    meant = {Path(page).stem for page in SEARCHES.values() if page.startswith("how-to/")}
    assert meant == {page.stem for page in pages.glob("*.md")} - {"README"}
