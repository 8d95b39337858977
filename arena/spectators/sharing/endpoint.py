"""HTTP endpoint of shared matches, with their pictures, and of feeds."""

import asyncio
import hashlib
import math
from collections import OrderedDict
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import partial
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, Self

from arena.model.observer import Report, no_report
from arena.model.results import MatchResult
from arena.model.time_control import VERSUS
from arena.protocol.codec import RequestError
from arena.server.http import RETRY_AFTER, Content, Requested, SlowRoute
from arena.spectators.live_match import LiveMatch
from arena.spectators.live_state import LiveState
from arena.spectators.sharing.card import IMAGE_TYPES, document
from arena.spectators.sharing.shared_match import (
    ATOM_PATH,
    JSON_PATH,
    PREFIX,
    Address,
    SharedMatch,
    game_title,
)
from arena.spectators.workers.process import WorkerProcess
from arena.spectators.workers.program import create
from arena.spectators.workers.questions import Questions

MEMORY = 256 * 1024**2  # bytes of data of the process, which usually takes 30 MB in all
MAX_KEPT = 64  # latest matches and pictures that are kept, each picture of up to about 100 kB
LIFETIME = 3600  # seconds for which a client need not ask again for a finished match's picture
STATUSES = {
    "unknown_match": HTTPStatus.NOT_FOUND,
    "busy": HTTPStatus.SERVICE_UNAVAILABLE,
    "closing": HTTPStatus.SERVICE_UNAVAILABLE,
}
# A picture may come from the package of a game: opened by itself it runs and loads nothing.
FILE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}
FEED_SECONDS = 60.0  # for which the results are not read again for a feed
FEED_TYPES = {
    JSON_PATH: "application/feed+json; charset=utf-8",
    ATOM_PATH: "application/atom+xml; charset=utf-8",
}
UNKNOWN_ADDRESS = "The address of a match is /match/ID or /match/ID/MOVE, such as /match/12/5.\n"
NO_PNG = "This arena draws no PNG pictures: its extra 'pictures' is not installed.\n"


def can_draw_png() -> bool:
    """Return whether resvg is installed, the optional extra `pictures`."""
    return find_spec("resvg_py") is not None


class _Call(NamedTuple):
    """Call of a method of `SharingQueries`, by which its result is kept."""

    method: str
    arguments: tuple[Any, ...]


class Sharing:
    """Pages and pictures of matches, and feeds, for other sites: open from `async with` to its end.

    Matches are read and pictures drawn by a process of the lowest priority, one at a time and by
    address in turn, as the questions of spectators are.
    """

    def __init__(
        self, database: Path, state: LiveState, page: Content, report: Report = no_report
    ) -> None:
        """Wire the parts; no process is started before the first request.

        Args:
            database: The database of the arena.
            state: The matches in progress.
            page: The response that has the arena's page.
            report: Receives whether the process works.
        """
        self._state = state
        self._page = page
        self._ending = ".png" if can_draw_png() else ".svg"  # of the picture in a page's tags
        self._process = WorkerProcess(
            partial(create, "arena.spectators.sharing.queries", "SharingQueries", database),
            memory=MEMORY,
            report=report,
        )
        self._calls: Questions[_Call, Any] = Questions(
            lambda call: self._process.call(call.method, *call.arguments), lambda call: call
        )
        self._kept: OrderedDict[_Call, Any] = OrderedDict()
        self._feed_version = 0  # of the results in feeds
        self._feed_expires_at = -math.inf

    async def forget(self) -> None:
        """Forget all that was read from the database."""
        self._kept.clear()
        self._feed_expires_at = -math.inf
        await self._process.restart()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._process.close()

    def find(self, path: str) -> SlowRoute | None:
        """Return the function that answers a path of matches and feeds; None for any other path."""
        if path in FEED_TYPES:
            return partial(self._feed, path)
        if not path.startswith(PREFIX):
            return None
        return partial(self._respond, Address.parse(path))

    async def _feed(self, path: str, requested: Requested) -> Content:
        now = asyncio.get_running_loop().time()
        if now >= self._feed_expires_at:
            self._feed_version = self._state.results_version
            self._feed_expires_at = now + FEED_SECONDS
        call = _Call("feed", (path, requested.base, self._feed_version))
        try:
            body, updated_at = await self._result(call, requested.network)
        except RequestError as error:
            return _refusal(error)
        modified = format_datetime(datetime.fromtimestamp(updated_at, UTC), usegmt=True)
        headers = {**FILE_HEADERS, "Cache-Control": "no-cache", "Last-Modified": modified}
        return _tagged(body, FEED_TYPES[path], headers)

    async def _respond(self, address: Address | None, requested: Requested) -> Content:
        if address is None:
            return Content(UNKNOWN_ADDRESS.encode(), status=HTTPStatus.NOT_FOUND)
        if address.ending == ".png" and self._ending != ".png":
            return Content(NO_PNG.encode(), status=HTTPStatus.NOT_FOUND)
        try:
            match = await self._match(address.match, requested.network)
            if address.ending:
                return await self._picture(match, address, requested.network)
        except RequestError as error:
            return _refusal(error)
        body = document(self._page.body, match, address, requested.base, self._ending)
        return _tagged(body, self._page.content_type, dict(self._page.headers))

    async def _picture(self, match: SharedMatch, address: Address, network: str) -> Content:
        ending = address.ending
        call = _Call("picture", (match, match.shown_ply(address.ply), ending))
        picture = await self._result(call, network)
        caching = f"public, max-age={LIFETIME}" if match.result else "no-cache"
        headers = {**FILE_HEADERS, "Cache-Control": caching}
        return _tagged(picture, IMAGE_TYPES[ending], headers)

    async def _match(self, match: int, network: str) -> SharedMatch:
        """Return a match that is in progress, has just ended or is stored. Raises RequestError."""
        if live := self._state.find(match):
            return live_facts(live)
        return await self._result(_Call("match", (match,)), network)  # type: ignore[no-any-return]

    async def _result(self, call: _Call, network: str) -> Any:
        """Return the result of a call, when it is the turn of the address. Raises RequestError."""
        if call not in self._kept:
            self._kept[call] = await self._calls.ask(network, call)
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(call)
        return self._kept[call]


def live_facts(live: LiveMatch) -> SharedMatch:
    """Return the facts of a match as they are now."""
    info, result = live.info, live.result
    one, two = info.control, info.control2
    return SharedMatch(
        info.match,
        info.game,
        game_title(info.game),
        tuple(info.setup.items()),
        info.players,
        tuple(live.moves),
        MatchResult(result.termination, result.winner, result.reason) if result else None,
        f"{one.text}{VERSUS}{two.text}" if two else one.text,
        info.started_at,
    )


def _tagged(body: bytes, content_type: str, headers: dict[str, str]) -> Content:
    """Return a response with an entity tag, by which clients ask whether it has changed."""
    tag = hashlib.sha256(body).hexdigest()[:32]
    return Content(body, content_type, headers={**headers, "ETag": f'"{tag}"'})


def _refusal(error: RequestError) -> Content:
    status = STATUSES.get(error.code, HTTPStatus.INTERNAL_SERVER_ERROR)
    text = f"{error}.\n"
    headers = {"Retry-After": str(RETRY_AFTER)} if status == 503 else {}
    return Content(f"{text[:1].upper()}{text[1:]}".encode(), status=status, headers=headers)
