"""Clocks, temperature and power of a GPU through NVML, by ctypes."""

import ctypes
import sys
from typing import Any, Dict, Optional

# What keeps clocks below what was asked for; not idling (0x1), nor clocks that a person has set (0x2, 0x100).
_THROTTLE = {0x04: "power-cap", 0x08: "hw-slowdown", 0x10: "sync-boost", 0x20: "thermal-slowdown",
             0x40: "hw-thermal-slowdown", 0x80: "hw-power-brake"}
_CLOCK_SM, _CLOCK_MEMORY = 1, 2


class Nvml:
    """One GPU as NVML sees it. Each answer is left out where NVML does not know it."""

    def __init__(self, library: Any, device: ctypes.c_void_p):
        self._library, self._device = library, device

    @classmethod
    def find(cls, uuid: str, pci_bus_id: str) -> Optional["Nvml"]:
        """The GPU of this UUID ("GPU-...") or else bus ("0000:1b:00.0"); None, said on stderr, if NVML is not there."""
        try:
            library = ctypes.CDLL("libnvidia-ml.so.1")
            if library.nvmlInit_v2() != 0:
                raise OSError("nvmlInit_v2 fails")
            device = ctypes.c_void_p()
            for function, name in ((library.nvmlDeviceGetHandleByUUID, uuid),
                                   (library.nvmlDeviceGetHandleByPciBusId_v2, pci_bus_id)):
                if name and function(name.encode(), ctypes.byref(device)) == 0:
                    return cls(library, device)
            raise OSError(f"it does not know {uuid or pci_bus_id or 'the device'}")
        except (OSError, AttributeError) as why:
            print(f"gpubench worker: no clocks, temperature or power: {why}", file=sys.stderr)
            return None

    def _call(self, name: str, *arguments: Any) -> bool:
        function = getattr(self._library, name, None)
        return function is not None and function(*arguments) == 0

    def _number(self, name: str, *arguments: Any) -> Optional[int]:
        number = ctypes.c_uint()
        return number.value if self._call(name, self._device, *arguments, ctypes.byref(number)) else None

    def uuid(self) -> str:
        """"GPU-..."; "" if it is not known."""
        text = ctypes.create_string_buffer(96)
        known = self._call("nvmlDeviceGetUUID", self._device, text, ctypes.c_uint(len(text)))
        return text.value.decode("ascii", "replace") if known else ""

    def driver(self) -> str:
        """The driver's version; "" if it is not known."""
        text = ctypes.create_string_buffer(96)
        known = self._call("nvmlSystemGetDriverVersion", text, ctypes.c_uint(len(text)))
        return text.value.decode("ascii", "replace") if known else ""

    def max_clocks(self) -> Dict[str, int]:
        """``sm_clock_max_mhz`` and ``mem_clock_max_mhz``."""
        found = {"sm_clock_max_mhz": self._number("nvmlDeviceGetMaxClockInfo", _CLOCK_SM),
                 "mem_clock_max_mhz": self._number("nvmlDeviceGetMaxClockInfo", _CLOCK_MEMORY)}
        return {name: number for name, number in found.items() if number is not None}

    def telemetry(self) -> Dict[str, Any]:
        """What ``telemetry`` answers."""
        milliwatts = self._number("nvmlDeviceGetPowerUsage")
        found: Dict[str, Any] = {
            "sm_clock_mhz": self._number("nvmlDeviceGetClockInfo", _CLOCK_SM),
            "mem_clock_mhz": self._number("nvmlDeviceGetClockInfo", _CLOCK_MEMORY),
            "temperature_c": self._number("nvmlDeviceGetTemperature", 0),
            "power_w": None if milliwatts is None else 1e-3 * milliwatts,
            "throttle": self._throttle(),
        }
        return {name: value for name, value in found.items() if value is not None}

    def _throttle(self) -> Any:
        reasons = ctypes.c_ulonglong()
        for name in ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"):
            if self._call(name, self._device, ctypes.byref(reasons)):
                return [word for bit, word in _THROTTLE.items() if reasons.value & bit]
        return None
