"""What runs in a worker, here in the process of the test."""

import asyncio
import pickle
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from arena.bulk.batch import LostBatch
from arena.bulk.cluster import worker
from arena.bulk.cluster.bot_files import BotFiles, pack
from arena.bulk.cluster.worker import (
    PROTOCOL,
    Opened,
    UnknownRun,
    close_run,
    open_run,
    play,
    renew_run,
)
from arena.bulk.records import decode_records
from arena.model.results import MatchRecord
from tests.support.computing.batch_runs import JOB, games, make_batches, undisturbed_games
from tests.support.polling import until

BATCHES = make_batches(2, 3)
RUN = "run"


@dataclass
class Worker:
    """Worker of Dask, as far as the arena uses it."""

    local_directory: str


def play_all() -> object:
    records: list[MatchRecord] = []
    for batch in BATCHES:
        data = play(RUN, pickle.dumps(batch))
        assert isinstance(data, bytes)
        records += decode_records(batch, JOB.time, data).matches.records()
    return games(records)


async def test_batches_of_an_open_run_are_played(tmp_path: Path) -> None:
    with pytest.raises(UnknownRun, match=r"^run x is not open$"):
        play("x", b"")
    assert open_run(PROTOCOL, RUN, JOB, None, Worker(str(tmp_path))) == Opened()
    run = worker._runs[RUN]
    assert await asyncio.to_thread(play_all) == undisturbed_games(BATCHES)
    close_run(RUN)
    close_run(RUN)  # again, as after the end of its lease
    with pytest.raises(UnknownRun, match="closed"):
        run.play(BATCHES[0])


async def test_runs_that_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "there").mkdir()
    here = Worker(str(tmp_path / "there"))
    programs = replace(JOB, bots={"a": "stdio:./mybot"})
    for protocol, job, files, refusal in (
        (
            PROTOCOL + 1,
            JOB,
            None,
            f"the protocol of batches is {PROTOCOL} there and {PROTOCOL + 1}",
        ),
        (PROTOCOL, JOB, BotFiles(b"no archive"), "the bot files cannot be unpacked there: File is"),
        (
            PROTOCOL,
            programs,
            pack(tmp_path / "mine"),
            "a: bot 'stdio:./mybot': program './mybot' not found",
        ),
    ):
        opened = open_run(protocol, RUN, job, files, here)
        assert opened.refusal
        assert opened.refusal.startswith(refusal)
        assert RUN not in worker._runs
        assert not [*(tmp_path / "there").iterdir()]


async def test_files_replace_the_folder_of_the_job(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mybot.py").write_text(
        "class MyBot:\n"
        "    def choose(self, position, clock):\n"
        "        return position.legal_moves()[0]\n"
    )
    job = replace(JOB, bots={**JOB.bots, "a": "python:mybot:MyBot"})
    there = tmp_path / "there"
    there.mkdir()
    open_run(PROTOCOL, RUN, job, pack(tmp_path / "mine"), Worker(str(there)))
    found = await asyncio.to_thread(play_all)
    close_run(RUN)
    assert found == undisturbed_games(BATCHES, replace(job, bot_files=tmp_path / "mine"))
    assert not [*there.iterdir()]


async def test_run_without_a_driver_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LEASE", 0.0)
    open_run(PROTOCOL, RUN, JOB, None, Worker(str(tmp_path)))
    renew_run(RUN)
    await until(lambda: RUN not in worker._runs, "the worker to forget the run")
    renew_run(RUN)  # comes too late
    assert RUN not in worker._runs


async def test_run_that_is_opened_again_ends_what_it_was_playing(tmp_path: Path) -> None:
    """As after a lost connection, when nobody waits for the outcome."""
    (tmp_path / "endless.py").write_text(
        "class Endless:\n"
        "    def choose(self, position, clock):\n"
        f"        open({str(tmp_path / 'begun')!r}, 'w').close()\n"
        "        while True: pass\n"
    )
    bots = {**JOB.bots, "a": "python:endless:Endless"}
    job = replace(JOB, bots=bots, bot_files=tmp_path)
    files = pack(tmp_path)
    open_run(PROTOCOL, RUN, job, files, Worker(str(tmp_path)))
    playing = asyncio.create_task(asyncio.to_thread(play, RUN, pickle.dumps(BATCHES[0])))
    await until((tmp_path / "begun").exists, "the beginning of the batch")
    open_run(PROTOCOL, RUN, job, files, Worker(str(tmp_path)))
    assert isinstance(await playing, LostBatch)
    close_run(RUN)
