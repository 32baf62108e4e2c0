"""The table of docs/python.md: the same ten tasks by this package and by others, as it has them."""

import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import ringsmith
from ringsmith import Ring, schemes

PAGE = Path(__file__).parents[3] / "docs/python.md"
TASKS = [
    "a ring",
    "an element",
    "a product",
    "a thousand products",
    "a matrix times a vector",
    "an inverse",
    "a transform",
    "centred coefficients",
    "random elements, small ones",
    "ML-KEM",
]
OTHERS = ["Sage", "python-flint", "galois", "kyber-py"]

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the package stands alone")


def table():
    """The codes of each task: by each other package, and here."""
    text = PAGE.read_text()
    section = text[text.index("## From Sage") :]
    rows = re.findall(r"^\| (.*) \|$", section[: section.index("\n## ", 5)], re.MULTILINE)
    codes, task = {}, None
    for row in rows[1:]:
        name, there, here = re.split(r" ?\| ?", row)
        task = name or task
        of = codes.setdefault(task, {})
        of.setdefault("here", []).extend(re.findall(r"`(.*?)`", here))
        for other in OTHERS:
            for code in re.findall(other + r": `(.*?)`", there):
                of.setdefault(other, []).append(code)
    return codes


def run(codes, names):
    """What the codes of a task give: the value of the last one, or nothing."""
    value = None
    for code in codes:
        try:
            value = eval(code, names)
        except SyntaxError:
            exec(code, names)
    return value


def operands(n):
    """What the page gives names to; short ones, where others are slow."""
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 12289, n).tolist() for _ in range(2))
    return {"q": 12289, "n": n, "a": a, "b": b}


def results(name, names):
    """What each task gives by a column, one after the other."""
    codes = table()
    return {task: run(codes[task][name], names) for task in TASKS if name in codes[task]}


@pytest.fixture(scope="module")
def ours():
    """Those of this package, for n = 64 and n = 1024."""
    rng = np.random.default_rng(2)

    def of(n):
        names = {"np": np, "Ring": Ring, "MLKEM768PrivateKey": schemes.MLKEM768PrivateKey} | operands(n)
        names |= {"X": rng.integers(0, 12289, (1000, n)), "Y": rng.integers(0, 12289, (1000, n))}
        names |= {"A": rng.integers(0, 12289, (2, 3, n)), "s": rng.integers(0, 12289, (3, 1, n))}
        return names, results("here", names)

    return {n: of(n) for n in (64, 1024)}


def test_table():
    """Protects: the ten tasks are there, and each other package has some of them."""
    codes = table()
    assert list(codes) == TASKS and all(codes[task]["here"] for task in TASKS)
    counts = {other: sum(other in codes[task] for task in TASKS) for other in OTHERS}
    assert counts == {"Sage": 7, "python-flint": 4, "galois": 5, "kyber-py": 4}


@pytest.mark.parametrize("n", [64, 1024])
def test_here(ours, n):
    """Protects: every code of this package's column runs, and its results agree with each other."""
    names, given = ours[n]
    ring, a, b = names["ring"], names["a"], names["b"]
    assert isinstance(ring, ringsmith.Ring) and (ring.q, ring.n) == (12289, n)
    assert given["an element"] == ring(a)
    assert np.array_equal(given["a product"], (ring(a) * ring(b)).coefficients)
    assert given["a thousand products"].shape == (1000, n)
    products = [ring.mul(names["A"][i, k], names["s"][k, 0]) for i in range(2) for k in range(3)]
    sums = [ring.add(ring.add(*products[3 * i :][:2]), products[3 * i + 2]) for i in range(2)]
    assert np.array_equal(given["a matrix times a vector"][:, 0], sums)
    assert np.array_equal(ring.mul(given["an inverse"], a), ring([1] + [0] * (n - 1)).coefficients)
    assert np.array_equal(ring.ntt.inverse(given["a transform"]), a)
    centred = given["centred coefficients"]
    assert np.array_equal(centred % 12289, a) and np.abs(centred).max() <= 6144
    uniform, ternary, binomial = given["random elements, small ones"]
    assert uniform.shape == (1000, n) and np.count_nonzero(ternary) == 64 and np.abs(binomial).max() <= 2
    assert names["key"].decapsulate(names["ct"]) == names["K"]


def test_python_flint(ours):
    """Protects: python-flint's column runs, and gives what ours gives."""
    import flint

    names, here = {"flint": flint} | operands(1024), ours[1024][1]
    given = results("python-flint", names)
    coefficients = lambda p: [int(p[i]) for i in range(1024)]
    assert coefficients(given["a product"]) == here["a product"].tolist()
    divisor, inverse, _ = given["an inverse"]
    assert divisor == 1 and coefficients(inverse) == here["an inverse"].tolist()


def test_kyber_py(ours):
    """Protects: kyber-py's column runs, and gives what this package does in ML-KEM's ring."""
    from kyber_py.ml_kem import ML_KEM_768

    ring, R, M = Ring("Z_3329[x]/(x^256+1)"), ML_KEM_768.R, ML_KEM_768.M
    A, s, c = ring.random((2, 2), rng=1), ring.random((2, 1), rng=2), ring.random(rng=3).tolist()
    element = lambda x: R(x.tolist())
    theirs = [M([[element(x) for x in row] for row in of]) for of in (A, s)]
    names = {"ML_KEM_768": ML_KEM_768, "R": R, "A": theirs[0], "s": theirs[1], "c": c}
    given = results("kyber-py", names)
    product = ring.matmul(A, s)
    assert given["a matrix times a vector"] == M([[element(x) for x in row] for row in product])
    assert given["a transform"].from_ntt() == R(c)
    assert len(given["random elements, small ones"].coeffs) == 256
    ct, dk = names["ct"], names["dk"]
    assert ML_KEM_768.decaps(dk, ct) == names["K"]
    assert schemes.MLKEM768PrivateKey.from_private_bytes(dk).decapsulate(ct) == names["K"]


@pytest.mark.exhaustive
@pytest.mark.skipif(find_spec("galois") is None, reason="galois is not installed")
def test_galois(ours):
    """Protects: galois's column runs, and gives what ours gives, at a degree at which it takes seconds."""
    import galois

    n, names = 64, {"galois": galois} | operands(64)
    given, here = results("galois", names), ours[64][1]
    coefficients = lambda p: p.coefficients(n, order="asc").tolist()
    assert coefficients(given["a product"]) == here["a product"].tolist()
    divisor, inverse, _ = given["an inverse"]
    assert divisor == 1 and coefficients(inverse) == here["an inverse"].tolist()
    # Values at all powers of a root, in another order.
    cyclic = Ring(q=12289, f={n: 1, 0: -1}).ntt.forward(names["a"])
    assert sorted(given["a transform"].tolist()) == sorted(cyclic.tolist())
