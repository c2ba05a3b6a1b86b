"""Kernels are compiled once where there is a folder to keep the code in, and work without one."""

from __future__ import annotations

from numba.core.caching import CompileResultCacheImpl

from lfppl.engines.native import kernel


def double(x):
    return 2.0 * x


def test_kernels_work_where_no_folder_can_be_written_to(monkeypatch):
    monkeypatch.setattr(CompileResultCacheImpl, "_locator_classes", [])
    uncached = kernel(double)
    assert uncached(21.0) == 42.0
    assert not hasattr(uncached.dispatcher._cache, "_cache_file")


def test_kernels_are_kept_where_there_is_a_folder():
    cached = kernel(double)
    assert cached(21.0) == 42.0
    assert kernel(double).dispatcher._cache._cache_file._load_index()
