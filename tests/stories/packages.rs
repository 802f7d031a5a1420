//! Checks the packages, and the files about Ashore that desktops and software centres read.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use tempfile::TempDir;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(top().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn bundle() -> Value {
    serde_json::from_str(&read("tauri.conf.json")).unwrap()
}

/// Runs a command, which must be successful. Returns what it printed.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}. Run `scripts/setup test`."));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Creates a copy of the sources, in which other files replace the programs and the manual. Building the real ones would
/// take too long.
fn sources_with_replaced_programs() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in ["Cargo.toml", "Cargo.lock", "tauri.conf.json"] {
        fs::copy(top().join(name), folder.path().join(name)).unwrap();
    }
    for name in ["bench", "crates", "fuzz", "icons", "LICENSE", "packaging", "src-tauri", "testkit", "tests", "torture", "ui"] {
        symlink(top().join(name), folder.path().join(name)).unwrap();
    }
    let target = folder.path().join("target");
    fs::create_dir_all(target.join("release")).unwrap();
    fs::create_dir_all(target.join("manual/man1")).unwrap();
    for program in ["ashore", "ashore-browser", "ashore-desktop", "ashore-sync-server", "ashore-window"] {
        fs::copy("/bin/true", target.join("release").join(program)).unwrap();
    }
    for file in ["ashore", "ashore.fish", "_ashore", "man1/ashore.1.gz"] {
        fs::write(target.join("manual").join(file), file).unwrap();
    }
    folder
}

/// Builds the packages in `target/release/bundle`.
fn bundle_packages(sources: &Path) {
    let bundles = sources.join("target/release/bundle");
    if bundles.exists() {
        fs::remove_dir_all(&bundles).unwrap();
    }
    let mut bundler = Command::new(top().join("ui/node_modules/.bin/tauri"));
    bundler.args(["bundle", "--bundles", "deb,rpm"]).current_dir(sources);
    run(bundler.env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true"));
}

/// Builds the packages, and collects them in `dist` as for a release.
fn release(sources: &Path, key: &Path, dist: &Path) {
    bundle_packages(sources);
    let mut script = Command::new(top().join("scripts/release"));
    let bundles = sources.join("target/release/bundle");
    run(script.args([key, &bundles]).env("DIST", dist).env("SOURCE_DATE_EPOCH", "1700000000"));
}

/// Returns the paths of all files below `folder`.
fn files_in(folder: &Path) -> BTreeSet<String> {
    let listed = run(Command::new("find").arg(folder).args(["-type", "f", "-printf", "/%P\\n"]));
    listed.lines().map(str::to_owned).collect()
}

/// Runs a program, which must be successful and print nothing but the line `expected`.
fn assert_accepts(program: &str, arguments: &[&str], path: &Path, expected: &str) {
    let mut command = Command::new(program);
    let output = command.args(arguments).arg(path).output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}. Run `scripts/setup test`."));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && printed.trim() == expected, "{printed}");
}

#[test]
fn desktop_entry_is_valid() {
    let config = bundle();
    let texts = [
        ("{{name}}", &config["productName"]),
        ("{{comment}}", &config["bundle"]["shortDescription"]),
        ("{{icon}}", &config["mainBinaryName"]),
    ];
    // The bundler replaces the same placeholders.
    let entry = texts
        .iter()
        .fold(read("src-tauri/ashore.desktop"), |entry, (placeholder, text)| entry.replace(placeholder, text.as_str().unwrap()));
    assert!(!entry.contains("{{"), "{entry}");
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("Ashore.desktop");
    fs::write(&path, entry).unwrap();
    assert_accepts("desktop-file-validate", &[], &path, "");
}

#[test]
fn description_for_software_centres_is_valid_and_names_packaged_entry_and_version() {
    let path = "src-tauri/org.ashore.ashore.metainfo.xml";
    assert_accepts(
        "appstreamcli",
        &["validate", "--pedantic", "--no-net", "--no-color"],
        &top().join(path),
        "✔ Validation was successful.",
    );
    let (config, text) = (bundle(), read(path));
    let entry = format!("{}.desktop", config["productName"].as_str().unwrap());
    assert!(text.contains(&format!(">{entry}</launchable>")), "{text}");
    let release = text.split_once("<release version=\"").and_then(|(_, rest)| rest.split_once('"'));
    assert_eq!(release.map(|(version, _)| version), Some(env!("CARGO_PKG_VERSION")));
    for package in ["deb", "rpm"] {
        assert_eq!(
            config["bundle"]["linux"][package]["files"]["/usr/share/metainfo/org.ashore.ashore.metainfo.xml"], path,
            "{package}"
        );
    }
}

#[test]
fn release_has_reproducible_package_with_every_file_and_signed_checksums() {
    let (sources, output) = (sources_with_replaced_programs(), TempDir::new().unwrap());
    let key = output.path().join("key");
    run(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&key));
    let (one, two) = (output.path().join("one"), output.path().join("two"));
    release(sources.path(), &key, &one);
    release(sources.path(), &key, &two);
    let mut released = fs::read_dir(&one).unwrap().map(|entry| entry.unwrap().path());
    let package = released.find(|path| path.extension().is_some_and(|extension| extension == "deb")).unwrap();
    let again = two.join(package.file_name().unwrap());
    assert!(fs::read(&package).unwrap() == fs::read(again).unwrap(), "the second package differs");

    let listed = run(Command::new("dpkg-deb").arg("--contents").arg(&package));
    let files = bundle()["bundle"]["linux"]["deb"]["files"].as_object().unwrap().clone();
    for path in files.keys().map(String::as_str).chain(["/usr/bin/ashore-window", "/usr/share/applications/Ashore.desktop"]) {
        assert!(listed.contains(&format!(" .{path}")), "{path}: {listed}");
    }
    assert!(listed.contains(" ./usr/share/man/man1/ashore.1.gz\n"), "{listed}");
    assert!(listed.lines().all(|line| line.contains(" root/root ")), "{listed}");

    run(Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(&one));
    let public = fs::read_to_string(output.path().join("key.pub")).unwrap();
    fs::write(output.path().join("allowed"), format!("ashore {public}")).unwrap();
    let verify = |sums: &str| {
        let sums = fs::File::open(one.join(sums)).unwrap();
        let mut command = Command::new("ssh-keygen");
        command.args(["-Y", "verify", "-I", "ashore", "-n", "ashore", "-s"]).arg(one.join("SHA256SUMS.sig"));
        command.arg("-f").arg(output.path().join("allowed")).stdin(sums).output().unwrap().status.success()
    };
    assert!(verify("SHA256SUMS"));
    fs::write(one.join("changed"), "0").unwrap();
    assert!(!verify("changed"));
}

#[test]
fn arch_package_has_files_of_debian_package() {
    let (sources, output) = (sources_with_replaced_programs(), TempDir::new().unwrap());
    bundle_packages(sources.path());
    let (place, package, debian) = (output.path().join("src"), output.path().join("pkg"), output.path().join("deb"));
    fs::create_dir(&place).unwrap();
    fs::create_dir(&package).unwrap();
    symlink(sources.path(), place.join("ashore")).unwrap();
    let script = "srcdir=$PWD pkgdir=$1; source \"$2\"; package";
    let mut bash = Command::new("bash");
    bash.args(["-euc", script, "bash"]).arg(&package).arg(top().join("packaging/arch/PKGBUILD"));
    run(bash.env("ASHORE_REPOSITORY", "https://example.org/ashore.git").current_dir(&place));
    let bundled = fs::read_dir(sources.path().join("target/release/bundle/deb")).unwrap().map(|entry| entry.unwrap().path());
    let bundled = bundled.filter(|path| path.extension().is_some_and(|extension| extension == "deb"));
    run(Command::new("dpkg-deb").arg("--extract").args(bundled).arg(&debian));
    let mut expected = files_in(&debian);
    assert!(expected.remove("/usr/share/zsh/vendor-completions/_ashore"));
    expected.insert("/usr/share/zsh/site-functions/_ashore".to_owned());
    expected.insert("/usr/share/licenses/ashore-git/LICENSE".to_owned());
    assert_eq!(files_in(&package), expected);
}
