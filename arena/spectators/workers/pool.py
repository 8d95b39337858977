"""Processes that work for spectators."""

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from arena.model.observer import Problems, Report
from arena.protocol.bots import FindBot
from arena.protocol.codec import encode
from arena.protocol.positions import ExplainSteps, FindExercise, FindMoveValues, Trace
from arena.protocol.spectator import Analyse, FindMargins, FindPlots, Watch
from arena.spectators.workers.process import WorkerProcess
from arena.spectators.workers.program import create
from arena.spectators.workers.questions import Questions

if TYPE_CHECKING:
    from arena.spectators.queries import Question

QUERIES = "arena.spectators.queries"
LEADERBOARDS = "arena.spectators.leaderboards.queries"

# Bytes of data. The largest analysis needs about 60 MB; searches that are shown step by step, with
# all their positions, would take as much as they get.
ANALYSIS_MEMORY = 256 * 1024**2
LEADERBOARD_SECONDS = 60.0  # of processor time for one call: a million results take about 3 s


class Workers:
    """Processes for the database, the solver and positions, for analyses, and for leaderboards.

    With a process of their own, long analyses delay neither the winners nor the positions of a
    match, and large leaderboards none of these. The questions for each process wait in a queue of
    their own.

    Attributes:
        database: The process of `Queries`.
        analysis: The process of `Analyses`.
        leaderboards: The process of `LeaderboardQueries`.
    """

    def __init__(self, path: Path, anchor: tuple[str, float] | None, problems: Problems) -> None:
        """Start nothing yet.

        Args:
            path: The database.
            anchor: The bot with the fixed rating, and that rating in Elo.
            problems: Where processes are reported that do not work.
        """

        def report(part: str) -> Report:
            return partial(problems.report, part)

        self.database = WorkerProcess(
            partial(create, QUERIES, "Queries", path), report=report("matches")
        )
        self.analysis = WorkerProcess(
            partial(create, QUERIES, "Analyses"), memory=ANALYSIS_MEMORY, report=report("analyses")
        )
        self.leaderboards = WorkerProcess(
            partial(create, LEADERBOARDS, "LeaderboardQueries", path, anchor),
            LEADERBOARD_SECONDS,
            report=report("leaderboards"),
        )
        self._database_questions = _questions(self.database)
        self._analysis_questions = _questions(self.analysis)
        self._leaderboard_questions = _questions(self.leaderboards)

    async def ask(self, address: str, question: "Question") -> str:
        """Return the frame that answers a question, when it is the turn of the asker's address.

        Raises:
            RequestError: There is no answer, too many questions wait, or the arena closes.
        """
        match question:
            case Analyse() | FindMoveValues() | Trace() | ExplainSteps() | FindExercise():
                questions = self._analysis_questions
            case FindBot() | FindMargins() | FindPlots():
                questions = self._leaderboard_questions
            case _:
                questions = self._database_questions
        if isinstance(question, Watch):
            return await questions.ask(address, question)
        answer = await questions.ask(address, replace(question, request=0))
        # The number of the question is the first field of every answer.
        return answer.replace('"request":0', f'"request":{question.request}', 1)

    async def restart(self) -> None:
        """Let all processes forget what they have read from the database."""
        await asyncio.gather(self.database.restart(), self.leaderboards.restart())

    async def close(self) -> None:
        """End the processes at once."""
        processes = self.database, self.analysis, self.leaderboards
        await asyncio.gather(*(process.close() for process in processes))


def _questions(process: WorkerProcess) -> "Questions[Question, str]":
    return Questions(partial(process.call, "answer"), encode)
