"""Players of a job: the strategies of its bots, new ones for each match, and users' programs."""

from collections.abc import Callable
from hashlib import blake2b
from math import inf
from typing import Any

from arena.bulk.job import Job
from arena.match.adjudicator import Adjudicator
from arena.match.referee import turn_of
from arena.sandbox.sandbox import SandboxUnavailable
from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.programs import UserProgram, create_program
from bots.specification import PROGRAMS, read_bots

SEED_BYTES = 8
IGNORED = ClockReading(inf, inf, 0.0)  # for bots that ignore it


class Programs:
    """Programs of a job, each for one match after another."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._specs = {
            name: spec for name, spec in read_bots(job.bots).items() if spec.kind in PROGRAMS
        }
        self._found: dict[str, UserProgram] = {}

    def find(self, name: str) -> UserProgram | None:
        """Return the program of a bot; None if the bot is no program.

        Raises:
            ValueError: It is not installed here.
            SandboxUnavailable: Its sandbox does not work here.
        """
        if name in self._specs and name not in self._found:
            sandbox, folder = self._job.sandbox, self._job.bot_files
            self._found[name] = create_program(self._specs[name], sandbox, folder)
        return self._found.get(name)

    def problem(self) -> str | None:
        """Return why a program cannot run on this machine, in one line; None if all can."""
        for name in self._specs:
            try:
                self.find(name)
            except (ValueError, SandboxUnavailable) as error:
                return f"{name}: {error}"
        return None

    def notice(self) -> str | None:
        """Return the line that says why programs are not isolated that should be, or None."""
        notices = (program.sandbox.notice for program in self._found.values())
        return next(filter(None, notices), None)

    def close(self) -> None:
        """End all processes."""
        for program in self._found.values():
            program.close()


Player = Callable[[Adjudicator], Any]
"""Chooses the move of a turn, None to resign; or answers with a message that says more than that.

It changes nothing, and may raise anything.
"""


class Players:
    """Creates the bots of a job."""

    def __init__(self, job: Job) -> None:
        """Load the code of the bots that the project has; users' code is loaded with its bots."""
        self._job = job
        self._bots = read_bots(job.bots)
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
        strategy = create_strategy(self._bots[name], seed, self._job.bot_files)
        if getattr(strategy, "is_pure", False):
            return lambda match: strategy(match.position, IGNORED)
        return lambda match: strategy(match.position.copy(), _read_clock(match))

    def close(self) -> None:
        """End the processes of users' programs."""
        self._programs.close()


def _read_clock(match: Adjudicator) -> ClockReading:
    """Return the reading of the clocks for the player to move, at the start of its turn."""
    clock, player = match.clock, match.player_to_move
    control = clock.controls[player - 1]
    return ClockReading(
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
