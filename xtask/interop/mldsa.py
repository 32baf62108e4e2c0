"""ML-DSA against PyCA's cryptography, both ways: mldsa.py COMMAND CERTIFICATE NODE, where COMMAND is the test kit's `sign`.

Keys pass as PEM, signatures as bytes. Either side makes the keys; both write them alike; each verifies the other's signatures
of messages with and without a context, and of 64 bytes; neither takes a spoiled one. CERTIFICATE is a key and a certificate
that our library made and signed: it verifies with itself here, with Node's OpenSSL, and with `openssl` where that is 3.5.
"""

import pathlib
import re
import secrets
import subprocess
import sys
import tempfile

import cryptography
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.backends.openssl.backend import backend
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import mldsa

SETS = {
    "ML-DSA-44": mldsa.MLDSA44PrivateKey,
    "ML-DSA-65": mldsa.MLDSA65PrivateKey,
    "ML-DSA-87": mldsa.MLDSA87PrivateKey,
}
CONTEXTS = [0, 1, 100, 254, 255]
PEM = form.Encoding.PEM


def private_pem(key):
    return key.private_bytes(PEM, form.PrivateFormat.PKCS8, form.NoEncryption())


def public_pem(key):
    return key.public_key().public_bytes(PEM, form.PublicFormat.SubjectPublicKeyInfo)


def taken(verify, *arguments):
    """Whether a signature is one, there."""
    try:
        verify(*arguments)
    except InvalidSignature:
        return False
    return True


def spoiled(signature):
    at = secrets.randbelow(len(signature))
    return signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]


class Ours:
    """Our program, in a directory, for a set."""

    def __init__(self, command, directory, name):
        self.command, self.directory, self.name = command, pathlib.Path(directory), name

    def run(self, what, *arguments, given=b""):
        command = [self.command, what, self.name, *arguments]
        done = subprocess.run(command, cwd=self.directory, input=given, capture_output=True, check=False)
        assert done.stderr == b"", done.stderr
        return done

    def write(self, name, content):
        (self.directory / name).write_bytes(content)
        return name

    def taken(self, what, signature, message, *context):
        return self.run(what, "public", self.write("signature", signature), *context, given=message).returncode == 0


def exchange(ours, key):
    """Both sides hold the same key."""
    private = ours.write("private", private_pem(key))
    public = ours.run("public", private).stdout
    assert public == public_pem(key)
    ours.write("public", public)
    for length in CONTEXTS:
        context, message = secrets.token_bytes(length), secrets.token_bytes(length * 7)
        made = ours.run("sign", private, context.hex(), given=message).stdout
        there = key.public_key().verify
        assert taken(there, made, message, context) and not taken(there, spoiled(made), message, context)
        theirs = key.sign(message, context)
        assert ours.taken("verify", theirs, message, context.hex())
        assert not ours.taken("verify", spoiled(theirs), message, context.hex())
        other = context[1:] if context else b"another"
        assert not ours.taken("verify", theirs, message, other.hex()) and not taken(there, made, message, other)
    mu = secrets.token_bytes(64)
    assert taken(key.public_key().verify_mu, ours.run("sign-mu", private, given=mu).stdout, mu)
    assert ours.taken("verify-mu", key.sign_mu(mu), mu) and not ours.taken("verify-mu", spoiled(key.sign_mu(mu)), mu)


def certificate(pair, node, directory):
    """A certificate that signed itself."""
    text = pathlib.Path(pair).read_text()
    pem = text[text.index("-----BEGIN CERTIFICATE") :].encode()
    key = form.load_pem_private_key(text[: text.index("-----BEGIN CERTIFICATE")].encode(), password=None)
    read = x509.load_pem_x509_certificate(pem)
    assert read.public_key() == key.public_key()
    read.verify_directly_issued_by(read)
    print(f"our certificate, {read.subject.rfc4514_string()}: verified by cryptography {cryptography.__version__}")
    path = pathlib.Path(directory) / "certificate.pem"
    path.write_bytes(pem)
    script = """
        const { X509Certificate } = require('crypto');
        const read = new X509Certificate(require('fs').readFileSync(process.argv[1]));
        const good = read.verify(read.publicKey) && read.checkIssued(read);
        console.log(process.versions.openssl, read.publicKey.asymmetricKeyType);
        process.exit(good ? 0 : 1);
    """
    done = subprocess.run([node, "-e", script, path], capture_output=True, check=True, text=True)
    print(f"our certificate: verified by the OpenSSL of Node, {done.stdout.strip()}")
    version = subprocess.run(["openssl", "version"], capture_output=True, check=True, text=True).stdout
    numbers = tuple(int(number) for number in re.search(r"(\d+)\.(\d+)", version).groups())
    if numbers < (3, 5):
        print(f"our certificate: not shown to {version.strip()}, which has no ML-DSA")
        return
    verified = subprocess.run(["openssl", "verify", "-CAfile", path, path], capture_output=True, check=True, text=True)
    shown = subprocess.run(["openssl", "x509", "-in", path, "-noout", "-text"], capture_output=True, check=True, text=True)
    assert verified.stdout.endswith(": OK\n") and "ML-DSA-65" in shown.stdout
    print(f"our certificate: verified and shown by {version.strip()}")


def main():
    command, pair, node = sys.argv[1:]
    command = str(pathlib.Path(command).resolve())
    with tempfile.TemporaryDirectory() as directory:
        for name, kind in SETS.items():
            ours = Ours(command, directory, name)
            for _ in range(3):
                exchange(ours, kind.generate())
                seed = secrets.token_bytes(32)
                private = ours.run("keygen", seed.hex()).stdout
                key = form.load_pem_private_key(private, password=None)
                assert private_pem(key) == private and key.private_bytes_raw() == seed
                exchange(ours, key)
            print(f"{name}: 6 keys, {len(CONTEXTS)} contexts, mu, with {backend.openssl_version_text()}: agreed both ways")
        certificate(pair, node, directory)


main()
