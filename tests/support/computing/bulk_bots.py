"""Users' Python bots that misbehave, for tests of bulk play; `specification` names one of them."""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

FOLDER = Path(__file__).parent


def specification(kind: type) -> str:
    """Return the specification of a bot in this module, whose folder is `FOLDER`."""
    return f"python:bulk_bots:{kind.__name__}"


class First:
    """Bot that plays the first legal move."""

    def choose(self, position: Any, _clock: Any) -> int:
        position.play(move := position.legal_moves()[0])  # its copy
        return int(move)


class Prints(First):
    """Bot that writes to standard output, and reads standard input."""

    def choose(self, position: Any, clock: Any) -> int:
        print("I think" + sys.stdin.read(), flush=True)
        return super().choose(position, clock)


class Interrupts:
    """Bot that raises what Ctrl-C raises."""

    def choose(self, _position: Any, _clock: Any) -> NoReturn:
        raise KeyboardInterrupt


class Resigns:
    """Bot that resigns."""

    def choose(self, _position: Any, _clock: Any) -> None:
        return None


class Talks:
    """Bot whose moves are no numbers."""

    def choose(self, _position: Any, _clock: Any) -> str:
        return "three"


class Sleeps:
    """Bot that never answers."""

    def choose(self, _position: Any, _clock: Any) -> NoReturn:
        while True:
            time.sleep(60)


class Stubborn:
    """Bot that never answers, and does not let itself be interrupted."""

    def choose(self, _position: Any, _clock: Any) -> NoReturn:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            time.sleep(60)


class Catches:
    """Bot that catches that its time is up, and answers then."""

    def choose(self, position: Any, _clock: Any) -> int:
        with suppress(BaseException):
            Sleeps().choose(position, None)
        return int(position.legal_moves()[0])


class Signals:
    """Bot whose process ends by a signal without a name."""

    def choose(self, _position: Any, _clock: Any) -> NoReturn:
        os.kill(os.getpid(), signal.SIGRTMIN + 6)
        raise AssertionError


class Fragile:
    """Bot that cannot be created."""

    def __init__(self) -> None:
        raise RuntimeError("no luck\ntoday")

    def choose(self, _position: Any, _clock: Any) -> int:
        return 1


class Unborn:
    """Bot whose constructor never returns."""

    def __init__(self) -> None:
        Sleeps().choose(None, None)

    def choose(self, _position: Any, _clock: Any) -> int:
        return 1


class StubbornUnborn(Unborn):
    """Bot whose constructor never returns, and does not let itself be interrupted."""

    def __init__(self) -> None:
        Stubborn().choose(None, None)


class Exits:
    """Bot that ends its process."""

    def choose(self, _position: Any, _clock: Any) -> NoReturn:
        os._exit(3)


class Poison:
    """Bot whose process dies in positions with a first move of 3."""

    def choose(self, position: Any, _clock: Any) -> int:
        if position.moves[:1] == [3]:
            os.kill(os.getpid(), signal.SIGKILL)
        return int(position.legal_moves()[0])


class Forks:
    """Bot whose process becomes two."""

    def choose(self, position: Any, _clock: Any) -> int:
        os.fork()
        return int(position.legal_moves()[0])


class LeavesFork:
    """Bot that forks a process, which waits with all files open, and ends its own."""

    def choose(self, _position: Any, _clock: Any) -> NoReturn:
        if os.fork():
            os._exit(4)
        while True:
            time.sleep(60)


class ClosesFiles:
    """Bot that closes all files of its process."""

    def choose(self, position: Any, _clock: Any) -> int:
        os.closerange(3, 1000)
        return int(position.legal_moves()[0])


class Writes:
    """Bot that writes into all files of its process: a message of two bytes, without meaning."""

    message = bytes(7) + b"\2??"

    def choose(self, position: Any, _clock: Any) -> int:
        for descriptor in range(3, 200):
            with suppress(OSError):
                os.write(descriptor, self.message)
        return int(position.legal_moves()[0])


class WritesLengths(Writes):
    """Bot that writes into all files of its process: the beginning of a huge message."""

    message = b"\xff" * 8
