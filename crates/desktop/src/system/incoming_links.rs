//! Keeps links from outside the page until the page takes them.
//!
//! The links come from the command line, a second start or the desktop, and include `ashore:` links and Metalink files.
//!
//! - The page asks the user about the links; nothing is fetched here.
//! - Failures of actions outside of the page are kept here too, until the page shows them.

use std::{
    fs,
    io::Read,
    mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use ashore_engine::{UniqueId, UserMessage};
use ashore_rpc::MethodCall;
use clap::Parser;
use serde::Serialize;
use url::Url;

use crate::{context::AppContext, system::single_instance::InstanceStart};

/// Maximum size of a Metalink file, in MiB and below in bytes; the dialog could not show a larger one usefully.
const METALINK_MIB: u64 = 4;
const METALINK: u64 = METALINK_MIB << 20;

/// Download manager that never loses a byte.
#[derive(Clone, Debug, Parser)]
#[command(name = "ashore-desktop", version)]
pub struct LaunchArguments {
    /// Folder of the list of downloads.
    #[arg(long, value_name = "DIR", env = "ASHORE_DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// Start in the tray, without a window.
    #[arg(long)]
    pub hidden: bool,
    /// Links to add.
    #[arg(value_name = "LINK")]
    pub links: Vec<String>,
}

/// Data that waits for the page: links, a download to show, copied text, and failures.
#[derive(Debug, Default)]
pub struct IncomingLinks(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    links: Vec<String>,
    look: Option<LinkSource>,
    copied: Option<String>,
    troubles: Vec<UserMessage>,
    /// Whether the page listens and has taken the waiting links.
    page_listens: bool,
}

/// Download that the user wants to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LinkSource {
    /// Id of the download.
    pub unique_id: UniqueId,
    /// Whether to show all details.
    pub is_close: bool,
}

impl IncomingLinks {
    /// Takes the waiting links. From now on, links are sent to the page directly.
    pub fn take(&self) -> Vec<String> {
        let mut waiting = self.lock();
        waiting.page_listens = true;
        mem::take(&mut waiting.links)
    }

    /// Takes the waiting download to show.
    pub fn take_look(&self) -> Option<LinkSource> {
        self.lock().look.take()
    }

    /// Takes the waiting copied text.
    pub fn take_copied(&self) -> Option<String> {
        self.lock().copied.take()
    }

    /// Takes the waiting failures.
    pub fn take_troubles(&self) -> Vec<UserMessage> {
        mem::take(&mut self.lock().troubles)
    }

    /// Keeps data again, because the page is gone.
    pub fn hold_back(&self) {
        self.lock().page_listens = false;
    }

    /// Returns the links if the page listens; otherwise keeps them.
    fn add(&self, links: Vec<String>) -> Vec<String> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return links;
        }
        waiting.links.extend(links);
        Vec::new()
    }

    /// Returns the download to show if the page listens; otherwise keeps it in place of an earlier one.
    fn look(&self, look: LinkSource) -> Option<LinkSource> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return Some(look);
        }
        waiting.look = Some(look);
        None
    }

    /// Returns the copied text if the page listens; otherwise keeps it in place of an earlier one.
    fn copied(&self, text: String) -> Option<String> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return Some(text);
        }
        waiting.copied = Some(text);
        None
    }

    /// Returns the failure if the page listens; otherwise keeps it in addition to earlier ones.
    fn trouble(&self, trouble: UserMessage) -> Option<UserMessage> {
        let mut waiting = self.lock();
        if waiting.page_listens {
            return Some(trouble);
        }
        waiting.troubles.push(trouble);
        None
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes the arguments of a start in the folder `at` to the page.
pub fn add(shell: &AppContext, arguments: &[String], at: &Path) {
    let mut links = Vec::new();
    for argument in arguments {
        match offered(argument, at) {
            Ok(offered) => links.extend(offered),
            Err(trouble) => say_why(shell, trouble),
        }
    }
    hand_over(shell, links);
}

/// Passes `links` to the page, now or when it listens.
pub fn hand_over(shell: &AppContext, links: Vec<String>) {
    let now = shell.links.add(links);
    if !now.is_empty() {
        shell.window.word("links", &now);
    }
}

/// Makes the page offer copied text.
pub fn offer(shell: &AppContext, text: String) {
    if let Some(now) = shell.links.copied(text) {
        shell.window.word("copied", &now);
    }
}

/// Brings the window forward and shows one download.
pub fn look_at(shell: &AppContext, look: LinkSource) {
    if let Some(now) = shell.links.look(look) {
        shell.window.word("look", &now);
    }
    shell.window.show();
}

/// Emits a click on a download to the clients of its owner. The click was on its notification or its finished entry.
pub async fn tell_owner(shell: &AppContext, unique_id: UniqueId) {
    if let Err(trouble) = shell.door.ask::<()>(MethodCall::Click { unique_id }).await {
        tracing::debug!(trouble.text, "click event could not be sent to the engine");
    }
}

/// Shows the reason of a failure in the window and brings it forward. An action outside of the window has no other
/// place for it.
pub fn say_why(shell: &AppContext, trouble: UserMessage) {
    if let Some(now) = shell.links.trouble(trouble) {
        shell.window.word("trouble", &now);
    }
    shell.window.show();
}

/// Handles a second start: passes its links to the page and brings the window forward.
pub fn second_start(shell: &AppContext, start: InstanceStart) {
    match LaunchArguments::try_parse_from(start.arguments) {
        Ok(arguments) => {
            add(shell, &arguments.links, &start.at);
            if !arguments.hidden {
                shell.window.show();
            }
        }
        Err(error) => tracing::warn!(%error, "arguments of a second start are not valid; ignored"),
    }
}

/// Converts an argument to text for the dialog.
///
/// The text is a link unchanged, the links inside an `ashore:` link, or the content of a Metalink file.
fn offered(argument: &str, at: &Path) -> Result<Vec<String>, UserMessage> {
    let url = Url::parse(argument).ok();
    if let Some(url) = url.as_ref().filter(|url| url.scheme() == "ashore") {
        return Ok(asked_for(url));
    }
    let path = match &url {
        Some(url) if url.scheme() == "file" => url.to_file_path().ok(),
        Some(_) => None,
        None => Some(at.join(argument)),
    };
    match path.filter(|path| is_metalink(path)) {
        Some(path) => Ok(vec![read_metalink(&path)?]),
        None => Ok(vec![argument.to_owned()]),
    }
}

/// Returns the links of `ashore://add?url=LINK`, which may have several. [pure]
///
/// Any web page can contain such a link, so it only fills lines of the dialog.
fn asked_for(url: &Url) -> Vec<String> {
    let verb = url.host_str().unwrap_or_else(|| url.path()).trim_end_matches('/');
    if verb != "add" {
        tracing::warn!(%url, "link with an unknown action ignored");
        return Vec::new();
    }
    let links = url.query_pairs().filter(|(name, _)| name == "url");
    links.filter_map(|(_, link)| Some(link.lines().next()?.trim().to_owned())).filter(|link| !link.is_empty()).collect()
}

fn is_metalink(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ending == "metalink" || ending == "meta4") && path.is_file()
}

fn read_metalink(path: &Path) -> Result<String, UserMessage> {
    let shown = path.display();
    let refused = |text: String| UserMessage { code: "not-read".to_owned(), text };
    let mut text = Vec::new();
    // Read one byte more, to detect a larger file.
    let read = fs::File::open(path).and_then(|file| file.take(METALINK + 1).read_to_end(&mut text));
    if let Err(error) = read {
        return Err(refused(format!("{shown} could not be read: {error}.")));
    }
    if text.len() as u64 > METALINK {
        return Err(refused(format!(
            "{shown} has more than {METALINK_MIB} MiB, so it was not read as a Metalink. Look whether it is one, or add its files in several parts."
        )));
    }
    String::from_utf8(text).map_err(|_| refused(format!("{shown} is no text, and so no Metalink. Get it again.")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_wait_for_page_and_are_taken_once() {
        let links = IncomingLinks::default();
        let list = |one: &str| vec![one.to_owned()];
        assert!(links.add(list("a")).is_empty());
        assert_eq!(links.take(), ["a"]);
        assert_eq!(links.add(list("b")), ["b"]);
        links.hold_back();
        assert!(links.add(list("c")).is_empty());
        assert_eq!(links.take(), ["c"]);
        assert!(links.take().is_empty());
    }

    #[test]
    fn latest_download_to_show_waits_for_page() {
        let look = |digit: char| LinkSource {
            unique_id: format!("6a2ab1c0-1111-4222-8333-44445555666{digit}").parse().unwrap(),
            is_close: false,
        };
        let links = IncomingLinks::default();
        assert_eq!((links.look(look('1')), links.look(look('2'))), (None, None));
        links.take();
        assert_eq!((links.take_look(), links.take_look()), (Some(look('2')), None));
        assert_eq!(links.look(look('3')), Some(look('3')));
    }

    #[test]
    fn troubles_wait_for_page_and_are_taken_once() {
        let trouble = |text: &str| UserMessage { code: "not-there".to_owned(), text: text.to_owned() };
        let links = IncomingLinks::default();
        assert_eq!((links.trouble(trouble("a")), links.trouble(trouble("b"))), (None, None));
        links.take();
        assert_eq!((links.take_troubles(), links.take_troubles()), (vec![trouble("a"), trouble("b")], Vec::new()));
        assert_eq!(links.trouble(trouble("c")), Some(trouble("c")));
    }

    #[test]
    fn ashore_link_yields_only_the_links_it_adds() {
        let asked = |url: &str| offered(url, Path::new("/")).unwrap();
        assert_eq!(
            asked("ashore://add?url=https%3A%2F%2Fa.example%2Fb%3Fc%3Dd%26e&url=https://a.example/2"),
            ["https://a.example/b?c=d&e", "https://a.example/2"]
        );
        assert_eq!(asked("ashore:add?url=https://a.example/1"), ["https://a.example/1"]);
        assert_eq!(asked("ashore://add/?url=https://a.example/1%0Acurl%20-o%20x"), ["https://a.example/1"]);
        for other in ["ashore://add", "ashore://add?url=", "ashore://remove?url=https://a.example/", "ashore:"] {
            assert_eq!(asked(other), <[&str; 0]>::default(), "{other}");
        }
        assert_eq!(asked("https://a.example/ashore://add?url=x"), ["https://a.example/ashore://add?url=x"]);
    }

    #[test]
    fn metalink_file_is_read_and_other_files_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let text = "<metalink/>";
        for name in ["a b.metalink", "c.META4", "secret.txt"] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let url = Url::from_file_path(folder.path().join("a b.metalink")).unwrap();
        let offered = |argument: &str, at: &Path| offered(argument, at).unwrap();
        assert_eq!(offered(url.as_str(), Path::new("/")), [text]);
        assert_eq!(offered("c.META4", folder.path()), [text]);
        for other in ["secret.txt", "missing.metalink", "a.example/c.meta4"] {
            assert_eq!(offered(other, folder.path()), [other]);
        }
    }

    #[test]
    fn metalink_file_is_read_whole_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.metalink");
        let most = " ".repeat(usize::try_from(METALINK).unwrap());
        fs::write(&path, &most).unwrap();
        assert_eq!(offered("long.metalink", folder.path()), Ok(vec![most.clone()]));
        fs::write(&path, most + " ").unwrap();
        fs::write(folder.path().join("picture.meta4"), [0xff, 0xd8]).unwrap();
        for (name, why) in [("long.metalink", "has more than 4 MiB"), ("picture.meta4", "is no text")] {
            let trouble = offered(name, folder.path()).unwrap_err();
            assert_eq!(trouble.code, "not-read");
            assert!(trouble.text.contains(name) && trouble.text.contains(why), "{}", trouble.text);
        }
    }
}
