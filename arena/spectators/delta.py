"""What there is to tell to those who watch, from the place up to which each has been told. Pure."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from arena.protocol.codec import encode
from arena.protocol.spectator import MatchFinished, MatchMoves, MatchSnapshot, ToSpectator, Winners
from arena.spectators.live_state import LiveMatch, LiveState


class Cursor(NamedTuple):
    """Up to where a viewer has been told.

    `follows` is a match's id, None for the lobby, or -1 for nothing; `seen` is a stamp of the feed,
    `winners` the number of positions whose winner has been told, `tables` the number of the tables.
    """

    follows: int | None = -1
    seen: int = 0
    winners: int = 0
    tables: int = 0
    is_over: bool = False


NOWHERE = Cursor()


class Solved(NamedTuple):
    """Who wins after 0, 1, 2 ... of these moves; None where nobody knows."""

    moves: Sequence[int]
    winners: Sequence[int] | None


class Deltas:
    """What is in the feed, and what has been worked out besides: the tables, and who wins.

    `clock` is in seconds, and the feed's.
    """

    def __init__(self, feed: LiveState, clock: Callable[[], float]) -> None:
        self.tables = ""  # the frame
        self._tables_number = 0
        self._feed = feed
        self._clock = clock
        self._solved: dict[int, Solved] = {}

    def keep_tables(self, tables: str) -> None:
        """There are new tables."""
        self.tables = tables
        self._tables_number += 1

    def keep_winners(self, match: int, solved: Solved) -> None:
        """It is known, or known to be unknown, who wins along the moves of a match."""
        self._solved[match] = solved

    def is_unsolved(self, shown: LiveMatch) -> bool:
        """Whether it has to be worked out who wins in a match."""
        solved = self._solved.get(shown.facts.match)
        if solved is None:
            return True
        return solved.winners is not None and solved.moves != shown.moves

    def forget_all_but(self, followed: Collection[int | None]) -> list[int]:
        """Forget who wins in matches that nobody follows. Returns their ids."""
        gone = [match for match in self._solved if match not in followed]
        for match in gone:
            del self._solved[match]
        return gone

    def after(self, place: Cursor) -> tuple[list[str], Cursor]:
        """The frames that lead on from a place, and to which one."""
        if place.follows is None:
            return self._lobby_news(place)
        shown = self._feed.find(place.follows)
        if shown is None:  # nothing is followed, or what has ended long ago
            return [], NOWHERE
        messages, after = self._match_news(place, shown)
        return [encode(message) for message in messages], after

    def _lobby_news(self, place: Cursor) -> tuple[list[str], Cursor]:
        lobby = self._feed.lobby(place.seen)
        frames = [encode(lobby)] if lobby else []
        if place.tables < self._tables_number:
            frames.append(self.tables)
        return frames, Cursor(None, self._feed.stamp, 0, self._tables_number)

    def _match_news(self, place: Cursor, shown: LiveMatch) -> tuple[list[ToSpectator], Cursor]:
        now, match, seen = self._clock(), shown.facts.match, self._feed.stamp
        winners, is_over = self._winners(shown), shown.result is not None
        if not place.seen:
            whole = MatchSnapshot(shown.facts, shown.since(0, now), winners, shown.result)
            return [whole], Cursor(match, seen, len(winners or ()), 0, is_over)
        messages: list[ToSpectator] = []
        told = place.winners
        if shown.stamp > place.seen:
            moves = shown.since(place.seen, now)
            messages.append(MatchMoves(moves))
            told = min(told, moves.ply + 1)
        if winners and len(winners) > told:
            messages.append(Winners(match, told, winners[told:]))
            told = len(winners)
        if shown.result and not place.is_over:
            messages.append(MatchFinished(shown.result))
        return messages, Cursor(match, seen, told, 0, is_over)

    def _winners(self, shown: LiveMatch) -> Sequence[int] | None:
        """Who wins in as many positions of a match as is known."""
        solved = self._solved.get(shown.facts.match)
        if not solved or solved.winners is None:
            return None
        same = 0
        for one, other in zip(solved.moves, shown.moves, strict=False):
            if one != other:
                break
            same += 1
        return solved.winners[: same + 1]
