"""A match in a real browser: live to its end, and replayed."""

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, expect

from arena.model.results import Info
from tests.support.page.browser import PHONE, Visit
from tests.support.page.sites import (
    HOSTILE,
    HUNDRED,
    LONG_NAMES,
    SCRIPT,
    SEVEN,
    SHORT,
    THOUSAND,
    Site,
    check_layout,
    guests,
    is_too_wide,
    random_game,
    site,
)
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import Launch


def taken(page: Page) -> list[int]:
    """Return the stones taken on the board, in order."""
    cells = page.locator(".stone.taken").evaluate_all(
        "cells => cells.map(cell => [Number(cell.dataset.ply), Number(cell.textContent)])"
    )
    return [stone for _, stone in sorted(cells)]


def shows(page: Page, moves: list[int]) -> None:
    """Wait until the board shows a position."""
    expect(page.locator(".stone.taken")).to_have_count(len(moves))
    assert taken(page) == moves


def test_a_live_match_is_watched_to_its_end(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    with guests(arena.play, "ann", "bob") as (ann, bob):
        page = visit(f"{arena.page}#/match/1")
        expect(page.locator(".state-line.is-live p")).to_have_text("ann is thinking")
        for ply, move in enumerate(SHORT):
            (bob if ply % 2 else ann).take(move)
            shows(page, SHORT[: ply + 1])
        ending = "bob won: no factor or multiple of 5 is left"
        expect(page.locator(".state-line p")).to_have_text(ending)


def test_verdicts_do_not_change_the_height(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db, "--time", "600+0")
    with guests(arena.play, "ann", "b" * 64) as (ann, other):
        page = visit(f"{arena.page}#/match/1")
        bar = page.locator(".bar")
        expect(bar).to_contain_text("with perfect play")
        bar.evaluate(
            """bar => {
                window.heights = new Set();
                new ResizeObserver(([{ target }]) => heights.add(target.offsetHeight)).observe(bar);
            }"""
        )
        for ply, move in enumerate(SHORT):
            (other if ply % 2 else ann).take(move)
            shows(page, SHORT[: ply + 1])
        expect(bar).to_contain_text("has won")
        assert page.evaluate("heights.size") == 1
        assert not is_too_wide(page)


def test_an_interrupted_match_is_reported(db: Path, visit: Visit, launch: Launch) -> None:
    visit.may_lose_connection = True
    arena = site(launch, db)
    with guests(arena.play, "ann", "bob") as (ann, _):
        page = visit(f"{arena.page}#/match/1")
        ann.take(3)
        shows(page, [3])
        arena.stop(signal.SIGKILL)
        expect(page.locator("#status")).to_contain_text("Disconnected")
        site(launch, db, "--port", arena.port)
        expect(page.locator("#status")).to_have_text("")
        expect(page.locator(".state-line")).to_contain_text("the arena was killed")


@pytest.mark.parametrize(
    ("match", "stones", "name"),
    [
        (SEVEN, 7, "ann"),
        (HUNDRED, 100, "ann"),
        (THOUSAND, 1000, "ann"),
        (HOSTILE, 20, SCRIPT),
        (LONG_NAMES, 20, "W" * 64),
    ],
)
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_boards_of_any_size_and_names_fit(
    stored: Site, visit: Visit, match: int, stones: int, name: str, phone: bool
) -> None:
    page = visit(f"{stored.page}#/match/{match}", phone=phone, dark=phone)
    expect(page.locator(".stone")).to_have_count(stones)
    expect(page.locator(".players")).to_contain_text(name)
    assert page.locator("main script").count() == 0
    check_layout(page)


def test_a_thousand_stones_can_be_read_on_a_phone(stored: Site, visit: Visit) -> None:
    moves = random_game("take_stones", {"stones": 1000}, 1)[:12]
    page = visit(f"{stored.page}#/match/{THOUSAND}/12", phone=True)
    expect(page.locator(".stone.winning").first).to_be_attached()
    for name in ("First position", "Next move"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
    page.get_by_role("switch", name="Only the legal stones").check()
    page.reload()  # the choice is remembered
    latest, legal = (page.get_by_role("group", name=name) for name in ("Latest", "Legal"))
    expect(latest.get_by_role("img")).to_have_text([str(move) for move in moves[-7:]])
    expect(page.get_by_role("grid")).to_be_hidden()
    for stone in (latest.get_by_role("img").first, legal.get_by_role("button").first):
        expect(stone).to_have_css("font-size", "16px")
    check_layout(page)
    pinch(page)


def pinch(page: Page) -> None:
    """Zoom into a page, as on a phone, to twice its size."""
    assert page.context.browser
    context = page.context.browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)  # type: ignore[arg-type]
    context.set_default_timeout(1000 * TEST_TIMEOUT)
    mobile = context.new_page()
    mobile.goto(page.url)
    expect(mobile.locator(".stone.last")).to_be_visible()
    gesture = {"x": 195, "y": 500, "scaleFactor": 2}
    context.new_cdp_session(mobile).send("Input.synthesizePinchGesture", gesture)
    mobile.wait_for_function("visualViewport.scale > 1.9")
    context.close()


def test_an_address_graph_and_slider_agree_on_the_ply(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/match/{HUNDRED}/9999")
    slider, cursor = page.get_by_label("Move", exact=True), page.locator(".graph .cursor")
    last = len(random_game("take_stones", {"stones": 100}, 1))
    expect(page).to_have_url(re.compile(f"#/match/{HUNDRED}/{last}$"))
    for ply in (last - 1, last // 2, 1):
        page.locator(".moves li a").nth(ply - 1).click()
        expect(slider).to_have_value(str(ply))
        row, place = slider.bounding_box(), cursor.bounding_box()
        assert row
        assert place
        x = place["x"] + place["width"] / 2
        for y in (row["y"] + row["height"] / 2, place["y"] + place["height"] / 2):
            page.mouse.click(x, y)
            assert slider.input_value() == str(ply)


def test_evaluations_are_shown_only_after_the_match(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    with guests(arena.play, "ann", "bob") as (ann, bob):
        page = visit(f"{arena.page}#/match/1")
        frames: list[str] = []

        def listen(socket: WebSocket) -> None:
            socket.on("framereceived", lambda frame: frames.append(str(frame)))

        page.on("websocket", listen)
        page.reload()
        for ply, move in enumerate(SHORT):
            (bob if ply % 2 else ann).take(move, Info(0.5))
            shows(page, SHORT[: ply + 1])
            if ply + 1 < len(SHORT):
                expect(page.locator(".rounds .info")).to_have_count(0)
                assert not any("evaluation" in frame for frame in frames)
        expect(page.locator(".rounds .info")).to_have_count(len(SHORT))
