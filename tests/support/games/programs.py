"""Command lines of the games, run in a shell or on a terminal."""

import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO, StringIO, TextIOWrapper

import pytest

from core.cli import main
from tests.support.polling import TEST_TIMEOUT

Ended = subprocess.CompletedProcess[str]


class Terminal:
    """Test's end of the terminal of a program."""

    def __init__(self, ours: int, process: subprocess.Popen[bytes]) -> None:
        self._ours = ours
        self.process = process

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def read(self) -> str:
        """Return the next output; nothing when the program has closed the terminal."""
        try:
            return os.read(self._ours, 4096).decode()
        except OSError:  # how Linux reports the end
            return ""

    def read_to(self, end: str) -> str:
        """Return the output up to a text, or up to the end of the program."""
        seen = ""
        while not seen.endswith(end) and (more := self.read()):
            seen += more
        return seen

    def read_to_end(self) -> str:
        return "".join(iter(self.read, ""))


class Program:
    """Command line of a game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = f"core.{name}"
        self.command = [sys.executable, "-m", self.module]

    def execute(self, *arguments: str, stdin: str = "") -> Ended:
        """Run the program in a process of its own."""
        return self._ended([*self.command, *arguments], stdin)

    def shell(self, redirected: str, stdin: str = "") -> Ended:
        """Run the program in a shell, with arguments and redirections."""
        command = ["sh", "-c", f'"$0" -m {self.module} {redirected}', sys.executable]
        return self._ended(command, stdin)

    def run(self, *arguments: str | bytes, stdin: str = "") -> Ended:
        """Run the program in this process: another one takes a hundred times as long."""
        module = import_module(self.module)
        if hasattr(module, "__path__"):
            module = import_module(f"{self.module}.__main__")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.argv", [self.name, *map(os.fsdecode, arguments)])
            patch.setattr("sys.stdin", TextIOWrapper(BytesIO(stdin.encode())))
            patch.setattr("sys.stdout", output := StringIO())
            patch.setattr("sys.stderr", errors := StringIO())
            status = 0
            try:
                main(self.name, module.run)
            except SystemExit as end:
                status = int(end.code or 0)
        return Ended([self.name, *arguments], status, output.getvalue(), errors.getvalue())

    def output(self, *arguments: str, stdin: str = "") -> str:
        """Return what the program prints; check that everything else is as it must be."""
        ended = self.run(*arguments, stdin=stdin)
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout

    def refusal(self, *arguments: str | bytes, stdin: str = "") -> str:
        """Return the error message for invalid input; check the exit status and the output."""
        ended = self.run(*arguments, stdin=stdin)
        assert (ended.returncode, ended.stdout) == (2, "")
        line = re.fullmatch(rf"{self.name}: (.+)\n", ended.stderr)
        assert line
        return line[1]

    def _ended(self, command: Sequence[str], stdin: str) -> Ended:
        return subprocess.run(
            command, input=stdin, capture_output=True, text=True, timeout=TEST_TIMEOUT
        )

    @contextmanager
    def on_a_terminal(self, *arguments: str, stdin: str | None = None) -> Iterator[Terminal]:
        """Run with a terminal as standard error and, without `stdin`, as input and output too."""
        ours, theirs = pty.openpty()
        others = theirs if stdin is None else subprocess.PIPE
        command = [*self.command, *arguments]
        with subprocess.Popen(command, stdin=others, stdout=others, stderr=theirs) as process:
            os.close(theirs)
            watchdog = threading.Timer(TEST_TIMEOUT, process.kill)
            watchdog.start()
            try:
                if stdin is not None and process.stdin:
                    process.stdin.write(stdin.encode())
                    process.stdin.close()
                yield Terminal(ours, process)
            finally:
                watchdog.cancel()
                process.kill()  # whatever it has not ended by itself
                os.close(ours)


@contextmanager
def python(script: str) -> Iterator[subprocess.Popen[str]]:
    """Run a Python script; it is killed if it has not ended by itself."""
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


INTERRUPTED = """
{imports}

def report(progress):
    if progress.seconds > 0.2:
        print("at work", flush=True)

try:
    {search}
except KeyboardInterrupt:
    print("interrupted")
"""


def is_interrupted(imports: str, search: str) -> bool:
    """Return whether Ctrl-C ends a search in Python code, which calls `report`."""
    with python(INTERRUPTED.format(imports=imports, search=search)) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=TEST_TIMEOUT)
    return output.endswith("interrupted\n")


NO_MEMORY = """
import resource
{preparation}
resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20, resource.RLIM_INFINITY))
message = ""
try:
    {call}
except MemoryError as error:
    message = f"MemoryError: {{error}}"
finally:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
print(message)
"""


def memory_error(preparation: str, call: str, megabytes: int = 1) -> str:
    """Return the error of a call in Python code whose process gets no more memory.

    The limit is that of the address space: a process that has more already gets none.
    """
    script = NO_MEMORY.format(preparation=preparation, call=call, megabytes=megabytes)
    with python(script) as process:
        output, _ = process.communicate(timeout=TEST_TIMEOUT)
    return output.strip()
