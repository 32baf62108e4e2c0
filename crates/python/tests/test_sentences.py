"""Errors in the sentences of the command: the same fault through both, and what each says."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ringsmith import Error, InvalidCiphertext, Ring, files, schemes

COMMAND = os.environ.get("RINGSMITH_COMMAND")
INPUTS = Path(__file__).parents[2] / "cli/tests/cmd/inputs"
RECIPIENT = files.generate_identity()[1]
DAMAGED = RECIPIENT[:-1] + ("p" if RECIPIENT[-1] == "q" else "q")
PEM = ["--scheme", "ML-KEM-768"]

pytestmark = pytest.mark.skipif(COMMAND is None, reason="the suite `python` says where the command is")
if os.environ.get("RINGSMITH_PYTHON_SUITE"):
    assert COMMAND is not None and Path(COMMAND).exists() and INPUTS.exists()


def said_by_command(arguments):
    """The sentence of the command, without its name; warnings stand before it."""
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode in (1, 2), done
    at = max(match.start() for match in re.finditer(r"^ringsmith: (?!warning: )", done.stderr, re.MULTILINE))
    return done.stderr[at:].removeprefix("ringsmith: ").rstrip("\n")


def said_by_package(fault):
    """What the package's exception says; of the system's refusals without what Python adds."""
    with pytest.raises((Error, InvalidCiphertext, OSError)) as caught:
        fault()
    error = caught.value
    return error.strerror if isinstance(error, OSError) else str(error)


def decrypting(name, keys="key.txt"):
    return ["decrypt", "-i", keys, "-o", "new", name], lambda: files.decrypt_file(name, "new", files.read_keys(keys))


def encrypting(source, target, *recipients):
    options = [option for recipient in recipients for option in ("-r", recipient)]
    return ["encrypt", *options, "-o", target, source], lambda: files.encrypt_file(source, target, recipients)


def opening(name):
    read = lambda: Path(name).read_bytes()
    return ["kem", "encapsulate", "-R", name, "-s", "new", *PEM], lambda: schemes.MLKEM768PublicKey(read())


def planning(text, *more, **options):
    return ["plan", *more, text], lambda: Ring(text, **options)


#: Faults of which both say the same.
SAME = {
    "scheme": (["kem", "keygen", "--scheme", "of-nobody-at-all"], lambda: schemes.kem("of-nobody-at-all")),
    "encryption": (["pke", "keygen", "--scheme", "of-nobody-at-all"], lambda: schemes.pke("of-nobody-at-all")),
    "exchange": (
        ["exchange", "offer", "--form", "of-nobody-at-all", "-s", "new"],
        lambda: schemes.exchange("of-nobody-at-all"),
    ),
    "ring": planning("Z_17[x]/(x^4+)"),
    "no ring": planning("nonsense"),
    "long text": planning("Z_17[x]/(x^4+" + "x+" * 40 + "y)"),
    "modulus": planning("Z_1[x]/(x^5+1)"),
    "degree": planning("Z_17[x]/(5)"),
    "not monic": planning("Z_17[x]/(2x^5+1)"),
    "promise": planning("Z_17[x]/(x^5+1)", "--small", "9", small=9),
    "route": (
        ["multiply", "--route", "rader", "--ring", "Z_3329[x]/(x^256+1)", "ones.txt", "ones.txt"],
        lambda: Ring("Z_3329[x]/(x^256+1)", route="rader"),
    ),
    "missing file": decrypting("nothing.age"),
    "directory": decrypting("."),
    "no age file": decrypting("letter.txt"),
    "cut off": decrypting("cut.age"),
    "altered": decrypting("damaged.age"),
    "header": decrypting("header.age"),
    "version": decrypting("version.age"),
    "passphrase": decrypting("passphrase.age"),
    "other key": decrypting("letter.age", "other.txt"),
    "exists": encrypting("letter.txt", "letter.age", RECIPIENT),
    "no folder": encrypting("letter.txt", "nowhere/new", RECIPIENT),
    "no recipient": encrypting("letter.txt", "new", "alice"),
    "damaged recipient": encrypting("letter.txt", "new", DAMAGED),
    "private key": encrypting("letter.txt", "new", "AGE-SECRET-KEY-1QQQ"),
    "mixed": (
        ["encrypt", "-r", RECIPIENT, "-i", "classical.txt", "-o", "new", "letter.txt"],
        lambda: files.encrypt_file(
            "letter.txt", "new", [RECIPIENT, *map(files.recipient_of, files.read_keys("classical.txt"))]
        ),
    ),
    "public key of a private one": (
        ["kem", "public", "-i", "cpa.key", "--scheme", "NewHope-CPA-512", "--format", "raw"],
        lambda: schemes.kem("NewHope-CPA-512")[0].from_private_bytes(Path("cpa.key").read_bytes()).public_key(),
    ),
    "no ciphertext": (
        ["pke", "decrypt", "-i", "ees401ep1.key", "letter.txt"],
        lambda: schemes.pke("EES401EP1")[0].from_private_bytes(Path("ees401ep1.key").read_bytes()).decrypt(b"a letter"),
    ),
}

#: Faults of a file's bytes, which the package does not know by a name: the command says the name before.
OF_A_FILE = {
    "no PEM": opening("bad.pem"),
    "another PEM": opening("private.pem"),
    "another scheme": opening("512.pem"),
    "no key": opening("letter.txt"),
    "no DER": opening("bad.der"),
    "no coefficients": opening("bad.raw"),
    "length": (
        ["kem", "decapsulate", "-i", "private.pem", "-o", "new", "letter.txt"],
        lambda: schemes.MLKEM768PrivateKey.from_pem(Path("private.pem").read_bytes()).decapsulate(
            Path("letter.txt").read_bytes()
        ),
    ),
    "no private key": (
        ["decrypt", "-i", "garbage-key.txt", "letter.age"],
        lambda: files.decrypt_file("letter.age", "new", files.read_keys("garbage-key.txt")),
    ),
    "operand's length": (
        ["multiply", "--ring", "Z_17[x]/(x^2+1)", "three.ring", "three.ring"],
        lambda: Ring("Z_17[x]/(x^2+1)").mul([1, 2, 3], [1, 2, 3]),
    ),
}


@pytest.fixture
def faults(tmp_path, monkeypatch):
    """A folder with what is at fault."""
    shutil.copytree(INPUTS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    private = schemes.MLKEM768PrivateKey.generate()
    pem = private.public_key().public_bytes_pem()
    written = {
        "other.txt": files.generate_identity()[0].encode(),
        "ones.txt": b"1 " * 256,
        "three.ring": b"1 2 3\n",
        "cpa.key": schemes.kem("NewHope-CPA-512")[0].generate().private_bytes_raw(),
        "private.pem": private.private_bytes_pem(),
        "bad.pem": pem.replace(b"\n", b"\n*", 2),
        "512.pem": schemes.MLKEM512PrivateKey.generate().public_key().public_bytes_pem(),
        "bad.der": private.public_key().public_bytes_der()[:-1],
        "bad.raw": b"\xff" * 1184,
    }
    for name, of in written.items():
        Path(name).write_bytes(of)


@pytest.mark.parametrize("fault", SAME)
def test_same_sentences(faults, fault):
    """Protects: the package says of a fault what the command says; of a passphrase, which it takes none of, it
    names the command."""
    arguments, call = SAME[fault]
    expected = said_by_command(arguments).replace("leave -i out, and it is asked for", "`ringsmith decrypt` asks for it")
    assert said_by_package(call) == expected
    assert not Path("new").exists()


@pytest.mark.parametrize("fault", OF_A_FILE)
def test_same_sentences_of_bytes(faults, fault):
    """Protects: the same, behind the name of a file and the number of a line."""
    arguments, call = OF_A_FILE[fault]
    expected = said_by_command(arguments)
    name, sentence = re.match(r"(\S+?)(?:, line \d+)?: (.*)", expected, re.DOTALL).groups()
    assert name in arguments and said_by_package(call) == sentence


def test_range(faults):
    """Protects: the same numbers are accepted; the package does not say which coefficient is none of them."""
    Path("big.ring").write_text("1 17\n")
    command = said_by_command(["multiply", "--ring", "Z_17[x]/(x^2+1)", "big.ring", "big.ring"])
    package = said_by_package(lambda: Ring("Z_17[x]/(x^2+1)").mul([1, 17], [1, 2]))
    assert package == "a coefficient is out of range; accepted: -8 to 16"
    assert command.endswith(package.removeprefix("a coefficient"))


def test_backend(monkeypatch):
    """Protects: a backend that there is not."""
    monkeypatch.setenv("RINGSMITH_CPU", "magic")
    assert said_by_package(lambda: Ring("Z_17[x]/(x^2+1)")) == said_by_command(["plan", "Z_17[x]/(x^2+1)"])


def test_offers():
    """Protects: near names are the command's alone, for who types them; the package's sentence begins as its."""
    command = said_by_command(["kem", "keygen", "--scheme", "ML-KEM-76"])
    package = said_by_package(lambda: schemes.kem("ML-KEM-76"))
    assert command.split(";")[0] == package.split(";")[0] == "no scheme is named 'ML-KEM-76'"
