"""`python -m bench.arena.spectators`: what it costs the players that many watch, and how quick the page is.

The same matches between the same stand-ins (bench/simulated_bots.py) are played without and with viewers
(bench/arena/simulated_spectators.py), each time in an arena of its own. The page is measured in Chromium.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser, Page, sync_playwright

from arena.server.http import Answer
from arena.server.static import routes
from bench.arena import arena_process, simulated_bots, simulated_spectators
from bench.arena.arena_process import Load
from bench.arena.load import AMPLE, THINK, Played, Times, added, met, play, process
from bench.arena.simulated_spectators import Seen
from tests.support import chromium
from tests.support.browser import DESKTOP, OPTIONS

VIEWERS = 500
GOAL_DELAY = 2.0  # ms that 99 of 100 moves may wait longer than without viewers
GOAL_PAINT = 200.0  # ms
GOAL_SIZE = 150_000  # bytes
GOAL_GAP = 1000 / 60  # ms between two frames
GOAL_RATE = 59.0  # frames a second: one of 60 may be late
LONG = 1000  # stones
FRAMES = 240  # that are measured


@contextmanager
def watched(
    port: int, viewers: int, match: int | None, seen: list[Seen]
) -> Iterator[Callable[[], None]]:
    """So many viewers; what they have seen in the end goes to `seen`."""
    with process(simulated_spectators.run, port, viewers) as child:
        child.pipe.recv()
        yield partial(child.pipe.send, match)
        child.pipe.send(None)
        seen.append(child.pipe.recv())


def delays(matches: int) -> Iterator[str]:
    """What viewers add to the time that a move takes, and whether they are told all moves."""
    loads: list[tuple[str, Load, int | None]] = [
        ("one match", Load(2, 1, AMPLE, 1, stones=LONG), 1),
        ("the lobby", Load(200, 100, AMPLE, matches), None),
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
        if match is not None:
            more = late[1] - late[0]
            yield f"  99 of 100 wait {more:+.2f} ms, goal {GOAL_DELAY:g} {met(more < GOAL_DELAY)}"
        else:
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
def playing(bots: int, stones: int, think: float) -> Iterator[str]:
    """An arena with so many stand-ins that play without end: where its page is."""
    with tempfile.TemporaryDirectory() as folder:
        load = Load(bots, bots // 2, AMPLE, stones=stones)
        with (
            process(arena_process.run, Path(folder) / "arena.db", load) as server,
            process(
                simulated_bots.run, port := server.pipe.recv(), bots, think, think, stones
            ) as others,
        ):
            others.pipe.recv()
            server.pipe.send(None)
            yield f"http://127.0.0.1:{port}/"
            server.pipe.send(None)
            server.pipe.recv()
            others.pipe.send(None)
            others.pipe.recv()


def page() -> Iterator[str]:
    """How large the page is, how soon it is painted, and how smoothly it is drawn."""
    files = [route() for path, route in routes().items() if path != "/"]
    size, packed = (sum(parts) for parts in zip(*map(_sizes, files), strict=True))
    yield (
        f"the page with all its files: {packed:,} bytes as sent, {size:,} unpacked,"
        f" goal {GOAL_SIZE:,} {met(packed < GOAL_SIZE)}"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=OPTIONS)
        with playing(200, simulated_bots.STONES, 0.05) as url:
            paint = median(_first_paint(browser, url) for _ in range(5))
            yield f"first paint after {paint:.0f} ms, goal {GOAL_PAINT:g} {met(paint < GOAL_PAINT)}"
            opened = browser.new_page(viewport=DESKTOP)  # type: ignore[arg-type]
            opened.goto(url)
            opened.wait_for_selector(".live-card:nth-child(100)")
            yield f"a lobby with 100 matches: {_frames(opened)[1]}"
            opened.close()
        with playing(2, LONG, 0.06) as url:
            opened = browser.new_page(viewport=DESKTOP)  # type: ignore[arg-type]
            opened.goto(f"{url}#/match/1")
            opened.wait_for_selector(".stone.last")
            rate, words = _frames(opened)
            goal = f"goal {GOAL_RATE:g} {met(rate >= GOAL_RATE)}"
            yield f"a match with {LONG} stones: {words}, {goal}"
        browser.close()


def _sizes(file: Answer) -> tuple[int, int]:
    assert file.packed
    return len(file.body), len(file.packed)


def _first_paint(browser: Browser, url: str) -> float:
    """Milliseconds from the request of a page that was never seen to its first content."""
    with browser.new_context(viewport=DESKTOP) as context:  # type: ignore[arg-type]
        opened = context.new_page()
        opened.goto(url)
        entry = "performance.getEntriesByName('first-contentful-paint')[0]"
        opened.wait_for_function(entry)
        return float(opened.evaluate(f"{entry}.startTime"))


def _frames(opened: Page) -> tuple[float, str]:
    """How many frames a second are drawn, and that in words, with those that came late."""
    took: list[float] = opened.evaluate(
        """count => new Promise(resolve => {
          const times = [];
          const look = now =>
            times.push(now) > count ? resolve(times) : requestAnimationFrame(look);
          requestAnimationFrame(look);
        })""",
        FRAMES,
    )
    gaps = [after - before for before, after in pairwise(took)]
    rate = 1000 * len(gaps) / (took[-1] - took[0])
    late = sum(gap > 1.5 * GOAL_GAP for gap in gaps)
    return rate, (
        f"{rate:.1f} frames/s, {late} of {len(gaps)} late, the longest {max(gaps):.0f} ms"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.spectators", description="Measure what it takes to be watched."
    )
    parser.add_argument("--matches", type=int, default=400, help="in the lobby (default: 400)")
    parser.add_argument("--only", choices=("delays", "page"), help="one part of it")
    chosen = parser.parse_args()
    for part, lines in {"delays": delays(chosen.matches), "page": page()}.items():
        if chosen.only in (None, part):
            for line in lines:
                print(line, flush=True)


if __name__ == "__main__":
    main()
