"""Tournaments of each format, in a real browser."""

import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from websockets.exceptions import ConnectionClosedOK

from arena.protocol.player import Move, Turn
from core import GAMES, solver_of
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Guest, guests, is_too_wide
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
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
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
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_gauntlet_is_shown_by_the_scores_of_its_reference_bot(view: View, phone: bool) -> None:
    page = view("gauntlet", "#/tables", phone=phone)
    table = page.get_by_role("region", name="random against the others")
    expect(table.locator("tbody tr")).to_have_count(4)
    expect(page.locator(".cross-frame")).to_be_hidden()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


@pytest.mark.parametrize("name", FORMATS)
def test_the_slides_fill_a_projector(view: View, name: str) -> None:
    page = view(name, "?present")
    page.set_viewport_size(PROJECTOR)  # type: ignore[arg-type]
    slides = {"knockout": ".pairings", "swiss": ".pairings", "gauntlet": ".top-bots"}
    shown = page.locator(f".slide:visible {slides[name]}")
    expect(shown).to_be_visible()
    box = shown.bounding_box()
    assert box
    assert box["width"] > 0.85 * PROJECTOR["width"]
    assert box["y"] + box["height"] <= PROJECTOR["height"]
    assert box["height"] > 0.5 * PROJECTOR["height"]
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def answer(guest: Guest, turn: Turn) -> None:
    """Play a move that wins, or else the first legal one."""
    position = GAMES[turn.game].position(**turn.setup)
    for move in turn.moves:
        position.play(move)
    solver = solver_of(position)
    assert solver
    move = (solver.winning_moves() or position.legal_moves())[0]
    guest.say(Move(turn.match, turn.ply, move))


def test_the_bracket_of_a_knockout_fills_until_the_winner(
    db: Path, visit: Visit, launch: Launch
) -> None:
    bots = ["external:guest", *BOTS[:3]]
    setup = ["--stones", "7", "--seed", "1", "--time", "600+0", "--db", db, "--port", "0"]
    arena = launch(*COMMAND, "tournament", "--bots", *bots, *FORMATS["knockout"], *setup)
    url = wait_for_line(arena, r"(http://[^\s,]+)")
    visit.may_lose_connection = True  # the arena ends with its tournament
    page = visit(f"{url}#/tables")
    bracket = page.get_by_role("region", name="Bracket")
    first, second, final = (bracket.locator(".encounter").nth(at) for at in range(3))
    with guests(f"{url.replace('http', 'ws')}play", "guest") as [guest]:
        turn = guest.turn()
        opponent = turn.opponent
        expect(first).to_have_class("encounter is-live")
        expect(second.locator(".winner")).to_be_visible()
        expect(final).to_contain_text("to be decided")
        while turn.opponent == opponent:
            answer(guest, turn)
            turn = guest.turn()
        expect(first.locator(".winner")).to_contain_text("guest")
        expect(final).to_have_class("encounter is-live")
        expect(final).not_to_contain_text("to be decided")
        with suppress(ConnectionClosedOK):
            while True:
                answer(guest, turn)
                turn = guest.turn()
    expect(final.locator(".winner")).to_contain_text("guest")
    expect(bracket.locator(".is-live")).to_have_count(0)
    expect(page.get_by_text("The arena has closed.")).to_be_visible()
