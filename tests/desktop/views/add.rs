//! Tests adding links by paste and drop: links inside text, numbered links, cURL commands, Metalink files.

use ashore_testkit::{
    origin::{Body, Origin, content},
    waits::until,
};

use crate::{
    page::{WindowPage, row},
    stage::{Stage, file},
};

async fn dialog_is_gone(page: &WindowPage) {
    let is_gone = "return !document.querySelector('[data-testid=add-dialog]')";
    until("the dialog is gone", async || page.run(is_gone).await.as_bool().filter(|gone| *gone)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pasted_curl_and_numbered_links_are_accepted_and_errors_are_reported() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    for name in ["page-08", "page-09", "page-10", "report"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let page = WindowPage::open(&stage).await;
    let text = format!(
        "{counted}\nsome words\ncurl '{report}' --cert\ncurl '{report}' \\\n  -H 'X-Taste: plain' -o renamed.txt --compressed",
        counted = origin.url("/page-[08:10]").as_str().replace("%5B", "[").replace("%5D", "]"),
        report = origin.url("/report"),
    );
    page.click("add-button").await;
    // Enter each line break with the Enter key, as a user would.
    page.keys("add-links", &text.replace('\n', "\u{e007}")).await;
    assert_eq!(page.value("add-links").await, text);
    page.text("add-understood", "it says what it understood", |text| text.contains("4 links found, 2 lines skipped")).await;
    page.text("add-understood", "the option is named", |text| text.contains("Ashore does not support --cert")).await;
    page.write("add-folder", &stage.downloads().to_string_lossy()).await;
    page.click("add-submit").await;
    for name in ["page-08", "page-09", "page-10"] {
        file(&stage.downloads().join(name), name.as_bytes()).await;
    }
    file(&stage.downloads().join("renamed.txt"), b"report").await;
    let seen = origin.requests().into_iter().find(|request| request.path == "/report").unwrap();
    assert_eq!(seen.header("x-taste"), Some("plain"));
    dialog_is_gone(&page).await;
    page.click("add-button").await;
    assert_eq!(page.value("add-links").await, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn add_dialog_shows_answer_to_the_probe_and_the_download_uses_this_answer() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let once = origin
        .file("/get", Body::seeded(3, 3 << 20))
        .header("Content-Disposition", "attachment; filename=report.pdf")
        .one_shot(403);
    origin.file("/private", Body::bytes("")).status(401);
    let page = WindowPage::open(&stage).await;
    page.click("add-button").await;
    page.write("add-links", origin.url("/private").as_str()).await;
    assert_eq!(origin.requests(), [], "the user may still be typing");
    page.leave_field("add-links").await;
    page.text("add-found", "it wants to know who asks", |text| text.contains("Sign-in required")).await;
    page.find("add-password").await;
    page.write("add-links", origin.url("/get").as_str()).await;
    page.leave_field("add-links").await;
    page.text("add-found", "name and size", |text| text.contains("report.pdf") && text.contains("3.1 MB")).await;
    page.write("add-folder", &stage.downloads().to_string_lossy()).await;
    page.write("add-name", "thesis.pdf").await;
    page.click("add-submit").await;
    file(&stage.downloads().join("thesis.pdf"), &content(3, 3 << 20)).await;
    assert_eq!(once.requests().len(), 1, "the link was requested once");
}

#[tokio::test(flavor = "multi_thread")]
async fn cookies_entered_in_add_dialog_are_sent_to_the_server_but_never_stored() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let route = origin.file("/members.bin", Body::bytes("for members"));
    let page = WindowPage::open(&stage).await;
    let folder = stage.downloads().to_string_lossy().into_owned();
    page.click("add-button").await;
    page.click("add-more").await;
    page.write("add-cookies", "nothing").await;
    page.write("add-links", origin.url("/members.bin").as_str()).await;
    page.write("add-folder", &folder).await;
    page.click("add-submit").await;
    page.text("add-failure", "that there are none", |text| text.contains("no cookies for 127.0.0.1")).await;
    assert_eq!(origin.requests().iter().filter(|request| request.header("cookie").is_some()).count(), 0);

    // Cookie file in the Netscape format, as a browser extension exports it.
    let exported = "127.0.0.1\\tFALSE\\t/\\tFALSE\\t0\\tsession\\tcanary\\nother.test\\tFALSE\\t/\\tFALSE\\t0\\tother\\tcanary";
    let fill = format!(
        "const field = document.querySelector('[data-testid=add-cookies]'); field.value = '{exported}';
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    );
    page.run(&fill).await;
    page.find("add-keep").await;
    page.text("add-found", "the server has been asked with them", |text| text.contains("members.bin")).await;
    page.click("add-submit").await;
    file(&stage.downloads().join("members.bin"), b"for members").await;
    assert_eq!(route.requests().last().unwrap().header("cookie"), Some("session=canary"));
    page.css("[data-testid='row'][data-result='success']").await;
    let found = std::process::Command::new("grep").args(["-rlaF", "canary"]).arg(stage.home()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "", "the cookies were not to be stored");
}

#[tokio::test(flavor = "multi_thread")]
async fn download_resumes_after_pasted_link_replaces_dead_link() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let old = origin.file("/a.iso", Body::seeded(1, 24 << 20)).reset_after(20 << 20).times(1).runs_out_after(1, 403);
    let page = WindowPage::open(&stage).await;
    page.add(origin.url("/a.iso?signature=1").as_str(), &stage.downloads().to_string_lossy()).await;
    page.css("[data-testid='row'][data-result='failure']").await;
    page.css("[data-testid='row-action'][data-step='relink']").await;
    assert!(old.requests().len() > 1);
    // The link works only once: even a probe uses it up.
    let new = origin.file("/a.iso", Body::seeded(1, 24 << 20)).one_shot(403);
    page.click("add-button").await;
    let link = origin.url("/a.iso?signature=2");
    page.write("add-links", &format!("curl '{link}' -H 'Cookie: session=2' -H 'X-Taste: plain'")).await;
    page.leave_field("add-links").await;
    page.text("add-known", "it is known", |text| text.contains("a download you already have")).await;
    page.click("add-submit").await;
    page.css("[data-testid='row'][data-result='success']").await;
    file(&stage.downloads().join("a.iso"), &content(1, 24 << 20)).await;
    let all = new.requests();
    let asked = all.iter().find(|request| request.query.as_deref() == Some("signature=2")).unwrap();
    assert!(asked.range_start().is_some_and(|start| start > 0), "the received bytes are kept");
    assert_eq!((asked.header("cookie"), asked.header("x-taste")), (Some("session=2"), Some("plain")));
    let rows = page.run("return document.querySelectorAll('[data-testid=row]').length").await;
    assert_eq!(rows, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn pasted_links_resume_unfinished_downloads_and_add_new_ones() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    let folder = stage.downloads().to_string_lossy().into_owned();
    for name in ["a", "b"] {
        origin.file(&format!("/{name}.iso"), Body::seeded(1, 6 << 20)).reset_after(4 << 20).times(1).runs_out_after(1, 403);
        page.add(origin.url(&format!("/{name}.iso?signature=1")).as_str(), &folder).await;
        page.css(&format!("{}[data-result='failure']", row(&format!("{name}.iso")))).await;
    }
    // Each link works only once: even a probe uses it up.
    let new = ["a", "b"].map(|name| origin.file(&format!("/{name}.iso"), Body::seeded(1, 6 << 20)).one_shot(403));
    origin.file("/c.iso", Body::bytes("c"));
    let links = ["/a.iso?signature=2", "/b.iso?signature=2", "/c.iso"].map(|path| origin.url(path).to_string()).join("\u{e007}");
    page.click("add-button").await;
    page.keys("add-links", &links).await;
    page.text("add-known", "what is unfinished", |text| {
        text.contains("2 of these links are already in your list")
            && text.contains("2 can resume with these links")
            && text.contains("Resume unfinished")
    })
    .await;
    page.write("add-folder", &folder).await;
    page.click("add-submit").await;
    for name in ["a", "b"] {
        page.css(&format!("{}[data-result='success']", row(&format!("{name}.iso")))).await;
        file(&stage.downloads().join(format!("{name}.iso")), &content(1, 6 << 20)).await;
    }
    file(&stage.downloads().join("c.iso"), b"c").await;
    for route in new {
        let all = route.requests();
        let asked = all.iter().find(|request| request.query.as_deref() == Some("signature=2")).unwrap();
        assert!(asked.range_start().is_some_and(|start| start > 0), "the received bytes are kept: {all:?}");
    }
    assert_eq!(page.run("return document.querySelectorAll('[data-testid=row]').length").await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn link_that_is_already_in_list_is_skipped_unless_it_is_added_alone() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    for name in ["one", "two"] {
        origin.file(&format!("/{name}"), Body::bytes(name));
    }
    let page = WindowPage::open(&stage).await;
    let folder = stage.downloads().to_string_lossy().into_owned();
    page.add(origin.url("/one").as_str(), &folder).await;
    page.css("[data-testid='row'][data-result='success']").await;
    let both = format!("{}\n{}", origin.url("/one"), origin.url("/two"));
    page.click("add-button").await;
    page.keys("add-links", &both.replace('\n', "\u{e007}")).await;
    page.text("add-known", "one is there", |text| text.contains("1 of these links is already in your list")).await;
    page.text("add-submit", "the other is added", |text| text.trim() == "Add").await;
    page.write("add-folder", &folder).await;
    page.click("add-submit").await;
    page.rows(&["two", "one"]).await;
    file(&stage.downloads().join("two"), b"two").await;

    page.click("add-button").await;
    page.write("add-links", origin.url("/one").as_str()).await;
    page.leave_field("add-links").await;
    page.write("add-folder", &folder).await;
    page.text("add-taken", "the name is taken", |text| text.contains("“one” exists")).await;
    page.click("add-submit").await;
    file(&stage.downloads().join("one (1)"), b"one").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_metalink_is_recognised_by_content() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let described = ["one.bin", "two.bin"].map(|name| {
        origin.file(&format!("/at/{name}"), Body::bytes(name));
        format!("<file name=\"{name}\"><size>{}</size><url>{}</url></file>", name.len(), origin.url(&format!("/at/{name}")))
    });
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\r\n{}\r\n</metalink>\r\n",
        described.join("\r\n")
    );
    let page = WindowPage::open(&stage).await;
    page.drop_file("set.meta4", &format!("\u{feff}{document}")).await;
    page.text("add-understood", "both files are understood", |text| text.contains("one.bin to two.bin") && !text.contains("not"))
        .await;
    page.text("add-understood", "as links", |text| text.contains("2 links found")).await;
    // This time, the file name does not show the file type.
    page.keys("add-links", "\u{e009}a\u{e009}\u{e003}").await;
    page.drop_file("download (3)", &document).await;
    page.text("add-understood", "both files are understood", |text| text.contains("2 links found")).await;
    page.write("add-folder", &stage.downloads().to_string_lossy()).await;
    page.click("add-submit").await;
    for name in ["one.bin", "two.bin"] {
        file(&stage.downloads().join(name), name.as_bytes()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn dropped_link_opens_add_dialog_unless_another_dialog_is_open() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    stage.add_paused(&["http://127.0.0.1:4001/one".to_owned()], "one").await;
    page.drop_words("text/plain", "see http://127.0.0.1:4001/words").await;
    until("words are in the field", async || (page.value("add-links").await == "see http://127.0.0.1:4001/words").then_some(()))
        .await;
    page.keys("add-links", "\u{e009}a\u{e009}\u{e003}").await;
    page.drop_words("text/uri-list", "http://127.0.0.1:4001/link").await;
    until("a link is", async || (page.value("add-links").await == "http://127.0.0.1:4001/link").then_some(())).await;
    page.drop_file_on("[data-testid='add-links']", "list.txt", "http://127.0.0.1:4001/a\nhttp://127.0.0.1:4001/b").await;
    page.text("add-understood", "what is in the list", |text| text.contains("3 links found")).await;
    page.keys("add-links", "\u{e009}a\u{e009}\u{e003}\u{e00c}").await;
    dialog_is_gone(&page).await;

    page.click_on(&row("one")).await;
    page.keys("list", "\u{e008}\u{e017}\u{e008}").await;
    page.find("remove-dialog").await;
    page.drop_words("text/uri-list", "http://127.0.0.1:4001/other").await;
    page.drop_file("list.txt", "http://127.0.0.1:4001/other").await;
    page.keys("remove-dialog", "\u{e00c}").await;
    page.keyboard_is_in("list").await;
    page.click("add-button").await;
    assert_eq!(page.value("add-links").await, "", "the link was not added behind the dialog");
}

#[tokio::test(flavor = "multi_thread")]
async fn add_dialog_opens_empty_after_empty_clipboard_or_escape() {
    let stage = Stage::new().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    stage.press_keys("ctrl+v");
    page.keyboard_is_in("add-links").await;
    assert_eq!(page.value("add-links").await, "");

    page.write("add-links", "http://127.0.0.1:4001/cancelled").await;
    page.keys("add-links", "\u{e00c}").await;
    dialog_is_gone(&page).await;
    page.click("add-button").await;
    assert_eq!(page.value("add-links").await, "", "Escape has emptied the draft");
}

#[tokio::test(flavor = "multi_thread")]
async fn draft_in_add_dialog_survives_restart_without_credentials() {
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    origin.file("/talk.mp4", Body::bytes("a talk"));
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    page.click("add-button").await;
    let link = origin.url("/talk.mp4");
    let text = format!("curl '{link}?again' -H 'Cookie: session=1'\n{link}");
    page.keys("add-links", &text.replace('\n', "\u{e007}")).await;
    page.write("add-folder", &stage.downloads().to_string_lossy()).await;
    stage.panel.click("Quit").await;
    stage.windows_are(0).await;
    drop(page);

    let asked = origin.requests().len();
    let page = WindowPage::open(&stage).await;
    page.text("add-understood", "it is there", |text| text.contains("1 link found")).await;
    assert_eq!(page.value("add-links").await, link.as_str(), "the link without its credentials");
    assert_eq!(page.value("add-folder").await, stage.downloads().to_string_lossy());
    assert_eq!(origin.requests().len(), asked, "the download has not been continued yet");
    page.click("add-submit").await;
    file(&stage.downloads().join("talk.mp4"), b"a talk").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pasted_plain_text_is_rejected_but_10_000_links_are_accepted() {
    const PASTE: &str = "ctrl+v";
    const LINES: usize = 10_000;
    let stage = Stage::new().await;
    let origin = Origin::start().await;
    let page = WindowPage::open(&stage).await;
    stage.windows_are(1).await;
    let paste = async |text: &str| {
        page.copy(text).await;
        stage.press_keys(PASTE);
        until("it is in the field", async || (page.value("add-links").await == text).then_some(())).await;
    };
    let leave = async || {
        page.keys("add-links", "\u{e009}a\u{e009}\u{e003}\u{e00c}").await;
        dialog_is_gone(&page).await;
    };
    paste("Dear Robin,\nit was a pleasure.").await;
    page.text("add-understood", "it is no link", |text| text.contains("No links found")).await;
    assert_eq!(page.run("return document.querySelector('[data-testid=add-submit]').disabled").await, true);

    leave().await;
    let long = format!("{}?{}", origin.url("/long"), "a".repeat(64 << 10));
    paste(&long).await;
    page.text("add-understood", "it is a link", |text| text.contains("1 link found")).await;
    page.write("add-checksum", "sha-256=abc").await;
    page.click("add-submit").await;
    page.text("add-failure", "it is no checksum", |text| text.contains("Write a checksum as")).await;
    assert_eq!(page.value("add-links").await, long);

    leave().await;
    let all: Vec<_> = (0..LINES).map(|number| origin.url(&format!("/{number}")).to_string()).collect();
    paste(&all.join("\n")).await;
    page.text("add-understood", "all are understood", |text| text.contains("10,000 links found")).await;
    page.run("document.querySelector('[data-testid=add-start-later]').click()").await;
    page.write("add-title", "all").await;
    page.click("add-submit").await;
    page.rows(&["all"]).await;
    page.text("row-words", "none is left out", |text| text.contains("10,000 files")).await;
    assert!(origin.requests().iter().all(|request| request.path.starts_with("/long")), "they are for later");
}
