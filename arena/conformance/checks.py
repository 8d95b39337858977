"""The items that `arena check` tries, each a script that plays the referee's part.

What they expect of a bot is said in docs/guide/check-a-bot.md.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from arena.conformance.steps import (
    Answer,
    Close,
    Drop,
    End,
    Fault,
    Ping,
    Pong,
    Receive,
    Referee,
    Script,
    Send,
    Skipped,
    setups,
    shown,
    usual_setups,
)
from arena.protocol.codec import encode
from arena.protocol.player import Error, Finished
from core import GAMES

QUIET_SECONDS = 0.5  # without a word while the opponent thinks
PONG_SECONDS = 1.0  # for the answer to a ping, if the move does not take longer
CLOCK_SECONDS = 0.2  # on the clock of a hasty turn
SPARE_SECONDS = 1.0  # beyond those, as this may be a slow machine
END_SECONDS = 5.0  # that a program has to end
OPENINGS = 2  # positions of each setup that do not begin at the beginning

NORMAL, RESTART = 1000, 1012  # codes that close a connection: it is over, and come back


def introduction(referee: Referee) -> Script[str]:
    """It says hello, under the name that it was given."""
    hello = yield from referee.first_hello()
    if referee.name not in (None, hello.name):
        raise Fault(f"the name {referee.name}, from ARENA_NAME", f"the name {shown(hello.name)}")
    return f"{shown(hello.name)} plays {', '.join(referee.games)}, {hello.matches} at once"


def first_player(referee: Referee) -> Script[str]:
    """It makes the first move of a match."""
    return _told(_moved((yield from referee.ask((yield from referee.usual_turn())))))


def second_player(referee: Referee) -> Script[str]:
    """It answers the first move of a match, in every game."""
    told = []
    for game in referee.games:
        setup = usual_setups(GAMES[game])[0]
        first = GAMES[game].position(**setup).legal_moves()[0]
        match = yield from referee.another()
        answer = yield from referee.ask(referee.turn(match, game, setup, [first]))
        told.append(_told(_moved(answer)))
    return ", ".join(told)


def whole_games(referee: Referee) -> Script[str]:
    """It plays to the end, on both sides, against moves that are drawn."""
    moves = 0
    for game in referee.games:
        for side in (1, 2):
            moves += yield from _whole_game(referee, game, side)
    return f"{2 * len(referee.games)} games of {moves} moves"


def _whole_game(referee: Referee, game: str, side: int) -> Script[int]:
    """Returns the number of moves."""
    match = yield from referee.another()
    setup = usual_setups(GAMES[game])[0]
    position = GAMES[game].position(**setup)
    winner, termination, reason = 3 - side, "resignation", "the bot resigned"
    while not position.is_over:
        move: int | None = referee.random.choice(position.legal_moves())
        if position.player_to_move == side:
            answer = yield from referee.ask(referee.turn(match, game, setup, position.taken))
            move = answer.move
        if move is None:
            break
        position.take(move)
    else:
        winner, termination = 3 - position.player_to_move, "no_legal_move"
        reason = f"player {position.player_to_move} cannot move"
    taken = position.taken
    referee.endings[match] = Finished(match, side, winner, termination, reason, taken)
    return len(position.taken)


def all_setups(referee: Referee) -> Script[str]:
    """It begins a match of any size."""
    told = []
    for game in referee.games:
        for setup in setups(GAMES[game]):
            match = yield from referee.another()
            yield from referee.ask(referee.turn(match, game, setup))
            told.append(" ".join([game, *map(str, setup.values())]))
    return ", ".join(told)


def openings(referee: Referee) -> Script[str]:
    """It goes on from positions of which it has not seen the beginning."""
    positions = [found for game in referee.games for found in _middles(referee, game)]
    referee.random.shuffle(positions)
    for game, setup, moves in positions:
        match = yield from referee.another()
        yield from referee.ask(referee.turn(match, game, setup, moves))
    return f"{len(positions)} unrelated positions"


def _middles(referee: Referee, game: str) -> Iterator[tuple[str, dict[str, int], list[int]]]:
    """Positions of games that are drawn, in which the game is neither new nor over."""
    for setup in usual_setups(GAMES[game]):
        position = GAMES[game].position(**setup)
        while not position.is_over:
            position.take(referee.random.choice(position.legal_moves()))
        for _ in range(OPENINGS):
            yield game, setup, position.taken[: referee.random.randrange(1, len(position.taken))]


def news(referee: Referee) -> Script[str]:
    """It ignores messages and fields of a later arena."""
    yield Send('{"type": "news", "of": {"tomorrow": [1, 2.5, null]}}')
    yield from referee.ask((yield from referee.usual_turn()))
    turn = yield from referee.usual_turn()
    yield Send(encode(turn)[:-1] + ',"news":{"of":["tomorrow",2.5,null]}}')
    yield from referee.answer(turn)
    return "a type and a field"


def several_matches(referee: Referee) -> Script[str]:
    """It is asked in a second match before it has answered in the first."""
    assert referee.hello
    if referee.hello.matches == 1:
        raise Skipped("its hello says that it plays one match at once")
    game, setup = referee.games[0], usual_setups(GAMES[referee.games[0]])[0]
    first = GAMES[game].position(**setup).legal_moves()[-1]
    one = yield from referee.usual_turn()
    two = referee.turn(referee.new_match(), game, setup, [first])
    yield Send(encode(one))
    yield Send(encode(two))
    answer = yield from referee.answer(one, two)
    yield from referee.answer(two if answer.turn is one else one)
    return "2 turns at once"


def patience(referee: Referee) -> Script[str]:
    """It answers pings while it thinks, and is quiet while the opponent does."""
    match = yield from referee.another()
    game = referee.games[0]
    turn = referee.turn(match, game, setups(GAMES[game])[-1])
    yield Send(encode(turn))
    yield Ping()
    answer = yield from referee.answer(turn)
    if not (yield Pong(max(PONG_SECONDS, answer.seconds))):
        came = f"none, and the move after {answer.seconds:.2f} s"
        raise Fault(f"a pong before the move or within {PONG_SECONDS:g} s", came)
    heard = yield Receive(answer.seconds + QUIET_SECONDS)
    if heard.frame is not None or heard.lost:
        raise Fault("silence after its move", heard.lost or shown(heard.frame))
    return f"no word in {QUIET_SECONDS:g} s, pings answered"


def next_match(referee: Referee) -> Script[str]:
    """It hears that its match is over, and plays another."""
    yield from referee.finish()
    answer = yield from referee.ask((yield from referee.usual_turn()))
    referee.understands_finished = True
    return _told(answer)


def hurry(referee: Referee) -> Script[str]:
    """It has little time on its clock, and does not use more."""
    answer = yield from referee.ask((yield from referee.usual_turn(clock=CLOCK_SECONDS)))
    if answer.seconds > CLOCK_SECONDS + SPARE_SECONDS:
        expected = f"a move within {CLOCK_SECONDS:g} s, and {SPARE_SECONDS:g} s to spare"
        raise Fault(expected, f"one after {answer.seconds:.2f} s")
    return f"{answer.seconds:.2f} s, with {CLOCK_SECONDS:g} s on the clock"


def error(referee: Referee) -> Script[str]:
    """It is told of an error, and plays on."""
    match = yield from referee.another()
    yield Send(encode(Error("unknown_match", f"match {match} is only a test", match)))
    return _told((yield from referee.ask((yield from referee.usual_turn()))))


def lost_connection(referee: Referee) -> Script[str]:
    """It is cut off in its turn, comes back as itself and answers the same turn."""
    turn = yield from referee.usual_turn()
    yield Send(encode(turn))
    yield Drop()
    session = referee.session
    hello = yield from referee.next_hello()
    if hello.session != session:
        came = f"one with {shown(str(hello.session))}"
        raise Fault(f"a hello with the session {session}", came)
    return _told((yield from referee.ask(turn)))


def restart(referee: Referee) -> Script[str]:
    """It is told that the arena is restarted, and comes back."""
    yield Close(RESTART)
    yield from referee.next_hello()
    return f"back after close {RESTART}"


def end(referee: Referee) -> Script[str]:
    """It is told that it is over, and its program ends."""
    yield Close(NORMAL)
    if referee.name is None:
        raise Skipped("it was not started here, so its end is not seen")
    status, words = yield End(END_SECONDS)
    if status != 0:
        raise Fault(f"an end with status 0 after close {NORMAL}", words)
    return f"status 0 after close {NORMAL}"


def _moved(answer: Answer) -> Answer:
    """The answer, if it is a move. Raises Fault."""
    if answer.move is None:
        raise Fault("a move", "a resignation")
    return answer


def _told(answer: Answer) -> str:
    what = "it resigned" if answer.move is None else f"move {answer.move}"
    return f"{what} in {answer.seconds:.2f} s"


class Item(NamedTuple):
    """One thing to try, and which others have to work for that."""

    number: int
    title: str
    script: Callable[[Referee], Script[str]]
    needs: tuple[int, ...] = (2,)
    is_required: bool = True


# In the order in which they are tried. What follows 10 ends its matches as the arena would, if the
# bot understands that; what ends the bot comes last.
ITEMS = (
    Item(1, "says hello", introduction, ()),
    Item(2, "moves as player 1", first_player, ()),
    Item(10, "goes on after finished", next_match),
    Item(3, "moves as player 2", second_player),
    Item(4, "plays whole games", whole_games, (2, 3)),
    Item(5, "plays small and large setups", all_setups),
    Item(6, "needs no more than the turn", openings, (2, 3)),
    Item(7, "ignores what it does not know", news),
    Item(8, "plays several matches at once", several_matches, (2, 3)),
    Item(9, "is quiet, and answers pings", patience),
    Item(11, "keeps to its clock", hurry),
    Item(12, "goes on after error", error),
    Item(13, "comes back when cut off", lost_connection, is_required=False),
    Item(15, "comes back after a restart", restart, (), is_required=False),
    Item(14, "ends when it is over", end, ()),
)
