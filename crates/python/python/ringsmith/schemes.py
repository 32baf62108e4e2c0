"""Every scheme of the library as classes, in the shape of PyCA's ``cryptography``.

A scheme of key encapsulation has two classes, named by its letters and digits:

>>> from ringsmith.schemes import MLKEM768PrivateKey, MLKEM768PublicKey
>>> private_key = MLKEM768PrivateKey.generate()
>>> shared_secret, ciphertext = private_key.public_key().encapsulate()
>>> private_key.decapsulate(ciphertext) == shared_secret
True
>>> pem = private_key.public_key().public_bytes_pem()
>>> MLKEM768PublicKey.from_pem(pem) == private_key.public_key()
True

So has a set of public-key encryption:

>>> from ringsmith.schemes import Ees743ep1PrivateKey
>>> private_key = Ees743ep1PrivateKey.generate()
>>> private_key.decrypt(private_key.public_key().encrypt(b"a short message"))
b'a short message'

A key exchange has one:

>>> from ringsmith.schemes import NewHopeADPSExchange
>>> alice = NewHopeADPSExchange.generate()
>>> bobs_secret, response = NewHopeADPSExchange.respond(alice.offer())
>>> alice.finish(response) == bobs_secret
True

Signatures have two, for each set of ML-DSA:

>>> from ringsmith.schemes import MLDSA65PrivateKey, MLDSA65PublicKey
>>> alice = MLDSA65PrivateKey.generate()
>>> signature = alice.sign(b"a message", context=b"letters")
>>> alice.public_key().verify(signature, b"a message", context=b"letters")
>>> alice.public_key().verify(signature, b"a message")
Traceback (most recent call last):
ringsmith.InvalidSignature: the signature was not made of this message with this key

``kem("sntrup761")``, ``pke(..)``, ``exchange(..)`` and ``signature(..)`` give the classes by the scheme's own name.
``SCHEMES`` lists all names. Of all schemes only ML-KEM and ML-DSA are standards: ``STATUS`` of a class says so.

Secrets: private keys stay in memory of Rust's, which clears it. Bytes that Python is given, shared secrets and
encodings of private keys, are Python's, which copies them and does not clear memory.
"""

from __future__ import annotations

from typing import Any

from ringsmith import _schemes
from ringsmith._keys import PrivateKey, PublicKey, StoredPrivateKey
from ringsmith._schemes import (
    SCHEMES,
    Exchange,
    KEMPrivateKey,
    KEMPublicKey,
    KeyPair,
    PKEPrivateKey,
    PKEPublicKey,
    class_name,
    exchange,
    kem,
    pke,
    signature,
)
from ringsmith._signatures import PREHASHES, MLDSAMuHasher, SignaturePrivateKey, SignaturePublicKey

__all__ = [
    "PREHASHES",
    "SCHEMES",
    "Exchange",
    "KEMPrivateKey",
    "KEMPublicKey",
    "KeyPair",
    "MLDSAMuHasher",
    "PKEPrivateKey",
    "PKEPublicKey",
    "PrivateKey",
    "PublicKey",
    "SignaturePrivateKey",
    "SignaturePublicKey",
    "StoredPrivateKey",
    "class_name",
    "exchange",
    "kem",
    "pke",
    "signature",
    *_schemes.names(),
]


def __getattr__(name: str) -> Any:
    found = _schemes.find(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found


def __dir__() -> list[str]:
    return __all__
