// ML-DSA against filippo.io/mldsa, in both directions: mldsa SIGN COMMAND, where SIGN is the test kit's program `sign` and
// COMMAND is `ringsmith`.
//
// Keys pass as PEM, signatures as bytes. Either side makes the keys, and both write them alike; each verifies the other's
// signatures with contexts of several lengths, and neither an altered one; deterministic signatures are the same bytes. Go's
// crypto/x509 takes the command's certificates apart: what is signed of them verifies, and the command takes them with Go's
// signature in place of its own.
package main

import (
	"bytes"
	"crypto/rand"
	standard "crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"

	"filippo.io/mldsa"
	"filippo.io/mldsa/mldsacrypto"
	"filippo.io/mldsa/x509"
)

const rounds = 3

var sets = []mldsa.Parameters{mldsa.MLDSA44(), mldsa.MLDSA65(), mldsa.MLDSA87()}

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

func random(length int) []byte {
	out := make([]byte, length)
	rand.Read(out)
	return out
}

// altered has one bit that is another.
func altered(signature []byte) []byte {
	copied := bytes.Clone(signature)
	copied[int(copied[0])%len(copied)] ^= 1
	return copied
}

// privatePEM and publicPEM are a key as files have it.
func privatePEM(key *mldsa.PrivateKey) []byte {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func publicPEM(key *mldsa.PrivateKey) []byte {
	der, err := x509.MarshalPKIXPublicKey(key.PublicKey())
	check(err)
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// read takes the key of a PKCS #8 with a seed, which ends with it.
func read(set mldsa.Parameters, text []byte) *mldsa.PrivateKey {
	block, _ := pem.Decode(text)
	key, err := mldsa.NewPrivateKey(set, block.Bytes[len(block.Bytes)-mldsa.PrivateKeySize:])
	check(err)
	must(bytes.Equal(privatePEM(key), text), "private key")
	return key
}

// exchange goes through both directions with a key pair that both sides hold.
func exchange(ours side, key *mldsa.PrivateKey) {
	ours.write("private", privatePEM(key))
	must(bytes.Equal(ours.public(), publicPEM(key)), "public key")
	ours.write("public", publicPEM(key))
	for _, context := range ours.contexts() {
		for _, length := range []int{0, 1, 9 * len(context), 100_000} {
			signatures(ours, key, random(length), context)
		}
	}
	ours.more(key)
}

func signatures(ours side, key *mldsa.PrivateKey, message []byte, context string) {
	options := &mldsa.Options{Context: context}
	theirs, err := key.SignDeterministic(message, options)
	check(err)
	must(bytes.Equal(ours.sign(message, context), theirs), "deterministic signature")
	made := ours.hedged(message, context)
	check(mldsa.Verify(key.PublicKey(), message, made, options))
	must(mldsa.Verify(key.PublicKey(), message, altered(made), options) != nil, "an altered signature")
	theirs, err = key.Sign(rand.Reader, message, options)
	check(err)
	must(ours.verifies(theirs, message, context), "hedged signature")
	must(!ours.verifies(altered(theirs), message, context), "an altered signature")
}

// digests are signatures of 64 bytes that stand for a message.
func digests(ours kit, key *mldsa.PrivateKey) {
	mu := random(64)
	theirs, err := key.SignDeterministic(mu, mldsacrypto.MLDSAMu)
	check(err)
	must(bytes.Equal(ours.signMu(mu), theirs), "signature of mu")
	must(ours.verifiesMu(theirs, mu) && !ours.verifiesMu(altered(theirs), mu), "signature of mu")
}

// certificates has the command certify its key.
func certificates(ours command, key *mldsa.PrivateKey) {
	block, _ := pem.Decode(ours.run(nil, "certificate", "-i", "private", "--subject", "CN=Alice,O=Example,C=CH", "--days", "2"))
	read, err := standard.ParseCertificate(block.Bytes)
	check(err)
	public, err := x509.MarshalPKIXPublicKey(key.PublicKey())
	check(err)
	must(bytes.Equal(read.RawSubjectPublicKeyInfo, public), "a certificate's key")
	check(mldsa.Verify(key.PublicKey(), read.RawTBSCertificate, read.Signature, nil))
	must(mldsa.Verify(key.PublicKey(), altered(read.RawTBSCertificate), read.Signature, nil) != nil, "an altered certificate")

	theirs, err := key.Sign(rand.Reader, read.RawTBSCertificate, &mldsa.Options{})
	check(err)
	unsigned := bytes.TrimSuffix(block.Bytes, read.Signature)
	letter := random(100)
	good := ours.write("good", ours.sign(letter, ""))
	takes := func(signature []byte) bool {
		der := bytes.Join([][]byte{unsigned, signature}, nil)
		name := ours.write("certificate", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
		return ours.takes(letter, "verify", "--public", name, "-s", good)
	}
	must(takes(theirs) && !takes(altered(theirs)), "the signature of a certificate")
}

func main() {
	directory, err := os.MkdirTemp("", "mldsa")
	check(err)
	defer os.RemoveAll(directory)
	sides := []func(program) side{func(p program) side { return kit{p} }, func(p program) side { return command{p} }}
	for i, of := range sides {
		path, err := filepath.Abs(os.Args[i+1])
		check(err)
		for _, set := range sets {
			ours := of(program{path, directory, set.String()})
			for range rounds {
				exchange(ours, read(set, ours.generate()))
				key, err := mldsa.GenerateKey(set)
				check(err)
				exchange(ours, key)
			}
			fmt.Printf("%s, %s: %d key pairs with filippo.io/mldsa 1.0.0: agreed both ways\n", filepath.Base(path), set, 2*rounds)
		}
	}
}
