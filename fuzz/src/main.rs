//! `ashore-fuzz`: tests the properties with given or generated inputs. If it is built with `--cfg fuzzing` (`make
//! fuzz`), the program is libFuzzer for the property named in `ASHORE_FUZZ`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| ashore_fuzz::test_selected(data));

#[cfg(not(fuzzing))]
#[expect(clippy::print_stdout, reason = "this program prints to the terminal")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::path::PathBuf;

    use ashore_fuzz::{MutantSource, corpus, properties, property};
    use clap::Parser;

    /// Test the properties that must hold for untrusted input.
    #[derive(Parser)]
    #[command(name = "ashore-fuzz")]
    enum Arguments {
        /// List the properties
        List,
        /// Test a property with files as inputs
        Run {
            /// Name of the property, as listed
            property: String,
            /// Files whose content is the input
            files: Vec<PathBuf>,
        },
        /// Test a property with inputs that are generated from the stored ones
        Try {
            /// Name of the property, as listed
            property: String,
            /// Number of inputs
            count: u64,
            /// Seed of the generator; equal seeds give equal inputs
            #[arg(long, default_value_t = 20_261_122)]
            seed: u64,
        },
    }

    let named = |name: &str| property(name).ok_or_else(|| format!("There is no property \"{name}\". See ashore-fuzz list."));
    match Arguments::parse() {
        Arguments::List => properties().for_each(|(name, _)| println!("{name}")),
        Arguments::Run { property, files } => {
            let holds = named(&property)?;
            for file in files {
                holds(&std::fs::read(&file)?);
                println!("{}: holds", file.display());
            }
        }
        Arguments::Try { property, count, seed } => {
            let holds = named(&property)?;
            for (input, _) in MutantSource::new(corpus(&property)?, seed).zip(0..count) {
                let held = std::panic::catch_unwind(|| holds(&input));
                held.map_err(|_| format!("{property} does not hold of {:?}", String::from_utf8_lossy(&input)))?;
            }
            println!("{property}: {count} runs, 0 bad, seed {seed}");
        }
    }
    Ok(())
}
