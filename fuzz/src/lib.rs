//! Every property that must hold of foreign bytes, by its name, and inputs to try it with.
//!
//! A property is a function beside the reader that it speaks of (`fuzz` of each crate); here they are gathered. `mutant` makes
//! inputs of those in `corpus/`: tests try a few hundred of each property, `ashore-fuzz try` as many as somebody likes, and
//! `make fuzz` lets libFuzzer look for those that reach new code.

mod mutant;

use std::{fs, io, path::PathBuf};

pub use ashore_transfer::fuzz::FuzzProperty;
pub use mutant::MutantSource;

/// All of them, by their names.
pub fn properties() -> impl Iterator<Item = (&'static str, FuzzProperty)> {
    let lists = [
        ashore_transfer::fuzz::PROPERTIES,
        ashore_engine::fuzz::PROPERTIES,
        ashore_rpc::fuzz::PROPERTIES,
        ashore_desktop::fuzz::PROPERTIES,
        ashore_sync_server::fuzz::PROPERTIES,
    ];
    lists.into_iter().flatten().copied()
}

/// That of this name.
pub fn property(name: &str) -> Option<FuzzProperty> {
    properties().find_map(|(known, property)| (known == name).then_some(property))
}

/// The inputs that are kept for a property, in the order of their names. Fails where they cannot be read.
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
    fn every_property_holds_of_what_is_kept_and_of_what_is_made_of_it() {
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
