"""What a service answers to requests about its jobs, and what scripts may not say; TAP, of python.sh. Argument: the
folder of saxpy.py."""
import json
import os
import sys

sys.path.insert(0, sys.argv[1])
import numpy  # noqa: E402
import saxpy  # noqa: E402

import gpubench  # noqa: E402
from gpubench import lines  # noqa: E402
from gpubench.declared import _fill_with_garbage, registry  # noqa: E402
from gpubench.devices import Backend, Gate, HostCache, slug_of  # noqa: E402
from gpubench.service import Service  # noqa: E402

cache = HostCache()
service = Service(Backend(cache), cache, registry)
failures = 0


def check(name, holds, said=""):
    global failures
    failures += not holds
    print(f"{'ok' if holds else 'not ok'} - {name}" + ("" if holds else f"\n# {said}"))


def ask(text):
    return service.answer(text.encode())


def opening(job=1, variant="two-passes", params='{"n":"10","dist":"uniform"}', **more):
    request = {"cmd": "open", "job": job, "primitive": "saxpy", "variant": variant, "seed": 1, "cache": "warm",
               "scope": "device", **more}
    return json.dumps(request)[:-1] + f', "params": {params}' + "}"


def answers(name, text, **expected):
    answer = ask(text)
    holds = all(value in answer.get(key, "") if isinstance(value, str) else answer.get(key) == value
                for key, value in expected.items())
    check(name, holds, answer)


def said_by(action):
    try:
        action()
    except (TypeError, ValueError, gpubench.Unsupported) as why:
        return str(why)
    return "nothing"


# ---- requests --------------------------------------------------------------------------------------------------------

answers("a device is selected first", opening(), status="protocol", reason="select a device first")
answers("telemetry, too", '{"cmd":"telemetry"}', status="protocol", reason="select a device first")
answers("the CPU is selected", '{"cmd":"select","device":0,"seq":5}', ok=True, seq=5)
answers("a seed of 64 bits", opening(seed="18446744073709551615"), items=10, bytes=120, flops=20, footprint=120)
answers("a job opens once", opening(), status="protocol", reason="job 1 is open already")
answers("no select while it is open", '{"cmd":"select","device":0}', status="protocol", reason="close all jobs")
answers("no dump", '{"cmd":"dump","job":1,"what":"x"}', status="unsupported", reason="saxpy has no such dump")
answers("a dump of nothing", '{"cmd":"dump","job":1}', status="protocol", reason='"what" must be the name of a dump')
answers("no profile", '{"cmd":"profile","job":1}', status="unsupported", reason="it runs on the CPU")
answers("no schedule", '{"cmd":"schedule","schedule":"policy=random"}', status="unsupported", reason="only the simt")
answers("no sample of none", '{"cmd":"sample","job":1,"count":0}', status="protocol", reason="from 1 to 1000000")
answers("it closes", '{"cmd":"close","job":1}', ok=True, job=1)
for mistake, params in (("2M is not from 0 to 1000000", '{"n":"2M","dist":"uniform"}'),
                        ("params.n is given twice for saxpy", '{"n":"2","n":"2","dist":"uniform"}'),
                        ("params.dist is missing", '{"n":"2"}'), ("params.m is no axis of saxpy", '{"m":"2"}'),
                        ("params.n must be a string", '{"n":2}'), ("allowed: uniform, from:...", '{"dist":"from:"}')):
    answers(f"params: {mistake}", opening(params=params), status="protocol", reason=mistake)
for name, value, reason in (("cache", "hot", '"cache" must be "warm" or "cold"'), ("seed", -1, '"seed" must be'),
                            ("scope", 1, '"scope" must be'), ("device_memory", 0, '"device_memory" must be'),
                            ("variant", "none", 'saxpy has no variant "none"')):
    answers(f"{name} {value}", opening(**{name: value}), status="protocol", reason=reason)
answers("no host-to-host", opening(scope="host-to-host"), status="unsupported", reason="has no host-to-host scope")
answers("no limit on memory", opening(device_memory="9"), status="unsupported", reason="does not count its device mem")
answers("a point that is none", opening(params='{"n":"13","dist":"uniform"}'), status="unsupported", reason="unlucky")
answers("a variant may refuse points", opening(variant="odd-alone"), status="unsupported", reason="even numbers are")
answers("one device at a time", '{"cmd":"select","device":0,"devices":[0,0]}', status="unsupported", reason="at a time")
answers("... which may be a list", '{"cmd":"select","device":0,"devices":[0],"ceilings":false}', ok=True, devices=[0])
answers("... of that one", '{"cmd":"select","device":0,"devices":[1]}', status="protocol",
        reason='"devices" must be a list')
answers("... and has no links", '{"cmd":"links"}', status="unsupported", reason="has no links")
answers("requests have names", '{"cmd":"no"}', status="protocol",
        reason='unknown cmd "no"; known: describe, team, select')
answers("work, reasons and mistakes", '{"cmd":"work","primitive":"saxpy","points":[{"n":"4","dist":"uniform"},'
        '{"n":"13","dist":"uniform"},{"n":"4","dist":"from:x"}]}',
        work=[[4, 48, 8, 48], "13 is unlucky", {"mistake": "there is no file x"}])
answers("a refusal does not keep the data", '{"cmd":"work","primitive":"saxpy","points":7}', status="protocol")
check("nothing is open", not service.points and not service.jobs)

for job, variant, n, seed in ((1, "two-passes", "1000", 1), (2, "prints", "1k", 1), (3, "two-passes", "1000", 2)):
    ask(opening(job, variant, f'{{"n":"{n}","dist":"uniform"}}', seed=seed))
check("jobs of a point share its data", len(service.points) == 2 and
      service.jobs[1].values["data"] is service.jobs[2].values["data"])
ask('{"cmd":"close","job":1}')
check("... also when one has closed", len(service.points) == 2)
ask(opening(5, "two-passes", '{"n":"500","dist":"uniform"}'))
check("another size is another point", len(service.points) == 3)
answers("... until the last one closes", '{"cmd":"verify","job":2}', verdict="ok")
ask(opening(4, "leaves", '{"n":"1000","dist":"uniform"}'))
answers("what a variant does not write is not another's output", '{"cmd":"verify","job":4}', verdict="wrong")
for job in (2, 3, 4, 5):
    ask(f'{{"cmd":"close","job":{job}}}')
check("... which frees them", not service.points and not service.jobs)
ask(opening(1, "wrong"))
answers("samples are taken without a verify", '{"cmd":"sample","job":1,"count":2}', ok=True)
answers("what is wrong is no crash", '{"cmd":"verify","job":1}', ok=True, verdict="wrong", reason="Arrays are not")

# ---- lines -----------------------------------------------------------------------------------------------------------

reading, writing = os.pipe()
os.write(writing, b"short\n" + b"x" * 20 + b"\n\n" + b"y" * 20 + b"\nlast")
os.close(writing)
check("what is too long is left out", list(lines.read_lines(reading, 10)) == [b"short", None, b"", None, b"last"])
check("a line for a cell", lines.tame("a,\n b\r\n\tc\x1b[1m\u202e\n") == "a, b; c?[1m?")
check("of so many bytes", len(lines.tame("ä" * 1000).encode()) == 638)

# ---- devices ---------------------------------------------------------------------------------------------------------

check("slugs are those of C", [slug_of(name, "none") for name in ("NVIDIA H100 80GB HBM3", "  (R) Käse ", "___")] ==
      ["nvidia-h100-80gb-hbm3", "r-k-se", "none"])
gate = Gate()
for _ in range(5):
    gate.learn(1e-5, False)
check("a gate that does not hold becomes longer", gate.seconds == Gate.MOST_S and not gate.given_up)
gate.learn(1e-3, True)
check("... and shorter again", gate.seconds == 4e-3 + 20e-6)
for _ in range(4):
    gate.learn(1.0, False)
check("... and is given up after three that were as long as they may be", not gate.given_up)
gate.learn(1.0, False)
check("... in a row", gate.given_up)

# ---- garbage ---------------------------------------------------------------------------------------------------------


def overwrites(kind):
    array = numpy.ones(3, kind)
    _fill_with_garbage(array, "y")
    return not (array == 1).any() and array.tobytes() == 3 * array[:1].tobytes()


check("numbers of each kind are overwritten", all(map(overwrites, ("i1", "u1", "i4", "u8", "f2", "f8", "c16"))))
check("truths are not", "no array of numbers" in said_by(lambda: overwrites("?")))

# ---- what a script may not say ---------------------------------------------------------------------------------------

make = saxpy.saxpy
check("parameters are known", "data of saxpy has a parameter 'm', which is none of device, dist, n, seed" in
      said_by(lambda: make.data(lambda m: 1)), said_by(lambda: make.data(lambda m: 1)))
check("names are unique", "two variants called 'wrong'" in said_by(lambda: make.variant("wrong")(lambda data: 1)))
check("names are names", "letters, digits" in said_by(lambda: make.variant("a b")(lambda data: 1)))
check("axes are not called as parameters are", "cannot be called 'data'" in said_by(
    lambda: gpubench.primitive("p", unit="u", axes={"data": gpubench.size(1)})))
check("sizes are sizes", "is no size" in said_by(lambda: gpubench.size("1 MB")))
check("defaults are in their range", "is not from" in said_by(lambda: gpubench.size(0)))
bare = gpubench.primitive("bare", unit="u", axes={})
check("what is missing is said", "bare has no data" in (bare.mistakes() or ""))
for step in (bare.data, bare.work, bare.check):
    step(lambda: None)
check("... outputs, too", "bare says nothing of its output" in (bare.mistakes() or ""))
del registry["bare"]
sys.exit(failures > 0)
