"""Runs a program in Python in each case; the outputs end with NUL."""

import contextlib
import io
import json
import runpy
import signal
import sys


def stop(number: int, frame: object) -> None:
    """End a program that takes too long."""
    raise TimeoutError(number, frame)


task = json.load(sys.stdin)
signal.signal(signal.SIGALRM, stop)
for arguments in task["cases"]:
    sys.argv = [sys.argv[0], sys.argv[1], *arguments][1:]
    text = io.StringIO()
    signal.alarm(task["seconds"])
    try:
        with contextlib.redirect_stdout(text):
            runpy.run_path(sys.argv[0], run_name="__main__")
    except (Exception, SystemExit):
        text = io.StringIO()
    signal.alarm(0)
    sys.argv = ["run.py", sys.argv[0]]
    sys.stdout.write(text.getvalue() + "\0")
