"""gpubench: benchmarks of Triton, CuPy, torch and NumPy kernels.

A script that says what is computed and how is a worker of ``gpubench``, which plans, verifies, judges and draws::

    #!/usr/bin/env python3
    import gpubench, numpy

    saxpy = gpubench.primitive("saxpy", unit="elements", axes={"n": gpubench.size("1M", small="10k")}, outputs="out")

    @saxpy.data
    def make(n, seed):
        x, y = numpy.random.default_rng(seed).random((2, n), dtype=numpy.float32)
        return {"x": x, "y": y, "out": numpy.empty_like(x)}

    @saxpy.work
    def work(n):
        return gpubench.Work(items=n, bytes=12 * n, flops=2 * n)

    @saxpy.check
    def check(data):
        numpy.testing.assert_allclose(data["out"], 2 * data["x"] + data["y"], rtol=1e-6)

    @saxpy.variant
    def two_passes(data):
        "multiply, then add"
        numpy.multiply(data["x"], 2, out=data["out"])
        numpy.add(data["out"], data["y"], out=data["out"])

    gpubench.main()

``gpubench run saxpy.json --worker 'python3 saxpy.py'`` measures it. docs/python.md goes through all of it.
"""

from gpubench.axes import Axis, names, size
from gpubench.devices import Device
from gpubench.errors import Mistake, OutOfMemory, Unsupported, Wrong
from gpubench.process import main
from gpubench.declared import Primitive, Variant, Work, optional, primitive
from gpubench.version import VERSION as __version__

__all__ = ["Axis", "Device", "Mistake", "OutOfMemory", "Primitive", "Unsupported", "Variant", "Work", "Wrong",
           "__version__", "main", "names", "optional", "primitive", "size"]
