//! Lists all appearances of the window, and all views and dialogs with the steps that open them with the mock engine.
//!
//! Tests that need all scenes (`everybody`, `gallery`) iterate over this list.

use crate::page::WindowPage;

/// View or dialog.
#[derive(Debug)]
pub struct Scene {
    /// Name of the scene.
    pub name: &'static str,
    /// Query for the mock engine, such as `&empty`.
    query: &'static str,
    way: &'static [Step],
}

#[derive(Debug)]
enum Step {
    /// Clicks the element with this test id.
    Click(&'static str),
    /// Clicks the element that this selector matches.
    ClickOn(&'static str),
    /// Sends keys to the element with this test id.
    Keys(&'static str, &'static str),
    /// Presses the arrow key that points in the reading direction (right or left) in the element with this test id.
    Onward(&'static str),
    /// Waits for the element with this test id.
    See(&'static str),
    /// Waits until an element matches this selector.
    SeeOn(&'static str),
    /// Scrolls the element that this selector matches to the top.
    ScrollTo(&'static str),
}

/// Appearance of the window.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Name of the look.
    pub name: &'static str,
    /// `light` or `dark`.
    pub theme: &'static str,
    /// Language of the page; `ar` is written from right to left.
    pub language: &'static str,
    /// Text size, in percent of the default size.
    pub text: u32,
    /// Width of the window in pixels.
    pub width: u32,
}

/// Default look of the window.
pub const LIGHT: Look = Look { name: "light", theme: "light", language: "en", text: 100, width: 1000 };
/// Smallest width of the window.
pub const NARROW: Look = Look { name: "narrow", width: 480, ..LIGHT };
/// Text of twice the default size.
pub const LARGE_TEXT: Look = Look { name: "text of 200 %", text: 200, ..LIGHT };

const HEIGHT: u32 = 680;
/// Selector of a row in the mock list, which contains one download of each kind.
const LONG_TITLE: &str = "[data-testid='row']:has([title^='A very long file name'])";
const SET: &str = "[data-testid='row']:has([title^='Debian 13 installer set'])";
const FAILED: &str = "[data-testid='row']:has([title^='dataset-2026'])";
const FINISHED: &str = "[data-testid='row']:has([title^='thesis.pdf'])";
const ON_A_POOR_DISK: &str = "[data-testid='row']:has([title^='podcast-112.mp3'])";
const WAITING: &str = "[data-testid='row']:has([title^='interview-raw.wav'])";
/// Selector for the line about pasted text that is not a link, in the results of the Add dialog.
const UNDERSTOOD: &str = "[data-testid='add-understood'] li[data-trouble]";
/// Selector of the settings page after it has received the focus. From then on, the page no longer scrolls by itself.
const SETTLED: &str = "[data-testid='settings-search']:focus";
/// Selector of a list that has 100,000 rows.
const LONG_LIST: &str = "[data-testid='list'][aria-rowcount='100000']";
const HALF: &str = "[data-testid='row']:has([title^='lecture-07.mp4'])";

const PASTED: &str = "https://example.org/page-[001:120].jpg\u{e007}\
    curl -H 'Accept: */*' https://example.org/a.zip\u{e007}no link\u{e007}\
    https://example.org/a-very-long-name-that-somebody-chose-without-thinking-of-whoever-reads-it-later.tar.gz";

const AGAIN: &str = "https://files.example.org/pub/backup-2026-09.tar?again\u{e007}https://example.org/new.zip\u{e004}";

/// Link to the machine "Laptop", which has 31 downloads and 412 past downloads.
const DESCRIBED: &str = "ashore://join/laptop.local:5350/1/q7Wm2Xc9#Zk4vR8sT1yB6nP3hL5dG0w.-.31.412.TGFwdG9w";

/// Recovery words of the mock list.
const RECOVERY: &str = "anchor breeze canal delta ember fabric galaxy harbor island jungle kitchen ladder \
    magnet noble ocean pilot quantum river sail tide umbrella velvet window zebra";
/// Recovery words of the mock list with one mistyped word.
const MISTYPED: &str = "anchor breeze canl delta ember fabric galaxy harbor island jungle kitchen ladder \
    magnet noble ocean pilot quantum river sail tide umbrella velvet window zebra";

use Step::{Click, ClickOn, Keys, Onward, ScrollTo, See, SeeOn};

/// Scenes in the order in which tests visit them.
pub const SCENES: &[Scene] = &[
    scene("List", "", &[ClickOn(HALF)]),
    scene("List, empty", "&empty", &[]),
    scene("List, one download", "&one", &[]),
    scene("List, 100,000 downloads", "&rows=100000", &[SeeOn(LONG_LIST)]),
    scene("List, every failure", "&failures", &[]),
    scene("List, old ones with a very long title", "", &[Keys("list", "\u{e010}"), ClickOn(LONG_TITLE)]),
    scene("List, a set that is opened", "", &[ClickOn(SET), Onward("list"), See("file-words")]),
    scene("List, what waits", "", &[Click("filter-waiting")]),
    scene("List, several selected", "", &[ClickOn(SET), Keys("list", "\u{e008}\u{e010}\u{e000}")]),
    scene("List, a title that is typed", "", &[ClickOn(HALF), Keys("list", "\u{e032}"), See("rename")]),
    scene("List, nothing found", "", &[Keys("search", "no such file")]),
    scene("List, slow hours on a metered network", "&metered&limited", &[]),
    scene("List, which cannot be read", "&empty&fail=list", &[]),
    scene("A list that was restored", "&recovered&orphans", &[See("recovery"), See("orphans")]),
    scene("Files that are in no trash", "&kept", &[See("kept-files")]),
    scene("A verb that is refused", "&fail=pause", &[Click("pause-all"), See("notice")]),
    scene(
        "A removal that can be taken back",
        "",
        &[Click("filter-done"), ClickOn(FINISHED), Keys("list", "\u{e017}"), See("removed")],
    ),
    scene(
        "A copied link that is offered",
        "&copied=https%3A%2F%2Fexample.org%2Fpub%2Fdebian-13.1.0-amd64-netinst.iso",
        &[See("offered")],
    ),
    scene("What comes afterwards", "&afterwards=sleep", &[Click("afterwards"), See("afterwards-sleep")]),
    scene("A countdown", "&afterwards=shut-down&seconds=42&still", &[See("countdown")]),
    scene("Menu of a running download", "", &[ClickOn(HALF), Keys("list", "\u{e008}\u{e03a}\u{e000}"), See("menu")]),
    scene(
        "Menu of several",
        "",
        &[ClickOn(HALF), Keys("list", "\u{e009}a\u{e000}"), Keys("list", "\u{e008}\u{e03a}\u{e000}"), See("menu")],
    ),
    scene("Menu of the order", "", &[Click("sort"), See("sort-name")]),
    scene("Add", "", &[Click("add-button"), See("add-dialog")]),
    scene("Add, several lines", "", &[Click("add-button"), Keys("add-links", PASTED), SeeOn(UNDERSTOOD)]),
    scene(
        "Add, a file that the server knows",
        "",
        &[Click("add-button"), Keys("add-links", "https://example.org/taken.zip\u{e004}"), See("add-taken")],
    ),
    scene(
        "Add, a sign-in is asked for",
        "",
        &[Click("add-button"), Keys("add-links", "https://example.org/private\u{e004}"), See("add-password")],
    ),
    scene(
        "Add, an unfinished one goes on",
        "",
        &[Click("add-button"), Keys("add-links", "https://files.example.org/pub/backup-2026-09.tar?again"), See("add-known")],
    ),
    scene(
        "Add, which is refused",
        "&fail=add",
        &[Click("add-button"), Keys("add-links", "https://example.org/a.zip\u{e004}"), Click("add-submit"), See("add-failure")],
    ),
    scene(
        "Add, cookies that are none",
        "",
        &[
            Click("add-button"),
            Click("add-more"),
            Keys("add-cookies", "nothing\u{e004}"),
            Keys("add-links", "https://example.org/a.zip\u{e004}"),
            Click("add-submit"),
            See("add-failure"),
            ScrollTo("[data-testid='add-cookies']"),
        ],
    ),
    scene("Add, several of which unfinished ones go on", "", &[Click("add-button"), Keys("add-links", AGAIN), See("add-known")]),
    scene(
        "Another link",
        "",
        &[
            ClickOn(WAITING),
            Keys("list", "\u{e008}\u{e03a}\u{e000}"),
            ClickOn("[data-testid='menu-relink']"),
            See("relink-dialog"),
        ],
    ),
    scene(
        "Another link, which is refused",
        "&fail=relink",
        &[
            ClickOn(WAITING),
            Keys("list", "\u{e008}\u{e03a}\u{e000}"),
            ClickOn("[data-testid='menu-relink']"),
            Keys("relink-link", "https://example.org/a.zip"),
            Click("relink-submit"),
            See("relink-failure"),
        ],
    ),
    scene(
        "Another link, whose page is known",
        "&failures",
        &[Keys("search", "signed-link"), ClickOn("[data-testid='row-action'][data-step='relink']"), See("relink-open")],
    ),
    scene("Downloads that a click in the browser continues", "&failures", &[Keys("search", ".iso"), See("row-words")]),
    scene(
        "Sign in",
        "&failures",
        &[Keys("search", "bad-status"), ClickOn("[data-testid='row-action'][data-step='sign-in']"), See("sign-in-dialog")],
    ),
    scene("Speed limits", "", &[Click("limit"), See("limit-none")]),
    scene("Any speed limit", "", &[Click("limit"), ClickOn("[data-testid='limit-other']"), Keys("limit-field", "2000")]),
    scene(
        "Speed limit of one, which is none",
        "",
        &[
            ClickOn(HALF),
            Keys("list", "\u{e008}\u{e03a}\u{e000}"),
            ClickOn("[data-testid='menu-limit']"),
            Keys("limit-field", "fast"),
            Click("limit-submit"),
            See("limit-failure"),
        ],
    ),
    scene("Details, files", "", &[ClickOn(SET), Keys("list", "i"), See("details-file-words")]),
    scene(
        "Details, activity",
        "",
        &[Click("filter-failed"), ClickOn(FAILED), Keys("list", "i"), Click("details-activity-tab"), See("details-attempt")],
    ),
    scene("Details, speed", "", &[ClickOn(HALF), Keys("list", "i"), Click("details-speed-tab"), See("details-speed")]),
    scene(
        "Details, about",
        "",
        &[Click("filter-done"), ClickOn(FINISHED), Keys("list", "i"), Click("details-about-tab"), See("details-about")],
    ),
    scene(
        "Details, about a file whose disk keeps few promises",
        "",
        &[Click("filter-done"), ClickOn(ON_A_POOR_DISK), Keys("list", "i"), Click("details-about-tab"), See("details-about")],
    ),
    scene("Details, of the first download", "", &[Click("details-toggle"), See("details")]),
    scene(
        "Details, which cannot be read",
        "&fail=details",
        &[ClickOn(SET), Keys("list", "i"), Click("details-activity-tab"), SeeOn("[data-testid='details'] [role='alert']")],
    ),
    scene("Settings", "", &[Click("settings-button"), See("setting-parallel")]),
    scene("Settings, folders", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-folders")]),
    scene("Settings, network", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-network")]),
    scene("Settings, browsers", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-browsers")]),
    scene("Settings, schedule", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-schedule")]),
    scene("Settings, notifications", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-notifications")]),
    scene("Settings, power and space", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-power")]),
    scene("Settings, advanced", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-advanced")]),
    scene(
        "Settings, from other devices",
        "&devices",
        &[Click("settings-button"), SeeOn(SETTLED), Click("link-device"), See("device-code"), ScrollTo("#settings-devices")],
    ),
    scene("Settings, the saved list", "", &[Click("settings-button"), SeeOn(SETTLED), ScrollTo("#settings-list")]),
    scene("Settings, where a tray and notifications are lacking", "&lacking", &[Click("settings-button"), See("lacking-tray")]),
    scene("Settings, with slips in the file", "&troubles", &[Click("settings-button"), See("settings-troubles")]),
    scene("Settings, the week", "", &[Click("settings-button"), Keys("settings-search", "hours"), See("week")]),
    scene("Sync, which is off", "", &[Click("sync-button"), See("sync-way-server")]),
    scene("Sync, a server on this machine", "", &[Click("sync-button"), Click("sync-way-server"), See("sync-form")]),
    scene(
        "Sync, the words of a new list",
        "",
        &[
            Click("sync-button"),
            Click("sync-way-server"),
            Keys("sync-name", "Desktop"),
            Click("sync-submit"),
            See("sync-words-grid"),
        ],
    ),
    scene("Sync, a link", "", &[Click("sync-button"), Click("sync-way-link"), See("sync-form")]),
    scene(
        "Sync, a link that describes its list",
        "",
        &[Click("sync-button"), Click("sync-way-link"), Keys("sync-link", DESCRIBED), SeeOn("#sync-link-kind:not(:empty)")],
    ),
    scene("Sync, words of a lost list", "", &[Click("sync-button"), Click("sync-way-words"), See("sync-form")]),
    scene(
        "Sync, words that are filled in",
        "",
        &[
            Click("sync-button"),
            Click("sync-way-words"),
            Keys("sync-address", "192.168.1.20:5350#mN7jQ2xV9cF4"),
            Keys("sync-number", "1"),
            Keys("sync-words", RECOVERY),
            SeeOn("[data-testid='sync-submit']:enabled"),
        ],
    ),
    scene(
        "Sync, a word that is mistyped",
        "",
        &[
            Click("sync-button"),
            Click("sync-way-words"),
            Keys("sync-address", "192.168.1.20:5350#mN7jQ2xV9cF4"),
            Keys("sync-number", "1"),
            Keys("sync-words", MISTYPED),
            Click("sync-submit"),
            See("sync-set-up-failure"),
        ],
    ),
    scene("Sync, three machines", "&sync=server", &[Click("sync-button"), See("sync-machines"), See("sync-table")]),
    scene("Sync, the first cycle", "&sync=reading", &[Click("sync-button"), See("sync-reading")]),
    scene("Sync, a server that does not answer", "&sync=fault", &[Click("sync-button"), See("sync-fault")]),
    scene("Sync, another certificate", "&sync=certificate", &[Click("sync-button"), See("sync-fault-leave")]),
    scene("Sync, a wrong key", "&sync=wrong-key", &[Click("sync-button"), See("sync-fault-leave")]),
    scene("Sync, a wrong clock", "&sync=clock", &[Click("sync-button"), See("sync-clock")]),
    scene(
        "Sync, its server cannot start",
        "&sync=no-server",
        &[Click("sync-button"), See("sync-server-fault"), ScrollTo("[data-testid='sync-server']")],
    ),
    scene("Sync, a machine that another one removed", "&sync=removed", &[Click("sync-button"), See("sync-fault-leave")]),
    scene("Sync, a server that was restored", "&sync=restored", &[Click("sync-button"), See("sync-restored")]),
    scene("Sync, a copied data folder", "&sync=copied", &[Click("sync-button"), See("sync-fault-leave")]),
    scene("Sync, a machine with a newer version", "&sync=newer", &[Click("sync-button"), ScrollTo("[data-testid='sync-held']")]),
    scene("Sync, a full server", "&sync=full", &[Click("sync-button"), See("sync-fault-clear-history")]),
    scene(
        "Sync, old history to forget",
        "&sync",
        &[Click("sync-button"), Click("sync-clear-history"), See("clear-history-dialog")],
    ),
    scene(
        "Sync, a conflict about a removal",
        "&sync",
        &[Click("sync-button"), ScrollTo("[data-testid='sync-conflict'][data-field='removed']")],
    ),
    scene("Sync, sends", "&sync", &[Click("sync-button"), ScrollTo("[data-testid='sync-send'][data-state='waiting']")]),
    scene(
        "Sync, turned off beside its server",
        "&sync=server",
        &[Click("sync-button"), Click("sync-leave"), Click("sync-question-submit"), See("sync-way-server"), See("sync-server")],
    ),
    scene("Sync, a link for another machine", "&sync", &[Click("sync-button"), Click("sync-invite"), See("sync-invite-code")]),
    scene(
        "Sync, another name of this machine",
        "&sync",
        &[Click("sync-button"), Click("sync-rename-open"), See("sync-rename-dialog")],
    ),
    scene(
        "Sync, a name that another machine has",
        "&sync",
        &[
            Click("sync-button"),
            Click("sync-rename-open"),
            Keys("sync-rename", "Laptop\u{e007}"),
            SeeOn("body:not(:has([data-testid='sync-rename-dialog']))"),
        ],
    ),
    scene("Sync, a machine is removed", "&sync", &[Click("sync-button"), Click("sync-remove"), See("sync-words-dialog")]),
    scene("Sync, is turned off", "&sync", &[Click("sync-button"), Click("sync-leave"), See("sync-question")]),
    scene("Received download", "&sync", &[See("row-trust")]),
    scene("Other machines", "&sync", &[Click("others-button"), See("others-row")]),
    scene("Other machines, actions", "&sync", &[Click("others-button"), Click("others-menu"), See("others-move-here")]),
    scene("Other machines, without downloads", "&sync&empty", &[Click("others-button"), See("others-empty")]),
    scene(
        "Send to",
        "&sync",
        &[ClickOn(HALF), Keys("list", "\u{e008}\u{e03a}\u{e000}"), ClickOn("[data-testid='menu-send']"), See("send-dialog")],
    ),
    scene(
        "Add, a file that another machine has",
        "&sync",
        &[Click("add-button"), Keys("add-links", "https://example.org/past.zip\u{e004}"), See("add-past")],
    ),
    scene("Statistics", "", &[Click("statistics-button"), Keys("statistics-days", "\u{e012}")]),
    scene(
        "Statistics of 100,000 downloads",
        "&rows=100000",
        &[SeeOn(LONG_LIST), Click("statistics-button"), See("statistics-days")],
    ),
    scene("Statistics, empty", "&empty", &[Click("statistics-button"), See("statistics-empty")]),
    scene("Statistics, which cannot be read", "&fail=statistics", &[Click("statistics-button"), See("statistics-failure")]),
    scene("Keys", "", &[Click("keys"), See("keys-dialog")]),
    scene(
        "Remove",
        "",
        &[Click("filter-done"), ClickOn(LONG_TITLE), Keys("list", "\u{e008}\u{e017}\u{e000}"), See("remove-dialog")],
    ),
    scene("Remove, with one that is not finished", "", &[ClickOn(HALF), Keys("list", "\u{e017}"), See("remove-dialog")]),
    scene(
        "Cancel",
        "",
        &[ClickOn(HALF), Keys("list", "\u{e008}\u{e03a}\u{e000}"), ClickOn("[data-testid='menu-abort']"), See("abort-dialog")],
    ),
];

const fn scene(name: &'static str, query: &'static str, way: &'static [Step]) -> Scene {
    Scene { name, query, way }
}

impl Scene {
    /// Opens this scene with this theme, width and language.
    pub async fn set(&self, page: &WindowPage, look: Look) {
        page.resize(look.width, HEIGHT).await;
        page.pretend(&format!("&theme={}&language={}{}", look.theme, look.language, self.query)).await;
        page.css(&format!("html[lang^='{}']", look.language)).await;
        look.put_on(page).await;
        for step in self.way {
            match step {
                Click(name) => page.click(name).await,
                ClickOn(css) => page.click_on(css).await,
                Keys(name, keys) => page.keys(name, keys).await,
                Onward(name) => page.keys(name, if look.language == "ar" { "\u{e012}" } else { "\u{e014}" }).await,
                See(name) => page.find(name).await,
                SeeOn(css) => page.css(css).await,
                ScrollTo(css) => {
                    page.css(css).await;
                    page.run(&format!("document.querySelector(`{css}`).scrollIntoView()")).await;
                }
            }
        }
        page.painted().await;
    }
}

impl Look {
    /// Applies the theme and text size to the current page.
    pub async fn put_on(&self, page: &WindowPage) {
        let Self { theme, text, .. } = self;
        let put_on =
            format!("const root = document.documentElement; root.dataset.theme = '{theme}'; root.style.fontSize = '{text}%'");
        page.run(&put_on).await;
        page.painted().await;
    }
}
