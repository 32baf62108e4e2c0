// ML-DSA against Go's filippo.io/mldsa, in both directions: mldsa COMMAND, where COMMAND is the program ringsmith.
//
// Keys pass as PEM, signatures as bytes. Either side makes the keys and signs, with and without a context; the other side
// verifies, and refuses what was altered; deterministic signatures are the same bytes.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"filippo.io/mldsa"
)

const rounds = 3

var sets = []mldsa.Parameters{mldsa.MLDSA44(), mldsa.MLDSA65(), mldsa.MLDSA87()}

var contexts = []string{"", "a", strings.Repeat("x", 255)}

// check ends the program at the first error.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mldsa:", err)
		os.Exit(1)
	}
}

// same ends the program where two byte strings differ.
func same(what string, a, b []byte) {
	if !bytes.Equal(a, b) {
		check(fmt.Errorf("%s: the two sides differ", what))
	}
}

// tool runs ringsmith in a directory.
type tool struct{ command, directory string }

func (t tool) run(given []byte, code int, arguments ...string) []byte {
	command := exec.Command(t.command, arguments...)
	command.Dir, command.Stdin = t.directory, bytes.NewReader(given)
	out, err := command.Output()
	if command.ProcessState == nil || command.ProcessState.ExitCode() != code {
		check(fmt.Errorf("%v: %v, not exit code %d", arguments, err, code))
	}
	return out
}

// der is what the PEM in a file holds.
func (t tool) der(name string) []byte {
	text, err := os.ReadFile(filepath.Join(t.directory, name))
	check(err)
	block, _ := pem.Decode(text)
	return block.Bytes
}

// altered has one bit that is another.
func altered(signature []byte) []byte {
	copied := bytes.Clone(signature)
	copied[int(copied[0])%len(copied)] ^= 1
	return copied
}

// exchange goes through both directions with a new key pair of ours.
func (t tool) exchange(set mldsa.Parameters) {
	kind := strings.ToLower(set.String())
	t.run(nil, 0, "keygen", "--kind", kind, "-o", "private", "--public", "public")
	// A PKCS #8 with a seed ends with it, a SubjectPublicKeyInfo with the public key.
	private, public := t.der("private"), t.der("public")
	key, err := mldsa.NewPrivateKey(set, private[len(private)-32:])
	check(err)
	same("public key", public[len(public)-set.PublicKeySize():], key.PublicKey().Bytes())
	message := make([]byte, 100_000)
	_, err = rand.Read(message)
	check(err)
	for _, context := range contexts {
		t.signatures(key, message, context)
	}
	check(os.Remove(filepath.Join(t.directory, "private")))
	check(os.Remove(filepath.Join(t.directory, "public")))
}

func (t tool) signatures(key *mldsa.PrivateKey, message []byte, context string) {
	options := &mldsa.Options{Context: context}
	ours := t.run(message, 0, "sign", "-i", "private", "--context", context)
	check(mldsa.Verify(key.PublicKey(), message, ours, options))
	if mldsa.Verify(key.PublicKey(), message, altered(ours), options) == nil {
		check(fmt.Errorf("they take what was altered"))
	}
	theirs, err := key.SignDeterministic(message, options)
	check(err)
	same("a deterministic signature", theirs, t.run(message, 0, "sign", "-i", "private", "--context", context, "--deterministic"))
	theirs, err = key.Sign(nil, message, options)
	check(err)
	for code, signature := range [][]byte{theirs, altered(theirs)} {
		check(os.WriteFile(filepath.Join(t.directory, "signature"), signature, 0o600))
		t.run(message, code, "verify", "-p", "public", "-s", "signature", "--context", context)
	}
}

func main() {
	command, err := filepath.Abs(os.Args[1])
	check(err)
	directory, err := os.MkdirTemp("", "mldsa")
	check(err)
	defer os.RemoveAll(directory)
	t := tool{command, directory}
	for _, set := range sets {
		for range rounds {
			t.exchange(set)
		}
		fmt.Printf("%s: %d key pairs with filippo.io/mldsa 1.0.0: signatures verified both ways\n", set, rounds)
	}
}
