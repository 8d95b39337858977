"""Certificates for connections of Dask on this machine."""

from collections.abc import Mapping
from pathlib import Path

from distributed.security import Security

PREFIX = "DASK_DISTRIBUTED__COMM__TLS__"


def make_certificates(folder: Path) -> dict[str, str]:
    """Write certificates; return the variables with which a process of Dask uses them."""
    config = Security.temporary().get_tls_config_for_role("client")
    for name in ("ca_file", "cert", "key"):
        (folder / name).write_text(config[name])
    roles = ("SCHEDULER", "WORKER", "CLIENT")
    return {
        f"{PREFIX}CA_FILE": str(folder / "ca_file"),
        **{f"{PREFIX}{role}__CERT": str(folder / "cert") for role in roles},
        **{f"{PREFIX}{role}__KEY": str(folder / "key") for role in roles},
    }


def tls_of(certificates: Mapping[str, str]) -> dict[str, str]:
    """Return the same as settings of Dask in this process, which has read its variables."""
    return {
        "distributed.comm.tls." + name.removeprefix(PREFIX).lower().replace("__", "."): value
        for name, value in certificates.items()
    }
