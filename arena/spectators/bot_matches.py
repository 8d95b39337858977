"""What the latest matches of a bot show: results by setup, scores, times, lost wins and infos."""

import json
from collections.abc import Iterable, Mapping, Sequence
from statistics import median_low

from arena.analysis.accuracy import MoveVerdict
from arena.model.results import Outcome
from arena.model.setups import completed
from arena.protocol.bots import (
    BotMatches,
    FindBotMatches,
    LostWin,
    MoveTimes,
    ReportedInfo,
    Score,
    SetupScore,
)
from arena.reports.plots.games import share_interval
from arena.storage.spectator_reader import BotReader, Judged, OwnMove, SetupResult

SHARE_DIGITS = 4  # decimal places of a share

Counts = list[int]
"""Numbers of matches that a bot has won, drawn and lost."""
# Of the bot, with their moves: more would take longer than 1 s to read.
MAX_MATCHES = 2000
MAX_MOVES = 100_000  # their times and infos are read
MAX_SETUPS = 50  # with most matches
MAX_LOST_WINS = 10
DIGITS = 3  # decimal places of milliseconds
Setup = tuple[tuple[str, int], ...]


def add_counts(one: Sequence[int], other: Sequence[int]) -> Counts:
    """Return the sums of two numbers of won, drawn and lost matches."""
    return [first + second for first, second in zip(one, other, strict=True)]


def bot_score(counts: Sequence[int]) -> Score:
    """Return the score for numbers of won, drawn and lost matches."""
    won, drawn, lost = counts
    if not (played := won + drawn + lost):
        return Score(0, 0, 0, None, None)
    low, high = share_interval(won + drawn / 2, played)
    return Score(won, drawn, lost, round(low, SHARE_DIGITS), round(high, SHARE_DIGITS))


def summarise_matches(database: BotReader, question: FindBotMatches) -> BotMatches:
    """Return what the latest rated matches of a bot show.

    Raises:
        DatabaseError: The database cannot be read.
    """
    bot, game = question.bot, question.game
    results = database.setup_results(bot, game)
    setups = _setup_scores(game, results)
    latest = database.latest_ids(bot, game, MAX_MATCHES)
    judged = database.judged(latest)
    return BotMatches(
        question.request,
        bot,
        game,
        sum(result.matches for result in results),
        min((result.since for result in results), default=None),
        setups[:MAX_SETUPS],
        len(setups[MAX_SETUPS:]),
        len(latest),
        _move_times(database.own_moves(bot, latest, MAX_MOVES)),
        len(judged),
        _lost_wins(bot, judged),
        _reported(database.reported(bot, latest, MAX_MOVES)),
    )


def _setup_scores(game: str, results: Iterable[SetupResult]) -> list[SetupScore]:
    """Return the results by setup, the setups with most matches first."""
    counts: dict[Setup, tuple[Counts, Counts]] = {}
    for setup, side, winner, matches, _ in results:
        full = tuple(sorted(completed(game, json.loads(setup)).items()))
        sides = counts.setdefault(full, ([0, 0, 0], [0, 0, 0]))
        outcome = 1 if winner is None else 0 if winner == side else 2
        sides[side - 1][outcome] += matches
    ordered = sorted(counts.items(), key=lambda item: (-sum(map(sum, item[1])), item[0]))
    return [
        SetupScore(
            dict(setup), bot_score(add_counts(first, second)), bot_score(first), bot_score(second)
        )
        for setup, (first, second) in ordered
    ]


def _move_times(moves: Sequence[OwnMove]) -> MoveTimes | None:
    if not moves:
        return None
    longest = max(moves, key=lambda move: move.charged)
    middle = median_low(move.charged for move in moves)
    return MoveTimes(
        len(moves),
        round(1000 * middle, DIGITS),
        round(1000 * longest.charged, DIGITS),
        longest.match,
        longest.ply,
    )


def _lost_wins(bot: str, judged: Iterable[Judged]) -> list[LostWin]:
    """Return the matches with the most blunders of a bot, the worst first.

    Among equals, lost and drawn matches come first, and the latest of them.
    """
    found = []
    for match in judged:
        side = match.players.index(bot)
        plies = [
            ply
            for ply, verdict in enumerate(match.verdicts, match.opening)
            if verdict == MoveVerdict.BLUNDER and ply % 2 == side
        ]
        if plies:
            setup: Mapping[str, int] = json.loads(match.setup)
            outcome: Outcome = "draw" if match.winner is None else "lost"
            if match.winner == side + 1:
                outcome = "won"
            opponent = match.players[1 - side]
            found.append(LostWin(match.match, opponent, setup, len(plies), plies[-1], outcome))
    return sorted(found, key=lambda lost: (-lost.blunders, lost.outcome == "won"))[:MAX_LOST_WINS]


def _reported(infos: Sequence[tuple[int | None, int | None]]) -> ReportedInfo | None:
    if not infos:
        return None
    depths, nodes = (
        [value for value in column if value is not None] for column in zip(*infos, strict=True)
    )
    return ReportedInfo(
        len(infos),
        median_low(depths) if depths else None,
        median_low(nodes) if nodes else None,
    )
