//! Tests opening a finished file with its button and with the Enter key.

use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf};

use ashore_testkit::{
    origin::{Body, Origin},
    waits::until,
};

use crate::{
    page::{WindowPage, row},
    stage::Stage,
};

const ENTER: &str = "\u{e007}";

/// Fake `xdg-open` that only records the paths and addresses it is given.
pub struct Opener(PathBuf);

impl Opener {
    pub fn put_before(stage: &mut Stage) -> Self {
        let folder = stage.home().join("opener");
        fs::create_dir(&folder).unwrap();
        let asked = folder.join("asked");
        let script = |name: &str, text: String| {
            let path = folder.join(name);
            fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path
        };
        script("xdg-open", format!("echo \"$1\" >> '{}'", asked.display()));
        let run = format!("PATH='{}':\"$PATH\" exec '{}' \"$@\"", folder.display(), stage.program().display());
        let program = script("ashore", run);
        stage.with_program(program);
        Self(asked)
    }

    pub fn all(&self) -> Vec<PathBuf> {
        fs::read_to_string(&self.0).unwrap_or_default().lines().map(PathBuf::from).collect()
    }

    async fn asked(&self, count: usize) -> Vec<PathBuf> {
        until(&format!("{count} are opened"), async || (self.all().len() >= count).then(|| self.all())).await
    }
}

/// Returns the selector of the row's button that opens the file.
fn open_step(title: &str) -> String {
    format!("{} [data-testid='row-action'][data-step='open']", row(title))
}

#[tokio::test(flavor = "multi_thread")]
async fn file_is_opened_by_button_and_by_enter_key() {
    let mut stage = Stage::new().await;
    let opener = Opener::put_before(&mut stage);
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    origin.file("/letter.pdf", Body::bytes("a letter"));
    stage.add(origin.url("/letter.pdf"), "letter.pdf").await;
    let letter = stage.downloads().join("letter.pdf");
    page.click_on(&open_step("letter.pdf")).await;
    assert_eq!(opener.asked(1).await, std::slice::from_ref(&letter));
    page.click_on(&row("letter.pdf")).await;
    page.keys("list", ENTER).await;
    assert_eq!(opener.asked(2).await, [letter.clone(), letter]);
}

#[tokio::test(flavor = "multi_thread")]
async fn executable_file_is_not_opened_when_user_declines() {
    let mut stage = Stage::new().await;
    let opener = Opener::put_before(&mut stage);
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    // The first file is executable by its name, the second by its mode; the third is not executable.
    for name in ["tool.sh", "report.pdf", "letter.pdf"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
        stage.add(origin.url(&format!("/{name}")), name).await;
        page.css(&open_step(name)).await;
    }
    fs::set_permissions(stage.downloads().join("report.pdf"), fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["tool.sh", "report.pdf"] {
        page.click_on(&open_step(name)).await;
        stage.refuse("Open this file?").await;
    }
    page.click_on(&open_step("letter.pdf")).await;
    assert_eq!(opener.asked(1).await, [stage.downloads().join("letter.pdf")], "the others would have come before it");
}
