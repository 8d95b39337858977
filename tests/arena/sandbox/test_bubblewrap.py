"""Command lines of bubblewrap."""

from pathlib import Path

from arena.sandbox.bubblewrap import isolated_command, limit_words
from arena.sandbox.limits import Limits, View
from tests.support.cases import loop_over

FOLDER = Path("/work/bots")


def words(view: View, is_root: bool = False) -> str:
    return " ".join(isolated_command(["mybot", "-x"], view, Limits(), is_root))


def test_users_need_a_namespace_which_root_prepares_for() -> None:
    found = words(View(FOLDER))
    assert found.count("bwrap") == 1
    assert "--unshare-user --disable-userns --cap-drop ALL -- prlimit" in found
    assert found.endswith("-- mybot -x")
    outer, _, inner = words(View(FOLDER), is_root=True).partition("setpriv")
    assert "--unshare-user" not in outer
    assert "--reuid=65534" in inner
    assert "bwrap --unshare-user --disable-userns" in inner
    assert inner.endswith("-- mybot -x")


@loop_over("network", [False, True])
def test_the_network_is_shared_only_on_demand(network: bool) -> None:
    found = words(View(FOLDER, network=network))
    assert ("--unshare-net" in found) != network
    assert ("/etc/hosts" in found) == network


def test_folders_come_in_order_and_limits_if_they_are_set() -> None:
    view = View(FOLDER, (FOLDER / "a", Path("/usr/share")), (FOLDER,))
    found = words(view)
    assert found.index(f"--bind {FOLDER} {FOLDER}") < found.index(f"--ro-bind {FOLDER}/a")
    assert found.count("--ro-bind /usr/share /usr/share") == 1
    found = words(View(FOLDER))
    assert f"--perms 0755 --dir /work --perms 0755 --dir {FOLDER}" in found
    assert f"--chdir {FOLDER}" in found
    unlimited = " ".join(limit_words(Limits(), processes=False))
    assert "--nproc" not in unlimited
    assert "--cpu" not in unlimited
    limited = limit_words(Limits(processor=7), processes=True)
    assert {"--nproc=256", "--cpu=7:8", "--nofile=256"} <= {*limited}
    assert limited[-1] == "--"
