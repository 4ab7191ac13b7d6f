"""As much of torch as a worker asks of it, with a fake device."""
import types

from fake_device import Array, Clock, Event as _Event, Properties

__version__ = "0.0+fake"
int32 = "int32"
version = types.SimpleNamespace(cuda="13.0")
_C = types.SimpleNamespace(_cuda_getDriverVersion=lambda: 13000)


class OutOfMemoryError(RuntimeError):
    pass


class Event(_Event):
    def __init__(self, enable_timing=False):
        self.timed = enable_timing

    query = _Event.is_done

    def elapsed_time(self, other):
        assert self.timed and other.timed
        return 1e3 * (other.at - self.at)


class Tensor(Array):
    fill_ = copy_ = Array.touch


empty = Tensor
sum = Tensor.touch
cuda = types.SimpleNamespace(
    is_available=lambda: True, device_count=lambda: 1, get_device_properties=lambda index: Properties,
    set_device=lambda index: None, current_stream=lambda: "stream", synchronize=Clock.wait, Event=Event,
    _sleep=Clock.spin, mem_get_info=lambda: (79 << 30, 80 << 30), empty_cache=lambda: None)
