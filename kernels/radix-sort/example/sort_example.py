#!/usr/bin/env python3
"""Sorting torch tensors by libgpubench.so, through ctypes: no compiler, no extension module.

    sort_example.py [LIBRARY]

The library is looked for where make install puts it and this file. Whatever has arrays with an
address on the device will do in torch's place: CuPy's x.data.ptr, or what DLPack hands over."""
import argparse
import ctypes
import pathlib
import sys

U32, U64, I32, F32, I64, F64 = range(6)  # rs_type


class Request(ctypes.Structure):
    """rs_sort_request of sort.h"""

    _fields_ = [
        ("keys_in", ctypes.c_void_p),
        ("payload_in", ctypes.c_void_p),
        ("keys_out", ctypes.c_void_p),
        ("payload_out", ctypes.c_void_p),
        ("n", ctypes.c_uint64),
        ("type", ctypes.c_int),
        ("payload_bytes", ctypes.c_uint),
        ("descending", ctypes.c_int),
        ("stable", ctypes.c_int),
        ("begin_bit", ctypes.c_uint),
        ("end_bit", ctypes.c_uint),
        ("offsets", ctypes.c_void_p),
        ("segments", ctypes.c_uint32),
    ]


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        self.c.rs_sort_error.restype = ctypes.c_char_p
        self.c.rs_sort_scratch.argtypes = [ctypes.POINTER(Request), ctypes.POINTER(ctypes.c_uint64)]
        self.c.rs_sort.argtypes = [ctypes.POINTER(Request), ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p]

    def _need(self, status):
        if status:
            raise ValueError(self.c.rs_sort_error().decode())

    def scratch_bytes(self, request):
        needed = ctypes.c_uint64()
        self._need(self.c.rs_sort_scratch(ctypes.byref(request), ctypes.byref(needed)))
        return needed.value

    def queue(self, request, scratch, scratch_bytes, stream=None):
        """All addresses are integers; nothing waits for the device."""
        self._need(self.c.rs_sort(ctypes.byref(request), scratch, scratch_bytes, stream))


def sort_tensor(library, keys, descending=False):
    """Sorted keys and the indexes that they come from, as torch.sort gives with stable=True."""
    import torch

    types = {torch.int32: I32, torch.int64: I64, torch.float32: F32, torch.float64: F64}
    keys = keys.contiguous()
    indexes = torch.arange(keys.numel(), device=keys.device)
    out, origins = torch.empty_like(keys), torch.empty_like(indexes)
    request = Request(
        keys_in=keys.data_ptr(), keys_out=out.data_ptr(), payload_in=indexes.data_ptr(), payload_out=origins.data_ptr(),
        n=keys.numel(), type=types[keys.dtype], payload_bytes=8, descending=descending, stable=1)
    with torch.cuda.device(keys.device):
        scratch = torch.empty(library.scratch_bytes(request), dtype=torch.uint8, device=keys.device)
        stream = torch.cuda.current_stream()
        library.queue(request, scratch.data_ptr(), scratch.numel(), stream.cuda_stream)
    # torch frees what is dropped here for later work of the same stream alone
    return out, origins


def with_torch(library):
    import torch

    torch.manual_seed(1)
    wrong = 0
    for dtype in (torch.int32, torch.int64, torch.float32, torch.float64):
        for n in (1, 1000, 3_000_001):
            keys = torch.randint(-(2**20), 2**20, (n,), device="cuda").to(dtype)
            if dtype.is_floating_point:
                keys = keys / 1024
                keys[::7] = float("inf")
                keys[::5] = -0.0
            for descending in (False, True):
                out, origins = sort_tensor(library, keys, descending)
                right = torch.sort(keys, descending=descending, stable=True)
                same = torch.equal(out, right.values) and torch.equal(origins, right.indices)
                wrong += not same
                order = "descending" if descending else "ascending"
                print(f"{dtype}, n = {n}, {order}: {'as torch.sort' if same else 'DIFFERENT'}")
    return wrong


def main():
    prefix = pathlib.Path(__file__).resolve().parents[3]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", nargs="?", default=prefix / "lib" / "libgpubench.so.0")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        print("skipped: torch is not installed, and nothing was sorted")
        return 0
    if not torch.cuda.is_available():
        print("skipped: torch sees no GPU, and nothing was sorted")
        return 0
    return 1 if with_torch(Library(options.library)) else 0


if __name__ == "__main__":
    sys.exit(main())
