"""A cluster that has been started by others."""

from typing import Self

from distributed.security import Security

from arena.bulk.cluster.connection import Endpoint


class RemoteCluster:
    """Scheduler at an address. Its end of a run leaves it running."""

    def __init__(self, address: str) -> None:
        """Read the certificates of a client from Dask's configuration.

        Args:
            address: tcp://HOST:PORT or tls://HOST:PORT.

        Raises:
            ValueError: A certificate is missing or cannot be read.
        """
        self._endpoint = Endpoint(address, Security())
        if address.startswith("tls:"):
            _check_certificates(self._endpoint.security)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave the cluster running."""

    async def locate(self) -> Endpoint:
        """Return the scheduler."""
        return self._endpoint


def _check_certificates(security: Security) -> None:
    """Load the certificates. Raises ValueError."""
    files = {
        "distributed.comm.tls.ca-file": security.tls_ca_file,
        "distributed.comm.tls.client.cert": security.tls_client_cert,
        "distributed.comm.tls.client.key": security.tls_client_key,
    }
    for setting, file in files.items():
        if file is None:
            raise ValueError(f"tls needs {setting} in Dask's configuration")
    try:
        security.get_connection_args("client")
    except OSError as error:  # ssl.SSLError is one
        raise ValueError(f"cannot load the certificates of Dask's configuration: {error}") from None
