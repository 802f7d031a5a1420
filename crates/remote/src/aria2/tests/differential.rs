//! Runs one script against aria2 and against Ashore, and compares the answers.
//!
//! `differences.txt` lists the allowed differences. A row that matches no difference fails the test, so the list stays true.

use std::{
    collections::BTreeMap,
    process::{Child, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{net::TcpStream, time::timeout};

use crate::aria2::tests::peer::{Aria2Peer, AshorePeer, PATIENCE, web_server};

const SCRIPT: &str = include_str!("script.txt");
const DIFFERENCES: &str = include_str!("differences.txt");
/// Program that Debian's package aria2 contains.
const ARIA2C: &str = "aria2c";

/// Real aria2 on loopback. Dropping it ends the program.
struct Aria2c {
    program: Child,
    folder: TempDir,
    port: u16,
}

impl Drop for Aria2c {
    fn drop(&mut self) {
        // Ignore the errors: the program may have ended already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Aria2Peer for Aria2c {
    fn port(&self) -> u16 {
        self.port
    }
}

impl Aria2c {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let program = Command::new(ARIA2C)
            .args(["--no-conf", "--enable-rpc", "--quiet", "--max-concurrent-downloads=2"])
            .arg(format!("--rpc-listen-port={port}"))
            .arg(format!("--dir={}", folder.path().display()))
            .stdin(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{ARIA2C} (Debian package aria2): {error}"));
        let answers = async { while TcpStream::connect(("127.0.0.1", port)).await.is_err() {} };
        timeout(PATIENCE, answers).await.unwrap();
        Self { program, folder, port }
    }
}

/// Step of the script.
#[derive(Debug)]
enum Step {
    Raw(&'static str),
    Call { method: &'static str, params: &'static str, name: Option<&'static str> },
    Reach { name: &'static str, status: &'static str },
}

/// Returns the steps with their names: the group and a number.
fn steps() -> Vec<(String, Step)> {
    let (mut steps, mut group, mut number) = (Vec::new(), "", 0);
    for line in SCRIPT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            (group, number) = (name, 0);
            continue;
        }
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let step = match verb {
            "raw" => Step::Raw(rest),
            "call" => {
                let (method, params) = rest.split_once(' ').unwrap();
                let (params, name) = params.split_once(" -> ").map_or((params, None), |(params, name)| (params, Some(name)));
                Step::Call { method, params, name }
            }
            "reach" => {
                let (name, status) = rest.split_once(' ').unwrap();
                Step::Reach { name, status }
            }
            other => panic!("{other}"),
        };
        number += 1;
        steps.push((format!("{group}.{number}"), step));
    }
    steps
}

/// Runs the script, and returns the normalised answer to each step that is compared.
async fn answers(peer: &impl Aria2Peer, web: &str, dir: &str) -> Vec<(String, Value)> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    known.insert("web".to_owned(), web.to_owned());
    known.insert("dir".to_owned(), dir.to_owned());
    let mut answers = Vec::new();
    for (step_name, step) in steps() {
        let filled =
            |text: &str| known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value));
        let answer = match step {
            Step::Raw(body) => {
                let (status, answer) = peer.post(body.as_bytes()).await;
                json!({ "status": status, "body": serde_json::from_slice::<Value>(&answer).unwrap() })
            }
            Step::Call { method, params, name } => {
                let params = serde_json::from_str(&filled(params)).unwrap_or_else(|error| panic!("{step_name}: {error}"));
                let answer = peer.call(method, params).await;
                if let Some(name) = name {
                    let gid = answer.as_str().unwrap_or_else(|| panic!("{step_name}: {answer}"));
                    known.insert(name.to_owned(), gid.to_owned());
                }
                answer
            }
            Step::Reach { name, status } => {
                // The length of an active download is known as soon as the head of the response has arrived.
                let is_there =
                    |result: &Value| result["status"] == status && (status != "active" || result["totalLength"] != "0");
                peer.wait("aria2.tellStatus", json!([known[name]]), is_there).await;
                continue;
            }
        };
        answers.push((step_name, normalised(answer, &known)));
    }
    answers
}

/// Returns the answer with names instead of addresses, folders and GIDs, and without speeds.
fn normalised(answer: Value, known: &BTreeMap<String, String>) -> Value {
    match answer {
        Value::String(text) => {
            // Replace longer values first, because an address may contain a shorter value.
            let mut names: Vec<_> = known.iter().collect();
            names.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
            json!(names.into_iter().fold(text, |text, (name, value)| text.replace(value, &format!("{{{name}}}"))))
        }
        Value::Array(values) => values.into_iter().map(|value| normalised(value, known)).collect(),
        Value::Object(values) => {
            let length = values.get("totalLength").or(values.get("length")).cloned();
            let entries = values.into_iter().map(|(key, value)| {
                let value = match key.as_str() {
                    "downloadSpeed" => json!("any"),
                    "completedLength" if length.as_ref() != Some(&value) => json!("part"),
                    _ => normalised(value, known),
                };
                (key, value)
            });
            Value::Object(entries.collect())
        }
        other => other,
    }
}

/// Appends each path at which the answers differ, with both values, to `found`.
fn compare(path: &str, aria2: &Value, ashore: &Value, found: &mut Vec<(String, String)>) {
    match (aria2, ashore) {
        (Value::Object(left), Value::Object(right)) => {
            let keys: std::collections::BTreeSet<_> = left.keys().chain(right.keys()).collect();
            for key in keys {
                compare(
                    &format!("{path}/{key}"),
                    left.get(key).unwrap_or(&Value::Null),
                    right.get(key).unwrap_or(&Value::Null),
                    found,
                );
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (at, (left, right)) in left.iter().zip(right).enumerate() {
                compare(&format!("{path}/{at}"), left, right, found);
            }
        }
        _ if aria2 == ashore => {}
        _ => found.push((path.to_owned(), format!("aria2 {aria2}, Ashore {ashore}"))),
    }
}

/// Allowed difference: steps, path, and reason.
fn rows() -> Vec<(&'static str, &'static str, &'static str)> {
    let rows = DIFFERENCES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut parts = line.splitn(3, ' ');
        (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap_or_else(|| panic!("{line}: no reason")))
    };
    rows.map(row).collect()
}

/// Whether the row allows a difference of the step at this path. `*` stands for any text without a full stop or a slash.
fn allows((steps, at, _): &(&str, &str, &str), step: &str, path: &str) -> bool {
    let matches = |pattern: &str, text: &str, separator: char| {
        let (pattern, text) = (pattern.split(separator).collect::<Vec<_>>(), text.split(separator).collect::<Vec<_>>());
        pattern.len() == text.len() && pattern.iter().zip(text).all(|(pattern, text)| *pattern == "*" || *pattern == text)
    };
    matches(steps, step, '.') && (*at == "-" && path.is_empty() || matches(at, path, '/'))
}

#[tokio::test]
async fn answers_differ_from_those_of_aria2_only_as_listed() {
    let (aria2c, ashore, web) = (Aria2c::start().await, AshorePeer::open().await, web_server().await);
    let (theirs_dir, ours_dir) = (aria2c.folder.path().display().to_string(), ashore.root().display().to_string());
    let (theirs, ours) = tokio::join!(answers(&aria2c, &web, &theirs_dir), answers(&ashore, &web, &ours_dir));
    assert!(theirs.len() >= 100, "{} calls", theirs.len());
    let rows = rows();
    let (mut used, mut unexpected) = (vec![false; rows.len()], Vec::new());
    for ((step, theirs), (_, ours)) in theirs.iter().zip(&ours) {
        let mut found = Vec::new();
        compare("", theirs, ours, &mut found);
        for (path, values) in found {
            match rows.iter().position(|row| allows(row, step, &path)) {
                Some(at) => used[at] = true,
                None => unexpected.push(format!("{step} {path}: {values}")),
            }
        }
    }
    let unused: Vec<_> = rows.iter().zip(&used).filter(|(_, used)| !**used).map(|(row, _)| format!("unused: {row:?}")).collect();
    assert!(unexpected.is_empty() && unused.is_empty(), "{}\n{}", unexpected.join("\n"), unused.join("\n"));
}
