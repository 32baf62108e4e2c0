"""Schemes in the shape of PyCA's."""

import hashlib
import pickle

import pytest
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric import mlkem
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from kyber_py.ml_kem import ML_KEM_512, ML_KEM_768, ML_KEM_1024

from ringsmith import Error, InvalidCiphertext, _ringsmith, schemes

KEMS = [name for name in schemes.SCHEMES if name in _ringsmith.KEMS]
PKES = [name for name in schemes.SCHEMES if name in _ringsmith.PKES]
EXCHANGES = [name for name in schemes.SCHEMES if name in _ringsmith.EXCHANGES]


@pytest.mark.parametrize("name", KEMS)
def test_kem(name):
    """Protects: both sides agree, keys survive their encodings, and another ciphertext gives another secret."""
    Private, Public = schemes.kem(name)
    private = Private.generate()
    public = private.public_key()
    secret, ciphertext = public.encapsulate()
    sizes = [len(public.public_bytes_raw()), len(private.private_bytes_long()), len(secret), len(ciphertext)]
    assert sizes == [Public.PUBLIC_KEY_BYTES, Private.PRIVATE_KEY_BYTES, Public.SHARED_SECRET_BYTES, Public.CIPHERTEXT_BYTES]
    assert private.decapsulate(ciphertext) == secret
    again = Private.from_private_bytes(private.private_bytes_long())
    assert again.decapsulate(ciphertext) == secret
    assert Public.from_public_bytes(public.public_bytes_raw()) == public == pickle.loads(pickle.dumps(public))
    if Private.CCA:
        assert again.public_key() == public
        other = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
        assert private.decapsulate(other) != secret
    if Private.SEED_BYTES:
        assert Private.from_seed_bytes(private.private_bytes_raw()).public_key() == public
    else:
        with pytest.raises(Error, match="have no seed"):
            Private.from_seed_bytes(bytes(64))
    if Public._scheme.has_encoding:
        for of in (Private.from_pem(private.private_bytes_pem()), Private.from_der(private.private_bytes_der())):
            assert of.public_key() == public
        assert Public.from_pem(public.public_bytes_pem().decode()) == Public.from_der(public.public_bytes_der()) == public
    else:
        with pytest.raises(Error, match="no object identifier"):
            public.public_bytes_pem()
    with pytest.raises(Error, match="bytes, where the scheme has"):
        private.decapsulate(ciphertext + b"x")
    for bad in (Public.from_pem, Private.from_pem):
        with pytest.raises(Error, match="PEM"):
            bad(public.public_bytes_raw())
    for bad in (Public.from_public_bytes, Private.from_private_bytes):
        with pytest.raises(Error):
            bad(b"short")


@pytest.mark.parametrize("name", PKES)
def test_pke(name):
    """Protects: messages of every length arrive, keys survive their encodings, and errors are one."""
    Private, Public = schemes.pke(name)
    private = Private.generate()
    public = private.public_key()
    for message in (b"", b"a", bytes(range(Public.MESSAGE_BYTES % 256)), b"m" * Public.MESSAGE_BYTES):
        ciphertext = public.encrypt(message)
        assert len(ciphertext) == Public.CIPHERTEXT_BYTES and private.decrypt(ciphertext) == message
    again = Private.from_private_bytes(private.private_bytes_raw())
    assert again.public_key() == public == Public.from_public_bytes(public.public_bytes_raw())
    for bad in (ciphertext[:-1] + bytes([ciphertext[-1] ^ 4]), ciphertext[:-1], b""):
        with pytest.raises(InvalidCiphertext, match="was not made for this key"):
            private.decrypt(bad)
    with pytest.raises(Error, match="at most"):
        public.encrypt(b"m" * (Public.MESSAGE_BYTES + 1))
    if Public._scheme.has_encoding:
        assert Public.from_pem(public.public_bytes_pem()) == public


@pytest.mark.parametrize("name", EXCHANGES)
def test_exchange(name):
    """Protects: both sides agree, and a secret serves once."""
    Exchange = schemes.exchange(name)
    alice = Exchange.generate()
    secret, response = Exchange.respond(alice.offer())
    assert alice.finish(response) == secret and len(secret) == Exchange.SHARED_SECRET_BYTES
    with pytest.raises(Error, match="serves one response, and is gone"):
        alice.finish(response)
    with pytest.raises(Error):
        Exchange.respond(b"short")


@pytest.mark.parametrize("size, kyber", [(512, ML_KEM_512), (768, ML_KEM_768), (1024, ML_KEM_1024)])
def test_kyber_py(size, kyber):
    """Protects: ML-KEM against kyber-py, both ways."""
    Private, Public = schemes.kem(f"ML-KEM-{size}")
    seed = bytes(range(64))
    theirs, their_private = kyber.key_derive(seed)
    ours = Private.from_seed_bytes(seed)
    assert ours.public_key().public_bytes_raw() == theirs and ours.private_bytes_long() == their_private
    secret, ciphertext = kyber.encaps(theirs)
    assert ours.decapsulate(ciphertext) == secret
    secret, ciphertext = Public.from_public_bytes(theirs).encapsulate()
    assert kyber.decaps(their_private, ciphertext) == secret


def test_x_wing():
    """Protects: X-Wing against its definition, by ML-KEM and PyCA's X25519."""
    Private, Public = schemes.kem("X-Wing")
    private = Private.generate()
    expanded = hashlib.shake_256(private.private_bytes_raw()).digest(96)
    lattice, curve = schemes.MLKEM768PrivateKey.from_seed_bytes(expanded[:64]), X25519PrivateKey.from_private_bytes(expanded[64:])
    point = curve.public_key().public_bytes_raw()
    assert private.public_key().public_bytes_raw() == lattice.public_key().public_bytes_raw() + point
    secret, ciphertext = private.public_key().encapsulate()
    theirs = ciphertext[-32:]
    secrets = lattice.decapsulate(ciphertext[:-32]) + curve.exchange(X25519PublicKey.from_public_bytes(theirs))
    assert secret == hashlib.sha3_256(secrets + theirs + point + b"\\.//^\\").digest()
    with pytest.raises(Error, match="are no key of the scheme"):
        Public.from_public_bytes(bytes([255]) * Public.PUBLIC_KEY_BYTES)


@pytest.mark.parametrize("size", [768, 1024])
def test_pyca(size):
    """Protects: ML-KEM against PyCA's, both ways, and each other's PEM and DER."""
    Private, Public = schemes.kem(f"ML-KEM-{size}")
    theirs = getattr(mlkem, f"MLKEM{size}PrivateKey").generate()
    ours = Private.from_seed_bytes(theirs.private_bytes_raw())
    assert ours.public_key().public_bytes_raw() == theirs.public_key().public_bytes_raw()
    secret, ciphertext = theirs.public_key().encapsulate()
    assert ours.decapsulate(ciphertext) == secret
    secret, ciphertext = ours.public_key().encapsulate()
    assert theirs.decapsulate(ciphertext) == secret
    pem = theirs.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    assert Private.from_pem(pem).public_key() == ours.public_key()
    assert s.load_pem_private_key(ours.private_bytes_pem(), None).private_bytes_raw() == ours.private_bytes_raw()
    spki = theirs.public_key().public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)
    assert Public.from_pem(spki) == ours.public_key() and ours.public_key().public_bytes_pem() == spki


def test_classes():
    """Protects: names of classes, what they say, and that secrets are neither printed nor pickled."""
    Private = schemes.MLKEM768PrivateKey
    assert Private is schemes.kem("ml-kem-768").private_key and Private.STATUS == "standard"
    assert "ML-KEM-768 (FIPS 203; standard)" in Private.__doc__
    key = Private.generate()
    assert repr(key) == "<MLKEM768PrivateKey>"
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(key)
    assert {name for name in dir(schemes) if name.endswith("PrivateKey")} > {"Sntrup761PrivateKey", "LibntruEes743ep1PrivateKey"}
    for name in ("MLKEM9PublicKey", "Nothing", "MLKEM768Exchange"):
        with pytest.raises(AttributeError, match=name):
            getattr(schemes, name)
    for find in (schemes.kem, schemes.pke, schemes.exchange):
        with pytest.raises(Error, match="is named 'magic'; `ringsmith (schemes|exchange --help)` lists them"):
            find("magic")
    # Of an integer Python would make zeroes, and of them a key that everybody knows.
    for function in (Private.from_seed_bytes, Private.from_private_bytes, schemes.MLKEM768PublicKey.from_public_bytes, key.decapsulate):
        for bad in (64, "text", None, [0] * 64):
            with pytest.raises(TypeError):
                function(bad)
    seed = bytes(range(64))
    assert Private.from_seed_bytes(bytearray(seed)).private_bytes_raw() == Private.from_seed_bytes(memoryview(seed)).private_bytes_raw() == seed
    assert key.public_key() != schemes.MLKEM512PrivateKey.generate().public_key()
