"""Firefox for tests of the page, driven over WebDriver BiDi, its own remote protocol.

Playwright drives only a Firefox of its own, which must be downloaded; this one is the machine's.
"""

import itertools
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.support.polling import TEST_TIMEOUT, missed, wait_until

LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

INTERRUPTED = "A new navigation interrupted an unfinished navigation"

# Resolves as soon as a condition holds, however long that takes.
WAIT = """
() => new Promise(resolve => {
  const check = () => ((%s) ? resolve() : setTimeout(check, 20));
  check();
})
"""


class Firefox:
    """A tab of a Firefox.

    Attributes:
        problems: Texts of the errors and warnings that the page has logged; those of a page that
            was left, whose requests end with it, are of another realm.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._problems: list[tuple[str, str]] = []  # with their realms
        self._realm = ""
        self._connection = connection
        self._numbers = itertools.count(1)
        self._command("session.new", capabilities={})
        self._command("session.subscribe", events=["log.entryAdded"])
        self._tab = self._command("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, url: str) -> None:
        """Load a page anew, also if its address differs by the fragment alone."""
        self._navigate("about:blank")
        self._navigate(url)

    def resize(self, width: int, height: int) -> None:
        """Set the size of the view, in pixels of CSS."""
        viewport = {"width": width, "height": height}
        self._command("browsingContext.setViewport", context=self._tab, viewport=viewport)

    def wait(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        try:
            self._call(WAIT % condition)
        except TimeoutError as error:
            raise AssertionError(missed(condition)) from error

    def evaluate(self, expression: str) -> object:
        """Return the value of an expression of JavaScript: a text, a number or a boolean."""
        return self._call(f"() => ({expression})").get("value")

    def press(self, *keys: str) -> None:
        """Press keys together, as characters or code points of WebDriver, and release them."""
        downs = [{"type": "keyDown", "value": key} for key in keys]
        steps = [*downs, *({"type": "keyUp", "value": key} for key in reversed(keys))]
        actions = [{"type": "key", "id": "keyboard", "actions": steps}]
        self._command("input.performActions", context=self._tab, actions=actions)

    def _navigate(self, url: str) -> None:
        try:
            self._command("browsingContext.navigate", context=self._tab, url=url, wait="complete")
        except AssertionError as error:
            if INTERRUPTED not in str(error):
                raise
            # A slow Firefox may take the load that it was told to begin for another one.
            self._navigate(url)

    def _call(self, function: str) -> dict[str, Any]:
        answer = self._command(
            "script.callFunction",
            functionDeclaration=function,
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        self._realm = answer["realm"]
        result: dict[str, Any] = answer["result"]
        return result

    @property
    def problems(self) -> list[str]:
        return [text for realm, text in self._problems if realm == self._realm]

    def _command(self, method: str, **params: object) -> dict[str, Any]:
        """Return the result of a command; keep the problems that come before it."""
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": params}))
        while (message := json.loads(self._connection.recv(TEST_TIMEOUT))).get("id") != number:
            if message["params"]["level"] in {"error", "warn"}:
                problem = message["params"]
                self._problems.append((problem["source"]["realm"], problem["text"]))
        assert message["type"] == "success", message
        result: dict[str, Any] = message["result"]
        return result


@contextmanager
def firefox(command: str, folder: Path) -> Iterator[Firefox]:
    """Run a Firefox with an empty profile in a folder, without network services of its own."""
    (folder / "user.js").write_text('user_pref("remote.prefs.recommended", true);\n')
    log = folder / "log"
    options: list[str | Path] = [
        "--headless",
        "--no-remote",
        "--remote-debugging-port",
        "0",
        "--profile",
        folder,
    ]
    with (
        log.open("w") as output,
        subprocess.Popen([command, *options], stdout=output, stderr=output) as process,
    ):
        try:
            wait_until(
                lambda: process.poll() is not None or LISTENS.search(log.read_text()),
                "Firefox to listen",
            )
            found = LISTENS.search(log.read_text())
            assert found, log.read_text()
            with connect(
                f"{found[1]}/session", compression=None, proxy=None, max_size=None
            ) as link:
                yield Firefox(link)
        finally:
            process.kill()
