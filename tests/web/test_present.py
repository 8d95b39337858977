"""The page on a big screen, in a real browser."""

from pathlib import Path

from playwright.sync_api import expect

from arena.storage.writer import DatabaseWriter
from tests.support.page.browser import Visit, accessibility_violations
from tests.support.page.sites import Site, guests, is_too_wide, site, store_match
from tests.support.servers.arena_command import Launch

SHORT = [3, 6, 2, 4, 1, 5]  # on 7 stones: the second player wins


def store_upset(db: Path) -> None:
    """Store matches of a strong and a weak bot, of which the weak one wins the last."""
    with DatabaseWriter(db) as writer:
        for players in [("weak", "strong")] * 9 + [("strong", "weak")] * 2:
            store_match(writer, players, "take_stones", {"stones": 7}, SHORT)


def test_a_live_match_is_shown_to_its_end(db: Path, visit: Visit, launch: Launch) -> None:
    arena = site(launch, db)
    page = visit(arena.page + "?present")
    empty = "The next match is shown here as soon as it begins."
    expect(page.locator(".slide:visible")).to_have_text(empty)
    expect(page.locator("header")).to_be_hidden()
    with guests(arena.play, "ann", "bob") as (ann, bob):
        slide = page.locator(".live-slide")
        expect(slide.locator(".stone")).to_have_count(7)
        expect(slide.locator(".player bdi")).to_have_text(["ann", "bob"])
        for player, move in zip([ann, bob] * 3, SHORT, strict=True):
            player.take(move)
        expect(slide.locator(".ending")).to_have_text("bob wins: player 1 (ann) cannot move")


def test_the_best_match_is_on_tv(db: Path, visit: Visit, launch: Launch) -> None:
    store_upset(db)
    arena = site(launch, db, "--time", "600+0")
    with guests(arena.play, "ann", "bob") as (ann, _):
        ann.turn()  # their match has begun
        with guests(arena.play, "strong", "weak") as (strong, weak):
            page = visit(f"{arena.page}#/")
            page.get_by_role("link", name="Best match on TV").click()
            players = page.locator(".live-slide .player bdi")
            expect(players).to_have_text(["strong", "weak"])
            for player, move in zip([strong, weak] * 3, SHORT, strict=True):
                player.take(move)
            expect(page.locator(".ending")).to_have_text("weak wins: player 1 (strong) cannot move")
        expect(players).to_have_text(["ann", "bob"])


def test_the_slides_take_turns(db: Path, visit: Visit, launch: Launch) -> None:
    store_upset(db)
    page = visit(site(launch, db).page + "?present")
    standings = page.locator("section", has=page.get_by_role("heading", name="Standings"))
    upsets = page.locator("section", has=page.get_by_role("heading", name="Upsets"))
    expect(standings).to_be_visible()
    expect(standings.locator("tbody tr").first).to_contain_text("strong")
    page.keyboard.press("Space")
    expect(page.locator(".badge")).to_have_text("paused")
    page.keyboard.press("ArrowRight")
    expect(upsets.locator("li")).to_have_count(1)
    expect(upsets.locator("li")).to_contain_text("weak beat strong")
    expect(standings).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(standings).to_be_visible()
    page.keyboard.press("x")
    page.keyboard.press("Space")
    expect(page.locator(".badge")).to_be_hidden()
    page.clock.install()
    page.reload()
    expect(standings).to_be_visible()
    page.clock.fast_forward("00:16")
    expect(upsets).to_be_visible()
    page.clock.fast_forward("00:16")
    expect(standings).to_be_visible()


def test_it_fits_every_screen(stored: Site, visit: Visit) -> None:
    for phone in (False, True):
        page = visit(stored.page + "?present", phone=phone, dark=phone)
        expect(page.locator(".slide:visible tbody tr").first).to_be_visible()
        assert not is_too_wide(page)
        assert not accessibility_violations(page)
