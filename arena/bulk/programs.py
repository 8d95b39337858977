"""Users' programs of a job: the strategies that ask them, and whether they can run here.

The package of the bots is loaded by its name, where there are programs.
"""

from importlib import import_module
from typing import Any

from arena.bulk.job import PROGRAMS, Job
from arena.sandbox.sandbox import SandboxUnavailable


class Programs:
    """Programs of a job, each for one match after another."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._specs = {name: spec for name, spec in job.bots.items() if spec.startswith(PROGRAMS)}
        self._found: dict[str, Any] = {}

    def find(self, name: str) -> Any:
        """Return the `bots.programs.UserProgram` of a bot; None if the bot is no program.

        Raises:
            ValueError: Its specification is invalid here, for example because it is not installed.
            SandboxUnavailable: Its sandbox does not work here.
        """
        if name in self._specs and name not in self._found:
            create, job = import_module("bots.programs").create_program, self._job
            self._found[name] = create(self._specs[name], job.sandbox, job.bot_files)
        return self._found.get(name)

    def problem(self) -> str | None:
        """Return why a program cannot run on this machine, in one line; None if all can."""
        for name in self._specs:
            try:
                self.find(name)
            except (ValueError, SandboxUnavailable) as error:
                return f"bot {name}: {error}"
        return None

    def notice(self) -> str | None:
        """Return the line that says why programs are not isolated that should be, or None."""
        notices = (program.sandbox.notice for program in self._found.values())
        return next(filter(None, notices), None)

    def close(self) -> None:
        """End all processes."""
        for program in self._found.values():
            program.close()
