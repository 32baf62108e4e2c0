//! The known-answer files of NIST's format, whose digests are those of liboqs's; and of NIST's own vectors a
//! signature for each hash that a message can be hashed by before.

// The test kit needs every scheme; its generator needs nothing of them.
#[path = "../../testkit/src/nist.rs"]
#[allow(dead_code, unreachable_pub, reason = "the test kit has more uses for it")]
mod nist;

#[path = "../../testkit/src/nist_signatures.rs"]
#[allow(unreachable_pub, reason = "the test kit shows it")]
mod nist_signatures;

use nist_signatures::response_file;
use ringsmith_kem::signature::SigningKey;
use ringsmith_ml_dsa::{Context, MlDsa44, MlDsa65, MlDsa87, Prehash, Prehashed, SignatureSet};
use ringsmith_simd::Cpu;
use sha2::{Digest, Sha256};

/// SHA-256.
fn digest_of(bytes: &[u8]) -> String {
    nist::Hex(&Sha256::digest(bytes)).to_string().to_lowercase()
}

/// Digests of one run and of 100.
fn check<S: SignatureSet>(one: &str, all: &str) {
    for cpu in Cpu::available() {
        for (count, expected) in [(1, one), (100, all)] {
            let file = response_file::<S>(cpu, count).expect("signatures");
            assert_eq!(digest_of(file.as_bytes()), expected, "{} of {count} on {cpu:?}", S::NAME);
        }
    }
}

/// Protects: every byte of keys and signatures, and what key generation and signing draw.
#[test]
fn digests() {
    check::<MlDsa44>(
        "9a196e7fb32fbc93757dc2d8dc1924460eab66303c0c08aeb8b798fb8d8f8cf3",
        "54322d25c05b96941aec73eb3ee27a975d38a34bfb53ef4cb9fd4a8e9cab554c",
    );
    check::<MlDsa65>(
        "7cb96242eac9907a55b5c84c202f0ebd552419c50b2e986dc2e28f07ecebf072",
        "47e1ca6d4a45e9853e381954cf97206eca22993deade3cade45bd9d9457c93f9",
    );
    check::<MlDsa87>(
        "4537905d2aabcf302fab2f242baed293459ecda7c230e6a67063b02c7e2840ed",
        "12382114979d5b64436aebfe6db02d61c07859429233105e936752cb77cc585a",
    );
}

/// A case of NIST's ACVP vectors, revision `FIPS204-tr1`, mode `sigGen`, whose message is hashed before it is
/// signed. All but the hash, the set and the number is hexadecimal.
struct Hashed {
    /// The case's number there.
    case: usize,
    hash: Prehash,
    check: fn(&Hashed, Cpu),
    seed: &'static str,
    context: &'static str,
    /// The message's digest, in place of the message.
    digest: &'static str,
    /// The randomness; none where the signature is deterministic.
    rnd: &'static str,
    /// SHA-256 of the signature.
    signature: &'static str,
}

/// Of each hash the case with the shortest context, of those that have the key's seed.
const HASHED: [Hashed; 12] = [
    Hashed {
        case: 146,
        hash: Prehash::Sha256,
        check: hashed::<MlDsa87>,
        seed: "06ae6c3b2c3326afdb89431a4e359be9759fb24e09655823abad68899de68df4",
        context: "6a0c43213b692c2d25d5af33ddcfe88933123dbef15216",
        digest: "61e1a15a623cab8d1e44a80dde9551fbdc47fba45e0cc57d9426d9d5d026a23a",
        rnd: "",
        signature: "44c49e58096f06b780a7a5d7816e4a5a2e467ef04596d7fb372b689e30132a57",
    },
    Hashed {
        case: 449,
        hash: Prehash::Sha384,
        check: hashed::<MlDsa65>,
        seed: "7de878a8ffa157125af6770642711a1509774c5b6053d36a125587785e3b1e0f",
        context: concat!(
            "e10510baca0a670534b04510203a4d6f20f3c26984c2508339eda9ad3a19bcc388ab315ec1d633afaf08712d",
            "627af112a692c3817c2dda1264d291fdb9160ea6dda88b114df301e4743e965fd5b555caea63c449bf9a6b13",
            "bd7e51c2baa8ed456747e2b845dc756adb821be7409891b5954ca5a65c76eebf60d0eec25ddd669026d6f767",
            "6beb17900920bfad5acce4ac41afa02138131c5faf4da35c6c7f8b9b3075b32444d265356edeba78d59d0c03",
            "2c5b41e9789706dafb3b39",
        ),
        digest: concat!(
            "80a227d91cacaf6ee75298abf36702421246f97b64afea08cb6635085a6b3588e144b51f9d2e55c32cb28971",
            "fe026a53",
        ),
        rnd: "727e239f4635e40c7e778bf61152b640ed4684afdcde410468f857a9c4b8a42e",
        signature: "bc91a8ca8abea4537b063bcfcb1965c12c9698e5c54551b19a9b9a6410b500a6",
    },
    Hashed {
        case: 144,
        hash: Prehash::Sha512,
        check: hashed::<MlDsa87>,
        seed: "5ba592eb3e8403c09736887e605ee24f36c32c1d56975bc3168d3cbaa4c5aaef",
        context: concat!(
            "7c1120ce842a9fcebeae1cbc25db8093fefbdcf38e64ed5288c684675ea776c8d2636721a5b1708f1b5ef56b",
            "01930139c6cdcaeae22229e333c580f4b9",
        ),
        digest: concat!(
            "0c74e78d08496489669c29326889d339e270158c3f91ce0137986bfd7975c9af88c8dc77e24326e50bc169aa",
            "be8a332f8f308f4bf31fff12d6ba4e8d945bff6c",
        ),
        rnd: "",
        signature: "72c0b2537d4c686aa541aa3b276f576a864f9688f3e63225eb08edc51ae567c7",
    },
    Hashed {
        case: 439,
        hash: Prehash::Sha224,
        check: hashed::<MlDsa65>,
        seed: "d2125086030b10ab7dc0701453a15f3729fe4994f19165d7b38c3f6c4bb52112",
        context: "0674516e5d94766e0523e2d35551fbd0863720568ec0c76542e23338",
        digest: "6b499cf5100ae70503b53f4f00c1c83ebf386c3914b7c33f6da43440",
        rnd: "14d3859fc261767a976305ff216f8be9c0ef310563f21b58de947a74d9c215f5",
        signature: "57c5da75078eba98e3e51e2c81a0d087ef41e970c8eecdf1a41baef61e15e985",
    },
    Hashed {
        case: 86,
        hash: Prehash::Sha512_224,
        check: hashed::<MlDsa65>,
        seed: "03e6925069f7d2b91eaab2a3bee5dd26d76fda286979f1cd88707e0bb91c9a79",
        context: concat!(
            "09bbe565a260b12d04354bd0688da1404248488ffc1a73c77aa03e0e2ad2f6eaf1039b8b2b020cd4d47a8fcb",
            "605c9bf9223931d0eb521ca5461167ae3486a89400ac2c0387c47a741834e219bfbad8e14f7395d266f7961e",
            "062250a5762408b6934f85383eea6db70b97c7827123c796b6ddd23d3c3be386e56aedf47c850ce0b6533c87",
            "518fbf22b0d10d497e7b88f417cc2a8204bf09cfd6d7c8fd0c1e8919e146fef918df63e15fd7fc460bba5ead",
            "67fa12059eed26b54d5466b4701ff9ad181903dc28f0ef29d2c9702a7556243d8b381c",
        ),
        digest: "f57a9e42533b29491550797eac959a4f394179f44a6a3d61c6a8a518",
        rnd: "",
        signature: "64e29b430ef5a346dc9d94136dce16ea6e6286bcfa4c15c6b067aabb5068c375",
    },
    Hashed {
        case: 148,
        hash: Prehash::Sha512_256,
        check: hashed::<MlDsa87>,
        seed: "07ff9b939c7b365292063497316e4649ad7607fa1229db110fc9c05210afaa0c",
        context: "bb05a8d6cfe56de2a99013b12e19e335311d5ad2",
        digest: "ab694da24b8b98b0479f7108b917e9343e50165d1bd60bfea95e8ad12490d8bc",
        rnd: "",
        signature: "f7b3c84fa43a1ed1a680e0d1db006a33baff217dcf49200565e210d6cd0667f4",
    },
    Hashed {
        case: 381,
        hash: Prehash::Sha3_224,
        check: hashed::<MlDsa44>,
        seed: "66d8a1ed697a41341888073a17736af0b75df6f29fbd3543bff1ed2a667a49e5",
        context: "054fdf5b2356c16668c2d1bf",
        digest: "f32e7b3fdb6c15e0d708f4011dd8b9f4f04dd074340d38e0ac01e718",
        rnd: "1fc779354a403a1a754e23cbdfcb8bf67e81c0e7b0f16f92c5c9cfaadb4f9487",
        signature: "3eb9ef0124b7df97b05579ff19fa37a22aadd2f68ff4d1480378956ff982e68b",
    },
    Hashed {
        case: 506,
        hash: Prehash::Sha3_256,
        check: hashed::<MlDsa87>,
        seed: "4f3837318c2143055fb5b3af28e7f42c2abc4340e57cd0f136057436b38da360",
        context: "",
        digest: "f85557d508fef2c37c688ebdd70af99637fb7fe75149824dab4144ad9a757f1f",
        rnd: "62e03e113d74cf0c70b8b031db80732879be043f0ccbb16f45a052d180f36295",
        signature: "1072f8192722006999052c471a61a26356fd6158cadc187efcf165d514711a0b",
    },
    Hashed {
        case: 378,
        hash: Prehash::Sha3_384,
        check: hashed::<MlDsa44>,
        seed: "64cff962b0187d8a11f6418b31038446b833e64d92cf6dc58f0abfc5145ba995",
        context: concat!(
            "d5c407a1faa586660aa13db644c15cefa633cae7d9436c75c9082dfbe0b23a6871cf5d4a91c4249481f5353c",
            "05f34721b781e3039545b3320e98661e3a085b3fde42a98ce2147189365f2d8d767b0e302768033bf218aa1b",
            "5b3f5e024e5bf4af82abb713236f89bbbdd51c40600e726d9bb57a2fb7ddeb9556ccfb6bcf2f5f53a08d9ce8",
            "e8a9e5a197bb19ddae01e757aa2e32aeae943c1e94a0bd09112076d7b3ca4148661c9ccd6328c3f4fb7f3513",
            "d50d8b4606121de1d60205847748ca5baf155ce414bd65367538c1cc7612209a2434",
        ),
        digest: concat!(
            "737e9b2b2492235950f980c60b5c953ff5cc432536061a49ffc883f8231bb2f5568462bd8078e829829b43db",
            "b0652525",
        ),
        rnd: "6d280e887579a8992bbb8b9ceda11ef0ca9a1bf1d090293ef3bca130c82dd3e3",
        signature: "0f338a5aefc4fd21ec7bc5d76b0c817418fa9b5ea0b5d70509afa5ce79a0c230",
    },
    Hashed {
        case: 447,
        hash: Prehash::Sha3_512,
        check: hashed::<MlDsa65>,
        seed: "dd5092a78e813b1488cc4df86be8b9e7e18ad81b4694d5d8c41241aef911af8b",
        context: "cb9055dc9ee2a9f2252998361d1633",
        digest: concat!(
            "fa4d54f683b5bd50f8bc3072488f7bd2e177fc616c7460f9f7457bf91f19ab26ac7657bdfb8e959088f5821a",
            "90d451ca8dd91fa5f100b81abcdbef16ec160d57",
        ),
        rnd: "abec7b7c3e8c54bcd3086cf44608061e0e7dc695c9dc214623de379a8e9fd4aa",
        signature: "ee1abeee6629d7dcbe3626256b676a7019b08a8ad6714c4cc3f76ec181f9b279",
    },
    Hashed {
        case: 28,
        hash: Prehash::Shake128,
        check: hashed::<MlDsa44>,
        seed: "b960fb48f840e0e536cf60cbf8adbf2be9b48f0ee749512525dd37b97fd5fd93",
        context: concat!(
            "03d631daa1d933595ed87d45aaa1ac1e619ed814cd23e7a922dba43917c04da7501bea4a92a7c6bf50ba68c9",
            "5ed687b5c9459245229668ed21c48167998413c6a2dc1b31577564f4e3faaa3510086da4423dbe2a87ef836c",
            "4c41c0f69baabafbef78d2cc7bcaf3876f1935a602b42ee1ba1d11537f033f74a996fc4afcd30e19a1adea3f",
        ),
        digest: "6e85cf908189f3ee8e0e16a3900b1b78c85f62bd27ac4022c13aa622b97b42fb",
        rnd: "",
        signature: "b74f7978dd7e20868de244711eb6d988617dd2b865862b6431628fca5db0eadc",
    },
    Hashed {
        case: 137,
        hash: Prehash::Shake256,
        check: hashed::<MlDsa87>,
        seed: "50c82d191ec45e3ef96bfe25d5987504896a9ba6496e18effd5616fce0780c4e",
        context: "887c3d6323416b2d3b57d84a7889c60a2d20ba18f0d15650a98b21e8c61826",
        digest: concat!(
            "a1feba45d2d3e543b78fafd06857bb8f39819bccc3ec48689f53d5a836dca15fc89010139e9c9c636fcde2b5",
            "270bec2e48e9a6325e57d08c53ef9c461c6a9e53",
        ),
        rnd: "",
        signature: "5d03a41acf16a264faa98b75e39c8e4972455118912985ba9bc03b4cb72a04d7",
    },
];

fn decode(hex: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits");
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn hashed<S: SignatureSet>(of: &Hashed, cpu: Cpu) {
    let (seed, rnd) = (decode(of.seed).try_into().expect("32 bytes"), decode(of.rnd).try_into());
    let (context, digest) = (decode(of.context), decode(of.digest));
    let key = SigningKey::<S>::from_seed_on(cpu, &seed);
    let context = Context::new(&context).expect("a context");
    let digest = Prehashed::new(of.hash, &digest).expect("the hash's length");
    let mu = key.verifying_key().prehashed(context, digest);
    let made = key.sign_mu_with(&mu, &rnd.unwrap_or([0; 32])).expect("a signature");
    let signed = digest_of(made.as_ref());
    assert_eq!(signed, of.signature, "case {}, {} on {cpu:?}", of.case, of.hash.name());
    assert_eq!(key.verifying_key().verify_prehashed(context, digest, made.as_ref()), Ok(()));
}

/// Protects: what is signed of a digest by each of the twelve hashes, its identifier and its length.
#[test]
fn digests_of_hashed_messages() {
    assert!(HASHED.iter().map(|of| of.hash).eq(Prehash::ALL.iter().copied()), "a hash without a case");
    for cpu in Cpu::available() {
        HASHED.iter().for_each(|of| (of.check)(of, cpu));
    }
}
