"""Command `arena view`, run as in a shell, and in a browser."""

import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import store_sample_matches
from tests.support.servers.arena_command import (
    COMMAND,
    Launch,
    Run,
    running_process,
    wait_for_exit,
    wait_for_line,
)
from tests.support.servers.http_client import request

LISTENS = r"is at (http://\S+),"


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
    with running_process(*COMMAND, "view", complete, "--port", "0") as process:
        page = wait_for_line(process, LISTENS)
        assert request(page, "/play").status == 404
        assert request(page, "/").status == 200
        process.send_signal(signal.SIGTERM)
        assert wait_for_exit(process).status == 130


def test_invalid_anchor(complete: Path, arena: Run) -> None:
    end = arena("view", complete, "--anchor", "greedy=much")
    assert end.status == 2
    assert "--anchor" in end.err
