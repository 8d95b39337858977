"""`python -m tools.screenshots`: screenshots of the page for docs/images, of real matches.

The lobby and the standings show a slow tournament, most other views its stored matches, the last
ones a person against a bot and a position as a graph. Pictures with names in -phone show a phone,
in the dark theme.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.support.page.browser import DESKTOP, OPTIONS, PHONE
from tests.support.tools import find

IMAGES = Path(__file__).parents[1] / "docs" / "images"
TOURNAMENT = (
    "tournament --bots perfect spec:40 spec:20 spec:4 greedy random --stones 60-100/8"
    " --opening-plies 3 --seed 1 --time 1/move --concurrency 6 --rounds 4 --plain"
)
MATCH, PLY = 96, 13  # of the replay
TIMEOUT = 300_000  # ms
SEARCH = "game=take_stones&stones=20&moves=3,1,6&depth=3&step=133"
LOST = "game=take_stones&stones=100&moves=7,14&depth="
GRAPH = "game=take_stones&stones=100&moves=9,81,1,35,5,90,45,15&depth="
POSITION = "game=take_stones&stones=50&moves=3,1,6&depth=6"
# Views on a desktop and on a phone: the address, and what is there once they are complete.
VIEWS = {
    "replay": (f"#/match/{MATCH}/{PLY}", ".stone.last"),
    "bot": ("#/bot/spec%3A20", ".bot-numbers"),
    "puzzle": ("#/puzzles", ".puzzle-turn"),
    "analysis": (f"#/analysis?{POSITION}", ".stone.winning"),
    "rules": ("#/rules", "[role=gridcell]"),
}


@contextmanager
def arena(arguments: str) -> Iterator[str]:
    """Run an arena; yield the URL of its page."""
    command = [sys.executable, "-m", "arena", *arguments.split(), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stderr
        said = (re.search(rb"at (http://[^\s,]+)", line) for line in process.stderr)
        try:
            yield next(found[1].decode() for found in said if found)
        finally:
            process.terminate()
            process.communicate()


def opened(browser: Browser, url: str, *, phone: bool = False, dark: bool = False) -> Page:
    """Open a page on a desktop or a phone."""
    page = browser.new_page(
        viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page.goto(url)
    return page


def save(page: Page, name: str) -> None:
    """Take a screenshot of a page that has settled."""
    page.wait_for_timeout(1000)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def show_tournament(browser: Browser, url: str) -> None:
    """Take screenshots of the lobby and the standings of a running tournament."""
    lobby = opened(browser, url)
    expect(lobby.locator(".played")).to_have_text(re.compile(r"^\d{3} of"), timeout=TIMEOUT)
    # Wait for live matches: finished ones are grey.
    expect(lobby.locator(".live-card:nth-child(-n+4):not(.over)")).to_have_count(4, timeout=TIMEOUT)
    lobby.screenshot(path=IMAGES / "lobby.png")
    lobby.close()
    standings = opened(browser, f"{url}#/tables", dark=True)
    standings.wait_for_selector(".standings tbody tr")
    save(standings, "standings")


def show_records(browser: Browser, url: str) -> None:
    """Take screenshots of the views of stored matches and of positions."""
    for name, (address, complete) in VIEWS.items():
        for ending, phone in (("", False), ("-phone", True)):
            view = opened(browser, f"{url}{address}", phone=phone, dark=phone)
            if name == "puzzle":  # a daily puzzle needs a match of the day before
                view.get_by_role("button", name="Next puzzle").click()
            view.wait_for_selector(complete)
            view.evaluate("scrollTo(0, 0)")
            save(view, name + ending)
    learn = opened(browser, f"{url}#/learn?{SEARCH}")
    expect(learn.locator(".step-text")).to_contain_text("cut off")
    save(learn, "learn")
    why = opened(browser, f"{url}#/analysis?{LOST}")
    why.get_by_text("As a graph").click()
    why.locator(".matching [data-move='28']").click()
    why.locator(".why h2").evaluate("title => title.scrollIntoView()")
    why.mouse.move(0, 0)
    save(why, "why")


def show_play(browser: Browser, url: str) -> None:
    """Take a screenshot of a person against a bot, on a phone."""
    page = opened(browser, f"{url}#/play", phone=True)
    page.get_by_label("Opponent").select_option("spec:4")
    page.get_by_label("Your name").fill("You")
    page.get_by_label("Number of stones").fill("30")
    page.get_by_role("button", name="Play").click()
    for moves in (0, 2):
        page.locator(".interactive .legal").last.click()
        expect(page.locator(".moves li a")).to_have_count(moves + 2)
    page.locator(".interactive .legal").first.wait_for()
    save(page, "play")


def show_graph(browser: Browser, url: str) -> None:
    """Take screenshots of a position as a graph, on a desktop and on a phone."""
    for name, phone in (("graph", False), ("graph-phone", True)):
        page = opened(browser, f"{url}#/analysis?{GRAPH}", phone=phone, dark=phone)
        page.locator(".view-choice").get_by_text("Graph").click()
        page.wait_for_selector(".stone-graph.has-matching")
        page.locator(".view-choice").evaluate("choice => choice.scrollIntoView()")
        page.mouse.move(0, 0)
        save(page, name)


def main() -> None:
    """Take all screenshots."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find("Chromium")), args=OPTIONS)
        db = f"{folder}/cup.db"
        with arena(f"{TOURNAMENT} --db {db}") as url:
            show_tournament(browser, url)
        with arena(f"view {db}") as url:
            show_records(browser, url)
        with arena(f"serve --db {folder}/open.db") as url:
            show_play(browser, url)
            show_graph(browser, url)
        browser.close()


if __name__ == "__main__":
    main()
