"""The package itself: threads, doctests, types, what it costs."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.version import Version

import ringsmith
from ringsmith import Ring, experiments

MODULES = [module.name for module in pkgutil.walk_packages(ringsmith.__path__, "ringsmith.") if module.name != "ringsmith._ringsmith"]


@pytest.mark.parametrize("name", ["ringsmith", *MODULES])
def test_doctests(name):
    """Protects: the examples of the documentation."""
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_doctests_of_compiled_methods():
    """Protects: the examples of what is compiled, which `doctest.testmod` does not look for."""
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    for name in ("mul", "add", "sub", "matmul", "prepare"):
        examples = [of for of in finder.find(getattr(Ring, name), name) if of.examples]
        assert examples, name
        for example in examples:
            assert runner.run(example).failed == 0, name


def test_version():
    """Protects: the version is the workspace's, in the form that Python's tools give it."""
    workspace = tomllib.loads((Path(__file__).parents[3] / "Cargo.toml").read_text())["workspace"]
    assert ringsmith.__version__ == str(Version(workspace["package"]["version"]))


def test_stubs():
    """Protects: what the stubs say is what there is, and code against them is checked."""
    stubtest = [sys.executable, "-m", "mypy.stubtest", "ringsmith", "--ignore-disjoint-bases"]
    settings = ["--mypy-config-file", str(Path(__file__).parents[1] / "pyproject.toml")]
    run = subprocess.run([*stubtest, *settings], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def has_a_turn(action):
    """Whether another thread of Python's, which waits to run, does so while something is done."""
    go, turns = threading.Event(), []

    def work():
        go.wait()
        turns.append(None)

    thread = threading.Thread(target=work)
    thread.start()
    before = sys.getswitchinterval()
    # The lock is not asked for meanwhile: whoever has it keeps it until it is given back.
    sys.setswitchinterval(1000)
    try:
        go.set()
        action()
        return bool(turns)
    finally:
        sys.setswitchinterval(before)
        thread.join()


def test_lock_is_released():
    """Protects: while products of each path are computed, other threads of Python's run; eight of them at once
    compute what one does."""
    ring = Ring("Z_12289[x]/(x^1024+1)", route="schoolbook, divided term by term")
    a, b = ring.random(64, rng=1), ring.random(64, rng=2)
    dense = [int(c) for c in np.random.default_rng(1).integers(0, 12289, 20000)] + [1]
    prepared, wide, units = ring.prepare(b[0]), a.astype(np.int64), Ring("Z_4591[x]/(x^761-x-1)")
    unit = units.ternary(8, rng=1)
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        # What keeps the lock is seen to keep it.
        assert not has_a_turn(lambda: sum(range(10**6)))
    for action in [
        lambda: ring.mul(a, b),
        lambda: ring.mul(wide, b),
        lambda: ring.mul(a, prepared),
        lambda: ring.matmul(a[None], b[:, None]),
        lambda: units.inverse(unit),
        # What is planned: a polynomial of many terms is inverted.
        lambda: Ring(q=12289, f=dense),
        lambda: experiments.failures("ML-KEM-512", experiments.seeds(200)),
    ]:
        # A machine that is busy may start the other thread too late.
        assert any(has_a_turn(action) for _ in range(20))
    expected, results = ring.mul(a, b), [None] * 8

    def work(i):
        results[i] = ring.mul(a, b)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(result, expected) for result in results)


def test_only_numpy_is_imported():
    """Protects: `import ringsmith` imports nothing but NumPy and the standard library."""
    code = "import numpy, sys; a = set(sys.modules); import ringsmith; print(*{m.split('.')[0] for m in set(sys.modules) - a})"
    new = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {name for name in new if name not in sys.stdlib_module_names} - {"numpy"} == {"ringsmith"}


def test_backends():
    """Protects: RINGSMITH_CPU names the backend, as in the command, and an unknown one is an error."""
    code = "from ringsmith import Ring; r = Ring('Z_3329[x]/(x^256+1)'); print(r.backend, int(r.mul(r.random(rng=1), r.random(rng=2)).sum()))"

    def run(cpu):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"RINGSMITH_CPU": cpu})

    here = Ring("Z_3329[x]/(x^256+1)")
    expected = int(here.mul(here.random(rng=1), here.random(rng=2)).sum())
    names = ["sse2", "avx2"] if here.backend.startswith(("sse", "avx")) else [here.backend]
    for name in names:
        assert run(name).stdout.split() == [name, str(expected)]
    assert "RINGSMITH_CPU=magic" in run("magic").stderr


def test_stub_of_schemes():
    """Protects: the stub names every scheme; `python tests/stubs.py` writes it."""
    import stubs

    assert stubs.STUB.read_text() == stubs.text()
