"""Program that plays a plan on a pool of two processes.

`python -m tests.support.computing.bulk_run DB` prints a line for each finished match.
"""

import asyncio
import sys
from pathlib import Path

from arena.bulk.pool import ProcessPool
from arena.model.observer import Observer
from arena.model.results import MatchRecord
from tests.support.computing.bulk import PLAN, job_of, long_plan, run_plan

MATCHES = 600


class Lines(Observer):
    """Observer that prints a line for each finished match."""

    def finished(self, record: MatchRecord) -> None:
        print(record.pairing.number, flush=True)


if __name__ == "__main__":
    plan = long_plan(PLAN, MATCHES)
    asyncio.run(run_plan(plan, ProcessPool(job_of(plan), 2), Path(sys.argv[1]), Lines()))
