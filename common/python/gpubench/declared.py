"""What a script says: primitives (what is computed), and variants (ways to compute it).

Functions name what they want as parameters, as pytest's fixtures are named: ``def make(n, seed)`` is given the
value of the axis ``n`` and the seed. What there is to be named:

====================  =================================================================================================
an axis               its value at this point: ``int`` of a size, ``str`` of a name
``seed``              what the input is to be made from: the same seed, the same input
``device``            the device (:class:`gpubench.Device`): ``device.gpu``, ``device.name``, ``device.sms``, ...
``data``              what the primitive's ``data`` function returned for this point
``state``             what the variant's ``prepare`` function returned; None without one
``variant``           the variant (:class:`Variant`): ``variant.name``; ``variant.host`` where it runs on the CPU
``stream``            the stream that is timed: of torch or CuPy, on a CPU None
====================  =================================================================================================
"""

import collections.abc
import importlib
import importlib.util
import inspect
import re
import sys
from types import ModuleType
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Set, Union

from gpubench.axes import Axis
from gpubench.errors import Unsupported
from gpubench.lines import tame

MOST_AXES = 8
_BEFORE_DATA = {"seed", "device"}
_IN_A_JOB = _BEFORE_DATA | {"data", "state", "stream", "variant"}
_WHERE = ("any", "gpu", "cpu")
Function = Callable[..., Any]
_GARBAGE: Dict[str, Any] = {"f": float("nan"), "c": complex("nan"), "i": 0x5A, "u": 0x5A}

registry: Dict[str, "Primitive"] = {}
_import_failures: Dict[str, str] = {}


class Work(NamedTuple):
    """What a point amounts to, whichever variant computes it."""

    items: int
    """what the rate counts: the primitive's ``unit``"""
    bytes: int = 0
    """the least that must cross the device's memory"""
    flops: int = 0
    """floating-point operations; 0 where the rate is not about them"""
    footprint: Optional[int] = None
    """bytes that input and output occupy; None: as ``bytes``"""


def optional(name: str) -> Optional[ModuleType]:
    """The module of this name, or None where it cannot be imported. Variants that need it say ``needs="name"``, and
    are unsupported then, with the reason."""
    try:
        return importlib.import_module(name)
    except ImportError as why:
        _import_failures[name] = str(why)
        return None


def why_missing(needs: Sequence[str]) -> Optional[str]:
    """Why the first of these modules that is missing cannot be had; None if none is."""
    for name in needs:
        if name in sys.modules and sys.modules[name] is not None:
            continue
        if name in _import_failures:
            return f"needs the module {name}: {_import_failures[name]} ({sys.executable})"
        if importlib.util.find_spec(name.partition(".")[0]) is None:
            return f"needs the module {name}, which {sys.executable} does not have"
    return None


def _check_name(name: str, what: str) -> None:
    """Names stand in files' names, in commands and in CSV files."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}", name):
        raise ValueError(f"{what} {name!r}: letters, digits, '-', '_' and '.' are allowed, at most 100 of them, and "
                         "the first is neither '.' nor '-'")


def _first_line(function: Function) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")


def _wanted(function: Function, known: Set[str], whose: str) -> List[str]:
    """The names of the function's parameters, all of them known."""
    if not callable(function):
        raise TypeError(f"{whose} is a function, not {function!r}")
    wanted = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"{whose}: parameters are asked for by their names; there is no *{parameter.name} here")
        if parameter.name in known:
            wanted.append(parameter.name)
        elif parameter.default is parameter.empty:
            raise TypeError(f"{whose} has a parameter {parameter.name!r}, which is none of {', '.join(sorted(known))}")
    return wanted


class _Bound:
    """A function and the names that it wants."""

    def __init__(self, function: Function, known: Set[str], whose: str):
        self.function = function
        self.whose = whose
        self.wanted = _wanted(function, known, whose)

    def arguments(self, values: Mapping[str, Any]) -> Dict[str, Any]:
        return {name: values[name] for name in self.wanted}

    def __call__(self, values: Mapping[str, Any]) -> Any:
        return self.function(**self.arguments(values))


class Variant:
    """One way to compute a primitive; made by :meth:`Primitive.variant`. It can still be called as a function."""

    def __init__(self, primitive: "Primitive", function: Function, name: str, summary: str, origin: str,
                 differs: Optional[str], on: str, waits: bool, needs: Sequence[str], stable: bool):
        self.name, self.summary, self.origin = name, tame(summary) or name, tame(origin) or "own"
        self.differs = tame(differs or "")
        self.on, self.waits, self.needs, self.stable = on, waits, list(needs), stable
        self.function = function
        self._known = primitive.known | _IN_A_JOB
        self._before = primitive.known | _BEFORE_DATA
        self._whose = f"{primitive.name}/{name}"
        self.run_step = _Bound(function, self._known, f"variant {self._whose}")
        self.prepare_step: Optional[_Bound] = None
        self.reset_step: Optional[_Bound] = None
        self.cleanup_step: Optional[_Bound] = None
        self.unsupported_step: Optional[_Bound] = None
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self.function(*arguments, **keywords)

    @property
    def host(self) -> bool:
        """Whether it runs on the CPU, whatever the device is."""
        return self.on == "cpu"

    def prepare(self, function: Function) -> Function:
        """Decorates what makes scratch memory or compiles, untimed, once for a point; what it returns is ``state``."""
        self.prepare_step = _Bound(function, self._known - {"state"}, f"prepare of {self._whose}")
        return function

    def reset(self, function: Function) -> Function:
        """Decorates what restores what a run eats, untimed, before every run; in the place of the primitive's."""
        self.reset_step = _Bound(function, self._known, f"reset of {self._whose}")
        return function

    def cleanup(self, function: Function) -> Function:
        """Decorates what is called when a point is done with; memory is given back without."""
        self.cleanup_step = _Bound(function, self._known, f"cleanup of {self._whose}")
        return function

    def unsupported(self, function: Function) -> Function:
        """Decorates what returns why a point cannot be measured with this variant, or None if it can."""
        self.unsupported_step = _Bound(function, self._before, f"unsupported of {self._whose}")
        return function

    def describe(self) -> Dict[str, object]:
        """The variant as ``describe`` answers it."""
        said: Dict[str, object] = {"name": self.name, "summary": self.summary, "origin": self.origin}
        if self.differs:
            said["differs"] = self.differs
        return {**said, "stable": self.stable, "host": self.host, "cuda_only": False}


class Primitive:
    """What is computed: its axes, its data, the check of an output; made by :func:`primitive`."""

    def __init__(self, name: str, unit: str, title: str, axes: Mapping[str, Axis], outputs: Sequence[str]):
        _check_name(name, "primitive")
        self.name, self.unit, self.title = name, tame(unit) or "items", tame(title) or name
        if len(axes) > MOST_AXES:
            raise ValueError(f"primitive {name}: {len(axes)} axes, {MOST_AXES} are allowed")
        for axis_name, axis in axes.items():
            if not axis_name.isidentifier() or axis_name in _IN_A_JOB:
                raise ValueError(f"primitive {name}: an axis cannot be called {axis_name!r}: it is the name of a "
                                 f"parameter, and none of {', '.join(sorted(_IN_A_JOB))}")
            if not isinstance(axis, Axis):
                raise TypeError(f"primitive {name}: axis {axis_name} is made by gpubench.size or gpubench.names, "
                                f"not {axis!r}")
            _check_name(axis_name, f"primitive {name}: axis")
            axis.name = axis_name
            axis.help = tame(axis.help) or axis_name
        self.axes = dict(axes)
        self.known = set(axes)
        self.outputs = list(outputs)
        self.variants: Dict[str, Variant] = {}
        self.data_step: Optional[_Bound] = None
        self.work_step: Optional[_Bound] = None
        self.check_step: Optional[_Bound] = None
        self.poison_step: Optional[_Bound] = None
        self.reset_step: Optional[_Bound] = None

    # ---- decorators --------------------------------------------------------------------------------------------------

    def data(self, function: Function) -> Function:
        """Decorates what makes a point's input, and the memory for its output, from the axes and ``seed``. All
        variants of a point share what it returns: a dict, an object, whatever serves."""
        self.data_step = _Bound(function, self.known | _BEFORE_DATA, f"data of {self.name}")
        return function

    def work(self, function: Function) -> Function:
        """Decorates what returns the :class:`Work` of a point. It may raise ``Unsupported`` for values that do not go
        together, and ``Mistake`` for one that cannot be right by itself."""
        self.work_step = _Bound(function, self.known, f"work of {self.name}")
        return function

    def check(self, function: Function) -> Function:
        """Decorates what judges an output in full: raises ``Wrong`` (or AssertionError, as of ``numpy.testing``) with
        the first defect."""
        known = self.known | _IN_A_JOB - {"stream"}
        self.check_step = _Bound(function, known, f"check of {self.name}")
        return function

    def poison(self, function: Function) -> Function:
        """Decorates what overwrites the output with garbage before a run that is checked, so that what a variant does
        not write is found. Not needed where ``outputs`` names the arrays."""
        known = self.known | _IN_A_JOB - {"state"}
        self.poison_step = _Bound(function, known, f"poison of {self.name}")
        return function

    def reset(self, function: Function) -> Function:
        """Decorates what restores, untimed and before every run, an input that variants change."""
        self.reset_step = _Bound(function, self.known | _IN_A_JOB, f"reset of {self.name}")
        return function

    def variant(self, name: Union[str, Function, None] = None, *, summary: Optional[str] = None,
                origin: str = "own", differs: Optional[str] = None, on: str = "any", waits: bool = False,
                needs: Union[str, Sequence[str]] = (), stable: bool = False) -> Any:
        """Decorates one way to compute it. The function is what is timed: it reads ``data``, writes the output there,
        and queues all work on the current stream of torch or CuPy (``stream``).

        :param name: what a config calls it; without it, the function's name with ``-`` for ``_``
        :param summary: one line; without it, the first of the function's docstring
        :param origin: where it is from: a paper, a library, ``"own"``
        :param differs: how it departs from what ``origin`` names
        :param on: ``"gpu"`` (unsupported without one), ``"cpu"`` (timed by the host's clock wherever it runs), or
            ``"any"``: wherever the data are
        :param waits: it waits for the device (``tensor.item()``, a copy to the CPU): then it cannot be queued behind
            a gate, and its time has the host's part in it
        :param needs: names of modules without which it is unsupported
        :param stable: it claims a stable result, where the primitive knows such a thing
        """
        if callable(name):
            return self.variant()(name)

        def decorate(function: Function) -> Variant:
            called = name or function.__name__.strip("_").replace("_", "-")
            _check_name(called, f"{self.name}: variant")
            if called in self.variants:
                raise ValueError(f"{self.name} has two variants called {called!r}")
            if on not in _WHERE:
                raise ValueError(f"variant {called}: on={on!r} is none of {', '.join(_WHERE)}")
            modules = [needs] if isinstance(needs, str) else needs
            variant = Variant(self, function, called, _first_line(function) if summary is None else summary, origin,
                              differs, on, waits, modules, stable)
            self.variants[called] = variant
            return variant

        return decorate

    # ---- for the worker ----------------------------------------------------------------------------------------------

    def mistakes(self) -> Optional[str]:
        """What is missing before it can be measured; None if nothing is."""
        for step, decorator in ((self.data_step, "data"), (self.work_step, "work"), (self.check_step, "check")):
            if step is None:
                return f"{self.name} has no {decorator}: decorate a function with @NAME.{decorator}"
        if self.poison_step is None and not self.outputs:
            return (f"{self.name} says nothing of its output: outputs=['y'] names what is to be overwritten before a "
                    "run that is checked, or @NAME.poison does that")
        if not self.variants:
            return f"{self.name} has no variant: decorate a function with @NAME.variant"
        return None

    def overwrite(self, values: Mapping[str, Any]) -> None:
        """Garbage into the output."""
        if self.poison_step is not None:
            self.poison_step(values)
            return
        for name in self.outputs:
            _fill_with_garbage(_member(values["data"], name), name)

    def describe(self) -> Dict[str, object]:
        """The primitive as ``describe`` answers it."""
        return {"name": self.name, "title": self.title, "unit": self.unit,
                "axes": [axis.describe() for axis in self.axes.values()],
                "variants": [variant.describe() for variant in self.variants.values()]}


def _member(data: Any, name: str) -> Any:
    if isinstance(data, collections.abc.Mapping):
        if name in data:
            return data[name]
    elif hasattr(data, name):
        return getattr(data, name)
    raise Unsupported(f"outputs names {name!r}, which data does not have")


def _kind(dtype: Any) -> str:
    """The letter that NumPy has for the kind of a type: i, u, f, c; torch's types have other words for it."""
    kind = getattr(dtype, "kind", None)
    if kind is not None:
        return str(kind)
    if getattr(dtype, "is_complex", False):
        return "c"
    if getattr(dtype, "is_floating_point", False):
        return "f"
    word = str(dtype).rpartition(".")[2]
    return "u" if word.startswith("uint") else "i" if word.startswith("int") else "b"


def _fill_with_garbage(array: Any, name: str) -> None:
    kind = _kind(getattr(array, "dtype", None))
    fill = getattr(array, "fill_", None) or getattr(array, "fill", None)
    if fill is None or kind not in _GARBAGE:
        raise Unsupported(f"output {name!r} ({type(array).__name__}) is no array of numbers: write a @NAME.poison that "
                          "overwrites it")
    fill(_pattern(array, kind))


def _pattern(array: Any, kind: str) -> Any:
    """NaN, or a number that has the same digits in all bytes."""
    if kind not in "iu":
        return _GARBAGE[kind]
    size = getattr(array, "itemsize", None)
    width = size() if callable(size) else size
    number = int.from_bytes(bytes([_GARBAGE[kind]]) * int(width or 1), "little")
    return number


def primitive(name: str, *, unit: str, axes: Mapping[str, Axis], title: Optional[str] = None,
              outputs: Union[str, Sequence[str]] = ()) -> Primitive:
    """What is to be computed; its functions and variants are decorated with what this returns.

    :param name: what configs call it
    :param unit: what a rate counts, plural: ``"keys"``
    :param axes: what a config may choose, by name: :func:`gpubench.size`, :func:`gpubench.names`
    :param title: a few words for people
    :param outputs: names of the arrays, in what ``data`` returns, that variants write: they are overwritten with
        garbage before a run that is checked
    """
    if name in registry:
        raise ValueError(f"there are two primitives called {name!r}")
    made = Primitive(name, unit, title or name, axes, [outputs] if isinstance(outputs, str) else outputs)
    registry[name] = made
    return made
