//! Checks the table in `docs/documents.md`.
//!
//! - Every file and test in the table exists.
//! - Every row has a test or a reason.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Collects the names of all test functions below `folder`.
fn tests_in(folder: &Path, found: &mut HashSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            tests_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
                let name = line.trim_start_matches("pub ").trim_start_matches("async ").strip_prefix("fn ");
                if let Some((name, _)) = name.filter(|_| is_test).and_then(|rest| rest.split_once('(')) {
                    found.insert(name.to_owned());
                    is_test = false;
                }
            }
        }
    }
}

/// Returns every text that stands between two backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn documents_table_refers_only_to_existing_files_and_tests() {
    let mut tests = HashSet::new();
    for folder in ["crates", "tests", "testkit", "src-tauri", "torture"] {
        tests_in(&top().join(folder), &mut tests);
    }
    let text = fs::read_to_string(top().join("docs/documents.md")).unwrap();
    let (mut rows, mut wrong) = (0, Vec::new());
    for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| statement")) {
        rows += 1;
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [statement, code, named, deviation] = cells[..] else {
            wrong.push(format!("{} cells instead of 4: {line}", cells.len()));
            continue;
        };
        wrong.extend(
            quoted(code)
                .into_iter()
                .filter(|path| !top().join(path).is_file())
                .map(|path| format!("no file {path}: {statement}")),
        );
        wrong.extend(
            quoted(named).into_iter().filter(|name| !tests.contains(*name)).map(|name| format!("no test {name}: {statement}")),
        );
        if quoted(named).is_empty() && deviation.is_empty() {
            wrong.push(format!("neither a test nor a reason: {statement}"));
        }
    }
    assert!(rows > 50, "{rows} rows");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
