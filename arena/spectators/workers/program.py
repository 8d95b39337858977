"""Program of a worker process: it makes an object, and calls methods of it for the arena.

The arena writes messages to the process's standard input and reads the answers from its standard
output. A message is a pickle (arena.ipc): first the factory of the object and the limits,
then calls, each a method's name and its arguments. An answer is the result and None, or None and an
exception. The process ends with its standard input, so that it does not outlive the arena.
"""

import os
import resource
import signal
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import BinaryIO, NamedTuple

from arena.ipc import pack, read_messages
from arena.protocol.codec import RequestError
from arena.storage.schema import DatabaseError
from core import GAMES

NICENESS = 19  # the least share of a processor that is beside the event loop


class Assignment(NamedTuple):
    """First message to a worker process.

    Attributes:
        factory: Makes the object with the methods to call; it can be pickled.
        seconds: The processor time of one call, after which the system ends the process.
        memory: The bytes of data that the process may have (RLIMIT_DATA).
        family_games: The games of families that the process may find. Questions and stored matches
            may name any: each would import a library that the operator did not choose.
    """

    factory: Callable[[], object]
    seconds: float
    memory: int
    family_games: tuple[str, ...] = ()


def create(module: str, name: str, *arguments: object) -> object:
    """Return an object of a class; only the process itself imports its module."""
    return getattr(import_module(module), name)(*arguments)


def serve(incoming: BinaryIO, outgoing: BinaryIO, enter: Callable[[Assignment], None]) -> None:
    """Make the object, and answer calls until the arena ends.

    Args:
        incoming: The messages of the arena.
        outgoing: Receives the answers.
        enter: Called once, when the object is made and before the first call.
    """
    messages = read_messages(incoming)
    for assignment in messages:
        target = assignment.factory()
        enter(assignment)
        with suppress(BrokenPipeError):
            for method, arguments in messages:
                # Even in a loop within compiled code of a game, the system ends a call in time.
                signal.setitimer(signal.ITIMER_PROF, assignment.seconds)
                answer = _call(target, method, arguments)
                signal.setitimer(signal.ITIMER_PROF, 0)
                outgoing.write(answer)
                outgoing.flush()


def _call(target: object, method: str, arguments: tuple[object, ...]) -> bytes:
    """Return the answer to a call."""
    try:
        return pack((getattr(target, method)(*arguments), None))
    except (RequestError, DatabaseError) as error:
        return pack((None, error))
    except Exception as error:  # the next call is answered all the same
        failure = RequestError.unexpected("failed", "the question cannot be answered", error)
        return pack((None, failure))


def enter_background(assignment: Assignment) -> None:
    """Bound the memory and the games of this process, and give it the lowest priority.

    The imports before it keep the arena's priority: beside busy bots, a process of the lowest
    priority would take seconds for them.
    """
    GAMES.families.allow_only(assignment.family_games)
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = assignment.memory if hard == resource.RLIM_INFINITY else min(hard, assignment.memory)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
    os.nice(NICENESS)


def main() -> None:
    """Serve on standard input and output, which nothing else in this process may use.

    The arena ends the process, also where a service manager sends SIGTERM to both at once.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    incoming, outgoing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    serve(incoming, outgoing, enter_background)


if __name__ == "__main__":
    main()
