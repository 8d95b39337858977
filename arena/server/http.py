"""Plain HTTP on the port of the WebSockets: fixed paths, for people and for machines."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

from arena.network.connection import Connection

SLOW_ROUTE_TIMEOUT = 20.0  # seconds for the content of a slow route
RETRY_AFTER = 10  # seconds, for clients that are refused because a limit is reached
NOT_FOUND = "Bots connect to /play with WebSockets.\n"
METHODS = ("GET", "HEAD")

ABSOLUTE_FORM = re.compile(r"(?:http|ws)s?://(?P<authority>[^/?#]*)(?P<path>.*)", re.IGNORECASE)

FORWARDED = re.compile(rb"\nX-Real-IP:[ \t]*([^\r]*?)[ \t]*\r", re.IGNORECASE)

# RFC 9110, 7.2, and RFC 3986, 3.2: a name or an address, and a port; no user.
HOST = re.compile(
    r"(?P<name>\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})*)(?::\d*)?",
    re.ASCII | re.IGNORECASE,
)


class Content(NamedTuple):
    """Content of a path: the response to a GET request.

    Attributes:
        body: The uncompressed body.
        content_type: Value of the header Content-Type.
        status: Status of the response.
        headers: Further headers.
        gzipped: The body compressed with gzip, for clients that accept it, or None.
    """

    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = MappingProxyType({})
    gzipped: bytes | None = None


Routes = Mapping[str, Callable[[], Content]]
"""Functions that return the content of a path. They run in the event loop and must be quick."""


class Requested(NamedTuple):
    """A request, as far as the content of a slow route depends on it.

    Attributes:
        base: The URL of the arena for this client, without a path; "" if the host that the request
            names may be foreign.
        network: The network of the client, by which requests take turns.
    """

    base: str
    network: str


SlowRoute = Callable[[Requested], Coroutine[Any, Any, Content]]
"""Function that returns the content of a path and may take time, outside of the event loop.

It is cancelled if the client leaves.
"""

FindSlowRoute = Callable[[str], SlowRoute | None]
"""Returns the function for a path, still percent-encoded; None for a path of no slow route."""


def no_slow_route(path: str) -> None:
    """Return None: no path has a slow route."""


def request_path(request: Request) -> str:
    """Return the path without the query, still percent-encoded.

    The target of a request may have the absolute form, http://host/path (RFC 9112, 3.2.2).
    """
    if absolute := ABSOLUTE_FORM.fullmatch(request.path):
        return absolute["path"].partition("?")[0] or "/"
    return request.path.partition("?")[0]


def request_host(request: Request) -> str:
    """Return the host of a request, with its port if it has one; "" if it has none.

    Raises:
        ValueError: By RFC 9112, 3.2, the request must be answered with 400: it has several hosts,
            an invalid one or, in HTTP/1.1, none.
    """
    hosts = request.headers.get_all("Host")
    if len(hosts) > 1 or (not hosts and request.protocol == "HTTP/1.1"):
        raise ValueError(f"expected one header Host, got {len(hosts)}")
    if absolute := ABSOLUTE_FORM.fullmatch(request.path):
        hosts = [absolute["authority"]]  # which replaces the header (RFC 9112, 3.2.2)
    host = next(iter(hosts), "")
    if not HOST.fullmatch(host):
        raise ValueError("the host is not a name or an address with an optional port")
    return host


def host_name(host: str) -> str:
    """Return the name or the address of a valid host, without its port."""
    found = HOST.fullmatch(host)
    assert found
    return found["name"].strip("[]").lower()


def respond(routes: Routes, connection: ServerConnection, request: Request) -> Response:
    """Return the response to a request that opens no WebSocket.

    An unknown path gets 404, a method other than GET and HEAD 405, and a function that raises
    500. As every response of the library it closes the connection.
    """
    route = routes.get(request_path(request))
    if route is None:
        return connection.respond(HTTPStatus.NOT_FOUND, NOT_FOUND)
    return refuse_method(connection, request) or respond_with(route(), connection, request)


async def respond_slowly(
    route: SlowRoute, requested: Requested, connection: Connection, request: Request
) -> Response:
    """Return the response to the request of a slow route, as `respond` does."""
    if refusal := refuse_method(connection, request):
        return refusal
    try:
        async with asyncio.timeout(SLOW_ROUTE_TIMEOUT):
            content = await connection.work_on_response(route(requested))
    except TimeoutError:
        text = "There was no time for an answer, retry later.\n"
        refusal = connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, text)
        refusal.headers["Retry-After"] = str(RETRY_AFTER)
        return refusal
    return respond_with(content, connection, request)


def refuse_method(connection: ServerConnection, request: Request) -> Response | None:
    """Return the response to a method that is not allowed; None for GET and HEAD."""
    if request.method in METHODS:
        return None
    refusal = connection.respond(
        HTTPStatus.METHOD_NOT_ALLOWED, f"Only {' and '.join(METHODS)} are allowed.\n"
    )
    refusal.headers["Allow"] = ", ".join(METHODS)
    return refusal


def respond_with(content: Content, connection: ServerConnection, request: Request) -> Response:
    """Return the response that has a content, in the encoding that the client accepts.

    It is 304, without a body, if the client has this content already.
    """
    is_known = _has_content(request, content.headers)
    response = connection.respond(HTTPStatus.NOT_MODIFIED if is_known else content.status, "")
    del response.headers["Content-Type"], response.headers["Content-Length"]
    response.headers.update(content.headers)
    if is_known:
        return response
    response.headers["Content-Type"] = content.content_type
    body = content.body
    if content.gzipped is not None:
        response.headers["Vary"] = "Accept-Encoding"
        if _accepts_gzip(request):
            body = content.gzipped
            response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(body))
    # RFC 9110, 9.3.2: HEAD has the header fields of GET, and never a body.
    response.body = b"" if request.method == "HEAD" else body
    return response


def _has_content(request: Request, headers: Mapping[str, str]) -> bool:
    """Return whether a client has the content with these headers (RFC 9110, 13.1).

    A request with entity tags is answered by those alone.
    """
    tag, modified = headers.get("ETag"), headers.get("Last-Modified")
    if fields := request.headers.get_all("If-None-Match"):
        known = {field.strip().removeprefix("W/") for field in ",".join(fields).split(",")}
        return tag is not None and not known.isdisjoint({tag, "*"})
    since = ",".join(request.headers.get_all("If-Modified-Since"))
    if not (modified and since):
        return False
    try:
        return parsedate_to_datetime(modified) <= parsedate_to_datetime(since)
    except (TypeError, ValueError, OverflowError):  # no date, no time zone
        return False


def _accepts_gzip(request: Request) -> bool:
    """Return whether a client accepts gzip, as all browsers do."""
    fields = ",".join(request.headers.get_all("Accept-Encoding"))
    return "gzip" in (encoding.strip().lower() for encoding in fields.split(","))


def client_address(connection: ServerConnection, behind_proxy: bool) -> str:
    """Return the address of a client: behind a proxy, the last value of X-Real-IP.

    Any client can send that header: it counts only where a proxy sets it.
    """
    peer: str = (connection.remote_address or ("unknown",))[0]
    if behind_proxy and connection.request:
        forwarded = connection.request.headers.get_all("X-Real-IP")
        return forwarded[-1] if forwarded else peer
    return peer


def forwarded_address(request: bytes) -> str | None:
    """Return the same last value of X-Real-IP from the bytes of a request; None if it has none."""
    found = FORWARDED.findall(request.partition(b"\r\n\r\n")[0] + b"\r\n")
    return found[-1].decode("latin-1") if found else None
