"""Cost of spectators for the players, and speed of the page: `python -m bench.arena.spectators`.

The same matches between simulated bots are played without and with simulated spectators, each time
in a new arena. The page is measured in Chromium.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from arena.server.http import Content
from arena.server.static import routes
from bench.arena import arena_process, simulated_bots, simulated_spectators
from bench.arena.arena_process import Load
from bench.arena.load import (
    LONG_TIME,
    THINK,
    ChildProcess,
    LoadResult,
    Times,
    overheads,
    play,
    run_process,
)
from bench.arena.simulated_spectators import SpectatorReport
from bench.goals import met
from core import GAMES
from tests.support.page.browser import DESKTOP, OPTIONS
from tests.support.tools import find

SPECTATORS = 500
GOAL_DELAY = 2.0  # ms, the additional delay of 99 % of the moves
GOAL_PAINT = 200.0  # ms
GOAL_LOBBY_SIZE = 100_000  # bytes as sent
GOAL_SIZE = 250_000  # bytes as sent, of all views
GOAL_GAP = 1000 / 60  # ms between two frames
GOAL_LONGEST_GAP = 50.0  # ms
LIVE = 55  # matches in the lobby
PAINTS = 5  # the median counts
EMPTY = "about:blank"
PAGE = "http://127.0.0.1:{}/"
LOBBY_BOTS, LOBBY_THINK, LOBBY_SECONDS = 150, 0.18, 20.0  # some 400 moves a second
LOBBY_SPECTATORS = (300, 600)
GOAL_BYTES, GOAL_CPU = 0.25, 1.2  # compressed, of the same uncompressed
GOAL_LOBBY_GAP = 2.0  # seconds
PLAIN_TEXT = "healthz"  # a path of one line, the floor of the first paint
GOAL_RATE = 59.0  # frames per second: one of 60 may be late
LONG = 1000  # stones
SEARCH = "game=take_stones&stones=50&moves=3,1,6&depth=6"  # more than 5,000 nodes
FRAMES = 240  # measured
ZOOM = """() => {
    const tree = document.querySelector(".tree");
    let deltaY = 50;
    const zoom = () => {
        tree.dispatchEvent(new WheelEvent("wheel", { deltaY, cancelable: true }));
        deltaY *= -1;
        requestAnimationFrame(zoom);
    };
    zoom();
}"""


@contextmanager
def watched(
    port: int,
    spectators: int,
    match: int | None,
    seen: list[SpectatorReport],
    compressed: bool = False,
) -> Iterator[Callable[[], None]]:
    """Run simulated spectators; their report is appended to `seen`."""
    with run_process(simulated_spectators.run, port, spectators, compressed) as child:
        child.pipe.recv()
        yield partial(child.pipe.send, match)
        child.pipe.send(None)
        seen.append(child.pipe.recv())


def delays(matches: int) -> Iterator[str]:
    """Yield the delay that spectators add to moves, and whether they receive all moves."""
    loads: list[tuple[str, Load, int | None]] = [
        ("one match", Load(2, 1, LONG_TIME, 1, stones=LONG), 1),
        ("the lobby", Load(200, 100, LONG_TIME, matches), None),
    ]
    yield "ms beyond the thinking  spectators  median     95 %     99 %  maximum  frames/s to each"
    for what, load, match in loads:
        late = []
        for spectators in (0, SPECTATORS):
            seen: list[SpectatorReport] = []
            watch = partial(watched, spectators=spectators, match=match, seen=seen)
            played = play(load, *THINK, watch if spectators else None)
            since = seen[0].since if seen else 0.0
            delay = overheads(_after(since, played), played.thinking_times)
            cuts = quantiles(delay, n=100)
            late.append(cuts[98])
            rate = f"{seen[0].rate:16.1f}" if seen else ""
            yield (
                f"{what:>22}  {spectators:10d}{cuts[49]:8.2f}{cuts[94]:9.2f}{cuts[98]:9.2f}"
                f"{max(delay):9.2f}{rate}"
            )
        if match is not None:
            more = late[1] - late[0]
            yield f"  99 % wait {more:+.2f} ms, goal {GOAL_DELAY:g} {met(more < GOAL_DELAY)}"
        else:
            moves = {record.id: [move.move for move in record.moves] for record in played.records}
            known = seen[0].moves
            missed = sum(known[match] != moves[match] for match in known)
            yield f"  of {len(known)} matches followed to the end, {missed} differ from the records"


def _after(since: float, played: LoadResult) -> Times:
    """Return the elapsed time of each turn that began after a Unix time."""
    found: Times = {}
    for record in played.records:
        at = record.started_at
        for move in record.moves:
            if at > since:
                found[str(record.id), move.ply] = move.elapsed
            at += move.elapsed
    return found


@contextmanager
def playing(bots: int, stones: int, think: float) -> Iterator[tuple[int, ChildProcess]]:
    """Run an arena with simulated bots that play endlessly; yield its port and its process."""
    with tempfile.TemporaryDirectory() as folder:
        load = Load(bots, bots // 2, LONG_TIME, stones=stones)
        with (
            run_process(arena_process.run, Path(folder) / "arena.db", load) as server,
            run_process(
                simulated_bots.run, port := server.pipe.recv(), bots, think, think, stones
            ) as others,
        ):
            others.pipe.recv()
            server.pipe.send(None)
            yield port, server
            server.pipe.send(None)
            server.pipe.recv()
            others.pipe.send(None)
            others.pipe.recv()


def lobby() -> Iterator[str]:
    """Yield what spectators of the lobby cost, uncompressed and compressed."""
    yield "spectators  compressed  kB/s to each  frames/s  longest gap  processor"
    with playing(LOBBY_BOTS, simulated_bots.STONES, LOBBY_THINK) as (port, arena):
        before = arena.cpu
        time.sleep(LOBBY_SECONDS)
        alone = (arena.cpu - before) / LOBBY_SECONDS
        yield f"{0:10d}{alone:59.1%}"
        for spectators in LOBBY_SPECTATORS:
            found = []
            for compressed in (False, True):
                seen: list[SpectatorReport] = []
                with watched(port, spectators, None, seen, compressed) as start:
                    start()
                    time.sleep(spectators * simulated_spectators.PAUSE + 1)
                    before = arena.cpu
                    time.sleep(LOBBY_SECONDS)
                    cpu = (arena.cpu - before) / LOBBY_SECONDS
                found.append((seen[0].size / seen[0].rate, (cpu - alone) / seen[0].rate))
                yield (
                    f"{spectators:10d}  {'yes' if compressed else 'no':>10}"
                    f"{seen[0].size / 1000:14.1f}{seen[0].rate:10.1f}{seen[0].longest_gap:11.2f} s"
                    f"{cpu:11.1%}"
                )
            size, cpu = (compressed / plain for plain, compressed in zip(*found, strict=True))
            yield (
                f"  a frame: {size:.2f} of the bytes,"
                f" goal {GOAL_BYTES:g} {met(size <= GOAL_BYTES)},"
                f" {cpu:.2f} of the time, goal {GOAL_CPU:g} {met(cpu <= GOAL_CPU)},"
                f" longest gap, goal {GOAL_LOBBY_GAP:g} s"
                f" {met(seen[0].longest_gap < GOAL_LOBBY_GAP)}"
            )


def page() -> Iterator[str]:
    """Yield the size of the page, the time of its first paint, and its frame rates.

    Beside other programs the figures say little by themselves: a line of text from the same arena
    is the floor of the first paint, and an empty page the floor of the frames.
    """
    files = [route() for path, route in routes(GAMES.values(), print).items() if path != "/"]
    size, packed = (sum(parts) for parts in zip(*map(_sizes, files), strict=True))
    yield (
        f"all views: {packed:,} bytes as sent, {size:,} unpacked,"
        f" goal {GOAL_SIZE:,} {met(packed < GOAL_SIZE)}"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(find("Chromium")), args=OPTIONS)
        opened = browser.new_page(viewport=DESKTOP)  # type: ignore[arg-type]
        with playing(2 * LIVE, simulated_bots.STONES, 0.05) as (port, _):
            url = PAGE.format(port)
            yield f"an empty page beside {LIVE} matches: {_frames(opened)}"
            opened.goto(url)
            opened.wait_for_selector(f".live-card:nth-child({LIVE})")
            sent = _bytes_sent(opened)
            goal = f"goal {GOAL_LOBBY_SIZE:,} {met(sent < GOAL_LOBBY_SIZE)}"
            yield f"the lobby: {sent:,} bytes as sent, {goal}"
            frames = _frames(opened)
            yield (
                f"a lobby with {LIVE} matches: {frames},"
                f" goal {GOAL_LONGEST_GAP:g} ms {met(frames.longest <= GOAL_LONGEST_GAP)}"
            )
            opened.goto(EMPTY)
            yield _first_paints(browser, url)
        with playing(2, LONG, 0.06) as (port, _):
            url = PAGE.format(port)
            yield f"an empty page beside a match: {_frames(opened)}"
            opened.goto(f"{url}#/match/1")
            opened.wait_for_selector(".stone.last")
            yield f"a match with {LONG} stones: {_rate(_frames(opened))}"
            yield from _search(opened, url)
        browser.close()


def _first_paints(browser: Browser, url: str) -> str:
    """Describe the first paint of the page and of a line of text, measured in turn."""
    took = [[_first_paint(browser, url + path) for path in ("", PLAIN_TEXT)] for _ in range(PAINTS)]
    paint, floor = map(median, zip(*took, strict=True))
    goal = f"goal {GOAL_PAINT:g} {met(paint < GOAL_PAINT)}"
    return f"first paint after {paint:.0f} ms, a line of text after {floor:.0f} ms, {goal}"


def _search(opened: Page, url: str) -> Iterator[str]:
    """Yield the frame rates of a search that is played, and of its whole tree."""
    opened.goto(f"{url}#/learn?{SEARCH}")
    opened.get_by_label("Speed").select_option("fastest")
    opened.get_by_role("button", name="Play", exact=True).click()
    yield f"a search that is played: {_frames(opened)}"
    opened.keyboard.press("End")
    opened.keyboard.press("0")
    nodes = opened.locator(".counts b").first.text_content()
    opened.evaluate(ZOOM)
    yield f"its whole tree of {nodes} nodes, zoomed: {_rate(_frames(opened))}"


def _sizes(file: Content) -> tuple[int, int]:
    assert file.gzipped
    return len(file.body), len(file.gzipped)


def _first_paint(browser: Browser, url: str) -> float:
    """Return the milliseconds from the request of an uncached page to its first content."""
    with browser.new_context(viewport=DESKTOP) as context:  # type: ignore[arg-type]
        opened = context.new_page()
        opened.goto(url)
        entry = "performance.getEntriesByName('first-contentful-paint')[0]"
        opened.wait_for_function(entry)
        return float(opened.evaluate(f"{entry}.startTime"))


def _bytes_sent(opened: Page) -> int:
    """Return the compressed bytes of all files that a page has loaded, with their headers."""
    entries = "['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))"
    sizes: list[int] = opened.evaluate(f"{entries}.map(({{ transferSize }}) => transferSize)")
    return sum(sizes)


class Frames(NamedTuple):
    """The frames that a page has drawn."""

    rate: float  # per second
    gaps: int
    late: int
    longest: float  # ms between two of them
    busy: float  # share of a processor that the page's main thread took

    def __str__(self) -> str:
        return (
            f"{self.rate:.1f} frames/s, {self.late} of {self.gaps} late, the longest"
            f" {self.longest:.0f} ms, {self.busy:.0%} of a processor"
        )


def _rate(frames: Frames) -> str:
    return f"{frames}, goal {GOAL_RATE:g} {met(frames.rate >= GOAL_RATE)}"


def _frames(opened: Page) -> Frames:
    """Measure the frames of a page."""
    session = opened.context.new_cdp_session(opened)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    took: list[float] = opened.evaluate(
        """count => new Promise(resolve => {
          const times = [];
          const look = now =>
            times.push(now) > count ? resolve(times) : requestAnimationFrame(look);
          requestAnimationFrame(look);
        })""",
        FRAMES,
    )
    metrics = session.send("Performance.getMetrics")["metrics"]
    thread_seconds = next(each["value"] for each in metrics if each["name"] == "ThreadTime")
    session.detach()
    elapsed = took[-1] - took[0]
    gaps = [after - before for before, after in pairwise(took)]
    return Frames(
        rate=1000 * len(gaps) / elapsed,
        gaps=len(gaps),
        late=sum(gap > 1.5 * GOAL_GAP for gap in gaps),
        longest=max(gaps),
        busy=1000 * thread_seconds / elapsed,
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.arena.spectators",
        description="Measure the cost of spectators and the page.",
    )
    parser.add_argument(
        "--matches", type=int, default=400, help="number of matches in the lobby (default: 400)"
    )
    parser.add_argument("--only", choices=("delays", "lobby", "page"), help="run one part only")
    chosen = parser.parse_args()
    parts = {"delays": delays(chosen.matches), "lobby": lobby(), "page": page()}
    for part, lines in parts.items():
        if chosen.only in (None, part):
            for line in lines:
                print(line, flush=True)


if __name__ == "__main__":
    main()
