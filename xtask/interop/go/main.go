// ML-KEM against Go's crypto/mlkem, in both directions: interop COMMAND, where COMMAND is the program ringsmith.
//
// Keys pass as raw bytes and seeds, ciphertexts as bytes. Either side makes the keys; each side encapsulates for the other;
// both agree on what a spoiled ciphertext decapsulates to.
package main

import (
	"bytes"
	"crypto/mlkem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

const rounds = 20

// decapsulator and encapsulator are what the keys of both parameter sets have in common.
type decapsulator interface {
	Bytes() []byte
	Decapsulate(ciphertext []byte) ([]byte, error)
}

type encapsulator interface {
	Bytes() []byte
	Encapsulate() (shared, ciphertext []byte)
}

// set is a parameter set: its name, and how keys are made of seeds.
type set struct {
	name     string
	generate func() (decapsulator, error)
	expand   func(seed []byte) (decapsulator, encapsulator, error)
}

var sets = []set{
	{
		"ML-KEM-768",
		func() (decapsulator, error) { return mlkem.GenerateKey768() },
		func(seed []byte) (decapsulator, encapsulator, error) {
			key, err := mlkem.NewDecapsulationKey768(seed)
			if err != nil {
				return nil, nil, err
			}
			return key, key.EncapsulationKey(), nil
		},
	},
	{
		"ML-KEM-1024",
		func() (decapsulator, error) { return mlkem.GenerateKey1024() },
		func(seed []byte) (decapsulator, encapsulator, error) {
			key, err := mlkem.NewDecapsulationKey1024(seed)
			if err != nil {
				return nil, nil, err
			}
			return key, key.EncapsulationKey(), nil
		},
	},
}

// check ends the program at the first error.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
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

func (t tool) run(given []byte, arguments ...string) []byte {
	command := exec.Command(t.command, append([]string{"kem"}, arguments...)...)
	command.Dir, command.Stdin, command.Stderr = t.directory, bytes.NewReader(given), os.Stderr
	out, err := command.Output()
	check(err)
	return out
}

// exchange goes through both directions with the key pair of a seed.
func (t tool) exchange(s set, seed []byte) {
	private, public, err := s.expand(seed)
	check(err)
	ours := t.run(seed, "public", "--scheme", s.name, "-i", "-", "--format", "raw")
	same("public key", ours, public.Bytes())

	secret := filepath.Join(t.directory, "secret")
	ciphertext := t.run(public.Bytes(), "encapsulate", "-R", "-", "-s", secret)
	encapsulated, err := os.ReadFile(secret)
	check(err)
	check(os.Remove(secret))
	shared, err := private.Decapsulate(ciphertext)
	check(err)
	same("our ciphertext", encapsulated, shared)

	file := filepath.Join(t.directory, "seed")
	check(os.WriteFile(file, seed, 0o600))
	shared, ciphertext = public.Encapsulate()
	same("their ciphertext", shared, t.run(ciphertext, "decapsulate", "--scheme", s.name, "-i", file))
	ciphertext[len(ciphertext)-1] ^= 0x80
	rejected, err := private.Decapsulate(ciphertext)
	check(err)
	same("a spoiled ciphertext", rejected, t.run(ciphertext, "decapsulate", "--scheme", s.name, "-i", file))
	check(os.Remove(file))
}

func main() {
	command, err := filepath.Abs(os.Args[1])
	check(err)
	directory, err := os.MkdirTemp("", "interop")
	check(err)
	defer os.RemoveAll(directory)
	t := tool{command, directory}
	for _, s := range sets {
		for range rounds {
			key, err := s.generate()
			check(err)
			t.exchange(s, key.Bytes())
			// A PKCS #8 with a seed ends with it.
			der := t.run(nil, "keygen", "--scheme", s.name, "--format", "der")
			t.exchange(s, der[len(der)-mlkem.SeedSize:])
		}
		fmt.Printf("%s: %d key pairs with crypto/mlkem of %s: agreed both ways\n", s.name, 2*rounds, runtime.Version())
	}
}
