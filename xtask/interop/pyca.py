"""ML-KEM against PyCA's cryptography, in both directions: pyca.py COMMAND, where COMMAND is the program `ringsmith`.

Keys pass as PEM, ciphertexts as bytes. Either side makes the keys; each side encapsulates for the other and for itself; both
read both private keys, write them alike, and agree on what a spoiled ciphertext decapsulates to.
"""

import pathlib
import subprocess
import sys
import tempfile

import cryptography
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import mlkem

SETS = {"ML-KEM-768": mlkem.MLKEM768PrivateKey, "ML-KEM-1024": mlkem.MLKEM1024PrivateKey}
ROUNDS = 20


def run(command, directory, *arguments, given=b""):
    """The standard output of `ringsmith kem`, which must succeed."""
    done = subprocess.run([command, "kem", *arguments], cwd=directory, input=given, capture_output=True, check=True)
    assert done.stderr == b"", done.stderr
    return done.stdout


def private_pem(key):
    return key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())


def public_pem(key):
    return key.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)


def exchange(command, directory, key, private, public):
    """Both sides hold the same key pair: `key` there, files here."""
    (directory / "private").touch(mode=0o600)
    (directory / "private").write_bytes(private)
    (directory / "public").write_bytes(public)
    assert private_pem(key) == private and public_pem(key.public_key()) == public
    assert run(command, directory, "public", "-i", "private") == public

    (directory / "secret").unlink(missing_ok=True)
    ciphertext = run(command, directory, "encapsulate", "-R", "public", "-s", "secret")
    ours = (directory / "secret").read_bytes()
    assert key.decapsulate(ciphertext) == ours

    theirs, ciphertext = key.public_key().encapsulate()
    assert run(command, directory, "decapsulate", "-i", "private", given=ciphertext) == theirs

    spoiled = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
    rejected = run(command, directory, "decapsulate", "-i", "private", given=spoiled)
    assert rejected == key.decapsulate(spoiled) != theirs


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        for name, kind in SETS.items():
            for _ in range(ROUNDS):
                key = kind.generate()
                exchange(command, directory, key, private_pem(key), public_pem(key.public_key()))
                private = run(command, directory, "keygen", "--scheme", name)
                key = form.load_pem_private_key(private, password=None)
                public = run(command, directory, "public", "-i", "-", given=private)
                exchange(command, directory, key, private, public)
            print(f"{name}: {2 * ROUNDS} key pairs with cryptography {cryptography.__version__}: agreed both ways")


main()
