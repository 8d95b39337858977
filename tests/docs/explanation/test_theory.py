"""Theory: the numbers of the page, and the computations in its proofs."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from bench.play import openings
from core.take_stones import Board
from core.take_stones.solver import Solution, Solver, WinningOpenings, solve, winning_moves
from tests.support.cases import loop_over

TEXT = (Path(__file__).parents[3] / "docs" / "explanation" / "theory.md").read_text()

LAST_LOSING = 1191
FIRST_PRIME = 541  # from here on the ninth prime after a prime p is at most 9p/8
COMPUTED = 9 * FIRST_PRIME - 1  # for larger n the primes prove it
SCHOENFELD = 2_010_760  # from here on the next prime after p is below (1 + 1/16597) p


@cache
def winning_openings() -> dict[int, Sequence[int]]:
    """Return the winning first moves with each number of stones."""
    return dict(WinningOpenings(1, COMPUTED))


@cache
def primes() -> list[int]:
    """Return the primes up to 200,000."""
    limit = 200_000
    is_prime = bytearray([0, 0]) + bytearray([1]) * (limit - 1)
    for number in range(2, int(limit**0.5) + 1):
        if is_prime[number]:
            multiples = range(number**2, limit + 1, number)
            is_prime[number**2 :: number] = bytes(len(multiples))
    return [number for number in range(limit + 1) if is_prime[number]]


def listed_losing() -> list[int]:
    """Return the listed numbers of stones with which player 1 loses."""
    listed = re.findall(r"^```losing\n(.*?)^```$", TEXT, re.M | re.S)[0].split()
    ranges = [[int(end) for end in item.split("-")] for item in listed]
    return [n for ends in ranges for n in range(ends[0], ends[-1] + 1)]


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table whose first column has a heading."""
    table = TEXT.split(f"| {heading} |")[1].split("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def between(low: float, high: float) -> list[int]:
    """Return the primes above one number and not above another, both small."""
    return [prime for prime in primes()[:1000] if low < prime <= high]


def missed_by_some(n: int) -> set[int]:
    """Return the set D of all stones, by solving without each stone."""
    matched = solve(Board(n)).matched
    return {
        stone
        for stone in range(1, n + 1)
        if solve(Board(n, [stone], any_first=True)).matched == matched
    }


# The list of losing numbers


def test_losing_numbers_are_those_of_the_list() -> None:
    assert listed_losing() == [n for n, moves in winning_openings().items() if not moves]
    assert listed_losing()[-1] == LAST_LOSING
    assert rf"for every $n \ge {LAST_LOSING + 1}$" in TEXT
    assert f"following {len(listed_losing())} numbers" in TEXT
    assert rf"Up to ${COMPUTED} = 9 \cdot {FIRST_PRIME} - 1$" in TEXT
    assert f"For $p$ below {SCHOENFELD:,}" in " ".join(TEXT.split())


@pytest.mark.slow
def test_the_picture_marks_them_and_is_of_today() -> None:
    assert openings.losing() == listed_losing()
    assert openings.picture() == openings.PICTURE.read_text()


# The other theorems


def test_some_moves_never_win_or_change_nothing() -> None:
    assert not [n for n, moves in winning_openings().items() if 1 in moves]
    for n in between(2, COMPUTED):
        assert [move for move in winning_openings()[n] if 2 * move < n - 1] == winning_openings()[
            n - 1
        ]


@cache
def least_witnesses(last: int) -> dict[int, int]:
    """Return k(j) of Theorem 4 for each stone j that has one up to a number of stones."""
    found: dict[int, int] = {}
    for k in range(1, last + 1):
        for stone, kind in Solver(Board(k)).kinds().items():
            if kind == "outer":
                for divisor in divisors(stone):
                    found.setdefault(divisor, k)
    return found


@cache
def divisors(number: int) -> list[int]:
    return [divisor for divisor in range(1, number + 1) if number % divisor == 0]


def has_enough_primes(n: int, k: int) -> bool:
    low, high = (bisect_right(primes(), end) for end in (max(k, n // (k + 1)), n // k))
    return high - low > k


@loop_over("n", [500, 8063, 50_000])
def test_stones_with_enough_primes_are_in_a(n: int) -> None:
    kinds = Solver(Board(n)).kinds()
    enough = [j for j, k in least_witnesses(60).items() if has_enough_primes(n, k)]
    assert {2, 3} <= {*enough}
    assert {kinds[j] for j in enough} == {"inner"}


@pytest.mark.parametrize("last", [pytest.param(120), pytest.param(1505, marks=pytest.mark.release)])
def test_small_boards_that_put_a_stone_into_a(last: int) -> None:
    found = least_witnesses(2 * last)
    stated = f"every $j$ from 2 to 1505 (the largest ratio is that of $k(116) = {found[116]}$)"
    assert stated in " ".join(TEXT.split())
    assert max(range(2, last + 1), key=lambda j: found[j] / j) == 116
    assert found[116] / 116 < 2.02


# The example


def test_matchings_of_the_example() -> None:
    stated = re.findall(r"The matching ((?:\d-\d(?:, )?)+) misses 3 and 7", TEXT)[0].split(", ")
    edges = [(int(pair[0]), int(pair[2])) for pair in stated]
    assert all(multiple % stone == 0 for stone, multiple in edges)
    assert sorted([stone for edge in edges for stone in edge] + [3, 7]) == [*range(1, 9)]
    assert solve(Board(8)) == Solution(1, [3], len(edges), 2, outer=6, inner=2, others=0)
    stated = re.findall(
        r"\$D = \\lbrace (.*?) \\rbrace\$, \$A = \\lbrace 1, 6 \\rbrace\$, and \$C\$ is empty",
        " ".join(TEXT.split()),
    )[0]
    assert missed_by_some(8) == {int(stone) for stone in stated.split(", ")}


@loop_over("row", rows("moves so far"))
def test_the_answers_of_the_example_win(row: list[str]) -> None:
    board = Board(8, [int(stone) for stone in row[0].split()])
    board.take(int(row[1]))
    assert int(row[2]) in winning_moves(board)
    board.take(int(row[2]))
    assert board.legal_moves() == [int(stone) for stone in re.findall(r"\d", row[3][8:])]


def test_every_move_of_player_2_in_the_example_has_its_answer() -> None:
    answered = {(row[0], int(row[1])): row[2] for row in rows("moves so far")}
    open_moves = ["3"] + [f"{so_far} {move} {stone}" for (so_far, move), stone in answered.items()]
    for moves in open_moves:
        for reply in Board(8, [int(stone) for stone in moves.split()]).legal_moves():
            assert (moves, reply) in answered


# What is observed


def last_in_a(n: int) -> int:
    """Return the largest J such that the stones 2 to J are in A."""
    kinds = Solver(Board(n)).kinds()
    return next(j for j in range(2, n) if kinds[j] != "inner") - 1


def test_stones_in_a() -> None:
    assert last_in_a(8063) == 13
    assert all(last_in_a(n) ** 3 >= n for n in (*range(8064, 8100), 20_000))
    enough = {j for j, k in least_witnesses(120).items() if has_enough_primes(100_000, k)}
    assert {*range(2, 14)} <= enough
    assert 14 not in enough
    assert last_in_a(100_000) == 91


@loop_over("row", rows("stones"))
def test_the_table_is_what_the_solver_finds(row: list[str]) -> None:
    n, share, *sizes = [cell.replace(",", "") for cell in row]
    board = Board(int(n))
    found = solve(board)
    assert share == f"{len(found.winning_moves)} of {len(board.legal_moves())}"
    assert sizes == [str(size) for size in (*found[4:], found.unmatched)]


def test_winning_first_moves_after_the_last_losing_number() -> None:
    stated = [3 * prime for prime in between(1192 / 9, 1192 / 8)]
    assert winning_openings()[LAST_LOSING + 1] == stated == [411, 417, 447]
    for n, moves in WinningOpenings(LAST_LOSING + 1, COMPUTED):
        kind = [3 * prime for prime in between(n / 9, n / 8)]
        assert kind
        assert {*kind} <= {*moves}


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(12_000, marks=pytest.mark.slow),
        pytest.param(100_000, marks=pytest.mark.release),
    ],
)
def test_the_two_bands_and_three_times_the_primes(last: int) -> None:
    for n, moves in WinningOpenings(LAST_LOSING + 1, last):
        first, end = (bisect_right(primes(), n // k) for k in (9, 8))
        assert {3 * prime for prime in primes()[first:end]} <= {*moves}
        share = len(moves) / ((n + 1) // 4)
        assert n < 10_000 or not 0.1 < share < 0.35
