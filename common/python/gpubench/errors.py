"""What a script's functions raise to say how a point ends."""


class Wrong(Exception):
    """The output is wrong: raised by a check, with the first defect ("element 3 is 7, should be 8")."""


class Unsupported(Exception):
    """This point, or this device, cannot be measured with this variant: raised by any function, with the reason."""


class Mistake(Exception):
    """A value of an axis that cannot be right by itself (a file that is not there): raised by ``work``, before
    anything runs."""


class OutOfMemory(Exception):
    """There is not enough memory. MemoryError, and what torch and CuPy raise, mean the same."""
