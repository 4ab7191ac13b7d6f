"""The worker as a service: a request in, its answer out. What the workers in C answer to the same request
(common/worker) is the model."""

import gc
import os
import platform
import sys
import time
import traceback
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type

from gpubench import lines
from gpubench.devices import Backend, Device, Gate, HostCache, Sample, time_on_host
from gpubench.errors import Mistake, OutOfMemory, Unsupported, Wrong
from gpubench.lines import Answer, Object, Refusal, protocol
from gpubench.declared import Primitive, Variant, Work, why_missing
from gpubench.version import VERSION

PROTOCOL = 2
MOST_SAMPLES = 1000000
_CACHES, _SCOPES = ("warm", "cold"), ("device", "host-to-host")


class Crash(Exception):
    """A function of the script failed in a way that it did not foresee: the process is not to be trusted any more."""


# ---- calling what the script says ------------------------------------------------------------------------------------


def _said(why: BaseException) -> str:
    return lines.tame(str(why)) or type(why).__name__


def _place(why: BaseException) -> str:
    """The deepest line of the script itself in a traceback: where its author can look."""
    ours = os.path.dirname(__file__)
    frames = [frame for frame in traceback.extract_tb(why.__traceback__) if os.path.dirname(frame.filename) != ours]
    script = os.path.abspath(getattr(sys.modules.get("__main__"), "__file__", None) or "")
    its = [frame for frame in frames if os.path.abspath(frame.filename) == script] or frames
    return f" ({os.path.basename(its[-1].filename)} line {its[-1].lineno})" if its else ""


def _kinds_of(why: BaseException) -> List[str]:
    return [kind.__name__ for kind in type(why).__mro__]


def _translate(why: BaseException, step: str) -> BaseException:
    """What a function raised, as a refusal; a Crash where it foresaw nothing of the kind."""
    if isinstance(why, Refusal):
        return why
    if isinstance(why, Unsupported):
        return Refusal("unsupported", _said(why))
    kinds = _kinds_of(why)
    if isinstance(why, (OutOfMemory, MemoryError)) or "OutOfMemoryError" in kinds:
        return Refusal("out_of_memory", f"{step}: {_said(why)}")
    if "OutOfResources" in kinds:  # Triton's: a block needs more than a multiprocessor has
        return Refusal("unsupported", f"{step}: {_said(why)}")
    traceback.print_exception(type(why), why, why.__traceback__)
    named = type(why).__name__ + (f": {why}" if str(why) else "")
    return Crash(f"{step}: {lines.tame(named)}{_place(why)}")


def call(step: str, function: Callable[[], Any], passes: Tuple[Type[Exception], ...] = ()) -> Any:
    """Runs what the script says, and has its failures say in which step; exceptions that the step may raise pass."""
    try:
        return function()
    except passes:
        raise
    except BaseException as why:  # also SystemExit: a script that ends the worker costs its row
        raise _translate(why, step) from None


# ---- points and jobs -------------------------------------------------------------------------------------------------


class Point:
    """A point's data, and how many jobs hold it."""

    def __init__(self, primitive: Primitive, params: Dict[str, str], seed: int):
        self.primitive, self.params, self.seed = primitive, params, seed
        self.data: Any = None
        self.users = 0

    def is_of(self, primitive: Primitive, params: Dict[str, str], seed: int) -> bool:
        return self.primitive is primitive and self.params == params and self.seed == seed


class Job:
    """An open job."""

    def __init__(self, number: int, variant: Variant, cold: bool, work: Tuple[int, int, int, int]):
        self.number, self.variant, self.cold, self.work = number, variant, cold, work
        self.point: Optional[Point] = None
        self.values: Dict[str, Any] = {}
        self.state: Any = None
        self.gate = Gate()
        self.has_run = False
        self.run_s = 0.0
        self.run: Callable[[], Any] = lambda: None
        self.reset: Optional[Callable[[], Any]] = None

    @property
    def primitive(self) -> Primitive:
        assert self.point is not None
        return self.point.primitive


def _count(value: Any, what: str) -> int:
    try:
        number = int(value)
        fits = number == value and 0 <= number <= lines.EXACT
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"{what} is {value!r}, which is no count")
    return number


def work_of(primitive: Primitive, values: Mapping[str, Any]) -> Tuple[int, int, int, int]:
    """What a point amounts to: items, bytes, flops, footprint. Raises what the script raises, as call says."""

    def ask() -> Tuple[int, int, int, int]:
        assert primitive.work_step is not None
        found = primitive.work_step(values)
        if isinstance(found, dict):
            found = Work(**found)
        if not isinstance(found, Work):
            raise TypeError(f"it returned {found!r}, not a gpubench.Work")
        footprint = found.bytes if found.footprint is None else found.footprint
        return (_count(found.items, "items"), _count(found.bytes, "bytes"), _count(found.flops, "flops"),
                _count(footprint, "footprint"))

    return call(f"work of {primitive.name}", ask, (Mistake,))  # type: ignore[no-any-return]


# ---- reading requests ------------------------------------------------------------------------------------------------


def read_params(primitive: Primitive, params: Any) -> Tuple[Dict[str, str], Dict[str, Any]]:
    """A point's values: their texts, by which points are told apart, and what functions are given."""
    if not isinstance(params, Object):
        raise protocol("params must be an object with one string per axis")
    texts: Dict[str, str] = {}
    values: Dict[str, Any] = {}
    for name, text in params.items():
        axis = primitive.axes.get(name)
        shown = lines.excerpt(name)
        if axis is None:
            raise protocol(f"params.{shown} is no axis of {primitive.name}")
        if name in params.twice:
            raise protocol(f"params.{shown} is given twice for {primitive.name}")
        if not isinstance(text, str):
            raise protocol(f"params.{shown} must be a string, for an axis of {primitive.name}")
        try:
            values[name] = axis.parse(text)
        except ValueError as why:
            raise protocol(f'params.{name} is "{lines.excerpt(text)}"; {why}') from None
        texts[name] = axis.canonical(text)
    for name in primitive.axes:
        if name not in values:
            raise protocol(f"params.{name} is missing: every axis of {primitive.name} must be given")
    return texts, values


def _one_of(request: Object, name: str, words: Tuple[str, str]) -> str:
    word = lines.text_of(request, name)
    if word not in words:
        raise protocol(f'"{name}" must be "{words[0]}" or "{words[1]}"')
    return word


class Service:
    """Everything that a worker has in hand."""

    def __init__(self, backend: Backend, cache: HostCache, primitives: Mapping[str, Primitive]):
        self.backend, self.cache, self.primitives = backend, cache, primitives
        self.device: Optional[Device] = None
        self.points: List[Point] = []
        self.jobs: Dict[int, Job] = {}
        self.warm: Optional[Job] = None
        """whose data the caches hold"""
        self.quit = False
        self.fatal = False
        self._handlers: Dict[str, Callable[[Object, Answer], None]] = {
            "describe": self._describe, "team": self._team, "select": self._select, "links": self._links,
            "work": self._work, "open": self._open, "verify": self._verify, "sample": self._sample, "dump": self._dump,
            "profile": self._profile,
            "telemetry": self._telemetry, "close": self._close, "schedule": self._schedule, "quit": self._quit}

    def answer(self, line: Optional[bytes]) -> Answer:
        """The answer to a line; None stands for one that is longer than is read."""
        answer = lines.begin_answer(None)
        try:
            if line is None:
                raise protocol(f"the line is longer than {lines.MOST_BYTES} bytes")
            request = lines.parse(line)
            answer = lines.begin_answer(request)
            self._dispatch(request, answer)
        except Refusal as refusal:
            lines.refuse(answer, refusal)
        except Crash as crash:
            lines.refuse(answer, Refusal("crashed", str(crash)))
            answer["fatal"] = self.fatal = True
        return answer

    def _dispatch(self, request: Any, answer: Answer) -> None:
        if not isinstance(request, Object):
            raise protocol('a request is one JSON object, like {"cmd":"describe"}')
        cmd = lines.text_of(request, "cmd")
        if cmd is None:
            raise protocol('"cmd" must be the name of a request')
        handler = self._handlers.get(cmd)
        if handler is None:
            raise protocol(f'unknown cmd "{lines.excerpt(cmd)}"; known: {", ".join(self._handlers)}')
        handler(request, answer)

    # ---- what is common to requests ----------------------------------------------------------------------------------

    def _selected(self) -> Device:
        if self.device is None:
            raise protocol("select a device first")
        return self.device

    def _primitive(self, request: Object) -> Primitive:
        name = lines.text_of(request, "primitive")
        if name is None:
            raise protocol('"primitive" must be the name of a primitive')
        if name not in self.primitives:
            raise protocol(f'no primitive is called "{lines.excerpt(name)}"; the answer to describe lists them')
        return self.primitives[name]

    def _job(self, request: Object) -> Job:
        number = lines.number_of(request.get("job"))
        if number is None:
            raise protocol('"job" must be the number of an open job')
        if number not in self.jobs:
            raise protocol(f"no job {number} is open")
        return self.jobs[number]

    def _add_free_memory(self, answer: Answer) -> None:
        free = self._selected().memory_free()
        if free is not None:
            answer["memory_free_bytes"] = free

    # ---- the small ones ----------------------------------------------------------------------------------------------

    def _describe(self, request: Object, answer: Answer) -> None:
        modules = {name: getattr(sys.modules[name], "__version__", None)
                   for name in ("numpy", "torch", "triton", "cupy", "numba", "jax") if sys.modules.get(name)}
        answer.update(protocol=PROTOCOL, version=VERSION, backend=self.backend.name, toolkit=self.backend.toolkit,
                      driver=self.backend.driver,
                      compiler=f"{platform.python_implementation()} {platform.python_version()}",
                      flags=", ".join(f"{name} {version}" for name, version in modules.items() if version))
        if not os.environ.get("GPUBENCH_ANONYMOUS") and platform.node().isprintable():
            answer["host"] = platform.node()
        answer.update(architectures=self.backend.architectures,
                      devices=[device.describe() for device in self.backend.devices],
                      primitives=[primitive.describe() for primitive in self.primitives.values()])

    def _select(self, request: Object, answer: Answer) -> None:
        index = lines.whole(request.get("device"))
        if index is None:
            raise protocol('"device" must be the index of a device')
        if "team" in request:
            self._team(request, answer)
        together = self._set_of(request, index)
        if self.jobs:
            raise protocol("close all jobs before another select")
        if index >= len(self.backend.devices):
            raise Refusal("unsupported",
                          f"there is no device {index}; there are 0 to {len(self.backend.devices) - 1}")
        self.device = None
        device = self.backend.devices[index]
        call(f"opening {device.name}", device.open)
        measure = request.get("ceilings") is not False
        answer["ceilings"] = call(f"measuring {device.name}", device.measure_ceilings) if measure else {}
        self.device = device
        if together:
            answer["devices"] = [index]
        self._add_free_memory(answer)

    @staticmethod
    def _set_of(request: Object, index: int) -> bool:
        """Whether the request has a list of devices; more than one work together in workers in C alone."""
        listed = request.get("devices")
        if listed is None:
            return False
        if not isinstance(listed, list) or not listed or lines.whole(listed[0]) != index:
            raise protocol('"devices" must be a list of indexes of devices, the first of them "device"')
        if len(listed) > 1:
            raise Refusal("unsupported",
                          "a worker in Python has one device at a time; several work together in gpubench-cuda")
        return True

    def _team(self, request: Object, answer: Answer) -> None:
        raise Refusal("unsupported", "workers in Python are no teams; several processes of gpubench-cuda are")

    def _links(self, request: Object, answer: Answer) -> None:
        raise Refusal("unsupported", "a worker in Python has one device at a time, which has no links")

    def _work(self, request: Object, answer: Answer) -> None:
        primitive = self._primitive(request)
        points = request.get("points")
        if not isinstance(points, list):
            raise protocol('"points" must be a list of params')
        found: List[Any] = []
        for at, params in enumerate(points):
            try:
                found.append(list(work_of(primitive, read_params(primitive, params)[1])))
            except Mistake as mistake:
                found.append({"mistake": _said(mistake)})
            except Refusal as refusal:
                if refusal.status == "protocol":
                    raise protocol(f"point {at}: {refusal.reason}") from None
                found.append(lines.tame(refusal.reason))
        answer["work"] = found

    def _telemetry(self, request: Object, answer: Answer) -> None:
        device = self._selected()
        self._add_free_memory(answer)
        answer.update(device.telemetry())

    def _schedule(self, request: Object, answer: Answer) -> None:
        self._selected()
        if "schedule" in request and lines.text_of(request, "schedule") is None:
            raise protocol('"schedule" must be a text like policy=random,seed=1')
        raise Refusal("unsupported", "only the simt device takes a schedule")

    def _dump(self, request: Object, answer: Answer) -> None:
        job = self._job(request)
        if lines.text_of(request, "what") is None:
            raise protocol('"what" must be the name of a dump')
        raise Refusal("unsupported", f"{job.primitive.name} has no such dump; the answer to describe lists them")

    def _profile(self, request: Object, answer: Answer) -> None:
        job = self._job(request)
        if job.variant.host or not self._selected().gpu:
            raise Refusal("unsupported", "it runs on the CPU: a profiler of GPUs sees nothing")
        raise Refusal("unsupported", "a worker in Python marks nothing for a profiler: run nsys or ncu on the script")

    def _quit(self, request: Object, answer: Answer) -> None:
        self.quit = True

    # ---- open and close ----------------------------------------------------------------------------------------------

    def _why_not(self, variant: Variant, values: Mapping[str, Any], device: Device) -> Optional[str]:
        """Why a point cannot be measured with this variant; None if it can."""
        reason = why_missing(variant.needs)
        if reason is None and variant.on == "gpu" and not device.gpu:
            reason = f"it needs a GPU, and this worker measures on the CPU ({self.backend.reason})"
        step = variant.unsupported_step
        if reason is None and step is not None:
            reason = call(f"unsupported of {variant.name}", lambda: step(values))
        return reason

    def _open(self, request: Object, answer: Answer) -> None:
        device = self._selected()
        number = lines.number_of(request.get("job"))
        if number is None:
            raise protocol('"job" must be a whole number of the caller\'s choice')
        if number in self.jobs:
            raise protocol(f"job {number} is open already")
        primitive = self._primitive(request)
        name = lines.text_of(request, "variant")
        if name is None:
            raise protocol('"variant" must be the name of a variant')
        variant = primitive.variants.get(name)
        if variant is None:
            shown = lines.excerpt(name)
            raise protocol(f'{primitive.name} has no variant "{shown}"; the answer to describe lists them')
        texts, values = read_params(primitive, request.get("params"))
        seed = lines.whole(request.get("seed"))
        if seed is None:
            raise protocol('"seed" must be a whole number up to 2^53, or decimal digits as a string')
        cold = _one_of(request, "cache", _CACHES) == "cold"
        scope = _one_of(request, "scope", _SCOPES)
        limit = request.get("device_memory")
        if limit is not None and not lines.whole(limit):
            raise protocol('"device_memory" must be a whole number of bytes from 1 to 2^53, or decimal digits as a '
                           "string; leave it out for no limit")
        values.update(seed=seed, device=device)
        self._refuse_unmeasurable(primitive, variant, values, scope, limit is not None)
        begun = time.perf_counter()
        job = Job(number, variant, cold, self._work_or_refusal(primitive, values))
        try:
            self._prepare(job, primitive, texts, seed, values, device)
        except Refusal:
            self._drop(job)
            raise
        self.jobs[number] = job
        answer.update(zip(("items", "bytes", "flops", "footprint"), job.work))
        answer["busy_s"] = time.perf_counter() - begun

    def _refuse_unmeasurable(self, primitive: Primitive, variant: Variant, values: Mapping[str, Any], scope: str,
                             limited: bool) -> None:
        reason = self._why_not(variant, values, self._selected())
        if not reason and scope != "device":
            reason = f"{primitive.name} has no host-to-host scope: use scope device"
        if not reason and limited:
            reason = f"{primitive.name} does not count its device memory: leave out measure.device_memory"
        if reason:
            raise Refusal("unsupported", str(reason))

    @staticmethod
    def _work_or_refusal(primitive: Primitive, values: Mapping[str, Any]) -> Tuple[int, int, int, int]:
        try:
            return work_of(primitive, values)
        except Mistake as mistake:
            raise Refusal("unsupported", _said(mistake)) from None

    def _prepare(self, job: Job, primitive: Primitive, texts: Dict[str, str], seed: int, values: Dict[str, Any],
                 device: Device) -> None:
        job.point = self._acquire(primitive, texts, seed, values)
        job.values = {**values, "data": job.point.data, "state": None, "stream": device.stream,
                      "variant": job.variant}
        if job.cold:
            call("making the buffer that empties the cache", self._evictor(job)[0])
        steps = job.variant
        if steps.prepare_step is not None:
            prepare = steps.prepare_step
            job.values["state"] = call(f"prepare of {steps.name}", lambda: prepare(job.values))
        # Bound once, so that a sample has nothing of that in its time.
        run, arguments = steps.run_step.function, steps.run_step.arguments(job.values)
        job.run = (lambda: run(**arguments)) if arguments else run
        reset = steps.reset_step or primitive.reset_step
        if reset is not None:
            step, wanted = reset.function, reset.arguments(job.values)
            job.reset = lambda: step(**wanted)
        call(f"prepare of {steps.name}", device.synchronize)

    def _acquire(self, primitive: Primitive, texts: Dict[str, str], seed: int, values: Mapping[str, Any]) -> Point:
        for point in self.points:
            if point.is_of(primitive, texts, seed):
                point.users += 1
                return point
        point = Point(primitive, texts, seed)
        step = primitive.data_step
        assert step is not None
        point.data = call(f"data of {primitive.name}", lambda: step(values))
        point.users = 1
        self.points.append(point)
        return point

    def _drop(self, job: Job) -> None:
        """Lets go of what a job holds; the last one of a point frees its data."""
        if self.warm is job:
            self.warm = None
        self.jobs.pop(job.number, None)
        point, cleanup = job.point, job.variant.cleanup_step
        if point is not None and cleanup is not None and job.values:
            call(f"cleanup of {job.variant.name}", lambda: cleanup(job.values))
        job.values, job.run, job.reset = {}, lambda: None, None
        if point is None:
            return
        point.users -= 1
        if point.users == 0:
            self.points.remove(point)
            point.data = None
            gc.collect()
            call("giving memory back", self._selected().release)

    def _close(self, request: Object, answer: Answer) -> None:
        job = self._job(request)
        begun = time.perf_counter()
        self._drop(job)
        call("close", self._selected().synchronize)
        answer["busy_s"] = time.perf_counter() - begun
        self._add_free_memory(answer)

    # ---- running -----------------------------------------------------------------------------------------------------

    def _step(self, job: Job, name: str, function: Callable[[], Any], passes: Tuple[Type[Exception], ...] = ()) -> None:
        """One step with its wait, untimed."""
        device = self._selected()

        def run() -> None:
            function()
            device.synchronize()

        call(f"{name} of {job.variant.name}", run, passes)

    def _run_untimed(self, job: Job) -> None:
        if job.reset is not None:
            self._step(job, "reset", job.reset)
        begun = time.perf_counter()
        self._step(job, "run", job.run)
        job.run_s = time.perf_counter() - begun
        job.has_run = True

    def _verify(self, request: Object, answer: Answer) -> None:
        job = self._job(request)
        begun = time.perf_counter()
        self.warm = None  # the check reads everything
        self._step(job, "poison", lambda: job.primitive.overwrite(job.values))
        self._run_untimed(job)
        answer["verdict"] = "ok"
        try:
            self._step(job, "check", lambda: self._check(job), (Wrong,))
        except Wrong as wrong:
            answer["verdict"] = "wrong"
            answer["reason"] = lines.tame(str(wrong)) or "the check gave no reason"
        answer["redone"] = False
        answer["busy_s"] = time.perf_counter() - begun

    @staticmethod
    def _check(job: Job) -> None:
        step = job.primitive.check_step
        assert step is not None
        try:
            found = step(job.values)
        except AssertionError as wrong:
            raise Wrong(str(wrong) or f"an assertion of the check does not hold{_place(wrong)}") from None
        if found is not None:
            raise TypeError(f"check returned {found!r}: it says that an output is wrong by raising gpubench.Wrong")

    def _evictor(self, job: Job) -> Tuple[Callable[[], Any], Callable[[], Any]]:
        """What prepares, and what empties, the cache that the job's data lie in."""
        cleaner: Any = self.cache if job.variant.host else self._selected()
        return (cleaner.prepare if job.variant.host else cleaner.prepare_evict), cleaner.evict

    def _take_sample(self, job: Job) -> float:
        device = self._selected()
        host, gated = job.variant.host, device.gpu and not job.variant.waits
        while True:
            if job.reset is not None:
                call(f"reset of {job.variant.name}", job.reset)
            if job.cold:
                call("emptying the cache", self._evictor(job)[1])
            gate = job.gate if gated and not job.gate.given_up else None
            timed: Callable[[], Sample] = ((lambda: time_on_host(job.run, device.synchronize)) if host else
                                           (lambda: device.time(job.run, gate)))
            sample: Sample = call(f"run of {job.variant.name}", timed)
            if sample.held:
                return sample.seconds
            if job.gate.given_up:
                print(f"gpubench worker: {job.variant.name} cannot be queued without waiting for the device (or a "
                      "profiler or a full launch queue waits for it): its times include the host's launch latency "
                      "from here on; waits=True says that of a variant that is so", file=sys.stderr)

    def _take_turn(self, job: Job) -> None:
        """A job that has not run, or, of warm caches, whose turn comes after another's, runs once untimed."""
        on_cpu = job.variant.host or not self._selected().gpu
        keeps = not on_cpu or self.cache.helps(job.work[3], job.run_s)
        if not job.has_run or (not job.cold and keeps and self.warm is not job):
            self._run_untimed(job)
        self.warm = job

    def _sample(self, request: Object, answer: Answer) -> None:
        job = self._job(request)
        count = lines.number_of(request.get("count"))
        if count is None or not 1 <= count <= MOST_SAMPLES:
            raise protocol(f'"count" must be a whole number from 1 to {MOST_SAMPLES}')
        begun = time.perf_counter()
        collects = gc.isenabled()
        gc.disable()
        try:
            self._take_turn(job)
            times = [self._take_sample(job) for _ in range(count)]
            self._step(job, "run", lambda: None)
        finally:
            if collects:
                gc.enable()
        answer["times_s"] = times
        if job.gate.given_up:
            answer["ungated"] = True
        answer["busy_s"] = time.perf_counter() - begun
