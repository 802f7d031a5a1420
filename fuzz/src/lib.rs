//! Named properties that must hold for untrusted bytes, and inputs for testing them.
//!
//! Each property is a function beside its parser (`fuzz` of each crate); this crate collects the properties. `mutant`
//! derives inputs from those in `corpus/`. Tests run a few hundred inputs per property, and `ashore-fuzz try` runs any
//! number. With `make fuzz`, libFuzzer searches for inputs that reach new code.

mod mutant;

use std::{env, fs, io, path::PathBuf, sync::LazyLock};

pub use ashore_transfer::fuzz::FuzzProperty;
pub use mutant::MutantSource;

/// Returns all properties and their names.
pub fn properties() -> impl Iterator<Item = (&'static str, FuzzProperty)> {
    let lists = [
        ashore_transfer::fuzz::PROPERTIES,
        ashore_engine::fuzz::PROPERTIES,
        ashore_rpc::fuzz::PROPERTIES,
        ashore_browser::fuzz::PROPERTIES,
        ashore_desktop::fuzz::PROPERTIES,
        ashore_sync::fuzz::PROPERTIES,
        ashore_sync_server::fuzz::PROPERTIES,
    ];
    lists.into_iter().flatten().copied()
}

/// Returns the property with this name.
pub fn property(name: &str) -> Option<FuzzProperty> {
    properties().find_map(|(known, property)| (known == name).then_some(property))
}

/// Tests the property named in `ASHORE_FUZZ` with `input`. Panics if the property does not hold, or if no property has this
/// name.
#[expect(clippy::panic, reason = "the fuzzer reports a panic as a finding")]
pub fn test_selected(input: &[u8]) {
    static SELECTED: LazyLock<FuzzProperty> = LazyLock::new(|| {
        let name = env::var("ASHORE_FUZZ").unwrap_or_default();
        property(&name).unwrap_or_else(|| panic!("ASHORE_FUZZ names no property: {name:?}"))
    });
    SELECTED(input);
}

/// Returns the stored inputs of a property, in the order of their names. Fails if the inputs cannot be read.
pub fn corpus(name: &str) -> io::Result<Vec<Vec<u8>>> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus")).join(name);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    paths.into_iter().map(fs::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: u64 = 20_261_122;
    const MUTANTS: usize = 300;

    #[test]
    fn every_property_holds_for_stored_and_mutated_inputs() {
        let (mut names, mut broken) = (Vec::new(), Vec::new());
        for (name, property) in properties() {
            let seeds = corpus(name).unwrap_or_else(|error| panic!("fuzz/corpus/{name}: {error}"));
            assert!(seeds.len() > 1, "fuzz/corpus/{name} has too few");
            for input in seeds.iter().cloned().chain(MutantSource::new(seeds.clone(), SEED).take(MUTANTS)) {
                let held = std::panic::catch_unwind(|| property(&input));
                if held.is_err() {
                    broken.push(format!("{name} does not hold of {:?}", String::from_utf8_lossy(&input)));
                    break;
                }
            }
            assert!(!names.contains(&name), "two are called {name}");
            names.push(name);
        }
        assert!(broken.is_empty(), "{}", broken.join("\n"));
        let kept = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus")).unwrap();
        assert_eq!(kept.count(), names.len(), "a corpus belongs to no property");
    }
}
