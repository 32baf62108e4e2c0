// ML-DSA against filippo.io/mldsa, in both directions: mldsa COMMAND, where COMMAND is the test kit's program `sign`.
//
// Keys pass as PEM, signatures as bytes. Either side makes the keys and both write them alike; deterministic signatures with
// contexts of several lengths, and of 64 bytes, are the same; each verifies the other's, and neither a spoiled one.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"filippo.io/mldsa"
	"filippo.io/mldsa/mldsacrypto"
	"filippo.io/mldsa/x509"
)

const rounds = 5

// check ends the program at the first error.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "mldsa:", err)
		os.Exit(1)
	}
}

// must ends the program where something does not hold.
func must(holds bool, what string) {
	if !holds {
		check(fmt.Errorf("%s: the two sides differ", what))
	}
}

// tool runs our program in a directory, for a set.
type tool struct{ command, directory, set string }

func (t tool) run(given []byte, what string, arguments ...string) ([]byte, bool) {
	command := exec.Command(t.command, append([]string{what, t.set}, arguments...)...)
	command.Dir, command.Stdin, command.Stderr = t.directory, bytes.NewReader(given), os.Stderr
	out, err := command.Output()
	return out, err == nil
}

func (t tool) write(name string, content []byte) string {
	check(os.WriteFile(filepath.Join(t.directory, name), content, 0o600))
	return name
}

// verifies asks our program.
func (t tool) verifies(what string, signature, message []byte, context ...string) bool {
	_, good := t.run(message, what, append([]string{"public", t.write("signature", signature)}, context...)...)
	return good
}

func random(length int) []byte {
	out := make([]byte, length)
	rand.Read(out)
	return out
}

func spoiled(signature []byte) []byte {
	out := bytes.Clone(signature)
	out[len(out)/2] ^= 1
	return out
}

// exchange goes through both directions with the key of a seed.
func (t tool) exchange(params mldsa.Parameters, seed []byte) {
	key, err := mldsa.NewPrivateKey(params, seed)
	check(err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	theirs := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	ours, _ := t.run(nil, "keygen", hex.EncodeToString(seed))
	must(bytes.Equal(ours, theirs), "private key")
	t.write("private", ours)
	public, err := x509.MarshalPKIXPublicKey(key.PublicKey())
	check(err)
	ours, _ = t.run(nil, "public", "private")
	must(bytes.Equal(ours, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})), "public key")
	t.write("public", ours)

	for _, length := range []int{0, 1, 128, 255} {
		context, message := random(length), random(9*length)
		text, options := hex.EncodeToString(context), &mldsa.Options{Context: string(context)}
		ours, _ := t.run(message, "sign", "private", text)
		theirs, err := key.SignDeterministic(message, options)
		check(err)
		must(bytes.Equal(ours, theirs), "deterministic signature")
		check(mldsa.Verify(key.PublicKey(), message, ours, options))
		must(mldsa.Verify(key.PublicKey(), message, spoiled(ours), options) != nil, "a spoiled signature")
		hedged, err := key.Sign(rand.Reader, message, options)
		check(err)
		must(t.verifies("verify", hedged, message, text), "hedged signature")
		must(!t.verifies("verify", spoiled(hedged), message, text), "a spoiled signature")
	}
	mu := random(64)
	ours, _ = t.run(mu, "sign-mu", "private")
	theirs, err = key.SignDeterministic(mu, mldsacrypto.MLDSAMu)
	check(err)
	must(bytes.Equal(ours, theirs), "signature of mu")
	must(t.verifies("verify-mu", theirs, mu), "signature of mu")
}

func main() {
	command, err := filepath.Abs(os.Args[1])
	check(err)
	directory, err := os.MkdirTemp("", "mldsa")
	check(err)
	defer os.RemoveAll(directory)
	for _, params := range []mldsa.Parameters{mldsa.MLDSA44(), mldsa.MLDSA65(), mldsa.MLDSA87()} {
		for range rounds {
			key, err := mldsa.GenerateKey(params)
			check(err)
			tool{command, directory, params.String()}.exchange(params, key.Bytes())
		}
		fmt.Printf("%s: %d keys with filippo.io/mldsa: agreed both ways\n", params, rounds)
	}
}
