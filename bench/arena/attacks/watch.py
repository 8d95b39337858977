"""Attacks by spectators on /watch, which need neither a hello nor a token."""

import asyncio

from bench.arena.attacks.attacker import attack
from bench.arena.attacks.client import Client
from bench.arena.attacks.play import MAX_FRAGMENTS, filled, fragmented
from bench.arena.simulated_bots import TEXT, frame

LOBBY = b'{"type":"watch","match":null}'
POSITION = b'"request":1,"game":"take_stones","setup":{"stones":100000}'
# The largest start that is searched step by step, and the variant that keeps the most of it.
SEARCH = (
    b'"request":1,"search":{"game":"take_stones","setup":{"stones":44000},'
    b'"variant":"transpositions"}'
)
LAST_STEPS = SEARCH + b',"first":59000,"count":500'
EXERCISE = b'"request":1,"seed":1,"depth":1,"game":"isolation"'  # this game has no exercises
MATCHING = b'"request":1,"game":"take_stones","setup":{"stones":400}'
# The marks are sorted to normalise it.
NAME = '"request":1,"name":"a{}{}"'.format("\u0344" * 500, "\u0334" * 499).encode()
INTEGERS = b'"request":1,"game":"take_stones","setup":{"stones":%b}' % (b"9" * 4000)


def question(kind: bytes, fields: bytes) -> bytes:
    """Return the frame of a question."""
    return frame(TEXT, b'{"type":"%b",%b}' % (kind, fields))


@attack(50)
async def watch_fragments(client: Client) -> None:
    """Send messages of 4,096 fragments that are empty but for the last."""
    await client.open("/watch")
    await client.flood(fragmented(LOBBY, MAX_FRAGMENTS))


@attack(20)
async def watch_fragments_on_20_connections(client: Client) -> None:
    """Do the same on fewer connections."""
    await client.open("/watch")
    await client.flood(fragmented(LOBBY, MAX_FRAGMENTS))


@attack(50, addresses=50)
async def watch_fragments_from_50_addresses(client: Client) -> None:
    """Do the same from as many addresses."""
    await client.open("/watch")
    await client.flood(fragmented(LOBBY, MAX_FRAGMENTS))


@attack(20)
async def watch_messages(client: Client) -> None:
    """Follow the lobby and matches in turn."""
    await client.open("/watch")
    followed = [b"null", b"1", b"2", b"99999999"]
    await client.flood(filled(b"".join(question(b"watch", b'"match":%b' % n) for n in followed)))


@attack(20)
async def watch_unreadable_messages(client: Client) -> None:
    """Send messages that are no JSON."""
    await client.open("/watch")
    await client.flood(filled(frame(TEXT, b"{")))


@attack(20)
async def watch_large_messages(client: Client) -> None:
    """Send questions of 64 KiB."""
    await client.open("/watch")
    moves = b",".join([b"1"] * 32_000)
    await client.flood(question(b"find_position", POSITION + b',"moves":[%b]' % moves))


@attack(20)
async def find_games(client: Client) -> None:
    """Ask for the longest lists of games."""
    await client.open("/watch")
    await client.flood(filled(question(b"find_games", b'"request":1,"limit":100')))


@attack(20)
async def find_records(client: Client) -> None:
    """Ask for records."""
    await client.open("/watch")
    await client.flood(filled(question(b"find_record", b'"request":1,"match":1')))


@attack(20)
async def find_positions(client: Client) -> None:
    """Ask for the largest positions."""
    await client.open("/watch")
    await client.flood(filled(question(b"find_position", POSITION)))


@attack(20)
async def unread_answers(client: Client) -> None:
    """Ask for long lists of games, and never read."""
    await client.open("/watch", receive_buffer=2048)
    client.transport.pause_reading()
    await client.flood(filled(question(b"find_games", b'"request":1,"limit":100')))


@attack(20, probed="viewer")
async def analyses(client: Client) -> None:
    """Ask for the longest analysis, hang up, and come back."""
    await client.open("/watch")
    await client.send(question(b"analyse", POSITION + b',"depth":50'))
    await asyncio.sleep(0.2)


@attack(20, probed="viewer", may_stay=True)
async def patient_analyses(client: Client) -> None:
    """Ask for the longest analysis, and wait for the answer."""
    await client.open("/watch")
    while True:
        await client.send(question(b"analyse", POSITION + b',"depth":50'))
        await client.receive(b'"request":1')


@attack(20, addresses=20, probed="viewer", may_stay=True)
async def analyses_from_20_addresses(client: Client) -> None:
    """Ask for the longest analysis from as many addresses, and wait for the answer."""
    await client.open("/watch")
    while True:
        await client.send(question(b"analyse", POSITION + b',"depth":50'))
        await client.receive(b'"request":1')


async def _ask_patiently(client: Client, asked: bytes) -> None:
    await client.open("/watch")
    while True:
        await client.send(asked)
        await client.receive(b'"request":1')


@attack(1, probed="viewer", may_stay=True)
async def trace(client: Client) -> None:
    """Ask for the largest trace, and wait for the answer."""
    await _ask_patiently(client, question(b"trace", SEARCH))


@attack(20, probed="viewer", may_stay=True)
async def traces(client: Client) -> None:
    """Do the same on 20 connections."""
    await _ask_patiently(client, question(b"trace", SEARCH))


@attack(20, addresses=20, probed="viewer", may_stay=True)
async def traces_from_20_addresses(client: Client) -> None:
    """Do the same from as many addresses."""
    await _ask_patiently(client, question(b"trace", SEARCH))


@attack(1, probed="viewer", may_stay=True)
async def explain_steps(client: Client) -> None:
    """Ask for the last steps of the longest search in words, and wait for the answer."""
    await _ask_patiently(client, question(b"explain_steps", LAST_STEPS))


@attack(20, probed="viewer", may_stay=True)
async def explained_steps(client: Client) -> None:
    """Do the same on 20 connections."""
    await _ask_patiently(client, question(b"explain_steps", LAST_STEPS))


@attack(1, probed="viewer", may_stay=True)
async def find_exercise(client: Client) -> None:
    """Ask for an exercise that takes long, and wait for the answer."""
    await _ask_patiently(client, question(b"find_exercise", EXERCISE))


@attack(20, probed="viewer", may_stay=True)
async def find_exercises(client: Client) -> None:
    """Do the same on 20 connections."""
    await _ask_patiently(client, question(b"find_exercise", EXERCISE))


@attack(1)
async def find_matching(client: Client) -> None:
    """Ask for the largest matchings, and wait for none."""
    await client.open("/watch")
    await client.flood(filled(question(b"find_matching", MATCHING)))


@attack(20)
async def find_matchings(client: Client) -> None:
    """Do the same on 20 connections."""
    await client.open("/watch")
    await client.flood(filled(question(b"find_matching", MATCHING)))


@attack(1, may_stay=True)
async def check_name(client: Client) -> None:
    """Ask for the spelling of a name with many combining marks."""
    await client.open("/watch")
    await client.flood(filled(question(b"check_name", NAME)))


@attack(20)
async def check_names(client: Client) -> None:
    """Do the same on 20 connections."""
    await client.open("/watch")
    await client.flood(filled(question(b"check_name", NAME)))


@attack(20)
async def huge_integers(client: Client) -> None:
    """Send integers that take long to read."""
    await client.open("/watch")
    await client.flood(filled(question(b"find_position", INTEGERS)))


@attack(200, may_stay=True)
async def unread_lobbies(client: Client) -> None:
    """Follow the lobby, and never read."""
    await client.open("/watch", receive_buffer=2048)
    client.transport.pause_reading()
    await client.send(frame(TEXT, LOBBY))
    await asyncio.sleep(3600)


@attack(50)
async def lobby_churn(client: Client) -> None:
    """Open the lobby, wait for its state, and hang up."""
    await client.open("/watch")
    await client.send(frame(TEXT, LOBBY))
    await client.receive(b'"type":"lobby"')


@attack(1100, addresses=110, seconds=8.0, may_stay=True)
async def full_house(client: Client) -> None:
    """Follow the lobby on more connections than the arena accepts."""
    await client.open("/watch")
    await client.send(frame(TEXT, LOBBY))
    await client.wait_closed()


@attack(5, needs_history=True, probed="viewer", may_stay=True)
async def tables(client: Client) -> None:
    """Follow the lobby of an arena with many names and matches."""
    await client.open("/watch")
    await client.send(frame(TEXT, LOBBY))
    await client.wait_closed()
