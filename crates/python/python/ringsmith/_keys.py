"""What keys of every kind have."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from ringsmith import _ringsmith
from ringsmith._ringsmith import Error


def as_bytes(data: Any) -> bytes:
    """Bytes of what has some: of an integer Python would make so many zeroes."""
    return data if type(data) is bytes else bytes(memoryview(data))


def as_text(data: bytes | str) -> bytes:
    """Bytes of a text that is PEM."""
    text = data.encode() if isinstance(data, str) else as_bytes(data)
    if not text.lstrip().startswith(b"-----BEGIN "):
        raise Error("the text is no well-formed PEM")
    return text


class Named:
    """What classes of a scheme say of it."""

    __slots__ = ()
    #: The scheme's own name.
    NAME: ClassVar[str]
    #: "standard", "draft", "historical" or "research only".
    STATUS: ClassVar[str]
    #: Where it is defined.
    SOURCE: ClassVar[str]


class PublicKey(Named):
    """A public key."""

    __slots__ = ("_bytes",)
    _scheme: ClassVar[_ringsmith.Kem | _ringsmith.Pke | _ringsmith.Signature]
    #: Bytes of a public key, raw.
    PUBLIC_KEY_BYTES: ClassVar[int]

    def __init__(self, data: bytes) -> None:
        self._bytes = bytes(self._scheme.read_public_key(as_bytes(data)))

    @classmethod
    def from_public_bytes(cls, data: bytes) -> Self:
        """A key of its raw bytes, which are checked."""
        raw = as_bytes(data)
        if len(raw) != cls.PUBLIC_KEY_BYTES:
            raise Error(f"a public key of {len(raw)} bytes, where the scheme has {cls.PUBLIC_KEY_BYTES}")
        return cls(raw)

    @classmethod
    def from_der(cls, data: bytes) -> Self:
        """A key of a SubjectPublicKeyInfo."""
        return cls(data)

    @classmethod
    def from_pem(cls, data: bytes | str) -> Self:
        """The same of text."""
        return cls(as_text(data))

    def public_bytes_raw(self) -> bytes:
        """The raw bytes."""
        return self._bytes

    def public_bytes_der(self) -> bytes:
        """SubjectPublicKeyInfo, where the scheme has an object identifier."""
        return self._scheme.public_key_der(self._bytes)

    def public_bytes_pem(self) -> bytes:
        """The same as text."""
        return self._scheme.public_key_pem(self._bytes)

    def __eq__(self, other: object) -> bool:
        return self._bytes == other._bytes if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self._bytes))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._bytes,))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._bytes[:4].hex()}..>"


class PrivateKey(Named):
    """A private key. It is not printed, not compared and not pickled."""

    __slots__ = ("_key",)
    _key: _ringsmith.KemKey | _ringsmith.PkeKey | _ringsmith.SignatureKey
    _scheme: ClassVar[_ringsmith.Kem | _ringsmith.Pke | _ringsmith.Signature]
    _public: ClassVar[type[PublicKey]]
    #: Bytes of a private key, raw.
    PRIVATE_KEY_BYTES: ClassVar[int]

    def __init__(self, key: Any) -> None:
        self._key = key

    @classmethod
    def generate(cls) -> Self:
        """A new key, of the operating system's randomness."""
        return cls(cls._scheme.generate())

    @classmethod
    def from_private_bytes(cls, data: bytes) -> Self:
        """A key of its raw bytes, which are checked."""
        return cls(cls._scheme.read_private_key(as_bytes(data)))

    def private_bytes_long(self) -> bytes:
        """The raw bytes, where there is a seed in the long form. They are a secret."""
        return self._key.raw()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("private keys are not pickled: write private_bytes_..() where they are to go")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


class StoredPrivateKey(PrivateKey):
    """A private key that has a seed, where its scheme has seeds, and is stored as PKCS #8."""

    __slots__ = ()
    _key: _ringsmith.KemKey | _ringsmith.SignatureKey
    _scheme: ClassVar[_ringsmith.Kem | _ringsmith.Signature]
    #: Bytes of a seed, the short form of private keys; 0 where there is none.
    SEED_BYTES: ClassVar[int]

    @classmethod
    def from_seed_bytes(cls, data: bytes) -> Self:
        """The key of a seed, where the scheme has seeds."""
        return cls(cls._scheme.expand(as_bytes(data)))

    @classmethod
    def from_der(cls, data: bytes) -> Self:
        """A key of a PKCS #8."""
        return cls(cls._scheme.read_private_key(as_bytes(data)))

    @classmethod
    def from_pem(cls, data: bytes | str) -> Self:
        """The same of text."""
        return cls(cls._scheme.read_private_key(as_text(data)))

    def private_bytes_raw(self) -> bytes:
        """The seed where it is known, else the long form. It is a secret."""
        seed = self._key.seed()
        return self._key.raw() if seed is None else seed

    def private_bytes_der(self) -> bytes:
        """PKCS #8, of the seed where it is known; not encrypted."""
        return self._key.der()

    def private_bytes_pem(self) -> bytes:
        """The same as text."""
        return self._key.pem()
