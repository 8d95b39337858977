"""Entry point of the process of a bot, `python -m bots`."""

import sys

from take_stones_arena import check_packages

if __name__ == "__main__":
    check_packages("bots")
    from bots.process import main

    sys.exit(main())
