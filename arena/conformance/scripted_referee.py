"""Scripted referee of the conformance test: it sends turns to a bot and judges the answers."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from arena.conformance.random_games import typical_setups
from arena.conformance.steps import (
    AcceptConnection,
    CheckFailed,
    Receive,
    Received,
    Script,
    Send,
    printable,
)
from arena.protocol.codec import DecodeError, decode_from_bot, encode
from arena.protocol.player import (
    HELLO_TIMEOUT,
    PROTOCOL_VERSION,
    Finished,
    FromBot,
    Hello,
    Move,
    Resign,
    Turn,
    Welcome,
)
from core import GAMES
from core.game import IllegalMove

START_TIMEOUT = 300.0  # seconds until an author has started a bot that connects by itself
CONNECT_TIMEOUT = 10.0  # seconds until a program has connected
RECONNECT_TIMEOUT = 15.0  # seconds
CLOCK_SHARE = 0.1  # of the timeout for an answer: the time on the clocks of a turn
MAX_STRAY_ANSWERS = 100  # repeated or late answers before an expected one


class Answer(NamedTuple):
    """Legal answer to a turn: a move, or None for a resignation, and its time in seconds."""

    turn: Turn
    move: int | None
    seconds: float


class ScriptedReferee:
    """The arena's side of the protocol, and its state: bot, session and matches.

    Its random choices are the same in every run.

    Args:
        timeout: The seconds to wait for an answer.
        game: The only game to play; None for all games of the bot.
        name: The name that the bot was given in ARENA_NAME; None if it connects by itself.

    Attributes:
        hello: The last hello of the bot, None before the first.
        games: The games that the bot and the check have in common.
        session: The session key that the bot was sent.
        endings: The `finished` message of each match that the bot is still playing.
        understands_finished: Whether matches can be ended with `finished`.
    """

    def __init__(self, timeout: float, game: str | None, name: str | None) -> None:
        self.hello: Hello | None = None
        self.games: list[str] = []
        self.name = name
        self.random = Random(1)
        self.session = ""
        self.endings: dict[str, Finished] = {}
        self.understands_finished = False
        self._timeout = timeout
        self._checked_games = [*GAMES] if game is None else [game]
        self._matches: list[str] = []
        self._answered: set[tuple[str, int]] = set()  # matches and plies

    def receive_hello(self) -> Script[Hello]:
        """Wait for the first connection of the bot, and welcome it. Raises CheckFailed."""
        return self._welcome(START_TIMEOUT if self.name is None else CONNECT_TIMEOUT)

    def receive_hello_again(self) -> Script[Hello]:
        """Wait for the bot to reconnect, and welcome it. Raises CheckFailed."""
        return self._welcome(RECONNECT_TIMEOUT)

    def _welcome(self, timeout: float) -> Script[Hello]:
        if reason := (yield AcceptConnection(timeout)):
            raise CheckFailed("a connection to /play", reason)
        received = yield Receive(HELLO_TIMEOUT)
        hello = _decode(received, "a hello")
        if not isinstance(hello, Hello):
            raise CheckFailed("a hello first", printable(received.frame))
        if hello.protocol != PROTOCOL_VERSION:
            expected = f"a hello with protocol {PROTOCOL_VERSION}"
            raise CheckFailed(expected, printable(received.frame))
        games = [game for game in self._checked_games if game in hello.games]
        if not games:
            expected = f"a hello with any of the games {self._checked_games}"
            raise CheckFailed(expected, printable(received.frame))
        self.hello, self.games = hello, games
        if not self.session or hello.session != self.session:
            self.session = f"session-{self.random.getrandbits(64):x}"
        self.endings.clear()
        yield Send(encode(Welcome(PROTOCOL_VERSION, hello.name, self.session)))
        return hello

    def make_turn(
        self,
        match: str,
        game: str,
        setup: Mapping[str, int],
        moves: Sequence[int] = (),
        clock: float | None = None,
    ) -> Turn:
        """Return the turn after some moves.

        Args:
            match: The id of the match.
            game: The name of the game.
            setup: The parameters of the game.
            moves: The moves so far.
            clock: The seconds on both clocks; None for a share of the timeout.
        """
        seconds = self._timeout * CLOCK_SHARE if clock is None else clock
        milliseconds = max(1, int(1000 * seconds))
        you = len(moves) % 2 + 1
        reason = "the check continues with another match"
        self.endings[match] = Finished(match, you, None, "aborted", reason, [*moves])
        return Turn(
            match=match,
            game=game,
            setup=setup,
            moves=[*moves],
            ply=len(moves),
            you=you,
            clocks_ms=(milliseconds, milliseconds),
            increment_ms=0,
            opponent="referee",
            per_move=True,
            opponent_increment_ms=0,
            opponent_per_move=True,
        )

    def new_match(self) -> str:
        """Return the id of a new match."""
        self._matches.append(f"check-{len(self._matches) + 1}")  # ids need not be numbers
        return self._matches[-1]

    def next_match(self) -> Script[str]:
        """End the current matches if the bot understands that; return the id of a new one."""
        if self.understands_finished:
            yield from self.finish_matches()
        return self.new_match()

    def finish_matches(self) -> Script[None]:
        """Send the bot the end of each match that it is still playing."""
        for ending in self.endings.values():
            yield Send(encode(ending))
        self.endings.clear()

    def first_turn(self, clock: float | None = None) -> Script[Turn]:
        """Return the first turn of a new match, which is not sent yet; the clock is in seconds."""
        match = yield from self.next_match()
        game = self.games[0]
        return self.make_turn(match, game, typical_setups(GAMES[game])[0], clock=clock)

    def ask(self, turn: Turn) -> Script[Answer]:
        """Send a turn and receive the answer. Raises CheckFailed."""
        yield Send(encode(turn))
        return (yield from self.receive_answer(turn))

    def ask_for_moves(
        self, game: str, positions: Iterable[tuple[Mapping[str, int], Sequence[int]]]
    ) -> Script[list[int | None]]:
        """Send the turn of each position, a match of its own, and receive the moves.

        Args:
            game: The name of the game.
            positions: The setup of each position, and the moves before it.

        Raises:
            CheckFailed: If an answer is missing or not legal.
        """
        found = []
        for setup, moves in positions:
            match = yield from self.next_match()
            answer = yield from self.ask(self.make_turn(match, game, setup, moves))
            found.append(answer.move)
        return found

    def receive_answer(self, *turns: Turn) -> Script[Answer]:
        """Receive the answer to one of some turns; ignore repeated and late answers.

        Raises:
            CheckFailed: If there is no answer, or it is not legal.
        """
        pending = {turn.match: turn for turn in turns}
        expected = "a move in " + " or ".join(f"{turn.match} at ply {turn.ply}" for turn in turns)
        for _ in range(MAX_STRAY_ANSWERS):
            received = yield Receive(self._timeout)
            message = _decode(received, expected)
            if not isinstance(message, Move | Resign) or message.match not in self._matches:
                raise CheckFailed(expected, printable(received.frame))
            turn = pending.get(message.match)
            if turn and not (isinstance(message, Move) and _key(message) in self._answered):
                self._answered.add(_key(turn))
                move = _legal_move(turn, message, received.frame)
                return Answer(turn, move, received.seconds)
        strays = f"{MAX_STRAY_ANSWERS} unexpected frames: {printable(received.frame)}"
        raise CheckFailed(expected, strays)


def _key(message: Turn | Move) -> tuple[str, int]:
    return message.match, message.ply


def _decode(received: Received, expected: str) -> FromBot:
    if received.frame is None:
        raise CheckFailed(expected, received.closed or f"nothing within {received.seconds:.1f} s")
    try:
        return decode_from_bot(received.frame)
    except DecodeError as error:
        text = f"{printable(received.frame)}: {printable(str(error))}"
        raise CheckFailed(expected, text) from None


def _legal_move(turn: Turn, message: Move | Resign, frame: str | bytes) -> int | None:
    """Return the move, or None for a resignation. Raises CheckFailed if it is illegal."""
    if isinstance(message, Resign):
        return None
    if message.ply != turn.ply:
        raise CheckFailed(f"ply {turn.ply}, copied from the turn", printable(frame))
    position = GAMES[turn.game].position(**turn.setup, moves=turn.moves)
    expected = f"one of the moves {printable(str(position.legal_moves()))}"
    try:
        position.play(message.move)
    except IllegalMove as error:
        raise CheckFailed(expected, f"{printable(frame)}: {error}") from None
    return message.move
