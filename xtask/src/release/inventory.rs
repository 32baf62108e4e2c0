//! The bill of materials: every package that is linked, its licence, its archive's digest and on what it
//! depends, in the form CycloneDX 1.5 (<https://cyclonedx.org/docs/1.5/json/>).

use super::linked::{self, Id, Linked};
use super::{Release, VERSION, licences, write};
use crate::shell::{capture, root};
use crate::suite::Verdict;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What stands for all that is released.
const ROOT: &str = "ringsmith";

/// The list, which is looked at before it is written.
pub(super) fn make(release: &Release) -> Verdict {
    let rust = capture(Command::new("rustc").arg("--version").current_dir(root()))?;
    let rust = rust.split(' ').nth(1).ok_or("rustc tells no version")?.to_string();
    let list = list(release, &linked::all()?, &rust)?;
    complete(&list)?;
    let text = serde_json::to_string_pretty(&list).map_err(|why| why.to_string())?;
    write(&release.folder.join(format!("ringsmith-{VERSION}.cdx.json")), (text + "\n").as_bytes())
}

fn list(release: &Release, linked: &BTreeMap<Id, Linked>, rust: &str) -> Result<Value, String> {
    let mut components =
        linked.iter().map(|(id, linked)| component(id, linked)).collect::<Result<Vec<_>, _>>()?;
    components.extend([of_rust(rust), musl()]);
    let roots = linked.keys().filter(|id| linked::roots().any(|root| root == id.0)).map(reference);
    let roots: Vec<String> = roots.chain(["rust-std".into(), "musl".into()]).collect();
    let top = json!({ "ref": ROOT, "dependsOn": roots });
    let below = linked.iter().map(|(id, linked)| {
        json!({ "ref": reference(id), "dependsOn": linked.on.iter().map(reference).collect::<Vec<_>>() })
    });
    let dependencies: Vec<Value> = [top].into_iter().chain(below).collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": serial(&release.commit),
        "version": 1,
        "metadata": {
            "timestamp": release.time,
            "component": {
                "type": "application", "bom-ref": ROOT, "name": ROOT, "version": VERSION,
                "licenses": [{ "expression": env!("CARGO_PKG_LICENSE") }],
                "externalReferences": [{
                    "type": "vcs", "url": env!("CARGO_PKG_REPOSITORY"), "comment": release.commit,
                }],
            },
        },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// A number of the form of a UUID, the same for one commit.
fn serial(commit: &str) -> String {
    let hex = crate::suites::digest(format!("ringsmith {VERSION} {commit}").as_bytes());
    format!("urn:uuid:{}-{}-8{}-8{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}

/// How a package is referred to: its address as a package of cargo's.
fn reference((name, version): &Id) -> String {
    format!("pkg:cargo/{name}@{version}")
}

fn component(id: &Id, linked: &Linked) -> Result<Value, String> {
    let mut component = json!({
        "type": "library", "bom-ref": reference(id), "name": id.0, "version": id.1, "purl": reference(id),
        "licenses": [{ "expression": licences::expression(linked)? }],
    });
    if let Some(digest) = &linked.checksum {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": digest }]);
    }
    if let Some(repository) = &linked.package.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    Ok(component)
}

fn of_rust(version: &str) -> Value {
    json!({
        "type": "library", "bom-ref": "rust-std", "name": "rust-std", "version": version,
        "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        "externalReferences": [{ "type": "vcs", "url": "https://github.com/rust-lang/rust" }],
    })
}

/// Rust's targets bring it along and do not tell its version.
fn musl() -> Value {
    json!({
        "type": "library", "bom-ref": "musl", "name": "musl", "licenses": [{ "license": { "id": "MIT" } }],
        "description": "The C library of the static programs, as Rust's targets have it",
        "externalReferences": [{ "type": "website", "url": "https://musl.libc.org" }],
    })
}

/// What the schema requires, and what readers rely on: every component has a type, a name and a licence; each
/// is referred to by a name of its own; whatever depends, or is depended on, is a component.
fn complete(list: &Value) -> Verdict {
    let text = |value: &Value, field: &str| value[field].as_str().unwrap_or_default().to_string();
    if (text(list, "bomFormat"), text(list, "specVersion")) != ("CycloneDX".into(), "1.5".into()) {
        return Err("the list does not say of which form it is".into());
    }
    let components = list["components"].as_array().map_or(&[][..], Vec::as_slice);
    let components = || components.iter().chain([&list["metadata"]["component"]]);
    let needs = ["type", "bom-ref", "name"];
    let lacks = |component: &Value| needs.iter().any(|field| text(component, field).is_empty());
    if let Some(component) =
        components().find(|it| lacks(it) || it["licenses"].as_array().is_none_or(Vec::is_empty))
    {
        return Err(format!("a component lacks something: {component}"));
    }
    let names: BTreeSet<String> = components().map(|it| text(it, "bom-ref")).collect();
    if names.len() != components().count() {
        return Err("two components have one name".into());
    }
    let dependencies = list["dependencies"].as_array().map_or(&[][..], Vec::as_slice);
    let on = dependencies.iter().flat_map(|it| it["dependsOn"].as_array().into_iter().flatten());
    let mut named = on.chain(dependencies.iter().map(|it| &it["ref"]));
    match named.find(|it| it.as_str().is_none_or(|name| !names.contains(name))) {
        Some(unknown) => Err(format!("no component is {unknown}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Value {
        json!({
            "bomFormat": "CycloneDX", "specVersion": "1.5",
            "metadata": {
                "component": { "type": "application", "bom-ref": "a", "name": "a", "licenses": [{}] },
            },
            "components": [musl()],
            "dependencies": [{ "ref": "a", "dependsOn": ["musl"] }],
        })
    }

    /// Protects: a list that a reader could not use is not written.
    #[test]
    fn incomplete_lists_are_seen() {
        assert_eq!(complete(&small()), Ok(()));
        let broken = |change: fn(&mut Value)| {
            let mut list = small();
            change(&mut list);
            complete(&list)
        };
        assert!(broken(|list| list["specVersion"] = json!("1.4")).is_err());
        assert!(broken(|list| list["components"][0]["name"] = json!("")).is_err());
        assert!(broken(|list| list["components"][0]["licenses"] = json!([])).is_err());
        assert!(broken(|list| list["components"][0]["bom-ref"] = json!("a")).is_err());
        assert!(broken(|list| list["dependencies"][0]["dependsOn"][0] = json!("glibc")).is_err());
        assert!(broken(|list| list["dependencies"][0]["ref"] = json!("b")).is_err());
    }

    /// Protects: the serial number has the form that the schema asks for.
    #[test]
    fn serial_numbers() {
        let serial = serial("abc");
        let parts: Vec<_> = serial.strip_prefix("urn:uuid:").unwrap().split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert!(serial[9..].chars().all(|it| it == '-' || it.is_ascii_hexdigit()));
    }
}
