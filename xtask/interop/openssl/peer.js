// Node, which has OpenSSL 3.5 and with it ML-KEM of OpenSSL's own: peer.js FOLDER COMMAND [ARGUMENTS...].
//
//   peer.js FOLDER connect GROUP PORT   says a line, and wants it back
//   peer.js FOLDER serve GROUP          prints its port; gives lines back until its standard input ends
//   peer.js FOLDER keys SET             reads theirs.key and theirs.pub, which belong to each other; writes ours.key and ours.pub
"use strict";
const crypto = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const tls = require("node:tls");

const [folder, command, ...rest] = process.argv.slice(2);
const file = (name) => path.join(folder, name);
const LINE = "level\n";

function fail(why) {
  console.error(`peer: ${why}`);
  process.exit(1);
}

function connect(group, port) {
  const certificate = fs.readFileSync(file("cert.pem"));
  const options = { host: "127.0.0.1", port, servername: "localhost", ca: certificate, ecdhCurve: group, minVersion: "TLSv1.3" };
  const socket = tls.connect(options, () => socket.write(LINE));
  socket.on("error", (error) => fail(error.message));
  socket.on("data", (heard) => {
    const taken = socket.getEphemeralKeyInfo().name;
    if (String(heard) !== LINE || taken !== group) fail(`${taken}: ${heard}`);
    console.log(taken);
    process.exit(0);
  });
}

function serve(group) {
  const options = { cert: fs.readFileSync(file("cert.pem")), key: fs.readFileSync(file("key.pem")), ecdhCurve: group, minVersion: "TLSv1.3" };
  const server = tls.createServer(options, (socket) => {
    socket.on("error", () => {}); // it left
    socket.on("data", (line) => socket.end(line));
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
  process.stdin.on("end", () => process.exit(0)).resume();
}

function keys(set) {
  const theirs = crypto.createPrivateKey(fs.readFileSync(file("theirs.key")));
  const spki = { type: "spki", format: "pem" };
  if (theirs.asymmetricKeyType !== set) fail(`a key of ${theirs.asymmetricKeyType}`);
  if (crypto.createPublicKey(theirs).export(spki) !== fs.readFileSync(file("theirs.pub"), "utf8")) fail("another public key");
  const ours = crypto.generateKeyPairSync(set);
  fs.writeFileSync(file("ours.key"), ours.privateKey.export({ type: "pkcs8", format: "pem" }));
  fs.writeFileSync(file("ours.pub"), ours.publicKey.export(spki));
}

({ connect, serve, keys })[command](...rest);
