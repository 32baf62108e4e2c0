import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.AsymmetricCipherKeyPairGenerator;
import org.bouncycastle.crypto.EncapsulatedSecretExtractor;
import org.bouncycastle.crypto.EncapsulatedSecretGenerator;
import org.bouncycastle.crypto.KeyGenerationParameters;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.generators.MLKEMKeyPairGenerator;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.MLKEMKeyGenerationParameters;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.pqc.crypto.ntru.NTRUKEMExtractor;
import org.bouncycastle.pqc.crypto.ntru.NTRUKEMGenerator;
import org.bouncycastle.pqc.crypto.ntru.NTRUKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.ntru.NTRUKeyPairGenerator;
import org.bouncycastle.pqc.crypto.ntru.NTRUParameters;
import org.bouncycastle.pqc.crypto.ntru.NTRUPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.ntru.NTRUPublicKeyParameters;
import org.bouncycastle.pqc.crypto.ntruprime.NTRULPRimeKEMExtractor;
import org.bouncycastle.pqc.crypto.ntruprime.NTRULPRimeKEMGenerator;
import org.bouncycastle.pqc.crypto.ntruprime.NTRULPRimeKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.ntruprime.NTRULPRimeKeyPairGenerator;
import org.bouncycastle.pqc.crypto.ntruprime.NTRULPRimeParameters;
import org.bouncycastle.pqc.crypto.ntruprime.NTRULPRimePrivateKeyParameters;
import org.bouncycastle.pqc.crypto.ntruprime.NTRULPRimePublicKeyParameters;
import org.bouncycastle.pqc.crypto.ntruprime.SNTRUPrimeKEMExtractor;
import org.bouncycastle.pqc.crypto.ntruprime.SNTRUPrimeKEMGenerator;
import org.bouncycastle.pqc.crypto.ntruprime.SNTRUPrimeKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.ntruprime.SNTRUPrimeKeyPairGenerator;
import org.bouncycastle.pqc.crypto.ntruprime.SNTRUPrimeParameters;
import org.bouncycastle.pqc.crypto.ntruprime.SNTRUPrimePrivateKeyParameters;
import org.bouncycastle.pqc.crypto.ntruprime.SNTRUPrimePublicKeyParameters;

/**
 * NTRU Prime and ML-KEM against BouncyCastle, in both directions: BouncyCastle.java COMMAND, where COMMAND is the
 * program {@code ringsmith}.
 *
 * <p>Keys, ciphertexts and shared keys pass as raw bytes. Either side makes the keys, and both read the private ones;
 * each side encapsulates for the other. What a spoiled ciphertext decapsulates to is the same with ML-KEM; with NTRU
 * Prime it is what the submission says, which BouncyCastle does not follow there.
 */
final class BouncyCastle {
    static final int ROUNDS = 5;
    /** Bytes of hashes, seeds and shared keys. */
    static final int BYTES = 32;
    static final byte[] NOTHING = {};
    static final SecureRandom RANDOM = new SecureRandom();

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("interop");
        try {
            Tool tool = new Tool(Paths.get(arguments[0]).toAbsolutePath().toString(), directory);
            String version = new BouncyCastleProvider().getVersionStr();
            for (Scheme scheme : schemes()) {
                for (int round = 0; round < ROUNDS; round++) {
                    exchange(tool, scheme, theirs(scheme));
                    exchange(tool, scheme, ours(tool, scheme));
                }
                System.out.printf(
                        "%s: %d key pairs with BouncyCastle %s: agreed both ways%s%n",
                        scheme.name, 2 * ROUNDS, version, scheme.except());
            }
        } finally {
            Tool.remove(directory);
        }
    }

    static List<Scheme> schemes() {
        List<Scheme> schemes = new ArrayList<>();
        for (SNTRUPrimeParameters set : new SNTRUPrimeParameters[] {
            SNTRUPrimeParameters.sntrup653, SNTRUPrimeParameters.sntrup761, SNTRUPrimeParameters.sntrup857,
            SNTRUPrimeParameters.sntrup953, SNTRUPrimeParameters.sntrup1013, SNTRUPrimeParameters.sntrup1277,
        }) {
            schemes.add(new Streamlined(set));
        }
        for (NTRULPRimeParameters set : new NTRULPRimeParameters[] {
            NTRULPRimeParameters.ntrulpr653, NTRULPRimeParameters.ntrulpr761, NTRULPRimeParameters.ntrulpr857,
            NTRULPRimeParameters.ntrulpr953, NTRULPRimeParameters.ntrulpr1013, NTRULPRimeParameters.ntrulpr1277,
        }) {
            schemes.add(new LPRime(set));
        }
        for (NTRUParameters set : new NTRUParameters[] {
            NTRUParameters.ntruhps2048509, NTRUParameters.ntruhps2048677, NTRUParameters.ntruhps4096821,
            NTRUParameters.ntruhps40961229, NTRUParameters.ntruhrss701, NTRUParameters.ntruhrss1373,
        }) {
            schemes.add(new Ntru(set));
        }
        for (MLKEMParameters set : new MLKEMParameters[] {
            MLKEMParameters.ml_kem_512, MLKEMParameters.ml_kem_768, MLKEMParameters.ml_kem_1024,
        }) {
            schemes.add(new MlKem(set));
        }
        return schemes;
    }

    /** A key pair as bytes. */
    static final class Pair {
        final byte[] privateKey;
        final byte[] publicKey;

        Pair(byte[] privateKey, byte[] publicKey) {
            this.privateKey = privateKey;
            this.publicKey = publicKey;
        }
    }

    static Pair theirs(Scheme scheme) {
        AsymmetricCipherKeyPair pair = scheme.generate();
        return new Pair(scheme.write(pair.getPrivate()), scheme.write(pair.getPublic()));
    }

    static Pair ours(Tool tool, Scheme scheme) throws Exception {
        tool.run("keygen", scheme, NOTHING, "--format", "raw", "-o", "private", "--public", "public");
        return new Pair(tool.take("private"), tool.take("public"));
    }

    /** Both directions with one key pair, which both sides hold. */
    static void exchange(Tool tool, Scheme scheme, Pair pair) throws Exception {
        AsymmetricKeyParameter privateKey = scheme.readPrivate(pair.privateKey);
        AsymmetricKeyParameter publicKey = scheme.readPublic(pair.publicKey);
        same(scheme, "the private key", pair.privateKey, scheme.write(privateKey));
        same(scheme, "the public key", pair.publicKey, scheme.write(publicKey));
        tool.put("private", pair.privateKey);
        byte[] derived = tool.run("public", scheme, NOTHING, "-i", "private", "--format", "raw");
        same(scheme, "the private key's public key", pair.publicKey, derived);

        EncapsulatedSecretExtractor extractor = scheme.extractor(privateKey);
        byte[] ciphertext = tool.run("encapsulate", scheme, pair.publicKey, "-R", "-", "-s", "secret");
        same(scheme, "our ciphertext", tool.take("secret"), extractor.extractSecret(ciphertext));

        SecretWithEncapsulation encapsulated = scheme.encapsulator().generateEncapsulated(publicKey);
        ciphertext = encapsulated.getEncapsulation();
        byte[] secret = encapsulated.getSecret();
        check(scheme, "the shared key's length", secret.length == BYTES);
        same(scheme, "their ciphertext", secret, decapsulate(tool, scheme, ciphertext));

        for (int place : scheme.spoiled()) {
            byte[] spoiled = ciphertext.clone();
            spoiled[place] ^= (byte) (1 << RANDOM.nextInt(8));
            byte[] ours = decapsulate(tool, scheme, spoiled);
            byte[] theirs = extractor.extractSecret(spoiled);
            check(scheme, "byte " + place + " does not count", !Arrays.equals(ours, secret));
            check(scheme, "byte " + place + " does not count there", !Arrays.equals(theirs, secret));
            scheme.rejected(pair.privateKey, ciphertext, spoiled, ours, theirs);
        }
        tool.take("private");
    }

    static byte[] decapsulate(Tool tool, Scheme scheme, byte[] ciphertext) throws Exception {
        return tool.run("decapsulate", scheme, ciphertext, "-i", "private");
    }

    static void check(Scheme scheme, String what, boolean holds) {
        if (!holds) {
            throw new AssertionError(scheme.name + ": " + what);
        }
    }

    static void same(Scheme scheme, String what, byte[] a, byte[] b) {
        check(scheme, what + ": the two sides differ", Arrays.equals(a, b));
    }

    /** {@code ringsmith kem} in a directory. */
    static final class Tool {
        private final String command;
        private final Path directory;

        Tool(String command, Path directory) {
            this.command = command;
            this.directory = directory;
        }

        /** The standard output, of a run that must succeed. */
        byte[] run(String action, Scheme scheme, byte[] given, String... arguments) throws Exception {
            List<String> words = new ArrayList<>(Arrays.asList(command, "kem", action, "--scheme", scheme.name));
            Collections.addAll(words, arguments);
            ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
            Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (var input = process.getOutputStream()) {
                input.write(given);
            }
            byte[] output = process.getInputStream().readAllBytes();
            if (process.waitFor() != 0) {
                throw new AssertionError(String.join(" ", words) + ": exit code " + process.exitValue());
            }
            return output;
        }

        /** Writes a file, which may hold a private key: its owner's alone. */
        void put(String name, byte[] bytes) throws IOException {
            Path file = Files.write(directory.resolve(name), bytes);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }

        /** A file's bytes, after which the file is gone. */
        byte[] take(String name) throws IOException {
            byte[] bytes = Files.readAllBytes(directory.resolve(name));
            Files.delete(directory.resolve(name));
            return bytes;
        }

        static void remove(Path directory) throws IOException {
            try (var files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    /** A parameter set: its name with us, and how BouncyCastle goes about its keys. */
    abstract static class Scheme {
        final String name;
        /** Lengths of the parts of a ciphertext. */
        private final int[] parts;

        Scheme(String name, int... parts) {
            this.name = name;
            this.parts = parts;
        }

        /** Which bytes of a ciphertext are spoiled, one at a time: the ends of every part. */
        int[] spoiled() {
            int[] places = new int[2 * parts.length];
            int from = 0;
            for (int part = 0; part < parts.length; part++) {
                places[2 * part] = from;
                from += parts[part];
                places[2 * part + 1] = from - 1;
            }
            return places;
        }

        AsymmetricCipherKeyPair generate() {
            AsymmetricCipherKeyPairGenerator generator = generator();
            generator.init(generation());
            return generator.generateKeyPair();
        }

        /** On what the two do not agree. */
        String except() {
            return "";
        }

        /** Checks both sides' shared keys of a ciphertext that was spoiled. */
        abstract void rejected(byte[] privateKey, byte[] sent, byte[] spoiled, byte[] ours, byte[] theirs)
                throws Exception;

        abstract AsymmetricCipherKeyPairGenerator generator();

        abstract KeyGenerationParameters generation();

        abstract AsymmetricKeyParameter readPrivate(byte[] bytes);

        abstract AsymmetricKeyParameter readPublic(byte[] bytes);

        abstract byte[] write(AsymmetricKeyParameter key);

        abstract EncapsulatedSecretGenerator encapsulator();

        abstract EncapsulatedSecretExtractor extractor(AsymmetricKeyParameter privateKey);
    }

    /** Bytes of these lengths, one after the other, and none left. */
    static byte[][] cut(byte[] bytes, int... lengths) {
        byte[][] parts = new byte[lengths.length][];
        int from = 0;
        for (int part = 0; part < lengths.length; part++) {
            parts[part] = Arrays.copyOfRange(bytes, from, from + lengths[part]);
            from += lengths[part];
        }
        if (from != bytes.length) {
            throw new AssertionError("a key of " + bytes.length + " bytes, not " + from);
        }
        return parts;
    }

    /** Bytes of an element with coefficients of two bits. */
    static int small(int degree) {
        return (degree + 3) / 4;
    }

    /**
     * NTRU Prime, of which BouncyCastle has shared keys of its own for rejected ciphertexts.
     *
     * <p>The submission hashes a byte 0, what is secret in place of the element, and the ciphertext as it came.
     * BouncyCastle hashes the ciphertext that it encrypted again, with NTRU LPRime after the byte of good ones, 1. If
     * only the confirmation is spoiled, the one encrypted again is the one sent, and so their key is known.
     */
    abstract static class NtruPrime extends Scheme {
        private final int rho;
        private final int theirByte;

        NtruPrime(String name, int rho, int theirByte, int... parts) {
            super(name, parts);
            this.rho = rho;
            this.theirByte = theirByte;
        }

        @Override
        String except() {
            return ", but for rejected ciphertexts";
        }

        @Override
        void rejected(byte[] privateKey, byte[] sent, byte[] spoiled, byte[] ours, byte[] theirs) throws Exception {
            int end = privateKey.length - BYTES;
            byte[] instead = instead(Arrays.copyOfRange(privateKey, end - rho, end));
            same(this, "our rejected ciphertext", hash(0, instead, spoiled), ours);
            int body = sent.length - BYTES;
            if (Arrays.equals(sent, 0, body, spoiled, 0, body)) {
                same(this, "their rejected ciphertext", hash(theirByte, instead, sent), theirs);
            }
        }

        /** What is hashed in place of the element, of the private key's last secret. */
        abstract byte[] instead(byte[] rho) throws Exception;

        /** The first half of SHA-512 of a byte and the parts. */
        static byte[] hash(int purpose, byte[]... parts) throws Exception {
            MessageDigest hash = MessageDigest.getInstance("SHA-512");
            hash.update((byte) purpose);
            for (byte[] part : parts) {
                hash.update(part);
            }
            return Arrays.copyOf(hash.digest(), BYTES);
        }
    }

    static final class Streamlined extends NtruPrime {
        private final SNTRUPrimeParameters set;

        Streamlined(SNTRUPrimeParameters set) {
            super(set.getName(), small(set.getP()), 0, set.getRoundedPolynomialBytes(), BYTES);
            this.set = set;
        }

        @Override
        byte[] instead(byte[] rho) throws Exception {
            return hash(3, rho);
        }

        @Override
        AsymmetricCipherKeyPairGenerator generator() {
            return new SNTRUPrimeKeyPairGenerator();
        }

        @Override
        KeyGenerationParameters generation() {
            return new SNTRUPrimeKeyGenerationParameters(RANDOM, set);
        }

        @Override
        AsymmetricKeyParameter readPrivate(byte[] bytes) {
            int small = small(set.getP());
            byte[][] parts = cut(bytes, small, small, set.getPublicKeyBytes(), small, BYTES);
            return new SNTRUPrimePrivateKeyParameters(set, parts[0], parts[1], parts[2], parts[3], parts[4]);
        }

        @Override
        AsymmetricKeyParameter readPublic(byte[] bytes) {
            return new SNTRUPrimePublicKeyParameters(set, bytes);
        }

        @Override
        byte[] write(AsymmetricKeyParameter key) {
            return key.isPrivate()
                    ? ((SNTRUPrimePrivateKeyParameters) key).getEncoded()
                    : ((SNTRUPrimePublicKeyParameters) key).getEncoded();
        }

        @Override
        EncapsulatedSecretGenerator encapsulator() {
            return new SNTRUPrimeKEMGenerator(RANDOM);
        }

        @Override
        EncapsulatedSecretExtractor extractor(AsymmetricKeyParameter privateKey) {
            return new SNTRUPrimeKEMExtractor((SNTRUPrimePrivateKeyParameters) privateKey);
        }
    }

    static final class LPRime extends NtruPrime {
        /** Bytes of the middle of a ciphertext: 256 numbers of four bits. */
        private static final int TOP = 128;

        private final NTRULPRimeParameters set;

        LPRime(NTRULPRimeParameters set) {
            super(set.getName(), BYTES, 1, set.getRoundedPolynomialBytes(), TOP, BYTES);
            this.set = set;
        }

        @Override
        byte[] instead(byte[] rho) {
            return rho;
        }

        @Override
        AsymmetricCipherKeyPairGenerator generator() {
            return new NTRULPRimeKeyPairGenerator();
        }

        @Override
        KeyGenerationParameters generation() {
            return new NTRULPRimeKeyGenerationParameters(RANDOM, set);
        }

        @Override
        AsymmetricKeyParameter readPrivate(byte[] bytes) {
            byte[][] parts = cut(bytes, small(set.getP()), set.getPublicKeyBytes(), BYTES, BYTES);
            return new NTRULPRimePrivateKeyParameters(set, parts[0], parts[1], parts[2], parts[3]);
        }

        @Override
        AsymmetricKeyParameter readPublic(byte[] bytes) {
            return new NTRULPRimePublicKeyParameters(set, bytes);
        }

        @Override
        byte[] write(AsymmetricKeyParameter key) {
            return key.isPrivate()
                    ? ((NTRULPRimePrivateKeyParameters) key).getEncoded()
                    : ((NTRULPRimePublicKeyParameters) key).getEncoded();
        }

        @Override
        EncapsulatedSecretGenerator encapsulator() {
            return new NTRULPRimeKEMGenerator(RANDOM);
        }

        @Override
        EncapsulatedSecretExtractor extractor(AsymmetricKeyParameter privateKey) {
            return new NTRULPRimeKEMExtractor((NTRULPRimePrivateKeyParameters) privateKey);
        }
    }

    static final class Ntru extends Scheme {
        private final NTRUParameters set;

        Ntru(NTRUParameters set) {
            super(set.getName(), set.getEncapsulationLength());
            this.set = set;
        }

        @Override
        void rejected(byte[] privateKey, byte[] sent, byte[] spoiled, byte[] ours, byte[] theirs) {
            same(this, "a rejected ciphertext", ours, theirs);
        }

        @Override
        AsymmetricCipherKeyPairGenerator generator() {
            return new NTRUKeyPairGenerator();
        }

        @Override
        KeyGenerationParameters generation() {
            return new NTRUKeyGenerationParameters(RANDOM, set);
        }

        @Override
        AsymmetricKeyParameter readPrivate(byte[] bytes) {
            return new NTRUPrivateKeyParameters(set, bytes);
        }

        @Override
        AsymmetricKeyParameter readPublic(byte[] bytes) {
            return new NTRUPublicKeyParameters(set, bytes);
        }

        @Override
        byte[] write(AsymmetricKeyParameter key) {
            return key.isPrivate()
                    ? ((NTRUPrivateKeyParameters) key).getEncoded()
                    : ((NTRUPublicKeyParameters) key).getEncoded();
        }

        @Override
        EncapsulatedSecretGenerator encapsulator() {
            return new NTRUKEMGenerator(RANDOM);
        }

        @Override
        EncapsulatedSecretExtractor extractor(AsymmetricKeyParameter privateKey) {
            return new NTRUKEMExtractor((NTRUPrivateKeyParameters) privateKey);
        }
    }

    static final class MlKem extends Scheme {
        private final MLKEMParameters set;

        MlKem(MLKEMParameters set) {
            super(set.getName(), set.getEncapsulationLength());
            this.set = set;
        }

        @Override
        void rejected(byte[] privateKey, byte[] sent, byte[] spoiled, byte[] ours, byte[] theirs) {
            same(this, "a rejected ciphertext", ours, theirs);
        }

        @Override
        AsymmetricCipherKeyPairGenerator generator() {
            return new MLKEMKeyPairGenerator();
        }

        @Override
        KeyGenerationParameters generation() {
            return new MLKEMKeyGenerationParameters(RANDOM, set);
        }

        @Override
        AsymmetricKeyParameter readPrivate(byte[] bytes) {
            return new MLKEMPrivateKeyParameters(set, bytes);
        }

        @Override
        AsymmetricKeyParameter readPublic(byte[] bytes) {
            return new MLKEMPublicKeyParameters(set, bytes);
        }

        @Override
        byte[] write(AsymmetricKeyParameter key) {
            return key.isPrivate()
                    ? ((MLKEMPrivateKeyParameters) key).getEncoded()
                    : ((MLKEMPublicKeyParameters) key).getEncoded();
        }

        @Override
        EncapsulatedSecretGenerator encapsulator() {
            return new MLKEMGenerator(RANDOM);
        }

        @Override
        EncapsulatedSecretExtractor extractor(AsymmetricKeyParameter privateKey) {
            return new MLKEMExtractor((MLKEMPrivateKeyParameters) privateKey);
        }
    }
}
