"""Match records: arbitrary ones, and those of random matches with a referee."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from arena.match.referee import Referee
from arena.model.results import (
    NOTHING,
    Fault,
    Info,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
)
from arena.model.time_control import MAX_CREDIT, TimeControl
from arena.protocol.player import Move, Resign
from arena.tournament.openings import random_opening
from core import GAMES

GRACE = 7.5
NAMES = st.text(st.characters(min_codepoint=33, max_codepoint=0x17F), min_size=1).filter(
    lambda name: name.isprintable() and len(name) <= 64
)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
SECONDS = st.floats(allow_nan=False, allow_infinity=False)
SETUPS = st.dictionaries(st.from_regex("[a-z_]+", fullmatch=True), NUMBERS, max_size=2)
CLOCKS = st.tuples(SECONDS, SECONDS, SECONDS, SECONDS)
CONTROLS = st.sampled_from(["5", "0.1+0.05", "2/move", "10+0.1 vs 5", "unlimited", "100 nodes"])
TAG_NAMES = st.sampled_from(["Event", "Site", "Round", "White"]) | st.from_regex(
    "[a-z0-9_]{1,64}", fullmatch=True
)
TAG_VALUES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]))
TAGS = st.dictionaries(TAG_NAMES, TAG_VALUES, max_size=4)
COUNTS = st.none() | st.integers(0, 2**63 - 1)
INFOS = st.builds(
    Info, st.none() | st.floats(-1e9, 1e9), COUNTS, COUNTS, st.lists(NUMBERS, max_size=3).map(tuple)
).filter(lambda info: info != NOTHING)


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    """Return any record that can be stored, plausible or not."""
    opening = draw(st.lists(NUMBERS, max_size=3).map(tuple))
    played = draw(st.lists(st.tuples(NUMBERS, CLOCKS), max_size=3))
    moves = [
        PlayedMove(ply, move, *times) for ply, (move, times) in enumerate(played, len(opening))
    ]
    last = draw(st.none() | st.tuples(st.none() | NUMBERS, CLOCKS))
    players = draw(st.tuples(NAMES, NAMES))
    winner = draw(st.sampled_from([1, 2, None]))
    casual, control = draw(st.booleans()), draw(CONTROLS)
    without_winner = {Termination.ABORTED, Termination.GAME_OVER}
    endings = without_winner if winner is None else {*Termination} - {Termination.ABORTED}
    return MatchRecord(
        draw(NUMBERS),
        Pairing(
            draw(st.none() | NUMBERS),
            players,
            draw(st.text()),
            draw(SETUPS),
            opening,
            casual,
            control if casual else None,
            draw(TAGS),
        ),
        control,
        draw(SECONDS),
        draw(SECONDS),
        MatchResult(draw(st.sampled_from(sorted(endings))), winner, draw(st.text())),
        tuple(moves),
        last and Fault(len(opening) + len(moves), last[0], *last[1]),
        infos={move.ply: info for move in moves if (info := draw(st.none() | INFOS))},
    )


Ending = Callable[[Referee, int, float], object]  # arguments: referee, player to move, time

ILLEGAL = 999


def make_illegal_move(referee: Referee, player: int, now: float) -> None:
    referee.move(player, Move(referee.id, referee.ply, ILLEGAL), now + 0.3, 0.01)


def move_too_late(referee: Referee, player: int, now: float) -> None:
    referee.move(player, Move(referee.id, referee.ply, ILLEGAL), now + 1000)


def run_out_of_time(referee: Referee, _player: int, _now: float) -> None:
    referee.tick(referee.deadline or 0.0, 0.002)


def run_out_of_time_after_lag(referee: Referee, _player: int, now: float) -> None:
    referee.tick(now + 1000, 999.0)


def stay_disconnected(referee: Referee, _player: int, now: float) -> None:
    referee.disconnect(1, now - GRACE - 1)
    referee.tick(now)


def disconnect_and_run_out_of_time(referee: Referee, player: int, now: float) -> None:
    referee.disconnect(player, now + 990)
    referee.tick(now + 992)


def send_unreadable_messages(referee: Referee, _player: int, _now: float) -> None:
    for _ in range(3):
        referee.unreadable(2)


ENDINGS: dict[str, Ending] = {
    "no legal move": lambda *_: None,
    "illegal move": make_illegal_move,
    "late move": move_too_late,
    "flag": run_out_of_time,
    "lag": run_out_of_time_after_lag,
    "disconnect": stay_disconnected,
    "disconnect on time": disconnect_and_run_out_of_time,
    "resignation": lambda referee, player, _: referee.resign(player, Resign(referee.id)),
    "resignation out of turn": lambda referee, player, _: referee.resign(
        3 - player, Resign(referee.id)
    ),
    "malformed": send_unreadable_messages,
    "removal": lambda referee, player, _: referee.remove(player),
    "failure": lambda referee, player, _: referee.fail(player, "KeyError: 1 was disconnected"),
    "stopped": lambda referee, *_: referee.abort("the arena was stopped"),
}


def play_match(
    ending: str, seed: int = 1, begin: float = 54321.0, match: int = 1, casual: bool = False
) -> MatchRecord:
    """Return the record of a match of random moves at random times from `begin` on.

    It ends by `ending`, unless the game is over earlier. A casual match has some takebacks.
    """
    random = Random(seed)
    game, setup = random.choice([("take_stones", {"stones": 50}), ("isolation", {})])
    opening = random_opening(game, setup, random.randrange(4), random)
    control = random.choice(["3+0.05", "100", "0.5/move", "2+1 margin 0.25"])
    players, time = ('a "1"', "石"), control if casual else None
    pairing = Pairing(match, players, game, setup, tuple(opening.moves), casual, time)
    referee = Referee(
        str(match), pairing, TimeControl.parse(control), GRACE, (1, 2), max_credit=MAX_CREDIT
    )
    referee.start(begin)
    now = begin
    last = 1000 if ending == "no legal move" else referee.ply + random.randrange(4)
    while not referee.result and referee.ply < last:
        now += random.expovariate(100)
        if casual and random.random() < 0.2:
            referee.take_back(random.choice([1, 2]), now)
        taken = [*opening.moves, *(move.move for move in referee.moves)]
        position = GAMES[game].position(**setup, moves=taken)
        message = Move(referee.id, referee.ply, random.choice(position.legal_moves()))
        referee.move(1 + referee.ply % 2, message, now, random.random() / 50, random.random() / 50)
    ENDINGS[ending](referee, 1 + referee.ply % 2, now)
    assert referee.result
    started = 1.7e9 + random.random()
    return MatchRecord(
        match,
        pairing,
        control,
        started,
        started + now - begin,
        referee.result,
        tuple(referee.moves),
        referee.fault,
    )
