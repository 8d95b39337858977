"""Watch on the bots of a process: which turn it is, and an end to a turn that takes too long.

The turn is written to memory that the process shares with its worker: there it outlives the
process, and a worker sees that a process hangs in code that no signal interrupts.
"""

import signal
import time

# signal.getsignal looks each handler up in an enumeration, up to Python 3.12 by an exception: that
# took longer than all else that a worker does for a turn.
from _signal import getsignal  # type: ignore[import-not-found]
from mmap import mmap
from types import FrameType

from arena.match.adjudicator import Adjudicator

CELLS = 3  # 64-bit integers of shared memory: the match's number, the turn, and turns before it
SIZE = 8 * CELLS
MATCH, TURN, TURNS_BEFORE = range(CELLS)

CREATIONS = 2  # turns at the start of a match, in which its bots are created

TICK = 0.05  # seconds between two checks
TURN_SECONDS = 300.0  # of processor time for a turn without a clock
WAITING_SECONDS = 3000.0  # of waiting for anything else
CREATION_SECONDS = 60.0  # to import and to create a bot, as in its trial (arena.runner.entrants)


class TimeUp(BaseException):
    """A turn has taken too long. No bot is expected to catch it."""


class TurnWatch:
    """Watch on the turns of a process, one at a time.

    Attributes:
        expiry: Why the present turn has taken too long, in words; empty if it has not.
    """

    def __init__(self, memory: mmap) -> None:
        """Start outside of a match.

        Args:
            memory: Shared memory of `SIZE` bytes.
        """
        self._cells = memoryview(memory).cast("q")
        self._match: Adjudicator | None = None  # during a turn
        self._turns = self._turns_before = 0
        self._seen = 0, 0.0, 0.0  # a turn, processor time, time
        self._handler = self.check  # the same object each time
        self._is_armed = False
        self.expiry = ""

    def arm(self) -> None:
        """Check the turns from now on, from time to time."""
        self._is_armed = True
        signal.signal(signal.SIGALRM, self._handler)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)

    def disarm(self) -> None:
        """Check no longer. No match is being played."""
        self._is_armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._cells[MATCH] = 0

    def begin_match(self, number: int) -> None:
        """Note the match that is being played."""
        self.expiry = ""
        self._cells[TURNS_BEFORE] = self._turns_before = self._turns
        self._cells[MATCH] = number

    def begin_turn(self, player: int, match: Adjudicator) -> None:
        """Note that it is a player's turn."""
        if self._is_armed and getsignal(signal.SIGALRM) is not self._handler:
            self.arm()  # the opponent's alarm must not ring in this turn
        self._turns += 1
        self._cells[TURN] = 2 * self._turns + player - 1
        self._match = match

    def end_turn(self) -> None:
        """Note that the player has answered."""
        self._match = None

    def check(self, _signal: int, _frame: FrameType | None) -> None:
        """Raise TimeUp in a bot after too long a turn, and again if it goes on."""
        if self._match is None:
            return
        self.expiry = self._expiry(self._match)
        if self.expiry:
            raise TimeUp

    def _expiry(self, match: Adjudicator) -> str:
        now = time.perf_counter()
        deadline = match.clock.deadline
        if deadline is not None:
            return "no answer in time" if now >= deadline else ""
        turn, processor_time, since = self._seen
        if turn != self._turns:
            self._seen = self._turns, time.process_time(), now
            return ""
        if is_creation(self._turns - self._turns_before):
            is_late = now - since >= CREATION_SECONDS
            return f"not created within {CREATION_SECONDS:g} s" if is_late else ""
        if time.process_time() - processor_time >= TURN_SECONDS:
            return f"no answer within {TURN_SECONDS:g} s of processor time"
        return f"no answer within {WAITING_SECONDS:g} s" if now - since >= WAITING_SECONDS else ""


def turn_number(turn: int) -> int:
    """Return the number of a turn as it is in the memory, from 1, in all matches."""
    return turn // 2


def is_creation(turn: int) -> bool:
    """Return whether a turn of a match, counted from 1, is the creation of a bot."""
    return turn <= CREATIONS


def player_of(turn: int) -> int:
    """Return the player of a turn as it is in the memory, 1 or 2."""
    return 1 + turn % 2
