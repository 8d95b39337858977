"""What matches begin with: drawn at random, or read from a book."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.tournament.openings import Opening, draw, read_book
from core import GAMES
from tests.support.reference import legal_moves

draws = given(st.integers(1, 50), st.integers(0, 12), st.randoms(use_true_random=True))


def drawn(stones: int, plies: int, random: Random) -> tuple[int, ...]:
    return draw("take_stones", {"stones": stones}, plies, random).moves


def book(*lines: str, game: str = "take_stones") -> list[Opening]:
    return read_book(game, lines)


def refusal(*lines: str, game: str = "take_stones") -> str:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 (the test looks at all of the text)
        book(*lines, game=game)
    return str(refused.value)


@draws
def test_drawn_moves_are_legal(stones: int, plies: int, random: Random) -> None:
    moves = drawn(stones, plies, random)
    assert all(move in legal_moves(stones, moves[:ply]) for ply, move in enumerate(moves))


@draws
def test_drawn_moves_leave_one(stones: int, plies: int, random: Random) -> None:
    assert legal_moves(stones, drawn(stones, plies, random)) or stones < 3


@draws
def test_as_many_as_wanted_or_all_that_leave_a_move(
    stones: int, plies: int, random: Random
) -> None:
    moves = drawn(stones, plies, random)
    longer = [(*moves, move) for move in legal_moves(stones, moves)]
    goes_on = any(legal_moves(stones, taken) for taken in longer)
    assert len(moves) == plies or (len(moves) < plies and not goes_on)


@pytest.mark.parametrize("game", GAMES)
def test_any_game_has_openings(game: str) -> None:
    setup = {name: what.usual[0] for name, what in GAMES[game].parameters.items()}
    opening = draw(game, setup, 4, Random(1))
    assert opening.setup == setup
    assert len(GAMES[game].position(**setup, taken=opening.moves).taken) == 4


def test_the_same_random_numbers_draw_the_same() -> None:
    assert drawn(50, 9, Random(1)) == drawn(50, 9, Random(1))


def test_others_draw_others() -> None:
    assert len({drawn(50, 3, Random(seed)) for seed in range(20)}) > 10


def test_an_opening_a_line() -> None:
    assert book("stones=20 3 6\n", "stones=7 3\n") == [
        Opening({"stones": 20}, (3, 6)),
        Opening({"stones": 7}, (3,)),
    ]


def test_a_setup_alone_is_an_opening() -> None:
    assert book("stones=20") == [Opening({"stones": 20}, ())]


def test_a_game_without_parameters() -> None:
    assert book("16 23", game="isolation") == [Opening({}, (16, 23))]


def test_comments_and_empty_lines() -> None:
    lines = ["# the best\n", "\n", "  stones=20\t3  # odd\n", " \r\n", "stones=7#none"]
    assert book(*lines) == [Opening({"stones": 20}, (3,)), Opening({"stones": 7}, ())]


def test_the_setup_may_stand_behind() -> None:
    assert book("3 6 stones=20") == [Opening({"stones": 20}, (3, 6))]


@pytest.mark.parametrize("lines", [[], ["\n", "# stones=20\n"]])
def test_a_book_has_an_opening(lines: list[str]) -> None:
    assert refusal(*lines) == "it has no opening"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("3 6", "it does not say stones=NUMBER"),
        ("stones=20 x", "'x' is neither a move nor NAME=NUMBER"),
        ("stones=20 -3", "'-3' is neither a move nor NAME=NUMBER"),
        ("stones=20 ٣", "'٣' is neither a move nor NAME=NUMBER"),
        ("stones=20 3=", "'3=' is neither a move nor NAME=NUMBER"),
        ("stones=a", "'stones=a' is neither a move nor NAME=NUMBER"),
        ("stones=20 =3", "'=3': take_stones is set up by stones, once"),
        ("stones=20 rows=3", "'rows=3': take_stones is set up by stones, once"),
        ("stones=20 stones=20", "'stones=20': take_stones is set up by stones, once"),
        ("stones=0", "stones must be at least 1, not 0"),
        ("stones=2", "it leaves no legal move"),
        ("stones=7 3 1 2 4", "it leaves no legal move"),
        (f"stones={10**15}", "too many stones for this machine's memory"),
    ],
)
def test_errors_have_the_number_of_the_line(line: str, error: str) -> None:
    assert refusal("stones=20", "", line) == f"line 3: {error}"


def test_an_illegal_move_is_explained() -> None:
    assert refusal("stones=20 2").startswith("line 1: illegal move 1: stone 2 cannot be the first")


def test_a_game_without_parameters_has_nothing_to_set_up() -> None:
    expected = "line 1: 'stones=7': isolation is set up by nothing, once"
    assert refusal("stones=7 16", game="isolation") == expected


WORDS = st.sampled_from(
    ["stones=20", "stones=7", "stones=", "3", "6", "1", "99", "#", "=", "x", "²"]
)
LINE = st.lists(WORDS).map(" ".join)


@given(st.lists(st.text() | LINE))
@example(["stones=20 " + "9" * 5000])
@example(["stones=" + "9" * 5000])
@example(["stones=20 99999999999999999999"])
def test_any_text_is_a_book_or_an_error_with_its_line(lines: list[str]) -> None:
    try:
        openings = read_book("take_stones", lines)
    except ValueError as error:
        text = str(error)
        assert text == "it has no opening" or text.startswith(
            tuple(f"line {number}: " for number in range(1, len(lines) + 1))
        )
    else:
        assert 0 < len(openings) <= len(lines)
