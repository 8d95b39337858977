"""What there is to see in an arena, and what of it has changed since a viewer has looked.

Every change has a number, the stamp. Who has seen all up to a stamp is told what came after it, and
nothing is kept for anybody: a viewer that is slow gets less often, and then the latest. Pure.
"""

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from arena.model.clock import TimeControl
from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing, PlayedMove, Tally
from arena.protocol.spectator import TimeControlInfo, MatchInfo, Lobby, MoveUpdate, Result, MatchSummary

LOBBY_MATCHES = 100  # that are told at once
RESULTS = 20  # of the latest matches
KEPT = 200  # matches that have ended and may still be followed to their end; beyond: the database


@lru_cache(maxsize=16)  # few are in use at a time, and it is asked for at each match
def control_of(text: str) -> TimeControlInfo:
    """A time control as viewers are told of it. Raises ValueError."""
    control = TimeControl.parse(text)
    base, increment = (round(1000 * seconds) for seconds in (control.base, control.increment))
    return TimeControlInfo(text, base, increment, control.per_move)


def facts_of(match: int, pairing: Pairing, control: str, started_at: float) -> MatchInfo:
    """What viewers are told of a match when it begins. Raises ValueError."""
    return MatchInfo(
        match,
        pairing.number,
        pairing.players,
        pairing.game,
        pairing.setup,
        len(pairing.opening),
        control_of(control),
        pairing.casual,
        started_at,
    )


def result_of(record: MatchRecord) -> Result:
    """What viewers are told of the end of a match."""
    result, fault = record.result, record.fault
    return Result(
        record.id,
        result.winner,
        result.termination,
        result.reason,
        record.finished_at,
        (fault.move, round(1000 * fault.charged)) if fault else None,
    )


def summary_of(record: MatchRecord, plies: int) -> MatchSummary:
    """A match that has ended, in short. Raises ValueError."""
    about = facts_of(record.id, record.pairing, record.time_control, record.started_at)
    return MatchSummary(about, result_of(record), plies)


class LiveMatch:
    """A match as viewers see it."""

    def __init__(self, facts: MatchInfo, opening: Sequence[int], now: float) -> None:
        self.facts = facts
        self.moves = [*opening]
        self.result: Result | None = None
        self._charged = [0] * len(opening)  # milliseconds
        self._stamps = [0] * len(opening)  # of each move
        self._since: float | None = now
        self.stamp = 0  # of what has happened last
        self.lobby_stamp = 0  # of its coming into the lobby, 0 before that

    def take(self, move: PlayedMove, stamp: int, now: float) -> None:
        """A player has moved."""
        self.moves.append(move.move)
        self._charged.append(round(1000 * move.charged))
        self._stamps.append(stamp)
        self._since = now

    def take_back(self, ply: int, now: float) -> None:
        """The moves from a ply on are gone."""
        del self.moves[ply:], self._charged[ply:], self._stamps[ply:]
        self._since = now

    def end(self, result: Result) -> None:
        """It is over."""
        self.result = result
        self._since = None

    def since(self, stamp: int, now: float) -> MoveUpdate:
        """The moves that came after a stamp; before the first one, all."""
        # Those that were taken back after it make no difference: none of them is there any more.
        ply = bisect_right(self._stamps, stamp) if stamp else 0
        thinking = None if self._since is None else round(1000 * (now - self._since))
        return MoveUpdate(self.facts.match, ply, self.moves[ply:], self._charged[ply:], thinking)


def shown_of(record: MatchRecord) -> LiveMatch:
    """A match that has ended, as viewers see it. Raises ValueError."""
    about = facts_of(record.id, record.pairing, record.time_control, record.started_at)
    shown = LiveMatch(about, record.pairing.opening, 0.0)
    for move in record.moves:
        shown.take(move, 0, 0.0)
    shown.end(result_of(record))
    return shown


class LiveState(Observer):
    """Hears what happens in the arena, and tells what is new to whoever has seen the rest.

    `control` is the arena's time control as text, `results` are the matches that ended before,
    newest first, and `tallies` what has been counted by then in each game. `clock` is in seconds
    and only goes forward, `now` tells the Unix time. `changed`, which anybody may set, is called
    after each change.
    """

    def __init__(
        self,
        control: str,
        results: Sequence[MatchSummary],
        tallies: Mapping[str, Tally],
        clock: Callable[[], float],
        now: Callable[[], float],
    ) -> None:
        self.stamp = 1
        self.tallies = {game: tally.copy() for game, tally in tallies.items()}
        self._control = control
        self._clock = clock
        self._now = now
        self.changed: Callable[[], None] = lambda: None
        self._running: dict[int, LiveMatch] = {}
        self._ended: dict[int, LiveMatch] = {}
        self._lobby: dict[int, LiveMatch] = {}  # by when they changed, the latest last
        self._waiting: dict[int, LiveMatch] = {}  # for room in the lobby
        self._bots: Counter[str] = Counter()  # a name may be a bot's and a casual player's
        self._bots_stamp = 1
        self._results = deque(results, RESULTS)
        self.results_stamp = 1
        self._over: deque[LiveMatch] = deque(maxlen=KEPT)  # those that were in the lobby
        self._oldest = 0  # who has seen no more than this stamp may have missed one that is over

    # What happens

    def joined(self, name: str, address: str) -> None:  # noqa: ARG002 (told to all observers)
        """A bot is here."""
        self._bots[name] += 1
        self._bots_stamp = self._next()

    def left(self, name: str) -> None:
        """A bot is gone."""
        self._bots[name] -= 1
        self._bots += Counter()  # which leaves out who is not here any more
        self._bots_stamp = self._next()

    def started(self, match: int, pairing: Pairing) -> None:
        """A match has begun."""
        facts = facts_of(match, pairing, pairing.time or self._control, self._now())
        shown = self._running[match] = LiveMatch(facts, pairing.opening, self._clock())
        shown.stamp = self._next()
        if len(self._lobby) < LOBBY_MATCHES:
            self._let_in(shown)
        else:
            self._waiting[match] = shown

    def moved(self, match: int, move: PlayedMove) -> None:
        """A player has moved."""
        shown = self._running[match]
        shown.take(move, self._touch(shown), self._clock())

    def taken_back(self, match: int, ply: int) -> None:
        """The moves of a match from a ply on are gone."""
        shown = self._running[match]
        self._touch(shown)
        shown.take_back(ply, self._clock())

    def finished(self, record: MatchRecord) -> None:
        """A match is over and stored."""
        if record.outcome:
            self.tallies.setdefault(record.pairing.game, Tally())[record.outcome] += 1
        shown = self._running.pop(record.id)
        result = result_of(record)
        shown.end(result)
        shown.stamp = self.results_stamp = self._next()
        self._results.appendleft(MatchSummary(shown.facts, result, len(shown.moves)))
        self._ended[record.id] = shown
        if len(self._ended) > KEPT:
            del self._ended[next(iter(self._ended))]
        if self._waiting.pop(record.id, None):
            return
        del self._lobby[record.id]
        if len(self._over) == KEPT:
            self._oldest = self._over[0].stamp
        self._over.append(shown)
        if self._waiting:
            self._let_in(self._waiting.pop(next(iter(self._waiting))))

    def _next(self) -> int:
        self.stamp += 1
        self.changed()
        return self.stamp

    def _touch(self, shown: LiveMatch) -> int:
        """A match that has changed is the last in its lobby."""
        shown.stamp = self._next()
        if shown.lobby_stamp:
            self._lobby[shown.facts.match] = self._lobby.pop(shown.facts.match)
        return shown.stamp

    def _let_in(self, shown: LiveMatch) -> None:
        """Show a match in the lobby."""
        self._lobby[shown.facts.match] = shown
        shown.stamp = shown.lobby_stamp = self._next()

    # What is told

    def find(self, match: int) -> LiveMatch | None:
        """A match that is being played, or has been until a moment ago."""
        return self._running.get(match) or self._ended.get(match)

    @property
    def oldest_running(self) -> int | None:
        """The match that has been played for the longest time; None if none is played."""
        return next(iter(self._running), None)

    def lobby(self, seen: int) -> Lobby | None:
        """What is new in the lobby after a stamp, 0 for all there is; None if nothing is."""
        if seen and seen < self._oldest:
            seen = 0
        over = self._over_since(seen) if seen else []
        changed = self._lobby_since(seen)
        now = self._clock()
        is_full = not seen
        has_results = self.results_stamp > seen
        new = [shown.facts for shown in changed if shown.lobby_stamp > seen]
        moves = [
            shown.since(seen if shown.lobby_stamp <= seen else 0, now) for shown in over + changed
        ]
        if not (is_full or changed or over or has_results or self._bots_stamp > seen):
            return None
        return Lobby(
            is_full,
            len(self._running),
            new or (),
            moves or (),
            [shown.facts.match for shown in over] or (),
            [*self._bots] if self._bots_stamp > seen else None,
            [*self._results] if has_results else None,
            sum(tally.total() for tally in self.tallies.values()) if has_results else None,
        )

    def _over_since(self, seen: int) -> list[LiveMatch]:
        """The matches that have gone out of the lobby after a stamp, if they were there before."""
        gone = []
        for shown in reversed(self._over):
            if shown.stamp <= seen:
                break
            if shown.lobby_stamp <= seen:
                gone.append(shown)
        return gone

    def _lobby_since(self, seen: int) -> list[LiveMatch]:
        """The matches in the lobby that have changed after a stamp, in the order of their start."""
        changed = []
        for shown in reversed(self._lobby.values()):
            if shown.stamp <= seen:
                break
            changed.append(shown)
        return sorted(changed, key=lambda shown: shown.facts.match)
