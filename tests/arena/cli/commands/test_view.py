"""Command `arena view`, run as in a shell, and in a browser."""

import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from arena.cli.commands.view import verdicts_writer
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import store_sample_matches
from tests.support.servers.arena_command import (
    COMMAND,
    CompletedCommand,
    Launch,
    Run,
    running_process,
    wait_for_exit,
    wait_for_line,
)
from tests.support.servers.http_client import request
from tests.support.tournaments.databases import make_database

LISTENS = r"is at (http://\S+),"


@pytest.mark.slow
def test_a_finished_tournament_is_shown(complete: Path, visit: Visit, launch: Launch) -> None:
    visit.may_lose_connection = True
    process = launch(*COMMAND, "view", complete, "--port", "0")
    page = visit(wait_for_line(process, LISTENS))
    expect(page.locator("h1")).to_have_text("Take-Stones round robin")
    expect(page.locator(".played")).to_have_text("All 6 matches played")
    expect(page.locator(".nothing")).to_contain_text("The tournament is over.")
    expect(page.locator(".aside .results li")).to_have_count(6)
    assert not accessibility_violations(page)
    process.send_signal(signal.SIGINT)
    assert wait_for_exit(process).status == 130


def test_matches_without_a_tournament_are_shown(db: Path, visit: Visit, launch: Launch) -> None:
    store_sample_matches(db)
    page = visit(wait_for_line(launch(*COMMAND, "view", db, "--port", "0"), LISTENS))
    expect(page.locator("h1")).to_have_text("Isolation and Take-Stones")
    expect(page.locator(".nothing")).to_contain_text("No live matches.")
    expect(page.get_by_role("link", name="Play", exact=True)).to_be_hidden()


@pytest.mark.usefixtures("measured")
def test_bots_cannot_connect_and_sigterm_ends_the_command(complete: Path) -> None:
    words = [*COMMAND, "view", complete, "--port", "0", "--anchor", "greedy"]
    with running_process(*words) as process:
        page = wait_for_line(process, LISTENS)
        assert request(page, "/play").status == 404
        assert request(page, "/").status == 200
        process.send_signal(signal.SIGTERM)
        assert wait_for_exit(process).status == 130


def test_invalid_anchor(complete: Path, arena: Run) -> None:
    end = arena("view", complete, "--anchor", "greedy=much")
    assert end.status == 2
    assert "--anchor" in end.err
    line = "arena: --anchor: unknown bot 'eve' (choose from greedy, random, spec:1)\n"
    for words in (["view"], ["report", "--output", complete.with_name("cup.html")]):
        assert arena(*words, complete, "--anchor", "eve") == CompletedCommand(2, "", line)
    assert not complete.with_name("cup.html").exists()


def test_verdicts_on_a_read_only_database_are_not_stored(
    shared_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shared_folder / "closed").mkdir()
    path = make_database(shared_folder / "closed" / "a.db", [])
    path.parent.chmod(0o500)
    with verdicts_writer(path) as writer:
        with pytest.raises(DatabaseError, match="Permission denied"):
            writer.save_verdicts(1, "k").result()
        assert (writer.pending, writer.has_failed) == (0, False)
    assert capsys.readouterr().err.endswith("new accuracies are not stored\n")
    path.parent.chmod(0o700)


def test_the_database_of_a_running_arena(complete: Path, arena: Run) -> None:
    with DatabaseWriter(complete):
        end = arena("view", complete, "--port", "0")
    assert (end.status, end.err) == (1, f"arena: another arena is writing to {complete}\n")
