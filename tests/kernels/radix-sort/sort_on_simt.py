"""The classes of sort_example.py on gpubench's simt device, whose memory the host can read.

    sort_on_simt.py EXAMPLE LIBRARY      LIBRARY has device_memory(bytes), too (radix_sort_library.sh)"""
import ctypes
import importlib.util
import sys

spec = importlib.util.spec_from_file_location("sort_example", sys.argv[1])
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)
library = example.Library(sys.argv[2])
library.c.device_memory.restype = ctypes.c_void_p
library.c.device_memory.argtypes = [ctypes.c_uint64]


def array(element, values):
    """An array in device memory of these values, or of so many elements, and where it is."""
    count = values if isinstance(values, int) else len(values)
    address = library.c.device_memory(count * ctypes.sizeof(element))
    elements = (element * count).from_address(address)
    if not isinstance(values, int):
        elements[:] = values
    return elements, address


def sort(n, descending):
    values = [((i * 2654435761) % 2**32 // 4096 - 2**19) / 8 for i in range(n)]
    values[::7] = [-0.0 if i % 2 else 0.0 for i in range(len(values[::7]))]
    (_, keys_in), (out, keys_out) = array(ctypes.c_double, values), array(ctypes.c_double, n)
    (_, payload_in), (origins, payload_out) = array(ctypes.c_uint64, list(range(n))), array(ctypes.c_uint64, n)
    request = example.Request(
        keys_in=keys_in, keys_out=keys_out, payload_in=payload_in, payload_out=payload_out, n=n, type=example.F64,
        payload_bytes=8, descending=descending, stable=1)
    needed = library.scratch_bytes(request)
    library.queue(request, array(ctypes.c_uint8, needed)[1], needed)
    right = sorted(range(n), key=lambda i: -values[i] if descending else values[i])
    same = list(origins) == right and list(map(str, out)) == [str(values[i]) for i in right]
    print(f"n = {n}, {'descending' if descending else 'ascending'}: {'as sorted()' if same else 'DIFFERENT'}")
    return same


same = all([sort(n, descending) for n in (1, 1000, 5003) for descending in (False, True)])
try:
    library.queue(example.Request(n=1, payload_bytes=3), None, 0)
    same = False
except ValueError as error:
    print("a mistake:", error)
sys.exit(0 if same else 1)
