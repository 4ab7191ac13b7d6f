"""What a worker measures on: what all devices have in common, and the CPU."""

import ctypes
import os
import platform
import re
import sys
import time
from typing import Any, Callable, Dict, List, Optional

CACHE_LINE = 64
_CORE_BYTES_PER_S = 10e9
_UNKNOWN_CACHE = 64 << 20
# glibc's numbers of _SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE and _SC_LEVEL2_CACHE_SIZE.
_CACHE_LEVELS = (197, 194, 191)
Call = Callable[[], Any]


def slug_of(name: str, otherwise: str) -> str:
    """The results folder of a device: "NVIDIA H200" -> "nvidia-h200", as the workers in C make it."""
    plain = "".join(c if re.match(r"[A-Za-z0-9]", c) else "-" for c in name).lower()
    return re.sub(r"-+", "-", plain).strip("-")[:100].rstrip("-") or otherwise


def smallest_step(times: List[float], rounding_s: float = 0.0) -> float:
    """The smallest difference between times that is more than their rounding; 0 without one."""
    ordered = sorted(times)
    steps = [after - before for before, after in zip(ordered, ordered[1:]) if after - before > rounding_s]
    return min(steps, default=0.0)


class Gate:
    """What holds a device back until the host has queued a whole sample, so that launching it takes no part of its
    time: a kernel that spins for so long as queuing takes, and longer. Whether it still spun when all was queued is
    looked at each time; a sample of which that is not true is taken again, behind a longer one. What cannot be queued
    at all, since it waits for the device, gives the gate up: ``given_up`` is said in the row."""

    LEAST_S, MOST_S, FAILURES = 50e-6, 100e-3, 3

    def __init__(self) -> None:
        self.seconds = self.LEAST_S
        self.given_up = False
        self._failures = 0

    def learn(self, queued_s: float, held: bool) -> None:
        """How long queuing took, and whether the gate held until its end."""
        if held:
            self._failures = 0
            self.seconds = min(max(4 * queued_s + 20e-6, self.LEAST_S), self.MOST_S)
            return
        if self.seconds >= self.MOST_S:
            self._failures += 1
            self.given_up = self._failures >= self.FAILURES
        self.seconds = min(8 * self.seconds, self.MOST_S)


class Sample:
    """One timed run."""

    def __init__(self, seconds: float, held: bool = True):
        self.seconds = seconds
        self.held = held
        """whether the gate held; else ``seconds`` is not to be used"""


class HostCache:
    """The CPU's caches: emptying them, and whether a warm one would show."""

    def __init__(self) -> None:
        self.bytes = self._size()
        self._buffer: Optional[bytearray] = None

    @staticmethod
    def _size() -> int:
        for level in _CACHE_LEVELS if sys.platform.startswith("linux") else ():
            try:
                size = os.sysconf(level)
            except (OSError, ValueError):
                continue
            if size > 0:
                return size
        return _UNKNOWN_CACHE

    def helps(self, footprint: int, run_s: float) -> bool:
        """Whether a run leaves something there that makes the next one faster."""
        return footprint <= 4 * self.bytes and run_s <= 100 * self.bytes / _CORE_BYTES_PER_S

    def prepare(self) -> None:
        if self._buffer is None:
            self._buffer = bytearray(2 * self.bytes)

    def evict(self) -> None:
        """Writes a buffer of twice the cache, then reads it."""
        self.prepare()
        assert self._buffer is not None
        view = (ctypes.c_char * len(self._buffer)).from_buffer(self._buffer)
        ctypes.memset(view, 0, len(self._buffer))
        del view
        self._buffer[::CACHE_LINE]


class Device:
    """A device in use. Functions of a script may look at what is documented here."""

    backend = ""
    gpu = False
    """whether it is one; then ``torch`` is ``"cuda:N"``, else ``"cpu"``"""
    torch = "cpu"
    """what torch calls it: ``torch.empty(n, device=device.torch)``"""
    index = 0
    name = ""
    uuid = ""
    arch = 0
    """compute capability x 100 (900); 0 of a CPU"""
    sms = 0
    """multiprocessors, or the CPU's threads"""
    memory_bytes = 0
    l2_bytes = 0
    """of the last cache"""
    slug = ""

    @property
    def stream(self) -> Any:
        """The stream that is timed; None on a CPU."""
        return None

    def facts(self) -> Dict[str, Any]:
        """Further members of its entry in ``devices``."""
        return {}

    def describe(self) -> Dict[str, Any]:
        """Its entry in ``devices``."""
        said = {"index": self.index, "name": self.name, "slug": self.slug, "arch": self.arch, "sms": self.sms,
                "memory_bytes": self.memory_bytes, "l2_bytes": self.l2_bytes, **self.facts(), "usable": True}
        if self.uuid:
            said["uuid"] = self.uuid
        return said

    def open(self) -> None:
        """Makes it the one that the libraries use."""

    def synchronize(self) -> None:
        """Waits for all that was queued; errors of it surface here."""

    def measure_ceilings(self) -> Dict[str, float]:
        """What ``select`` answers."""
        return {}

    def time(self, run: Call, gate: Optional[Gate]) -> Sample:
        """Times one run and waits for its end; behind the gate if there is one."""
        raise NotImplementedError

    def prepare_evict(self) -> None:
        """Makes what evict needs."""

    def evict(self) -> None:
        """Queues what leaves nothing of earlier data in the last cache."""

    def memory_free(self) -> Optional[int]:
        """Bytes of its memory that are free, where it says so."""
        return None

    def release(self) -> None:
        """Gives memory back that libraries keep for later."""

    def telemetry(self) -> Dict[str, Any]:
        """Clocks, temperature, power, as far as they are known."""
        return {}


def time_on_host(run: Call, wait: Call) -> Sample:
    """One run and the wait for its end by the host's clock."""
    wait()
    clock = time.perf_counter_ns
    start = clock()
    run()
    wait()
    return Sample(1e-9 * (clock() - start))


class Cpu(Device):
    """The CPU that this process runs on."""

    backend = "python"
    uuid = "cpu"

    def __init__(self, cache: HostCache):
        self.name = self._model()
        self.slug = slug_of(self.name, "unnamed-cpu")
        self.sms = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self.l2_bytes = cache.bytes
        self.memory_bytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        self._cache = cache

    @staticmethod
    def _model() -> str:
        try:
            with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    label, _, value = line.partition(":")
                    if label.strip() == "model name" and value.strip():
                        return " ".join(value.split())
        except OSError:
            pass
        return platform.processor() or platform.machine() or "CPU"

    def measure_ceilings(self) -> Dict[str, float]:
        step = smallest_step([1e-9 * time.perf_counter_ns() for _ in range(1000)])
        return {"timer_s": step} if step > 0 else {}

    def time(self, run: Call, gate: Optional[Gate]) -> Sample:
        return time_on_host(run, lambda: None)

    def prepare_evict(self) -> None:
        self._cache.prepare()

    def evict(self) -> None:
        self._cache.evict()


class Backend:
    """The devices that this process can serve, and the library through which."""

    name = "python"
    toolkit = f"{platform.python_implementation()} {platform.python_version()}"
    driver = "none"
    reason = ""
    architectures: List[int] = []

    def __init__(self, cache: HostCache):
        self.devices: List[Device] = [Cpu(cache)]
