"""The page of a shared match."""

import re
from html import unescape

from arena.spectators.sharing.card import document
from arena.spectators.sharing.shared_match import Address
from tests.arena.spectators.sharing.test_shared_match import MATCH

INDEX = b"<head>\n<title>Arena</title>\n</head><body>\\1</body>"
META = re.compile(r'<meta (?:property|name)="([^"<>]+)" content="([^"<>]*)">')


def tags(page: bytes) -> dict[str, str]:
    return {name: unescape(content) for name, content in META.findall(page.decode())}


def test_the_tags_of_a_match() -> None:
    page = document(INDEX, MATCH, Address(12, 2, ""), "https://arena.example.org", ".png")
    assert b"<title>bob beat ann \xc2\xb7 Take-Stones \xc2\xb7 Arena</title>" in page
    assert page.endswith(b"\n</head><body>\\1</body>")
    found = tags(page)
    assert found["og:title"] == found["twitter:title"] == MATCH.title
    assert found["og:description"] == found["description"] == MATCH.description(2)
    assert found["og:url"] == "https://arena.example.org/match/12/2"
    assert found["og:image"] == "https://arena.example.org/match/12/2.png"
    assert found["twitter:image"] == found["og:image"]
    assert found["og:image:type"] == "image/png"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["twitter:card"] == "summary_large_image"


def test_hosts_and_names() -> None:
    found = tags(document(INDEX, MATCH, Address(12, None, ""), "", ".svg"))
    assert (found["og:url"], found["og:image"]) == ("/match/12", "/match/12.svg")
    assert found["og:image:type"] == "image/svg+xml"
    match = MATCH._replace(players=('"><script>', "\\1 & 'x'"))
    page = document(INDEX, match, Address(12, None, ""), "http://a'b&c", ".png")
    assert b"<script>" not in page
    found = tags(page)
    assert found["og:title"] == """\\1 & 'x' beat "><script> · Take-Stones"""
    assert found["og:url"] == "http://a'b&c/match/12"
