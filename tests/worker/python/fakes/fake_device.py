"""A device of which only the time is simulated: the host queues, the device does one thing after the other."""

LAUNCH_S = 5e-6
NAME = "NVIDIA H100 80GB HBM3"
CYCLES_PER_S = 2.1e9


class Clock:
    host = 0.0
    device = 0.0  # when it has done all that is queued
    gates = 0

    @classmethod
    def launch(cls, seconds, host_s=LAUNCH_S):
        cls.host += host_s
        cls.device = max(cls.device, cls.host) + seconds

    @classmethod
    def spin(cls, cycles):
        cls.gates += 1
        cls.launch(cycles / CYCLES_PER_S)

    @classmethod
    def wait(cls):
        cls.host = max(cls.host, cls.device)


class Event:
    at = 0.0

    def record(self, stream=None):
        Clock.launch(0.0, 1e-6)
        self.at = Clock.device

    def is_done(self):
        Clock.host += 1e-6
        return Clock.host >= self.at


class Array:
    """Nothing but its size."""

    def __init__(self, count, dtype=None, device=None):
        self.count = count

    def touch(self, *_):
        Clock.launch(4 * self.count / 1e12)


class Properties:
    name, major, minor, multi_processor_count = NAME, 9, 0, 132
    total_memory, L2_cache_size = 80 << 30, 50 << 20
    uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
    shared_memory_per_block, shared_memory_per_block_optin = 48 << 10, 227 << 10
