//! Checks `docs/openapi.json`, and the answers of `ashore serve` to requests that follow from it. `scripts/setup long`
//! installs the programs.

use ashore_testkit::tools::built;
use tokio::process::Command;

use crate::cli::{
    program::Person,
    serve::aria2::{client, installed, script},
};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/openapi.json");

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the programs that scripts/setup long installs"]
async fn openapi_document_is_valid() {
    let mut command = Command::new(installed("python/bin/openapi-spec-validator"));
    command.arg(DOCUMENT);
    client(command, &Person::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the programs that scripts/setup long installs"]
async fn openapi_document_describes_every_answer() {
    let person = Person::new();
    let mut command = Command::new("bwrap");
    // The sandbox has no network except loopback.
    command.args(["--die-with-parent", "--dev-bind", "/", "/", "--unshare-net", "sh", &script("schemathesis.sh")]);
    command.arg(built("ashore").unwrap()).arg(installed("python/bin/schemathesis")).arg(DOCUMENT);
    let serving = person.command::<&str>([]);
    command.current_dir(person.home()).envs(serving.as_std().get_envs().filter_map(|(name, value)| Some((name, value?))));
    println!("{}", client(command, &person).await.stdout);
}
