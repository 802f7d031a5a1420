//! Writes the man pages of `ashore` and its completions for shells into a folder. `make manual` runs this program, and the
//! packages contain the files.
//!
//! - All texts are those of the English help, so that nothing is described twice.
//! - A subcommand has a page of its own: `ashore-sync-ask(1)` is about `ashore sync ask`.

use std::{env, fs, io, path::Path, process::ExitCode};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [folder, date] = arguments.as_slice() else {
        eprintln!("Usage: manual FOLDER YYYY-MM-DD");
        return ExitCode::from(2);
    };
    match write_all(Path::new(folder), date) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the pages to `man1` in `folder`, and each completion under the name that its shell expects. `date` is the date
/// in the footer of the pages.
///
/// Fails if a file cannot be written.
fn write_all(folder: &Path, date: &str) -> io::Result<()> {
    let command = without_help_verbs(ashore_cli::english_command());
    let pages = folder.join("man1");
    fs::create_dir_all(&pages)?;
    write_pages(&command, &pages, date)?;
    for (shell, name) in [(Shell::Bash, "ashore"), (Shell::Fish, "ashore.fish"), (Shell::Zsh, "_ashore")] {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command.clone(), "ashore", &mut script);
        fs::write(folder.join(name), script)?;
    }
    Ok(())
}

/// Hides the subcommand `help` everywhere, because it prints the same texts as the pages.
fn without_help_verbs(command: Command) -> Command {
    command.mut_subcommands(|verb| match verb.get_name() {
        "help" => verb.hide(true),
        _ => without_help_verbs(verb),
    })
}

/// Writes the page of a command, and the pages of its subcommands.
fn write_pages(command: &Command, folder: &Path, date: &str) -> io::Result<()> {
    let title = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let source = concat!("Ashore ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).title(title.to_uppercase()).date(date).source(source).manual("Ashore manual");
    let mut text = Vec::new();
    page.render(&mut text)?;
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    fs::write(folder.join(format!("{title}.1")), laid_out(&text))?;
    let mut verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    verbs.try_for_each(|verb| write_pages(verb, folder, date))
}

/// Returns the page with the empty lines, lists and headings of the help texts as macros. Otherwise, the formatter would join
/// the lines of a list. [pure]
fn laid_out(page: &str) -> String {
    let mut is_after_options = false;
    let mut lines = String::new();
    for line in page.lines().map(str::trim_end) {
        let heading = line.strip_suffix(':').filter(|heading| is_after_options && !heading.starts_with(' '));
        match (line, heading) {
            (".SH EXTRA", _) => is_after_options = true,
            ("", _) => lines.push_str(".sp\n"),
            (_, Some(heading)) => lines.push_str(&format!(".SH {}\n", heading.to_uppercase())),
            _ if line.starts_with(r"\- ") => lines.push_str(&format!(".br\n{line}\n")),
            _ => lines.push_str(&format!("{line}\n")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        fs,
        path::PathBuf,
        process::{Command as Program, Output},
    };

    use serde_json::Value;
    use tempfile::TempDir;

    use super::*;

    fn written() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        write_all(folder.path(), "2026-01-02").unwrap();
        folder
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    }

    /// Runs a program, which must be successful. Returns what it printed.
    fn run(program: &mut Program) -> Output {
        let output = program.output().unwrap_or_else(|error| panic!("{program:?}: {error}. Run `scripts/setup test`."));
        assert!(output.status.success(), "{program:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// Returns the page `name` as a terminal shows it.
    fn shown(folder: &Path, name: &str) -> String {
        let page = folder.join("man1").join(name);
        let output = run(Program::new("mandoc").args(["-T", "utf8", "-O", "width=100"]).arg(page));
        // The formatter prints a bold letter as the letter, a backspace, and the letter again.
        let text = String::from_utf8(output.stdout).unwrap();
        let mut plain = String::new();
        for letter in text.chars() {
            if letter == '\u{8}' { _ = plain.pop() } else { plain.push(letter) }
        }
        plain
    }

    /// Returns the completions that Bash offers for the last of `words`.
    fn completions_in_bash(folder: &Path, words: &[&str]) -> BTreeSet<String> {
        let script = r#"source "$1/ashore"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ashore ashore "${@: -1}" "${@: -2:1}"
            printf '%s\n' "${COMPREPLY[@]}""#;
        let output = run(Program::new("bash").args(["--norc", "-c", script, "bash"]).arg(folder).args(words));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn formatters_accept_every_page_without_warning() {
        let folder = written();
        let pages = files(&folder.path().join("man1"));
        assert!(pages.len() > 60, "{pages:?}");
        // Long lines and similar matters of style come from the help texts, which are not written as man pages.
        run(Program::new("mandoc").args(["-T", "lint", "-W", "warning,stop"]).args(&pages));
        for page in pages {
            let printed = run(Program::new("groff").args(["-ww", "-b", "-z", "-man", "-Kutf8", "-Tutf8"]).arg(&page));
            assert_eq!(String::from_utf8_lossy(&printed.stderr), "", "{}", page.display());
        }
    }

    #[test]
    fn page_keeps_lists_and_examples_on_their_own_lines() {
        let folder = written();
        let page = shown(folder.path(), "ashore-serve.1");
        for line in ["ASHORE-SERVE(1)", "SYNOPSIS", "- off: No downloads: the interface is closed"] {
            assert!(page.lines().any(|shown| shown.trim_start().starts_with(line)), "{line}: {page}");
        }
        let page = shown(folder.path(), "ashore.1");
        for line in ["EXAMPLES", "ashore serve &", "EXIT CODES", "130  interrupted; everything is kept", "ashore-sync(1)"] {
            assert!(page.lines().any(|shown| shown.trim_start().starts_with(line)), "{line}: {page}");
        }
        assert!(!page.contains("ashore-help"), "{page}");
    }

    #[test]
    fn bash_completes_subcommands_options_and_values() {
        let folder = written();
        let complete = |words: &[&str]| completions_in_bash(folder.path(), words);
        let expected = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(
            complete(&["ashore", "re"]),
            expected(&["relink", "remote", "remove", "remove-owner", "reset", "resume", "retry"])
        );
        assert_eq!(
            complete(&["ashore", "serve", "--allow-"]),
            expected(&["--allow-host", "--allow-insecure-redirects", "--allow-origin"])
        );
        assert_eq!(complete(&["ashore", "serve", "--aria2", "o"]), expected(&["off", "own"]));
        assert_eq!(complete(&["ashore", "remote", "s"]), expected(&["sign-out"]));
    }

    #[test]
    fn fish_completes_subcommands_with_their_texts() {
        let folder = written();
        run(Program::new("fish").arg("--no-execute").arg(folder.path().join("ashore.fish")));
        let script = "source $argv[1]; complete --do-complete 'ashore remote to'";
        let mut fish = Program::new("fish");
        let fish = fish.env("HOME", folder.path()).args(["--no-config", "-c", script]).arg(folder.path().join("ashore.fish"));
        let printed = String::from_utf8(run(fish).stdout).unwrap();
        assert!(printed.starts_with("token\t") && printed.lines().count() == 1, "{printed}");
    }

    #[test]
    fn zsh_parses_completion() {
        let folder = written();
        let output = run(Program::new("zsh").arg("-n").arg(folder.path().join("_ashore")));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert!(fs::read_to_string(folder.path().join("_ashore")).unwrap().starts_with("#compdef ashore\n"));
    }

    #[test]
    fn packages_contain_pages_and_completions() {
        let folder = written();
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let config: Value = serde_json::from_str(&fs::read_to_string(top.join("tauri.conf.json")).unwrap()).unwrap();
        let written: BTreeSet<_> = files(folder.path()).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        for package in ["deb", "rpm"] {
            let contained = config["bundle"]["linux"][package]["files"].as_object().unwrap().values();
            let contained = contained.filter_map(|path| Path::new(path.as_str()?).strip_prefix("target/manual").ok());
            assert_eq!(contained.map(|path| path.as_os_str().to_owned()).collect::<BTreeSet<_>>(), written, "{package}");
        }
    }
}
