"""The version of gpubench that this package belongs to."""

import pathlib
import re


def _in_clone() -> str:
    """The version as the clone says it that this file lies in."""
    header = pathlib.Path(__file__).resolve().parents[3] / "bench" / "util" / "version.h"
    found = re.search(r'^#define GB_VERSION "(.*)"', header.read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        raise ImportError(f"{header} says no version")
    return found.group(1)


try:
    from gpubench import built  # type: ignore[attr-defined] # the wheel has this file

    VERSION: str = built.VERSION
except ImportError:
    VERSION = _in_clone()
