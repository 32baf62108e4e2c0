"""sntrup761 for SSH clients and servers of Python's: sntrup761x25519-sha512, which OpenSSH prefers since 9.0.

``enable_asyncssh()`` makes AsyncSSH offer the method without liboqs; ``paramiko_transport()`` is a class of Paramiko's
transports that offers it.
"""

from __future__ import annotations

import hashlib
from typing import Any
from ringsmith.schemes import kem

#: The names of the method, OpenSSH's and that of RFC 9941.
METHODS = ("sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com")


class SNTRUP:
    """sntrup761 as AsyncSSH calls a scheme of key encapsulation."""

    def __init__(self, alg_name: bytes = b"sntrup761") -> None:
        private, self._public = kem(alg_name.decode())
        self._key = private.generate()
        self.pubkey_bytes: int = self._public.PUBLIC_KEY_BYTES
        self.privkey_bytes: int = private.PRIVATE_KEY_BYTES
        self.ciphertext_bytes: int = self._public.CIPHERTEXT_BYTES
        self.secret_bytes: int = self._public.SHARED_SECRET_BYTES

    def get_public(self) -> bytes:
        """The public key, which is sent."""
        return self._key.public_key().public_bytes_raw()

    def encaps(self, peer_public: bytes) -> tuple[bytes, bytes]:
        """A secret, and its ciphertext for the peer."""
        return self._public.from_public_bytes(peer_public).encapsulate()

    def decaps(self, ciphertext: bytes) -> bytes:
        """The secret of a ciphertext."""
        return self._key.decapsulate(ciphertext)


def enable_asyncssh() -> None:
    """Makes AsyncSSH, as a client and as a server, offer sntrup761x25519-sha512, behind its other methods."""
    from asyncssh import kex, kex_dh
    from asyncssh.crypto import Curve25519DH

    for method in METHODS:
        name = method.encode()
        if name not in kex.get_kex_algs():
            arguments = (SNTRUP, b"sntrup761", Curve25519DH)
            kex.register_kex_alg(name, kex_dh._KexHybridECDH, hashlib.sha512, arguments, True)


def paramiko_transport() -> type[Any]:
    """A class of Paramiko's transports for clients that offers sntrup761x25519-sha512 before all other methods.

    It takes Paramiko 5.1: ``SSHClient().connect(host, transport_factory=paramiko_transport())``.
    """
    import paramiko
    from paramiko import kex_mlkem

    public = kem("sntrup761").public_key

    class _Exchange(kex_mlkem.KexMLKEM768X25519):
        """As ML-KEM's hybrid, with other keys and another hash."""

        name = METHODS[0]
        hash_algo = hashlib.sha512
        _S_REPLY_BYTES = public.CIPHERTEXT_BYTES + 32
        _MLKEM_CIPHERTEXT_BYTES = public.CIPHERTEXT_BYTES

        def start_kex(self) -> None:
            self.mlkem_key = kem("sntrup761").private_key.generate()
            self.x25519_key = kex_mlkem.X25519PrivateKey.generate()
            message = paramiko.Message()
            message.add_byte(kex_mlkem.c_MSG_KEX_HYBRID_INIT)
            keys = (key.public_key().public_bytes_raw() for key in (self.mlkem_key, self.x25519_key))
            message.add_string(b"".join(keys))
            self.transport._send_message(message)
            self.transport._expect_packet(kex_mlkem._MSG_KEX_HYBRID_REPLY)

    class _Transport(paramiko.Transport):
        """A client's transport."""

        _kex_info = {**paramiko.Transport._kex_info, **dict.fromkeys(METHODS, _Exchange)}
        _preferred_kex = (*METHODS, *paramiko.Transport._preferred_kex)

        def start_server(self, *_: Any, **__: Any) -> None:
            raise NotImplementedError("this transport is one of clients")

    return _Transport
