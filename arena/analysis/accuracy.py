"""Accuracy of players, measured by perfect play. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from arena.model.results import MatchRecord
from core import GAMES


class MoveVerdict(StrEnum):
    """Effect of a move on the theoretical result, as a letter for the database."""

    KEPT = "k"  # won before and after the move
    BLUNDER = "b"  # won before, lost after the move
    FORCED = "f"  # the only legal move
    LOST = "l"  # lost with every move


@dataclass
class Accuracy:
    """Wins kept and blundered by one bot, over `games` games."""

    games: int = 0
    kept: int = 0
    blunders: int = 0

    @property
    def share(self) -> float | None:
        """Share of moves in won positions that kept the win; None without such moves."""
        decided = self.kept + self.blunders
        return self.kept / decided if decided else None

    @property
    def blunders_per_game(self) -> float:
        """Mean number of blunders in a game."""
        return self.blunders / self.games


def has_solver(game: str) -> bool:
    """Return whether the moves of a game can be judged: not if it is no longer installed."""
    return game in GAMES and GAMES[game].solver is not None


def judge_moves(record: MatchRecord) -> str:
    """Judge the players' moves of a match; the opening is skipped.

    Args:
        record: A match of a game that has a solver.

    Returns:
        One MoveVerdict letter for each move after the opening.
    """
    game = GAMES[record.pairing.game]
    assert game.solver, f"{game.name} has no solver"
    position = game.position(**record.pairing.setup, moves=record.pairing.opening)
    solver = game.solver(position, None)
    verdicts = []
    for played in record.moves:
        winning = solver.winning_moves()
        if len(position.legal_moves()) == 1:
            verdict = MoveVerdict.FORCED
        elif not winning:
            verdict = MoveVerdict.LOST
        else:
            verdict = MoveVerdict.KEPT if played.move in winning else MoveVerdict.BLUNDER
        verdicts.append(verdict)
        position.play(played.move)
        solver.play(played.move)
    return "".join(verdicts)


def accuracies_by_bot(analysed: Iterable[tuple[MatchRecord, str]]) -> dict[str, Accuracy]:
    """Return the accuracy of each bot over analysed matches, given with their verdicts."""
    found: dict[str, Accuracy] = {}
    for record, verdicts in analysed:
        add_match(found, record, verdicts)
    return found


def add_match(accuracies: dict[str, Accuracy], record: MatchRecord, verdicts: str) -> None:
    """Add an analysed match to the accuracies of its bots."""
    add_verdicts(accuracies, record.pairing.players, len(record.pairing.opening), verdicts)


def add_verdicts(
    accuracies: dict[str, Accuracy], players: tuple[str, str], opening: int, verdicts: str
) -> None:
    """Add an analysed match with this number of opening moves."""
    first = opening % 2  # index of the player of the first judged move
    for player, name in enumerate(players):
        own = verdicts[(player - first) % 2 :: 2]
        accuracy = accuracies.setdefault(name, Accuracy())
        accuracy.games += 1
        accuracy.kept += own.count(MoveVerdict.KEPT)
        accuracy.blunders += own.count(MoveVerdict.BLUNDER)
