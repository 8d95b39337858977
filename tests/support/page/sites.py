"""Arenas for tests of the page: real servers in processes, with stored matches and bots."""

import random
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page
from websockets.sync.client import ClientConnection, connect

from arena.model.results import Info, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.protocol.codec import decode_from_arena, encode
from arena.protocol.player import PROTOCOL_VERSION, FromBot, Hello, Move, Turn, Welcome
from arena.storage.writer import DatabaseWriter
from core import GAMES
from tests.support.page.browser import accessibility_violations, settle
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import (
    COMMAND,
    Launch,
    Process,
    launcher,
    wait_for_exit,
    wait_for_url,
    with_flags,
)

SCRIPT = "<script>alert(1)</script>"

# Ids of the stored matches.
SEVEN, HUNDRED, THOUSAND, ISOLATION, HOSTILE, LONG_NAMES = range(1, 7)
SHORT = [3, 6, 2, 4, 1, 5]  # on 7 stones

# Addresses of the views, and what each shows of the stored matches.
VIEWS = [
    ("#/", ".lobby:has(.results li) [role=gridcell]"),
    ("#/tables", "main h2"),
    ("#/games", ".played-games li"),
    (f"#/match/{SEVEN}/3", ".moves [aria-current][data-ply='3']"),
    (f"#/match/{HUNDRED}", ".solver"),
    (f"#/match/{THOUSAND}/9", ".moves [aria-current][data-ply='9']"),
    (f"#/match/{ISOLATION}", ".moves [aria-current]"),
    ("#/bot/ann", ".bot-numbers dd"),
    ("#/analysis?game=take_stones&stones=20&moves=3,6&depth=4", ".disagreement p"),
    (f"#/puzzles/{HUNDRED}/2", ".interactive .legal"),
    ("#/learn", "main [role=tree], main canvas"),
    ("#/rules", "[role=gridcell]"),
    ("#/play", "form button"),
]


def random_game(game: str, setup: Mapping[str, int], seed: int) -> list[int]:
    position, draw = GAMES[game].position(**setup), random.Random(seed)
    while not position.is_over:
        position.play(draw.choice(position.legal_moves()))
    return position.moves


def store_match(
    writer: DatabaseWriter,
    players: tuple[str, str],
    game: str,
    setup: Mapping[str, int],
    moves: list[int],
    result: MatchResult | None = None,
    log: str = "",
    control: str = "5+0.1",
    infos: Mapping[int, Info] | None = None,
) -> None:
    """Store a match that was played to its end; by default the player to move has lost."""
    pairing = Pairing(None, players, game, setup)
    number = writer.begin_match(pairing, control, 1.7e9).id
    played = tuple(PlayedMove(ply, move, 0.25, 0.0, 0.25, 0.0) for ply, move in enumerate(moves))
    loser = 1 + len(moves) % 2
    reason = f"player {loser} ({players[loser - 1]}) cannot move"
    result = result or MatchResult(Termination.NO_LEGAL_MOVE, 3 - loser, reason)
    end = 1.7e9 + len(moves)
    record = MatchRecord(
        number, pairing, control, 1.7e9, end, result, played, log=log, infos=infos or {}
    )
    writer.finish_match(record).result(TEST_TIMEOUT)


def store_sample_matches(db: Path) -> None:
    """Store the matches that the tests show."""
    stones = "take_stones"
    with DatabaseWriter(db) as writer:
        store_match(writer, ("ann", "bob"), stones, {"stones": 7}, SHORT)
        for number in (100, 1000):
            moves = random_game(stones, {"stones": number}, 1)
            store_match(writer, ("ann", "bob"), stones, {"stones": number}, moves)
        store_match(writer, ("ann", "bob"), "isolation", {}, random_game("isolation", {}, 1))
        moves = random_game(stones, {"stones": 20}, 2)
        store_match(writer, (SCRIPT, "bob"), stones, {"stones": 20}, moves)
        store_match(writer, ("W" * 64, "石" * 64), stones, {"stones": 20}, moves)


class Site(NamedTuple):
    """A running arena: the URLs of its page and of its players, its process and its database."""

    page: str
    play: str
    process: Process
    db: Path

    @property
    def port(self) -> str:
        return self.play.split(":")[2].split("/")[0]

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        self.process.send_signal(how)
        wait_for_exit(self.process)


def page_of(process: Process) -> str:
    """Wait until an arena listens; return the URL of its page."""
    return wait_for_url(process).replace("ws:", "http:").replace("play", "")


def site(launch: Launch, db: Path, *arguments: object) -> Site:
    """Serve a database until the pages of the test are closed; `arguments` are the command's."""
    return serve(launch, COMMAND, db, *with_flags(["--stones", "7"], arguments))


def serve(launch: Launch, command: Sequence[object], db: Path, *arguments: object) -> Site:
    """Serve a database as `site` does, with another command for the arena."""
    flags = with_flags(["--db", db, "--port", "0"], arguments)
    process = launch(*command, "serve", *flags)
    page = page_of(process)
    return Site(page, page.replace("http:", "ws:") + "play", process, db)


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena with stored matches and no bots, for tests that only read."""
    db = tmp_path_factory.mktemp("stored") / "arena.db"
    store_sample_matches(db)
    with launcher() as launch:
        yield site(launch, db)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield an arena without matches and bots, for tests that only read."""
    with launcher() as launch:
        yield site(launch, tmp_path_factory.mktemp("empty") / "arena.db")


class Guest:
    """A bot controlled by the test, without an event loop."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def say(self, message: FromBot) -> None:
        self._connection.send(encode(message))

    def turn(self) -> Turn:
        """Wait for the next turn."""
        while True:
            message = decode_from_arena(self._connection.recv(TEST_TIMEOUT))
            if isinstance(message, Turn):
                return message

    def take(self, move: int, info: Info | None = None) -> None:
        turn = self.turn()
        self.say(Move(turn.match, turn.ply, move, info=info))


@contextmanager
def guests(play: str, *names: str, game: str = "take_stones") -> Iterator[list[Guest]]:
    """Connect bots; with two of them a match starts."""
    with ExitStack() as stack:
        found: list[Guest] = []
        for name in names:
            connection = stack.enter_context(connect(play, compression=None, proxy=None))
            found.append(Guest(connection))
            found[-1].say(Hello(PROTOCOL_VERSION, name, [game]))
            assert isinstance(decode_from_arena(connection.recv(TEST_TIMEOUT)), Welcome)
        yield found


def is_too_wide(page: Page) -> bool:
    """Return whether a page has to be scrolled sideways."""
    settle(page)
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def check_layout(page: Page) -> None:
    """Check that a page need not be scrolled sideways, and that axe finds no violations."""
    assert not is_too_wide(page)
    assert not accessibility_violations(page)
