//! Tests the image that `packaging/container/Containerfile` describes. `scripts/setup long` installs the builder.
//!
//! - The stages that compile Ashore need images from a registry. A stage with the programs that are already built replaces
//!   them, and the last stage is unchanged.
//! - The container runs in a sandbox with the settings of the image, a read-only root, and a user id that no user has.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Stdio,
};

use ashore_testkit::{
    origin::{Body, Origin},
    tools::built,
    waits::until,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

use crate::cli::{
    program::{Ran, Running, end},
    serve::aria2::call_at,
};

/// Start of the last stage.
const LAST_STAGE: &str = "FROM ${BASE}\n";
/// User id of the container. Its volumes belong to another user.
const USER: &str = "4242";

/// Image with its settings, and a container of it.
struct Image {
    folder: TempDir,
    root: PathBuf,
    config: Value,
}

async fn run(command: &mut Command) -> Ran {
    let shown = format!("{command:?}");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let ran = end(command.spawn().unwrap_or_else(|error| panic!("{shown}: {error}. Run `scripts/setup long`."))).await;
    assert_eq!(ran.code, Some(0), "{shown}\n{}\n{}", ran.stdout, ran.stderr);
    ran
}

/// Copies a file to the same path below `root`.
fn copy(path: &Path, root: &Path) {
    let target = root.join(path.strip_prefix("/").unwrap());
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    fs::copy(path, target).unwrap();
}

/// Fills a folder with the files that the compiling stages leave, and another one with a minimal system.
async fn prepare(context: &Path) {
    let (image, base) = (context.join("image"), context.join("base"));
    let program = built("ashore").unwrap();
    fs::create_dir_all(image.join("usr/bin")).unwrap();
    fs::copy(&program, image.join("usr/bin/ashore")).unwrap();
    fs::create_dir_all(image.join("etc/ashore")).unwrap();
    let packaging = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../packaging/container"));
    fs::copy(packaging.join("user-dirs.dirs"), image.join("etc/ashore/user-dirs.dirs")).unwrap();
    copy(Path::new("/etc/ssl/certs/ca-certificates.crt"), &image);
    for volume in ["data", "downloads"] {
        fs::create_dir(image.join(volume)).unwrap();
        fs::set_permissions(image.join(volume), Permissions::from_mode(0o1777)).unwrap();
    }
    let libraries = run(Command::new("ldd").arg(&program)).await.stdout;
    libraries.split_whitespace().filter(|word| word.starts_with('/')).for_each(|path| copy(Path::new(path), &base));
    for mounted in ["dev", "proc", "tmp"] {
        fs::create_dir(base.join(mounted)).unwrap();
    }
    let text = fs::read_to_string(packaging.join("Containerfile")).unwrap();
    let (_, last) = text.split_once(LAST_STAGE).unwrap();
    let stages = "FROM scratch AS base\nCOPY base/ /\nFROM scratch AS programs\nCOPY image/ /image/\nFROM base\n";
    fs::write(context.join("Containerfile"), format!("{stages}{last}")).unwrap();
}

impl Image {
    async fn build() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let context = folder.path().join("context");
        prepare(&context).await;
        let image = Self { root: PathBuf::new(), config: Value::Null, folder };
        image.builder(&["build", "--format", "docker", "--isolation", "chroot", "--tag", "ashore"], Some(&context)).await;
        let inspected = image.builder(&["inspect", "--type", "image", "ashore"], None).await;
        let config = serde_json::from_str::<Value>(&inspected).unwrap()["Docker"]["config"].take();
        image.builder(&["from", "--name", "container", "ashore"], None).await;
        let root = image.builder(&["mount", "container"], None).await.trim().into();
        for volume in ["data", "downloads", "tmp"] {
            let path = image.folder.path().join(volume);
            fs::create_dir(&path).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o1777)).unwrap();
        }
        Self { root, config, ..image }
    }

    /// Runs the program that builds images, with a store of its own.
    async fn builder(&self, arguments: &[&str], context: Option<&Path>) -> String {
        let mut command = Command::new("buildah");
        command.env("HOME", self.folder.path()).args(["--storage-driver", "vfs", "--root"]);
        command.arg(self.folder.path().join("store")).arg("--runroot").arg(self.folder.path().join("run"));
        run(command.args(arguments).args(context)).await.stdout
    }

    /// Returns the command that runs `arguments` in the container.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("bwrap");
        command.args(["--unshare-user", "--unshare-ipc", "--unshare-uts", "--uid", USER, "--gid", USER, "--clearenv"]);
        command.arg("--ro-bind").arg(&self.root).arg("/");
        for volume in ["data", "downloads", "tmp"] {
            command.arg("--bind").arg(self.folder.path().join(volume)).arg(format!("/{volume}"));
        }
        command.args(["--proc", "/proc", "--dev", "/dev", "--chdir", self.config["WorkingDir"].as_str().unwrap()]);
        for variable in self.config["Env"].as_array().unwrap() {
            let (name, value) = variable.as_str().unwrap().split_once('=').unwrap();
            command.args(["--setenv", name, value]);
        }
        command.arg("--").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.kill_on_drop(true);
        command
    }
}

/// Sends a signal to the process that a sandbox contains.
fn stop(sandbox: &Running) {
    let id = sandbox.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    let child = children.split_whitespace().next().unwrap().parse().unwrap();
    kill_process(Pid::from_raw(child).unwrap(), Signal::TERM).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the builder of images that scripts/setup long installs"]
async fn container_downloads_as_any_user_and_reports_health() {
    let image = Image::build().await;
    let config = &image.config;
    assert_eq!(config["Entrypoint"], json!(["/usr/bin/ashore"]));
    assert_eq!(config["Cmd"], json!(["serve", "--listen", "0.0.0.0:6800"]));
    assert_eq!(config["Healthcheck"]["Test"], json!(["CMD", "/usr/bin/ashore", "healthy"]));
    assert_eq!((&config["User"], &config["ExposedPorts"]), (&json!("1000:1000"), &json!({ "6800/tcp": {} })));
    let healthy = || image.command(&["/usr/bin/ashore", "healthy"]);
    assert_eq!(end(healthy().spawn().unwrap()).await.code, Some(1));

    let serving = image.command(&["/usr/bin/ashore", "serve", "--json", "--listen", "127.0.0.1:0"]).spawn().unwrap();
    let mut serving = Running::from_child(serving);
    let ready: Value = serde_json::from_str(&serving.line().await).unwrap();
    assert_eq!((&ready["ready"], &ready["data_dir"]), (&json!(true), &json!("/data/ashore")));
    run(&mut healthy()).await;
    let origin = Origin::start().await;
    let ashore = async |arguments: &[&str]| run(&mut image.command(&[&["/usr/bin/ashore"], arguments].concat())).await.stdout;
    let complete = async |name: &str| {
        let path = image.folder.path().join("downloads").join(name);
        assert_eq!(until("the file is complete", async || fs::metadata(&path).ok()).await.len(), 300_000);
    };
    for path in ["/typed.bin", "/sent.bin"] {
        origin.file(path, Body::seeded(7, 300_000));
    }
    ashore(&["add", origin.url("/typed.bin").as_str()]).await;
    complete("typed.bin").await;
    // Programs use the default folder. Without the setting, they cannot reach the server of this test.
    ashore(&["settings", "local-for-programs", "true"]).await;
    let token: Value =
        serde_json::from_str(&ashore(&["remote", "token", "--name", "a", "--scope", "add", "--json"]).await).unwrap();
    let host = ready["remote"][0].as_str().unwrap().strip_prefix("http://").unwrap().trim_end_matches('/');
    let added = json!([[origin.url("/sent.bin")]]);
    call_at(host, "/jsonrpc", token["token"].as_str().unwrap(), "aria2.addUri", added).await;
    complete("sent.bin").await;
    stop(&serving);
    assert_eq!(serving.end().await.code, Some(0));
}
