"""The static evaluation: lines of four in which only one player has discs."""

from connect_four.position import ConnectFour, lines
from core.game import Evaluation

WIN = 1_000_000.0  # above the value of any unfinished game
POINTS = (0, 1, 4, 9)  # of an open line with that many discs


def evaluate(position: ConnectFour, player: int) -> Evaluation:  # noqa: ARG001
    """Return the value for player 1, which does not depend on the player that searches."""
    if outcome := position.outcome:
        value = {1: WIN, 2: -WIN, None: 0.0}[outcome.winner]
        return Evaluation(value, outcome.reason, is_final=True)
    one, two = open_lines(position)
    value = sum(POINTS[discs] for discs in one) - sum(POINTS[discs] for discs in two)
    return Evaluation(float(value), f"player 1 has {_words(one)}, player 2 {_words(two)}")


def open_lines(position: ConnectFour) -> tuple[list[int], list[int]]:
    """Return the numbers of discs in the open lines of player 1 and of player 2."""
    one, two = [], []
    for line in lines(position.columns, position.rows):
        players = [position.cells[cell] for cell in line]
        if 2 not in players and 1 in players:
            one.append(players.count(1))
        elif 1 not in players and 2 in players:
            two.append(players.count(2))
    return one, two


def _words(lines: list[int]) -> str:
    counts = [f"{lines.count(discs)} with {discs}" for discs in (3, 2, 1) if discs in lines]
    return "open lines of four: " + ", ".join(counts) if counts else "no open line of four"
