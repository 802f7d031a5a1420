//! Tests the window: adding, watching, closing, reopening, crashes, and a second start of the program.

use std::fs;

use ashore_engine::RegistrationState;
use ashore_testkit::{
    origin::{Body, Origin, content},
    waits::{until, within_looks},
};
use serde_json::json;

use crate::{
    page::{WindowPage, row},
    stage::{Place, Stage, file, kill},
};

const MIB: u64 = 1 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn pasted_link_becomes_a_file_with_visible_progress() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/lecture-07.mp4", Body::seeded(7, 8 * MIB)).gate_at(2 * MIB);
    let page = WindowPage::open(&stage).await;

    page.add(origin.url("/lecture-07.mp4").as_str(), &stage.downloads().to_string_lossy()).await;
    page.css("[data-testid='row'][data-state='running']").await;
    route.held().await;
    until("the progress bar shows a quarter", async || {
        (page.attr("[data-testid='row-progress']", "aria-valuenow").await? == "25").then_some(())
    })
    .await;
    assert!(!stage.downloads().join("lecture-07.mp4").exists(), "nothing has the final name before it is whole");

    route.release();
    page.css("[data-testid='row'][data-state='settled'][data-result='success']").await;
    file(&stage.downloads().join("lecture-07.mp4"), &content(7, 8 * MIB)).await;
    page.text("row-words", "the row says that it is done", |text| text.contains("Done")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_input_is_refused_with_an_explanation() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    page.click("add-button").await;
    page.write("add-links", "http://127.0.0.1:587/a").await;
    page.text("add-understood", "the line says why", |text| text.contains("Port 587")).await;
    page.write("add-links", "http://127.0.0.1:1587/a").await;
    page.write("add-folder", "/proc/nowhere").await;
    page.click("add-submit").await;
    page.text("add-failure", "the dialog says why", |text| text.contains("/proc/nowhere cannot be used")).await;

    // Send invalid calls that no button can send. The engine must answer each of them with a typed error.
    let ask = |call: serde_json::Value| {
        let call = json!({ "call": call });
        format!("const done = arguments[0]; window.__TAURI_INTERNALS__.invoke('call', {call}).then(done, done)")
    };
    for call in [json!(null), json!({"method": "format_disk"}), json!({"method": "abort", "params": {"unique_id": 7}})] {
        let answer = page.run_async(&ask(call.clone())).await;
        assert_eq!(answer["code"], "invalid", "{call}: {answer}");
    }
    assert_eq!(page.run_async(&ask(json!({"method": "list", "params": {}}))).await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn page_can_access_the_engine_but_not_private_files() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/track.gif", Body::bytes(b"GIF89a".to_vec()));
    let page = WindowPage::open(&stage).await;
    let url = origin.url("/track.gif");
    let fetched = format!("const done = arguments[0]; fetch('{url}').then(() => done('reached'), () => done('refused'))");
    assert_eq!(page.run_async(&fetched).await, "refused");
    let seen = format!(
        "const done = arguments[0]; const image = new Image(); image.onload = () => done('reached'); \
         image.onerror = () => done('refused'); image.src = '{url}'"
    );
    assert_eq!(page.run_async(&seen).await, "refused");
    let before = page.run("return location.href").await;
    page.run(&format!("location.href = '{url}'")).await;
    page.run(&format!("window.open('{url}')")).await;
    for plugin in ["plugin:opener|open_path", "plugin:dialog|open", "plugin:fs|read_file", "plugin:shell|execute"] {
        let ask = format!(
            "const done = arguments[0]; window.__TAURI_INTERNALS__.invoke('{plugin}', {{path: '/etc/passwd', options: {{}}}})\
             .then(() => done('allowed'), () => done('refused'))"
        );
        assert_eq!(page.run_async(&ask).await, "refused", "{plugin}");
    }
    assert_eq!(page.run("return location.href").await, before);

    // The page cannot make the engine read or write arbitrary files of the user.
    let diary = stage.downloads().join("diary");
    fs::write(&diary, "dear diary").unwrap();
    let sent = json!({"url": url, "upload_file": diary});
    let folder = stage.home().join(".config/autostart");
    fs::create_dir_all(&folder).unwrap();
    let calls = [
        ("add", json!({"owner": "window", "source": "window", "requests": [sent]})),
        ("add", json!({"owner": "window", "source": "window", "requests": [{"url": url, "next": {"list": [sent]}}]})),
        ("add", json!({"owner": "window", "source": "window", "requests": [{"url": url}], "folder": folder})),
        ("create", json!({"owner": "window", "requests": [{"url": url}]})),
        ("probe", sent),
        ("set", json!({"key": "netrc", "value": diary})),
        ("set", json!({"key": "ca-certificate", "value": diary})),
        ("set", json!({"key": "folder", "value": folder})),
        ("adopt", json!({"partials": [diary]})),
        ("add_cookies", json!({"file": diary})),
        ("read_netrc", json!({"file": diary})),
        ("import", json!({"file": diary, "unchecked": true})),
        ("export", json!({"file": stage.downloads().join("list"), "replace": true})),
    ];
    for (method, params) in calls {
        let call = json!({ "call": {"method": method, "params": params} });
        let ask = format!(
            "const done = arguments[0]; window.__TAURI_INTERNALS__.invoke('call', {call}).then(() => done('done'), done)"
        );
        let answer = page.run_async(&ask).await;
        let code = if params["folder"] == json!(folder) || params["key"] == "folder" { "target" } else { "invalid" };
        assert_eq!(answer["code"], code, "{call}: {answer}");
    }
    assert_eq!(origin.requests(), [], "nothing went out");
    let left: Vec<_> = fs::read_dir(stage.downloads()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["diary"]);
    stage.windows_are(1).await;

    // The same folder is accepted if the user chooses it in the dialog.
    page.click("add-button").await;
    page.write("add-links", url.as_ref()).await;
    page.click("add-choose").await;
    stage.choose_path("Choose a folder", &folder.to_string_lossy()).await;
    until("it is chosen", async || (page.value("add-folder").await == folder.to_string_lossy()).then_some(())).await;
    page.click("add-submit").await;
    file(&folder.join("track.gif"), b"GIF89a").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_window_leaves_program_in_tray_and_reopens() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/set.iso", Body::seeded(3, 4 * MIB)).gate_at(MIB);
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    let made = stage.add(origin.url("/set.iso"), "set").await;
    route.held().await;

    stage.close_window().await;
    let told = stage
        .notifications
        .wait("it is said that downloads go on", |shown| shown.summary.contains("running in the background"))
        .await;
    assert_eq!(told.replaces, 0);
    assert!(ashore.is_running());
    stage.panel.click("Open Ashore").await;
    stage.windows_are(1).await;
    stage.close_window().await;

    route.release();
    stage.registration(&made, "it is done in the tray", |now| now.state == RegistrationState::Settled).await;
    file(&stage.downloads().join("set.iso"), &content(3, 4 * MIB)).await;
    let done = stage.notifications.wait("the end is reported", |shown| shown.category == "transfer.complete").await;
    assert_eq!(done.summary, "set");
    let said =
        stage.notifications.shown().into_iter().filter(|shown| shown.summary.contains("running in the background")).count();
    assert_eq!(said, 1, "the tray is explained once");

    stage.press(done.id, "default", async || (stage.windows() == 1).then_some(())).await;
}

/// After the second close request, the program asks the panel whether icons are shown. The panel answers only after the
/// user has reopened the window.
#[tokio::test(flavor = "multi_thread")]
async fn late_second_close_request_does_not_close_reopened_window() {
    let stage = Stage::new().await;
    let _ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    stage.panel.answer_once();
    stage.close_window_twice().await;
    stage.panel.click("Open Ashore").await;
    stage.panel.answer_again();
    stage.windows_are(1).await;
    let gone = within_looks(20, async || (stage.windows() == 0).then_some(())).await;
    assert!(gone.is_none(), "the second request closed the window");
}

#[tokio::test(flavor = "multi_thread")]
async fn window_restores_position_and_size() {
    let stage = Stage::new().await;
    let _ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    let reopen = async || {
        stage.close_window().await;
        stage.panel.click("Open Ashore").await;
        stage.windows_are(1).await;
    };
    let is_at =
        async |what: &str, wanted: Place| until(what, async || (stage.place_of_window().await == wanted).then_some(())).await;
    let first = stage.place_of_window().await;
    stage.put_window("Ashore", (140, 90), (820, 520)).await;
    let own = until("it is where it was put", async || {
        let now = stage.place_of_window().await;
        (now != first && (now.width, now.height) == (820, 520)).then_some(now)
    })
    .await;
    reopen().await;
    is_at("it is where it was", own).await;

    stage.toggle_maximised().await;
    let large = until("it fills the screen", async || {
        let now = stage.place_of_window().await;
        (now.width > 1200 && now.height > 700).then_some(now)
    })
    .await;
    reopen().await;
    is_at("it fills the screen again", large).await;
    stage.toggle_maximised().await;
    is_at("it is otherwise what it was", own).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn window_without_tray_is_minimised_when_closed() {
    let stage = Stage::new().await;
    let mut ashore = stage.ashore(&[]);
    stage.windows_are(1).await;
    stage.panel.leave().await;
    stage.close_window().await;
    until("the window is minimised", async || (stage.windows() == 0 && stage.all_windows() >= 1).then_some(())).await;
    assert!(ashore.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_program_resumes_on_restart_and_completes() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/big.bin", Body::seeded(11, 8 * MIB)).gate_at(5 * MIB);
    let page = WindowPage::open(&stage).await;
    page.add(origin.url("/big.bin").as_str(), &stage.downloads().to_string_lossy()).await;
    route.held().await;
    page.css("[data-testid='row'][data-state='running']").await;
    let before = stage.durable(MIB).await;
    kill(page.pid());
    drop(page);
    assert!(!stage.downloads().join("big.bin").exists());

    route.release();
    let page = WindowPage::open(&stage).await;
    page.css("[data-testid='row'][data-state='settled'][data-result='success']").await;
    file(&stage.downloads().join("big.bin"), &content(11, 8 * MIB)).await;
    let starts: Vec<_> = route.requests().iter().filter_map(ashore_testkit::origin::Request::range_start).collect();
    // After a resume, the last 64 KiB are fetched again and compared with the partial file.
    assert!(starts.iter().any(|start| start + 64 * 1024 >= before), "{before} bytes were durable, and it asked from {starts:?}");
    let left: Vec<_> = fs::read_dir(stage.downloads()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["big.bin"], "nothing is left lying about");
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_rows_are_reordered_and_start_in_that_order() {
    let stage = Stage::new().await;
    fs::write(stage.data().join("ashore.toml"), "parallel = 1\n").unwrap();
    let origin = Origin::start().await;
    let routes = ["/now", "/one", "/two", "/three"].map(|path| origin.file(path, Body::bytes(path)).gate_at(1));
    let page = WindowPage::open(&stage).await;
    for name in ["now", "one", "two", "three"] {
        stage.add(origin.url(&format!("/{name}")), name).await;
    }
    routes[0].held().await;
    page.click("filter-waiting").await;
    page.rows(&["one", "two", "three"]).await;

    page.drag(&row("three"), &row("one")).await;
    page.find("mark").await;
    page.release_button().await;
    page.rows(&["three", "one", "two"]).await;
    // Presses Alt+Down once.
    page.click_on(&row("one")).await;
    page.keys("list", "\u{e00a}\u{e015}\u{e00a}").await;
    page.rows(&["three", "two", "one"]).await;
    page.drag(&row("one"), &row("three")).await;
    page.find("mark").await;
    page.keys("list", "\u{e00c}").await;
    page.release_button().await;
    page.rows(&["three", "two", "one"]).await;

    routes[0].release();
    for next in [3, 2, 1] {
        routes[next].held().await;
        routes[next].release();
    }
    file(&stage.downloads().join("one"), b"/one").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn second_instance_exits_after_handing_over_its_links() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    stage.look_back().await;
    stage.look_away().await;
    let mut second = stage.ashore(&["https://a.example/one.iso", "https://a.example/two.iso"]);
    assert!(second.ended().await, "the second one ends well");
    page.find("add-links").await;
    until("the links are in the dialog", async || {
        let text = page.value("add-links").await;
        (text.contains("https://a.example/one.iso") && text.contains("https://a.example/two.iso")).then_some(())
    })
    .await;
    stage.windows_are(1).await;
    stage.has_focus("Ashore").await;

    // Each data folder has its own instance.
    let elsewhere = stage.data().with_file_name("elsewhere");
    let mut other = stage.ashore(&["--hidden", "--data-dir", &elsewhere.to_string_lossy()]);
    until("the other program has locked the list", async || elsewhere.join("ledger.sqlite").exists().then_some(())).await;
    assert!(other.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn ashore_link_or_metalink_file_opens_add_dialog_without_fetching_anything() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let file = stage.downloads().join("set.metalink");
    let described =
        |name: &str| format!("<file name=\"{name}\"><size>5</size><url>{}</url></file>", origin.url(&format!("/{name}")));
    let document = format!(
        "<?xml version=\"1.0\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\n{}\n{}\n</metalink>\n",
        described("one.iso"),
        described("two.iso")
    );
    fs::write(&file, document).unwrap();
    let page = WindowPage::open(&stage).await;
    let link = format!("ashore://add?url={}", origin.url("/a%2520b").as_str().replace(':', "%3A").replace('/', "%2F"));
    let mut second = stage.ashore(&[&link, &format!("file://{}", file.display())]);
    assert!(second.ended().await, "the second one ends well");
    let offered = origin.url("/a%20b").to_string();
    until("the link is in the dialog", async || page.value("add-links").await.lines().any(|line| line == offered).then_some(()))
        .await;
    page.text("add-understood", "the document is understood", |text| text.contains("one.iso") && text.contains("two.iso")).await;
    assert_eq!(origin.requests(), [], "no request is sent before the user confirms");
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_list_file_is_preserved_and_reported_in_window() {
    let stage = Stage::new().await;
    let ledger = stage.data().join("ledger.sqlite");
    let junk = b"this is no ledger, and it is somebody's only copy".repeat(100);
    fs::write(&ledger, &junk).unwrap();
    let page = WindowPage::open(&stage).await;
    page.text("recovery", "the window says what was done", |text| text.contains("was damaged") && text.contains("is kept as"))
        .await;
    let aside = fs::read_dir(stage.data()).unwrap().map(|entry| entry.unwrap().path());
    let aside = aside.filter(|path| path.to_string_lossy().contains(".damaged-")).find(|path| fs::read(path).unwrap() == junk);
    assert!(aside.is_some(), "not a byte of it is lost");
    page.click("recovery-seen").await;
    page.text_of("h1", "the list is empty", |text| text.contains("Paste a link")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_security_setting_is_reported_and_settings_file_stays_unchanged() {
    let stage = Stage::new().await;
    let settings = stage.data().join("ashore.toml");
    let usual = fs::read_to_string(&settings).unwrap();
    // A security setting must never fall back to its default because of a mistake in the file.
    let slip = format!("{usual}proxy = 7\n");
    fs::write(&settings, &slip).unwrap();
    let page = WindowPage::open(&stage).await;
    page.text_of("[role='alert']", "the window says why", |text| text.contains("proxy")).await;
    assert_eq!(fs::read_to_string(&settings).unwrap(), slip);
    stage.panel.line("that there is no list", |label| label == "The list cannot be opened").await;

    // After the mistake is corrected, the list opens without a restart.
    fs::write(&settings, usual).unwrap();
    page.text_of("h1", "the list is empty", |text| text.contains("Paste a link")).await;
}
