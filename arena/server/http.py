"""Plain HTTP on the port of the WebSockets: pages by their path, for people and for machines."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request, Response

NOT_FOUND = "Bots connect to /play with WebSockets.\n"
METHODS = ("GET", "HEAD")


class Answer(NamedTuple):
    """What is at a path by now; `packed` is the body with gzip, for clients that take it."""

    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = MappingProxyType({})
    packed: bytes | None = None


Routes = Mapping[str, Callable[[], Answer]]
"""What is at which path. It is asked at each request, in the event loop: it must be quick."""


def path_of(request: Request) -> str:
    """The path without the query, as it was sent: the library decodes nothing."""
    return request.path.partition("?")[0]


def respond(routes: Routes, connection: ServerConnection, request: Request) -> Response:
    """The response to a request: 404 where nothing is, 405 if it wants more than to read.

    As all responses of the library it ends the connection. What a route raises becomes a 500.
    """
    route = routes.get(path_of(request))
    if route is None:
        return connection.respond(HTTPStatus.NOT_FOUND, NOT_FOUND)
    if request.method not in METHODS:
        refusal = connection.respond(HTTPStatus.METHOD_NOT_ALLOWED, "This can only be read.\n")
        refusal.headers["Allow"] = ", ".join(METHODS)
        return refusal
    answer = route()
    response = connection.respond(answer.status, "")
    del response.headers["Content-Type"], response.headers["Content-Length"]
    response.headers["Content-Type"] = answer.content_type
    response.headers.update(answer.headers)
    body = answer.body
    if answer.packed is not None:
        response.headers["Vary"] = "Accept-Encoding"
        if _takes_gzip(request):
            body = answer.packed
            response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(body))
    # RFC 9110, 9.3.2: HEAD has the header fields of GET, and never a body.
    response.body = b"" if request.method == "HEAD" else body
    return response


def _takes_gzip(request: Request) -> bool:
    """Whether a client names gzip among the encodings that it takes, as all browsers do."""
    fields = ",".join(request.headers.get_all("Accept-Encoding"))
    return "gzip" in (encoding.strip().lower() for encoding in fields.split(","))


def address_of(connection: ServerConnection, behind_proxy: bool) -> str:
    """The address that a connection comes from: behind a proxy, the one that X-Real-IP tells.

    Anybody can send that field: it counts only where a proxy sets it.
    """
    peer: str = (connection.remote_address or ("unknown",))[0]
    if behind_proxy and connection.request:
        told = connection.request.headers.get_all("X-Real-IP")
        return told[-1] if told else peer
    return peer
