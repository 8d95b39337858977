"""The static board evaluation of the assignment in words; the search uses evaluator.pxd."""

from collections.abc import Sequence

from core.game import Evaluation
from core.take_stones.board import Board

SHOWN = 10  # stones that are listed, where there may be many


def evaluate(board: Board, player: int = 1) -> Evaluation:  # noqa: ARG001
    """Return the value for Max and the rule of the assignment that gives it, for any `player`."""
    moves = board.legal_moves()
    if not moves:
        return _lost(board)
    if board.last is None or 1 not in board.taken:
        return Evaluation(0.0, "Stone 1 has not been taken, which is worth 0 for both players.")
    if board.last == 1:
        what = f"Stone 1 was taken last. {_counted(moves)}"
        return _by_parity(board, what, len(moves), 0.5)
    prime = _largest_prime_factor(board.last)
    multiples = [stone for stone in moves if stone % prime == 0]
    of_moves = f"Of the {len(moves)} legal moves," if len(moves) > 1 else "Of the 1 legal move,"
    what = f"Stone 1 is taken. {_kind(board.last, prime)} {of_moves} {_found(multiples, prime)}"
    return _by_parity(board, what, len(multiples), 0.7 if prime == board.last else 0.6)


def _lost(board: Board) -> Evaluation:
    if board.last is None:
        half = f"{board.n // 2}.5" if board.n % 2 else board.n // 2
        why = f"The first stone must be odd and below n/2 = {half}, and there is none."
    else:
        why = f"No factor and no multiple of the last stone, {board.last}, is left."
    if board.player_to_move == 1:
        return Evaluation(-1.0, f"{why} Max cannot move and has lost, which is worth -1.")
    return Evaluation(1.0, f"{why} Min cannot move and has lost, which is worth 1 for Max.")


def _by_parity(board: Board, what: str, count: int, size: float) -> Evaluation:
    """The value of a count, positive for the player to move if it is odd."""
    parity, value = ("an odd number", size) if count % 2 else ("an even number", -size)
    text = f"{what}: {parity}, which is worth {value} for"
    if board.player_to_move == 1:
        return Evaluation(value, f"{text} Max, who is to move.")
    return Evaluation(-value, f"{text} Min, who is to move, so {-value} for Max.")


def _counted(moves: Sequence[int]) -> str:
    """How many legal moves there are."""
    if len(moves) == 1:
        return f"There is 1 legal move ({moves[0]})"
    return f"There are {len(moves)} legal moves ({_listed(moves)})"


def _kind(last: int, prime: int) -> str:
    """Return the kind of the last stone, as a sentence."""
    if prime == last:
        return f"The last stone, {last}, is prime."
    return f"The last stone, {last}, is composite: its largest prime factor is {prime}."


def _found(multiples: Sequence[int], prime: int) -> str:
    """How many multiples of the prime there are."""
    if not multiples:
        return f"0 are multiples of {prime}"
    if len(multiples) == 1:
        return f"1 is a multiple of {prime} ({multiples[0]})"
    return f"{len(multiples)} are multiples of {prime} ({_listed(multiples)})"


def _listed(stones: Sequence[int]) -> str:
    """The stones, the middle left out of many."""
    if len(stones) <= SHOWN:
        return ", ".join(map(str, stones))
    return f"{', '.join(map(str, stones[: SHOWN - 2]))}, ... {stones[-1]}"


def _largest_prime_factor(number: int) -> int:
    """The largest prime that divides a number above 1."""
    largest, divisor = 1, 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            number //= divisor
            largest = divisor
        else:
            divisor += 1
    return max(number, largest)
