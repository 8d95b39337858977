"""Processors of this machine."""

import math
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

OWN_GROUP = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")
TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
CAN_PIN = hasattr(os, "sched_setaffinity")  # which Linux can


def usable_processors() -> int:
    """Return the number of processors that this process may use, also by the limits of a group."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    return max(1, min([len(os.sched_getaffinity(0)), *map(math.ceil, _quotas())]))


def _quotas() -> Iterator[float]:
    """Yield the processors that the control groups of this process may use (cgroup v2)."""
    with suppress(OSError):
        lines = OWN_GROUP.read_text().splitlines()
        for path in (line.removeprefix("0::/") for line in lines if line.startswith("0::/")):
            own = GROUPS / path
            for group in (own, *own.parents):
                if group.is_relative_to(GROUPS):
                    yield from _quota(group)


def _quota(group: Path) -> Iterator[float]:
    with suppress(OSError):
        quota, period = (group / "cpu.max").read_text().split()
        if quota != "max":
            yield int(quota) / int(period)


def processors_apart() -> list[int]:
    """Return the numbers of the usable processors, first one of each core, then the others."""
    of_core: Counter[str] = Counter()
    ranks = {}
    for number in sorted(os.sched_getaffinity(0)):
        core = _core(number)
        ranks[number] = of_core[core]
        of_core[core] += 1
    return sorted(ranks, key=lambda number: (ranks[number], number))


def _core(number: int) -> str:
    """Return the processors of the core of a processor, as the system writes them."""
    with suppress(OSError):
        return Path(TOPOLOGY.format(number)).read_text().strip()
    return str(number)
