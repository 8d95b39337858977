"""Matchmaking for connected bots: rated matches without an end. Pure.

The bot with the fewest matches is paired first, with an opponent of similar rating. Each match of a
pair makes that pair less attractive, so that opponents vary. The ratings are plain Elo, updated
after each match, and serve only to pair.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from arena.model.results import MatchRecord, RatedResult, Termination

Leg = tuple[str, str, str]  # player 1, player 2, game

K = 32.0  # Elo at stake in a match
REPEAT_PENALTY = 50.0  # Elo added to a pair's rating difference for each match that it has played
MIN_BACKOFF, MAX_BACKOFF = 1.0, 600.0  # seconds, doubled after each failure

FAILURES = frozenset({Termination.DISCONNECT, Termination.TIMEOUT, Termination.MALFORMED})


class Matchmaker:
    """Choice of the next pairing from matches played, ratings and back-offs.

    A bot that forfeits a match without a move backs off before its next one, twice as long each
    time: a bot that crashes at the start then does not use up the opponents of the others. A game
    of which a match was aborted pauses in the same way, as it may be at fault.

    Attributes:
        legs: matches started and not aborted, by players in their order and game.
    """

    def __init__(self, records: Iterable[MatchRecord] = ()) -> None:
        """Continue from stored matches; none of them causes a back-off."""
        self.legs: Counter[Leg] = Counter()
        self._matches: Counter[tuple[str, str]] = Counter()  # by bot and game
        self._elo: dict[tuple[str, str], float] = {}  # by bot and game
        self._failures: Counter[str] = Counter()  # in a row
        self._retry_at: dict[str, float] = {}  # by bot
        self._game_failures: Counter[str] = Counter()  # aborted matches in a row
        self._retry_game_at: dict[str, float] = {}
        for record in records:
            if record.rated_result:
                self.start((*record.pairing.players, record.pairing.game))
                self._rate(record.rated_result, record.pairing.game)

    def choose(self, free: Mapping[str, Collection[str]], now: float) -> Leg | None:
        """Return the next leg to play.

        Args:
            free: names of the bots that can start a match, each with the games it plays.
            now: seconds on the clock that `finish` gets too.

        Returns:
            The players and the game; None if no two bots can play each other.
        """
        ready = {
            name: games for name, games in free.items() if self._retry_at.get(name, now) <= now
        }
        bots: dict[str, list[str]] = {}  # by game
        for name in sorted(ready):
            for game in ready[name]:
                if self._retry_game_at.get(game, now) <= now:
                    bots.setdefault(game, []).append(name)
        candidates = [
            (self._matches[name, game], game, name)
            for game, names in bots.items()
            for name in names
            if len(names) > 1
        ]
        if not candidates:
            return None
        _, game, bot = min(candidates)
        opponent = min(
            (name for name in bots[game] if name != bot),
            key=lambda name: (self._distance(bot, name, game), name),
        )
        first, second = (bot, opponent, game), (opponent, bot, game)
        return min(first, second, key=lambda leg: (self.legs[leg], leg))

    def next_retry(self, now: float) -> float | None:
        """Return when the next back-off ends, None if there is none."""
        ends = chain(self._retry_at.values(), self._retry_game_at.values())
        return min((until for until in ends if until > now), default=None)

    def start(self, leg: Leg) -> None:
        """Count a match that starts."""
        self._count(leg, 1)

    def finish(self, record: MatchRecord, now: float) -> None:
        """Rate a finished match; uncount an aborted one, and ignore a casual one."""
        if record.pairing.casual:
            return
        outcome, game = record.rated_result, record.pairing.game
        if not outcome:
            self._count((*record.pairing.players, game), -1)
            self._back_off_game(game, now)
            return
        self._game_failures.pop(game, None)
        self._rate(outcome, game)
        if loser := _failed_player(record):
            self._retry_at[loser] = now + _backoff(self._failures[loser])
            self._failures[loser] += 1
        else:
            for name in record.pairing.players:
                self._failures.pop(name, None)
                self._retry_at.pop(name, None)

    def _back_off_game(self, game: str, now: float) -> None:
        """Pause a game of which a match was aborted; matches that end meanwhile do not count."""
        if self._retry_game_at.get(game, now) <= now:
            self._retry_game_at[game] = now + _backoff(self._game_failures[game])
            self._game_failures[game] += 1

    def _count(self, leg: Leg, matches: int) -> None:
        one, two, game = leg
        self.legs[leg] += matches
        self._matches[one, game] += matches
        self._matches[two, game] += matches

    def _rate(self, outcome: RatedResult, game: str) -> None:
        """Update both ratings by Elo's formula."""
        one, two = (outcome.one, game), (outcome.two, game)
        difference = self._elo.get(one, 0.0) - self._elo.get(two, 0.0)
        gain = K * (outcome.points[0] - 1 / (1 + 10 ** (-difference / 400)))
        self._elo[one] = self._elo.get(one, 0.0) + gain
        self._elo[two] = self._elo.get(two, 0.0) - gain

    def _distance(self, one: str, two: str, game: str) -> float:
        """Return the rating difference of a pair plus its penalty for repeats."""
        difference = abs(self._elo.get((one, game), 0.0) - self._elo.get((two, game), 0.0))
        return difference + REPEAT_PENALTY * (self.legs[one, two, game] + self.legs[two, one, game])


def _backoff(failures: int) -> float:
    """Return the seconds to wait after a failure, by the number of those before it in a row."""
    return float(min(MIN_BACKOFF * 2**failures, MAX_BACKOFF))


def _failed_player(record: MatchRecord) -> str | None:
    """Return the name of a player that has forfeited the match without a move, None if none has."""
    winner = record.result.winner
    if winner is None or record.result.termination not in FAILURES:
        return None
    has_moved = any(move.ply % 2 == 2 - winner for move in record.moves)
    return None if has_moved else record.loser
