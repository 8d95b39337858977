"""Deltas: the frames that lead a spectator from its cursor to the current state. Pure."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from arena.protocol.codec import encode
from arena.protocol.spectator import MatchFinished, MatchMoves, MatchSnapshot, ToSpectator, Winners
from arena.spectators.live_match import LiveMatch
from arena.spectators.live_state import LiveState


class Cursor(NamedTuple):
    """A spectator's position in the stream of updates.

    Attributes:
        follows: The id of a match, None for the lobby, -1 for nothing.
        version: Version of the live state that the spectator has; 0 for none.
        winners: Number of positions of the match with a winner sent.
        leaderboards: Version of the leaderboards that has been sent.
        is_finished: Whether the result of the match has been sent.
    """

    follows: int | None = -1
    version: int = 0
    winners: int = 0
    leaderboards: int = 0
    is_finished: bool = False


IDLE = Cursor()


class KnownWinners(NamedTuple):
    """Winners under perfect play after 0, 1, 2 ... of these moves; None if they are unknown."""

    moves: Sequence[int]
    winners: Sequence[int] | None


class Deltas:
    """Encoder of deltas from the live state, the latest leaderboards and the known winners.

    Attributes:
        leaderboards: The frame with the latest leaderboards; empty before the first ones.
    """

    def __init__(self, state: LiveState, clock: Callable[[], float]) -> None:
        """Start without leaderboards and winners.

        Args:
            state: The live state.
            clock: The clock of the live state, in seconds.
        """
        self.leaderboards = ""
        self._leaderboards_version = 0
        self._state = state
        self._clock = clock
        self._winners: dict[int, KnownWinners] = {}  # by match

    def set_leaderboards(self, frame: str) -> None:
        """Store the frame with new leaderboards."""
        self.leaderboards = frame
        self._leaderboards_version += 1

    def set_winners(self, match: int, winners: KnownWinners) -> None:
        """Store the winners along the moves of a match."""
        self._winners[match] = winners

    def lacks_winners(self, match: LiveMatch) -> bool:
        """Return whether the winners have to be computed for the current moves of a match."""
        known = self._winners.get(match.info.match)
        if known is None:
            return True
        return known.winners is not None and known.moves != match.moves

    def discard_winners(self, followed: Collection[int | None]) -> list[int]:
        """Discard the winners of all matches that are not followed, and return their ids."""
        discarded = [match for match in self._winners if match not in followed]
        for match in discarded:
            del self._winners[match]
        return discarded

    def since(self, cursor: Cursor) -> tuple[list[str], Cursor]:
        """Return the frames after a cursor, and the cursor after these frames.

        The new cursor is IDLE if nothing is followed, or a match that the live state has dropped.
        """
        if cursor.follows is None:
            return self._lobby_delta(cursor)
        match = self._state.find(cursor.follows)
        if match is None:
            return [], IDLE
        messages, after = self._match_delta(cursor, match)
        return [encode(message) for message in messages], after

    def _lobby_delta(self, cursor: Cursor) -> tuple[list[str], Cursor]:
        lobby = self._state.lobby(cursor.version)
        frames = [encode(lobby)] if lobby else []
        if cursor.leaderboards < self._leaderboards_version:
            frames.append(self.leaderboards)
        return frames, Cursor(None, self._state.version, 0, self._leaderboards_version)

    def _match_delta(self, cursor: Cursor, match: LiveMatch) -> tuple[list[ToSpectator], Cursor]:
        now, match_id, version = self._clock(), match.info.match, self._state.version
        winners, is_finished = self._winners_of(match), match.result is not None
        if not cursor.version:
            moves = match.moves_since(0, now)
            snapshot = MatchSnapshot(match.info, moves, winners, match.result)
            return [snapshot], Cursor(match_id, version, len(winners or ()), 0, is_finished)
        messages: list[ToSpectator] = []
        sent = cursor.winners
        if match.version > cursor.version:
            moves = match.moves_since(cursor.version, now)
            messages.append(MatchMoves(moves))
            sent = min(sent, moves.ply + 1)
        if winners and len(winners) > sent:
            messages.append(Winners(match_id, sent, winners[sent:]))
            sent = len(winners)
        if match.result and not cursor.is_finished:
            messages.append(MatchFinished(match.result))
        return messages, Cursor(match_id, version, sent, 0, is_finished)

    def _winners_of(self, match: LiveMatch) -> Sequence[int] | None:
        """Return the known winners, as far as they are for the current moves of a match."""
        known = self._winners.get(match.info.match)
        if not known or known.winners is None:
            return None
        same = 0
        for one, other in zip(known.moves, match.moves, strict=False):
            if one != other:
                break
            same += 1
        return known.winners[: same + 1]
