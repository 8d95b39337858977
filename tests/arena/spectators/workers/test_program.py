"""Program of a worker process: calls, answers, its limits and its end."""

import os
import pickle
import subprocess
import sys
from functools import partial
from importlib import import_module
from io import BytesIO
from typing import Any

import pytest

from arena.ipc import HEADER, pack
from arena.protocol.codec import RequestError
from arena.spectators.workers.process import PROGRAM
from arena.spectators.workers.program import NICENESS, Assignment, serve
from arena.storage.schema import DatabaseError
from tests.support.cases import loop_over

MEMORY = 2**30
BUILTINS = Assignment(partial(import_module, "builtins"), 60.0, MEMORY)


def unpack(data: bytes) -> list[Any]:
    """Return the messages in some bytes."""
    messages = []
    while data:
        (length,) = HEADER.unpack(data[: HEADER.size])
        messages.append(pickle.loads(data[HEADER.size :][:length]))
        data = data[HEADER.size + length :]
    return messages


def answers(*calls: tuple[str, tuple[object, ...]], cut: int = 0) -> list[Any]:
    """Return the answers to calls, of which the last `cut` bytes are missing."""
    entered: list[Assignment] = []
    data = b"".join(map(pack, (BUILTINS, *calls)))
    outgoing = BytesIO()
    serve(BytesIO(data[: len(data) - cut]), outgoing, entered.append)
    assert [assignment.memory for assignment in entered] == [MEMORY]
    return unpack(outgoing.getvalue())


def test_calls_are_answered_in_order() -> None:
    assert answers(("len", ("abc",)), ("max", (1, 2))) == [(3, None), (2, None)]


@loop_over("cut", [1, len(pack(("len", ("abc",)))) - 1])
def test_a_message_that_is_cut_off_is_not_answered(cut: int) -> None:
    assert answers(("max", (1, 2)), ("len", ("abc",)), cut=cut) == [(2, None)]


def test_nothing_is_made_without_an_assignment() -> None:
    outgoing = BytesIO()
    serve(BytesIO(), outgoing, lambda _: None)
    assert not outgoing.getvalue()


def test_errors_are_answered() -> None:
    code = "from arena.storage.schema import DatabaseError; raise DatabaseError('cannot read')"
    [(result, error)] = answers(("exec", (code,)))
    assert (result, type(error), str(error)) == (None, DatabaseError, "cannot read")
    code = "from arena.protocol.codec import RequestError; raise RequestError('busy', 'later')"
    [(_, error)] = answers(("exec", (code,)))
    assert (type(error), error.code, str(error)) == (RequestError, "busy", "later")


@loop_over(
    "code, text",
    ("1 / 0", "ZeroDivisionError: division by zero"),
    ("bytearray(10**18)", "MemoryError:"),
    ("lambda: 1", "PicklingError: "),
)
def test_unexpected_errors_are_answered_in_one_line(code: str, text: str) -> None:
    [(_, error), answer] = answers(("eval", (code,)), ("eval", ("1",)))
    assert isinstance(error, RequestError)
    assert error.code == "failed"
    assert str(error).startswith(f"the question cannot be answered: {text}")
    assert answer == (1, None)


def test_an_arena_that_has_ended_is_no_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    incoming = BytesIO(pack(BUILTINS) + pack(("len", ("abc",))))
    with open(writing, "wb", buffering=0) as outgoing:
        serve(incoming, outgoing, lambda _: None)
    assert not incoming.read()


@pytest.mark.usefixtures("measured")
def test_the_process_has_the_lowest_priority_and_bounded_memory() -> None:
    calls = (
        ("eval", ("__import__('os').nice(0)",)),
        ("eval", ("__import__('resource').getrlimit(2)[0]",)),  # RLIMIT_DATA
        ("print", ("what a game prints is no answer",)),
        ("input", ()),
    )
    data = b"".join(map(pack, (BUILTINS, *calls)))
    command = [sys.executable, "-m", PROGRAM]
    end = subprocess.run(command, input=data, capture_output=True, check=True)
    niceness, memory, printed, read = unpack(end.stdout)
    assert (niceness, memory, printed) == ((NICENESS, None), (MEMORY, None), (None, None))
    assert "EOFError" in str(read[1])
    assert end.stderr == b"what a game prints is no answer\n"
