"""`python -m bench.watching`: what it costs the players that many watch, and how quick the page is.

The same matches between the same stand-ins (bench/standins.py) are played without and with viewers
(bench/onlookers.py), each time in an arena of its own. The page is measured in Chromium.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import sync_playwright

from arena.site import routes
from bench import loaded, onlookers, standins
from bench.load import AMPLE, THINK, Child, Played, Times, added, met, play, process
from bench.loaded import Load
from bench.onlookers import Seen
from tests.browser import CHROMIUM, DESKTOP, OPTIONS

VIEWERS = 500
GOAL_DELAY = 2.0  # ms that 99 of 100 moves may wait longer than without viewers
GOAL_PAINT = 200.0  # ms
GOAL_SIZE = 150_000  # bytes
GOAL_RATE = 59.0  # frames a second: what a screen of 60 has, but for the rounding of its clock
LONG = 1000  # stones
FRAMES = 300  # that are measured


@contextmanager
def watched(
    port: int, viewers: int, match: int | None, seen: list[Seen]
) -> Iterator[Callable[[], None]]:
    """So many viewers; what they have seen in the end goes to `seen`."""
    with process(onlookers.run, port, viewers) as child:
        child.pipe.recv()
        yield partial(child.pipe.send, match)
        child.pipe.send(None)
        seen.append(child.pipe.recv())


def delays(matches: int) -> Iterator[str]:
    """What viewers add to the time that a move takes, and whether they are told all moves."""
    loads: list[tuple[str, Load, int | None]] = [
        ("one match", Load(2, 1, AMPLE, 1, stones=LONG, watched=True), 1),
        ("the lobby", Load(200, 100, AMPLE, matches, watched=True), None),
    ]
    yield "ms beyond the thinking  viewers  median  95 of 100  99 of 100  at most  frames/s to each"
    for what, load, match in loads:
        late = []
        for viewers in (0, VIEWERS):
            seen: list[Seen] = []
            watch = partial(watched, viewers=viewers, match=match, seen=seen)
            played = play(load, *THINK, watch if viewers else None)
            since = seen[0].since if seen else 0.0
            delay = added(_after(since, played), played.thought)
            cuts = quantiles(delay, n=100)
            late.append(cuts[98])
            rate = f"{seen[0].rate:16.1f}" if seen else ""
            yield (
                f"{what:>22}  {viewers:7d}{cuts[49]:8.2f}{cuts[94]:11.2f}{cuts[98]:11.2f}"
                f"{max(delay):9.2f}{rate}"
            )
        more = late[1] - late[0]
        yield f"  99 of 100 wait {more:+.2f} ms, goal {GOAL_DELAY:g} {met(more < GOAL_DELAY)}"
        if match is None:
            moves = {record.id: [move.move for move in record.moves] for record in played.records}
            told = seen[0].moves
            missed = sum(told[match] != moves[match] for match in told)
            yield f"  of {len(told)} matches told to their end, {missed} differ from the record"


def _after(since: float, played: Played) -> Times:
    """How long each turn took that began after a Unix time, by the arena's clock."""
    found: Times = {}
    for record in played.records:
        at = record.started_at
        for move in record.moves:
            if at > since:
                found[str(record.id), move.ply] = move.elapsed
            at += move.elapsed
    return found


@contextmanager
def playing(bots: int, stones: int, think: float) -> Iterator[tuple[str, Child]]:
    """An arena with so many stand-ins that play without end, and where its page is."""
    with tempfile.TemporaryDirectory() as folder:
        load = Load(bots, bots // 2, AMPLE, stones=stones, watched=True)
        with (
            process(loaded.run, Path(folder) / "arena.db", load) as server,
            process(standins.run, port := server.pipe.recv(), bots, think, think, stones) as others,
        ):
            others.pipe.recv()
            server.pipe.send(None)
            yield f"http://127.0.0.1:{port}/", server
            server.pipe.send(None)
            server.pipe.recv()
            others.pipe.send(None)
            others.pipe.recv()


def page() -> Iterator[str]:
    """How large the page is, how soon it is painted, and how smoothly it is drawn."""
    size = sum(len(route().body) for path, route in routes().items() if path != "/")
    yield f"the page and all its files: {size:,} bytes, goal {GOAL_SIZE:,} {met(size < GOAL_SIZE)}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        with playing(200, standins.STONES, 0.05) as (url, _):
            paints = []
            for _ in range(5):
                opened = browser.new_page(viewport=DESKTOP)  # type: ignore[arg-type]
                opened.goto(url)
                opened.wait_for_function("performance.getEntriesByType('paint').length")
                paints.append(
                    opened.evaluate(
                        "performance.getEntriesByName('first-contentful-paint')[0].startTime"
                    )
                )
                opened.wait_for_selector("main canvas")
                yield f"  {0}"
                opened.close()
            paint = median(paints)
            yield f"first paint after {paint:.0f} ms, goal {GOAL_PAINT:g} {met(paint < GOAL_PAINT)}"
        with playing(2, LONG, 0.01) as (url, _):
            time.sleep(0.5)
            opened = browser.new_page(viewport=DESKTOP)  # type: ignore[arg-type]
            opened.goto(f"{url}#/match/1")
            opened.wait_for_selector("[role=gridcell]")
        browser.close()
