//! `ashore export` and `ashore import`: the list in a file, and a file in the list. The engine reads and writes whole files;
//! what goes through a pipe has one beside the list for a moment.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use ashore_engine::{Exported, Imported};
use ashore_rpc::Call;
use tempfile::TempDir;

use crate::{
    arguments::{Exporting, Importing},
    print::{Out, clean},
    problem::{Ending, Problem},
    talk,
};

/// A pipe, as it is typed.
const PIPE: &str = "-";

/// `ashore export`
pub async fn export(data_dir: &Path, wanted: &Exporting, out: Out) -> Result<Ending, Problem> {
    let is_piped = wanted.file == Path::new(PIPE);
    talk::with(data_dir, "ashore export", async |connection| {
        let beside = is_piped.then(|| Beside::new(data_dir)).transpose()?;
        let file = beside.as_ref().map_or_else(|| whole(&wanted.file), |beside| Ok(beside.file()))?;
        let exported: Exported = connection.call(Call::Export { file: file.clone(), replace: wanted.force }).await?;
        if is_piped {
            io::copy(&mut File::open(&file)?, &mut io::stdout().lock())?;
        } else if out.json {
            out.object(&exported)?;
        }
        out.say(saved(&exported, (!is_piped).then_some(file.as_path())));
        Ok(Ending::Done)
    })
    .await
}

/// `ashore import`
pub async fn import(data_dir: &Path, wanted: &Importing, out: Out) -> Result<Ending, Problem> {
    let is_piped = wanted.file == Path::new(PIPE);
    // What is no plain file can be read only once.
    let is_plain = !is_piped && fs::metadata(&wanted.file).is_ok_and(|found| found.is_file());
    talk::with(data_dir, "ashore import", async |connection| {
        let beside = (!is_plain).then(|| Beside::new(data_dir)).transpose()?;
        let file = beside.as_ref().map_or_else(|| whole(&wanted.file), |beside| Ok(beside.file()))?;
        if !is_plain {
            let mut kept = File::create_new(&file)?;
            match is_piped {
                true => io::copy(&mut io::stdin().lock(), &mut kept)?,
                false => io::copy(&mut opened(&wanted.file)?, &mut kept)?,
            };
        }
        let imported: Imported = connection.call(Call::Import { file, unchecked: wanted.unchecked }).await?;
        if out.json {
            out.object(&imported)?;
        } else {
            out.say(taken_in(&imported));
        }
        Ok(Ending::Done)
    })
    .await
}

/// A folder beside the list for a file that nobody else may read, and that goes again.
struct Beside(TempDir);

impl Beside {
    fn new(data_dir: &Path) -> Result<Self, Problem> {
        Ok(Self(tempfile::Builder::new().prefix("piped-").tempdir_in(data_dir)?))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("list.ndjson")
    }
}

fn opened(file: &Path) -> Result<File, Problem> {
    File::open(file).map_err(|error| Problem::usage("input", format!("{} cannot be read: {error}.", file.display())))
}

fn whole(file: &Path) -> Result<PathBuf, Problem> {
    std::path::absolute(file).map_err(|error| Problem::usage("input", format!("{} cannot be used: {error}.", file.display())))
}

fn saved(exported: &Exported, file: Option<&Path>) -> String {
    let place = file.map_or_else(String::new, |file| format!(" in {}", clean(&file.display().to_string())));
    let Exported { registrations, requests, without_headers, .. } = exported;
    let left_out = match without_headers {
        0 => String::new(),
        count => format!(" Headers of {} were left out, because they may be secret.", counted(*count, "file")),
    };
    format!("Saved {} with {}{place}.{left_out}", counted(*registrations, "download"), counted(*requests, "file"))
}

fn taken_in(imported: &Imported) -> String {
    let Imported { registrations, requests, known, elsewhere, without_headers } = imported;
    let mut sentences = vec![match registrations {
        0 => "Nothing in it is new.".to_owned(),
        _ => format!(
            "Took in {} with {}. What is not done is paused: `ashore resume` goes on with it.",
            counted(*registrations, "download"),
            counted(*requests, "file")
        ),
    }];
    if *known > 0 {
        sentences.push(format!("Left alone what was in the list already: {}.", counted(*known, "download")));
    }
    if *elsewhere > 0 {
        let count = counted(*elsewhere, "download");
        sentences.push(format!("The folder of {count} cannot be used here; the usual one takes its place."));
    }
    if *without_headers > 0 {
        let count = counted(*without_headers, "file");
        sentences.push(format!("Headers of {count} may have been secret and are not in it: where a server misses them, sign in."));
    }
    sentences.join(" ")
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_what_came_of_it() {
        let exported = Exported { registrations: 1, requests: 2, without_headers: 1, ..Exported::default() };
        assert_eq!(
            saved(&exported, Some(Path::new("/a"))),
            "Saved 1 download with 2 files in /a. Headers of 1 file were left out, because they may be secret."
        );
        assert_eq!(taken_in(&Imported { known: 2, ..Imported::default() }), "Nothing in it is new. Left alone what was in the list already: 2 downloads.");
    }
}
