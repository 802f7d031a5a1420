//! Passes links from outside to the page, immediately or as soon as the page listens.
//!
//! The links come from the command line, a second start or the desktop, and include `ashore:` links and Metalink files.
//!
//! - The page asks the user about the links; nothing is fetched here.
//! - Failures of actions outside of the page are also passed to the page.
//! - `system/link_inbox.rs` stores links and failures until the page listens.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use ashore_engine::{UniqueId, UserMessage};
use ashore_messages::message;
use ashore_rpc::MethodCall;
use clap::Parser;
use url::Url;

use crate::{
    context::AppContext,
    system::{link_inbox::LinkSource, single_instance::InstanceStart},
};

/// Maximum size of a Metalink file, in MiB. `METALINK` is the same size in bytes.
///
/// A larger file would be too long for the dialog.
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
    /// Read links to add from standard input, as JSON lines with a `url`. The browser extension uses this.
    #[arg(long, value_name = "-", value_parser = ["-"])]
    pub offer: Option<String>,
    /// Links to add.
    #[arg(value_name = "LINK")]
    pub links: Vec<String>,
}

impl LaunchArguments {
    /// Returns arguments that make another instance add the links.
    pub fn as_links(&self) -> Vec<String> {
        let hidden = self.hidden.then_some("--hidden");
        let words = ["ashore-desktop"].into_iter().chain(hidden).chain(["--"]).map(str::to_owned);
        words.chain(self.links.iter().cloned()).collect()
    }
}

/// Passes the arguments of a start to the page. `at` is the working directory of that start.
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

/// Passes `links` to the page, immediately or as soon as the page listens.
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

/// Sends a click event for a download to the clients of its owner.
///
/// Called after a click on the notification of the download, or on the list entry of an ended download.
pub async fn tell_owner(shell: &AppContext, unique_id: UniqueId) {
    if let Err(trouble) = shell.door.ask::<()>(MethodCall::Click { unique_id }).await {
        tracing::debug!(trouble.text, "click event could not be sent to the engine");
    }
}

/// Brings the window forward and shows why an action failed.
///
/// Used for actions outside of the window, which have no other place to show the reason.
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
/// The text is the link itself, the links inside an `ashore://add` link, or the content of a Metalink file.
fn offered(argument: &str, at: &Path) -> Result<Vec<String>, UserMessage> {
    let url = Url::parse(argument).ok();
    if let Some(url) = url.as_ref().filter(|url| url.scheme() == "ashore") {
        return Ok(match verb_of(url) {
            // Pass the link on unchanged. The page fills it into the sync form, which only the user can submit.
            "join" => vec![argument.to_owned()],
            _ => asked_for(url),
        });
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

/// Returns the links of `ashore://add?url=LINK`, which may contain several links. [pure]
///
/// Any web page can contain such a link. Therefore the result is only entered in the dialog, not added.
fn asked_for(url: &Url) -> Vec<String> {
    let verb = verb_of(url);
    if verb != "add" {
        tracing::warn!(verb, "link with an unknown action ignored");
        return Vec::new();
    }
    let links = url.query_pairs().filter(|(name, _)| name == "url");
    links.filter_map(|(_, link)| Some(link.lines().next()?.trim().to_owned())).filter(|link| !link.is_empty()).collect()
}

fn verb_of(url: &Url) -> &str {
    url.host_str().unwrap_or_else(|| url.path()).trim_end_matches('/')
}

fn is_metalink(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ending == "metalink" || ending == "meta4") && path.is_file()
}

fn read_metalink(path: &Path) -> Result<String, UserMessage> {
    let mut text = Vec::new();
    // Read one more byte, to detect a larger file.
    let read = fs::File::open(path).and_then(|file| file.take(METALINK + 1).read_to_end(&mut text));
    read.map_err(|error| message!("not-read", path = path, why = &error))?;
    if text.len() as u64 > METALINK {
        return Err(message!("not-read.large", path = path, most = METALINK_MIB));
    }
    String::from_utf8(text).map_err(|_| message!("not-read.no-text", path = path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ashore_url_yields_links_only_if_its_action_is_add() {
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
    fn links_offered_at_start_are_passed_on_as_plain_arguments() {
        let offering = LaunchArguments::try_parse_from(["ashore-desktop", "--offer", "-", "https://a.example/1"]).unwrap();
        let again = LaunchArguments::try_parse_from(offering.as_links()).unwrap();
        assert_eq!((again.links, again.offer, again.hidden), (offering.links, None, false));
        assert!(LaunchArguments::try_parse_from(["ashore-desktop", "--offer", "links.txt"]).is_err());
    }

    #[test]
    fn path_of_metalink_in_arguments_is_replaced_by_text_of_file() {
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
    fn metalink_file_is_read_completely_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.metalink");
        let most = " ".repeat(usize::try_from(METALINK).unwrap());
        fs::write(&path, &most).unwrap();
        assert_eq!(offered("long.metalink", folder.path()), Ok(vec![most.clone()]));
        fs::write(&path, most + " ").unwrap();
        fs::write(folder.path().join("picture.meta4"), [0xff, 0xd8]).unwrap();
        for (name, variant) in [("long.metalink", "large"), ("picture.meta4", "no-text")] {
            let message = offered(name, folder.path()).unwrap_err();
            assert_eq!((message.code.as_str(), message.variant.as_deref()), ("not-read", Some(variant)));
            assert!(message.text.contains(name), "{message}");
        }
    }
}
