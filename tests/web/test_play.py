"""Matches of people, in a real browser and a real arena."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.model.results import Termination
from arena.storage.reader import DatabaseReader
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, check_layout, site
from tests.support.servers.arena_command import Launch


@pytest.fixture
def arena(db: Path, launch: Launch) -> Site:
    return site(launch, db)


def ask_for(page: Page, opponent: str, stones: int = 7, side: str = "first") -> None:
    """Submit the challenge form."""
    page.get_by_label("Opponent").select_option(opponent)
    page.get_by_label("Number of stones").fill(str(stones))
    page.get_by_label(side, exact=True).check()
    page.get_by_role("button", name="Play").click()


def begin(
    visit: Visit, arena: Site, opponent: str, stones: int = 7, side: str = "first", **how: bool
) -> Page:
    """Start a match against a bot."""
    page = visit(f"{arena.page}#/play", **how)
    ask_for(page, opponent, stones, side)
    expect(page.locator(".controls")).to_be_visible()
    return page


def wait_for_turn(page: Page) -> bool:
    """Wait for our turn or the end of the match; return whether it is our turn."""
    expect(page.locator(".interactive .legal, .state-line:not(.is-live)").first).to_be_visible()
    return page.locator(".state-line.is-live").is_visible()


def play_to_the_end(page: Page) -> None:
    """Click the first legal stone until there is none."""
    while wait_for_turn(page):
        moves = page.locator(".moves li a").count()
        page.locator(".interactive .legal").first.click()
        expect(page.locator(".moves li a").nth(moves)).to_be_visible()


def test_a_whole_match_is_played_against_the_engine(arena: Site, visit: Visit) -> None:
    visit.may_lose_connection = True
    page = begin(visit, arena, "spec:4", stones=20)
    assert not accessibility_violations(page)
    play_to_the_end(page)
    expect(page.locator(".state-line")).to_contain_text("is left")
    arena.stop()
    with DatabaseReader(arena.db) as records:
        [record] = records.matches(moves=True)
        assert record.result.termination is Termination.NO_LEGAL_MOVE
        assert record.pairing.casual
        assert records.tallies() == {}


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_one_tap_in_the_lobby_begins_a_match(arena: Site, visit: Visit, phone: bool) -> None:
    page = visit(arena.page, phone=phone, dark=phone)
    stone = page.get_by_role("gridcell", name="stone 7, free, legal")
    expect(stone).to_be_in_viewport(ratio=1)
    check_layout(page)
    stone.click()
    expect(page.locator(".match-head")).to_contain_text("40 stones")
    expect(page.locator(".moves li a .name").first).to_have_text("7")
    assert wait_for_turn(page)


SUBMISSION = Path(__file__).parents[1] / "data" / "submissions" / "python_right" / "take_stones.py"
FAILING = """
import sys
if sys.argv[2] != "0":
    sys.exit("<b>bad</b> luck")
print("Move: 1\\nValue: 0.0\\nNumber of Nodes Visited: 2\\nNumber of Nodes Evaluated: 1")
print("Max Depth Reached: 1\\nAvg Effective Branching Factor: 1.0")
"""


def test_programs_are_opponents(db: Path, tmp_path: Path, visit: Visit, launch: Launch) -> None:
    visit.may_lose_connection = True
    failing = tmp_path / "failing.py"
    failing.write_text(FAILING)
    offers = (f"ann=program:depth=2 python3 {SUBMISSION}", f"bob=program:python3 {failing}")
    arena = site(launch, db, "--sandbox", "off", "--offer", *offers)
    page = begin(visit, arena, "ann", stones=12)
    play_to_the_end(page)
    expect(page.locator(".state-line")).to_contain_text("is left")
    expect(page.locator(".program-log")).to_be_hidden()
    page = begin(visit, arena, "bob", side="second")
    assert wait_for_turn(page)
    page.locator(".interactive .legal").first.click()
    expect(page.locator(".state-line")).to_contain_text(
        "You won: bob failed: python3 at depth 1 ended with status 1"
    )
    page.get_by_text("Output of the program").click()
    expect(page.locator(".program-log pre")).to_have_text("standard error:\n<b>bad</b> luck")


def test_another_tab_plays_on(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "perfect", stones=40)
    tab = page.context.new_page()
    tab.goto(f"{arena.page}#/tables")
    tab.get_by_role("link", name="Return to your match").click()
    assert wait_for_turn(tab)
    elsewhere = page.get_by_text("This match is open in another tab.")
    expect(elsewhere).to_be_visible()
    expect(page.locator(".interactive")).to_have_count(0)
    assert not accessibility_violations(page)
    tab.get_by_role("gridcell", name="stone 3, free").click()
    page.get_by_role("button", name="Play here").click()
    assert wait_for_turn(page)
    page.locator(".interactive .legal").first.click()
    expect(tab.get_by_role("button", name="Play here")).to_be_visible()
    page.goto("about:blank")
    tab.reload()
    expect(tab.locator(".controls")).to_be_visible()
    expect(tab.get_by_role("button", name="Play here")).to_be_hidden()


def test_isolation_is_played_against_a_bot(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play", phone=True)
    page.get_by_label("Game").select_option("Isolation")
    page.get_by_label("Size of the board").fill("6")
    page.get_by_label("Opponent").select_option("spec:1")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("grid", name="6 by 6 squares").get_by_role("row")).to_have_count(6)
    for _ in range(3):
        expect(page.locator(".interactive .square.legal").first).to_be_visible()
        moves = page.locator(".moves li a").count()
        page.locator(".interactive .square.legal").first.click()
        expect(page.locator(".moves li a").nth(moves + 1)).to_be_visible()
    check_layout(page)


def two_people(arena: Site, visit: Visit, stones: int = 7, **how: bool) -> tuple[Page, Page]:
    """Start a match of Ann, who invites a friend by a link, and Bob."""
    host = visit(f"{arena.page}#/play", **how)
    host.get_by_label("Your name").fill("Ann")
    ask_for(host, "a friend: by a link that you share", stones)
    friend = visit(host.get_by_label("Link to the match").input_value(), **how)
    friend.get_by_label("Your name").fill("Bob")
    friend.get_by_role("button", name="Accept").click()
    for page in (host, friend):
        expect(page.locator(".controls")).to_be_visible()
    return host, friend


def test_two_people_play_by_sharing_a_link(arena: Site, visit: Visit) -> None:
    host, friend = two_people(arena, visit, 200, phone=True)
    friend.get_by_role("switch", name="Only the legal stones").check()
    for page, stone in ((host, 3), (friend, 6), (host, 2)):
        expect(page.locator(".interactive")).to_have_count(1)
        page.locator(".stone.legal:visible").get_by_text(str(stone), exact=True).click()
        expect(host.locator(".moves li a .name").last).to_have_text(str(stone))
    host.get_by_role("button", name="Take back").click()
    accept = friend.get_by_role("button", name="Accept")
    friend.get_by_role("switch", name="Only the legal stones").uncheck()
    friend.evaluate("scrollTo(0, 0)")
    expect(accept).to_be_in_viewport(ratio=1)
    assert not accessibility_violations(friend)
    accept.click()
    expect(friend.locator(".moves li a")).to_have_count(2)
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(host.locator(".state-line")).to_contain_text("You won: Bob resigned")
    host.get_by_role("button", name="Rematch").click()
    friend.get_by_role("alert").get_by_role("button", name="Accept").click()
    expect(friend.locator(".state-line.own")).to_be_visible()
    expect(host.locator(".state-line")).to_contain_text("Bob is thinking")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_form_is_accessible(arena: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{arena.page}#/play", phone=phone, dark=phone)
    name = page.get_by_label("Your name")
    name.fill("Ann\u2800")
    expect(name).to_have_attribute("aria-invalid", "true")
    check_layout(page)
