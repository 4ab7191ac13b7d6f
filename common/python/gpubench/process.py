"""The worker's process: requests on stdin, answers on stdout, a log for people on stderr."""

import argparse
import faulthandler
import json
import os
import select
import signal
import sys
import threading
from typing import NoReturn, Optional, Sequence

from gpubench import lines
from gpubench.devices import HostCache
from gpubench.gpu import WANTED, find_backend
from gpubench.declared import registry
from gpubench.service import Service

_BROKEN = 1


def _take_stdout() -> int:
    """Scripts and libraries print: what goes to stdout, what lies in its buffer included, goes to stderr from here on.
    The descriptor returned is the only way to the real stdout."""
    answers = os.dup(1)
    os.dup2(2, 1)
    sys.stdout.flush()
    sys.stdout = sys.stderr
    return answers


def _watch(descriptor: int) -> None:
    """Ends the process when nobody reads its answers any more, also in the middle of a kernel that never ends."""
    poller = select.poll()
    poller.register(descriptor, 0)
    poller.poll()
    os._exit(_BROKEN)


def _write(answers: int, text: bytes) -> None:
    while text:
        text = text[os.write(answers, text):]


def _serve(service: Service, answers: int) -> int:
    """Answers until the end of the input; the exit status."""
    doing = "read requests"
    try:
        for line in lines.read_lines(0):
            answer = service.answer(line)
            doing = "answer"
            _write(answers, lines.write(answer))
            doing = "read requests"
            if service.fatal or service.quit:
                break
    except OSError as why:
        print(f"gpubench worker: cannot {doing}: {why}", file=sys.stderr)
        return _BROKEN
    return _BROKEN if service.fatal else 0


def _leave(status: int) -> NoReturn:
    """At once: a lost device may hang whoever tidies up, and the system frees what a process had."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(status)


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", choices=WANTED, default=os.environ.get("GPUBENCH_PYTHON_DEVICE") or "auto",
                        help="through which library a GPU is measured, or the CPU (auto: the first of torch and cupy "
                        "that the script has imported and that finds a GPU, else the CPU)")
    parser.add_argument("--describe", action="store_true", help="print devices, primitives and variants as JSON")


def main(arguments: Optional[Sequence[str]] = None) -> NoReturn:
    """Makes the script a worker: ends a script that has said what there is to measure. ``gpubench run`` starts it and
    talks to it; started by hand with ``--describe`` it says what it has."""
    parser = argparse.ArgumentParser(
        description="A worker of gpubench: it owns one device and runs the variants; `gpubench run CONFIG --worker` "
        "starts it and talks to it. Without an option it answers requests, one JSON object a line on stdin, answers "
        "on stdout.")
    _arguments(parser)
    options = parser.parse_args(arguments)
    if options.device not in WANTED:
        parser.error(f"GPUBENCH_PYTHON_DEVICE: {options.device!r} is none of {', '.join(WANTED)}")
    for primitive in registry.values():
        mistake = primitive.mistakes()
        if mistake:
            parser.error(mistake)
    if not registry:
        parser.error("the script has no primitive: gpubench.primitive(...) makes one")
    cache = HostCache()
    try:
        service = Service(find_backend(options.device, cache), cache, registry)
    except RuntimeError as why:
        parser.error(str(why))
    if options.describe:
        print(json.dumps(service.answer(b'{"cmd":"describe"}'), indent=2), flush=True)
        _leave(0)
    if sys.stdin is not None and sys.stdin.isatty():
        print(f"{parser.prog}: waiting for requests; see --help", file=sys.stderr)
    else:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the driver decides
    answers = _take_stdout()
    faulthandler.enable()
    threading.Thread(target=_watch, args=(answers,), daemon=True).start()
    _leave(_serve(service, answers))
