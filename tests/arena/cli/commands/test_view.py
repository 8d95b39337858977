"""arena view, from the shell's side and in a browser."""

import signal
from pathlib import Path

from playwright.sync_api import expect

from tests.support.arena_command import (
    COMMAND,
    Launch,
    Run,
    running_process,
    wait_for_exit,
    wait_for_line,
)
from tests.support.browser import Visit, accessibility_faults
from tests.support.http_client import request
from tests.support.sites import fill

LISTENS = r"is at (http://\S+),"


def test_a_tournament_can_be_looked_at_when_it_is_over(
    complete: Path, visit: Visit, launch: Launch
) -> None:
    visit.may_lose_arena = True
    process = launch(*COMMAND, "view", complete, "--port", "0")
    page = visit(wait_for_line(process, LISTENS))
    expect(page.locator("h1")).to_have_text("Take-Stones round robin")
    expect(page.locator(".played")).to_have_text("All 6 matches are played")
    expect(page.locator(".nothing")).to_contain_text("The tournament is over.")
    expect(page.locator(".results li")).to_have_count(6)
    assert not accessibility_faults(page)
    process.send_signal(signal.SIGINT)
    assert wait_for_exit(process).status == 130


def test_other_matches_can_be_looked_at(db: Path, visit: Visit, launch: Launch) -> None:
    fill(db)
    page = visit(wait_for_line(launch(*COMMAND, "view", db, "--port", "0"), LISTENS))
    expect(page.locator("h1")).to_have_text("Isolation and Take-Stones")
    expect(page.locator(".nothing")).to_contain_text("Nothing is being played.")
    expect(page.get_by_role("link", name="Play", exact=True)).to_be_hidden()


def test_sigterm_ends_it(complete: Path) -> None:
    with running_process(*COMMAND, "view", complete, "--port", "0") as process:
        wait_for_line(process, LISTENS)
        process.send_signal(signal.SIGTERM)
        assert wait_for_exit(process).status == 130


def test_bots_find_nothing(complete: Path) -> None:
    with running_process(*COMMAND, "view", complete, "--port", "0") as process:
        page = wait_for_line(process, LISTENS)
        assert request(page, "/play").status == 404
        assert request(page, "/").status == 200
        process.send_signal(signal.SIGINT)
        wait_for_exit(process)


def test_a_database_that_is_not_there_cannot_be_shown(db: Path, arena: Run) -> None:
    end = arena("view", db)
    assert (end.status, end.out) == (1, "")
    assert end.err == f"arena: there is no database {db}\n"


def test_a_bad_anchor_is_refused(complete: Path, arena: Run) -> None:
    end = arena("view", complete, "--anchor", "greedy=much")
    assert end.status == 2
    assert "--anchor" in end.err
