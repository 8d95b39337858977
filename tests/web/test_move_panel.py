"""The table of all moves, and what is said about perfect play, in a real browser."""

from time import monotonic

import pytest
from playwright.sync_api import Locator, Page, expect

from arena.analysis.move_values import find_move_values
from arena.protocol.move_values import FindMoveValues, MoveValue
from core.search import search
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide
from tests.support.polling import TEST_TIMEOUT

# Show moves of which two were stopped by limits.
SHOW_STOPPED = """async () => {
    const { MoveTable } = await import("/analysis/move_table.js");
    const table = new MoveTable(() => {}, () => {});
    table.show({ player: 1, legal_moves: [1, 2, 3], winning_moves: [1] }, null, true);
    const values = [
        [1, true, 0, 0.5, 9, [1, 2], null],
        [2, false, 0, null, 0, [], "nodes"],
        [3, false, null, null, 0, [], "seconds"],
    ];
    table.showValues(values, { nodes_visited: 12 }, 4);
    return table.element.textContent;
}"""


def opened(site: Site, visit: Visit, query: str, *, phone: bool = False) -> Page:
    return visit(f"{site.page}#/analysis?{query}", phone=phone, dark=phone)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Every move")


def rows(page: Page) -> Locator:
    return panel(page).locator("tbody tr")


def expected_values(stones: int, moves: list[int], depth: int) -> list[MoveValue]:
    request = FindMoveValues(1, "take_stones", {"stones": stones}, moves, depth)
    return [*find_move_values(request, TEST_TIMEOUT, 10**9, monotonic).values]


def text_of(value: float | None) -> str:
    assert value is not None
    return f"{value:.1f}".replace("-", "\N{MINUS SIGN}")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_each_move_has_its_values(stored: Site, visit: Visit, phone: bool) -> None:
    query = "game=take_stones&stones=20&moves=3,1,6&depth=4"
    page = opened(stored, visit, query, phone=phone)
    expected = expected_values(20, [3, 1, 6], 4)
    best = sorted(expected, key=lambda row: (not row.wins, row.value))  # for player 2
    expect(rows(page)).to_have_count(len(expected))
    for number, row in enumerate(best):
        cells = rows(page).nth(number).locator("th, td")
        expect(cells.nth(0)).to_have_text(str(row.move))
        expect(cells.nth(1)).to_have_text("wins" if row.wins else "loses")
        expect(cells.nth(2)).to_have_text(text_of(row.value))
        expect(cells.nth(3)).to_have_text(text_of(row.static))
        expect(cells.nth(4)).to_have_text(str(row.nodes_visited))
        expect(cells.nth(5)).to_have_text(" ".join(map(str, row.line)))
    total = sum(row.nodes_visited for row in expected)
    expect(panel(page)).to_contain_text(f"{total} nodes in all")
    visited = search(Board(20, [3, 1, 6]), 4).nodes_visited
    expect(panel(page)).to_contain_text(f"alpha-beta visits {visited}")
    expect(panel(page).get_by_role("button", name="Show all")).to_be_hidden()
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_the_table_is_sorted_by_a_column(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=50&moves=&depth=4")
    expected = expected_values(50, [], 4)
    page.get_by_role("button", name="Show all 12 moves").click()
    heads = panel(page).get_by_role("columnheader")
    expect(heads.nth(1)).to_have_attribute("aria-sort", "descending")
    nodes = sorted((row.nodes_visited for row in expected), reverse=True)
    expect(rows(page).locator("td:nth-child(5)")).not_to_contain_text(["…"])
    panel(page).get_by_role("button", name="Nodes").click()
    expect(rows(page).locator("td:nth-child(5)")).to_have_text([f"{count:,}" for count in nodes])
    panel(page).get_by_role("button", name="Nodes").click()
    expect(rows(page).locator("td:nth-child(5)")).to_have_text(
        [f"{count:,}" for count in reversed(nodes)]
    )
    panel(page).get_by_role("button", name="Move", exact=True).click()
    expect(rows(page).locator("th")).to_have_text([str(row.move) for row in expected])
    expect(heads.nth(0)).to_have_attribute("aria-sort", "ascending")
    panel(page).get_by_role("button", name="Value").click()
    ordered = sorted((row.value or 0.0 for row in expected), reverse=True)
    expect(rows(page).locator(".worth")).to_have_text([*map(text_of, ordered)])
    page.get_by_role("gridcell", name="stone 1, free, legal").click()
    expect(heads.nth(2)).to_have_attribute("aria-sort", "ascending")  # best for player 2 is low
    panel(page).get_by_role("button", name="Static").click()
    expect(heads.nth(3)).to_have_attribute("aria-sort", "ascending")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_many_moves_are_shown_on_demand(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(stored, visit, "game=take_stones&stones=1000&moves=&depth=2", phone=phone)
    expect(rows(page)).to_have_count(10)
    winning = solve(Board(1000)).winning_moves
    assert winning
    expect(rows(page).locator(".wins")).to_have_count(len(winning))
    page.get_by_role("button", name="Show all 250 moves").click()
    expect(rows(page)).to_have_count(250)
    assert not is_too_wide(page)
    page.get_by_role("button", name="Show only 10 moves").click()
    expect(rows(page)).to_have_count(10)


def test_rows_appear_without_a_shift(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=1000&moves=&depth=")
    expect(panel(page)).to_contain_text("No search depth is set.")
    expect(rows(page)).to_have_count(10)
    expect(page.locator(".why .matching")).to_be_visible()
    top = "document.querySelector('.disagreement').getBoundingClientRect().top"  # below the rows
    before = page.evaluate(top)
    page.get_by_label("Search depth").fill("2")
    expect(panel(page)).to_contain_text("Each move was searched alone to depth 2")
    assert page.evaluate(top) == before


def test_a_row_marks_its_move_and_plays_it(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=7&moves=3,6&depth=2")
    expect(panel(page)).to_contain_text("Each move was searched alone to depth 2")
    marked = page.locator(".stone.hint")
    expect(marked).to_have_count(0)
    row = panel(page).locator("tr[data-move='2']")
    row.hover()
    expect(marked).to_contain_text("2")
    page.get_by_label("Search depth").hover()
    expect(marked).to_have_count(0)
    row.get_by_role("button").focus()
    expect(marked).to_contain_text("2")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Moves", exact=True)).to_have_value("3 6 2")
    expect(panel(page).locator("tr[data-move='4']")).to_be_visible()
    panel(page).locator("tr[data-move='4'] td").last.click()
    expect(page.get_by_label("Moves", exact=True)).to_have_value("3 6 2 4")


def test_moves_that_were_not_searched_say_so(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=7&moves=3,6&depth=")
    expect(rows(page)).to_have_count(2)
    shown = page.evaluate(SHOW_STOPPED)
    assert "The limit was reached before 2 moves." in shown
    assert "not searched: node limit" in shown
    assert "not searched: time limit" in shown


def test_a_finished_game_has_no_table(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=7&moves=3,6,2,4,1,5&depth=4")
    expect(page.locator(".answer")).to_contain_text("The game is over")
    expect(panel(page)).to_be_hidden()


# In words


def test_a_losing_preference_is_refuted(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=30&moves=3,6&depth=1")
    board = Board(30, [3, 6])
    found = search(board, 1)
    winning = solve(board).winning_moves
    assert winning
    assert found.move not in winning
    board.take(found.move)
    replies = solve(board).winning_moves
    assert replies
    words = panel(page).locator(".disagreement")
    expect(words).to_contain_text(
        f"The search to depth 1 values {found.move} at {text_of(found.value)}, the best for player "
        f"1, but after {found.move} player 2 wins with {replies[0]}"
    )
    expect(words).to_contain_text(f"With perfect play {winning[0]} wins")
    expect(words).to_contain_text("every maximum matching has a partner for")  # the game's words


def test_what_the_search_does_not_see(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=take_stones&stones=20&moves=3,1,6&depth=4")
    words = panel(page).locator(".disagreement")
    expect(words).to_contain_text(
        "The search to depth 4 prefers 2, with which player 2 wins with perfect play, but values "
        "it at 0.6, in favour of player 1: it does not see the end."
    )
    page.get_by_label("Search depth").fill("0")
    expect(words).to_contain_text("The search to the end prefers 2")
    expect(words).to_contain_text("both agree.")


def test_an_unsolved_game_compares_the_search(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "game=isolation&moves=7,56&depth=3")
    words = panel(page).locator(".disagreement")
    expect(words).to_contain_text("Perfect play is unknown here. The static evaluation")
    expect(panel(page).get_by_role("columnheader", name="Perfect play")).to_be_hidden()
    assert not accessibility_violations(page)
