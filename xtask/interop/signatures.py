"""ML-DSA against PyCA's cryptography, in both directions: signatures.py COMMAND, where COMMAND is the program `ringsmith`.

Keys and certificates pass as PEM, signatures as bytes. Either side makes the keys and signs, with and without a context; the
other side verifies, and refuses what was altered. Both write keys alike.
"""

import datetime
import os
import pathlib
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
    "ml-dsa-44": mldsa.MLDSA44PrivateKey,
    "ml-dsa-65": mldsa.MLDSA65PrivateKey,
    "ml-dsa-87": mldsa.MLDSA87PrivateKey,
}
CONTEXTS = ["", "a", "release of example 1.0 \N{EURO SIGN}", "x" * 255]
LENGTHS = [0, 1, 1000, (1 << 16) + 1]
SUBJECT = "CN=Alice,O=Example,C=CH"


def run(command, directory, *arguments, given=b"", code=0):
    """The standard output of `ringsmith`, which must end with this exit code."""
    done = subprocess.run([command, *arguments], cwd=directory, input=given, capture_output=True)
    assert done.returncode == code, (arguments, done)
    return done.stdout


def private_pem(key):
    return key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())


def public_pem(key):
    return key.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)


def write(directory, **files):
    for name, content in files.items():
        (directory / name).unlink(missing_ok=True)
        (directory / name).touch(mode=0o600)
        (directory / name).write_bytes(content)


def refuses(key, signature, message, context):
    try:
        key.verify(signature, message, context)
    except InvalidSignature:
        return
    raise AssertionError("they take what was altered")


def spoiled(signature):
    at = signature[0] % len(signature)
    return signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]


def signatures(command, directory, key, context):
    """Messages of every length, signed here and verified there, and the other way round."""
    named = ("--context", context) if context else ()
    public = key.public_key()
    for length in LENGTHS:
        message = os.urandom(length)
        for how in ((), ("--deterministic",)):
            ours = run(command, directory, "sign", "-i", "private", *named, *how, given=message)
            public.verify(ours, message, context.encode())
            refuses(public, spoiled(ours), message, context.encode())
            refuses(public, ours, message + b"a", context.encode())
        theirs = key.sign(message, context.encode())
        write(directory, good=theirs, bad=spoiled(theirs))
        verify = lambda name, code, what: run(
            command, directory, "verify", "-p", "public", "-s", name, *named, given=what, code=code
        )
        verify("good", 0, message)
        verify("bad", 1, message)
        verify("good", 1, message + b"a")


def certificates(command, directory, key):
    """A certificate of either side, read by the other."""
    ours = run(command, directory, "certificate", "-i", "private", "--subject", SUBJECT, "--days", "2")
    read = x509.load_pem_x509_certificate(ours)
    read.verify_directly_issued_by(read)
    assert read.subject.rfc4514_string() == SUBJECT and read.public_key() == key.public_key()
    assert read.not_valid_after_utc - read.not_valid_before_utc == datetime.timedelta(days=2)
    constraints = read.extensions.get_extension_for_class(x509.BasicConstraints)
    usage = read.extensions.get_extension_for_class(x509.KeyUsage)
    assert constraints.critical and not constraints.value.ca and usage.critical and usage.value.digital_signature
    identifier = read.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
    assert identifier.value.digest == x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest

    name = x509.Name.from_rfc4514_string(SUBJECT)
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
    theirs = builder.sign(key, None).public_bytes(form.Encoding.PEM)
    write(directory, ours=ours, theirs=theirs, good=key.sign(b"a letter"))
    for certificate in ("ours", "theirs"):
        said = run(command, directory, "verify", "-p", certificate, "-s", "good", given=b"a letter")
        assert said.endswith(f", by the key of {SUBJECT}\n".encode()), said


def both_ways(command, directory, key, private, public):
    """Both sides hold the same key pair: `key` there, files here."""
    write(directory, private=private, public=public)
    assert private_pem(key) == private and public_pem(key.public_key()) == public
    assert run(command, directory, "keygen", "-y", "private") == public
    for context in CONTEXTS:
        signatures(command, directory, key, context)
    certificates(command, directory, key)


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        for kind, theirs in SETS.items():
            key = theirs.generate()
            both_ways(command, directory, key, private_pem(key), public_pem(key.public_key()))
            private = run(command, directory, "keygen", "--kind", kind)
            key = form.load_pem_private_key(private, password=None)
            write(directory, private=private)
            both_ways(command, directory, key, private, run(command, directory, "keygen", "-y", "private"))
            peer = f"cryptography {cryptography.__version__} ({backend.openssl_version_text()})"
            print(f"{kind}: signatures and certificates with {peer}: verified both ways")


main()
