"""Which way the imports point, read from the source."""

import ast
import re
from pathlib import Path

import pytest

from core import GAMES

ROOT = Path(__file__).parents[1]

PYTHON = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("core", "arena", "bots")
    for path in (ROOT / folder).rglob("*.py")
)
ARENA = [path for path in PYTHON if path.startswith("arena/")]
GAME_FILES = [path for path in PYTHON if re.match("core/.+/(?!__main__)", path)]
CYTHON = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("core/*/*.p[xy][xdi]"))

# The arena from bottom to top: a module imports only from layers below its own.
LAYERS = [
    {
        "results",
        "messages",
        "sprt",
        "tokens",
        "openings",
        "lag",
        "configuration",
        "http",
        "connection",
    },
    {
        "clock",
        "pairing",
        "analysis",
        "ratings",
        "observer",
        "database",
        "notation",
        "entrants",
        "ladder",
        "script",
        "identity",
        "viewing",
        "hello",
    },
    {
        "match",
        "check",
        "swiss",
        "knockout",
        "jsonl",
        "launch",
        "store",
        "records",
        "door",
        "study",
        "challenges",
    },
    {"verify", "tournament", "playing", "asyncapi", "metrics", "logs", "feed", "site"},
    {"report", "scoreboard", "server", "news"},
    {"organiser", "offers", "library"},
    {"viewers"},
    {"page", "events", "progress", "arguments"},
    {"parser"},
    {"commands.serving", "commands.output", "commands.standings", "commands.watching"},
    {"commands.planning", "commands.dry_run", "commands.serve", "commands.analyse"},
    {"commands.tournament", "commands.report", "commands.export", "commands.import_"},
    {"commands.verify", "commands.check", "commands.token", "commands.view", "__main__"},
]

# Modules that only these may import.
RESERVED = {
    "websockets": {
        "arena/connection.py",
        "arena/door.py",
        "arena/http.py",
        "arena/playing.py",
        "arena/server.py",
        "arena/viewers.py",
        "arena/commands/check.py",
        "bots/client.py",
    },
    "sqlite3": {"arena/database.py", "arena/store.py", "arena/records.py"},
    "msgspec": {
        "arena/messages.py",
        "arena/viewing.py",
        "arena/identity.py",
        "arena/jsonl.py",
        "arena/events.py",
        "arena/asyncapi.py",
    },
    "jinja2": {"arena/page.py"},
    "prometheus_client": {"arena/metrics.py"},
    "logging": {"arena/logs.py", "arena/server.py"},
    "asyncio": {
        "arena/connection.py",
        "arena/door.py",
        "arena/server.py",
        "arena/lag.py",
        "arena/metrics.py",
        "arena/playing.py",
        "arena/organiser.py",
        "arena/viewers.py",
        "arena/offers.py",
        "arena/commands/check.py",
        "arena/commands/serving.py",
        "arena/commands/tournament.py",
        "arena/commands/view.py",
        "arena/__main__.py",
        "bots/client.py",
        "bots/__main__.py",
    },
}

PURE = [
    f"arena/{name}.py"
    for name in (
        "match",
        "check",
        "script",
        "hello",
        "challenges",
        "clock",
        "pairing",
        "swiss",
        "knockout",
        "ladder",
        "openings",
        "analysis",
        "ratings",
        "sprt",
        "tournament",
        "verify",
        "tokens",
        "notation",
        "jsonl",
        "asyncapi",
        "viewing",
        "feed",
        "news",
        "study",
    )
]


def imported(path: str) -> set[str]:
    """The full names of the modules, and of what is taken from them, that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports would escape these checks"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def packages(path: str) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


def module(path: str) -> str:
    """The name of a module of the arena, without the arena."""
    return path.removeprefix("arena/").removesuffix(".py").replace("/", ".")


def of_arena(path: str) -> set[str]:
    """The modules of the arena that a file imports, or imports from."""
    known = {module(path) for path in ARENA}
    whole = {name.removeprefix("arena.") for name in imported(path) if name.startswith("arena.")}
    return {name if name in known else name.rpartition(".")[0] for name in whole}


def test_there_is_source_to_read() -> None:
    assert {"core/game.py", "arena/match.py", "bots/client.py"} <= set(PYTHON)
    assert "core/take_stones/board.pyx" in CYTHON


@pytest.mark.parametrize("path", [path for path in PYTHON if path.startswith("core/")])
def test_core_knows_neither_arena_nor_bots(path: str) -> None:
    assert not packages(path) & {"arena", "bots"}


@pytest.mark.parametrize("path", GAME_FILES)
def test_a_game_does_not_know_the_search(path: str) -> None:
    assert not {name for name in imported(path) if name.startswith("core.search")}


@pytest.mark.parametrize("path", CYTHON)
def test_a_compiled_game_does_not_know_the_search(path: str) -> None:
    assert not re.search(r"\bcore\.search\b|\bcore c?import search\b", (ROOT / path).read_text())


@pytest.mark.parametrize("path", ARENA)
def test_the_arena_does_not_know_the_bots(path: str) -> None:
    assert "bots" not in packages(path)


@pytest.mark.parametrize("path", [path for path in PYTHON if path.startswith("bots/")])
def test_bots_know_only_the_messages_of_the_arena(path: str) -> None:
    assert of_arena(path) <= {"messages"}


@pytest.mark.parametrize("path", [path for path in ARENA if not path.endswith("__init__.py")])
def test_the_arena_imports_downwards(path: str) -> None:
    [level] = [place for place, layer in enumerate(LAYERS) if module(path) in layer]
    assert of_arena(path) <= set().union(*LAYERS[:level])


@pytest.mark.parametrize("path", PYTHON)
def test_only_the_top_imports_a_main(path: str) -> None:
    assert not {name for name in imported(path) if "__main__" in name}


@pytest.mark.parametrize("path", PURE)
def test_the_rules_of_play_know_no_outside_world(path: str) -> None:
    assert not packages(path) & {"asyncio", "websockets", "time", "sqlite3", "socket"}


@pytest.mark.parametrize("path", [path for path in PURE if not re.search("tournament|jsonl", path)])
def test_matches_and_pairings_know_no_encoding(path: str) -> None:
    assert "json" not in packages(path)


@pytest.mark.parametrize("package", RESERVED)
def test_some_packages_have_one_user(package: str) -> None:
    assert {path for path in PYTHON if package in packages(path)} <= RESERVED[package]


@pytest.mark.parametrize("path", [path for path in PYTHON if not path.startswith("core/")])
def test_arena_and_bots_know_no_game_by_name(path: str) -> None:
    text = (ROOT / path).read_text()
    names = {name for game in GAMES.values() for name in (game.name, game.title, *game.parameters)}
    assert not [name for name in names if re.search(rf"\b{name}\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("path", PYTHON)
def test_files_are_named_after_what_is_in_them(path: str) -> None:
    assert Path(path).stem not in {"utils", "helpers", "misc", "common"}
