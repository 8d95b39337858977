"""Puzzles from stored matches, in a real browser."""

import re
import signal
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from arena.storage.writer import DatabaseWriter
from tests.support.games.toy_package import command_with
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide, random_game, serve, site, store_match
from tests.support.servers.arena_command import Launch, launcher
from tests.web.test_loading import LAYOUT_SHIFT

STONES = "take_stones"
# On 20 stones: after five moves player 2 missed 12. Then player 1 answers 3, and 15 ends the match.
MATCH = random_game(STONES, {"stones": 20}, 7)
PLACE = "#/puzzles/1/5"
TASK = "Player 2 to move. Find the winning move."
SOLVED = "15 keeps the win. Player 2 wins: player 1 cannot move. Solved!"


def store_puzzles(db: Path, seeds: Sequence[int] = ()) -> None:
    """Store the match, and random ones."""
    with DatabaseWriter(db) as writer:
        store_match(writer, ("ann", "bob"), STONES, {"stones": 20}, MATCH)
        for seed in seeds:
            setup = {"stones": 30}
            store_match(writer, ("ann", "bob"), STONES, setup, random_game(STONES, setup, seed))


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with matches that have puzzles."""
    db = tmp_path_factory.mktemp("puzzles") / "arena.db"
    store_puzzles(db, range(30))
    with launcher() as launch:
        yield site(launch, db)


def stone(page: Page, number: int) -> Locator:
    return page.locator(".interactive .stone", has_text=re.compile(f"^{number}$"))


def says(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator(".puzzle-status")).to_have_text(text)


def has_progress(page: Page, solved: int, helped: int, failed: int, streak: int) -> None:
    counts = f"Solved {solved}, with a hint {helped}, failed {failed}. Streak {streak}, best "
    expect(page.locator(".puzzle-progress")).to_contain_text(counts)


def solve(page: Page) -> None:
    """Solve the puzzle of the match."""
    stone(page, 12).click()
    says(page, "12 keeps the win. Player 1 answers 3. Your move again.")
    stone(page, 15).click()
    says(page, SOLVED)


def test_a_puzzle_is_solved_and_remembered(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    expect(page.locator(".puzzle-turn")).to_have_text(TASK)
    expect(page.locator(".puzzle-side")).to_contain_text("Take-Stones, 20 stones. Easy: 1 of 3 ")
    has_progress(page, 0, 0, 0, 0)
    assert not accessibility_violations(page)
    solve(page)
    has_progress(page, 1, 0, 0, 1)
    end = page.locator(".puzzle-end")
    expect(end).to_contain_text("Its only possible partner is 12, the winning move.")
    expect(end).to_contain_text("In match 1, bob missed the win with 18.")
    assert not accessibility_violations(page)
    page.reload()
    expect(page.get_by_text("You have solved this puzzle.")).to_be_visible()
    has_progress(page, 1, 0, 0, 1)
    forget = page.get_by_role("button", name="Forget my results")
    forget.click()
    page.get_by_role("button", name="Really forget all results?").click()
    has_progress(page, 0, 0, 0, 0)
    expect(forget).to_be_hidden()
    page.reload()
    has_progress(page, 0, 0, 0, 0)
    expect(page.get_by_text("You have solved this puzzle.")).to_have_count(0)


def test_results_are_not_forgotten_by_one_click(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    page.get_by_role("button", name="Solution").click()
    page.get_by_role("button", name="Forget my results").click()
    page.get_by_role("button", name="Next puzzle").focus()
    expect(page.get_by_role("button", name="Forget my results")).to_be_visible()
    has_progress(page, 0, 0, 1, 0)


def test_a_wrong_move_is_refuted_and_counts(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    stone(page, 18).click()
    says(
        page,
        re.compile(r"^18 gives up the win: player 1 answers \d+ and wins with perfect play\.$"),
    )
    expect(page.locator(".stone.taken")).to_have_count(7)
    has_progress(page, 0, 0, 1, 0)
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    assert not accessibility_violations(page)
    again.press("Enter")
    says(page, "Try another move.")
    expect(page.locator(".stone.taken")).to_have_count(5)
    solve(page)
    has_progress(page, 0, 0, 1, 0)
    expect(page.get_by_role("button", name="Next puzzle")).to_have_class("main")


@pytest.mark.parametrize("view", ["Board", "Graph"])
def test_the_next_attempt_begins_on_the_view_that_is_shown(
    puzzles: Site, visit: Visit, view: str
) -> None:
    page = visit(puzzles.page + PLACE)
    page.get_by_role("button", name=view, exact=True).click()
    stone(page, 18).click()
    again = page.get_by_role("button", name="Try again")
    expect(again).to_be_focused()
    again.press("Enter")
    says(page, "Try another move.")
    expect(page.locator(".interactive .stone:focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".puzzle-status")).to_contain_text(re.compile("keeps|gives up"))


def test_a_hint_names_two_moves(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE, phone=True)
    page.get_by_role("button", name="Hint").tap()
    says(page, "One of these two moves wins: 12 or 18.")
    expect(page.locator(".stone.hint")).to_have_text(["12", "18"])
    solve(page)
    has_progress(page, 0, 1, 0, 0)


def test_the_solution_is_shown(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE, phone=True, dark=True)
    stone(page, 3).tap()
    page.get_by_role("button", name="Solution").tap()
    says(page, "The solution: 12 wins.")
    expect(page.locator(".stone.winning")).to_have_text("12")
    expect(page.locator(".interactive")).to_have_count(0)
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    has_progress(page, 0, 0, 1, 0)
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_an_illegal_move_is_explained(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    stone(page, 7).click()
    says(page, "7 is neither a factor nor a multiple of 6.")
    has_progress(page, 0, 0, 0, 0)


def test_a_puzzle_is_solved_with_the_keyboard_alone(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    expect(page.locator(".puzzle-turn")).to_be_visible()
    page.locator(".stone[tabindex='0']").focus()
    page.keyboard.press("Control+ArrowRight")
    expect(stone(page, 12)).to_be_focused()
    page.keyboard.press("Enter")
    says(page, re.compile("Your move again"))
    page.keyboard.press("Control+ArrowRight")
    expect(stone(page, 15)).to_be_focused()
    page.keyboard.press("Enter")
    says(page, SOLVED)


def test_the_match_and_the_analysis_are_linked(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    page.get_by_role("button", name="Solution").click()
    end = page.locator(".puzzle-end")
    end.get_by_role("link", name="Match").click()
    expect(page).to_have_url(re.compile(r"#/match/1/5$"))
    expect(page.locator(".stone.taken")).to_have_count(5)
    page.go_back()
    page.get_by_role("button", name="Solution").click()
    end.get_by_role("link", name="Analysis").click()
    expect(page.locator(".answer")).to_contain_text("wins with perfect play, by 1 of 3 moves")


def test_the_daily_puzzle_is_the_same_for_all_and_leads_to_others(
    puzzles: Site, visit: Visit
) -> None:
    page = visit(puzzles.page)
    page.get_by_role("link", name="Puzzles").click()
    title, task = page.locator(".puzzle-head h2"), page.locator(".puzzle-side > .hint").last
    expect(title).to_have_text(re.compile(r"^Puzzle of \d+ \w+ \d{4}$"))
    first = title.inner_text(), task.inner_text()
    page.get_by_label("Level").select_option("Easy")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page).to_have_url(re.compile(r"#/puzzles/\d+/\d+$"))
    expect(title).to_have_text(re.compile(r"^From match \d+$"))
    expect(task).to_contain_text("Easy: ")
    page.get_by_role("button", name="Link").click()
    expect(page.get_by_text("Copied: link.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.reload()
    expect(title).to_have_text(re.compile(r"^From match \d+$"))
    expect(page.get_by_label("Level")).to_have_value("1")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(title).to_have_text(re.compile("^Puzzle of"))
    other = visit(f"{puzzles.page}#/puzzles")
    expect(other.locator(".puzzle-head h2")).to_have_text(title.inner_text())
    if title.inner_text() == first[0]:  # else midnight has passed
        expect(other.locator(".puzzle-side > .hint").last).to_have_text(first[1])


def test_back_leads_to_the_puzzle_before(puzzles: Site, visit: Visit) -> None:
    page = visit(puzzles.page + PLACE)
    expect(page.locator(".puzzle-turn")).to_be_visible()
    page.get_by_label("Level").select_option("Hard")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".puzzle-side")).to_contain_text("Hard: ")
    page.go_back()
    expect(page.locator(".puzzle-head h2")).to_have_text("From match 1")
    solve(page)


@pytest.mark.parametrize("address", ["1/0", "1/99", "999/1"])
def test_an_address_without_a_puzzle_says_so(puzzles: Site, visit: Visit, address: str) -> None:
    page = visit(f"{puzzles.page}#/puzzles/{address}")
    texts = re.compile(r"^(Match 1 has no puzzle after \d+ moves|Unknown match 999)\.$")
    expect(page.locator(".puzzle-none .problem")).to_have_text(texts)
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".puzzle-turn")).to_be_visible()
    expect(page.locator(".puzzle-none")).to_have_count(0)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_an_empty_arena_has_no_puzzle(empty: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{empty.page}#/puzzles", phone=phone, dark=phone)
    problem = page.locator(".puzzle-none .problem")
    expect(problem).to_have_text("No rated match has ended yet.")
    expect(page.locator(".skeleton")).to_have_count(0)
    page.get_by_role("button", name="Next puzzle").click()
    expect(problem).to_have_text("No rated match has ended yet.")
    assert not accessibility_violations(page)
    assert not is_too_wide(page)


def test_the_first_day_of_an_arena_has_puzzles(db: Path, visit: Visit, launch: Launch) -> None:
    store_puzzles(db)
    with closing(sqlite3.connect(db)) as database, database:
        database.execute("UPDATE matches SET finished_at = 9e9")  # after the start of any day
    page = visit(f"{site(launch, db).page}#/puzzles")
    expect(page.locator(".puzzle-head h2")).to_have_text("From match 1")
    expect(page.locator(".problem", has_text="No rated match")).to_have_count(0)


def test_a_lost_connection_is_survived(db: Path, visit: Visit, launch: Launch) -> None:
    visit.may_lose_connection = True
    store_puzzles(db)
    arena = site(launch, db)
    page = visit(arena.page + PLACE)
    expect(page.locator(".puzzle-turn")).to_be_visible()
    arena.stop(signal.SIGKILL)
    expect(page.locator("#status")).to_contain_text("Disconnected")
    page.get_by_role("button", name="Next puzzle").click()
    expect(page.locator(".puzzle-side .problem")).to_have_text("Not connected to the arena.")
    stone(page, 12).click()
    says(page, "12 keeps the win. Not connected to the arena.")
    page.get_by_role("button", name="Try again").click()
    says(page, "12 keeps the win. Not connected to the arena.")
    site(launch, db, "--port", arena.port)
    says(page, "12 keeps the win. Player 1 answers 3. Your move again.")
    stone(page, 15).click()
    says(page, SOLVED)
    has_progress(page, 1, 0, 0, 1)


def test_a_page_that_was_opened_without_the_arena_loads_later(
    db: Path, visit: Visit, launch: Launch
) -> None:
    visit.may_lose_connection = True
    store_puzzles(db)
    arena = site(launch, db)
    page = visit(f"{arena.page}#/rules")
    expect(page.locator(".lesson-status")).to_be_visible()
    page.evaluate("import('/puzzles/puzzles.js')")
    arena.stop(signal.SIGKILL)
    expect(page.locator("#status")).to_contain_text("Disconnected")
    page.get_by_role("link", name="Puzzles").click()
    expect(page.locator(".skeleton")).to_be_visible()
    site(launch, db, "--port", arena.port)
    expect(page.locator(".puzzle-turn")).to_be_visible()


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_nothing_moves_when_a_puzzle_is_loaded(puzzles: Site, visit: Visit, phone: bool) -> None:
    page = visit(f"{puzzles.page}#/puzzles", phone=phone)
    expect(page.locator(".puzzle-turn")).to_be_visible()
    expect(page.locator(".skeleton")).to_have_count(0)
    assert page.evaluate(LAYOUT_SHIFT) < 0.05


@pytest.mark.parametrize("stored", ["", "{", "null", '{"results": {"1/5": "x"}, "streak": "a"}'])
def test_what_is_no_progress_counts_as_none(puzzles: Site, visit: Visit, stored: str) -> None:
    page = visit(f"{puzzles.page}#/rules")
    page.evaluate("text => localStorage.setItem('puzzles', text)", stored)
    page.get_by_role("link", name="Puzzles").click()
    has_progress(page, 0, 0, 0, 0)


def test_a_game_without_a_board_has_puzzles(
    tmp_path: Path, db: Path, visit: Visit, launch: Launch
) -> None:
    with DatabaseWriter(db) as writer:
        store_match(writer, ("ann", "bob"), "nim", {"heap": 7}, [1, 1, 3, 1, 1])
    command = command_with(tmp_path, "tests.support.games.defective_games:SOUND_NIM")
    page = visit(f"{serve(launch, command, db, '--game', 'nim').page}#/puzzles")
    expect(page.locator(".puzzle-turn")).to_have_text("Player 1 to move. Find the winning move.")
    choices = page.locator(".choices button[aria-disabled=false]")
    choices.get_by_text("3", exact=True).click()
    says(page, "3 gives up the win: player 2 answers 3 and wins with perfect play.")
    page.get_by_role("button", name="Try again").click()
    choices.get_by_text("2", exact=True).click()
    says(page, re.compile(r"^2 keeps the win\. Player 2 answers \d\. Your move again\.$"))
    page.get_by_role("button", name="Hint").click()
    says(page, re.compile(r"^One of these two moves wins: "))
    page.get_by_role("button", name="Solution").click()
    expect(page.locator(".puzzle-end")).to_contain_text(
        "Player 1 wins against every answer with perfect play."
    )
