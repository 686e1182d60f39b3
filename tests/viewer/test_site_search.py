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
}
"""What is typed, and the page, or the place of one, that is to be among the first results."""

FOUND = """
const [query, done] = arguments;
const host = document.getElementById("search-results");
host.replaceChildren();
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
