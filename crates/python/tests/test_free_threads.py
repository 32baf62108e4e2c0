"""Eight threads at once, with Python's lock and, on a free-threaded interpreter, without one."""

import os
import random
import subprocess
import sys
import sysconfig
import threading
import time
import warnings

import numpy as np
import pytest

from ringsmith import Error, InvalidSignature, Ring, _schemes, experiments, files, schemes

THREADS = 8
#: Elements of 16, 32 and 64 bits, compiled rings and planned ones.
RINGS = [
    "Z_3329[x]/(x^256+1)",
    "Z_4591[x]/(x^761-x-1)",
    "Z_12289[x]/(x^1024+1)",
    "Z_2048[x]/(x^509-1)",
    "Z_65537[x]/(x^64+1)",
    "Z_1000003[x]/(x^100-x^3-2)",
    "Z_4611686018427387847[x]/(x^128+1)",
]


def at_once(work, count=THREADS):
    """What each thread of so many returns, which begin at the same time; the first exception of one."""
    start, results, errors = threading.Barrier(count), [None] * count, []

    def run(i):
        try:
            start.wait()
            results[i] = work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    if errors:
        raise errors[0]
    return results


def by_definition(ring, a, b):
    """The product, of Python's integers: n sums, and then a division by f."""
    n, c = ring.n, np.convolve(a.astype(object), b.astype(object))
    for i in reversed(range(n, len(c))):
        for exponent, factor in ring.f.items():
            if exponent < n:
                c[i - n + exponent] -= factor * c[i]
    return (c[:n] % ring.q).astype(ring.dtype)


def test_the_lock_stays_off():
    """Protects: a free-threaded interpreter that imports the package runs on without a lock."""
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter has a lock")
    code = "import sys, ringsmith.files, ringsmith.schemes; print(sys._is_gil_enabled())"
    settings = {name: value for name, value in os.environ.items() if name != "PYTHON_GIL"}
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=settings)
    assert (run.stdout, run.stderr) == ("False\n", "")


@pytest.mark.parametrize("text", RINGS)
def test_products(text):
    """Protects: a ring that threads share, and a factor prepared in it, give each of them the product by
    definition; universal functions and rings for sums are made once or discarded, whoever comes first."""
    definition = Ring(text)
    factors = definition.random(2 * THREADS, rng=1)
    expected = [by_definition(definition, factors[2 * i], factors[2 * i + 1]) for i in range(THREADS)]
    for _ in range(3):
        # New each time: nothing of it was asked for before.
        ring = Ring(text)
        sums = [ring.zeros() for _ in range(THREADS)]
        prepared = ring.prepare(factors[1])

        def work(i):
            a, b = factors[2 * i].copy(), factors[2 * i + 1].copy()
            out = ring.zeros()
            for _ in range(20):
                assert np.array_equal(ring.mul(a, b), expected[i])
                assert ring.mul(a, b, out=out) is out and np.array_equal(out, expected[i])
                assert np.array_equal(ring.mul(a.astype(np.uint64), b), expected[i])
                assert np.array_equal(ring.mul(factors[0], prepared), expected[0])
                assert np.array_equal(ring.sub(ring.add(a, b), b), a)
            assert np.array_equal(ring.mul(np.stack([a] * 64), np.stack([b] * 64), threads=2)[63], expected[i])
            # A sum of i + 1 products.
            row, column = np.stack([a] * (i + 1))[None], np.stack([b] * (i + 1))[:, None]
            sums[i] = ring.matmul(row, column)[0, 0]

        at_once(work)
        for i, total in enumerate(sums):
            assert np.array_equal(total, expected[i].astype(object) * (i + 1) % ring.q)


def test_planning():
    """Protects: rings that are planned at once, the same and others, by route and without, are those of one thread."""
    routes = Ring(RINGS[0]).plan().routes
    work = [(text, None) for text in RINGS] + [(RINGS[0], route) for route in routes]
    expected = [(ring.route, ring.mul(ring.random(rng=1), ring.random(rng=2))) for ring in (Ring(t, route=r) for t, r in work)]

    def plan(i):
        for place in range(len(work)):
            place = (place + i) % len(work)
            text, route = work[place]
            ring = Ring(text, route=route)
            assert ring.route == expected[place][0]
            assert np.array_equal(ring.mul(ring.random(rng=1), ring.random(rng=2)), expected[place][1])

    at_once(plan)


def test_inverses_and_transforms():
    """Protects: inverses and transforms that threads share."""
    ring, units = Ring("Z_12289[x]/(x^256+1)"), Ring("Z_2048[x]/(x^509-1)")
    unit = next(u for u in (units.ternary(rng=seed) for seed in range(100)) if units.is_unit(u))
    a, b, inverse, ntt = ring.random(16, rng=1), ring.random(16, rng=2), units.inverse(unit), ring.ntt
    product = ring.mul(a, b)

    def work(i):
        for _ in range(5):
            assert np.array_equal(ntt.inverse(ntt.pointwise(ntt.forward(a), ntt.forward(b))), product)
            assert np.array_equal(units.inverse(unit), inverse)

    at_once(work)


def test_shared_out():
    """Protects: of calls that write one array, or read what another one writes, each goes on alone or is an
    error that says so; what is read is never a mixture of two results."""
    ring = Ring(RINGS[2])
    factors = ring.random((THREADS, 2, 8), rng=1)
    products = [ring.mul(x, y) for x, y in factors]
    shared, zero = products[0].copy(), ring.zeros(8)

    def once(i):
        if i % 2 == 0:
            return ring.mul(*factors[i], out=shared)
        seen = ring.add(shared, zero)
        assert any(np.array_equal(seen, product) for product in products)

    def work(i):
        done = 0
        while done < 30:
            try:
                once(i)
                done += 1
            except RuntimeError as error:
                assert "another thread's call" in str(error)
            # The others have their turn.
            time.sleep(random.uniform(0, 0.001))

    at_once(work)
    assert any(np.array_equal(shared, product) for product in products)


def in_the_background(action):
    """A thread that does something, and has begun."""
    thread = threading.Thread(target=action)
    thread.start()
    return thread


def test_a_busy_array():
    """Protects: while a thread multiplies, nobody writes to its operands or uses its result, by any path; what
    it only reads, all read; rows with gaps and the array itself, once the call has ended, are free."""
    ring = Ring(RINGS[2], route="schoolbook, divided term by term")
    a, b, out, other = ring.random(400, rng=1), ring.random(400, rng=2), ring.zeros(400), ring.zeros(400)
    x, prepared = ring.random(400, rng=3), ring.prepare(b[0])
    written, read = "the array that is to be written is in use", "an operand is being written"
    busy = [
        (written, lambda: ring.add(x, x, out=out)),
        (written, lambda: ring.add(x, x, out=a)),
        (written, lambda: ring.canonical(x[0], out=out[399])),
        (written, lambda: ring.add(x.astype(int), x, out=b)),
        (read, lambda: ring.add(out, x)),
        (read, lambda: ring.add(out[7], x[0])),
        (read, lambda: ring.sub(x, out.view(), out=other)),
        (read, lambda: ring.mul(out[:1], prepared)),
        (read, lambda: ring.matmul(out[:1, None, None], x[:1, None, None])),
    ]
    for _ in range(20):
        thread = in_the_background(lambda: ring.mul(a, b, out))
        seen = []
        for says, action in busy:
            try:
                action()
            except RuntimeError as error:
                assert says in str(error) and str(error).endswith("by another thread's call")
                seen.append(says)
        free = [ring.add(a, b, out=other), ring.mul(a[:1], prepared)]
        was_busy = thread.is_alive()
        thread.join()
        # A machine that is busy may start the thread too late, and all of it may have ended meanwhile.
        if was_busy and len(seen) == len(busy):
            break
    else:
        pytest.fail("no call met the one of another thread")
    assert len(free) == 2
    for _, action in busy:
        action()


def test_rows_of_one_array():
    """Protects: threads that write parts of one array, side by side or each its eighth row, do not meet."""
    ring = Ring(RINGS[2])
    a, b = ring.random(64, rng=1), ring.random(64, rng=2)
    expected, side, every = ring.mul(a, b), ring.zeros(64), ring.zeros(64)

    def work(i):
        for _ in range(20):
            here, eighth = slice(8 * i, 8 * i + 8), slice(i, None, THREADS)
            ring.mul(a[here], b[here], out=side[here])
            ring.mul(a[eighth], b[eighth], out=every[eighth])

    at_once(work)
    assert np.array_equal(side, expected) and np.array_equal(every, expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_while_an_array_is_written():
    """Protects: the calls of a parent's threads are none of its child's, whose memory is its own."""
    ring = Ring(RINGS[2], route="schoolbook, divided term by term")
    a, b, out = ring.random(400, rng=1), ring.random(400, rng=2), ring.zeros(400)
    expected = ring.add(a, b)
    thread = in_the_background(lambda: ring.mul(a, b, out))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        try:
            os._exit(0 if np.array_equal(ring.add(a, b, out=out), expected) else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    thread.join()


def test_classes_that_are_made_at_once(monkeypatch):
    """Protects: threads that ask for a scheme's classes first get the same ones, whose keys belong together."""
    class Slow(dict):
        """A table into which threads put things in any order."""

        def setdefault(self, key, value):
            time.sleep(random.uniform(0, 0.002))
            return super().setdefault(key, value)

    monkeypatch.setattr(_schemes, "_MADE", Slow())
    find = [(schemes.kem, name) for name in _schemes._ringsmith.KEMS]
    find += [(schemes.signature, name) for name in _schemes._ringsmith.SIGNATURES]
    found = at_once(lambda i: [of(name) for of, name in find])
    assert all(of == found[0] for of in found)
    assert all(pair.private_key._public is pair.public_key for pair in found[0])


@pytest.mark.parametrize("name", ["ML-KEM-768", "sntrup761", "ntruhps2048509", "NewHope-CCA-512", "X-Wing"])
def test_keys(name):
    """Protects: keys that threads generate, and one that they share."""
    private_key, public_key = schemes.kem(name)
    ours = private_key.generate()
    public = ours.public_key()

    def work(i):
        made = set()
        for _ in range(10):
            own = private_key.generate()
            for key, of in [(own, own.public_key()), (ours, public)]:
                secret, ciphertext = of.encapsulate()
                assert key.decapsulate(ciphertext) == secret
                made |= {secret, own.private_bytes_raw()}
            assert public_key(of.public_bytes_raw()) == public
        return made

    made = at_once(work)
    # 10 keys of each thread, and 20 secrets: no two are the same.
    assert len(set.union(*made)) == THREADS * 30


@pytest.mark.parametrize("name", _schemes._ringsmith.SIGNATURES)
def test_signatures(name):
    """Protects: keys of signatures that threads generate, one that they share, and its deterministic signatures."""
    private_key, public_key = schemes.signature(name)
    ours = private_key.generate()
    expected = [ours.sign(b"letter %d" % i, b"letters", deterministic=True) for i in range(THREADS)]

    def work(i):
        letter = b"letter %d" % i
        for _ in range(10):
            own = private_key.generate()
            for key in (own, ours):
                key.public_key().verify(key.sign(bytearray(letter), b"letters"), letter, b"letters")
            assert ours.sign(letter, b"letters", deterministic=True) == expected[i]
            with pytest.raises(InvalidSignature):
                own.public_key().verify(expected[i], letter, b"letters")
            assert public_key.from_pem(ours.public_key().public_bytes_pem()) == ours.public_key()

    at_once(work)


def test_encryption():
    """Protects: a key of public-key encryption that threads share."""
    key = schemes.Ees743ep1PrivateKey.generate()

    def work(i):
        for _ in range(10):
            assert key.decrypt(key.public_key().encrypt(b"letter %d" % i)) == b"letter %d" % i

    at_once(work)


def test_an_offer_serves_once():
    """Protects: of threads that finish one exchange at once, one has the secret; to the others it is gone."""
    for name in _schemes._ringsmith.EXCHANGES:
        Exchange = schemes.exchange(name)
        alice = Exchange.generate()
        secret, response = Exchange.respond(alice.offer())

        def work(i):
            try:
                return alice.finish(response)
            except Error as error:
                assert str(error) == "the secret of an offer serves one response, and is gone"

        assert sorted(at_once(work), key=bool) == [None] * (THREADS - 1) + [secret]


def test_files(tmp_path):
    """Protects: threads that encrypt files, each its own; of those that write one file, one does."""
    identity, recipient = files.generate_identity()
    letter = tmp_path / "letter"
    letter.write_bytes(bytes(range(256)) * 1000)

    def work(i):
        secret, back = tmp_path / f"{i}.age", tmp_path / f"{i}.txt"
        files.encrypt_file(letter, secret, recipient, armor=bool(i % 2))
        files.decrypt_file(secret, back, identity)
        assert back.read_bytes() == letter.read_bytes()
        assert files.decrypt(files.encrypt(b"%d" % i, recipient), identity) == b"%d" % i
        try:
            files.encrypt_file(letter, tmp_path / "one.age", recipient)
        except FileExistsError:
            return 0
        return 1

    assert sum(at_once(work)) == 1
    assert files.decrypt((tmp_path / "one.age").read_bytes(), identity) == letter.read_bytes()
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".tmp")]


def test_experiments():
    """Protects: counts of experiments that run at once, on threads of their own, too."""
    seeds, model = experiments.seeds(40), experiments.Model("Z_3329[x]/(x^512+1)", eta=20, eta_ciphertext=20, bits_v=3, copies=2)
    expected = (experiments.failures(model, seeds), experiments.noise("ML-KEM-512", seeds), experiments.failures("NewHope-CPA-512", seeds))

    def work(i):
        return (
            experiments.failures(model, seeds, threads=2),
            experiments.noise("ML-KEM-512", seeds, threads=2),
            experiments.failures("NewHope-CPA-512", seeds, threads=2),
        )

    assert all(result == expected for result in at_once(work))
