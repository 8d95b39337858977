"""Commands of an operator: tokens, bans, pseudonyms and the removal of matches."""

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from arena.cli.pseudonyms import names_file
from arena.storage.access import hash_token, read_bans, read_tokens
from tests.support.servers.arena_command import (
    COMMAND,
    CompletedCommand,
    Run,
    last_line,
    running_process,
    wait_for_exit,
)
from tests.support.tournaments.databases import make_database, stored_records
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record

# Tokens


TOKEN = re.compile(r"tsa_[\w-]{43}\n")


@pytest.fixture
def tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the token file in the working directory of the commands."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "tokens.json"


def test_a_token_is_added_and_revoked(tokens: Path, arena: Run, tmp_path: Path) -> None:
    arena("token", "add", "Ann", "--tokens", tmp_path / "other.json")
    assert ([*read_tokens(tmp_path / "other.json")], tokens.exists()) == (["Ann"], False)
    end = arena("token", "add", "Ann")
    assert (end.status, bool(TOKEN.fullmatch(end.out)), end.err) == (0, True, "")
    assert read_tokens(tokens)["Ann"].sha256 == hash_token(end.out.strip())
    assert arena("token", "revoke", "Ann") == CompletedCommand(0, "", "")
    assert read_tokens(tokens) == {}


@pytest.mark.usefixtures("tokens")
def test_tokens_that_are_refused(arena: Run) -> None:
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


@pytest.mark.usefixtures("tokens")
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


# Bans


@pytest.fixture
def bans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of bans in the working directory of the commands."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "bans.json"


def test_bans_are_added_listed_and_removed(bans: Path, arena: Run, tmp_path: Path) -> None:
    arena("ban", "add", "Ann", "--bans", tmp_path / "other.json")
    assert ([*read_bans(tmp_path / "other.json")], bans.exists()) == (["Ann"], False)
    for entry in ("two words", "192.0.2.7/24", "1.2.3", "a:b:z"):
        assert arena("ban", "add", entry) == CompletedCommand(0, "", "")
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    end = arena("ban", "list")
    assert (end.status, end.err) == (0, "")
    listed = "".join(
        f"{time}  {re.escape(x)}\n" for x in ("two words", "192.0.2.0/24", "1.2.3", "a:b:z")
    )
    assert re.fullmatch(listed, end.out)
    assert arena("ban", "remove", "192.0.2.0/24") == CompletedCommand(0, "", "")
    assert [*read_bans(bans)] == ["two words", "1.2.3", "a:b:z"]


@pytest.mark.usefixtures("bans")
def test_bans_that_are_refused(arena: Run) -> None:
    for words, error in (
        (["list"], "cannot read bans.json: No such file or directory"),
        (["remove", "Ann"], "Ann is not banned in bans.json"),
        (["add", "1.2.3.4/99"], "1.2.3.4/99 is neither an address nor a network"),
        (["add", "1.2.3.400"], "1.2.3.400 is neither an address nor a network"),
        (["add", "2001:db8::/129"], "2001:db8::/129 is neither an address nor a network"),
        (["add", " x"], "name ' x': expected printable characters without surrounding spaces"),
    ):
        assert arena("ban", *words) == CompletedCommand(2, "", f"arena: {error}\n")


# Pseudonyms


def test_a_name_is_replaced(db: Path, arena: Run) -> None:
    make_database(db, [make_record(make_pairing(None))], None)
    line = f"1 match of Cyd in {db}\n"
    assert arena("rename", db, "anna", "Cyd") == CompletedCommand(0, line, "")
    assert [record.pairing.players for record in stored_records(db)] == [("Cyd", "bert")]
    problem = "arena: name 'a\\nb': expected printable characters without surrounding spaces\n"
    assert arena("rename", db, "bert", "a\nb") == CompletedCommand(2, "", problem)
    problem = "arena: name '\\udcff' is not in UTF-8\n"
    assert arena("rename", db, "\udcff", "Eva") == CompletedCommand(2, "", problem)


def test_a_pseudonym_of_a_class_stays(db: Path, arena: Run) -> None:
    make_database(db, [make_record()])
    file = names_file(db)
    file.write_text('{"ada": "anna"}')
    line = f"arena: anna is a pseudonym already, in {file}\n"
    assert arena("rename", db, "anna", "Cyd") == CompletedCommand(2, "", line)


# Removal of matches


def test_matches_before_a_time_are_removed(db: Path, arena: Run) -> None:
    noon = datetime(2026, 3, 1, 12).timestamp()
    times = {1: noon - 43201, 2: noon - 43200, 3: noon, 4: noon + 1}
    records = [
        replace(make_record(make_pairing(None), attempt=match), finished_at=finished)
        for match, finished in times.items()
    ]
    make_database(db, records, None)
    for time, count, left in (
        ("2026-03-01", "1 match", [2, 3, 4]),
        ("2026-03-01T12:00", "1 match", [3, 4]),
        ("2027-01-01", "1 match", [4]),  # the latest match stays
    ):
        end = arena("prune", db, "--before", time)
        assert end == CompletedCommand(0, f"{count} removed from {db}\n", "")
        assert [record.id for record in stored_records(db)] == left
    end = arena("prune", db, "--before", "soon")
    assert (end.status, end.out) == (2, "")
    assert "--before must be a time such as 20:00 or 2030-12-31T20:00, not 'soon'" in end.err


def test_the_results_of_a_tournament_stay(db: Path, arena: Run) -> None:
    make_database(db, [make_aborted_record(), make_record(attempt=2)])
    line = f"arena: the results in {db} stay: the tournament would play them again\n"
    end = arena("prune", db, "--before", "2030-01-01")
    assert end == CompletedCommand(0, f"1 match removed from {db}\n", line)
