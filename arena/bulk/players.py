"""Players of a job: the strategies of its bots, new ones for each match.

The package of the bots is loaded by its name: nothing else in the arena knows it.
"""

from collections.abc import Callable
from hashlib import blake2b
from importlib import import_module
from math import inf
from typing import Any

from arena.bulk.job import Job
from arena.bulk.programs import Programs
from arena.match.adjudicator import Adjudicator
from arena.match.referee import turn_of

Player = Callable[[Adjudicator], Any]
"""Chooses the move of a turn, None to resign; or answers with a message that says more than that.

It changes nothing, and may raise anything.
"""

SEED_BYTES = 8


class Players:
    """Creates the bots of a job."""

    def __init__(self, job: Job) -> None:
        """Load the code of the bots that the project has; users' code is loaded with its bots."""
        self._job = job
        self._create = import_module("bots.builtin").create_strategy
        self._reading = import_module("bots.client").ClockReading
        self._ignored = self._reading(inf, inf, 0.0)  # the reading for bots that ignore it
        self._programs = Programs(job)

    def create(self, name: str, match: int) -> Player:
        """Create a bot for a match.

        Args:
            name: The name of the bot.
            match: The number of the match.

        Raises:
            BaseException: Anything that the code of a user raises.
        """
        if program := self._programs.find(name):
            program.start()
            return lambda turn: program.answer(turn_of(turn, str(match), turn.clock.started_at))
        seed = bot_seed(self._job.seed, name, match)
        strategy = self._create(self._job.bots[name], seed, self._job.bot_files)
        if getattr(strategy, "is_pure", False):
            reading = self._ignored
            return lambda match: strategy(match.position, reading)
        return lambda match: strategy(match.position.copy(), self._read_clock(match))

    def close(self) -> None:
        """End the processes of users' programs."""
        self._programs.close()

    def _read_clock(self, match: Adjudicator) -> object:
        """Return the reading of the clocks for the player to move, at the start of its turn."""
        clock, player = match.clock, match.player_to_move
        control = clock.controls[player - 1]
        return self._reading(
            clock.remaining(player, clock.started_at),
            clock.remaining(3 - player, clock.started_at),
            control.increment,
            control.per_move,
            control.nodes,
        )


def bot_seed(seed: int, name: str, match: int) -> int:
    """Return the seed of a bot in a match, which depends on nothing else."""
    text = f"{seed}/{name}/{match}"
    return int.from_bytes(blake2b(text.encode(), digest_size=SEED_BYTES).digest())
