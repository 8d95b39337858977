"""Command `arena token`, run as in a shell."""

import re
from pathlib import Path

import pytest

from arena.storage.access import hash_token, read_tokens
from tests.support.servers.arena_command import (
    COMMAND,
    CompletedCommand,
    Run,
    last_line,
    running_process,
    wait_for_exit,
)

TOKEN = re.compile(r"tsa_[\w-]{43}\n")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the token file in the working directory of the commands."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "tokens.json"


def test_a_token_is_added_and_revoked(path: Path, arena: Run, tmp_path: Path) -> None:
    arena("token", "add", "Ann", "--tokens", tmp_path / "other.json")
    assert ([*read_tokens(tmp_path / "other.json")], path.exists()) == (["Ann"], False)
    end = arena("token", "add", "Ann")
    assert (end.status, bool(TOKEN.fullmatch(end.out)), end.err) == (0, True, "")
    assert read_tokens(path)["Ann"].sha256 == hash_token(end.out.strip())
    assert arena("token", "revoke", "Ann") == CompletedCommand(0, "", "")
    assert read_tokens(path) == {}


@pytest.mark.usefixtures("path")
def test_refusals(arena: Run) -> None:
    def refused(*words: str) -> str:
        end = arena("token", *words)
        assert (end.status, end.out) == (2, "")
        return end.err.removeprefix("arena: ").rstrip("\n")

    assert refused("list") == "cannot read tokens.json: No such file or directory"
    for words, missing in (([], "ACTION"), (["add"], "NAME"), (["revoke"], "NAME")):
        assert refused(*words) == f"the following arguments are required: {missing}"
    assert arena("token", "add", "Ann").status == 0
    assert refused("add", "Ann") == "Ann already has a token in tokens.json: revoke it first"
    printable = "expected printable characters without surrounding spaces"
    assert refused("add", " x") == f"name ' x': {printable}"
    assert refused("revoke", "Bob") == "'Bob' has no token in tokens.json"


@pytest.mark.usefixtures("path")
def test_the_list_has_names_and_times_only(arena: Run) -> None:
    for name in ("Ann", "two words"):
        arena("token", "add", name)
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    end = arena("token", "list")
    assert (end.status, end.err) == (0, "")
    assert re.fullmatch(rf"{time}  Ann\n{time}  two words\n", end.out)


@pytest.mark.parametrize(
    ("redirected", "reason"),
    [(">/dev/full", "No space left on device"), (">&-", "standard output is closed")],
)
@pytest.mark.usefixtures("measured")
def test_unprintable_tokens_are_revoked(tmp_path: Path, redirected: str, reason: str) -> None:
    path = tmp_path / "tokens.json"
    command = ["sh", "-c", f'"$@" {redirected}', "sh", *COMMAND, "token", "add", "Ann"]
    with running_process(*command, "--tokens", path) as process:
        assert last_line(wait_for_exit(process)) == CompletedCommand(
            1, "", f"arena: cannot write the token, which is revoked: {reason}"
        )
    assert read_tokens(path) == {}
