//! What shells complete beside commands and options: the names of schemes, rings and routes.
//!
//! Names that are not in these lists are values too: any ring has an expression, and the command says which
//! names are near a mistyped one. So the lists stand in the definition that completion scripts are made of,
//! and not in the one that reads the arguments.

use crate::keys::AnyScheme;
use crate::lookup::{ring_names, route_names};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::Shell;
use ringsmith::scheme::{ALL, ENCRYPTIONS, EXCHANGES, SIGNATURES};

/// The definition of the command line with what values there are.
pub(crate) fn with_values(command: Command, shell: Shell) -> Command {
    command.mut_subcommands(|sub| {
        let name = sub.get_name().to_string();
        with_values_of(sub, &name, shell)
    })
}

/// A command below the one of this name, or that itself.
fn with_values_of(command: Command, top: &str, shell: Shell) -> Command {
    let command = command.mut_subcommands(|sub| with_values_of(sub, top, shell));
    command.mut_args(|arg| match values(&arg, top, shell) {
        Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
        None => arg,
    })
}

/// The names that an argument takes, where there is a list of them.
fn values(arg: &Arg, top: &str, shell: Shell) -> Option<Vec<String>> {
    let texts = |names: &[&'static str]| names.iter().map(ToString::to_string).collect();
    Some(match (arg.get_id().as_str(), top) {
        ("scheme", "kem") => ALL.iter().map(|it| it.name.into()).collect(),
        ("scheme", "pke") => ENCRYPTIONS.iter().map(|it| it.name.into()).collect(),
        ("scheme", "sign" | "verify" | "certificate") => SIGNATURES.iter().map(|it| it.name.into()).collect(),
        ("scheme", _) => AnyScheme::all().map(|it| it.facts().0.into()).collect(),
        ("form", "exchange") => EXCHANGES.iter().map(|it| it.name.into()).collect(),
        ("groups", "openssl-config") => texts(&crate::openssl::OURS),
        // Other shells take parentheses in a list of values for something of their own.
        ("ring", _) if matches!(shell, Shell::Bash | Shell::Zsh) => ring_names(),
        ("route", _) => route_names(),
        _ => return None,
    })
}

/// What follows a script for bash. Bash splits words at colons and equals signs, of which routes have the
/// first and `--ring=NAME` the second; and it inserts what is completed as it is, though rings have
/// characters that mean something to it.
pub(crate) const BASH: &str = r#"
_ringsmith_whole() {
    local line word head prev i quoted
    line=${COMP_LINE:0:COMP_POINT}
    word=${line##*[[:space:]]}
    prev=${line%"$word"}
    prev=${prev%"${prev##*[![:space:]]}"}
    prev=${prev##*[[:space:]]}
    head=
    if [[ $word == --*=* ]]; then
        prev=${word%%=*}
        word=${word#*=}
    fi
    case $word in
        [\'\"]*) quoted=1 word=${word:1} ;;
    esac
    if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        head=${word%"${word##*:}"}
    fi
    _ringsmith "$1" "$word" "$prev"
    for i in "${!COMPREPLY[@]}"; do
        if [[ -z $quoted && ${COMPREPLY[i]} == Z_*\[x\]* ]]; then
            COMPREPLY[i]=$(printf %q "${COMPREPLY[i]}")
        fi
        COMPREPLY[i]=${COMPREPLY[i]#"$head"}
    done
}

complete -F _ringsmith_whole -o nosort -o bashdefault -o default ringsmith 2> /dev/null ||
    complete -F _ringsmith_whole -o bashdefault -o default ringsmith
"#;
