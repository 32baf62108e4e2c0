//! Digests of the schemes' response files of 100 runs, which their reference implementations wrote. The
//! program for bare machines has this file, too.

/// SHA-256 of the files, by scheme.
pub const FILES: [(&str, &str); 28] = [
    ("ML-KEM-512", "ba9b9f86b71dab2ff4c63593f72eb3a1a5dbeee6626fbee301b3394fdecf8629"),
    ("ML-KEM-768", "b87497154830f7b9f2b2c67041e33b1a840a4515957d07825bfdea8924a254f4"),
    ("ML-KEM-1024", "c8234999c771024b46ebf8aa0691e86651e96f8e2457a405cc46d939fb698127"),
    ("NewHope-CPA-512", "857f9ad02e25e7764604adc30501b31f0e516c292a166e54dbe80e81fd249d87"),
    ("NewHope-CPA-1024", "03d289c0b6ea93aa415120a4d5b211950096bd066d3bc31602bc1d839a2e7932"),
    ("NewHope-CCA-512", "abcd4809dd7580c281a91b41345d7866944c49124b6381f52633d3b5a2203944"),
    ("NewHope-CCA-1024", "74bb5fa3bf0795dcc72cda56816b76a0abf2dca428a4fbf45a213fb14d577d16"),
    // Of the reference with coefficients written in [0, q).
    ("NewHope-Compact-512", "2d683f721f16fc3e9b57d5a6f80766530ebe4393b8771d540e6785c8739baa79"),
    ("NewHope-Compact-768", "12e09868b6606bdd8187f1bbeb9fac08945960b7790232140eb484076db36395"),
    ("NewHope-Compact-1024", "a11118d94730baf44658ddcb117e1eca8affc381a2c4d38e72c4956e008f26a4"),
    // NTRU Prime's, of the submission.
    ("sntrup653", "65181e2fb8de0455248c25ec1b1aa628a96bd6cc604d411af2ea46c06b9f9693"),
    ("sntrup761", "e720b256c12c50fa4281708342aae2c6a47b01ae83b152f3fd03d7680e376172"),
    ("sntrup857", "ca8d4c876bbb2c3b105fa997f6ee0a5a839363e8c697ced2175ea9348f71c4b3"),
    ("sntrup953", "d95e16d37e97d40496b9f2e5c67b002252254485522ac180e27d92ab8627f3d3"),
    ("sntrup1013", "8e282b2fdb83a95d01c6a4336875b3e303eec31d40c61437c05db8185d08d98b"),
    ("sntrup1277", "9e208aabc5c340932ef547abe0b14e16cf75eb7bebaafe2c3469c8d7d8b688f0"),
    ("ntrulpr653", "ecba9b6eea104678ee931694faaa74ba240771c4b677808211e29f6396810815"),
    ("ntrulpr761", "f1ec1be5e7a562edf94c4ae361cafa11360648c70f95a720d7bd0f8b7905819c"),
    ("ntrulpr857", "e58a062ae6e4cbce858c28b42805747f583076b0581ed9a57a8690445584cb6a"),
    ("ntrulpr953", "5efef3c75eddcff263af737e11e3d5b71b12ca95d18a5d1ae4b3d8ae15c7f3bc"),
    ("ntrulpr1013", "c17f43f1059fa8bbaee8524635ab806bed040683d58517ad9675e11e72b6efd5"),
    ("ntrulpr1277", "f6429ab9c2a74e5553fee76a3174b4b9bb922a04e57247e4f4920d55a94a0ae6"),
    // NTRU's: without their first two lines and the last empty one, they are liboqs's.
    ("ntruhps2048509", "f85cbfd585ee9e03feb10817f7a4ba42695a67af95db383c5ebbc2beab27e6bc"),
    ("ntruhps2048677", "0e1d2eccfbc6e4f4d6f139b21de27417316202a5c113602d25704316aebb9303"),
    ("ntruhps4096821", "95235f04c6206a82477fd5a877f184e99906d658a242dcd7ebb8337048129a4b"),
    ("ntruhps40961229", "64cd59d85211cedd65578d6cb3a8eab87d1ac08cf74fedf00759ab0b5f0aa413"),
    ("ntruhrss701", "1e7c8e02f7dc1a9796332d60d1b08995fff5dfe81f2ae7394ec2f4816dedf4b6"),
    ("ntruhrss1373", "953856fbf1f57f2a1d6592d320082d6f945ecf9e9f06fea7ce8c0dced792d8a8"),
];

/// The same of NTRU Prime, where the numbers of an element are drawn all at once: as other libraries' files
/// have it.
pub const DRAWN_AT_ONCE: [(&str, &str); 12] = [
    ("sntrup653", "0c981ee20da227d2185ceca3e66c424ea5f59a813709bc277913ca67ceedc0e8"),
    ("sntrup761", "147c26b63493ddaaeae1f59a5b42ffc233e24e1414198eacbcff7100f05077aa"),
    ("sntrup857", "2fad7fdaff438338b44852630f115adb1c044d75a3e93d85ba9d8a779b5d355c"),
    ("sntrup953", "ff091f450574a7492d002bf5861d7ef59adb292f2a4ee024adb3d12288089ee0"),
    ("sntrup1013", "083722cc22bc85f31d9b222ef56320f9a5a0f16857a8da523bf1a82d8f26a5a0"),
    ("sntrup1277", "68d22bef2b3a2df22653f7955a4b06f5062f22ca01ebe291fe0616c1cd745a0b"),
    ("ntrulpr653", "8b8ff706db60f44df18aebef6309301f8ae599bd56fa9f9737d6b9b8a36ac7f3"),
    ("ntrulpr761", "da7538b5760f949b7d93ef84ebd880c0324b06ee79e8cb49627da0a1b71a056e"),
    ("ntrulpr857", "c03928ac9ecd3fa12f503b3a09bc84dca74c54556aadd86ffacefd5a217b18fb"),
    ("ntrulpr953", "cf555f1f39a3ee4366bf5c4884c30b84ba54d7d62b7f9dcf51ceee11aef2d332"),
    ("ntrulpr1013", "21e752e03d58e8cf8a92d9a077c89d9ca3b71a54ae0e5912446e3432268ea65c"),
    ("ntrulpr1277", "d52b388e8f8a889c4ae7d77636c9bbb2f577832b71ad8f7d5f9c3bf9723c06ef"),
];

/// The same of signatures: the files of NIST's format for them, as liboqs has them.
pub const SIGNATURES: [(&str, &str); 3] = [
    ("ML-DSA-44", "54322d25c05b96941aec73eb3ee27a975d38a34bfb53ef4cb9fd4a8e9cab554c"),
    ("ML-DSA-65", "47e1ca6d4a45e9853e381954cf97206eca22993deade3cade45bd9d9457c93f9"),
    ("ML-DSA-87", "12382114979d5b64436aebfe6db02d61c07859429233105e936752cb77cc585a"),
];
