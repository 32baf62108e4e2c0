"""Products in any ring."""

import pickle
import subprocess
import sys

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringsmith import Error, NoInverse, Ring

#: The grid: moduli of every size, prime and not, and moduli polynomials of every kind.
MODULI = [2, 3, 17, 256, 3329, 4591, 12289, 65536, 65537, 1 << 20, 4294967296, 4294967311, (1 << 61) - 1, 1 << 62]
POLYNOMIALS = [
    "x-3", "x+1", "x^2+x+1", "x^16+1", "x^17-x-1", "x^64+1", "x^64-1", "x^100+7x^3-2", "x^256+1", "x^257-x-1",
]


def by_flint(ring, a, b):
    """The product by python-flint, whose integers have any size."""
    f = flint.fmpz_poly([ring.f.get(i, 0) for i in range(ring.n + 1)])
    product = flint.fmpz_poly([int(x) for x in a]) * flint.fmpz_poly([int(x) for x in b])
    # f is monic, so that the remainder over the integers is that modulo q.
    rest = [int(c) % ring.q for c in (product % f).coeffs()]
    return np.array(rest + [0] * (ring.n - len(rest)), ring.dtype)


@pytest.mark.parametrize("q", MODULI)
@pytest.mark.parametrize("f", POLYNOMIALS)
def test_against_flint(q, f):
    """Protects: products of random and of the greatest coefficients, in every kind of ring."""
    ring = Ring(q=q, f=f)
    greatest = np.full(ring.n, q - 1, ring.dtype)
    for a, b in [(ring.random(rng=1), ring.random(rng=2)), (greatest, greatest)]:
        expected = by_flint(ring, a, b)
        assert np.array_equal(ring.mul(a, b), expected)
        assert np.array_equal(ring.mul(a[None, :], b)[0], expected)
        assert np.array_equal(ring.mul(a, ring.prepare(b)), expected)
        assert np.array_equal(Ring(q=q, f=f, route="schoolbook").mul(a, b), expected)


@pytest.mark.parametrize("text", ["Z_4591[x]/(x^761-x-1)", "Z_3329[x]/(x^256+1)", "Z_2048[x]/(x^509-1)"])
def test_every_route(text):
    """Protects: every route and every method of a ring gives the same product."""
    ring = Ring(text)
    a, b = ring.random(rng=1), ring.random(rng=2)
    expected = ring.mul(a, b)
    assert np.array_equal(expected, by_flint(ring, a, b))
    plan = ring.plan()
    assert plan.routes[0] == plan.compiled
    for route in [*plan.routes, *(method.name for method in plan.methods)]:
        other = Ring(text, route=route)
        assert np.array_equal(other.mul(a, b), expected), route
        assert other == pickle.loads(pickle.dumps(other))


def test_ways_to_make_a_ring():
    """Protects: a ring is the same whatever it is made of, and errors say what is wrong."""
    ring = Ring("Z_17[x]/(x^4+3x-1)")
    assert ring == Ring(q=17, f={4: 1, 1: 3, 0: -1}) == Ring(q=17, f=np.array([-1, 3, 0, 0, 1]))
    assert ring == Ring(q=17, f="x^4+3x-1") and hash(ring) == hash(Ring(q=17, f="x^4+3x-1"))
    assert ring.f == {4: 1, 1: 3, 0: -1} and (ring.q, ring.n, ring.dtype) == (17, 4, np.uint16)
    for bad, says in [
        ("Z_17[x]/(x^4+", "expected a term"),
        ("Z_17[x]/(2x^4+1)", "leading coefficient is not 1"),
        ("Z_1[x]/(x^4+1)", "the modulus 1 is not from 2"),
        ("Z_17[x]/(5)", "the degree 0 is not from 1"),
    ]:
        with pytest.raises(Error, match=says):
            Ring(bad)
    for arguments in [{}, {"q": 17}, {"f": "x^4+1"}]:
        with pytest.raises(TypeError, match="a ring is made of"):
            Ring(**arguments)
    with pytest.raises(Error, match="it has: "):
        Ring("Z_3329[x]/(x^256+1)", route="rader")
    for route in ["magic", ""]:
        with pytest.raises(Error, match="no route"):
            Ring("Z_17[x]/(x^4+1)", route=route)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">u8", "<u2"])
def test_types(dtype):
    """Protects: integers of every type and order, and of two types at once."""
    ring = Ring("Z_12289[x]/(x^64+1)")
    rng = np.random.default_rng(3)
    low = -100 if np.dtype(dtype).kind == "i" else 0
    a = rng.integers(low, 100, (5, 64)).astype(dtype)
    b = ring.random(5, rng=4)
    expected = np.array([by_flint(ring, x, y) for x, y in zip(a, b)])
    for other in [b, b.astype("i8"), b.astype("u8"), b.astype("i4")]:
        for product in [ring.mul(a, other), ring.mul(other, a)]:
            assert product.dtype == ring.dtype and np.array_equal(product, expected)
    assert np.array_equal(ring.add(a, b), (a.astype(int) + b) % ring.q)
    assert np.array_equal(ring.sub(a, b), (a.astype(int) - b) % ring.q)


@pytest.mark.parametrize("q", [3329, 65536, 65537, 1 << 32, (1 << 32) + 1, 1 << 62])
def test_nothing_wraps(q):
    """Protects: the least and the greatest coefficients are taken, what is beyond is refused, in each operation
    and by each path."""
    ring = Ring(q=q, f="x^4+1")
    edges = np.array([q - 1, -(q // 2), 0, 1], np.int64)
    assert np.array_equal(ring.canonical(edges), [q - 1, q - q // 2, 0, 1])
    beyond = [(q, "u8"), (-(q // 2) - 1, "i8"), (np.iinfo("i8").min, "i8"), (np.iinfo("u8").max, "u8")]
    if q < 1 << 16:
        beyond.append((q, "u2"))
    for value, dtype in beyond:
        bad = np.zeros(4, dtype)
        bad[3] = value
        for function in [ring.mul, ring.add, ring.sub]:
            for pair in [(bad, edges), (edges, bad), (bad, np.zeros_like(bad)), (bad[None], edges[None])]:
                with pytest.raises(Error, match=f"out of range; accepted: {-(q // 2)} to {q - 1}"):
                    function(*pair)
        for function in [ring.canonical, ring.prepare, ring.inverse]:
            with pytest.raises(Error, match="out of range"):
                function(bad)
    native = np.zeros(4, ring.dtype)
    if q - 1 < np.iinfo(ring.dtype).max:
        native[1] = q
        for function in [ring.mul, ring.add, ring.sub]:
            with pytest.raises(Error, match="out of range"):
                function(native, native)


def test_edges_of_numpy():
    """Protects: shapes, strides, memory and types that are unusual are right or a clear error."""
    ring = Ring("Z_12289[x]/(x^8+1)")
    a, b = ring.random((3, 1), rng=1), ring.random((1, 4), rng=2)
    expected = np.array([[by_flint(ring, x[0], y) for y in b[0]] for x in a])
    assert np.array_equal(ring.mul(a, b), expected)
    # Strides: reversed, transposed, of fields, of zero.
    assert np.array_equal(ring.mul(a[::-1], b), expected[::-1])
    turned = np.asfortranarray(a)
    assert np.array_equal(ring.mul(turned, b), expected)
    fields = np.zeros((3, 1, 8), [("x", "u1"), ("a", "i4")])
    fields["a"] = a
    assert np.array_equal(ring.mul(fields["a"], b), expected)
    same = np.broadcast_to(a[0, 0], (5, 8))
    assert np.array_equal(ring.mul(same, b[0, 0]), np.broadcast_to(expected[0, 0], (5, 8)))
    repeated = np.lib.stride_tricks.as_strided(np.array([3], np.uint16), (8,), (0,))
    assert np.array_equal(ring.mul(repeated, ring.reduce([1])), [3] * 8)
    # Not writeable.
    a.flags.writeable = False
    assert np.array_equal(ring.mul(a, b), expected)
    with pytest.raises(ValueError, match="read-only"):
        ring.mul(a, a, out=a)
    # Results in place of operands, and beside them.
    x, y = ring.random(4, rng=5), ring.random(4, rng=6)
    product = ring.mul(x, y)
    memory = np.concatenate([x, x])
    assert np.array_equal(ring.mul(memory[:4], y, out=memory[2:6]), product)
    into = x.copy()
    assert ring.mul(into, y, out=into) is into and np.array_equal(into, product)
    wide = np.zeros((4, 8), np.int64)
    assert ring.mul(x, y, out=wide) is wide and np.array_equal(wide, product)
    apart = np.zeros((4, 16), np.uint16)[:, ::2]
    assert np.array_equal(ring.mul(x, y, out=apart), product)
    for out, error in [(np.zeros((4, 8), "u1"), TypeError), (np.zeros((4, 8)), TypeError), (np.zeros((3, 8), "u2"), ValueError)]:
        with pytest.raises(error):
            ring.mul(x, y, out=out)
    # Empty, and of another number of coefficients.
    assert ring.mul(x[:0], y[:0]).shape == (0, 8)
    for length in [0, 1, 7, 9]:
        with pytest.raises(Error, match=f"{length} coefficients?, where the ring has 8"):
            ring.mul(np.zeros(length, int), np.zeros(length, int))
    with pytest.raises(ValueError):
        ring.mul(3, x)
    # What is no integer.
    for bad in [x.astype(float), x.astype(complex), x.astype(object), x.astype(bool), [1.5] * 8, ["1"] * 8, [None] * 8]:
        with pytest.raises(TypeError):
            ring.mul(bad, y)
    assert np.array_equal(ring.mul([0, 1] + [0] * 6, list(range(8))), ring.reduce([-7, 0, 1, 2, 3, 4, 5, 6]))


def test_threads():
    """Protects: a batch is the same on any number of threads, by each path."""
    ring = Ring("Z_3329[x]/(x^256+1)")
    a, b = ring.random(37, rng=1), ring.random(37, rng=2)
    expected = ring.mul(a, b)
    for threads in [0, 2, 3, 64]:
        assert np.array_equal(ring.mul(a, b, threads=threads), expected)
        assert np.array_equal(ring.mul(a.astype(int), b[:, :], threads=threads), expected)
        assert np.array_equal(ring.mul(a[:, None], b[None, 0], threads=threads)[0, 0], expected[0])
        assert np.array_equal(ring.mul(a, ring.prepare(b[0]), threads=threads), ring.mul(a, b[:1]))
    a[36, 3] = 3329
    for threads in [1, 3]:
        with pytest.raises(Error, match="out of range"):
            ring.mul(a, b, threads=threads)


def test_any_number_of_threads():
    """Protects: more threads than any system has are no crash, nor are results that have one place in memory."""
    ring = Ring("Z_3329[x]/(x^8+1)")
    a, b = ring.random(5000, rng=1), ring.random(5000, rng=2)
    expected = ring.mul(a, b)
    for first in [a, a.astype(int)]:
        assert np.array_equal(ring.mul(first, b, threads=10**9), expected)
    # All rows in one: whichever is written last, it is a product.
    one = np.zeros(8, np.uint16)
    same = np.lib.stride_tricks.as_strided(one, (5000, 8), (0, 2))
    ring.mul(a[:1], b[:1], out=same, threads=4)
    assert np.array_equal(one, expected[0])
    # Coefficients beside those of other elements.
    beside = np.zeros((8, 5000), np.uint16)
    ring.mul(a, b, out=beside.T, threads=4)
    assert np.array_equal(beside.T, expected)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system how much memory it maps")
def test_no_more_threads():
    """Protects: where the system has no more threads, a batch is computed by those that there are."""
    code = """
import resource, numpy as np
from ringsmith import Ring
ring = Ring("Z_3329[x]/(x^8+1)")
a, b = ring.random(300, rng=1), ring.random(300, rng=2)
expected, wide = ring.mul(a, b), a.astype(int)
mapped = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + (50 << 20)
resource.setrlimit(resource.RLIMIT_AS, (mapped, mapped))
for first in (a, wide):
    assert np.array_equal(ring.mul(first, b, threads=300), expected)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_what_is_no_array():
    """Protects: what has functions of its own, or is no array at all, is right or a clear error."""
    da = pytest.importorskip("dask.array")
    ring = Ring("Z_3329[x]/(x^8+1)")
    a, b = ring.random(3, rng=1), ring.random(rng=2)
    expected = ring.mul(a, b)
    for other in [da.from_array(b), np.ma.array(b), ring(b), b.tolist()]:
        prepared = ring.prepare(other)
        for first in [a, da.from_array(a), np.ma.array(a), a.tolist()]:
            assert np.array_equal(ring.mul(first, prepared), expected)

    class Odd:
        def __array_ufunc__(self, *_, **__):
            return "nothing"

    for function in [ring.prepare, ring.inverse, lambda x: ring.mul(x, ring.prepare(b))]:
        with pytest.raises((Error, TypeError, ValueError)):
            function(Odd())
    for function in [ring._inverses, ring._remainders]:
        for bad in [5, None, "text", [1, 2], a.astype(int), a[0, ::2]]:
            with pytest.raises((Error, TypeError)):
                function(bad)


def test_prepared_for_another_ring():
    """Protects: a prepared factor serves its own ring alone, by whatever route; else it is an error."""
    text = "Z_3329[x]/(x^256+1)"
    ring, by_definition = Ring(text), Ring(text, route="schoolbook")
    a, b = ring.random(2, rng=1), ring.random(rng=2)
    for other in [by_definition, ring]:
        for of in [by_definition, ring]:
            try:
                assert np.array_equal(of.mul(a, other.prepare(b)), ring.mul(a, b[None]))
            except Error as why:
                assert "prepared for another ring" in str(why) and of is not other
    other = Ring("Z_3329[x]/(x^256-1)")
    with pytest.raises(Error, match="prepared for another ring"):
        other.mul(a, ring.prepare(b))


@pytest.mark.parametrize("q", [3329, 65537, (1 << 61) - 1])
def test_matmul(q):
    """Protects: matrices of elements, as sums of products; broadcasting; sums of none."""
    ring = Ring(q=q, f="x^32+1")
    a, b = ring.random((2, 3, 4), rng=1), ring.random((4, 2), rng=2)
    expected = ring.zeros((2, 3, 2))
    for l in range(4):
        expected = ring.add(expected, ring.mul(a[:, :, l, None], b[l, None, :]))
    for threads in [1, 3]:
        assert np.array_equal(ring.matmul(a, b, threads=threads), expected)
    assert np.array_equal(ring.matmul(a.astype(np.uint64)[..., ::-1], b)[0], ring.matmul(a[0, ..., ::-1].copy(), b))
    assert not ring.matmul(a[:, :, :0], b[:0]).any()
    # More elements than memory holds, all in one place.
    huge = np.lib.stride_tricks.as_strided(np.zeros(32, np.uint8), (1, 1 << 50, 32), (0, 0, 1))
    with pytest.raises(MemoryError):
        ring.matmul(huge, huge.swapaxes(0, 1))
    bad = a.copy().astype(np.uint64)
    bad[1, 2, 3, 31] = q
    with pytest.raises(Error, match="out of range"):
        ring.matmul(bad, b)


def test_small():
    """Protects: a promise about second factors is checked, and products are the same with it."""
    ring, any_ring = Ring(q=1 << 40, f="x^100-x-1", small=1), Ring(q=1 << 40, f="x^100-x-1")
    a, b = ring.random(3, rng=1), ring.ternary(3, rng=2)
    assert np.array_equal(ring.mul(a, b), any_ring.mul(a, b))
    assert np.array_equal(ring.mul(a, ring.prepare(b[0]))[0], any_ring.mul(a, b)[0])
    with pytest.raises(Error, match="out of range"):
        ring.mul(b, a)
    assert repr(ring) == "Ring('Z_1099511627776[x]/(x^100-x-1)', small=1)"
    assert pickle.loads(pickle.dumps(ring)).small == 1


def test_errors_of_long_loops():
    """Protects: an error in a loop before which NumPy gave the lock back, by the ring's methods and by NumPy's
    functions, on one thread and on several."""
    ring = Ring("Z_4611686018427387904[x]/(x^20-x-1)")
    a, bad = ring.random(3000, rng=1).astype(np.int64), ring.random(3000, rng=2)
    bad[2999, 7] = ring.q
    row, column = a[None], bad[:, None]
    for call in [
        lambda: ring.mul(a, bad),
        lambda: ring.mul(a, bad, threads=2),
        lambda: ring.add(a, bad),
        lambda: ring.ufunc("mul")(a, bad),
        lambda: ring.canonical(bad),
        lambda: ring.matmul(a[:9, None], bad[None, 2990:]),
        lambda: ring.matmul(row, column, threads=2),
        lambda: ring.ufunc("matmul")(row, column),
    ]:
        for _ in range(3):
            with pytest.raises(Error, match="out of range"):
                call()
    with pytest.raises(Error, match="out of range"):
        Ring("Z_1099511627776[x]/(x^100-x-1)", small=1).matmul(np.full((9, 1, 100), 2), np.full((1, 9, 100), 2))


@pytest.mark.parametrize(
    "text, small",
    [
        ("Z_1099511627776[x]/(x^100-x-1)", 1),
        ("Z_4591[x]/(x^761-2x-1)", 2),
        ("Z_3329[x]/(x^256+1)", 2),
        ("Z_5[x]/(x^128+1)", 1),
        ("Z_4611686018427387904[x]/(x^64+3x+1)", 100),
    ],
)
def test_unchecked(text, small):
    """Protects: without the check a kept promise gives the same products, by every method, and a broken one a wrong
    product at most, in range, or the error where two coefficients are one number."""
    ring, checked = Ring(text, small=small, check=False), Ring(text, small=small)
    a, b, beyond = ring.random(3, rng=1), ring.cbd(small, 3, rng=2), np.full((3, ring.n), ring.q // 2, ring.dtype)
    expected = checked.mul(a, b)
    assert ring.check is False and checked.check and str(ring.plan()).count(", unchecked") == 1
    for name in (None, *(method.name for method in ring.plan().methods)):
        by = Ring(text, small=small, check=False, route=name)
        assert np.array_equal(by.mul(a, b), expected) and np.array_equal(by.mul(a, by.prepare(b[0]))[0], expected[0])
        for second in (beyond, a):
            for product in (by.mul, by.ufunc("mul"), lambda x, y: by.matmul(x[:, None], y[None])):
                try:
                    assert (product(a, second) < ring.q).all(), name
                except Error as error:
                    assert "out of range" in str(error) and "two coefficients a number" in by.route
    with pytest.raises(Error, match="out of range"):
        ring.mul(a, np.full(ring.n, -(ring.q // 2) - 1))
    assert repr(ring) == f"Ring({text!r}, small={small}, check=False)"
    again = pickle.loads(pickle.dumps(ring))
    assert again == ring and again != checked and not again.check
    with pytest.raises(Error, match="none is made"):
        Ring(text, check=False)


def test_inverses():
    """Protects: inverses in fields and modulo powers of primes; what has none says so."""
    for text in ["Z_4591[x]/(x^17-x-1)", "Z_2048[x]/(x^509-1)", "Z_3[x]/(x^20-x-1)", "Z_17[x]/(x-3)"]:
        ring = Ring(text)
        one, rng = ring.reduce([1]), np.random.default_rng(1)
        units = [a for a in (ring.random(rng=rng) for _ in range(40)) if ring.is_unit(a)][:4]
        assert np.array_equal(ring.mul(units, ring.inverse(units)), [one] * len(units)), text
        with pytest.raises(NoInverse, match="no inverse"):
            ring.inverse(ring.zeros())
    with pytest.raises(Error, match="powers of primes"):
        Ring("Z_15[x]/(x^4+1)").inverse([1, 0, 0, 0])


def test_ntt():
    """Protects: the transform's order, that it is a homomorphism, and why a ring has none."""
    for text in ["Z_12289[x]/(x^1024+1)", "Z_12289[x]/(x^64-1)", "Z_1152921504606584833[x]/(x^128+1)"]:
        ring = Ring(text)
        ntt = pickle.loads(pickle.dumps(ring.ntt))
        a, b = ring.random((2, 3), rng=1), ring.random(3, rng=2)
        values = ntt.forward(a)
        assert values.dtype == ring.dtype
        assert np.array_equal(ntt.inverse(values), a)
        assert np.array_equal(ntt.inverse(ntt.pointwise(values, ntt.forward(b))), ring.mul(a, b))
        at = pow(ntt.root, 1, ring.q) if "+1" in text else 1
        assert int(values[0, 0, 0]) == sum(int(c) * pow(at, i, ring.q) for i, c in enumerate(a[0, 0])) % ring.q
    ntt = Ring("Z_12289[x]/(x^64+1)").ntt
    for length in [32, 128]:
        part = np.zeros((2, length), int)
        for function in [ntt.forward, ntt.inverse, lambda x: ntt.pointwise(x, x)]:
            with pytest.raises(Error, match="64"):
                function(part)
    for text in ["Z_3329[x]/(x^512+1)", "Z_12289[x]/(x^761-x-1)", "Z_12288[x]/(x^64+1)"]:
        with pytest.raises(Error):
            Ring(text).ntt


def test_reduce_and_centre():
    """Protects: integers of any size, polynomials of any length, and centred coefficients."""
    ring = Ring("Z_17[x]/(x^3-2)")
    long = [10**40, -1, 5, 7, 0, 3, -(10**30), 8, 9, 11, 2]
    folded = [sum(c * 2 ** (i // 3) for i, c in enumerate(long) if i % 3 == j) % 17 for j in range(3)]
    assert np.array_equal(ring.reduce(long), folded)
    assert np.array_equal(ring.reduce([long, long]), [folded, folded])
    assert np.array_equal(ring.reduce(5), [5, 0, 0])
    line = Ring("Z_17[x]/(x-3)")
    assert line.reduce([1, 1, 1, 1]) == (1 + 3 + 9 + 27) % 17
    for q in [2, 17, 1 << 16, 1 << 32, 1 << 62]:
        other = Ring(q=q, f="x^4+1")
        centred = other.to_centred([0, q // 2, (q - 1) // 2, q - 1])
        assert centred.tolist() == [0, q // 2 - q if q % 2 == 0 else q // 2, (q - 1) // 2, -1]
        assert np.array_equal(other.canonical(centred), [0, q // 2, (q - 1) // 2, q - 1])
    assert not ring.reduce([]).any() and ring.reduce([]).shape == (3,)
    assert np.array_equal(ring.reduce([1 << 63, -1]), [(1 << 63) % 17, 16, 0])
    assert np.array_equal(ring.reduce(10**40), [10**40 % 17, 0, 0]) and ring.x * 10**40 == ring.x * (10**40 % 17)
    for bad in [[0.5], np.array([1.5, 2], object), np.zeros(3), [None], "1", [10**40, 0.5]]:
        with pytest.raises(TypeError):
            ring.reduce(bad)


def test_random_elements():
    """Protects: what random elements are, and that a seed names them."""
    ring = Ring("Z_3329[x]/(x^256+1)")
    assert np.array_equal(ring.random(3, rng=1), ring.random((3,), rng=np.random.default_rng(1)))
    assert ring.random().max() < 3329
    weights = np.count_nonzero(ring.ternary(50, weight=37, rng=1), axis=-1)
    assert (weights == 37).all() and set(np.unique(ring.ternary(50, rng=1))) == {-1, 0, 1}
    draws = ring.cbd(2, 400, rng=1)
    assert draws.dtype == np.int8 and abs(float(draws.var()) - 1.0) < 0.02
    for bad in [lambda: ring.ternary(weight=257), lambda: ring.cbd(-1), lambda: ring.cbd(200)]:
        with pytest.raises(Error):
            bad()


def elements(ring):
    """Elements of a ring, as hypothesis draws them."""
    return st.lists(st.integers(-(ring.q // 2), ring.q - 1), min_size=ring.n, max_size=ring.n).map(
        lambda c: ring.canonical(np.array(c, np.int64))
    )


@pytest.mark.parametrize("text", ["Z_6[x]/(x^5+2x+1)", "Z_12289[x]/(x^32+1)", "Z_4611686018427387904[x]/(x^20-x-1)"])
def test_laws(text):
    """Protects: the laws of a commutative ring."""
    ring = Ring(text)

    @settings(max_examples=40, deadline=None)
    @given(elements(ring), elements(ring), elements(ring))
    def laws(a, b, c):
        add, sub, mul = ring.add, ring.sub, ring.mul
        assert np.array_equal(mul(a, b), mul(b, a))
        assert np.array_equal(mul(mul(a, b), c), mul(a, mul(b, c)))
        assert np.array_equal(mul(a, add(b, c)), add(mul(a, b), mul(a, c)))
        assert np.array_equal(sub(add(a, b), b), a)
        assert np.array_equal(mul(a, ring.reduce([1])), a)

    laws()


def test_elements():
    """Protects: operators of elements, among themselves, with integers and with arrays."""
    ring = Ring("Z_17[x]/(x^4+1)")
    x = ring.x
    assert x**4 == -1 and x**-1 == -(x**3) and 1 / x == x**7 and x / x == 1
    assert 3 - x == -(x - 3) and 2 * x == x + x == np.int64(2) * x
    assert np.arange(4) * x == x * np.arange(4) == ring([-3, 0, 1, 2])
    assert repr(3 * x**3 + x + 5) == "3x^3+x+5" and repr(x - x) == "0"
    assert {x, ring([0, 1])} == {x} and x != ring(1) and x != Ring("Z_19[x]/(x^4+1)").x
    assert pickle.loads(pickle.dumps(x)) == x and len(x) == 4 and x[1] == 1
    assert np.array_equal(ring.mul(x, x), (x * x).coefficients)
    for bad in [lambda: x + 0.5, lambda: x + "1", lambda: x**0.5]:
        with pytest.raises(TypeError):
            bad()
    for bad in [lambda: x + Ring("Z_19[x]/(x^4+1)").x, lambda: ring([[1]])]:
        with pytest.raises(Error):
            bad()
    with pytest.raises(ValueError, match="read-only"):
        x.coefficients[0] = 1


def test_ufuncs():
    """Protects: the functions are NumPy's own kind, live longer than their ring, and refuse what they lack."""
    mul = Ring("Z_17[x]/(x^4+1)").ufunc("mul")
    assert isinstance(mul, np.ufunc) and mul.signature == "(n),(n)->(n)" and mul.nin == 2
    assert mul([0, 1, 0, 0], [0, 0, 0, 1]).tolist() == [16, 0, 0, 0]
    ring = Ring("Z_17[x]/(x^4+1)")
    assert ring.ufunc("mul") is ring.ufunc("mul")
    moved = np.moveaxis(ring.random((2, 3), rng=1), -1, 0)
    assert np.array_equal(
        np.moveaxis(mul(moved, moved, axes=[0, 0, 0]), 0, -1),
        ring.mul(*[np.moveaxis(moved, 0, -1)] * 2),
    )
    with pytest.raises(Error, match="there are: mul, add, sub, matmul, canonical"):
        ring.ufunc("div")


def test_plan():
    """Protects: the table and its data say the same."""
    plan = Ring("Z_4096[x]/(x^743-x-1)").plan()
    text = str(plan)
    assert plan.compiled is None and plan.chosen == plan.methods[0].name and plan.routes == ()
    assert [m.cycles for m in plan.methods] == sorted(m.cycles for m in plan.methods)
    assert "chosen" in text and plan.chosen in text and plan.argument in text
    assert all(why in text for _, why in plan.refused)
    compiled = Ring("Z_3329[x]/(x^256+1)").plan()
    assert compiled.chosen == "rows" and "rows, compiled for this ring" in str(compiled)


def test_bench():
    """Protects: other libraries are measured, and compared: their products are right, or marked as wrong."""
    bench = Ring("Z_12289[x]/(x^64+1)").bench(
        ["numpy.fft", "python-flint", "python-flint, converted"], batch=10, seconds=0.01
    )
    assert all(of.right for of in bench.timings) and len(bench.timings) == 5 and bench.ratio("numpy.fft") > 0
    wrong = Ring("Z_1152921504606584833[x]/(x^64+1)").bench(["numpy.fft"], batch=10, seconds=0.01)
    assert not wrong.timings[2].right and "(wrong)" in str(wrong)
    with pytest.raises(Error, match="nothing is named 'nothing'"):
        Ring("Z_17[x]/(x^4+1)").bench(["nothing"])


def test_whole_products_are_methods(monkeypatch):
    """Protects: the plan lists whole products in lanes of 16 bits, says so where they are chosen, and takes their name."""
    text, checked = "Z_4591[x]/(x^761-2x-1)", 0
    for backend in ("avx512", "avx2", "sse2", "neon", "scalar"):
        monkeypatch.setenv("RINGSMITH_CPU", backend)
        try:
            ring = Ring(text)
        except Error:
            continue
        plan = ring.plan()
        (name,) = [method.name for method in plan.methods if "rows of 16 bits" in method.name]
        assert (name == plan.route) == (name == plan.chosen)
        assert plan.chosen in str(plan)
        by_name, a, b = Ring(text, route=name), ring.random(rng=1), ring.random(rng=2)
        assert by_name.plan().route == name
        assert np.array_equal(by_name.mul(a, b), ring.mul(a, b))
        checked += 1
    assert checked
