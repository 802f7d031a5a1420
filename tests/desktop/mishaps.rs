//! Tests accidents of users and machines. Nothing is lost, and the window explains each accident and the next step in
//! plain words.
//!
//! The lid closes, the disk fills, power fails, a proxy answers instead of the server, a web page sends commands, the
//! list is overwritten. Pictures of each case are saved in `target/mishaps`.

use std::{fs, os::unix::fs::symlink, path::Path, sync::Arc};

use ashore_engine::{ListQuery, Registration, RegistrationResult};
use ashore_rpc::MethodCall;
use ashore_testkit::{
    apart::Apart,
    machine,
    origin::{Body, Origin, content},
    peers::{Bus, Login},
    proxy::Proxy,
    tools::{is_installed, run},
    volume::{PowerCut, Volume},
    waits::until,
};

use crate::{
    file_manager::FileManager,
    page::{WindowPage, row},
    pictures::sources,
    stage::{Stage, file, kill, terminate},
};

const MIB: u64 = 1 << 20;
/// Size of a disk that fills quickly, in bytes.
const SMALL: u64 = 24 * MIB;

/// Script that returns the number of buttons on the card for a recovered list.
const CARD_STEPS: &str = "return document.querySelectorAll('[data-testid=recovery] button').length";

/// Saves a picture of the window as `target/mishaps/NAME.png`.
async fn picture(page: &WindowPage, name: &str) {
    let folder = sources().join("target/mishaps");
    fs::create_dir_all(&folder).unwrap();
    page.painted().await;
    fs::write(folder.join(format!("{name}.png")), page.picture().await).unwrap();
}

/// Waits until the only row offers the next step `wanted`.
async fn step(page: &WindowPage, wanted: &str) {
    page.css(&format!("[data-testid='row-action'][data-step='{wanted}']")).await;
}

async fn all(stage: &Stage) -> Vec<Registration> {
    stage.client().await.call(&MethodCall::List(ListQuery::default())).await.unwrap()
}

/// Creates private mounts for the test; `None` if this machine does not permit them.
fn private_mounts(stage: &mut Stage) -> Option<Arc<Apart>> {
    match Apart::make() {
        Ok(apart) => {
            let folder = stage.home().join("run");
            stage.with_program(apart.wrap(stage.program(), &folder).unwrap());
            Some(Arc::new(apart))
        }
        Err(why) => {
            ashore_testkit::left_out(why);
            None
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_lid_at_73_percent_loses_no_bytes() {
    const SIZE: u64 = 100 * 100_000;
    const CAME: u64 = 73 * 100_000;
    let bus = Bus::start();
    let mut login = Login::join(&bus).await;
    let mut stage = Stage::new().await;
    stage.on_system(&bus);
    let origin = Origin::start().await;
    let route = origin.file("/holiday.mkv", Body::seeded(73, SIZE)).gate_at(CAME);
    let page = WindowPage::open_for_pictures(&stage).await;
    page.add(origin.url("/holiday.mkv").as_str(), &stage.downloads().to_string_lossy()).await;
    route.held().await;
    until("the progress bar shows 73", async || {
        (page.attr("[data-testid='row-progress']", "aria-valuenow").await? == "73").then_some(())
    })
    .await;

    let held = login.held_back().await;
    login.sleeps(true).await;
    // The machine must not sleep before all received bytes are durable.
    held.released().await;
    assert!(stage.durable(CAME).await >= CAME);
    page.text("row-words", "why nothing moves", |text| text.contains("this computer is going to sleep")).await;
    step(&page, "pause").await;
    picture(&page, "lid").await;

    login.sleeps(false).await;
    route.release();
    page.css("[data-testid='row'][data-result='success']").await;
    step(&page, "open").await;
    file(&stage.downloads().join("holiday.mkv"), &content(73, SIZE)).await;
    let starts: Vec<_> = route.requests().iter().filter_map(ashore_testkit::origin::Request::range_start).collect();
    assert!(starts.last().is_some_and(|start| *start + (64 << 10) >= CAME), "the transfer resumed at its offset: {starts:?}");
    page.click_on(&row("holiday.mkv")).await;
    page.keys("list", "i").await;
    page.click("details-activity-tab").await;
    page.text("details-attempt", "waiting was no try", |text| text.contains("Attempt 1") && text.contains("Completed")).await;
    picture(&page, "lid-afterwards").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn download_on_full_disk_waits_until_space_is_freed() {
    let mut stage = Stage::new().await;
    let Some(apart) = private_mounts(&mut stage) else { return };
    let downloads = stage.downloads();
    let size = format!("size={SMALL}");
    run(apart.command("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&downloads)).unwrap();
    let disk = apart.seen(&downloads);
    let files = FileManager::serve(stage.address()).await;
    fs::write(
        stage.data().join("ashore.toml"),
        "retry-after-seconds = 0.1\ncheckpoint-seconds = 0.05\nfree-space-floor = \"0\"\nattempts = 2\n",
    )
    .unwrap();
    let origin = Origin::start().await;
    let backup = origin.file("/backup.tar", Body::seeded(1, 12 * MIB)).gate_at(4 * MIB);
    origin.file("/letter.pdf", Body::bytes("a letter"));
    let page = WindowPage::open_for_pictures(&stage).await;
    page.add(origin.url("/backup.tar").as_str(), &downloads.to_string_lossy()).await;
    backup.held().await;
    let kept = stage.durable(3 * MIB).await;
    // Another program fills all the remaining space.
    let full = fill(&disk.join("something-else"));
    backup.release();
    page.text("row-words", "what it needs", |text| text.contains(" is low on space; ") && text.contains(" more needed")).await;
    step(&page, "space").await;
    page.click("row-action").await;
    assert_eq!(files.asked(1).await, std::slice::from_ref(&downloads), "where there is something to be thrown away");
    picture(&page, "disk").await;
    assert!(full > MIB, "there was room to take");

    // Downloads to other disks continue.
    let other = stage.home().join("letters");
    fs::create_dir(&other).unwrap();
    page.add(origin.url("/letter.pdf").as_str(), &other.to_string_lossy()).await;
    page.css(&format!("{}[data-result='success']", row("letter.pdf"))).await;
    picture(&page, "disk-others").await;

    fs::remove_file(disk.join("something-else")).unwrap();
    page.css(&format!("{}[data-result='success']", row("backup.tar"))).await;
    file(&disk.join("backup.tar"), &content(1, 12 * MIB)).await;
    let again = backup.bytes_sent().saturating_sub(12 * MIB);
    assert!(again <= 12 * MIB - kept + MIB, "{again} bytes were sent twice, and {kept} were durable before the disk was full");
    picture(&page, "disk-afterwards").await;
}

/// Writes until the disk is full. Returns the number of written bytes.
fn fill(path: &Path) -> u64 {
    let mut file = fs::File::create(path).unwrap();
    let mut written = 0;
    for size in [1 << 20, 4 << 10] {
        while let Ok(()) = std::io::Write::write_all(&mut file, &vec![0; size]) {
            written += size as u64;
        }
    }
    written
}

#[tokio::test(flavor = "multi_thread")]
async fn power_cut_while_list_is_written_loses_nothing() {
    const MANY: usize = 40;
    const CAME: usize = 25;
    let mut stage = Stage::new().await;
    let Some(apart) = private_mounts(&mut stage) else { return };
    if !is_installed("cc") {
        return ashore_testkit::left_out("It needs a C compiler (cc) for what cuts the power.");
    }
    // The list and the downloads are on the same disk.
    let place = stage.home().join("disk");
    let volume = match Volume::make_at(&place, &apart) {
        Ok(volume) => volume,
        Err(why) => return ashore_testkit::left_out(format!("No disk in a file can be mounted: {why:#}.")),
    };
    let settings = fs::read(stage.data().join("ashore.toml")).unwrap();
    for (name, own) in [("data", stage.data()), ("downloads", stage.downloads())] {
        // Create the folder outside the private mounts too, so that the path exists inside and outside.
        fs::create_dir_all(place.join(name)).unwrap();
        fs::create_dir_all(volume.path().join(name)).unwrap();
        fs::remove_dir_all(&own).unwrap();
        symlink(place.join(name), &own).unwrap();
    }
    fs::write(volume.path().join("data/ashore.toml"), settings).unwrap();
    volume.sync().unwrap();
    let files = volume.path().join("downloads");

    let origin = Origin::start().await;
    let name = |number: usize| format!("page-{number:02}.pdf");
    let body = |number: usize| content(number as u64, 20_000);
    let routes: Vec<_> = (0..MANY).map(|number| origin.file(&format!("/{}", name(number)), Body::bytes(body(number)))).collect();
    let rest: Vec<_> = routes.into_iter().skip(CAME).map(|route| route.gate_at(9_000)).collect();
    let page = WindowPage::open_for_pictures(&stage).await;
    stage.windows_are(1).await;
    let links: Vec<_> = (0..MANY).map(|number| origin.url(&format!("/{}", name(number))).to_string()).collect();
    page.copy(&links.join("\n")).await;
    stage.press_keys("ctrl+v");
    page.text("add-understood", "all are understood", |text| text.contains("40 links found")).await;
    page.write("add-title", "Scans").await;
    page.write("add-folder", &stage.downloads().to_string_lossy()).await;
    page.click("add-submit").await;
    page.text("row-words", "some are done", |text| text.contains("of 40 files")).await;
    volume.fail(PowerCut::Bare).unwrap();
    kill(page.pid());
    drop(page);
    until("its power is back", async || volume.restart().ok()).await;
    for entry in fs::read_dir(&files).unwrap().map(|entry| entry.unwrap().path()) {
        let called = entry.file_name().unwrap().to_string_lossy().into_owned();
        let Some(number) = (0..MANY).find(|number| called == name(*number)) else { continue };
        assert!(fs::read(&entry).unwrap() == body(number), "{called} has its name and is not whole");
    }

    let page = WindowPage::open_for_pictures(&stage).await;
    page.rows(&["Scans"]).await;
    page.text("row-words", "what came is known", |text| text.contains("25 of 40 files")).await;
    step(&page, "pause").await;
    picture(&page, "battery").await;
    rest.iter().for_each(ashore_testkit::origin::Route::release);
    page.css("[data-testid='row'][data-result='success']").await;
    // The list and its socket are on a disk in private mounts. So run the command line tool in these mounts too.
    let mut list = apart.command(machine::program());
    let told = list.args(["list", "--json", "--data-dir"]).arg(stage.data()).env_remove("XDG_RUNTIME_DIR").output().unwrap();
    let done: Registration = serde_json::from_slice(&told.stdout).unwrap_or_else(|error| panic!("{error}: {told:?}"));
    assert_eq!((done.requests, done.succeeded), (40, 40));
    for number in 0..MANY {
        file(&files.join(name(number)), &body(number)).await;
    }
    picture(&page, "battery-afterwards").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn proxy_sign_in_page_is_not_saved_as_file() {
    let stage = Stage::new().await;
    let proxy = Proxy::http().await;
    fs::write(stage.data().join("ashore.toml"), format!("retry-after-seconds = 0.1\nproxy = \"{}\"\n", proxy.url())).unwrap();
    let origin = Origin::start().await;
    let route = origin.file("/slides.zip", Body::seeded(5, MIB)).login_page();
    let address = format!("http://files.example:{}/slides.zip", origin.address().port());
    let page = WindowPage::open_for_pictures(&stage).await;
    page.add(&address, &stage.downloads().to_string_lossy()).await;
    page.text("row-words", "it is no file", |text| text.contains("a web page") && text.contains("sign in")).await;
    step(&page, "retry").await;
    assert_eq!(fs::read_dir(stage.downloads()).unwrap().count(), 0, "the page is not kept as the file");
    picture(&page, "proxy").await;

    let _signed_in = route.honest();
    page.click("row-action").await;
    page.css("[data-testid='row'][data-result='success']").await;
    file(&stage.downloads().join("slides.zip"), &content(5, MIB)).await;
    picture(&page, "proxy-afterwards").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn web_page_cannot_command_ashore() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let wanted = origin.file("/wallet.exe", Body::bytes("from a web page"));
    // Check that no port is open on the network. Do not use the WebDriver here, because it opens a port itself.
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    stage.client().await;
    assert_eq!(listening(&format!("/proc/{}", ashore.pid().as_raw_nonzero())), 0, "Ashore listens on no port");
    terminate(ashore.pid());
    assert!(ashore.ended().await);

    let page = WindowPage::open_for_pictures(&stage).await;
    page.text_of("h1", "the list is empty", |text| text.contains("Paste a link")).await;
    // A web page can only offer a link with Ashore's own scheme. The user may then click this link.
    let hostile = ["file:///etc/passwd", "ashore://quit", "--data-dir=/", origin.url("/wallet.exe").as_ref()]
        .map(|link| url::form_urlencoded::byte_serialize(link.as_bytes()).collect::<String>());
    let link = format!("ashore://add?url={}&folder=/etc&start=now", hostile.join("&url="));
    let mut second = stage.ashore(&[&link]);
    assert!(second.ended().await);
    page.text("add-understood", "one of them is a link", |text| text.contains("1 link found")).await;
    assert_eq!(page.value("add-folder").await, "", "where it goes is not the page's to say");
    page.text_of("[data-testid='add-submit']:enabled", "the one link is for the person to add", |text| text.trim() == "Add")
        .await;
    picture(&page, "web-page").await;
    for verb in ["ashore://remove?url=x", "ashore://quit", "ashore:"] {
        assert!(stage.ashore(&[verb]).ended().await);
    }
    assert_eq!(wanted.requests(), [], "no request is sent before the user confirms");
    assert_eq!(all(&stage).await, []);
    page.keys("add-links", "\u{e00c}").await;
    page.text_of("h1", "the list is as it was", |text| text.contains("Paste a link")).await;
    page.text_of("main button", "the next step is the person's own", |text| text.contains("Add")).await;
}

/// Number of TCP ports on which `process` listens.
fn listening(process: &str) -> usize {
    let own: Vec<_> =
        fs::read_dir(format!("{process}/fd")).unwrap().filter_map(|entry| fs::read_link(entry.ok()?.path()).ok()).collect();
    let tables = ["tcp", "tcp6"].map(|name| fs::read_to_string(format!("{process}/net/{name}")).unwrap_or_default());
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    let sockets = lines.filter_map(|line| {
        let fields: Vec<_> = line.split_whitespace().collect();
        (fields.get(3) == Some(&"0A")).then(|| format!("socket:[{}]", fields[9]))
    });
    sockets.filter(|socket| own.iter().any(|fd| fd.as_os_str() == socket.as_str())).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn list_file_is_restored_if_overwritten_with_zeros() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/thesis.pdf", Body::seeded(3, MIB));
    let half = origin.file("/dataset.zip", Body::seeded(4, 4 * MIB)).gate_at(2 * MIB);
    let downloads = stage.downloads();
    let page = WindowPage::open_for_pictures(&stage).await;
    page.add(origin.url("/thesis.pdf").as_str(), &downloads.to_string_lossy()).await;
    page.css(&format!("{}[data-result='success']", row("thesis.pdf"))).await;
    terminate(page.pid());
    drop(page);
    // Start the program again. Only now can it back up a list, because there was none at the first start.
    let page = WindowPage::open_for_pictures(&stage).await;
    until("there is a copy of the list", async || {
        let entries = fs::read_dir(stage.data().join("backups")).ok()?.flatten();
        entries.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|kind| kind == "sqlite"))
    })
    .await;
    page.add(origin.url("/dataset.zip").as_str(), &downloads.to_string_lossy()).await;
    half.held().await;
    let before = stage.durable(MIB).await;
    kill(page.pid());
    drop(page);
    for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
        let path = stage.data().join(name);
        let length = fs::metadata(&path).map_or(0, |found| found.len());
        fs::write(&path, vec![0; usize::try_from(length).unwrap()]).unwrap();
    }
    half.release();

    let page = WindowPage::open_for_pictures(&stage).await;
    page.text("recovery", "what was done", |text| text.contains("was damaged") && text.contains("dataset.zip")).await;
    assert_eq!(page.run(CARD_STEPS).await, 1, "one thing can be done about it");
    page.find("recovery-seen").await;
    picture(&page, "zeros").await;
    page.css(&format!("{}[data-result='success']", row("dataset.zip"))).await;
    file(&downloads.join("dataset.zip"), &content(4, 4 * MIB)).await;
    let starts: Vec<_> = half.requests().iter().filter_map(ashore_testkit::origin::Request::range_start).collect();
    assert!(starts.iter().any(|start| start + (64 << 10) >= before), "its {before} bytes were not fetched again: {starts:?}");
    file(&downloads.join("thesis.pdf"), &content(3, MIB)).await;
    page.click("recovery-seen").await;
    until("the message is shown once", async || (page.run(CARD_STEPS).await == 0).then_some(())).await;
    for name in ["thesis.pdf", "dataset.zip"] {
        page.css(&format!("{} [data-testid='row-action'][data-step='open']", row(name))).await;
    }
    picture(&page, "zeros-afterwards").await;
    let found = all(&stage).await;
    assert!(found.iter().all(|one| one.result == RegistrationResult::Success), "{found:?}");
}
