"""Records of matches: whatever can be kept, and what the referee makes of matches that it sees."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from arena.match.referee import Referee
from arena.model.clock import TimeControl
from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.protocol.player import Move, Resign
from arena.tournament.openings import draw
from core import GAMES

GRACE = 7.5
NUMBERS = st.integers(-(2**63), 2**63 - 1)
SECONDS = st.floats(allow_nan=False, allow_infinity=False)
SETUPS = st.dictionaries(st.from_regex("[a-z_]+", fullmatch=True), NUMBERS, max_size=2)
CLOCKS = st.tuples(SECONDS, SECONDS, SECONDS, SECONDS)


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    """Any that the arena could keep, however odd."""
    opening = draw(st.lists(NUMBERS, max_size=3).map(tuple))
    played = draw(st.lists(st.tuples(NUMBERS, CLOCKS), max_size=3))
    moves = [
        PlayedMove(ply, move, *times) for ply, (move, times) in enumerate(played, len(opening))
    ]
    last = draw(st.none() | st.tuples(st.none() | NUMBERS, CLOCKS))
    players = draw(st.tuples(st.text(), st.text()))
    winner = draw(st.sampled_from([1, 2, None]))
    casual, control = draw(st.booleans()), draw(st.text())
    endings = [ending for ending in Termination if (ending is Termination.ABORTED) == (not winner)]
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
        ),
        control,
        draw(SECONDS),
        draw(SECONDS),
        MatchResult(draw(st.sampled_from(endings)), winner, draw(st.text())),
        tuple(moves),
        last and Fault(len(opening) + len(moves), last[0], *last[1]),
    )


Ending = Callable[[Referee, int, float], object]  # what happens in the turn of a player, at a time

ILLEGAL = 999


def plays_illegally(match: Referee, player: int, now: float) -> None:
    match.move(player, Move(match.id, match.ply, ILLEGAL), now + 0.3, 0.01)


def plays_too_late(match: Referee, player: int, now: float) -> None:
    match.move(player, Move(match.id, match.ply, ILLEGAL), now + 1000)


def lets_the_flag_fall(match: Referee, _player: int, _now: float) -> None:
    match.tick(match.deadline or 0.0, 0.002)


def is_kept_waiting(match: Referee, _player: int, now: float) -> None:
    match.tick(now + 1000, 999.0)


def goes_for_good(match: Referee, _player: int, now: float) -> None:
    match.disconnected(1, now - GRACE - 1)
    match.tick(now)


def is_gone_at_the_end(match: Referee, player: int, now: float) -> None:
    match.disconnected(player, now + 990)
    match.tick(now + 992)


def garbles(match: Referee, _player: int, _now: float) -> None:
    for _ in range(3):
        match.unreadable(2)


ENDINGS: dict[str, Ending] = {
    "no legal move": lambda *_: None,
    "illegal move": plays_illegally,
    "late move": plays_too_late,
    "flag": lets_the_flag_fall,
    "lag": is_kept_waiting,
    "disconnect": goes_for_good,
    "disconnect on time": is_gone_at_the_end,
    "resignation": lambda match, player, _: match.resign(player, Resign(match.id)),
    "resignation out of turn": lambda match, player, _: match.resign(3 - player, Resign(match.id)),
    "malformed": garbles,
    "stopped": lambda match, *_: match.abort("the arena was stopped"),
}


def played(
    ending: str, seed: int = 1, begin: float = 54321.0, match: int = 1, casual: bool = False
) -> MatchRecord:
    """A match of random moves, at random times from `begin` on, that ends like this.

    Unless it happens to be over earlier. In a casual one, moves are taken back now and then.
    """
    random = Random(seed)
    game, setup = random.choice([("take_stones", {"stones": 50}), ("isolation", {})])
    opening = draw(game, setup, random.randrange(4), random)
    control = random.choice(["3+0.05", "100", "0.5/move", "2+1 margin 0.25"])
    players, time = ('a "1"', "石"), control if casual else None
    pairing = Pairing(match, players, game, setup, tuple(opening.moves), casual, time)
    judged = Referee(str(match), pairing, TimeControl.parse(control), GRACE, yielding=(1, 2))
    judged.start(begin)
    now = begin
    last = 1000 if ending == "no legal move" else judged.ply + random.randrange(4)
    while not judged.result and judged.ply < last:
        now += random.expovariate(100)
        if casual and random.random() < 0.2:
            judged.take_back(random.choice([1, 2]), now)
        taken = [*opening.moves, *(move.move for move in judged.moves)]
        position = GAMES[game].position(**setup, taken=taken)
        message = Move(judged.id, judged.ply, random.choice(position.legal_moves()))
        judged.move(1 + judged.ply % 2, message, now, random.random() / 50, random.random() / 50)
    ENDINGS[ending](judged, 1 + judged.ply % 2, now)
    assert judged.result
    started = 1.7e9 + random.random()
    return MatchRecord(
        match,
        pairing,
        control,
        started,
        started + now - begin,
        judged.result,
        tuple(judged.moves),
        judged.fault,
    )
