"""Whom the bots that happen to be here play: a ladder without an end. Pure.

Who has played least comes first and meets somebody near in rating; each meeting makes a pair a
little less attractive, so that nobody meets the same neighbour for ever. The ratings are Elo's own,
updated match by match: they cost nothing and only serve to pair.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from arena.model.results import MatchRecord, Outcome, Termination

Leg = tuple[str, str, str]  # player 1, player 2, the game

K = 32.0  # Elo at stake in a match
MEETING = 50.0  # Elo that a pair seems to be further apart for each match that it has played
FIRST_REST, LAST_REST = 1.0, 600.0  # seconds, doubled each time

FORFEITS_AT_ONCE = frozenset({Termination.DISCONNECT, Termination.TIMEOUT, Termination.MALFORMED})


class Ladder:
    """Who has played whom and how well, and who has to rest.

    A bot that forfeits a match without a move rests before the next, twice as long each time, so
    that one that crashes at once does not take the opponents from all others.
    """

    def __init__(self, records: Iterable[MatchRecord] = ()) -> None:
        """Goes on from matches that have been played; nobody rests for one of these."""
        self.legs: Counter[Leg] = Counter()
        self._matches: Counter[tuple[str, str]] = Counter()  # of a bot in a game
        self._elo: dict[tuple[str, str], float] = {}
        self._failures: Counter[str] = Counter()  # in a row
        self._rests: dict[str, float] = {}  # until when
        for record in records:
            if record.outcome:
                self.begin((*record.pairing.players, record.pairing.game))
                self._rate(record.outcome, record.pairing.game)

    def choose(self, free: Mapping[str, Collection[str]], now: float) -> Leg | None:
        """The next pairing of bots that are free, given with the games that they play; or None."""
        awake = {name: games for name, games in free.items() if self._rests.get(name, now) <= now}
        here: dict[str, list[str]] = {}
        for name in sorted(awake):
            for game in awake[name]:
                here.setdefault(game, []).append(name)
        waiting = [
            (self._matches[name, game], game, name)
            for game, names in here.items()
            for name in names
            if len(names) > 1
        ]
        if not waiting:
            return None
        _, game, bot = min(waiting)
        other = min(
            (name for name in here[game] if name != bot),
            key=lambda name: (self._distance(bot, name, game), name),
        )
        there, back = (bot, other, game), (other, bot, game)
        return min(there, back, key=lambda leg: (self.legs[leg], leg))

    def rests_until(self, now: float) -> float | None:
        """When the next bot has rested, if one rests."""
        return min((until for until in self._rests.values() if until > now), default=None)

    def begin(self, leg: Leg) -> None:
        """A match has begun."""
        self._count(leg, 1)

    def end(self, record: MatchRecord, now: float) -> None:
        """A match has ended; a casual one is none of the ladder's."""
        if record.pairing.casual:
            return
        outcome, game = record.outcome, record.pairing.game
        if not outcome:
            self._count((*record.pairing.players, game), -1)
            return
        self._rate(outcome, game)
        loser = record.pairing.players[2 - outcome.winner]
        has_moved = any(move.ply % 2 == 2 - outcome.winner for move in record.moves)
        if outcome.termination in FORFEITS_AT_ONCE and not has_moved:
            rest = min(FIRST_REST * 2 ** self._failures[loser], LAST_REST)
            self._failures[loser] += 1
            self._rests[loser] = now + rest
        else:
            for name in record.pairing.players:
                self._failures.pop(name, None)
                self._rests.pop(name, None)

    def _count(self, leg: Leg, times: int) -> None:
        one, two, game = leg
        self.legs[leg] += times
        self._matches[one, game] += times
        self._matches[two, game] += times

    def _rate(self, outcome: Outcome, game: str) -> None:
        """Elo's rule: the winner takes from the loser what it was not expected to."""
        players = outcome.one, outcome.two
        winner, loser = players[outcome.winner - 1], players[2 - outcome.winner]
        ahead = self._elo.get((winner, game), 0.0) - self._elo.get((loser, game), 0.0)
        gain = K / (1 + 10 ** (ahead / 400))
        self._elo[winner, game] = self._elo.get((winner, game), 0.0) + gain
        self._elo[loser, game] = self._elo.get((loser, game), 0.0) - gain

    def _distance(self, one: str, two: str, game: str) -> float:
        apart = abs(self._elo.get((one, game), 0.0) - self._elo.get((two, game), 0.0))
        return apart + MEETING * (self.legs[one, two, game] + self.legs[two, one, game])
