"""Matchmaking for connected bots: rated matches without an end. Pure.

The bot with the fewest matches is paired first, with an opponent of similar rating. Each match of a
pair makes that pair less attractive, so that opponents vary. Matches in progress come before both:
a bot that plays many matches at once, and slowly, would keep all others busy. The ratings are plain
Elo, updated after each match, and serve only to pair. Failures lead to back-offs: pauses that grow
with each one.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Hashable, Iterable, Mapping
from heapq import heapify, heappop
from typing import NamedTuple

from arena.model.results import MatchRecord, RatedResult, Termination

Leg = tuple[str, str, str]  # player 1, player 2, game

MIN_BACKOFF = 1.0  # seconds, doubled by each failure
MAX_FAILURES = 10.0  # that count: more would only take longer to make up for
SUCCESSES_PER_FAILURE = 8  # so that failures between successes lead to pauses too
K = 32.0  # Elo at stake in a match
REPEAT_PENALTY = 50.0  # Elo added to a pair's rating difference for each match that it has played
MAX_BACKOFF = 600.0  # seconds, of a bot, of a pair and of a game
MAX_ADDRESS_BACKOFF = 8.0  # seconds: new bots of an address may be of different people
QUICK_MOVES = 5  # a forfeit with fewer moves of one's own is quick: half of a short game
MAX_KNOWN = 20_000  # bots, each with a game, that are remembered: names may be free
GAME_ABORTS = 3  # aborted matches of a game without a finished one between them
NEWCOMER_MATCHES = SUCCESSES_PER_FAILURE  # a name that has played fewer is cheap to replace

FORFEITS = frozenset(
    {
        Termination.DISCONNECT,
        Termination.TIMEOUT,
        Termination.MALFORMED,
        Termination.ILLEGAL_MOVE,
        Termination.RESIGNATION,
    }
)


class BackOffs:
    """Back-offs by key, for example by the name of a bot.

    The first failure of a key leads to a pause of MIN_BACKOFF, each further one to a pause twice as
    long. Failures during a pause have begun before it and do not count. A success makes up for an
    eighth of a failure.
    """

    def __init__(self, maximum: float) -> None:
        """Start without pauses.

        Args:
            maximum: The longest pause in seconds.
        """
        self._maximum = maximum
        self._failures: defaultdict[Hashable, float] = defaultdict(float)
        self._ends: dict[Hashable, float] = {}  # of the pauses

    def is_paused(self, key: Hashable, now: float) -> bool:
        """Return whether a pause of a key has not ended at the time `now`."""
        return self._ends.get(key, now) > now

    def has_failures(self, key: Hashable) -> bool:
        """Return whether failures of a key are left that no successes have made up for."""
        return key in self._failures

    def fail(self, key: Hashable, now: float) -> None:
        """Count a failure and begin a pause, unless the key is paused."""
        if not self.is_paused(key, now):
            delay = min(MIN_BACKOFF * 2.0 ** self._failures[key], self._maximum)
            self._ends[key] = now + delay
            self._failures[key] = min(self._failures[key] + 1.0, MAX_FAILURES)

    def succeed(self, key: Hashable) -> None:
        """Count a success, which does not end a pause."""
        if key in self._failures:
            self._failures[key] -= 1 / SUCCESSES_PER_FAILURE
            if self._failures[key] <= 0.0:
                del self._failures[key]

    def forget_failures(self, key: Hashable) -> None:
        """Forget the failures of a key, which does not end a pause."""
        self._failures.pop(key, None)

    def forget_others(self, keys: Container[Hashable]) -> None:
        """Forget the failures of all keys but these, which does not end a pause."""
        for key in [key for key in self._failures if key not in keys]:
            del self._failures[key]

    def next_end(self, now: float) -> float | None:
        """Return when the next pause ends, or None."""
        self._ends = {key: end for key, end in self._ends.items() if end > now}
        return min(self._ends.values(), default=None)


class FreeBot(NamedTuple):
    """A bot that can start a match: its games, its address, and how many matches it plays now."""

    games: Collection[str]
    address: str
    playing: int = 0


class Matchmaker:
    """Choice of the next pairing from matches played, ratings and back-offs.

    A bot that forfeits a match with few or no moves backs off before its next one, twice as long
    each time: it is free again at once, and would use up the opponents of the others. Its other
    matches make up for that only slowly. A new name does not evade the back-off: the first quick
    forfeit of a newcomer pauses all newcomers of its address, though not for long. After an aborted
    match, its two bots do not play this game for a while. The game pauses for all only if several
    matches in a row were aborted, as it may be at fault.

    Attributes:
        legs: matches started and not aborted, by players in their order and game.
    """

    def __init__(self, records: Iterable[MatchRecord] = ()) -> None:
        """Continue from stored matches; none of them causes a back-off."""
        self.legs: Counter[Leg] = Counter()
        self._matches: Counter[tuple[str, str]] = Counter()  # by bot and game
        self._elo: dict[tuple[str, str], float] = {}  # by bot and game
        self._played: Counter[str] = Counter()  # matches without a quick forfeit, by bot
        self._running: Counter[Leg] = Counter()
        self._addresses: dict[str, str] = {}  # by bot that has been paired
        self._bot_backoffs = BackOffs(MAX_BACKOFF)
        self._address_backoffs = BackOffs(MAX_ADDRESS_BACKOFF)
        self._pair_backoffs = BackOffs(MAX_BACKOFF)  # by the names and the game
        self._game_backoffs = BackOffs(MAX_BACKOFF)
        self._aborts: Counter[str] = Counter()  # since the last finished match, by game
        for record in records:
            if record.rated_result:
                self._count((*record.pairing.players, record.pairing.game), 1)
                self._rate(record.rated_result, record.pairing.game)
                if record.result.termination not in FORFEITS:
                    self._played.update(record.pairing.players)

    def choose(self, free: Mapping[str, FreeBot], now: float) -> Leg | None:
        """Return the next leg to play.

        Args:
            free: the bots that can start a match, by name.
            now: seconds on the clock that `finish` gets too.

        Returns:
            The players and the game; None if no two bots can play each other.
        """
        bots: dict[str, list[str]] = {}  # by game
        for name in sorted(free):
            if not self._is_paused(name, free[name].address, now):
                for game in free[name].games:
                    if not self._game_backoffs.is_paused(game, now):
                        bots.setdefault(game, []).append(name)
        candidates = [
            (free[name].playing, self._matches[name, game], game, name)
            for game, names in bots.items()
            for name in names
            if len(names) > 1
        ]
        heapify(candidates)
        while candidates:
            _, _, game, bot = heappop(candidates)
            others = {name: free[name].playing for name in bots[game] if name != bot}
            if opponent := self._opponent(bot, others, game, now):
                for name in (bot, opponent):
                    self._addresses[name] = free[name].address
                first, second = (bot, opponent, game), (opponent, bot, game)
                return min(first, second, key=lambda leg: (self.legs[leg], leg))
        return None

    def _opponent(self, bot: str, others: Mapping[str, int], game: str, now: float) -> str | None:
        """Return the best of other bots, with their matches in progress; None if none may play."""
        found = (
            (playing, self._distance(bot, name, game), name)
            for name, playing in others.items()
            if not self._pair_backoffs.is_paused(_pair(bot, name, game), now)
        )
        return min(found, default=(0, 0.0, None))[2]

    def next_retry(self, now: float) -> float | None:
        """Return when the next back-off ends, or None."""
        backoffs = (
            self._bot_backoffs,
            self._address_backoffs,
            self._pair_backoffs,
            self._game_backoffs,
        )
        return min((end for each in backoffs if (end := each.next_end(now))), default=None)

    def start(self, leg: Leg) -> None:
        """Count a match that starts."""
        self._count(leg, 1)
        self._running[leg] += 1

    def continue_from(self, stored: "Matchmaker") -> None:
        """Take over what another matchmaker knows from stored matches, which were changed.

        Back-offs and matches in progress stay. A match that has just ended may be missing or count
        twice, which pairing can do without.
        """
        self.legs, self._matches = stored.legs, stored._matches
        self._elo, self._played = stored._elo, stored._played
        for leg, matches in self._running.items():
            self._count(leg, matches)

    def finish(self, record: MatchRecord, now: float) -> None:
        """Rate a finished match; uncount an aborted one, and ignore a casual one."""
        if record.pairing.casual:
            return
        outcome, game = record.rated_result, record.pairing.game
        leg = *record.pairing.players, game
        self._running[leg] -= 1
        if not self._running[leg]:
            del self._running[leg]
        if not outcome:
            self._count(leg, -1)
            self._pair_backoffs.fail(_pair(*record.pairing.players, game), now)
            self._aborts[game] += 1
            if self._aborts[game] >= GAME_ABORTS:
                self._game_backoffs.fail(game, now)
            return
        self._aborts[game] = 0
        self._pair_backoffs.forget_failures(_pair(*record.pairing.players, game))
        self._game_backoffs.forget_failures(game)
        self._rate(outcome, game)
        if loser := _quick_loser(record):
            self._back_off(loser, now)
            return
        for name in record.pairing.players:
            self._bot_backoffs.succeed(name)
            self._played[name] += 1

    def forget_absent(self, present: Collection[str]) -> None:
        """Forget all bots but these, if too many are remembered; a back-off stays in force."""
        if len(self._matches) <= MAX_KNOWN:
            return
        self.legs = Counter(
            {leg: n for leg, n in self.legs.items() if leg[0] in present and leg[1] in present}
        )
        self._matches = Counter({key: n for key, n in self._matches.items() if key[0] in present})
        self._elo = {key: elo for key, elo in self._elo.items() if key[0] in present}
        self._played = Counter({name: n for name, n in self._played.items() if name in present})
        self._addresses = {bot: at for bot, at in self._addresses.items() if bot in present}
        self._bot_backoffs.forget_others(present)

    def _back_off(self, name: str, now: float) -> None:
        """Pause a bot; at its first failure also the newcomers of its address, if it is one."""
        if self._is_newcomer(name) and not self._bot_backoffs.has_failures(name):
            self._address_backoffs.fail(self._addresses.get(name, ""), now)
        self._bot_backoffs.fail(name, now)

    def _is_paused(self, name: str, address: str, now: float) -> bool:
        return self._bot_backoffs.is_paused(name, now) or (
            self._is_newcomer(name) and self._address_backoffs.is_paused(address, now)
        )

    def _is_newcomer(self, name: str) -> bool:
        return self._played[name] < NEWCOMER_MATCHES

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


def _pair(one: str, two: str, game: str) -> Leg:
    """Return the same key for both orders of two bots."""
    return min(one, two), max(one, two), game


def _quick_loser(record: MatchRecord) -> str | None:
    """Return the name of a player that has forfeited the match quickly, None if none has."""
    winner = record.result.winner
    if winner is None or record.result.termination not in FORFEITS:
        return None
    moves = sum(move.ply % 2 == 2 - winner for move in record.moves)
    return record.loser if moves < QUICK_MOVES else None
