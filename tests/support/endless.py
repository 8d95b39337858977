"""Program that ignores its input and does not end: `python -m tests.support.endless`."""

import signal

if __name__ == "__main__":
    while True:
        signal.pause()
