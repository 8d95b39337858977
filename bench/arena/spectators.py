"""Cost of spectators for the players, and speed of the page: `python -m bench.arena.spectators`.

The same matches between simulated bots are played without and with simulated spectators, each time
in a new arena. The page is measured in Chromium.
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

from arena.server.http import Content
from arena.server.static import routes
from bench.arena import arena_process, simulated_bots, simulated_spectators
from bench.arena.arena_process import Load
from bench.arena.load import LONG_TIME, THINK, LoadResult, Times, overheads, play, run_process
from bench.arena.simulated_spectators import SpectatorReport
from bench.goals import met
from core import GAMES
from tests.support.page import chromium
from tests.support.page.browser import DESKTOP, OPTIONS

SPECTATORS = 500
GOAL_DELAY = 2.0  # ms, the additional delay of 99 % of the moves
GOAL_PAINT = 200.0  # ms
GOAL_SIZE = 150_000  # bytes
GOAL_GAP = 1000 / 60  # ms between two frames
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
    port: int, spectators: int, match: int | None, seen: list[SpectatorReport]
) -> Iterator[Callable[[], None]]:
    """Run simulated spectators; their report is appended to `seen`."""
    with run_process(simulated_spectators.run, port, spectators) as child:
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
def playing(bots: int, stones: int, think: float) -> Iterator[str]:
    """Run an arena with simulated bots that play endlessly; yield the URL of its page."""
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
            yield f"http://127.0.0.1:{port}/"
            server.pipe.send(None)
            server.pipe.recv()
            others.pipe.send(None)
            others.pipe.recv()


def page() -> Iterator[str]:
    """Yield the size of the page, the time of its first paint, and its frame rate."""
    files = [route() for path, route in routes(GAMES.values(), print).items() if path != "/"]
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
            opened.close()
            yield from _search(browser.new_page(viewport=DESKTOP), url)  # type: ignore[arg-type]
        browser.close()


def _search(opened: Page, url: str) -> Iterator[str]:
    """Yield the frame rates of a search that is played, and of its whole tree."""
    opened.goto(f"{url}#/learn?{SEARCH}")
    opened.get_by_label("Speed").select_option("fastest")
    opened.get_by_role("button", name="Play", exact=True).click()
    yield f"a search that is played: {_frames(opened)[1]}"
    opened.keyboard.press("End")
    opened.keyboard.press("0")
    nodes = opened.locator(".counts b").first.text_content()
    opened.evaluate(ZOOM)
    rate, words = _frames(opened)
    goal = f"goal {GOAL_RATE:g} {met(rate >= GOAL_RATE)}"
    yield f"its whole tree of {nodes} nodes, zoomed: {words}, {goal}"


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


def _frames(opened: Page) -> tuple[float, str]:
    """Return the frames per second, and a description with the late frames."""
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
        prog="python -m bench.arena.spectators",
        description="Measure the cost of spectators and the page.",
    )
    parser.add_argument(
        "--matches", type=int, default=400, help="number of matches in the lobby (default: 400)"
    )
    parser.add_argument("--only", choices=("delays", "page"), help="run one part only")
    chosen = parser.parse_args()
    for part, lines in {"delays": delays(chosen.matches), "page": page()}.items():
        if chosen.only in (None, part):
            for line in lines:
                print(line, flush=True)


if __name__ == "__main__":
    main()
