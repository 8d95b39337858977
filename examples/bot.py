"""Minimal bot in Python, which needs only websockets: `python examples/bot.py [URL] [NAME]`."""

import json
import sys
from os import environ

from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect


def legal_moves(stones, moves):
    """Return the legal moves."""
    if not moves:
        return [stone for stone in range(1, stones + 1, 2) if 2 * stone < stones]
    last, rest = moves[-1], set(range(1, stones + 1)) - set(moves)
    return [stone for stone in rest if stone % last == 0 or last % stone == 0]


def choose(turn):
    """Return the move that leaves the opponent the fewest replies."""
    stones, moves = turn["setup"]["stones"], turn["moves"]
    return min(legal_moves(stones, moves), key=lambda m: len(legal_moves(stones, [*moves, m])))


URL = environ.get("ARENA_URL") or "ws://127.0.0.1:8765/play"
NAME = environ.get("ARENA_NAME") or "python"
TOKEN = environ.get("ARENA_TOKEN") or None


def main(url=URL, name=NAME):
    """Play until the arena closes the connection."""
    with connect(url, proxy=None) as arena:
        hello = {"type": "hello", "protocol": 1, "name": name, "games": ["take_stones"]}
        arena.send(json.dumps({**hello, "token": TOKEN}))
        for frame in arena:
            message = json.loads(frame)
            if message["type"] == "turn":
                answer = {"type": "move", "match": message["match"], "ply": message["ply"]}
                arena.send(json.dumps({**answer, "move": choose(message)}))
            elif message["type"] == "error":
                print(f"{name}: {message['message']}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ConnectionClosedError) as error:
        sys.exit(f"connection lost: {error}")
