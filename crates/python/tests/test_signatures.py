"""Signatures in the shape of PyCA's."""

import copy
import hashlib
import json
import mmap
import os
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
from cryptography.exceptions import InvalidSignature as TheirInvalidSignature
from cryptography.hazmat.primitives import serialization as s

from ringsmith import Error, InvalidSignature, _ringsmith, schemes
from test_package import has_a_turn

try:
    from cryptography.hazmat.primitives.asymmetric import mldsa
except ImportError:
    mldsa = None

SETS = list(_ringsmith.SIGNATURES)
SIZES = {"ML-DSA-44": (1312, 2560, 2420), "ML-DSA-65": (1952, 4032, 3309), "ML-DSA-87": (2592, 4896, 4627)}
SEED, MESSAGE = bytes(range(32)), b"a message"
each = pytest.mark.parametrize("name", SETS)


def refused(public, signature, data=MESSAGE, context=None):
    with pytest.raises(InvalidSignature, match="^the signature was not made of this message with this key$"):
        public.verify(signature, data, context)


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@each
def test_laws(name):
    """Protects: sizes; a signature is one of its data, key and context alone; hedged ones differ, deterministic ones
    do not."""
    Private, Public = schemes.signature(name.lower())
    key, other = Private.generate(), Private.generate()
    public = key.public_key()
    signature = key.sign(MESSAGE)
    sizes = (len(public.public_bytes_raw()), len(key.private_bytes_long()), len(signature))
    assert sizes == SIZES[name] == (Public.PUBLIC_KEY_BYTES, Private.PRIVATE_KEY_BYTES, Public.SIGNATURE_BYTES)
    assert len(key.private_bytes_raw()) == Private.SEED_BYTES == 32
    for context in (None, b"", b"c", b"c" * 255, bytearray(b"c"), memoryview(b"c")):
        made = key.sign(MESSAGE, context)
        assert public.verify(made, MESSAGE, context=context) is None
        refused(public, made, MESSAGE, b"another")
        refused(public, made, b"another message", context)
        refused(other.public_key(), made, MESSAGE, context)
    # No context is the empty one.
    public.verify(key.sign(MESSAGE, b""), MESSAGE)
    assert key.sign(MESSAGE) != key.sign(MESSAGE)
    assert key.sign(MESSAGE, deterministic=True) == key.sign(MESSAGE, b"", deterministic=True)
    public.verify(key.sign(MESSAGE, deterministic=True), MESSAGE)
    # What is altered is none, wherever that is; nor is what has another length.
    for at in (0, 1, 40, len(signature) // 2, len(signature) - 1):
        refused(public, flipped(signature, at))
    for bad in (b"", signature[:-1], signature + b"\0", bytes(len(signature)), b"\xff" * len(signature)):
        refused(public, bad)
    refused(Public.from_public_bytes(flipped(public.public_bytes_raw(), 40)), signature)


@each
def test_keys(name):
    """Protects: keys survive every encoding, and are those of their seed; public keys alone are pickled."""
    Private, Public = schemes.signature(name)
    key = Private.from_seed_bytes(SEED)
    public, expected = key.public_key(), key.sign(MESSAGE, deterministic=True)
    long = Private.from_private_bytes(key.private_bytes_long())
    assert key.private_bytes_raw() == SEED and long.private_bytes_raw() == key.private_bytes_long()
    for of in (key, long):
        pem, der = of.private_bytes_pem(), of.private_bytes_der()
        for read in (of, Private.from_pem(pem), Private.from_pem(pem.decode()), Private.from_der(bytearray(der))):
            assert read.public_key() == public and read.sign(MESSAGE, deterministic=True) == expected
            assert read.private_bytes_raw() == of.private_bytes_raw() and read.private_bytes_pem() == pem
    assert len(key.private_bytes_der()) == 54 and Private.from_private_bytes(SEED).public_key() == public
    pem, der = public.public_bytes_pem(), public.public_bytes_der()
    copies = [pickle.loads(pickle.dumps(public)), copy.copy(public), copy.deepcopy(public)]
    for read in (Public.from_pem(pem), Public.from_der(der), Public.from_public_bytes(public.public_bytes_raw()), *copies):
        assert read == public and hash(read) == hash(public) and type(read) is Public
        read.verify(expected, MESSAGE)
    assert repr(key) == f"<{Private.__name__}>" and SEED.hex()[:8] not in repr(key._key) and "PublicKey" in repr(public)
    for function in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="are not pickled"):
            function(key)
        with pytest.raises(TypeError):
            function(key._key)


@each
def test_bad_keys(name):
    """Protects: what is no key of the set is refused with a sentence, and no number or text is taken for bytes."""
    Private, Public = schemes.signature(name)
    key, others = Private.from_seed_bytes(SEED), [schemes.signature(other).private_key for other in SETS if other != name]
    public, long = key.public_key(), key.private_bytes_long()
    with pytest.raises(Error, match="^a seed of 31 bytes, where the scheme has 32$"):
        Private.from_seed_bytes(SEED[:-1])
    with pytest.raises(Error, match="^a public key of 5 bytes, where the scheme has"):
        Public.from_public_bytes(b"short")
    for read, bad in [
        (Private.from_private_bytes, long[:-1]),
        # A coefficient of the secret that is out of range, and a hash of another public key.
        (Private.from_private_bytes, long[:128] + b"\xff" * 100 + long[228:]),
        (Private.from_private_bytes, flipped(long, 70)),
        (Private.from_der, key.private_bytes_der()[:-1]),
        (Private.from_der, public.public_bytes_der()),
        (Private.from_pem, public.public_bytes_pem()),
        (Private.from_pem, SEED),
        (Private.from_pem, key.private_bytes_pem()[:-40]),
        (Public.from_der, key.private_bytes_der()),
        (Public.from_pem, key.private_bytes_pem()),
        (Public.from_pem, public.public_bytes_raw()),
    ]:
        with pytest.raises(Error) as caught:
            read(bad)
        assert SEED.hex()[:8] not in str(caught.value)
    for other in others:
        theirs = other.from_seed_bytes(SEED)
        for read, bad in [(Private.from_pem, theirs.private_bytes_pem()), (Public.from_pem, theirs.public_key().public_bytes_pem())]:
            with pytest.raises(Error, match=f"{theirs.NAME}"):
                read(bad)
        # Another set's signature has another length, and its hasher another key.
        refused(public, theirs.sign(MESSAGE))
        hasher = schemes.MLDSAMuHasher(theirs.public_key())
        with pytest.raises(InvalidSignature):
            public.verify_mu(key.sign(MESSAGE), hasher.finalize())
    for function in (Private.from_seed_bytes, Private.from_private_bytes, Private.from_der, Public.from_public_bytes, Public.from_der):
        for bad in (32, "text", None, [0] * 32):
            with pytest.raises(TypeError):
                function(bad)


@each
def test_bad_arguments(name):
    """Protects: a context that is too long is a ValueError with a sentence; no number or text is signed as bytes."""
    key = schemes.signature(name).private_key.from_seed_bytes(SEED)
    public, signature = key.public_key(), key.sign(MESSAGE)
    digest = hashlib.sha512(MESSAGE).digest()
    for call in [
        lambda context: key.sign(MESSAGE, context),
        lambda context: public.verify(signature, MESSAGE, context),
        lambda context: key.sign_prehashed(digest, "sha512", context),
        lambda context: public.verify_prehashed(signature, digest, "sha512", context),
        lambda context: schemes.MLDSAMuHasher(public, context),
    ]:
        with pytest.raises(ValueError, match="^a context of 256 bytes, where at most 255 are possible$"):
            call(b"c" * 256)
        for bad in (1, "text", [0]):
            with pytest.raises(TypeError):
                call(bad)
    for mu in (b"", bytes(63), bytes(65)):
        for call in (key.sign_mu, lambda mu: public.verify_mu(signature, mu)):
            with pytest.raises(ValueError, match=f"^a mu of {len(mu)} bytes, where the scheme has 64$"):
                call(mu)
    for bad in (9, "text", None, [0] * 64):
        for call in [
            key.sign,
            key.sign_mu,
            lambda bad: public.verify(bad, MESSAGE),
            lambda bad: public.verify(signature, bad),
            lambda bad: public.verify_mu(signature, bad),
            lambda bad: key.sign_prehashed(bad, "sha512"),
            lambda bad: schemes.MLDSAMuHasher(public).update(bad),
            lambda bad: schemes.MLDSAMuHasher(bad),
        ]:
            with pytest.raises(TypeError):
                call(bad)
    with pytest.raises(TypeError):
        key.sign(MESSAGE, b"", True)
    with pytest.raises(TypeError):
        key.sign(MESSAGE, deterministic="yes")


@each
def test_data_of_every_kind(name):
    """Protects: bytes, whatever object has them, and in whatever pieces, have one signature."""
    key = schemes.signature(name).private_key.from_seed_bytes(SEED)
    for length in (0, 1, 136, 1 << 18, (1 << 18) + 1, 1_000_003):
        array = np.arange(length, dtype=np.uint32).astype(np.uint8)
        data = bytes(array)
        expected = key.sign(data, b"c", deterministic=True)
        wide = np.zeros((length, 2), np.uint8)
        wide[:, 1] = array
        for of in (bytearray(data), memoryview(data), array, wide[:, 1], memoryview(array)[::1], array.reshape(1, length)):
            assert key.sign(of, b"c", deterministic=True) == expected
        hasher = schemes.MLDSAMuHasher(key.public_key(), b"c")
        for at in range(0, length, 77_777):
            hasher.update(bytearray(data[at : at + 77_777]))
        mu = hasher.finalize()
        assert len(mu) == 64 and key.sign_mu(mu, deterministic=True) == expected
        key.public_key().verify_mu(key.sign_mu(bytearray(mu)), mu)
        for call in (lambda: hasher.update(b"more"), hasher.finalize):
            with pytest.raises(Error, match="^the message is finished, and takes no more pieces$"):
                call()
    words = np.arange(1000, dtype=">u4")
    assert key.sign(words, deterministic=True) == key.sign(words.tobytes(), deterministic=True)
    with mmap.mmap(-1, 4096) as pages:
        assert key.sign(pages, deterministic=True) == key.sign(bytes(4096), deterministic=True)


@each
def test_mu(name):
    """Protects: mu is the hash of FIPS 204, algorithms 6 and 7, by hashlib."""
    key = schemes.signature(name).private_key.from_seed_bytes(SEED)
    of_key = hashlib.shake_256(key.public_key().public_bytes_raw()).digest(64)
    for context in (b"", b"c" * 255):
        hasher = schemes.MLDSAMuHasher(key.public_key(), context)
        hasher.update(MESSAGE)
        assert hasher.finalize() == hashlib.shake_256(of_key + bytes([0, len(context)]) + context + MESSAGE).digest(64)


@each
def test_digests(name):
    """Protects: HashML-DSA by every hash of the standard, and that no digest's signature is one of data."""
    key = schemes.signature(name).private_key.from_seed_bytes(SEED)
    public = key.public_key()
    of_key = hashlib.shake_256(public.public_bytes_raw()).digest(64)
    last = {"sha256": 1, "sha384": 2, "sha512": 3, "sha224": 4, "sha512_224": 5, "sha512_256": 6, "sha3_224": 7, "sha3_256": 8}
    last |= {"sha3_384": 9, "sha3_512": 10, "shake_128": 11, "shake_256": 12}
    assert set(last) == set(schemes.PREHASHES)
    for algorithm in schemes.PREHASHES:
        hashed = hashlib.new(algorithm, MESSAGE)
        digest = hashed.digest({"shake_128": 32, "shake_256": 64}[algorithm]) if "shake" in algorithm else hashed.digest()
        signature = key.sign_prehashed(digest, algorithm, b"c")
        public.verify_prehashed(signature, digest, algorithm, b"c")
        # FIPS 204, algorithm 4: the hash's object identifier stands before the digest.
        oid = bytes.fromhex("06096086480165030402") + bytes([last[algorithm]])
        public.verify_mu(signature, hashlib.shake_256(of_key + b"\x01\x01c" + oid + digest).digest(64))
        refused(public, signature, digest, b"c")
        refused(public, signature, MESSAGE, b"c")
        for bad in [(flipped(digest, 0), algorithm, b"c"), (digest, algorithm, b"d")]:
            with pytest.raises(InvalidSignature):
                public.verify_prehashed(signature, *bad)
        with pytest.raises(Error, match=f"^a digest of {len(digest) - 1} bytes, where SH.* gives {len(digest)}$"):
            key.sign_prehashed(digest[1:], algorithm)
    same = [key.sign_prehashed(bytes(28), of, deterministic=True) for of in ("sha512_224", "SHA2-512/224", "SHA512_224")]
    assert same[0] == same[1] == same[2] != key.sign_prehashed(bytes(28), "sha224", deterministic=True)
    with pytest.raises(Error, match="no hash is named 'md5'; schemes.PREHASHES lists them"):
        key.sign_prehashed(bytes(16), "md5")


#: SHA-256 of the public key and of signatures 1, 3 and 4 of Wycheproof's files (mldsa_44_sign_seed_test,
#: mldsa_65_sign_noseed_test, mldsa_87_sign_seed_test).
PUBLISHED = {
    "ML-DSA-44": "42ea519c6da141e0905de0c5dcca4fcff9da1cdca08825ca4fb7867ea94d5d8c",
    "ML-DSA-65": "1c3e6c4b386d6c2fdd7279de118b065bb006014595a5b055f6f535c1c5b547cb",
    "ML-DSA-87": "81439ce3d8c21e8c761b868e4ea3832e81aac3d2645603bce97493eb8f6f8ca6",
}


@each
def test_published_digests(name):
    """Protects: every byte of a published key and of its signatures."""
    key = schemes.signature(name).private_key.from_seed_bytes(b"\x2a" * 32)
    signatures = [key.sign(b"Hello world", context, deterministic=True) for context in (b"", b"Context", b"A" * 255)]
    assert hashlib.sha256(key.public_key().public_bytes_raw() + b"".join(signatures)).hexdigest() == PUBLISHED[name]


def vectors(file):
    """Groups and cases of a published file."""
    root = os.environ.get("RINGSMITH_VECTORS")
    if not root:
        pytest.skip("RINGSMITH_VECTORS is not set")
    lzma = pytest.importorskip("lzma")
    contents = json.loads(lzma.open(Path(root) / "mldsa" / f"{file}.json.xz").read())
    return [(group, case) for group in contents["testGroups"] for case in group["tests"]]


def mu_of_case(public, group, case):
    """What is signed in a case; the standard's internal functions take data without a context."""
    if group.get("externalMu"):
        return bytes.fromhex(case["mu"])
    data = bytes.fromhex(case["message"])
    if group["signatureInterface"] == "internal":
        return hashlib.shake_256(hashlib.shake_256(public.public_bytes_raw()).digest(64) + data).digest(64)
    context = bytes.fromhex(case["context"])
    if group["preHash"] == "preHash":
        algorithm = case["hashAlg"].lower().replace("sha2-", "sha").replace("-", "_").replace("/", "_")
        length = {"shake_128": (32,), "shake_256": (64,)}.get(algorithm, ())
        return public._digest_mu(hashlib.new(algorithm, data).digest(*length), case["hashAlg"], context)
    return public._mu(data, context)


@each
def test_published_signatures(name):
    """Protects: signatures of NIST's ACVP files, in every form of the standard; those with randomness are verified."""
    Private, count = schemes.signature(name).private_key, 0
    for group, case in vectors("acvp_sigGen_tr1_seed_a"):
        if group["parameterSet"] == name:
            key = Private.from_seed_bytes(bytes.fromhex(case["seed"]))
            mu, expected = mu_of_case(key.public_key(), group, case), bytes.fromhex(case["signature"])
            if group["deterministic"]:
                assert key.sign_mu(mu, deterministic=True) == expected, case["tcId"]
            key.public_key().verify_mu(expected, mu)
            count += 1
    assert count == 44


@each
def test_published_verifications(name):
    """Protects: what NIST's ACVP files have verified and refused."""
    Public, count = schemes.signature(name).public_key, 0
    for group, case in vectors("acvp_sigVer_a"):
        if group["parameterSet"] == name:
            public = Public.from_public_bytes(bytes.fromhex(case["pk"]))
            mu, signature = mu_of_case(public, group, case), bytes.fromhex(case["signature"])
            try:
                public.verify_mu(signature, mu)
                assert case["testPassed"], case["reason"]
            except InvalidSignature:
                assert not case["testPassed"], case["reason"]
            count += 1
    assert count == {"ML-DSA-44": 26, "ML-DSA-65": 24, "ML-DSA-87": 25}[name]


def theirs(name):
    """PyCA's private and public classes of a set."""
    if mldsa is None:
        pytest.skip("this cryptography has no ML-DSA")
    which = name.replace("-", "")
    return getattr(mldsa, f"{which}PrivateKey"), getattr(mldsa, f"{which}PublicKey")


@each
def test_pyca(name):
    """Protects: signatures in both directions with PyCA's, with contexts, mu and each other's PEM and DER."""
    Private, Public = schemes.signature(name)
    TheirPrivate, TheirPublic = theirs(name)
    their = TheirPrivate.generate()
    ours = Private.from_seed_bytes(their.private_bytes_raw())
    raw = ours.public_key().public_bytes_raw()
    assert raw == their.public_key().public_bytes_raw()
    for context in (None, b"", b"context", b"c" * 255):
        TheirPublic.from_public_bytes(raw).verify(ours.sign(MESSAGE, context), MESSAGE, context)
        their.public_key().verify(ours.sign(MESSAGE, context, deterministic=True), MESSAGE, context)
        ours.public_key().verify(their.sign(MESSAGE, context), MESSAGE, context)
        with pytest.raises(TheirInvalidSignature):
            their.public_key().verify(ours.sign(MESSAGE, context), MESSAGE, b"another")
        refused(ours.public_key(), their.sign(MESSAGE, context), MESSAGE, b"another")
        hashers = [mldsa.MLDSAMuHasher(their.public_key(), context), schemes.MLDSAMuHasher(ours.public_key(), context)]
        [hasher.update(MESSAGE) for hasher in hashers]
        mu, same = (hasher.finalize() for hasher in hashers)
        assert mu == same
        their.public_key().verify_mu(ours.sign_mu(mu), mu)
        ours.public_key().verify_mu(their.sign_mu(mu), mu)
    for encoding in (s.Encoding.PEM, s.Encoding.DER):
        pem = encoding is s.Encoding.PEM
        data = their.private_bytes(encoding, s.PrivateFormat.PKCS8, s.NoEncryption())
        read = Private.from_pem(data) if pem else Private.from_der(data)
        assert read.private_bytes_raw() == their.private_bytes_raw()
        assert data == (ours.private_bytes_pem() if pem else ours.private_bytes_der())
        data = their.public_key().public_bytes(encoding, s.PublicFormat.SubjectPublicKeyInfo)
        assert (Public.from_pem(data) if pem else Public.from_der(data)) == ours.public_key()
        assert data == (ours.public_key().public_bytes_pem() if pem else ours.public_key().public_bytes_der())


def der(tag, contents):
    """A value of DER with a tag."""
    length = bytes([len(contents)]) if len(contents) < 128 else b"\x82" + len(contents).to_bytes(2, "big")
    return bytes([tag]) + length + contents


@each
def test_three_forms(name):
    """Protects: private keys as OpenSSL writes them, of the seed, the long form and both; a seed that belongs to
    another long form is refused, and so is the form of a draft."""
    Private, _ = schemes.signature(name)
    key = Private.from_seed_bytes(SEED)
    head, long = key.private_bytes_der()[2:18], key.private_bytes_long()

    def stored(inner):
        return der(0x30, head + der(4, inner))

    seed, expanded, both = der(0x80, SEED), der(4, long), der(0x30, der(4, SEED) + der(4, long))
    assert stored(seed) == key.private_bytes_der()
    for inner, raw in [(seed, SEED), (expanded, long), (both, SEED)]:
        read = Private.from_der(stored(inner))
        assert read.private_bytes_raw() == raw and read.private_bytes_long() == long and read.public_key() == key.public_key()
    assert Private.from_private_bytes(long).private_bytes_der() == stored(expanded)
    with pytest.raises(Error):
        Private.from_der(stored(der(0x30, der(4, bytes(32)) + der(4, long))))
    with pytest.raises(Error, match="draft"):
        Private.from_der(stored(SEED))


def test_lock_is_released():
    """Protects: while a long message is hashed, other threads of Python's run."""
    key = schemes.signature("ML-DSA-44").private_key.from_seed_bytes(SEED)
    data = bytes(20_000_000)
    assert any(has_a_turn(lambda: key.sign(data)) for _ in range(20))
    assert any(has_a_turn(lambda: key.sign(bytearray(data))) for _ in range(20))
    signature = key.sign(data)
    assert any(has_a_turn(lambda: key.public_key().verify(signature, data)) for _ in range(20))


def test_threads_share_a_hasher():
    """Protects: threads that hash one message's pieces at once take turns, and one of them finishes it."""
    key = schemes.signature("ML-DSA-44").private_key.from_seed_bytes(SEED)
    hasher, ends = schemes.MLDSAMuHasher(key.public_key()), []

    def work():
        for _ in range(50):
            hasher.update(b"\x07" * 4099)

    def end():
        try:
            ends.append(hasher.finalize())
        except Error:
            ends.append(None)

    for target in (work, end):
        threads = [threading.Thread(target=target) for _ in range(8)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    (mu,) = (of for of in ends if of)
    assert len(ends) == 8
    key.public_key().verify(key.sign_mu(mu), b"\x07" * (8 * 50 * 4099))


def test_classes():
    """Protects: names of classes, what they say, and the error of a name that nothing has."""
    Private, Public = schemes.signature("ml-dsa-65")
    assert Private is schemes.MLDSA65PrivateKey and Public is schemes.MLDSA65PublicKey
    assert "by ML-DSA-65 (FIPS 204; standard)" in Private.__doc__ and Public.STATUS == "standard"
    assert set(SETS) == set(SIZES) <= set(schemes.SCHEMES)
    with pytest.raises(AttributeError, match="MLDSA45PublicKey"):
        schemes.MLDSA45PublicKey
    with pytest.raises(Error, match="no scheme is named 'ML-DSA-45'; `ringsmith schemes` lists them"):
        schemes.signature("ML-DSA-45")
    with pytest.raises(Error, match="no scheme is named"):
        schemes.kem("ML-DSA-65")
