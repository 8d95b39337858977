"""Entry point of the process of a bot, `python -m bots`."""

import sys

from take_stones_arena import bot

sys.exit(bot())
