"""Cost of a tournament without the bots' thinking: `python -m bench.arena.tournaments`.

Every figure has a reference in the same run: for the schedule a bare loop over as many pairings,
for matches bare round trips of messages of the same size, for ratings evalica.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from typing import NamedTuple

import evalica
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

from arena.model.results import Pairing, RatedResult, Tally, Termination
from arena.protocol.codec import decode_from_arena, decode_from_bot, encode
from arena.protocol.player import Move, Turn
from arena.ratings import rate
from arena.storage.reader import DatabaseReader
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from bench.memory import peak_memory

BOTS = tuple(f"bot {number}" for number in range(10))
SETUPS = tuple({"stones": stones} for stones in range(20, 120))
ROUND = len(SETUPS) * len(BOTS) * (len(BOTS) - 1)  # matches


def schedule(matches: int) -> Iterator[str]:
    """Yield the cost of a plan if matches finish as soon as they are scheduled."""
    rounds = matches // ROUND
    plan = Plan("take_stones", dict.fromkeys(BOTS, ""), SETUPS, "5", 1, rounds=rounds)
    before, start = peak_memory(), time.perf_counter()
    played = Schedule(plan, [])
    pairing = played.next_pairing()
    first = time.perf_counter() - start
    while pairing:
        played.add_result(pairing.number or 0, pairing.players, 1)
        pairing = played.next_pairing()
    ours, grown = time.perf_counter() - start, peak_memory() - before

    start = time.perf_counter()
    for turn in range(rounds):
        for setup in SETUPS:
            for one, two in combinations(BOTS, 2):
                Pairing(turn, (one, two), "take_stones", setup, ())
                Pairing(turn, (two, one), "take_stones", setup, ())
    bare = time.perf_counter() - start
    yield f"a plan of {plan.matches:,} matches: first pairing after {1000 * first:.2f} ms,"
    yield f"  {1e6 * ours / plan.matches:.2f} us per match ({ours / bare:.1f} times a bare loop),"
    yield f"  memory {grown:+d} KiB"

    players = BOTS[0], BOTS[1]
    finished = ((number, players, 1) for number in range(1, plan.matches))
    before, start = peak_memory(), time.perf_counter()
    rest = Schedule(plan, finished)
    assert rest.next_pairing()
    seconds = time.perf_counter() - start
    yield f"  resuming at the last match takes {seconds:.2f} s, {peak_memory() - before:+d} KiB"


TURN = Turn("1", "take_stones", {"stones": 20}, [3, 6, 2, 4], 4, 1, (5000, 5000), 50, "random")
MOVE = Move("1", 4, 8)


async def _echo(connection: ServerConnection) -> None:
    turn = encode(TURN)
    async for frame in connection:
        decode_from_bot(frame)
        await connection.send(turn)


async def _round_trips(seconds: float) -> float:
    """Return the round trips per second of one bot that decodes turns and encodes moves."""
    async with serve(_echo, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with connect(f"ws://127.0.0.1:{port}", compression=None, proxy=None) as bot:
            count, end = 0, time.perf_counter() + seconds
            while time.perf_counter() < end:
                await bot.send(encode(MOVE))
                decode_from_arena(await bot.recv())
                count += 1
    return count / seconds


class Played(NamedTuple):
    """The matches and turns of a tournament, and its seconds from the first one on."""

    matches: int
    turns: int
    seconds: float

    @property
    def rate(self) -> float:
        """Matches per second."""
        return self.matches / self.seconds


def play_random(rounds: int) -> Played:
    """Play a tournament of random against random over WebSockets."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "arena.db"
        command = [sys.executable, "-m", "arena", "tournament", "--bots", "random", "random"]
        command += ["--stones", "20", "--rounds", str(rounds), "--concurrency", "16", "--quiet"]
        command += ["--seed", "1", "--db", str(db)]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        with DatabaseReader(db) as records:
            played = [*records.matches(moves=True)]
    seconds = max(r.finished_at for r in played) - min(r.started_at for r in played)
    return Played(len(played), sum(len(record.moves) for record in played), seconds)


def matches(rounds: int) -> Iterator[str]:
    """Yield the throughput of a tournament of random against random."""
    played = play_random(rounds)
    turns = played.turns / played.seconds
    bare = asyncio.run(_round_trips(2.0))
    yield f"random - random, 20 stones, 16 at once: {played.rate:.0f} matches/s,"
    yield f"  {turns:.0f} turns/s ({turns / bare:.2f} of bare round trips)"


def ratings(bots: int, games: int) -> Iterator[str]:
    """Yield the time of computing ratings, ours and evalica's."""
    random, names = Random(1), [f"bot {number}" for number in range(bots)]
    strength = {name: random.gauss(0, 200) for name in names}
    tally: Tally = Tally()
    for _ in range(games):
        one, two = random.sample(names, 2)
        chance = 1 / (1 + 10 ** ((strength[two] - strength[one]) / 400))
        winner = 1 if random.random() < chance else 2
        tally[RatedResult(one, two, winner, Termination.NO_LEGAL_MOVE)] += 1
    rate(tally)  # so that loading numpy is not measured
    start = time.perf_counter()
    rate(tally)
    ours = time.perf_counter() - start
    outcomes = [*tally]
    winners = [evalica.Winner.X if o.winner == 1 else evalica.Winner.Y for o in outcomes]
    start = time.perf_counter()
    evalica.bradley_terry(
        [o.one for o in outcomes],
        [o.two for o in outcomes],
        winners,
        weights=[float(times) for times in tally.values()],
    )
    theirs = time.perf_counter() - start
    yield f"ratings of {bots} bots from {games:,} games: {1000 * ours:.1f} ms"
    yield f"  ({ours / theirs:.1f} times evalica, which gives no intervals)"


def main() -> None:
    """Print the figures."""
    argparse.ArgumentParser(
        prog="python -m bench.arena.tournaments", description="Measure the cost of a tournament."
    ).parse_args()
    for lines in (schedule(1_000_000), matches(1000), ratings(100, 100_000)):
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
