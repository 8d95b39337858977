"""The built-in bots as processes of their own, which dial in like a stranger's."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Self

STOP_SECONDS = 5.0  # between asking a process to end and ending it


class Process:
    """One bot's process: a name to play under, and what it last complained of."""

    def __init__(self, name: str, arguments: Sequence[str]) -> None:
        self.name = name
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (open like the process)
        self._process = subprocess.Popen(
            # -P: a folder called bots where the organiser happens to stand is not ours.
            [sys.executable, "-P", "-m", "bots", *arguments, "--name", name, "--until-eof"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
        )

    @property
    def failure(self) -> str | None:
        """Why the process has ended, in words, or None while it runs."""
        status = self._process.poll()
        if status is None:
            return None
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return lines[-1].removeprefix("bots: ") if lines else f"it ended with status {status}"

    def stop(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()  # it leaves by itself at the end of its standard input
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()


class Processes:
    """The built-in bots of a tournament, from `with` to its end."""

    def __init__(self) -> None:
        self._running: list[Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._running:
            process.stop()

    def launch(self, name: str, bot: str, url: str, seed: int) -> None:
        """Start a bot, as `python -m bots` names it; only random takes the seed."""
        seeded = ["--seed", str(seed)] if bot == "random" else []
        self._running.append(Process(name, [bot, "--url", url, *seeded]))

    def failures(self) -> list[str]:
        """What has become of those that have ended, a line for each."""
        ended = [(process.name, process.failure) for process in self._running]
        return [f"bot {name} has left: {failure}" for name, failure in ended if failure]
