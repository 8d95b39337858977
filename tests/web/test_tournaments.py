"""Tournaments of each format, in a real browser."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.page.browser import Visit, settle
from tests.support.page.sites import check_layout
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import COMMAND, Launch, wait_for_line

BOTS = ["random", "greedy", "spec:1", "spec:2", "spec:3"]
OPTIONS = ["--bots", *BOTS, "--stones", "7", "--seed", "1"]
FORMATS = {
    "knockout": ["--format", "knockout"],
    "swiss": ["--format", "swiss", "--rounds", "2"],
    "gauntlet": ["--format", "gauntlet"],
}
PROJECTOR = {"width": 1920, "height": 1080}

Played = Callable[[str], Path]
View = Callable[..., Page]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return a function that returns the database of a finished tournament of a format."""
    folder = tmp_path_factory.mktemp("tournaments")

    def play(name: str) -> Path:
        path = folder / f"{name}.db"
        if not path.exists():
            command = [*COMMAND, "tournament", *OPTIONS, *FORMATS[name], "--db", str(path)]
            subprocess.run(command, capture_output=True, check=True, timeout=TEST_TIMEOUT)
        return path

    return play


@pytest.fixture
def view(played: Played, visit: Visit, launch: Launch) -> View:
    """Return a function that opens the page of a finished tournament of a format."""

    def open_page(name: str, address: str = "", *, phone: bool = False) -> Page:
        process = launch(*COMMAND, "view", played(name), "--port", "0")
        url = wait_for_line(process, r"(http://[^\s,]+)")
        return visit(url + address, phone=phone, dark=phone)

    return open_page


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_knockout_is_shown_as_a_bracket(view: View, phone: bool) -> None:
    page = view("knockout", "#/tables", phone=phone)
    bracket = page.get_by_role("region", name="Bracket")
    expect(bracket.get_by_role("heading")).to_have_text(["Quarterfinals", "Semifinals", "Final"])
    expect(bracket.locator(".encounter")).to_have_count(7)
    expect(bracket.get_by_text("bye")).to_have_count(3)
    expect(page.get_by_role("columnheader", name="Elo")).to_be_hidden()
    check_layout(page)
    bracket.locator(".cover").last.click()
    expect(page.locator(".played-games li")).not_to_have_count(0)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_swiss_is_shown_by_its_points_and_rounds(view: View, phone: bool) -> None:
    page = view("swiss", "#/tables", phone=phone)
    expect(page.get_by_role("region", name="Points", exact=True).locator("tbody tr")).to_have_count(
        5
    )
    rounds = page.get_by_role("region", name="Rounds")
    expect(rounds.get_by_role("heading")).to_have_text(["Round 2", "Round 1"])
    expect(rounds.locator(".encounter")).to_have_count(6)
    check_layout(page)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_gauntlet_is_shown_by_the_scores_of_its_reference_bot(view: View, phone: bool) -> None:
    page = view("gauntlet", "#/tables", phone=phone)
    table = page.get_by_role("region", name="random against the others")
    expect(table.locator("tbody tr")).to_have_count(4)
    expect(page.locator(".cross-frame")).to_be_hidden()
    check_layout(page)


@pytest.mark.parametrize("name", FORMATS)
def test_the_slides_fill_a_projector(view: View, name: str) -> None:
    page = view(name, "?present")
    page.set_viewport_size(PROJECTOR)  # type: ignore[arg-type]
    slides = {"knockout": ".pairings", "swiss": ".pairings", "gauntlet": ".top-bots"}
    shown = page.locator(f".slide:visible {slides[name]}")
    expect(shown).to_be_visible()
    settle(page)
    box = shown.bounding_box()
    assert box
    assert box["width"] > 0.85 * PROJECTOR["width"]
    assert box["y"] + box["height"] <= PROJECTOR["height"]
    assert box["height"] > 0.5 * PROJECTOR["height"]
    check_layout(page)
