"""Users' programs for tests of bulk play: in a folder of bot files, well-behaved and other ones."""

import shlex
import sys
from pathlib import Path

LINES = """\
#!/bin/sh
while read -r line; do
    legal=${line##* legal=}
    legal=${legal%% *}
    echo "${legal%%,*}"
done
"""

FAULTY_LINES = """\
import sys, time
mode = sys.argv[1]
print("mode", mode, file=sys.stderr, flush=True)
for line in sys.stdin:
    match mode:
        case "exits":
            sys.exit(3)
        case "closes":
            sys.stdin.close()
        case "hangs":
            time.sleep(3600)
        case _:
            print({"illegal": 999, "resigns": "resign"}.get(mode, "three"), flush=True)
"""

SIX_LINES = """\
import sys, time
mode, stones, count, *taken, depth = sys.argv[1:]
print("mode", mode, file=sys.stderr, flush=True)
match mode:
    case "exits":
        sys.exit(3)
    case "talks":
        sys.exit(print("three"))
    case "hangs":
        time.sleep(3600)
stones, taken = int(stones), [int(stone) for stone in taken]
legal = [
    stone
    for stone in range(1, stones + 1)
    if stone not in taken
    and (
        taken[-1] % stone == 0 or stone % taken[-1] == 0
        if taken
        else stone % 2 and 2 * stone < stones
    )
]
print("Move:", 999 if mode == "illegal" else legal[0])
print("Value: 0.5\\nNumber of Nodes Visited: 3\\nNumber of Nodes Evaluated: 1")
print("Max Depth Reached: 0\\nAvg Effective Branching Factor: 1.0")
"""

GOOD_LINES = "stdio:./lines.sh"


def write_programs(folder: Path) -> Path:
    """Write the programs into a new folder, and return it."""
    folder.mkdir()
    folder.chmod(0o755)  # programs may run as another user
    (folder / "lines.sh").write_text(LINES)
    (folder / "lines.sh").chmod(0o755)
    (folder / "faulty.py").write_text(FAULTY_LINES)
    (folder / "six.py").write_text(SIX_LINES)
    return folder


def faulty_lines(mode: str) -> str:
    """Return a bot that reads lines and fails in some way."""
    return f"stdio:{shlex.join([sys.executable, 'faulty.py', mode])}"


def six_lines(mode: str = "plays") -> str:
    """Return a bot that prints six lines, or fails in some way."""
    return f"program:depth=1 {shlex.join([sys.executable, 'six.py', mode])}"
