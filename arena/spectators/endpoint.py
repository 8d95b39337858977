"""Endpoint for spectators: the description of the arena, their connections and requests."""

import asyncio
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Self

from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from arena.lobby.challenges import Challenges
from arena.model.observer import Problems
from arena.network.connection import Connection, OnMessage
from arena.protocol.codec import (
    UNREADABLE_LIMIT,
    DecodeError,
    RequestError,
    encode,
)
from arena.protocol.player import closest_name, name_problem
from arena.protocol.spectator import (
    About,
    ChallengeInfo,
    CheckName,
    ErrorReply,
    FindChallenge,
    FromSpectator,
    GameInfo,
    MatchSummary,
    NameCheck,
    ParameterInfo,
    TournamentInfo,
    Watch,
    decode_from_spectator,
)
from arena.spectators.broadcaster import Broadcaster, Spectator, charge_text
from arena.spectators.computations import BackgroundTasks, Computations
from arena.spectators.delta import IDLE, Cursor, Deltas
from arena.spectators.live_state import LiveState
from arena.spectators.workers.pool import Workers
from arena.storage.writer import DatabaseWriter
from arena.tournament.format_state import FormatState
from arena.tournament.plan import Plan
from core import GAMES

# For a question to a worker process, beside those for its texts: while it computes, the caches of
# the processor lose the arena's code and data, which makes each step of the way back slow.
WORKER_UNITS = 6
MAX_UNANSWERED = 20  # messages of one connection that wait for the answers before them
# Characters of these messages, beyond the first one: decoded, they take up to ten times as much.
MAX_UNANSWERED_SIZE = 16 * 1024
LONGEST_NAME = 1000  # characters that are looked at; the normal form of many takes long
RUN = secrets.token_urlsafe(8)  # identifies this process to the page


class TooManyUnreadable(Exception):
    """A spectator has sent UNREADABLE_LIMIT unreadable messages."""


class UnansweredMessages:
    """Messages of a connection that wait for the answers before them."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[tuple[FromSpectator, int]] = asyncio.Queue()
        self._size = 0

    def add(self, message: FromSpectator, size: int) -> None:
        """Append a message of this many characters. Raises RequestError if too much waits."""
        waiting = self._messages.qsize()
        if waiting == MAX_UNANSWERED or (waiting and self._size + size > MAX_UNANSWERED_SIZE):
            text = (
                f"{waiting} messages of this connection are unanswered (limit: {MAX_UNANSWERED},"
                f" {MAX_UNANSWERED_SIZE // 1024} KiB)"
            )
            raise RequestError("busy", text)
        self._messages.put_nowait((message, size))
        self._size += size

    async def next(self) -> FromSpectator:
        """Wait for the next message and remove it."""
        message, size = await self._messages.get()
        self._size -= size
        return message


class SpectatorEndpoint:
    """WebSocket endpoint for spectators, open from `async with` to its end.

    It must be closed before the server.
    """

    def __init__(
        self,
        state: LiveState,
        writer: DatabaseWriter,
        describe: Callable[[], About],
        problems: Problems,
        format_state: Callable[[], FormatState] = FormatState,
        anchor: tuple[str, float] | None = None,
        challenges: Challenges | None = None,
    ) -> None:
        """Wire the parts; nothing runs yet.

        Args:
            state: The live state, on the clock `time.monotonic`.
            writer: The database of the arena.
            describe: Returns the description of the arena.
            problems: Where processes are reported that do not work.
            format_state: Returns the state of the tournament's format.
            anchor: The bot with the fixed rating, and that rating in Elo.
            challenges: The challenges between casual players, if those are accepted.
        """
        self._challenges = challenges
        self._state = state
        self._describe = describe
        self._workers = Workers(writer.path, anchor, problems)
        self._tasks = BackgroundTasks()
        deltas = Deltas(state, time.monotonic)
        self._computations = Computations(
            state,
            deltas,
            writer,
            self._workers,
            self._tasks,
            describe,
            format_state,
        )
        self._broadcaster = Broadcaster(deltas, self._computations, self._workers, self._tasks)
        state.on_change = self._computations.on_result = self._broadcaster.request_round
        state.is_watched = False

    async def __aenter__(self) -> Self:
        self._tasks.start(self._broadcaster.run())
        self._tasks.start(self._computations.judge_matches(self._broadcaster.has_lobby_spectators))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._tasks.cancel()
        await self._workers.close()

    async def send_final_state(self) -> None:
        """Send all spectators the current state at once, before the arena closes."""
        if not self._broadcaster.is_empty:
            await self._computations.compute_leaderboards()
            await self._broadcaster.send_round()

    async def reload(self, results: Sequence[MatchSummary], finished_count: int) -> None:
        """Show the stored matches anew, which were changed: see `LiveState.reload`."""
        await self._workers.restart()
        self._state.reload(results, finished_count)

    async def serve(self, connection: Connection) -> None:
        """Serve a connection until it ends."""
        spectator = Spectator(connection)
        self._broadcaster.add(spectator)
        self._state.is_watched = True
        try:
            with suppress(ConnectionClosed):
                await connection.send(encode(self._describe()))
                await self._serve_requests(spectator)
        finally:
            self._broadcaster.discard(spectator)
            self._state.is_watched = not self._broadcaster.is_empty

    async def _serve_requests(self, spectator: Spectator) -> None:
        """Reply to the messages of a spectator in order, until its connection ends.

        All are read at once, so that its end is noticed while an answer is awaited: then the
        question is dropped.
        """
        connection, messages = spectator.connection, UnansweredMessages()
        async with asyncio.TaskGroup() as tasks:
            replying = tasks.create_task(self._reply_in_order(spectator, messages))
            try:
                await connection.handle_messages(_reader(connection, messages))
            except TooManyUnreadable:
                await connection.close(CloseCode.POLICY_VIOLATION, "unreadable")
            finally:
                replying.cancel()

    async def _reply_in_order(self, spectator: Spectator, messages: UnansweredMessages) -> None:
        connection = spectator.connection
        with suppress(ConnectionClosed):
            while True:
                message = await messages.next()
                if isinstance(message, Watch) and self._follow(spectator, message.match):
                    continue
                try:
                    reply = await self._answer(connection, message)
                except RequestError as error:
                    reply = _error(message, error)
                charge_text(connection, len(reply))
                await connection.send(reply)

    async def _answer(self, connection: Connection, message: FromSpectator) -> str:
        """Return the frame that answers a message of a connection. Raises RequestError."""
        if isinstance(message, CheckName):
            return encode(check_name(message))
        if isinstance(message, FindChallenge):
            return encode(find_challenge(message, self._challenges))
        connection.charge(WORKER_UNITS)
        return await self._workers.ask(connection.asker, message)

    def _follow(self, spectator: Spectator, match: int | None) -> bool:
        """Let a spectator follow a live match or the lobby (None); return whether it is one."""
        is_live = match is None or self._state.find(match) is not None
        spectator.cursor = Cursor(match) if is_live else IDLE
        if is_live:
            self._broadcaster.request_round()
        return is_live


def _reader(connection: Connection, messages: UnansweredMessages) -> OnMessage:
    """Return a function that decodes the messages of a connection and lets them wait.

    It raises TooManyUnreadable.
    """
    unreadable = 0

    def receive(frame: str | bytes, _now: float) -> bool:
        nonlocal unreadable
        charge_text(connection, len(frame))  # a question is sent on to a worker
        try:
            message = decode_from_spectator(frame)
            messages.add(message, len(frame))
        except DecodeError as error:
            connection.send_frame(encode(ErrorReply("unreadable", str(error))))
            unreadable += 1
            if unreadable == UNREADABLE_LIMIT:
                raise TooManyUnreadable from None
        except RequestError as error:
            connection.send_frame(_error(message, error))
        return False

    return receive


def _error(message: FromSpectator, error: RequestError) -> str:
    """Return the frame that rejects a message."""
    request = None if isinstance(message, Watch) else message.request
    return encode(ErrorReply(error.code, str(error), request))


def check_name(question: CheckName) -> NameCheck:
    """Return the closest spelling of a name that is valid, or why it is not."""
    name = closest_name(question.name[:LONGEST_NAME])
    return NameCheck(question.request, name, name_problem(name))


def find_challenge(question: FindChallenge, challenges: Challenges | None) -> ChallengeInfo:
    """Return what an open challenge offers.

    Args:
        question: Names the challenge.
        challenges: All challenges; None if casual players are not accepted.

    Raises:
        RequestError: The challenge is not open.
    """
    if challenges is None:
        raise RequestError("unknown_challenge", "this arena has no challenges")
    player, challenge, time = challenges.find(question.challenge)
    offer = challenge.game, challenge.setup, challenge.you, time
    opening = challenge.moves, challenge.hints
    return ChallengeInfo(question.request, player.name, *offer, *opening)


def describe_arena(
    games: Collection[str],
    control: str,
    plan: Plan | None = None,
    house_bots: Mapping[str, Collection[str]] | None = None,
) -> About:
    """Return the description of an arena for spectators.

    Args:
        games: The names of the games.
        control: The time control, as text.
        plan: The plan of the tournament, if there is one.
        house_bots: The games that each house bot plays, by its name; None if casual players are
            not accepted.
    """
    known = []
    for game in map(GAMES.__getitem__, games):
        parameters = {name: ParameterInfo(*facts) for name, facts in game.parameters.items()}
        parts = game.solver is not None, game.has_board, game.matching is not None
        known.append(GameInfo(game.name, game.title, parameters, *parts))
    return About(
        RUN,
        control,
        known,
        house_bots is not None,
        {bot: [*known_games] for bot, known_games in (house_bots or {}).items()},
        _describe_tournament(plan) if plan else None,
    )


def _describe_tournament(plan: Plan) -> TournamentInfo:
    references = plan.seeds if plan.format == "gauntlet" else 0
    parts = plan.matches, plan.may_end_early, plan.seed, references
    return TournamentInfo(plan.game, plan.format, [*plan.bots], *parts)
