"""Shared matches and feeds of a real arena, requested with http.client."""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from arena.model.results import Pairing
from arena.server.admission import Admission
from arena.server.http import Content, Requested
from arena.spectators.live_match import LiveMatch, match_info
from arena.spectators.live_state import LiveState
from arena.spectators.sharing import endpoint
from arena.spectators.sharing.queries import MAX_DAYS
from arena.spectators.workers import questions
from arena.spectators.workers.questions import MAX_WAITING_PER_ADDRESS
from arena.storage.writer import DatabaseWriter
from core import GAMES
from core.game_families import GameFamilies
from tests.arena.spectators.sharing.test_card_document import tags
from tests.support.cases import loop_over
from tests.support.page.sites import HOSTILE, HUNDRED, SEVEN, store_match, store_sample_matches
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.spectators import (
    SpectatedArena,
    begin_match,
    play_match,
    spectated_arena,
)

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x04\xb0\x00\x00\x02\x76"  # 1200 x 630
NAMED = {"Host": "arena.example.org"}
UNKNOWN = b"The address of a match is /match/ID or /match/ID/MOVE, such as /match/12/5.\n"


class Reply(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Sharing(NamedTuple):
    """An arena with stored matches, and requests to it."""

    server: SpectatedArena

    def request(self, path: str, method: str, headers: dict[str, str]) -> Reply:
        host = urlsplit(self.server.url).netloc
        with closing(http.client.HTTPConnection(host, timeout=TEST_TIMEOUT)) as client:
            client.request(method, path, headers=headers)
            response = client.getresponse()
            return Reply(response.status, response.headers, response.read())

    async def get(self, path: str, method: str = "GET", **headers: str) -> Reply:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await asyncio.to_thread(self.request, path, method, named)

    @property
    def base(self) -> str:
        return f"http://{urlsplit(self.server.url).netloc}"


@asynccontextmanager
async def sharing(db: Path, admission: Admission | None = None) -> AsyncIterator[Sharing]:
    store_sample_matches(db)
    async with spectated_arena(db, admission=admission, has_page=True) as server:
        yield Sharing(server)


async def test_a_link_has_the_page_with_tags(db: Path) -> None:
    async with sharing(db) as arena:
        page, reply = await arena.get("/"), await arena.get(f"/match/{SEVEN}/2")
        assert reply.status == 200
        for name in ("Content-Type", "Content-Security-Policy", "Cache-Control"):
            assert reply.headers[name] == page.headers[name]
        found = tags(reply.body)
        assert found["og:title"] == "bob beat ann · Take-Stones"
        assert found["og:image"] == f"{arena.base}/match/{SEVEN}/2.png"
        assert reply.body.endswith(page.body[page.body.index(b"</title>") + 8 :])


async def test_names_are_text(db: Path) -> None:
    async with sharing(db) as arena:
        page = (await arena.get(f"/match/{HOSTILE}")).body
        assert b"<script>alert" not in page
        assert "<script>alert(1)</script>" in tags(page)["og:title"]
        assert b"<script" not in (await arena.get(f"/match/{HOSTILE}.svg")).body


async def test_pictures(db: Path) -> None:
    async with sharing(db) as arena:
        png = await arena.get(f"/match/{HUNDRED}/3.png")
        assert png.body.startswith(PNG)
        assert png.headers["Content-Type"] == "image/png"
        svg = await arena.get(f"/match/{HUNDRED}/3.svg")
        assert svg.body.startswith(b'<svg xmlns="http://www.w3.org/2000/svg"')
        assert b">After move 3 of " in svg.body
        assert svg.body.count(b"<svg ") == 2  # the position is within the card
        assert svg.headers["Content-Type"] == "image/svg+xml"
        assert svg.headers["Content-Security-Policy"].startswith("default-src 'none';")
        assert svg.headers["Cache-Control"] == "public, max-age=3600"


async def test_a_ply_beyond_the_end_is_the_last_one(db: Path) -> None:
    async with sharing(db) as arena:
        last = await arena.get(f"/match/{SEVEN}.svg")
        assert (await arena.get(f"/match/{SEVEN}/6.svg")).body == last.body
        assert (await arena.get(f"/match/{SEVEN}/999999999.svg")).body == last.body


async def test_an_unknown_match_gets_404(db: Path) -> None:
    async with sharing(db) as arena:
        for path in "/match/99", "/match/9223372036854775807.png", "/match/99/3.svg":
            reply = await arena.get(path)
            number = path.split("/")[2].partition(".")[0]
            assert (reply.status, reply.body) == (404, f"Unknown match {number}.\n".encode())
            assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert (await arena.get("/match/9999999999999999999")).status == 404


async def test_other_addresses(db: Path) -> None:
    async with sharing(db) as arena:
        for name in "", "x", "1/x", "%31", "..%2f1", "1.png/2", "1" * 5000, "1/" + "1" * 5000:
            reply = await arena.get(f"/match/{name}")
            assert (reply.status, reply.body) == (404, UNKNOWN), name
        for path in "/matches/1", "/match", "/feed", "/feed.json/", "/%66eed.json":
            reply = await arena.get(path)
            assert reply.status == 404
            assert reply.body == b"Bots connect to /play with WebSockets.\n", path
        module = await arena.get("/match/match.js")
        assert module.headers["Content-Type"].startswith("text/java")


async def test_head_and_other_methods(db: Path) -> None:
    async with sharing(db) as arena:
        for path in f"/match/{SEVEN}", f"/match/{SEVEN}.png", "/feed.json":
            reply, head = await arena.get(path), await arena.get(path, "HEAD")
            assert (head.status, head.body) == (200, b"")
            assert head.headers["Content-Length"] == str(len(reply.body))
            assert head.headers["ETag"] == reply.headers["ETag"]
            refusal = await arena.get(path, "POST")
            assert (refusal.status, refusal.headers["Allow"]) == (405, "GET, HEAD")


async def test_what_a_client_has_is_not_sent_again(db: Path) -> None:
    async with sharing(db) as arena:
        for path in f"/match/{SEVEN}", f"/match/{SEVEN}.png", "/feed.xml":
            tag = (await arena.get(path)).headers["ETag"]
            for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
                reply = await arena.get(path, If_None_Match=known)
                assert (reply.status, reply.body) == (304, b"")
                assert (reply.headers["ETag"], reply.headers["Content-Type"]) == (tag, None)
            for other in ('"x"', "", tag[:-2]):
                assert (await arena.get(path, If_None_Match=other)).status == 200


async def test_many_requests_for_the_same_at_once(db: Path) -> None:
    async with sharing(db) as arena:
        replies = await asyncio.gather(*(arena.get(f"/match/{SEVEN}/1.png") for _ in range(40)))
        assert {reply.status for reply in replies} == {200}
        assert len({reply.body for reply in replies}) == 1


async def test_more_questions_than_may_wait(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "MAX_WAITING_PER_ADDRESS", 0)
    async with sharing(db) as arena:
        for path in f"/match/{SEVEN}", "/feed.json":
            reply = await arena.get(path)
            assert (reply.status, reply.headers["Retry-After"]) == (503, "10")
            assert reply.body == b"Too many questions are waiting, retry later.\n"


async def test_only_the_latest_results_are_kept(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "MAX_KEPT", 2)
    async with sharing(db) as arena:
        first = await arena.get(f"/match/{SEVEN}/1.svg")
        for ply in range(4):
            await arena.get(f"/match/{HUNDRED}/{ply}.svg")
        assert (await arena.get(f"/match/{SEVEN}/1.svg")).body == first.body


async def test_without_the_extra_it_is_svg(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "can_draw_png", lambda: False)
    async with sharing(db) as arena:
        page = await arena.get(f"/match/{SEVEN}")
        assert tags(page.body)["og:image"] == f"{arena.base}/match/{SEVEN}.svg"
        reply = await arena.get(f"/match/{SEVEN}.png")
        assert (reply.status, reply.body) == (
            404,
            b"This arena draws no PNG pictures: its extra 'pictures' is not installed.\n",
        )


async def test_a_match_in_progress(db: Path) -> None:
    async with spectated_arena(db, has_page=True) as server:
        arena = Sharing(server)
        await begin_match(server)
        page = await arena.get("/match/1")
        assert tags(page.body)["og:title"] == "one against two · Take-Stones, live"
        picture = await arena.get("/match/1.svg")
        assert b"After move 1 of 1<" in picture.body
        assert picture.headers["Cache-Control"] == "no-cache"


async def test_a_match_that_has_just_ended(db: Path) -> None:
    async with spectated_arena(db, has_page=True) as server:
        match = await play_match(server)
        found = tags((await Sharing(server).get(f"/match/{match}")).body)
        assert " beat " in found["og:title"]
        assert "cannot move" in found["og:description"]


async def test_an_address_with_too_many_calls_is_refused_alone(db: Path) -> None:
    store_sample_matches(db)
    state = LiveState("5+0.05", [], 0, lambda: 0.0, lambda: 0.0)
    unknown = [f"/match/{number}" for number in range(100, 101 + MAX_WAITING_PER_ADDRESS)]
    last = f"/match/{SEVEN}"
    asked = [*((path, "flood") for path in (*unknown, last)), (last, "reader")]
    async with endpoint.Sharing(db, state, Content(b"<title></title>")) as site:
        replies = []
        for path, network in asked:
            route = site.find(path)
            assert route
            replies.append(asyncio.ensure_future(route(Requested("", network))))
        statuses = [(await reply).status for reply in replies]
    assert statuses == [*len(unknown) * [404], 503, 200]


async def test_games_of_stored_matches_are_known(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES, "families", GameFamilies())
    with DatabaseWriter(db) as writer:
        store_match(writer, ("ann", "bob"), "openspiel:hex", {}, [60])
    async with spectated_arena(db, has_page=True) as server:
        arena = Sharing(server)
        found = tags((await arena.get("/match/1")).body)
        assert found["og:title"] == "ann beat bob · openspiel:hex"
        assert b"installed in this arena" in (await arena.get("/match/1.svg")).body
    assert [*GAMES.families.games()] == []


def test_the_time_controls_of_both_players_are_shown() -> None:
    pairing = Pairing(None, ("ann", "bob"), "take_stones", {"stones": 7})
    info = match_info(1, pairing, "5+0.1 vs 1+0", 1.7e9)
    assert endpoint.live_facts(LiveMatch(info, (), 0.0)).control == "5+0.1 vs 1+0"


@loop_over(
    "admission, cases",
    (
        Admission(),
        [
            ({"Host": "LocalHost:8765"}, "http://localhost:8765"),
            (NAMED, ""),
        ],
    ),
    (
        Admission(any_name=True),
        [
            (NAMED, "http://arena.example.org"),
            (NAMED | {"X_Forwarded_Proto": "https"}, "http://arena.example.org"),
        ],
    ),
    (
        Admission(any_name=True, behind_proxy=True),
        [
            (NAMED | {"X_Forwarded_Proto": "https"}, "https://arena.example.org"),
            (NAMED | {"X_Forwarded_Proto": "javascript"}, "http://arena.example.org"),
        ],
    ),
)
async def test_addresses_name_only_a_trusted_host(
    db: Path, admission: Admission, cases: list[tuple[dict[str, str], str]]
) -> None:
    async with sharing(db, admission) as arena:
        for headers, base in cases:
            page = await arena.get(f"/match/{SEVEN}", **headers)
            assert tags(page.body)["og:url"] == f"{base}/match/{SEVEN}"
            feed = json.loads((await arena.get("/feed.json", **headers)).body)
            assert feed["feed_url"] == f"{base}/feed.json"


async def test_feeds(db: Path) -> None:
    async with sharing(db) as arena:
        reply = await arena.get("/feed.json")
        assert reply.headers["Content-Type"] == "application/feed+json; charset=utf-8"
        assert len(json.loads(reply.body)["items"]) == 1 <= MAX_DAYS
        reply = await arena.get("/feed.xml")
        assert reply.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
        index = (await arena.get("/")).body
        for path in (b"/feed.json", b"/feed.xml"):
            assert b'href="%s"' % path in index


async def test_a_feed_that_was_not_modified_since_is_not_sent(db: Path) -> None:
    async with sharing(db) as arena:
        reply = await arena.get("/feed.json")
        modified = reply.headers["Last-Modified"]
        [item] = json.loads(reply.body)["items"]
        assert parsedate_to_datetime(modified) == datetime.fromisoformat(item["date_modified"])
        for since in modified, "Wed, 01 Mar 2028 00:00:00 GMT":
            assert (await arena.get("/feed.json", If_Modified_Since=since)).status == 304
        before = "Sun, 01 Mar 2020 00:00:00 GMT"
        assert (await arena.get("/feed.json", If_Modified_Since=before)).status == 200
        conditions = {"If_Modified_Since": modified, "If_None_Match": '"other"'}
        assert (await arena.get("/feed.json", **conditions)).status == 200
        for invalid in (
            "today",
            "Sun, 01 Mar 2020 00:00:00 -0000",  # no time zone
            "Sun, 01 Mar 99999999999999999999 00:00:00 GMT",
            "Sun, 01 Mar 2028 00:00:00 +99999999999999999999",
        ):
            assert (await arena.get("/feed.json", If_Modified_Since=invalid)).status == 200


async def test_an_arena_without_the_page_shares_nothing(db: Path) -> None:
    async with spectated_arena(db) as server:
        for path in "/match/1", "/feed.json":
            assert (await Sharing(server).get(path)).status == 404
