"""Bulk play on a Dask cluster. Only this package imports Dask, an extra of the installation."""
