"""`python docs/screenshots.py`: the pictures of the page in docs/images, of real matches.

A tournament of bots that take their time is played for the lobby and the standings; then what is
stored of it is shown, and a person plays against a bot.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.support import chromium
from tests.support.browser import DESKTOP, OPTIONS, PHONE

IMAGES = Path(__file__).parent / "images"
TOURNAMENT = (
    "tournament --bots perfect spec:40 spec:20 spec:4 greedy random --stones 60-100/8"
    " --opening-plies 3 --seed 1 --time 1/move --concurrency 6 --rounds 4 --plain"
)
MATCH, PLY = 96, 13  # that are replayed
PATIENCE = 300_000  # ms
POSITION = "game=take_stones&stones=50&moves=3,1,6&depth=6"


@contextmanager
def arena(arguments: str) -> Iterator[str]:
    """An arena that runs meanwhile: where its page is."""
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
    """A page on a desktop or on a phone."""
    page = browser.new_page(
        viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page.goto(url)
    return page


def keep(page: Page, name: str) -> None:
    """Take a picture, once what comes in pieces has come."""
    page.wait_for_timeout(1000)
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


def show_tournament(browser: Browser, url: str) -> None:
    """The lobby and the standings while matches are played."""
    lobby = opened(browser, url)
    expect(lobby.locator(".played")).to_have_text(re.compile(r"^\d{3} of"), timeout=PATIENCE)
    # Those that have just ended would be told in grey.
    expect(lobby.locator(".live-card:nth-child(-n+4):not(.over)")).to_have_count(
        4, timeout=PATIENCE
    )
    lobby.screenshot(path=IMAGES / "lobby.png")
    lobby.close()
    standings = opened(browser, f"{url}#/tables", dark=True)
    standings.wait_for_selector(".standings tbody tr")
    keep(standings, "standings")


def show_records(browser: Browser, url: str) -> None:
    """A replay, and an analysis."""
    replay = opened(browser, f"{url}#/match/{MATCH}/{PLY}")
    replay.wait_for_selector(".stone.last")
    keep(replay, "replay")
    analysis = opened(browser, f"{url}#/analysis?{POSITION}", dark=True)
    analysis.wait_for_selector(".stone.winning")
    keep(analysis, "analysis")


def show_play(browser: Browser, url: str) -> None:
    """A person against a bot, on a phone."""
    page = opened(browser, f"{url}#/play", phone=True)
    page.get_by_label("Opponent").select_option("spec:4")
    page.get_by_label("Your name").fill("You")
    page.get_by_label("Number of stones").fill("30")
    page.get_by_role("button", name="Play").click()
    for moves in (0, 2):
        page.locator(".interactive .legal").last.click()
        expect(page.locator(".moves li a")).to_have_count(moves + 2)
    page.locator(".interactive .legal").first.wait_for()
    keep(page, "play")


def main() -> None:
    """Take all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=OPTIONS)
        db = f"{folder}/cup.db"
        with arena(f"{TOURNAMENT} --db {db}") as url:
            show_tournament(browser, url)
        with arena(f"view {db}") as url:
            show_records(browser, url)
        with arena(f"serve --db {folder}/open.db") as url:
            show_play(browser, url)
        browser.close()


if __name__ == "__main__":
    main()
