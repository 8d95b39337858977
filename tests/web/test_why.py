"""The reason why a position is won or lost, in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from core.take_stones import Board
from core.take_stones.partners import MAX_STONES, find_partners
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, is_too_wide

PLAY = "Play against the partners"


def opened(site: Site, visit: Visit, position: str, *, phone: bool = False) -> Page:
    link = f"{site.page}#/analysis?game=take_stones&{position}&depth="
    return visit(link, phone=phone, dark=phone)


def moves(page: Page) -> list[int]:
    return [int(word) for word in page.get_by_label("Moves").input_value().split()]


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_a_won_position_is_explained(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(stored, visit, "stones=20&moves=3,6", phone=phone)
    expected = find_partners(Board(20, [3, 6]))
    assert expected
    why = page.get_by_role("region", name="Why")
    for sentence in expected.sentences:
        expect(why).to_contain_text(sentence)
    expect(why.locator(".matching .node")).to_have_count(len(expected.nodes))
    expect(why.locator(".matching .wins")).to_have_count(len(expected.winning_moves))
    expect(why.locator(".matching .kind-1")).to_have_count(
        sum(node.kind == "outer" for node in expected.nodes)
    )
    why.get_by_text("As a table").click()
    expect(why.get_by_role("row")).to_have_count(1 + len(expected.nodes))
    expect(why.get_by_role("row", name=re.compile(r"^12\b"))).to_contain_text("multiple of 6")
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_a_node_shows_its_partner_and_why_it_is_legal(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "stones=20&moves=3,6")
    why = page.locator(".why")
    node = why.get_by_role("button", name="2, outer, partner 6, legal: 2 is a factor of 6, wins")
    node.hover()
    expect(why.locator(".facts")).to_contain_text("Its partner is 6. It is legal, as 2 is a factor")
    expect(why.locator(".partner")).to_have_text("6")
    node.click()
    expect(node).to_have_attribute("aria-pressed", "true")
    page.get_by_label("Moves").hover()
    expect(why.locator(".shown")).to_have_text("2")
    why.get_by_role("button", name="Take 2").click()
    expect(page.get_by_label("Moves")).to_have_value("3 6 2")
    expect(why).to_contain_text("a maximum matching leaves 2, the last stone, without a partner")


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_partners_are_side_by_side_among_many(stored: Site, visit: Visit, phone: bool) -> None:
    page = opened(stored, visit, "stones=100&moves=3,1", phone=phone)
    why = page.locator(".why")
    expected = find_partners(Board(100, [3, 1]))
    assert expected
    expect(why.locator(".matching .node")).to_have_count(len(expected.nodes))
    places = why.locator(".matching .node").evaluate_all(
        "nodes => nodes.map(node => [Number(node.dataset.move), node.offsetLeft, node.offsetTop])"
    )
    across = {move: left for move, left, _ in places}
    down = {move: top for move, _, top in places}
    for one, other in expected.pairs:
        assert down[one] == down[other]
        assert abs(across[one] - across[other]) == 44
    assert down[1] == min(down.values())  # the pair of the last stone is the first
    # Lines to other stones are those of the one shown.
    expect(why.locator(".matching .edges")).to_have_attribute("d", "")
    why.locator(".matching [data-move='50']").click()
    near = why.locator(".matching path.near").get_attribute("d") or ""
    assert near.count("M") == sum(50 in edge for edge in expected.edges)
    expect(why.locator(".facts")).to_contain_text("Its partner is 100.")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".matching :focus")).to_have_text("100")
    assert not is_too_wide(page)
    assert not accessibility_violations(page)


def test_the_graph_is_used_with_keys(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "stones=8")
    # The rows are 1, then 2 3 5 7, then 4 6, then 8.
    start = page.locator(".matching [tabindex='0']")
    expect(start).to_have_text("1")
    start.focus()
    for key, stone in [
        *(("ArrowDown", 3), ("ArrowRight", 5), ("End", 7), ("ArrowRight", 4), ("ArrowLeft", 7)),
        *(("Home", 2), ("ArrowUp", 1), ("ArrowUp", 1), ("ArrowDown", 3), ("Tab", None)),
    ]:
        page.keyboard.press(key)
        if stone is not None:
            expect(page.locator(".matching :focus")).to_have_text(str(stone))
    expect(page.locator(".matching :focus")).to_have_count(0)
    expect(start).to_have_text("3")


@pytest.mark.parametrize("taken", [[], [3, 6, 2]], ids=["won", "lost"])
def test_the_partners_win(stored: Site, visit: Visit, taken: list[int]) -> None:
    stones = 20 if taken else 8
    page = opened(stored, visit, f"stones={stones}&moves={','.join(map(str, taken))}")
    board = Board(stones, taken)
    start = find_partners(board)
    assert start
    assert bool(start.answer) == (not taken)
    winner = board.player_to_move if start.answer else 3 - board.player_to_move
    page.get_by_role("button", name=PLAY).click()
    if start.answer:
        expect(page.get_by_label("Moves")).to_have_value(str(start.answer))
        expect(page.locator(".said")).to_have_text(f"The winner takes {start.answer}.")
        board.take(start.answer)
    partners = dict([*start.pairs, *(pair[::-1] for pair in start.pairs)])
    while not board.is_over:
        stone = board.legal_moves()[-1]
        page.locator(f".matching .legal[data-move='{stone}']").click()
        board.take(stone)
        board.take(partners[stone])
        text = f"You took {stone}, its partner is {partners[stone]}."
        expect(page.locator(".said")).to_contain_text(text)
        expect(page.locator(f".matching [data-move='{stone}']")).to_have_count(0)
        assert moves(page) == board.taken
    assert board.winner == winner
    expect(page.locator(".said")).to_contain_text("No move is left: the partners have won.")
    expect(page.get_by_role("button", name=PLAY)).to_be_hidden()


def test_moves_on_the_board_are_answered_until_one_is_taken_back(
    stored: Site, visit: Visit
) -> None:
    page = opened(stored, visit, "stones=8&moves=3")
    page.get_by_role("button", name=PLAY).click()
    expect(page.locator(".said")).to_have_text("Take any move: its partner is the answer.")
    page.get_by_role("gridcell", name="stone 6, free, legal").click()
    expect(page.get_by_label("Moves")).to_have_value("3 6 2")
    expect(page.get_by_role("button", name="Stop playing")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name=PLAY)).to_be_visible()
    page.get_by_role("gridcell", name="stone 1, free, legal").click()
    expect(page.get_by_label("Moves")).to_have_value("3 6 1")


def test_the_partners_are_played_with_the_keyboard(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "stones=8&moves=3")
    page.get_by_role("button", name=PLAY).press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".matching :focus")).to_have_text("1")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Moves")).to_have_value("3 1 7")
    # The game is over: the focus is on the first node of the graph that is left.
    expect(page.locator(".matching :focus")).to_have_text("2")
    expect(page.locator(".said")).to_contain_text("No move is left")


def test_a_change_of_the_setup_ends_the_game(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, "stones=8&moves=3")
    page.get_by_role("button", name=PLAY).click()
    page.get_by_label("Number of stones").fill("20")
    expect(page.get_by_role("button", name=PLAY)).to_be_visible()
    expect(page.locator(".said")).to_be_hidden()


def test_a_game_without_matchings_is_not_explained(stored: Site, visit: Visit) -> None:
    page = visit(f"{stored.page}#/analysis?game=isolation&depth=")
    expect(page.locator(".answer")).to_contain_text("no solver")
    expect(page.locator(".why")).to_be_hidden()


def test_a_large_position_is_not_explained(stored: Site, visit: Visit) -> None:
    page = opened(stored, visit, f"stones={MAX_STONES + 1}")
    expect(page.locator(".why")).to_contain_text("too large for its matching to be shown.")
    expect(page.locator(".matching")).to_be_hidden()
