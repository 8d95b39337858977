"""Tests of random openings and opening books."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.tournament.openings import Opening, random_opening, read_book
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.reference import legal_moves
from tests.support.games.toy_games import TEN_NIM

random_openings = given(st.integers(1, 50), st.integers(0, 12), st.randoms(use_true_random=True))


def random_moves(stones: int, plies: int, random: Random) -> tuple[int, ...]:
    return random_opening("take_stones", {"stones": stones}, plies, random).moves


def book(*lines: str, game: str = "take_stones") -> list[Opening]:
    return read_book(game, lines)


def error_of(*lines: str, game: str = "take_stones") -> str:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the callers check the message)
        book(*lines, game=game)
    return str(raised.value)


def test_seeds_decide_openings() -> None:
    """Else a tournament could not be resumed with a later version."""
    random = Random("1/0")
    openings = [random_moves(50, 4, random) for _ in range(3)]
    assert openings == [(23, 46, 2, 26), (17, 34, 2, 1), (11, 1, 36, 9)]
    assert random.random() == 0.9197099230528762
    assert random_moves(50, 9, Random(1)) == random_moves(50, 9, Random(1))
    assert len({random_moves(50, 3, Random(seed)) for seed in range(20)}) > 10


@random_openings
def test_random_moves_are_legal_and_end_no_game(stones: int, plies: int, random: Random) -> None:
    moves = random_moves(stones, plies, random)
    assert all(move in legal_moves(stones, moves[:ply]) for ply, move in enumerate(moves))
    assert legal_moves(stones, random_moves(stones, plies, random)) or stones < 3
    moves = random_moves(stones, plies, random)
    longer = [(*moves, move) for move in legal_moves(stones, moves)]
    goes_on = any(legal_moves(stones, taken) for taken in longer)
    assert len(moves) == plies or (len(moves) < plies and not goes_on)


@loop_over("game", GAMES)
def test_every_game_has_random_openings(game: str) -> None:
    setup = {name: parameter.usual[0] for name, parameter in GAMES[game].parameters.items()}
    opening = random_opening(game, setup, 4, Random(1))
    assert opening.setup == setup
    assert len(GAMES[game].position(**setup, moves=opening.moves).moves) == 4


def test_lines_of_a_book() -> None:
    assert book("stones=20 3 6\n", "stones=7 3\n") == [
        Opening({"stones": 20}, (3, 6)),
        Opening({"stones": 7}, (3,)),
    ]
    assert book("stones=20") == [Opening({"stones": 20}, ())]
    assert book("3 6 stones=20") == [Opening({"stones": 20}, (3, 6))]
    expected = [Opening({"size": 8}, (16, 23)), Opening({"size": 5}, (4,))]
    assert book("16 23", "size=5 4", game="isolation") == expected
    lines = ["# the best\n", "\n", "  stones=20\t3  # odd\n", " \r\n", "stones=7#none"]
    assert book(*lines) == [Opening({"stones": 20}, (3,)), Opening({"stones": 7}, ())]


def test_parameters_are_those_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, TEN_NIM.name, TEN_NIM)
    assert book("3 2", game=TEN_NIM.name) == [Opening({}, (3, 2))]
    expected = "line 1: unknown parameter 'stones' of ten_nim (it has none)"
    assert error_of("stones=7 16", game=TEN_NIM.name) == expected


@loop_over("lines", [[], ["\n", "# stones=20\n"]])
def test_a_book_without_openings_is_an_error(lines: list[str]) -> None:
    assert error_of(*lines) == "no openings found"


@loop_over(
    "line, error",
    ("3 6", "missing parameter stones=NUMBER"),
    ("stones=20 x", "expected a move or NAME=NUMBER, got 'x'"),
    ("stones=20 -3", "expected a move or NAME=NUMBER, got '-3'"),
    ("stones=20 ٣", "expected a move or NAME=NUMBER, got '٣'"),
    ("stones=20 3=", "expected a move or NAME=NUMBER, got '3='"),
    ("stones=a", "expected a move or NAME=NUMBER, got 'stones=a'"),
    ("stones=20 =3", "unknown parameter '' of take_stones (choose from stones)"),
    ("stones=20 rows=3", "unknown parameter 'rows' of take_stones (choose from stones)"),
    ("stones=20 stones=20", "duplicate parameter 'stones'"),
    ("stones=0", "stones must be at least 1, got 0"),
    ("stones=2", "no legal move after the opening"),
    ("stones=7 3 1 2 4", "no legal move after the opening"),
    (f"stones={10**15}", "too many stones for this machine's memory"),
)
def test_errors_include_the_line_number(line: str, error: str) -> None:
    assert error_of("stones=20", "", line) == f"line 3: {error}"


def test_invalid_openings() -> None:
    assert error_of("stones=20 2").startswith("line 1: illegal move 1: stone 2 cannot be the first")
    assert error_of("size=9", game="isolation") == "line 1: size must be at most 8, got 9"


WORDS = st.sampled_from(
    ["stones=20", "stones=7", "stones=", "3", "6", "1", "99", "#", "=", "x", "²"]
)
LINE = st.lists(WORDS).map(" ".join)


@given(st.lists(st.text() | LINE))
@example(["stones=20 " + "9" * 5000])
@example(["stones=" + "9" * 5000])
@example(["stones=20 99999999999999999999"])
def test_any_text_is_a_book_or_an_error_with_a_line_number(lines: list[str]) -> None:
    try:
        openings = read_book("take_stones", lines)
    except ValueError as error:
        text = str(error)
        assert text == "no openings found" or text.startswith(
            tuple(f"line {number}: " for number in range(1, len(lines) + 1))
        )
    else:
        assert 0 < len(openings) <= len(lines)
