// TLS 1.3 by Go's crypto/tls with one group, for programs that have it from us.
//
//	tls certificate FOLDER           writes cert.pem and key.pem, for localhost
//	tls serve FOLDER GROUP           prints its address; answers lines until its standard input ends
//	tls connect FOLDER GROUP ADDRESS sends a line, and wants it back
//	tls pages FOLDER GROUP           the same as serve, by HTTP: its one page is the group's name
//	tls fetch FOLDER GROUP ADDRESS   prints the page of a server
//
// GROUP is a code point, as 0x11EC. Both sides fail where a connection takes another one.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const patience = 20 * time.Second

// check ends the program at the first error.
func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "tls:", err)
		os.Exit(1)
	}
}

// write puts a block of PEM into a file.
func write(path, kind string, der []byte) {
	check(os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

// certificate makes a key and a certificate, which signs itself and is no authority.
func certificate(folder string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	template := x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "localhost"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		DNSNames:              []string{"localhost"},
	}
	signed, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	check(err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	check(err)
	write(filepath.Join(folder, "cert.pem"), "CERTIFICATE", signed)
	write(filepath.Join(folder, "key.pem"), "PRIVATE KEY", private)
}

// config has one group, and nothing below TLS 1.3.
func config(group string) (*tls.Config, tls.CurveID) {
	id, err := strconv.ParseUint(group, 0, 16)
	check(err)
	only := tls.CurveID(id)
	return &tls.Config{MinVersion: tls.VersionTLS13, CurvePreferences: []tls.CurveID{only}}, only
}

// shake ends a handshake, and looks at its group.
func shake(connection *tls.Conn, want tls.CurveID) error {
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if err := connection.Handshake(); err != nil {
		return err
	}
	if got := connection.ConnectionState().CurveID; got != want {
		return fmt.Errorf("group %v in place of %v", got, want)
	}
	return nil
}

// answer gives back one line.
func answer(connection *tls.Conn, want tls.CurveID) error {
	defer connection.Close()
	if err := shake(connection, want); err != nil {
		return err
	}
	line, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		return err
	}
	_, err = io.WriteString(connection, line)
	return err
}

// listen opens a port, prints its address, and ends the program when its standard input ends.
func listen(folder, group string) (net.Listener, *tls.Config, tls.CurveID) {
	settings, want := config(group)
	pair, err := tls.LoadX509KeyPair(filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem"))
	check(err)
	settings.Certificates = []tls.Certificate{pair}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	fmt.Println(listener.Addr())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return listener, settings, want
}

func serve(folder, group string) {
	listener, settings, want := listen(folder, group)
	for {
		connection, err := listener.Accept()
		check(err)
		if err := answer(tls.Server(connection, settings), want); err != nil {
			fmt.Fprintln(os.Stderr, "tls:", err)
		}
	}
}

func pages(folder, group string) {
	listener, settings, _ := listen(folder, group)
	page := func(to http.ResponseWriter, request *http.Request) {
		fmt.Fprintln(to, request.TLS.CurveID)
	}
	check(http.Serve(tls.NewListener(listener, settings), http.HandlerFunc(page)))
}

// client trusts the folder's certificate.
func client(folder, group string) (*tls.Config, tls.CurveID) {
	settings, want := config(group)
	trusted, err := os.ReadFile(filepath.Join(folder, "cert.pem"))
	check(err)
	settings.RootCAs, settings.ServerName = x509.NewCertPool(), "localhost"
	settings.RootCAs.AppendCertsFromPEM(trusted)
	return settings, want
}

func connect(folder, group, address string) {
	settings, want := client(folder, group)
	plain, err := net.DialTimeout("tcp", address, patience)
	check(err)
	connection := tls.Client(plain, settings)
	check(shake(connection, want))
	const said = "level\n" // the same forwards and backwards: `openssl s_server -rev` turns lines round
	_, err = io.WriteString(connection, said)
	check(err)
	heard, err := bufio.NewReader(connection).ReadString('\n')
	check(err)
	if heard != said {
		check(fmt.Errorf("%q in place of %q", heard, said))
	}
	fmt.Println(want)
}

func fetch(folder, group, address string) {
	settings, want := client(folder, group)
	browser := http.Client{Transport: &http.Transport{TLSClientConfig: settings}, Timeout: patience}
	response, err := browser.Get("https://" + address + "/")
	check(err)
	defer response.Body.Close()
	if got := response.TLS.CurveID; got != want || response.StatusCode != http.StatusOK {
		check(fmt.Errorf("group %v in place of %v, %s", got, want, response.Status))
	}
	_, err = io.Copy(os.Stdout, response.Body)
	check(err)
}

func main() {
	switch arguments := os.Args[1:]; {
	case len(arguments) == 2 && arguments[0] == "certificate":
		certificate(arguments[1])
	case len(arguments) == 3 && arguments[0] == "serve":
		serve(arguments[1], arguments[2])
	case len(arguments) == 4 && arguments[0] == "connect":
		connect(arguments[1], arguments[2], arguments[3])
	case len(arguments) == 3 && arguments[0] == "pages":
		pages(arguments[1], arguments[2])
	case len(arguments) == 4 && arguments[0] == "fetch":
		fetch(arguments[1], arguments[2], arguments[3])
	default:
		check(fmt.Errorf("certificate FOLDER, serve or pages FOLDER GROUP, or connect or fetch FOLDER GROUP ADDRESS"))
	}
}
