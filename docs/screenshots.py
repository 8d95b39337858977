"""`python docs/screenshots.py`: the pictures of the page in docs/images, from real matches.

A tournament of bots that take their time is played for the lobby and the standings; then its
database is served, for a replay and for a match against a bot.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser import CHROMIUM, DESKTOP, OPTIONS, PHONE

IMAGES = Path(__file__).parent / "images"
BOTS = ["perfect", "spec:40", "spec:20", "spec:4", "greedy", "random"]
TOURNAMENT = ["tournament", "--bots", *BOTS, "--stones", "60-100/8", "--opening-plies", "3"]
TOURNAMENT += ["--seed", "1", "--time", "0.4/move", "--concurrency", "6", "--quiet"]
PLAYED = 30  # matches, before the pictures of a tournament are taken


@contextmanager
def arena(*arguments: str) -> Iterator[str]:
    """An arena that runs meanwhile; where its page is."""
    command = [sys.executable, "-m", "arena", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        found = (re.search(r"at (http://\S+)", line) for line in process.stderr)
        yield next(match[1] for match in found if match)
        process.terminate()


def opened(browser: Browser, url: str, *, phone: bool = False, dark: bool = False) -> Page:
    """A page of a desktop or of a phone."""
    page = browser.new_page(
        viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page.goto(url)
    return page


def keep(page: Page, name: str) -> None:
    """Take a picture."""
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def tournament(browser: Browser, url: str) -> None:
    """The lobby and the standings of a tournament that is being played."""
    lobby = opened(browser, url)
    enough = f"Number(document.querySelector('.played')?.textContent.split(' ')[0]) >= {PLAYED}"
    lobby.wait_for_function(enough, timeout=0)
    lobby.wait_for_function("document.querySelectorAll('.live-card:not(.over)').length >= 4")
    keep(lobby, "lobby")
    standings = opened(browser, f"{url}#/tables", dark=True)
    standings.wait_for_selector(".standings tbody tr")
    keep(standings, "standings")


def matches(browser: Browser, url: str) -> None:
    """A replay, an analysis, and a match of a person on a phone."""
    replay = opened(browser, f"{url}#/match/12/9")
    replay.wait_for_selector(".stone.last")
    keep(replay, "replay")
    position = "#/analysis?game=take_stones&stones=50&moves=3,1,6&depth=6"
    analysis = opened(browser, f"{url}{position}", dark=True)
    analysis.wait_for_selector(".stone.winning")
    keep(analysis, "analysis")
    play = opened(browser, f"{url}#/play", phone=True)
    play.get_by_label("Opponent").select_option("spec:4")
    play.get_by_label("Your name").fill("You")
    play.get_by_label("Number of stones").fill("30")
    play.get_by_role("button", name="Play").click()
    for stone in (7, 14):
        play.get_by_role("gridcell", name=f"stone {stone}, free, legal").first.click(timeout=5000)
        break
    play.wait_for_selector(".interactive .legal")
    keep(play, "play")


def main() -> None:
    """Take all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        db = f"{folder}/arena.db"
        with arena(*[word for word in TOURNAMENT if word != "--quiet"], "--db", db) as url:
            tournament(browser, url)
        # A database of a tournament is not for others to join: its records are.
        browser.close()


if __name__ == "__main__":
    main()
