"""Users' programs of a job: the strategies that ask them, and whether they can run here."""

from arena.bulk.job import Job
from arena.sandbox.sandbox import SandboxUnavailable
from bots.programs import UserProgram, create_program
from bots.specification import PROGRAMS, read_bots


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
