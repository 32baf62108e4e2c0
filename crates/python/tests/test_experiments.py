"""Experiments, and that their results do not depend on who runs them."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from math import comb
from multiprocessing import get_context

import numpy as np
import pytest

from ringsmith import Error, Ring, experiments
from ringsmith.experiments import Model, bit_failures, failures, noise, seeds

#: A model that fails now and then.
WEAK = Model("Z_3329[x]/(x^512+1)", eta=20, eta_ciphertext=20, bits_v=3, copies=2)


def test_schemes_do_not_fail():
    """Protects: of every kind of scheme some run through, from the same seeds."""
    for name in ["ML-KEM-512", "NewHope-CPA-512", "NewHope-Compact-768", "NewHope-ADPS", "ees743ep1", "ntruhps2048509"]:
        assert failures(name, seeds(3), threads=2) == 0, name
    for none in [[1], seeds(0)]:
        with pytest.raises(Error, match="no scheme is named 'magic'"):
            failures("magic", none)


def test_variance():
    """Protects: noise has the variance that the model's distributions have."""
    ring, k = "Z_3329[x]/(x^256+1)", 2
    model = Model(ring, rank=3, eta=k, eta_ciphertext=k)
    # 2 n rank products of two numbers of variance k / 2 each, and e2.
    expected = 2 * 256 * 3 * (k / 2) ** 2 + k / 2
    assert abs(noise(model, seeds(200)).variance() / expected - 1) < 0.03
    # Compression of v to 4 bits adds a uniform error of q / 16.
    compressed = Model(ring, rank=3, eta=k, eta_ciphertext=k, bits_v=4)
    assert abs(noise(compressed, seeds(200)).variance() / (expected + (3329 / 16) ** 2 / 12) - 1) < 0.03


def test_tiny_moduli():
    """Protects: noise that is greater than the modulus is taken modulo it, as in its exact distribution."""
    for q, eta in [(3, 8), (5, 24)]:
        # Without a secret, noise is that of one centred binomial number.
        histogram = noise(Model(f"Z_{q}[x]/(x^1024+1)", eta=0, eta_ciphertext=eta), seeds(200))
        expected = np.zeros(q)
        for x in range(-eta, eta + 1):
            expected[(x + q // 2) % q] += comb(2 * eta, eta + x) / 4**eta
        total = 200 * 1024
        assert np.abs(histogram.counts - total * expected).max() < 5 * (total * 0.25) ** 0.5


@pytest.mark.parametrize("name", experiments.MODELS)
def test_models(name):
    """Protects: each scheme's model has its ring, counts all coefficients, and does not fail."""
    model, histogram = Model.of(name), noise(name, seeds(2))
    assert int(histogram.counts.sum()) == 2 * Ring(model.ring).n
    assert failures(model, seeds(2)) == bit_failures(name, seeds(2)) == 0
    assert pickle.loads(pickle.dumps(model)) == model


def test_seeds():
    """Protects: results are sums over seeds, on any number of threads and in any order."""
    all_seeds = seeds(60, root=7)
    assert len(set(all_seeds.tolist())) == 60
    whole, parts = noise(WEAK, all_seeds), [noise(WEAK, part, threads=3) for part in np.array_split(all_seeds[::-1], 4)]
    assert whole == sum(parts[1:], parts[0]) == pickle.loads(pickle.dumps(whole)) and whole != parts[0]
    count = failures(WEAK, all_seeds)
    assert 0 < count < 60 and count == sum(failures(WEAK, [seed]) for seed in all_seeds)
    assert bit_failures(WEAK, all_seeds, threads=2) >= count
    for bad in [dict(rank=0), dict(eta=33), dict(copies=3), dict(bits_u=62)]:
        with pytest.raises(Error, match="a model has"):
            noise(Model("Z_3329[x]/(x^256+1)", **bad), [1])
    for bad in [[-1], [0.5], "seed"]:
        with pytest.raises(Error, match="seeds are integers"):
            noise(WEAK, bad)
    with pytest.raises(Error, match="have no sum"):
        noise(WEAK, all_seeds[:1]) + noise("ML-KEM-512", all_seeds[:1])
    large = Model("Z_2147483647[x]/(x^16+1)")
    assert failures(large, all_seeds) == 0
    with pytest.raises(Error, match="at most 2\\^24"):
        noise(large, [1])
    with pytest.raises(Error, match="no model of noise is named 'magic'"):
        noise("magic", [1])


def block(part):
    """The work of a block of seeds: what is sent to workers."""
    return np.array([failures(WEAK, part)], np.int64)


def test_dask():
    """Protects: the scan of docs/python.md, on Dask's threads and processes: what both say is the same."""
    da = pytest.importorskip("dask.array")
    distributed = pytest.importorskip("distributed")
    all_seeds = seeds(40)
    expected = failures(WEAK, all_seeds)
    work = da.from_array(all_seeds, chunks=10).map_blocks(block, dtype=np.int64, chunks=(1,)).sum()
    assert work.compute(scheduler="threads") == expected
    with distributed.LocalCluster(2, processes=True, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster):
            assert work.compute() == expected


def test_products_on_dask():
    """Protects: arrays of Dask's are multiplied block by block, lazily."""
    da = pytest.importorskip("dask.array")
    ring = Ring("Z_12289[x]/(x^64+1)")
    a, b = ring.random(20, rng=1), ring.random(20, rng=2)
    x, y = da.from_array(a, chunks=(6, 64)), da.from_array(b, chunks=(6, 64))
    expected = ring.mul(a, b)
    for scheduler in ["threads", "processes"]:
        blocks = da.map_blocks(ring.mul, x, y, dtype=ring.dtype)
        assert np.array_equal(blocks.compute(scheduler=scheduler), expected)
    lazy = da.apply_gufunc(ring.mul, "(n),(n)->(n)", x, y, output_dtypes=ring.dtype)
    assert np.array_equal(lazy.compute(scheduler="threads"), expected)


def test_processes():
    """Protects: rings and models go to worker processes, and come back."""
    ring = Ring("Z_4591[x]/(x^761-x-1)")
    a, b = ring.random(6, rng=1), ring.random(6, rng=2)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert np.array_equal(list(pool.map(ring.mul, a, b)), ring.mul(a, b))
        assert sum(int(x[0]) for x in pool.map(block, seeds(8)[:, None])) == failures(WEAK, seeds(8))


@pytest.mark.exhaustive
def test_ray(monkeypatch):
    """Protects: the same on Ray."""
    # A cluster of this machine alone: no token is written to the user's folder.
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        remote = ray.remote(failures)
        counts = ray.get([remote.remote(WEAK, part) for part in np.array_split(seeds(40), 4)])
        assert sum(counts) == failures(WEAK, seeds(40))
    finally:
        ray.shutdown()
