"""Files in the age format."""

import contextlib
import os
import threading
import time

import pytest

from ringsmith import Error, InvalidCiphertext, files


@pytest.mark.parametrize("kind", files.KINDS)
@pytest.mark.parametrize("armor", [False, True])
def test_round(tmp_path, kind, armor):
    """Protects: files of every kind come back, to several recipients, and none is overwritten."""
    (identity, recipient), (other, _) = files.generate_identity(kind), files.generate_identity(kind)
    assert files.recipient_of(identity) == recipient
    source, secret, copy = (tmp_path / name for name in ("source", "secret.age", "copy"))
    source.write_bytes(bytes(range(256)) * 1000)
    files.encrypt_file(source, secret, [recipient, files.recipient_of(other)], armor=armor)
    assert secret.read_bytes().startswith(b"-----BEGIN AGE" if armor else b"age-encryption.org")
    files.decrypt_file(str(secret), str(copy), other)
    assert copy.read_bytes() == source.read_bytes()
    with pytest.raises(FileExistsError, match="is not overwritten"):
        files.decrypt_file(secret, copy, identity)
    with pytest.raises(FileNotFoundError):
        files.decrypt_file(tmp_path / "nothing", tmp_path / "new", identity)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "secret.age", "source"]


def test_refusals(tmp_path):
    """Protects: a file that was altered, cut off or made for others is one kind of error, and leaves nothing."""
    (identity, recipient), (other, _) = files.generate_identity(), files.generate_identity()
    secret = files.encrypt(b"a letter", recipient)
    assert files.decrypt(secret, [other, identity]) == b"a letter"
    for bad, says in [
        (secret[:-1], "altered"),
        (secret[:-1] + bytes([secret[-1] ^ 1]), "altered or is damaged"),
        (secret[:100], "cut off"),
        (b"no file", "no age file"),
    ]:
        with pytest.raises(InvalidCiphertext, match=says):
            files.decrypt(bad, identity)
    with pytest.raises(InvalidCiphertext, match="was not encrypted to any of these keys"):
        files.decrypt(secret, other)
    path = tmp_path / "bad.age"
    path.write_bytes(secret[:-1])
    with pytest.raises(InvalidCiphertext):
        files.decrypt_file(path, tmp_path / "out", identity)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.age"]
    for bad in ("", "age1nothing", identity):
        with pytest.raises(Error, match="no recipient"):
            files.encrypt(b"", bad)
    with pytest.raises(Error, match="no private key") as caught:
        files.decrypt(secret, identity[:-1])
    assert identity[:-1] not in str(caught.value)
    with pytest.raises(Error, match="no recipient"):
        files.encrypt(b"", [])
    with pytest.raises(Error):
        files.generate_identity("magic")


def test_refusals_of_the_system(tmp_path):
    """Protects: what the system refuses is an error of its kind; integers are no bytes; too many recipients make no file."""
    identity, recipient = files.generate_identity()
    new = tmp_path / "new"
    for function, keys in [(files.encrypt_file, recipient), (files.decrypt_file, identity)]:
        with pytest.raises(IsADirectoryError):
            function(tmp_path, new, keys)
        with pytest.raises(FileNotFoundError):
            function(tmp_path / "nothing", new, keys)
    for function, key in [(files.encrypt, recipient), (files.decrypt, identity)]:
        with pytest.raises(TypeError):
            function(5, key)
    with pytest.raises(Error, match="this is a private key, which decrypts"):
        files.encrypt(b"", identity)
    with pytest.raises(Error, match="1500 recipients are too many"):
        files.encrypt_file(__file__, new, [recipient] * 1500)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe that has a name")
def test_unfinished_files_are_their_owners(tmp_path):
    """Protects: nobody else reads what is not finished, and a finished file allows what new files do."""
    (_, recipient), source, target = files.generate_identity(), tmp_path / "source", tmp_path / "target"
    os.mkfifo(source)
    thread = threading.Thread(target=files.encrypt_file, args=(source, target, recipient))
    thread.start()

    def modes():
        for path in tmp_path.glob(".ringsmith.*"):
            # An empty file comes before, which is soon gone.
            with contextlib.suppress(FileNotFoundError):
                yield path.stat().st_mode & 0o777

    with open(source, "wb") as writer:
        writer.write(b"a letter")
        end = time.monotonic() + 30
        while list(modes()) != [0o600]:
            assert time.monotonic() < end and not target.exists()
            time.sleep(0.01)
    thread.join()
    (tmp_path / "other").write_bytes(b"")
    assert target.stat().st_mode == (tmp_path / "other").stat().st_mode
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "source", "target"]


def test_files_of_keys(tmp_path):
    """Protects: keys as the command writes them."""
    identity, recipient = files.generate_identity()
    path = tmp_path / "key.txt"
    path.write_text(f"# public key: {recipient}\n\n{identity}\n")
    assert files.read_keys(path) == [identity]
