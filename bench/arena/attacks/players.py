"""Attacks by players on /play: on names, on the ladder, on casual matches."""

import asyncio
import re

from bench.arena.attacks.arena_command import HOUSE_BOT
from bench.arena.attacks.attacker import attack
from bench.arena.attacks.client import Client
from bench.arena.attacks.honest_bots import NAMES, SEED, STONES
from bench.arena.attacks.play import CASUAL, MAX_FRAGMENTS, RESIGN, fragmented, hello, join
from bench.arena.simulated_bots import TEXT, fixed_moves, frame

TURN = re.compile(rb'"type":"turn","match":"(\w+)".*?"ply":(\d+)')
CHALLENGED = re.compile(rb'"challenge":"([\w-]+)"')
LINE = fixed_moves(STONES, SEED)
CHALLENGES: asyncio.Queue[bytes] = asyncio.Queue()


def move(match: bytes, ply: int, stone: int) -> bytes:
    """Return the frame of a move."""
    return frame(TEXT, b'{"type":"move","match":"%b","ply":%d,"move":%d}' % (match, ply, stone))


def challenge(stones: int, opponent: str | None = None) -> bytes:
    """Return the frame of a challenge."""
    name = f'"{opponent}"' if opponent else "null"
    text = f'{{"type":"challenge","game":"take_stones","setup":{{"stones":{stones}}},"you":1,'
    return frame(TEXT, f'{text}"opponent":{name}}}'.encode())


@attack(50)
async def joins_and_leaves(client: Client) -> None:
    """Join the ladder under a new name for another game, and leave."""
    await client.open("/play")
    await client.send(hello(f"evil {client.number}", "", "isolation"))
    await client.receive(b"}")


@attack(50)
async def casual_joins_and_leaves(client: Client) -> None:
    """Join as a casual player under a new name, and leave."""
    await join(client)


@attack(50)
async def taken_names(client: Client) -> None:
    """Say hello under the names of the honest bots."""
    await client.open("/play")
    await client.send(hello(NAMES[client.number % 4], ', "session": "guessed"'))
    await client.wait_closed()


@attack(50, probed="visitor")
async def house_bot_names(client: Client) -> None:
    """Say hello under the name of a bot that the arena starts, which has a token of its own."""
    await client.open("/play")
    await client.send(hello(HOUSE_BOT))
    await client.wait_closed()


@attack(50)
async def open_challenges(client: Client) -> None:
    """Make open challenges; each replaces the one before."""
    await join(client)
    await client.flood(challenge(7) * 500)


@attack(1, probed="visitor", may_stay=True)
async def casual_slots(client: Client) -> None:
    """Challenge the house bot a thousand times, and never move."""
    await join(client, CASUAL + ', "matches": 1000')
    for _ in range(1000):
        await client.send(challenge(100, HOUSE_BOT))
    await client.wait_closed()


@attack(50, probed="visitor", may_stay=True)
async def casual_slots_from_50_connections(client: Client) -> None:
    """Challenge the house bot a few times on each connection, and never move."""
    await join(client, CASUAL + ', "matches": 1000')
    for _ in range(20):
        await client.send(challenge(100, HOUSE_BOT))
    await client.wait_closed()


@attack(20, addresses=20, may_stay=True)
async def casual_house_bots(client: Client) -> None:
    """Play casual matches against the house bot at full speed."""
    await join(client)
    while True:
        await client.send(challenge(STONES, HOUSE_BOT))
        for match, _ in TURN.findall(await client.receive(b'"turn"')):
            await client.send(move(match, 0, LINE[0]))
            await client.send(frame(TEXT, b'{"type":"resign","match":"%b"}' % match))
        await client.receive(b'"finished"')


async def lose(client: Client, answer: bytes, known: int) -> None:
    """Join the ladder, play the known moves of each match, and then send an answer, if any."""
    await join(client, "")
    while True:
        for match, digits in TURN.findall(await client.receive(b'"turn"')):
            ply = int(digits)
            if ply < known:
                await client.send(move(match, ply, LINE[ply]))
            elif answer:
                await client.send(frame(TEXT, answer.replace(b"MATCH", match)))


@attack(4, may_stay=True)
async def ladder_resignations(client: Client) -> None:
    """Resign each match at once."""
    await lose(client, b'{"type":"resign","match":"MATCH"}', 0)


@attack(4, may_stay=True)
async def ladder_illegal_moves(client: Client) -> None:
    """Play -1 in each match at once."""
    await join(client, "")
    while True:
        for match, ply in TURN.findall(await client.receive(b'"turn"')):
            await client.send(move(match, int(ply), -1))


@attack(4, may_stay=True)
async def ladder_resignations_after_a_move(client: Client) -> None:
    """Move once in each match, and resign then."""
    await lose(client, b'{"type":"resign","match":"MATCH"}', 2)


@attack(2, may_stay=True)
async def ladder_slow_matches(client: Client) -> None:
    """Take as many matches at once as the arena gives, and let each last until the flag falls."""
    await join(client, ', "matches": 1000')
    await client.wait_closed()


@attack(4, may_stay=True)  # one that waits for its next match does no harm
async def ladder_new_names(client: Client) -> None:
    """Resign the first match, and come back under a new name."""
    await join(client, "")
    for match, _ in TURN.findall(await client.receive(b'"turn"')):
        await client.send(frame(TEXT, b'{"type":"resign","match":"%b"}' % match))


async def time_out(client: Client) -> None:
    """Join the ladder, move once in each match, and let the flag fall."""
    await lose(client, b"", 2)


@attack(60, seconds=10.0, accompaniment=time_out)
async def aborts(client: Client) -> None:
    """Send fragments while a bot on the ladder lets its flag fall: its losses must count."""
    await join(client)
    await client.flood(fragmented(RESIGN, MAX_FRAGMENTS))


@attack(60, seconds=10.0, accompaniment=time_out)
async def aborts_by_handshakes(client: Client) -> None:
    """Open connections while a bot on the ladder lets its flag fall."""
    await client.open("/watch")


@attack(40, addresses=20, may_stay=True)
async def busy_pairs(client: Client) -> None:
    """Play casual matches between two accomplices at full speed: useful messages all."""
    await join(client, CASUAL)
    if client.number % 2:
        await client.send(challenge(STONES))
        for key in CHALLENGED.findall(await client.receive(b'"challenged"')):
            CHALLENGES.put_nowait(key)
    else:
        accepted = b'{"type":"accept","challenge":"%b"}' % await CHALLENGES.get()
        await client.send(frame(TEXT, accepted))
    while b'"finished"' not in (received := await client.receive(b"}")):
        for match, ply in TURN.findall(received):
            await client.send(move(match, int(ply), LINE[int(ply)]))
