"""Check items of the conformance test, each a script of the arena's side of the protocol.

docs/guide/check-a-bot.md describes the expected behaviour of a bot.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from arena.conformance.random_games import small_to_large_setups, typical_setups
from arena.conformance.scripted_referee import Answer, ScriptedReferee
from arena.conformance.steps import (
    AbortConnection,
    CheckFailed,
    CheckSkipped,
    CloseConnection,
    Receive,
    ReceivePong,
    Script,
    Send,
    SendPing,
    WaitForExit,
    printable,
)
from arena.protocol.codec import encode
from arena.protocol.player import Error, Finished
from core import GAMES

SILENCE_SECONDS = 0.5  # without a message during the opponent's turn
PONG_TIMEOUT = 1.0  # seconds, unless the move takes longer
SHORT_CLOCK = 0.2  # seconds
CLOCK_TOLERANCE = 1.0  # seconds beyond a short clock, for slow machines
EXIT_TIMEOUT = 5.0  # seconds
OPENINGS = 2  # unrelated positions of each setup

NO_SECOND_MOVE = "every first move ends the game"

NORMAL_CLOSE, SERVICE_RESTART = 1000, 1012  # close codes


def says_hello(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot says hello, under the name that it was given."""
    hello = yield from referee.receive_hello()
    if referee.name not in (None, hello.name):
        expected = f"the name {referee.name}, from ARENA_NAME"
        raise CheckFailed(expected, f"the name {printable(hello.name)}")
    games = ", ".join(referee.games)
    return f"{printable(hello.name)} plays {games}, matches at once: {hello.matches}"


def moves_as_player_1(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot makes the first move of a match."""
    return _describe(_require_move((yield from referee.ask((yield from referee.first_turn())))))


def moves_as_player_2(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot answers the first move of a match, in every game."""
    answers = []
    for game in referee.games:
        setup = typical_setups(GAMES[game])[0]
        for first in _first_moves(game, setup)[:1]:
            match = yield from referee.next_match()
            answer = yield from referee.ask(referee.make_turn(match, game, setup, [first]))
            answers.append(_describe(_require_move(answer)))
    if not answers:
        raise CheckSkipped(NO_SECOND_MOVE)
    return ", ".join(answers)


def _first_moves(game: str, setup: Mapping[str, int]) -> list[int]:
    """Return the first moves after which the game goes on, ascending."""
    start = GAMES[game].position
    return [
        move for move in start(**setup).legal_moves() if not start(**setup, moves=[move]).is_over
    ]


def plays_whole_games(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot plays to the end, on both sides, against random moves."""
    moves = 0
    for game in referee.games:
        for side in (1, 2):
            moves += yield from _whole_game(referee, game, side)
    return f"{2 * len(referee.games)} games of {moves} moves"


def _whole_game(referee: ScriptedReferee, game: str, side: int) -> Script[int]:
    """Play a game against the bot, which is player `side`; return the number of moves."""
    match = yield from referee.next_match()
    setup = typical_setups(GAMES[game])[0]
    position = GAMES[game].position(**setup)
    winner: int | None = 3 - side
    termination, reason = "resignation", "the bot resigned"
    while not (outcome := position.outcome):
        move: int | None = referee.random.choice(position.legal_moves())
        if position.player_to_move == side:
            turn = referee.make_turn(match, game, setup, position.moves)
            move = (yield from referee.ask(turn)).move
        if move is None:
            break
        position.play(move)
    else:
        winner, reason, termination = outcome
    ending = Finished(match, side, winner, termination, reason, position.moves)
    referee.endings[match] = ending
    return len(position.moves)


def plays_all_setups(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot makes the first move of small and large games."""
    played = []
    for game in referee.games:
        for setup in small_to_large_setups(GAMES[game]):
            match = yield from referee.next_match()
            yield from referee.ask(referee.make_turn(match, game, setup))
            played.append(" ".join([game, *map(str, setup.values())]))
    return ", ".join(played)


def moves_in_unrelated_positions(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot moves in positions without having been sent their earlier turns."""
    positions = [found for game in referee.games for found in _unrelated_positions(referee, game)]
    if not positions:
        raise CheckSkipped(NO_SECOND_MOVE)
    referee.random.shuffle(positions)
    for game, setup, moves in positions:
        match = yield from referee.next_match()
        yield from referee.ask(referee.make_turn(match, game, setup, moves))
    return f"{len(positions)} unrelated positions"


def _unrelated_positions(
    referee: ScriptedReferee, game: str
) -> Iterator[tuple[str, dict[str, int], list[int]]]:
    """Yield random positions where the game has begun and is not over."""
    for setup in typical_setups(GAMES[game]):
        first_moves = _first_moves(game, setup)
        if not first_moves:
            continue
        position = GAMES[game].position(**setup, moves=[referee.random.choice(first_moves)])
        while not position.is_over:
            position.play(referee.random.choice(position.legal_moves()))
        for _ in range(OPENINGS):
            yield game, setup, position.moves[: referee.random.randrange(1, len(position.moves))]


def ignores_unknown_content(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot ignores unknown message types and fields."""
    yield Send('{"type": "news", "of": {"tomorrow": [1, 2.5, null]}}')
    yield from referee.ask((yield from referee.first_turn()))
    turn = yield from referee.first_turn()
    yield Send(encode(turn)[:-1] + ',"news":{"of":["tomorrow",2.5,null]}}')
    yield from referee.receive_answer(turn)
    return "a type and a field"


def plays_several_matches(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot answers two turns that are sent at once."""
    assert referee.hello
    if referee.hello.matches == 1:
        raise CheckSkipped("its hello says that it plays one match at once")
    game, setup = referee.games[0], typical_setups(GAMES[referee.games[0]])[0]
    first_moves = _first_moves(game, setup)
    if not first_moves:
        raise CheckSkipped(NO_SECOND_MOVE)
    one = yield from referee.first_turn()
    two = referee.make_turn(referee.new_match(), game, setup, first_moves[-1:])
    yield Send(encode(one))
    yield Send(encode(two))
    answer = yield from referee.receive_answer(one, two)
    yield from referee.receive_answer(two if answer.turn is one else one)
    return "2 turns at once"


def is_silent_and_answers_pings(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot answers pings during its turn, and sends nothing after its move."""
    match = yield from referee.next_match()
    game = referee.games[0]
    turn = referee.make_turn(match, game, small_to_large_setups(GAMES[game])[-1])
    yield Send(encode(turn))
    yield SendPing()
    answer = yield from referee.receive_answer(turn)
    if not (yield ReceivePong(max(PONG_TIMEOUT, answer.seconds))):
        received = f"none, and the move after {answer.seconds:.2f} s"
        raise CheckFailed(f"a pong before the move or within {PONG_TIMEOUT:g} s", received)
    received = yield Receive(answer.seconds + SILENCE_SECONDS)
    if received.frame is not None or received.closed:
        raise CheckFailed("silence after its move", received.closed or printable(received.frame))
    return f"silent for {SILENCE_SECONDS:g} s, pings answered"


def continues_after_finished(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot plays another match after the end of one."""
    yield from referee.finish_matches()
    answer = yield from referee.ask((yield from referee.first_turn()))
    referee.understands_finished = True
    return _describe(answer)


def moves_in_time(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot does not exceed a short clock."""
    answer = yield from referee.ask((yield from referee.first_turn(clock=SHORT_CLOCK)))
    if answer.seconds > SHORT_CLOCK + CLOCK_TOLERANCE:
        expected = f"a move within {SHORT_CLOCK:g} s, with a tolerance of {CLOCK_TOLERANCE:g} s"
        raise CheckFailed(expected, f"one after {answer.seconds:.2f} s")
    return f"{answer.seconds:.2f} s, with {SHORT_CLOCK:g} s on the clock"


def continues_after_error(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot plays on after an error message."""
    match = yield from referee.next_match()
    yield Send(encode(Error("unknown_match", f"match {match} is only a test", match)))
    return _describe((yield from referee.ask((yield from referee.first_turn()))))


def reconnects(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot resumes its session after a lost connection and answers the turn."""
    turn = yield from referee.first_turn()
    yield Send(encode(turn))
    yield AbortConnection()
    session = referee.session
    hello = yield from referee.receive_hello_again()
    if hello.session != session:
        received = f"one with {printable(str(hello.session))}"
        raise CheckFailed(f"a hello with the session {session}", received)
    return _describe((yield from referee.ask(turn)))


def reconnects_after_restart(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot reconnects after the close code for a restart."""
    yield CloseConnection(SERVICE_RESTART)
    yield from referee.receive_hello_again()
    return f"reconnected after close {SERVICE_RESTART}"


def exits(referee: ScriptedReferee) -> Script[str]:
    """Check that the bot's program exits after the close code for the end."""
    yield CloseConnection(NORMAL_CLOSE)
    if referee.name is None:
        raise CheckSkipped("the check did not start its program")
    status, description = yield WaitForExit(EXIT_TIMEOUT)
    if status != 0:
        raise CheckFailed(f"an exit with status 0 after close {NORMAL_CLOSE}", description)
    return f"status 0 after close {NORMAL_CLOSE}"


def _require_move(answer: Answer) -> Answer:
    """Return the answer. Raises CheckFailed if it is a resignation."""
    if answer.move is None:
        raise CheckFailed("a move", "a resignation")
    return answer


def _describe(answer: Answer) -> str:
    choice = "resignation" if answer.move is None else f"move {answer.move}"
    return f"{choice} in {answer.seconds:.2f} s"


class CheckItem(NamedTuple):
    """One item of the conformance test.

    Attributes:
        number: The number in the documentation.
        title: The title in the report.
        script: The script.
        requires: The numbers of the items that must pass before.
        is_required: Whether its failure is an error, not a warning.
    """

    number: int
    title: str
    script: Callable[[ScriptedReferee], Script[str]]
    requires: tuple[int, ...] = (2,)
    is_required: bool = True


# In the order of execution. The items after 10 end their matches with `finished` if the bot
# understands that; the items that end the bot come last.
CHECK_ITEMS = (
    CheckItem(1, "says hello", says_hello, ()),
    CheckItem(2, "moves as player 1", moves_as_player_1, ()),
    CheckItem(10, "plays on after finished", continues_after_finished),
    CheckItem(3, "moves as player 2", moves_as_player_2),
    CheckItem(4, "plays whole games", plays_whole_games, (2, 3)),
    CheckItem(5, "plays small and large setups", plays_all_setups),
    CheckItem(6, "moves in unrelated positions", moves_in_unrelated_positions, (2, 3)),
    CheckItem(7, "ignores unknown types and fields", ignores_unknown_content),
    CheckItem(8, "plays several matches at once", plays_several_matches, (2, 3)),
    CheckItem(9, "is silent after moves, answers pings", is_silent_and_answers_pings),
    CheckItem(11, "moves within its time", moves_in_time),
    CheckItem(12, "plays on after error", continues_after_error),
    CheckItem(13, "reconnects with its session", reconnects, is_required=False),
    CheckItem(15, "reconnects after a restart", reconnects_after_restart, (), is_required=False),
    CheckItem(14, "exits at the end", exits, ()),
)
