"""The page's document for a shared match, with the tags that chats read. Pure."""

import re
from html import escape

from arena.spectators.sharing.card import HEIGHT, WIDTH
from arena.spectators.sharing.shared_match import Address, SharedMatch

TITLE = re.compile(rb"<title>[^<]*</title>")
IMAGE_TYPES = {".png": "image/png", ".svg": "image/svg+xml"}


def document(index: bytes, match: SharedMatch, address: Address, base: str, ending: str) -> bytes:
    """Return the page with a title, a description and a picture of a match.

    The page itself shows the match that the path of its address names (`arena/web/app.js`).

    Args:
        index: The page.
        match: The match.
        address: The address of the page.
        base: The URL of the arena without a path; "" if it is not known, so that the addresses in
            the tags are paths.
        ending: The kind of the picture: ".png" or ".svg".
    """
    ply = match.shown_ply(address.ply)
    description = match.description(ply)
    image = f"{base}{address._replace(ending=ending)}"
    properties = {
        "og:site_name": "Arena",
        "og:type": "website",
        "og:title": match.title,
        "og:description": description,
        "og:url": f"{base}{address}",
        "og:image": image,
        "og:image:type": IMAGE_TYPES[ending],
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "og:image:alt": f"{match.game_title}: the position after move {ply}",
    }
    names = {
        "description": description,
        "twitter:card": "summary_large_image",
        "twitter:title": match.title,
        "twitter:description": description,
        "twitter:image": image,
    }
    tags = [
        f"<title>{escape(match.title)} · Arena</title>",
        *(_tag("property", *field) for field in properties.items()),
        *(_tag("name", *field) for field in names.items()),
    ]
    head = "\n".join(tags).encode()
    return TITLE.sub(lambda _: head, index, count=1)


def _tag(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}">'
