"""Matches of people, in a real browser and a real arena."""

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.model.results import Termination
from arena.storage.reader import DatabaseReader
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide, site
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
    expect(page.locator(".interactive .legal, .ending:not([hidden])").first).to_be_visible()
    return not page.locator(".ending").is_visible()


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
    expect(page.locator(".ending")).to_contain_text("cannot move")
    expect(page.locator(".badge", has_text="casual")).to_be_visible()
    arena.stop()
    with DatabaseReader(arena.db) as records:
        [record] = records.matches(moves=True)
        assert record.result.termination is Termination.NO_LEGAL_MOVE
        assert record.pairing.casual
        assert records.tallies() == {}


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
    expect(page.locator(".ending")).to_contain_text("cannot move")
    expect(page.locator(".program-log")).to_be_hidden()
    page = begin(visit, arena, "bob", side="second")
    assert wait_for_turn(page)
    page.locator(".interactive .legal").first.click()
    expect(page.locator(".ending")).to_contain_text(
        "player 1 (bob) failed: python3 at depth 1 ended with status 1"
    )
    page.get_by_text("Output of the program").click()
    expect(page.locator(".program-log pre")).to_have_text("standard error:\n<b>bad</b> luck")


def test_a_match_is_played_with_the_keyboard_alone(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play")
    page.get_by_label("Your name").press("Enter")
    expect(page.locator(".controls")).to_be_visible()
    while wait_for_turn(page):
        moves = page.locator(".moves li a").count()
        page.locator("[role=gridcell][tabindex='0']").focus()
        page.keyboard.press("Control+Home")
        if not page.locator(":focus").evaluate("cell => cell.classList.contains('legal')"):
            page.keyboard.press("Control+ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".moves li a").nth(moves)).to_be_visible()


def test_a_name_is_sent_in_its_normal_form(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play")
    page.get_by_label("Your name").fill("\uff21nne\u0301")
    ask_for(page, "greedy")
    expect(page.locator(".controls")).to_be_visible()
    expect(page.get_by_text("Ann\u00e9").first).to_be_visible()


def test_an_invalid_name_is_refused(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play")
    page.get_by_label("Your name").fill("Ann\u2800")
    ask_for(page, "greedy")
    expect(page.get_by_role("alert")).to_have_text("This name cannot be used: choose another.")


def test_a_move_can_be_typed(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "greedy")
    for text, problem in (
        ("2", "2 is not a legal move."),
        ("two", "A move is the number of a stone"),
    ):
        page.get_by_label("Your move").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator(".controls .problem")).to_contain_text(problem)
    page.get_by_label("Your move").fill("3")
    page.keyboard.press("Enter")
    expect(page.locator(".moves li a").first).to_contain_text("3")


def test_a_move_can_be_taken_back(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "greedy")
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    page.get_by_role("gridcell", name="stone 3, free").click()
    expect(page.locator(".moves li a")).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".moves li a")).to_have_count(0)
    page.get_by_role("gridcell", name="stone 1, free").click()
    expect(page.locator(".moves li a").first).to_contain_text("1")


def test_a_hint_is_given(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "random", stones=24)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".stone.hint")).to_have_text("3")
    expect(page.locator(".controls")).to_contain_text("3 wins with perfect play.")


def test_a_match_can_be_resigned_and_played_again(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "random")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.locator(".ending")).to_contain_text("resigned")
    page.get_by_role("button", name="Play again").click()
    expect(page).to_have_url(re.compile("#/match/2$"))
    expect(page.locator(".player .badge")).to_have_text("you")
    expect(page.locator(".player").nth(1)).to_contain_text("you")


def test_a_reload_continues_the_match(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "greedy")
    page.get_by_role("gridcell", name="stone 3, free").click()
    expect(page.locator(".moves li a")).to_have_count(2)
    page.reload()
    assert wait_for_turn(page)
    page.locator(".interactive .legal").first.click()
    expect(page.locator(".moves li a").nth(2)).to_be_visible()


def test_a_person_can_play_second(arena: Site, visit: Visit) -> None:
    page = begin(visit, arena, "perfect", side="second")
    assert wait_for_turn(page)
    expect(page.locator(".player").nth(1)).to_contain_text("you")


def test_isolation_is_played_against_a_bot(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play", phone=True)
    page.get_by_label("Game").select_option("Isolation")
    page.get_by_label("Opponent").select_option("spec:1")
    page.get_by_role("button", name="Play").click()
    for _ in range(3):
        expect(page.locator(".interactive .square.legal").first).to_be_visible()
        moves = page.locator(".moves li a").count()
        page.locator(".interactive .square.legal").first.click()
        expect(page.locator(".moves li a").nth(moves + 1)).to_be_visible()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_two_people_play_by_sharing_a_link(arena: Site, visit: Visit) -> None:
    host = visit(f"{arena.page}#/play")
    host.get_by_label("Your name").fill("Ann")
    ask_for(host, "a friend: by a link that you share")
    link = host.get_by_label("Link to the match").input_value()
    friend = visit(link)
    friend.get_by_label("Your name").fill("Bob")
    friend.get_by_role("button", name="Accept").click()
    for page, stone in ((host, 3), (friend, 6), (host, 2)):
        page.get_by_role("gridcell", name=f"stone {stone}, free, legal").click()
        expect(host.locator(".moves li a .name").last).to_have_text(str(stone))
    host.get_by_role("button", name="Take back").click()
    friend.get_by_role("button", name="Accept").click()
    expect(friend.locator(".moves li a")).to_have_count(2)
    friend.get_by_role("button", name="Resign").click()
    friend.get_by_role("button", name="Really resign?").click()
    expect(host.locator(".ending")).to_contain_text("Ann wins")


def test_a_used_link_is_rejected(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play/unknown1")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("alert").last).to_contain_text("is not open")
    assert not accessibility_violations(page)


def test_a_name_in_use_is_rejected(arena: Site, visit: Visit) -> None:
    for place in range(2):
        page = visit(f"{arena.page}#/play")
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="Play").click()
        if place:
            expect(page.get_by_role("alert").last).to_contain_text("choose another")
        else:
            expect(page.locator(".controls")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_form_is_accessible(arena: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{arena.page}#/play", phone=phone, dark=phone)
    expect(page.get_by_label("Opponent")).to_be_visible()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_a_match_with_a_clock_can_be_lost_on_time(arena: Site, visit: Visit) -> None:
    page = visit(f"{arena.page}#/play")
    page.evaluate(
        "import('/play/player_connection.js').then(({ player }) =>"
        " player.challenge('Ann', ['take_stones'],"
        " { game: 'take_stones', setup: { stones: 7 }, you: 1, opponent: 'random', time: '0.5' }))"
    )
    expect(page.locator(".ending")).to_contain_text("Ann) has used up its time")


def test_a_player_sees_a_lost_connection(arena: Site, visit: Visit) -> None:
    visit.may_lose_connection = True
    page = begin(visit, arena, "random")
    arena.stop(signal.SIGKILL)
    expect(page.locator("#status")).to_contain_text("Disconnected")
