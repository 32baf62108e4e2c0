//! What bash completes, by the script that the command prints.
#![cfg(target_os = "linux")]

mod support;

use std::process::{Command, Stdio};
use support::{directory, ringsmith};

/// Calls the script as bash does, with a line up to the cursor: bash splits it at spaces, and at colons and
/// equals signs, which are words of their own.
const AS_BASH_DOES: &str = r#"
source ./script
line=$1 words=() word=
for ((i = 0; i < ${#line}; i++)); do
    c=${line:i:1}
    case $c in
        ' ') [[ -n $word ]] && words+=("$word"); word= ;;
        [:=]) [[ -n $word ]] && words+=("$word"); words+=("$c"); word= ;;
        *) word+=$c ;;
    esac
done
COMP_LINE=$line COMP_POINT=${#line} COMP_WORDS=("${words[@]}" "$word") COMP_CWORD=${#words[@]}
function=$(complete -p ringsmith | sed 's/.*-F \([^ ]*\).*/\1/')
"$function" ringsmith "$word" "${words[-1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// Protects: commands, options, and the names of schemes, kinds, rings and routes are completed from a few
/// letters; those of rings so that the shell takes them as they are, with quotes or without.
#[test]
fn bash() {
    let dir = directory("completions");
    let script = ringsmith(&dir, &["completions", "bash"]).output().unwrap();
    assert!(script.status.success());
    std::fs::write(dir.join("script"), script.stdout).unwrap();
    let cases: [(&str, &[&str]); 18] = [
        ("dec", &["decrypt"]),
        ("encrypt --passphrase-", &["--passphrase-file"]),
        ("keygen --kind s", &["sntrup761x25519"]),
        ("keygen --kind ml-dsa-6", &["ml-dsa-65"]),
        ("kem keygen --scheme ML-KEM-7", &["ML-KEM-768"]),
        ("kem encapsulate --scheme ML-", &["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"]),
        ("pke keygen --scheme ees4", &["ees401ep1", "ees449ep1", "ees401ep2", "ees439ep1", "ees443ep1"]),
        ("sign --scheme ML", &["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"]),
        ("inspect --scheme ML-DSA-8", &["ML-DSA-87"]),
        ("exchange offer --form NewHope-A", &["NewHope-ADPS"]),
        ("multiply --route karatsuba:", &["1", "2", "3", "4"]),
        ("multiply --route toepl", &["toeplitz:2", "toeplitz:3", "toeplitz:4", "toeplitz:5"]),
        ("rings --ring Z_12289[x]/(x^10", &[r"Z_12289\[x\]/\(x\^1024+1\)"]),
        (r"multiply --ring Z_3329\[x\]/\(x\^2", &[r"Z_3329\[x\]/\(x\^256+1\)"]),
        ("multiply --ring 'Z_3329[x]/(x^2", &["Z_3329[x]/(x^256+1)"]),
        ("multiply --ring=Z_12289[x]/(x^10", &[r"Z_12289\[x\]/\(x\^1024+1\)"]),
        ("plan Z_12289[x]/(x^10", &[r"Z_12289\[x\]/\(x\^1024+1\)"]),
        ("bench --table ntru", &["ntru", "ntru-prime"]),
    ];
    for (line, expected) in cases {
        let mut shell = Command::new("bash");
        shell.current_dir(&dir).args(["--norc", "-c", AS_BASH_DOES, "bash", &format!("ringsmith {line}")]);
        let output = shell.stdin(Stdio::null()).output().unwrap();
        let completed = String::from_utf8(output.stdout).unwrap();
        let completed: Vec<&str> = completed.lines().filter(|word| !word.is_empty()).collect();
        assert_eq!(completed, expected, "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Protects: what `completions --help` says of each shell. Names of rings are left out where the shell would
/// take their parentheses for a command; two shells get no names: their scripts have no place for them.
#[test]
fn other_shells() {
    let dir = directory("completions_other");
    let shells = [("zsh", true, true), ("fish", true, false)];
    let others = ["elvish", "powershell"].map(|shell| (shell, false, false));
    for (shell, names, rings) in shells.into_iter().chain(others) {
        let script = ringsmith(&dir, &["completions", shell]).output().unwrap();
        let script = String::from_utf8(script.stdout).unwrap();
        assert!(["encapsulate", "scheme"].iter().all(|word| script.contains(word)), "{shell}");
        for name in ["ML-KEM-768", "ML-DSA-65", "weimerskirch"] {
            assert_eq!(script.contains(name), names, "{shell}: {name}");
        }
        assert_eq!(script.contains("Z_4591"), rings, "{shell}");
    }
}
