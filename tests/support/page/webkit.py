"""WebKit for tests of the page: the MiniBrowser of WebKitGTK, driven over WebDriver.

Playwright drives only a WebKit of its own, which must be downloaded; this one is the machine's. It
has no mode without a window: a virtual screen shows it.
"""

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any

from tests.support.polling import TEST_TIMEOUT, missed, wait_until

SCREEN = "1400x1000x24"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # by which WebDriver marks an element
LIMIT = 1000 * TEST_TIMEOUT  # milliseconds

# The driver does not tell what a page logs. The error that is left out is one for scripts alone: a
# board that was resized has changed the height of the page, which is measured with the next frame.
KEEP_PROBLEMS = """
window.problems = [];
console.error = console.warn = (...values) => problems.push(values.join(" "));
addEventListener("error", ({ message }) => {
  if (!message.startsWith("ResizeObserver loop")) problems.push(message);
});
addEventListener("unhandledrejection", ({ reason }) => problems.push(String(reason)));
"""

# Calls back as soon as a condition holds, or with false at the end of the time.
WAIT = """
const [limit, done] = arguments;
const end = performance.now() + limit;
const check = () => {
  if (%s) done(true);
  else if (performance.now() > end) done(false);
  else setTimeout(check, 20);
};
check();
"""


class WebKit:
    """A window of a WebKit."""

    def __init__(self, port: int, browser: Path) -> None:
        """Open a window.

        Args:
            port: The port on which the driver listens.
            browser: The program that the driver starts.
        """
        self._connection = HTTPConnection("127.0.0.1", port, timeout=2 * TEST_TIMEOUT)
        self._session = ""
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        created = self._command("POST", "/session", capabilities=wanted)
        self._session = f"/session/{created['sessionId']}"
        self._command("POST", "/timeouts", script=2 * LIMIT)

    @property
    def problems(self) -> list[str]:
        """The errors and warnings of the page since its view was opened."""
        found: list[str] = self.evaluate("problems")
        return found

    def open(self, page: str, fragment: str) -> None:
        """Load a page anew, then its view of a fragment."""
        self._command("POST", "/url", url="about:blank")
        self._command("POST", "/url", url=f"{page}#/none")
        self._command("POST", "/execute/sync", script=KEEP_PROBLEMS, args=[])
        self.evaluate(f"location.hash = {json.dumps(fragment)}")

    def wait(self, condition: str) -> None:
        """Wait until an expression of JavaScript is true."""
        met = self._command("POST", "/execute/async", script=WAIT % condition, args=[LIMIT])
        assert met, missed(condition)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript."""
        return self._command("POST", "/execute/sync", script=f"return {expression}", args=[])

    def click(self, selector: str) -> None:
        """Click on the first element that a selector of CSS finds."""
        found = self._command("POST", "/element", using="css selector", value=selector)
        self._command("POST", f"/element/{found[ELEMENT]}/click")

    def close(self) -> None:
        """End the browser."""
        self._command("DELETE", "")
        self._connection.close()

    def _command(self, method: str, path: str, **values: object) -> Any:
        body = json.dumps(values) if method == "POST" else None
        self._connection.request(method, self._session + path, body)
        response = self._connection.getresponse()
        answer = json.load(response)["value"]
        assert response.status == 200, answer
        return answer


@contextmanager
def webkit(browser: Path, folder: Path) -> Iterator[WebKit]:
    """Run a WebKit on a screen of its own, with its files and a log in a folder."""
    with (folder / "log").open("w") as output, _screen(output) as display:
        environment = {**os.environ, "DISPLAY": display, "GDK_BACKEND": "x11", "HOME": str(folder)}
        port = _free_port()
        command = ["WebKitWebDriver", f"--port={port}"]
        with subprocess.Popen(command, stdout=output, stderr=output, env=environment) as driver:
            try:
                wait_until(lambda: _accepts(port), "the driver to listen")
                window = WebKit(port, browser)
                yield window
                window.close()
            finally:
                driver.kill()


@contextmanager
def _screen(output: IO[str]) -> Iterator[str]:
    """Run a virtual screen; yield its name."""
    reading, writing = os.pipe()
    options = ["-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    with subprocess.Popen(["Xvfb", *options], stderr=output, pass_fds=[writing]) as process:
        try:
            os.close(writing)
            with open(reading) as number:
                yield f":{number.readline().strip()}"
        finally:
            process.kill()


def _free_port() -> int:
    """Return a port that no program listens on; the driver cannot choose one."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _accepts(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
