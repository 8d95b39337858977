"""The lobby in a real browser."""

import json
import re
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import (
    SCRIPT,
    SHORT,
    Site,
    guests,
    is_too_wide,
    page_of,
    site,
    store_sample_matches,
)
from tests.support.servers.arena_command import COMMAND, Launch, running_bot, wait_for_line
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.records import make_pairing, make_record


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_an_empty_arena_explains_how_to_connect(empty: Site, visit: Visit, phone: bool) -> None:
    page = visit(empty.page, phone=phone, dark=phone)
    expect(page.locator("h1")).to_have_text("Take-Stones and Isolation")
    expect(page.locator(".lobby")).to_contain_text("No bots connected yet")
    expect(page.locator(".lobby")).to_contain_text(empty.play)
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_live_matches_start_progress_and_end(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    page = visit(arena.page)
    with guests(arena.play, "ann", "bob") as (ann, bob):
        card = page.locator(".live-card").first
        expect(card).to_contain_text("ann")
        for move in (3, 6):
            (ann if move == 3 else bob).take(move)
            expect(card).to_contain_text(f"last {move}")
        expect(page.get_by_role("link", name="ann against bob")).to_be_visible()
        for player, move in ((ann, 2), (bob, 4), (ann, 1), (bob, 5)):
            player.take(move)
        expect(page.locator(".results li").first).to_contain_text("bob beat ann")
        expect(page.locator("h2", has_text="Connected bots")).to_contain_text("2")


def test_a_card_links_to_the_match(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    with guests(arena.play, "ann", "bob"):
        page = visit(arena.page)
        page.get_by_role("link", name="ann against bob").click()
        expect(page).to_have_url(re.compile("#/match/1$"))
        expect(page.locator(".stone")).to_have_count(7)


def test_the_page_reconnects_after_a_restart(db: Path, visit: Visit, launch: Launch) -> None:
    visit.may_lose_connection = True
    arena = site(launch, db)
    page = visit(arena.page)
    expect(page.locator(".lobby")).to_contain_text("No bots connected yet")
    arena.stop(signal.SIGKILL)
    expect(page.locator("#status")).to_contain_text("Disconnected")
    store_sample_matches(db)
    site(launch, db, "--port", arena.port)
    expect(page.locator("#status")).to_have_text("")
    expect(page.locator(".results li").first).to_contain_text("beat")


def test_a_view_that_cannot_be_loaded_is_loaded_later(
    db: Path, visit: Visit, launch: Launch
) -> None:
    visit.may_lose_connection = True
    store_sample_matches(db)
    arena = site(launch, db)
    page = visit(arena.page)
    expect(page.locator(".results li").first).to_be_visible()
    arena.stop(signal.SIGKILL)
    expect(page.locator("#status")).to_contain_text("Disconnected")
    page.get_by_role("link", name="Standings").first.click()
    expect(page.locator("main")).to_contain_text("could not be loaded")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    site(launch, db, "--port", arena.port)
    expect(page.locator(".standings tbody tr").first).to_be_visible()


def test_results_keep_still_under_the_pointer(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db, "--time", "600+0")
    page = visit(arena.page)
    results = page.locator(".results li")
    expect(page.locator(".welcome")).to_contain_text("10 min")
    with guests(arena.play, "ann", "bob") as (ann, bob):
        for ply, move in enumerate(SHORT):
            (bob if ply % 2 else ann).take(move)
        expect(results).to_have_count(1)
        expect(page.get_by_role("heading", name="Standings")).to_be_visible()  # above the results
        results.first.hover()
        for ply, move in enumerate(SHORT):
            (ann if ply % 2 else bob).take(move)
        expect(page.get_by_role("heading", name="Latest results 1 new")).to_be_visible()
        expect(results).to_have_count(1)
        page.mouse.move(0, 0)
        expect(results).to_have_count(2)
        expect(page.get_by_role("heading", name="Latest results", exact=True)).to_be_visible()


def test_a_tournament_is_shown_with_its_progress(db: Path, visit: Visit, launch: Launch) -> None:
    command = [*COMMAND, "tournament", "--bots", "random", "external:guest", "--stones", "7"]
    page = visit(page_of(launch(*command, "--db", db, "--plain")))
    expect(page.locator("h1")).to_have_text("Take-Stones round robin")
    expect(page.locator(".played")).to_have_text("0 of 2 matches played")
    expect(page.get_by_role("link", name="Play", exact=True)).to_be_hidden()
    assert not accessibility_violations(page)


def test_a_finished_tournament_shows_its_podium(
    complete: Path, visit: Visit, launch: Launch
) -> None:
    process = launch(*COMMAND, "view", complete, "--port", "0")
    page = visit(wait_for_line(process, r"(http://[^\s,]+)"), phone=True)
    podium = page.locator(".podium li")
    expect(podium).to_have_count(3)
    expect(page.get_by_role("heading", name="Live matches")).to_be_hidden()
    expect(page.locator(".nothing")).to_be_hidden()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
    names = page.locator(".aside tbody th").all_text_contents()
    assert podium.locator("a").all_text_contents() == names[:3]
    podium.locator("a").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(names[0])
    page.get_by_role("link", name="4 matches", exact=True).click()
    expect(page.get_by_role("status").last).to_have_text("4 matches")


def test_a_cup_is_won_by_its_champion_though_ratings_are_equal(
    db: Path, visit: Visit, launch: Launch
) -> None:
    plan = {
        "game": "take_stones",
        "bots": {"zoe": "random", "ann": "random"},
        "setups": [{"stones": 7}],
        "time": "5+0.05",
        "seed": 1,
        "format": "knockout",
        "pairs": 2,
    }
    level = [1] * 8  # player 1 wins each match, also in sudden death: the better seed advances
    records = [
        make_record(make_pairing(number, ("zoe", "ann") if number % 2 else ("ann", "zoe")), winner)
        for number, winner in enumerate(level, 1)
    ]
    records = [replace(record, id=number) for number, record in enumerate(records, 1)]
    make_database(db, records, json.dumps(plan))
    process = launch(*COMMAND, "view", db, "--port", "0")
    page = visit(wait_for_line(process, r"(http://[^\s,]+)"))
    expect(page.get_by_role("heading", name="Final places")).to_be_visible()
    expect(page.locator(".podium li")).to_have_text(["zoewon the final1", "annlost the final2"])
    expect(page.locator(".played")).to_have_text("All 8 matches played")


def test_a_bot_name_is_not_parsed_as_markup(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    with guests(arena.play, SCRIPT, "bob"):
        page = visit(arena.page)
        expect(page.locator(".live-card").first).to_contain_text(SCRIPT)
        assert page.locator("main script").count() == 0
        assert not accessibility_violations(page)


def test_many_matches_are_shown_to_their_end(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    with running_bot("random", "ann", arena.play), running_bot("greedy", "bob", arena.play):
        page = visit(arena.page, phone=True)
        expect(page.locator(".results li")).to_have_count(8)
        expect(page.locator(".played")).to_contain_text("matches played")
        assert not is_too_wide(page)


def test_the_chosen_theme_is_kept(stored: Site, visit: Visit) -> None:
    page = visit(stored.page)
    page.get_by_role("button", name="Dark theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Light theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


PLAYER_1 = {False: "rgb(15, 114, 153)", True: "rgb(87, 184, 217)"}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_canvases_have_the_colours_of_the_theme(stored: Site, visit: Visit, dark: bool) -> None:
    page = visit(stored.page, dark=dark)
    code = "async () => (await import('/boards/colours.js')).colours().one"
    assert page.evaluate(code) == PLAYER_1[dark]
    page.get_by_role("button", name="Light theme" if dark else "Dark theme").click()
    assert page.evaluate(code) == PLAYER_1[not dark]


def test_the_page_is_operated_with_the_keyboard(stored: Site, visit: Visit) -> None:
    page = visit(stored.page)
    expect(page.locator(".results li").first).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Standings").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Standings")


def test_workers_of_a_tournament_in_process(db: Path, visit: Visit, launch: Launch) -> None:
    words = ["--bots", "random", "greedy", "--rounds", "100000", "--workers", "1", "--db", db]
    words += ["--time", "100 nodes", "--stones", "30"]
    process = launch(*COMMAND, "tournament", *words)
    page = visit(wait_for_line(process, r"(http://\S+)"))
    expect(page.locator(".workers")).to_have_text(
        re.compile(r"1 worker, [0-9,.]+ matches/s, \d+ batch(es)? in flight$")
    )
    expect(page.locator(".welcome")).to_contain_text("100 nodes a move")
    expect(page.locator(".nothing")).to_contain_text("Workers play the matches")
    expect(page.locator(".results li").first).to_contain_text("beat")
    expect(page.locator(".played")).to_have_text(re.compile(r"^[0-9,]+ of 200,000 matches played$"))
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
    page.locator(".results .cover").first.click()
    expect(page.locator(".clock").first).to_have_text("no clock")
