"""Axes: the names and ranges of the values that a config may choose."""

import re
from typing import Dict, List, Optional, Sequence, Union

MOST_SIZE = 2**64 - 1
MOST_VALUE_BYTES = 4159
_FACTORS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
# Borders of warps and blocks, where indices go wrong.
_BORDERS = (0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 4097)
Size = Union[int, str]


def parse_size(text: Size) -> int:
    """A size as people write it: 4096, "32M" (powers of ten), "4Ki" (powers of two).

    Raises ValueError with the reason."""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str):
        raise ValueError(f"a size is a whole number or a text like '32M', not {text!r}")
    found = re.fullmatch(r"([0-9]+)([A-Za-z]*)", text)
    factor = _FACTORS.get(found.group(2)) if found else None
    if not found or factor is None:
        raise ValueError(
            f"{text!r} is no size: digits, and k, M, G (powers of ten) or Ki, Mi, Gi (powers of two) behind them"
        )
    if len(found.group(1)) > 20 or int(found.group(1)) * factor > MOST_SIZE:
        raise ValueError(f"{text!r} does not fit in 64 bits")
    return int(found.group(1)) * factor


class Axis:
    """One axis; made by :func:`size` or :func:`names`."""

    name = ""
    help = ""
    default = ""
    small: Optional[str] = None
    nasty: List[str] = []

    def parse(self, text: str) -> Union[int, str]:
        """The value that functions are given. Raises ValueError with what is allowed."""
        raise NotImplementedError

    def canonical(self, text: str) -> str:
        """The text that all ways of writing the same value have in common."""
        return str(self.parse(text))

    def describe(self) -> Dict[str, object]:
        """The axis as ``describe`` answers it."""
        said: Dict[str, object] = {"name": self.name, "help": self.help, "default": self.default}
        if self.small is not None:
            said["small"] = self.small
        said["nasty"] = self.nasty
        return said


class _SizeAxis(Axis):
    def __init__(self, default: Size, small: Optional[Size], least: Size, most: Size,
                 nasty: Optional[Sequence[Size]], about: str):
        self.least, self.most = parse_size(least), parse_size(most)
        if self.least > self.most:
            raise ValueError(f"min {self.least} is above max {self.most}")
        self.default = str(default)
        self.small = None if small is None else str(small)
        self.help = about
        if nasty is None:
            nasty = [border for border in _BORDERS if self.least <= border <= self.most]
        self.nasty = [str(value) for value in nasty]
        for value in [self.default, *([] if self.small is None else [self.small]), *self.nasty]:
            self.parse(value)

    def parse(self, text: str) -> int:
        try:
            value = parse_size(text)
        except ValueError as why:
            raise ValueError(f"a whole number from {self.least} to {self.most} is allowed ({why})") from None
        if not self.least <= value <= self.most:
            raise ValueError(f"{text} is not from {self.least} to {self.most}")
        return value

    def describe(self) -> Dict[str, object]:
        return {**super().describe(), "type": "size", "min": str(self.least), "max": str(self.most)}


class _NameAxis(Axis):
    def __init__(self, allowed: Sequence[str], default: Optional[str], small: Optional[str],
                 nasty: Optional[Sequence[str]], about: str):
        if not allowed or not all(isinstance(name, str) and name for name in allowed):
            raise ValueError("an axis of names has at least one, and each is a text")
        self.allowed = list(allowed)
        plain = [name for name in allowed if not name.endswith(":")]
        if default is None and not plain:
            raise ValueError("names that all take an argument need a default, e.g. default='distinct:16'")
        self.default = plain[0] if default is None else default
        self.small = small
        self.help = about
        self.nasty = plain if nasty is None else list(nasty)
        for value in [self.default, *([] if small is None else [small]), *self.nasty]:
            self.parse(value)

    def parse(self, text: str) -> str:
        for name in self.allowed:
            if text == name if not name.endswith(":") else text.startswith(name) and text != name:
                if not text.isprintable() or len(text.encode("utf-8", "replace")) > MOST_VALUE_BYTES:
                    raise ValueError(f"what follows the colon is at most {MOST_VALUE_BYTES - len(name)} bytes of "
                                     "UTF-8 without control characters")
                return text
        known = ", ".join(name + "..." if name.endswith(":") else name for name in self.allowed)
        raise ValueError(f"allowed: {known}")

    def describe(self) -> Dict[str, object]:
        return {**super().describe(), "type": "name", "names": self.allowed}


def size(default: Size, *, small: Optional[Size] = None, min: Size = 1, max: Size = "1G",
         nasty: Optional[Sequence[Size]] = None, help: str = "") -> Axis:
    """An axis of whole numbers, which functions are given as ``int``.

    :param default: what a config gets that does not name the axis; sizes may be written ``"1M"`` or ``"64Ki"``
    :param small: the default with ``--quick``; without it, the same
    :param min: the least value that is allowed
    :param max: the largest
    :param nasty: what ``gpubench check`` tries; without it, sizes around those of warps and blocks
    :param help: one line, without a full stop
    """
    return _SizeAxis(default, small, min, max, nasty, help)


def names(*allowed: str, default: Optional[str] = None, small: Optional[str] = None,
          nasty: Optional[Sequence[str]] = None, help: str = "") -> Axis:
    """An axis of words, which functions are given as ``str``.

    :param allowed: the words; one that ends in ``:`` takes an argument (``"distinct:"`` allows ``"distinct:16"``)
    :param default: what a config gets that does not name the axis; without it, the first word
    :param small: the default with ``--quick``; without it, the same
    :param nasty: what ``gpubench check`` tries; without it, all words
    :param help: one line, without a full stop
    """
    return _NameAxis(allowed, default, small, nasty, help)
