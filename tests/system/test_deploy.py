"""What is in deploy/ works, as far as it can be tried here."""

import asyncio
import configparser
import http.client
import inspect
import json
import re
import signal
import ssl
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from arena.cli.commands.serve import ServeConfig
from arena.model.addresses import CONNECTIONS_PER_ADDRESS
from arena.protocol.codec import decode_from_arena
from arena.protocol.player import Finished, Move, Turn
from arena.sandbox.bubblewrap import isolated_command
from arena.sandbox.limits import Limits, View
from core import GAMES
from tests.docs.guide.test_operate_an_arena import ROOT, TEXT, rows
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import (
    COMMAND,
    SMALL,
    configured,
    running_process,
    wait_for_exit,
    wait_for_line,
)
from tests.support.servers.arena_server import ScriptedBot, read_matches
from tests.support.servers.ports import reserved_port
from tests.support.tools import need

DEPLOY = ROOT / "deploy"
NGINX = (DEPLOY / "nginx.conf").read_text()
CONTAINER = (DEPLOY / "Containerfile").read_text()
BURST = 100  # of requests of an address, instead of the many of our configuration
UNIVERSITY = "198.51.100.7"  # an address that the arena trusts
CLASS = CONNECTIONS_PER_ADDRESS + 30
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


# systemd


def unit() -> configparser.RawConfigParser:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / "arena.service")
    return parser


DROP_IN = (DEPLOY / "sandbox.conf").read_text()


def unit_file(folder: Path, drop_in: str) -> Path:
    """Return a unit that has the settings of a drop-in too, and a program that exists."""
    copy = folder / "arena.service"
    text = (DEPLOY / "arena.service").read_text()
    copy.write_text(text.replace("/opt/arena/bin/arena", sys.executable) + drop_in)
    return copy


@pytest.mark.needs("systemd")
@pytest.mark.parametrize("drop_in", ["", DROP_IN])
def test_the_unit_is_one(tmp_path: Path, drop_in: str) -> None:
    path = unit_file(tmp_path, drop_in)
    result = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.needs("systemd")
@pytest.mark.parametrize(("drop_in", "exposure"), [("", 1.4), (DROP_IN, 2.6)])
def test_systemd_rates_the_unit_as_safe(tmp_path: Path, drop_in: str, exposure: float) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager"]
    command.append(f"--threshold={10 * exposure:.0f}")
    path = unit_file(tmp_path, drop_in)
    result = subprocess.run([*command, path], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout[-200:]
    assert "2.6 instead of 1.4 of 10" in " ".join(TEXT.split())


def test_the_drop_in_allows_the_namespaces_of_the_sandbox() -> None:
    words = isolated_command(["true"], View(Path("/")), Limits(), is_root=False)
    needed = {word.split("-")[3] for word in words if word.startswith("--unshare-")}
    [allowed] = re.findall(r"^RestrictNamespaces=(.*)$", DROP_IN, re.M)
    assert needed | {"mnt"} == {*allowed.split()}


def test_the_unit_matches_the_guide_and_the_commands(tmp_path: Path) -> None:
    service = unit()["Service"]
    limits = f"`{service['MemoryMax']}` of memory and {service['TasksMax']} processes and threads"
    assert limits in " ".join(TEXT.split())
    known = [row[0] for row in rows("exit status")]
    service = unit()["Service"]
    assert {service["RestartPreventExitStatus"], service["SuccessExitStatus"]} < {*known}
    assert service["RestartPreventExitStatus"] == "2"
    words = re.sub(r"\$\{\w+\}", str(tmp_path), unit()["Service"]["ExecStart"]).split()
    config = configured(ServeConfig, *words[1:]).arena
    assert words[0] == "/opt/arena/bin/arena"
    assert (config.host, config.port) == ("127.0.0.1", 8765)
    assert config.admission.tokens == tmp_path / "tokens.json"
    assert "--tokens /var/lib/arena/tokens.json" in TEXT  # the unit's folder of its state
    assert config.admission.bans == tmp_path / "bans.json"


# Sets the flag that MemoryDenyWriteExecute= stands for, which children inherit (prctl(2)).
DENY_WRITE_EXECUTE = """
import ctypes, mmap, os, sys
PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0):
    sys.exit("not supported")
try:
    mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
except PermissionError:
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.mark.parametrize("command", [SMALL, ["analyse"]])
def test_no_memory_need_be_writable_and_executable(complete: Path, command: list[str]) -> None:
    if command == SMALL:
        complete.unlink()
    database = ["--db", complete] if command == SMALL else [complete]
    result = subprocess.run(
        [sys.executable, "-c", DENY_WRITE_EXECUTE, *COMMAND[1:], *command, *database],
        capture_output=True,
        text=True,
    )
    if result.stderr == "not supported\n":  # before Linux 6.3
        pytest.skip("this kernel cannot deny memory that is writable and executable")
    assert result.returncode == 0, result.stderr
    assert read_matches(complete)
    assert unit()["Service"]["MemoryDenyWriteExecute"] == "yes"


# The container


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", CONTAINER, re.M)


def copied() -> set[str]:
    """What the image is built of."""
    lines = [line.split() for line in instructions("COPY") if not line.startswith("--from")]
    return {source for line in lines for source in line[:-1]}


def test_the_guide_builds_the_image_with_its_health_check() -> None:
    command = re.findall(r"^# (podman build .*)$", CONTAINER, re.M)
    assert command[0] in TEXT
    assert "--format docker" in command[0]


def test_the_image_is_built_of_all_that_is_packaged() -> None:
    assert all((ROOT / name).exists() for name in copied())
    found = PROJECT["tool"]["setuptools"]["packages"]["find"]["include"]
    packages = {pattern.removesuffix("*") for pattern in found}
    modules = {f"{name}.py" for name in PROJECT["tool"]["setuptools"]["py-modules"]}
    files = {"pyproject.toml", "setup.py", "LICENSE", PROJECT["project"]["readme"], *modules}
    assert copied() == packages | files
    versions = re.findall(r"python:(\d+)\.(\d+)-slim", CONTAINER)
    assert len({*versions}) == 1
    assert tuple(map(int, versions[0])) >= (3, 11)
    assert instructions("USER") == ["arena"]


def test_the_image_starts_an_arena(tmp_path: Path) -> None:
    [entry], [volume] = map(json.loads, instructions("ENTRYPOINT")), instructions("VOLUME")
    words = [word.replace(volume, str(tmp_path)) for word in entry[1:]]
    config = configured(ServeConfig, *words)
    assert [str(config.arena.port)] == instructions("EXPOSE")
    assert config.db == tmp_path / "arena.db"
    assert config.arena.admission.tokens == tmp_path / "tokens.json"
    assert config.arena.admission.bans == tmp_path / "bans.json"


def health_of(port: int) -> int:
    """The exit status of the health check of the image."""
    [check] = re.findall(r"HEALTHCHECK .* CMD (\[.*\])", CONTAINER)
    words = [word.replace("8765", str(port)) for word in json.loads(check)]
    process = subprocess.run([sys.executable, *words[1:]], stderr=subprocess.DEVNULL)
    return process.returncode


def test_the_image_notices_whether_the_arena_is_well(db: Path) -> None:
    with running_process(*COMMAND, "serve", "--port", "0", "--db", db) as process:
        port = int(wait_for_line(process, r":(\d+)/play"))
        assert health_of(port) == 0
        process.send_signal(signal.SIGTERM)
        wait_for_exit(process)
    assert health_of(port) == 1


# Containers of a public arena


def test_the_containers_are_an_arena_behind_the_proxy(tmp_path: Path) -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    arena = compose["services"]["arena"]
    build = arena["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Containerfile")
    [volume], [entry] = instructions("VOLUME"), map(json.loads, instructions("ENTRYPOINT"))
    assert arena["volumes"] == [f"arena:{volume}"]
    words = [word.replace(volume, str(tmp_path)) for word in entry[1:]]
    config = configured(ServeConfig, *words, *arena["command"])
    assert config.arena.admission.behind_proxy
    assert f"server 127.0.0.1:{config.arena.port};" in NGINX
    for service in (arena, compose["services"]["proxy"]):
        assert (service["network_mode"], service["depends_on"]) == ("service:network", ["network"])
    # Not by compose, which would need the network.
    token = f"podman run --rm --volume {compose['volumes']['arena']['name']}:{volume} "
    assert TEXT.count(token) == 2


def test_the_containers_publish_tls_alone_and_find_their_files() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    [port] = re.findall(r"listen (\d+) ssl;", NGINX)
    published = {name: each["ports"] for name, each in services.items() if "ports" in each}
    assert published == {"network": [f"{port}:{port}"]}
    mounts = dict(mount.split(":")[:2] for mount in services["proxy"]["volumes"])
    assert (DEPLOY / "nginx.conf").samefile(DEPLOY / next(iter(mounts)))
    for path in re.findall(r"ssl_certificate(?:_key)? (.*);", NGINX):
        assert any(Path(path).is_relative_to(folder) for folder in mounts.values())


def test_the_containers_have_the_limits_of_the_unit() -> None:
    arena = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["arena"]
    service = unit()["Service"]
    assert arena["mem_limit"] == service["MemoryMax"]
    assert str(arena["pids_limit"]) == service["TasksMax"]


# nginx


def test_the_proxy_matches_pings_and_the_guide() -> None:
    ping = inspect.signature(serve).parameters["ping_interval"].default
    for patience in re.findall(r"proxy_(?:read|send)_timeout (\d+)s;", NGINX):
        assert int(patience) > 2 * ping
    assert f"a ping every {ping} s" in TEXT
    [burst] = re.findall(r"burst=(\d+)", NGINX)
    [rate] = re.findall(r"rate=(\d+)r/s", NGINX)
    assert f"above {rate} requests per second with bursts of {burst}" in " ".join(TEXT.split())
    [lifetime] = re.findall(r"proxy_cache_valid 200 (\d+)s;", NGINX)
    assert f"keeps the files of the page for {lifetime} s" in " ".join(TEXT.split())


class Proxy(NamedTuple):
    """nginx with our configuration, and the arena behind it."""

    port: int
    trust: ssl.SSLContext
    log: Path
    db: Path

    @asynccontextmanager
    async def bot(self, name: str, address: str, **fields: str) -> AsyncIterator[ScriptedBot]:
        """A bot that dials in from an address."""
        async with self.connect(address, None, **fields) as connection:
            player = ScriptedBot(connection)
            await player.log_in(name)
            yield player

    def connect(self, address: str, origin: Origin | None = None, **fields: str) -> connect:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        return connect(
            f"wss://localhost:{self.port}/play",
            ssl=self.trust,
            proxy=None,
            host="127.0.0.1",
            local_addr=(address, 0),
            origin=origin,
            additional_headers=headers,
        )

    def joined(self) -> list[str]:
        lines = map(json.loads, self.log.read_text().splitlines())
        return [f"{x['bot']} {x['address']}" for x in lines if x["event"] == "bot_joined"]


@contextmanager
def nginx(folder: Path, upstream: int, port: int) -> Iterator[None]:
    """Run nginx without any privilege."""
    site = NGINX
    for old, new in [
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("127.0.0.1:8765", f"127.0.0.1:{upstream}"),
        ("/etc/letsencrypt/live/arena.example.org/", f"{folder}/"),
        ("/var/cache/nginx-arena", f"{folder}/cache"),
        ("burst=1000", f"burst={BURST}"),
        ("rate=200r/s", "rate=1r/s"),
    ]:
        assert old in site
        site = site.replace(old, new)
    (folder / "arena.conf").write_text(site)
    kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}"
        " http { access_log off; set_real_ip_from 127.0.0.0/8; real_ip_header X-Test-Client;"
        f" add_header X-Cache $upstream_cache_status; {temporary} include {folder}/arena.conf; }}"
    )
    command = ["nginx", "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"]
    subprocess.run(command, check=True)  # it goes into the background when it listens
    try:
        yield
    finally:
        subprocess.run([*command, "-s", "stop"], check=True)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """nginx with an arena behind it."""
    need("nginx")
    folder = tmp_path_factory.mktemp("nginx")
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    new = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    subprocess.run(
        [*new.split(), "-keyout", key, "-out", certificate, *subject],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    db, log = folder / "arena.db", folder / "arena.log"
    arena = ["serve", "--port", "0", "--db", db, "--log", log, "--behind-proxy", "--stones", "7"]
    arena += ["--trusted", f"{UNIVERSITY}=1000"]
    with running_process(*COMMAND, *arena, "--game", "take_stones") as process:
        upstream = int(wait_for_line(process, r":(\d+)/play"))
        with reserved_port() as port, nginx(folder, upstream, port):
            yield Proxy(port, ssl.create_default_context(cafile=certificate), log, db)
        process.send_signal(signal.SIGTERM)
        wait_for_exit(process)


async def finish(player: ScriptedBot) -> None:
    """Play to the end of a match."""
    while isinstance(message := decode_from_arena(await player.connection.recv()), Turn):
        position = GAMES[message.game].position(**message.setup, moves=message.moves)
        await player.send(Move(message.match, message.ply, position.legal_moves()[0]))
    assert isinstance(message, Finished)


async def test_bots_play_through_the_proxy(proxy: Proxy) -> None:
    async with proxy.bot("one", "127.0.0.2") as one, proxy.bot("two", "127.0.0.2") as two:
        await asyncio.gather(finish(one), finish(two))
    [first, *_] = read_matches(proxy.db)
    assert (first.result.termination, {*first.pairing.players}) == ("no_legal_move", {"one", "two"})


async def test_the_arena_sees_where_a_bot_comes_from(proxy: Proxy) -> None:
    async with proxy.bot("Ann", "127.0.0.3", X_Real_IP="192.0.2.1"):
        assert "Ann 127.0.0.3" in proxy.joined()


async def test_the_arena_limits_the_connections_of_an_address(proxy: Proxy) -> None:
    async with AsyncExitStack() as clients:
        client = partial(proxy.connect, "127.0.0.4", X_Test_Client="192.0.2.4")
        for _ in range(CONNECTIONS_PER_ADDRESS):
            await clients.enter_async_context(client())
        with pytest.raises(InvalidStatus, match="503"):
            await client()
        async with proxy.connect("127.0.0.4", X_Test_Client="192.0.2.5"):
            pass  # it is no limit for others


async def test_a_class_behind_one_address_gets_in(proxy: Proxy) -> None:
    """More clients than other addresses may have at once, and than may wait."""
    async with AsyncExitStack() as clients:
        clients_of_one = [
            clients.enter_async_context(proxy.connect("127.0.0.4", X_Test_Client=UNIVERSITY))
            for _ in range(CLASS)
        ]
        await asyncio.gather(*clients_of_one)


def test_the_arena_sends_a_file_of_the_page_once(proxy: Proxy) -> None:
    with https_client(proxy, "127.0.0.11") as client:
        for known in ("MISS", "HIT"):
            client.request("GET", "/app.js")
            response = client.getresponse()
            assert response.read()
            assert response.headers["X-Cache"] == known


async def test_the_page_behind_the_proxy_may_connect(proxy: Proxy) -> None:
    own = Origin(f"https://localhost:{proxy.port}")
    async with proxy.connect("127.0.0.8", own):
        pass


@pytest.mark.parametrize("origin", ["https://localhost", "https://localhost:1"])
async def test_the_proxy_lets_no_foreign_page_connect(proxy: Proxy, origin: str) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        await proxy.connect("127.0.0.8", Origin(origin))


@contextmanager
def https_client(proxy: Proxy, address: str) -> Iterator[http.client.HTTPSConnection]:
    """Open a connection for plain HTTP from an address."""
    client = http.client.HTTPSConnection(
        "localhost",
        proxy.port,
        timeout=TEST_TIMEOUT,
        context=proxy.trust,
        source_address=(address, 0),
    )
    with closing(client):
        yield client


def status(proxy: Proxy, path: str, address: str, method: str = "GET") -> int:
    """What an address gets from the proxy, by plain HTTP."""
    with https_client(proxy, address) as client:
        client.request(method, path)
        return client.getresponse().status


def test_requests_of_an_address_are_limited(proxy: Proxy) -> None:
    accepted = 0
    with https_client(proxy, "127.0.0.9") as client:  # one connection: faster than the rate
        while True:
            client.request("GET", "/nothing")
            with client.getresponse() as response:
                response.read()
            if response.status == 429:
                break
            accepted += 1
    assert accepted >= 1 + BURST
    assert status(proxy, "/nothing", "127.0.0.10") == 404


@pytest.mark.parametrize("path", ["/metrics", "/healthz"])
def test_only_its_own_machine_watches_the_arena(proxy: Proxy, path: str) -> None:
    assert status(proxy, path, "127.0.0.6") == 403
    assert status(proxy, path, "127.0.0.1") == 200


def test_the_proxy_lets_others_read_only(proxy: Proxy) -> None:
    assert status(proxy, "/nothing", "127.0.0.7") == 404
    assert status(proxy, "/", "127.0.0.7", "POST") == 403
