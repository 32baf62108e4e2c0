"""An unmodified SSH client library talks to OpenSSH's server by sntrup761x25519-sha512@openssh.com, and runs a command.

usage: ssh.py SSHD [FOLDER | --ringsmith | --paramiko]

With FOLDER, the shared object that the client library took must be in it. With --ringsmith, the method is of the
Python package `ringsmith`; with --paramiko also the client library is another one.
"""

import asyncio
import base64
import getpass
import os
import pathlib
import secrets
import socket
import subprocess
import sys
import tempfile
import time

import asyncssh

METHOD = "sntrup761x25519-sha512@openssh.com"
CONFIGURATION = """
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized
KexAlgorithms {method}
PermitRootLogin yes
PasswordAuthentication no
StrictModes no
UsePAM no
PidFile none
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def prepare(folder):
    """Keys and the server's configuration."""
    host, user = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    host.write_private_key(folder / "host")
    (folder / "host").chmod(0o600)
    user.write_public_key(folder / "authorized")
    port = free_port()
    text = CONFIGURATION.format(port=port, folder=folder, method=METHOD)
    (folder / "configuration").write_text(text)
    return host, user, port


async def connected(port, host, user):
    """The connection, as soon as the server listens."""
    for _ in range(100):
        try:
            return await asyncssh.connect(
                "127.0.0.1",
                port,
                username=getpass.getuser(),
                client_keys=[user],
                known_hosts=([host.convert_to_public()], [], []),
                kex_algs=[METHOD],
                config=None,
            )
        except ConnectionRefusedError:
            await asyncio.sleep(0.1)
    raise SystemExit("the server does not listen")


def talk_by_paramiko(port, host, user):
    """The same by Paramiko."""
    import io

    import paramiko
    from ringsmith.ssh import paramiko_transport

    word, key = secrets.token_hex(8), paramiko.Ed25519Key.from_private_key(io.StringIO(user.export_private_key().decode()))
    client = paramiko.SSHClient()
    name, data = host.export_public_key().decode().split()[:2]
    host_key = paramiko.PKey.from_type_string(name, base64.b64decode(data))
    client.get_host_keys().add(f"[127.0.0.1]:{port}", name, host_key)
    for _ in range(100):
        try:
            client.connect(
                "127.0.0.1",
                port,
                getpass.getuser(),
                pkey=key,
                look_for_keys=False,
                allow_agent=False,
                transport_factory=paramiko_transport(),
            )
            break
        except paramiko.ssh_exception.NoValidConnectionsError:
            time.sleep(0.1)
    with client:
        _, output, _ = client.exec_command(f"echo {word}")
        assert output.read().decode().strip() == word
        print(f"{client.get_transport().remote_version}: a command ran, after {METHOD}, by Paramiko")


async def talk(port, host, user):
    word = secrets.token_hex(8)
    async with await connected(port, host, user) as connection:
        done = await connection.run(f"echo {word}", check=True)
        assert done.stdout.strip() == word, done.stdout
        print(f"{connection.get_extra_info('server_version')}: a command ran, after {METHOD}")


def used(folder):
    """Whether this process has a shared object of the folder in its memory."""
    folder = os.path.realpath(folder)
    return any(f" {folder}/" in line for line in open("/proc/self/maps"))


def main():
    server, *folder = sys.argv[1:]
    package = folder and folder[0].startswith("--")
    if package:
        import ringsmith.ssh

        ringsmith.ssh.enable_asyncssh()
    if os.geteuid() == 0:
        # Where the server gives its privileges up.
        pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        host, user, port = prepare(temporary)
        command = [server, "-D", "-e", "-f", str(temporary / "configuration")]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            try:
                if folder == ["--paramiko"]:
                    talk_by_paramiko(port, host, user)
                else:
                    asyncio.run(talk(port, host, user))
            finally:
                process.terminate()
                said = process.communicate()[1]
                if sys.exc_info()[0] is not None:
                    sys.stderr.buffer.write(said)
    if folder and not package and not used(folder[0]):
        raise SystemExit("another shared object was used")


main()
