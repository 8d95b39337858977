"""Card of a match: the picture that chats show beside a link, and the tags that they read. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from html import escape
from xml.etree import ElementTree

from arena.model.visible import printable
from arena.spectators.sharing.shared_match import Address, SharedMatch
from core import GAMES
from core.picture import FAINT, PLAYER_COLOURS, TEXT, position_svg, text_svg

WIDTH, HEIGHT = 1200, 630  # units, the size that most sites ask for
PAGE, CARD_LINE = "#f6f4ef", "#dcd8cd"
LEFT, RIGHT = 64, 570  # of the texts
PICTURE = (600, 40, 560, 550)  # x, y, width and height of the position
MAX_PICTURE = 400_000  # characters; a longer picture is replaced by a text
NAME_SIZE, TEXT_SIZE, SMALL_SIZE, DETAIL_SIZE = 46, 30, 26, 22
LETTER, WIDE_LETTER, WIDEST_LETTER = 0.56, 0.75, 1.05  # widths in sizes of a wide font
SVG = "http://www.w3.org/2000/svg"
TITLE = re.compile(rb"<title>[^<]*</title>")
IMAGE_TYPES = {".png": "image/png", ".svg": "image/svg+xml"}

ElementTree.register_namespace("", SVG)


def card_svg(match: SharedMatch, ply: int) -> str:
    """Return the card of a match that shows the position after a ply.

    Args:
        match: The match.
        ply: The number of moves before the position, at most all.

    Raises:
        KeyError, TypeError, ValueError, MemoryError: The match is damaged.
    """
    return "".join(
        [
            f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"',
            ' font-family="system-ui, Roboto, DejaVu Sans, sans-serif">',
            f"<title>{escape(printable(match.title))}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAGE}"/>',
            *_texts(match, ply),
            embedded(_picture(match, ply), *PICTURE),
            "</svg>",
        ]
    )


def _picture(match: SharedMatch, ply: int) -> str:
    """Return the picture of a position, as text where the game is unknown or fails to draw."""
    if not match.is_installed:
        return text_svg(f"{match.game} is not\ninstalled in this arena")
    game = GAMES[match.game]
    position = game.position(**dict(match.setup), moves=match.moves[:ply])
    try:
        picture = position_svg(position)
        if len(picture) > MAX_PICTURE:
            raise ValueError("the picture is too large")
        ElementTree.fromstring(picture)
    except Exception:  # a game may raise anything
        return text_svg(str(position))
    return picture


def embedded(picture: str, x: int, y: int, width: int, height: int) -> str:
    """Return a picture as an element that fills a part of another one, with its own proportions."""
    root = ElementTree.fromstring(picture)
    root.set("x", str(x))
    root.set("y", str(y))
    root.set("width", str(width))
    root.set("height", str(height))
    return ElementTree.tostring(root, encoding="unicode")


def _texts(match: SharedMatch, ply: int) -> Iterator[str]:
    """Yield the game, the players, the result and the number of the move, from top to bottom."""
    yield _text(LEFT, 96, SMALL_SIZE, match.game_title, FAINT, 600)
    for player, (name, y) in enumerate(zip(match.players, (190, 266), strict=True), 1):
        yield _mark(player, y)
        result = match.result
        weight = 700 if result and result.winner == player else 500
        yield _text(LEFT + 58, y, NAME_SIZE, name, TEXT, weight)
    y = 352
    for line in wrapped(_result(match), RIGHT - LEFT, TEXT_SIZE, 3):
        yield _text(LEFT, y, TEXT_SIZE, line, TEXT, 400)
        y += 40
    yield f'<path d="M{LEFT} 490H{RIGHT}" stroke="{CARD_LINE}" stroke-width="2"/>'
    yield _text(LEFT, 534, SMALL_SIZE, f"After move {ply} of {match.plies}", FAINT, 600)
    y = 572
    for line in _details(match):
        yield _text(LEFT, y, DETAIL_SIZE, line, FAINT, 400)
        y += 30


def _details(match: SharedMatch) -> list[str]:
    """Return the details on one line, or the last one, the day, on a line of its own."""
    line = " · ".join(match.details)
    *others, last = match.details or [""]
    if not others or text_width(line, DETAIL_SIZE) <= RIGHT - LEFT:
        return [line]
    return [" · ".join(others), last]


def _result(match: SharedMatch) -> str:
    result = match.result
    if result is None:
        return "Live"
    if result.winner:
        return f"{match.players[result.winner - 1]} wins: {result.reason}"
    return f"{'Draw' if result.is_draw else 'No winner'}: {result.reason}"


def _mark(player: int, y: int) -> str:
    """Return the mark of a player: a circle or a rounded square, as on boards."""
    colour = PLAYER_COLOURS[player - 1]
    if player == 1:
        return f'<circle cx="{LEFT + 18}" cy="{y - 16}" r="18" fill="{colour}"/>'
    return f'<rect x="{LEFT}" y="{y - 34}" width="36" height="36" rx="8" fill="{colour}"/>'


def _text(x: int, y: int, size: int, text: str, colour: str, weight: int) -> str:
    shown = escape(clipped(printable(text), RIGHT - x, size))
    font = f'font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {font} fill="{colour}">{shown}</text>'


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is: which font draws it is not known here."""
    return sum(map(_letter_width, text)) * size


def _letter_width(letter: str) -> float:
    if letter in "mwMW@%—" or unicodedata.east_asian_width(letter) in "FW":
        return WIDEST_LETTER
    return WIDE_LETTER if letter.isupper() else LETTER


def clipped(text: str, width: float, size: float) -> str:
    """Return a text that is about as wide as this at most, with an ellipsis where it is cut off."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrapped(text: str, width: float, size: float, limit: int) -> list[str]:
    """Return a text as lines of about this width; the last one has all that is left."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if not lines[-1] or text_width(longer, size) <= width or len(lines) == limit:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


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
