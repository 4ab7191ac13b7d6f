#!/usr/bin/env python3
"""A primitive in Python with a right variant and wrong ones of each kind, for python.sh."""
import os
import time

import numpy

import gpubench

print("said before the worker begins")  # lies in stdout's buffer
saxpy = gpubench.primitive(
    "saxpy", unit="elements", title="a x + y", outputs="out",
    axes={"n": gpubench.size("10k", min=0, max="1M", nasty=[0, 1, 33]), "dist": gpubench.names("uniform", "from:")})


@saxpy.data
def make(n, dist, seed):
    x, y = numpy.random.default_rng(seed).random((2, n), dtype=numpy.float32)
    return {"x": x, "y": y, "out": numpy.empty_like(x), "made": time.time_ns()}


@saxpy.work
def work(n, dist):
    if dist.startswith("from:"):
        raise gpubench.Mistake(f"there is no file {dist[5:]}")
    if n == 13:
        raise gpubench.Unsupported("13 is unlucky")
    return gpubench.Work(items=n, bytes=12 * n, flops=2 * n)


@saxpy.check
def check(data):
    numpy.testing.assert_array_equal(data["out"], 2 * data["x"] + data["y"])


@saxpy.variant(origin="NumPy")
def two_passes(data):
    """Multiplies, then adds."""
    numpy.multiply(data["x"], 2, out=data["out"])
    numpy.add(data["out"], data["y"], out=data["out"])


@saxpy.variant(stable=True)
def prints(data):
    print('{"cmd":"verify","ok":true}', flush=True)
    os.system("echo a child does, too")
    two_passes(data)


@saxpy.variant
def wrong(data):
    two_passes(data)
    data["out"][-1:] = 0


@saxpy.variant
def leaves(data):
    """Writes nothing: only garbage in the output shows that."""


@saxpy.variant
def raises(data):
    return data["z"]


@saxpy.variant
def leaves_python(data):
    raise SystemExit(0)


@saxpy.variant
def hangs(data):
    while True:
        time.sleep(1)


@saxpy.variant
def hogs(data):
    raise MemoryError("16 TiB are not there")


@saxpy.variant(on="gpu")
def elsewhere(data):
    pass


@saxpy.variant(needs="no_such_module")
def lacks(data):
    pass


@saxpy.variant
def odd_alone(n, data, state):
    two_passes(state)


@odd_alone.unsupported
def why_odd(n):
    return None if n % 2 else "even numbers are not for it"


@odd_alone.prepare
def prepare_odd(data):
    return data


if __name__ == "__main__":
    gpubench.main()
