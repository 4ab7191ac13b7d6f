"""Lines of the protocol: reading them within their limits, and refusing what cannot be answered."""

import json
import math
import os
import re
import unicodedata
from typing import Any, Dict, Iterator, List, Optional, Tuple

MOST_BYTES = 64 << 20
MOST_LEVELS = 64
MOST_VALUES = 2000000
EXACT = 2**53
_REASON_BYTES = 639
_EXCERPT = 60
Answer = Dict[str, Any]

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_ESCAPED_NUL = re.compile(rb"\\(?:u0000|.)", re.DOTALL)


class Refusal(Exception):
    """A request that is not answered as asked."""

    def __init__(self, status: str, reason: str):
        super().__init__(reason)
        self.status, self.reason = status, reason


def protocol(reason: str) -> Refusal:
    """The refusal of a malformed request."""
    return Refusal("protocol", reason)


class Object(Dict[str, Any]):
    """A JSON object; of members with the same name the first counts."""

    twice: Tuple[str, ...] = ()


# ---- text ------------------------------------------------------------------------------------------------------------


def tame(text: str) -> str:
    """The text as one line of a table's cell: line ends become '; ', what cannot be printed '?'."""
    text = re.sub(r"([,;:]?)\s*[\r\n]\s*", lambda end: (end.group(1) or ";") + " ", text.strip())
    shown = "".join(c if c.isprintable() and unicodedata.category(c) != "Cf" else "?" for c in text)
    return shown.encode("utf-8", "replace")[:_REASON_BYTES].decode("utf-8", "ignore")


def excerpt(text: str) -> str:
    """The beginning of a text from outside, of plain characters."""
    shown = "".join(c if " " <= c <= "~" else "?" for c in text[:_EXCERPT])
    return shown + ("..." if len(text) > _EXCERPT else "")


# ---- lines -----------------------------------------------------------------------------------------------------------


def read_lines(descriptor: int, most: int = MOST_BYTES) -> Iterator[Optional[bytes]]:
    """The lines of a pipe until its end; None for one that is longer than is read."""
    parts: List[bytes] = []
    held, skipping = 0, False
    while True:
        block = os.read(descriptor, 1 << 20)
        if not block:
            if held or skipping:
                yield None if skipping or held > most else b"".join(parts)
            return
        pieces = block.split(b"\n")
        for piece in pieces[:-1]:
            parts.append(piece)
            held += len(piece)
            yield None if skipping or held > most else b"".join(parts)
            parts, held, skipping = [], 0, False
        parts.append(pieces[-1])
        held += len(pieces[-1])
        if held > most:
            parts, held, skipping = [], 0, True


def _escapes_nul(string: bytes) -> int:
    """Where \\u0000 stands in a string; -1: nowhere."""
    for escape in _ESCAPED_NUL.finditer(string):
        if escape.group() == b"\\u0000":
            return escape.start()
    return -1


def _without_strings(line: bytes) -> bytes:
    """The line with blanks in the place of its strings, so that places stay."""
    return _STRING.sub(lambda found: b" " * len(found.group()), line)


def _over_limit(line: bytes) -> Optional[str]:
    """Which limit the line breaks, and where; None if none."""
    nul = line.find(b"\0")
    if nul < 0:
        nul = _escapes_nul(line)
    if nul >= 0:
        return f"a NUL character, at byte {nul}"
    depth, values = 0, 1
    for found in re.finditer(rb"[][{},]", _without_strings(line)):
        mark = found.group()
        opens = mark in b"[{"
        values += opens or mark == b","
        depth += opens
        if mark in b"]}" and depth > 0:
            depth -= 1
        if depth > MOST_LEVELS:
            return f"more than {MOST_LEVELS} levels, at byte {found.start()}"
        if values > MOST_VALUES:
            return f"more than {MOST_VALUES} values, at byte {found.start()}"
    return None


def _first_of_each(pairs: List[Tuple[str, Any]]) -> Object:
    made = Object()
    twice = []
    for name, value in pairs:
        if name in made:
            twice.append(name)
        else:
            made[name] = value
    made.twice = tuple(twice)
    return made


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def parse(line: bytes) -> Any:
    """The value of a line. Raises Refusal."""
    why = _over_limit(line)
    if why:
        raise protocol(f"the line has {why}")
    if not line.strip(b" \t\r"):
        raise protocol("the line is empty; a request is one JSON object")
    try:
        text = line.decode("utf-8")
        return json.loads(text, object_pairs_hook=_first_of_each, parse_constant=_no_constant)
    except UnicodeDecodeError as broken:
        at = broken.start
    except json.JSONDecodeError as broken:
        at = len(text[: broken.pos].encode("utf-8"))
    except (ValueError, RecursionError):  # a constant that is none, a number of thousands of digits
        constant = re.search(rb"NaN|Infinity", _without_strings(line))
        at = constant.start() if constant else 0
    shown = excerpt(line[at:].decode("utf-8", "replace"))
    raise protocol(f'not JSON from byte {at} on: "{shown}"')


def is_number(value: Any) -> bool:
    """Whether it is a number that an answer can echo."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def whole(value: Any) -> Optional[int]:
    """A count: a whole number up to 2^53, or digits as a text; None if it is neither."""
    if is_number(value):
        return int(value) if 0 <= value <= EXACT and int(value) == value else None
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,20}", value) and int(value) < 2**64:
        return int(value)
    return None


def number_of(value: Any) -> Optional[int]:
    """The same for what must be a number."""
    return whole(value) if is_number(value) else None


def text_of(request: Object, name: str) -> Optional[str]:
    """A member that is a text; None if it is not there, or something else."""
    value = request.get(name)
    return value if isinstance(value, str) else None


def begin_answer(request: Any) -> Answer:
    """What every answer has: the request's name, its number, its job."""
    members = request if isinstance(request, dict) else {}
    answer: Answer = {"cmd": members["cmd"] if isinstance(members.get("cmd"), str) else "", "ok": True}
    for name in ("job", "seq"):
        if is_number(members.get(name)):
            answer[name] = members[name]
    return answer


def refuse(answer: Answer, refusal: Refusal) -> None:
    """The answer becomes a refusal."""
    answer.update(ok=False, status=refusal.status, reason=tame(refusal.reason) or "it failed without giving a reason")


def write(answer: Answer) -> bytes:
    """The answer as a line."""
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"
