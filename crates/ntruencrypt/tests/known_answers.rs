//! Every set against the digest of what its standard's library made of the same random bytes.

#[path = "../../testkit/src/nist.rs"]
#[allow(dead_code, unreachable_pub, reason = "the generator is what is wanted of it")]
mod nist;

use nist::Drbg;
use rand_core::Rng;
use ringsmith_kem::pke::PublicKeyEncryption;
use ringsmith_ntruencrypt::{SCHEMES, libntru, ntruprime739};
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha256};

/// SHA-256 of all keys and ciphertexts of a set, in the order in which they were made. The library is
/// libntruencrypt (github.com/jschanck-si/NTRUEncrypt, 3d360042), where two sets were added to its table.
const DIGESTS: [(&str, &str); 20] = [
    ("ees401ep1", "11cb7085fb63eda5fb3992e172b1ab900ffe88d0bb4be1171287900c572a6f8d"),
    ("ees449ep1", "79eb277e345b91b64ef42888a195156dfda1591250568750d417755346c41101"),
    ("ees677ep1", "1a810eb580456d66a55c2789bc12746f39a2319b69a59efd881a1457ece7e99e"),
    ("ees1087ep2", "71d5b62e57b72cb0e8be09a61b1981d1d866020db2c5e5a721ff3bc1be3059f0"),
    ("ees541ep1", "ad695658f669cee7c4abb52cfb0f6bb5b1c296050ad2333627aaf11afa3e4195"),
    ("ees613ep1", "da896ae415012fbc6e6c3699c569c7a88ef976225ee1526fe42b2907e872e197"),
    ("ees887ep1", "8f0c0f629d8234c7f0fa082683c875bcbe43d7fb9448846994c8c581af92ccde"),
    ("ees1171ep1", "fc4cc26d4734ab8763c68dba2dd59a377a12ba6dd92d004b0e17d81ae95c126a"),
    ("ees659ep1", "2d01d91561555faef6af0819afa3898bfd1ad75380417f2c18a0afcbe492601c"),
    ("ees761ep1", "0069aae9c64eca10367f0a59b3e560c318ec94119f5505528f33904d8256887e"),
    ("ees1087ep1", "9e1e1f88b9d735758e9285cd6066d95f916fb20d871074720d75e3e1f591bddf"),
    ("ees1499ep1", "7ac89c6b5a9e40f87d7e014937222b6c4183967a7f2f2b225277366032af47e4"),
    ("ees401ep2", "091fe1154c3a19a08b966a0c5978676fa15ed26be4262e086401e07e6aa2ec3a"),
    ("ees439ep1", "b968eeaf400aa9e537376345b30e33de225b485b678296c3342d7f3770300d52"),
    ("ees593ep1", "b0fdd711b7b80b3ecc7b684701331b747f219b93eca7322d375ec83514545109"),
    ("ees743ep1", "9ae48405673941a95f6a7a80533527d1d4b8cc9f63ab95e261729096df227a23"),
    ("ees443ep1", "1f3e9d14a9e92fe638cba63f9cc20abb853ec1d8f90a1dc440e65d9c49be6fa8"),
    ("ees587ep1", "126494c897aa072857f8389727e0ed2b4ca3514af5aba121f503dbb5fc8b264d"),
    ("ees653ep1", "2258e7e84e7091e3b3b46974b45c00334bcdb0e89d6ad8412cee4174c0d2397b"),
    ("ees853ep1", "fba9e8d482a4ba020a6d47a9260451d6b842160af87febc57a343287e98b6437"),
];

/// The same over the field, of which no library is known: what `shared` says they are by its definition.
const OVER_THE_FIELD: [(&str, &str); 2] = [
    ("ntruprime739-x998", "bdcadae74cb4fd23600e5fcef8b5b13bf8a30ddd9f716f0ed7369a8d65f54c72"),
    ("ntruprime739-radix", "f047132833635d8e2d9c83144930ec7d5f458a1c4d8e3d2583e2966d570237cf"),
];

/// The same of libntru's sets, whose keys nobody else makes of the same random bytes. They are this
/// library's, from when it encrypted all of libntru's own messages as libntru did, and read all of its
/// keys (`cargo test -p ringsmith-testkit --test ntruencrypt`).
const OF_LIBNTRU: [(&str, &str); 18] = [
    ("libntru-ees401ep1", "572c2f0197a0965accb5ccb183b4e50524dbca829581c1d260ccfab759150bc8"),
    ("libntru-ees449ep1", "d05f6107455b6fc149842241c3050f35637074003347c62ba1e1ac9b2c992f68"),
    ("libntru-ees677ep1", "4d49ebc241be83a66ad7092a6642bffbc01ff82d466d6f653a49ecd45e3396f9"),
    ("libntru-ees1087ep2", "35425329c1b1c81c9811f78b16a75e931e9aa94fcd99ebfa95de39bd1fd2e09f"),
    ("libntru-ees541ep1", "8efdb3557ea8a2b704b44e6c30edca09e5e9c1fda91e022cf8d183b8c50fefdb"),
    ("libntru-ees613ep1", "2e8118c2c465b50d95d68f0d88cb2194d0e7472a3d7b1359a4a8114a382e7642"),
    ("libntru-ees887ep1", "205643876620ec911e0cebf13f07d650b097210e5046135e26190545a3662e17"),
    ("libntru-ees1171ep1", "132dec112287feaff554f46ecece64015dbbb68264a6c8b8dedc992528225652"),
    ("libntru-ees659ep1", "c4386dfea38eaf63b806c8c8c429046b3060706e66ce1e774e0a6425044e5e85"),
    ("libntru-ees761ep1", "a9adf03f5ce37c7e2603007c1298a1948b9f41bcebb92def50679a0f23c2c99a"),
    ("libntru-ees1087ep1", "883ecb666e887343061b29d870922550cacbdfed3a511129de66e221e9b56a5e"),
    ("libntru-ees1499ep1", "e2f70f91c94d0a69f31cc34c2529d8f016e162a8fff0edd22288abfd1b83c8bc"),
    ("libntru-ees401ep2", "fe631bcb1de4c89730fee70922b8aab773102d140f2f9495f9eea16b5dd6b3c2"),
    ("libntru-ees439ep1", "a606e9cf45f900e2684cd166931399581ac85351e361aeb32e359e64c16eccc8"),
    ("libntru-ees593ep1", "79dbc32174153d9d34cf054f191b2431e74a2b4b5008365cf2b8c57c99eea32a"),
    ("libntru-ees743ep1", "1ba182d34ad28ce881617668ddf30b1f1c51bb1d196f6627c1f4f22feacf739a"),
    ("libntru-ees443ep1", "b8ee268439221058e0cdfa181bd2b71a43d0bd9ee11ba15f97529bff8f0e0a8f"),
    ("libntru-ees587ep1", "b2e47c6136d6d4838c8c2a3b5a9c1ebd99f10d7359dd3a9d1bc3f2c6b7d479d9"),
];

/// Keys of a set.
const KEYS: u8 = 6;

/// The generator of a key: its first byte is the number of its set and seven times its own, the others
/// follow.
fn generator(set: usize, key: u8) -> Drbg {
    Drbg::new(&std::array::from_fn(|i| i as u8 + set as u8 + 7 * key))
}

/// Messages of a set, by their lengths.
fn lengths(scheme: &PublicKeyEncryption) -> [usize; 6] {
    let most = scheme.message;
    [0, 1, 16, most / 2, most - 1, most]
}

/// All keys and ciphertexts; and each message is found again.
fn made(cpu: Cpu, scheme: &PublicKeyEncryption, set: usize) -> String {
    let mut hash = Sha256::new();
    let [mut public, mut private] = [scheme.public_key, scheme.private_key].map(|length| vec![0; length]);
    let (mut ciphertext, mut found) = (vec![0; scheme.ciphertext], vec![0; scheme.message]);
    for key in 0..KEYS {
        let mut drbg = generator(set, key);
        (scheme.generate)(cpu, &mut drbg, &mut public, &mut private).expect("lengths");
        hash.update([&public[..], &private].concat());
        for length in lengths(scheme) {
            let mut message = vec![0; length];
            if length > 0 {
                drbg.fill_bytes(&mut message);
            }
            (scheme.encrypt)(cpu, &public, &message, &mut drbg, &mut ciphertext).expect("a key");
            hash.update(&ciphertext);
            let length = (scheme.decrypt)(cpu, &private, &ciphertext, &mut found).expect("a message");
            assert_eq!(found[..length], message, "{} on {cpu:?}", scheme.name);
            assert!(found[length..].iter().all(|byte| *byte == 0), "{}", scheme.name);
        }
    }
    ringsmith_oracle::hex(&hash.finalize())
}

/// All keys and ciphertexts of sets have these digests, on every backend; the first set's number is `first`.
fn digests<'a>(
    first: usize,
    schemes: impl IntoIterator<Item = &'a PublicKeyEncryption>,
    digests: &[(&str, &str)],
) {
    let mut schemes = schemes.into_iter();
    for (set, (name, digest)) in (first..).zip(digests) {
        let scheme = schemes.next().expect("a set for each digest");
        assert_eq!(scheme.name, *name);
        for cpu in Cpu::available() {
            assert_eq!(made(cpu, scheme, set), *digest, "{name} on {cpu:?}");
        }
    }
    assert!(schemes.next().is_none(), "a digest for each set");
}

/// Protects: byte compatibility of every set, on every backend.
#[test]
fn keys_and_ciphertexts() {
    digests(0, SCHEMES, &DIGESTS);
    digests(SCHEMES.len(), ntruprime739::SCHEMES, &OVER_THE_FIELD);
}

/// Protects: the same of libntru's sets.
#[test]
fn keys_and_ciphertexts_of_libntru() {
    digests(SCHEMES.len() + ntruprime739::SCHEMES.len(), libntru::SCHEMES, &OF_LIBNTRU);
}
