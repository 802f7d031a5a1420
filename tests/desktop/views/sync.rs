//! Sync in the real window, with a real sync server and a second machine that runs `ashore serve`.

use std::{fs, net::TcpStream, path::PathBuf};

use ashore_testkit::{
    origin::{Body, Origin},
    running::RunningProgram,
    sync_server::place::ServerPlace,
    tools::built,
    waits::until,
};
use serde_json::Value;

use crate::{
    page::{WindowPage, row},
    stage::{Stage, kill},
};

const SETTINGS: &str = "keychain = \"file\"\nlocal-for-programs = true\ncheckpoint-seconds = 0.05\n";
const SERVER: &str = "Keep the sync server on this machine?";
const INVITE: &str = "Add a machine?";
const JOIN: &str = "Join the list?";
const WORDS: &str = "Show the recovery words?";
const TRUST: &str = "Start downloads without a question?";

/// Second machine of the same person. Dropping it ends its engine.
struct Laptop<'a> {
    stage: &'a Stage,
    data: PathBuf,
    _serving: RunningProgram,
}

impl<'a> Laptop<'a> {
    fn start(stage: &'a Stage) -> Self {
        let data = stage.home().join("laptop");
        let downloads = stage.home().join("laptop-downloads");
        fs::create_dir_all(&data).unwrap();
        fs::create_dir_all(&downloads).unwrap();
        fs::write(data.join("ashore.toml"), format!("{SETTINGS}folder = {downloads:?}\n")).unwrap();
        let mut command = stage.command(built("ashore").unwrap());
        command.arg("--data-dir").arg(&data).arg("serve");
        Self { stage, data, _serving: stage.start(command) }
    }

    /// Runs a verb with `--json` once the engine answers, and returns the objects that the verb prints.
    async fn run(&self, arguments: &[&str]) -> Vec<Value> {
        until(&format!("{arguments:?} is carried out"), async || {
            let mut command = self.stage.command(built("ashore").unwrap());
            command.arg("--data-dir").arg(&self.data).arg("--json").args(arguments);
            // `add` downloads into the working folder.
            command.current_dir(self.stage.home().join("laptop-downloads"));
            let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            let objects = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            output.status.success().then_some(objects)
        })
        .await
    }

    /// State of its only download.
    async fn state(&self) -> Option<String> {
        let [only] = <[Value; 1]>::try_from(self.run(&["list"]).await).ok()?;
        only["state"].as_str().map(str::to_owned)
    }
}

/// Stage whose window keeps its server on loopback.
async fn home() -> Stage {
    let mut stage = Stage::new().await;
    stage.set("ASHORE_SYNC_LISTEN", "127.0.0.1");
    fs::write(stage.data().join("ashore.toml"), SETTINGS).unwrap();
    stage
}

/// Turns sync on in the window, with the server on this machine.
async fn set_up(stage: &Stage, page: &WindowPage) {
    page.click("sync-button").await;
    page.click("sync-way-server").await;
    page.write("sync-name", "Desktop").await;
    page.click("sync-submit").await;
    stage.agree(SERVER).await;
    page.css("[data-testid='sync-words-grid'] li:nth-child(24) [data-testid='sync-word']").await;
    page.click("sync-written").await;
    page.find("sync-machines").await;
}

/// Invites a machine in the window, and returns the link.
async fn invite(stage: &Stage, page: &WindowPage) -> String {
    page.click("sync-invite").await;
    stage.agree(INVITE).await;
    page.css("[data-testid='sync-invite-code'] path").await;
    let link = until("the link is shown", async || {
        let link = page.value("sync-invite-link").await;
        link.starts_with("ashore://join/").then_some(link)
    })
    .await;
    page.click("sync-invite-close").await;
    link
}

#[tokio::test(flavor = "multi_thread")]
async fn window_keeps_server_invites_machine_and_steers_its_download() {
    let stage = home().await;
    let origin = Origin::start().await;
    let route = origin.file("/debian.dat", Body::seeded(8, 4_000_000)).gate_at(1_000_000);
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    set_up(&stage, &page).await;

    let laptop = Laptop::start(&stage);
    laptop.run(&["sync", "join", &invite(&stage, &page).await, "--name", "Laptop"]).await;
    page.text("sync-machines", "the machine is listed", |text| text.contains("Laptop")).await;
    laptop.run(&["add", origin.url("/debian.dat").as_str()]).await;
    route.held().await;
    laptop.run(&["sync", "now"]).await;
    page.click("others-button").await;
    page.text("others", "the download is listed", |text| text.contains("debian.dat") && text.contains("Laptop is fetching it"))
        .await;

    page.click_on("[data-testid='others-action'][data-change='pause']").await;
    until("the laptop pauses it", async || (laptop.state().await.as_deref() == Some("paused")).then_some(())).await;
    page.text("others", "the result is shown", |text| text.contains("Paused on Laptop")).await;
    route.release();
}

#[tokio::test(flavor = "multi_thread")]
async fn sent_download_waits_for_the_user_who_may_trust_the_sender() {
    let stage = home().await;
    let origin = Origin::start().await;
    origin.file("/one.dat", Body::seeded(1, 300_000));
    origin.file("/two.dat", Body::seeded(2, 300_000));
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    set_up(&stage, &page).await;
    let laptop = Laptop::start(&stage);
    laptop.run(&["sync", "join", &invite(&stage, &page).await, "--name", "Laptop"]).await;
    laptop.run(&["sync", "now"]).await;
    page.text("sync-machines", "the machine is listed", |text| text.contains("Laptop")).await;

    page.click("sync-back").await;
    laptop.run(&["add", origin.url("/one.dat").as_str(), "--to", "Desktop"]).await;
    page.text_of(&row("one.dat"), "the sender is named", |text| text.contains("Laptop sent this")).await;
    page.click("row-trust").await;
    stage.agree(TRUST).await;
    page.css("[data-testid='row'][data-result='success']").await;
    laptop.run(&["add", origin.url("/two.dat").as_str(), "--to", "Desktop"]).await;
    page.rows(&["two.dat", "one.dat"]).await;
    until("both have ended", async || {
        let done = page.run("return document.querySelectorAll(\"[data-testid='row'][data-result='success']\").length").await;
        (done == 2).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn kept_server_ends_with_killed_window_and_starts_with_the_next() {
    let stage = home().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    set_up(&stage, &page).await;
    let address = until("the address is shown", async || {
        let script = "return document.querySelector(\"[data-testid='sync-server-address']\")?.textContent";
        page.run(script).await.as_str().map(|text| text.trim().to_owned()).filter(|text| text.contains(':'))
    })
    .await;
    let address = address.trim_matches(|character: char| !character.is_ascii_alphanumeric()).to_owned();
    assert!(TcpStream::connect(&address).is_ok(), "{address}");
    kill(page.pid());
    until("the server ends as well", async || TcpStream::connect(&address).is_err().then_some(())).await;
    drop(page);

    let _ashore = stage.ashore_in_tray().await;
    until("the server answers again", async || TcpStream::connect(&address).is_ok().then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn declined_question_changes_nothing_and_shows_no_words() {
    let stage = home().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    page.click("sync-button").await;
    page.click("sync-way-server").await;
    page.write("sync-name", "Desktop").await;
    page.click("sync-submit").await;
    stage.refuse(SERVER).await;
    page.css("[data-testid='sync-submit']:enabled").await;
    assert_eq!(page.value("sync-name").await, "Desktop");
    assert!(!stage.data().join("sync-server").exists());

    page.click("sync-submit").await;
    stage.agree(SERVER).await;
    page.find("sync-words-grid").await;
    page.click("sync-written").await;
    page.click("sync-show-words").await;
    stage.refuse(WORDS).await;
    page.css("[data-testid='sync-show-words']:not([aria-disabled='true'])").await;
    assert_eq!(page.run("return document.querySelectorAll(\"[data-testid='sync-word']\").length").await, 0);
    page.click("sync-show-words").await;
    stage.agree(WORDS).await;
    page.css("[data-testid='sync-words-grid'] li:nth-child(24) [data-testid='sync-word']").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn handed_over_link_fills_in_form_and_joins_only_after_agreement() {
    let stage = home().await;
    let folder = tempfile::tempdir().unwrap();
    let place = ServerPlace { program: built("ashore-sync-server").unwrap(), folder: folder.path().to_owned(), database: None };
    let server = place.start().await.unwrap();
    let laptop = Laptop::start(&stage);
    laptop.run(&["sync", "setup", server.set_up_link().unwrap(), "--name", "Laptop"]).await;
    let link = laptop.run(&["sync", "invite"]).await[0]["link"].as_str().unwrap().to_owned();
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;

    let _second = stage.ashore(&[&link]);
    until("the link is filled in", async || {
        let script = "return document.querySelector(\"[data-testid='sync-link']\")?.value";
        (page.run(script).await == link.as_str()).then_some(())
    })
    .await;
    page.write("sync-name", "Desktop").await;
    page.click("sync-submit").await;
    stage.agree(JOIN).await;
    page.text("sync-machines", "both machines are listed", |text| text.contains("Laptop") && text.contains("Desktop")).await;
}
