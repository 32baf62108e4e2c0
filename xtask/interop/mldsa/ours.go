package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"filippo.io/mldsa"
)

// side is one of our two programs, with a key pair in the files `private` and `public` of a folder.
type side interface {
	// generate makes a private key.
	generate() []byte
	// write makes a file of its folder, and returns the name.
	write(name string, content []byte) string
	// public is the public half of the private key there.
	public() []byte
	// contexts are those that it can be given.
	contexts() []string
	// sign is deterministic, hedged takes randomness where the program can.
	sign(message []byte, context string) []byte
	hedged(message []byte, context string) []byte
	verifies(signature, message []byte, context string) bool
	// more is what it alone can.
	more(key *mldsa.PrivateKey)
}

// program runs in a directory, for a set.
type program struct{ path, directory, set string }

// finish returns the standard output and the exit code.
func (p program) finish(given []byte, arguments ...string) ([]byte, int) {
	run := exec.Command(p.path, arguments...)
	run.Dir, run.Stdin = p.directory, bytes.NewReader(given)
	out, err := run.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		check(err)
	}
	return out, run.ProcessState.ExitCode()
}

// run returns the standard output of what must succeed.
func (p program) run(given []byte, arguments ...string) []byte {
	out, code := p.finish(given, arguments...)
	if code != 0 {
		check(fmt.Errorf("%v: exit code %d", arguments, code))
	}
	return out
}

// takes is whether it verifies; an error is neither.
func (p program) takes(given []byte, arguments ...string) bool {
	_, code := p.finish(given, arguments...)
	if code != 0 && code != 1 {
		check(fmt.Errorf("%v: exit code %d", arguments, code))
	}
	return code == 0
}

func (p program) write(name string, content []byte) string {
	check(os.WriteFile(filepath.Join(p.directory, name), content, 0o600))
	return name
}

// kit is the test kit's `sign`.
type kit struct{ program }

func (k kit) generate() []byte { return k.run(nil, "keygen", k.set, hex.EncodeToString(random(32))) }

func (k kit) public() []byte { return k.run(nil, "public", k.set, "private") }

func (k kit) contexts() []string {
	return []string{"", string(random(1)), string(random(128)), string(random(255))}
}

func (k kit) sign(message []byte, context string) []byte {
	return k.run(message, "sign", k.set, "private", hex.EncodeToString([]byte(context)))
}

func (k kit) hedged(message []byte, context string) []byte { return k.sign(message, context) }

func (k kit) verifies(signature, message []byte, context string) bool {
	name := k.write("signature", signature)
	return k.takes(message, "verify", k.set, "public", name, hex.EncodeToString([]byte(context)))
}

func (k kit) signMu(mu []byte) []byte { return k.run(mu, "sign-mu", k.set, "private") }

func (k kit) verifiesMu(signature, mu []byte) bool {
	return k.takes(mu, "verify-mu", k.set, "public", k.write("signature", signature))
}

func (k kit) more(key *mldsa.PrivateKey) { digests(k, key) }

// command is the program ringsmith.
type command struct{ program }

func (c command) generate() []byte { return c.run(nil, "keygen", "--kind", strings.ToLower(c.set)) }

func (c command) public() []byte { return c.run(nil, "keygen", "-y", "private") }

func (c command) contexts() []string { return []string{"", "a", strings.Repeat("x", 255)} }

func (c command) sign(message []byte, context string) []byte {
	return c.run(message, "sign", "-i", "private", "--context", context, "--deterministic")
}

func (c command) hedged(message []byte, context string) []byte {
	return c.run(message, "sign", "-i", "private", "--context", context)
}

func (c command) verifies(signature, message []byte, context string) bool {
	return c.takes(message, "verify", "--public", "public", "-s", c.write("signature", signature), "--context", context)
}

func (c command) more(key *mldsa.PrivateKey) { certificates(c, key) }
