"""GPUs through torch or CuPy, whichever the script has imported."""

import re
import sys
import time
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional

from gpubench.devices import Backend, Call, Device, Gate, HostCache, Sample, slug_of
from gpubench.nvml import Nvml

# Rather too fast than too slow: the gate's kernel counts cycles.
_CYCLES_PER_S = 2.1e9
_UNKNOWN_L2 = 128 << 20
_LAUNCH_RUNS, _FEWEST_RUNS, _MOST_RUNS = 31, 3, 20
_WARM_UP_S, _BUDGET_S = 0.04, 0.03
_SPIN = r"""
extern "C" __global__ void gpubench_spin(long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
}
"""


def version_text(version: int) -> str:
    """13000 -> "13.0"."""
    return f"{version // 1000}.{version % 1000 // 10}"


class Gpu(Device):
    """What both libraries have in common: events on the current stream, a gate, an evictor."""

    backend = "cuda"
    gpu = True

    def __init__(self, index: int):
        self.index = index
        self.torch = f"cuda:{index}"
        self.pci_bus_id = ""
        self.shared: Dict[str, int] = {}
        self.nvml: Optional[Nvml] = None
        self._events: List[Any] = []
        self._sweep: Any = None
        self.read_properties()
        self.slug = slug_of(self.name, "unnamed-gpu")
        self.nvml = Nvml.find(self.uuid, self.pci_bus_id)
        if not self.uuid and self.nvml:
            self.uuid = self.nvml.uuid()

    # ---- what a library does in its own words ------------------------------------------------------------------------

    def read_properties(self) -> None:
        """Fills name, uuid, arch, sms, memory and cache."""
        raise NotImplementedError

    def use(self) -> None:
        """Makes it the library's current device."""
        raise NotImplementedError

    def new_event(self) -> Any:
        """An event that keeps its time."""
        raise NotImplementedError

    def record(self, event: Any) -> None:
        """Queues the event on the current stream."""
        raise NotImplementedError

    def is_done(self, event: Any) -> bool:
        """Whether the device has passed the event."""
        raise NotImplementedError

    def seconds_between(self, start: Any, stop: Any) -> float:
        """Of two events that the device has passed."""
        raise NotImplementedError

    def spin(self, cycles: int) -> None:
        """Queues a kernel of one thread that takes so many cycles."""
        raise NotImplementedError

    def new_buffer(self, count: int) -> Any:
        """An array of so many 32-bit integers."""
        raise NotImplementedError

    def fill(self, buffer: Any) -> None:
        """Queues the writing of all of it."""
        raise NotImplementedError

    def read(self, buffer: Any) -> None:
        """Queues the reading of all of it."""
        raise NotImplementedError

    def copy(self, source: Any, target: Any) -> None:
        """Queues the copying of all of it."""
        raise NotImplementedError

    # ---- what follows from that --------------------------------------------------------------------------------------

    def facts(self) -> Dict[str, Any]:
        # Triton, NVRTC and the libraries have machine code for the device that is there.
        said: Dict[str, Any] = {"code": self.arch, **self.shared}
        return {**said, **(self.nvml.max_clocks() if self.nvml else {})}

    def telemetry(self) -> Dict[str, Any]:
        return self.nvml.telemetry() if self.nvml else {}

    def open(self) -> None:
        use_everywhere(self.index)
        self.use()
        self._events = [self.new_event() for _ in range(3)]
        self.spin(1)  # loads its code, which must not happen behind itself
        self.time(lambda: None, None)

    def time(self, run: Call, gate: Optional[Gate]) -> Sample:
        start, stop, closed = self._events
        if gate is not None:
            self.spin(int(gate.seconds * _CYCLES_PER_S))
            self.record(closed)
        begun = time.perf_counter()
        self.record(start)
        run()
        self.record(stop)
        queued_s = time.perf_counter() - begun
        held = gate is None or not self.is_done(closed)
        self.synchronize()
        if gate is not None:
            gate.learn(queued_s, held)
        return Sample(self.seconds_between(start, stop), held)

    def prepare_evict(self) -> None:
        if self._sweep is None:
            self._sweep = self.new_buffer(2 * (self.l2_bytes or _UNKNOWN_L2) // 4)
            self.evict()
            self.synchronize()

    def evict(self) -> None:
        self.fill(self._sweep)
        self.read(self._sweep)

    def _best_s(self, run: Call) -> float:
        """The shortest time of a few runs; 0 if the gate never held."""
        gate, best, until = Gate(), 0.0, time.perf_counter() + _BUDGET_S
        for count in range(_MOST_RUNS):
            if count >= _FEWEST_RUNS and time.perf_counter() > until:
                break
            sample = self.time(run, gate)
            if sample.held and sample.seconds > 0 and (best == 0 or sample.seconds < best):
                best = sample.seconds
        return best

    def _bandwidths(self) -> Dict[str, float]:
        free = self.memory_free() or 0
        count = min(max(256 << 20, 16 * self.l2_bytes), free // 8) // 4
        if count == 0:
            return {}
        source, target = self.new_buffer(count), self.new_buffer(count)
        self.fill(source)
        until = time.perf_counter() + _WARM_UP_S
        while time.perf_counter() < until:
            self.copy(source, target)
            self.synchronize()
        copy_s = self._best_s(lambda: self.copy(source, target))
        write_s = self._best_s(lambda: self.fill(target))
        found = {}
        if copy_s > 0:
            found["copy_bytes_per_s"] = 2 * 4 * count / copy_s
        if write_s > 0:
            found["write_bytes_per_s"] = 4 * count / write_s
        return found

    def _launch_s(self) -> float:
        """The median of a kernel that does next to nothing; 0 if the gate never held."""
        gate, times = Gate(), []
        for _ in range(_LAUNCH_RUNS):
            sample = self.time(lambda: self.spin(1), gate)
            if sample.held:
                times.append(sample.seconds)
        return sorted(times)[len(times) // 2] if times else 0.0

    def measure_ceilings(self) -> Dict[str, float]:
        found = self._bandwidths()
        self.release()
        launch_s = self._launch_s()
        return {**found, "launch_s": launch_s} if launch_s > 0 else found


def use_everywhere(index: int) -> None:
    """One current device for all libraries that are there: a script may mix them."""
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.set_device(index)
    if cupy is not None:
        cupy.cuda.Device(index).use()


def release_everywhere() -> None:
    """Gives back what the libraries' pools hold."""
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
    if cupy is not None:
        cupy.get_default_memory_pool().free_all_blocks()


class TorchGpu(Gpu):
    """A GPU through torch; Triton, and CuPy on its default stream, queue on the same stream."""

    def __init__(self, torch: ModuleType, index: int):
        self._torch: Any = torch
        super().__init__(index)

    def read_properties(self) -> None:
        found = self._torch.cuda.get_device_properties(self.index)
        self.name = str(found.name)
        self.arch = 100 * int(found.major) + 10 * int(found.minor)
        self.sms = int(found.multi_processor_count)
        self.memory_bytes = int(found.total_memory)
        self.l2_bytes = int(getattr(found, "L2_cache_size", 0))  # older versions of torch do not have what follows
        uuid = re.search(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", str(getattr(found, "uuid", "")).lower())
        self.uuid = f"GPU-{uuid.group()}" if uuid else ""
        if hasattr(found, "pci_bus_id") and hasattr(found, "pci_device_id"):
            domain = getattr(found, "pci_domain_id", 0)
            self.pci_bus_id = f"{domain:04x}:{found.pci_bus_id:02x}:{found.pci_device_id:02x}.0"
        for name, attribute in (("shared_per_block_bytes", "shared_memory_per_block"),
                                ("shared_optin_bytes", "shared_memory_per_block_optin")):
            if hasattr(found, attribute):
                self.shared[name] = int(getattr(found, attribute))

    def use(self) -> None:
        self._torch.cuda.set_device(self.index)

    @property
    def stream(self) -> Any:
        return self._torch.cuda.current_stream()

    def synchronize(self) -> None:
        self._torch.cuda.synchronize()

    def new_event(self) -> Any:
        return self._torch.cuda.Event(enable_timing=True)

    def record(self, event: Any) -> None:
        event.record()

    def is_done(self, event: Any) -> bool:
        return bool(event.query())

    def seconds_between(self, start: Any, stop: Any) -> float:
        return 1e-3 * float(start.elapsed_time(stop))

    def spin(self, cycles: int) -> None:
        self._torch.cuda._sleep(cycles)

    def new_buffer(self, count: int) -> Any:
        return self._torch.empty(count, dtype=self._torch.int32, device=self.torch)

    def fill(self, buffer: Any) -> None:
        buffer.fill_(1)

    def read(self, buffer: Any) -> None:
        self._torch.sum(buffer)

    def copy(self, source: Any, target: Any) -> None:
        target.copy_(source)

    def memory_free(self) -> Optional[int]:
        return int(self._torch.cuda.mem_get_info()[0])

    def release(self) -> None:
        release_everywhere()


class CupyGpu(Gpu):
    """A GPU through CuPy."""

    def __init__(self, cupy: ModuleType, index: int):
        self._cupy: Any = cupy
        self._spinner = cupy.RawKernel(_SPIN, "gpubench_spin")
        super().__init__(index)

    def read_properties(self) -> None:
        found = self._cupy.cuda.runtime.getDeviceProperties(self.index)
        name = found["name"]
        self.name = name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
        self.arch = 100 * int(found["major"]) + 10 * int(found["minor"])
        self.sms = int(found["multiProcessorCount"])
        self.memory_bytes = int(found["totalGlobalMem"])
        self.l2_bytes = int(found.get("l2CacheSize", 0))
        self.pci_bus_id = str(self._cupy.cuda.runtime.deviceGetPCIBusId(self.index))  # by which NVML knows the UUID
        for said, key in (("shared_per_block_bytes", "sharedMemPerBlock"),
                          ("shared_optin_bytes", "sharedMemPerBlockOptin")):
            if key in found:
                self.shared[said] = int(found[key])

    def use(self) -> None:
        self._cupy.cuda.Device(self.index).use()

    @property
    def stream(self) -> Any:
        return self._cupy.cuda.get_current_stream()

    def synchronize(self) -> None:
        self._cupy.cuda.runtime.deviceSynchronize()

    def new_event(self) -> Any:
        return self._cupy.cuda.Event()

    def record(self, event: Any) -> None:
        event.record()

    def is_done(self, event: Any) -> bool:
        return bool(event.done)

    def seconds_between(self, start: Any, stop: Any) -> float:
        return 1e-3 * float(self._cupy.cuda.get_elapsed_time(start, stop))

    def spin(self, cycles: int) -> None:
        self._spinner((1,), (1,), (self._cupy.int64(cycles),))

    def new_buffer(self, count: int) -> Any:
        return self._cupy.empty(count, dtype=self._cupy.int32)

    def fill(self, buffer: Any) -> None:
        buffer.fill(1)

    def read(self, buffer: Any) -> None:
        buffer.sum()

    def copy(self, source: Any, target: Any) -> None:
        self._cupy.copyto(target, source)

    def memory_free(self) -> Optional[int]:
        return int(self._cupy.cuda.runtime.memGetInfo()[0])

    def release(self) -> None:
        release_everywhere()


class GpuBackend(Backend):
    """GPUs through one of the libraries."""

    name = "cuda"

    def __init__(self, toolkit: str, supports: int, devices: List[Device]):
        self.toolkit = toolkit
        self.devices = devices
        self.architectures = sorted({device.arch for device in devices})
        nvml = getattr(devices[0], "nvml", None)
        version = nvml.driver() if nvml else ""
        cuda = f"CUDA {version_text(supports)}" if supports else "CUDA"
        self.driver = f"{version} ({cuda})" if version else cuda


def _through_torch() -> Backend:
    torch: Any = sys.modules["torch"]
    if getattr(torch.version, "cuda", None) is None:
        raise RuntimeError(f"torch {torch.__version__} is built without CUDA")
    if not torch.cuda.is_available():
        raise RuntimeError(f"torch {torch.__version__} finds no GPU")
    devices: List[Device] = [TorchGpu(torch, index) for index in range(torch.cuda.device_count())]
    supports = getattr(torch._C, "_cuda_getDriverVersion", int)()
    return GpuBackend(f"torch {torch.__version__}", supports, devices)


def _through_cupy() -> Backend:
    cupy: Any = sys.modules["cupy"]
    count = cupy.cuda.runtime.getDeviceCount()  # raises what is wrong where there is none
    if count == 0:
        raise RuntimeError(f"CuPy {cupy.__version__} finds no GPU")
    if getattr(cupy.cuda.runtime, "is_hip", False):
        raise RuntimeError(f"CuPy {cupy.__version__} is built without CUDA")
    runtime = version_text(cupy.cuda.runtime.runtimeGetVersion())
    devices: List[Device] = [CupyGpu(cupy, index) for index in range(count)]
    return GpuBackend(f"cupy {cupy.__version__} (CUDA {runtime})", cupy.cuda.runtime.driverGetVersion(), devices)


_LIBRARIES: Dict[str, Callable[[], Backend]] = {"torch": _through_torch, "cupy": _through_cupy}
WANTED = ("auto", "torch", "cupy", "cpu")


def find_backend(wanted: str, cache: HostCache) -> Backend:
    """What this worker measures on: a GPU through the first of the libraries that the script has imported and that
    finds one, else the CPU; or what was asked for by name. ``reason`` says why there is no GPU where one was looked
    for. Raises RuntimeError where what was asked for cannot be had."""
    failures = []
    for name, through in _LIBRARIES.items():
        if wanted not in ("auto", name):
            continue
        if sys.modules.get(name) is None:
            if wanted == name:
                raise RuntimeError(f"--device {name}: the script has not imported {name}")
            continue
        try:
            return through()
        except Exception as why:  # whatever a library says of a machine without a GPU or a driver
            if wanted == name:
                raise RuntimeError(f"--device {name}: {why}") from why
            failures.append(str(why))
    backend = Backend(cache)
    backend.reason = "; ".join(failures) or "the script has imported neither torch nor cupy"
    if failures:
        print(f"gpubench worker: no GPU ({backend.reason}): measuring on the CPU", file=sys.stderr)
    return backend
