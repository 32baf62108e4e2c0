"""Classes of schemes, made of the library's lists: what ``ringsmith.schemes`` shows."""


from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

from ringsmith import _ringsmith
from ringsmith._keys import Named, PrivateKey, PublicKey, StoredPrivateKey, as_bytes
from ringsmith._signatures import SignaturePrivateKey, SignaturePublicKey

SCHEMES: tuple[str, ...] = (*_ringsmith.KEMS, *_ringsmith.PKES, *_ringsmith.EXCHANGES, *_ringsmith.SIGNATURES)
"""The names of all schemes."""



class KEMPublicKey(PublicKey):
    """A public key of key encapsulation."""

    __slots__ = ()
    _scheme: ClassVar[_ringsmith.Kem]
    #: Bytes of a ciphertext.
    CIPHERTEXT_BYTES: ClassVar[int]
    #: Bytes of a shared secret.
    SHARED_SECRET_BYTES: ClassVar[int]

    def encapsulate(self) -> tuple[bytes, bytes]:
        """A shared secret, and a ciphertext that carries it to the private key's owner."""
        return self._scheme.encapsulate(self._bytes)


class KEMPrivateKey(StoredPrivateKey):
    """A private key of key encapsulation."""

    __slots__ = ()
    _key: _ringsmith.KemKey
    _scheme: ClassVar[_ringsmith.Kem]
    _public: ClassVar[type[KEMPublicKey]]
    #: Whether a key serves for any number of ciphertexts; else each but the first one tells about it.
    CCA: ClassVar[bool]

    def public_key(self) -> KEMPublicKey:
        """Its public key. Private keys of NewHope-CPA that were read do not tell it."""
        return self._public(self._key.public)

    def decapsulate(self, ciphertext: bytes) -> bytes:
        """The shared secret of a ciphertext; another one, and no error, where it was not made for this key."""
        return self._key.decapsulate(as_bytes(ciphertext))


class PKEPublicKey(PublicKey):
    """A public key of public-key encryption."""

    __slots__ = ()
    _scheme: ClassVar[_ringsmith.Pke]
    #: Bytes of a ciphertext.
    CIPHERTEXT_BYTES: ClassVar[int]
    #: Most bytes of a message.
    MESSAGE_BYTES: ClassVar[int]

    def encrypt(self, message: bytes) -> bytes:
        """The ciphertext of a short message; ``ringsmith.files`` encrypts files."""
        return self._scheme.encrypt(self._bytes, as_bytes(message))


class PKEPrivateKey(PrivateKey):
    """A private key of public-key encryption."""

    __slots__ = ()
    _key: _ringsmith.PkeKey
    _scheme: ClassVar[_ringsmith.Pke]
    _public: ClassVar[type[PKEPublicKey]]

    def public_key(self) -> PKEPublicKey:
        """Its public key."""
        return self._public(self._key.public)

    def decrypt(self, ciphertext: bytes) -> bytes:
        """The message. A ciphertext that was not made for this key is an ``InvalidCiphertext``."""
        return self._key.decrypt(as_bytes(ciphertext))

    def private_bytes_raw(self) -> bytes:
        """The raw bytes. They are a secret."""
        return self._key.raw()


class Exchange(Named):
    """The offerer's side of a key exchange."""

    __slots__ = ("_offer",)
    _scheme: ClassVar[_ringsmith.Exchange]
    #: Bytes of an offer.
    OFFER_BYTES: ClassVar[int]
    #: Bytes of a response.
    RESPONSE_BYTES: ClassVar[int]
    #: Bytes of a shared secret.
    SHARED_SECRET_BYTES: ClassVar[int]

    def __init__(self, offer: _ringsmith.Offer) -> None:
        self._offer = offer

    @classmethod
    def generate(cls) -> Self:
        """A new secret, and its offer."""
        return cls(cls._scheme.make_offer())

    def offer(self) -> bytes:
        """What is sent to the other side."""
        return self._offer.offer

    @classmethod
    def respond(cls, offer: bytes) -> tuple[bytes, bytes]:
        """The other side's shared secret, and its response to an offer."""
        return cls._scheme.respond(as_bytes(offer))

    def finish(self, response: bytes) -> bytes:
        """The shared secret. It can be had once: a second response would tell about the secret."""
        return self._offer.finish(as_bytes(response))

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("secrets are not pickled")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class KeyPair(NamedTuple):
    """The classes of a scheme."""

    private_key: type[Any]
    public_key: type[Any]


def class_name(scheme: str) -> str:
    """What the classes of a scheme begin with: its letters and digits, the first one in capitals.

    >>> class_name("ML-KEM-768"), class_name("sntrup761"), class_name("libntru-ees743ep1")
    ('MLKEM768', 'Sntrup761', 'LibntruEes743ep1')
    """
    return "".join(part[:1].upper() + part[1:] for part in scheme.split("-"))


_NAMES = {class_name(name): name for name in SCHEMES}
_MADE: dict[str, dict[str, type[Any]]] = {}


def _kem_classes(name: str) -> dict[str, type[Any]]:
    scheme = _ringsmith.Kem(name)
    public, private, seed, ciphertext, shared = scheme.sizes
    facts = _facts(scheme)
    sizes = {"PUBLIC_KEY_BYTES": public, "CIPHERTEXT_BYTES": ciphertext, "SHARED_SECRET_BYTES": shared}
    own = {"PRIVATE_KEY_BYTES": private, "SEED_BYTES": seed, "CCA": scheme.cca}
    return _pair(name, "key encapsulation", (KEMPublicKey, facts | sizes), (KEMPrivateKey, facts | own))


def _pke_classes(name: str) -> dict[str, type[Any]]:
    scheme = _ringsmith.Pke(name)
    public, private, ciphertext, message = scheme.sizes
    facts = _facts(scheme)
    sizes = {"PUBLIC_KEY_BYTES": public, "CIPHERTEXT_BYTES": ciphertext, "MESSAGE_BYTES": message}
    own = {"PRIVATE_KEY_BYTES": private}
    return _pair(name, "public-key encryption", (PKEPublicKey, facts | sizes), (PKEPrivateKey, facts | own))


def _exchange_classes(name: str) -> dict[str, type[Any]]:
    scheme = _ringsmith.Exchange(name)
    _, offer, response, shared = scheme.sizes
    sizes = {"OFFER_BYTES": offer, "RESPONSE_BYTES": response, "SHARED_SECRET_BYTES": shared}
    doc = {"__doc__": f"The offerer's side of the key exchange {name} ({scheme.source}; {scheme.status})."}
    return {"Exchange": _class(class_name(name) + "Exchange", Exchange, _facts(scheme) | sizes | doc)}


def _signature_classes(name: str) -> dict[str, type[Any]]:
    scheme = _ringsmith.Signature(name)
    public, private, seed, signature = scheme.sizes
    facts = _facts(scheme)
    sizes = {"PUBLIC_KEY_BYTES": public, "SIGNATURE_BYTES": signature}
    own = {"PRIVATE_KEY_BYTES": private, "SEED_BYTES": seed}
    return _pair(name, "signatures", (SignaturePublicKey, facts | sizes), (SignaturePrivateKey, facts | own))


def _facts(scheme: Any) -> dict[str, Any]:
    return {"_scheme": scheme, "NAME": scheme.name, "STATUS": scheme.status, "SOURCE": scheme.source}


def _class(name: str, base: type[Any], facts: dict[str, Any]) -> type[Any]:
    return type(name, (base,), {"__slots__": (), "__module__": "ringsmith.schemes", **facts})


def _pair(name: str, what: str, of_public: Any, of_private: Any) -> dict[str, type[Any]]:
    doc = f"of {what} by {name} ({of_public[1]['SOURCE']}; {of_public[1]['STATUS']})."
    base, facts = of_public
    public = _class(class_name(name) + "PublicKey", base, facts | {"__doc__": f"A public key {doc}"})
    base, facts = of_private
    private = facts | {"__doc__": f"A private key {doc}", "_public": public}
    return {"PublicKey": public, "PrivateKey": _class(class_name(name) + "PrivateKey", base, private)}


_KINDS = (
    (frozenset(_ringsmith.KEMS), _kem_classes, ("PublicKey", "PrivateKey")),
    (frozenset(_ringsmith.PKES), _pke_classes, ("PublicKey", "PrivateKey")),
    (frozenset(_ringsmith.EXCHANGES), _exchange_classes, ("Exchange",)),
    (frozenset(_ringsmith.SIGNATURES), _signature_classes, ("PublicKey", "PrivateKey")),
)


def made(name: str, kind: str) -> type[Any]:
    """A class of a scheme, made when it is first asked for."""
    for names, make, kinds in _KINDS:
        if name in names and kind in kinds:
            # All classes of a scheme at once: threads that ask at the same time get those of one of them.
            return (_MADE.get(name) or _MADE.setdefault(name, make(name)))[kind]
    raise KeyError(name)


def kem(name: str) -> KeyPair:
    """The classes of a scheme of key encapsulation, by its own name.

    >>> kem("sntrup761").private_key.__name__
    'Sntrup761PrivateKey'
    """
    name = _ringsmith.Kem(name).name
    return KeyPair(made(name, "PrivateKey"), made(name, "PublicKey"))


def pke(name: str) -> KeyPair:
    """The classes of a set of public-key encryption, by its own name."""
    name = _ringsmith.Pke(name).name
    return KeyPair(made(name, "PrivateKey"), made(name, "PublicKey"))


def signature(name: str) -> KeyPair:
    """The classes of a set of signatures, by its own name.

    >>> signature("ML-DSA-65").public_key.SIGNATURE_BYTES
    3309
    """
    name = _ringsmith.Signature(name).name
    return KeyPair(made(name, "PrivateKey"), made(name, "PublicKey"))


def exchange(name: str) -> type[Exchange]:
    """The class of a key exchange, by its own name."""
    return made(_ringsmith.Exchange(name).name, "Exchange")


def names() -> list[str]:
    """The names of all classes of schemes."""
    return [class_name(name) + kind for names, _, kinds in _KINDS for name in sorted(names) for kind in kinds]


def find(name: str) -> type[Any] | None:
    """The class of this name, if it is one of a scheme."""
    for kind in ("PublicKey", "PrivateKey", "Exchange"):
        scheme = _NAMES.get(name.removesuffix(kind)) if name.endswith(kind) else None
        if scheme is not None and any(scheme in of and kind in kinds for of, _, kinds in _KINDS):
            return made(scheme, kind)
    return None
