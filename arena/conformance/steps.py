"""What the items of `arena check` are written in: scripts, which know no socket and no clock.

A script is a generator. It yields steps and is sent what came of each, which its docstring says. It
returns what there is to tell, or raises Fault or Skipped.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple, TypeVar

from arena.protocol.codec import DecodeError, decode_from_bot, encode
from arena.protocol.player import (
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
from core.game import Game, IllegalMove, Position

DIAL_SECONDS = 300.0  # until somebody has started a bot that is to dial in
HELLO_SECONDS = 10.0  # as in the arena, and for a program to start
BACK_SECONDS = 15.0  # that a bot has to come back
CLOCK_SHARE = 0.1  # of the patience with an answer that the clock shows
LARGE = 1000  # for any number of a setup
MOST_STRAYS = 100  # repeated answers in the place of one that is due
QUOTE = 200  # characters of what a bot has said

T = TypeVar("T")


class Send(NamedTuple):
    """Send a frame."""

    frame: str


class Receive(NamedTuple):
    """Wait for a frame until so long after the last frame was sent, or the bot came: Heard."""

    seconds: float


class Ping(NamedTuple):
    """Send a ping."""


class Pong(NamedTuple):
    """Wait for the answer to it, counting as in Receive: whether it came."""

    seconds: float


class Join(NamedTuple):
    """Wait for a new connection for so long: why there is none, or None or nothing."""

    seconds: float


class Drop(NamedTuple):
    """Cut the connection."""


class Close(NamedTuple):
    """Close the connection in good order."""

    code: int


class End(NamedTuple):
    """Wait for the end of the program for so long: its status, or None; and words."""

    seconds: float


Step = Send | Receive | Ping | Pong | Join | Drop | Close | End
Script = Generator[Step, Any, T]


class Heard(NamedTuple):
    """A frame and the seconds that it took; if there is none, how the connection was lost."""

    frame: str | bytes | None
    seconds: float
    lost: str = ""


class Fault(Exception):
    """What was expected of a bot, and what came."""

    def __init__(self, expected: str, came: str) -> None:
        super().__init__(f"expected {expected}; came {came}")
        self.expected = expected
        self.came = came


class Skipped(Exception):
    """An item that does not concern this bot; the text says why."""


class Answer(NamedTuple):
    """A move that is legal, or None to resign, and the seconds that it took."""

    turn: Turn
    move: int | None
    seconds: float


def shown(said: str | bytes) -> str:
    """What a bot has said, in plain ASCII of bounded length."""
    text = ascii(said[:QUOTE])
    return (text if isinstance(said, bytes) else text[1:-1]) + "..." * (len(said) > QUOTE)


def usual_setups(game: Game) -> list[dict[str, int]]:
    """Setups in which each number is a usual one, and each usual number occurs."""
    parameters = game.parameters.items()
    count = max((len(of.usual) for _, of in parameters), default=1)
    return [
        {name: of.usual[place % len(of.usual)] for name, of in parameters} for place in range(count)
    ]


def setups(game: Game) -> list[dict[str, int]]:
    """The least setup in which player 1 can move, a usual one, a large one: all that differ."""
    parameters = game.parameters.items()
    rising = ({name: of.minimum + more for name, of in parameters} for more in range(LARGE))
    large = {name: max(LARGE, of.minimum) for name, of in parameters}
    least = filter(_is_playable(game), rising)
    found = [*islice(least, 1), usual_setups(game)[0], *filter(_is_playable(game), [large])]
    return [setup for place, setup in enumerate(found) if setup not in found[:place]]


def _is_playable(game: Game) -> Callable[[Mapping[str, int]], bool]:
    def is_playable(setup: Mapping[str, int]) -> bool:
        try:
            return not game.position(**setup).is_over
        except ValueError:  # not every number that is large enough need do
            return False

    return is_playable


def position_of(turn: Turn) -> Position:
    """The position in which a move is asked for."""
    return GAMES[turn.game].position(**turn.setup, taken=turn.moves)


class Referee:
    """Plays the referee's part, and knows what the bot has been told so far.

    `patience` is how many seconds an answer may take, `game` the only one to play if it is not
    None, `name` what the bot was told to call itself if it was. All that is drawn is always alike.
    """

    def __init__(self, patience: float, game: str | None, name: str | None) -> None:
        self.hello: Hello | None = None
        self.games: list[str] = []
        self._patience = patience
        self._wanted = [*GAMES] if game is None else [game]
        self.name = name
        self.random = Random(1)
        self.session = ""
        self._matches: list[str] = []
        self._answered: set[tuple[str, int]] = set()  # matches and plies
        self.endings: dict[str, Finished] = {}  # of those that the bot believes it plays
        self.understands_finished = False

    def enter(self, seconds: float) -> Script[Hello]:
        """Wait so long for the bot, and welcome it. Returns its hello. Raises Fault."""
        if why := (yield Join(seconds)):
            raise Fault("a connection to /play", why)
        heard = yield Receive(HELLO_SECONDS)
        hello = _message(heard, "a hello")
        if not isinstance(hello, Hello):
            raise Fault("a hello first", shown(heard.frame))
        if hello.protocol != PROTOCOL_VERSION:
            raise Fault(f"a hello with protocol {PROTOCOL_VERSION}", shown(heard.frame))
        games = [game for game in self._wanted if game in hello.games]
        if not games:
            raise Fault(f"a hello with any of the games {self._wanted}", shown(heard.frame))
        self.hello, self.games = hello, games
        if not self.session or hello.session != self.session:
            self.session = f"session-{self.random.getrandbits(64):x}"
        self.endings.clear()
        yield Send(encode(Welcome(PROTOCOL_VERSION, hello.name, self.session)))
        return hello

    def first_hello(self) -> Script[Hello]:
        """Wait for the bot until its program or its author has started it."""
        return self.enter(DIAL_SECONDS if self.name is None else HELLO_SECONDS)

    def next_hello(self) -> Script[Hello]:
        """Wait for the bot to come back."""
        return self.enter(BACK_SECONDS)

    def turn(
        self,
        match: str,
        game: str,
        setup: Mapping[str, int],
        moves: Sequence[int] = (),
        clock: float | None = None,
    ) -> Turn:
        """A turn after these moves. Both clocks show so many seconds, or some that are enough."""
        seconds = self._patience * CLOCK_SHARE if clock is None else clock
        milliseconds = max(1, int(1000 * seconds))
        you = len(moves) % 2 + 1
        reason = "the check goes on with another match"
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
        )

    def new_match(self) -> str:
        """The name of another match."""
        self._matches.append(f"check-{len(self._matches) + 1}")  # a name, not a number
        return self._matches[-1]

    def finish(self) -> Script[None]:
        """Tell the bot that all its matches are over."""
        for ending in self.endings.values():
            yield Send(encode(ending))
        self.endings.clear()

    def another(self) -> Script[str]:
        """End what is played, so far as the bot understands it. Returns the name of a match."""
        if self.understands_finished:
            yield from self.finish()
        return self.new_match()

    def usual_turn(self, clock: float | None = None) -> Script[Turn]:
        """The first turn of a new match, which is not sent yet. The clock is in seconds."""
        match = yield from self.another()
        game = self.games[0]
        return self.turn(match, game, usual_setups(GAMES[game])[0], clock=clock)

    def ask(self, turn: Turn) -> Script[Answer]:
        """Send a turn and wait for its answer."""
        yield Send(encode(turn))
        return (yield from self.answer(turn))

    def answer(self, *turns: Turn) -> Script[Answer]:
        """The next answer to one of these turns. Raises Fault if it is not legal.

        Repeated ones, and late ones to other turns, do no harm.
        """
        wanted = {turn.match: turn for turn in turns}
        expected = "a move in " + " or ".join(f"{turn.match} at ply {turn.ply}" for turn in turns)
        for _ in range(MOST_STRAYS):
            heard = yield Receive(self._patience)
            message = _message(heard, expected)
            if not isinstance(message, Move | Resign) or message.match not in self._matches:
                raise Fault(expected, shown(heard.frame))
            turn = wanted.get(message.match)
            if turn and not (isinstance(message, Move) and _key(message) in self._answered):
                self._answered.add(_key(turn))
                return Answer(turn, _judged(turn, message, heard.frame), heard.seconds)
        raise Fault(expected, f"{MOST_STRAYS} frames that were not asked for: {shown(heard.frame)}")


def _key(message: Turn | Move) -> tuple[str, int]:
    return message.match, message.ply


def _message(heard: Heard, expected: str) -> FromBot:
    if heard.frame is None:
        raise Fault(expected, heard.lost or f"nothing within {heard.seconds:.1f} s")
    try:
        return decode_from_bot(heard.frame)
    except DecodeError as error:
        raise Fault(expected, f"{shown(heard.frame)}: {shown(str(error))}") from None


def _judged(turn: Turn, message: Move | Resign, frame: str | bytes) -> int | None:
    """The move, if it is legal, or None to resign."""
    if isinstance(message, Resign):
        return None
    if message.ply != turn.ply:
        raise Fault(f"ply {turn.ply}, copied from the turn", shown(frame))
    position = position_of(turn)
    legal = position.legal_moves()
    try:
        position.take(message.move)
    except IllegalMove as error:
        raise Fault(f"one of the moves {shown(str(legal))}", f"{shown(frame)}: {error}") from None
    return message.move
