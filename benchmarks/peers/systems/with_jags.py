"""JAGS by its command: a script with the clock's readings in it, draws read from its CODA files."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peers.case import Case, Version
from peers.clock import with_share
from peers.systems import Timed

ADAPT_SHARE = 0.2
GENERATORS = ("Wichmann-Hill", "Marsaglia-Multicarry", "Super-Duper", "Mersenne-Twister")


def load(precision: int) -> None:
    if shutil.which("jags") is None:
        raise ImportError("the command `jags` is not installed (apt-get install jags)")


def versions() -> dict[str, str]:
    text = subprocess.run(["jags"], input="exit\n", capture_output=True, text=True).stdout
    found = re.search(r"JAGS (\S+)", text)
    return {"jags": found.group(1) if found else "?"}


def prepare(case: Case, version: Version, system: str) -> Any:
    # A version is a text, or a text and data that only JAGS needs.
    text, extra = version.build if isinstance(version.build, tuple) else (version.build, {})
    known = {**case.data, **extra}
    words = set(re.findall(r"[\w.]+", text))
    names = [name for name in case.keep if name in words]
    return text, {name: value for name, value in known.items() if name in words}, names


def dumped(data: Mapping[str, Any]) -> str:
    """Data in the format of R's `dump`; matrices by columns."""
    return "\n".join(f"`{name}` <- {written(np.asarray(value))}" for name, value in data.items())


def written(value: NDArray[Any]) -> str:
    if value.ndim == 0:
        return repr(value.item())
    flat = "c(" + ", ".join(repr(each) for each in value.ravel(order="F").tolist()) + ")"
    if value.ndim == 1:
        return flat
    shape = ", ".join(str(size) for size in value.shape)
    return f"structure({flat}, .Dim = c({shape}))"


def script(names: list[str], draws: int, warmup: int, chains: int) -> str:
    adapt = int(ADAPT_SHARE * warmup)
    clock = 'system "./clock"'
    generators = [f"parameters in start{k}.R, chain({k})" for k in range(1, chains + 1)]
    lines = [clock, "model in model.bug", "data in data.R", f"compile, nchains({chains})"]
    lines += [*generators, "initialize", clock, f"adapt {adapt}", f"update {warmup - adapt}", clock]
    lines += [f"monitor {name}" for name in names] + [f"update {draws}", clock, "coda *", "exit"]
    return "\n".join(lines) + "\n"


def sample(prepared: Any, draws: int, warmup: int, chains: int, seed: int) -> Timed:
    text, data, names = prepared
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.bug").write_text(text)
        (folder / "clock").write_text("#!/bin/sh\ndate +clock=%s.%N\n")
        (folder / "clock").chmod(0o755)
        (folder / "data.R").write_text(dumped(data) + "\n")
        for k in range(chains):
            start = f'".RNG.name" <- "base::{GENERATORS[k % 4]}"\n".RNG.seed" <- {seed + k}\n'
            (folder / f"start{k + 1}.R").write_text(start)
        (folder / "run.jags").write_text(script(names, draws, warmup, chains))
        command = partial(subprocess.run, ["jags", "run.jags"], capture_output=True, text=True)
        done, share = with_share(partial(command, cwd=folder))
        clocks = [float(found) for found in re.findall(r"clock=([\d.]+)", done.stdout)]
        if len(clocks) < 4:
            raise RuntimeError((done.stdout + done.stderr)[-200:])
        compile_s, warmup_s, sample_s = (share * np.diff(clocks)).tolist()
        return Timed(read_coda(folder, chains), compile_s, warmup_s, sample_s)


def read_coda(folder: Path, chains: int) -> dict[str, NDArray[Any]]:
    """Draws by name, with the indices of `name[i]` as the last axis."""
    index = [line.split() for line in (folder / "CODAindex.txt").read_text().splitlines()]
    files = [folder / f"CODAchain{k + 1}.txt" for k in range(chains)]
    values = np.stack([np.fromstring(f.read_text(), sep=" ")[1::2] for f in files])
    found: dict[str, list[NDArray[Any]]] = {}
    scalars = {label for label, _, _ in index if "[" not in label}
    for label, first, last in index:
        column = values[:, int(first) - 1 : int(last)]
        found.setdefault(label.split("[")[0], []).append(column)
    return {
        name: parts[0] if name in scalars else np.stack(parts, axis=2)
        for name, parts in found.items()
    }
