"""A primitive on a fake GPU, whose times are known: through the module that FAKE names."""
import importlib
import os

from fake_device import Clock

import gpubench

library = importlib.import_module(os.environ["FAKE"])
fake = gpubench.primitive("fake", unit="runs", axes={"us": gpubench.size(7, max=1000)})


@fake.data
def make(device):
    return {"sweeps": 0, "gpu": device.gpu}


@fake.work
def work():
    return gpubench.Work(items=1)


@fake.poison
def poison(data):
    data["run"] = False


@fake.check
def check(data, device):
    if not data.get("run") or not device.gpu or device.torch != "cuda:0":
        raise gpubench.Wrong("it has not run on the GPU")


def kernel(data, us):
    data["run"] = True
    Clock.launch(us * 1e-6)


@fake.variant
def plain(data, us, stream):
    assert stream == "stream"
    kernel(data, us)


@fake.variant
def slow_to_launch(data, us):
    """A millisecond between two kernels on the host, which is none of the device's."""
    kernel(data, us)
    Clock.host += 1e-3
    kernel(data, us)


@fake.variant
def waits_unsaid(data, us):
    kernel(data, us)
    Clock.wait()
    kernel(data, us)


@fake.variant(waits=True)
def waits(data, us):
    waits_unsaid(data, us)


@fake.variant(on="cpu")
def on_host(data):
    data["run"] = True


@fake.variant
def too_large(data):
    raise getattr(library, "OutOfMemoryError", MemoryError)("CUDA out of memory")


@fake.variant
def broken(data):
    raise RuntimeError("CUDA error: an illegal memory access was encountered")


gpubench.main()
