"""How well games were played, measured by perfect play. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from arena.model.results import MatchRecord
from core import GAMES


class Verdict(StrEnum):
    """What a move did with the position, in a letter for the database."""

    KEPT = "k"  # it was won and stays won
    BLUNDER = "b"  # it was won and is lost now
    FORCED = "f"  # there was no other move
    LOST = "l"  # it was lost, whatever the move


@dataclass
class Accuracy:
    """How often one bot kept what was won, over so many games."""

    games: int = 0
    kept: int = 0
    blunders: int = 0

    @property
    def share(self) -> float | None:
        """The share of the moves from won positions that kept the win; None without any."""
        judged = self.kept + self.blunders
        return self.kept / judged if judged else None

    @property
    def blunders_per_game(self) -> float:
        """How many blunders the bot made in a game, on average."""
        return self.blunders / self.games


def judge(record: MatchRecord) -> str:
    """The verdicts on the players' moves, a letter each; the opening is nobody's."""
    game = GAMES[record.pairing.game]
    assert game.solver, f"{game.name} has no solver"
    position = game.position(**record.pairing.setup, taken=record.pairing.opening)
    solver = game.solver(position, None)
    verdicts = []
    for played in record.moves:
        winning = solver.winning_moves()
        if len(position.legal_moves()) == 1:
            verdict = Verdict.FORCED
        elif not winning:
            verdict = Verdict.LOST
        else:
            verdict = Verdict.KEPT if played.move in winning else Verdict.BLUNDER
        verdicts.append(verdict)
        position.take(played.move)
        solver.take(played.move)
    return "".join(verdicts)


def accuracies(judged: Iterable[tuple[MatchRecord, str]]) -> dict[str, Accuracy]:
    """Each bot's accuracy in matches that have been judged, given with their verdicts."""
    found: dict[str, Accuracy] = {}
    for record, letters in judged:
        count(found, record, letters)
    return found


def count(known: dict[str, Accuracy], record: MatchRecord, letters: str) -> None:
    """Add a match that has been judged to the accuracies of its bots."""
    first = len(record.pairing.opening) % 2  # of the players, who made the first move judged
    for player, name in enumerate(record.pairing.players):
        own = letters[(player - first) % 2 :: 2]
        accuracy = known.setdefault(name, Accuracy())
        accuracy.games += 1
        accuracy.kept += own.count(Verdict.KEPT)
        accuracy.blunders += own.count(Verdict.BLUNDER)
