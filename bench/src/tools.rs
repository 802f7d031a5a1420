//! Programs of the comparison, each with its command line for the same job.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use ashore_testkit::tools::built;
use serde::{Deserialize, Serialize};

/// Program that fetches files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BenchTool {
    /// Ashore.
    Ashore,
    /// curl.
    Curl,
    /// aria2c without file allocation and with its default cache.
    Aria2,
    /// aria2c with `--file-allocation=falloc --disk-cache=64M`.
    Aria2Cached,
    /// wget2.
    Wget2,
    /// axel.
    Axel,
    /// The minimal loop of `bare`.
    Bare,
}

/// Files to fetch and how to fetch them.
#[derive(Debug)]
pub struct ToolJob<'a> {
    /// URL of the folder of the files.
    pub address: &'a str,
    /// File names.
    pub names: &'a [String],
    /// Size of each file in bytes.
    pub size: u64,
    /// Connections per file.
    pub connections: u32,
    /// Files fetched in parallel.
    pub parallel: u32,
    /// Expected SHA-256 in hexadecimal.
    pub sha256: Option<&'a str>,
    /// Certificate authority of the server.
    pub authority: Option<&'a Path>,
    /// Empty folder for the files.
    pub target: &'a Path,
    /// Empty home folder, where the program writes all other files.
    pub home: &'a Path,
}

impl BenchTool {
    /// Returns the display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ashore => "Ashore",
            Self::Curl => "curl",
            Self::Aria2 => "aria2c",
            Self::Aria2Cached => "aria2c, 64 MiB cache",
            Self::Wget2 => "wget2",
            Self::Axel => "axel",
            Self::Bare => "bare loop",
        }
    }

    /// Returns whether the program is an alternative to Ashore, such as curl.
    pub fn is_peer(self) -> bool {
        !matches!(self, Self::Ashore | Self::Bare)
    }

    /// Returns the version; None if the program does not print a version.
    pub fn version(self) -> Option<String> {
        let program = self.program().ok()?;
        let output = Command::new(program).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_version = |word: &&str| word.starts_with(|letter: char| letter.is_ascii_digit()) && word.contains('.');
        text.lines().next()?.split_whitespace().find(is_version).map(str::to_owned)
    }

    fn program(self) -> Result<PathBuf> {
        match self {
            Self::Ashore => built("ashore"),
            Self::Bare => built("ashore-bench"),
            Self::Curl => Ok("curl".into()),
            Self::Aria2 | Self::Aria2Cached => Ok("aria2c".into()),
            Self::Wget2 => Ok("wget2".into()),
            Self::Axel => Ok("axel".into()),
        }
    }

    /// Returns the command for `job`, with a minimal environment.
    pub fn command(self, job: &ToolJob<'_>) -> Result<Command> {
        let mut command = Command::new(self.program()?);
        let home = job.home;
        command.current_dir(job.target).env_clear().env("HOME", home).env("XDG_RUNTIME_DIR", home).env("TMPDIR", home);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        let one = match job.names {
            [name] => Some((format!("{}/{name}", job.address), job.target.join(name))),
            _ => None,
        };
        match self {
            Self::Ashore => ashore(&mut command, job, one)?,
            Self::Curl => curl(&mut command, job, one)?,
            Self::Aria2 | Self::Aria2Cached => {
                aria2(&mut command, job, one.map(|one| one.0))?;
                match self {
                    Self::Aria2 => command.arg("--file-allocation=none"),
                    _ => command.args(["--file-allocation=falloc", "--disk-cache=64M"]),
                };
            }
            Self::Wget2 => wget2(&mut command, job, one)?,
            Self::Axel => {
                let (url, path) = one.context("axel can download only one file")?;
                command.args(["-q", "-n", &job.connections.to_string(), "-o"]).arg(path).arg(url);
            }
            Self::Bare => {
                let (url, path) = one.context("the bare loop can download only one file")?;
                command.args(["bare", &job.connections.to_string(), &job.size.to_string()]).arg(url).arg(path);
            }
        }
        Ok(command)
    }
}

type One = Option<(String, PathBuf)>;

/// Writes the links, one per line, to a file that the program reads.
fn list(job: &ToolJob<'_>, line: impl Fn(&str) -> String) -> Result<PathBuf> {
    let path = job.home.join("links");
    let lines: String = job.names.iter().map(|name| line(name) + "\n").collect();
    fs::write(&path, lines)?;
    Ok(path)
}

fn url(job: &ToolJob<'_>, name: &str) -> String {
    format!("{}/{name}", job.address)
}

fn ashore(command: &mut Command, job: &ToolJob<'_>, one: One) -> Result<()> {
    command.args(["get", "--quiet", "--data-dir"]).arg(job.home.join("data"));
    command.args(["--connections", &job.connections.to_string(), "--parallel", &job.parallel.to_string()]);
    if let Some(authority) = job.authority {
        command.env("SSL_CERT_FILE", authority);
    }
    if let Some(sha256) = job.sha256 {
        command.arg("--checksum").arg(format!("sha-256={sha256}"));
    }
    match one {
        Some((url, path)) => command.arg("-o").arg(path).arg(url),
        None => command.arg("-d").arg(job.target).arg("-i").arg(list(job, |name| url(job, name))?),
    };
    Ok(())
}

fn curl(command: &mut Command, job: &ToolJob<'_>, one: One) -> Result<()> {
    command.arg("-sSf");
    if let Some(authority) = job.authority {
        command.arg("--cacert").arg(authority);
    }
    match one {
        Some((url, path)) => command.arg("-o").arg(path).arg(url),
        None => {
            let both = |name: &str| format!("url = \"{}\"\noutput = \"{}\"", url(job, name), job.target.join(name).display());
            let list = list(job, both)?;
            command.args(["--parallel", "--parallel-immediate", "--parallel-max", &job.parallel.to_string()]);
            command.arg("-K").arg(list)
        }
    };
    Ok(())
}

fn aria2(command: &mut Command, job: &ToolJob<'_>, one: Option<String>) -> Result<()> {
    command.args(["-q", "--no-conf"]);
    command.arg(format!("-x{}", job.connections)).arg(format!("-s{}", job.connections)).arg("-d").arg(job.target);
    if job.connections > 1 {
        command.arg("-k1M");
    }
    if let Some(authority) = job.authority {
        command.arg("--ca-certificate").arg(authority);
    }
    if let Some(sha256) = job.sha256 {
        command.arg(format!("--checksum=sha-256={sha256}"));
    }
    match one {
        Some(url) => command.arg(url),
        None => command.arg(format!("-j{}", job.parallel)).arg("-i").arg(list(job, |name| url(job, name))?),
    };
    Ok(())
}

fn wget2(command: &mut Command, job: &ToolJob<'_>, one: One) -> Result<()> {
    command.arg("-q");
    if let Some(authority) = job.authority {
        command.arg("--ca-certificate").arg(authority);
    }
    match one {
        Some((url, path)) => {
            command.arg(format!("--max-threads={}", job.connections));
            if job.connections > 1 {
                command.arg("--chunk-size=64M");
            }
            command.arg("-O").arg(path).arg(url)
        }
        None => {
            command.arg(format!("--max-threads={}", job.parallel)).arg("-P").arg(job.target);
            command.arg("-i").arg(list(job, |name| url(job, name))?)
        }
    };
    Ok(())
}
