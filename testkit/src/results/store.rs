//! Stored results of one program: a JSON file for each part in `PROGRAM/results`, and the page `PROGRAM/RESULTS.md`,
//! which is made from these files. Both are part of the sources, so repeating one part keeps the results of the others.
//! A quick run stores no results.
//!
//! The formats differ: a goal of the torture run has a verdict and a seed, a comparison of the bench has samples. So
//! each program has its own record type and its own page. This module has the common part: reading and writing files,
//! and the revision.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use serde::de::DeserializeOwned;

/// Stored results of a program.
#[derive(Debug)]
pub struct ResultStore {
    /// Root folder of the source tree.
    root: PathBuf,
    /// Name of the program. Its folder and its `make` target have the same name.
    program: &'static str,
    is_kept: bool,
}

impl ResultStore {
    /// Opens the results of a program. The current folder must be the root of the sources. Results are stored if
    /// `is_kept`.
    pub fn open(program: &'static str, is_kept: bool) -> Result<Self> {
        Self::open_in(Path::new("."), program, is_kept)
    }

    fn open_in(root: &Path, program: &'static str, is_kept: bool) -> Result<Self> {
        ensure!(root.join(program).is_dir(), "Run this from the root of the sources, or by `make {program}`.");
        Ok(Self { root: root.to_owned(), program, is_kept })
    }

    /// Returns whether results are stored.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Reads a stored result; `None` if there is none.
    pub fn read<Kept: DeserializeOwned>(&self, name: &str) -> Option<Kept> {
        serde_json::from_slice(&fs::read(self.file(name)).ok()?).ok()
    }

    /// Stores a result, if this run stores results.
    pub fn save(&self, name: &str, json: &[u8]) -> Result<()> {
        self.write(&self.file(name), json)
    }

    /// Writes the page, if this run stores results.
    pub fn keep_page(&self, text: &str) -> Result<()> {
        self.write(&self.root.join(self.page()), text.as_bytes())
    }

    /// Prints where the results were written.
    #[expect(clippy::print_stdout, reason = "printing is the purpose of this function")]
    pub fn finish(&self) {
        if self.is_kept {
            println!("\n{} is written.", self.page());
        } else {
            println!("\nA quick look: nothing was written to {}.", self.page());
        }
    }

    /// Returns the revision of the sources, with a mark if files differ from that revision. Ignores the result files
    /// and `others`, because the program writes these files itself.
    pub fn revision(&self, others: &[&str]) -> String {
        let git = |arguments: &[&str]| {
            let output = Command::new("git").current_dir(&self.root).args(arguments).output();
            let output = output.ok().filter(|output| output.status.success())?;
            Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let (page, folder) = (self.page(), format!("{}/results", self.program));
        let ignored = [page.as_str(), folder.as_str()].into_iter().chain(others.iter().copied());
        let ignored: Vec<String> = ignored.map(|path| format!(":!{path}")).collect();
        let mut status = vec!["status", "--porcelain", "--untracked-files=no", "--", "."];
        status.extend(ignored.iter().map(String::as_str));
        let revision = git(&["rev-parse", "--short", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
        if git(&status).is_some_and(|text| !text.is_empty()) { format!("{revision} and changes") } else { revision }
    }

    fn page(&self) -> String {
        format!("{}/RESULTS.md", self.program)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.root.join(self.program).join("results").join(format!("{name}.json"))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        if self.is_kept {
            fs::create_dir_all(path.parent().context("it is in a folder")?)?;
            fs::write(path, bytes).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_of_full_run_can_be_read_back_and_quick_run_is_not_stored() {
        let root = tempfile::tempdir().unwrap();
        assert!(ResultStore::open_in(root.path(), "bench", true).is_err(), "that is not the root of the sources");
        fs::create_dir(root.path().join("bench")).unwrap();
        let look = ResultStore::open_in(root.path(), "bench", false).unwrap();
        look.save("one", b"[1]").unwrap();
        look.keep_page("# Page").unwrap();
        assert_eq!(look.read::<Vec<u32>>("one"), None);
        assert_eq!(fs::read_dir(root.path().join("bench")).unwrap().count(), 0);
        let full = ResultStore::open_in(root.path(), "bench", true).unwrap();
        full.save("one", b"[1]").unwrap();
        full.keep_page("# Page").unwrap();
        assert_eq!((full.read("one"), full.read::<Vec<u32>>("two")), (Some(vec![1]), None));
        assert_eq!(fs::read_to_string(root.path().join("bench/RESULTS.md")).unwrap(), "# Page");
    }

    #[test]
    fn revision_is_marked_as_changed_unless_only_result_files_differ() {
        let root = tempfile::tempdir().unwrap();
        let git = |words: &[&str]| {
            let mut command = Command::new("git");
            command.current_dir(root.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words);
            assert!(command.output().unwrap().status.success(), "{words:?}");
        };
        fs::create_dir(root.path().join("bench")).unwrap();
        for name in ["bench/RESULTS.md", "README.md", "source"] {
            fs::write(root.path().join(name), "a").unwrap();
        }
        git(&["init", "--quiet"]);
        git(&["add", "."]);
        git(&["commit", "--quiet", "--message", "one"]);
        let store = ResultStore::open_in(root.path(), "bench", true).unwrap();
        store.keep_page("b").unwrap();
        fs::write(root.path().join("README.md"), "b").unwrap();
        assert!(!store.revision(&["README.md"]).contains("changes"));
        assert!(store.revision(&[]).ends_with(" and changes"));
        fs::write(root.path().join("source"), "b").unwrap();
        assert!(store.revision(&["README.md"]).ends_with(" and changes"));
    }
}
